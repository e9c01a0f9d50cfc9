//! The traits of a node. The other files of this folder implement an effect on top of them.
//!
//! A minimal model implements [`Node::view`], and of [`Simulation`] `new`, `frame`, `step`, `restore`, `paint` and
//! `report`; it has a state that is [`Stored`] and a table of [`Controls`].

use std::ffi::CStr;
use std::fmt::Debug;
use std::sync::Arc;

use super::cache::Cache;
use super::controls::{Controls, Invalidates};
use super::geometry::Rect;
use super::initial::Initial;
use super::overlay::{Figure, Space};
use super::pictures::{Pictures, Wired};
use super::planes::Layer;
use super::values::{Moment, Values};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::Wanted;
use crate::ofx::{Error, Premultiplication, Result};
use crate::picture::{Averaging, Canvas, Placement};
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::grid::Grid;
use crate::timeline::disk::{Restore, Stored, Uses};

/// Names of a node, and constants.
pub struct About {
    /// The identifier, which never changes: projects store it, and chain keys start from it.
    pub identifier: &'static CStr,
    /// The name in menus and messages.
    pub label: &'static CStr,
    /// Label of the progress bar of a bake.
    pub baking: &'static CStr,
    /// Major version, which projects store, and minor version, which goes up with every change of the description.
    pub version: (u32, u32),
    /// The description for the host.
    pub description: &'static CStr,
    /// The simulated medium, in the middle of a sentence.
    pub fluid: &'static str,
    /// Its icon among the bundle's resources, as SVG and as PNG.
    pub icon: [&'static CStr; 2],
    /// Default name of its folder in the cache folder.
    pub folder: &'static str,
    /// Bytes per cell while a frame is simulated: states, pictures of all inputs, and fields of a device.
    pub bytes_per_cell: u32,
}

/// An input of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name of the clip, in the host and in messages.
    pub name: &'static CStr,
    /// Whether the input is a matte: its alpha is used or, without one, its luminance.
    pub matte: bool,
    /// The results that the input affects: states, or the picture only, which then fetches the image itself.
    pub invalidates: Invalidates,
}

impl Input {
    /// Its name in messages.
    pub fn text(&self) -> &'static str {
        self.name.to_str().unwrap_or_default()
    }
}

/// A node type. Each is an [`Effect`](crate::ofx::Effect).
pub trait Node: Sized + 'static {
    /// Its names.
    const ABOUT: About;
    /// Its inputs, referred to by their index. The first is the Source: the only input of a filter, and the input that
    /// defines the simulated region. A node without inputs is a generator.
    const INPUTS: &'static [Input] = &[];
    /// Name of its camera input, in hosts that have such inputs.
    const CAMERA: Option<&'static CStr> = None;
    /// Its planes other than colour. Each is the view of an option of the parameter `output`.
    const LAYERS: &'static [Layer] = &[];
    /// Its parameters.
    type Id: Controls;
    /// Index of the first of the inputs that were added after states had been written to disk. Such an input enters the
    /// key of a frame only where the frame consumes it, so that the keys of other frames stay.
    const LATER_INPUTS: usize = usize::MAX;
    /// Its overlay handles, the last on top.
    const FIGURES: &'static [Figure<Self::Id>] = &[];
    /// Its simulation.
    type Simulation: Simulation<Self>;
    /// The view of a state: the choice of output and the shading settings. Equal views of equal states give equal
    /// pictures.
    type View: PartialEq;

    /// The view at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn view(values: &impl Values<Self::Id>, time: f64) -> Result<Self::View>;

    /// The scene before the node's camera at a time, for a frame; `None` for a node without a camera.
    ///
    /// # Errors
    /// A call to the host fails.
    fn space(values: &impl Values<Self::Id>, time: f64, frame: Rect) -> Result<Option<Space>> {
        let _ = (values, time, frame);
        Ok(None)
    }

    /// Full-resolution pixels that are simulated beyond the frame, to the left and right, and below and above.
    ///
    /// # Errors
    /// A call to the host fails.
    fn overscan(values: &impl Values<Self::Id>, time: f64) -> Result<[f64; 2]> {
        let _ = (values, time);
        Ok([0.0; 2])
    }

    /// Whether states may depend on an input of [`Invalidates::Simulation`], given the values of a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn simulates_with(values: &impl Values<Self::Id>, time: f64, input: usize) -> Result<bool> {
        let _ = (values, time, input);
        Ok(true)
    }

    /// Whether a change of a parameter of [`Invalidates::Picture`] invalidates states, too, given the values of the
    /// parameters without keys.
    ///
    /// # Errors
    /// A call to the host fails.
    fn invalidates_states(values: &impl Values<Self::Id>, id: Self::Id) -> Result<bool> {
        let _ = (values, id);
        Ok(false)
    }

    /// Whether a view contains the picture of an input.
    fn shows(view: &Self::View, input: usize) -> bool {
        let _ = (view, input);
        false
    }

    /// Whether the picture of an input that a view contains is sampled onto the pixels of its own region instead
    /// of the raster.
    fn has_own_grid(input: usize) -> bool {
        let _ = input;
        false
    }

    /// Whether a view writes files for other programs.
    fn exports(view: &Self::View) -> bool {
        let _ = view;
        false
    }

    /// Lines about a view and the pictures in it for its report, each of which is also posted once.
    fn notices(view: &Self::View, pictures: &Pictures) -> Vec<String> {
        let _ = (view, pictures);
        Vec::new()
    }

    /// The relation of a view's colour to its alpha.
    fn premultiplication(view: &Self::View) -> Premultiplication {
        let _ = view;
        Premultiplication::Premultiplied
    }
}

/// The size of a simulation's grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridSize {
    /// Cells along each axis.
    pub shape: Vec<usize>,
    /// Advice to the artist: the ways to fewer cells, as a sentence.
    pub fewer: &'static str,
}

/// A simulation of a node, made for each render: the settings of the whole chain, and the device. Called on the
/// action's thread.
///
/// The *raster* of a node is its region in cells of the chosen resolution: pictures are sampled onto it. A model of two
/// axes may simulate on the raster; others have another grid, of any rank.
pub trait Simulation<N: Node>: Sized {
    /// Version of the model: changes when equal settings give other bits.
    const VERSION: u32;
    /// A frame's state, with the diagnostics of its chain.
    type State: Stored;
    /// The settings of one frame. Equal settings, pictures and previous states give equal states.
    type Frame: Clone + Debug + Fingerprint + Send + Sync + 'static;

    /// The size of the grid: by default the raster's.
    ///
    /// # Errors
    /// A call to the host fails.
    fn size(values: &impl Values<N::Id>, time: f64, raster: &Grid) -> Result<GridSize> {
        let _ = (values, time);
        let fewer = "Lower Resolution, crop the Source, or set Extent to Project.";
        Ok(GridSize { shape: vec![raster.width, raster.height], fewer })
    }

    /// Reads the parameters without keys, at `time`. Opens no device.
    ///
    /// # Errors
    /// The host cannot be asked, or the parameters define no simulation; a text for the artist.
    fn new(values: &impl Values<N::Id>, time: f64, raster: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self>;

    /// Opens the device, if the bits depend on its class; the first key of the chain then includes the class. Returns
    /// false after an abort.
    fn open(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let _ = go_on;
        true
    }

    /// Adds the settings of the whole chain to its first key, and the class of device if the bits depend on it. The
    /// caller adds the version, the raster and the settings that all nodes have.
    fn enter(&self, digest: &mut Digest) {
        let _ = digest;
    }

    /// As [`enter`](Self::enter), for the other class of device; returns the name of that class for the artist. `None`
    /// if all devices give the same bits.
    fn enter_other(&self, digest: &mut Digest) -> Option<&'static str> {
        let _ = digest;
        None
    }

    /// The file that is the first frame, if any. It is part of the first key, and there is no pre-roll.
    fn initial(&self) -> Option<&Initial> {
        None
    }

    /// Reads the settings of a frame. `before`: the settings of the previous frame, if known. Parameters without effect
    /// are not read and have a fixed value, so that a change of them invalidates nothing.
    ///
    /// # Errors
    /// A call to the host fails.
    fn frame(
        &self,
        values: &impl Values<N::Id>,
        wired: Wired,
        moment: Moment,
        before: Option<&Self::Frame>,
    ) -> Result<Self::Frame>;

    /// The averaging of a connected input that a frame consumes; `None` for an input that it does not consume. `first`:
    /// the frame is the first of its chain. [`Averaging::ByAlpha`] is for straight colour, weighted by its alpha.
    fn consumes(&self, frame: &Self::Frame, first: bool, wired: Wired, input: usize) -> Option<Averaging> {
        let _ = (frame, first, wired, input);
        None
    }

    /// The cells onto which the pictures of a frame are sampled; `None` for the raster.
    fn window(&self, frame: &Self::Frame) -> Option<Grid> {
        let _ = frame;
        None
    }

    /// Number of frames, with this one as the last, whose steps give its state, given the settings of all frames; `None`
    /// for all from the first frame on. Where none of their states is stored, the simulation begins at the earliest of
    /// them, without a previous state.
    fn history(&self, frame: &Self::Frame) -> Option<u64> {
        let _ = frame;
        None
    }

    /// Advances a state by the fraction `share` of a frame, above 0 and at most 1. The result of a fraction below 1
    /// belongs to no chain. Without a previous state, creates the first one, also of a later frame after which
    /// [`history`](Self::history) lets the simulation begin. Calls `go_on` every few milliseconds, and
    /// returns `None` once that returned false.
    ///
    /// # Errors
    /// The frame cannot be simulated (a text for the artist), or [`Failure::Device`].
    fn step(
        &self,
        before: Option<&Self::State>,
        frame: &Self::Frame,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<Self::State>>, Failure>;

    /// The disk cache of states that are parts of a frame's simulation, in the same folder. `uses` records them.
    fn keep_parts(&mut self, _cache: &Cache, _uses: &Uses) {}

    /// Whether the states of frames go to the disk cache, else parts alone.
    fn keeps_frames(&self) -> bool {
        true
    }

    /// The header that a file of a state must have, and the conversion of its contents to the state.
    fn restore(&self) -> Restore<'_, Self::State>;

    /// The settings of a frame as text, for people who read the file.
    fn account(&self, frame: &Self::Frame) -> String {
        format!("{frame:#?}")
    }

    /// Paints a view of a state, on the threads of `cpu`. `pictures` are those of the connected inputs that
    /// [`Node::shows`], on the raster.
    ///
    /// # Errors
    /// The device that stores the state has failed.
    fn paint(
        &self,
        cpu: &Cpu,
        state: &Self::State,
        view: &N::View,
        pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure>;

    /// Writes a whole frame that is baked, or shown in full quality, into files for other programs: its number, and the
    /// pixels of its picture. `pictures` are as those of [`paint`](Self::paint). Returns a line for the report for each file
    /// that could not be written.
    fn export(
        &self,
        cpu: &Cpu,
        state: &Self::State,
        view: &N::View,
        pictures: &Pictures,
        frame: (i64, &Placement),
    ) -> Vec<String> {
        let _ = (cpu, state, view, pictures, frame);
        Vec::new()
    }

    /// The report of a shown state; `frame` has the settings of its frame.
    fn report(&self, state: &Self::State, frame: &Self::Frame) -> FrameReport;
}

/// A new state, and the number of steps from the one before.
pub struct Step<S> {
    /// The state.
    pub state: S,
    /// Steps.
    pub steps: u64,
}

/// The model's part of the report of a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameReport {
    /// Cells of the state's grid along each axis.
    pub shape: Vec<usize>,
    /// Its cells per full-resolution pixel.
    pub cells_per_pixel: f64,
    /// Name of the model.
    pub model: &'static str,
    /// Name of the device.
    pub device: String,
    /// Steps of a frame with the settings of this one.
    pub steps_per_frame: u32,
    /// The contents of the frame, in a line.
    pub content: String,
    /// Lines about the simulation.
    pub warnings: Vec<String>,
    /// Lines about inputs and states.
    pub notices: Vec<String>,
    /// Names and values for tools, both in JSON.
    pub figures: Vec<(&'static str, String)>,
}

/// The reason why a frame has no state or picture.
#[derive(Debug)]
pub enum Failure {
    /// An error for the artist.
    Error(Error),
    /// A failure of the device, if the bits depend on its class: the render starts again, once, with the device that
    /// [`Simulation::open`] then returns.
    Device(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Error(error) => error,
            Failure::Device(why) => Self::Message(why),
        }
    }
}

/// Runs a closure, and once more after a failure of the device.
///
/// # Errors
/// The error of the last attempt.
pub fn with_another_try<T>(mut attempt: impl FnMut() -> Result<T, Failure>) -> Result<T> {
    let done = match attempt() {
        Err(Failure::Device(why)) => {
            tracing::warn!("{why}: the simulation begins again");
            attempt()
        }
        done => done,
    };
    Ok(done?)
}

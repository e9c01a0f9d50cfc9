//! What a node has of its own. All else is made of it by this folder.

use std::ffi::CStr;
use std::sync::Arc;

use super::controls::{Controls, Reach};
use super::initial::Initial;
use super::overlay::Figure;
use super::pictures::{Pictures, Wired};
use super::planes::Layer;
use super::values::{Moment, Values};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::Wanted;
use crate::ofx::{Error, Premultiplication, Result};
use crate::picture::{Averaging, Canvas};
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::grid::Grid;
use crate::timeline::disk::{Restore, Stored};

/// What a node is called.
pub struct About {
    /// The identifier, which never changes: projects keep it, and chain keys start from it.
    pub identifier: &'static CStr,
    /// The name in menus and messages.
    pub label: &'static CStr,
    /// What the host says while frames are baked.
    pub baking: &'static CStr,
    /// Major (projects keep it, too) and minor version; the minor one goes up with every change of the description.
    pub version: (u32, u32),
    /// What it does, for the host.
    pub description: &'static CStr,
    /// What it simulates, in the middle of a sentence.
    pub fluid: &'static str,
    /// Its icon among the bundle's resources, as SVG and as PNG.
    pub icon: [&'static CStr; 2],
    /// Name of its folder in the cache folder where nobody names it.
    pub folder: &'static str,
    /// Bytes that a cell takes while a frame is made: states, the pictures of all inputs, and a device's own planes.
    pub bytes_per_cell: u32,
}

/// An input of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name of the clip, in the host and in messages.
    pub name: &'static CStr,
    /// Its alpha is what counts, and its luminance where it has none.
    pub matte: bool,
    /// What it touches: states, or the picture of a frame alone, which then fetches it for itself and for no state.
    pub reach: Reach,
}

impl Input {
    /// Its name in messages.
    pub fn text(&self) -> &'static str {
        self.name.to_str().unwrap_or_default()
    }
}

/// A node type. What implements it is an [`Effect`](crate::ofx::Effect).
pub trait Node: Sized + 'static {
    /// What it is called.
    const ABOUT: About;
    /// Its inputs, which are known by their places here. The first is the Source: a filter has no other, and it says what
    /// region is simulated.
    const INPUTS: &'static [Input];
    /// What hosts with planes have of it beside its colour, which is what the parameter `output` says.
    const LAYERS: &'static [Layer] = &[];
    /// Its parameters.
    type Id: Controls;
    /// What of the panel is shown over the picture, and dragged there; the last on top.
    const FIGURES: &'static [Figure<Self::Id>] = &[];
    /// What it simulates.
    type Simulation: Simulation<Self>;
    /// What is shown of a state: the choice of output and all else that enters no state. Where two times have equal ones,
    /// the same state looks the same.
    type View: PartialEq;

    /// What is shown at a time.
    ///
    /// # Errors
    /// The host can't be asked.
    fn view(values: &impl Values<Self::Id>, time: f64) -> Result<Self::View>;

    /// Whether an input of [`Reach::Picture`] is seen in what is shown.
    fn shows(view: &Self::View, input: usize) -> bool {
        let _ = (view, input);
        false
    }

    /// How the colour of what is shown relates to its alpha.
    fn premultiplication(view: &Self::View) -> Premultiplication;
}

/// A simulation of a node, made anew for each render: what holds for all frames of the chain, and the device that runs it.
/// Called on the thread of the action.
pub trait Simulation<N: Node>: Sized {
    /// Version of the model: another number means other bits from the same settings.
    const VERSION: u32;
    /// A frame's state, with what its chain has to tell. Its grid is its own business.
    type State: Stored;
    /// The settings of one frame. Equal ones make equal states of equal states and pictures.
    type Frame: Clone + Fingerprint + Send + Sync + 'static;

    /// The cells that are simulated, wherever they stand, of a node that covers `whole`; and how an artist gets fewer, as a
    /// sentence.
    ///
    /// # Errors
    /// The host can't be asked.
    fn grid(values: &impl Values<N::Id>, time: f64, whole: Grid) -> Result<(Grid, &'static str)> {
        let _ = (values, time);
        Ok((whole, "Lower Resolution, crop the Source, or set Extent to Project."))
    }

    /// Reads what is not animated; `time` only says when to ask. `grid` is what [`grid`](Self::grid) says. Opens no device.
    ///
    /// # Errors
    /// The host can't be asked, or the parameters make no simulation, in the artist's words.
    fn new(values: &impl Values<N::Id>, time: f64, grid: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self>;

    /// Opens the device, where its kind makes other bits: then the chain's first key is to name the one that there is. False
    /// once `go_on` said no.
    fn open(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let _ = go_on;
        true
    }

    /// Enters what was read into the chain's first key, with the kind of device where that makes other bits. The version,
    /// the grid and what is common to all nodes are entered by the caller.
    fn enter(&self, digest: &mut Digest);

    /// As [`enter`](Self::enter), as if the other kind of device were open, where that makes other bits; names it, in the
    /// artist's words. `None` where all devices make the same.
    fn enter_other(&self, digest: &mut Digest) -> Option<&'static str> {
        let _ = digest;
        None
    }

    /// What the first frame is given as, where it is not simulated: it is part of the name, and there is no pre-roll.
    fn initial(&self) -> Option<&Initial> {
        None
    }

    /// Reads the settings of a frame; `before` are those of the last one, where it is known. What cannot matter is not read
    /// and counts as nothing, so that an edit of it costs nothing either.
    ///
    /// # Errors
    /// The host can't be asked.
    fn frame(
        &self,
        values: &impl Values<N::Id>,
        wired: Wired,
        moment: Moment,
        before: Option<&Self::Frame>,
    ) -> Result<Self::Frame>;

    /// How a frame (`first` of its chain or not) consumes an input that is wired; `None` where it does not.
    /// [`Averaging::ByAlpha`] is for straight colour that counts by its alpha.
    fn consumes(&self, frame: &Self::Frame, first: bool, wired: Wired, input: usize) -> Option<Averaging>;

    /// The cells onto which a frame's pictures are sampled, where those are not what the node covers.
    fn window(&self, frame: &Self::Frame) -> Option<Grid> {
        let _ = frame;
        None
    }

    /// The state of a frame, from the one before or, without one, from the start. `None` once `go_on` said no: it is to be
    /// asked every few milliseconds.
    ///
    /// # Errors
    /// There is none, in the artist's words; or [`Failure::Device`].
    fn step(
        &self,
        before: Option<&Self::State>,
        frame: &Self::Frame,
        pictures: &Pictures,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<Self::State>>, Failure>;

    /// As [`step`](Self::step), for the `share` (above 0, below 1) of a frame that has passed. It enters no chain.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn part(
        &self,
        before: &Self::State,
        frame: &Self::Frame,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<Self::State>>, Failure>;

    /// What a file's state has to be, and how it becomes one.
    fn restore(&self) -> Restore<'_, Self::State>;

    /// What a frame is simulated with, for people.
    fn account(&self, frame: &Self::Frame) -> String;

    /// Paints what is shown of a state, wherever its own grid lies, on the threads of `cpu`. `pictures` are those of the
    /// inputs that [`Node::shows`], as far as they are wired, on the cells of all that the node covers.
    ///
    /// # Errors
    /// The device that has the state has failed.
    fn paint(
        &self,
        cpu: &Cpu,
        state: &Self::State,
        view: &N::View,
        pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure>;

    /// The report of a shown state; `frame` has the settings of its frame.
    fn report(&self, state: &Self::State, frame: &Self::Frame) -> FrameReport;
}

/// A new state, and the steps that were taken to it.
pub struct Step<S> {
    /// The state.
    pub state: S,
    /// Steps.
    pub steps: u64,
}

/// The model's part of the report of a frame.
#[derive(Clone, Debug)]
pub struct FrameReport {
    /// Columns and rows of the state's grid.
    pub grid: [usize; 2],
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

/// Why a frame can't be made.
#[derive(Debug)]
pub enum Failure {
    /// For the artist.
    Error(Error),
    /// The device has failed, in a simulation whose bits depend on it: the chain begins anew, once, under the key of what
    /// [`Simulation::open`] finds then.
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

/// Does what may fail with its device, and once more where it did.
///
/// # Errors
/// For the artist.
pub fn with_another_try<T>(mut attempt: impl FnMut() -> Result<T, Failure>) -> Result<T> {
    let done = match attempt() {
        Err(Failure::Device(why)) => {
            tracing::warn!("{why}: the simulation begins anew");
            attempt()
        }
        done => done,
    };
    Ok(done?)
}

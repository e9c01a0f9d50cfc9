//! Properties and behaviour of a host: one set of data, filled in once
//! per host. `generic` follows the standard to the letter; the others emulate
//! observed or documented behaviour of the programs of those names.

mod mlt;
mod natron;
mod nuke;
mod openfx_runner;
mod resolve;

use flow_openfx as ofx;

use crate::ffi::suites::names as suite;
use crate::{Components, Context, Depth, Error, Result, RowLayout};

/// The contexts in which the host creates instances.
pub(crate) const CONTEXTS: [Context; 5] =
    [Context::Filter, Context::General, Context::Generator, Context::Transition, Context::Retimer];

/// Contents of `OfxImagePropUniqueIdentifier`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageIds {
    /// No such property.
    Absent,
    /// A hash of the picture's dependencies, as in Natron.
    Hash,
    /// `ffffffffffffffff` for every image, as in Nuke.
    AllOnes,
    /// Another number at each fetch, as in MLT.
    Random,
}

/// The instances of a node that render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// The user's instance.
    Single,
    /// Copies made on render threads, for plug-ins that are only instance safe; every
    /// edit destroys them.
    Clones,
    /// One instance per frame, with Load, Describe and DescribeInContext before it,
    /// unless the plug-in declares its renders unsafe.
    PerFrame,
}

/// The functions that version 2 of the message suite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// Version 1 alone.
    Plain,
    /// Version 2 with persistent messages.
    Persistent,
    /// Version 2 whose persistent calls are NULL, as in Resolve.
    NullPersistent,
}

/// The answer to a request for a time that the plug-in did not declare in GetFramesNeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// The image of that time.
    Serve,
    /// No image.
    Nothing,
    /// The image of the rendered time.
    Current,
}

/// The image of an unconnected clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconnected {
    /// No image, and no region.
    Nothing,
    /// No image, in the project's region.
    Region,
    /// An image without extent, in an empty region.
    EmptyImage,
    /// A transparent black image of the project's size.
    BlackImage,
}

/// Position of BeginSequenceRender and EndSequenceRender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets {
    /// Never.
    None,
    /// Around all frames of a sequence.
    Sequence,
    /// Around each frame.
    Frame,
}

/// Planes of a host's pictures other than colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planes {
    /// None.
    None,
    /// Forward and backward motion, for nodes whose agreed output has motion vectors, as in Nuke.
    Motion,
    /// The planes that GetClipComponents names, as in Natron.
    Any,
}

/// The unit of the undo history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoModel {
    /// A user's edit with all changes that the plug-in made because of it.
    Snapshots,
    /// Commands, as in Natron: the user's parameter alone, and edit blocks that end after any action.
    Commands,
}

/// The means of a plug-in to draw over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlays {
    /// No overlays.
    None,
    /// OpenGL, as in hosts before OpenFX 1.5; this host does not record the drawing.
    OpenGl,
    /// With the draw suite.
    Suite,
}

/// A host's behaviour. Start from a named one and change fields.
#[derive(Clone, Debug)]
pub struct Profile {
    /// `OfxPropName` of the host.
    pub name: String,
    /// `OfxPropLabel` of the host.
    pub label: String,
    /// `OfxPropVersion`; empty if the host has none.
    pub version: Vec<i32>,
    /// `OfxPropVersionLabel`.
    pub version_label: String,
    /// `OfxPropAPIVersion`; `None` if the host has none.
    pub api_version: Option<(i32, i32)>,
    /// Suites offered beside property, effect and parameter: name and highest version.
    pub suites: Vec<(&'static str, i32)>,
    /// The message suite.
    pub messages: Messages,
    /// Contexts in which the host creates instances.
    pub contexts: Vec<Context>,
    /// Supported depths.
    pub depths: Vec<Depth>,
    /// Supported components.
    pub components: Vec<Components>,
    /// Partial render windows.
    pub tiles: bool,
    /// Splits renders into windows even for plug-ins that need whole images.
    pub forces_tiles: bool,
    /// Images of other sizes and origins than the project's.
    pub multi_resolution: bool,
    /// Clips of different depths.
    pub multiple_depths: bool,
    /// Clips of different pixel aspect ratios.
    pub multiple_pars: bool,
    /// Images of other times.
    pub temporal_access: bool,
    /// Layout of all images' rows in memory.
    pub rows: RowLayout,
    /// Image identifiers.
    pub image_ids: ImageIds,
    /// The instances that render.
    pub instances: Instances,
    /// CPUs reported by the thread suite and threads it really starts; 1 is serial.
    pub threads: usize,
    /// Whether the instance has `OfxImageEffectPropPluginHandle`.
    pub plugin_handle: bool,
    /// Whether the descriptor has `OfxImageEffectInstancePropSequentialRender`.
    pub sequential_on_descriptor: bool,
    /// Whether an instance knows the project's size, aspect, rate and range.
    pub project_properties: bool,
    /// Whether render clones know the project; else they read 0.
    pub project_properties_on_clones: bool,
    /// Every clip claims to be connected.
    pub all_connected: bool,
    /// The image of unconnected clips.
    pub unconnected: Unconnected,
    /// Suite calls that end the process in the emulated program; here each is recorded as a violation.
    pub fatal_calls: &'static [&'static str],
    /// A request for an unknown version of a known suite ends the process, too.
    pub fatal_versions: bool,
    /// Clips and parameters always have the values of the rendered frame.
    pub ignores_time: bool,
    /// `OfxSetHost` is called if the library has it; hosts of OpenFX 1.4 call only
    /// the plug-ins' own `setHost`.
    pub sets_host_of_library: bool,
    /// Load, Describe, DescribeInContext, Unload, and then Load again.
    pub scans_first: bool,
    /// Queries the region of definition at scale ½ after the creation of an instance.
    pub probes_half_scale: bool,
    /// Position of the sequence brackets.
    pub brackets: Brackets,
    /// Value of the sequential status.
    pub sequential_status: i32,
    /// Whether IsIdentity and GetFramesNeeded are called.
    pub queries_before_render: bool,
    /// Whether InstanceChanged, PurgeCaches and SyncPrivateData are ever called.
    pub reports_changes: bool,
    /// Whether Begin and EndInstanceChanged surround a change.
    pub change_brackets: bool,
    /// Whether a change of a 2-D or colour parameter is reported once per component.
    pub change_per_component: bool,
    /// Positions' defaults are fractions of the project size unless the plug-in
    /// declares otherwise.
    pub normalised_positions: bool,
    /// Whether parameters have `OfxParamPropDefaultCoordinateSystem`.
    pub coordinate_system: bool,
    /// Keeps rendered pictures by the hash of the inputs and of the values at the
    /// frame itself, as Nuke does: pictures become stale after changes at earlier frames.
    pub picture_cache: bool,
    /// Does not render while a persistent error stays that a good render left.
    pub persistent_message_blocks: bool,
    /// The field of images and renders.
    pub field: &'static str,
    /// Images for times outside GetFramesNeeded.
    pub undeclared: Undeclared,
    /// Parameters read as their defaults while an instance is created.
    pub defaults_while_creating: bool,
    /// Whether the instance has the descriptor's handle.
    pub shared_handle: bool,
    /// Animation of strings, booleans and choices.
    pub animates: [bool; 3],
    /// Premultiplication that every image claims; `None` for the true one.
    pub premultiplication: Option<crate::Premultiplication>,
    /// Renders below full scale reach the plug-in as such; else all renders have full size.
    pub render_scale: bool,
    /// Planes other than colour.
    pub planes: Planes,
    /// Planes of two channels come as RGB even if the output offers two channels.
    pub closest_planes: bool,
    /// Overlays in viewers.
    pub overlays: Overlays,
    /// The unit of the undo history.
    pub undo: UndoModel,
    /// Whether instances know their node's name.
    pub names_nodes: bool,
    /// Whether the host runs without a user interface.
    pub background: bool,
    /// An extra property of the host with the value 1.
    pub marker: Option<&'static str>,
}

impl Profile {
    /// The standard to the letter: all features, all true.
    #[must_use]
    pub fn generic() -> Self {
        Self {
            name: "org.flowofx.flow-host".into(),
            label: "flow-host".into(),
            version: vec![0, 1, 0],
            version_label: env!("CARGO_PKG_VERSION").into(),
            api_version: Some((1, 4)),
            suites: vec![
                (suite::MEMORY, 1),
                (suite::MULTI_THREAD, 1),
                (suite::PROGRESS, 2),
                (suite::TIME_LINE, 1),
                (suite::STATS, 1),
            ],
            messages: Messages::Persistent,
            contexts: CONTEXTS.to_vec(),
            depths: vec![Depth::Float, Depth::Half, Depth::Short, Depth::Byte],
            components: vec![Components::Rgba, Components::Rgb, Components::Alpha],
            tiles: true,
            forces_tiles: false,
            multi_resolution: true,
            multiple_depths: true,
            multiple_pars: false,
            temporal_access: true,
            rows: RowLayout::default(),
            image_ids: ImageIds::Hash,
            instances: Instances::Single,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            plugin_handle: true,
            sequential_on_descriptor: true,
            project_properties: true,
            project_properties_on_clones: true,
            all_connected: false,
            unconnected: Unconnected::Nothing,
            fatal_calls: &[],
            fatal_versions: false,
            ignores_time: false,
            sets_host_of_library: true,
            scans_first: false,
            probes_half_scale: false,
            brackets: Brackets::Sequence,
            sequential_status: 0,
            queries_before_render: true,
            reports_changes: true,
            change_brackets: true,
            change_per_component: false,
            normalised_positions: false,
            coordinate_system: true,
            picture_cache: false,
            persistent_message_blocks: false,
            field: ofx::Field::None.as_str(),
            undeclared: Undeclared::Serve,
            defaults_while_creating: false,
            shared_handle: false,
            animates: [true; 3],
            premultiplication: None,
            render_scale: true,
            planes: Planes::None,
            closest_planes: false,
            overlays: Overlays::Suite,
            undo: UndoModel::Snapshots,
            names_nodes: true,
            background: true,
            marker: None,
        }
    }

    /// The profile of a name: generic, nuke, natron, resolve, mlt or openfx-runner.
    ///
    /// # Errors
    /// A usage error that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "generic" => Self::generic(),
            "nuke" => Self::nuke(),
            "natron" => Self::natron(),
            "resolve" => Self::resolve(),
            "mlt" => Self::mlt(),
            "openfx-runner" => Self::openfx_runner(),
            other => {
                return Err(Error::usage(format!(
                    "unknown host '{other}': expected generic, nuke, natron, resolve, mlt or openfx-runner"
                )));
            }
        })
    }

    /// The same host with the plane suite in this version and all lower ones.
    #[must_use]
    pub fn with_planes(mut self, planes: Planes, version: i32) -> Self {
        self.planes = planes;
        self.suites.push((suite::PLANES, version));
        self
    }

    /// The same host with camera inputs.
    #[must_use]
    pub fn with_cameras(mut self) -> Self {
        self.suites.push((suite::CAMERAS, 1));
        self
    }

    /// The highest version of a suite in this host; `None` without the suite.
    pub(crate) fn suite_version(&self, name: &str) -> Option<i32> {
        match name {
            suite::PROPERTY | suite::EFFECT | suite::PARAMETER => Some(1),
            suite::INTERACT => (self.overlays != Overlays::None).then_some(1),
            suite::DRAW => (self.overlays == Overlays::Suite).then_some(1),
            suite::MESSAGE => Some(if self.messages == Messages::Plain { 1 } else { 2 }),
            _ => self.suites.iter().find(|(suite, _)| *suite == name).map(|(_, version)| *version),
        }
    }
}

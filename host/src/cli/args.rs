//! The command's arguments.

use std::path::PathBuf;

use clap::builder::TypedValueParser as _;
use clap::{Args, Parser, Subcommand};

/// A headless OpenFX host: lists, describes and renders image effects.
#[derive(Parser)]
#[command(name = "flow-host", version, about)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Print the plug-ins of bundles: identifier, version, label, contexts
    List(ListArguments),
    /// Print the description of a plug-in: clips and parameters
    Describe(DescribeArguments),
    /// Print the presets of a plug-in, with a line about each
    Presets(PresetsArguments),
    /// Print the graphics devices that a bundle sees, and those that it would use
    Devices(DevicesArguments),
    /// Render frames
    Render(Box<RenderArguments>),
    /// Simulate frames into a cache folder, without pictures
    Bake(Box<BakeArguments>),
    /// Render every combination of varied values, each in a process of its own, with a contact sheet and a table of times
    Wedge(Box<WedgeArguments>),
    /// Maintain the states that nodes keep on disk
    #[command(subcommand)]
    Cache(CacheCommand),
}

#[derive(Subcommand)]
pub(super) enum CacheCommand {
    /// List the takes: files, frames, size, model, grid, time of the newest
    Ls(LsArguments),
    /// Read every file whole and print those that cannot be used; exit code 1 if there are any
    Verify(VerifyArguments),
    /// Remove leftovers of killed processes and, above a limit, the least recently used states
    Gc(GcArguments),
    /// Print a state's header, its parameters included; of a folder, the newest of each take
    Info(InfoArguments),
}

#[derive(Args)]
pub(super) struct LsArguments {
    /// A cache folder with its sub-folders, or the folder of one shot
    pub folder: PathBuf,
    /// List each file
    #[arg(long)]
    pub files: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct VerifyArguments {
    /// A cache folder with its sub-folders, or the folder of one shot
    pub folder: PathBuf,
}

#[derive(Args)]
pub(super) struct GcArguments {
    /// A cache folder with its sub-folders, or the folder of one shot
    pub folder: PathBuf,
    /// The limit of disk space, e.g. 50G, 500MB or 1.5TB (1000 MB are a GB; GiB is accepted, too)
    #[arg(long, value_name = "SIZE")]
    pub limit: Option<bytesize::ByteSize>,
    /// Print the files to remove, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub(super) struct InfoArguments {
    /// A state file, a cache folder or a shot's folder in it
    #[arg(value_name = "FILE-OR-FOLDER")]
    pub path: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct ListArguments {
    /// Bundles (X.ofx.bundle) or libraries; without any, those of OFX_PLUGIN_PATH
    pub bundles: Vec<PathBuf>,
    /// The host to emulate: generic, nuke, natron, resolve, mlt or openfx-runner
    #[arg(long, value_name = "HOST", default_value = "generic")]
    pub host: String,
}

#[derive(Args)]
pub(super) struct DevicesArguments {
    /// A bundle (X.ofx.bundle) or library; without one, those of OFX_PLUGIN_PATH that report devices
    pub bundle: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct PresetsArguments {
    /// A bundle (X.ofx.bundle) or library; without one, those of OFX_PLUGIN_PATH are searched
    pub bundle: Option<PathBuf>,
    /// The plug-in's identifier; without one, all plug-ins of the bundle
    #[arg(long, value_name = "ID")]
    pub plugin: Option<String>,
}

#[derive(Args)]
pub(super) struct DescribeArguments {
    /// A bundle (X.ofx.bundle) or library; without one, those of OFX_PLUGIN_PATH are searched
    pub bundle: Option<PathBuf>,
    /// The plug-in's identifier
    #[arg(long, value_name = "ID")]
    pub plugin: Option<String>,
    /// general, filter, generator, transition or retimer; the default is the plug-in's first of these
    #[arg(long)]
    pub context: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print Markdown (the default)
    #[arg(long)]
    pub markdown: bool,
    /// The host to emulate: generic, nuke, natron, resolve, mlt or openfx-runner
    #[arg(long, value_name = "HOST", default_value = "generic")]
    pub host: String,
}

/// The scene to render, as flags or as a job file.
#[derive(Args)]
pub(super) struct SceneArguments {
    /// A bundle (X.ofx.bundle) or library; without one, those of OFX_PLUGIN_PATH are searched
    #[arg(conflicts_with = "job")]
    pub bundle: Option<PathBuf>,
    /// Take nodes and renders from a job file (TOML); --frames, --threads, --order and --host override it
    #[arg(
        long,
        value_name = "FILE.toml",
        conflicts_with_all = ["plugin", "context", "size", "origin", "par", "fps", "scale", "depth", "clips", "camera", "missing", "set", "keys", "raw"]
    )]
    pub job: Option<PathBuf>,
    /// The plug-in's identifier
    #[arg(long, value_name = "ID")]
    pub plugin: Option<String>,
    /// general, filter, generator, transition or retimer; the default is the plug-in's first of these
    #[arg(long)]
    pub context: Option<String>,
    /// Width and height of the project in pixels, e.g. 960x540
    #[arg(long, value_name = "WxH", required_unless_present = "job")]
    pub size: Option<String>,
    /// The project's lower left pixel
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub origin: Option<String>,
    /// Pixel aspect ratio
    #[arg(long, value_name = "RATIO")]
    pub par: Option<f64>,
    /// Frames per second
    #[arg(long)]
    pub fps: Option<f64>,
    /// Render scale: 0.5 is a half-size proxy
    #[arg(long)]
    pub scale: Option<f64>,
    /// float, half, short or byte
    #[arg(long)]
    pub depth: Option<String>,
    /// Frames, e.g. 1-100, 1-100x2 or 7,3,50
    #[arg(long, allow_hyphen_values = true, required_unless_present = "job")]
    pub frames: Option<String>,
    /// forward, reverse, random or random:SEED
    #[arg(long)]
    pub order: Option<String>,
    /// Number of frames rendered at once
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Processors that the host reports to the plug-in [default: those of this machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,
    /// NAME=PATH.####.exr, NAME=still.png or NAME=constant:r,g,b,a; repeatable
    #[arg(long = "clip", value_name = "NAME=WHAT")]
    pub clips: Vec<String>,
    /// A camera for the node, in a host with camera inputs (nuke): a .chan file, KNOB=VALUE[,VALUE…] or
    /// KNOB@FRAME=VALUE[,VALUE…] with the knobs of Nuke's camera; repeatable
    #[arg(long, value_name = "WHAT", allow_hyphen_values = true)]
    pub camera: Vec<String>,
    /// Treatment of a frame without a file: error, hold or none
    #[arg(long)]
    pub missing: Option<String>,
    /// A parameter's value: NAME=VALUE[,VALUE…]; choices by label or index; repeatable. The plug-in is told of each as
    /// of a user's edit: a preset sets its parameters, and the other values given take precedence
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// A parameter's key: NAME@FRAME=VALUE[,VALUE…]; repeatable
    #[arg(long = "key", value_name = "NAME@FRAME=VALUE", allow_hyphen_values = true)]
    pub keys: Vec<String>,
    /// Accept values and keys of parameters that have no effect with the other settings
    #[arg(long)]
    pub allow_unused: bool,
    /// Write the statistics of each frame to this file
    #[arg(long, value_name = "FILE.json")]
    pub stats: Option<PathBuf>,
    /// Read and write PNG values unchanged, without sRGB conversion
    #[arg(long)]
    pub raw: bool,
    /// The host to emulate: generic, nuke, natron, resolve, mlt or openfx-runner
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// A folder in which Flow's nodes store simulated frames and find those of others, each in a sub-folder of its own.
    /// An empty name means none
    #[arg(long, value_name = "FOLDER", value_parser = clap::builder::OsStringValueParser::new().map(PathBuf::from))]
    pub cache: Option<PathBuf>,
    /// Name of the node's folder in the cache folder [default: the node's name in a job, else flow]
    #[arg(long, requires = "cache")]
    pub name: Option<String>,
    /// Keep every n-th frame only [default: the node's setting, else every frame]
    #[arg(long, value_name = "N", requires = "cache", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub every: Option<u32>,
}

#[derive(Args)]
pub(super) struct RenderArguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    /// Write 16-bit EXR files
    #[arg(long, conflicts_with = "job")]
    pub half: bool,
    /// Planes to write into the EXR as layers beside the colour: "all", or names with commas. Emulates Natron, which
    /// has planes, unless --host names another host
    #[arg(long, value_name = "NAMES", conflicts_with = "job")]
    pub planes: Option<String>,
    /// Draw the plug-in's overlay over the pictures, as a viewer does
    #[arg(long, conflicts_with = "job")]
    pub overlay: bool,
    /// Files to write: OUT.####.exr, OUT.%04d.png, or a name without a number for one frame
    #[arg(short, long, value_name = "FILES", required_unless_present_any = ["job", "stats"], conflicts_with = "job")]
    pub output: Option<String>,
    /// Leave out frames whose files are there
    #[arg(long)]
    pub skip_existing: bool,
}

#[derive(Args)]
pub(super) struct BakeArguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    /// A value for this bake alone, over that of the job; NODE.NAME=VALUE where a job has several nodes, and only the
    /// nodes named here are baked; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub with: Vec<String>,
}

#[derive(Args)]
pub(super) struct WedgeArguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    /// A parameter and its values, as --set takes them: NAME=VALUE,VALUE…; between semicolons where a value has commas
    /// (quote them); FIRST..LAST/COUNT for values at even distances; NODE.NAME where a job has several nodes; repeatable
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// The wedge's folder: a folder for each combination, wedge.png and wedge.csv. Complete combinations that are there
    /// are not rendered again
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Name of the files in each combination's folder: .exr or .png
    #[arg(short, long, value_name = "FILES", default_value = "frame.####.exr", conflicts_with = "job")]
    pub output: String,
    /// Write 16-bit EXR files
    #[arg(long, conflicts_with = "job")]
    pub half: bool,
    /// Combinations rendered at once [default: one for every four cores, at most 3]; the cores are shared among them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Largest number of combinations
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// The frame on the contact sheet [default: the last one]
    #[arg(long, value_name = "FRAME", allow_hyphen_values = true)]
    pub sheet_frame: Option<i64>,
    /// Render only: no contact sheet, no table
    #[arg(long)]
    pub no_sheet: bool,
    /// Render nothing: write a template of Open Job Description with a task for each combination, and its job file
    /// wedge.toml into the wedge's folder
    #[arg(long, value_name = "FILE")]
    pub openjd: Option<PathBuf>,
}

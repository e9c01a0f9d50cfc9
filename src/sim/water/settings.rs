//! Every number an artist sets, in full-resolution units, as the simulation sees it.
//!
//! Values may be anything: the simulation holds them to these ranges and takes NaN as the lowest value (terrain, push
//! and the force's scales: as 0).
//!
//! | setting | range |
//! |---|---|
//! | `max_height` (NaN: 8) | 2^−8 … 2^16 |
//! | `colour_range` (NaN: 16) | 2^−10 … 2^16 |
//! | cells per pixel | 2^−20 … 2^20 |
//! | `diagonal_weight`, `damping`, `flow_rate`, `goal_strength`, `obstacle_drag` | 0 … 1 |
//! | `smoothing` | 0 … 0.5 |
//! | `substeps` | 1 … 1,024 |
//! | `time_scale` | 0 … 1,000 |
//! | `speed`, `gravity`, `friction` | 0 … 10^6 |
//! | `source_height`, an emitter's and the drain's `rate`, `radius` and `width` | 0 … 10^9 |
//! | `rain`, `evaporation` | 0 … 65,536 |
//! | `absorb_width`, the foam's `amount` | 0 … 10^6 |
//! | `dry_frames`, the foam's `life` | 0.001 … 10^9 |
//! | `rain_size` | 0.01 … 10^6 |
//! | colours | 0 … `colour_range` |
//! | `goal_velocity`, the goal picture | ±10^6 |
//! | terrain, push and force | ±10^12 |
//!
//! An emitter whose centre is no finite number lets nothing in; an angle that is none is 0.

pub use crate::sim::channel::Channel;

/// Which water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Balanced pipes: one signed flow per pipe.
    Pipes,
    /// Classic pipes: eight one-way flows per cell, as in the original.
    Classic,
    /// Shallow water: speeds on faces, momentum is conserved.
    ShallowWater,
}

/// What the frame's border does to water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// A wall.
    Closed,
    /// A dry outside: what flows there has left.
    Open,
    /// Opposite edges join.
    Wrap,
}

/// How the source picture becomes water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMode {
    /// The water there at the start; nothing after.
    StartFrame,
    /// Height added per frame.
    Add,
    /// Water is set where the source is above 0.
    Replace,
    /// Water is raised to the source.
    FillUp,
}

/// What holds for a whole simulation: it cannot be animated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Which water.
    pub model: Model,
    /// What the border does.
    pub edges: Edges,
    /// With open edges: the sides that are walls all the same, left, bottom, right, top.
    pub shut: [bool; 4],
    /// Sides that swallow waves, which are walls: left, bottom, right, top.
    pub absorb: [bool; 4],
    /// Weight of the diagonal pipes, 0 to 1 (Pipes).
    pub diagonal_weight: f64,
    /// Range of heights; sets the fixed point's unit.
    pub max_height: f64,
    /// Range of colours; sets the pigment's unit.
    pub colour_range: f64,
}

/// Built-in sources, at most.
pub const EMITTERS: usize = 8;

/// The built-in sources that are on.
// The length stands here as a number: rustc 1.95 fails on closures that hold such an array with a named one.
pub type Emitters = [Option<Emitter>; 8];
const _: () = assert!(size_of::<Emitters>() == EMITTERS * size_of::<Option<Emitter>>());

/// What a built-in source looks like from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A disc of the radius.
    Disc,
    /// A line as long as twice the radius, and as wide as the width.
    Line,
    /// A ring of the radius, as wide as the width.
    Ring,
}

/// A built-in source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emitter {
    /// Where it is now, canonical.
    pub centre: [f64; 2],
    /// Where it was a frame ago, canonical; equal to `centre` on a simulation's first frame.
    pub previous: [f64; 2],
    /// What it looks like.
    pub shape: Shape,
    /// Radius, or half the length, in full-resolution pixels.
    pub radius: f64,
    /// Width of lines and rings in full-resolution pixels.
    pub width: f64,
    /// Direction of a line, degrees counter-clockwise from the right.
    pub angle: f64,
    /// Height per frame under it.
    pub rate: f64,
    /// Colour of its water.
    pub colour: [f64; 3],
}

/// A disc that takes water away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drain {
    /// Where it is now, canonical.
    pub centre: [f64; 2],
    /// Where it was a frame ago, canonical; equal to `centre` on a simulation's first frame.
    pub previous: [f64; 2],
    /// Radius in full-resolution pixels.
    pub radius: f64,
    /// Height per frame that it takes.
    pub rate: f64,
}

/// What foam is born of, and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foam {
    /// Share of the surface that foams over per frame where everything makes foam.
    pub amount: f64,
    /// Slope of the surface, height per full-resolution pixel, from which on it foams.
    pub steepness: f64,
    /// Frames in which half of it goes.
    pub life: f64,
}

/// The settings at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Number of the frame, from which the rain's drops are drawn.
    pub frame: i64,
    /// Wave speed, full-resolution pixels per frame (Pipes).
    pub speed: f64,
    /// Flow rate per step (Classic).
    pub flow_rate: f64,
    /// Acceleration where a height of 1 is lost per pixel, full-resolution pixels per frame² (Shallow water).
    pub gravity: f64,
    /// Drag of the bed, height per full-resolution pixel (Shallow water).
    pub friction: f64,
    /// Least number of steps per frame.
    pub substeps: i32,
    /// Simulated time per frame.
    pub time_scale: f64,
    /// Share of the flow lost per frame, 0 to 1.
    pub damping: f64,
    /// Viscosity of the finest ripples, 0 to 0.5 (Pipes).
    pub smoothing: f64,
    /// Width of the border that swallows waves at sides that absorb, full-resolution pixels.
    pub absorb_width: f64,
    /// How the source becomes water.
    pub source_mode: SourceMode,
    /// Which channel is the source's height.
    pub source_channel: Channel,
    /// Height of a source value of 1.
    pub source_height: f64,
    /// The built-in sources that are on.
    pub emitters: Emitters,
    /// The drain, where it is on.
    pub drain: Option<Drain>,
    /// Mean height of rain per frame.
    pub rain: f64,
    /// Radius of a drop, full-resolution pixels.
    pub rain_size: f64,
    /// Colour of the rain's water.
    pub rain_colour: [f64; 3],
    /// Seed of the rain.
    pub seed: i32,
    /// Height lost per frame.
    pub evaporation: f64,
    /// Which channel is the ground.
    pub terrain_channel: Channel,
    /// Height of a terrain value of 1.
    pub terrain_height: f64,
    /// Height added to the ground.
    pub terrain_offset: f64,
    /// Ground is 1 − value.
    pub terrain_invert: bool,
    /// Foam, where it is on.
    pub foam: Option<Foam>,
    /// Frames in which wet ground dries, where wetness is on.
    pub dry_frames: Option<f64>,
    /// Share of the way that the water's velocity comes towards its goal per frame, 0 to 1.
    pub goal_strength: f64,
    /// That goal, full-resolution pixels per frame; the goal picture's velocity is added.
    pub goal_velocity: [f64; 2],
    /// Share of the way that water beside an obstacle that moves comes towards its velocity per frame, 0 to 1.
    pub obstacle_drag: f64,
    /// A push over the whole frame, slope in height per full-resolution pixel.
    pub push: [f64; 2],
    /// Scale of the force picture's push.
    pub force_scale: f64,
    /// Scale of the force picture's pressure.
    pub pressure_scale: f64,
}

impl Settings {
    /// What changes nothing: what a value counts as where it does not matter.
    pub const IDLE: Settings = Settings {
        frame: 0,
        speed: 0.0,
        flow_rate: 0.0,
        gravity: 0.0,
        friction: 0.0,
        substeps: 1,
        time_scale: 1.0,
        damping: 0.0,
        smoothing: 0.0,
        absorb_width: 0.0,
        source_mode: SourceMode::StartFrame,
        source_channel: Channel::Alpha,
        source_height: 0.0,
        emitters: [None; EMITTERS],
        drain: None,
        rain: 0.0,
        rain_size: 1.0,
        rain_colour: [0.0; 3],
        seed: 0,
        evaporation: 0.0,
        terrain_channel: Channel::Luminance,
        terrain_height: 1.0,
        terrain_offset: 0.0,
        terrain_invert: false,
        goal_strength: 0.0,
        goal_velocity: [0.0; 2],
        obstacle_drag: 0.0,
        foam: None,
        dry_frames: None,
        push: [0.0; 2],
        force_scale: 0.0,
        pressure_scale: 0.0,
    };
}

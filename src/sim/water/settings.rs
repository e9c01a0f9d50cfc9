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
//! | `diagonal_weight`, `damping`, `flow_rate`, `goal_strength`, `obstacle_drag`, an emitter's `softness`, the foam's `shore` | 0 … 1 |
//! | `smoothing` | 0 … 0.5 |
//! | `substeps` | 1 … 1,024 |
//! | `time_scale` | 0 … 1,000 |
//! | `speed`, `gravity`, `friction`, `ripple_slowest`, `ripple_depth` | 0 … 10^6 |
//! | `ripple_length` | 1 … 10^6 |
//! | `source_height`, an emitter's and the drain's `rate`, `radius` and `width` | 0 … 10^9 |
//! | `water_level`, `rain`, `rain_strength`, `evaporation` | 0 … 65,536 |
//! | `absorb_width`, the foam's `amount` | 0 … 10^6 |
//! | `dry_frames`, the foam's `life` | 0.001 … 10^9 |
//! | `rain_size` | 0.01 … 10^6 |
//! | `rain_drops` | 0 … 10^6 |
//! | colours | 0 … `colour_range` |
//! | `goal_velocity`, the goal picture | ±10^6 |
//! | terrain, push and force | ±10^12 |
//!
//! An emitter whose centre is no finite number lets nothing in; an angle that is none is 0.

pub use crate::sim::channel::Channel;
use crate::sim::fingerprint::fingerprinted;

fingerprinted! {
    /// The model of the water.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Model {
        /// Balanced pipes: one signed flow per pipe.
        Pipes,
        /// Classic pipes: eight one-way flows per cell, as in the original.
        Classic,
        /// Shallow water: speeds on faces, momentum is conserved.
        ShallowWater,
        /// Ripples: waves around a level, whose speed depends on their length.
        Ripples,
    }

    /// Order of the depths on the faces of Shallow water.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Order {
        /// The upwind depth.
        First,
        /// The depth of the middle of the water that crosses the face.
        #[default]
        Second,
    }

    /// Kind of the edges of the frame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Edges {
        /// A wall.
        Closed,
        /// Dry outside: water that flows there leaves the simulation.
        Open,
        /// Opposite edges join.
        Wrap,
    }

    /// Built-in ground, where no Terrain is connected.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Ground {
        /// Flat, of one colour.
        #[default]
        Flat,
        /// Flat, with a texture of pebbles.
        Pebbles,
        /// A valley with a winding bed, banks and boulders, which falls to the right.
        RiverBed,
        /// Soil with furrows, grass and stones, which falls gently to the right.
        Meadow,
        /// Asphalt with shallow hollows.
        Street,
        /// Sand that falls to the lower edge.
        Beach,
    }

    /// Use of the source picture.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SourceMode {
        /// Water of the start frame; nothing later.
        StartFrame,
        /// Height added per frame.
        Add,
        /// Sets the water where the source is above 0.
        Replace,
        /// Raises the water to the source.
        FillUp,
    }

    /// Amount of rain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RainMode {
        /// A number of drops.
        Drops,
        /// A mean height.
        MeanHeight,
    }

    /// Settings of a whole simulation, which cannot be animated.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Constants {
        /// The model.
        pub model: Model,
        /// Order of Shallow water.
        pub order: Order,
        /// Kind of the edges.
        pub edges: Edges,
        /// Sides of open edges that are walls: left, bottom, right, top.
        pub shut: [bool; 4],
        /// Sides that absorb waves, which are walls: left, bottom, right, top.
        pub absorb: [bool; 4],
        /// Weight of the diagonal pipes, 0 to 1 (Pipes).
        pub diagonal_weight: f64,
        /// Greatest height; it sets the unit of the fixed point.
        pub max_height: f64,
        /// Greatest colour; it sets the unit of the pigment.
        pub colour_range: f64,
    }
}

/// Emitters, at most.
pub const EMITTERS: usize = 8;

/// The emitters that are on. The length is a number: rustc 1.95 fails on closures with an array of a named length.
pub type Emitters = [Option<Emitter>; 8];
const _: () = assert!(size_of::<Emitters>() == EMITTERS * size_of::<Option<Emitter>>());

fingerprinted! {
    /// Shape of an emitter from above.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shape {
        /// A disc of the radius.
        Disc,
        /// A line of twice the radius and of the width.
        Line,
        /// A ring of the radius and the width.
        Ring,
    }

    /// An emitter.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Emitter {
        /// Place at this frame, canonical.
        pub centre: [f64; 2],
        /// Place a frame before, canonical; equal to `centre` on the first frame of a simulation.
        pub previous: [f64; 2],
        /// Shape.
        pub shape: Shape,
        /// Radius, or half the length, in full-resolution pixels.
        pub radius: f64,
        /// Width of lines and rings in full-resolution pixels.
        pub width: f64,
        /// Direction of a line, degrees counter-clockwise from the right.
        pub angle: f64,
        /// Softness of the rim: 0, one cell wide, to 1, from the middle on.
        pub softness: f64,
        /// Mean height per frame under the emitter.
        pub rate: f64,
        /// Colour of the added water.
        pub colour: [f64; 3],
    }

    /// A disc that removes water.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Drain {
        /// Place at this frame, canonical.
        pub centre: [f64; 2],
        /// Place a frame before, canonical; equal to `centre` on the first frame of a simulation.
        pub previous: [f64; 2],
        /// Radius in full-resolution pixels.
        pub radius: f64,
        /// Height per frame that is removed.
        pub rate: f64,
    }

    /// Foam: sources and lifetime.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Foam {
        /// Share of the surface that turns to foam per frame at full strength.
        pub amount: f64,
        /// Least slope that makes foam, height per full-resolution pixel.
        pub steepness: f64,
        /// Half-life, frames.
        pub life: f64,
        /// Strength at the edge of dry ground, 0 to 1.
        pub shore: f64,
    }

    /// The settings of one frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Settings {
        /// Number of the frame; it selects the drops of the rain.
        pub frame: i64,
        /// Wave speed, full-resolution pixels per frame (Pipes).
        pub speed: f64,
        /// Length of the waves that have the speed, full-resolution pixels (Ripples).
        pub ripple_length: f64,
        /// Length of the slowest waves, full-resolution pixels (Ripples).
        pub ripple_slowest: f64,
        /// Depth, full-resolution pixels; 0 is infinite (Ripples).
        pub ripple_depth: f64,
        /// Flow rate per step (Classic).
        pub flow_rate: f64,
        /// Acceleration at a slope of 1 height per pixel, full-resolution pixels per frame² (Shallow water).
        pub gravity: f64,
        /// Drag of the bed, slope in height per full-resolution pixel (Shallow water).
        pub friction: f64,
        /// Steps per frame, at least.
        pub substeps: i32,
        /// Simulated time per frame, in frames.
        pub time_scale: f64,
        /// Share of the flow lost per frame, 0 to 1.
        pub damping: f64,
        /// Viscosity of the finest ripples, 0 to 0.5 (Pipes, Ripples), or of bores (Shallow water).
        pub smoothing: f64,
        /// Width of absorbing edges, full-resolution pixels.
        pub absorb_width: f64,
        /// Level of the surface at the start, or of Ripples at rest: height above 0; 0 adds no water.
        pub water_level: f64,
        /// Use of the source picture.
        pub source_mode: SourceMode,
        /// Channel of the source's height.
        pub source_channel: Channel,
        /// Height of a source value of 1.
        pub source_height: f64,
        /// The emitters that are on.
        pub emitters: Emitters,
        /// The drain; `None` where it is off.
        pub drain: Option<Drain>,
        /// Measure of the rain: a number of drops, or a mean height.
        pub rain_mode: RainMode,
        /// Drops per frame (Drops).
        pub rain_drops: f64,
        /// Mean height of rain per frame (Mean height).
        pub rain: f64,
        /// Radius of a drop of the set size, full-resolution pixels.
        pub rain_size: f64,
        /// Height of a drop of the set size at its centre.
        pub rain_strength: f64,
        /// Colour of the rain.
        pub rain_colour: [f64; 3],
        /// Seed of the rain.
        pub seed: i32,
        /// Height lost per frame.
        pub evaporation: f64,
        /// Built-in ground.
        pub ground: Ground,
        /// Channel of the terrain.
        pub terrain_channel: Channel,
        /// Height of a terrain value of 1.
        pub terrain_height: f64,
        /// Height added to the terrain.
        pub terrain_offset: f64,
        /// Whether the terrain is 1 − value.
        pub terrain_invert: bool,
        /// Foam; `None` where it is off.
        pub foam: Option<Foam>,
        /// Whether the water carries texture coordinates; where there is foam, it does.
        pub texture: bool,
        /// Frames until wet ground is dry; `None` where wetness is off.
        pub dry_frames: Option<f64>,
        /// Share of the way towards the goal velocity per frame, 0 to 1.
        pub goal_strength: f64,
        /// Goal velocity, full-resolution pixels per frame; that of the goal picture is added.
        pub goal_velocity: [f64; 2],
        /// Share of the way towards the velocity of a moving obstacle per frame, for water beside it, 0 to 1.
        pub obstacle_drag: f64,
        /// Push over the whole frame, slope in height per full-resolution pixel.
        pub push: [f64; 2],
        /// Scale of the force picture's push.
        pub force_scale: f64,
        /// Scale of the force picture's pressure.
        pub pressure_scale: f64,
        /// Full-resolution pixels of the grid beyond the frame, to the left and right, and below and above.
        pub overscan: [f64; 2],
    }
}

impl Emitter {
    /// A disc of colourless water with a hard rim, that moves from one place to another within a frame.
    pub const fn disc(previous: [f64; 2], centre: [f64; 2], radius: f64, rate: f64) -> Emitter {
        Emitter {
            centre,
            previous,
            shape: Shape::Disc,
            radius,
            width: 0.0,
            angle: 0.0,
            softness: 0.0,
            rate,
            colour: [0.0; 3],
        }
    }
}

impl Ground {
    /// All, in the order of the choice.
    pub const ALL: [Ground; 6] =
        [Ground::Flat, Ground::Pebbles, Ground::RiverBed, Ground::Meadow, Ground::Street, Ground::Beach];

    /// The ground of a number; `None` for a number of none.
    pub fn from_number(number: u64) -> Option<Ground> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

impl Settings {
    /// Whether it rains.
    pub fn rains(&self) -> bool {
        match self.rain_mode {
            RainMode::Drops => self.rain_drops > 0.0,
            RainMode::MeanHeight => self.rain > 0.0,
        }
    }

    /// Neutral settings: the values of parameters without effect.
    pub const IDLE: Settings = Settings {
        frame: 0,
        speed: 0.0,
        ripple_length: 1.0,
        ripple_slowest: 0.0,
        ripple_depth: 0.0,
        flow_rate: 0.0,
        gravity: 0.0,
        friction: 0.0,
        substeps: 1,
        time_scale: 1.0,
        damping: 0.0,
        smoothing: 0.0,
        absorb_width: 0.0,
        water_level: 0.0,
        source_mode: SourceMode::StartFrame,
        source_channel: Channel::Alpha,
        source_height: 0.0,
        emitters: [None; EMITTERS],
        drain: None,
        rain_mode: RainMode::MeanHeight,
        rain_drops: 0.0,
        rain: 0.0,
        rain_size: 1.0,
        rain_strength: 0.15,
        rain_colour: [0.0; 3],
        seed: 0,
        evaporation: 0.0,
        ground: Ground::Flat,
        terrain_channel: Channel::Luminance,
        terrain_height: 1.0,
        terrain_offset: 0.0,
        terrain_invert: false,
        goal_strength: 0.0,
        goal_velocity: [0.0; 2],
        obstacle_drag: 0.0,
        foam: None,
        texture: false,
        dry_frames: None,
        push: [0.0; 2],
        force_scale: 0.0,
        pressure_scale: 0.0,
        overscan: [0.0; 2],
    };
}

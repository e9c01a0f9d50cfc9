//! The parameters of a frame, in full-resolution pixels and frames. Positions are `[x, y, z]` in the canonical plane, z
//! towards the camera. All numbers are finite and in the ranges of their parameters.

use super::births::Births;
use crate::sim::fingerprint::fingerprinted;

/// Largest number of emitters.
pub const EMITTERS: usize = 4;
/// Largest number of velocity fields.
pub const FIELDS: usize = 4;
/// Largest number of grids of moving air.
pub const GRIDS: usize = 4;

fingerprinted! {
    /// The region in which the particles of an emitter are born.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shape {
        /// The centre.
        Point,
        /// A line through the centre.
        Line,
        /// A disc.
        Disc,
        /// A ball.
        Sphere,
        /// A box.
        Box,
        /// The Emission matte, weighted by its value.
        Matte,
        /// Cells in which the Emission matte has fallen below a threshold in this frame.
        Edge,
        /// A standing person.
        Figure,
    }

    /// An emitter, and the motion of its particles.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Emitter {
        /// Its number, from 0.
        pub number: usize,
        /// Seed of its particles' random numbers.
        pub seed: i32,
        /// Largest number of its particles.
        pub capacity: usize,
        /// Births of the frame.
        pub births: Births,
        /// Where particles are born.
        pub shape: Shape,
        /// Position at the end of the frame.
        pub centre: [f64; 3],
        /// Position one frame earlier.
        pub previous: [f64; 3],
        /// Radius of a disc and a ball, half length of a line, half width of a box.
        pub radius: f64,
        /// Height of a box and a figure.
        pub height: f64,
        /// Extent along z, except of a ball and a figure.
        pub thickness: f64,
        /// Direction of a line and of a box's and a figure's width, degrees counter-clockwise from the right.
        pub angle: f64,
        /// Threshold of [`Shape::Edge`].
        pub threshold: f64,
        /// Mean life, frames.
        pub life: f64,
        /// Share by which lives differ, 0 to 1.
        pub life_spread: f64,
        /// Mean speed, pixels per frame.
        pub speed: f64,
        /// Share by which speeds differ, 0 to 1.
        pub speed_spread: f64,
        /// Direction, degrees counter-clockwise from the right.
        pub direction: f64,
        /// Direction towards the camera, degrees.
        pub elevation: f64,
        /// Opening angle in the plane, degrees.
        pub spread: f64,
        /// Opening angle along z, degrees.
        pub depth_spread: f64,
        /// Share of the emitter's velocity that its particles have at their birth or release.
        pub inherit: f64,
        /// Share of the air's velocity that they have then.
        pub inherit_air: f64,
        /// The colour is that of the Source at birth.
        pub plate: bool,
        /// The particles move as the air does, without mass.
        pub tracer: bool,
        /// Drag per frame; 0 for none.
        pub drag: f64,
        /// Share by which the drags of particles differ, 0 to 1.
        pub drag_spread: f64,
        /// The drags differ with the sizes: the smallest particle has the largest drag.
        pub drag_by_size: bool,
        /// Frames from the birth of a particle to its release, at least.
        pub release_delay: f64,
        /// Frames in which a front of releases crosses the emitter; 0: it is everywhere at once.
        pub release_front: f64,
        /// Direction in which the front goes, degrees counter-clockwise from the right.
        pub release_angle: f64,
        /// Share of the front's time by which the releases of one line differ, 0 to 1.
        pub release_spread: f64,
        /// Mean threshold of the air's speed that releases a particle at rest, pixels per frame; 0 for none.
        pub release_speed: f64,
        /// Size of the patches of particles with similar releases, pixels; 0: they differ at random.
        pub release_patch: f64,
        /// Factor of gravity.
        pub weight: f64,
    }

    /// A velocity picture as a grid of one layer.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Field {
        /// Number of its input, from 0.
        pub number: usize,
        /// Pixels per frame of a value of 1.
        pub scale: f64,
        /// z of its middle.
        pub depth: f64,
        /// Extent along z; 0 for all z.
        pub thickness: f64,
        /// Distance from the faces over which it fades, pixels.
        pub fade: f64,
        /// Fields of one group share their weight; those of group 0 add.
        pub group: i32,
    }

    /// The place of a grid of moving air in a frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct GridPlace {
        /// Its number, from 0.
        pub number: usize,
        /// Position of the lower corner of its box at the end of the frame.
        pub origin: [f64; 3],
        /// Position of that corner one frame earlier.
        pub previous: [f64; 3],
        /// Sides of the box, pixels.
        pub size: [f64; 3],
        /// Distance from the faces over which it fades, pixels.
        pub fade: f64,
        /// Fields and grids of one group share their weight; those of group 0 add.
        pub group: i32,
        /// Cells of its air before and after the simulated interval in which the frame lies.
        pub lattices: [AirLattice; 2],
        /// Shares of that interval that have passed at the start and at the end of the frame.
        pub passed: [f64; 2],
    }

    /// The cells of a grid's air, in a frame of reference that moves with the grid.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct AirLattice {
        /// Lower corner of the first cell, relative to that of the box, pixels.
        pub corner: [f64; 3],
        /// Pixels per cell.
        pub spacing: f64,
        /// Velocity of the frame of reference, pixels per frame.
        pub velocity: [f64; 3],
    }

    /// An attractor or a vortex.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PointForce {
        /// Position.
        pub centre: [f64; 3],
        /// Distance from the centre at which the acceleration is largest, pixels.
        pub radius: f64,
        /// Largest acceleration, pixels per frame squared.
        pub strength: f64,
    }

    /// Eddies of one size.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Noise {
        /// Velocity, pixels per frame.
        pub strength: f64,
        /// Size of an eddy, pixels.
        pub size: f64,
        /// Change of the pattern, eddies per frame.
        pub speed: f64,
        /// Seed.
        pub seed: i32,
    }

    /// The effect of a floor or a solid on a particle that meets it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Contact {
        /// Whether the particle sticks to the surface instead of bouncing.
        pub sticks: bool,
        /// Fraction of the normal speed that is kept by the bounce.
        pub bounce: f64,
        /// Fraction of the tangential speed that is lost by friction.
        pub friction: f64,
    }

    /// Floor and solid.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Solids {
        /// Height of the floor, and its contact.
        pub floor: Option<Floor>,
        /// Contact with the Obstacles matte.
        pub matte: Option<Contact>,
    }

    /// A floor.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Floor {
        /// Its height, y.
        pub height: f64,
        /// Its effect.
        pub contact: Contact,
    }

    /// The settings of one frame.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Number of the frame.
        pub frame: i64,
        /// Whether `births` of the emitters count all births since the start frame. Otherwise the counts continue those
        /// of the previous state.
        pub counted: bool,
        /// The emitters that are on.
        pub emitters: Vec<Emitter>,
        /// Level of detail: fraction of the particles that are simulated, 0 to 1.
        pub share: f64,
        /// Longest life of a particle up to this frame, frames.
        pub longest: f64,
        /// The velocity fields.
        pub fields: Vec<Field>,
        /// The grids of moving air.
        pub grids: Vec<GridPlace>,
        /// Gravity, pixels per frame squared.
        pub gravity: [f64; 3],
        /// Wind, pixels per frame.
        pub wind: [f64; 3],
        /// Eddies.
        pub noise: Vec<Noise>,
        /// Attractor.
        pub attractor: Option<PointForce>,
        /// Vortex.
        pub vortex: Option<PointForce>,
        /// Floor and solid.
        pub solids: Solids,
    }
}

impl Settings {
    /// Number of frames, with this one as the last, whose births and inputs its state depends on.
    pub fn history(&self) -> u64 {
        // The edge of a matte needs the picture of the frame before the first birth.
        let edge = self.emitters.iter().any(|emitter| emitter.shape == Shape::Edge);
        libm::ceil(self.longest) as u64 + u64::from(edge)
    }

    /// The longest time from birth to end of a particle that is born in this frame.
    pub fn longest_of(emitters: &[Emitter]) -> f64 {
        let longest = |emitter: &Emitter| {
            let wait = emitter.release_delay + emitter.release_front;
            // The times of a particle are rounded to 32 bits.
            let rounding = if wait > 0.0 { 1e-3 } else { 0.0 };
            wait + rounding + emitter.life * (1.0 + emitter.life_spread)
        };
        emitters.iter().map(longest).fold(0.0, f64::max)
    }
}

impl Emitter {
    /// Whether particles rest where they are born, until a time of their own.
    pub fn delays(&self) -> bool {
        self.release_delay > 0.0 || self.release_front > 0.0
    }
}

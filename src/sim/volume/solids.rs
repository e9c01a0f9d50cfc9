//! Solids during a step: rigid shapes that the air flows around, and that push it where they move.
//!
//! A face that solids cover is closed, and has their velocity. A face that they cover in part is open in the share of
//! its area that they leave. A cell is solid where its centre lies inside a solid or no face of it is open. Solids of
//! pictures stand still.

use super::plan::VELOCITY_MAX;
use super::projected::{Cover, ProjectedSolid};
use super::settings::{Shape, Solid};
use super::shapes;
use super::source_grids::FileSource;
use super::turn::{along, cross};
use crate::sim::maths::{bounded, clamp};

/// Samples along each side of a face.
const SAMPLES: usize = 8;

/// Least open share of a face; a face with less is closed.
const LEAST: f64 = 1.0 / 16.0;

/// Distance from the centre of a face to its corners, cells, rounded up.
const CORNER: f64 = 0.75;

/// Least half thickness of a box or a disc along the axes of the lattice, cells: thinner plates could lie between all
/// faces and centres.
const THINNEST: f64 = 0.5;

/// Largest extent and coordinate, cells.
const FAR: f64 = 1e5;

/// A solid at the end of a step. Lengths are in cells of the lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    shape: Shape,
    /// The file that is the shape instead.
    file: Option<FileSource>,
    centre: [f64; 3],
    radius: f64,
    height: f64,
    /// Velocity of its centre in the step, cells per simulated frame.
    velocity: [f32; 3],
    /// Its own axes; `None` where they are those of the lattice.
    axes: Option<[[f64; 3]; 3]>,
    /// Axis of its rotation, as long as its angular velocity in radians per simulated frame.
    spin: [f64; 3],
}

impl Body {
    /// A solid in the step from the share `from` to the share `to` of its frame, of `time` simulated frames; `None`
    /// without an extent.
    pub fn new(solid: &Solid, [from, to]: [f64; 2], time: f64) -> Option<Self> {
        let plate = matches!(solid.shape, Shape::Box | Shape::Disc);
        let radius = clamp(solid.radius, 0.0, FAR);
        let is_empty = solid.file.as_ref().map_or(radius == 0.0, |file| file.extent().is_none());
        if is_empty {
            return None;
        }
        let height = clamp(solid.height, 0.0, FAR);
        let at = |axis: usize, share: f64| {
            let (first, last) = (bounded(solid.previous[axis], FAR), bounded(solid.centre[axis], FAR));
            first + (last - first) * share
        };
        let axes = solid.turn.map(|turn| turn.at(to));
        // A plate that leans has steps, whose corners must overlap.
        let thinnest = |axis: usize| {
            axes.map_or(THINNEST, |axes| THINNEST * axes[axis].iter().map(|part| part.abs()).sum::<f64>())
        };
        let speed = |axis: usize| (at(axis, to) - at(axis, from)) / time;
        Some(Self {
            shape: solid.shape,
            file: solid.file.clone(),
            centre: std::array::from_fn(|axis| at(axis, to)),
            radius: if solid.shape == Shape::Box { radius.max(thinnest(0).max(thinnest(2))) } else { radius },
            height: if plate { height.max(2.0 * thinnest(1)) } else { height },
            velocity: std::array::from_fn(|axis| bounded(speed(axis), VELOCITY_MAX) as f32),
            axes,
            spin: solid.turn.map_or([0.0; 3], |turn| turn.spin.map(|part| part * (to - from) / time)),
        })
    }

    /// Whether it neither moves nor turns.
    pub fn is_still(&self) -> bool {
        self.velocity == [0.0; 3] && self.spin == [0.0; 3]
    }

    /// Offset of a position from the centre. `periods`: cells along wrapped axes.
    fn offset(&self, position: [f64; 3], periods: [Option<f64>; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let offset = position[axis] - self.centre[axis];
            periods[axis].map_or(offset, |period| offset - period * libm::round(offset / period))
        })
    }

    /// Velocity of the solid at an offset from its centre, cells per simulated frame.
    fn velocity_at(&self, offset: [f64; 3]) -> [f32; 3] {
        if self.spin == [0.0; 3] {
            return self.velocity;
        }
        let turning = cross(self.spin, offset);
        std::array::from_fn(|axis| bounded(f64::from(self.velocity[axis]) + turning[axis], VELOCITY_MAX) as f32)
    }

    /// The cells that the solid may touch: the first along each axis, and the one after the last.
    pub fn bounds(&self) -> [[i32; 3]; 2] {
        let [low, high] = match &self.file {
            Some(file) => file.extent().unwrap_or_default(),
            None => {
                let extent = shapes::extent(self.shape, self.radius, self.height);
                [extent.map(|side| -side), extent]
            }
        };
        let [low, high] = self.axes.map_or([low, high], |axes| turned_bounds(&axes, low, high));
        [
            std::array::from_fn(|axis| libm::floor(self.centre[axis] + low[axis] - 1.0) as i32),
            std::array::from_fn(|axis| libm::ceil(self.centre[axis] + high[axis] + 1.0) as i32),
        ]
    }

    /// Signed distance from the surface at an offset from the centre, below 0 inside.
    fn distance(&self, offset: [f64; 3]) -> f64 {
        let offset = self.axes.map_or(offset, |axes| along(&axes, offset));
        match &self.file {
            Some(file) => file.distance(offset),
            None => shapes::distance(self.shape, offset, self.radius, self.height),
        }
    }
}

/// Largest arc length that a point of a solid travels by its rotation in a frame, cells.
pub fn swept_by_turning(solid: &Solid) -> f64 {
    let Some(turn) = &solid.turn else { return 0.0 };
    let farthest = match &solid.file {
        Some(file) => file
            .extent()
            .map_or(0.0, |[low, high]| shapes::norm(std::array::from_fn(|axis| low[axis].abs().max(high[axis].abs())))),
        None => shapes::norm(shapes::extent(solid.shape, solid.radius, solid.height)),
    };
    shapes::norm(turn.spin) * farthest
}

/// The bounds of a box from `low` to `high` along axes.
fn turned_bounds(axes: &[[f64; 3]; 3], low: [f64; 3], high: [f64; 3]) -> [[f64; 3]; 2] {
    let end = |choose: fn(f64, f64) -> f64| {
        std::array::from_fn(|side| {
            (0..3).map(|axis| choose(axes[axis][side] * low[axis], axes[axis][side] * high[axis])).sum::<f64>()
        })
    };
    [end(f64::min), end(f64::max)]
}

/// A face that solids cover at least in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Open share of the face, 0 or from a sixteenth to 1.
    pub open: f32,
    /// Velocity of the nearest solid across the face.
    pub speed: f32,
}

/// The solids of a step, on a lattice that may wrap.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// The rigid shapes.
    pub all: &'a [Body],
    /// The solids of pictures.
    pub projected: &'a [ProjectedSolid],
    /// Cells along wrapped axes.
    pub periods: [Option<f64>; 3],
}

impl Bodies<'_> {
    /// Signed distance from the nearest surface of a rigid shape, and its velocity there; infinite without any.
    fn nearest(&self, position: [f64; 3]) -> (f64, [f32; 3]) {
        let mut found = (f64::INFINITY, [0.0; 3]);
        for body in self.all {
            let offset = body.offset(position, self.periods);
            let distance = body.distance(offset);
            if distance < found.0 {
                found = (distance, body.velocity_at(offset));
            }
        }
        found
    }

    /// Whether a position lies in a solid.
    pub fn holds(&self, position: [f64; 3]) -> bool {
        self.nearest(position).0 <= 0.0 || self.projected.iter().any(|solid| solid.holds(position))
    }

    /// How much of the ball of `radius` cells around a position one of the solids of pictures covers.
    pub fn projected_cover(&self, position: [f64; 3], radius: f64) -> Cover {
        self.projected.iter().map(|solid| solid.cover(position, radius)).max().unwrap_or(Cover::None)
    }

    /// The cover of the face across `axis` whose centre is at a position; `None` where it is open.
    pub fn cut(&self, axis: usize, centre: [f64; 3]) -> Option<Cut> {
        let (distance, velocity) = self.nearest(centre);
        let projected = self.projected_cover(centre, CORNER);
        if distance > CORNER && projected == Cover::None {
            return None;
        }
        // The rigid shape may be beside a face that a solid of a picture covers.
        let is_still = distance > CORNER || (distance > 0.0 && projected == Cover::Whole);
        let speed = if is_still { 0.0 } else { velocity[axis] };
        if distance < -CORNER || projected == Cover::Whole {
            return Some(Cut { open: 0.0, speed });
        }
        let [across, along] = [(axis + 1) % 3, (axis + 2) % 3];
        let mut covered = 0;
        for sample in 0..SAMPLES * SAMPLES {
            let [i, j] = [sample % SAMPLES, sample / SAMPLES].map(|at| (at as f64 + 0.5) / SAMPLES as f64 - 0.5);
            let mut position = centre;
            position[across] += i;
            position[along] += j;
            covered += usize::from(self.holds(position));
        }
        let open = 1.0 - covered as f64 / (SAMPLES * SAMPLES) as f64;
        (covered > 0).then_some(Cut { open: if open < LEAST { 0.0 } else { open as f32 }, speed })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::sim::volume::turn::Turn;

    const OPEN: [Option<f64>; 3] = [None; 3];

    fn solid(shape: Shape, radius: f64, height: f64) -> Solid {
        Solid {
            shape,
            file: None,
            centre: [12.0, 10.0, 14.0],
            previous: [10.0, 10.0, 15.0],
            radius,
            height,
            turn: None,
        }
    }

    fn body(shape: Shape, radius: f64, height: f64) -> Body {
        Body::new(&solid(shape, radius, height), [0.5, 1.0], 0.5).expect("an extent")
    }

    /// Area that faces across an axis cover in the plane of faces at `at`.
    fn covered(body: Body, axis: usize, at: f64) -> f64 {
        let all = [body];
        let bodies = Bodies { all: &all, projected: &[], periods: OPEN };
        let mut area = 0.0;
        for i in 0..32 {
            for j in 0..32 {
                let mut place = [at; 3];
                place[(axis + 1) % 3] = f64::from(i) + 0.5;
                place[(axis + 2) % 3] = f64::from(j) + 0.5;
                area += bodies.cut(axis, place).map_or(0.0, |cut| 1.0 - f64::from(cut.open));
            }
        }
        area
    }

    #[test]
    fn faces_are_covered_by_the_area_of_the_section() {
        let disc = |square: f64| PI * square;
        for (axis, centre) in [(0, 12.0), (1, 10.0), (2, 14.0)] {
            for off in [0.0, 3.0] {
                let found = covered(body(Shape::Sphere, 6.0, 0.0), axis, centre + off);
                assert!((found / disc(36.0 - off * off) - 1.0).abs() < 0.02, "{axis} {off}: {found}");
            }
        }
        assert_eq!(covered(body(Shape::Box, 5.0, 8.0), 0, 12.0), 80.0);
        assert_eq!(covered(body(Shape::Box, 5.0, 8.0), 1, 10.0), 100.0);
        let found = covered(body(Shape::Capsule, 4.0, 6.0), 2, 14.0);
        assert!((found / (disc(16.0) + 48.0) - 1.0).abs() < 0.02, "{found}");
        let found = covered(body(Shape::Disc, 6.0, 0.0), 1, 10.0);
        assert!((found / disc(36.0) - 1.0).abs() < 0.02, "a plate without a height closes a plane of faces: {found}");
    }

    #[test]
    fn a_solid_moves_by_its_path_and_none_has_no_extent() {
        let body = body(Shape::Sphere, 3.0, 0.0);
        assert_eq!(body.centre, [12.0, 10.0, 14.0]);
        assert_eq!(body.velocity, [2.0, 0.0, -1.0]);
        assert_eq!(Body::new(&solid(Shape::Sphere, 0.0, 4.0), [0.0, 1.0], 1.0), None);
        let all = [body];
        let periods = [Some(16.0), None, None];
        assert!(
            Bodies { all: &all, projected: &[], periods }.holds([12.0 - 16.0 + 2.0, 10.0, 14.0]),
            "across a wrapped side"
        );
        assert!(!Bodies { all: &all, projected: &[], periods: OPEN }.holds([-2.0, 10.0, 14.0]));
    }

    #[test]
    fn a_solid_that_turns_has_its_axes_and_the_velocity_of_its_points() {
        let axes = |angle: f64| {
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]
        };
        let turning = |from: f64, to: f64| {
            let mut solid = solid(Shape::Box, 2.0, 12.0);
            solid.previous = solid.centre;
            solid.turn = Turn::new(axes(from), axes(to));
            Body::new(&solid, [0.0, 0.5], 0.5).expect("an extent")
        };
        // Half of the frame has passed: it lies along x.
        let body = turning(0.75 * PI, 0.25 * PI);
        let [low, high] = body.bounds();
        assert!(low[0] <= 6 && high[0] >= 18 && low[1] >= 6 && high[1] <= 14, "{low:?} {high:?}");
        let all = [body];
        let bodies = Bodies { all: &all, projected: &[], periods: OPEN };
        assert!(bodies.holds([17.5, 10.0, 14.0]) && !bodies.holds([12.0, 15.5, 14.0]));
        // A quarter in half of a frame, of half a frame of simulated time: half a turn a frame, clockwise.
        let cut = bodies.cut(1, [17.0, 10.0, 14.0]).expect("it is covered");
        assert!(cut.open == 0.0 && (f64::from(cut.speed) + 5.0 * PI / 2.0).abs() < 1e-5, "{cut:?}");
        let cut = bodies.cut(0, [12.5, 11.5, 14.0]).expect("it is covered");
        assert!((f64::from(cut.speed) - 1.5 * PI / 2.0).abs() < 1e-5, "{cut:?}");
        assert!(!all[0].is_still() && turning(0.3, 0.3).is_still());
        assert!(
            (swept_by_turning(&Solid { turn: Turn::new(axes(0.0), axes(0.5)), ..solid(Shape::Box, 2.0, 12.0) })
                - 0.5 * 44.0_f64.sqrt())
            .abs()
                < 1e-9
        );
        let tilted = covered(turning(0.3, 0.3), 2, 14.0);
        assert!((tilted - 48.0).abs() < 0.5, "the area of a section does not depend on its turn: {tilted}");
    }

    #[test]
    fn bad_numbers_give_a_finite_solid() {
        let bad = Solid {
            shape: Shape::Box,
            file: None,
            centre: [f64::NAN, 1e300, -f64::INFINITY],
            previous: [0.0; 3],
            radius: f64::INFINITY,
            height: f64::NAN,
            turn: None,
        };
        let body = Body::new(&bad, [0.0, 1.0], 1e-300).expect("an extent");
        assert!(body.velocity.iter().all(|speed| speed.is_finite()));
        assert!(body.bounds().into_iter().flatten().all(|cell| cell.abs() <= 300_000));
    }
}

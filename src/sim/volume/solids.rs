//! Solids during a step: rigid shapes that the air flows around, and that push it where they move.
//!
//! A face that solids cover is closed, and has their velocity. A face that they cover in part is open in the share of
//! its area that they leave. A cell is solid where its centre lies inside a solid or no face of it is open. Solids of
//! pictures stand still.

use super::projected::{Cover, ProjectedSolid};
use super::settings::{Shape, Solid};
use super::shapes;
use super::source_grids::FileSource;
use crate::sim::maths::{bounded, clamp};

/// Samples along each side of a face.
const SAMPLES: usize = 8;

/// Least open share of a face; a face with less is closed.
const LEAST: f64 = 1.0 / 16.0;

/// Distance from the centre of a face to its corners, cells, rounded up.
const CORNER: f64 = 0.75;

/// Least half thickness of a box or a disc, cells: thinner plates could lie between all faces and centres.
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
    /// Velocity in the step, cells per simulated frame.
    velocity: [f32; 3],
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
        let speed = |axis: usize| (at(axis, to) - at(axis, from)) / time;
        Some(Self {
            shape: solid.shape,
            file: solid.file.clone(),
            centre: std::array::from_fn(|axis| at(axis, to)),
            radius: if solid.shape == Shape::Box { radius.max(THINNEST) } else { radius },
            height: if plate { height.max(2.0 * THINNEST) } else { height },
            velocity: std::array::from_fn(|axis| bounded(speed(axis), super::plan::VELOCITY_MAX) as f32),
        })
    }

    /// Velocity of the solid, cells per simulated frame.
    pub fn velocity(&self) -> [f32; 3] {
        self.velocity
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
        [
            std::array::from_fn(|axis| libm::floor(self.centre[axis] + low[axis] - 1.0) as i32),
            std::array::from_fn(|axis| libm::ceil(self.centre[axis] + high[axis] + 1.0) as i32),
        ]
    }

    /// Signed distance of a position from the surface, below 0 inside. `periods`: cells along wrapped axes.
    fn distance(&self, position: [f64; 3], periods: [Option<f64>; 3]) -> f64 {
        let offset = std::array::from_fn(|axis| {
            let offset = position[axis] - self.centre[axis];
            periods[axis].map_or(offset, |period| offset - period * libm::round(offset / period))
        });
        match &self.file {
            Some(file) => file.distance(offset),
            None => shapes::distance(self.shape, offset, self.radius, self.height),
        }
    }
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
    /// Signed distance from the nearest surface of a rigid shape, and its velocity; infinite without any.
    fn nearest(&self, position: [f64; 3]) -> (f64, [f32; 3]) {
        let mut found = (f64::INFINITY, [0.0; 3]);
        for body in self.all {
            let distance = body.distance(position, self.periods);
            if distance < found.0 {
                found = (distance, body.velocity);
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
    use super::*;

    const OPEN: [Option<f64>; 3] = [None; 3];

    fn solid(shape: Shape, radius: f64, height: f64) -> Solid {
        Solid { shape, file: None, centre: [12.0, 10.0, 14.0], previous: [10.0, 10.0, 15.0], radius, height }
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
        use std::f64::consts::PI;
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
        assert_eq!(body.velocity(), [2.0, 0.0, -1.0]);
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
    fn bad_numbers_give_a_finite_solid() {
        let bad = Solid {
            shape: Shape::Box,
            file: None,
            centre: [f64::NAN, 1e300, -f64::INFINITY],
            previous: [0.0; 3],
            radius: f64::INFINITY,
            height: f64::NAN,
        };
        let body = Body::new(&bad, [0.0, 1.0], 1e-300).expect("an extent");
        assert!(body.velocity().iter().all(|speed| speed.is_finite()));
        assert!(body.bounds().into_iter().flatten().all(|cell| cell.abs() <= 300_000));
    }
}

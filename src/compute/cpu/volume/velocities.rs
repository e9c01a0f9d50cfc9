//! Velocities that emitters set, and the divergence in them.

use super::super::Cpu;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::sources::Source;
use crate::sim::volume::state::face_sizes;

/// The box of an emitter among the cells or faces of a box whose cells are split into `detail` along each axis: first
/// value, and values along each axis.
fn cut(source: &Source, bounds: Bounds, size: [usize; 3], detail: usize) -> Option<([usize; 3], [usize; 3])> {
    let [low, high] = source.bounds().map(|end| end.map(|cell| cell * detail as i32));
    let mut from = [0; 3];
    let mut count = [0; 3];
    for axis in 0..3 {
        let most = size[axis] as i32;
        let [low, high] = [low, high].map(|end| (end[axis] - bounds.low[axis]).clamp(0, most));
        if high <= low {
            return None;
        }
        (from[axis], count[axis]) = (low as usize, (high - low) as usize);
    }
    Some((from, count))
}

/// Coverage of the values in a part of the box.
pub(in crate::compute) struct Cover {
    /// The first value along each axis.
    pub from: [usize; 3],
    /// Values along each axis.
    pub size: [usize; 3],
    pub values: Vec<f32>,
}

impl Cover {
    /// The coverage of the cells of a box on a lattice whose cells are split into `detail` along each axis; `None`
    /// where an emitter covers none.
    pub fn cells(cpu: &Cpu, source: &Source, bounds: Bounds, detail: usize) -> Option<Self> {
        Self::new(cpu, source, bounds, None, detail)
    }

    /// The coverage of the faces of a box across an axis; `None` where an emitter covers none.
    pub fn faces(cpu: &Cpu, source: &Source, bounds: Bounds, axis: usize) -> Option<Self> {
        Self::new(cpu, source, bounds, Some(axis), 1)
    }

    fn new(cpu: &Cpu, source: &Source, bounds: Bounds, axis: Option<usize>, detail: usize) -> Option<Self> {
        let all = axis.map_or(bounds.cells, |axis| face_sizes(bounds.cells, axis));
        let (from, size) = cut(source, bounds, all, detail)?;
        let offset: [f64; 3] = std::array::from_fn(|along| if axis == Some(along) { 0.0 } else { 0.5 });
        let planes = cpu.each((0..size[2]).collect(), |z: usize| {
            let mut plane = Vec::with_capacity(size[0] * size[1]);
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let at = [x, y, z];
                    let place = std::array::from_fn(|axis| {
                        (f64::from(bounds.low[axis]) + (from[axis] + at[axis]) as f64 + offset[axis]) / detail as f64
                    });
                    plane.push(source.coverage(place) as f32);
                }
            }
            plane
        });
        Some(Self { from, size, values: planes.concat() })
    }

    /// The coverage of a row: its first value, and the values. Empty where it covers none.
    pub fn row(&self, [y, z]: [usize; 2]) -> (usize, &[f32]) {
        let inside = |at: usize, axis: usize| (self.from[axis]..self.from[axis] + self.size[axis]).contains(&at);
        if !inside(y, 1) || !inside(z, 2) {
            return (0, &[]);
        }
        let row = (y - self.from[1]) + self.size[1] * (z - self.from[2]);
        (self.from[0], &self.values[row * self.size[0]..][..self.size[0]])
    }
}

/// Velocities that emitters set, by axis.
pub(super) struct SourceVelocities {
    covers: [Vec<(Cover, f32)>; 3],
}

impl SourceVelocities {
    /// The velocities of a step.
    pub fn new(cpu: &Cpu, sources: &[Source], bounds: Bounds) -> Self {
        let covers = std::array::from_fn(|axis| {
            let set = sources.iter().filter_map(|source| Some((source, source.velocity()?[axis])));
            set.filter_map(|(source, speed)| Some((Cover::faces(cpu, source, bounds, axis)?, speed as f32))).collect()
        });
        Self { covers }
    }

    /// Sets the velocities of a row of faces, in proportion to their coverage.
    pub fn blend(&self, axis: usize, row: [usize; 2], to: &mut [f32]) {
        for (cover, speed) in &self.covers[axis] {
            let (from, cover) = cover.row(row);
            for (to, cover) in to[from..].iter_mut().zip(cover) {
                *to += (speed - *to) * cover;
            }
        }
    }
}

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
pub(in crate::compute) struct Cover<T = f32> {
    /// The first value along each axis.
    pub from: [usize; 3],
    /// Values along each axis.
    pub size: [usize; 3],
    pub values: Vec<T>,
}

impl Cover {
    /// The coverage of the cells of a box; `None` where an emitter covers none.
    pub fn cells(cpu: &Cpu, source: &Source, bounds: Bounds) -> Option<Self> {
        Self::new(cpu, source, bounds, None, 1, |place| source.coverage(place) as f32)
    }

    /// The coverage of the cells of a box, on a lattice whose cells are split into `detail` along each axis, by what an
    /// emitter emits; `None` where it covers none.
    pub fn emission(cpu: &Cpu, source: &Source, bounds: Bounds, detail: usize) -> Option<Self> {
        Self::new(cpu, source, bounds, None, detail, |place| source.emission(place) as f32)
    }
}

impl Cover<[f32; 2]> {
    /// The coverage of the faces of a box across an axis, and the velocity that an emitter sets there; `None` where it
    /// covers none or sets none.
    pub fn faces(cpu: &Cpu, source: &Source, bounds: Bounds, axis: usize) -> Option<Self> {
        source.has_velocity().then_some(())?;
        Self::new(cpu, source, bounds, Some(axis), 1, |place| {
            let cover = source.coverage(place);
            let speed = if cover > 0.0 { source.velocity(place).unwrap_or_default()[axis] } else { 0.0 };
            [cover as f32, speed as f32]
        })
    }
}

impl<T: Send> Cover<T> {
    fn new(
        cpu: &Cpu,
        source: &Source,
        bounds: Bounds,
        axis: Option<usize>,
        detail: usize,
        value: impl Fn([f64; 3]) -> T + Sync,
    ) -> Option<Self> {
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
                    plane.push(value(place));
                }
            }
            plane
        });
        Some(Self { from, size, values: planes.into_iter().flatten().collect() })
    }

    /// The coverage of a row: its first value, and the values. Empty where it covers none.
    pub fn row(&self, [y, z]: [usize; 2]) -> (usize, &[T]) {
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
    covers: [Vec<Cover<[f32; 2]>>; 3],
}

impl SourceVelocities {
    /// The velocities of a step.
    pub fn new(cpu: &Cpu, sources: &[Source], bounds: Bounds) -> Self {
        let covers = std::array::from_fn(|axis| {
            sources.iter().filter_map(|source| Cover::faces(cpu, source, bounds, axis)).collect()
        });
        Self { covers }
    }

    /// Sets the velocities of a row of faces, in proportion to their coverage.
    pub fn blend(&self, axis: usize, row: [usize; 2], to: &mut [f32]) {
        for cover in &self.covers[axis] {
            let (from, values) = cover.row(row);
            for (to, [cover, speed]) in to[from..].iter_mut().zip(values) {
                *to += (speed - *to) * cover;
            }
        }
    }
}

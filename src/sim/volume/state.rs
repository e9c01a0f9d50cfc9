//! The state of a volume.

use std::sync::Arc;

use half::f16;
use half::slice::HalfBitsSliceExt as _;

use super::fields::{Bounds, Lattice, TILE, VolumeView};
use crate::sim::diagnostics::diagnostics;
use crate::sim::memory::Values;

/// Components of a pack.
pub const PACK: usize = 4;

/// Fields of the cells of a range. Velocities are f32 on faces. Packs are the bits of four halves for each cell of a
/// lattice that may be finer.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The cells of the velocity.
    pub bounds: Bounds,
    /// Cells of the packs along each side of a cell of the velocity.
    pub detail: usize,
    /// Steps since the first frame, which the rounding of packs depends on.
    pub steps: u32,
    /// Velocity across the faces of each axis, cells per frame.
    pub velocity: [Arc<Values<f32>>; 3],
    /// Density, temperature, fuel, soot.
    pub scalars: Arc<Values<u16>>,
    /// Flame gas, flame gas times its age, fuel burnt per frame, 0; `None` without fire.
    pub gases: Option<Arc<Values<u16>>>,
    /// Density times one less its colour, for red, green and blue, and 0; `None` where all smoke is white.
    pub tints: Option<Arc<Values<u16>>>,
    /// Properties of the fields.
    pub statistics: Statistics,
}

/// Statistics of the fields of a state. The box and the length of the next step depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The cells with more than a trace of smoke, heat or fuel: the first along each axis and the one after the last,
    /// cells of the lattice; `None` where there are none.
    pub active: Option<[[i32; 3]; 2]>,
    /// Largest absolute value of a velocity component on a face, cells per frame.
    pub speed: f32,
}

/// Bits of the half 0.001: a scalar above is more than a trace.
pub const TRACE: u16 = 0x1419;

/// Number of faces normal to each axis in a box of cells.
pub fn faces(cells: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|axis| face_sizes(cells, axis).iter().product())
}

/// Number of faces normal to `axis`, along each axis.
pub fn face_sizes(mut cells: [usize; 3], axis: usize) -> [usize; 3] {
    cells[axis] += 1;
    cells
}

impl State {
    /// Air without smoke that moves with the uniform velocity `wind`, cells per frame. Its packs have `detail` cells
    /// along each side of a cell.
    pub fn still(bounds: Bounds, detail: usize, wind: [f32; 3]) -> Self {
        let faces = faces(bounds.cells);
        let velocity = std::array::from_fn(|axis| {
            let mut values = Values::zeros(faces[axis]);
            values.fill(wind[axis]);
            Arc::new(values)
        });
        let scalars = Arc::new(Values::zeros(PACK * bounds.finer(detail).len()));
        let speed = wind.into_iter().fold(0.0, |most: f32, speed| most.max(speed.abs()));
        Self {
            bounds,
            detail,
            steps: 0,
            velocity,
            scalars,
            gases: None,
            tints: None,
            statistics: Statistics { active: None, speed },
        }
    }

    /// The same fields in a frame of reference that is slower by `by`, cells per frame.
    #[must_use]
    pub fn faster(mut self, by: [f32; 3]) -> Self {
        for (values, by) in self.velocity.iter_mut().zip(by) {
            if by != 0.0 {
                Arc::make_mut(values).iter_mut().for_each(|value| *value += by);
            }
        }
        let speeds = self.velocity.iter().flat_map(|values| values.iter());
        self.statistics.speed = speeds.fold(0.0, |most: f32, speed| most.max(speed.abs()));
        self
    }

    /// The fields for readers. `lattice`: the place of the cells of the velocity.
    pub fn view(&self, lattice: Lattice) -> VolumeView<'_> {
        VolumeView {
            lattice: lattice.finer(self.detail),
            bounds: self.bounds.finer(self.detail),
            detail: self.detail,
            scalars: packs(&self.scalars),
            gases: self.gases.as_ref().map(|gases| packs(gases)),
            tints: self.tints.as_ref().map(|tints| packs(tints)),
            velocity: Some([&self.velocity[0], &self.velocity[1], &self.velocity[2]]),
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let velocity: usize = self.velocity.iter().map(|values| size_of_val(&values[..])).sum();
        let others = [&self.gases, &self.tints].into_iter().flatten();
        velocity + size_of_val(&self.scalars[..]) + others.map(|packs| size_of_val(&packs[..])).sum::<usize>()
    }
}

/// The packs of an array of bits.
fn packs(bits: &[u16]) -> &[[f16; PACK]] {
    bits.reinterpret_cast::<f16>().as_chunks().0
}

/// The range of the artist's bounds.
pub fn whole(cells: [usize; 3]) -> Bounds {
    debug_assert!(cells.iter().all(|cells| cells.is_multiple_of(TILE)));
    Bounds { low: [0; 3], cells }
}

diagnostics! {
    /// Facts about a frame.
    pub struct Diagnostics {
        /// Cells of the box.
        pub cells: u64 = last;
        /// Most multigrid cycles of a projection.
        pub cycles: u32 = max;
        /// Largest residual of a projection, relative to the divergence before.
        pub residual: f64 = max;
        /// Whether a projection did not converge.
        pub unconverged: bool = max, |_| "The pressure did not converge in a frame: lower speeds, forces and \
                                          Expansion".to_owned();
        /// Whether the frame needed more steps than are allowed, because of its speed.
        pub too_fast: bool = max, |_| "The smoke moves faster than its steps can follow: lower speeds and \
                                       forces".to_owned();
    }
}

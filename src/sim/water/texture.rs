//! Texture coordinates that the water carries: displacements of a texture with the surface, for shading.
//!
//! Advected coordinates stretch without bound, so there are three phases (Neyret 2003): each begins undisplaced, lives
//! [`PERIOD`] frames and begins again, a third of the period after the one before. A picture blends them by their age.

use std::sync::Arc;

use super::field::Field;
use super::paths::Paths;
use super::plan::{Device, RowCounts};
use super::state::State;

/// Number of phases, which is the number of planes.
pub const PHASES: usize = 3;
/// Life of a phase, frames of simulated time.
pub const PERIOD: f64 = 32.0;

/// Parts of a full-resolution pixel of a stored displacement.
const PARTS: f64 = 32.0;
/// Greatest displacement along an axis, full-resolution pixels.
const FARTHEST: f64 = 1023.0;

/// The age of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexturePhase {
    /// Share of its life, 0 to 1 (excluded).
    pub life: f64,
    /// Number of earlier lives since the start frame.
    pub cycle: u64,
}

/// The phases of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexturePhases {
    /// The phases in their order.
    pub phases: [TexturePhase; PHASES],
}

impl TexturePhases {
    /// The phases at a simulated time since the start frame, frames.
    pub(super) fn at(age: f64) -> TexturePhases {
        let phase = |nth: f64| {
            let turns = age / PERIOD + nth / PHASES as f64;
            let whole = libm::floor(turns);
            TexturePhase { life: turns - whole, cycle: whole as u64 }
        };
        TexturePhases { phases: [phase(0.0), phase(1.0), phase(2.0)] }
    }
}

impl State {
    /// The phases of the texture coordinates that the water carries; `None` where it carries none.
    pub fn texture_phases(&self) -> Option<TexturePhases> {
        self.texture.as_ref().map(|_| TexturePhases::at(self.age))
    }

    /// Texture coordinates of row `y` from column `from` on: the displacement of the texture of a phase with the water
    /// since the phase began, full-resolution pixels; 0 on dry cells, and where the water carries none.
    #[inline(always)]
    pub fn texture_cells(&self, phase: usize, y: usize, from: usize, out: &mut [[f32; 2]]) {
        let Some(out) = self.within(y, from, out) else { return };
        match &self.texture {
            None => out.fill([0.0; 2]),
            Some(texture) => {
                let row = &texture.row(y + 1, phase)[from + 1..];
                out.iter_mut().zip(row).for_each(|(out, &packed)| *out = unpack(packed));
            }
        }
    }

    /// Planes of the texture coordinates, packed; `None` where the water carries none.
    pub(super) fn texture(&self) -> Option<&Field> {
        self.texture.as_deref()
    }
}

/// A displacement of 16 bits along each axis.
fn pack(displacement: [f64; 2]) -> i32 {
    let [x, y] = displacement.map(|d| libm::floor(d.clamp(-FARTHEST, FARTHEST) * PARTS + 0.5) as i32);
    (y << 16) | (x & 0xffff)
}

/// Both axes of a packed displacement, full-resolution pixels.
fn unpack(packed: i32) -> [f32; 2] {
    [packed as i16, (packed >> 16) as i16].map(|d| f32::from(d) * (1.0 / PARTS as f32))
}

/// Displacements of a frame with the water of `state`, a plane per phase, 0 on dry cells. `previous`: the state of the
/// frame before; `None` on the start frame.
pub(super) fn next(state: &State, previous: Option<&State>, paths: &Paths, device: &dyn Device) -> Arc<Field> {
    let grid = state.grid();
    let mut field = Field::new(grid.width, grid.height, PHASES);
    let before = previous.and_then(|previous| Some((previous, previous.texture.as_deref()?)));
    let now = TexturePhases::at(state.age);
    let then = previous.map(|previous| TexturePhases::at(previous.age));
    let lives_on = [0, 1, 2].map(|nth| then.is_some_and(|then| then.phases[nth].cycle == now.phases[nth].cycle));
    let (stride, floor) = (field.stride(), state.wet_limit());
    state.water();
    previous.map(State::water);
    device.rows(&mut field, &|y, row| {
        for x in (0..grid.width).filter(|&x| state.water().height.at(x, y, 0) >= floor) {
            let moved = paths.displacement([x, y]);
            let stencil = paths.stencil(paths.before([x, y], moved));
            for (phase, _) in lives_on.iter().enumerate().filter(|(_, lives_on)| **lives_on) {
                // Dry cells have no displacement to go on from.
                let (mut sum, mut weights) = ([0.0; 2], 0.0);
                if let Some((previous, texture)) = before {
                    let wet = |[x, y]: [usize; 2]| previous.water().height.at(x, y, 0) >= floor;
                    for &([x, y], weight) in stencil.iter().filter(|(cell, weight)| *weight > 0.0 && wet(*cell)) {
                        let old = unpack(texture.at(x, y, phase)).map(f64::from);
                        sum = [sum[0] + weight * old[0], sum[1] + weight * old[1]];
                        weights += weight;
                    }
                }
                let old = if weights > 0.0 { sum.map(|sum| sum / weights) } else { [0.0; 2] };
                row[phase * stride + x + 1] = pack([old[0] + moved[0], old[1] + moved[1]]);
            }
        }
        RowCounts::default()
    });
    Arc::new(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_are_stored_to_a_part_of_a_pixel_and_held_within_bounds() {
        for (x, y) in [(0.0, 0.0), (-0.03, 0.03), (17.3, -501.77), (-1022.9, 1023.0)] {
            let back = unpack(pack([x, y])).map(f64::from);
            assert!((back[0] - x).abs() <= 0.5 / PARTS && (back[1] - y).abs() <= 0.5 / PARTS, "{x} {y}: {back:?}");
        }
        assert_eq!(unpack(pack([1e9, -1e9])), [1023.0, -1023.0]);
    }

    #[test]
    fn phases_begin_one_after_the_other() {
        let lives = |age: f64| TexturePhases::at(age).phases.map(|phase| (phase.life * 96.0).round() as i32);
        assert_eq!(lives(0.0), [0, 32, 64]);
        assert_eq!(lives(16.0), [48, 80, 16]);
        let cycles = |age: f64| TexturePhases::at(age).phases.map(|phase| phase.cycle);
        assert_eq!([cycles(0.0), cycles(31.0), cycles(32.0), cycles(330.0)], [[0; 3], [0, 1, 1], [1; 3], [10; 3]]);
    }
}

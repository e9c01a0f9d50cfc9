//! Built-in ground: the terrain of a node without a Terrain input, from formulas.
//!
//! Lengths are in heights of the frame, so that every grid has the same ground. All arithmetic is `f64`, with `libm`.
//!
//! | file | contents |
//! |---|---|
//! | `noise` | gradient noise |
//! | `stones` | scattered boulders |
//! | `river` | a valley with a bed, banks and boulders |
//! | `meadow` | soil with furrows and stones |
//! | `street` | asphalt with shallow hollows, and a kerb |
//! | `beach` | sand that falls to the lower edge |

mod beach;
mod meadow;
mod noise;
mod river;
mod stones;
mod street;

use super::amounts::Basis;
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, to_units};
use super::plan::RowCounts;
use super::settings::{Ground, Settings};
use crate::sim::grid::{Frame, Grid};
use crate::sim::maths::clamp;

/// The built-in ground of a state, with its scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuiltInGround {
    /// The ground.
    pub ground: Ground,
    /// Scale of its heights.
    pub height: f64,
    /// Height added to it.
    pub offset: f64,
    /// Full-resolution pixels of the grid beyond the frame, to the left and right, and below and above.
    pub overscan: [f64; 2],
}

impl BuiltInGround {
    /// The ground of a frame's settings.
    pub fn new(settings: &Settings) -> Self {
        let ground = Self { ground: settings.ground, overscan: settings.overscan, ..Self::default() };
        if ground.is_flat() {
            return ground;
        }
        let scale = |value: f64| clamp(value, -1e6, 1e6);
        Self { height: scale(settings.terrain_height), offset: scale(settings.terrain_offset), ..ground }
    }

    /// True where it has no height.
    pub fn is_flat(&self) -> bool {
        matches!(self.ground, Ground::Flat | Ground::Pebbles)
    }

    /// The terrain of a grid in units; `None` where the ground is flat.
    pub(super) fn terrain(&self, basis: &Basis<'_>, grid: &Grid) -> Option<Field> {
        let Frame { corner, size } = grid.frame(self.overscan);
        let aspect = size[0] / size[1];
        let height: &(dyn Fn(f64, f64) -> f64 + Sync) = match self.ground {
            Ground::Flat | Ground::Pebbles => return None,
            Ground::RiverBed => {
                let river = river::River::new(aspect);
                &move |u, v| river.height(u, v)
            }
            Ground::Meadow => {
                let meadow = meadow::Meadow::new(aspect);
                &move |u, v| meadow.height(u, v)
            }
            Ground::Street => &move |u, v| street::height(u, v),
            Ground::Beach => &move |u, v| beach::height(u, v),
        };
        let mut field = basis.field(1);
        basis.device.rows(&mut field, &|y, row| {
            for x in 0..basis.width {
                let [u, v] = [(x, corner[0]), (y, corner[1])].map(|(at, corner)| (at as f64 + 0.5 - corner) / size[1]);
                let level = height(u, v) * self.height + self.offset;
                row[x + 1] = to_units(level, basis.units, -HEIGHT_MAX, HEIGHT_MAX).unwrap_or(0);
            }
            RowCounts::default()
        });
        Some(field)
    }
}

/// Least height of the rocks in the meadow.
pub use meadow::ROCKS as MEADOW_ROCKS;

/// Fall of the river's valley over the width of the frame.
pub const RIVER_FALL: f64 = 0.75;

/// A smooth step from 0 at 0 to 1 at 1.
fn smooth(x: f64) -> f64 {
    let t = x.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

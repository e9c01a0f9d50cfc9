//! The state of a simulation at one frame.

use std::sync::Arc;

use super::buffers::{LayerView, RawLayer, StateBuffers};
use super::domain::Domain;
use super::field::Field;
use super::ground::BuiltInGround;
use super::plan::{MassBalance, Water};
use super::ripples::pyramid::Pyramid;
use super::ripples::{REST, UNITS};
use super::settings::{Constants, Model};
use crate::sim::diagnostics::{diagnostics, discarded};
use crate::sim::grid::{Frame, Grid};
use crate::sim::memory::Values;

/// The constants of a whole simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The grid.
    pub grid: Grid,
    /// The settings that cannot be animated.
    pub constants: Constants,
}

/// The mass ledger. Exact, per kind: now = start + added − removed − drained − clamped (modulo 2^64).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Water, red, green and blue pigment of the start frame, units.
    pub start: [i64; 4],
    /// Mass balance since the start frame.
    pub since: MassBalance,
}

diagnostics! {
    /// Diagnostics of a frame.
    pub struct Diagnostics {
        /// Steps of the frame.
        pub steps: u32 = last;
        /// The wave speed was limited: it needs more than 1,024 steps. The frame report tells it for the frame shown.
        pub speed_cut: bool = last;
        /// The source has no alpha, so its luminance was used.
        pub luminance_for_alpha: bool = max, |_| "The Source has no alpha: its luminance is the height".into();
        /// The source's alpha is 1 everywhere, so it floods the frame.
        pub alpha_everywhere: bool = max, |_| {
            "The Source's alpha is 1 everywhere, which floods the frame: choose another Source channel".into()
        };
        /// Pixels ignored for values that are no finite number, per input.
        pub bad_pixels: BadPixels = each;
        /// Water removed above the ceiling in this frame, units.
        pub clamped: i64 = max, |_| "Water above Max height was cut: raise Max height".into();
        /// The layers of the initial state have flows of more than a cell per step, which were limited.
        pub start_cut: bool = max, |_| {
            "The Initial state moves water by more than a cell per step, and its fastest flows were cut: raise Substeps, or \
             lower Resolution".into()
        };
    }

    /// Pixels with values that are no finite number, per input; they count as 0.
    pub struct BadPixels {
        /// In the source.
        pub source: u64 = max, |count| discarded("Source", count);
        /// In the terrain.
        pub terrain: u64 = max, |count| discarded("Terrain", count);
        /// In the obstacles.
        pub obstacles: u64 = max, |count| discarded("Obstacles", count);
        /// In the force.
        pub force: u64 = max, |count| discarded("Force", count);
        /// In the mask.
        pub mask: u64 = max, |count| discarded("Mask", count);
        /// In the control picture.
        pub control: u64 = max, |count| discarded("Control", count);
        /// In the goal.
        pub goal: u64 = max, |count| discarded("Goal", count);
    }
}

/// The state of one frame: integers, immutable, cheap to clone (planes are shared).
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) grid: Grid,
    pub(super) model: Model,
    pub(super) units: f64,
    pub(super) colour_range: f64,
    pub(super) water: Arc<StateBuffers>,
    pub(super) terrain: Option<Arc<Field>>,
    /// The ground that the terrain was made of, where it is built in.
    pub(super) ground: BuiltInGround,
    pub(super) domain: Arc<Domain>,
    /// The grids of decreasing resolution on which the head operator of Ripples smooths, over the domain and its
    /// absorbing margin; `None` in other models.
    pub(super) pyramid: Option<Arc<Pyramid>>,
    /// Level of the surface of Ripples at rest, height, above 0; 0 in other models.
    pub(super) rest_level: f64,
    /// Length of the last step, frames; 0 before any step.
    pub(super) dt: f64,
    pub(super) ledger: Ledger,
    /// Simulated time since the start frame, frames.
    pub(super) age: f64,
    /// Foam and wetness.
    pub(super) surface_maps: Option<Arc<Field>>,
    /// Displacements of the texture phases.
    pub(super) texture: Option<Arc<Field>>,
}

impl State {
    /// Memory, bytes. Terrain, domain and pyramid count in full, though frames share them; planes count wherever they
    /// are.
    pub fn bytes(&self) -> usize {
        let own = [&self.terrain, &self.surface_maps, &self.texture];
        let own: usize = own.into_iter().flatten().map(|field| field.bytes()).sum();
        let pyramid = self.pyramid.as_ref().map_or(0, |pyramid| pyramid.bytes());
        size_of::<State>() + self.water.bytes() + self.domain.bytes() + pyramid + own
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Units per 1.0 of height.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// Heights, flows and pigment in units. Fetches them, which blocks, where a device still has them.
    pub fn water(&self) -> &Water {
        self.water.water()
    }

    /// The buffers of the water.
    pub fn body(&self) -> &Arc<StateBuffers> {
        &self.water
    }

    /// Terrain in units, one plane; `None` where there is none.
    pub fn terrain(&self) -> Option<&Field> {
        self.terrain.as_deref()
    }

    /// The part of the grid that is in the frame.
    pub fn frame(&self) -> Frame {
        self.grid.frame(self.ground.overscan)
    }

    /// The built-in ground; flat where the terrain is a picture.
    pub fn ground(&self) -> BuiltInGround {
        self.ground
    }

    /// Foam and wetness, in the planes of [`surface_maps`](super::surface_maps); `None` where both are off.
    pub fn surface_maps(&self) -> Option<&Field> {
        self.surface_maps.as_deref()
    }

    /// Cells of row `y` from column `from` on of a plane of [`State::surface_maps`], 0 to 1, in all four channels; 0
    /// where there are none.
    #[inline(always)]
    pub fn surface_map_cells(&self, plane: usize, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let Some(out) = self.within(y, from, out) else { return };
        match &self.surface_maps {
            None => out.fill([0.0; 4]),
            Some(surface_maps) => {
                for (pixel, &share) in out.iter_mut().zip(&surface_maps.row(y + 1, plane)[from + 1..]) {
                    *pixel = [share as f32 * (1.0 / 65536.0); 4];
                }
            }
        }
    }

    /// Solid cells and edges.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The mass ledger.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Total of water, units.
    pub fn water_units(&self) -> i64 {
        self.water.water_units()
    }

    /// Totals of water, red, green and blue pigment, units.
    pub fn totals(&self) -> [i64; 4] {
        self.water.totals()
    }

    /// Mean height of the water.
    pub fn mean_height(&self) -> f64 {
        let cells = self.grid.cells();
        let solid = self.domain.solid().map_or(0, |solid| solid.iter().filter(|solid| **solid).count());
        let open = (cells - solid) as i64;
        let (stored, level) = match self.model {
            Model::Ripples => (self.water_units() - i64::from(REST) * open, self.rest_level * open as f64),
            Model::Pipes | Model::Classic | Model::ShallowWater => (self.water_units(), 0.0),
        };
        (level + stored as f64 / self.units) / cells as f64
    }

    /// Share of wet cells.
    pub fn wet_share(&self) -> f64 {
        self.water.wet(self.wet_limit()) as f64 / self.grid.cells() as f64
    }

    /// Least height, in units, that is drawn and counted as wet: 2^−12.
    pub fn wet_limit(&self) -> i32 {
        wet_limit(self.units)
    }

    /// A raw layer, one value per cell, row 0 lowest, made by the device that has the water, with the bits of
    /// [`State::water_row`] and the others. `None` where the planes are in memory, or have to be fetched for it.
    pub fn picture(&self, layer: RawLayer) -> Option<Values<[f32; 4]>> {
        self.water.picture(&LayerView {
            layer,
            model: self.model,
            // A power of two: the exponent is exact.
            unit_power: (self.units.to_bits() >> 52) as i32 - 1023,
            wet: self.wet_limit(),
            colour_range: self.colour_range as f32,
            per_frame: self.per_frame(),
            terrain: self.terrain.as_ref(),
        })
    }

    /// Row `y` of the water: unpremultiplied RGB, and the height in alpha. `out` has the width of the grid; cells
    /// beyond the grid stay as they are.
    pub fn water_row(&self, y: usize, out: &mut [[f32; 4]]) {
        self.water_cells(y, 0, out);
    }

    /// Row `y` of the heights. R: water. G: surface (water and terrain). B: terrain. A: wet (1 or 0).
    pub fn height_row(&self, y: usize, out: &mut [[f32; 4]]) {
        self.height_cells(y, 0, out);
    }

    /// Steps of the last length per frame of time scale 1: the factor from flows per step to flows of the layers. 1
    /// before any step.
    pub fn per_frame(&self) -> f32 {
        // Clamped so that products with flows stay normal numbers.
        if self.dt > 0.0 { (1.0 / self.dt).clamp(1.0 / 1024.0, (1_u64 << 40) as f64) as f32 } else { 1.0 }
    }

    /// Row `y` of the cross flows, height per frame of time scale 1. R: left. G: up. B: right. A: down.
    pub fn cross_row(&self, y: usize, out: &mut [[f32; 4]]) {
        self.cross_cells(y, 0, out);
    }

    /// Row `y` of the diagonal flows, height per frame of time scale 1. R: up-left. G: up-right. B: down-right. A:
    /// down-left.
    pub fn diagonal_row(&self, y: usize, out: &mut [[f32; 4]]) {
        self.diagonal_cells(y, 0, out);
    }

    /// [`State::water_row`] from column `from` on.
    #[inline(always)]
    pub fn water_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let Some(out) = self.within(y, from, out) else { return };
        if self.model == Model::Ripples {
            return self.ripple_cells(y, from, out, |height| [0.0, 0.0, 0.0, height]);
        }
        let real = self.real();
        let heights = self.water().height.row(y + 1, 0)[from + 1..].iter();
        let Some(pigment) = &self.water().pigment else {
            out.iter_mut().zip(heights).for_each(|(pixel, &h)| *pixel = [0.0, 0.0, 0.0, real(h)]);
            return;
        };
        let (floor, range) = (self.wet_limit(), self.colour_range as f32);
        let [red, green, blue] = [0, 1, 2].map(|channel| pigment.row(y + 1, channel)[from + 1..].iter());
        for ((((pixel, &h), &r), &g), &b) in out.iter_mut().zip(heights).zip(red).zip(green).zip(blue) {
            *pixel = [colour(r, h, floor, range), colour(g, h, floor, range), colour(b, h, floor, range), real(h)];
        }
    }

    /// [`State::height_row`] from column `from` on.
    #[inline(always)]
    pub fn height_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let Some(out) = self.within(y, from, out) else { return };
        if self.model == Model::Ripples {
            return self.ripple_cells(y, from, out, |height| [height, height, 0.0, 1.0]);
        }
        let (real, floor) = (self.real(), self.wet_limit());
        let wet = |h: i32| if h >= floor { 1.0 } else { 0.0 };
        let heights = self.water().height.row(y + 1, 0)[from + 1..].iter();
        let Some(terrain) = &self.terrain else {
            out.iter_mut().zip(heights).for_each(|(pixel, &h)| *pixel = [real(h), real(h), 0.0, wet(h)]);
            return;
        };
        let ground = terrain.row(y + 1, 0)[from + 1..].iter();
        for ((pixel, &h), &z) in out.iter_mut().zip(heights).zip(ground) {
            *pixel = [real(h), real(h + z), real(z), wet(h)];
        }
    }

    /// Cells of row `y` of Ripples: `pixel` of a height, which is the level at rest and the deviation, and at least the
    /// least wet one; 0 in solid cells.
    #[inline(always)]
    fn ripple_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]], pixel: impl Fn(f32) -> [f32; 4]) {
        let heights = &self.water().height.row(y + 1, 0)[from + 1..];
        let solid = self.domain.solid().map(|solid| &solid[y * self.grid.width + from..]);
        for (at, (out, &stored)) in out.iter_mut().zip(heights).enumerate() {
            let open = solid.is_none_or(|solid| !solid[at]);
            *out = if open { pixel(self.ripple_height(stored).max(1.0 / 4096.0) as f32) } else { [0.0; 4] };
        }
    }

    /// Height of the water of Ripples, of a stored height: the level at rest and the deviation.
    fn ripple_height(&self, stored: i32) -> f64 {
        self.rest_level + f64::from(stored - REST) / f64::from(UNITS)
    }

    /// [`State::cross_row`] from column `from` on.
    #[inline(always)]
    pub fn cross_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let [left, up, right, down] = [(0, -1, 0), (1, 0, 0), (0, 0, 0), (1, 0, -1)];
        self.flow_cells(y, from, out, [Way::Back(left), Way::Ahead(up), Way::Ahead(right), Way::Back(down)]);
    }

    /// [`State::diagonal_row`] from column `from` on.
    #[inline(always)]
    pub fn diagonal_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let [up_left, up_right, down_right, down_left] = [(3, 0, 0), (2, 0, 0), (3, 1, -1), (2, -1, -1)];
        let ways = [Way::Ahead(up_left), Way::Ahead(up_right), Way::Back(down_right), Way::Back(down_left)];
        self.flow_cells(y, from, out, ways);
    }

    /// Outflows of the cells of a row in four directions.
    #[inline(always)]
    fn flow_cells(&self, y: usize, from: usize, out: &mut [[f32; 4]], ways: [Way; 4]) {
        let Some(out) = self.within(y, from, out) else { return };
        let (height, per_frame) = ((1.0 / self.units) as f32, f64::from(self.per_frame()));
        // 27 bits times 24 bits are exact in f64, so the result is the f32 nearest to the exact product.
        let real = |flow: i32| (f64::from(flow) * per_frame) as f32 * height;
        let backwards = match self.model {
            Model::Pipes | Model::ShallowWater | Model::Ripples => 0,
            Model::Classic => 4,
        };
        // The planes, and the sign with which a flow counts as outflow of the cell.
        let planes = ways.map(|way| {
            let ((pipe, dx, dy), sign) = match way {
                Way::Ahead(pipe) => (pipe, 1),
                Way::Back((pipe, dx, dy)) => ((pipe + backwards, dx, dy), if backwards == 0 { -1 } else { 1 }),
            };
            let row = self.water().flow.row((y + 1).wrapping_add_signed(dy), pipe);
            (row[(from + 1).wrapping_add_signed(dx)..].iter(), sign)
        });
        let [(a, sa), (b, sb), (c, sc), (d, sd)] = planes;
        let leaving = |flow: i32, sign: i32| real((flow * sign).max(0));
        for ((((pixel, &a), &b), &c), &d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *pixel = [leaving(a, sa), leaving(b, sb), leaving(c, sc), leaving(d, sd)];
        }
    }

    /// The part of a row of pixels that is on the grid.
    #[inline(always)]
    pub(super) fn within<'o, T>(&self, y: usize, from: usize, out: &'o mut [T]) -> Option<&'o mut [T]> {
        let count = self.grid.width.checked_sub(from)?.min(out.len());
        (y < self.grid.height).then(|| &mut out[..count])
    }

    /// Units as a height: the f32 nearest to the exact quotient. Units per height are a power of two from 2^12 to 2^36,
    /// so only the first conversion rounds.
    #[inline(always)]
    fn real(&self) -> impl Fn(i32) -> f32 + use<> {
        let height = (1.0 / self.units) as f32;
        move |units| units as f32 * height
    }
}

/// A pipe that leads out of a cell: its number, and the place of its owner relative to the cell. A flow ahead runs from
/// the owner to its neighbour.
#[derive(Clone, Copy)]
enum Way {
    Ahead((usize, isize, isize)),
    Back((usize, isize, isize)),
}

/// Colour of water of height `h` ≥ 0 with pigment `m` ≥ 0: the f32 nearest to the exact ratio, 0 where `h` is 0.
/// `wet_limit` is above 0.
///
/// Rounding twice is exact here: both integers have at most 29 bits, so the ratio differs from a tie of f32 by at least
/// 2^−52 of itself.
#[inline(always)]
pub fn colour(m: i32, h: i32, wet_limit: i32, colour_range: f32) -> f32 {
    colour_range * (f64::from(m.min(h)) / f64::from(h.max(wet_limit))) as f32
}

/// Least height, in units, that is drawn and counted as wet: 2^−12.
pub(super) fn wet_limit(units: f64) -> i32 {
    (units / 4096.0) as i32
}

#[cfg(test)]
mod tests;

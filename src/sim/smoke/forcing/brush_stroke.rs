//! Brush strokes: a disc that moves along a line over the frame, emits dye, heat and fuel, and steers the air. Used by the
//! brush and the jets.

use std::f64::consts::PI;

use super::patch::{CellRange, for_each_row, rasterise_patch};
use super::raster::{AMOUNT_MAX, FACES, Raster, smoothstep};
use super::{Forcing, Fuel, Patch};
use crate::sim::fluid::Staggering;
use crate::sim::maths::{bounded, clamp};
use crate::sim::noise::patches;
use crate::sim::stroke::Stroke;

/// Largest bounding rectangle, in cells, of a stroke beyond the grid whose coverage is summed; larger strokes use their
/// area.
const SUMMED_CELLS_MAX: f64 = 16_777_216.0;

/// Flame gas per fuel, up to 1.
const FLAME_GAS: f64 = 3.0;

/// Weight from which on fuel comes in at its temperature.
const WARM_FROM: f64 = 0.05;

/// A disc that moves along a line; lengths in cells.
pub(super) struct BrushStroke {
    /// Coverage of the dye.
    stroke: Stroke,
    /// Area of a disc of this radius and softness, cells.
    disc_area: f64,
    /// Radius within which air is steered, at least 1 cell.
    radius: f64,
    breakup: Option<Breakup>,
}

/// A noise that breaks the emission of a stroke up into patches, and keeps its mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breakup {
    /// Strength, 0 (even) to 1 (with gaps).
    pub amount: f64,
    /// Size of the patches, pixels.
    pub size: f64,
    pub seed: i32,
    /// Patterns of the moment, of [`PATCHES_PULSE`](crate::sim::noise::PATCHES_PULSE).
    pub patterns: [(u32, f64); 2],
}

impl Breakup {
    /// Factor of the emission at a position in pixels, 0 to 2.
    fn factor(&self, [x, y]: [f64; 2]) -> f64 {
        1.0 + self.amount * (2.0 * patches(self.seed, [[x / self.size, y / self.size, 0.5]; 2], self.patterns) - 1.0)
    }
}

impl BrushStroke {
    /// A stroke between two canonical positions, `[previous, centre]`; `None` without a valid `centre` or radius. An
    /// invalid `previous` counts as `centre`. `softness`: fraction of the radius over which dye and heat fade out.
    pub fn new(
        raster: &Raster<'_>,
        [previous, centre]: [[f64; 2]; 2],
        radius: f64,
        softness: f64,
    ) -> Option<BrushStroke> {
        let centre = raster.position(centre)?;
        let radius = raster.radius(radius)?;
        let softness = clamp(softness, 0.0, 1.0);
        let (middle, rim) = (1.0 - softness / 2.0, softness);
        Some(BrushStroke {
            stroke: Stroke::new(raster.position(previous).unwrap_or(centre), centre, radius).softened(softness),
            disc_area: PI * (middle * middle + rim * rim / 12.0) * radius * radius,
            radius: radius.max(1.0),
            breakup: None,
        })
    }

    /// The stroke with an emission that is broken up.
    pub fn broken_up(self, breakup: Option<Breakup>) -> BrushStroke {
        BrushStroke { breakup, ..self }
    }

    /// Radius within which air is steered, cells, at least 1.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The range of values of a field that the stroke may cover.
    fn range(&self, raster: &Raster<'_>, staggering: Staggering) -> CellRange {
        let (low, high) = self.stroke.bounds();
        CellRange::bounding(raster, staggering, low, high)
    }

    /// Emits dye, given as colour and density, and heat: amounts per frame at the centre of a disc at rest. The total
    /// does not depend on the motion of the disc: its area, which the softness reduces, times the amount.
    pub fn emit(&self, forcing: &mut Forcing, raster: &Raster<'_>, colour: [f64; 4], heat: f64) {
        let density = clamp(colour[3], 0.0, AMOUNT_MAX);
        let [r, g, b] = [colour[0], colour[1], colour[2]].map(|c| bounded(c, AMOUNT_MAX) * density);
        let dye = [r, g, b, density].map(|v| v * raster.time);
        let heat = bounded(heat, AMOUNT_MAX) * raster.time;
        if density * raster.time == 0.0 && heat == 0.0 {
            return;
        }
        let Some(weights) = self.weights(raster) else { return };
        let area = CellRange { x: weights.x..weights.x + weights.width, y: weights.y..weights.y + weights.height };
        let at = |x: usize, y: usize| weights.values[(y - weights.y) * weights.width + x - weights.x];
        if density > 0.0 {
            forcing
                .dye
                .extend(rasterise_patch(raster, &area, |x, y| dye.map(|v| bounded(v * at(x, y), AMOUNT_MAX) as f32)));
        }
        if heat != 0.0 {
            forcing.heat.extend(rasterise_patch(raster, &area, |x, y| bounded(heat * at(x, y), AMOUNT_MAX) as f32));
        }
    }

    /// Keeps up fuel of an amount at the centre of a disc at rest, with its flame gas, and a temperature where there is
    /// fuel.
    pub fn feed(&self, forcing: &mut Forcing, raster: &Raster<'_>, amount: f64, temperature: f64) {
        if amount <= 0.0 {
            return;
        }
        let Some(weights) = self.weights(raster) else { return };
        let area = CellRange { x: weights.x..weights.x + weights.width, y: weights.y..weights.y + weights.height };
        let at = |x: usize, y: usize| weights.values[(y - weights.y) * weights.width + x - weights.x].min(1.0);
        let gas = rasterise_patch(raster, &area, |x, y| {
            let fuel = at(x, y) * amount;
            [fuel as f32, (FLAME_GAS * fuel).min(1.0) as f32, 0.0, 0.0]
        });
        let warm = |x, y| if at(x, y) > WARM_FROM { temperature as f32 } else { 0.0 };
        forcing.fuel.extend(gas.map(|gas| Fuel { gas, temperature: rasterise_patch(raster, &area, warm) }));
    }

    /// Weight of each cell, 1 at the centre of a disc at rest.
    fn weights(&self, raster: &Raster<'_>) -> Option<Patch<f64>> {
        let images = raster.periodic_offsets();
        let area = self.range(raster, Staggering::Cell);
        let mut cover = rasterise_patch(raster, &area, |x, y| {
            let [x, y] = raster.position_of(Staggering::Cell, x, y);
            images.iter().map(|[dx, dy]| self.stroke.coverage(x - dx, y - dy)).sum()
        })?;
        let sum = self.total_coverage(raster, &cover);
        let factor = if sum > 0.0 { self.disc_area / sum } else { 0.0 };
        let (left, low) = (cover.x, cover.y);
        for_each_row(raster.workers, &mut cover.values, cover.width, |y, row| {
            for (x, value) in row.iter_mut().enumerate() {
                *value *= factor * raster.inflow_factor((low + y) * raster.width + left + x);
                if let Some(breakup) = &self.breakup {
                    let [x, y] = raster.position_of(Staggering::Cell, left + x, low + y);
                    *value *=
                        breakup.factor([raster.origin[0] + x / raster.scale, raster.origin[1] + y / raster.scale]);
                }
            }
        });
        Some(cover)
    }

    /// Sum of the coverage over all cells, including those outside the grid. `cover`: the coverage of the grid's cells.
    fn total_coverage(&self, raster: &Raster<'_>, cover: &Patch<f64>) -> f64 {
        let (low, high) = self.stroke.bounds();
        let cells = [raster.width as f64, raster.height as f64];
        if (0..2).all(|axis| low[axis] >= 0.0 && high[axis] <= cells[axis]) {
            return cover.values.iter().sum();
        }
        if (high[0] - low[0]) * (high[1] - low[1]) > SUMMED_CELLS_MAX {
            return self.stroke.area();
        }
        let mut sums = vec![0.0; (high[1] - low[1]) as usize];
        for_each_row(raster.workers, &mut sums, 1, |row, sum| {
            let y = low[1] + row as f64 + 0.5;
            sum[0] = (0..(high[0] - low[0]) as usize).map(|x| self.stroke.coverage(low[0] + x as f64 + 0.5, y)).sum();
        });
        sums.iter().sum()
    }

    /// Steers the air under the disc. `velocity`, cells per frame, is a function of the offset from the nearest point
    /// of the disc's path, cells. The relaxation per frame falls smoothly from `strength` to 0 over the outer half of
    /// the radius, at least over 1 cell.
    pub fn steer(
        &self,
        forcing: &mut Forcing,
        raster: &Raster<'_>,
        strength: f64,
        velocity: impl Fn([f64; 2]) -> [f64; 2] + Sync,
    ) {
        if raster.time <= 0.0 || strength <= 0.0 {
            return;
        }
        let images = raster.periodic_offsets();
        let rim = (self.radius() / 2.0).max(1.0);
        for (axis, staggering) in FACES.into_iter().enumerate() {
            let patch = rasterise_patch(raster, &self.range(raster, staggering), |column, row| {
                let [x, y] = raster.position_of(staggering, column, row);
                let mut best = [0.0; 2];
                for [dx, dy] in &images {
                    let (x, y) = (x - dx, y - dy);
                    let away = self.stroke.offset(x, y);
                    let distance = libm::sqrt(away[0] * away[0] + away[1] * away[1]);
                    let weight = smoothstep((self.radius() + 0.5 - distance) / rim) * strength;
                    if weight > best[1] {
                        best = [velocity(away)[axis], weight];
                    }
                }
                let weight = raster.over_time(best[1] * raster.mask_at_face(staggering, column, row));
                if weight > 0.0 { [best[0] as f32, weight as f32] } else { [0.0; 2] }
            });
            forcing.steer(staggering, patch);
        }
    }
}

//! Round things that lay down dye and heat and take the air along: what the brush and the jets have in common.

use std::f64::consts::PI;

use super::patch::{Area, drawn, rows};
use super::stage::{FACES, Kind, MOST, Stage, number, smooth};
use super::{Forcing, Patch};
use crate::sim::maths::clamp;
use crate::sim::stroke::Stroke;

/// Strokes over more cells than this that leave the grid lay down what the disc's area says, not the sum over the cells.
const SUMMED_CELLS: f64 = 16_777_216.0;

/// A disc on its way, in cells.
pub(super) struct Disc {
    /// As the dye is drawn.
    stroke: Stroke,
    /// Cells that a disc of this radius and softness covers where cells are small.
    covered: f64,
    /// As the air is drawn, a cell at least.
    radius: f64,
}

impl Disc {
    /// A disc from one canonical place to another; `None` where there is none. What is no place is the other one.
    /// `softness`: share of the radius across which dye and heat fade.
    pub fn new(stage: &Stage<'_>, [previous, centre]: [[f64; 2]; 2], radius: f64, softness: f64) -> Option<Disc> {
        let centre = stage.place(centre)?;
        let radius = stage.radius(radius)?;
        let softness = clamp(softness, 0.0, 1.0);
        let (middle, rim) = (1.0 - softness / 2.0, softness);
        Some(Disc {
            stroke: Stroke::new(stage.place(previous).unwrap_or(centre), centre, radius).softened(softness),
            covered: PI * (middle * middle + rim * rim / 12.0) * radius * radius,
            radius: radius.max(1.0),
        })
    }

    /// Radius of the air that is steered, cells: one at least.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Where it is drawn.
    fn area(&self, stage: &Stage<'_>, kind: Kind) -> Area {
        let (low, high) = self.stroke.bounds();
        Area::between(stage, kind, low, high)
    }

    /// Lays down colour (by a density), density and heat, all as amounts at the middle of a disc that stands still: in all
    /// π radius² of them, less what its softness takes, however small it is and however it moves.
    pub fn lay(&self, forcing: &mut Forcing, stage: &Stage<'_>, colour: [f64; 4], heat: f64) {
        let density = clamp(colour[3], 0.0, MOST);
        let [r, g, b] = [colour[0], colour[1], colour[2]].map(|c| number(c, MOST) * density);
        let dye = [r, g, b, density].map(|v| v * stage.time);
        let heat = number(heat, MOST) * stage.time;
        if density * stage.time == 0.0 && heat == 0.0 {
            return;
        }
        let Some(shares) = self.shares(stage) else { return };
        let area = Area { x: shares.x..shares.x + shares.width, y: shares.y..shares.y + shares.height };
        let at = |x: usize, y: usize| shares.values[(y - shares.y) * shares.width + x - shares.x];
        if density > 0.0 {
            forcing.dye.extend(drawn(stage, &area, |x, y| dye.map(|v| number(v * at(x, y), MOST) as f32)));
        }
        if heat != 0.0 {
            forcing.heat.extend(drawn(stage, &area, |x, y| number(heat * at(x, y), MOST) as f32));
        }
    }

    /// What each cell gets, 1 in the middle of a disc that stands still.
    fn shares(&self, stage: &Stage<'_>) -> Option<Patch<f64>> {
        let images = stage.images();
        let area = self.area(stage, Kind::Cells);
        let mut cover = drawn(stage, &area, |x, y| {
            let [x, y] = stage.at(Kind::Cells, x, y);
            images.iter().map(|[dx, dy]| self.stroke.coverage(x - dx, y - dy)).sum()
        })?;
        let sum = self.sum(stage, &cover);
        let factor = if sum > 0.0 { self.covered / sum } else { 0.0 };
        let (left, low) = (cover.x, cover.y);
        rows(stage.workers, &mut cover.values, cover.width, |y, row| {
            for (x, value) in row.iter_mut().enumerate() {
                *value *= factor * stage.open((low + y) * stage.width + left + x);
            }
        });
        Some(cover)
    }

    /// Sum of the cover over all cells, also those outside of the grid.
    fn sum(&self, stage: &Stage<'_>, drawn: &Patch<f64>) -> f64 {
        let (low, high) = self.stroke.bounds();
        let cells = [stage.width as f64, stage.height as f64];
        if (0..2).all(|axis| low[axis] >= 0.0 && high[axis] <= cells[axis]) {
            return drawn.values.iter().sum();
        }
        if (high[0] - low[0]) * (high[1] - low[1]) > SUMMED_CELLS {
            return self.stroke.area();
        }
        let mut sums = vec![0.0; (high[1] - low[1]) as usize];
        rows(stage.workers, &mut sums, 1, |row, sum| {
            let y = low[1] + row as f64 + 0.5;
            sum[0] = (0..(high[0] - low[0]) as usize).map(|x| self.stroke.coverage(low[0] + x as f64 + 0.5, y)).sum();
        });
        sums.iter().sum()
    }

    /// Steers the air under it: `velocity` (cells per frame) by the place seen from the nearest one on the disc's way, in
    /// cells. The share of the way to it falls smoothly from `share` to 0 over the outer half of the radius, a cell at least.
    pub fn steer(
        &self,
        forcing: &mut Forcing,
        stage: &Stage<'_>,
        share: f64,
        velocity: impl Fn([f64; 2]) -> [f64; 2] + Sync,
    ) {
        if stage.time <= 0.0 || share <= 0.0 {
            return;
        }
        let images = stage.images();
        let rim = (self.radius() / 2.0).max(1.0);
        for (axis, kind) in FACES.into_iter().enumerate() {
            let patch = drawn(stage, &self.area(stage, kind), |column, row| {
                let [x, y] = stage.at(kind, column, row);
                let mut best = [0.0; 2];
                for [dx, dy] in &images {
                    let (x, y) = (x - dx, y - dy);
                    let away = self.stroke.offset(x, y);
                    let distance = libm::sqrt(away[0] * away[0] + away[1] * away[1]);
                    let weight = smooth((self.radius() + 0.5 - distance) / rim) * share;
                    if weight > best[1] {
                        best = [velocity(away)[axis], weight];
                    }
                }
                let weight = stage.over_time(best[1] * stage.masked_face(kind, column, row));
                if weight > 0.0 { [best[0] as f32, weight as f32] } else { [0.0; 2] }
            });
            forcing.steer(kind, patch);
        }
    }
}

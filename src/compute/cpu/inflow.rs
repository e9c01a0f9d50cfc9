//! What happens once per frame, and each step's share of what flows in and dries up.

use super::Frame;
use super::level::cut;
use super::pool::Nothing;
use crate::sim::fixed::{HEIGHT_MAX, PIGMENT_MAX, raised, rescale};
use crate::sim::program::{Once, Tally};

/// Sets a value; the difference is entered.
fn set(tally: &mut Tally, kind: usize, at: &mut i32, value: i32) {
    let more = i64::from(value) - i64::from(*at);
    tally.added[kind] += more.max(0);
    tally.removed[kind] += (-more).max(0);
    *at = value;
}

impl Frame<'_> {
    /// Everything before the first step.
    pub(super) fn prepare(&mut self) {
        if self.program.clear_solid {
            self.clear_solid();
        }
        if self.program.once.is_some() {
            self.set_once();
        }
        if let Some(p) = self.program.rescale {
            let last = self.water.flow.height() + 1;
            self.pool.rows(
                &mut self.water.flow,
                (0, last),
                || (),
                |(), _, row| {
                    row.iter_mut().for_each(|q| *q = rescale(*q, p));
                    Nothing
                },
            );
        }
    }

    fn clear_solid(&mut self) {
        let Some(solid) = self.program.walls.solid() else {
            return;
        };
        let (w, last) = (self.water.height.width(), self.water.height.height());
        for (first_kind, field) in [(0, Some(&mut self.water.height)), (1, self.water.pigment.as_mut())] {
            let Some(field) = field else { continue };
            self.tally += self.pool.rows(
                field,
                (1, last),
                || (),
                |(), y, row| {
                    let mut tally = Tally::default();
                    for (plane, line) in row.chunks_exact_mut(w + 2).enumerate() {
                        for (v, _) in line[1..=w].iter_mut().zip(&solid[(y - 1) * w..y * w]).filter(|(_, s)| **s) {
                            set(&mut tally, first_kind + plane, v, 0);
                        }
                    }
                    tally
                },
            );
        }
    }

    fn set_once(&mut self) {
        let Some((once, amounts)) = &self.program.once else {
            return;
        };
        let (w, last) = (self.water.height.width(), self.water.height.height());
        let heights = &self.water.height;
        if let Some(pigment) = &mut self.water.pigment {
            self.tally += self.pool.rows(
                pigment,
                (1, last),
                || (),
                |(), y, row| {
                    let mut tally = Tally::default();
                    for (channel, line) in row.chunks_exact_mut(w + 2).enumerate() {
                        for (x, m) in line.iter_mut().enumerate().take(w + 1).skip(1) {
                            let (target, before) = (amounts.row(y, 0)[x], heights.row(y, 0)[x]);
                            let brings = amounts.row(y, channel + 1)[x];
                            match once {
                                Once::Replace if target > 0 => set(&mut tally, channel + 1, m, brings),
                                Once::FillUp if target > before => {
                                    let sum = i64::from(*m) + i64::from(raised(brings, before, target));
                                    let kept = sum.min(i64::from(PIGMENT_MAX));
                                    tally.added[channel + 1] += sum - i64::from(*m);
                                    tally.clamped[channel + 1] += sum - kept;
                                    *m = kept as i32;
                                }
                                _ => {}
                            }
                        }
                    }
                    tally
                },
            );
        }
        self.tally += self.pool.rows(
            &mut self.water.height,
            (1, last),
            || (),
            |(), y, row| {
                let mut tally = Tally::default();
                for (h, &target) in row[1..=w].iter_mut().zip(&amounts.row(y, 0)[1..=w]) {
                    let sets = match once {
                        Once::Replace => target > 0,
                        Once::FillUp => target > *h,
                    };
                    if sets {
                        set(&mut tally, 0, h, target);
                    }
                }
                tally
            },
        );
    }

    /// Adds the step's share of what flows in, cuts at the ceilings, and takes what evaporates.
    pub(super) fn let_in(&mut self, step: u32) {
        let dry = self.program.evaporation_of(step);
        let layers = &self.program.layers;
        let (w, last) = (self.water.height.width(), self.water.height.height());
        // Adds a kind's shares to the cells of row y.
        let add = |kind: usize, y: usize, line: &mut [i32], top: i32, tally: &mut Tally| {
            for layer in layers.iter().filter(|l| kind == 0 || l.coloured) {
                let extent = layer.extents[y - 1].clone();
                // Below the ceiling since the last cut, and no share is above it: three layers fit.
                let mut sum = 0;
                let cells = line[extent.clone()].iter_mut().zip(&layer.shares.row(y, kind)[extent.clone()]);
                if layer.shares.planes() == 8 {
                    for ((v, &base), &rest) in cells.zip(&layer.shares.row(y, kind + 4)[extent]) {
                        let more = base + i32::from((step as i32) < rest);
                        sum += i64::from(more);
                        *v += more;
                    }
                } else {
                    for (v, &more) in cells {
                        sum += i64::from(more);
                        *v += more;
                    }
                }
                tally.added[kind] += sum;
            }
            tally.clamped[kind] += cut(&mut line[1..=w], top);
        };
        if !layers.is_empty() || dry > 0 {
            self.tally += self.pool.rows(
                &mut self.water.height,
                (1, last),
                || (),
                |(), y, row| {
                    let mut tally = Tally::default();
                    if layers.iter().any(|l| !l.extents[y - 1].is_empty()) {
                        add(0, y, row, HEIGHT_MAX, &mut tally);
                    }
                    if dry > 0 {
                        for h in &mut row[1..=w] {
                            let lost = (*h).min(dry);
                            tally.removed[0] += i64::from(lost);
                            *h -= lost;
                        }
                    }
                    tally
                },
            );
        }
        let colours = layers.iter().any(|l| l.coloured);
        if let Some(pigment) = self.water.pigment.as_mut().filter(|_| colours) {
            self.tally += self.pool.rows(
                pigment,
                (1, last),
                || (),
                |(), y, row| {
                    let mut tally = Tally::default();
                    if layers.iter().any(|l| !l.extents[y - 1].is_empty()) {
                        for (channel, line) in row.chunks_exact_mut(w + 2).enumerate() {
                            add(channel + 1, y, line, PIGMENT_MAX, &mut tally);
                        }
                    }
                    tally
                },
            );
        }
    }
}

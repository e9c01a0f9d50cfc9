//! The steps of Ripples on the CPU. GPU: `shaders/water/ripples`.
//!
//! | file | contents |
//! |---|---|
//! | `rows` | the operations on one row, away from walls |
//! | `ring` | the working rows of a band |
//! | `levels` | the head operator, level by level |
//! | `flow` | heads, flows and deviations of a band |
//! | [`mod@reference`] | the scalar reference, for tests |

mod flow;
mod levels;
pub(super) mod reference;
mod ring;
mod rows;

use std::ops::Range;

use crate::compute::cpu::wide::Wide;
use crate::compute::cpu::{Cpu, bands};
use crate::sim::Interrupted;
use crate::sim::memory::Values;
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::rescale;
use crate::sim::water::plan::{FramePlan, InitialSource, MassBalance, Water};
use crate::sim::water::ripples::dispersion::{COARSEST, LEVELS};
use crate::sim::water::ripples::margin::PIPES;
use crate::sim::water::ripples::{DEVIATION, REST, Ripples};
use flow::{Band, Counts, Step};
use levels::{Down, Level, Size};

/// Least number of cells of a band: bands repeat rows of their neighbours.
const BAND_CELLS: usize = 1 << 17;

/// Planes of a level: blurred values; values on the way down, which heads replace on the way up. Level 0 has no plane
/// `head`.
struct Planes {
    blurred: Values<i32>,
    head: Values<i32>,
}

/// The last part of a step in a band: heads of level 0, flows and deviations.
struct End<'a, 'b>(&'a Step<'a>, &'a mut Band<'b>);

impl Wide for End<'_, '_> {
    type Output = Counts;

    #[inline(always)]
    fn run(self) -> Counts {
        self.0.band(self.1)
    }
}

/// Blur and restriction of a band.
struct WayDown<'a, 'b>(&'a Level<'a>, &'a Level<'a>, &'a [i32], &'a mut Down<'b>);

impl Wide for WayDown<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.down(self.1, self.2, self.3);
    }
}

/// Sum and blur of the rows of a band.
struct WayUp<'a> {
    level: &'a Level<'a>,
    rows: Range<usize>,
    blurred: &'a [i32],
    coefficient: i32,
    coarse: Option<(&'a [i32], usize)>,
    out: &'a mut [i32],
}

impl Wide for WayUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let WayUp { level, rows, blurred, coefficient, coarse, out } = self;
        level.up(rows, blurred, coefficient, coarse, out);
    }
}

/// Takes the first `len` values from a slice.
fn front<'a>(rest: &mut &'a mut [i32], len: usize) -> &'a mut [i32] {
    let (front, back) = std::mem::take(rest).split_at_mut(len);
    *rest = back;
    front
}

/// Runs a frame.
///
/// # Errors
/// [`Interrupted`] when `go_on` returns false.
pub(super) fn run(
    cpu: &Cpu,
    plan: &FramePlan,
    ripples: &Ripples,
    water: &Water,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Water, MassBalance), Interrupted> {
    let frame = Frame::new(cpu, plan, ripples);
    let mut balance = MassBalance::default();
    let [width, height] = ripples.margin.size;
    let mut eta = frame.start(water, &mut balance);
    let mut flow: Option<Field> = frame.start_flow(water);
    let mut planes: Vec<Planes> = (0..LEVELS).map(|level| frame.planes(level)).collect();
    for step in 0..plan.steps {
        if !go_on() {
            return Err(Interrupted);
        }
        let mut next_eta = Values::uninitialised(width * height, &cpu.memory);
        let mut next_flow = Field::uninitialised(width, height, PIPES, &cpu.memory);
        let before = flow.as_ref().unwrap_or(&water.flow);
        let counts = frame.step(step, (&eta, before), &mut planes, (&mut next_eta, &mut next_flow));
        balance.added[0] += counts.added;
        balance.clamped[0] += counts.clamped;
        (eta, flow) = (next_eta, Some(next_flow));
    }
    let after = frame.finish(water, &eta, flow);
    // All moves are between two cells of the grid and its margin, so the missing water has left the grid.
    if !ripples.margin.is_empty() {
        balance.drained[0] =
            water.height.sum(0) + balance.added[0] - balance.removed[0] - balance.clamped[0] - after.height.sum(0);
    }
    Ok((after, balance))
}

struct Frame<'a> {
    cpu: &'a Cpu,
    plan: &'a FramePlan,
    ripples: &'a Ripples,
    shares: [Vec<i32>; 2],
}

impl<'a> Frame<'a> {
    fn new(cpu: &'a Cpu, plan: &'a FramePlan, ripples: &'a Ripples) -> Frame<'a> {
        Frame { cpu, plan, ripples, shares: [0, 1].map(|axis| ripples.margin.shares(axis)) }
    }

    fn level(&self, level: usize) -> Level<'_> {
        Level::new(&self.ripples.pyramid, level)
    }

    fn planes(&self, level: usize) -> Planes {
        let cells = self.level(level).width * self.level(level).height;
        let plane = |cells| Values::uninitialised(cells, &self.cpu.memory);
        Planes { blurred: plane(cells), head: plane(if level == 0 { 0 } else { cells }) }
    }

    /// Deviations of a state after the initial source.
    fn start(&self, water: &Water, balance: &mut MassBalance) -> Values<i32> {
        let margin = &self.ripples.margin;
        let [width, height] = margin.size;
        let mut eta: Values<i32> = Values::uninitialised(width * height, &self.cpu.memory);
        let expanded = (!margin.is_empty()).then(|| self.expanded(water).0);
        let heights = expanded.as_ref().unwrap_or(&water.height);
        self.each_row(&mut eta, width, |y, row| {
            row.iter_mut().zip(&heights.row(y + 1, 0)[1..=width]).for_each(|(eta, &height)| *eta = height - REST);
        });
        let Some((initial, amounts)) = &self.plan.initial else { return eta };
        for y in 0..amounts.height() {
            let at = (margin.before[1] + y) * width + margin.before[0];
            let row = &mut eta[at..at + amounts.width()];
            for (eta, &amount) in row.iter_mut().zip(&amounts.row(y + 1, 0)[1..=amounts.width()]) {
                let target = amount - REST;
                let acts = amount > 0 && (*initial == InitialSource::Replace || target > *eta);
                if acts {
                    let change = i64::from(target) - i64::from(*eta);
                    balance.added[0] += change.max(0);
                    balance.removed[0] += (-change).max(0);
                    *eta = target;
                }
            }
        }
        eta
    }

    fn expanded(&self, water: &Water) -> (Field, Field) {
        let [width, height] = self.ripples.margin.size;
        let mut heights = Field::uninitialised(width, height, 1, &self.cpu.memory);
        let mut flow = Field::uninitialised(width, height, PIPES, &self.cpu.memory);
        self.ripples.margin.expand(water, &mut heights, &mut flow);
        (heights, flow)
    }

    /// Flows before the first step; `None` where the flows of the state serve unchanged.
    fn start_flow(&self, water: &Water) -> Option<Field> {
        let mut flow = match (self.ripples.margin.is_empty(), self.plan.rescale) {
            (true, None) => return None,
            (true, Some(_)) => water.flow.clone(),
            (false, _) => self.expanded(water).1,
        };
        if let Some(factor) = self.plan.rescale {
            let rows = flow.height() + 1;
            flow.rows_mut(0, rows).iter_mut().for_each(|q| *q = rescale(*q, factor));
        }
        Some(flow)
    }

    /// The state after the last step.
    fn finish(&self, before: &Water, eta: &[i32], flow: Option<Field>) -> Water {
        let margin = &self.ripples.margin;
        let [width, height] = margin.size;
        let mut heights = Field::uninitialised(width, height, 1, &self.cpu.memory);
        heights.clear_ring();
        let stride = width + 2;
        self.each_row(heights.rows_mut(1, height), stride, |y, row| {
            row[1..=width].iter_mut().zip(&eta[y * width..]).for_each(|(height, &eta)| *height = eta + REST);
        });
        let flow = flow.unwrap_or_else(|| before.flow.clone());
        if margin.is_empty() {
            return Water { height: heights, flow, pigment: None };
        }
        let [width, height] = margin.grid;
        let mut water = Water {
            height: Field::uninitialised(width, height, 1, &self.cpu.memory),
            flow: Field::uninitialised(width, height, before.flow.planes(), &self.cpu.memory),
            pigment: None,
        };
        margin.fold(&heights, &flow, &mut water);
        water
    }

    /// Calls `job` for the rows of a plane, on the device's threads.
    fn each_row(&self, plane: &mut [i32], stride: usize, job: impl Fn(usize, &mut [i32]) + Sync) {
        let mut rest = plane;
        let count = rest.len() / stride;
        let pieces: Vec<_> = bands::bands_of(BAND_CELLS, count, stride)
            .into_iter()
            .map(|rows| (rows.start, front(&mut rest, rows.len() * stride)))
            .collect();
        self.cpu.each(pieces, |(first, rows): (usize, &mut [i32])| {
            rows.chunks_exact_mut(stride).zip(first..).for_each(|(row, y)| job(y, row));
        });
    }

    /// Rows of the bands of a level: an even number in each, except the last.
    fn bands(&self, level: &Level<'_>) -> Vec<Range<usize>> {
        let pairs = bands::bands_of(BAND_CELLS, level.height.div_ceil(2), 2 * level.width);
        pairs.into_iter().map(|pairs| 2 * pairs.start..(2 * pairs.end).min(level.height)).collect()
    }

    /// Sum of the deviations and the pressure, clamped; `None` without pressure.
    fn pressed(&self, eta: &[i32]) -> Option<Values<i32>> {
        let base = self.plan.base.as_ref()?;
        let margin = &self.ripples.margin;
        let width = margin.size[0];
        let mut pressed = Values::uninitialised(eta.len(), &self.cpu.memory);
        self.each_row(&mut pressed, width, |y, row| {
            let base = &base.row(margin.nearest(y, 1) + 1, 0)[1..];
            for (x, (out, &eta)) in row.iter_mut().zip(&eta[y * width..]).enumerate() {
                *out = (eta + base[margin.nearest(x, 0)]).clamp(-DEVIATION, DEVIATION);
            }
        });
        Some(pressed)
    }

    /// Takes a step.
    fn step(
        &self,
        step: u32,
        (eta, flow): (&[i32], &Field),
        planes: &mut [Planes],
        to: (&mut [i32], &mut Field),
    ) -> Counts {
        let pressed = self.pressed(eta);
        let pressed = pressed.as_deref().unwrap_or(eta);
        for level in 0..LEVELS {
            self.down(level, pressed, planes);
        }
        for level in (1..LEVELS).rev() {
            self.up(level, planes);
        }
        let level = self.level(0);
        let (width, stride) = (level.width, level.width + 2);
        let [finest, coarser, ..] = &*planes else { return Counts::default() };
        let work = Step {
            plan: self.plan,
            ripples: self.ripples,
            level,
            step,
            eta,
            pressed,
            flow,
            blurred: &finest.blurred,
            coarse: (&coarser.head, self.level(1).width),
            shares: &self.shares,
        };
        let (mut eta, new_flow) = to;
        for ring in [0, level.height + 1] {
            new_flow.rows_mut(ring, ring).fill(0);
        }
        let mut flow = new_flow.rows_mut(1, level.height);
        let bands: Vec<Band<'_>> = self
            .bands(&level)
            .into_iter()
            .map(|rows| Band {
                eta: front(&mut eta, rows.len() * width),
                flow: front(&mut flow, rows.len() * PIPES * stride),
                rows,
            })
            .collect();
        let counts = self.cpu.each(bands, |mut band: Band<'_>| self.cpu.isa.run(End(&work, &mut band)));
        if level.pyramid.wraps() {
            new_flow.wrap_ring();
        }
        counts.into_iter().fold(Counts::default(), |sum, counts| Counts {
            added: sum.added + counts.added,
            clamped: sum.clamped + counts.clamped,
        })
    }

    /// Blurs a level, and restricts it to the next.
    fn down(&self, level: usize, pressed: &[i32], planes: &mut [Planes]) {
        let here = self.level(level);
        let (own, coarser) = planes[level..].split_at_mut(1);
        let Planes { blurred, head } = &mut own[0];
        let plane = if level == 0 { pressed } else { &**head };
        let Some(coarser) = coarser.first_mut() else {
            for y in 0..here.height {
                let out = &mut blurred[y * here.width..][..here.width];
                here.blur(Size::Small, y, here.three(plane, y), out);
            }
            return;
        };
        let coarse = self.level(level + 1);
        let (mut blurred, mut restricted) = (&mut **blurred, &mut *coarser.head);
        let bands: Vec<Down<'_>> = self
            .bands(&here)
            .into_iter()
            .map(|rows| {
                let coarse_rows = rows.start / 2..rows.end.div_ceil(2);
                Down {
                    blurred: front(&mut blurred, rows.len() * here.width),
                    coarse: front(&mut restricted, coarse_rows.len() * coarse.width),
                    coarse_rows,
                }
            })
            .collect();
        self.cpu.each(bands, |mut band: Down<'_>| self.cpu.isa.run(WayDown(&here, &coarse, plane, &mut band)));
    }

    /// Sums up a level and the coarser ones.
    fn up(&self, level: usize, planes: &mut [Planes]) {
        let here = self.level(level);
        let coefficient = self.ripples.coefficients.levels[level];
        let (own, coarser) = planes[level..].split_at_mut(1);
        let coarse = (level < COARSEST).then(|| (&*coarser[0].head, self.level(level + 1).width));
        let Planes { blurred, head } = &mut own[0];
        let mut head = &mut **head;
        let pieces: Vec<_> = self
            .bands(&here)
            .into_iter()
            .map(|rows| (rows.clone(), front(&mut head, rows.len() * here.width)))
            .collect();
        self.cpu.each(pieces, |(rows, out): (Range<usize>, &mut [i32])| {
            self.cpu.isa.run(WayUp { level: &here, rows, blurred, coefficient, coarse, out })
        });
    }
}

//! The last part of a step: heads of level 0, flows and deviations of a band of rows. GPU: `ripples/head.wgsl`,
//! `ripples/flow.wgsl`, `ripples/level.wgsl`; reference: `ripples/reference.rs`.

use std::ops::Range;

use super::levels::{Level, Size};
use super::ring::Ring;
use super::rows;
use crate::sim::water::domain::{CLOSED, PIPES};
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::{FLOW_MAX, HEIGHT_MAX, WHOLE, mul, signed_part};
use crate::sim::water::plan::{FramePlan, control};
use crate::sim::water::ripples::pyramid::Stencil;
use crate::sim::water::ripples::{DEVIATION, DROP, HEAD, Ripples};

/// Input of the last part of a step.
pub(super) struct Step<'a> {
    pub plan: &'a FramePlan,
    pub ripples: &'a Ripples,
    pub level: Level<'a>,
    /// Number of the step in its frame.
    pub step: u32,
    /// Deviations.
    pub eta: &'a [i32],
    /// Sums of deviation and pressure.
    pub pressed: &'a [i32],
    /// Flows of the step before, ring included.
    pub flow: &'a Field,
    /// Blurred deviations with pressure.
    pub blurred: &'a [i32],
    /// Heads of level 1, and the width of their rows.
    pub coarse: (&'a [i32], usize),
    /// Factors of the margin for columns and for rows, in parts of 65536.
    pub shares: &'a [Vec<i32>; 2],
}

/// The new rows of a band.
pub(super) struct Band<'a> {
    pub rows: Range<usize>,
    pub eta: &'a mut [i32],
    /// All planes of the rows, ring included.
    pub flow: &'a mut [i32],
}

/// Water added to a band, and water removed by clamping.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub added: i64,
    pub clamped: i64,
}

/// Rows of the four flow planes.
type Flows<'a> = [&'a [i32]; 4];

/// Row `y` of the flows, ring coordinates.
fn flows(field: &Field, y: usize) -> Flows<'_> {
    [0, 1, 2, 3].map(|pipe| field.row(y, pipe))
}

/// The four planes of a row.
#[inline(always)]
fn split(all: &[i32], stride: usize) -> Flows<'_> {
    [&all[..stride], &all[stride..2 * stride], &all[2 * stride..3 * stride], &all[3 * stride..4 * stride]]
}

/// Flows of the pipes of a row's cells: those that the row owns, and those that the row below owns.
struct Net<'a> {
    own: Flows<'a>,
    below: Flows<'a>,
}

impl<'a> Net<'a> {
    /// The net flows of a row of `width` cells; all rows include the ring.
    #[inline(always)]
    fn new([a, b, c, d]: Flows<'a>, [e, f, g, h]: Flows<'a>, width: usize) -> Net<'a> {
        let to = width + 2;
        Net { own: [&a[..to], &b[..to], &c[..to], &d[..to]], below: [&e[..to], &f[..to], &g[..to], &h[..to]] }
    }

    /// Net inflow of the cell in column `x`.
    #[inline(always)]
    fn at(&self, x: usize) -> i32 {
        let [east, north, north_east, north_west] = self.own;
        let [_, from_south, from_south_west, from_south_east] = self.below;
        let cross = (east[x] - east[x + 1]) + (from_south[x + 1] - north[x + 1]);
        cross + (from_south_west[x] - north_east[x + 1]) + (from_south_east[x + 2] - north_west[x + 1])
    }
}

impl Step<'_> {
    /// Computes the new flows and deviations of a band.
    #[inline(always)]
    pub fn band(&self, band: &mut Band<'_>) -> Counts {
        let width = self.level.width;
        let stride = width + 2;
        let (mut sums, mut heads) = (Ring::new(width), Ring::new(stride));
        let mut scratch = [(); 2].map(|()| vec![0; width]);
        let mut below = vec![0; 4 * stride];
        let mut counts = Counts::default();
        let (first, end) = (band.rows.start as isize, band.rows.end as isize);
        for y in first - 2..=end + 1 {
            if let Some(row) = self.level.home(y) {
                let blurred = &self.blurred[row * width..][..width];
                let coefficient = self.ripples.coefficients.levels[0];
                self.level.sum(row, blurred, coefficient, Some(self.coarse), &mut scratch, sums.row_mut(y));
            }
            if y > first - 1
                && let Some(row) = self.level.home(y - 1)
            {
                self.head(row, sums.three(y - 1), heads.row_mut(y - 1));
            }
            let done = y - 2;
            let Some(row) = self.level.home(done).filter(|_| done >= first - 1) else { continue };
            let (here, above) = (heads.row(done), heads.row(done + 1));
            if done < first {
                self.flows(row, here, above, &mut below);
                continue;
            }
            let at = (done - first) as usize;
            let (before, from) = band.flow.split_at_mut(at * 4 * stride);
            self.flows(row, here, above, &mut from[..4 * stride]);
            let lower = if at == 0 { &below[..] } else { &before[(at - 1) * 4 * stride..] };
            counts = self.level_row(row, lower, &from[..4 * stride], &mut band.eta[at * width..][..width], counts);
        }
        counts
    }

    /// Heads of row `y`, from the sums of the pyramid in the rows below, at and above it; `out` includes the ring.
    #[inline(always)]
    fn head(&self, y: usize, sums: [&[i32]; 3], out: &mut [i32]) {
        let (level, width) = (&self.level, self.level.width);
        let cells = &mut out[1..=width];
        level.blur(Size::Near, y, sums, cells);
        let three = level.three(self.pressed, y);
        let by = &self.ripples.coefficients;
        for span in level.pyramid.levels()[0].spans(Stencil::Blur, y) {
            if span.plain {
                rows::local(three, [by.cell, by.faces, by.diagonals], cells, span.from, span.to);
            } else {
                self.local_cells(y, cells, span.from..span.to);
            }
        }
        let moved = Net::new(flows(self.flow, y + 1), flows(self.flow, y), width);
        let smoothing = self.plan.smoothing;
        if self.plan.control.is_some() {
            for (x, head) in cells.iter_mut().enumerate() {
                let viscous = mul(moved.at(x).clamp(-HEIGHT_MAX, HEIGHT_MAX), smoothing);
                let part = signed_part(viscous, self.control([x, y], control::SMOOTHING));
                *head = head.wrapping_add(part).clamp(-HEAD, HEAD);
            }
        } else {
            for (x, head) in cells.iter_mut().enumerate() {
                let viscous = rows::scaled(moved.at(x).clamp(-HEIGHT_MAX, HEIGHT_MAX), smoothing);
                *head = head.wrapping_add(viscous).clamp(-HEAD, HEAD);
            }
        }
        let wraps = level.pyramid.wraps();
        (out[0], out[width + 1]) = if wraps { (out[width], out[1]) } else { (0, 0) };
    }

    /// Adds the terms of level 0 alone to cells near walls.
    #[inline(never)]
    fn local_cells(&self, y: usize, out: &mut [i32], columns: Range<usize>) {
        let (pyramid, width, by) = (self.level.pyramid, self.level.width, &self.ripples.coefficients);
        for x in columns {
            if pyramid.mass(0, x, y) == 0 {
                out[x] = 0;
                continue;
            }
            let own = self.pressed[y * width + x];
            let (mut faces, mut diagonals) = (0_i32, 0_i32);
            let around = pyramid.blur(0, x, y);
            for (at, &(cell, weight)) in around[..8].iter().enumerate().filter(|(_, (_, weight))| *weight > 0) {
                let difference = own - self.pressed[cell];
                if at % 4 < 2 {
                    faces += difference;
                    diagonals += (weight as i32 / 256 - 4) * difference;
                } else {
                    diagonals += 2 * difference;
                }
            }
            let sum = rows::product(own, by.cell)
                .wrapping_add(rows::product(faces, by.faces))
                .wrapping_add(rows::half_product(diagonals, by.diagonals));
            out[x] = out[x].wrapping_add(sum);
        }
    }

    /// The control share of a plane of the maps at a cell; whole without maps.
    fn control(&self, [x, y]: [usize; 2], plane: usize) -> u32 {
        let margin = &self.ripples.margin;
        self.plan
            .control
            .as_ref()
            .map_or(WHOLE, |field| field.at(margin.nearest(x, 0), margin.nearest(y, 1), plane) as u32)
    }

    /// New flows of the pipes that row `y` owns, from the heads of the row and of the row above; all include the ring.
    #[inline(always)]
    fn flows(&self, y: usize, here: &[i32], above: &[i32], out: &mut [i32]) {
        let width = self.level.width;
        let stride = width + 2;
        out.fill(0);
        let old = flows(self.flow, y + 1);
        let uniform = self.plan.control.is_none() && self.plan.push.is_none();
        for span in self.level.pyramid.domain().spans(y + 1) {
            let (from, to) = ((span.from as usize).max(1), (span.to as usize).min(width + 1));
            if !(span.plain && uniform) {
                self.flow_cells(y, here, above, out, from..to);
                continue;
            }
            for (pipe, (old, out)) in old.into_iter().zip(out.chunks_exact_mut(stride)).enumerate() {
                let far = match pipe {
                    0 => &here[from + 1..to + 1],
                    1 => &above[from..to],
                    2 => &above[from + 1..to + 1],
                    _ => &above[from - 1..to - 1],
                };
                let (near, old, out) = (&here[from..to], &old[from..to], &mut out[from..to]);
                if pipe < 2 {
                    self.accelerate(
                        near,
                        far,
                        old,
                        out,
                        #[inline(always)]
                        |drop| drop,
                    );
                } else {
                    self.accelerate(
                        near,
                        far,
                        old,
                        out,
                        #[inline(always)]
                        |drop| {
                            let size = (drop.abs() + 2) >> 2;
                            if drop < 0 { -size } else { size }
                        },
                    );
                }
            }
        }
        self.absorb(y, out);
        if self.level.pyramid.wraps() {
            for row in out.chunks_exact_mut(stride) {
                (row[0], row[width + 1]) = (row[width], row[1]);
            }
        }
    }

    /// New flows of pipes without control maps and pushes, from the heads at both ends; `pull` turns a drop into a
    /// change of the flow.
    #[inline(always)]
    fn accelerate(&self, near: &[i32], far: &[i32], old: &[i32], out: &mut [i32], pull: impl Fn(i32) -> i32) {
        let keep = self.plan.keep;
        if keep.value() == 1.0 {
            for (((out, &old), &near), &far) in out.iter_mut().zip(old).zip(near).zip(far) {
                *out = (old + pull((near - far).clamp(-DROP, DROP))).clamp(-FLOW_MAX, FLOW_MAX);
            }
        } else {
            for (((out, &old), &near), &far) in out.iter_mut().zip(old).zip(near).zip(far) {
                let kept = rows::scaled(old, keep);
                *out = (kept + pull((near - far).clamp(-DROP, DROP))).clamp(-FLOW_MAX, FLOW_MAX);
            }
        }
    }

    /// New flows of pipes of any kind, with control maps and pushes.
    #[inline(never)]
    fn flow_cells(&self, y: usize, here: &[i32], above: &[i32], out: &mut [i32], columns: Range<usize>) {
        let Step { plan, ripples, level, .. } = self;
        let stride = level.width + 2;
        let codes = level.pyramid.domain().codes(y + 1);
        let half = |[x, y]: [usize; 2], axis: usize| {
            let margin = &ripples.margin;
            plan.push.as_ref().map_or(0, |push| push.at(margin.nearest(x, 0), margin.nearest(y, 1), axis))
        };
        for x in columns {
            for (pipe, (dx, dy)) in PIPES.into_iter().enumerate() {
                let code = codes[x] >> (4 * pipe) & CLOSED;
                if code == CLOSED {
                    continue;
                }
                let row = if dy == 0 { here } else { above };
                let cell = [x - 1, y];
                let far = [
                    (x - 1 + level.width).wrapping_add_signed(dx) % level.width,
                    (y + level.height).wrapping_add_signed(dy) % level.height,
                ];
                let [east, north] = [0, 1].map(|axis| half(cell, axis) + half(far, axis));
                let push = ripples.push.of([east, north, east + north, north - east][pipe], DROP);
                let drop = (here[x] - row[x.wrapping_add_signed(dx)] + push).clamp(-DROP, DROP);
                let size = drop.abs();
                let size = if pipe < 2 { (size * (8 + i32::from(code)) + 4) >> 3 } else { (size + 2) >> 2 };
                let pull = if drop < 0 { -size } else { size };
                let share = |plane: usize| (self.control(cell, plane) + self.control(far, plane)) / 2;
                let old = self.flow.row(y + 1, pipe)[x];
                let kept = old - signed_part(old - mul(old, plan.keep), share(control::LOSS));
                let next = signed_part(kept, share(control::REST)) + signed_part(pull, share(control::PULL));
                out[pipe * stride + x] = next.clamp(-FLOW_MAX, FLOW_MAX);
            }
        }
    }

    /// Multiplies the flows in the margin by its factors.
    #[inline(always)]
    fn absorb(&self, y: usize, out: &mut [i32]) {
        if self.ripples.margin.is_empty() {
            return;
        }
        let (width, [columns, by_row]) = (self.level.width, self.shares);
        let stride = width + 2;
        for ((dx, dy), out) in PIPES.into_iter().zip(out.chunks_exact_mut(stride)) {
            let row = by_row[y].min(*by_row.get(y + dy as usize).unwrap_or(&by_row[y]));
            for range in self.absorbing(row) {
                rows::share_all(
                    out,
                    #[inline(always)]
                    |x| {
                        let far = (x - 1).saturating_add_signed(dx).min(width - 1);
                        columns[x - 1].min(columns[far]).min(row)
                    },
                    range.start + 1,
                    range.end + 1,
                );
            }
        }
    }

    /// The columns of the margin in a row whose factor is `row`: all columns where that is below 1, else those on both
    /// sides of the grid.
    fn absorbing(&self, row: i32) -> [Range<usize>; 2] {
        let (margin, width) = (&self.ripples.margin, self.level.width);
        if row < WHOLE as i32 {
            return [0..width, 0..0];
        }
        // A pipe of the grid may lead to the margin: one more column on each side.
        let end = margin.before[0] + margin.grid[0];
        [0..(margin.before[0] + 1).min(width), end.saturating_sub(1).max(margin.before[0] + 1).min(width)..width]
    }

    /// New deviations of row `y`, from the new flows that the row below (`lower`) and the row (`own`) own, and from the
    /// inflow.
    #[inline(always)]
    fn level_row(&self, y: usize, lower: &[i32], own: &[i32], out: &mut [i32], mut counts: Counts) -> Counts {
        let (margin, width) = (&self.ripples.margin, self.level.width);
        let stride = width + 2;
        let moved = Net::new(split(own, stride), split(lower, stride), width);
        let eta = &self.eta[y * width..][..width];
        for (x, (out, &eta)) in out.iter_mut().zip(eta).enumerate() {
            *out = eta + moved.at(x);
        }
        let grid_row = y.checked_sub(margin.before[1]).filter(|&row| row < margin.grid[1]);
        if let Some(row) = grid_row {
            for inflow in &self.plan.inflows {
                let shared = inflow.shares.planes() == 8;
                for x in inflow.extents[row].clone() {
                    let rest = if shared { inflow.shares.row(row + 1, 4)[x] } else { 0 };
                    let more = inflow.shares.row(row + 1, 0)[x] + i32::from((self.step as i32) < rest);
                    out[margin.before[0] + x - 1] += more;
                    counts.added += i64::from(more);
                }
            }
        }
        let grid = margin.before[0]..margin.before[0] + margin.grid[0];
        let grid = if grid_row.is_some() { grid } else { 0..0 };
        let mut any = 0;
        for value in &out[grid.clone()] {
            any |= value - value.clamp(&-DEVIATION, &DEVIATION);
        }
        if any != 0 {
            let excess = |&value: &i32| i64::from(value - value.clamp(-DEVIATION, DEVIATION));
            counts.clamped += out[grid].iter().map(excess).sum::<i64>();
        }
        for value in out.iter_mut() {
            *value = (*value).clamp(-DEVIATION, DEVIATION);
        }
        if !margin.is_empty() {
            let [columns, rows] = self.shares;
            let row = rows[y];
            for range in self.absorbing(row) {
                rows::share_all(
                    out,
                    #[inline(always)]
                    |x| columns[x].min(row),
                    range.start,
                    range.end,
                );
            }
        }
        counts
    }
}

//! Sampling one raster onto another, axis by axis.
//!
//! Between coinciding rasters samples are copied exactly. A coarser target sample is the average of the source samples
//! that it covers; a finer one is interpolated linearly between the two nearest centres. A target sample whose centre
//! is outside the source is 0. For one whose centre is inside, source samples beyond the border count as those at the
//! border, so that a picture does not fade at its edges.

use std::ops::Range;

use super::placement::{Axis, Placement};

/// Tolerance, in source samples, within which two rasters count as coinciding.
const COINCIDE: f64 = 1e-6;

/// The weights of one axis: target sample i is the sum of `weights[i]` over source samples from `first[i]` on.
pub struct Taps {
    spans: Vec<(usize, Range<usize>)>,
    weights: Vec<f32>,
    copies: bool,
}

impl Taps {
    /// Weights from `source` to `target`.
    pub fn new(source: Axis, target: Axis) -> Self {
        let mut taps = Self { spans: Vec::with_capacity(target.count), weights: Vec::new(), copies: true };
        let step = target.size / source.size;
        for i in 0..target.count {
            let low = (target.start - source.start) / source.size + i as f64 * step;
            taps.push(low, step, source.count);
        }
        taps
    }

    fn push(&mut self, low: f64, step: f64, count: usize) {
        let start = self.weights.len();
        let centre = low + step / 2.0;
        let inside = centre >= 0.0 && centre < count as f64;
        if !inside {
            self.spans.push((0, start..start));
            return;
        }
        let last = count as i64 - 1;
        let nearest = |index: f64| (index as i64).clamp(0, last);
        let whole = low.round();
        if (step - 1.0).abs() <= COINCIDE && (low - whole).abs() <= COINCIDE {
            self.add(&[(nearest(whole), 1.0)]);
        } else if step > 1.0 + COINCIDE {
            let high = low + step;
            let mut shares = Vec::new();
            let mut index = low.floor();
            while index < high - COINCIDE {
                let covered = high.min(index + 1.0) - low.max(index);
                if covered > COINCIDE {
                    shares.push((nearest(index), covered / step));
                }
                index += 1.0;
            }
            self.add(&shares);
        } else {
            let left = (centre - 0.5).floor();
            let share = centre - 0.5 - left;
            self.add(&[(nearest(left), 1.0 - share), (nearest(left + 1.0), share)]);
        }
    }

    /// Appends the weights of a target sample, given with rising source indices; weights of equal indices are summed.
    fn add(&mut self, shares: &[(i64, f64)]) {
        let start = self.weights.len();
        let first = shares[0].0;
        for (index, share) in shares {
            let at = start + (index - first) as usize;
            if at == self.weights.len() {
                self.weights.push(*share as f32);
            } else {
                self.weights[at] += *share as f32;
            }
        }
        self.copies &= shares.len() == 1;
        self.spans.push((first as usize, start..self.weights.len()));
    }

    /// Number of target samples.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no target samples.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The source samples of a target sample, with their weights; empty for one outside the source.
    pub fn of(&self, target: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let (first, range) = &self.spans[target];
        self.weights[range.clone()].iter().enumerate().map(move |(i, weight)| (first + i, *weight))
    }

    /// The copied range, if each target sample inside the source is a copy of one source sample, in the same order.
    fn copied(&self) -> Option<Copied> {
        let inside = |span: &(usize, Range<usize>)| !span.1.is_empty();
        let first = self.spans.iter().position(inside)?;
        let end = self.spans.iter().rposition(inside)? + 1;
        let copied = Copied { to: first..end, from: self.spans[first].0 };
        let mut run = self.spans[first..end].iter().enumerate();
        let straight = self.copies && run.all(|(i, span)| inside(span) && span.0 == copied.from + i);
        straight.then_some(copied)
    }
}

/// A range of an axis that is copied; target samples outside it are outside the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The target samples.
    pub to: Range<usize>,
    /// The source sample of the first of them.
    pub from: usize,
}

impl Copied {
    /// The source sample of a target sample; `None` outside the source.
    pub fn source_of(&self, target: usize) -> Option<usize> {
        self.to.contains(&target).then(|| self.from + (target - self.to.start))
    }
}

/// Sampling of one raster onto another. Bands of target rows are independent of each other, and may be computed on any
/// thread: a row does not depend on its band.
pub struct Resampling {
    columns: Taps,
    rows: Taps,
    source_width: usize,
    copied_columns: Option<Copied>,
    copied_rows: Option<Copied>,
}

impl Resampling {
    /// The sampling of `source` onto `target`.
    pub fn new(source: &Placement, target: &Placement) -> Self {
        let (columns, rows) = (Taps::new(source.x, target.x), Taps::new(source.y, target.y));
        let (copied_columns, copied_rows) = (columns.copied(), rows.copied());
        Self { columns, rows, source_width: source.x.count, copied_columns, copied_rows }
    }

    /// The copied ranges of columns and rows, if all target samples inside the source are copies.
    pub fn copied(&self) -> Option<(&Copied, &Copied)> {
        self.copied_columns.as_ref().zip(self.copied_rows.as_ref())
    }

    /// Columns of the target.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Computes the target rows of a band in rising order. `row(y, out)` fills `out`, of the width of the source, with
    /// a source row; it is called once for each needed row, in rising order. `sink(y, pixels)` receives the finished
    /// rows.
    pub fn band(
        &self,
        band: Range<usize>,
        mut row: impl FnMut(usize, &mut [[f32; 4]]),
        mut sink: impl FnMut(usize, &[[f32; 4]]),
    ) {
        let (rows, width) = (&self.rows, self.width());
        let mut raw = vec![[0.0_f32; 4]; self.source_width];
        let mut out = vec![[0.0_f32; 4]; width];
        // Source rows sampled along x that a later target row may need.
        let mut kept: Vec<(usize, Vec<[f32; 4]>)> = Vec::new();
        for y in band {
            let first = rows.of(y).map(|(index, _)| index).min();
            let (mut stale, fresh): (Vec<_>, Vec<_>) = kept.into_iter().partition(|(index, _)| Some(*index) < first);
            kept = fresh;
            for (index, _) in rows.of(y) {
                if kept.iter().any(|(known, _)| *known == index) {
                    continue;
                }
                let mut line = stale.pop().map_or_else(|| vec![[0.0; 4]; width], |(_, line)| line);
                row(index, &mut raw);
                match &self.copied_columns {
                    Some(Copied { to, from }) => line[to.clone()].copy_from_slice(&raw[*from..*from + to.len()]),
                    None => sample_row(&self.columns, &raw, &mut line),
                }
                kept.push((index, line));
            }
            let mut parts = rows.of(y).filter_map(|(index, weight)| {
                kept.iter().find(|(known, _)| *known == index).map(|(_, line)| (line, weight))
            });
            match (parts.next(), rows.spans[y].1.len()) {
                (Some((line, _)), 1) => out.copy_from_slice(line),
                (Some((line, weight)), _) => {
                    for (sum, value) in out.as_flattened_mut().iter_mut().zip(line.as_flattened()) {
                        *sum = value * weight;
                    }
                    for (line, weight) in parts {
                        for (sum, value) in out.as_flattened_mut().iter_mut().zip(line.as_flattened()) {
                            *sum += value * weight;
                        }
                    }
                }
                (None, _) => out.fill([0.0; 4]),
            }
            sink(y, &out);
        }
    }
}

fn sample_row(columns: &Taps, raw: &[[f32; 4]], line: &mut [[f32; 4]]) {
    for (x, pixel) in line.iter_mut().enumerate() {
        let mut sum = [0.0_f32; 4];
        for (index, weight) in columns.of(x) {
            for (total, v) in sum.iter_mut().zip(raw[index]) {
                *total += v * weight;
            }
        }
        *pixel = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(start: f64, size: f64, count: usize) -> Axis {
        Axis { start, size, count }
    }

    /// Samples a picture of one channel, in bands of `rows`.
    fn run_by(rows: usize, source: &Placement, target: &Placement, pixels: &[f32]) -> Vec<f32> {
        let width = source.x.count;
        let mut result = Vec::new();
        let read = |y: usize, out: &mut [[f32; 4]]| {
            for (x, pixel) in out.iter_mut().enumerate() {
                *pixel = [pixels[y * width + x]; 4];
            }
        };
        let resampling = Resampling::new(source, target);
        for from in (0..target.y.count).step_by(rows) {
            let band = from..(from + rows).min(target.y.count);
            resampling.band(band, read, |_, row| result.extend(row.iter().map(|pixel| pixel[0])));
        }
        result
    }

    fn run(source: &Placement, target: &Placement, pixels: &[f32]) -> Vec<f32> {
        run_by(usize::MAX, source, target, pixels)
    }

    #[test]
    fn a_row_does_not_depend_on_its_band() {
        let source = Placement { x: axis(-1.0, 1.0, 9), y: axis(0.3, 1.0, 23) };
        let pixels: Vec<f32> = (0..9 * 23).map(|i| (i * 37 % 101) as f32 / 7.0).collect();
        for (size, count) in [(1.0, 23), (0.37, 70), (2.6, 9), (40.0, 1)] {
            let target = Placement { x: axis(0.1, size, 8), y: axis(-0.7, size, count) };
            let whole = run(&source, &target, &pixels);
            for rows in [1, 2, 5] {
                assert_eq!(run_by(rows, &source, &target, &pixels), whole, "{size}, {rows} rows at a time");
            }
        }
    }

    #[test]
    fn what_is_copied_is_told_with_its_margins() {
        let target = axis(-2.0, 1.0, 9);
        let copied = |source| Taps::new(source, target).copied();
        assert_eq!(copied(axis(0.0, 1.0, 4)), Some(Copied { to: 2..6, from: 0 }));
        assert_eq!(copied(axis(-5.0, 1.0, 100)), Some(Copied { to: 0..9, from: 3 }));
        assert_eq!(copied(axis(0.5, 1.0, 4)), None);
        assert_eq!(copied(axis(0.0, 2.0, 4)), None);
        assert_eq!(copied(axis(50.0, 1.0, 4)), None);
        let some = Copied { to: 2..6, from: 10 };
        assert_eq!([1, 2, 5, 6].map(|target| some.source_of(target)), [None, Some(10), Some(13), None]);
    }

    #[test]
    fn coinciding_rasters_are_copied_with_their_nans() {
        let source = Placement { x: axis(-3.0, 1.0, 4), y: axis(0.0, 1.0, 2) };
        let target = Placement { x: axis(-2.0, 1.0, 4), y: axis(-1.0, 1.0, 3) };
        let pixels = [1.0, f32::NAN, 1e30, 4.0, 5.0, 6.0, 7.0, 8.0];
        let out = run(&source, &target, &pixels);
        let expected = [0.0, 0.0, 0.0, 0.0, f32::NAN, 1e30, 4.0, 0.0, 6.0, 7.0, 8.0, 0.0];
        assert_eq!(out.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), expected.map(f32::to_bits));
    }

    #[test]
    fn coarser_averages_and_finer_draws_straight_lines() {
        let fine = Placement { x: axis(0.0, 1.0, 4), y: axis(0.0, 1.0, 2) };
        let coarse = Placement { x: axis(0.0, 2.0, 2), y: axis(0.0, 2.0, 1) };
        assert_eq!(run(&fine, &coarse, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), [2.5, 4.5]);
        let line = Placement { x: axis(0.0, 2.0, 2), y: axis(0.0, 1.0, 1) };
        let finer = Placement { x: axis(0.0, 1.0, 4), y: axis(0.0, 1.0, 1) };
        assert_eq!(run(&line, &finer, &[0.0, 4.0]), [0.0, 1.0, 3.0, 4.0]);
    }

    #[test]
    fn an_average_of_a_constant_is_that_constant_at_any_scale() {
        let source = Placement { x: axis(0.0, 0.7, 300), y: axis(0.0, 1.3, 7) };
        for count in [1, 7, 64, 299, 1000] {
            let target = Placement { x: axis(0.0, 210.0 / count as f64, count), y: axis(0.0, 9.1, 1) };
            for value in run(&source, &target, &[0.5; 2100]) {
                assert!((value - 0.5).abs() < 1e-5, "{value} at {count}");
            }
        }
    }

    #[test]
    fn an_empty_source_gives_nothing() {
        let source = Placement { x: axis(0.0, 1.0, 0), y: axis(0.0, 1.0, 0) };
        let target = Placement { x: axis(0.0, 1.0, 3), y: axis(0.0, 1.0, 1) };
        assert_eq!(run(&source, &target, &[]), [0.0; 3]);
    }
}

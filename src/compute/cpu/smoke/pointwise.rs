//! Operations on each value of a field by itself. GPU: `stamp.wgsl`, `shift.wgsl`, `reflect.wgsl`, `scale.wgsl`,
//! `sanitise.wgsl`, `velocity_statistics.wgsl`; reference: `tests/reference/mod.rs` and `transport.rs`.

use super::super::lanes::floats::{Floats, WIDTH};
use super::super::wide::Wide;
use super::band::{Band, Pass};
use super::operands::VelocityStatistics;
use super::operands::{FieldKind, Rectangle, Stamp, VALUE_MAX};
use super::sample::prefetch_at;
use super::value::{clamped, greatest};

/// A stamp: applies a rectangle of values to the values of a field under it.
pub(super) struct StampArea<'a> {
    pub kind: FieldKind,
    /// Columns of the field.
    pub columns: usize,
    pub stamp: Stamp,
    pub area: Rectangle<&'a [f32]>,
    /// Solid cells, for fields of cells.
    pub solid: Option<&'a [f32]>,
}

impl Pass for StampArea<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let area = &self.area;
        let values = self.kind.components();
        let taken = if self.stamp == Stamp::Steer { 2 } else { values };
        let (first, end) = (area.y.max(band.first), (area.y + area.height).min(band.first + band.rows));
        let width = area.width.min(self.columns.saturating_sub(area.x));
        for y in first..end.max(first) {
            let at = (y - band.first) * self.columns + area.x;
            let to = &mut band.one[at * values..(at + width) * values];
            let from = &area.values[(y - area.y) * area.width * taken..][..width * taken];
            match (self.kind, self.solid) {
                (FieldKind::Cell | FieldKind::Dye, Some(solid)) => {
                    let solid = &solid[y * self.columns + area.x..][..width];
                    for (l, _) in solid.iter().enumerate().filter(|(_, solid)| **solid == 0.0) {
                        let (to, from) = (&mut to[l * values..][..values], &from[l * taken..][..taken]);
                        stamp(self.stamp, from, to);
                    }
                }
                _ => stamp(self.stamp, from, to),
            }
        }
    }
}

/// Applies the values `from` of a stamp to the values `to` of a field.
#[inline(always)]
fn stamp(stamp: Stamp, from: &[f32], to: &mut [f32]) {
    match stamp {
        Stamp::Add { share } => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = clamped(*to + share * from);
            }
        }
        Stamp::Steer => {
            for (to, from) in to.iter_mut().zip(from.as_chunks::<2>().0) {
                *to = clamped(*to + (from[0] - *to) * from[1]);
            }
        }
        Stamp::Raise => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = clamped(greatest(*from, *to));
            }
        }
        Stamp::Fuel => {
            for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
                let [fuel, gas] = [0, 1].map(|part| clamped(greatest(from[part], to[part])));
                *to = [fuel, gas, to[2] * (1.0 - from[1]), to[3]];
            }
        }
        Stamp::Replace | Stamp::FillUp => {
            for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
                let below = if stamp == Stamp::Replace { 0.0 } else { to[3] };
                if from[3] > below {
                    *to = from.map(clamped);
                }
            }
        }
    }
}

/// Shifts a field by whole cells.
pub(super) struct Shift<'a> {
    pub columns: usize,
    pub rows: usize,
    /// Numbers per position.
    pub values: usize,
    /// Shift per axis: the result at p is the value at p + by.
    pub by: [i64; 2],
    pub from: &'a [f32],
}

impl Pass for Shift<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let (columns, [dx, dy]) = (self.columns as i64, self.by);
        let stride = self.columns * self.values;
        let (first, end) = ((-dx).clamp(0, columns), (columns - dx.clamp(-columns, columns)).clamp(0, columns));
        for (row, to) in band.one.chunks_exact_mut(stride).enumerate() {
            to.fill(0.0);
            let y = ((band.first + row) as i64).saturating_add(dy);
            if (0..self.rows as i64).contains(&y) && first < end {
                let from = &self.from[y as usize * stride..][..stride];
                let len = (end - first) as usize * self.values;
                let [source, target] = [first + dx, first].map(|x| x as usize * self.values);
                to[target..target + len].copy_from_slice(&from[source..source + len]);
            }
        }
    }
}

/// Reflection of a field: `to ← 2·projected − to`.
pub(super) struct Reflect<'a> {
    pub projected: &'a [f32],
}

impl Pass for Reflect<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        for (to, projected) in band.one.iter_mut().zip(&self.projected[band.first..]) {
            *to = 2.0 * projected - *to;
        }
    }
}

/// Values times a number; 0 where the product is not finite.
pub(super) struct Scale<'a> {
    pub by: f32,
    pub from: &'a [f32],
}

impl Pass for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        for (to, from) in band.one.iter_mut().zip(&self.from[band.first..]) {
            let value = from * self.by;
            *to = if value.is_finite() { value } else { 0.0 };
        }
    }
}

/// Sets values that are not finite to 0 and clamps the others.
pub(super) struct Sanitise;

impl Pass for Sanitise {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        band.one.iter_mut().for_each(|value| {
            let finite = value.is_finite();
            *value = if finite { clamped(*value) } else { 0.0 };
        });
    }
}

/// The largest absolute value within ±[`VALUE_MAX`], and the number of values that are not finite or beyond.
#[inline(always)]
pub(super) fn statistics(values: &[f32]) -> VelocityStatistics {
    const LANES: usize = 32;
    // Chunks between a chunk and its prefetch.
    const AHEAD: usize = 32;
    let (chunks, rest) = values.as_chunks::<LANES>();
    // The bit patterns of non-negative floats, read as integers, sort like the floats; infinity and NaN sort last.
    let size = |value: f32| value.to_bits() & 0x7fff_ffff;
    let mut largest = [0; LANES];
    for (at, chunk) in chunks.iter().enumerate() {
        for line in 0..2 {
            prefetch_at(values, (at + AHEAD) * LANES + line * WIDTH);
        }
        for l in 0..LANES {
            largest[l] = largest[l].max(size(chunk[l]));
        }
    }
    let mut most = 0;
    for size in &largest {
        most = most.max(*size);
    }
    for value in rest {
        most = most.max(size(*value));
    }
    let largest = f32::from_bits(most);
    if largest <= VALUE_MAX { VelocityStatistics { largest, bad: 0 } } else { statistics_of_bad(values) }
}

/// [`statistics`] of values of which some are not finite or beyond the bounds.
#[cold]
#[inline(never)]
fn statistics_of_bad(values: &[f32]) -> VelocityStatistics {
    values.iter().map(|value| value.abs()).fold(VelocityStatistics::default(), |all, size| {
        let good = size <= VALUE_MAX;
        all.and(VelocityStatistics { largest: if good { size } else { 0.0 }, bad: u64::from(!good) })
    })
}

/// [`statistics`] as a kernel.
pub(super) struct Statistics<'a>(pub &'a [f32]);

impl Wide for Statistics<'_> {
    type Output = VelocityStatistics;

    #[inline(always)]
    fn run(self) -> VelocityStatistics {
        statistics(self.0)
    }
}

//! Places on a lattice, a run of columns at a time.

use super::axis::Axis;
use super::inner::{Inner, Near};
use super::value::{Value, greatest, least};

/// Columns that are looked at together.
pub(super) const RUN: usize = 64;

/// A number for each column of a run.
pub(super) type Run = [f32; RUN];

/// The greatest whole number that is at most `value`, which is within ±2²¹; as an integer, too. Compilers call a function for
/// `f32::floor` where a processor may have no instruction for it.
#[inline(always)]
fn floor(value: f32) -> (f32, i32) {
    // Numbers of this size are whole, and their lowest bits are an integer's.
    const WHOLE: f32 = 12_582_912.0;
    let nearest = (value + WHOLE) - WHOLE;
    let whole = if nearest > value { nearest - 1.0 } else { nearest };
    (whole, (whole + WHOLE).to_bits() as i32 - WHOLE.to_bits() as i32)
}

/// Where the columns of a run are to be looked up: indices and fractions per axis.
pub(super) struct Spots {
    pub index: [[i32; RUN]; 2],
    pub part: [Run; 2],
    /// Least and greatest index per axis.
    pub bounds: [[i32; 2]; 2],
}

impl Spots {
    /// Places at `offset` from the values (`x0` + 0 …, `y`) of lattice `at`, on lattice `on`.
    #[inline(always)]
    pub fn new(on: [Axis; 2], at: [Axis; 2], [x0, y]: [usize; 2], offset: &[Run; 2]) -> Spots {
        let mut spots = Spots { index: [[0; RUN]; 2], part: [[0.0; RUN]; 2], bounds: [[i32::MAX, i32::MIN]; 2] };
        for axis in 0..2 {
            let [low, high] = on[axis].range();
            let step = on[axis].step(at[axis]);
            let [mut first, mut last] = spots.bounds[axis];
            for l in 0..RUN {
                let base = if axis == 0 { x0 as i32 + l as i32 } else { y as i32 };
                let from = base as f32;
                let offset = least(greatest(offset[axis][l] + step, low - from), high - from);
                let (whole, steps) = floor(offset);
                let index = base + steps;
                spots.index[axis][l] = index;
                spots.part[axis][l] = offset - whole;
                first = first.min(index);
                last = last.max(index);
            }
            spots.bounds[axis] = [first, last];
        }
        spots
    }

    /// Whether all values around are on the lattice, so many below each place and so many above it.
    #[inline(always)]
    pub fn inside(&self, on: [Axis; 2], [below, above]: [i32; 2]) -> bool {
        let [[left, right], [bottom, top]] = self.bounds;
        left >= below && right < on[0].values - above && bottom >= below && top < on[1].values - above
    }

    /// The indices on a plane of the values `below` rows and columns before each place; where those are on the lattice.
    #[inline(always)]
    pub fn starts(&self, on: [Axis; 2], below: i32) -> [u32; RUN] {
        let mut starts = [0; RUN];
        for (l, start) in starts.iter_mut().enumerate() {
            let (x, y) = (self.index[0][l] - below, self.index[1][l] - below);
            *start = y.wrapping_mul(on[0].values).wrapping_add(x) as u32;
        }
        starts
    }

    /// The four values around column `l`.
    #[inline(always)]
    pub fn taps<V: Value>(&self, l: usize, on: [Axis; 2], plane: &[V]) -> [V; 4] {
        let (x, y) = (self.index[0][l], self.index[1][l]);
        let stride = on[0].values as usize;
        if x >= 0 && y >= 0 && x + 1 < on[0].values && y + 1 < on[1].values {
            let from = y as usize * stride + x as usize;
            let (low, high) = (&plane[from..from + 2], &plane[from + stride..from + stride + 2]);
            return [low[0], low[1], high[0], high[1]];
        }
        let columns = [on[0].tap(x), on[0].tap(x + 1)];
        let rows = [on[1].tap(y), on[1].tap(y + 1)];
        let tap = |column: Option<usize>, row: Option<usize>| match (column, row) {
            (Some(column), Some(row)) => plane[row * stride + column],
            _ => V::ZERO,
        };
        [tap(columns[0], rows[0]), tap(columns[1], rows[0]), tap(columns[0], rows[1]), tap(columns[1], rows[1])]
    }

    /// Sixteen values around column `l`, four rows, the lowest first.
    #[inline(always)]
    pub fn wide_taps<V: Value>(&self, l: usize, on: [Axis; 2], plane: &[V]) -> [[V; 4]; 4] {
        let (x, y) = (self.index[0][l], self.index[1][l]);
        let stride = on[0].values as usize;
        if x >= 1 && y >= 1 && x + 2 < on[0].values && y + 2 < on[1].values {
            let from = (y as usize - 1) * stride + x as usize - 1;
            return [0, 1, 2, 3].map(|row| {
                let row = &plane[from + row * stride..from + row * stride + 4];
                [row[0], row[1], row[2], row[3]]
            });
        }
        let columns = [-1, 0, 1, 2].map(|d| on[0].tap(x + d));
        [-1, 0, 1, 2].map(|d| match on[1].tap(y + d) {
            Some(row) => columns.map(|column| column.map_or(V::ZERO, |column| plane[row * stride + column])),
            None => [V::ZERO; 4],
        })
    }

    /// Between the four values around column `l`.
    #[inline(always)]
    pub fn bilinear<V: Value>(&self, l: usize, [a, b, c, d]: [V; 4]) -> V {
        let (tx, ty) = (self.part[0][l], self.part[1][l]);
        a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
    }

    /// The values of a plane of numbers at all columns below `len`.
    #[inline(always)]
    pub fn values(&self, len: usize, on: [Axis; 2], plane: &[f32]) -> Run {
        let mut values = [0.0; RUN];
        let starts = self.starts(on, 0);
        if let Some(near) = Near::two(self, on, plane, &starts) {
            f32::bilinear(&near, &mut values);
            return values;
        }
        let mut taps = [[0.0; RUN]; 4];
        for l in 0..len {
            let found = self.taps(l, on, plane);
            for (all, found) in taps.iter_mut().zip(found) {
                all[l] = found;
            }
        }
        let [a, b, c, d] = &taps;
        for l in 0..RUN {
            values[l] = self.bilinear(l, [a[l], b[l], c[l], d[l]]);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_not_above() {
        let near = (-4000..4000).map(|n| n as f32 * 0.25 + 1e-5);
        let values = near.chain([-0.0, 0.0, -1e-30, 1e-30, 0.999_999_94, -1e6, 1_000_064.5, -1_000_063.6]);
        for value in values {
            let (whole, steps) = floor(value);
            assert_eq!((whole, steps), (value.floor(), value.floor() as i32), "{value}");
        }
    }
}

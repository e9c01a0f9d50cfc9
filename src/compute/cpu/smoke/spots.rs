//! Places on a lattice, a run of columns at a time.

use super::axis::Axis;
use super::value::{Value, greatest, least};

/// Columns that are looked at together.
pub(super) const RUN: usize = 64;

/// A number for each column of a run.
pub(super) type Run = [f32; RUN];

/// The runs of a row of so many columns: where each begins, and its columns. The last one reaches back into the one before, so that it is
/// as long as the others.
#[inline(always)]
pub(super) fn runs(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let len = RUN.min(columns);
    (0..columns.div_ceil(RUN)).map(move |run| ((run * RUN).min(columns - len), len))
}

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
}

impl Spots {
    /// Places at `offset` from the values (`x0` + 0 …, `y`) of lattice `at`, on lattice `on`.
    #[inline(always)]
    pub fn new(on: [Axis; 2], at: [Axis; 2], [x0, y]: [usize; 2], offset: &[Run; 2]) -> Spots {
        let mut spots = Spots { index: [[0; RUN]; 2], part: [[0.0; RUN]; 2] };
        for axis in 0..2 {
            let [low, high] = on[axis].range();
            let step = on[axis].step(at[axis]);
            for l in 0..RUN {
                let base = if axis == 0 { x0 as i32 + l as i32 } else { y as i32 };
                let from = base as f32;
                let offset = least(greatest(offset[axis][l] + step, low - from), high - from);
                let (whole, steps) = floor(offset);
                let index = base + steps;
                spots.index[axis][l] = index;
                spots.part[axis][l] = offset - whole;
            }
        }
        spots
    }

    /// Least and greatest index per axis.
    #[inline(always)]
    pub fn bounds(&self) -> [[i32; 2]; 2] {
        let mut bounds = [[i32::MAX, i32::MIN]; 2];
        for (bounds, index) in bounds.iter_mut().zip(&self.index) {
            for &index in index {
                *bounds = [bounds[0].min(index), bounds[1].max(index)];
            }
        }
        bounds
    }

    /// The values around column `l`: `K` rows of `K`, the lowest first.
    #[inline(always)]
    pub fn around<V: Value, const K: usize>(&self, l: usize, on: [Axis; 2], plane: &[V]) -> [[V; K]; K] {
        let below = K as i32 / 2 - 1;
        let (x, y) = (self.index[0][l] - below, self.index[1][l] - below);
        let stride = on[0].values as usize;
        let mut taps = [[V::ZERO; K]; K];
        if x >= 0 && y >= 0 && x + (K as i32) <= on[0].values && y + (K as i32) <= on[1].values {
            let from = y as usize * stride + x as usize;
            for (r, row) in taps.iter_mut().enumerate() {
                row.copy_from_slice(&plane[from + r * stride..from + r * stride + K]);
            }
            return taps;
        }
        for (r, row) in taps.iter_mut().enumerate() {
            let Some(line) = on[1].tap(y + r as i32) else { continue };
            for (c, tap) in row.iter_mut().enumerate() {
                if let Some(column) = on[0].tap(x + c as i32) {
                    *tap = plane[line * stride + column];
                }
            }
        }
        taps
    }

    /// The four values around column `l`.
    #[inline(always)]
    pub fn taps<V: Value>(&self, l: usize, on: [Axis; 2], plane: &[V]) -> [V; 4] {
        let [[a, b], [c, d]] = self.around(l, on, plane);
        [a, b, c, d]
    }

    /// Between the four values around column `l`.
    #[inline(always)]
    pub fn bilinear<V: Value>(&self, l: usize, [a, b, c, d]: [V; 4]) -> V {
        let (tx, ty) = (self.part[0][l], self.part[1][l]);
        a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
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

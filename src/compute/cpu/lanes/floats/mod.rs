//! Vectors of sixteen floats, and the interpolation taps of sixteen positions on a grid. No operation is fused or
//! approximate, so all vectors give the same bits.

#[cfg(target_arch = "x86_64")]
pub(in crate::compute::cpu) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(in crate::compute::cpu) mod avx512;
pub(in crate::compute::cpu) mod portable;

/// Numbers of a vector.
pub(in crate::compute::cpu) const WIDTH: usize = 16;

/// A grid of numbers, row after row.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Grid<'a> {
    values: &'a [f32],
    columns: usize,
    rows: usize,
}

impl<'a> Grid<'a> {
    /// A grid of `columns` columns. Numbers after the last whole row, and those whose index exceeds an i32, are left
    /// out.
    #[inline(always)]
    pub fn new(values: &'a [f32], columns: usize) -> Self {
        Grid { values, columns, rows: values.len().min(i32::MAX as usize) / columns.max(1) }
    }

    /// All numbers.
    #[inline(always)]
    pub fn values(self) -> &'a [f32] {
        self.values
    }
}

/// A bit for each group of four lanes, set where all four bits of the group are.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn quads(mask: u32) -> u32 {
    let pairs = mask & (mask >> 1);
    let all = pairs & (pairs >> 2) & 0x1111;
    (all | (all >> 3) | (all >> 6) | (all >> 9)) & 0xf
}

/// A vector of sixteen floats.
pub(in crate::compute::cpu) trait Floats: Copy {
    /// A vector of sixteen integers.
    type Whole: Copy;

    /// The same number in all lanes.
    fn splat(value: f32) -> Self;
    fn load(values: &[f32; WIDTH]) -> Self;
    fn store(self, to: &mut [f32; WIDTH]);
    /// Stores with bypass of the caches if the address is aligned. Call [`Floats::settle`] after the last store.
    fn stream(self, to: &mut [f32; WIDTH]);
    /// Makes streamed values visible to other threads.
    fn settle();
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// The lesser number; `other` where one is NaN.
    fn least(self, other: Self) -> Self;
    /// The greater number; `other` where one is NaN.
    fn greatest(self, other: Self) -> Self;
    /// `self`, and 0 where `of` is NaN.
    fn unless_nan(self, of: Self) -> Self;
    /// `self`, and `other` where `of` is 0.
    fn unless_zero(self, of: Self, other: Self) -> Self;
    /// Whether some lane of either vector is 0.
    fn any_zero(self, other: Self) -> bool;
    /// The floors of numbers within ±2²¹, as floats and as integers.
    fn floor(self) -> (Self, Self::Whole);
    /// 0, 1, 2 …
    fn steps() -> Self;

    fn whole(value: i32) -> Self::Whole;
    /// 0, 1, 2 …
    fn whole_steps() -> Self::Whole;
    fn whole_add(a: Self::Whole, b: Self::Whole) -> Self::Whole;
    fn wholes(of: Self::Whole) -> [i32; WIDTH];

    /// The `K` × `K` taps around positions of a grid; `x` and `y` are the columns and rows before them. `None` where a
    /// tap is off the grid.
    fn around<const K: usize>(grid: Grid<'_>, x: Self::Whole, y: Self::Whole) -> Option<[[Self; K]; K]>;

    /// As [`Floats::around`], for any positions: a tap beyond a side is the last number before it, or 0 where that side
    /// (left, right, bottom, top) is open. The grid is not empty.
    fn around_sides<const K: usize>(grid: Grid<'_>, x: Self::Whole, y: Self::Whole, open: [bool; 4]) -> [[Self; K]; K] {
        around_sides_one_by_one(grid, [Self::wholes(x), Self::wholes(y)], open)
    }

    /// A bit for each four positions: whether all their `K` × `K` taps are on a grid of `size` columns and rows.
    fn inside<const K: usize>(size: [i32; 2], x: Self::Whole, y: Self::Whole) -> u32;
    /// A bit for each four positions: whether they are consecutive columns of one row.
    fn side_by_side(x: Self::Whole, y: Self::Whole) -> u32;
    /// Each of the four numbers from `4·quad` on, four times.
    fn each_four_times(self, quad: usize) -> Self;
    /// Four groups of four.
    fn fours(values: [&[f32; 4]; 4]) -> Self;

    /// `K` rows of `K` vectors, each of four consecutive groups of four numbers. The first vector begins at group
    /// `from`; each vector of a row begins one group after the previous one, each row `stride` groups after the
    /// previous row.
    #[inline(always)]
    fn blocks<const K: usize>(values: &[[f32; 4]], from: usize, stride: usize) -> [[Self; K]; K] {
        let mut blocks = [[Self::splat(0.0); K]; K];
        for (r, row) in blocks.iter_mut().enumerate() {
            let values = &values[from + r * stride..][..K + 3];
            for (c, block) in row.iter_mut().enumerate() {
                *block = Self::fours([&values[c], &values[c + 1], &values[c + 2], &values[c + 3]]);
            }
        }
        blocks
    }

    /// As [`Floats::blocks`], but the four groups of a vector are apart: the first vector has the groups at four
    /// indices.
    #[inline(always)]
    fn blocks_apart<const K: usize>(values: &[[f32; 4]], from: [usize; 4], stride: usize) -> [[Self; K]; K] {
        let mut blocks = [[Self::splat(0.0); K]; K];
        for (r, row) in blocks.iter_mut().enumerate() {
            let more = r * stride;
            let rows = [
                &values[from[0] + more..from[0] + more + K],
                &values[from[1] + more..from[1] + more + K],
                &values[from[2] + more..from[2] + more + K],
                &values[from[3] + more..from[3] + more + K],
            ];
            for (c, block) in row.iter_mut().enumerate() {
                *block = Self::fours([&rows[0][c], &rows[1][c], &rows[2][c], &rows[3][c]]);
            }
        }
        blocks
    }

    /// `self + (other − self)·t`.
    #[inline(always)]
    fn lerp(self, other: Self, t: Self) -> Self {
        self.add(other.sub(self).mul(t))
    }
}

/// As [`Floats::around_sides`].
#[cold]
#[inline(never)]
fn around_sides_one_by_one<F: Floats, const K: usize>(
    grid: Grid<'_>,
    [x, y]: [[i32; WIDTH]; 2],
    [left, right, bottom, top]: [bool; 4],
) -> [[F; K]; K] {
    let (low, [columns, rows]) = (K as i32 / 2 - 1, [grid.columns as i32, grid.rows as i32]);
    let place = |at: i32, count: i32, [before, after]: [bool; 2]| {
        let there = (at >= 0 || !before) && (at < count || !after);
        there.then_some(at.clamp(0, count - 1) as usize)
    };
    let mut around = [[[0.0; WIDTH]; K]; K];
    for l in 0..WIDTH {
        let columns: [_; K] = std::array::from_fn(|c| place(x[l] - low + c as i32, columns, [left, right]));
        for (r, around) in around.iter_mut().enumerate() {
            let Some(row) = place(y[l] - low + r as i32, rows, [bottom, top]) else { continue };
            for (around, column) in around.iter_mut().zip(columns) {
                around[l] = column.map_or(0.0, |column| grid.values[row * grid.columns + column]);
            }
        }
    }
    let mut made = [[F::splat(0.0); K]; K];
    for (made, around) in made.iter_mut().flatten().zip(around.iter().flatten()) {
        *made = F::load(around);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Isa;
    use crate::compute::cpu::wide::{Simd, WithSimd};

    trait Check {
        fn with<F: Floats>(&self, name: &str);
    }

    struct Run<'a, C>(&'a C, &'a str);

    impl<C: Check> WithSimd for Run<'_, C> {
        type Output = ();

        fn run<S: Simd>(self) {
            self.0.with::<S::Floats>(self.1);
        }
    }

    fn every(check: &impl Check) {
        Isa::available().into_iter().for_each(|isa| isa.dispatch(Run(check, isa.name())));
    }

    fn list<F: Floats>(of: F) -> [u32; WIDTH] {
        let mut list = [0.0; WIDTH];
        of.store(&mut list);
        list.map(f32::to_bits)
    }

    fn noise(seed: &mut u32) -> u32 {
        *seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let mixed = ((*seed >> ((*seed >> 28) + 4)) ^ *seed).wrapping_mul(277_803_737);
        (mixed >> 22) ^ mixed
    }

    struct Arithmetic;

    impl Check for Arithmetic {
        fn with<F: Floats>(&self, name: &str) {
            let odd = [0.0, -0.0, 1.5, -2.5, f32::NAN, f32::INFINITY, 1e-40, -1e6];
            let a: [f32; WIDTH] = std::array::from_fn(|l| odd[l % 8]);
            let b: [f32; WIDTH] = std::array::from_fn(|l| odd[(l * 3 + l / 8) % 8]);
            let (left, right) = (F::load(&a), F::load(&b));
            let expect = |found: F, of: fn(f32, f32) -> f32, what| {
                let all: [f32; WIDTH] = std::array::from_fn(|l| of(a[l], b[l]));
                for (l, (found, all)) in list(found).into_iter().zip(all).enumerate() {
                    let same = found == all.to_bits() || (f32::from_bits(found).is_nan() && all.is_nan());
                    assert!(same, "{name} {what} of {} and {}", a[l], b[l]);
                }
            };
            expect(left.add(right), |a, b| a + b, "sum");
            expect(left.sub(right), |a, b| a - b, "difference");
            expect(left.mul(right), |a, b| a * b, "product");
            expect(left.least(right), |a, b| if a < b { a } else { b }, "least");
            expect(left.greatest(right), |a, b| if a > b { a } else { b }, "greatest");
            expect(left.unless_nan(right), |a, b| if b.is_nan() { 0.0 } else { a }, "number");
            expect(left.unless_zero(right, F::splat(7.0)), |a, b| if b == 0.0 { 7.0 } else { a }, "no zero");
            for l in 0..WIDTH {
                for (zero, is) in [(0.0, true), (-0.0, true), (1e-40, false), (f32::NAN, false)] {
                    let mut values = [1.0; WIDTH];
                    values[l] = zero;
                    let (with, without) = (F::load(&values), F::splat(-1.0));
                    let found = [with.any_zero(without), without.any_zero(with)];
                    assert_eq!(found, [is; 2], "{name}: {zero} in lane {l}");
                }
            }
            let near = (-4000..4000).map(|n| n as f32 * 0.25 + 1e-5);
            let values = [-0.0, 0.0, -1e-30, 1e-30, 0.999_999_94, -1e6, 1_000_064.5, -1_000_063.6];
            for value in near.chain(values) {
                let (whole, steps) = F::splat(value).floor();
                let steps = F::wholes(F::whole_add(steps, F::whole(5)))[7];
                assert_eq!(
                    (f32::from_bits(list(whole)[3]), steps),
                    (value.floor(), value.floor() as i32 + 5),
                    "{name}"
                );
            }
            let mut streamed = [0.0; 3 * WIDTH];
            for from in 0..2 * WIDTH {
                left.stream(streamed[from..].first_chunk_mut().expect("room"));
                F::settle();
                assert_eq!(streamed[from..from + WIDTH].iter().map(|v| v.to_bits()).collect::<Vec<_>>(), list(left));
            }
            for quad in 0..4 {
                let found = F::steps().each_four_times(quad);
                let expected: [f32; WIDTH] = std::array::from_fn(|l| (4 * quad + l / 4) as f32);
                assert_eq!(list(found), expected.map(f32::to_bits), "{name}");
            }
            let fours = [0, 4, 8, 12].map(|at| a[at..].first_chunk().expect("four"));
            assert_eq!(list(F::fours(fours)), a.map(f32::to_bits), "{name}");
        }
    }

    /// Smooth, moderate and torn flow, in the middle and at edges.
    struct Around;

    impl Around {
        fn check<F: Floats, const K: usize>(name: &str) {
            let mut seed = 3;
            let mut found = 0;
            for [columns, rows] in [[90, 30], [33, 7], [16, 40], [5, 5]] {
                let plane: Vec<f32> = (0..columns * rows).map(|_| noise(&mut seed) as f32).collect();
                for turn in 0..400 {
                    let spread = [1, 2, 3, 5, 40][turn % 5];
                    let (x0, y0) = (noise(&mut seed) % columns as u32, noise(&mut seed) % rows as u32);
                    let mut wave = |l: usize, from: u32, step: i32| {
                        (from as i32 + step * l as i32 + (noise(&mut seed) % spread) as i32 - spread as i32 / 2) as f32
                    };
                    let mut x: [f32; WIDTH] = std::array::from_fn(|l| wave(l, x0, 1));
                    let mut y: [f32; WIDTH] = std::array::from_fn(|l| wave(l, y0, 0));
                    // On the grid: rows of two planes, any rows, columns in another order, and columns far from each other.
                    let mut below = |count: usize| (noise(&mut seed) as usize % (count + 1 - K) + K / 2 - 1) as f32;
                    let is_large = columns > 2 * WIDTH + K;
                    match turn % 9 {
                        5 => {
                            y = std::array::from_fn(|l| {
                                y0 as f32 % 5.0 + K as f32 + (l % 2 * rows.saturating_sub(4 + K).min(15)) as f32
                            })
                        }
                        6 => y = std::array::from_fn(|_| below(rows)),
                        7 if is_large => x = std::array::from_fn(|_| below(2 * WIDTH)),
                        8 => (x, y) = (std::array::from_fn(|_| below(columns)), std::array::from_fn(|_| below(rows))),
                        _ => {}
                    }
                    let [ix, iy] = [&x, &y].map(|at| F::load(at).floor().1);
                    let low = K as f32 / 2.0 - 1.0;
                    let inside = |at: f32, count: usize| at - low >= 0.0 && at - low + K as f32 <= count as f32;
                    let four =
                        |quad: usize| (4 * quad..4 * quad + 4).all(|l| inside(x[l], columns) && inside(y[l], rows));
                    let quads = (0..4).fold(0, |bits, quad| bits | (u32::from(four(quad)) << quad));
                    assert_eq!(F::inside::<K>([columns as i32, rows as i32], ix, iy), quads, "{name}");
                    let all = quads == 0xf;
                    let beside = (0..4).fold(0, |bits, quad| {
                        let all = (4 * quad + 1..4 * quad + 4).all(|l| x[l] == x[l - 1] + 1.0 && y[l] == y[l - 1]);
                        bits | (u32::from(all) << quad)
                    });
                    assert_eq!(F::side_by_side(ix, iy), beside, "{name}");
                    let around = F::around::<K>(Grid::new(&plane, columns), ix, iy);
                    assert_eq!(around.is_some(), all, "{name}: {x:?} {y:?} of {columns} x {rows}");
                    let open: [bool; 4] = std::array::from_fn(|side| (turn >> side) & 1 == 1);
                    for (r, row) in F::around_sides::<K>(Grid::new(&plane, columns), ix, iy, open).iter().enumerate() {
                        for (c, values) in row.iter().enumerate() {
                            let place = |at: f32, more: usize, count: usize, [before, after]: [bool; 2]| {
                                let at = at as i64 - low as i64 + more as i64;
                                let gone = (at < 0 && before) || (at >= count as i64 && after);
                                (!gone).then_some(at.clamp(0, count as i64 - 1) as usize)
                            };
                            let expected = std::array::from_fn(|l| {
                                let column = place(x[l], c, columns, [open[0], open[1]]);
                                let row = place(y[l], r, rows, [open[2], open[3]]);
                                let value = column.zip(row).map_or(0.0, |(column, row)| plane[row * columns + column]);
                                value.to_bits()
                            });
                            assert_eq!(list(*values), expected, "{name}: {open:?}, row {r}, column {c} of {K}");
                        }
                    }
                    for (r, row) in around.into_iter().flatten().enumerate() {
                        for (c, values) in row.into_iter().enumerate() {
                            let place =
                                |l: usize| (y[l] - low) as usize * columns + r * columns + (x[l] - low) as usize + c;
                            let expected = std::array::from_fn(|l| plane[place(l)].to_bits());
                            assert_eq!(list(values), expected, "{name}: row {r}, column {c} of {K}");
                            found += 1;
                        }
                    }
                }
            }
            assert!(found > 100 * K * K, "{name}: only {found}");
        }
    }

    /// Contiguous groups of four, and scattered ones.
    struct Blocks;

    impl Blocks {
        fn check<F: Floats, const K: usize>(name: &str) {
            let mut seed = 5;
            let (stride, rows) = (11, K + 2);
            let values: Vec<[f32; 4]> = (0..stride * rows).map(|_| [0; 4].map(|_| noise(&mut seed) as f32)).collect();
            for from in 0..=stride * rows - ((K - 1) * stride + K + 3) {
                let apart = [from, from + 2, from + 1, from];
                let found = [F::blocks::<K>(&values, from, stride), F::blocks_apart::<K>(&values, apart, stride)];
                let starts = [[from, from + 1, from + 2, from + 3], apart];
                for (found, starts) in found.iter().zip(starts) {
                    for (r, row) in found.iter().enumerate() {
                        for (c, block) in row.iter().enumerate() {
                            let expected: [f32; WIDTH] =
                                std::array::from_fn(|l| values[starts[l / 4] + r * stride + c][l % 4]);
                            assert_eq!(list(*block), expected.map(f32::to_bits), "{name}: {starts:?}, row {r} of {K}");
                        }
                    }
                }
            }
            let beyond = stride * rows - ((K - 1) * stride + K + 3) + 1;
            let all = std::panic::catch_unwind(|| list(F::blocks::<K>(&values, beyond, stride)[0][0]));
            let one =
                std::panic::catch_unwind(|| list(F::blocks_apart::<K>(&values, [0, 0, beyond + 3, 0], stride)[0][0]));
            assert!(all.is_err() && one.is_err(), "{name}: what is not there is read");
        }
    }

    impl Check for Blocks {
        fn with<F: Floats>(&self, name: &str) {
            Self::check::<F, 2>(name);
            Self::check::<F, 4>(name);
        }
    }

    #[test]
    fn blocks_of_fours_are_what_stands_there() {
        every(&Blocks);
    }

    impl Check for Around {
        fn with<F: Floats>(&self, name: &str) {
            Self::check::<F, 2>(name);
            Self::check::<F, 4>(name);
        }
    }

    #[test]
    fn all_kinds_count_alike() {
        every(&Arithmetic);
    }

    #[test]
    fn what_is_around_places_is_found_wherever_they_are() {
        every(&Around);
    }
}

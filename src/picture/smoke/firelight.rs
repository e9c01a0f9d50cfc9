//! The light of fire on the smoke around it, from all glowing cells, without occlusion. Fire has the depth of the
//! smoke: its light falls with the distance r as 1 / r up to that depth, and as 1 / r² beyond.
//!
//! The sum over all glowing cells is computed as a sum of means over squares; the squares of each level are twice as
//! wide as those of the previous one. A cell at the distance r contributes to the levels whose squares are at least
//! that wide: proportionally to 1 / r² where all levels have the same weight, and to 1 / r where the weight grows with
//! the width. Reduction and expansion use the weights of a cubic spline (the pyramid of Burt and Adelson, 1983), so
//! that squares are invisible and the light moves as smoothly as the fire.

use std::ops::Range;

use super::glow::MOST;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Do, wide};
use crate::picture::maths::clamped;
use crate::sim::grid::Grid;
use crate::sim::memory::Values;

/// Linear Rec. 709.
type Rgb = [f32; 3];

/// Approximate side of the smallest squares, full-resolution pixels.
const SMALLEST: f64 = 2.0;

/// Side of the smallest squares with their full weight. Squares of half this side have weight 0, because they would be
/// visible.
const WHOLE: f64 = 8.0;

/// Weight of squares much wider than the depth of the fire.
const WEIGHT: f64 = 3.0;

/// Weights of five values of a row in the mean around the middle one: those of a cubic spline.
const SHARES: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

/// The light of fire at the cells of a grid.
pub struct Firelight {
    /// Cells of the grid along a side of a square.
    side: usize,
    squares: Plane,
}

impl Firelight {
    /// Computes the light of fire on a grid, times a strength, on the threads of `cpu`; `None` without light. `light`:
    /// that of a cell by its index, `None` where it is dark; mark it `#[inline(always)]`. `depth` of the fire is in
    /// full-resolution pixels.
    pub fn new(
        cpu: &Cpu,
        grid: &Grid,
        light: impl Fn(usize) -> Option<Rgb> + Sync,
        share: f64,
        depth: f64,
    ) -> Option<Self> {
        let share = clamped(share, 0.0, 1e6);
        if share == 0.0 {
            return None;
        }
        let side = (SMALLEST * grid.cells_per_pixel).round().max(1.0) as usize;
        let first = Plane::new(
            cpu,
            grid.width.div_ceil(side),
            grid.height.div_ceil(side),
            #[inline(always)]
            |y, row| {
                let rows = y * side..((y + 1) * side).min(grid.height);
                brighten(&light, rows, [grid.width, side], row);
            },
        );
        let mut squares = vec![first];
        if squares[0].values.iter().all(|light| *light == [0.0; 3]) {
            return None;
        }
        while let Some(last) = squares.last().filter(|last| last.values.len() > 1) {
            let halved = last.halved(cpu);
            squares.push(halved);
        }
        let smallest = side as f64 / grid.cells_per_pixel;
        let weight = |doublings: usize| {
            let size = smallest * libm::exp2(doublings as f64);
            let wide = size / (size + clamped(depth, 1e-3, 1e9));
            (WEIGHT * share * wide * (1.0 + libm::log2(size / WHOLE)).clamp(0.0, 1.0)) as f32
        };
        let mut sum = squares.pop()?;
        let most = weight(squares.len());
        sum.each(
            cpu,
            #[inline(always)]
            |_, row| row.as_flattened_mut().iter_mut().for_each(|light| *light *= most),
        );
        while let Some(mut smaller) = squares.pop() {
            sum.spread(cpu, weight(squares.len()), &mut smaller);
            sum = smaller;
        }
        Some(Self { side, squares: sum })
    }

    /// The light at the cells of row `y` from column `from` on.
    #[inline(always)]
    pub fn row(&self, y: usize, from: usize, out: &mut [Rgb]) {
        let width = self.squares.width;
        let (rows, up) = Between::new(y, self.side).squares(self.squares.height);
        let [below, above] = rows.map(|row| &self.squares.values[row * width..][..width]);
        let mut place = Between::new(from, self.side);
        for out in out.chunks_mut(MOST) {
            // Interpolation along y first, once for the row.
            let first = place.squares(width).0[0];
            let count = (width - first).min(out.len().div_ceil(self.side) + 2);
            let mut squares = [[0.0; 3]; MOST + 2];
            let level = squares[..count].as_flattened_mut();
            let sides = [below, above].map(|squares| squares[first..][..count].as_flattened());
            for ((to, below), above) in level.iter_mut().zip(sides[0]).zip(sides[1]) {
                *to = below + (above - below) * up;
            }
            for out in out {
                let ([left, right], along) = place.squares(width);
                let (low, high) = (squares[left - first], squares[right - first]);
                for i in 0..3 {
                    out[i] = low[i] + (high[i] - low[i]) * along;
                }
                place.next();
            }
        }
    }
}

/// Position of a cell between the centres of squares, in half cells, so that it is an integer.
struct Between {
    /// Half cells per square.
    side: usize,
    /// Index of the square whose centre is the next after the cell.
    after: usize,
    /// Half cells from the centre of the square before it.
    past: usize,
}

impl Between {
    #[inline(always)]
    fn new(cell: usize, side: usize) -> Self {
        let halves = 2 * cell + 1 + side;
        Self { side: 2 * side, after: halves / (2 * side), past: halves % (2 * side) }
    }

    /// Moves to the next cell.
    #[inline(always)]
    fn next(&mut self) {
        self.past += 2;
        if self.past >= self.side {
            self.past -= self.side;
            self.after += 1;
        }
    }

    /// The squares before and after it, of `count`, and its position between their centres, 0 to 1.
    #[inline(always)]
    fn squares(&self, count: usize) -> ([usize; 2], f32) {
        ([self.after.saturating_sub(1), self.after.min(count - 1)], self.past as f32 / self.side as f32)
    }
}

/// Light in squares, row after row.
struct Plane {
    width: usize,
    height: usize,
    values: Values<Rgb>,
}

impl Plane {
    /// Squares whose rows are filled by `row`, given the number of the row.
    fn new(cpu: &Cpu, width: usize, height: usize, row: impl Fn(usize, &mut [Rgb]) + Sync) -> Self {
        let mut plane = Self { width, height, values: Values::uninitialised(width * height, cpu.memory()) };
        plane.each(cpu, row);
        plane
    }

    /// Calls `row` with each row and its number. Mark `row` `#[inline(always)]`.
    fn each(&mut self, cpu: &Cpu, row: impl Fn(usize, &mut [Rgb]) + Sync) {
        cpu.each(self.values.chunks_exact_mut(self.width).enumerate().collect(), |(y, to): (usize, &mut [Rgb])| {
            let row = &row;
            wide(Do(
                #[inline(always)]
                move || row(y, to),
            ));
        });
    }

    fn row(&self, y: usize) -> &[Rgb] {
        &self.values[y * self.width..][..self.width]
    }

    /// The mean light around every second square along both axes. It is 0 beyond the borders.
    fn halved(&self, cpu: &Cpu) -> Self {
        let [width, height] = [self.width, self.height].map(|count| count.div_ceil(2));
        let lying = Self::new(
            cpu,
            width,
            self.height,
            #[inline(always)]
            |y, to| {
                let row = self.row(y);
                for (x, to) in to.iter_mut().enumerate() {
                    *to = [0.0; 3];
                    for (at, share) in around(x, self.width) {
                        for i in 0..3 {
                            to[i] += row[at][i] * share;
                        }
                    }
                }
            },
        );
        Self::new(
            cpu,
            width,
            height,
            #[inline(always)]
            |y, to| sum(around(y, self.height), |y| lying.row(y), to),
        )
    }

    /// Adds the light, expanded, to a multiple of the light in squares of half the side. Light beyond the borders
    /// counts as that at the border.
    fn spread(&self, cpu: &Cpu, weight: f32, smaller: &mut Self) {
        let standing = Self::new(
            cpu,
            self.width,
            smaller.height,
            #[inline(always)]
            |y, to| sum(beside(y, self.height), |y| self.row(y), to),
        );
        smaller.each(
            cpu,
            #[inline(always)]
            |y, to| {
                let row = standing.row(y);
                for (x, light) in to.iter_mut().enumerate() {
                    let mut wider = [0.0; 3];
                    for (at, share) in beside(x, self.width) {
                        for i in 0..3 {
                            wider[i] += row[at][i] * share;
                        }
                    }
                    for i in 0..3 {
                        light[i] = if weight > 0.0 { light[i] * weight + wider[i] } else { wider[i] };
                    }
                }
            },
        );
    }
}

/// The mean light of a row of squares, from the light of the cells in these rows; `width` is that of the grid.
#[inline(always)]
fn brighten(light: &impl Fn(usize) -> Option<Rgb>, rows: Range<usize>, [width, side]: [usize; 2], to: &mut [Rgb]) {
    let cells = (side * side) as f32;
    for (x, to) in to.iter_mut().enumerate() {
        let columns = x * side..((x + 1) * side).min(width);
        let mut sum = [0.0; 3];
        for row in rows.clone() {
            for column in columns.clone() {
                if let Some(light) = light(row * width + column) {
                    for i in 0..3 {
                        sum[i] += light[i];
                    }
                }
            }
        }
        *to = [sum[0] / cells, sum[1] / cells, sum[2] / cells];
    }
}

/// For every second square of `count`: the squares among the five around it that exist, and their weights.
#[inline(always)]
fn around(second: usize, count: usize) -> impl Iterator<Item = (usize, f32)> {
    let inside = move |at: usize| at.checked_sub(2).filter(|at| *at < count);
    (2 * second..).zip(SHARES).filter_map(move |(at, share)| Some((inside(at)?, share)))
}

/// The two or three coarser squares that a square gets its light from, and their weights.
#[inline(always)]
fn beside(at: usize, count: usize) -> impl Iterator<Item = (usize, f32)> {
    let (here, next) = (at / 2, (at / 2 + 1).min(count - 1));
    let shares =
        if at.is_multiple_of(2) { [2.0 * SHARES[0], 2.0 * SHARES[2], 2.0 * SHARES[4]] } else { [0.0, 0.5, 0.5] };
    [here.saturating_sub(1), here, next].into_iter().zip(shares)
}

/// The weighted sum of rows.
#[inline(always)]
fn sum<'a>(parts: impl Iterator<Item = (usize, f32)>, row: impl Fn(usize) -> &'a [Rgb], to: &mut [Rgb]) {
    to.fill([0.0; 3]);
    for (at, share) in parts {
        for (sum, light) in to.as_flattened_mut().iter_mut().zip(row(at).as_flattened()) {
            *sum += light * share;
        }
    }
}

//! The light that fire sheds on the smoke around it: from all that glows, as if nothing stood in its way. Fire is as deep
//! as the smoke: light falls with the distance near it, and with its square further off than it is deep.
//!
//! The sum over all that glows is made of means over squares, each twice as wide as the one before. What is r away counts in
//! those that reach as far, by 1 / r² where all have the same weight, and by 1 / r where it grows with their width. Means are
//! taken, and laid over the cells again, with the shares of a cubic spline (the pyramid of Burt and Adelson, 1983): no square
//! shows, and light moves as smoothly as its fire.

use super::glow::Glow;
use crate::compute::cpu::Cpu;
use crate::picture::maths::held;
use crate::sim::memory::Values;
use crate::sim::smoke::State;

/// Linear Rec. 709.
type Rgb = [f32; 3];

/// Side of the smallest squares, about, in full-resolution pixels.
const SMALLEST: f64 = 2.0;

/// Side of squares that have all their weight, and those larger; of half of it they have none, since they would show.
const WHOLE: f64 = 8.0;

/// Weight of squares that are much wider than the fire is deep.
const WEIGHT: f64 = 3.0;

/// Shares of five values of a row in the mean around the middle one: a cubic spline's.
const SHARES: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

/// The light of fire at the cells of a grid.
pub struct Firelight {
    /// Cells of the grid along a side of a square.
    side: usize,
    squares: Plane,
}

impl Firelight {
    /// The light of what glows in a state, so much of it, found on the threads of `cpu`; `None` where there is none. `depth`:
    /// of the fire, full-resolution pixels.
    pub fn new(cpu: &Cpu, state: &State, glow: &Glow, share: f64, depth: f64) -> Option<Self> {
        let share = held(share, 0.0, 1e6);
        let temperature = state.air.temperature.as_ref().filter(|_| share > 0.0)?;
        let grid = state.grid;
        let side = (SMALLEST * grid.cells_per_pixel).round().max(1.0) as usize;
        let cells = (side * side) as f32;
        let mut squares = vec![Plane::new(cpu, grid.width.div_ceil(side), grid.height.div_ceil(side), |x, y| {
            let columns = x * side..((x + 1) * side).min(grid.width);
            let mut sum = [0.0; 3];
            for y in y * side..((y + 1) * side).min(grid.height) {
                for &warm in temperature[y * grid.width..][columns.clone()].iter().filter(|warm| **warm > 0.0) {
                    let [r, g, b, _] = glow.of(warm);
                    sum = [sum[0] + r, sum[1] + g, sum[2] + b];
                }
            }
            sum.map(|sum| sum / cells)
        })];
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
            let wide = size / (size + held(depth, 1e-3, 1e9));
            (WEIGHT * share * wide * (1.0 + libm::log2(size / WHOLE)).clamp(0.0, 1.0)) as f32
        };
        let mut sum = squares.pop()?;
        let most = weight(squares.len());
        sum.each(cpu, |_, _, light| *light = sum_of([(*light, most)].into_iter()));
        while let Some(mut smaller) = squares.pop() {
            sum.spread(cpu, weight(squares.len()), &mut smaller);
            sum = smaller;
        }
        Some(Self { side, squares: sum })
    }

    /// The light at the cells of row `y` from column `from` on.
    #[inline(always)]
    pub fn row(&self, y: usize, from: usize, out: &mut [Rgb]) {
        let (rows, up) = Between::new(y, self.side).squares(self.squares.height);
        let [below, above] = rows.map(|row| &self.squares.values[row * self.squares.width..][..self.squares.width]);
        let mut place = Between::new(from, self.side);
        for out in out {
            let ([left, right], along) = place.squares(self.squares.width);
            for i in 0..3 {
                let low = below[left][i] + (above[left][i] - below[left][i]) * up;
                let high = below[right][i] + (above[right][i] - below[right][i]) * up;
                out[i] = low + (high - low) * along;
            }
            place.next();
        }
    }
}

/// Where a cell is between the middles of squares: in halves of a cell, so that it is exact.
struct Between {
    /// Halves of a cell in a square.
    side: usize,
    /// The square after it.
    after: usize,
    /// Halves since the middle of the square before.
    past: usize,
}

impl Between {
    #[inline(always)]
    fn new(cell: usize, side: usize) -> Self {
        let halves = 2 * cell + 1 + side;
        Self { side: 2 * side, after: halves / (2 * side), past: halves % (2 * side) }
    }

    /// On to the next cell.
    #[inline(always)]
    fn next(&mut self) {
        self.past += 2;
        if self.past >= self.side {
            self.past -= self.side;
            self.after += 1;
        }
    }

    /// The squares of `count` before and after it, and how far it is from the one to the other.
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
    /// What `square` gives at each column and row.
    fn new(cpu: &Cpu, width: usize, height: usize, square: impl Fn(usize, usize) -> Rgb + Sync) -> Self {
        let mut plane = Self { width, height, values: Values::stale(width * height) };
        plane.each(cpu, |x, y, light| *light = square(x, y));
        plane
    }

    /// Hands out each square's light, with its column and row.
    fn each(&mut self, cpu: &Cpu, square: impl Fn(usize, usize, &mut Rgb) + Sync) {
        cpu.each(self.values.chunks_exact_mut(self.width).enumerate().collect(), |(y, row)| {
            for (x, light) in row.iter_mut().enumerate() {
                square(x, y, light);
            }
        });
    }

    fn at(&self, x: usize, y: usize) -> Rgb {
        self.values[y * self.width + x]
    }

    /// The light around every second square, both ways. Beyond the borders it is dark.
    fn halved(&self, cpu: &Cpu) -> Self {
        let [width, height] = [self.width, self.height].map(|count| count.div_ceil(2));
        let lying = Self::new(cpu, width, self.height, |x, y| {
            sum_of(around(x, self.width).map(|(x, share)| (self.at(x, y), share)))
        });
        Self::new(cpu, width, height, |x, y| sum_of(around(y, self.height).map(|(y, share)| (lying.at(x, y), share))))
    }

    /// Adds the light to so many times that in squares of which these are every second, both ways. Beyond the borders it is
    /// as at them.
    fn spread(&self, cpu: &Cpu, weight: f32, smaller: &mut Self) {
        let standing = Self::new(cpu, self.width, smaller.height, |x, y| {
            sum_of(beside(y, self.height).map(|(y, share)| (self.at(x, y), share)))
        });
        smaller.each(cpu, |x, y, light| {
            let wider = sum_of(beside(x, self.width).map(|(x, share)| (standing.at(x, y), share)));
            *light = if weight > 0.0 { sum_of([(*light, weight), (wider, 1.0)].into_iter()) } else { wider };
        });
    }
}

/// The five squares of `count` around every second, as far as they are there, and their shares.
fn around(second: usize, count: usize) -> impl Iterator<Item = (usize, f32)> {
    let inside = move |at: usize| at.checked_sub(2).filter(|at| *at < count);
    (2 * second..).zip(SHARES).filter_map(move |(at, share)| Some((inside(at)?, share)))
}

/// Of every second square the three, or two, that a square gets its light from, and their shares.
fn beside(at: usize, count: usize) -> impl Iterator<Item = (usize, f32)> {
    let (here, next) = (at / 2, (at / 2 + 1).min(count - 1));
    let shares =
        if at.is_multiple_of(2) { [2.0 * SHARES[0], 2.0 * SHARES[2], 2.0 * SHARES[4]] } else { [0.0, 0.5, 0.5] };
    [here.saturating_sub(1), here, next].into_iter().zip(shares)
}

fn sum_of(parts: impl Iterator<Item = (Rgb, f32)>) -> Rgb {
    parts.fold([0.0; 3], |sum, (light, share)| [0, 1, 2].map(|i| sum[i] + light[i] * share))
}

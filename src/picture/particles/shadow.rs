//! Shadows that sprites cast on each other: their optical depth on a lattice along the light, and the light that is left
//! at a position.
//!
//! A sprite is a tent as wide as itself: it is summed on the level of a pyramid of lattices whose cells are as long as its
//! radius, and the levels are summed from coarse to fine (Williams 1983). The light from its direction passes the cells
//! before a position; light from all around is the mean over the six directions of the axes.

use crate::compute::cpu::Cpu;
use crate::picture::catcher::nearness;
use crate::sim::request;

/// Cells along the longest side of the lattice.
const LONGEST: usize = 64;

/// Least length of a cell, in mean radii of the sprites.
const FINEST: f64 = 0.25;

/// Reach of the lattice around its middle, in standard deviations of the positions: some sprites far away do not make it
/// coarse.
const REACH: f64 = 3.0;

/// Largest share of the background that a sprite hides.
const MOST_COVER: f64 = 0.98;

/// A sprite that casts a shadow.
#[derive(Clone, Copy, Debug)]
pub struct Occluder {
    /// Position, canonical pixels.
    pub position: [f64; 3],
    /// Radius, canonical pixels.
    pub radius: f64,
    /// Share of the background that it hides in its middle, and the mean share over the square around it.
    pub cover: [f64; 2],
}

impl Occluder {
    /// Its optical depth, times its area.
    fn amount(&self) -> f64 {
        let [middle, mean] = self.cover;
        let depth = -libm::log1p(-middle.clamp(0.0, MOST_COVER));
        depth * mean * (2.0 * self.radius) * (2.0 * self.radius)
    }

    fn is_sound(&self) -> bool {
        let amount = self.amount();
        self.position.iter().all(|part| part.is_finite()) && self.radius > 0.0 && amount > 0.0 && amount.is_finite()
    }
}

/// Light at a position: of the shares that the light's direction and all directions have without sprites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lit {
    /// Transmittance towards the light.
    pub direct: f32,
    /// Mean transmittance towards all sides.
    pub ambient: f32,
}

impl Lit {
    /// Light without sprites.
    pub const FULLY: Self = Self { direct: 1.0, ambient: 1.0 };
}

/// The light among sprites.
pub struct ShadowLattice {
    /// Axes of the lattice; the last one points to the light.
    axes: [[f64; 3]; 3],
    /// Corner of the lattice in its axes, canonical pixels.
    corner: [f64; 3],
    /// Length of a cell, canonical pixels.
    spacing: f64,
    cells: [usize; 3],
    lit: Vec<Lit>,
    /// One over the strength of the shadows.
    inverse: f32,
}

impl ShadowLattice {
    /// The lattice of sprites in a light from the unit vector `light`, their optical depth times `strength`, on the threads
    /// of `cpu`; `None` where nothing casts a shadow.
    pub fn new(cpu: &Cpu, occluders: &[Occluder], light: [f64; 3], strength: f64) -> Option<Self> {
        let axes = axes(light);
        let placed: Vec<([f64; 3], f64, f64)> = occluders
            .iter()
            .filter(|occluder| occluder.is_sound())
            .map(|occluder| (axes.map(|axis| dot(axis, occluder.position)), occluder.radius, occluder.amount()))
            .collect();
        let total: f64 = placed.iter().map(|(.., amount)| amount).sum();
        if !(total > 0.0 && total.is_finite() && strength > 0.0) {
            return None;
        }
        let radius = placed.iter().map(|(_, radius, amount)| radius * amount).sum::<f64>() / total;
        let ranges = [0, 1, 2].map(|axis| range(&placed, axis, total));
        let extents = ranges.map(|[low, high]| high - low + 2.0 * radius);
        let longest = extents.into_iter().fold(0.0, f64::max);
        let spacing = (longest / LONGEST as f64).max(FINEST * radius);
        // A border of a cell holds the tents of the outermost sprites.
        let cells = extents.map(|extent| (libm::ceil(extent / spacing) as usize).clamp(1, LONGEST + 1) + 2);
        let corner = ranges.map(|[low, _]| low - radius - spacing);
        let mut pyramid = Pyramid::new(cells);
        for (position, radius, amount) in &placed {
            let place = [0, 1, 2].map(|axis| (position[axis] - corner[axis]) / spacing);
            pyramid.add(place, radius / spacing, amount * strength / (spacing * spacing));
        }
        let lit = light_of(cpu, &pyramid.sum(), cells);
        Some(Self { axes, corner, spacing, cells, lit, inverse: (1.0 / strength) as f32 })
    }

    /// The light on the side of a sprite that faces it: at its radius from its position.
    pub fn on(&self, position: [f64; 3], radius: f64) -> Lit {
        let [.., light] = self.axes;
        self.at([0, 1, 2].map(|axis| position[axis] + light[axis] * radius))
    }

    /// Unit vector to the light.
    pub fn to_light(&self) -> [f64; 3] {
        self.axes[2]
    }

    /// The light at a position on a surface behind which there are no sprites, in shadows of a strength of 1. The position
    /// may lie outside of the lattice. Light from all around comes from one side. `rays`: offsets of the rays to the light
    /// across its direction, relative to their length, which ends at the middle of the lattice.
    pub fn on_surface(&self, position: [f64; 3], rays: &[[f64; 2]]) -> Lit {
        let [across, up, along] = self.axes;
        let middle = self.corner[2] + self.cells[2] as f64 * self.spacing / 2.0;
        let length = (middle - dot(along, position)).max(0.0);
        let widest = libm::sqrt(rays.iter().map(|[x, y]| x * x + y * y).fold(0.0, f64::max));
        let (outside, _) = self.outside(self.relative(position));
        // No ray comes near the lattice, by more than errors of rounding.
        let is_far = Self::beside(outside) > 2.01 * self.spacing + 1.01 * widest * length;
        let mut mean = Lit { direct: 0.0, ambient: 0.0 };
        for [x, y] in rays {
            let direct = if is_far {
                1.0
            } else {
                self.direct_below([0, 1, 2].map(|axis| position[axis] + (across[axis] * x + up[axis] * y) * length))
            };
            mean.direct += direct / rays.len() as f32;
        }
        Lit { ambient: self.ambient_below(position), ..mean }
    }

    /// A position from the corner of the lattice in its axes, canonical pixels.
    fn relative(&self, position: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| dot(self.axes[axis], position) - self.corner[axis])
    }

    /// Signed distances of a place from the lattice along its axes, 0 within it, and the extents of the lattice.
    fn outside(&self, place: [f64; 3]) -> ([f64; 3], [f64; 3]) {
        let extents = self.cells.map(|cells| cells as f64 * self.spacing);
        ([0, 1, 2].map(|axis| (place[axis] - extents[axis]).max(0.0) - (-place[axis]).max(0.0)), extents)
    }

    /// Distance beside the lattice, across the light.
    fn beside([x, y, _]: [f64; 3]) -> f64 {
        libm::sqrt(x * x + y * y)
    }

    /// Transmittance towards the light of a position at or below the sprites, in shadows of a strength of 1.
    fn direct_below(&self, position: [f64; 3]) -> f32 {
        let place = self.relative(position);
        let (outside, _) = self.outside(place);
        // Rays to the light run along the last axis, upwards. Shadows fade over two cells beside the lattice.
        let fading = Self::beside(outside) / (2.0 * self.spacing);
        let share = if outside[2] > 0.0 { 0.0 } else { (1.0 - fading).max(0.0) };
        if share == 0.0 {
            return 1.0;
        }
        let direct = libm::powf(self.interpolated(place, |lit| [lit.direct])[0], self.inverse);
        1.0 - (1.0 - direct) * share as f32
    }

    /// Mean transmittance towards all sides of a position at or below the sprites, in shadows of a strength of 1.
    fn ambient_below(&self, position: [f64; 3]) -> f32 {
        let place = self.relative(position);
        let (outside, extents) = self.outside(place);
        let ambient = libm::powf(self.interpolated(place, |lit| [lit.ambient])[0], self.inverse);
        let hidden = (2.0 * (1.0 - ambient)).min(1.0);
        1.0 - hidden * nearness(extents, dot(outside, outside)) as f32
    }

    /// The light at a position.
    fn at(&self, position: [f64; 3]) -> Lit {
        let [direct, ambient] = self.interpolated(self.relative(position), |lit| [lit.direct, lit.ambient]);
        Lit { direct, ambient }
    }

    /// Values of the light at a place from the corner, linear between the cells.
    #[inline]
    fn interpolated<const N: usize>(&self, place: [f64; 3], values: impl Fn(&Lit) -> [f32; N]) -> [f32; N] {
        let mut low = [0; 3];
        let mut share = [0.0_f32; 3];
        for axis in 0..3 {
            let place = place[axis] / self.spacing - 0.5;
            let last = self.cells[axis] - 1;
            let place = if place.is_nan() { 0.0 } else { place.clamp(0.0, last as f64) };
            low[axis] = (place as usize).min(last.saturating_sub(1));
            share[axis] = (place - low[axis] as f64) as f32;
        }
        let [columns, rows, _] = self.cells;
        let mut sums = [0.0; N];
        for corner in 0..8 {
            let ends = [corner & 1, corner >> 1 & 1, corner >> 2];
            let [x, y, z] = [0, 1, 2].map(|axis| (low[axis] + ends[axis]).min(self.cells[axis] - 1));
            let weights = [0, 1, 2].map(|axis| if ends[axis] == 1 { share[axis] } else { 1.0 - share[axis] });
            let weight = weights[0] * weights[1] * weights[2];
            let values = values(&self.lit[x + columns * (y + rows * z)]);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * weight);
        }
        sums
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Axes at right angles, the last one along a unit vector.
fn axes(light: [f64; 3]) -> [[f64; 3]; 3] {
    let [x, y, z] = light;
    // Across the axis that is farthest from the light.
    let across = if x.abs() < 0.6 { [0.0, z, -y] } else { [-z, 0.0, x] };
    let length = libm::sqrt(dot(across, across)).max(1e-9);
    let across = across.map(|part| part / length);
    let along = [y * across[2] - z * across[1], z * across[0] - x * across[2], x * across[1] - y * across[0]];
    [across, along, light]
}

/// Range of positions along an axis, without those that are far from the mean.
fn range(placed: &[([f64; 3], f64, f64)], axis: usize, total: f64) -> [f64; 2] {
    let mean = placed.iter().map(|(position, _, amount)| position[axis] * amount).sum::<f64>() / total;
    let square = |position: &[f64; 3]| (position[axis] - mean) * (position[axis] - mean);
    let variance = placed.iter().map(|(position, _, amount)| square(position) * amount).sum::<f64>() / total;
    let reach = REACH * libm::sqrt(variance);
    let ends = placed.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], (position, ..)| {
        [low.min(position[axis]), high.max(position[axis])]
    });
    [ends[0].max(mean - reach), ends[1].min(mean + reach)]
}

/// Optical depth per cell of the finest level, on lattices each of which has cells twice as long as those of the last.
struct Pyramid {
    levels: Vec<Level>,
}

struct Level {
    cells: [usize; 3],
    depth: Vec<f32>,
}

impl Level {
    fn new(cells: [usize; 3]) -> Self {
        Self { cells, depth: request::zeros(cells.iter().product()) }
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.cells[0] * (y + self.cells[1] * z)
    }

    /// Adds an amount at a place in cells, shared by the eight cells around it; what is outside is lost.
    fn add(&mut self, place: [f64; 3], amount: f64) {
        let low = place.map(|part| libm::floor(part - 0.5));
        for corner in 0..8 {
            let ends = [corner & 1, corner >> 1 & 1, corner >> 2].map(f64::from);
            let cell = [0, 1, 2].map(|axis| low[axis] + ends[axis]);
            let inside = (0..3).all(|axis| cell[axis] >= 0.0 && cell[axis] < self.cells[axis] as f64);
            if inside {
                let weight = |axis: usize| 1.0 - (place[axis] - 0.5 - cell[axis]).abs();
                let index = self.index(cell.map(|part| part as usize));
                self.depth[index] += (amount * weight(0) * weight(1) * weight(2)) as f32;
            }
        }
    }

    /// Adds a level of cells twice as long, linear between its cells.
    fn add_coarser(&mut self, coarse: &Self) {
        let sides = |at: usize, cells: usize| {
            // The centre of a fine cell is a quarter of a coarse one from that of its own.
            let own = at / 2;
            let beside = if at % 2 == 1 { (own + 1).min(cells - 1) } else { own.saturating_sub(1) };
            [(own, 0.75_f32), (beside, 0.25)]
        };
        let [columns, rows, planes] = self.cells;
        for z in 0..planes {
            for y in 0..rows {
                for x in 0..columns {
                    let mut sum = 0.0;
                    for (cz, wz) in sides(z, coarse.cells[2]) {
                        for (cy, wy) in sides(y, coarse.cells[1]) {
                            for (cx, wx) in sides(x, coarse.cells[0]) {
                                sum += coarse.depth[coarse.index([cx, cy, cz])] * (wx * wy * wz);
                            }
                        }
                    }
                    let index = self.index([x, y, z]);
                    self.depth[index] += sum;
                }
            }
        }
    }
}

impl Pyramid {
    fn new(cells: [usize; 3]) -> Self {
        let mut levels = vec![Level::new(cells)];
        while let Some(last) = levels.last().filter(|level| level.cells.iter().any(|count| *count > 1)) {
            let coarser = Level::new(last.cells.map(|count| count.div_ceil(2)));
            levels.push(coarser);
        }
        Self { levels }
    }

    /// Adds a sprite of a radius at a place, both in cells; `amount`: its optical depth times its area, in faces of cells.
    fn add(&mut self, place: [f64; 3], radius: f64, amount: f64) {
        let number = (libm::ceil(libm::log2(radius.max(1.0))) as usize).min(self.levels.len() - 1);
        let size = (1_u64 << number) as f64;
        // An amount is spread over the volume of a coarse cell.
        self.levels[number].add(place.map(|part| part / size), amount / (size * size * size));
    }

    /// The sum of all levels on the finest one.
    fn sum(mut self) -> Vec<f32> {
        while self.levels.len() > 1 {
            if let (Some(coarse), Some(fine)) = (self.levels.pop(), self.levels.last_mut()) {
                fine.add_coarser(&coarse);
            }
        }
        self.levels.pop().map(|level| level.depth).unwrap_or_default()
    }
}

/// Optical depth in front of the middle of each cell along an axis, and the optical depth of each line of cells.
fn sums_along(depth: &[f32], cells: [usize; 3], axis: usize) -> (Vec<f32>, Vec<f32>) {
    let strides = [1, cells[0], cells[0] * cells[1]];
    let mut before = request::zeros::<f32>(depth.len());
    let mut totals = request::zeros::<f32>(depth.len() / cells[axis].max(1));
    for (at, (before, depth)) in before.iter_mut().zip(depth).enumerate() {
        let line = line_of(at, cells, strides, axis);
        *before = totals[line] + 0.5 * depth;
        totals[line] += depth;
    }
    (before, totals)
}

/// Number of the line of cells along an axis that a cell belongs to.
fn line_of(at: usize, cells: [usize; 3], strides: [usize; 3], axis: usize) -> usize {
    at % strides[axis] + at / (strides[axis] * cells[axis]) * strides[axis]
}

/// The light at the middle of each cell, by the optical depth of the cells.
fn light_of(cpu: &Cpu, depth: &[f32], cells: [usize; 3]) -> Vec<Lit> {
    let strides = [1, cells[0], cells[0] * cells[1]];
    let sums = [0, 1, 2].map(|axis| sums_along(depth, cells, axis));
    let mut lit = vec![Lit { direct: 1.0, ambient: 1.0 }; depth.len()];
    let plane = strides[2];
    cpu.each(lit.chunks_mut(plane).enumerate().collect(), |(z, lit): (usize, &mut [Lit])| {
        for (place, lit) in lit.iter_mut().enumerate() {
            let at = z * plane + place;
            let mut all = 0.0;
            for (axis, (before, totals)) in sums.iter().enumerate() {
                let after = totals[line_of(at, cells, strides, axis)] - before[at];
                let passed = [before[at], after].map(|depth| libm::expf(-depth));
                all += passed[0] + passed[1];
                lit.direct = passed[1];
            }
            lit.ambient = all / 6.0;
        }
    });
    lit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slab of sprites across a direction: a lattice of spacing 10 in its plane, over a thickness.
    fn slab(thickness: f64, cover: f64) -> Vec<Occluder> {
        let mut all = Vec::new();
        for x in -40..40 {
            for y in -40..40 {
                for z in 0..4 {
                    let position = [x, y, 0].map(|part| f64::from(part) * 10.0 + 3.0);
                    let z = (f64::from(z) / 3.0 - 0.5) * thickness;
                    let position = [position[0], position[1], z];
                    all.push(Occluder { position, radius: 5.0, cover: [cover, 1.0] });
                }
            }
        }
        all
    }

    /// The mean light over places near the middle of a plane.
    fn mean(lattice: &ShadowLattice, z: f64) -> Lit {
        let places = (0..400).map(|n| [f64::from(n % 20) * 7.0 - 70.0, f64::from(n / 20) * 7.0 - 70.0, z]);
        let sum = places
            .map(|place| lattice.at(place))
            .fold([0.0, 0.0], |sum, lit| [sum[0] + lit.direct, sum[1] + lit.ambient]);
        Lit { direct: sum[0] / 400.0, ambient: sum[1] / 400.0 }
    }

    #[test]
    fn light_behind_a_slab_is_that_of_its_optical_depth() {
        // Squares of 10 × 10 on a lattice of spacing 10: each layer has the optical depth of a sprite.
        let depth = 4.0 * -libm::log1p(-0.2);
        for light in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
            let lattice = ShadowLattice::new(&Cpu::new(2), &slab(120.0, 0.2), light, 1.0).expect("there are sprites");
            let [behind, before, middle] = [-500.0, 500.0, 0.0].map(|z| mean(&lattice, light[2] * z));
            assert!((f64::from(behind.direct) - libm::exp(-depth)).abs() < 0.01, "{behind:?} {}", libm::exp(-depth));
            assert!((f64::from(middle.direct) - libm::exp(-depth / 2.0)).abs() < 0.02, "{middle:?}");
            assert!(before.direct > 0.99 && before.ambient > behind.direct, "{before:?}");
        }
        let twice = ShadowLattice::new(&Cpu::new(1), &slab(120.0, 0.2), [0.0, 0.0, 1.0], 2.0).expect("as before");
        assert!((f64::from(mean(&twice, -500.0).direct) - libm::exp(-2.0 * depth)).abs() < 0.01);
    }

    #[test]
    fn a_level_of_the_pyramid_keeps_the_sum() {
        for radius in [0.3, 1.0, 2.5, 6.0] {
            let mut pyramid = Pyramid::new([33, 33, 33]);
            pyramid.add([16.2, 15.9, 16.6], radius, 5.0);
            let sum: f32 = pyramid.sum().iter().sum();
            assert!((sum - 5.0).abs() < 1e-4, "{radius}: {sum}");
        }
    }

    #[test]
    fn threads_change_no_bit_and_absurd_sprites_cast_no_shadow() {
        let mut sprites = slab(50.0, 0.1);
        let lattice = |threads: usize, sprites: &[Occluder]| {
            let light = [0.48, 0.6, 0.64];
            ShadowLattice::new(&Cpu::new(threads), sprites, light, 1.0).map(|lattice| lattice.lit)
        };
        let truth = lattice(1, &sprites);
        assert!(truth == lattice(3, &sprites));
        let sound = Occluder { position: [0.0; 3], radius: 1.0, cover: [0.5; 2] };
        let absurd = [
            Occluder { position: [f64::NAN, 0.0, 0.0], ..sound },
            Occluder { radius: 0.0, ..sound },
            Occluder { radius: f64::INFINITY, ..sound },
            Occluder { cover: [-1.0, 1.0], ..sound },
        ];
        assert!(lattice(1, &absurd[..2]).is_none() && lattice(2, &absurd[3..]).is_none());
        sprites.extend(absurd);
        assert!(truth == lattice(2, &sprites));
        assert!(lattice(1, &absurd).is_none());
        let one = lattice(1, &[sound]).expect("one sprite casts a shadow");
        assert!(one.iter().all(|lit| lit.direct <= 1.0 && lit.direct > 0.0));
    }
}

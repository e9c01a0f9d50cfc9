//! The light that comes through the water's surface, on the bed.
//!
//! One ray per cell of the bed, such that still water refracts each ray to its own cell: there the light is exactly 1.
//! Waves displace a ray, and its neighbours' displacements stretch or squeeze the patch that it lights; each ray
//! carries the light of one cell. Light is conserved: rays that cross the border of the picture are reflected at it.
//! Dry ground has a light of exactly 1: rays that would fall on it light their own cell instead.

use std::ops::Range;

use super::light::Light;
use super::plane::Plane;
use super::refraction::Refraction;
use super::surface::{CHUNK, Slopes, Surface};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::bands::bands;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::layers::Cells;
use crate::sim::water::State;

/// Largest displacement of a ray, cells.
const FARTHEST: f32 = 128.0;

/// Depth in pixels from which on caustics have their full strength.
const FILM: f32 = 4.0;

/// Distance beyond the border, cells, within which rays fade.
const BEYOND: f32 = 6.0;

/// Widest patch that a ray lights, cells.
const WIDEST: f32 = 8.0;

/// Height of a band of light, in bands of a picture: each band also traces the rays of its neighbours.
const BAND: usize = 8;

/// The light on the bed in R, 1 below still water and on dry ground, and A wet.
pub struct Caustics<'a> {
    state: &'a State,
    /// The light before cells are averaged, and 1 where the cell is wet.
    light: Plane<2>,
    /// Some cell is dry.
    shores: bool,
}

impl<'a> Caustics<'a> {
    /// Strength of the light on cells of a row in the shaded picture, 1 for still water: `strength` times as far from 1
    /// as [`Self::light`]. Water shallower than [`FILM`] of so many pixels per height has less, so that shores are not
    /// lit.
    #[inline(always)]
    pub fn strengthened(&self, y: usize, from: usize, strength: f32, relief: f32, out: &mut [f32]) {
        self.light(y, from, out);
        let mut heights = [[0.0; 4]; CHUNK];
        let heights = &mut heights[..out.len()];
        self.state.height_cells(y, from, heights);
        for (light, [height, ..]) in out.iter_mut().zip(heights) {
            let deep = (*height * relief * (1.0 / FILM)).min(1.0);
            *light = (1.0 + (*light - 1.0) * strength * deep).max(0.0);
        }
    }

    /// Light through the surface of a state, computed on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &'a State, surface: Surface<'a>, refraction: Refraction, light: &Light) -> Self {
        let slopes = Plane::new(cpu, state, &WetSlopes { state, surface });
        let towards = light.towards;
        let straight = refraction.bend(towards, 0.0, 0.0);
        let cells_per_pixel = state.grid().cells_per_pixel as f32;
        let rays = Plane::new(cpu, state, &Rays { state, slopes, refraction, towards, straight, cells_per_pixel });
        let (width, height) = (rays.width(), rays.height());
        let reach = (0..height).flat_map(|y| rays.row(y)).fold(0.0_f32, |most, [_, up, _]| most.max(up.abs()));
        let shores = (0..height).flat_map(|y| rays.row(y)).any(|[_, _, wet]| *wet == 0.0);
        let beam = Beam { rays, reach: (reach + WIDEST).ceil() as usize, shores };
        let light = Plane::of_bands(cpu, state, bands(height, width.div_ceil(BAND)), |band, out| {
            wide(Falling { beam: &beam, band, out });
        });
        Self { state, light, shores }
    }

    /// The light on cells of a row of the bed. Each stands for itself and its wet neighbours, 1 to 2 to 1: patches that
    /// are sheared leave a grid where they do not quite meet. Dry cells have 1.
    #[inline(always)]
    pub fn light(&self, y: usize, from: usize, out: &mut [f32]) {
        let (width, height, wraps) = (self.light.width(), self.light.height(), self.light.wraps());
        let row = |dy: isize| self.light.row(folded(y as isize + dy, height, wraps));
        let [below, own, above] = [-1, 0, 1].map(row);
        // What is more or less than 1, so that even light stays as it is.
        let column = |x: usize| {
            let [[below, _], [own, _], [above, _]] = [below[x], own[x], above[x]];
            (below - 1.0) + (own - 1.0) * 2.0 + (above - 1.0)
        };
        let count = out.len();
        let beside = |x: isize| column(folded(x, width, wraps));
        let [left, right] = [beside(from as isize - 1), beside((from + count) as isize)];
        for (i, light) in out.iter_mut().enumerate() {
            let x = from + i;
            let before = if i == 0 { left } else { column(x - 1) };
            let after = if i + 1 == count { right } else { column(x + 1) };
            *light = 1.0 + (before + column(x) * 2.0 + after) * (1.0 / 16.0);
        }
        if !self.shores {
            return;
        }
        // Weights of the dry cells, whose light is 1: a wet cell stands for them itself, so that no light is lost on
        // shores.
        let column = |x: usize| (1.0 - below[x][1]) + (1.0 - own[x][1]) * 2.0 + (1.0 - above[x][1]);
        let beside = |x: isize| column(folded(x, width, wraps));
        for (x, light) in (from..).zip(out) {
            let [lit, wet] = own[x];
            let dry = (beside(x as isize - 1) + column(x) * 2.0 + beside(x as isize + 1)) * (1.0 / 16.0);
            *light = if wet == 0.0 { 1.0 } else { *light + (lit - 1.0) * dry };
        }
    }
}

impl Cells for Caustics<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.height_cells(y, from, out);
        let mut light = [0.0; CHUNK];
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            self.light(y, from + i * CHUNK, &mut light[..out.len()]);
            for (pixel, &light) in out.iter_mut().zip(&light) {
                *pixel = [light, light, light, pixel[3]];
            }
        }
    }
}

/// Slopes of the water in R and G, 0 where it is dry.
struct WetSlopes<'a> {
    state: &'a State,
    surface: Surface<'a>,
}

impl Cells for WetSlopes<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.height_cells(y, from, out);
        let mut slopes = Slopes::FLAT;
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            if out.iter().all(|pixel| pixel[3] == 0.0) {
                out.fill([0.0; 4]);
                continue;
            }
            self.surface.slopes(y, from + i * CHUNK, out.len(), &mut slopes);
            for ((pixel, x), y) in out.iter_mut().zip(&slopes.x).zip(&slopes.y) {
                let wet = pixel[3];
                *pixel = [x * wet, y * wet, 0.0, 0.0];
            }
        }
    }
}

/// Displacement by waves of the ray that still water leads to a cell of the bed: cells to the right in R, up in G; B is
/// 1 where the cell is wet.
struct Rays<'a> {
    state: &'a State,
    slopes: Plane<2>,
    refraction: Refraction,
    towards: [f32; 3],
    /// Direction of rays below a still surface.
    straight: [f32; 2],
    cells_per_pixel: f32,
}

impl Rays<'_> {
    /// 1 for a place in cells on the grid, and less beyond its border, down to 0 at [`BEYOND`] cells.
    #[inline(always)]
    fn known(&self, [x, y]: [f32; 2]) -> f32 {
        if self.slopes.wraps() {
            return 1.0;
        }
        let outside = |at: f32, count: usize| (-at).max(at - (count - 1) as f32).max(0.0);
        let distance = outside(x, self.slopes.width()).max(outside(y, self.slopes.height()));
        (1.0 - distance * (1.0 / BEYOND)).max(0.0)
    }
}

impl Cells for Rays<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.height_cells(y, from, out);
        let [right, up] = self.straight;
        for (x, pixel) in (from..).zip(out) {
            let [height, _, _, wet] = *pixel;
            *pixel = [0.0; 4];
            if wet > 0.0 {
                let deep = self.refraction.depth(height) * self.cells_per_pixel;
                let [slope_x, slope_y] = self.slopes.at(x, y, -deep * right, -deep * up);
                let bent = self.refraction.bend(self.towards, slope_x, slope_y);
                // The surface is unknown beyond the border: a ray from there keeps its still course.
                let known = self.known([x as f32 - deep * right, y as f32 - deep * up]);
                let led = |bent: f32, straight: f32| (deep * known * (bent - straight)).clamp(-FARTHEST, FARTHEST);
                *pixel = [led(bent[0], right), led(bent[1], up), 1.0, 0.0];
            }
        }
    }
}

/// All rays.
struct Beam {
    rays: Plane<3>,
    /// Cells that the light of one reaches up or down at most.
    reach: usize,
    /// Some cell is dry.
    shores: bool,
}

/// A stretch that a ray lights, counted from the lower end of its cell.
#[derive(Clone, Copy)]
struct Stretch {
    from: f32,
    to: f32,
}

impl Stretch {
    /// A cell's own.
    const OWN: Self = Self { from: 0.0, to: 1.0 };

    /// The part of the bed that a ray lights, by the displacements of the ray before, its own and that of the ray
    /// after, in cells: from half way to the one to half way to the other, at least a cell and at most [`WIDEST`] cells
    /// wide.
    #[inline(always)]
    fn new(before: f32, own: f32, after: f32) -> Self {
        let (from, to) = ((before + own) * 0.5, 1.0 + (own + after) * 0.5);
        let middle = (from + to) * 0.5;
        let half = ((to - from).abs() * 0.5).clamp(0.5, WIDEST * 0.5);
        Self { from: middle - half, to: middle + half }
    }

    /// The cells that it lights, counted from its own, with how much of each.
    #[inline(always)]
    fn cells(self) -> impl Iterator<Item = (isize, f32)> + Clone {
        let first = self.from.floor();
        let count = (self.to - first).ceil() as usize;
        (0..count).map(move |i| {
            let low = first + i as f32;
            (low as isize, self.to.min(low + 1.0) - self.from.max(low))
        })
    }

    /// True if that is its own cell and no other.
    #[inline(always)]
    fn is_own(self) -> bool {
        self.from == Self::OWN.from && self.to == Self::OWN.to
    }

    #[inline(always)]
    fn length(self) -> f32 {
        self.to - self.from
    }
}

/// The place of a cell that may lie beyond the border: reflected, or at the other side where the edges join.
#[inline(always)]
fn folded(at: isize, count: usize, wraps: bool) -> usize {
    let count = count as isize;
    if (0..count).contains(&at) {
        return at as usize;
    }
    if wraps {
        return at.rem_euclid(count) as usize;
    }
    let folded = at.rem_euclid(2 * count);
    folded.min(2 * count - 1 - folded) as usize
}

impl Beam {
    /// The stretches lit by the rays of a row, from their ends and those of the rows below and above.
    #[inline(always)]
    fn patches(&self, y: usize, patches: &mut [[Stretch; 2]]) {
        let (width, height, wraps) = (self.rays.width(), self.rays.height(), self.rays.wraps());
        let row = self.rays.row(y);
        // Beyond a border that does not join, rays are reflected.
        let beside = |at: isize, count: usize| (folded(at, count, wraps), if wraps { 1.0 } else { -1.0 });
        let vertical = |dy: isize| match y.checked_add_signed(dy).filter(|y| *y < height) {
            Some(y) => (y, 1.0),
            None => beside(y as isize + dy, height),
        };
        let ((below, down), (above, up)) = (vertical(-1), vertical(1));
        let (below, above) = (self.rays.row(below), self.rays.row(above));
        for (x, patch) in patches.iter_mut().enumerate() {
            let [own_x, own_y, _] = row[x];
            let (left, right) = (row[x.saturating_sub(1)][0], row[(x + 1).min(width - 1)][0]);
            let along = Stretch::new(left, own_x, right);
            let across = Stretch::new(below[x][1] * down, own_y, above[x][1] * up);
            *patch = [along, across];
        }
        for x in [0, width - 1] {
            let horizontal = |dx: isize| match x.checked_add_signed(dx).filter(|x| *x < width) {
                Some(x) => row[x][0],
                None => {
                    let (x, sign) = beside(x as isize + dx, width);
                    row[x][0] * sign
                }
            };
            patches[x][0] = Stretch::new(horizontal(-1), row[x][0], horizontal(1));
        }
        if self.shores {
            let dry = patches.iter_mut().zip(row).filter(|(_, ray)| ray[2] == 0.0);
            dry.for_each(|(patch, _)| *patch = [Stretch::OWN; 2]);
        }
    }

    /// Adds the light that a row of rays brings to a band of the bed.
    #[inline(always)]
    fn fall(&self, y: usize, patches: &[[Stretch; 2]], band: &Range<usize>, out: &mut [[f32; 2]]) {
        let (width, height, wraps) = (self.rays.width(), self.rays.height(), self.rays.wraps());
        for (x, &[along, across]) in patches.iter().enumerate() {
            if along.is_own() && across.is_own() {
                if band.contains(&y) {
                    out[(y - band.start) * width + x][0] += 1.0;
                }
                continue;
            }
            let light = 1.0 / (along.length() * across.length());
            for (up, tall) in across.cells() {
                let row = folded(y as isize + up, height, wraps);
                if self.shores {
                    let bed = self.rays.row(row);
                    for (right, broad) in along.cells() {
                        let column = folded(x as isize + right, width, wraps);
                        let (row, column) = if bed[column][2] > 0.0 { (row, column) } else { (y, x) };
                        if band.contains(&row) {
                            out[(row - band.start) * width + column][0] += broad * tall * light;
                        }
                    }
                    continue;
                }
                if !band.contains(&row) {
                    continue;
                }
                let row = &mut out[(row - band.start) * width..][..width];
                for (right, broad) in along.cells() {
                    row[folded(x as isize + right, width, wraps)][0] += broad * tall * light;
                }
            }
        }
    }

    /// The rows whose rays may light a band, each once.
    fn rows(&self, band: &Range<usize>) -> Box<dyn Iterator<Item = usize>> {
        let height = self.rays.height();
        let (low, high) = (band.start as isize - self.reach as isize, (band.end + self.reach) as isize);
        if !self.rays.wraps() || high - low >= height as isize {
            return Box::new(low.max(0) as usize..(high as usize).min(height));
        }
        Box::new((low..high).map(move |y| y.rem_euclid(height as isize) as usize))
    }
}

/// Light that is added to a band of the bed.
struct Falling<'a> {
    beam: &'a Beam,
    band: Range<usize>,
    out: &'a mut [[f32; 2]],
}

impl Wide for Falling<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { beam, band, out } = self;
        let mut patches = vec![[Stretch::OWN; 2]; beam.rays.width()];
        for (y, row) in band.clone().zip(out.chunks_mut(beam.rays.width())) {
            row.iter_mut().zip(beam.rays.row(y)).for_each(|(cell, ray)| cell[1] = ray[2]);
        }
        // In the order of the rows, so that sums do not depend on the bands.
        for y in beam.rows(&band) {
            beam.patches(y, &mut patches);
            beam.fall(y, &patches, &band, out);
        }
    }
}

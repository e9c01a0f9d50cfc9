//! Pictures and settings as integers: amounts of water, terrain, forces, solid cells.

use super::domain::Domain;
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, PIGMENT_MAX, floor, to_half_push, to_units};
use super::plan::{Device, Inflow, RowCounts};
use super::settings::{Channel, Settings};
use crate::sim::inputs::{Pixels, SourcePixels};
use crate::sim::maths::clamp;
use crate::sim::request;

/// The parameters of all conversions.
pub(super) struct Basis<'a> {
    pub width: usize,
    pub height: usize,
    /// Units per 1.0 of height.
    pub units: f64,
    /// Range of colours.
    pub colour_range: f64,
    /// Cells per full-resolution pixel.
    pub scale: f64,
    /// Number of steps that share an amount, at least 1.
    pub steps: u32,
    /// Whether amounts may be negative: they are deviations of Ripples, which have no pigment.
    pub signed: bool,
    pub domain: &'a Domain,
    pub mask: Option<&'a Pixels>,
    pub device: &'a dyn Device,
}

impl Basis<'_> {
    /// Planes of this grid, all 0.
    pub fn field(&self, planes: usize) -> Field {
        Field::new(self.width, self.height, planes)
    }

    /// Index of the first cell of a row.
    fn row(&self, y: usize) -> usize {
        y * self.width
    }

    /// Factor of the mask for a cell; 0 in solid cells and where the mask is no finite number.
    pub fn open_share(&self, cell: usize) -> f64 {
        if self.domain.solid().is_some_and(|s| s[cell]) {
            return 0.0;
        }
        match self.mask {
            None => 1.0,
            Some(mask) => match mask.get(cell) {
                Some(pixel) if pixel[3].is_finite() => f64::from(pixel[3]).clamp(0.0, 1.0),
                _ => 0.0,
            },
        }
    }

    /// Planes of amounts, all 0: height, red, green, blue; with several steps, their remainders follow.
    pub fn amounts(&self) -> Field {
        self.field(if self.steps > 1 { 8 } else { 4 })
    }

    /// Writes an amount of water of one colour into a row of [`Basis::amounts`].
    pub fn put_coloured(&self, row: &mut [i32], x: usize, height: i32, colour: [f64; 3]) {
        let pigments = if self.signed { [0; 3] } else { colour.map(|c| pigment(height, c, self.colour_range)) };
        self.put(row, x, height, pigments);
    }

    /// Writes an amount of water and its pigment into a row of [`Basis::amounts`].
    pub fn put(&self, row: &mut [i32], x: usize, height: i32, [r, g, b]: [i32; 3]) {
        let stride = self.width + 2;
        let steps = self.steps as i32;
        for (kind, amount) in [height, r, g, b].into_iter().enumerate() {
            let at = kind * stride + x + 1;
            if steps > 1 {
                row[at] = amount.div_euclid(steps);
                row[at + 4 * stride] = amount.rem_euclid(steps);
            } else {
                row[at] = amount;
            }
        }
    }

    /// Amounts as an inflow; `None` where all are 0.
    pub fn inflow(&self, shares: Field) -> Option<Inflow> {
        let parts = shares.planes() / 4;
        let extent = |y: usize| {
            let rows = || (0..parts).map(|part| shares.row(y, 4 * part));
            let from = rows().filter_map(|r| r.iter().position(|&v| v != 0)).min()?;
            let to = rows().filter_map(|r| r.iter().rposition(|&v| v != 0)).max()?;
            Some(from..to + 1)
        };
        let extents: Vec<_> = (1..=self.height).map(|y| extent(y).unwrap_or(0..0)).collect();
        if extents.iter().all(|e| e.is_empty()) {
            return None;
        }
        let tinted = |y: usize| {
            let mut planes = (0..4 * parts).filter(|plane| plane % 4 != 0);
            planes.any(|plane| shares.row(y + 1, plane)[extents[y].clone()].iter().any(|&v| v != 0))
        };
        let coloured = (0..self.height).any(tinted);
        Some(Inflow { shares, coloured, extents })
    }
}

/// Pigment of one channel in `height` units of water of a colour.
pub(super) fn pigment(height: i32, colour: f64, colour_range: f64) -> i32 {
    let c = clamp(colour, 0.0, colour_range);
    floor((c * f64::from(height) / colour_range + 0.5).min(f64::from(PIGMENT_MAX)))
}

/// The unpremultiplied colour of a source pixel. With alpha 0 the RGB is taken as it is.
fn straight(pixel: &[f32; 4], premultiplied: bool) -> [f64; 3] {
    let [r, g, b, a] = pixel.map(f64::from);
    if premultiplied && a > 0.0 { [r / a, g / a, b / a] } else { [r, g, b] }
}

/// The amounts of the source, and properties of its picture.
pub(super) struct SourceAmounts {
    pub amounts: Field,
    pub bad: u64,
    pub luminance_for_alpha: bool,
    pub alpha_everywhere: bool,
}

/// Amounts of height and pigment of the source picture; `factor` multiplies the heights.
pub(super) fn source(basis: &Basis<'_>, settings: &Settings, source: &SourcePixels, factor: f64) -> SourceAmounts {
    let by = settings.source_channel.or_luminance(source.has_alpha);
    let luminance_for_alpha = by != settings.source_channel;
    let scale = clamp(settings.source_height, 0.0, 1e9) * factor;
    let mut amounts = basis.amounts();
    let [bad, below_one, ..] = basis.device.rows(&mut amounts, &|y, row| {
        let mut counts = RowCounts::default();
        for x in 0..basis.width {
            let cell = basis.row(y) + x;
            let pixel = source.pixels.get(cell).copied().unwrap_or_default();
            counts[1] += u64::from(pixel[3].partial_cmp(&1.0).is_none_or(|o| o.is_lt()));
            let value = by.value_in(&pixel);
            let colour_bad = pixel[..3].iter().any(|c| c.is_nan());
            counts[0] += u64::from(!value.is_finite() || (colour_bad && value > 0.0));
            if !(value.is_finite() && value > 0.0) {
                continue;
            }
            let height = to_units(value * scale * basis.open_share(cell), basis.units, 0, HEIGHT_MAX).unwrap_or(0);
            if height > 0 {
                basis.put_coloured(row, x, height, straight(&pixel, source.premultiplied));
            }
        }
        counts
    });
    let alpha_everywhere = by == Channel::Alpha && below_one == 0;
    SourceAmounts { amounts, bad, luminance_for_alpha, alpha_everywhere }
}

/// Terrain in units, and the number of bad pixels.
pub(super) fn terrain(basis: &Basis<'_>, settings: &Settings, pixels: &Pixels) -> (Field, u64) {
    let scale = finite(settings.terrain_height);
    let offset = finite(settings.terrain_offset);
    let mut field = basis.field(1);
    let [bad, ..] = basis.device.rows(&mut field, &|y, row| {
        let mut counts = RowCounts::default();
        for x in 0..basis.width {
            let value = pixels.get(basis.row(y) + x).map_or(0.0, |p| settings.terrain_channel.value_in(p));
            let value = if settings.terrain_invert { 1.0 - value } else { value };
            let units = to_units(value * scale + offset, basis.units, -HEIGHT_MAX, HEIGHT_MAX);
            counts[0] += u64::from(units.is_none());
            row[x + 1] = units.unwrap_or(0);
        }
        counts
    });
    (field, bad)
}

/// Solid cells (alpha above 0.5) and the number of bad pixels; `None` where nothing is solid.
pub(super) fn solid(cells: usize, pixels: &Pixels) -> (Option<Vec<bool>>, u64) {
    let mut bad = 0;
    let mut solid: Vec<bool> = request::with_capacity(cells);
    solid.extend(pixels.iter().take(cells).map(|p| {
        bad += u64::from(!p[3].is_finite());
        p[3].is_finite() && p[3] > 0.5
    }));
    solid.resize(cells, false);
    (solid.contains(&true).then_some(solid), bad)
}

/// Number of mask pixels whose alpha is no finite number.
pub(super) fn bad_mask(mask: &Pixels, cells: usize) -> u64 {
    mask.iter().take(cells).filter(|p| !p[3].is_finite()).count() as u64
}

/// Terrain with pressure, and half pushes, each `None` where all are 0; and the number of bad pixels.
pub(super) struct Forces {
    pub base: Option<Field>,
    pub push: Option<Field>,
    pub bad: u64,
}

/// Pressure and push of the settings and the force picture. `base` is `None` where the terrain alone stands for it.
pub(super) fn forces(
    basis: &Basis<'_>,
    settings: &Settings,
    force: Option<&Pixels>,
    terrain: Option<&Field>,
    wrap: bool,
) -> Forces {
    let push = settings.push.map(finite);
    let (scale, pressure) = (finite(settings.force_scale), finite(settings.pressure_scale));
    let Some(pixels) = force else {
        if push == [0.0; 2] {
            return Forces { base: None, push: None, bad: 0 };
        }
        let halves = push.map(|p| to_half_push(p / basis.scale, basis.units).unwrap_or(0));
        let mut field = basis.field(2);
        for y in 0..basis.height + 2 {
            for (axis, half) in halves.into_iter().enumerate() {
                field.row_mut(y, axis).fill(half);
            }
        }
        return Forces { base: None, push: Some(field), bad: 0 };
    };
    let value = |cell: usize, c: usize, factor: f64| {
        let v = pixels.get(cell).map_or(0.0, |p| f64::from(p[c])) * factor;
        if v.is_finite() { v } else { 0.0 }
    };
    let mut halves = basis.field(2);
    let stride = halves.stride();
    let [bad, ..] = basis.device.rows(&mut halves, &|y, row| {
        let mut counts = RowCounts::default();
        for x in 0..basis.width {
            let cell = basis.row(y) + x;
            counts[0] += u64::from(pixels.get(cell).is_some_and(|p| p[..3].iter().any(|c| !c.is_finite())));
            for axis in 0..2 {
                let slope = (push[axis] + value(cell, axis, scale)) / basis.scale;
                row[axis * stride + x + 1] = to_half_push(slope, basis.units).unwrap_or(0);
            }
        }
        counts
    });
    if wrap {
        halves.wrap_ring();
    }
    let mut base = basis.field(1);
    basis.device.rows(&mut base, &|y, row| {
        for x in 0..basis.width {
            let p = value(basis.row(y) + x, 2, pressure);
            let p = to_units(p, basis.units, -HEIGHT_MAX, HEIGHT_MAX).unwrap_or(0);
            let z = terrain.map_or(0, |t| t.at(x, y, 0));
            row[x + 1] = (z + p).clamp(-HEIGHT_MAX, HEIGHT_MAX);
        }
        RowCounts::default()
    });
    Forces { base: Some(base), push: (!halves.is_zero()).then_some(halves), bad }
}

/// A setting; 0 where it is no finite number.
fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-1e12, 1e12) }
}

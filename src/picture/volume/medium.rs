//! The medium: extinction of smoke, soot and fire per cell, and the tiles that are empty.
//!
//! Volumes have a border of one cell of zeros around the cells of the view, so that a position needs no test for the
//! border: cell (i, j, k) of the view is value (i + 1, j + 1, k + 1).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use half::slice::HalfFloatSliceExt as _;

use super::fire::Burning;
use super::look::VolumeLook;
use super::sample::Volume;
use super::sharpening::sharpened;
use super::shock_cells::ShockTrain;
use super::smoothing::{self, Smoothing};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::maths::{clamped, up_to};
use crate::sim::memory::Values;
use crate::sim::request;
use crate::sim::volume::fields::VolumeView;

/// Unit cells of positions along each side of a tile: position `q` is in tile `⌊q⌋ / TILE`.
pub const TILE: usize = 4;

/// Density below which a cell is empty: the tails of advected smoke.
const FAINT: f32 = 1e-4;

/// Largest extinction per cell.
const MOST: f32 = 1e4;

/// Unit of length of [`VolumeLook::density`] and of [`VolumeLook::soot`], world units.
const UNIT: f64 = 100.0;

/// A tile with extinction.
pub const DENSE: u8 = 1;

/// A tile with fire.
pub const HOT: u8 = 2;

/// A tile in which a part of the extinction does not scatter.
pub const SOOTY: u8 = 4;

/// A tile in which smoke has a colour.
pub const TINTED: u8 = 8;

/// The medium of a view.
pub struct Medium {
    /// World units per cell.
    pub spacing: f64,
    /// World position of the centre of value (0, 0, 0).
    pub origin: [f64; 3],
    /// The same place in cells from the origin of the box.
    pub corner: [f64; 3],
    /// Optical depth per cell.
    pub extinction: Volume<f32>,
    /// Temperature, flame gas, flame gas times its age, and the part of the extinction that scatters; `None` without
    /// fire and soot.
    pub gas: Option<Volume<[f32; 4]>>,
    /// The part of the extinction that does not scatter because of the colour of the smoke, by channel, and 0; `None`
    /// where all smoke is white.
    pub tint: Option<Volume<[f32; 4]>>,
    /// Emission of the blue base of a flame, relative to its colour; `None` without one.
    pub base: Option<Volume<f32>>,
    /// Emission of fire.
    pub burning: Option<Burning>,
    /// Contents of the tiles: [`DENSE`], [`HOT`], [`SOOTY`], [`TINTED`].
    pub tiles: Tiles,
}

/// Contents of the tiles. A tile has the flags of all values that interpolation reads at its positions.
pub struct Tiles {
    /// Number of tiles along each axis.
    pub count: [usize; 3],
    /// Flags, x fastest.
    pub flags: Vec<u8>,
    /// The first tile with contents along each axis, and the one after the last.
    pub occupied: [[usize; 2]; 3],
}

impl Medium {
    /// The medium of a view with shading settings, on the threads of `cpu`; `None` where the view has fewer than two cells
    /// along an axis.
    pub fn new(cpu: &Cpu, view: &VolumeView<'_>, look: &VolumeLook) -> Option<Self> {
        let cells = view.bounds.cells;
        let count = view.bounds.len();
        let spacing = view.lattice.spacing;
        let fits =
            cells.iter().all(|cells| *cells > 1) && view.scalars.len() >= count && spacing > 0.0 && spacing.is_finite();
        if !fits {
            return None;
        }
        let size = cells.map(|count| count + 2);
        let plane = size[0] * size[1];
        let gases = view.gases.filter(|gases| gases.len() >= count);
        let burning = Burning::new(look, gases.is_some(), spacing);
        let coefficients = Coefficients::new(look, spacing, burning.as_ref());
        let corner = view.bounds.low.map(|low| f64::from(low) - 0.5);
        let origin = [0, 1, 2].map(|axis| view.lattice.origin[axis] + corner[axis] * spacing);
        let shocks: Vec<_> =
            look.shock_cells.iter().filter_map(|cells| ShockTrain::new(cells, origin, spacing)).collect();
        let mut extinction = Values::uninitialised(plane * size[2], cpu.memory());
        let has_gas = burning.is_some() || coefficients.soot > 0.0;
        let mut gas: Values<[f32; 4]> =
            if has_gas { Values::uninitialised(plane * size[2], cpu.memory()) } else { Values::default() };
        let has_base = gases.is_some() && burning.is_some() && clamped(look.fire.flame.blue, 0.0, 1e6) > 0.0;
        let mut base: Values<f32> =
            if has_base { Values::uninitialised(plane * size[2], cpu.memory()) } else { Values::default() };
        let tints = view.tints.filter(|tints| tints.len() >= count);
        let mut tint: Values<[f32; 4]> =
            if tints.is_some() { Values::uninitialised(plane * size[2], cpu.memory()) } else { Values::default() };
        let (mut gas_planes, mut base_planes) = (gas.chunks_mut(plane), base.chunks_mut(plane));
        let mut tint_planes = tint.chunks_mut(plane);
        let planes = extinction.chunks_mut(plane).map(|extinction| Planes {
            extinction,
            gas: gas_planes.next(),
            tint: tint_planes.next(),
            base: base_planes.next(),
        });
        let flags = cpu.each(planes.enumerate().collect(), |(z, planes): (usize, Planes<'_>)| {
            wide(Filling { view, gases, tints, cells, coefficients: &coefficients, shocks: &shocks, z, planes })
        });
        let has_gas = flags.iter().any(|flags| flags.has_gas);
        let tiles = Tiles::new(size, &flags);
        let amount = clamped(look.sharpness, 0.0, 2.0) as f32;
        // Fire has been smoothed on purpose.
        let sharp = |gas: Values<[f32; 4]>| sharpened(cpu, Volume { size, values: gas }, [0.0, 0.0, 0.0, amount]);
        Some(Self {
            spacing,
            origin,
            corner,
            extinction: sharpened(cpu, Volume { size, values: extinction }, [amount]),
            gas: has_gas.then(|| sharp(gas)),
            tint: tints.map(|_| sharpened(cpu, Volume { size, values: tint }, [amount; 4])),
            base: (has_gas && has_base).then_some(Volume { size, values: base }),
            burning: burning.filter(|_| has_gas),
            tiles,
        })
    }

    /// Converts a world position to the coordinates of the values: cells, value (0, 0, 0) at the origin.
    pub fn position(&self, world: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| (world[axis] - self.origin[axis]) / self.spacing)
    }
}

/// Factors of the fields.
struct Coefficients<'a> {
    density: f32,
    edge: [f32; 2],
    soot: f32,
    soot_albedo: f32,
    burning: Option<&'a Burning>,
}

impl<'a> Coefficients<'a> {
    fn new(look: &VolumeLook, spacing: f64, burning: Option<&'a Burning>) -> Self {
        let per_cell = |factor: f64| (clamped(factor, 0.0, 1e6) * spacing / UNIT) as f32;
        let low = clamped(look.edge[0], 0.0, 1e4);
        let high = clamped(look.edge[1], low, 1e4);
        Self {
            density: per_cell(look.density),
            edge: [low as f32, high as f32],
            soot: per_cell(look.soot),
            soot_albedo: clamped(look.soot_albedo, 0.0, 1.0) as f32,
            burning,
        }
    }

    /// Density of smoke after the curve that sharpens its edge.
    #[inline(always)]
    fn density(&self, density: f32) -> f32 {
        let density = up_to(density, MOST);
        let [low, high] = self.edge;
        let share = if high > low { up_to((density - low) / (high - low), 1.0) } else { 1.0 };
        let kept = if density > low.max(FAINT) { density } else { 0.0 };
        kept * share
    }

    #[inline(always)]
    fn gas_flag(&self, gas: [f32; 4], extinction: f32) -> u8 {
        let is_hot = self.burning.is_some_and(|burning| burning.glows(gas));
        (if is_hot { HOT } else { 0 }) | (if gas[3] < extinction { SOOTY } else { 0 })
    }

    /// Adds soot and fire to the extinction of a row, and completes its gas and its tint, which has cells or is empty;
    /// returns [`SOOTY`] where there is soot and [`HOT`] where there is fire.
    #[inline(always)]
    fn gas_row(&self, scalars: &[[f32; 4]], extinction: &mut [f32], gas: &mut [[f32; 4]], tint: &mut [[f32; 4]]) -> u8 {
        let mut found = 0;
        for (x, ((scalars, extinction), gas)) in scalars.iter().zip(extinction).zip(gas).enumerate() {
            let soot = up_to(scalars[3], MOST) * self.soot;
            let smoke = *extinction;
            let mut scattered = smoke + self.soot_albedo * soot;
            let mut sum = smoke + soot;
            if soot > 0.0 {
                found |= SOOTY;
            }
            if let Some(burning) = self.burning
                && burning.glows(*gas)
            {
                found |= HOT;
                let [fire, kept] = burning.extinction(*gas);
                scattered *= kept;
                if let Some(tint) = tint.get_mut(x) {
                    *tint = tint.map(|part| part * kept);
                }
                sum += fire;
            }
            gas[3] = scattered;
            *extinction = sum;
        }
        found
    }
}

/// A plane of each volume.
struct Planes<'a> {
    extinction: &'a mut [f32],
    gas: Option<&'a mut [[f32; 4]]>,
    tint: Option<&'a mut [[f32; 4]]>,
    base: Option<&'a mut [f32]>,
}

/// The filling of plane `z` of the values.
struct Filling<'a> {
    view: &'a VolumeView<'a>,
    gases: Option<&'a [[half::f16; 4]]>,
    tints: Option<&'a [[half::f16; 4]]>,
    cells: [usize; 3],
    coefficients: &'a Coefficients<'a>,
    shocks: &'a [ShockTrain],
    z: usize,
    planes: Planes<'a>,
}

/// Contents of a plane of values: flags of blocks of [`TILE`]² values, and whether it has fire or soot.
struct PlaneFlags {
    blocks: Vec<u8>,
    has_gas: bool,
}

impl Wide for Filling<'_> {
    type Output = PlaneFlags;

    #[inline(always)]
    fn run(self) -> PlaneFlags {
        let Filling { view, gases: all_gases, tints, cells: [nx, ny, nz], coefficients, shocks, z, planes } = self;
        let Planes { extinction, mut gas, mut tint, mut base } = planes;
        let width = nx + 2;
        let across = (width - 1).div_ceil(TILE);
        let mut flags = PlaneFlags { blocks: vec![0; across * (ny + 1).div_ceil(TILE)], has_gas: false };
        extinction.fill(0.0);
        for packs in [&mut gas, &mut tint].into_iter().flatten() {
            packs.fill([0.0; 4]);
        }
        if let Some(base) = &mut base {
            base.fill(0.0);
        }
        if z == 0 || z > nz {
            return flags;
        }
        let mut scalars = vec![[0.0_f32; 4]; nx];
        let mut gases = vec![[0.0_f32; 4]; nx];
        let mut smoothing = all_gases.map(|gases| Smoothing::new(view, gases));
        for y in 0..ny {
            let from = nx * (y + ny * (z - 1));
            view.scalars[from..from + nx].as_flattened().convert_to_f32_slice(scalars.as_flattened_mut());
            if let Some(all) = all_gases {
                all[from..from + nx].as_flattened().convert_to_f32_slice(gases.as_flattened_mut());
            }
            let start = width * (y + 1) + 1;
            let row = &mut extinction[start..start + nx];
            for (to, [density, ..]) in row.iter_mut().zip(&scalars) {
                *to = coefficients.density(*density) * coefficients.density;
            }
            let tint_row: &mut [[f32; 4]] = match (&mut tint, tints) {
                (Some(tint), Some(tints)) => {
                    let to = &mut tint[start..start + nx];
                    tints[from..from + nx].as_flattened().convert_to_f32_slice(to.as_flattened_mut());
                    for ((to, [density, ..]), extinction) in to.iter_mut().zip(&scalars).zip(&*row) {
                        let factor = if *extinction > 0.0 { extinction / density } else { 0.0 };
                        *to = to.map(|tint| up_to(tint * factor, *extinction));
                    }
                    to
                }
                _ => &mut [],
            };
            let mut hot = 0;
            if let Some(gas) = &mut gas {
                let gas = &mut gas[start..start + nx];
                match &mut smoothing {
                    Some(smoothing) => smoothing.row([y, z - 1], gas),
                    None => {
                        for (to, [_, temperature, ..]) in gas.iter_mut().zip(&scalars) {
                            *to = [up_to(*temperature, smoothing::MOST), 0.0, 0.0, 0.0];
                        }
                    }
                }
                shocks.iter().for_each(|train| train.apply([1, y + 1, z], gas));
                hot = coefficients.gas_row(&scalars, row, gas, tint_row);
            }
            let mut base_row = base.as_mut().map(|base| &mut base[start..start + nx]);
            if let (Some(base), Some(burning)) = (&mut base_row, coefficients.burning) {
                for (x, (to, gases)) in base.iter_mut().zip(&gases).enumerate() {
                    let [gas, aged, burnt] = [gases[0], gases[1], gases[2]].map(|value| up_to(value, smoothing::MOST));
                    if burnt > 0.0 && gas > 0.0 {
                        *to = burning.base(burnt, gas, aged, fuel_gradient(view, [x, y, z - 1]));
                        hot |= if *to > 0.0 { HOT } else { 0 };
                    }
                }
            }
            flags.has_gas |= hot != 0;
            let gas_row = gas.as_ref().filter(|_| hot != 0).map(|gas| &gas[start..start + nx]);
            for (x, extinction) in row.iter_mut().enumerate() {
                *extinction = extinction.min(MOST);
                let mut flag = if *extinction > 0.0 { DENSE } else { 0 };
                if let Some(gas) = gas_row {
                    flag |= coefficients.gas_flag(gas[x], *extinction);
                }
                if tint_row.get(x).is_some_and(|tint| *tint != [0.0; 4]) {
                    flag |= TINTED;
                }
                if base_row.as_ref().is_some_and(|base| base[x] > 0.0) {
                    flag |= HOT;
                }
                if flag != 0 {
                    for block_y in blocks(y, ny) {
                        for block_x in blocks(x, nx) {
                            flags.blocks[block_x + across * block_y] |= flag;
                        }
                    }
                }
            }
        }
        flags
    }
}

/// Blocks of the positions along an axis that a cell reaches: from one and a half values before its own to as many after.
fn blocks(cell: usize, cells: usize) -> RangeInclusive<usize> {
    cell.saturating_sub(1) / TILE..=(cell + 2).min(cells) / TILE
}

/// Length of the gradient of fuel at a cell, per cell.
#[inline(always)]
fn fuel_gradient(view: &VolumeView<'_>, cell: [usize; 3]) -> f32 {
    let size = view.bounds.cells;
    let fuel = |[x, y, z]: [usize; 3]| up_to(view.scalars[x + size[0] * (y + size[1] * z)][2].to_f32(), MOST);
    let slope = |axis: usize| {
        let (mut low, mut high) = (cell, cell);
        low[axis] = cell[axis].saturating_sub(1);
        high[axis] = (cell[axis] + 1).min(size[axis] - 1);
        0.5 * (fuel(high) - fuel(low))
    };
    let [x, y, z] = [slope(0), slope(1), slope(2)];
    (x * x + y * y + z * z).sqrt()
}

/// The first tile with contents along each axis, and the one after the last; 0 and 0 without contents.
fn occupied(count: [usize; 3], flags: &[u8]) -> [[usize; 2]; 3] {
    if flags.iter().all(|flag| *flag == 0) {
        return [[0; 2]; 3];
    }
    let mut occupied = count.map(|count| [count, 0]);
    for (at, _) in flags.iter().enumerate().filter(|(_, flag)| **flag != 0) {
        for (range, tile) in
            occupied.iter_mut().zip([at % count[0], at / count[0] % count[1], at / (count[0] * count[1])])
        {
            *range = [range[0].min(tile), range[1].max(tile + 1)];
        }
    }
    occupied
}

impl Tiles {
    fn new(size: [usize; 3], planes: &[PlaneFlags]) -> Self {
        let count = size.map(|count| (count - 1).div_ceil(TILE));
        let layer = count[0] * count[1];
        let mut flags = vec![0; layer * count[2]];
        for (z, plane) in planes.iter().enumerate().skip(1).take(size[2] - 2) {
            for tile in blocks(z - 1, size[2] - 2) {
                flags[tile * layer..][..layer].iter_mut().zip(&plane.blocks).for_each(|(to, flag)| *to |= flag);
            }
        }
        let occupied = occupied(count, &flags);
        Self { count, flags, occupied }
    }

    /// The tiles with the flags of all others within the reach of each, tiles along every axis.
    pub fn dilated(&self, reaches: &[usize]) -> Self {
        let longest = self.count.into_iter().max().unwrap_or(0);
        // Few different reaches: each costs a pass over all tiles.
        let rounded = |reach: usize| if reach > 4 { reach.min(longest).next_power_of_two() } else { reach };
        let reaches: Vec<usize> = request::collected(reaches.iter().map(|reach| rounded(*reach)));
        let mut flags = self.flags.clone();
        let different: BTreeSet<usize> = reaches.iter().copied().filter(|reach| *reach > 0).collect();
        for reach in different {
            let all = self.flags_within(reach);
            for ((flag, own), all) in flags.iter_mut().zip(&reaches).zip(all) {
                *flag = if *own == reach { all } else { *flag };
            }
        }
        let occupied = occupied(self.count, &flags);
        Self { count: self.count, flags, occupied }
    }

    /// The flags of all tiles within a reach of each, axis by axis.
    fn flags_within(&self, reach: usize) -> Vec<u8> {
        let mut flags = self.flags.clone();
        let strides = [1, self.count[0], self.count[0] * self.count[1]];
        for (stride, count) in strides.into_iter().zip(self.count) {
            let from = flags.clone();
            for (at, flag) in flags.iter_mut().enumerate() {
                let own = at / stride % count;
                let first = at - own.min(reach) * stride;
                let last = at + (count - 1 - own).min(reach) * stride;
                *flag = (first..=last).step_by(stride).fold(0, |all, tile| all | from[tile]);
            }
        }
        flags
    }

    /// Flags of the tile with index `[x, y, z]`.
    #[inline(always)]
    pub fn flag(&self, [x, y, z]: [usize; 3]) -> u8 {
        self.flags[x + self.count[0] * (y + self.count[1] * z)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dilated_tiles_have_the_flags_within_their_reach() {
        let count = [5, 4, 3];
        let mut flags = vec![0_u8; 60];
        flags[1 + 5 * (2 + 4)] = DENSE;
        let tiles = Tiles { count, flags, occupied: [[1, 2], [2, 3], [1, 2]] };
        // Tiles of the first layer see nothing, those of the second two tiles far, those of the third one.
        let reaches: Vec<usize> = (0..60).map(|at| [0, 2, 1][at / 20]).collect();
        let wide = tiles.dilated(&reaches);
        for at in 0..60 {
            let place = [at % 5, at / 5 % 4, at / 20];
            let is_near = match place[2] {
                1 => place[0] <= 3,
                2 => place[0] <= 2 && place[1] >= 1,
                _ => false,
            };
            assert_eq!(wide.flag(place) != 0, is_near, "{place:?}");
        }
        assert_eq!(wide.occupied, [[0, 4], [0, 4], [1, 3]]);
        let empty = Tiles { count, flags: vec![0; 60], occupied: [[0; 2]; 3] }.dilated(&[1; 60]);
        assert_eq!(empty.occupied, [[0; 2]; 3]);
    }
}

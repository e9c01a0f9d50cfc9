//! Volumes as OpenVDB files (file version 224) for other programs, sparse grids of floats or halves with zlib, and the
//! grids of files.
//!
//! Index (i, j, k) of a grid is cell (i, j, k) of the lattice, whose centre the transform places in the world. A voxel of
//! a scalar is active where it has more than a trace; velocities are active in whole leaves around those voxels. The
//! bytes do not depend on the number of threads: leaves are compressed one by one and joined in order.
//!
//! | file | contents |
//! |---|---|
//! | `tree` | leaves, and the masks of the nodes above them |
//! | `file` | the layout of a file that is written |
//! | `reader` | files of other programs |
//! | this file | the grids of a volume |

mod file;
mod reader;
#[cfg(test)]
mod tests;
mod tree;

use std::io::{self, Seek, Write};

use half::f16;

use super::motion::Velocity;
use crate::compute::cpu::Cpu;
use crate::sim::volume::fields::{Lattice, TILE, VolumeView};
use crate::sim::volume::state::face_sizes;
use file::{GridHeader, Writer};
pub use reader::{Transform, VdbContents, VdbError, VdbFile};
use tree::{Leaf, Mask, bit};

/// Scalar up to which a voxel is inactive: the tails of advected smoke, which pictures leave out, too.
const FAINT: f32 = 1e-4;

/// A grid of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VdbGrid {
    /// Density of smoke.
    Density,
    /// Temperature, 1 for the hottest emitter.
    Temperature,
    /// Flame gas, the share of the gas that glows.
    Flame,
    /// Fuel.
    Fuel,
    /// Soot.
    Soot,
    /// Colour of smoke, 0 to 1, of volumes that have tints.
    Colour,
    /// Velocity.
    Velocity,
}

/// Contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct VdbOptions {
    /// The grids, in their order.
    pub grids: Vec<VdbGrid>,
    /// Whether values are stored as halves.
    pub half: bool,
    /// Simulated frames per unit of time of the file, a frame or a second: the factor of velocities.
    pub rate: f64,
}

impl VdbGrid {
    /// Name of the grid.
    fn name(self) -> &'static str {
        match self {
            Self::Density => "density",
            Self::Temperature => "temperature",
            Self::Flame => "flame",
            Self::Fuel => "fuel",
            Self::Soot => "soot",
            Self::Colour => "Cd",
            Self::Velocity => "velocity",
        }
    }
}

/// Writes the grids of a view, on the threads of `cpu`.
///
/// # Errors
/// `to` cannot be written to.
pub fn write_vdb(
    cpu: &Cpu,
    view: &VolumeView<'_>,
    options: &VdbOptions,
    to: &mut (impl Write + Seek),
) -> io::Result<()> {
    let fields = Fields { view, half: options.half, rate: options.rate };
    let grids: Vec<_> = options.grids.iter().filter(|grid| fields.has(**grid)).collect();
    let mut writer = Writer::begin(to, grids.len())?;
    for grid in grids {
        let leaves = fields.leaves(cpu, *grid);
        let is_vector = matches!(*grid, VdbGrid::Colour | VdbGrid::Velocity);
        let header = GridHeader {
            name: grid.name(),
            is_vector,
            half: options.half,
            is_fog: *grid == VdbGrid::Density,
            lattice: view.lattice,
        };
        writer.grid(cpu, &header, leaves, |leaf: &Leaf, values: &mut Vec<u8>| match (grid, fields.pack(*grid)) {
            (VdbGrid::Colour, _) => fields.colours(leaf, values),
            (_, Some((packs, component))) => fields.scalars(packs, component, leaf, values),
            (_, None) => fields.velocities(leaf, values),
        })?;
    }
    writer.end()
}

/// The fields of a view as leaves.
struct Fields<'a> {
    view: &'a VolumeView<'a>,
    half: bool,
    rate: f64,
}

impl<'a> Fields<'a> {
    /// Whether files have a grid: that of colours is left out where all smoke is white.
    fn has(&self, grid: VdbGrid) -> bool {
        grid != VdbGrid::Colour || self.view.tints.is_some()
    }

    /// The packs with the scalar whose voxels are active, and its place in them; no packs where the view does not have it,
    /// `None` for the velocity.
    fn pack(&self, grid: VdbGrid) -> Option<(&'a [[f16; 4]], usize)> {
        Some(match grid {
            VdbGrid::Density | VdbGrid::Colour => (self.view.scalars, 0),
            VdbGrid::Temperature => (self.view.scalars, 1),
            VdbGrid::Fuel => (self.view.scalars, 2),
            VdbGrid::Soot => (self.view.scalars, 3),
            VdbGrid::Flame => (self.view.gases.unwrap_or_default(), 0),
            VdbGrid::Velocity => return None,
        })
    }

    /// Number of tiles along each axis.
    fn tiles(&self) -> [usize; 3] {
        self.view.bounds.cells.map(|cells| cells / TILE)
    }

    /// Index of the cell (x, y, z) of the tile that begins at `corner`, counted from the lowest cell of the bounds.
    fn cell(&self, corner: [usize; 3], [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.view.bounds.cells;
        corner[0] + x + nx * (corner[1] + y + ny * (corner[2] + z))
    }

    /// Corner of a leaf, counted from the lowest cell of the bounds.
    fn corner(&self, leaf: &Leaf) -> [usize; 3] {
        [0, 1, 2].map(|axis| (leaf.origin[axis] - self.view.bounds.low[axis]) as usize)
    }

    /// The active voxels of a component of packs in the tile that begins at `corner`.
    fn mask(&self, packs: &[[f16; 4]], component: usize, corner: [usize; 3]) -> Mask {
        let faint = f16::from_f32(FAINT);
        let mut mask = [0; TILE];
        for z in 0..TILE {
            for y in 0..TILE {
                let row = self.cell(corner, [0, y, z]);
                for (x, pack) in packs[row..row + TILE].iter().enumerate() {
                    mask[x] |= u64::from(pack[component] > faint) << bit(y, z);
                }
            }
        }
        mask
    }

    /// The active leaves of a grid, in the order of the tree.
    fn leaves(&self, cpu: &Cpu, grid: VdbGrid) -> Vec<Leaf> {
        match self.pack(grid) {
            Some((packs, component)) => {
                self.found(cpu, |corner| if packs.is_empty() { [0; TILE] } else { self.mask(packs, component, corner) })
            }
            None if self.view.velocity.is_none() => Vec::new(),
            None => self.around(cpu),
        }
    }

    /// The leaves with active voxels.
    fn found(&self, cpu: &Cpu, mask: impl Fn([usize; 3]) -> Mask + Sync) -> Vec<Leaf> {
        let [across, up, along] = self.tiles();
        let low = self.view.bounds.low;
        let columns = cpu.each((0..across).collect(), |x: usize| {
            let mut leaves = Vec::new();
            for (y, z) in (0..up).flat_map(|y| (0..along).map(move |z| (y, z))) {
                let corner = [x, y, z].map(|tile| tile * TILE);
                let mask = mask(corner);
                if mask != [0; TILE] {
                    let origin = [0, 1, 2].map(|axis| low[axis] + corner[axis] as i32);
                    leaves.push(Leaf { origin, mask });
                }
            }
            leaves
        });
        tree::sorted(columns.into_iter().flatten().collect())
    }

    /// Whole leaves that have a voxel within one voxel of an active one of any scalar, so that velocities can be
    /// interpolated there.
    fn around(&self, cpu: &Cpu) -> Vec<Leaf> {
        let fields = [VdbGrid::Density, VdbGrid::Temperature, VdbGrid::Fuel, VdbGrid::Soot, VdbGrid::Flame];
        let any = self.found(cpu, |corner| {
            let mut mask = [0; TILE];
            for (packs, component) in fields.iter().filter_map(|grid| self.pack(*grid)) {
                if !packs.is_empty() {
                    let more = self.mask(packs, component, corner);
                    mask.iter_mut().zip(more).for_each(|(sum, more)| *sum |= more);
                }
            }
            mask
        });
        let [across, up, along] = self.tiles();
        let mut near = vec![false; across * up * along];
        for leaf in &any {
            let tile = self.corner(leaf).map(|corner| (corner / TILE) as i32);
            for direction in (0..27).map(|at| [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1]) {
                let [x, y, z] =
                    [0, 1, 2].map(|axis| usize::try_from(tile[axis] + direction[axis]).unwrap_or(usize::MAX));
                if x < across && y < up && z < along && tree::touches(&leaf.mask, direction) {
                    near[x + across * (y + up * z)] = true;
                }
            }
        }
        self.found(cpu, |corner| {
            let [x, y, z] = corner.map(|corner| corner / TILE);
            if near[x + across * (y + up * z)] { [u64::MAX; TILE] } else { [0; TILE] }
        })
    }

    /// Adds the active values of a component to `values`.
    fn scalars(&self, packs: &[[f16; 4]], component: usize, leaf: &Leaf, values: &mut Vec<u8>) {
        let corner = self.corner(leaf);
        for place in leaf.places() {
            let value = packs[self.cell(corner, place)][component];
            if self.half { values.extend(value.to_le_bytes()) } else { values.extend(value.to_f32().to_le_bytes()) }
        }
    }

    /// Adds the colours of the active voxels.
    fn colours(&self, leaf: &Leaf, values: &mut Vec<u8>) {
        let corner = self.corner(leaf);
        for place in leaf.places() {
            let cell = self.cell(corner, place);
            let density = self.view.scalars[cell][0].to_f32();
            let [red, green, blue, _] = self.view.tints.map_or([f16::ZERO; 4], |tints| tints[cell]);
            [red, green, blue].into_iter().for_each(|tint| self.part(1.0 - (tint.to_f32() / density).min(1.0), values));
        }
    }

    /// Adds the active velocities, at the centres of cells, in units of the world.
    fn velocities(&self, leaf: &Leaf, values: &mut Vec<u8>) {
        let Some(faces) = self.view.velocity else { return };
        if self.view.detail > 1 {
            self.finer_velocities(leaf, values);
            return;
        }
        let corner = self.corner(leaf);
        let cells = self.view.bounds.cells;
        let factor = (0.5 * self.view.lattice.spacing * self.rate) as f32;
        for place in leaf.places() {
            for (axis, faces) in faces.iter().enumerate() {
                let size = face_sizes(cells, axis);
                let [x, y, z] = [0, 1, 2].map(|axis| corner[axis] + place[axis]);
                let low = x + size[0] * (y + size[1] * z);
                let step = [1, size[0], size[0] * size[1]][axis];
                self.part((faces[low] + faces[low + step]) * factor, values);
            }
        }
    }

    /// As [`velocities`](Self::velocities), interpolated to cells of the scalars that are finer than those of the
    /// velocity.
    fn finer_velocities(&self, leaf: &Leaf, values: &mut Vec<u8>) {
        let Some(velocity) = Velocity::new(self.view) else { return };
        let Lattice { origin, spacing } = self.view.lattice;
        for place in leaf.places() {
            let centre = [0, 1, 2]
                .map(|axis| origin[axis] + spacing * (f64::from(leaf.origin[axis]) + place[axis] as f64 + 0.5));
            velocity.at(centre).into_iter().for_each(|part| self.part((part * self.rate) as f32, values));
        }
    }

    /// Adds a component of a vector.
    fn part(&self, value: f32, values: &mut Vec<u8>) {
        if self.half {
            let most = f16::MAX.to_f32();
            values.extend(f16::from_f32(value.clamp(-most, most)).to_le_bytes());
        } else {
            values.extend(value.to_le_bytes());
        }
    }
}

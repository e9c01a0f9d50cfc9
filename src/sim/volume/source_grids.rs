//! Grids of a file as the shape of an emitter (density, heat and fuel by position) or of a solid (a level set).

use std::fmt;
use std::sync::Arc;

use super::sparse::Sparse;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::maths::clamp;

/// A grid with its place in the world of its file.
#[derive(Clone, Debug)]
pub struct PlacedGrid {
    /// The values, of which those above 0 count.
    pub values: Sparse,
    /// Distance of the centres of voxels along each axis, not 0.
    pub scale: [f64; 3],
    /// Centre of voxel 0.
    pub translate: [f64; 3],
}

impl PlacedGrid {
    /// The value at a position of the world.
    fn value(&self, position: [f64; 3]) -> f64 {
        let voxel = std::array::from_fn(|axis| (position[axis] - self.translate[axis]) / self.scale[axis]);
        self.values.sample(voxel)
    }

    /// The value at a position of the world, at least 0.
    fn sample(&self, position: [f64; 3]) -> f64 {
        self.value(position).max(0.0)
    }

    /// The positions of the world with a value above 0: lowest and highest along each axis.
    fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let [low, high] = self.values.extent()?;
        // Between the centres of voxels values are interpolated: up to the centres of the voxels around.
        let end = |axis: usize, voxel: f64| voxel * self.scale[axis] + self.translate[axis];
        let ends = |axis: usize| [end(axis, f64::from(low[axis]) - 1.0), end(axis, f64::from(high[axis]))];
        Some([
            std::array::from_fn(|axis| ends(axis).into_iter().fold(f64::INFINITY, f64::min)),
            std::array::from_fn(|axis| ends(axis).into_iter().fold(f64::NEG_INFINITY, f64::max)),
        ])
    }
}

/// The grids of an emitter; of a solid the first one alone, which has the depth below its surface.
#[derive(Debug)]
pub struct SourceGrids {
    grids: [Option<PlacedGrid>; 3],
    /// The positions of the world with emission: lowest and highest along each axis.
    extent: Option<[[f64; 3]; 2]>,
}

impl SourceGrids {
    /// The grids of density, heat and fuel. Where one of the latter is missing, the density up to 1 takes its place.
    pub fn new(grids: [Option<PlacedGrid>; 3]) -> Self {
        let all = grids.iter().flatten().filter_map(PlacedGrid::extent);
        let extent = all.reduce(|[low, high], [first, last]| {
            [
                std::array::from_fn(|axis| low[axis].min(first[axis])),
                std::array::from_fn(|axis| high[axis].max(last[axis])),
            ]
        });
        Self { grids, extent }
    }

    /// Density, heat and fuel at a position of the world.
    fn sample(&self, position: [f64; 3]) -> [f64; 3] {
        let [density, heat, fuel] = &self.grids;
        let density = density.as_ref().map_or(0.0, |grid| grid.sample(position));
        let other = |grid: &Option<PlacedGrid>| grid.as_ref().map_or(density.min(1.0), |grid| grid.sample(position));
        [density, other(heat), other(fuel)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.grids.iter().flatten().map(|grid| grid.values.bytes()).sum()
    }
}

/// The file of an emitter or a solid. Its fingerprint is that of contents and place.
#[derive(Clone)]
pub struct FileSource {
    /// Hash of the contents of the grids.
    pub contents: u128,
    /// Cells per unit of the file's world, whose origin is the centre of the emitter or the solid.
    pub cells_per_unit: f64,
    /// Whether z is up in the file and y away from the viewer, else y is up and z towards the viewer.
    pub z_up: bool,
    /// The grids, which a frame that is simulated needs. Without them nothing is emitted, and there is no solid.
    pub grids: Option<Arc<SourceGrids>>,
}

impl FileSource {
    /// The position in the file's world at an offset from the centre, cells.
    fn position(&self, offset: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = offset.map(|side| side / self.cells_per_unit);
        if self.z_up { [x, -z, y] } else { [x, y, z] }
    }

    /// Density, heat and fuel at an offset from the emitter's centre, cells.
    pub fn sample(&self, offset: [f64; 3]) -> [f64; 3] {
        self.grids.as_ref().map_or([0.0; 3], |grids| grids.sample(self.position(offset)))
    }

    /// Signed distance from the surface at an offset from the solid's centre, cells, below 0 inside; infinite beyond the
    /// band in which the file has distances.
    pub fn distance(&self, offset: [f64; 3]) -> f64 {
        let Some(Some(grid)) = self.grids.as_ref().map(|grids| &grids.grids[0]) else { return f64::INFINITY };
        let depth = grid.value(self.position(offset));
        let band = f64::from(grid.values.background()).abs();
        match depth {
            _ if depth.abs() < 0.999 * band => -depth * self.cells_per_unit,
            _ if depth > 0.0 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        }
    }

    /// The offsets from the centre with values: lowest and highest along each axis, cells.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let [[x, y, z], [right, top, front]] = self.grids.as_ref()?.extent?;
        let ends = if self.z_up { [[x, z, -top], [right, front, -y]] } else { [[x, y, z], [right, top, front]] };
        Some(ends.map(|end| end.map(|side| clamp(side * self.cells_per_unit, -1e6, 1e6))))
    }
}

impl Fingerprint for FileSource {
    fn enter(&self, digest: &mut Digest) {
        digest.wide(self.contents);
        digest.real(self.cells_per_unit);
        self.z_up.enter(digest);
    }
}

impl PartialEq for FileSource {
    fn eq(&self, other: &Self) -> bool {
        let of = |source: &Self| (source.contents, source.cells_per_unit, source.z_up, source.grids.is_some());
        of(self) == of(other)
    }
}

impl fmt::Debug for FileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { contents, cells_per_unit, z_up, grids } = self;
        let contents = format_args!("{contents:032x}");
        let mut shown = f.debug_struct("FileSource");
        shown.field("contents", &contents).field("cells_per_unit", cells_per_unit).field("z_up", z_up);
        shown.field("grids", &grids.is_some()).finish()
    }
}

//! Contours of components, and their distances from the previous contours under a trial motion.
//!
//! Only the normal velocity of a solid affects the air. Therefore the previous contour of the same group is searched
//! along the normal of each contour cell: a position with solid inside and air outside. The mattes need not overlap, as
//! long as the distance is within the search radius.

use super::components::Components;
use super::patch::for_each_row;
use super::raster::Raster;
use super::similarity::Similarity;
use crate::sim::request;

/// Half the width of the square over which a normal, or a mean along a contour, is computed, cells.
const NEIGHBOURHOOD: usize = 3;

/// Step of the search, cells.
const STEP: f64 = 0.5;

/// Largest number of contour cells, as a multiple of width + height of the grid: a matte with more is noise.
const CELLS_MAX: usize = 24;

/// Upper bound of the rounding error of a distance, cells.
const ROUNDING: f64 = 1e-9;

/// The group of each cell of a matte: 0 without a group, else 1 + the number of the group.
pub(super) struct GroupMap {
    origin: [i64; 2],
    width: usize,
    groups: Vec<usize>,
}

/// A solid cell with a neighbour outside its group.
pub(super) struct ContourCell {
    /// Column of the grid.
    pub x: usize,
    /// Row of the grid.
    y: usize,
    /// Number of its group.
    pub group: usize,
    /// Coordinates of its centre.
    pub centre: [f64; 2],
    /// Outward unit normal.
    pub normal: [f64; 2],
}

impl GroupMap {
    /// The map of components with these groups, restricted to the groups that are `deformed`.
    pub fn new(raster: &Raster<'_>, components: &Components, groups_of: &[usize], deformed: &[bool]) -> GroupMap {
        let width = raster.width;
        let mut groups: Vec<usize> = request::zeros(width * raster.height);
        let groups_of: Vec<usize> =
            groups_of.iter().map(|&group| if deformed[group] { group + 1 } else { 0 }).collect();
        components.paint(&groups_of, &mut groups);
        GroupMap { origin: components.origin(), width, groups }
    }

    /// The groups of a row of the grid.
    pub fn row(&self, y: usize) -> &[usize] {
        &self.groups[y * self.width..(y + 1) * self.width]
    }

    /// Coordinates of a cell of the grid.
    fn cell(&self, x: usize, y: usize) -> [i64; 2] {
        [self.origin[0] + x as i64, self.origin[1] + y as i64]
    }

    /// Coordinates of a cell's centre.
    pub fn cell_centre(&self, x: usize, y: usize) -> [f64; 2] {
        self.cell(x, y).map(|c| c as f64 + 0.5)
    }

    /// Group of the cell at these coordinates; beyond the grid that of the nearest cell.
    fn group_at(&self, [x, y]: [i64; 2]) -> usize {
        let x = (x - self.origin[0]).clamp(0, self.width as i64 - 1) as usize;
        let y = (y - self.origin[1]).clamp(0, (self.groups.len() / self.width) as i64 - 1) as usize;
        self.groups[y * self.width + x]
    }

    /// Coverage of the surroundings of a position by a group, weighted with a quadratic spline over 3 × 3 cells. The
    /// smoothed contour is the line of coverage ½.
    fn coverage(&self, position: [f64; 2], group: usize) -> f64 {
        let cell = position.map(libm::floor);
        let weights = [0, 1].map(|i| {
            let t = position[i] - cell[i];
            [0.5 * (1.0 - t) * (1.0 - t), 0.5 + t * (1.0 - t), 0.5 * t * t]
        });
        let mut sum = 0.0;
        for (dy, wy) in (-1..).zip(weights[1]) {
            for (dx, wx) in (-1..).zip(weights[0]) {
                if self.group_at([cell[0] as i64 + dx, cell[1] as i64 + dy]) == group + 1 {
                    sum += wx * wy;
                }
            }
        }
        sum
    }

    /// Distance of the nearest outward contour from a contour cell along its normal, at most `most` steps either way,
    /// cells. `backtrace` maps a position to its position in this map.
    fn contour_distance(&self, cell: &ContourCell, most: i64, backtrace: impl Fn([f64; 2]) -> [f64; 2]) -> Option<f64> {
        let coverage = |step: i64| {
            let distance = step as f64 * STEP;
            self.coverage(backtrace([0, 1].map(|i| cell.centre[i] + cell.normal[i] * distance)), cell.group)
        };
        (0..=most).flat_map(|step| [step, -step]).find_map(|step| {
            let inside = coverage(step);
            if inside < 0.5 {
                return None;
            }
            let outside = coverage(step + 1);
            (outside < 0.5).then(|| (step as f64 + (inside - 0.5) / (inside - outside)) * STEP)
        })
    }

    /// Contour cells of a row of the grid, from left to right.
    fn contour_cells(&self, y: usize) -> Vec<ContourCell> {
        let mut cells = Vec::new();
        for (x, &group) in self.row(y).iter().enumerate() {
            let cell = self.cell(x, y);
            let same = |dx: i64, dy: i64| self.group_at([cell[0] + dx, cell[1] + dy]) == group;
            if group == 0 || (same(-1, 0) && same(1, 0) && same(0, -1) && same(0, 1)) {
                continue;
            }
            let radius = NEIGHBOURHOOD as i64;
            let mut slope = [0; 2];
            for dy in -radius..=radius {
                for dx in (-radius..=radius).filter(|&dx| !same(dx, dy)) {
                    slope = [slope[0] + dx, slope[1] + dy];
                }
            }
            let length = libm::hypot(slope[0] as f64, slope[1] as f64);
            // A symmetric neighbourhood, such as that of a line one cell wide, gives no normal.
            if length > 0.0 {
                let normal = slope.map(|s| s as f64 / length);
                request::push(
                    &mut cells,
                    ContourCell { x, y, group: group - 1, centre: self.cell_centre(x, y), normal },
                );
            }
        }
        cells
    }
}

/// All contours of a matte.
pub(super) struct Contours {
    /// Contour cells of each row of the grid, from left to right.
    pub cells: Vec<Vec<ContourCell>>,
    /// Distance of the smoothed contour from each contour cell, along its normal.
    offsets: Vec<Vec<Option<f64>>>,
}

impl Contours {
    /// The contours of a map; `None` where they have more than [`CELLS_MAX`] cells.
    pub fn new(raster: &Raster<'_>, map: &GroupMap) -> Option<Contours> {
        let mut cells = Vec::new();
        cells.resize_with(raster.height, Vec::new);
        for_each_row(raster.workers, &mut cells, 1, |y, row| row[0] = map.contour_cells(y));
        if cells.iter().map(Vec::len).sum::<usize>() > CELLS_MAX * (raster.width + raster.height) {
            return None;
        }
        let mut contours = Contours { cells, offsets: Vec::new() };
        contours.offsets =
            contours.map(raster, |cell| map.contour_distance(cell, search_steps(raster), |position| position));
        Some(contours)
    }

    /// A value for each contour cell.
    fn map<T: Clone + Send>(&self, raster: &Raster<'_>, value: impl Fn(&ContourCell) -> T + Sync) -> Vec<Vec<T>> {
        let mut values = Vec::new();
        values.resize_with(self.cells.len(), Vec::new);
        for_each_row(raster.workers, &mut values, 1, |y, row| row[0] = self.cells[y].iter().map(&value).collect());
        values
    }

    /// Distance of each contour cell from the previous contour moved by the motion of its group, along the normal,
    /// cells; `None` where none was found, and for groups that are not `active`.
    pub fn distances(
        &self,
        raster: &Raster<'_>,
        old: &GroupMap,
        motions: &[Similarity],
        active: &[bool],
    ) -> Vec<Vec<Option<f64>>> {
        let motion = |cell: &ContourCell| active[cell.group].then(|| motions[cell.group]);
        let mut distances = self.map(raster, |cell| {
            let motion = motion(cell)?;
            old.contour_distance(cell, search_steps(raster), |position| motion.backtrace(position))
        });
        for (there, here) in distances.iter_mut().flatten().zip(self.offsets.iter().flatten()) {
            let gap = here.zip(*there).map(|(here, there)| here - there);
            *there = gap.map(|gap| if gap.abs() < ROUNDING { 0.0 } else { gap });
        }
        distances
    }

    /// Mean distance around each contour cell, over contour cells of its group with a similar normal; 0 where most of
    /// them have no distance.
    pub fn smoothed(&self, raster: &Raster<'_>, distances: &[Vec<Option<f64>>]) -> Vec<Vec<f64>> {
        self.map(raster, |cell| {
            let (mut sum, mut found, mut all) = (0.0, 0_u32, 0);
            for (other, distance) in self.neighbours(distances, cell) {
                if other.group == cell.group && dot(other.normal, cell.normal) >= 0.5 {
                    all += 1;
                    if let Some(distance) = distance {
                        (sum, found) = (sum + distance, found + 1);
                    }
                }
            }
            if found > 0 && 2 * found >= all { sum / f64::from(found) } else { 0.0 }
        })
    }

    /// The contour cells in the neighbourhood of a contour cell, each with its value.
    fn neighbours<T: Copy>(
        &self,
        values: &[Vec<T>],
        ContourCell { x, y, .. }: &ContourCell,
    ) -> impl Iterator<Item = (&ContourCell, T)> {
        let (x, y) = (*x, *y);
        let rows = y.saturating_sub(NEIGHBOURHOOD)..(y + NEIGHBOURHOOD + 1).min(self.cells.len());
        rows.flat_map(move |y| {
            let row = &self.cells[y];
            let near = row.partition_point(|cell| cell.x + NEIGHBOURHOOD < x)
                ..row.partition_point(|cell| cell.x <= x + NEIGHBOURHOOD);
            row[near.clone()].iter().zip(values[y][near].iter().copied())
        })
    }
}

/// Number of search steps in each direction.
fn search_steps(raster: &Raster<'_>) -> i64 {
    (raster.search_radius() / STEP) as i64
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

//! The outlines of parts, and how far they are from where a motion would have put them.
//!
//! Air feels a solid's velocity across its face alone. So at each solid cell on an outline the nearest outline of the same
//! group in the matte before is sought across it, of the same side: solid within, open without. That needs no overlap, as
//! long as the way is no longer than the search.

use super::components::Components;
use super::patch::for_each_row;
use super::raster::Raster;
use super::similarity::Similarity;
use crate::sim::request;

/// Half the side of the square that a normal, and a mean along an outline, is taken over, in cells.
const NEIGHBOURHOOD: usize = 3;

/// A step of the search, in cells.
const STEP: f64 = 0.5;

/// Most edges, as a multiple of the grid's width and height: more are grain.
const CELLS_MAX: usize = 24;

/// What places that are rounded leave of nothing, in cells, and more.
const ROUNDING: f64 = 1e-9;

/// The groups of a matte's cells; 0 where there is none, else 1 more than a group's name.
pub(super) struct GroupMap {
    origin: [i64; 2],
    width: usize,
    groups: Vec<usize>,
}

/// A solid cell with an open side.
pub(super) struct ContourCell {
    /// Column of the grid.
    pub x: usize,
    /// Row of the grid.
    y: usize,
    /// Name of its group.
    pub group: usize,
    /// Its middle, as cells are called.
    pub centre: [f64; 2],
    /// Where its open side faces.
    pub normal: [f64; 2],
}

impl GroupMap {
    /// The map of parts whose groups have these names, as far as they have changed their shape.
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

    /// What a cell of the grid is called.
    fn cell(&self, x: usize, y: usize) -> [i64; 2] {
        [self.origin[0] + x as i64, self.origin[1] + y as i64]
    }

    /// The middle of a cell of the grid, as cells are called.
    pub fn cell_centre(&self, x: usize, y: usize) -> [f64; 2] {
        self.cell(x, y).map(|c| c as f64 + 0.5)
    }

    /// The group of the cell of this name; beyond the grid, of the nearest one.
    fn group_at(&self, [x, y]: [i64; 2]) -> usize {
        let x = (x - self.origin[0]).clamp(0, self.width as i64 - 1) as usize;
        let y = (y - self.origin[1]).clamp(0, (self.groups.len() / self.width) as i64 - 1) as usize;
        self.groups[y * self.width + x]
    }

    /// How much of the surroundings of a place is a group's, by a quadratic spline over 3 × 3 cells. Where it is ½ is the
    /// outline, with its steps smoothed out.
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

    /// How far from an edge, along its normal, the nearest outline is that leads out of its group, up to `most` steps either
    /// way, in cells; `back` says where on this map a place is.
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

    /// The edges of a row of the grid, from left to right.
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
            // A line no wider than a cell faces nowhere.
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

/// All outlines of a matte.
pub(super) struct Contours {
    /// Of each row of the grid, from left to right.
    pub cells: Vec<Vec<ContourCell>>,
    /// How far the smoothed outline is from each, along its normal.
    offsets: Vec<Vec<Option<f64>>>,
}

impl Contours {
    /// The outlines of a map; `None` where there are so many that they tell nothing.
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

    /// What there is of each edge.
    fn map<T: Clone + Send>(&self, raster: &Raster<'_>, value: impl Fn(&ContourCell) -> T + Sync) -> Vec<Vec<T>> {
        let mut values = Vec::new();
        values.resize_with(self.cells.len(), Vec::new);
        for_each_row(raster.workers, &mut values, 1, |y, row| row[0] = self.cells[y].iter().map(&value).collect());
        values
    }

    /// How far each edge is, along its normal, from where `motions` of the groups would have put the outline before, in
    /// cells; `None` where none was found, and for groups that are not `open`.
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

    /// The mean of the ways around each edge, of those of its group that face as it does; 0 where most have none.
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

    /// The edges around one, with what there is of each.
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

/// Steps that are searched either way.
fn search_steps(raster: &Raster<'_>) -> i64 {
    (raster.search_radius() / STEP) as i64
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

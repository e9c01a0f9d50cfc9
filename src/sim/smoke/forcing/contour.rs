//! The outlines of parts, and how far they are from where a motion would have put them.
//!
//! Air feels a solid's velocity across its face alone. So at each solid cell on an outline the nearest outline of the same
//! group in the matte before is sought across it, of the same side: solid within, open without. That needs no overlap, as
//! long as the way is no longer than the search.

use super::components::Parts;
use super::patch::rows;
use super::similarity::Similarity;
use super::raster::Raster;
use crate::sim::request;

/// Half the side of the square that a normal, and a mean along an outline, is taken over, in cells.
const REACH: usize = 3;

/// A step of the search, in cells.
const STEP: f64 = 0.5;

/// Most edges, as a multiple of the grid's width and height: more are grain.
const CRUMBS: usize = 24;

/// What places that are rounded leave of nothing, in cells, and more.
const ROUNDED: f64 = 1e-9;

/// The groups of a matte's cells; 0 where there is none, else 1 more than a group's name.
pub(super) struct Map {
    corner: [i64; 2],
    width: usize,
    groups: Vec<usize>,
}

/// A solid cell with an open side.
pub(super) struct Edge {
    /// Column of the grid.
    pub x: usize,
    /// Row of the grid.
    y: usize,
    /// Name of its group.
    pub group: usize,
    /// Its middle, as cells are called.
    pub place: [f64; 2],
    /// Where its open side faces.
    pub normal: [f64; 2],
}

impl Map {
    /// The map of parts whose groups have these names, as far as they have changed their shape.
    pub fn new(raster: &Raster<'_>, parts: &Parts, names: &[usize], reshaped: &[bool]) -> Map {
        let width = raster.width;
        let mut groups: Vec<usize> = request::zeros(width * raster.height);
        let names: Vec<usize> = names.iter().map(|&name| if reshaped[name] { name + 1 } else { 0 }).collect();
        parts.paint(&names, &mut groups);
        Map { corner: parts.corner(), width, groups }
    }

    /// The groups of a row of the grid.
    pub fn row(&self, y: usize) -> &[usize] {
        &self.groups[y * self.width..(y + 1) * self.width]
    }

    /// What a cell of the grid is called.
    fn name(&self, x: usize, y: usize) -> [i64; 2] {
        [self.corner[0] + x as i64, self.corner[1] + y as i64]
    }

    /// The middle of a cell of the grid, as cells are called.
    pub fn middle(&self, x: usize, y: usize) -> [f64; 2] {
        self.name(x, y).map(|c| c as f64 + 0.5)
    }

    /// The group of the cell of this name; beyond the grid, of the nearest one.
    fn at(&self, [x, y]: [i64; 2]) -> usize {
        let x = (x - self.corner[0]).clamp(0, self.width as i64 - 1) as usize;
        let y = (y - self.corner[1]).clamp(0, (self.groups.len() / self.width) as i64 - 1) as usize;
        self.groups[y * self.width + x]
    }

    /// How much of the surroundings of a place is a group's, by a quadratic spline over 3 × 3 cells. Where it is ½ is the
    /// outline, with its steps smoothed out.
    fn share(&self, place: [f64; 2], group: usize) -> f64 {
        let cell = place.map(libm::floor);
        let weights = [0, 1].map(|i| {
            let t = place[i] - cell[i];
            [0.5 * (1.0 - t) * (1.0 - t), 0.5 + t * (1.0 - t), 0.5 * t * t]
        });
        let mut sum = 0.0;
        for (dy, wy) in (-1..).zip(weights[1]) {
            for (dx, wx) in (-1..).zip(weights[0]) {
                if self.at([cell[0] as i64 + dx, cell[1] as i64 + dy]) == group + 1 {
                    sum += wx * wy;
                }
            }
        }
        sum
    }

    /// How far from an edge, along its normal, the nearest outline is that leads out of its group, up to `most` steps either
    /// way, in cells; `back` says where on this map a place is.
    fn outline(&self, edge: &Edge, most: i64, back: impl Fn([f64; 2]) -> [f64; 2]) -> Option<f64> {
        let share = |step: i64| {
            let way = step as f64 * STEP;
            self.share(back([0, 1].map(|i| edge.place[i] + edge.normal[i] * way)), edge.group)
        };
        (0..=most).flat_map(|step| [step, -step]).find_map(|step| {
            let within = share(step);
            if within < 0.5 {
                return None;
            }
            let without = share(step + 1);
            (without < 0.5).then(|| (step as f64 + (within - 0.5) / (within - without)) * STEP)
        })
    }

    /// The edges of a row of the grid, from left to right.
    fn edges(&self, y: usize) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (x, &group) in self.row(y).iter().enumerate() {
            let cell = self.name(x, y);
            let same = |dx: i64, dy: i64| self.at([cell[0] + dx, cell[1] + dy]) == group;
            if group == 0 || (same(-1, 0) && same(1, 0) && same(0, -1) && same(0, 1)) {
                continue;
            }
            let reach = REACH as i64;
            let mut slope = [0; 2];
            for dy in -reach..=reach {
                for dx in (-reach..=reach).filter(|&dx| !same(dx, dy)) {
                    slope = [slope[0] + dx, slope[1] + dy];
                }
            }
            let length = libm::hypot(slope[0] as f64, slope[1] as f64);
            // A line no wider than a cell faces nowhere.
            if length > 0.0 {
                let normal = slope.map(|s| s as f64 / length);
                request::push(&mut edges, Edge { x, y, group: group - 1, place: self.middle(x, y), normal });
            }
        }
        edges
    }
}

/// All outlines of a matte.
pub(super) struct Outlines {
    /// Of each row of the grid, from left to right.
    pub edges: Vec<Vec<Edge>>,
    /// How far the smoothed outline is from each, along its normal.
    here: Vec<Vec<Option<f64>>>,
}

impl Outlines {
    /// The outlines of a map; `None` where there are so many that they tell nothing.
    pub fn new(raster: &Raster<'_>, map: &Map) -> Option<Outlines> {
        let mut edges = Vec::new();
        edges.resize_with(raster.height, Vec::new);
        rows(raster.workers, &mut edges, 1, |y, row| row[0] = map.edges(y));
        if edges.iter().map(Vec::len).sum::<usize>() > CRUMBS * (raster.width + raster.height) {
            return None;
        }
        let mut outlines = Outlines { edges, here: Vec::new() };
        outlines.here = outlines.each(raster, |edge| map.outline(edge, most(raster), |place| place));
        Some(outlines)
    }

    /// What there is of each edge.
    fn each<T: Clone + Send>(&self, raster: &Raster<'_>, value: impl Fn(&Edge) -> T + Sync) -> Vec<Vec<T>> {
        let mut values = Vec::new();
        values.resize_with(self.edges.len(), Vec::new);
        rows(raster.workers, &mut values, 1, |y, row| row[0] = self.edges[y].iter().map(&value).collect());
        values
    }

    /// How far each edge is, along its normal, from where `motions` of the groups would have put the outline before, in
    /// cells; `None` where none was found, and for groups that are not `open`.
    pub fn ways(&self, raster: &Raster<'_>, old: &Map, motions: &[Similarity], open: &[bool]) -> Vec<Vec<Option<f64>>> {
        let motion = |edge: &Edge| open[edge.group].then(|| motions[edge.group]);
        let mut ways = self.each(raster, |edge| {
            let motion = motion(edge)?;
            old.outline(edge, most(raster), |place| motion.back(place))
        });
        for (there, here) in ways.iter_mut().flatten().zip(self.here.iter().flatten()) {
            let gap = here.zip(*there).map(|(here, there)| here - there);
            *there = gap.map(|gap| if gap.abs() < ROUNDED { 0.0 } else { gap });
        }
        ways
    }

    /// The mean of the ways around each edge, of those of its group that face as it does; 0 where most have none.
    pub fn smooth(&self, raster: &Raster<'_>, ways: &[Vec<Option<f64>>]) -> Vec<Vec<f64>> {
        self.each(raster, |edge| {
            let (mut sum, mut found, mut all) = (0.0, 0_u32, 0);
            for (other, way) in self.around(ways, edge) {
                if other.group == edge.group && dot(other.normal, edge.normal) >= 0.5 {
                    all += 1;
                    if let Some(way) = way {
                        (sum, found) = (sum + way, found + 1);
                    }
                }
            }
            if found > 0 && 2 * found >= all { sum / f64::from(found) } else { 0.0 }
        })
    }

    /// The edges around one, with what there is of each.
    fn around<T: Copy>(&self, values: &[Vec<T>], Edge { x, y, .. }: &Edge) -> impl Iterator<Item = (&Edge, T)> {
        let (x, y) = (*x, *y);
        let rows = y.saturating_sub(REACH)..(y + REACH + 1).min(self.edges.len());
        rows.flat_map(move |y| {
            let row = &self.edges[y];
            let near = row.partition_point(|edge| edge.x + REACH < x)..row.partition_point(|edge| edge.x <= x + REACH);
            row[near.clone()].iter().zip(values[y][near].iter().copied())
        })
    }
}

/// Steps that are searched either way.
fn most(raster: &Raster<'_>) -> i64 {
    (raster.reach() / STEP) as i64
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

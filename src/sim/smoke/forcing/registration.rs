//! How parts move that turn, grow or bend: by the turn, growth and translation that explains most of their outline, and
//! where that leaves some of it unexplained, by what is left of it, across it.

use super::contour::{Edge, Map, Outlines};
use super::components::{Motions, Parts};
use super::patch::rows;
use super::similarity::{Fit, Similarity};
use super::raster::{Raster, smooth};

/// How deep below the outline goes what it has of its own, in cells.
const DEPTH: usize = 2;

/// Root mean square of what a motion may leave of the outline's smoothed ways and still explain them, in cells: what the
/// steps of an outline leave.
const EXPLAINED: f64 = 0.25;

/// What is left of an outline counts from this on, and in full from twice as much, in cells: a keyed edge flickers by less.
const FIRM: f64 = 0.5;

/// Times that a motion is mended.
const FITS: usize = 12;

/// A motion is mended no more when it came no nearer so many times.
const PATIENCE: usize = 3;

/// A motion is mended no more when it would change by less, in cells.
const SETTLED: f64 = 0.02;

/// Another motion has to leave less than this share of what the one before it does.
const BETTER: f64 = 0.5;

/// Draws the velocities of parts that have changed their shape over what `velocities` has of them, in cells per frame.
pub(super) fn draw(raster: &Raster<'_>, now: &Parts, old: &Parts, motions: &Motions, velocities: &mut [[f32; 2]]) {
    let [map, before] =
        [(now, 0), (old, 1)].map(|(parts, side)| Map::new(raster, parts, &motions.groups[side], &motions.reshaped));
    let Some(outlines) = Outlines::new(raster, &map) else { return };
    let translations = |by: &[[f64; 2]]| -> Vec<Similarity> {
        motions.middles.iter().zip(by).map(|(&at, &by)| Similarity::translation(at, by)).collect()
    };
    let ways = |found: &[Similarity], open: &[bool]| outlines.ways(raster, &before, found, open);
    let mut search =
        Search { outlines: &outlines, open: motions.reshaped.clone(), found: translations(&motions.moved) };
    let plain = ways(&search.found, &search.open);
    let explained = search.explained(&outlines.smooth(raster, &plain));
    search.open.iter_mut().zip(explained).for_each(|(open, explained)| *open &= !explained);
    if !search.open.contains(&true) {
        return;
    }
    // A middle moves with an arm; the body may stand.
    let mut least = search.left_over(&plain);
    let moving = std::mem::replace(&mut search.found, translations(&vec![[0.0; 2]; motions.moved.len()]));
    let rest = search.left_over(&ways(&search.found, &search.open));
    for (group, moving) in moving.into_iter().enumerate() {
        if least[group] < BETTER * rest[group] {
            search.found[group] = moving;
        } else {
            least[group] = rest[group];
        }
    }
    search.mend(least, ways);
    let Search { open, found, .. } = &search;
    let mut left = outlines.smooth(raster, &ways(found, open));
    let bends: Vec<bool> =
        search.explained(&left).iter().zip(open).map(|(explained, open)| *open && !explained).collect();
    left.iter_mut().flatten().for_each(|way| *way *= smooth(way.abs() / FIRM - 1.0));
    rows(raster.workers, velocities, raster.width, |y, row| {
        for ((x, velocity), &group) in row.iter_mut().enumerate().zip(map.row(y)) {
            if group != 0 && open[group - 1] {
                *velocity = found[group - 1].velocity(map.middle(x, y)).map(|v| v as f32);
            }
        }
        bend(&outlines, &left, &bends, map.row(y), y, row);
    });
}

/// A search for the motions of groups.
struct Search<'a> {
    outlines: &'a Outlines,
    /// Groups whose motion is sought.
    open: Vec<bool>,
    /// The motion of each group.
    found: Vec<Similarity>,
}

impl Search<'_> {
    /// All edges with what there is of each.
    fn each<'b, T>(&'b self, values: &'b [Vec<T>]) -> impl Iterator<Item = (&'b Edge, &'b T)> {
        self.outlines.edges.iter().flatten().zip(values.iter().flatten())
    }

    /// Which groups' outlines are where their motion puts them.
    fn explained(&self, left: &[Vec<f64>]) -> Vec<bool> {
        let mut sums = vec![(0.0, 0_u32); self.found.len()];
        for (edge, way) in self.each(left) {
            let (sum, count) = sums[edge.group];
            sums[edge.group] = (sum + way * way, count + 1);
        }
        sums.iter().map(|&(sum, count)| sum <= EXPLAINED * EXPLAINED * f64::from(count)).collect()
    }

    /// What ways there are of each group, as a number that grows with their squares, and no more for far ones.
    fn left_over(&self, ways: &[Vec<Option<f64>>]) -> Vec<f64> {
        let mut sums = vec![0.0; self.found.len()];
        for (edge, way) in self.each(ways) {
            sums[edge.group] += way.map_or(1.0, |way| way * way / (1.0 + way * way));
        }
        sums
    }

    /// The size that a group's ways have in the middle of them all, at least 1.
    fn typical(&self, ways: &[Vec<Option<f64>>]) -> Vec<f64> {
        let mut sizes = vec![Vec::new(); self.found.len()];
        for (edge, way) in self.each(ways) {
            sizes[edge.group].extend(way.map(f64::abs));
        }
        let middle = |mut sizes: Vec<f64>| {
            let at = sizes.len() / 2;
            if sizes.is_empty() { 1.0 } else { sizes.select_nth_unstable_by(at, f64::total_cmp).1.max(1.0) }
        };
        sizes.into_iter().map(middle).collect()
    }

    /// Mends the motions, of which `least` is left over, by least squares of the ways that they leave, again and again.
    /// Places that are far from where a motion puts them count for little.
    fn mend(&mut self, least: Vec<f64>, ways: impl Fn(&[Similarity], &[bool]) -> Vec<Vec<Option<f64>>>) {
        let mut least: Vec<f64> = least.into_iter().map(|cost| cost * BETTER).collect();
        let (mut tried, mut going) = (self.found.clone(), self.open.clone());
        let (mut nearest, mut waits) = (vec![f64::INFINITY; tried.len()], vec![0; tried.len()]);
        let mut left = ways(&tried, &going);
        for _ in 0..FITS {
            for (group, (next, change)) in self.fitted(&tried, &left).into_iter().enumerate() {
                going[group] &= next.is_sound() && change >= SETTLED;
                if going[group] {
                    tried[group] = next;
                }
            }
            if !going.contains(&true) {
                break;
            }
            left = ways(&tried, &going);
            for (group, cost) in self.left_over(&left).into_iter().enumerate() {
                if !going[group] {
                    continue;
                }
                if cost < least[group] {
                    (self.found[group], least[group]) = (tried[group], cost);
                }
                // What comes no nearer for so long never will.
                waits[group] = if cost < nearest[group] { 0 } else { waits[group] + 1 };
                nearest[group] = nearest[group].min(cost);
                going[group] = waits[group] < PATIENCE;
            }
        }
    }

    /// The motions of which least would be left, and by how much they differ from those tried, in cells.
    fn fitted(&self, tried: &[Similarity], ways: &[Vec<Option<f64>>]) -> Vec<(Similarity, f64)> {
        let typical = self.typical(ways);
        // Ways from the middle are measured by the longest.
        let mut sizes = vec![1.0_f64; tried.len()];
        for edge in self.outlines.edges.iter().flatten() {
            sizes[edge.group] = sizes[edge.group].max(tried[edge.group].distance(edge.place));
        }
        let mut fits = vec![Fit::default(); tried.len()];
        for (edge, way) in self.each(ways) {
            if let Some(way) = way {
                let (group, far) = (edge.group, way / typical[edge.group]);
                let weight = 1.0 / (1.0 + far * far);
                fits[group].add(&tried[group], sizes[group], edge.place, edge.normal, *way, weight);
            }
        }
        fits.iter().zip(tried.iter().zip(sizes)).map(|(fit, (tried, size))| fit.solve(tried, size)).collect()
    }
}

/// Adds what is left to the velocities of a row: an edge's is its own, near an outline it is the mean of the edges around.
fn bend(
    outlines: &Outlines,
    left: &[Vec<f64>],
    bends: &[bool],
    groups: &[usize],
    y: usize,
    velocities: &mut [[f32; 2]],
) {
    let mut sums = vec![([0.0; 2], 0_u32); groups.len()];
    let near = y.saturating_sub(DEPTH)..(y + DEPTH + 1).min(left.len());
    for (edge, way) in near.flat_map(|row| outlines.edges[row].iter().zip(&left[row])) {
        for x in edge.x.saturating_sub(DEPTH)..(edge.x + DEPTH + 1).min(groups.len()) {
            if bends[edge.group] && groups[x] == edge.group + 1 {
                let (sum, count) = sums[x];
                sums[x] = ([0, 1].map(|i| sum[i] + edge.normal[i] * way), count + 1);
            }
        }
    }
    for (edge, way) in outlines.edges[y].iter().zip(&left[y]).filter(|(edge, _)| bends[edge.group]) {
        sums[edge.x] = (edge.normal.map(|n| n * way), 1);
    }
    for (velocity, (sum, count)) in velocities.iter_mut().zip(sums).filter(|(_, (_, count))| *count > 0) {
        for (v, sum) in velocity.iter_mut().zip(sum) {
            *v += (sum / f64::from(count)) as f32;
        }
    }
}

//! Registration of deformed components: a similarity transform that explains most of a contour, then the remaining
//! normal displacements of the contour.

use super::components::{ComponentMotions, Components};
use super::contour::{ContourCell, Contours, GroupMap};
use super::patch::for_each_row;
use super::raster::{Raster, smoothstep};
use super::similarity::{LeastSquares, Similarity};

/// Depth below the contour to which the displacement of the contour applies, cells.
const BEND_DEPTH: usize = 2;

/// Largest root mean square of the smoothed distances with which a motion explains a contour, cells: about the error of
/// rounding to cells.
const RESIDUAL_MAX: f64 = 0.25;

/// Least remaining displacement that counts, cells; twice as much counts in full. A keyed edge flickers by less.
const BEND_MIN: f64 = 0.5;

/// Largest number of iterations of a fit.
const ITERATIONS_MAX: usize = 12;

/// Number of iterations without progress after which a fit ends.
const STALLED_MAX: usize = 3;

/// Change below which a fit has converged, cells.
const CHANGE_MIN: f64 = 0.02;

/// Largest cost of an accepted motion, relative to the cost of the previous one.
const IMPROVEMENT: f64 = 0.5;

/// Overwrites the velocities of deformed components, cells per frame.
pub(super) fn rasterise(
    raster: &Raster<'_>,
    now: &Components,
    old: &Components,
    motions: &ComponentMotions,
    velocities: &mut [[f32; 2]],
) {
    let [map, before] = [(now, 0), (old, 1)]
        .map(|(components, side)| GroupMap::new(raster, components, &motions.groups[side], &motions.deformed));
    let Some(contours) = Contours::new(raster, &map) else { return };
    let translations = |by: &[[f64; 2]]| -> Vec<Similarity> {
        motions.group_centres.iter().zip(by).map(|(&at, &by)| Similarity::translation(at, by)).collect()
    };
    let distances = |motions: &[Similarity], active: &[bool]| contours.distances(raster, &before, motions, active);
    let mut search = Search {
        contours: &contours,
        active: motions.deformed.clone(),
        motions: translations(&motions.group_displacements),
    };
    let plain = distances(&search.motions, &search.active);
    let explained = search.explained(&contours.smoothed(raster, &plain));
    search.active.iter_mut().zip(explained).for_each(|(active, explained)| *active &= !explained);
    if !search.active.contains(&true) {
        return;
    }
    // The displacement of the centroid is compared with rest: a moving limb displaces the centroid of a body at rest.
    let mut least = search.robust_costs(&plain);
    let moving =
        std::mem::replace(&mut search.motions, translations(&vec![[0.0; 2]; motions.group_displacements.len()]));
    let rest = search.robust_costs(&distances(&search.motions, &search.active));
    for (group, moving) in moving.into_iter().enumerate() {
        if least[group] < IMPROVEMENT * rest[group] {
            search.motions[group] = moving;
        } else {
            least[group] = rest[group];
        }
    }
    search.refine(least, distances);
    let Search { active, motions, .. } = &search;
    let mut residuals = contours.smoothed(raster, &distances(motions, active));
    let bends: Vec<bool> =
        search.explained(&residuals).iter().zip(active).map(|(explained, active)| *active && !explained).collect();
    residuals.iter_mut().flatten().for_each(|distance| *distance *= smoothstep(distance.abs() / BEND_MIN - 1.0));
    for_each_row(raster.workers, velocities, raster.width, |y, row| {
        for ((x, velocity), &group) in row.iter_mut().enumerate().zip(map.row(y)) {
            if group != 0 && active[group - 1] {
                *velocity = motions[group - 1].velocity(map.cell_centre(x, y)).map(|v| v as f32);
            }
        }
        add_bending(&contours, &residuals, &bends, map.row(y), y, row);
    });
}

/// The search for the motions of groups.
struct Search<'a> {
    contours: &'a Contours,
    /// Groups whose motion is searched.
    active: Vec<bool>,
    /// The motion of each group.
    motions: Vec<Similarity>,
}

impl Search<'_> {
    /// All contour cells with their values.
    fn with_cells<'b, T>(&'b self, values: &'b [Vec<T>]) -> impl Iterator<Item = (&'b ContourCell, &'b T)> {
        self.contours.cells.iter().flatten().zip(values.iter().flatten())
    }

    /// Whether the motion of each group explains its contour.
    fn explained(&self, residuals: &[Vec<f64>]) -> Vec<bool> {
        let mut sums = vec![(0.0, 0_u32); self.motions.len()];
        for (cell, distance) in self.with_cells(residuals) {
            let (sum, count) = sums[cell.group];
            sums[cell.group] = (sum + distance * distance, count + 1);
        }
        sums.iter().map(|&(sum, count)| sum <= RESIDUAL_MAX * RESIDUAL_MAX * f64::from(count)).collect()
    }

    /// Robust cost of each group: Σ d² / (1 + d²) over the distances, 1 where none was found (Geman and McClure 1987).
    fn robust_costs(&self, distances: &[Vec<Option<f64>>]) -> Vec<f64> {
        let mut sums = vec![0.0; self.motions.len()];
        for (cell, distance) in self.with_cells(distances) {
            sums[cell.group] += distance.map_or(1.0, |distance| distance * distance / (1.0 + distance * distance));
        }
        sums
    }

    /// Median absolute distance of each group, at least 1.
    fn median_distances(&self, distances: &[Vec<Option<f64>>]) -> Vec<f64> {
        let mut sizes = vec![Vec::new(); self.motions.len()];
        for (cell, distance) in self.with_cells(distances) {
            sizes[cell.group].extend(distance.map(f64::abs));
        }
        let middle = |mut sizes: Vec<f64>| {
            let at = sizes.len() / 2;
            if sizes.is_empty() { 1.0 } else { sizes.select_nth_unstable_by(at, f64::total_cmp).1.max(1.0) }
        };
        sizes.into_iter().map(middle).collect()
    }

    /// Improves the motions, whose costs are `least`, by iteratively reweighted least squares. Contour cells far from
    /// their match have little weight.
    fn refine(&mut self, least: Vec<f64>, distances: impl Fn(&[Similarity], &[bool]) -> Vec<Vec<Option<f64>>>) {
        let mut least: Vec<f64> = least.into_iter().map(|cost| cost * IMPROVEMENT).collect();
        let (mut trial, mut active) = (self.motions.clone(), self.active.clone());
        let (mut lowest, mut stalled) = (vec![f64::INFINITY; trial.len()], vec![0; trial.len()]);
        let mut residuals = distances(&trial, &active);
        for _ in 0..ITERATIONS_MAX {
            for (group, (next, change)) in self.fit(&trial, &residuals).into_iter().enumerate() {
                active[group] &= next.is_plausible() && change >= CHANGE_MIN;
                if active[group] {
                    trial[group] = next;
                }
            }
            if !active.contains(&true) {
                break;
            }
            residuals = distances(&trial, &active);
            for (group, cost) in self.robust_costs(&residuals).into_iter().enumerate() {
                if !active[group] {
                    continue;
                }
                if cost < least[group] {
                    (self.motions[group], least[group]) = (trial[group], cost);
                }
                // A fit without progress for so long does not converge.
                stalled[group] = if cost < lowest[group] { 0 } else { stalled[group] + 1 };
                lowest[group] = lowest[group].min(cost);
                active[group] = stalled[group] < STALLED_MAX;
            }
        }
    }

    /// The improved motion of each group, and the size of its change in cells.
    fn fit(&self, trial: &[Similarity], distances: &[Vec<Option<f64>>]) -> Vec<(Similarity, f64)> {
        let median_distances = self.median_distances(distances);
        // Unit of length: the largest distance from the centre.
        let mut sizes = vec![1.0_f64; trial.len()];
        for cell in self.contours.cells.iter().flatten() {
            sizes[cell.group] = sizes[cell.group].max(trial[cell.group].distance(cell.centre));
        }
        let mut fits = vec![LeastSquares::default(); trial.len()];
        for (cell, distance) in self.with_cells(distances) {
            if let Some(distance) = distance {
                let (group, far) = (cell.group, distance / median_distances[cell.group]);
                let weight = 1.0 / (1.0 + far * far);
                fits[group].add(&trial[group], sizes[group], cell.centre, cell.normal, *distance, weight);
            }
        }
        fits.iter().zip(trial.iter().zip(sizes)).map(|(fit, (trial, size))| fit.solve(trial, size)).collect()
    }
}

/// Adds the remaining normal displacements to the velocities of a row. A contour cell gets its displacement, another
/// cell near a contour the mean of the contour cells around it.
fn add_bending(
    contours: &Contours,
    residuals: &[Vec<f64>],
    bends: &[bool],
    groups: &[usize],
    y: usize,
    velocities: &mut [[f32; 2]],
) {
    let mut sums = vec![([0.0; 2], 0_u32); groups.len()];
    let near = y.saturating_sub(BEND_DEPTH)..(y + BEND_DEPTH + 1).min(residuals.len());
    for (cell, distance) in near.flat_map(|row| contours.cells[row].iter().zip(&residuals[row])) {
        for x in cell.x.saturating_sub(BEND_DEPTH)..(cell.x + BEND_DEPTH + 1).min(groups.len()) {
            if bends[cell.group] && groups[x] == cell.group + 1 {
                let (sum, count) = sums[x];
                sums[x] = ([0, 1].map(|i| sum[i] + cell.normal[i] * distance), count + 1);
            }
        }
    }
    for (cell, distance) in contours.cells[y].iter().zip(&residuals[y]).filter(|(cell, _)| bends[cell.group]) {
        sums[cell.x] = (cell.normal.map(|n| n * distance), 1);
    }
    for (velocity, (sum, count)) in velocities.iter_mut().zip(sums).filter(|(_, (_, count))| *count > 0) {
        for (v, sum) in velocity.iter_mut().zip(sum) {
            *v += (sum / f64::from(count)) as f32;
        }
    }
}

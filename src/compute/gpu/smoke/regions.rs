//! Means of the singular regions, from sums over runs: consecutive cells of one region.

use std::sync::Arc;

use super::backend::{Plane, Reduce, SmokeBackend};
use super::layout::Params;
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::in_a_row;
use crate::compute::gpu::pool::Lease;
use crate::sim::fluid::Regions;
use crate::sim::request;

/// Largest number of cells of a run.
const LONGEST: usize = 64;

/// The runs of the singular regions, whose means are subtracted.
pub(super) struct Runs {
    /// First cell of each run, and the cell after its last.
    ends: Arc<Lease>,
    /// Region of each run.
    region: Vec<u32>,
}

/// The runs of the singular regions: first cell and the cell after the last of each, and its region.
fn cut(regions: &Regions, cells: usize) -> (Vec<[u32; 2]>, Vec<u32>) {
    let label = |at: usize| regions.labels.as_ref().map_or(0, |labels| labels[at]);
    let (mut ends, mut of) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < cells {
        let here = label(at);
        let most = cells.min(at + LONGEST);
        let end = (at + 1..most).find(|next| label(*next) != here).unwrap_or(most);
        if regions.singular.get(here as usize) == Some(&true) {
            request::push(&mut ends, [at as u32, end as u32]);
            request::push(&mut of, here);
        }
        at = end;
    }
    (ends, of)
}

impl SmokeBackend {
    /// Downloads the sums of the runs, records the subtraction of the means, and returns the sum of the squares of b
    /// afterwards.
    pub(super) fn remove_means(&self, regions: &Arc<Regions>, b: &Plane) -> Result<(), Fault> {
        let runs = self.resources.runs(regions, || {
            let (ends, region) = cut(regions, b.len);
            Ok(Runs { ends: self.send(bytemuck::cast_slice(&ends))?, region })
        })?;
        let count = runs.region.len();
        if count > 0 {
            let params = Params { area: [count as i32, 0, 0, 0], ..Params::default() };
            let groups = in_a_row(count);
            let sums = self.lease((count * size_of::<[f32; 2]>()) as u64)?;
            self.pass(Pass::RegionSums, &params, &[Some(&runs.ends), Some(&b.lease), Some(&sums)], groups);
            let mut found = request::zeros::<[f32; 2]>(count);
            self.read(&mut [(&sums, bytemuck::cast_slice_mut(&mut found))])?;
            let mut means = vec![0.0_f64; regions.cells.len()];
            for ([sum, _], region) in found.into_iter().zip(&runs.region) {
                means[*region as usize] += f64::from(sum);
            }
            means.iter_mut().zip(&regions.cells).for_each(|(mean, cells)| *mean /= *cells as f64);
            let each: Vec<f32> = request::collected(runs.region.iter().map(|region| means[*region as usize] as f32));
            let each = self.send(bytemuck::cast_slice(&each))?;
            self.pass(Pass::RemoveMeans, &params, &[Some(&runs.ends), Some(&each), Some(&b.lease)], groups);
        }
        self.sums(in_a_row(b.len), Reduce::First, |sums| {
            self.row(Pass::SumOfSquares, b.len, 0.0, &[Some(&b.lease), Some(sums)]);
        })
    }
}

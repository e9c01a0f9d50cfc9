//! Means of what hangs together, as sums over runs of cells: each run lies in one region.

use std::sync::Arc;

use super::layout::Params;
use super::machine::{Plane, SmokeMachine, in_a_row};
use super::passes::Pass;
use super::rooms::RegionRuns;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pool::Lease;
use crate::sim::request;
use crate::sim::smoke::pressure::Regions;

/// Cells of a run, at most.
const LONGEST: usize = 64;

/// The runs of all regions that have a mean to take off.
pub(super) struct Runs {
    /// First cell, and the one after the last.
    ends: Arc<Lease>,
    /// The region of each.
    region: Vec<u32>,
}

/// First cells, those after the last, and regions.
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

impl SmokeMachine {
    fn runs(&self, regions: &Regions, cells: usize) -> Result<Runs, Fault> {
        let (ends, region) = cut(regions, cells);
        Ok(Runs { ends: self.send(bytemuck::cast_slice(&ends))?, region })
    }

    /// Takes means off, and gives the sum of the squares that are left.
    pub(super) fn take_means(&self, regions: &Regions, b: &Plane) -> Result<f64, Fault> {
        let mut known = self.regions.borrow_mut();
        // The domain at work keeps its runs.
        let RegionRuns { domain, runs } = &mut *known;
        let slot = domain.as_ref().and_then(|domain| {
            let [own, rectangle] = runs;
            let all = [(&domain.regions, own), (&domain.rectangle, rectangle)];
            all.into_iter().find(|(of, _)| std::ptr::eq(*of, regions)).map(|(_, runs)| runs)
        });
        match slot {
            Some(slot) => {
                let runs = match slot.take() {
                    Some(runs) => runs,
                    None => self.runs(regions, b.len)?,
                };
                self.off(regions, slot.insert(runs), b)
            }
            None => self.off(regions, &self.runs(regions, b.len)?, b),
        }
    }

    fn off(&self, regions: &Regions, runs: &Runs, b: &Plane) -> Result<f64, Fault> {
        let count = runs.region.len();
        if count > 0 {
            let told = Params { area: [count as i32, 0, 0, 0], ..Params::default() };
            let run = |pass, buffers: &[Option<&Arc<Lease>>]| {
                self.run(pass, &told, buffers, in_a_row(count));
            };
            let sums = self.lease((count * size_of::<[f32; 2]>()) as u64)?;
            run(Pass::Runs, &[Some(&runs.ends), Some(&b.lease), Some(&sums)]);
            let mut means = vec![0.0_f64; regions.cells.len()];
            for ([sum, _], region) in self.read::<[f32; 2]>(&sums, count)?.into_iter().zip(&runs.region) {
                means[*region as usize] += f64::from(sum);
            }
            means.iter_mut().zip(&regions.cells).for_each(|(mean, cells)| *mean /= *cells as f64);
            let each: Vec<f32> = request::collected(runs.region.iter().map(|region| means[*region as usize] as f32));
            let each = self.send(bytemuck::cast_slice(&each))?;
            run(Pass::Means, &[Some(&runs.ends), Some(&each), Some(&b.lease)]);
        }
        self.first(in_a_row(b.len), |sums| {
            self.row(Pass::Square, b.len, 0.0, &[Some(&b.lease), Some(sums)]);
        })
    }
}

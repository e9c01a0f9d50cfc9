//! Closed regions of air on the device: the removal of the means of their divergence.

use super::commands::{Buffer, Commands};
use super::passes::Pass;
use crate::compute::cpu::volume::Regions as OfCpu;
use crate::compute::gpu::fault::Fault;

/// Members of a span.
const SPAN: u32 = 4096;

/// A list of places of values, cut into spans.
struct List {
    members: Buffer,
    spans: Buffer,
    count: usize,
}

impl List {
    /// Sums of the values of the spans.
    fn sums(&self, commands: &Commands<'_>, values: &Buffer) -> Result<Buffer, Fault> {
        let to = commands.words(self.count)?;
        let buffers = [Some(&self.members), Some(&self.spans), Some(values), Some(&to)];
        commands.groups(Pass::SpanSums, commands.shared, &buffers, self.count)?;
        Ok(to)
    }
}

/// The closed regions of a box.
pub(super) struct Regions {
    /// The cells of all regions; a span is a part of one region.
    cells: List,
    /// The spans of `cells`; a span of these is a region.
    parts: List,
    /// Cells of all regions.
    count: usize,
    /// One over the number of cells of each region.
    shares: Buffer,
}

impl Regions {
    /// Uploads the closed regions of a box.
    pub fn new(commands: &Commands<'_>, regions: &OfCpu) -> Result<Self, Fault> {
        let (cells, counts) = regions.members();
        let (mut members, mut spans) = (Vec::with_capacity(cells.len()), Vec::new());
        let (mut parts, mut whole) = (Vec::new(), Vec::with_capacity(counts.len()));
        let mut from = 0_u32;
        for (region, count) in (0_u32..).zip(&counts) {
            let (first, end) = (spans.len() as u32, from + *count as u32);
            members.extend(cells[from as usize..end as usize].iter().map(|cell| [*cell, region]));
            spans.extend((from..end).step_by(SPAN as usize).map(|start| [start, (start + SPAN).min(end)]));
            parts.extend((first..spans.len() as u32).map(|part| [part, region]));
            whole.push([first, spans.len() as u32]);
            from = end;
        }
        let shares: Vec<f32> = counts.iter().map(|count| (1.0 / *count as f64) as f32).collect();
        let list = |members: &[[u32; 2]], spans: &[[u32; 2]]| {
            Ok::<_, Fault>(List {
                members: commands.uploaded(members)?,
                spans: commands.uploaded(spans)?,
                count: spans.len(),
            })
        };
        Ok(Self {
            cells: list(&members, &spans)?,
            parts: list(&parts, &whole)?,
            count: members.len(),
            shares: commands.uploaded(&shares)?,
        })
    }

    /// Subtracts its mean in each region.
    pub fn remove_means(&self, commands: &Commands<'_>, values: &Buffer) -> Result<(), Fault> {
        let totals = self.parts.sums(commands, &self.cells.sums(commands, values)?)?;
        let buffers = [Some(&self.cells.members), Some(&totals), Some(&self.shares), Some(values)];
        commands.along(Pass::SubtractRegionMeans, commands.shared, &buffers, self.count)
    }
}

//! Solids on the device: open shares of faces, velocities of closed faces, and solid cells.

use std::sync::Arc;

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag};
use super::passes::Pass;
use super::regions::Regions;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::volume::{Regions as RegionsOfCpu, Solids as OfCpu};
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::projected::ProjectedSolid;
use crate::sim::volume::settings::Side;
use crate::sim::volume::solids::Body;
use crate::sim::volume::state::faces;

/// The solids of a step in its box.
pub(super) struct Solids {
    /// Open shares of the faces.
    pub open: Buffer,
    /// The flow of the solids through the covered parts of faces, at a closed face the velocity of its solid; `None`
    /// where all solids stand still.
    pub moved: Option<Buffer>,
    /// A bit for each cell, which is set in solid ones.
    mask: Buffer,
    /// Closed regions of air.
    pub regions: Option<Regions>,
}

/// The solids of the last step that had standing ones, which are those of the next step with the same solids and box.
pub(super) struct Standing {
    bounds: Bounds,
    sides: [[Side; 2]; 3],
    bodies: Vec<Body>,
    projected: Vec<ProjectedSolid>,
    /// `None` where no face of the box is covered.
    pub solids: Option<Arc<Solids>>,
}

impl Standing {
    /// The solids of a plan; `None` where one of them moves.
    pub fn new(plan: &StepPlan, solids: Option<Arc<Solids>>) -> Option<Self> {
        plan.solids.iter().all(Body::is_still).then(|| Self {
            bounds: plan.bounds,
            sides: plan.sides,
            bodies: plan.solids.clone(),
            projected: plan.projected.clone(),
            solids,
        })
    }

    /// Whether these are the solids of a plan.
    pub fn are_of(&self, plan: &StepPlan) -> bool {
        (self.bounds, self.sides) == (plan.bounds, plan.sides)
            && self.bodies == plan.solids
            && self.projected == plan.projected
    }
}

impl Solids {
    /// The solids of a step; `None` where no face of the box is covered.
    pub fn new(commands: &Commands<'_>, cpu: &Cpu, plan: &StepPlan) -> Result<Option<Self>, Fault> {
        let Some(solids) = OfCpu::new(cpu, plan) else { return Ok(None) };
        let regions = RegionsOfCpu::new(cpu, plan.bounds.cells, solids.open(), plan.sides);
        Ok(Some(Self {
            open: commands.uploaded_faces(solids.open())?,
            moved: solids.moved().map(|moved| commands.uploaded_faces(moved)).transpose()?,
            mask: commands.uploaded(&solids.mask())?,
            regions: regions.map(|regions| Regions::new(commands, &regions)).transpose()?,
        }))
    }

    /// Flags of the passes that read the faces.
    pub fn flags(&self) -> u32 {
        flag::COVERED | on(self.moved.is_some(), flag::MOVING)
    }

    /// Sets closed faces to the velocity of their solid.
    pub fn enforce(&self, commands: &Commands<'_>, velocity: &Buffer, cells: [usize; 3]) -> Result<(), Fault> {
        let params = Params { flags: self.flags(), ..commands.shared };
        let buffers = [Some(&self.open), self.moved.as_ref(), Some(velocity)];
        commands.along(Pass::Enforce, params, &buffers, faces(cells).into_iter().sum())
    }

    /// Sets the packs of solid cells to 0. `fine`: cells of the packs.
    pub fn clear(&self, commands: &Commands<'_>, packs: &Buffer, fine: [usize; 3]) -> Result<(), Fault> {
        commands.over(Pass::ClearSolid, commands.shared, &[Some(&self.mask), Some(packs)], fine)
    }
}

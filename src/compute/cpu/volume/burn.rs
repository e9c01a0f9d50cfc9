//! Burning of advected gas, and the divergence of burning and emitters.

use super::super::Cpu;
use super::super::combustion::{burn, cool};
use super::forces::Rows;
use super::velocities::Cover;
use crate::sim::memory::Values;
use crate::sim::volume::plan::{Combustion, StepPlan};

/// Burns the fuel of cells over a step. The third component of the gases becomes the fuel burnt per frame.
pub(super) fn burn_cells(fire: &Combustion, scalars: &mut [f32], gases: &mut [f32]) {
    for (scalars, gases) in scalars.as_chunks_mut::<4>().0.iter_mut().zip(gases.as_chunks_mut::<4>().0) {
        let [_, temperature, fuel, soot] = scalars;
        let [flame, aged, burnt, _] = gases;
        let mut gas = [*fuel, *flame, *aged, *soot];
        *burnt = burn(&fire.burning, temperature, &mut gas);
        [*fuel, *flame, *aged, *soot] = gas;
        if fire.radiation > 0.0 {
            cool(fire.radiation, temperature);
        }
    }
}

/// The divergence that the projected velocity has: that of emitters and of burning.
pub(super) struct Divergence {
    covers: Vec<(Cover, f32)>,
    burnt: Option<(Values<f32>, f32)>,
    size: [usize; 3],
}

impl Divergence {
    /// No divergence in a box of `cells`.
    pub fn none(cells: [usize; 3]) -> Self {
        Self { covers: Vec::new(), burnt: None, size: cells }
    }

    /// The divergence of emitters in a step, and of `burnt` fuel per frame by cell.
    pub fn new(cpu: &Cpu, plan: &StepPlan, burnt: Option<Values<f32>>) -> Self {
        let expanding = plan.sources.iter().filter(|source| source.expands());
        let covers = expanding
            .filter_map(|source| Some((Cover::cells(cpu, source, plan.bounds)?, source.divergence(1.0) as f32)));
        let expansion = plan.fire.as_ref().map_or(0.0, |fire| fire.expansion);
        let burnt = burnt.filter(|_| expansion > 0.0).map(|burnt| (burnt, expansion));
        Self { covers: covers.collect(), burnt, size: plan.bounds.cells }
    }

    /// Subtracts the divergence from that of a row of cells.
    pub fn subtract(&self, [y, z]: [usize; 2], to: &mut [f32]) {
        if let Some((burnt, expansion)) = &self.burnt {
            let from = (y + self.size[1] * z) * self.size[0];
            for (to, burnt) in to.iter_mut().zip(&burnt[from..]) {
                *to -= expansion * burnt;
            }
        }
        for (cover, expansion) in &self.covers {
            let (from, cover) = cover.row([y, z]);
            for (to, cover) in to[from..].iter_mut().zip(cover) {
                *to -= expansion * cover;
            }
        }
    }

    /// The fuel burnt per frame by cell, of gases of a box of `cells`.
    pub fn burnt_of(cpu: &Cpu, gases: &dyn Rows, cells: [usize; 3]) -> Values<f32> {
        let [columns, rows, planes] = cells;
        let mut burnt = Values::uninitialised(columns * rows * planes, cpu.memory());
        for (row, to) in burnt.chunks_exact_mut(columns).enumerate() {
            for (to, gas) in to.iter_mut().zip(gases.cells([row % rows, row / rows])) {
                *to = gas[2];
            }
        }
        burnt
    }
}

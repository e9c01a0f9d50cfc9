//! The volume of a frame with its diagnostics, as the store keeps it.

use std::sync::Arc;

use super::sparse_packs::SparsePacks;
use crate::compute::cpu::Cpu;
use crate::sim::memory::Values;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::{Diagnostics, State, Statistics};
use crate::timeline::CachedValue;

/// A frame in the store. Of the packs, only tiles with a nonzero bit are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    /// The cells of the velocity.
    pub bounds: Bounds,
    /// Cells of the packs along each side of a cell of the velocity.
    pub detail: usize,
    /// Steps since the first frame.
    pub steps: u32,
    /// Velocity across the faces of each axis, cells per frame.
    pub velocity: [Arc<Values<f32>>; 3],
    /// Density, temperature, fuel, soot.
    pub scalars: Arc<SparsePacks>,
    /// Flame gas, flame gas times its age, fuel burnt per frame, 0; `None` without fire.
    pub gases: Option<Arc<SparsePacks>>,
    /// Density times one less its colour, for red, green and blue, and 0; `None` where all smoke is white.
    pub tints: Option<Arc<SparsePacks>>,
    /// Properties of the fields.
    pub statistics: Statistics,
    /// Diagnostics of the chain.
    pub diagnostics: Diagnostics,
}

impl FrameState {
    /// The frame of a state, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: State, diagnostics: Diagnostics) -> Self {
        let State { bounds, detail, steps, velocity, scalars, gases, tints, statistics } = state;
        let tiles = |packs: &Values<u16>| Arc::new(SparsePacks::new(cpu, bounds.finer(detail).cells, packs));
        let [gases, tints] = [gases, tints].map(|packs| packs.map(|packs| tiles(&packs)));
        Self { bounds, detail, steps, velocity, scalars: tiles(&scalars), gases, tints, statistics, diagnostics }
    }

    /// The state, with the packs of all cells, on the threads of `cpu`.
    pub fn state(&self, cpu: &Cpu) -> State {
        let packs = |tiles: &Arc<SparsePacks>| Arc::new(tiles.packs(cpu));
        State {
            bounds: self.bounds,
            detail: self.detail,
            steps: self.steps,
            velocity: self.velocity.clone(),
            scalars: packs(&self.scalars),
            gases: self.gases.as_ref().map(packs),
            tints: self.tints.as_ref().map(packs),
            statistics: self.statistics,
        }
    }
}

impl CachedValue for FrameState {
    fn bytes(&self) -> usize {
        let velocity: usize = self.velocity.iter().map(|values| size_of_val(&values[..])).sum();
        let others = [&self.gases, &self.tints].into_iter().flatten();
        velocity + self.scalars.bytes() + others.map(|packs| packs.bytes()).sum::<usize>()
    }
}

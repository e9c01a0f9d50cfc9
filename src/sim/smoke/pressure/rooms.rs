//! The planes that a machine needs for the pressure.

use std::sync::Arc;

use super::domain::Domain;
use super::passes::Rung;
use super::weights::Weights;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::Planes;

/// A domain in a machine's memory, with room to work in: to be kept for as long as the domain stays the same.
#[derive(Debug)]
pub struct Rooms<P> {
    domain: Arc<Domain>,
    weights: Vec<Weights<P>>,
    solid: Option<P>,
    /// Of each level.
    steps: Vec<Room<P>>,
    vectors: Vectors<P>,
}

/// Vectors of the finest level that not every solver needs: allocated when one does, and kept.
#[derive(Debug)]
pub(super) struct Vectors<P> {
    /// Of conjugate gradients: the solution, the search direction, and the matrix times the direction.
    pub krylov: Option<[P; 3]>,
    /// The iterate with the smallest residual.
    pub best: Option<P>,
    /// The velocity before a correction.
    pub velocity: Option<[P; 2]>,
}

/// Planes of a level.
#[derive(Debug)]
pub(super) struct Room<P> {
    /// Right-hand side.
    pub b: P,
    /// What is solved for.
    pub x: P,
    /// One more.
    pub spare: P,
}

impl<P: Send + Sync> Rooms<P> {
    /// Makes room.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new<M: Planes<Plane = P>>(machine: &M, domain: Arc<Domain>) -> Result<Self, Failed> {
        let room = |cells: usize| {
            Ok(Room { b: machine.zeros(cells)?, x: machine.zeros(cells)?, spare: machine.zeros(cells)? })
        };
        let steps = domain.levels.iter().map(|level| room(level.cells())).collect::<Result<_, _>>()?;
        let (mut weights, mut solid) = (Vec::new(), None);
        if let Some(solids) = &domain.solids {
            solid = Some(machine.up(&solids.cells)?);
            for of in &solids.weights {
                weights.push(Weights {
                    x: machine.up(&of.x)?,
                    y: machine.up(&of.y)?,
                    inverse: machine.up(&of.inverse)?,
                });
            }
        }
        let vectors = Vectors { krylov: None, best: None, velocity: None };
        Ok(Rooms { domain, weights, solid, steps, vectors })
    }

    /// What it is room for.
    pub fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// All levels, with weights where solids are to count, for `symmetric` cycles or others; the planes to work in; and what is solid.
    #[expect(clippy::type_complexity, reason = "parts that are borrowed at once, in one place")]
    pub(super) fn open(
        &mut self,
        solids: bool,
        symmetric: bool,
    ) -> (Vec<Rung<'_, P>>, &mut [Room<P>], &mut Vectors<P>, Option<&P>) {
        let weights = |level: usize| self.weights.get(level).filter(|_| solids);
        let rung = |(at, level)| Rung { level, weights: weights(at), symmetric };
        let rungs = self.domain.levels.iter().enumerate().map(rung);
        (rungs.collect(), &mut self.steps, &mut self.vectors, self.solid.as_ref())
    }
}

//! What the pressure needs for a grid and its solids, kept for as long as they stay the same.

use std::sync::Arc;

use super::machine::{Plane, SmokeMachine};
use super::regions::Runs;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::machine::{Faces, Ground, Projected, Projection};
use crate::sim::smoke::planes::Planes;
use crate::sim::smoke::pressure::{self, Domain, Rooms};
use crate::sim::smoke::settings::Side;
use crate::sim::smoke::state::Solids;

/// A domain, where there is room for it, and its regions as runs.
pub(super) struct Room {
    edges: [Side; 4],
    /// The solids it was made for.
    solids: Option<Arc<Solids>>,
    rooms: Rooms<Plane>,
    pub(super) runs: RegionRuns,
}

/// Runs of a domain's regions, and of those of its rectangle, once somebody wants them.
pub(super) type RegionRuns = [Option<Runs>; 2];

impl SmokeMachine {
    pub(super) fn project_in_rooms(
        &self,
        ground: &Ground<Plane>,
        projection: &Projection,
        faces: &mut Faces<Plane>,
        pressure: &mut Plane,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Projected, Failed> {
        let mut room = self.room(ground)?;
        let how = pressure::Projection {
            solver: projection.solver,
            iterations: projection.iterations,
            tolerance: projection.tolerance,
        };
        let domain = Arc::clone(room.rooms.domain());
        *self.regions.borrow_mut() = Some((domain, std::mem::take(&mut room.runs)));
        let solids = ground.solids.as_ref().map(|solids| [&solids.faces.u, &solids.faces.v]);
        let velocity = [&mut faces.u, &mut faces.v];
        let projected = pressure::project(self, &mut room.rooms, solids, velocity, pressure, &how, go_on);
        if let Some((_, runs)) = self.regions.borrow_mut().take() {
            room.runs = runs;
        }
        let pressure::Projected { iterations, residual, divergence_after, .. } = projected?;
        self.stock.give_room(room);
        Ok(Projected { iterations, residual, divergence_after })
    }

    fn room(&self, ground: &Ground<Plane>) -> Result<Room, Failed> {
        let size = [ground.width, ground.height];
        let solids = match &ground.solids {
            None => None,
            Some(planes) => match &self.solids {
                Some(solids) => Some(Arc::clone(solids)),
                None => {
                    let cells = self.down(&planes.cells)?;
                    let solid = cells.iter().map(|cell| *cell > 0.0).collect();
                    Some(Arc::new(Solids { solid, u: Vec::new(), v: Vec::new() }))
                }
            },
        };
        let same = |room: &Room| match (&room.solids, &solids) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.solid == b.solid,
            (None, None) => true,
            _ => false,
        };
        let fits = |room: &Room| room.rooms.domain().size() == size && room.edges == ground.edges && same(room);
        if let Some(room) = self.stock.take_room(fits) {
            return Ok(room);
        }
        let domain = Domain::new(size, ground.edges, solids.as_ref().map(|solids| &solids.solid[..]));
        let rooms = Rooms::new(self, Arc::new(domain))?;
        Ok(Room { edges: ground.edges, solids, rooms, runs: [None, None] })
    }
}

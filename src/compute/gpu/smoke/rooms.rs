//! Room for the pressure, kept for as long as a grid and its solids stay the same.

use std::sync::Arc;

use super::machine::{Plane, SmokeMachine};
use super::regions::Runs;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::pressure::{Domain, Rooms};
use crate::sim::smoke::settings::Side;
use crate::sim::smoke::state::Solids;

/// A domain's regions as runs, and those of its rectangle, once somebody wants them.
#[derive(Default)]
pub(super) struct RegionRuns {
    /// Keeps the domain where it is: its regions are known by that.
    pub domain: Option<Arc<Domain>>,
    pub runs: [Option<Runs>; 2],
}

/// Room, and what it was made for.
pub(super) struct Room {
    solids: Option<Arc<Solids>>,
    rooms: Rooms<Plane>,
    regions: RegionRuns,
}

impl SmokeMachine {
    pub(super) fn find_rooms(
        &self,
        size: [usize; 2],
        edges: [Side; 4],
        solids: Option<&Arc<Solids>>,
    ) -> Result<Rooms<Plane>, Failed> {
        let same = |of: &Option<Arc<Solids>>| match (of, solids) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.solid == b.solid,
            (None, None) => true,
            _ => false,
        };
        let fits = |room: &Room| {
            let domain = room.rooms.domain();
            domain.size() == size && domain.levels[0].edges == edges && same(&room.solids)
        };
        let (rooms, regions) = match self.stock.take_room(fits) {
            Some(room) => (room.rooms, room.regions),
            None => {
                let domain = Arc::new(Domain::new(size, edges, solids.map(|solids| &solids.solid[..])));
                let regions = RegionRuns { domain: Some(Arc::clone(&domain)), runs: [None, None] };
                (Rooms::new(self, domain)?, regions)
            }
        };
        *self.regions.borrow_mut() = regions;
        Ok(rooms)
    }

    pub(super) fn keep_rooms(&self, rooms: Rooms<Plane>, solids: Option<&Arc<Solids>>) {
        let regions = self.regions.take();
        self.stock.give_room(Room { solids: solids.cloned(), rooms, regions });
    }
}

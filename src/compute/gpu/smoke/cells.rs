//! What the passes of a step are told, and what they bind.

use std::sync::Arc;

use super::layout::{self, Params, flag};
use super::machine::{Plane, SmokeMachine, over};
use super::passes::Pass;
use crate::compute::gpu::pool::Lease;
use crate::sim::smoke::machine::{Cells, Faces, Ground, Lattice, Offsets, Way};
use crate::sim::smoke::settings::Scheme;

/// A lattice as the shaders number it.
fn number(lattice: Lattice) -> u32 {
    match lattice {
        Lattice::U => 0,
        Lattice::V => 1,
        Lattice::Cell | Lattice::Dye => 2,
    }
}

/// A flag, or none.
pub(super) fn on(condition: bool, flag: u32) -> u32 {
    if condition { flag } else { 0 }
}

/// What is solid, if anything is.
pub(super) fn solid(ground: &Ground<Plane>) -> Option<&Arc<Lease>> {
    ground.solids.as_ref().map(|solids| &solids.cells.lease)
}

/// What every pass over a lattice is told.
pub(super) fn params(ground: &Ground<Plane>, lattice: Lattice) -> Params {
    Params {
        size: layout::size([ground.width, ground.height]),
        lattice: number(lattice),
        flags: on(ground.solids.is_some(), flag::SOLID)
            | on(lattice == Lattice::Dye, flag::FOUR)
            | on((0..4).any(|side| ground.sticks(side)), flag::STICKS)
            | on(ground.slippery().is_some(), flag::SLIPS),
        edges: layout::edges(ground.edges),
        ..Params::default()
    }
}

/// A plane that is carried, and MacCormack's first half of it.
struct Freight<'a> {
    lattice: Lattice,
    from: &'a Plane,
    there: Option<&'a Plane>,
    to: &'a Plane,
}

impl SmokeMachine {
    /// Runs a pass over a whole lattice.
    pub(super) fn whole(&self, pass: Pass, ground: &Ground<Plane>, params: &Params, buffers: &[Option<&Arc<Lease>>]) {
        // As many as the larger lattices have: those that have fewer leave some out.
        let size = [ground.width + usize::from(params.lattice == 0), ground.height + usize::from(params.lattice == 1)];
        self.run(pass, params, buffers, over(size));
    }

    pub(super) fn carry_both(
        &self,
        ground: &Ground<Plane>,
        scheme: Scheme,
        looks: &[&Offsets<Plane>],
        from: &Faces<Plane>,
        there: Option<&Faces<Plane>>,
        to: &Faces<Plane>,
    ) {
        let way = Way { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
        let u = Freight { lattice: Lattice::U, from: &from.u, there: there.map(|t| &t.u), to: &to.u };
        let v = Freight { lattice: Lattice::V, from: &from.v, there: there.map(|t| &t.v), to: &to.v };
        self.carry(ground, &way, looks, &u);
        self.carry(ground, &way, looks, &v);
    }

    pub(super) fn carry_all(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        looks: &[&Offsets<Plane>],
        from: &Cells<Plane>,
        there: Option<&Cells<Plane>>,
        to: &Cells<Plane>,
    ) {
        let dye = Freight { lattice: Lattice::Dye, from: &from.dye, there: there.map(|t| &t.dye), to: &to.dye };
        self.carry(ground, way, looks, &dye);
        if let (Some(from), Some(to)) = (&from.temperature, &to.temperature) {
            let there = there.and_then(|there| there.temperature.as_ref());
            self.carry(ground, way, looks, &Freight { lattice: Lattice::Cell, from, there, to });
        }
    }

    fn carry(&self, ground: &Ground<Plane>, way: &Way, looks: &[&Offsets<Plane>], freight: &Freight<'_>) {
        let Freight { lattice, from, there, to } = freight;
        let cells = matches!(lattice, Lattice::Cell | Lattice::Dye);
        let mut params = params(ground, *lattice);
        let last = way.scheme != Scheme::MacCormack || there.is_some();
        params.flags |= on(cells && last, flag::LOSES) | on(way.scheme == Scheme::Cubic, flag::CUBIC);
        // Solids only keep out what cells carry, and faces in walls along which air slips.
        params.flags &= !on(!cells, flag::SOLID);
        params.numbers = [way.keep, way.cooling, way.ambient, 0.0];
        let dye = *lattice == Lattice::Dye;
        let pass = match (there, dye) {
            (None, false) => Pass::Carry,
            (None, true) => Pass::CarryDye,
            (Some(_), false) => Pass::Correct,
            (Some(_), true) => Pass::CorrectDye,
        };
        let mut planes = looks.iter().map(|look| [Some(&look.x.lease), Some(&look.y.lease)]);
        let mut buffers: Vec<_> = planes.next().into_iter().flatten().collect();
        buffers.extend([solid(ground), Some(&from.lease)]);
        buffers.extend(planes.flatten());
        buffers.extend(there.map(|there| Some(&there.lease)));
        buffers.push(Some(&to.lease));
        self.whole(pass, ground, &params, &buffers);
    }
}

//! The passes, each cut into bands.

use std::sync::{Arc, PoisonError};

use super::axis::Axis;
use super::carry::{Carry, Freight, Looks};
use super::look::Look;
use super::plane::Plane;
use super::walls::Walls;
use super::{SmokeCpu, diffuse, force, stamp};
use crate::sim::smoke::machine::{Area, Cells, Faces, Forces, Ground, Lattice, Offsets, Solid, Stamp, Survey, Way};
use crate::sim::smoke::pressure::{Domain, Rooms};
use crate::sim::smoke::settings::{Scheme, Side};
use crate::sim::smoke::state::Solids;
use crate::sim::smoke::{Air, Failed, Machine};

/// The solid cells of a grid.
fn solid(ground: &Ground<Plane>) -> Option<&[f32]> {
    ground.solids.as_ref().map(|solids| &*solids.cells)
}

fn lines(ground: &Ground<Plane>, lattice: Lattice) -> [usize; 2] {
    lattice.size(ground.width, ground.height)
}

impl SmokeCpu<'_> {
    fn faces(
        &self,
        ground: &Ground<Plane>,
        scheme: Scheme,
        looks: &[&Offsets<Plane>],
        from: &Faces<Plane>,
        there: Option<&Faces<Plane>>,
        to: &mut Faces<Plane>,
    ) {
        let way = Way { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
        let carry = |lattice, from, there| Carry::<f32> {
            lattice,
            on: Axis::both(ground, lattice),
            cells: Axis::both(ground, Lattice::Cell),
            way,
            looks: Looks::new(looks),
            one: Freight { from, there },
            two: None,
            walls: None,
            loses: false,
        };
        self.cpu.pass(ground.height, &mut to.u, &mut [], &carry(Lattice::U, &from.u, there.map(|there| &*there.u)));
        self.cpu.pass(ground.height + 1, &mut to.v, &mut [], &carry(Lattice::V, &from.v, there.map(|there| &*there.v)));
    }

    fn cells(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        looks: &[&Offsets<Plane>],
        from: &Cells<Plane>,
        there: Option<&Cells<Plane>>,
        to: &mut Cells<Plane>,
    ) {
        let temperature = from
            .temperature
            .as_ref()
            .map(|from| Freight { from, there: there.and_then(|there| there.temperature.as_deref()) });
        let cells = Axis::both(ground, Lattice::Cell);
        let carry = Carry::<[f32; 4]> {
            lattice: Lattice::Cell,
            on: cells,
            cells,
            way: *way,
            looks: Looks::new(looks),
            one: Freight {
                from: bytemuck::cast_slice(&from.dye),
                there: there.map(|there| bytemuck::cast_slice(&there.dye)),
            },
            two: temperature,
            walls: solid(ground).map(|solid| Walls::new(self.cpu, solid, ground.width)),
            loses: way.scheme != Scheme::MacCormack || there.is_some(),
        };
        let two = to.temperature.as_deref_mut().unwrap_or_default();
        self.cpu.pass(ground.height, &mut to.dye, two, &carry);
    }
}

impl Machine for SmokeCpu<'_> {
    fn stale(&self, len: usize) -> Result<Plane, Failed> {
        Ok(Plane::stale(len, &self.cpu.smoke.spare))
    }

    fn rooms(&self, size: [usize; 2], edges: [Side; 4], solids: Option<&Arc<Solids>>) -> Result<Rooms<Plane>, Failed> {
        let kept = self.cpu.smoke.rooms.lock().unwrap_or_else(PoisonError::into_inner).take();
        let same = |of: &Option<Arc<Solids>>| match (of, solids) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.solid == b.solid,
            (None, None) => true,
            _ => false,
        };
        let fits = |rooms: &Rooms<Plane>| {
            let finest = &rooms.domain().levels[0];
            finest.size == size && finest.edges == edges
        };
        match kept.filter(|(rooms, of)| fits(rooms) && same(of)) {
            Some((rooms, _)) => Ok(rooms),
            None => Rooms::new(self, Arc::new(Domain::new(size, edges, solids.map(|solids| &*solids.solid)))),
        }
    }

    fn keep(&self, rooms: Rooms<Plane>, solids: Option<&Arc<Solids>>) {
        *self.cpu.smoke.rooms.lock().unwrap_or_else(PoisonError::into_inner) = Some((rooms, solids.cloned()));
    }

    fn load(&self, air: &Arc<Air>) -> Result<(Faces<Plane>, Cells<Plane>, Plane), Failed> {
        let lent = |part| Plane::lent(air, part, &self.cpu.smoke.spare);
        let temperature = air.temperature.is_some().then(|| lent(|air| air.temperature.as_deref().unwrap_or_default()));
        Ok((
            Faces { u: lent(|air| &air.u), v: lent(|air| &air.v) },
            Cells { dye: lent(|air| bytemuck::cast_slice(&air.dye)), temperature },
            lent(|air| &air.pressure),
        ))
    }

    fn store(&self, faces: Faces<Plane>, cells: Cells<Plane>, pressure: Plane) -> Result<Air, Failed> {
        let dye = cells.dye.into_vec();
        Ok(Air {
            u: faces.u.into_vec(),
            v: faces.v.into_vec(),
            pressure: pressure.into_vec(),
            dye: bytemuck::try_cast_vec(dye).unwrap_or_else(|(_, dye)| bytemuck::cast_slice(&dye).to_vec()),
            temperature: cells.temperature.map(Plane::into_vec),
        })
    }

    fn shift(&self, [width, height]: [usize; 2], lattice: Lattice, by: [i64; 2], from: &Plane, to: &mut Plane) {
        let [columns, rows] = lattice.size(width, height);
        self.cpu.pass(rows, to, &mut [], &stamp::Shift { columns, rows, values: lattice.values(), by, from });
    }

    fn scale(&self, by: f32, from: &Plane, to: &mut Plane) {
        let rows = to.len();
        self.cpu.pass(rows, to, &mut [], &stamp::Scale { by, from });
    }

    fn survey(&self, faces: &Faces<Plane>) -> Result<Survey, Failed> {
        let pieces = [&faces.u, &faces.v].into_iter().flat_map(|plane| plane.chunks(1 << 16)).collect();
        let found = self.cpu.each(pieces, |values: &[f32]| self.cpu.isa.run(stamp::Surveyed(values)));
        Ok(found.into_iter().fold(Survey::default(), |all, one| Survey {
            largest: all.largest.max(one.largest),
            bad: all.bad + one.bad,
        }))
    }

    fn scrub(&self, plane: &mut Plane) {
        let rows = plane.len();
        self.cpu.pass(rows, plane, &mut [], &stamp::Scrub);
    }

    fn stamp(&self, ground: &Ground<Plane>, lattice: Lattice, stamp: Stamp, area: &Area<Plane>, to: &mut Plane) {
        let [columns, rows] = lines(ground, lattice);
        let Area { x, y, width, height, values } = area;
        let area = Area { x: *x, y: *y, width: *width, height: *height, values: &**values };
        let stamped = stamp::Stamped { lattice, columns, stamp, area, solid: solid(ground) };
        self.cpu.pass(rows, to, &mut [], &stamped);
    }

    fn force(
        &self,
        ground: &Ground<Plane>,
        forces: &Forces,
        cells: &Cells<Plane>,
        from: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) {
        let force = |axis, from| force::Force {
            forces: *forces,
            axis,
            cells: Axis::both(ground, Lattice::Cell),
            from,
            dye: &cells.dye,
            temperature: cells.temperature.as_deref(),
        };
        self.cpu.pass(ground.height, &mut to.u, &mut [], &force(0, &from.u));
        self.cpu.pass(ground.height + 1, &mut to.v, &mut [], &force(1, &from.v));
    }

    fn curl(&self, ground: &Ground<Plane>, faces: &Faces<Plane>, curl: &mut Plane) {
        let cells = Axis::both(ground, Lattice::Cell);
        let pass = force::Curl { cells, u: &faces.u, v: &faces.v, solid: solid(ground) };
        self.cpu.pass(ground.height, curl, &mut [], &pass);
    }

    fn confine(&self, ground: &Ground<Plane>, strength: f32, curl: &Plane, faces: &mut Faces<Plane>) {
        let confine = |axis| force::Confine { cells: Axis::both(ground, Lattice::Cell), axis, strength, curl };
        self.cpu.pass(ground.height, &mut faces.u, &mut [], &confine(0));
        self.cpu.pass(ground.height + 1, &mut faces.v, &mut [], &confine(1));
    }

    fn diffuse(
        &self,
        ground: &Ground<Plane>,
        number: f32,
        weight: f32,
        rhs: &Faces<Plane>,
        from: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) {
        let diffuse = |axis, lattice, rhs, from| diffuse::Diffuse {
            number,
            weight,
            axis,
            faces: Axis::both(ground, lattice),
            cells: Axis::both(ground, Lattice::Cell),
            solid: solid(ground),
            rhs,
            from,
        };
        self.cpu.pass(ground.height, &mut to.u, &mut [], &diffuse(0, Lattice::U, &rhs.u, &from.u));
        self.cpu.pass(ground.height + 1, &mut to.v, &mut [], &diffuse(1, Lattice::V, &rhs.v, &from.v));
    }

    fn look(&self, ground: &Ground<Plane>, time: f32, wind: &Faces<Plane>, to: &mut Offsets<Plane>) {
        let look = Look::new(ground, Faces { u: &wind.u, v: &wind.v }, time);
        self.cpu.pass(ground.height, &mut to.x, &mut to.y, &look);
    }

    fn carry_faces(
        &self,
        ground: &Ground<Plane>,
        scheme: Scheme,
        back: &Offsets<Plane>,
        from: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) {
        self.faces(ground, scheme, &[back], from, None, to);
    }

    fn correct_faces(
        &self,
        ground: &Ground<Plane>,
        looks: [&Offsets<Plane>; 2],
        from: &Faces<Plane>,
        there: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) {
        self.faces(ground, Scheme::MacCormack, &looks, from, Some(there), to);
    }

    fn carry_cells(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        back: &Offsets<Plane>,
        from: &Cells<Plane>,
        to: &mut Cells<Plane>,
    ) {
        self.cells(ground, way, &[back], from, None, to);
    }

    fn correct_cells(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        looks: [&Offsets<Plane>; 2],
        from: &Cells<Plane>,
        there: &Cells<Plane>,
        to: &mut Cells<Plane>,
    ) {
        self.cells(ground, way, &looks, from, Some(there), to);
    }

    fn reflect(&self, projected: &Faces<Plane>, faces: &mut Faces<Plane>) {
        for (projected, to) in [(&projected.u, &mut faces.u), (&projected.v, &mut faces.v)] {
            let rows = to.len();
            self.cpu.pass(rows, to, &mut [], &stamp::Reflect { projected });
        }
    }

    fn settle(&self, ground: &Ground<Plane>, faces: &mut Faces<Plane>) {
        for (lattice, plane) in [(Lattice::U, &mut faces.u), (Lattice::V, &mut faces.v)] {
            let [columns, rows] = lines(ground, lattice);
            let along = lattice == Lattice::U;
            let axis = Axis::both(ground, lattice)[usize::from(!along)];
            let settle = stamp::Settle {
                columns,
                rows,
                along,
                closed: axis.closed(),
                wraps: axis.wraps(),
                solid: ground
                    .solids
                    .as_ref()
                    .map(|Solid { cells, faces }| [&**cells, if along { &*faces.u } else { &*faces.v }]),
            };
            self.cpu.pass(rows, plane, &mut [], &settle);
            if axis.wraps() && along {
                plane.chunks_exact_mut(columns).for_each(|row| row[columns - 1] = row[0]);
            } else if axis.wraps() {
                plane.copy_within(..columns, (rows - 1) * columns);
            }
        }
    }
}

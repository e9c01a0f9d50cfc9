//! The passes, each cut into bands.

use std::sync::{Arc, PoisonError};

use super::axis::Axis;
use super::carry::{Carry, Freight};
use super::faces::{CarryFaces, How, planes};
use super::look::Looking;
use super::plane::Plane;
use super::slip::slippery;
use super::spans::Spans;
use super::walls::Walls;
use super::{SmokeCpu, diffuse, force, stamp};
use crate::sim::smoke::machine::{Area, Cells, Faces, Forces, Ground, Lattice, Offsets, Solid, Stamp, Way};
use crate::sim::smoke::planes::Survey;
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

fn values(faces: &Faces<Plane>) -> Faces<&[f32]> {
    Faces { u: &faces.u, v: &faces.v }
}

impl SmokeCpu<'_> {
    fn cells(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        (back, ahead): (&Offsets<Plane>, Option<&Offsets<Plane>>),
        from: &Cells<Plane>,
        there: Option<&Cells<Plane>>,
        to: &mut Cells<Plane>,
    ) {
        let temperature = from
            .temperature
            .as_ref()
            .map(|from| Freight { from, there: there.and_then(|there| there.temperature.as_deref()) });
        let axes = Axis::both(ground, Lattice::Cell);
        let spans = (!axes[0].wraps() && !axes[1].wraps()).then(|| self.spans(ground.width, from, there));
        let carry = Carry {
            cells: axes,
            way: *way,
            back: planes(back),
            ahead: ahead.map(planes),
            dye: Freight {
                from: bytemuck::cast_slice(&from.dye),
                there: there.map(|there| bytemuck::cast_slice(&there.dye)),
            },
            temperature,
            walls: solid(ground).map(|solid| Walls::new(self.cpu, solid, ground.width)),
            loses: way.scheme != Scheme::MacCormack || there.is_some(),
            spans: spans.as_ref(),
        };
        let two = to.temperature.as_deref_mut().unwrap_or_default();
        let carried = self.cpu.pass(ground.height, &mut to.dye, two, &carry);
        if spans.is_some() {
            let spans = Spans::of(carried.into_iter().flatten());
            if let Some(temperature) = &mut to.temperature {
                temperature.set_spans(spans.clone());
            }
            to.dye.set_spans(spans);
        }
    }

    /// Where there is anything of what cells carry.
    fn spans(&self, columns: usize, from: &Cells<Plane>, there: Option<&Cells<Plane>>) -> Spans {
        let mut all = from.dye.spans(self.cpu, columns, Lattice::Dye.values()).clone();
        let temperatures = [Some(from), there].map(|cells| cells.and_then(|cells| cells.temperature.as_ref()));
        for temperature in temperatures.into_iter().flatten() {
            all.unite(temperature.spans(self.cpu, columns, Lattice::Cell.values()));
        }
        if let Some(there) = there {
            all.unite(there.dye.spans(self.cpu, columns, Lattice::Dye.values()));
        }
        all
    }
}

impl Machine for SmokeCpu<'_> {
    fn stale(&self, len: usize) -> Result<Plane, Failed> {
        Ok(Plane::stale(len, self.cpu.memory()))
    }

    fn rooms(&self, size: [usize; 2], edges: [Side; 4], solids: Option<&Arc<Solids>>) -> Result<Rooms<Plane>, Failed> {
        let kept = self.kept().rooms.lock().unwrap_or_else(PoisonError::into_inner).take();
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
        *self.kept().rooms.lock().unwrap_or_else(PoisonError::into_inner) = Some((rooms, solids.cloned()));
    }

    fn load(&self, air: &Arc<Air>) -> Result<(Faces<Plane>, Cells<Plane>, Plane), Failed> {
        let lent = |part| Plane::lent(air, part, self.cpu.memory());
        let temperature = air.temperature.is_some().then(|| lent(|air| air.temperature.as_deref().unwrap_or_default()));
        Ok((
            Faces { u: lent(|air| &air.u), v: lent(|air| &air.v) },
            Cells { dye: lent(|air| bytemuck::cast_slice(&air.dye)), temperature },
            lent(|air| &air.pressure),
        ))
    }

    fn store(&self, faces: Faces<Plane>, cells: Cells<Plane>, pressure: Plane) -> Result<Air, Failed> {
        Ok(Air {
            u: faces.u.into_values(),
            v: faces.v.into_values(),
            pressure: pressure.into_values(),
            dye: cells.dye.into_values().cast(),
            temperature: cells.temperature.map(Plane::into_values),
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

    fn surveyed(&self, air: &Arc<Air>, survey: Survey) {
        let kept = self.kept();
        let mut surveyed = kept.surveyed.lock().unwrap_or_else(PoisonError::into_inner);
        *surveyed = Some((Arc::downgrade(air), survey));
    }

    fn survey(&self, faces: &Faces<Plane>) -> Result<Survey, Failed> {
        if let (Some(of_u), Some(of_v)) = (faces.u.lender(), faces.v.lender()) {
            let kept = self.kept();
            let surveyed = kept.surveyed.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((air, survey)) = &*surveyed
                && [of_u, of_v].into_iter().all(|lender| std::ptr::eq(Arc::as_ptr(lender), air.as_ptr()))
            {
                return Ok(*survey);
            }
        }
        let pieces = [&faces.u, &faces.v].into_iter().flat_map(|plane| plane.chunks(1 << 16)).collect();
        let found = self.cpu.each(pieces, |values: &[f32]| self.cpu.isa.run(stamp::Surveyed(values)));
        Ok(found.into_iter().fold(Survey::default(), Survey::and))
    }

    fn scrub(&self, plane: &mut Plane) {
        let rows = plane.len();
        self.cpu.pass(rows, plane, &mut [], &stamp::Scrub);
    }

    fn stamp(&self, ground: &Ground<Plane>, lattice: Lattice, stamp: Stamp, area: &Area<Plane>, to: &mut Plane) {
        let [columns, rows] = lines(ground, lattice);
        let spans = to.take_spans();
        let Area { x, y, width, height, values } = area;
        // The rows that it touches are a plane of their own.
        let [first, end] = [*y, y + height].map(|y| y.min(rows) * columns);
        let area = Area { x: *x, y: 0, width: *width, height: *height, values: &**values };
        let solid = solid(ground).map(|solid| solid.get(first..).unwrap_or_default());
        let stamped = stamp::Stamped { lattice, columns, stamp, area, solid };
        let touched = &mut to[first * lattice.values()..end * lattice.values()];
        self.cpu.pass_over((end - first) / columns.max(1), width * lattice.values(), [touched, &mut []], &stamped);
        if let Some(mut spans) = spans {
            spans.add(*x..(x + width).min(columns), *y..y + height);
            to.set_spans(spans);
        }
    }

    fn force(
        &self,
        ground: &Ground<Plane>,
        forces: &Forces,
        cells: &Cells<Plane>,
        from: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) -> Result<(), Failed> {
        let mut force = force::Force {
            forces: *forces,
            cells: Axis::both(ground, Lattice::Cell),
            from: values(from),
            dye: &cells.dye,
            spans: None,
            temperature: cells.temperature.as_deref(),
            solid: solid(ground),
            slips: ground.slippery().is_some(),
            sticks: [0, 1, 2, 3].map(|side| ground.sticks(side)),
            still: vec![0.0; ground.width + 1],
        };
        if force.pulls(0) || force.pulls(1) {
            force.spans = Some(cells.dye.spans(self.cpu, ground.width, Lattice::Dye.values()));
        }
        force.run(self.cpu, to);
        Ok(())
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
            slips: ground.slippery().is_some(),
            sticks: [0, 1, 2, 3].map(|side| ground.sticks(side)),
            rhs,
            from,
        };
        self.cpu.pass(ground.height, &mut to.u, &mut [], &diffuse(0, Lattice::U, &rhs.u, &from.u));
        self.cpu.pass(ground.height + 1, &mut to.v, &mut [], &diffuse(1, Lattice::V, &rhs.v, &from.v));
    }

    fn look(&self, ground: &Ground<Plane>, time: f32, wind: &Faces<Plane>, to: &mut Offsets<Plane>) {
        let walls = slippery(self.cpu, ground);
        let looking = Looking::new(ground, values(wind), time, walls.as_ref());
        self.cpu.pass(ground.height, &mut to.x, &mut to.y, &looking);
    }

    fn carry_faces(
        &self,
        ground: &Ground<Plane>,
        scheme: Scheme,
        time: f32,
        wind: &Faces<Plane>,
        from: &Faces<Plane>,
        back: &mut Offsets<Plane>,
        to: &mut Faces<Plane>,
    ) {
        let walls = slippery(self.cpu, ground);
        let looking = Looking::new(ground, values(wind), time, walls.as_ref());
        CarryFaces::new(ground, looking, values(from), How::Carried(scheme)).run(self.cpu, to, Some(back));
    }

    fn correct_faces(
        &self,
        ground: &Ground<Plane>,
        time: f32,
        (wind, back): (&Faces<Plane>, &Offsets<Plane>),
        from: &Faces<Plane>,
        there: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) -> Result<(), Failed> {
        let walls = slippery(self.cpu, ground);
        let looking = Looking::new(ground, values(wind), -time, walls.as_ref());
        let how = How::Corrected(values(there), planes(back));
        CarryFaces::new(ground, looking, values(from), how).run(self.cpu, to, None);
        Ok(())
    }

    fn carry_cells(
        &self,
        ground: &Ground<Plane>,
        way: &Way,
        back: &Offsets<Plane>,
        from: &Cells<Plane>,
        to: &mut Cells<Plane>,
    ) {
        self.cells(ground, way, (back, None), from, None, to);
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
        self.cells(ground, way, (looks[0], Some(looks[1])), from, Some(there), to);
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

//! The passes of a step, as its sequence calls them.

use std::sync::Arc;

use super::cells::{on, params, solid};
use super::kept::AirPlanes;
use super::layout::{Params, flag};
use super::machine::{Plane, SmokeMachine, in_a_row, over};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pool::Lease;
use crate::sim::memory::Values;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::machine::{Area, Cells, Faces, Forces, Ground, Lattice, Machine, Offsets, Stamp, Way};
use crate::sim::smoke::planes::{Planes, Survey};
use crate::sim::smoke::pressure::Rooms;
use crate::sim::smoke::settings::{Scheme, Side, Slips};
use crate::sim::smoke::state::{Air, Solids};

/// Both kinds of faces, and their axes.
const KINDS: [(Lattice, usize); 2] = [(Lattice::U, 0), (Lattice::V, 1)];

/// The plane of one kind.
fn of(faces: &Faces<Plane>, axis: usize) -> &Plane {
    if axis == 0 { &faces.u } else { &faces.v }
}

impl Machine for SmokeMachine {
    fn stale(&self, len: usize) -> Result<Plane, Failed> {
        self.told(self.plane(len))
    }

    fn rooms(&self, size: [usize; 2], edges: [Side; 4], solids: Option<&Arc<Solids>>) -> Result<Rooms<Plane>, Failed> {
        self.find_rooms(size, edges, solids)
    }

    fn keep(&self, rooms: Rooms<Plane>, solids: Option<&Arc<Solids>>) {
        self.keep_rooms(rooms, solids);
    }

    fn load(&self, air: &Arc<Air>) -> Result<(Faces<Plane>, Cells<Plane>, Plane), Failed> {
        if let Some(kept) = self.stock.find(air) {
            return Ok(kept.parts());
        }
        let temperature = air.temperature.as_ref().map(|values| self.up(values)).transpose()?;
        Ok((
            Faces { u: self.up(&air.u)?, v: self.up(&air.v)? },
            Cells { dye: self.up(bytemuck::cast_slice(&air.dye))?, temperature },
            self.up(&air.pressure)?,
        ))
    }

    fn store(&self, faces: Faces<Plane>, cells: Cells<Plane>, pressure: Plane) -> Result<Air, Failed> {
        let zeros = |plane: &Plane| Values::<f32>::uninitialised(plane.len, &self.core.memory);
        let mut air = Air {
            u: zeros(&faces.u),
            v: zeros(&faces.v),
            pressure: zeros(&pressure),
            dye: Values::uninitialised(cells.dye.len / 4, &self.core.memory),
            temperature: cells.temperature.as_ref().map(zeros),
        };
        let mut wanted = vec![
            (&faces.u.lease, bytemuck::cast_slice_mut(&mut air.u)),
            (&faces.v.lease, bytemuck::cast_slice_mut(&mut air.v)),
            (&pressure.lease, bytemuck::cast_slice_mut(&mut air.pressure)),
            (&cells.dye.lease, bytemuck::cast_slice_mut(&mut air.dye)),
        ];
        if let (Some(plane), Some(values)) = (&cells.temperature, &mut air.temperature) {
            wanted.push((&plane.lease, bytemuck::cast_slice_mut(values)));
        }
        self.told(self.bring(&mut wanted))?;
        *self.made.borrow_mut() = Some(AirPlanes::new(faces, cells, pressure));
        Ok(air)
    }

    fn shift(&self, size: [usize; 2], lattice: Lattice, by: [i64; 2], from: &Plane, to: &mut Plane) {
        // Further than any grid is wide, and within what can be added up.
        const FAR: i64 = 1 << 24;
        let ground =
            Ground { width: size[0], height: size[1], edges: [Side::Open; 4], slip: Slips::default(), solids: None };
        let mut params = params(&ground, lattice);
        params.area = [by[0].clamp(-FAR, FAR) as i32, by[1].clamp(-FAR, FAR) as i32, 0, 0];
        self.whole(Pass::Shift, &ground, &params, &[Some(&from.lease), Some(&to.lease)]);
    }

    fn survey(&self, faces: &Faces<Plane>) -> Result<Survey, Failed> {
        let mut all = Survey::default();
        for plane in [&faces.u, &faces.v] {
            let found = self.sums(in_a_row(plane.len), |sums| {
                self.row(Pass::Survey, plane.len, 0.0, &[Some(&plane.lease), Some(sums)]);
            });
            for [largest, bad] in self.told(found)? {
                all.largest = all.largest.max(largest);
                all.bad += bad as u64;
            }
        }
        Ok(all)
    }

    fn scale(&self, by: f32, from: &Plane, to: &mut Plane) {
        self.row(Pass::Scale, to.len, by, &[Some(&from.lease), Some(&to.lease)]);
    }

    fn scrub(&self, plane: &mut Plane) {
        self.row(Pass::Scrub, plane.len, 0.0, &[Some(&plane.lease)]);
    }

    fn stamp(&self, ground: &Ground<Plane>, lattice: Lattice, stamp: Stamp, area: &Area<Plane>, to: &mut Plane) {
        let mut params = params(ground, lattice);
        match stamp {
            Stamp::Add { share } => params.numbers[0] = share,
            Stamp::Steer => params.flags |= flag::STEER,
            Stamp::Replace => params.flags |= flag::REPLACE,
            Stamp::FillUp => params.flags |= flag::FILL_UP,
        }
        params.area = [area.x, area.y, area.width, area.height].map(|n| n as i32);
        let buffers = [solid(ground), Some(&area.values.lease), Some(&to.lease)];
        self.run(Pass::Stamp, &params, &buffers, over([area.width, area.height]));
    }

    fn force(
        &self,
        ground: &Ground<Plane>,
        forces: &Forces,
        cells: &Cells<Plane>,
        from: &Faces<Plane>,
        to: &mut Faces<Plane>,
    ) -> Result<(), Failed> {
        for (lattice, axis) in KINDS {
            let mut params = params(ground, lattice);
            params.numbers = [forces.keep, forces.weight[axis], forces.lift[axis], forces.ambient];
            params.flags |= on(cells.temperature.is_some(), flag::HOT);
            let temperature = cells.temperature.as_ref().map(|plane| &plane.lease);
            let buffers = [Some(&of(from, axis).lease), Some(&cells.dye.lease), temperature, Some(&of(to, axis).lease)];
            self.whole(Pass::Force, ground, &params, &buffers);
        }
        if forces.confinement > 0.0 {
            let curl = self.stale(ground.len(Lattice::Cell))?;
            let buffers = [Some(&from.u.lease), Some(&from.v.lease), solid(ground), Some(&curl.lease)];
            self.whole(Pass::Curl, ground, &params(ground, Lattice::Cell), &buffers);
            for (lattice, axis) in KINDS {
                let params = Params { numbers: [forces.confinement, 0.0, 0.0, 0.0], ..params(ground, lattice) };
                let buffers = [Some(&curl.lease), solid(ground), Some(&of(to, axis).lease)];
                self.whole(Pass::Confine, ground, &params, &buffers);
            }
        }
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
        for (lattice, axis) in KINDS {
            let params = Params { numbers: [number, weight, 0.0, 0.0], ..params(ground, lattice) };
            let planes = [rhs, from, to].map(|faces| Some(&of(faces, axis).lease));
            self.whole(Pass::Diffuse, ground, &params, &[solid(ground), planes[0], planes[1], planes[2]]);
        }
    }

    fn look(&self, ground: &Ground<Plane>, time: f32, wind: &Faces<Plane>, to: &mut Offsets<Plane>) {
        let params = Params { numbers: [time, 0.0, 0.0, 0.0], ..params(ground, Lattice::Cell) };
        let [u, v, x, y] = [&wind.u, &wind.v, &to.x, &to.y].map(|plane| Some(&plane.lease));
        let buffers = [u, v, solid(ground), x, y];
        self.whole(Pass::Look, ground, &params, &buffers);
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
        self.look(ground, time, wind, back);
        self.carry_both(ground, scheme, &[back], from, None, to);
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
        let plane = || self.stale(ground.len(Lattice::Cell));
        let mut ahead = Offsets { x: plane()?, y: plane()? };
        self.look(ground, -time, wind, &mut ahead);
        self.carry_both(ground, Scheme::MacCormack, &[back, &ahead], from, Some(there), to);
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
        self.carry_all(ground, way, &[back], from, None, to);
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
        self.carry_all(ground, way, &looks, from, Some(there), to);
    }

    fn reflect(&self, projected: &Faces<Plane>, faces: &mut Faces<Plane>) {
        for axis in 0..2 {
            let (from, to) = (of(projected, axis), of(faces, axis));
            self.row(Pass::Reflect, to.len, 0.0, &[Some(&from.lease), Some(&to.lease)]);
        }
    }

    fn settle(&self, ground: &Ground<Plane>, faces: &mut Faces<Plane>) {
        for (lattice, axis) in KINDS {
            let given = ground.solids.as_ref().map(|solids| of(&solids.faces, axis));
            let done = self.hold_faces(&params(ground, lattice), solid(ground), given, of(faces, axis));
            self.note(done.map(drop));
        }
    }
}

impl SmokeMachine {
    /// Holds one kind of faces; gives the buffer of the workgroups' sums, and how many those are.
    pub(super) fn hold_faces(
        &self,
        params: &Params,
        solid: Option<&Arc<Lease>>,
        given: Option<&Plane>,
        faces: &Plane,
    ) -> Result<(Arc<Lease>, usize), Fault> {
        let size = [params.size[0] as usize + 1, params.size[1] as usize + 1];
        let groups = over(size);
        let count = groups[0] as usize * groups[1] as usize;
        let sums = self.lease((count * size_of::<[f32; 2]>()) as u64)?;
        let buffers = [solid, given.map(|plane| &plane.lease), Some(&faces.lease), Some(&sums)];
        self.run(Pass::Hold, params, &buffers, groups);
        Ok((sums, count))
    }
}

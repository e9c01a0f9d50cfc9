//! A sub-step: forces, carrying, solids, pressure.

use super::device::Failed;
use super::machine::{Area, Cells, Faces, Ground, Lattice, Machine, Offsets, Stamp, Way};
use super::pace::Pace;
use super::pressure::{self, Projected, Projection, Rooms};
use super::settings::{Constants, Scheme, Settings};

/// What a machine asks, on the calling thread.
pub(super) type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// Values on the machine, and what they do.
pub(super) struct Pushed<P> {
    pub lattice: Lattice,
    pub stamp: Stamp,
    pub area: Area<P>,
}

/// Where looks end: back, and ahead where a scheme asks for it.
pub(super) struct Looks<P> {
    back: Offsets<P>,
    ahead: Option<Offsets<P>>,
}

/// Velocity, and the looks by which it was carried.
type Carried<P> = (Faces<P>, Looks<P>);

/// Velocity, moved on by a sub-step.
pub(super) struct Moved<P> {
    pub faces: Faces<P>,
    pub pressure: P,
    /// Dye and temperature.
    pub cells: Cells<P>,
}

/// What holds for all sub-steps of a frame.
pub(super) struct Step<'a, M: Machine> {
    pub machine: &'a M,
    pub ground: &'a Ground<M::Plane>,
    pub constants: &'a Constants,
    pub settings: &'a Settings,
    /// Cells per full-resolution pixel.
    pub scale: f64,
    pub pace: Pace,
    /// What is done to velocity in a sub-step; with reflection in each half of one.
    pub pushes: &'a [Pushed<M::Plane>],
    /// What is done to dye and temperature in a sub-step.
    pub inflow: &'a [Pushed<M::Plane>],
}

/// Most sweeps of viscosity; more would take longer than the air needs to stand still.
const SWEEPS_MAX: u32 = 400;
/// What they leave of the error, at most.
const SWEEPS_LEAVE: f64 = 1e-6;

impl<M: Machine> Step<'_, M> {
    /// All that there is after a sub-step; `before` is the pressure before it. Dye and temperature are advected by the last
    /// velocity without divergence: that of the start, or, with reflection, that of the middle.
    ///
    /// With reflection the second half mirrors the first in time: forces come first in one and last in the other, there from the
    /// advected dye and temperature. An internal gravity wave then keeps its amplitude but for the error of advection. With forces
    /// from the dye and temperature of the start it would grow by ω²dt²/4 a sub-step; with forces before advection in both
    /// halves it would lose ω²dt²/8, since a weight that pressure bears would be advected in the first half alone.
    pub fn advance(
        &self,
        faces: &Faces<M::Plane>,
        cells: &Cells<M::Plane>,
        (rooms, before): (&mut Rooms<M::Plane>, &M::Plane),
        told: &mut impl FnMut(Projected),
        go_on: GoOn<'_>,
    ) -> Result<Moved<M::Plane>, Failed> {
        let machine = self.machine;
        let projection = Pace::projection(self.settings);
        if !self.constants.reflection {
            let (mut next, looks) = self.unprojected(faces, faces, cells, self.pace.time, go_on)?;
            let (projected, pressure) = self.project(&projection, &mut next, (rooms, Some(before)), go_on)?;
            told(projected);
            let looks = (self.pace.time == self.pace.drift).then_some(looks);
            let cells = self.cells(cells, faces, looks, go_on)?;
            return Ok(Moved { faces: next, pressure, cells });
        }
        let half = self.pace.time / 2.0;
        let (mut reflected, _) = self.unprojected(faces, faces, cells, half, go_on)?;
        machine.settle(self.ground, &mut reflected);
        let mut middle = self.stale_faces()?;
        machine.copy(&reflected.u, &mut middle.u);
        machine.copy(&reflected.v, &mut middle.v);
        let (projected, pressure) = self.project(&projection, &mut middle, (rooms, Some(before)), go_on)?;
        told(projected);
        machine.reflect(&middle, &mut reflected);
        let cells = self.cells(cells, &middle, None, go_on)?;
        let reflected = self.viscous(reflected, half, go_on)?;
        let (mut carried, _) = self.carried(&reflected, &middle, half, go_on)?;
        machine.settle(self.ground, &mut carried);
        let mut next = self.forced(&carried, &cells, half)?;
        // The reflection did what pressure does in the second half, all but a little.
        let (projected, _) = self.project(&projection, &mut next, (rooms, None), go_on)?;
        told(projected);
        Ok(Moved { faces: next, pressure, cells })
    }

    /// What the air carries, after a sub-step in this wind; `looks`, where there are any along it yet.
    pub fn cells(
        &self,
        cells: &Cells<M::Plane>,
        wind: &Faces<M::Plane>,
        looks: Option<Looks<M::Plane>>,
        go_on: GoOn<'_>,
    ) -> Result<Cells<M::Plane>, Failed> {
        let machine = self.machine;
        let time = self.pace.drift;
        let way = Way {
            scheme: self.constants.dye_scheme,
            keep: (1.0 - Pace::way(self.settings.dissipation, time)) as f32,
            cooling: Pace::way(self.settings.cooling, time) as f32,
            ambient: Pace::forces(self.settings, time, self.scale).ambient,
        };
        ask(go_on)?;
        let looks = self.looks(wind, time, way.scheme, looks)?;
        let mut to = self.stale_cells(cells)?;
        machine.carry_cells(self.ground, &way, &looks.back, cells, &mut to);
        if let (Scheme::MacCormack, Some(ahead)) = (way.scheme, &looks.ahead) {
            ask(go_on)?;
            let there = std::mem::replace(&mut to, self.stale_cells(cells)?);
            machine.correct_cells(self.ground, &way, [&looks.back, ahead], cells, &there, &mut to);
        }
        for Pushed { lattice, stamp, area } in self.inflow {
            let plane = if *lattice == Lattice::Dye { Some(&mut to.dye) } else { to.temperature.as_mut() };
            if let Some(plane) = plane {
                machine.stamp(self.ground, *lattice, *stamp, area, plane);
            }
        }
        Ok(to)
    }

    /// Velocity after `time` frames of forces, viscosity and carrying; not held at walls yet, which the projection does first.
    fn unprojected(
        &self,
        faces: &Faces<M::Plane>,
        wind: &Faces<M::Plane>,
        cells: &Cells<M::Plane>,
        time: f64,
        go_on: GoOn<'_>,
    ) -> Result<Carried<M::Plane>, Failed> {
        ask(go_on)?;
        let forced = self.forced(faces, cells, time)?;
        let forced = self.viscous(forced, time, go_on)?;
        self.carried(&forced, wind, time, go_on)
    }

    /// Velocity after `time` frames of advection along a wind.
    fn carried(
        &self,
        from: &Faces<M::Plane>,
        wind: &Faces<M::Plane>,
        time: f64,
        go_on: GoOn<'_>,
    ) -> Result<Carried<M::Plane>, Failed> {
        let machine = self.machine;
        ask(go_on)?;
        let scheme = self.constants.velocity_scheme;
        let mut back = self.stale_looks()?;
        let mut to = self.stale_faces()?;
        machine.carry_faces(self.ground, scheme, time as f32, wind, from, &mut back, &mut to);
        if scheme == Scheme::MacCormack {
            ask(go_on)?;
            let there = std::mem::replace(&mut to, self.stale_faces()?);
            machine.correct_faces(self.ground, time as f32, (wind, &back), from, &there, &mut to)?;
        }
        Ok((to, Looks { back, ahead: None }))
    }

    /// Looks along a wind: those that there are, and those that a scheme needs.
    fn looks(
        &self,
        wind: &Faces<M::Plane>,
        time: f64,
        scheme: Scheme,
        known: Option<Looks<M::Plane>>,
    ) -> Result<Looks<M::Plane>, Failed> {
        let look = |time: f64| -> Result<Offsets<M::Plane>, Failed> {
            let mut to = self.stale_looks()?;
            self.machine.look(self.ground, time as f32, wind, &mut to);
            Ok(to)
        };
        let mut looks = match known {
            Some(looks) => looks,
            None => Looks { back: look(time)?, ahead: None },
        };
        if scheme == Scheme::MacCormack && looks.ahead.is_none() {
            looks.ahead = Some(look(-time)?);
        }
        Ok(looks)
    }

    /// Velocity after forces.
    fn forced(&self, faces: &Faces<M::Plane>, cells: &Cells<M::Plane>, time: f64) -> Result<Faces<M::Plane>, Failed> {
        let (machine, ground) = (self.machine, self.ground);
        let forces = Pace::forces(self.settings, time, self.scale);
        let mut to = self.stale_faces()?;
        machine.force(ground, &forces, cells, faces, &mut to)?;
        for Pushed { lattice, stamp, area } in self.pushes {
            let plane = if *lattice == Lattice::U { &mut to.u } else { &mut to.v };
            machine.stamp(ground, *lattice, *stamp, area, plane);
        }
        machine.settle(ground, &mut to);
        Ok(to)
    }

    /// Velocity after viscosity: Chebyshev's iteration (Golub and Varga 1961), which takes as many sweeps as the number asks for.
    fn viscous(&self, rhs: Faces<M::Plane>, time: f64, go_on: GoOn<'_>) -> Result<Faces<M::Plane>, Failed> {
        let (machine, ground) = (self.machine, self.ground);
        let number = Pace::diffusion(self.settings, time, self.scale);
        if number == 0.0 {
            return Ok(rhs);
        }
        let radius = 4.0 * number / (1.0 + 4.0 * number);
        let factor = radius / (1.0 + libm::sqrt(1.0 - radius * radius));
        let sweeps = (libm::log(SWEEPS_LEAVE) / libm::log(factor)).ceil().clamp(2.0, f64::from(SWEEPS_MAX)) as u32;
        let mut before = self.stale_faces()?;
        let mut now = self.stale_faces()?;
        machine.copy(&rhs.u, &mut before.u);
        machine.copy(&rhs.v, &mut before.v);
        let mut weight = 1.0;
        for sweep in 0..sweeps {
            if sweep % 16 == 0 {
                ask(go_on)?;
            }
            match sweep {
                0 => machine.diffuse(ground, number as f32, 1.0, &rhs, &before, &mut now),
                _ => {
                    let share = if sweep == 1 { 0.5 } else { 0.25 };
                    weight = 1.0 / (1.0 - share * radius * radius * weight);
                    machine.diffuse(ground, number as f32, weight as f32, &rhs, &now, &mut before);
                    std::mem::swap(&mut now, &mut before);
                }
            }
        }
        Ok(now)
    }

    /// Takes the divergence out of a velocity; gives the pressure too.
    fn project(
        &self,
        projection: &Projection,
        faces: &mut Faces<M::Plane>,
        (rooms, before): (&mut Rooms<M::Plane>, Option<&M::Plane>),
        go_on: GoOn<'_>,
    ) -> Result<(Projected, M::Plane), Failed> {
        ask(go_on)?;
        let solids = self.ground.solids.as_ref().map(|solids| [&solids.faces.u, &solids.faces.v]);
        let velocity = [&mut faces.u, &mut faces.v];
        let mut found = self.machine.stale(self.ground.len(Lattice::Cell))?;
        let pressure = (before, &mut found);
        let told = pressure::project(self.machine, rooms, solids, velocity, pressure, projection, go_on)?;
        Ok((told, found))
    }

    fn stale_looks(&self) -> Result<Offsets<M::Plane>, Failed> {
        let plane = || self.machine.stale(self.ground.len(Lattice::Cell));
        Ok(Offsets { x: plane()?, y: plane()? })
    }

    fn stale_faces(&self) -> Result<Faces<M::Plane>, Failed> {
        let plane = |lattice| self.machine.stale(self.ground.len(lattice));
        Ok(Faces { u: plane(Lattice::U)?, v: plane(Lattice::V)? })
    }

    fn stale_cells(&self, like: &Cells<M::Plane>) -> Result<Cells<M::Plane>, Failed> {
        let plane = |lattice| self.machine.stale(self.ground.len(lattice));
        let temperature = like.temperature.as_ref().map(|_| plane(Lattice::Cell)).transpose()?;
        Ok(Cells { dye: plane(Lattice::Dye)?, temperature })
    }
}

/// Goes on, or not.
pub(super) fn ask(go_on: GoOn<'_>) -> Result<(), Failed> {
    if go_on() { Ok(()) } else { Err(Failed::Interrupted) }
}

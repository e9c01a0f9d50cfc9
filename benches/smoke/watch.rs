//! A machine whose passes are timed: those of a CPU are done when they return.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use flow_ofx::sim::smoke::machine::{Area, Cells, Faces, Forces, Ground, Lattice, Machine, Offsets, Stamp, Way};
use flow_ofx::sim::smoke::planes::{Planes, Survey};
use flow_ofx::sim::smoke::pressure::{Corrected, Level, PressurePasses, Regions, Relax, Rooms, Rung, Sums, Walls};
use flow_ofx::sim::smoke::settings::{Scheme, Side};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Air, Failed};

/// Parts of a step and what each took, in the order of their first pass.
pub type Parts = Vec<(&'static str, Duration)>;

/// A machine under watch.
pub struct Watched<'a, M> {
    machine: &'a M,
    parts: Mutex<Parts>,
}

impl<'a, M> Watched<'a, M> {
    /// Nothing done yet.
    pub fn new(machine: &'a M) -> Self {
        Watched { machine, parts: Mutex::default() }
    }

    /// What was done.
    pub fn parts(self) -> Parts {
        self.parts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn part<T>(&self, name: &'static str, work: impl FnOnce(&M) -> T) -> T {
        let start = Instant::now();
        let made = work(self.machine);
        let time = start.elapsed();
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        match parts.iter_mut().find(|part| part.0 == name) {
            Some(part) => part.1 += time,
            None => parts.push((name, time)),
        }
        made
    }
}

const MEMORY: &str = "memory";
const FORCES: &str = "forces and confinement";
const VISCOSITY: &str = "viscosity";
const LOOKING: &str = "looks along the wind";
const VELOCITY: &str = "velocity carried";
const DYE: &str = "dye carried";
const EDGES: &str = "edges and solids";
const DIVERGENCE: &str = "divergence and residual";
const CYCLES: &str = "multigrid";
const SWEEPS: &str = "Jacobi";
const CONJUGATE: &str = "conjugate gradients";
const GRADIENT: &str = "gradient and divergence";
const ROOMS: &str = "solids' levels";
const STAMPS: &str = "jets";
const SURVEY: &str = "survey";

impl<M: Machine> Planes for Watched<'_, M> {
    type Plane = M::Plane;

    fn zeros(&self, len: usize) -> Result<M::Plane, Failed> {
        self.part(MEMORY, |machine| machine.zeros(len))
    }

    fn up(&self, values: &[f32]) -> Result<M::Plane, Failed> {
        self.part(MEMORY, |machine| machine.up(values))
    }

    fn down(&self, plane: &M::Plane) -> Result<Vec<f32>, Failed> {
        self.part(MEMORY, |machine| machine.down(plane))
    }

    fn copy(&self, from: &M::Plane, to: &mut M::Plane) {
        self.part(MEMORY, |machine| machine.copy(from, to));
    }
}

impl<M: Machine> PressurePasses for Watched<'_, M> {
    fn between_looks(&self) -> u32 {
        self.machine.between_looks()
    }

    fn clear(&self, plane: &mut M::Plane) {
        self.part(MEMORY, |machine| machine.clear(plane));
    }

    fn hold(
        &self,
        finest: &Level,
        solids: Option<Walls<'_, M::Plane>>,
        u: &mut M::Plane,
        v: &mut M::Plane,
    ) -> Result<f64, Failed> {
        self.part(EDGES, |machine| machine.hold(finest, solids, u, v))
    }

    fn divergence(
        &self,
        rung: Rung<'_, M::Plane>,
        u: &M::Plane,
        v: &M::Plane,
        b: &mut M::Plane,
    ) -> Result<Sums, Failed> {
        self.part(DIVERGENCE, |machine| machine.divergence(rung, u, v, b))
    }

    fn divergence_to_residual(
        &self,
        rung: Rung<'_, M::Plane>,
        velocity: [&M::Plane; 2],
        b: &mut M::Plane,
        x: &M::Plane,
        spare: &mut M::Plane,
    ) -> Result<(Sums, f64), Failed> {
        self.part(DIVERGENCE, |machine| machine.divergence_to_residual(rung, velocity, b, x, spare))
    }

    fn divergence_and_descend(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: Relax,
        velocity: [&M::Plane; 2],
        b: &mut M::Plane,
        x: (&M::Plane, &mut M::Plane),
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &mut M::Plane),
    ) -> Result<(Sums, f64), Failed> {
        self.part(DIVERGENCE, |machine| machine.divergence_and_descend(fine, relax, velocity, b, x, spare, coarse))
    }

    fn correct(
        &self,
        rung: Rung<'_, M::Plane>,
        e: &M::Plane,
        velocity: [&mut M::Plane; 2],
        p: Option<&mut M::Plane>,
        b: &mut M::Plane,
        last: bool,
    ) -> Result<Corrected, Failed> {
        self.part(GRADIENT, |machine| machine.correct(rung, e, velocity, p, b, last))
    }

    fn level_out(&self, regions: &Regions, b: &mut M::Plane) -> Result<f64, Failed> {
        self.part(DIVERGENCE, |machine| machine.level_out(regions, b))
    }

    fn descend(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: Relax,
        zero: bool,
        b: &M::Plane,
        x: &mut M::Plane,
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &mut M::Plane),
    ) {
        self.part(CYCLES, |machine| machine.descend(fine, relax, zero, b, x, spare, coarse));
    }

    fn ascend(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: Relax,
        b: &M::Plane,
        x: &mut M::Plane,
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &M::Plane),
    ) {
        self.part(CYCLES, |machine| machine.ascend(fine, relax, b, x, spare, coarse));
    }

    fn ascend_to_residual(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: Relax,
        b: &M::Plane,
        x: &mut M::Plane,
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &M::Plane),
    ) -> Result<f64, Failed> {
        self.part(CYCLES, |machine| machine.ascend_to_residual(fine, relax, b, x, spare, coarse))
    }

    fn ascend_and_descend(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: [Relax; 2],
        b: &M::Plane,
        x: &mut M::Plane,
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &M::Plane, &mut M::Plane),
    ) -> Result<f64, Failed> {
        self.part(CYCLES, |machine| machine.ascend_and_descend(fine, relax, b, x, spare, coarse))
    }

    fn ascend_and_correct(
        &self,
        fine: Rung<'_, M::Plane>,
        relax: Relax,
        b: &M::Plane,
        x: &mut M::Plane,
        spare: &mut M::Plane,
        coarse: (Rung<'_, M::Plane>, &M::Plane),
        velocity: [&mut M::Plane; 2],
    ) -> Result<Corrected, Failed> {
        self.part(GRADIENT, |machine| machine.ascend_and_correct(fine, relax, b, x, spare, coarse, velocity))
    }

    fn bottom(&self, rung: Rung<'_, M::Plane>, relax: Relax, b: &M::Plane, x: &mut M::Plane, spare: &mut M::Plane) {
        self.part(CYCLES, |machine| machine.bottom(rung, relax, b, x, spare));
    }

    fn residual(&self, rung: Rung<'_, M::Plane>, b: &M::Plane, x: &M::Plane, r: &mut M::Plane) -> Result<f64, Failed> {
        self.part(DIVERGENCE, |machine| machine.residual(rung, b, x, r))
    }

    fn rest(&self, rung: Rung<'_, M::Plane>, b: &M::Plane, x: &M::Plane, r: &mut M::Plane) -> Result<f64, Failed> {
        self.part(DIVERGENCE, |machine| machine.rest(rung, b, x, r))
    }

    fn jacobi(&self, rung: Rung<'_, M::Plane>, sweeps: u32, b: &M::Plane, x: &mut M::Plane, spare: &mut M::Plane) {
        self.part(SWEEPS, |machine| machine.jacobi(rung, sweeps, b, x, spare));
    }

    fn apply(&self, rung: Rung<'_, M::Plane>, d: &M::Plane, q: &mut M::Plane) -> Result<f64, Failed> {
        self.part(CONJUGATE, |machine| machine.apply(rung, d, q))
    }

    fn products(&self, z: &M::Plane, r: &M::Plane, q: &M::Plane) -> Result<[f64; 2], Failed> {
        self.part(CONJUGATE, |machine| machine.products(z, r, q))
    }

    fn advance(&self, a: f32, from: [&M::Plane; 2], x: &mut M::Plane, r: &mut M::Plane) -> Result<f64, Failed> {
        self.part(CONJUGATE, |machine| machine.advance(a, from, x, r))
    }

    fn turn(&self, a: f32, z: &M::Plane, d: &mut M::Plane) {
        self.part(CONJUGATE, |machine| machine.turn(a, z, d));
    }
}

impl<M: Machine> Machine for Watched<'_, M> {
    fn stale(&self, len: usize) -> Result<M::Plane, Failed> {
        self.part(MEMORY, |machine| machine.stale(len))
    }

    fn rooms(
        &self,
        size: [usize; 2],
        edges: [Side; 4],
        solids: Option<&Arc<Solids>>,
    ) -> Result<Rooms<M::Plane>, Failed> {
        self.part(ROOMS, |machine| machine.rooms(size, edges, solids))
    }

    fn keep(&self, rooms: Rooms<M::Plane>, solids: Option<&Arc<Solids>>) {
        self.part(ROOMS, |machine| machine.keep(rooms, solids));
    }

    fn load(&self, air: &Arc<Air>) -> Result<(Faces<M::Plane>, Cells<M::Plane>, M::Plane), Failed> {
        self.part(MEMORY, |machine| machine.load(air))
    }

    fn store(&self, faces: Faces<M::Plane>, cells: Cells<M::Plane>, pressure: M::Plane) -> Result<Air, Failed> {
        self.part(MEMORY, |machine| machine.store(faces, cells, pressure))
    }

    fn shift(&self, size: [usize; 2], lattice: Lattice, by: [i64; 2], from: &M::Plane, to: &mut M::Plane) {
        self.part(MEMORY, |machine| machine.shift(size, lattice, by, from, to));
    }

    fn surveyed(&self, air: &Arc<Air>, survey: Survey) {
        self.machine.surveyed(air, survey);
    }

    fn survey(&self, faces: &Faces<M::Plane>) -> Result<Survey, Failed> {
        self.part(SURVEY, |machine| machine.survey(faces))
    }

    fn scale(&self, by: f32, from: &M::Plane, to: &mut M::Plane) {
        self.part(MEMORY, |machine| machine.scale(by, from, to));
    }

    fn scrub(&self, plane: &mut M::Plane) {
        self.part(SURVEY, |machine| machine.scrub(plane));
    }

    fn stamp(
        &self,
        ground: &Ground<M::Plane>,
        lattice: Lattice,
        stamp: Stamp,
        area: &Area<M::Plane>,
        to: &mut M::Plane,
    ) {
        self.part(STAMPS, |machine| machine.stamp(ground, lattice, stamp, area, to));
    }

    fn force(
        &self,
        ground: &Ground<M::Plane>,
        forces: &Forces,
        cells: &Cells<M::Plane>,
        from: &Faces<M::Plane>,
        to: &mut Faces<M::Plane>,
    ) -> Result<(), Failed> {
        self.part(FORCES, |machine| machine.force(ground, forces, cells, from, to))
    }

    fn diffuse(
        &self,
        ground: &Ground<M::Plane>,
        number: f32,
        weight: f32,
        rhs: &Faces<M::Plane>,
        from: &Faces<M::Plane>,
        to: &mut Faces<M::Plane>,
    ) {
        self.part(VISCOSITY, |machine| machine.diffuse(ground, number, weight, rhs, from, to));
    }

    fn look(&self, ground: &Ground<M::Plane>, time: f32, wind: &Faces<M::Plane>, to: &mut Offsets<M::Plane>) {
        self.part(LOOKING, |machine| machine.look(ground, time, wind, to));
    }

    fn carry_faces(
        &self,
        ground: &Ground<M::Plane>,
        scheme: Scheme,
        time: f32,
        wind: &Faces<M::Plane>,
        from: &Faces<M::Plane>,
        back: &mut Offsets<M::Plane>,
        to: &mut Faces<M::Plane>,
    ) {
        self.part(VELOCITY, |machine| machine.carry_faces(ground, scheme, time, wind, from, back, to));
    }

    fn correct_faces(
        &self,
        ground: &Ground<M::Plane>,
        time: f32,
        wind: (&Faces<M::Plane>, &Offsets<M::Plane>),
        from: &Faces<M::Plane>,
        there: &Faces<M::Plane>,
        to: &mut Faces<M::Plane>,
    ) -> Result<(), Failed> {
        self.part(VELOCITY, |machine| machine.correct_faces(ground, time, wind, from, there, to))
    }

    fn carry_cells(
        &self,
        ground: &Ground<M::Plane>,
        way: &Way,
        back: &Offsets<M::Plane>,
        from: &Cells<M::Plane>,
        to: &mut Cells<M::Plane>,
    ) {
        self.part(DYE, |machine| machine.carry_cells(ground, way, back, from, to));
    }

    fn correct_cells(
        &self,
        ground: &Ground<M::Plane>,
        way: &Way,
        looks: [&Offsets<M::Plane>; 2],
        from: &Cells<M::Plane>,
        there: &Cells<M::Plane>,
        to: &mut Cells<M::Plane>,
    ) {
        self.part(DYE, |machine| machine.correct_cells(ground, way, looks, from, there, to));
    }

    fn reflect(&self, projected: &Faces<M::Plane>, faces: &mut Faces<M::Plane>) {
        self.part(EDGES, |machine| machine.reflect(projected, faces));
    }

    fn settle(&self, ground: &Ground<M::Plane>, faces: &mut Faces<M::Plane>) {
        self.part(EDGES, |machine| machine.settle(ground, faces));
    }
}

//! The passes of the pressure, as its sequence calls them.

use super::cells::on;
use super::layout::{self, Params, flag, level_flag};
use super::levels::{inverse, level, weights};
use super::machine::{Plane, SmokeMachine, in_a_row, over};
use super::passes::Pass;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::pressure::{Colour, Corrected, Level, PressurePasses, Regions, Relax, Rung, Sums, Walls};

impl PressurePasses for SmokeMachine {
    fn clear(&self, plane: &mut Plane) {
        self.zero(plane);
    }

    fn hold(
        &self,
        finest: &Level,
        solids: Option<Walls<'_, Plane>>,
        u: &mut Plane,
        v: &mut Plane,
    ) -> Result<f64, Failed> {
        let mut changed = 0.0;
        for (axis, faces) in [(0, u), (1, v)] {
            let params = Params {
                size: layout::size(finest.size),
                lattice: axis,
                flags: on(solids.is_some(), flag::SOLID),
                edges: layout::edges(finest.edges),
                ..Params::default()
            };
            let given = solids.map(|solids| if axis == 0 { solids.u } else { solids.v });
            let (sums, count) = self.told(self.hold_faces(&params, solids.map(|s| &s.cells.lease), given, faces))?;
            if solids.is_some() {
                let sums = self.told(self.read::<[f32; 2]>(&sums, count))?;
                changed += sums.iter().map(|sum| f64::from(sum[0])).sum::<f64>();
            }
        }
        self.told(Ok(changed))
    }

    fn divergence(&self, rung: Rung<'_, Plane>, u: &Plane, v: &Plane, b: &mut Plane) -> Result<Sums, Failed> {
        let told = level(rung, None, 0);
        let groups = over(rung.level.size);
        let found = self.sums(groups, |sums| {
            let buffers = [inverse(rung), Some(&u.lease), Some(&v.lease), Some(&b.lease), Some(sums)];
            self.run(Pass::Divergence, &told, &buffers, groups);
        });
        let mut all = Sums::default();
        for [sum, squares] in self.told(found)? {
            all.sum += f64::from(sum);
            all.squares += f64::from(squares);
        }
        Ok(all)
    }

    fn correct(
        &self,
        rung: Rung<'_, Plane>,
        e: &Plane,
        [u, v]: [&mut Plane; 2],
        p: Option<&mut Plane>,
        b: &mut Plane,
        _: bool,
    ) -> Result<Corrected, Failed> {
        let [wx, wy] = weights(rung);
        let flags = on(p.is_some(), level_flag::ADDS);
        // Something that can be written to has to be bound.
        let p = p.map_or(&b.lease, |p| &p.lease);
        let buffers = [Some(&e.lease), wx, wy, Some(&u.lease), Some(&v.lease), Some(p)];
        let size = rung.level.size.map(|n| n + 1);
        self.run(Pass::Gradient, &level(rung, None, flags), &buffers, over(size));
        Ok(Corrected { sums: self.divergence(rung, u, v, b)?, survey: None })
    }

    fn level_out(&self, regions: &Regions, b: &mut Plane) -> Result<f64, Failed> {
        self.told(self.take_means(regions, b))
    }

    fn descend(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        zero: bool,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        (coarse, to): (Rung<'_, Plane>, &mut Plane),
    ) {
        self.relax(fine, relax, zero, b, x, spare);
        let told = level(fine, Some(coarse.level), 0);
        let [wx, wy] = weights(fine);
        let buffers = [Some(&b.lease), wx, wy, Some(&x.lease), Some(&to.lease)];
        self.run(Pass::Restrict, &told, &buffers, over(coarse.level.size));
    }

    fn ascend(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        (coarse, from): (Rung<'_, Plane>, &Plane),
    ) {
        let constant = fine.symmetric && fine.weights.is_none();
        let told = level(fine, Some(coarse.level), on(constant, level_flag::CONSTANT));
        let buffers = [inverse(fine), Some(&from.lease), Some(&x.lease)];
        self.run(Pass::Refine, &told, &buffers, over(fine.level.size));
        self.relax(fine, relax, false, b, x, spare);
    }

    fn bottom(&self, rung: Rung<'_, Plane>, relax: Relax, b: &Plane, x: &mut Plane, _: &mut Plane) {
        debug_assert!(rung.level.cells() <= 4, "the coarsest level has at most 2 × 2 cells");
        let flags = on(relax.first == Colour::Black, level_flag::BLACK) | on(rung.level.is_shut(), level_flag::SHUT);
        let told = layout::Level { sweeps: relax.sweeps, ..level(rung, None, flags) };
        let [wx, wy] = weights(rung);
        let buffers = [Some(&b.lease), wx, wy, inverse(rung), Some(&x.lease)];
        self.run(Pass::Bottom, &told, &buffers, [1, 1]);
    }

    fn rest(&self, rung: Rung<'_, Plane>, b: &Plane, x: &Plane, r: &mut Plane) -> Result<f64, Failed> {
        self.told(self.leave(rung, Some(b), x, r))
    }

    fn jacobi(&self, rung: Rung<'_, Plane>, sweeps: u32, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        if sweeps == 0 {
            self.zero(x);
        }
        for sweep in 0..sweeps {
            self.sweep(rung, level_flag::JACOBI | on(sweep == 0, level_flag::ZERO), b, x, spare);
        }
    }

    fn apply(&self, rung: Rung<'_, Plane>, d: &Plane, q: &mut Plane) -> Result<f64, Failed> {
        self.told(self.leave(rung, None, d, q))
    }

    fn products(&self, z: &Plane, r: &Plane, q: &Plane) -> Result<[f64; 2], Failed> {
        let found = self.sums(in_a_row(z.len), |sums| {
            let buffers = [Some(&z.lease), Some(&r.lease), Some(&q.lease), Some(sums)];
            self.row(Pass::Products, z.len, 0.0, &buffers);
        });
        let found = self.told(found)?;
        Ok([0, 1].map(|nth| found.iter().map(|sums| f64::from(sums[nth])).sum()))
    }

    fn advance(&self, a: f32, [d, q]: [&Plane; 2], x: &mut Plane, r: &mut Plane) -> Result<f64, Failed> {
        let found = self.first(in_a_row(x.len), |sums| {
            let buffers = [Some(&d.lease), Some(&q.lease), Some(&x.lease), Some(&r.lease), Some(sums)];
            self.row(Pass::Advance, x.len, a, &buffers);
        });
        self.told(found)
    }

    fn turn(&self, a: f32, z: &Plane, d: &mut Plane) {
        self.row(Pass::Turn, d.len, a, &[Some(&z.lease), Some(&d.lease)]);
    }
}

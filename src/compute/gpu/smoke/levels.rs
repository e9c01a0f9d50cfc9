//! What the passes of the pressure are told, and what they bind.

use std::sync::Arc;

use super::cells::on;
use super::layout::{Level, level_flag};
use super::machine::{Plane, SmokeMachine, over};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pool::Lease;
use crate::sim::smoke::pressure::{self, Colour, Relax, Rung};
use crate::sim::smoke::settings::Side;

/// What a pass over a level is told.
pub(super) fn level(rung: Rung<'_, Plane>, coarse: Option<&pressure::Level>, flags: u32) -> Level {
    Level::new(rung.level, coarse, flags | on(rung.weights.is_some(), level_flag::WEIGHTS))
}

/// Couplings across vertical and horizontal faces.
pub(super) fn weights(rung: Rung<'_, Plane>) -> [Option<&Arc<Lease>>; 2] {
    [rung.weights.map(|w| &w.x.lease), rung.weights.map(|w| &w.y.lease)]
}

pub(super) fn inverse(rung: Rung<'_, Plane>) -> Option<&Arc<Lease>> {
    rung.weights.map(|w| &w.inverse.lease)
}

/// Whether cells may have neighbours of their own colour: across a wrapped side of an axis of an odd number of cells.
fn is_odd(level: &pressure::Level) -> bool {
    (0..2).any(|axis| level.edges[2 * axis] == Side::Wrap && level.size[axis] > 1 && level.size[axis] % 2 == 1)
}

impl SmokeMachine {
    /// Half sweeps of a level; with `zero`, from 0.
    pub(super) fn relax(
        &self,
        rung: Rung<'_, Plane>,
        relax: Relax,
        zero: bool,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
    ) {
        if zero && relax.sweeps == 0 {
            self.zero(x);
        }
        let odd = is_odd(rung.level);
        let [width, height] = rung.level.size;
        for half in 0..2 * relax.sweeps {
            let black = (relax.first == Colour::Black) != (half % 2 == 1);
            let flags = on(black, level_flag::BLACK) | on(zero && half == 0, level_flag::ZERO);
            if odd {
                self.sweep(rung, flags, b, x, spare);
                continue;
            }
            let told = level(rung, None, flags);
            let [wx, wy] = weights(rung);
            let buffers = [Some(&b.lease), wx, wy, inverse(rung), Some(&x.lease)];
            self.run(Pass::Relax, &told, &buffers, over([width.div_ceil(2), height]));
        }
    }

    /// A sweep by way of the other plane.
    pub(super) fn sweep(&self, rung: Rung<'_, Plane>, flags: u32, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        let told = level(rung, None, flags);
        let [wx, wy] = weights(rung);
        let buffers = [Some(&b.lease), wx, wy, inverse(rung), Some(&x.lease), Some(&spare.lease)];
        self.run(Pass::Sweep, &told, &buffers, over(rung.level.size));
        std::mem::swap(x, spare);
    }

    /// `r = b − A x`, and the sum of r²; or with nothing for b `r = A x`, and the sum of x·r.
    pub(super) fn leave(&self, rung: Rung<'_, Plane>, b: Option<&Plane>, x: &Plane, r: &Plane) -> Result<f64, Fault> {
        let told = level(rung, None, on(b.is_none(), level_flag::APPLY));
        let [wx, wy] = weights(rung);
        let groups = over(rung.level.size);
        self.first(groups, |sums| {
            let buffers = [b.map(|b| &b.lease), wx, wy, Some(&x.lease), Some(&r.lease), Some(sums)];
            self.run(Pass::Residual, &told, &buffers, groups);
        })
    }
}

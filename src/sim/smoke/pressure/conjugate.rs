//! Conjugate gradients, preconditioned by a multigrid cycle.

use super::cycle::cycle;
use super::passes::PressurePasses;
use super::project::Run;
use super::rooms::Room;
use crate::sim::smoke::device::Failed;

/// The residual that is reckoned on drifts from the true one: it is replaced whenever it fell to this share.
const REPLACE: f64 = 1.0 / 300.0;

impl<M: PressurePasses> Run<'_, M> {
    /// Iterates until the residual is good, or no better. Directions are made with the change of the residual (Polak and
    /// Ribière), so that a preconditioner need not be quite symmetric. `from`: a pressure whose residual the right-hand side is
    /// already.
    pub(super) fn conjugate(&mut self, from: Option<&M::Plane>, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
        let machine = self.machine;
        if self.long.is_none() {
            let len = self.rungs[0].level.cells();
            *self.long = Some([machine.zeros(len)?, machine.zeros(len)?, machine.zeros(len)?]);
        }
        let Some([mut e, mut d, mut q]) = self.long.take() else { return Ok(()) };
        let done = self.iterate([&mut e, &mut d, &mut q], from, go_on);
        *self.long = Some([e, d, q]);
        done
    }

    fn iterate(
        &mut self,
        [e, d, q]: [&mut M::Plane; 3],
        from: Option<&M::Plane>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failed> {
        let machine = self.machine;
        match from {
            Some(from) => machine.copy(from, e),
            None => machine.clear(e),
        }
        // The velocity has yet to be corrected by e.
        let mut due = from.is_some();
        if self.iterations >= self.how.iterations || self.is_good() {
            return if due { self.correct(e, true) } else { Ok(()) };
        }
        cycle(machine, &self.rungs, self.rooms, true);
        let Room { b, x, .. } = &mut self.rooms[0];
        let [mut zr, _] = machine.products(x, b, b)?;
        std::mem::swap(x, d);
        let mut replaced = self.squares;
        while self.iterations < self.how.iterations && !self.is_good() {
            if !go_on() {
                return Err(Failed::Interrupted);
            }
            let dq = machine.apply(self.rungs[0], d, q)?;
            let a = zr / dq;
            // Nothing is left to go for, within what numbers can say.
            if !(zr > 0.0 && dq > 0.0 && a.is_finite()) {
                break;
            }
            self.iterations += 1;
            let room = &mut self.rooms[0];
            let squares = machine.advance(a as f32, [d, q], e, &mut room.b)?;
            due = true;
            let last = self.iterations == self.how.iterations || squares <= self.target();
            if last || squares <= REPLACE * REPLACE * replaced {
                self.correct(e, false)?;
                machine.clear(e);
                due = false;
                if self.squares >= replaced {
                    return Ok(());
                }
                replaced = self.squares;
                if last && (self.is_good() || self.iterations == self.how.iterations) {
                    return Ok(());
                }
            }
            cycle(machine, &self.rungs, self.rooms, true);
            let room = &self.rooms[0];
            let [next, change] = machine.products(&room.x, &room.b, q)?;
            let turn = -a * change / zr;
            zr = next;
            machine.turn(turn as f32, &room.x, d);
        }
        if due { self.correct(e, true) } else { Ok(()) }
    }
}

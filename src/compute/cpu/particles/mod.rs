//! Particles on the threads of the CPU.

use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::sim::particles::{Particle, Workers};

/// Particles of a piece.
const PIECE: usize = 1024;

impl Workers for Cpu {
    fn pieces(&self, particles: &mut [Particle], work: impl Fn(&mut [Particle]) + Sync) {
        self.each(particles.chunks_mut(PIECE).collect(), |particles: &mut [Particle]| {
            wide(Piece { particles, work: &work });
        });
    }
}

/// Work on some particles.
struct Piece<'a, F> {
    particles: &'a mut [Particle],
    work: &'a F,
}

impl<F: Fn(&mut [Particle])> Wide for Piece<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        (self.work)(self.particles);
    }
}

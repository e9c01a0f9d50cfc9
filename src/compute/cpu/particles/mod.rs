//! Particles on the threads of the CPU.

use crate::compute::cpu::Cpu;
use crate::sim::particles::{Particle, Workers};

/// Particles of a piece.
const PIECE: usize = 1024;

impl Workers for Cpu {
    fn pieces(&self, particles: &mut [Particle], work: &(dyn Fn(&mut [Particle]) + Sync)) {
        self.each(particles.chunks_mut(PIECE).collect(), work);
    }
}

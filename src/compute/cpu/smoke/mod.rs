//! The smoke's passes on the CPU.
//!
//! | file | what |
//! |---|---|
//! | `pressure` | those that take the divergence out |

mod pressure;

use super::Cpu;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::Planes;

/// The CPU as a machine for smoke. Bits do not depend on the number of threads, nor on the instruction set.
#[derive(Clone, Copy)]
pub struct SmokeCpu<'a> {
    cpu: &'a Cpu,
}

impl<'a> SmokeCpu<'a> {
    /// Works on this device's threads.
    pub fn new(cpu: &'a Cpu) -> Self {
        SmokeCpu { cpu }
    }
}

impl Planes for SmokeCpu<'_> {
    type Plane = Vec<f32>;

    fn zeros(&self, len: usize) -> Result<Vec<f32>, Failed> {
        Ok(vec![0.0; len])
    }

    fn up(&self, values: &[f32]) -> Result<Vec<f32>, Failed> {
        Ok(values.to_vec())
    }

    fn down(&self, plane: &Vec<f32>) -> Result<Vec<f32>, Failed> {
        Ok(plane.clone())
    }

    fn copy(&self, from: &Vec<f32>, to: &mut Vec<f32>) {
        to.copy_from_slice(from);
    }
}

//! Who is measured.

use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::smoke::{Device, Failed, Notices, State, Task, run};

use crate::cases::HD;
use crate::watch::{Parts, Watched};

/// A device in the line-up.
pub struct Entry {
    /// The instruction set.
    pub name: String,
    /// Threads that it works on.
    pub threads: usize,
    pub cpu: Cpu,
}

/// The devices, with `all` threads and with one.
pub fn entries(all: usize) -> Vec<Entry> {
    let counts = if all > 1 { vec![1, all] } else { vec![1] };
    let entry = |threads, isa: Isa| Entry { name: isa.name().to_owned(), threads, cpu: Cpu::with_isa(threads, isa) };
    counts.into_iter().flat_map(|threads| Isa::available().into_iter().map(move |isa| entry(threads, isa))).collect()
}

impl Entry {
    /// In tables and filters.
    pub fn label(&self) -> String {
        let plural = if self.threads == 1 { "" } else { "s" };
        format!("{}, {} thread{plural}", self.name, self.threads)
    }

    /// Whether it takes part at a size: one thread is for comparison.
    pub fn measures(&self, size: (usize, usize)) -> bool {
        self.threads > 1 || size == HD
    }

    /// A frame, and what its parts took.
    pub fn run(&self, task: &Task, before: &State) -> Result<(State, Notices, Parts), Failed> {
        let machine = SmokeCpu::new(&self.cpu);
        let watched = Watched::new(&machine);
        let (after, told) = run(&watched, task, before, &mut || true)?;
        Ok((after, told, watched.parts()))
    }

    /// As what runs scenes in.
    pub fn device(&self) -> &dyn Device {
        &self.cpu
    }
}

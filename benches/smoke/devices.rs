//! The measured devices.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::compute::gpu::{Graphics, Options, list};
use flow_ofx::sim::smoke::{Device, Diagnostics, Failed, State, Task, run};

use crate::cases::{Case, HD, Kind};

/// Parts of a step and their times, in the order of their first kernel.
pub type Parts = Vec<(&'static str, Duration)>;

/// A device of the comparison.
pub struct Entry {
    /// The instruction set or the adapter.
    pub name: String,
    /// Number of its threads; 0 for a GPU.
    pub threads: usize,
    pub backend: Backend,
}

/// A CPU or a GPU.
pub enum Backend {
    Cpu(Box<Cpu>),
    Gpu(Arc<Graphics>),
}

/// The devices: the CPU with one thread and with `all`, the fastest last, then the GPU adapters.
pub fn entries(all: usize) -> Vec<Entry> {
    let counts = if all > 1 { vec![1, all] } else { vec![1] };
    let cpu = |threads, isa: Isa| {
        let backend = Backend::Cpu(Box::new(Cpu::with_isa(threads, isa)));
        Entry { name: isa.name().to_owned(), threads, backend }
    };
    let mut entries: Vec<Entry> =
        counts.into_iter().flat_map(|n| Isa::available().into_iter().map(move |isa| cpu(n, isa))).collect();
    // A device is selected by a part of its name: one whose name is part of another's cannot be selected.
    let names: Vec<String> = list(None).into_iter().map(|listed| listed.name).collect();
    let unique = |name: &&String| names.iter().filter(|other| other.contains(name.as_str())).count() == 1;
    entries.extend(names.iter().filter(unique).map(|name| {
        let graphics = Graphics::new(Options { adapter: Some(name.clone()), ..Options::default() });
        Entry { name: name.clone(), threads: 0, backend: Backend::Gpu(graphics) }
    }));
    entries
}

impl Entry {
    /// The name in tables and filters.
    pub fn label(&self) -> String {
        match self.threads {
            0 => self.name.clone(),
            1 => format!("{}, 1 thread", self.name),
            n => format!("{}, {n} threads", self.name),
        }
    }

    /// The name in rows.
    pub fn role(&self) -> &'static str {
        match self.backend {
            Backend::Cpu(_) => "cpu",
            Backend::Gpu(_) => "gpu",
        }
    }

    /// The CPU; `None` for a GPU.
    pub fn cpu(&self) -> Option<&Cpu> {
        match &self.backend {
            Backend::Cpu(cpu) => Some(cpu),
            Backend::Gpu(_) => None,
        }
    }

    /// Whether the device takes part in a case: one thread is for comparison, and a software adapter for its bits.
    pub fn measures(&self, case: &Case) -> bool {
        match self.backend {
            Backend::Cpu(_) => self.threads > 1 || case.size == HD,
            Backend::Gpu(_) => !self.name.contains("llvmpipe") || (case.size == HD && case.kind == Kind::Open),
        }
    }

    /// Runs a frame; returns the times of its parts on a CPU: a GPU's passes are asynchronous.
    pub fn run(&self, task: &Task, before: &State) -> Result<(State, Diagnostics, Parts), Failed> {
        match &self.backend {
            Backend::Cpu(cpu) => {
                let parts: Mutex<Parts> = Mutex::default();
                let observer = |name, time| {
                    let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
                    match parts.iter_mut().find(|part| part.0 == name) {
                        Some(part) => part.1 += time,
                        None => parts.push((name, time)),
                    }
                };
                let backend = SmokeCpu::observed(cpu, &observer);
                let (after, diagnostics) = cpu.run_on_pool(&mut || true, |go_on| run(&backend, task, before, go_on))?;
                Ok((after, diagnostics, parts.into_inner().unwrap_or_else(PoisonError::into_inner)))
            }
            Backend::Gpu(graphics) => {
                let size = [before.grid.width, before.grid.height];
                let device = graphics.smoke(size, true, &mut || true).ok().flatten();
                let device = device
                    .ok_or_else(|| Failed::Device("the adapter has too little memory for the grid".to_owned()))?;
                let (after, diagnostics) = device.run(task, before, &mut || true)?;
                Ok((after, diagnostics, Parts::new()))
            }
        }
    }
}

//! The measured devices.

use std::sync::Arc;

use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::compute::gpu::water::GpuWithFallback;
use flow_ofx::compute::gpu::{Graphics, Options, list};
use flow_ofx::sim::Interrupted;
use flow_ofx::sim::water::StateBuffers;
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::plan::{Device, FramePlan, MassBalance, RowCounts, RowJob};
use flow_ofx::sim::water::settings::Model;

use crate::cases::{Case, HD};
use crate::naive::Naive;

/// Role of a device in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The reference of the tests.
    Reference,
    /// The plain loop, for comparison.
    Naive,
    /// A kernel of the CPU.
    Cpu,
    /// A GPU adapter, possibly in software.
    Gpu,
}

/// A device of the comparison.
pub struct Entry {
    pub role: Role,
    /// The kernel or the adapter.
    pub name: String,
    /// Number of its threads; 0 for a GPU.
    pub threads: usize,
    pub device: Box<dyn Device>,
}

/// All devices of this machine.
pub struct Roster {
    pub entries: Vec<Entry>,
}

impl Roster {
    /// The devices, with `all` threads and with one.
    pub fn new(all: usize) -> Roster {
        let entry = |role, name: &str, threads, device| Entry { role, name: name.to_owned(), threads, device };
        let mut entries = vec![
            entry(Role::Reference, "reference", 1, Box::new(Reference) as Box<dyn Device>),
            entry(Role::Naive, "scalar over rayon", all, Box::new(Naive::new(all))),
        ];
        let counts = if all > 1 { vec![1, all] } else { vec![1] };
        for threads in counts {
            entries.extend(cpus(threads).into_iter().map(|(name, device)| entry(Role::Cpu, &name, threads, device)));
        }
        entries.extend(gpus().into_iter().map(|(name, device)| entry(Role::Gpu, &name, 0, device)));
        Roster { entries }
    }
}

/// The CPU's kernels, one for each instruction set of this machine.
fn cpus(threads: usize) -> Vec<(String, Box<dyn Device>)> {
    let device = |isa: Isa| Box::new(Cpu::with_isa(threads, isa)) as Box<dyn Device>;
    Isa::available().into_iter().map(|isa| (isa.name().to_owned(), device(isa))).collect()
}

/// The GPU adapters, by name.
fn gpus() -> Vec<(String, Box<dyn Device>)> {
    // A device is selected by a part of its name: one whose name is part of another's cannot be selected.
    let all = list(None);
    let names: Vec<String> = all.iter().map(|listed| listed.name.clone()).collect();
    all.into_iter()
        .filter(|listed| names.iter().filter(|name| name.contains(&listed.name)).count() == 1)
        .map(|listed| {
            let graphics = Graphics::new(Options { adapter: Some(listed.name.clone()), ..Options::default() });
            let hybrid = GpuWithFallback::new(Arc::clone(&graphics), Arc::new(Cpu::new(1)), true);
            (listed.name, Box::new(Gpu { graphics, hybrid }) as Box<dyn Device>)
        })
        .collect()
}

/// A graphics device that must not fall back to the CPU.
struct Gpu {
    graphics: Arc<Graphics>,
    hybrid: GpuWithFallback,
}

impl Device for Gpu {
    fn name(&self) -> String {
        self.hybrid.name()
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        self.hybrid.rows(field, job)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        let made = self.hybrid.run(plan, body, go_on);
        assert_eq!(self.graphics.take_notices(), [""; 0], "the graphics device failed: its speed is not the CPU's");
        made
    }
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

    /// Whether the device is a GPU adapter, possibly in software.
    pub fn is_adapter(&self) -> bool {
        self.role == Role::Gpu
    }

    /// The name in rows.
    pub fn role(&self) -> &'static str {
        match self.role {
            Role::Reference => "reference",
            Role::Naive => "naive",
            Role::Cpu => "cpu",
            Role::Gpu => "gpu",
        }
    }

    /// Whether the device takes part in a case: slow devices are left out of the long ones.
    pub fn measures(&self, case: &Case, quick: bool) -> bool {
        let (hd, short) = (case.group.size == HD, matches!(case.steps, 1 | 8));
        let plain_pipes = case.group.model == Model::Pipes && !case.group.pigment;
        match self.role {
            Role::Reference => !quick && hd && case.steps == 1,
            Role::Naive => plain_pipes && short,
            Role::Cpu => self.threads > 1 || (hd && short),
            // Software adapters are for equal bits, not for speed.
            Role::Gpu => !self.name.contains("llvmpipe") || (hd && short),
        }
    }
}

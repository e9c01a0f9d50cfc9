//! Description of the machine of a measurement.

use std::process::Command;

use sysinfo::System;

use super::steal::Ticks;
use crate::command;

/// Processor, memory, system, compiler and commit of a measurement.
pub struct Machine {
    cpu: String,
    /// Number of threads that the system schedules, and of cores if known.
    cores: String,
    memory: f64,
    system: String,
    compiler: String,
    date: String,
    commit: String,
    /// Processor times at the time of reading.
    ticks: Option<Ticks>,
    /// Measured adapters.
    pub adapters: Vec<String>,
}

impl Machine {
    /// Reads the description from the system.
    pub fn read() -> Self {
        let system = System::new().ok().map(|mut system| {
            system.refresh_cpu_all();
            system.refresh_memory();
            system
        });
        let output_of = |program: &str, arguments: &[&str]| {
            command::output(Command::new(program).args(arguments), program)
                .map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
        };
        let first = system.as_ref().and_then(|system| system.cpus().first());
        let cpu = first.map_or("unknown CPU", |cpu| cpu.brand().trim());
        // A virtual machine may hide the model; family and number still identify it.
        let model = proc_model().map_or(String::new(), |model| format!(" ({model})"));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = System::physical_core_count().map_or(String::new(), |cores| format!("{cores} cores, "));
        let root = crate::project::root();
        let commit =
            command::output(Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(&root), "git");
        Self {
            cpu: format!("{cpu}{model}"),
            cores: format!("{cores}{threads} threads"),
            memory: system.as_ref().map_or(0, System::total_memory) as f64 / (1u64 << 30) as f64,
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
            compiler: output_of("rustc", &["--version"]),
            date: output_of("date", &["-u", "+%Y-%m-%d %H:%M UTC"]),
            commit: commit.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned()),
            ticks: Ticks::now(),
            adapters: Vec::new(),
        }
    }

    /// The description in one line.
    pub fn line(&self) -> String {
        format!("{}, {}, {:.0} GiB, {}", self.cpu, self.cores, self.memory, self.date)
    }

    /// Processor time taken by other machines since the reading, as a line for the list; empty if little.
    pub fn steal(&self) -> String {
        self.ticks.zip(Ticks::now()).and_then(|(before, now)| now.report_since(before)).unwrap_or_default()
    }

    /// The description as a Markdown list.
    pub fn markdown(&self) -> String {
        let adapters = if self.adapters.is_empty() { "none took part".to_owned() } else { self.adapters.join("; ") };
        format!(
            "- CPU: {}, {}\n- memory: {:.0} GiB\n- system: {}\n- GPU adapters: {adapters}\n- compiler: {}\n- Flow: {}\n- date: {}\n",
            self.cpu, self.cores, self.memory, self.system, self.compiler, self.commit, self.date
        )
    }
}

/// Family and model of the CPU, on Linux.
fn proc_model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    Some(format!("family {}, model {}", field("cpu family")?, field("model")?))
}

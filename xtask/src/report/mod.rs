//! `cargo xtask report`: runs the gates of the numerics, and writes the validation report with its plots.
//!
//! The tests leave what they find where `FLOW_GATES` points (`tests/record`); here it becomes docs/validation.md.

mod chapters;
mod chart;
mod page;
mod records;

use anyhow::Result;

use crate::bench::machine::Machine;
use crate::{command, project, setup};

/// Options of `cargo xtask report`.
#[derive(clap::Args)]
pub struct Options {
    /// Write the page from what the last run left, without running the gates again
    #[arg(long)]
    no_run: bool,
}

/// Test programs with gates.
const PROGRAMS: [&str; 8] = [
    "water_waves",
    "water_shallow",
    "water_exact",
    "water_devices",
    "gpu_water",
    "gpu_pictures",
    "smoke_gates",
    "gpu_smoke",
];

/// Runs the gates and writes docs/validation.md and docs/images/validation; fails, after writing, if a gate did.
pub fn run(options: &Options) -> Result<()> {
    let found = project::target().join("gates");
    let mut passed = true;
    if !options.no_run {
        setup::ensure(&[setup::Need::BUILD, &[setup::Need::Vulkan]].concat())?;
        if found.exists() {
            std::fs::remove_dir_all(&found)?;
        }
        command::make_folder(&found)?;
        let mut gates = command::cargo();
        // Of the workspace, so that nothing is compiled anew for other features of its packages.
        gates.args(["test", "--workspace", "--no-fail-fast"]).env("FLOW_GATES", &found);
        gates.envs(command::runtime_folder()?.map(|folder| ("XDG_RUNTIME_DIR", folder)));
        gates.args(PROGRAMS.iter().flat_map(|program| ["--test", program]));
        passed = command::run_lines(&mut gates, |line| println!("{line}"))?;
    }
    let records = records::read(&found)?;
    let images = project::root().join("docs/images/validation");
    command::make_folder(&images)?;
    let mut machine = Machine::read();
    machine.adapters = records::adapters(&records);
    let page = page::write(&records, &machine, &images)?;
    let path = project::root().join("docs/validation.md");
    command::write_file(&path, page.as_bytes())?;
    println!("wrote {}", project::short(&path));
    anyhow::ensure!(passed, "some gates do not hold: their messages are above, and what was found is in the report");
    Ok(())
}

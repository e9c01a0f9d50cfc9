//! `cargo xtask report`: runs the gates of the numerics, and writes the validation report with its plots.
//!
//! The tests write their results where `FLOW_GATES` points (`tests/record`); here it becomes docs/validation.md.

mod chapters;
mod chart;
mod page;
mod records;

use anyhow::Result;

use crate::bench::machine::Machine;
use crate::{bundle, command, project, setup};

/// Options of `cargo xtask report`.
#[derive(clap::Args)]
pub struct Options {
    /// Write the page from the last run's results, without running the gates again
    #[arg(long)]
    no_run: bool,
}

/// Test programs with gates.
const PROGRAMS: [&str; 11] = [
    "water_waves",
    "water_ripples",
    "water_shallow",
    "water_exact",
    "water_devices",
    "gpu_water",
    "gpu_pictures",
    "smoke_gates",
    "gpu_smoke",
    "gpu_volume",
    "volume_gates",
];

/// Runs the gates and writes docs/validation.md and docs/images/validation; fails, after writing, if a gate did.
pub fn run(options: &Options) -> Result<()> {
    let found = project::target().join("gates");
    let mut passed = true;
    if !options.no_run {
        setup::ensure(&[setup::Need::BUILD, &[setup::Need::Vulkan, setup::Need::Valgrind]].concat())?;
        if found.exists() {
            std::fs::remove_dir_all(&found)?;
        }
        command::make_folder(&found)?;
        let mut gates = command::cargo();
        // The workspace's features, so that its packages are not compiled again for others.
        gates.args(["test", "--workspace", "--no-fail-fast"]).env("FLOW_GATES", &found);
        gates.envs(command::runtime_folder()?.map(|folder| ("XDG_RUNTIME_DIR", folder)));
        gates.args(PROGRAMS.iter().flat_map(|program| ["--test", program]));
        passed = command::run_lines(&mut gates, |line| println!("{line}"))?;
        let bundle = bundle::run(&bundle::Options::for_tests())?;
        let mut leaks = std::process::Command::new(project::root().join("tests/leaks/run"));
        leaks.arg(&bundle.folder).env("FLOW_LEAKS_IN_FULL", "1").current_dir(project::root());
        passed &= command::run_lines(&mut leaks, |line| println!("{line}"))?;
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
    verdict(passed, &records, &page::absent(&records))
}

/// Fails unless the tests passed, each row keeps its bound, and each gate of the page left a record.
fn verdict(passed: bool, records: &[records::Record], absent: &[&str]) -> Result<()> {
    let missed = records::missed(records);
    anyhow::ensure!(missed.is_empty(), "some gates are missed; the report has them:\n{}", missed.join("\n"));
    anyhow::ensure!(passed, "some gates do not hold: their messages are above, and their values in the report");
    anyhow::ensure!(absent.is_empty(), "these gates left no record, so the report lacks them: {}", absent.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_gate_fails_the_report() {
        let record = |met: bool| -> records::Record {
            let text = format!(
                r#"{{ "gate": "plume", "device": "CPU", "adapter": null, "plots": [], "images": [], "rows": [
                    {{ "what": "a", "bound": "≤ 1", "settings": "", "found": 0.5, "met": true }},
                    {{ "what": "b", "bound": "≤ 1", "settings": "s", "found": 1.5, "met": {met} }} ] }}"#
            );
            serde_json::from_str(&text).expect("a record")
        };
        assert!(verdict(true, &[record(true)], &[]).is_ok());
        // Without a record, the tests of a gate may have passed, or its record may be an old one.
        let error = verdict(true, &[record(true), record(false)], &[]).expect_err("missed").to_string();
        assert!(error.ends_with("plume on the CPU: b: 1.5, bound: ≤ 1"), "{error}");
        assert!(verdict(false, &[record(true)], &[]).is_err());
        assert!(verdict(true, &[record(true)], &["cavity-100"]).is_err());
    }
}

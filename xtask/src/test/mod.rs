//! `cargo xtask test`: all checks, in one run with one count at the end.

mod count;
mod programs;

use std::ffi::OsString;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use self::programs::Built;
use crate::{bundle, command, demo, docs, project, recipes, setup};

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Leave out the leak test, which takes valgrind many minutes
    #[arg(long)]
    skip_leaks: bool,
}

/// Counts of the run so far.
#[derive(Default)]
struct Report {
    passed: usize,
    failed: usize,
    /// One line per failure.
    failures: Vec<String>,
    times: Vec<(String, Duration)>,
}

impl Report {
    /// Runs a stage, prints its duration, and counts it as one check.
    fn check(&mut self, name: &str, stage: impl FnOnce() -> Result<()>) -> bool {
        self.timed(name, |report| match stage() {
            Ok(()) => {
                report.passed += 1;
                true
            }
            Err(error) => {
                report.fail(format!("{name}: {error:#}"));
                false
            }
        })
    }

    fn timed<T>(&mut self, name: &str, stage: impl FnOnce(&mut Self) -> T) -> T {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = stage(self);
        let time = start.elapsed();
        println!("== {name}: {:.1} s", time.as_secs_f64());
        self.times.push((name.to_owned(), time));
        outcome
    }

    /// Adds the counts of a test program. One that dies has no summary, and one without is not known to have passed.
    fn add(&mut self, name: &str, outcome: &programs::Outcome) {
        let programs::Outcome { counts, succeeded } = outcome;
        self.passed += counts.passed;
        self.failed += counts.failed;
        self.failures.extend(counts.named.iter().map(|test| format!("test {test} of {name}")));
        if counts.failed == 0 && !(*succeeded && counts.ended) {
            self.fail(format!("tests: {name} did not build, died, or ended without a summary; its message is above"));
        }
    }

    fn fail(&mut self, why: String) {
        println!("FAILED {why}");
        self.failed += 1;
        self.failures.push(why);
    }
}

/// Runs all checks; fails if any failed.
pub fn run(options: &Options) -> Result<()> {
    let mut report = Report::default();
    let mut needs = vec![
        setup::Need::Compiler,
        setup::Need::Libclang,
        setup::Need::Lints,
        setup::Need::Vulkan,
        setup::Need::OpenExr,
    ];
    if !options.skip_leaks {
        needs.push(setup::Need::Valgrind);
    }
    report.timed("setup", |_| setup::ensure(&needs))?;
    let mut variables = Vec::new();
    // Without PyPI the tests that need it fail, and the others run.
    report.check("programs from PyPI", || {
        variables = setup::test_tools()?;
        Ok(())
    });
    report.check("format", || {
        command::run(
            command::cargo().args(["fmt", "--all", "--check"]),
            "`cargo fmt --all --check` (`cargo fmt --all` puts it right)",
        )
    });
    report.check("lints", || {
        command::run(
            command::cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
            "clippy",
        )
    });
    report.check("documentation", || {
        command::run(
            command::cargo().env("RUSTDOCFLAGS", "-D warnings").args([
                "doc",
                "--quiet",
                "--workspace",
                "--no-deps",
                "--document-private-items",
            ]),
            "building the documentation",
        )
    });
    let mut built = None;
    report.check("build", || {
        built = Some(programs::build()?);
        Ok(())
    });
    if let Some(built) = built {
        check_built(&mut report, &built, variables, options);
    }
    conclude(&report)
}

fn conclude(report: &Report) -> Result<()> {
    println!("\nstage                     seconds");
    for (name, time) in &report.times {
        println!("{name:<24} {:>8.1}", time.as_secs_f64());
    }
    for failure in &report.failures {
        println!("FAILED {failure}");
    }
    println!("{} passed, {} failed", report.passed, report.failed);
    if report.failed > 0 {
        bail!("{} of {} checks failed", report.failed, report.failed + report.passed);
    }
    Ok(())
}

/// Lays out the bundle, of the very library that the tests have, and runs all checks of it and of the built programs.
fn check_built(report: &mut Report, built: &Built, mut variables: Vec<(&'static str, OsString)>, options: &Options) {
    let mut bundle = None;
    report.check("bundle", || {
        bundle = Some(bundle::run(&bundle::Options::for_tests())?);
        Ok(())
    });
    if let Some(bundle) = &bundle {
        report.check("parameter reference", || docs::check_parameters(&built.host, bundle));
        let scratch = project::target().join("profiles");
        report.timed("host profiles", |report| {
            demo::profiles::render_all(&built.host, bundle, &scratch, |name, outcome| match outcome {
                Ok(()) => {
                    println!("{name}: rendered");
                    report.passed += 1;
                }
                Err(error) => report.fail(format!("{name}: {error:#}")),
            })
        });
    }
    if let Some(bundle) = &bundle {
        let scratch = project::target().join("recipes-reduced");
        report.check("recipes", || recipes::reduced(&built.host, &bundle.folder, &scratch));
    }
    let leaks = bundle.filter(|_| !options.skip_leaks);
    report.timed(if leaks.is_some() { "tests and leaks" } else { "tests" }, |report| {
        match command::runtime_folder() {
            Ok(folder) => variables.extend(folder.map(|folder| ("XDG_RUNTIME_DIR", folder))),
            Err(error) => report.fail(format!("tests: {error:#}")),
        }
        // The leak test takes as long as all others together, on one core: it runs concurrently with them.
        let leaked = OnceLock::new();
        let first = || {
            if let Some(bundle) = &leaks {
                drop(leaked.set(look_for_leaks(bundle, built)));
            }
        };
        let outcome =
            programs::run(&built.programs, &variables, first, |program, outcome| report.add(&program.name, outcome));
        match outcome.and_then(|()| programs::documentation(&variables)) {
            Ok(documentation) => report.add("the documentation's examples", &documentation),
            Err(error) => report.fail(format!("tests: {error:#}")),
        }
        match leaked.into_inner() {
            Some(Ok(())) => report.passed += 1,
            Some(Err(error)) => report.fail(format!("leaks: {error:#}")),
            None => {}
        }
    });
}

/// Runs the script that counts leaks under valgrind, against the built bundle.
fn look_for_leaks(bundle: &bundle::Bundle, built: &Built) -> Result<()> {
    let script = project::root().join("tests/leaks/run");
    let program = built.programs.iter().find(|program| program.name == "tests/leaks/main.rs");
    let program = program.context("cargo built no tests/leaks")?;
    let mut run = std::process::Command::new(&script);
    run.arg(&bundle.folder).arg(&program.executable).current_dir(project::root());
    command::run(&mut run, "the leak test").with_context(|| project::short(&script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_counted_and_ends_the_run_with_an_error() {
        let mut report = Report::default();
        assert!(report.check("good", || Ok(())));
        assert!(!report.check("bad", || bail!("on purpose")));
        assert_eq!((report.passed, report.failed), (1, 1));
        assert!(conclude(&report).is_err());
        assert_eq!(report.failures, ["bad: on purpose"]);
    }
}

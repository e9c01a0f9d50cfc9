//! `cargo xtask test`: everything that must hold, in one run with one count at the end.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::{bundle, command, demo, docs, project, setup};

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Leave out the leak test, which takes valgrind a minute or two
    #[arg(long)]
    skip_leaks: bool,
}

/// What was counted so far.
#[derive(Default)]
struct Report {
    passed: usize,
    failed: usize,
    /// One line per failure.
    failures: Vec<String>,
    times: Vec<(String, Duration)>,
}

impl Report {
    /// Runs a stage, says how long it took, and counts it as one check.
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

    fn fail(&mut self, why: String) {
        println!("FAILED {why}");
        self.failed += 1;
        self.failures.push(why);
    }
}

/// Runs everything; fails if anything failed.
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
    report.timed("tests", |report| match runtime_folder() {
        Ok(folder) => {
            variables.extend(folder.map(|folder| ("XDG_RUNTIME_DIR", folder)));
            cargo_tests(report, &variables);
        }
        Err(error) => report.fail(format!("tests: {error:#}")),
    });
    let mut built = None;
    report.check("bundle", || {
        // Built as the tests are, so that nothing is compiled a second time.
        built = Some((bundle::run(&bundle::Options::for_tests())?, project::build_host(project::Profile::Dev)?));
        Ok(())
    });
    if let Some((bundle, host)) = built {
        report.check("parameter reference", || docs::check_parameters(&host, &bundle));
        let scratch = project::target().join("profiles");
        report.timed("host profiles", |report| {
            demo::profiles::render_all(&host, &bundle, &scratch, |name, outcome| match outcome {
                Ok(()) => {
                    println!("{name}: rendered");
                    report.passed += 1;
                }
                Err(error) => report.fail(format!("{name}: {error:#}")),
            })
        });
        if !options.skip_leaks {
            report.check("leaks", || leaks(&bundle));
        }
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

/// Runs the workspace's tests and adds up what their summaries say.
fn cargo_tests(report: &mut Report, variables: &[(&str, OsString)]) {
    let mut test = command::cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]);
    test.envs(variables.iter().map(|(name, value)| (name, value)));
    let (mut counts, mut named) = (Counts::default(), Vec::new());
    let outcome = command::run_lines(&mut test, |line| {
        println!("{line}");
        counts.read(line);
        if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            named.push(name.to_owned());
        }
    });
    let Counts { passed, failed, .. } = counts;
    report.passed += passed;
    report.failed += failed;
    report.failures.extend(named.into_iter().map(|name| format!("test {name}")));
    match outcome {
        Err(error) => report.fail(format!("tests: {error:#}")),
        // A test program that dies, or does not compile, has no summary line.
        Ok(false) if failed == 0 => {
            report.fail("tests: a test program did not build or died; its message is above".to_owned())
        }
        Ok(true) if passed == 0 => report.fail("tests: cargo ran none".to_owned()),
        Ok(_) => {}
    }
}

/// A folder for XDG_RUNTIME_DIR where the session has none: without one Mesa complains once per process.
pub fn runtime_folder() -> Result<Option<OsString>> {
    if cfg!(not(target_os = "linux")) || std::env::var_os("XDG_RUNTIME_DIR").is_some() {
        return Ok(None);
    }
    let folder = project::target().join("runtime");
    command::make_folder(&folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // It has to be the user's alone.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700))
            .with_context(|| project::short(&folder))?;
    }
    Ok(Some(folder.into_os_string()))
}

/// What the summaries of test programs add up to.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    /// How many tests the program said it would run, until its summary comes. The output
    /// of a failed test may hold another program's summary: that one is of fewer tests.
    running: Option<usize>,
}

impl Counts {
    fn read(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test")?.0.parse().ok()) {
            self.running.get_or_insert(number);
        }
        if let Some([passed, failed, ignored, measured]) = summary(line)
            && self.running == Some(passed + failed + ignored + measured)
        {
            self.passed += passed;
            self.failed += failed;
            self.running = None;
        }
    }
}

/// Passed, failed, ignored and measured of a line such as `test result: ok. 3 passed; 0 failed; …`.
fn summary(line: &str) -> Option<[usize; 4]> {
    let mut fields = line.strip_prefix("test result: ")?.split_once(". ")?.1.split("; ");
    let mut count = |unit: &str| fields.next()?.strip_suffix(unit)?.trim().parse().ok();
    Some([count("passed")?, count("failed")?, count("ignored")?, count("measured")?])
}

/// Runs the script that counts leaks under valgrind, against the built bundle.
fn leaks(bundle: &bundle::Bundle) -> Result<()> {
    let script = project::root().join("tests/leaks/run");
    let mut run = std::process::Command::new(&script);
    run.arg(&bundle.folder).current_dir(project::root());
    command::run(&mut run, "the leak test").with_context(|| project::short(&script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted_and_those_inside_a_failure_are_not() {
        let mut counts = Counts::default();
        for line in [
            "running 16 tests",
            "test some ... FAILED",
            "running 1 test",
            "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 15 filtered out; finished in 2.51s",
            "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.52s",
            "running 1 test",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            counts.read(line);
        }
        assert_eq!((counts.passed, counts.failed), (13, 3));
    }

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

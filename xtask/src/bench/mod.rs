//! `cargo xtask bench`: cell-steps, peers and whole frames in one run, as Markdown and as a plot.
//!
//! | file | purpose |
//! |---|---|
//! | `machine` | description of the machine |
//! | `compare` | this checkout and another one in turn |
//! | `program` | builds and runs the benchmarks of the models |
//! | `peers` | runs `benches/peers.py` and the peers' other files there |
//! | `rows` | one row of the water's benchmark |
//! | `case_studies` | whole frames of the case studies of particles |
//! | `smoke`, `particles`, `volume` | report the results of their benchmarks |
//! | `volume_peers` | steps of volumes in other programs, in turn with Flow's |
//! | `disk` | runs `benches/disk` and reports the results |
//! | `frames` | whole frames through the bundle |
//! | `steal` | processor time that other machines took meanwhile |
//! | `starting` | load, describe, and reading the parameters |
//! | `time` | medians and ratios |
//! | `goals` | goals of the figures, reached or missed |
//! | `report` | the Markdown |
//! | `plot` | the picture |
//!
//! Times of different machines are not comparable, and those of one machine vary by a third between runs: compare rows
//! of one run.

mod case_studies;
mod compare;
mod disk;
mod frames;
mod goals;
pub mod machine;
mod particles;
mod peers;
mod plot;
mod program;
mod report;
mod rows;
mod smoke;
mod starting;
mod steal;
mod time;
mod volume;
mod volume_peers;

use std::path::PathBuf;

use anyhow::Result;

use crate::bundle;
use crate::{command, project, setup};
use machine::Machine;
use peers::Peers;
use report::Report;

/// Turns of the water's kernels and peers.
const TURNS: u32 = 3;

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Options {
    /// Fewer sizes, steps and repeats: a minute or two instead of ten
    #[arg(long)]
    quick: bool,
    /// Only rows of kernels and peers whose name contains this text, such as "1920x1080 wet" or "8 steps"; repeatable
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Seconds of measurement per row of kernels and peers [default: 1, or 0.25 with --quick]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Fetch NumPy, numba, Taichi and JAX from PyPI into target/peers, and install Blender for the volumes; else those
    /// that are installed are measured, if any
    #[arg(long)]
    peers: bool,
    /// Leave out the water's kernels and peers
    #[arg(long)]
    no_kernels: bool,
    /// Leave out the smoke and its peers
    #[arg(long)]
    no_smoke: bool,
    /// Leave out the particles, their peers and their case studies
    #[arg(long)]
    no_particles: bool,
    /// Leave out the volumes and their peers
    #[arg(long)]
    no_volume: bool,
    /// Leave out the disk cache
    #[arg(long)]
    no_disk: bool,
    /// Disk to measure: an existing folder [default: target/tmp]
    #[arg(long, value_name = "DIR", conflicts_with = "no_disk")]
    disk: Option<PathBuf>,
    /// Leave out whole frames
    #[arg(long)]
    no_frames: bool,
    /// Copy the results to docs/benchmarks.md, to docs/benchmarks-smoke.md and the like, and to docs/images, except those
    /// left out
    #[arg(long)]
    docs: bool,
    /// Frames of a shot to render [default: 24, or 8 with --quick]
    #[arg(long, value_parser = clap::value_parser!(u32).range(4..=9999))]
    frames: Option<u32>,
    /// Measure another checkout in turn with this one, without peers and disk, and print the ratio of each row
    #[arg(long, value_name = "DIR", conflicts_with_all = ["peers", "disk", "docs"])]
    against: Option<PathBuf>,
    /// Number of turns of --against
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=99), requires = "against")]
    turns: u32,
    /// Number of repetitions of short measurements; the median counts [default: 31, or 9 with --quick]
    #[arg(long, value_parser = clap::value_parser!(u32).range(3..=999))]
    repeats: Option<u32>,
}

impl Options {
    fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(if self.quick { 0.25 } else { 1.0 })
    }

    fn frames(&self) -> usize {
        self.frames.unwrap_or(if self.quick { 8 } else { 24 }) as usize
    }

    fn repeats(&self) -> u32 {
        self.repeats.unwrap_or(if self.quick { 9 } else { 31 })
    }
}

/// Builds, measures, and writes target/bench.md, bench.svg and bench.png.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure(setup::Need::BUILD)?;
    if let Some(other) = &options.against {
        return compare::run(options, other);
    }
    let mut report = Report::new(Machine::read());
    if !options.no_kernels {
        let kernels = program::build(&project::root(), "kernels")?;
        let peers = Peers::new(&kernels, "peers.py", options)?;
        // In turn, so that a busy minute of the machine affects both.
        let turns = if peers.is_some() { TURNS } else { 1 };
        let seconds = options.seconds() / f64::from(turns);
        for _ in 0..turns {
            println!("measuring kernels");
            program::run_for(&kernels, options, seconds, |line| report.add(line))?;
            if let Some(peers) = &peers {
                peers.measure(options, seconds, |line| report.add(line))?;
            }
        }
    }
    if !options.no_smoke {
        let smoke = program::build(&project::root(), "smoke")?;
        println!("measuring smoke");
        program::run(&smoke, options, |line| report.smoke.add(line))?;
        peers::run(&smoke, "smoke_peers.py", options, |line| report.smoke.add(line))?;
    }
    if !options.no_particles {
        let particles = program::build(&project::root(), "particles")?;
        println!("measuring particles");
        program::run(&particles, options, |line| report.particles.add(line))?;
        peers::run(&particles, "particle_peers.py", options, |line| report.particles.add(line))?;
        let bundle = bundle::run(&bundle::Options::default())?;
        report.particles.case_studies = case_studies::measure(&project::build_host()?, &bundle, options)?;
    }
    if !options.no_volume {
        let volume = program::build(&project::root(), "volume")?;
        println!("measuring volumes");
        program::run(&volume, options, |line| report.volume.add(line))?;
        volume_peers::run(&volume, options, |line| report.volume.add(line))?;
    }
    // Results are written even if a later measurement fails.
    let stored = if options.no_disk { Ok(()) } else { disk::run(options, &mut report.disk) };
    let framed = if options.no_frames { Ok(()) } else { whole_frames(options, &mut report.frames) };
    let text = report.markdown();
    let target = project::target();
    command::write_file(&target.join("bench.md"), text.as_bytes())?;
    println!("\n{text}\nalso in {}", project::short(&target.join("bench.md")));
    let bars = plot::panels(&report.kernels, &report.peers);
    let drawn = !bars.is_empty();
    if drawn {
        for name in plot::write(&bars, &report.machine.line(), &target)? {
            println!("plot in {}", project::short(&name));
        }
    }
    if options.docs {
        let docs = project::root().join("docs");
        command::make_folder(&docs.join("images"))?;
        let plot = drawn.then_some("images/benchmarks.svg");
        if drawn {
            for kind in ["svg", "png"] {
                let bytes = std::fs::read(target.join(format!("bench.{kind}")))?;
                command::write_file(&docs.join(format!("images/benchmarks.{kind}")), &bytes)?;
            }
        }
        for (name, page) in [
            ("benchmarks.md", report.water_page(plot)),
            ("benchmarks-smoke.md", report.smoke_page()),
            ("benchmarks-particles.md", report.particles_page()),
            ("benchmarks-volume.md", report.volume_page()),
        ] {
            let Some(page) = page else { continue };
            command::write_file(&docs.join(name), page.as_bytes())?;
            println!("copied to {}", project::short(&docs.join(name)));
        }
    }
    stored.and(framed)
}

/// Whole frames and the start of the host.
fn whole_frames(options: &Options, figures: &mut frames::Figures) -> Result<()> {
    let bundle = bundle::run(&bundle::Options::default())?;
    let host = project::build_host()?;
    println!("measuring whole frames");
    starting::measure(&host, &bundle, options.repeats(), figures)?;
    frames::measure(&host, &bundle, options, figures)?;
    starting::parameters(&host, &bundle, figures)?;
    starting::lateness(&host, &bundle, options.repeats(), figures)
}

//! `cargo xtask same-frames --against DIR`: renders with two bundles, and compares the files byte by byte.
//!
//! This checkout's `flow-host` renders each case through both bundles, on the CPU, into EXR files. `cases.rs` chooses
//! the cases and `plates.rs` makes the inputs. Files of a case that differs are left in `target/same-frames`.

mod cases;
mod plates;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::cases::{Axes, Case};
use crate::bundle::{self, Bundle};
use crate::picture::Picture;
use crate::{command, project, setup};

/// Options of `cargo xtask same-frames`.
///
/// Every preset of both nodes is rendered in every output. Each of these cases has one size, edge, set of obstacles,
/// instruction set, number of threads, model or solver and advection, chosen so that each value meets each preset and
/// each output, and so that each pair of values meets at least once.
#[derive(clap::Args)]
pub struct Options {
    /// Another checkout's folder, such as a clone of an older commit. A bundle that does not know `FLOW_ISA` renders
    /// every case on the best instruction set
    #[arg(long, value_name = "DIR")]
    against: PathBuf,
    /// Render each preset and each output once, instead of every preset in every output
    #[arg(long)]
    quick: bool,
    /// Frames of each case
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    frames: u32,
    /// Take the existing bundles, and build none
    #[arg(long)]
    no_build: bool,
}

/// The difference in a case, for the table.
struct Difference {
    case: String,
    text: String,
}

/// Renders and compares all cases; fails if one differs.
pub fn run(options: &Options) -> Result<()> {
    let root = project::other_checkout(&options.against)?;
    setup::ensure(setup::Need::BUILD)?;
    let [this, other] = if options.no_build {
        [project::target(), root.join("target")].map(|target| target.join("bundle").join(project::BUNDLE_NAME))
    } else {
        let folder = |bundle: Bundle| bundle.folder;
        [folder(bundle::run(&bundle::Options::default())?), folder(bundle::of_checkout(&root)?)]
    };
    let host = project::build_host()?;
    let folder = project::target().join("same-frames");
    crate::demo::fresh_folder(&folder)?;
    plates::write(&folder.join("plates"), &cases::SIZES, options.frames)?;
    let mut all = Vec::new();
    for node in [project::FLOW, project::FLOW_SMOKE] {
        let axes = axes(&host, &this, node)?;
        let found = cases::choose(&axes, options.quick);
        println!("{node}: {} presets, {} outputs, {} cases", axes.presets.len(), axes.outputs.len(), found.len());
        all.extend(found);
    }
    let start = Instant::now();
    let run = Run { host, bundles: [other, this], folder, frames: options.frames };
    let differences = run.all(&all);
    println!("{} cases, {} frames each, {:.0} s", all.len(), options.frames, start.elapsed().as_secs_f64());
    if differences.is_empty() {
        println!("all frames are the same, byte for byte");
        return Ok(());
    }
    println!("\n| case | difference |\n|---|---|");
    for Difference { case, text } in &differences {
        println!("| {case} | {text} |");
    }
    bail!("{} of {} cases differ; their files are in {}", differences.len(), all.len(), project::short(&run.folder))
}

/// Reads the presets and outputs of a node from its description.
fn axes(host: &Path, bundle: &Path, node: &'static str) -> Result<Axes> {
    let options = |name: &str| project::options(host, bundle, node, name);
    Ok(Axes { node, presets: options("preset")?, outputs: options("output")? })
}

/// The renders of all cases.
struct Run {
    host: PathBuf,
    /// The other checkout's, this one's.
    bundles: [PathBuf; 2],
    folder: PathBuf,
    frames: u32,
}

impl Run {
    /// Renders the cases on all processors, and returns those that differ, in the order of the cases.
    fn all(&self, cases: &[Case]) -> Vec<Difference> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(at) else { break };
                        let folder = self.folder.join(format!("{at:03}"));
                        let text = match self.compare(case, &folder) {
                            Ok(None) => continue,
                            Ok(Some(text)) => text,
                            Err(error) => format!("{error:#}").replace('\n', " "),
                        };
                        println!("case {at:03} differs: {}", case.name());
                        let difference = Difference { case: format!("{at:03}: {}", case.name()), text };
                        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((at, difference));
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, difference)| difference).collect()
    }

    /// Renders a case with both bundles; returns the difference, if there is one.
    fn compare(&self, case: &Case, folder: &Path) -> Result<Option<String>> {
        let sides = ["other", "this"].map(|side| folder.join(side));
        for (bundle, side) in self.bundles.iter().zip(&sides) {
            command::make_folder(side)?;
            let mut render = command::graphic(&self.host);
            render.arg("render").arg(bundle).args(case.arguments(&self.folder.join("plates")));
            render.args(["--frames", &format!("1-{}", self.frames), "-o"]).arg(side.join("frame.####.exr"));
            render.env("FLOW_ISA", case.isa);
            command::output(&mut render, "flow-host")?;
        }
        for frame in 1..=self.frames {
            let files = sides.each_ref().map(|side| side.join(format!("frame.{frame:04}.exr")));
            let [other, this] = files.each_ref().map(|file| std::fs::read(file).with_context(|| project::short(file)));
            if other? != this? {
                let [other, this] = files.map(|file| Picture::read_exr(&file));
                return Ok(Some(format!("frame {frame}: {}", difference(&other?, &this?))));
            }
        }
        std::fs::remove_dir_all(folder).with_context(|| project::short(folder))?;
        Ok(None)
    }
}

/// Describes the difference of two pictures.
fn difference(other: &Picture, this: &Picture) -> String {
    if (other.width, other.height) != (this.width, this.height) {
        return format!("{}×{} became {}×{}", other.width, other.height, this.width, this.height);
    }
    let (mut count, mut most) = (0, 0.0f32);
    for (a, b) in other.pixels().iter().zip(this.pixels()) {
        count += usize::from(a.map(f32::to_bits) != b.map(f32::to_bits));
        most = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(most, f32::max);
    }
    if count == 0 {
        return "the pixels are equal, the files are not".to_owned();
    }
    format!("{count} of {} pixels, at most by {most:e}", this.pixels().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_pixels_are_counted() {
        let black = Picture::from_fn(4, 2, |_, _| [0.0; 4]);
        let dot = Picture::from_fn(4, 2, |x, y| [f32::from(u8::from(x == 1 && y == 1)) * 0.5; 4]);
        assert_eq!(difference(&black, &dot), "1 of 8 pixels, at most by 5e-1");
        assert_eq!(difference(&black, &black), "the pixels are equal, the files are not");
        assert_eq!(difference(&black, &Picture::from_fn(3, 2, |_, _| [0.0; 4])), "4×2 became 3×2");
    }
}

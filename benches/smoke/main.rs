//! Milliseconds of a step of smoke on every device, as JSON lines on standard output; `cargo xtask bench` makes the
//! table.
//!
//! All devices of a case are measured in turn, a few frames at a time, so that a busy moment of the machine affects
//! them all. Each frame is one step on the air of the frame before.
//!
//! | file | contents |
//! |---|---|
//! | `cases` | measured cases: sizes and obstacles |
//! | `scene` | the air and its forcing |
//! | `devices` | the measured devices |
//! | `comparison` | devices in turn |
//! | `sweeps` | multigrid against Jacobi's sweeps |
//! | `pictures` | times of the outputs' pictures |
//! | `npy` | NumPy's files |
//! | `export` | the air as files, for the peers in `benches/smoke_peers.py` |

mod cases;
mod comparison;
mod devices;
mod export;
#[path = "../npy.rs"]
mod npy;
mod pictures;
mod scene;
mod sweeps;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser as _;

use cases::Kind;
use devices::Entry;
use scene::Scene;

/// Milliseconds of a step of smoke on every device, as JSON lines.
#[derive(clap::Parser)]
struct Options {
    /// 1920x1080 alone, a quarter of the time
    #[arg(long)]
    quick: bool,
    /// Only rows whose name contains this text, such as "3840x2160" or "AVX2, 2 threads"; repeatable, all must match
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Seconds of measurement per row [default: 1]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Number of threads in the rows of all threads [default: that of the machine]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print the names of the rows and measure nothing
    #[arg(long)]
    list: bool,
    /// Write the air for the peers into this folder and measure nothing
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// The flag that `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let entries = devices::entries(options.threads.unwrap_or(all).max(1));
    // The fastest device.
    let Some(last) = entries.iter().rev().find_map(Entry::cpu) else { return Ok(()) };
    if let Some(folder) = &options.export {
        return export::write(folder, options.quick, last);
    }
    let budget = Duration::from_secs_f64(options.seconds.unwrap_or(if options.quick { 0.25 } else { 1.0 }).max(0.0));
    let wanted = |entry: &&Entry, case: &str| {
        let name = format!("{}, {case}", entry.label());
        let wanted = options.filter.iter().all(|text| name.contains(text.as_str()));
        if wanted && options.list {
            println!("{name}");
        }
        wanted && !options.list
    };
    for entry in &entries {
        if let Some(cpu) = entry.cpu().filter(|_| wanted(&entry, &sweeps::name())) {
            eprintln!("{}, {}", entry.label(), sweeps::name());
            println!("{}", sweeps::run(cpu, &entry.name, budget));
        }
    }
    for case in cases::cases(options.quick) {
        let measuring = entries.iter().filter(|entry| entry.measures(&case));
        let rows: Vec<&Entry> = measuring.filter(|entry| wanted(entry, &case.name())).collect();
        // Painted by the fastest device only.
        let painter = entries.iter().rev().find(|entry| entry.cpu().is_some() && case.kind == Kind::Open);
        let painter = painter.filter(|entry| wanted(entry, &pictures::name(case.size)));
        if rows.is_empty() && painter.is_none() {
            continue;
        }
        let scene = Scene::new(&case, last);
        if !rows.is_empty() {
            eprintln!("{}", case.name());
            comparison::run(&case, &scene, &rows, budget, |row| println!("{row}"));
        }
        if let Some((entry, cpu)) = painter.and_then(|entry| Some((entry, entry.cpu()?))) {
            eprintln!("{}, {}", entry.label(), pictures::name(case.size));
            println!("{}", pictures::run(cpu, &entry.name, &scene.start, budget));
        }
    }
    Ok(())
}

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
#[path = "../measure.rs"]
mod measure;
#[path = "../npy.rs"]
mod npy;
mod pictures;
mod scene;
mod sweeps;

use std::path::PathBuf;

use clap::Parser as _;

use cases::Kind;
use devices::Entry;
use measure::Rows;
use scene::Scene;

/// Milliseconds of a step of smoke on every device, as JSON lines.
#[derive(clap::Parser)]
struct Options {
    #[command(flatten)]
    rows: Rows,
    /// Print the names of the rows and measure nothing
    #[arg(long)]
    list: bool,
    /// Write the air for the peers into this folder and measure nothing
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    let entries = devices::entries(options.rows.threads());
    // The fastest device.
    let Some(last) = entries.iter().rev().find_map(Entry::cpu) else { return Ok(()) };
    if let Some(folder) = &options.export {
        return export::write(folder, options.rows.quick, last);
    }
    let budget = options.rows.budget();
    let wanted = |entry: &&Entry, case: &str| {
        let name = format!("{}, {case}", entry.label());
        let wanted = options.rows.wants(&name);
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
    for case in cases::cases(options.rows.quick) {
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

//! Million cell-steps per second of every device, as JSON lines on standard output; `cargo xtask bench` makes the
//! table.
//!
//! All devices of a case are measured in turn, a few runs at a time, so that a busy moment of the machine affects them
//! all, the GPU adapters after the CPU's kernels. Between them the machine's bandwidth is measured, for the fraction of
//! it that they reach. Each run takes the water of the run before, as frames do.
//!
//! | file | contents |
//! |---|---|
//! | `cases` | measured cases: sizes, scenes, steps |
//! | `comparison` | devices in turn |
//! | `devices` | the measured devices |
//! | `moving` | frames of ripples around a solid that moves |
//! | `naive` | a plain loop over cells, in parallel by rows, for comparison |
//! | `bandwidth` | the bandwidth of the memory, for comparison |
//! | `scene` | the water and the frame plans |
//! | `npy` | NumPy's files |
//! | `export` | the scenes as files, for the peers in `benches/peers.py` |

mod bandwidth;
mod cases;
mod comparison;
mod devices;
mod export;
#[path = "../measure.rs"]
mod measure;
mod moving;
mod naive;
#[path = "../npy.rs"]
mod npy;
mod scene;

use std::path::PathBuf;

use clap::Parser as _;
use serde_json::json;

use comparison::Comparison;
use devices::Roster;
use measure::Rows;

/// Million cell-steps per second of every device, as JSON lines.
#[derive(clap::Parser)]
struct Options {
    #[command(flatten)]
    rows: Rows,
    /// Print the names of the rows and measure nothing
    #[arg(long)]
    list: bool,
    /// Write the scenes for the peers into this folder and measure nothing
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    let threads = options.rows.threads();
    if let Some(folder) = &options.export {
        return export::write(folder, options.rows.quick, threads);
    }
    let roster = Roster::new(threads);
    let budget = options.rows.budget();
    let mut checked = options.list;
    for group in cases::groups(options.rows.quick) {
        let wanted = |case: &cases::Case, entry: &devices::Entry| {
            let name = format!("{}, {}", entry.label(), case.name());
            entry.measures(case, options.rows.quick) && options.rows.wants(&name)
        };
        let rows = |case: &cases::Case| roster.entries.iter().filter(|entry| wanted(case, entry)).collect::<Vec<_>>();
        let cases: Vec<_> = group.cases().filter(|case| !rows(case).is_empty()).collect();
        if options.list {
            cases.iter().for_each(|case| {
                rows(case).iter().for_each(|entry| println!("{}, {}", entry.label(), case.name()));
            });
            continue;
        }
        if cases.is_empty() {
            continue;
        }
        if !checked {
            // The plain loop is valid only if it computes the same water.
            naive::check();
            checked = true;
        }
        let scene = scene::Scene::new(&group, threads);
        for case in &cases {
            eprintln!("{}", case.name());
            Comparison::new(case, &scene, &rows(case)).run(budget, threads, |row| println!("{row}"));
        }
    }
    moving::measure(&options.rows.filter, options.list, budget, threads);
    if !options.list {
        println!("{}", json!({ "row": "threads", "all": threads }));
    }
    Ok(())
}

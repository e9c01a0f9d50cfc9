//! Cost of the disk cache, as JSON lines on standard output; `cargo xtask bench` formats the tables.
//!
//! | file | contents |
//! |---|---|
//! | `scene` | the measured shot |
//! | `states` | one state: written, read, compressed in memory |
//! | `disk_speed` | the speed of the disk itself |
//! | `delay` | the delay of rendering by writes |
//! | `state_folder` | the folder, as the node uses it |

mod delay;
mod disk_speed;
mod scene;
mod state_folder;
mod states;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser as _;
use flow_ofx::compute::cpu::Cpu;

/// 1080p, 16:9.
const HD: (usize, usize) = (1920, 1080);
/// 2160p, 16:9.
const UHD: (usize, usize) = (3840, 2160);

/// Measure the disk cache, as JSON lines
#[derive(clap::Parser)]
struct Options {
    /// 1920x1080 alone, and half the frames
    #[arg(long)]
    quick: bool,
    /// The disk to measure: an existing folder, in which others are made and removed again [default: target/tmp]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Number of threads in the rows of all threads [default: that of the machine]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Number of repetitions; the median counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=99))]
    repeats: u32,
    /// Frames rendered with the disk and without, at 1920x1080 [default: 48, or 24 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    frames: Option<u32>,
    /// Flag that `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> io::Result<()> {
    let options = Options::parse();
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = Cpu::new(options.threads.unwrap_or(all).max(1));
    let folder = options.folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
    let sizes: &[(usize, usize)] = if options.quick { &[HD] } else { &[HD, UHD] };
    for &(width, height) in sizes {
        eprintln!("a state of {width}x{height}");
        println!("{}", states::measure((width, height), &cpu, options.repeats, &folder)?);
    }
    let frames = options.frames.unwrap_or(if options.quick { 24 } else { 48 });
    eprintln!("{frames} frames, with the disk and without");
    println!("{}", delay::measure(HD, &cpu, frames, 3, &folder)?);
    Ok(())
}

/// The median.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

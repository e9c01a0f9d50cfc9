//! Options that the benchmarks share, and the measurement of a row.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::time::{Duration, Instant};

/// The measurement of rows.
#[derive(clap::Args)]
pub struct Rows {
    /// The least sizes, a quarter of the time
    #[arg(long)]
    pub quick: bool,
    /// Only rows whose name contains this text, such as a size, a task or "AVX2, 2 threads"; repeatable, all must match
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,
    /// Seconds of measurement per row [default: 1]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Number of threads in the rows of all threads [default: that of the machine]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The flag that `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

impl Rows {
    /// Number of threads.
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).max(1)
    }

    /// Time of measurement per row.
    pub fn budget(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.unwrap_or(if self.quick { 0.25 } else { 1.0 }).max(0.0))
    }

    /// Whether a row of this name is measured.
    pub fn wants(&self, name: &str) -> bool {
        self.filter.iter().all(|text| name.contains(text.as_str()))
    }
}

/// The least time and the median of some runs after the first, milliseconds.
pub fn measured(budget: Duration, mut run: impl FnMut()) -> [f64; 2] {
    run();
    let (begun, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || begun.elapsed() < budget {
        let clock = Instant::now();
        run();
        times.push(clock.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    [times[0], times[times.len() / 2]]
}

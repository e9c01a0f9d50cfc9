//! The delay of rendering by writes: the same frames without a disk, and with both modes of its use.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::Cpu;
use serde_json::{Value, json};

use crate::median;
use crate::scene::Scene;
use crate::state_folder::{StateFolder, queue};

/// One render of the frames.
struct Run {
    /// Time until the last frame was simulated and queued.
    rendering: Duration,
    /// Time from then on until all frames were written.
    rest: Duration,
    /// Number of written frames.
    written: usize,
}

/// Renders and returns the row. The modes run in turn, so that a busy moment affects all; the mode that waits runs
/// once, since it takes as long as the writing.
pub fn measure(size: (usize, usize), cpu: &Cpu, frames: u32, rounds: u32, folder: &Path) -> io::Result<Value> {
    let scene = Scene::new(size, cpu);
    let (mut without, mut left_out) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        without.push(plain(&scene, cpu, frames));
        left_out.push(with_disk(&scene, cpu, frames, false, folder)?);
    }
    let waited = with_disk(&scene, cpu, frames, true, folder)?;
    let each = |time: Duration| time.as_secs_f64() / f64::from(frames);
    left_out.sort_by_key(|run| run.rendering);
    let middle = &left_out[left_out.len() / 2];
    let row =
        |run: &Run| json!({ "frame": each(run.rendering), "rest": run.rest.as_secs_f64(), "written": run.written });
    Ok(json!({
        "row": "delay",
        "width": size.0, "height": size.1, "threads": cpu.threads(), "frames": frames,
        "without": each(median(without)), "left_out": row(middle), "waited": row(&waited),
    }))
}

fn plain(scene: &Scene, cpu: &Cpu, frames: u32) -> Duration {
    let mut scene = scene.again();
    let start = Instant::now();
    (0..frames).for_each(|_| scene.advance(cpu));
    start.elapsed()
}

fn with_disk(scene: &Scene, cpu: &Cpu, frames: u32, wait: bool, folder: &Path) -> io::Result<Run> {
    let states = StateFolder::new(folder)?;
    let disk = states.disk(scene, wait, cpu);
    let mut scene = scene.again();
    let start = Instant::now();
    for frame in 0..frames {
        scene.advance(cpu);
        queue(&disk, &scene, frame);
    }
    let rendering = start.elapsed();
    let rest = states.flush()?;
    Ok(Run { rendering, rest, written: states.files()?.len() })
}

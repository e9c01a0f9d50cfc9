//! Whole frames of ripples around a solid that moves: unlike a step alone, they make the links of the pyramid anew
//! around it.

use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::water::inputs::{Inputs, Pixels};
use flow_ofx::sim::water::settings::{Model, Order, Settings};
use flow_ofx::sim::water::{Spec, next_frame, start_frame, steps_per_frame};
use serde_json::json;

use crate::cases::HD;
use crate::scene;

/// Steps of a frame.
const STEPS: u32 = 2;
/// Radius of the solid, pixels.
const RADIUS: f64 = 60.0;
/// Its motion, pixels per frame.
const SHIFT: f64 = 3.0;
/// Period of its motion, frames.
const ROUND: usize = 64;

/// Measures the fastest instruction set on all threads for about `budget`; prints the row, or its name alone.
pub fn measure(filter: &[String], list: bool, budget: Duration, threads: usize) {
    let isa = Isa::available().into_iter().next_back().expect("a processor has an instruction set");
    let name =
        format!("{}, {threads} threads, 1920x1080 wet plain ripples around a moving solid {STEPS} steps", isa.name());
    if !filter.iter().all(|text| name.contains(text.as_str())) {
        return;
    }
    if list {
        println!("{name}");
        return;
    }
    eprintln!("{name}");
    let (width, height) = HD;
    let constants = scene::constants(Model::Ripples, Order::Second);
    let spec = Spec { grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 }, constants };
    let settings = Settings { water_level: 1.0, ..scene::ripples(STEPS) };
    assert_eq!(steps_per_frame(&spec, &settings), (STEPS, false), "the speed makes other steps");
    let cpu = Cpu::with_isa(threads, isa);
    let pictures: Vec<Pixels> = (0..ROUND).map(disc).collect();
    let inputs = |frame: usize| Inputs { obstacles: Some(pictures[frame % ROUND].clone()), ..Inputs::default() };
    let mut state = start_frame(&spec, &settings, &inputs(0), &cpu).0;
    let (mut times, mut frame, begun) = (Vec::new(), 1, Instant::now());
    while times.len() < 8 || begun.elapsed() < budget {
        let pictures = inputs(frame);
        let clock = Instant::now();
        state = next_frame(&spec, &state, &settings, &pictures, &cpu, &mut || true).expect("nobody interrupts").0;
        // The first frames allocate memory.
        if frame > 2 {
            times.push(clock.elapsed());
        }
        frame += 1;
    }
    times.sort();
    let seconds = [times[0], times[times.len() / 2]].map(|time| time.as_secs_f64());
    let [best, median] = seconds.map(|seconds| (width * height) as f64 * f64::from(STEPS) / seconds / 1e6);
    println!(
        "{}",
        json!({
            "row": "kernel", "role": "frame", "name": isa.name(), "threads": threads, "width": width, "height": height,
            "scene": "wet", "pigment": false, "model": "ripples around a moving solid", "steps": STEPS,
            "runs": times.len(), "least_seconds": seconds[0], "median_seconds": seconds[1], "best": best,
            "median": median, "bytes": 0, "bandwidth": 0.0, "wet_before": 1.0, "wet_after": 1.0,
        })
    );
}

/// The solid of a frame, in alpha.
fn disc(frame: usize) -> Pixels {
    let (width, height) = HD;
    let away = if frame < ROUND / 2 { frame } else { ROUND - frame } as f64 * SHIFT;
    let centre = [width as f64 * 0.4 + away, height as f64 * 0.5];
    let inside = |i: usize| ((i % width) as f64 - centre[0]).hypot((i / width) as f64 - centre[1]) < RADIUS;
    (0..width * height).map(|i| [0.0, 0.0, 0.0, if inside(i) { 1.0 } else { 0.0 }]).collect::<Vec<_>>().into()
}

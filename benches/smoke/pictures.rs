//! Times of smoke's pictures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::picture::smoke::{Output, Shading, paint_smoke};
use flow_ofx::picture::{Canvas, Format, Placement};
use flow_ofx::sim::smoke::quantities::Quantity;
use flow_ofx::sim::smoke::{Air, State};
use serde_json::{Value, json};

use crate::comparison::least_and_median;

/// The painted outputs, by their names in the interface.
const OUTPUTS: [(&str, Output); 6] = [
    ("Dye", Output::Raw(Quantity::Dye)),
    ("Smoke", Output::Smoke),
    ("Fire", Output::Fire),
    ("Velocity", Output::Raw(Quantity::Velocity)),
    ("Motion vectors", Output::Raw(Quantity::Motion)),
    ("Vorticity", Output::Raw(Quantity::Vorticity)),
];

/// The name that filters match, after the device's.
pub fn name((width, height): (usize, usize)) -> String {
    format!("{width}x{height} smoke pictures")
}

/// Paints each output of the air, whose temperature is its red dye, as 32-bit RGBA, in turn, for about `budget` each.
pub fn run(cpu: &Cpu, name: &str, air: &State, budget: Duration) -> Value {
    let temperature = air.air.dye.iter().map(|dye| dye[0]).collect();
    let hot = Air { temperature: Some(temperature), ..(*air.air).clone() };
    let state = State { air: Arc::new(hot), ..air.clone() };
    let (width, height) = (state.grid.width, state.grid.height);
    let placement = Placement::of_pixels([0, 0, width as i32, height as i32], [1.0; 2], 1.0);
    let mut pixels = vec![[0.0_f32; 4]; width * height];
    let mut times: [Vec<Duration>; OUTPUTS.len()] = Default::default();
    let begun = Instant::now();
    // The first of each warms up.
    while times[0].len() < 4 || begun.elapsed() < OUTPUTS.len() as u32 * budget {
        for ((_, output), times) in OUTPUTS.iter().zip(&mut times) {
            let rows = bytemuck::cast_slice_mut(&mut pixels).chunks_mut(width * Format::PLAIN.bytes()).collect();
            let canvas = Canvas { placement, format: Format::PLAIN, rows };
            let clock = Instant::now();
            paint_smoke(cpu, &state, *output, &Shading::default(), &placement, canvas);
            times.push(clock.elapsed());
        }
    }
    let figures: Vec<_> =
        OUTPUTS.iter().zip(times).map(|(output, mut times)| (output.0, least_and_median(times.split_off(1)))).collect();
    json!({ "row": "smokepictures", "name": name, "threads": cpu.threads(), "width": width, "height": height, "outputs": figures })
}

//! One frame of the heat equation `∂T/∂t = κ ∇²T + S` with insulated sides, in explicit steps.

use flow_ofx::compute::cpu::Cpu;

use crate::panel::Settings;

/// Conduction number of a step at most; explicit steps are stable up to 1/6.
const MOST: f64 = 0.125;

/// Steps that a share of a frame takes.
pub fn count(settings: &Settings, share: f64) -> u32 {
    (settings.conductivity * share / MOST).ceil().max(1.0) as u32
}

/// The part of a cell that the source covers, 0 to 1.
fn cover(settings: &Settings, cell: [usize; 3]) -> f32 {
    let away = |axis: usize| cell[axis] as f64 + 0.5 - settings.centre[axis];
    let distance = (0..3).map(|axis| away(axis) * away(axis)).sum::<f64>().sqrt();
    (settings.radius - distance + 0.5).clamp(0.0, 1.0) as f32
}

/// The temperatures of the start.
pub fn start([width, height, depth]: [usize; 3], settings: &Settings) -> Vec<f32> {
    let cell = |at: usize| [at % width, at / width % height, at / (width * height)];
    (0..width * height * depth).map(|at| settings.start as f32 * cover(settings, cell(at))).collect()
}

/// The temperatures after a share of a frame, and the number of steps; `None` after an abort.
pub fn advance(
    cpu: &Cpu,
    shape: [usize; 3],
    before: &[f32],
    settings: &Settings,
    share: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Vec<f32>, u64)> {
    let steps = count(settings, share);
    let number = (settings.conductivity * share / f64::from(steps)) as f32;
    let heat = (settings.strength * share / f64::from(steps)) as f32;
    let (mut from, mut to) = (before.to_vec(), vec![0.0; before.len()]);
    for _ in 0..steps {
        if !go_on() {
            return None;
        }
        let slices = to.chunks_mut(shape[0] * shape[1]).enumerate().collect();
        cpu.each(slices, |(z, slice): (usize, &mut [f32])| conduct(shape, &from, settings, [number, heat], z, slice));
        std::mem::swap(&mut from, &mut to);
    }
    Some((from, u64::from(steps)))
}

/// A step of the slice `z`: `T + number·Σ(neighbour − T) + heat·cover`, a neighbour beyond a side counting as the cell.
fn conduct(
    [width, height, depth]: [usize; 3],
    from: &[f32],
    settings: &Settings,
    [number, heat]: [f32; 2],
    z: usize,
    slice: &mut [f32],
) {
    let at = |x: usize, y: usize, z: usize| from[(z * height + y) * width + x];
    for (place, out) in slice.iter_mut().enumerate() {
        let (x, y) = (place % width, place / width);
        let value = at(x, y, z);
        let flow = (at(x.saturating_sub(1), y, z) - value)
            + (at((x + 1).min(width - 1), y, z) - value)
            + (at(x, y.saturating_sub(1), z) - value)
            + (at(x, (y + 1).min(height - 1), z) - value)
            + (at(x, y, z.saturating_sub(1)) - value)
            + (at(x, y, (z + 1).min(depth - 1)) - value);
        let source = if heat == 0.0 { 0.0 } else { heat * cover(settings, [x, y, z]) };
        *out = value + number * flow + source;
    }
}

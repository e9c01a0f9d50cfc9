//! Taylor and Green's vortices and vortex rings: energy and vorticity that the steps keep.

use std::f64::consts::TAU;
use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::memory::Values;
use flow_ofx::sim::volume::settings::{Settings, Side};
use flow_ofx::sim::volume::state::{face_sizes, whole};
use flow_ofx::sim::volume::{State, advance, testing};

use crate::record::{Record, in_full};

/// Air without forces in a box.
fn air(cells: [usize; 3], side: Side, reflection: bool) -> Settings {
    Settings {
        fixed: true,
        sides: [[side; 2]; 3],
        emitters: Vec::new(),
        reflection,
        max_cfl: 100.0,
        buoyancy: 0.0,
        ..testing::plume(cells)
    }
}

/// A state with a velocity, given in cells per frame at positions in cells.
pub fn moving(cells: [usize; 3], velocity: impl Fn([f64; 3]) -> [f64; 3]) -> State {
    let mut state = State::still(whole(cells), 1, [0.0; 3]);
    for axis in 0..3 {
        let size = face_sizes(cells, axis);
        let mut values = Values::zeros(size.iter().product());
        for (index, value) in values.iter_mut().enumerate() {
            let at = [index % size[0], index / size[0] % size[1], index / (size[0] * size[1])];
            let place = std::array::from_fn(|along| at[along] as f64 + if along == axis { 0.0 } else { 0.5 });
            *value = velocity(place)[axis] as f32;
        }
        state.velocity[axis] = Arc::new(values);
    }
    state
}

/// Kinetic energy of the faces; of wrapped axes without the last faces, which are the first.
fn energy(state: &State, wrapped: bool) -> f64 {
    let cells = state.bounds.cells;
    let mut sum = 0.0;
    for axis in 0..3 {
        let size = face_sizes(cells, axis);
        for (index, value) in state.velocity[axis].iter().enumerate() {
            let at = [index % size[0], index / size[0] % size[1], index / (size[0] * size[1])];
            if !(wrapped && at[axis] == cells[axis]) {
                sum += f64::from(*value).powi(2);
            }
        }
    }
    sum
}

/// Largest vorticity at the edges of cells.
fn peak_vorticity(state: &State) -> f64 {
    let cells = state.bounds.cells;
    let value = |axis: usize, at: [usize; 3]| {
        let size = face_sizes(cells, axis);
        f64::from(state.velocity[axis][at[0] + size[0] * (at[1] + size[1] * at[2])])
    };
    let mut most = 0.0_f64;
    for z in 1..cells[2] {
        for y in 1..cells[1] {
            for x in 1..cells[0] {
                let at = [x, y, z];
                let back = |axis: usize| std::array::from_fn(|along| at[along] - usize::from(along == axis));
                let slope = |of: usize, along: usize| value(of, at) - value(of, back(along));
                let curl = [slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)];
                most = most.max(curl.iter().map(|w| w * w).sum::<f64>().sqrt());
            }
        }
    }
    most
}

/// Energies, relative to the first, after each of `steps` steps.
fn kept(start: &State, settings: &Settings, steps: usize) -> (Vec<f64>, State) {
    let cpu = Cpu::new(2);
    let wrapped = settings.sides[0][0] == Side::Wrapped;
    let first = energy(start, wrapped);
    let mut state = start.clone();
    let mut curve = Vec::new();
    for _ in 0..steps {
        state = advance(&state, settings, 1.0, &cpu, &mut || true).expect("a CPU does not fail").0;
        curve.push(energy(&state, wrapped) / first);
    }
    (curve, state)
}

/// Taylor and Green's vortices in a box whose side is `extent` of their unit, at `time` units per frame.
fn vortices(n: usize, extent: f64, time: f64) -> State {
    let unit = extent / n as f64;
    let speed = time / unit;
    moving([n; 3], |place| {
        let [x, y, z] = place.map(|x| x * unit);
        [speed * x.sin() * y.cos() * z.cos(), -speed * x.cos() * y.sin() * z.cos(), 0.0]
    })
}

#[test]
fn vortices_in_a_wrapped_box_keep_their_energy() {
    let mut record = Record::new("volume-vortices", "CPU");
    // 24 projections up to the time 6.
    let n = if in_full() { 48 } else { 32 };
    for (reflection, steps, bounds) in [(true, 12, [0.99, 0.95]), (false, 24, [0.83, 0.64])] {
        record.under(format!("{n}³ cells, wrapped, reflection {reflection}, {steps} steps up to the time 6"));
        let start = vortices(n, TAU, 6.0 / steps as f64);
        let (curve, _) = kept(&start, &air([n; 3], Side::Wrapped, reflection), steps);
        if in_full() {
            record.at_least("Taylor-Green, energy at t = 3", curve[steps / 2 - 1], bounds[0]);
            record.at_least("Taylor-Green, energy at t = 6", curve[steps - 1], bounds[1]);
        } else {
            record.at_least("Taylor-Green, energy at t = 3", curve[steps / 2 - 1], bounds[0] - 0.07);
            record.at_least("Taylor-Green, energy at t = 6", curve[steps - 1], bounds[1] - 0.15);
        }
        let most = curve.iter().copied().fold(0.0, f64::max);
        record.at_most("Taylor-Green, largest energy", most, if in_full() { 1.03 } else { 1.04 });
    }
    let start = vortices(32, TAU, 0.25 * 32.0 / 32.0);
    record.under("32³ cells, wrapped, reflection, 24 steps up to the time 6");
    let (curve, _) = kept(&start, &air([32; 3], Side::Wrapped, true), 24);
    record.at_most("Taylor-Green, largest energy at CFL 1", curve.iter().copied().fold(0.0, f64::max), 1.07);
    record.save();
}

#[test]
fn vortices_in_a_closed_box_keep_their_energy() {
    let mut record = Record::new("volume-closed-vortices", "CPU");
    record.under("24³ cells, closed, reflection, 12 steps up to the time 6");
    let start = vortices(24, TAU / 2.0, 0.5);
    let (curve, _) = kept(&start, &air([24; 3], Side::Closed, true), 12);
    record.at_least("Taylor-Green in a closed box, energy at t = 6", curve[11], 0.94);
    record.save();
}

/// Two rings of the radius 8 about the vertical axis, one behind the other, as in the measurements of the scheme.
fn rings(cells: [usize; 3]) -> State {
    let [cx, _, cz] = cells.map(|n| n as f64 / 2.0);
    let (radius, core, circulation) = (10.0, 3.0, 12.0);
    moving(cells, |place| {
        let mut sum = [0.0; 3];
        for height in [18.0, 30.0] {
            // Biot and Savart's law over a ring of straight pieces with a smooth core.
            let pieces = 48;
            for piece in 0..pieces {
                let angle = TAU * piece as f64 / pieces as f64;
                let (sin, cos) = angle.sin_cos();
                let from = [place[0] - cx - radius * cos, place[1] - height, place[2] - cz - radius * sin];
                let along = [-sin, 0.0, cos].map(|t| -t * radius * TAU / pieces as f64);
                let distance = from.iter().map(|d| d * d).sum::<f64>() + core * core;
                let by = circulation / (2.0 * TAU) / distance.powf(1.5);
                sum[0] += by * (along[1] * from[2] - along[2] * from[1]);
                sum[1] += by * (along[2] * from[0] - along[0] * from[2]);
                sum[2] += by * (along[0] * from[1] - along[1] * from[0]);
            }
        }
        sum
    })
}

#[test]
fn vortex_rings_keep_energy_and_vorticity() {
    let mut record = Record::new("volume-rings", "CPU");
    let cells = [48, 96, 48];
    let frames = if in_full() { 60 } else { 12 };
    record.under(format!("two rings in 48 × 96 × 48 cells, open, {frames} frames"));
    let start = rings(cells);
    let relative = |reflection: bool| {
        let settings = air(cells, Side::Open, reflection);
        // The first projection removes the error of the pieces.
        let (_, first) = kept(&start, &settings, 1);
        let (curve, last) = kept(&first, &settings, frames);
        [*curve.last().expect("frames"), peak_vorticity(&last) / peak_vorticity(&first)]
    };
    let ([energy, peak], [plain_energy, plain_peak]) = (relative(true), relative(false));
    record.at_least("energy with reflection", energy, 0.92);
    record.at_least("peak vorticity with reflection", peak, 0.58);
    record.row("energy of plain steps", "", plain_energy);
    record.row("peak vorticity of plain steps", "", plain_peak);
    assert!(energy > plain_energy && peak > plain_peak);
    record.save();
}

//! Forcing of the smoke: pictures, brush, jets, forces, solids and a following grid.

mod adopt;
mod brush;
mod forces;
mod grid;
mod jets;
mod pictures;
mod sanity;
mod shapes;
#[path = "../smoke/mod.rs"]
mod smoke;
mod solids;
mod wake;

use std::f64::consts::PI;
use std::sync::Arc;

use flow_ofx::sim::channel::Channel;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::Workers;
use flow_ofx::sim::smoke::forcing::{
    Forcing, GridMotion, InitialSource, Patch, VelocityForcing, grid_motion, rasterise,
};
use flow_ofx::sim::smoke::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::smoke::settings::{
    Boundary, Brush, Jet, Noise, PointForce, Settings, SourceMode, Spec, VelocityMode,
};
use flow_ofx::sim::smoke::state::{Air, Solids, State};
use smoke::{jet, settings};

/// One thread.
struct Alone;

impl Workers for Alone {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

/// Three threads, each from its last item to its first.
struct Crowd;

impl Workers for Crowd {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || (0..count).rev().filter(|i| i % 3 == thread).for_each(work));
            }
        });
    }
}

fn spec(width: usize, height: usize, cells_per_pixel: f64) -> Spec {
    let spec = smoke::spec(width, height, [Boundary::Open; 4]);
    Spec { grid: Grid { cells_per_pixel, ..spec.grid }, ..spec }
}

fn still(spec: &Spec) -> GridMotion {
    GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] }
}

/// Air at rest.
fn state(spec: &Spec, solids: Option<Arc<Solids>>) -> State {
    let grid = spec.grid;
    State { grid, edges: spec.constants.edges, air: Arc::new(Air::default()), solids, remainder: [0.0; 4] }
}

/// The frame after air at rest.
fn frame(spec: &Spec, settings: &Settings, inputs: &Inputs, time: f64) -> Forcing {
    rasterise(spec, settings, inputs, &still(spec), Some(&state(spec, None)), time, &Alone)
}

fn picture(spec: &Spec, value: impl Fn(usize, usize) -> [f32; 4]) -> Pixels {
    let width = spec.grid.width;
    Arc::new((0..spec.grid.cells()).map(|cell| value(cell % width, cell / width)).collect())
}

/// A patch over its whole plane.
fn plane<T: Copy + Default>(patch: &Patch<T>, width: usize, height: usize) -> Vec<T> {
    let mut all = vec![T::default(); width * height];
    assert!(patch.width > 0 && patch.height > 0 && patch.values.len() == patch.width * patch.height);
    assert!(patch.x + patch.width <= width && patch.y + patch.height <= height, "the patch lies on the plane");
    for row in 0..patch.height {
        let at = (patch.y + row) * width + patch.x;
        all[at..at + patch.width].copy_from_slice(&patch.values[row * patch.width..(row + 1) * patch.width]);
    }
    all
}

/// Velocities and weights of the only force that steers, at both kinds of faces.
fn steered(spec: &Spec, forcing: &Forcing) -> [Vec<[f32; 2]>; 2] {
    let (w, h) = (spec.grid.width, spec.grid.height);
    [(&forcing.u, w + 1, h), (&forcing.v, w, h + 1)].map(|(pushes, w, h)| match &pushes[..] {
        [VelocityForcing::Steer(patch)] => plane(patch, w, h),
        other => panic!("one steering push, not {}", other.len()),
    })
}

/// Added velocities, summed over all forces.
fn added(spec: &Spec, forcing: &Forcing) -> [Vec<f32>; 2] {
    let (w, h) = (spec.grid.width, spec.grid.height);
    [(&forcing.u, w + 1, h), (&forcing.v, w, h + 1)].map(|(pushes, w, h)| {
        let mut all = vec![0.0; w * h];
        for push in pushes {
            let VelocityForcing::Add(patch) = push else { panic!("only added") };
            all.iter_mut().zip(plane(patch, w, h)).for_each(|(sum, v)| *sum += v);
        }
        all
    })
}

fn total(patches: &[Patch<[f32; 4]>]) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for value in patches.iter().flat_map(|p| &p.values) {
        (0..4).for_each(|i| sums[i] += f64::from(value[i]));
    }
    sums
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-30), "{what}: {found} instead of {expected}");
}

fn brush(previous: [f64; 2], centre: [f64; 2], radius: f64) -> Settings {
    let brush = Brush { centre, previous, radius, softness: 0.0, force: 1.0, colour: [0.5, 0.25, 1.0, 0.8] };
    Settings { brush: Some(brush), ..settings() }
}

fn with_jet(jet: Jet) -> Settings {
    Settings { jets: vec![jet], ..settings() }
}

fn source(spec: &Spec, has_alpha: bool, premultiplied: bool, value: impl Fn(usize, usize) -> [f32; 4]) -> Inputs {
    let source = SourcePixels { pixels: picture(spec, value), has_alpha, premultiplied };
    Inputs { source: Some(source), ..Inputs::default() }
}

/// A straight picture with an alpha.
fn with_alpha(pixels: Pixels) -> SourcePixels {
    SourcePixels { pixels, has_alpha: true, premultiplied: false }
}

fn noise(frame_number: i64) -> Settings {
    let noise = Noise { strength: 2.0, size: 24.0, octaves: 1, speed: 0.02, lead: 0.0, drift: [0.0; 2], seed: 3 };
    Settings { frame: frame_number, noise: Some(noise), ..settings() }
}

/// A matte of a box, its velocities if given, and the solids before.
fn box_matte(spec: &Spec, x: i64, y: i64, w: i64, h: i64) -> Pixels {
    picture(spec, |cx, cy| {
        let within = (x..x + w).contains(&(cx as i64)) && (y..y + h).contains(&(cy as i64));
        [0.0, 0.0, 0.0, if within { 1.0 } else { 0.5 }]
    })
}

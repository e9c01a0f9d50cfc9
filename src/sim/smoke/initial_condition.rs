//! A state from the layers of an image, written by this or another program.

use std::sync::Arc;

use super::frame::start_frame;
use super::settings::Boundary;
use super::state::{Air, Diagnostics, State};
use super::{Inputs, Settings, Spec, Workers};
use crate::sim::fluid::VALUE_MAX;
use crate::sim::inputs::Pixels;
use crate::sim::memory::Values;
use crate::sim::request;

/// Layers of an image on the grid: one pixel per cell, row after row from the lowest, in the units of
/// [`Quantity`](super::quantities::Quantity).
#[derive(Clone, Debug, Default)]
pub struct InitialCondition {
    /// RGB: the colour of the dye, premultiplied. A: its density, unless `density` is given.
    pub dye: Pixels,
    /// R: the density, 0 and up.
    pub density: Option<Pixels>,
    /// R: velocity to the right, G: up, in pixels per frame. `None`: the air is at rest.
    pub velocity: Option<Pixels>,
    /// R: the temperature.
    pub temperature: Option<Pixels>,
}

/// The state that the layers describe, around the solids of `inputs`. Brush and jets do not act. Values that are not
/// finite become 0; `bad_pixels.start` counts their pixels.
pub fn initial_state(
    spec: &Spec,
    settings: &Settings,
    inputs: &Inputs,
    images: &InitialCondition,
    workers: &dyn Workers,
) -> (State, Diagnostics) {
    let without_inflow = Settings { jets: Vec::new(), brush: None, ..settings.clone() };
    let (empty, mut diagnostics) = start_frame(spec, &without_inflow, inputs, workers);
    let grid = empty.grid;
    let mut bad: Vec<bool> = request::zeros(grid.cells());
    let mut clean = |at: usize, value: f32, least: f32| {
        bad[at] |= !value.is_finite();
        if value.is_finite() { value.clamp(least, VALUE_MAX) } else { 0.0 }
    };
    let mut dye: Values<[f32; 4]> = Values::zeros(grid.cells());
    for (at, (to, &[r, g, b, a])) in dye.iter_mut().zip(&*images.dye).enumerate() {
        let density = images.density.as_ref().map_or(a, |density| density[at][0]);
        // Colour of a density above 1 is shown divided by the density.
        let share = if images.density.is_some() && a > 0.0 { density / a } else { 1.0 };
        let [r, g, b] = [r, g, b].map(|shown| clean(at, shown * share, -VALUE_MAX));
        *to = [r, g, b, clean(at, density, 0.0)];
    }
    let cells = grid.cells_per_pixel as f32;
    let velocity: Option<Vec<[f32; 2]>> = images.velocity.as_ref().map(|pixels| {
        let velocity =
            |(at, &[x, y, ..]): (usize, &[f32; 4])| [x, y].map(|pixels| clean(at, pixels * cells, -VALUE_MAX));
        request::collected(pixels.iter().enumerate().map(velocity))
    });
    let mut temperature: Option<Values<f32>> = images.temperature.as_ref().map(|pixels| {
        let mut plane: Values<f32> = Values::zeros(grid.cells());
        let cells = plane.iter_mut().zip(&**pixels).enumerate();
        cells.for_each(|(at, (to, pixel))| *to = clean(at, pixel[0], -VALUE_MAX));
        plane
    });
    // A state without heat has no temperature; a file holds 0 in its place.
    temperature = temperature.filter(|plane| plane.iter().any(|value| *value != 0.0));
    let solids = empty.solids.as_deref();
    for at in (0..grid.cells()).filter(|&at| solids.is_some_and(|solids| solids.solid[at])) {
        dye[at] = [0.0; 4];
        if let Some(temperature) = &mut temperature {
            temperature[at] = 0.0;
        }
    }
    let mut air = Air { dye, dye_map: None, temperature, fire: None, ..(*empty.air).clone() };
    if let Some(velocity) = velocity {
        set_face_velocities(&mut air, &empty, &velocity);
    }
    diagnostics.bad_pixels.start = bad.into_iter().filter(|bad| *bad).count() as u64;
    (State { air: Arc::new(air), ..empty }, diagnostics)
}

/// Sets the velocity of the faces from that of the cells: the mean of both cells, 0 on a closed side, the inner cell's
/// on an open one. Faces of solids keep the solid's velocity.
fn set_face_velocities(air: &mut Air, empty: &State, velocity: &[[f32; 2]]) {
    let [width, height] = [empty.grid.width, empty.grid.height];
    let solid =
        |cell: Option<usize>| cell.is_some_and(|cell| empty.solids.as_ref().is_some_and(|solids| solids.solid[cell]));
    let mut set = |axis: usize, face: usize, at: usize, cells: usize, cell: &dyn Fn(usize) -> usize| {
        let (low, high) = (empty.edges[2 * axis], empty.edges[2 * axis + 1]);
        let wraps = low == Boundary::Wrap;
        let before = if at > 0 { Some(cell(at - 1)) } else { wraps.then(|| cell(cells - 1)) };
        let behind = if at < cells { Some(cell(at)) } else { wraps.then(|| cell(0)) };
        if solid(before) || solid(behind) {
            return;
        }
        let closed = (at == 0 && low == Boundary::Closed) || (at == cells && high == Boundary::Closed);
        let value = match (before, behind) {
            _ if closed => 0.0,
            (Some(before), Some(behind)) => f32::midpoint(velocity[before][axis], velocity[behind][axis]),
            (Some(one), None) | (None, Some(one)) => velocity[one][axis],
            (None, None) => 0.0,
        };
        if axis == 0 { air.u[face] = value } else { air.v[face] = value }
    };
    for y in 0..height {
        for x in 0..=width {
            set(0, y * (width + 1) + x, x, width, &|x| y * width + x);
        }
    }
    for y in 0..=height {
        for x in 0..width {
            set(1, y * width + x, y, height, &|y| y * width + x);
        }
    }
}

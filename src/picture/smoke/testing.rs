//! States for the tests of the pictures of smoke.

use std::sync::Arc;

use crate::sim::grid::Grid;
use crate::sim::smoke::settings::Boundary;
use crate::sim::smoke::{Air, State};

/// Still smoke of the dye and temperature that a function gives for a cell.
pub fn smoke(size: [usize; 2], cell: impl Fn(usize, usize) -> ([f32; 4], f32)) -> State {
    let [width, height] = size;
    let (dye, temperature): (Vec<_>, Vec<_>) = (0..width * height).map(|i| cell(i % width, i / width)).unzip();
    let air = Air {
        u: vec![0.5; (width + 1) * height].into(),
        v: vec![-0.25; width * (height + 1)].into(),
        pressure: vec![0.0; width * height].into(),
        dye: dye.into(),
        temperature: Some(temperature.into()),
        dye_map: None,
        fire: None,
    };
    let grid = Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 };
    State { grid, edges: [Boundary::Open; 4], air: Arc::new(air), solids: None, remainder: [0.0; 4] }
}

//! From a state to a picture: the raw layers.

use super::placement::Placement;
use super::resample::resample;
use super::straight::{premultiply, unpremultiply};
use crate::sim::State;

/// A raw layer of the water, four channels a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// RGB the water's colour, A its height.
    Water,
    /// R water, G surface, B terrain, A wet.
    Height,
    /// Flow per step to the left, up, right, down.
    Cross,
    /// Flow per step to the upper left, upper right, lower right, lower left.
    Diagonal,
}

/// Paints a layer over `target`, row by row, lowest first. Where cells and pixels coincide, pixels are the cells'
/// values, exactly; colour is averaged by height, so that dry neighbours do not darken it. Outside the grid all is 0.
pub fn paint<E>(
    state: &State,
    layer: Layer,
    grid: &Placement,
    target: &Placement,
    mut sink: impl FnMut(usize, &[[f32; 4]]) -> Result<(), E>,
) -> Result<(), E> {
    let by_height = layer == Layer::Water && !grid.coincides(target);
    let mut line = vec![[0.0_f32; 4]; target.x.count];
    let row = |y: usize, out: &mut [[f32; 4]]| {
        match layer {
            Layer::Water => state.water_row(y, out),
            Layer::Height => state.height_row(y, out),
            Layer::Cross => state.cross_row(y, out),
            Layer::Diagonal => state.diagonal_row(y, out),
        }
        if by_height {
            out.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
        }
        Ok(())
    };
    resample(grid, target, row, |y, pixels| {
        if !by_height {
            return sink(y, pixels);
        }
        for (out, pixel) in line.iter_mut().zip(pixels) {
            *out = unpremultiply(*pixel);
        }
        sink(y, &line)
    })
}

//! The water as a file's content.

use std::collections::BTreeMap;

use flow_cache::{Blob, BlobRows, Header, Layer};

use super::frame_state::FrameState;
use crate::sim::diagnostics::{DIAGNOSTICS, Diagnostic};
use crate::sim::water::settings::Model;
use crate::sim::water::surface_maps::{FOAM, WETNESS};
use crate::sim::{
    self,
    water::{Spec, State},
};
use crate::timeline::disk::Stored;

/// The model as the header names it, and its version.
pub fn model(model: Model) -> (String, u32) {
    let name = match model {
        Model::Pipes => "org.flowofx.Flow Pipes",
        Model::Classic => "org.flowofx.Flow Classic pipes",
        Model::ShallowWater => "org.flowofx.Flow Shallow water",
        Model::Ripples => "org.flowofx.Flow Ripples",
    };
    (name.to_owned(), sim::water::MODEL_VERSION)
}

/// The water of a file, as a state of the simulation of `spec`.
///
/// # Errors
/// Why it is no state of that simulation.
pub fn restore(spec: &Spec, header: &Header, blobs: Vec<Blob>) -> Result<FrameState, String> {
    let blobs = blobs.into_iter().map(Blob::into_ints).collect::<Result<_, _>>()?;
    let number = |name: &str| header.numbers.get(name).copied();
    let water = State::from_exact(spec, &number, blobs).map_err(|unfit| unfit.to_string())?;
    Ok(FrameState::new(water, Diagnostic::read(DIAGNOSTICS, &header.numbers)))
}

impl Stored for FrameState {
    fn header(&self) -> Header {
        let grid = self.water.grid();
        let mut numbers: BTreeMap<String, u64> = self.water.exact_numbers().into_iter().collect();
        self.diagnostics.write(DIAGNOSTICS, &mut numbers);
        Header { origin: grid.origin.to_vec(), cells_per_pixel: grid.cells_per_pixel, numbers, ..Header::default() }
    }

    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {
        let water = &self.water;
        let exact = water.exact_planes();
        let list = exact.list();
        let blobs: Vec<BlobRows<'_>> =
            list.iter().map(|plane| BlobRows::ints(plane.name, move |y| plane.row(y))).collect();
        let steps = self.diagnostics.steps;
        let mut layers = vec![
            layer(&["R", "G", "B", "A"], Box::new(|y, out| water.water_row(y, out))),
            layer(&["cross.R", "cross.G", "cross.B", "cross.A"], Box::new(|y, out| water.cross_row(y, out))),
            layer(
                &["diagonal.R", "diagonal.G", "diagonal.B", "diagonal.A"],
                Box::new(|y, out| water.diagonal_row(y, out)),
            ),
            layer(
                &["surface.surface", "surface.terrain", "surface.wet"],
                Box::new(|y, out| {
                    water.height_row(y, out);
                    out.iter_mut().for_each(|pixel| pixel.rotate_left(1));
                }),
            ),
            layer(&["velocity.x", "velocity.y"], Box::new(move |y, out| water.velocity_row(y, steps, out))),
        ];
        if water.surface_maps().is_some() {
            for (name, plane) in [("foam.foam", FOAM), ("wetness.wetness", WETNESS)] {
                layers.push(layer(&[name], Box::new(move |y, out| water.surface_map_cells(plane, y, 0, out))));
            }
        }
        to(&blobs, &layers);
    }
}

type LayerRow<'a> = Box<dyn Fn(usize, &mut [[f32; 4]]) + Sync + Send + 'a>;

fn layer<'a>(names: &[&str], row: LayerRow<'a>) -> Layer<'a> {
    Layer { names: names.iter().map(|name| (*name).to_owned()).collect(), row }
}

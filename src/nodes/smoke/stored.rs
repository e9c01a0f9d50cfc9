//! The smoke as the contents of a file.

use std::collections::BTreeMap;

use flow_cache::{Blob, BlobRows, Header, Layer};

use super::frame_state::FrameState;
use crate::picture::smoke::layer_row;
use crate::sim::diagnostics::{DIAGNOSTICS, Diagnostic};
use crate::sim::smoke::quantities::QUANTITIES;
use crate::sim::smoke::{self, Spec, State};
use crate::timeline::disk::Stored;

/// Prefix of the names of the model.
const MODEL: &str = "org.flowofx.FlowSmoke ";

/// Name of the model in the header, and its version. The bits depend on the device class, so each class has its name.
pub fn model(class: &str) -> (String, u32) {
    (format!("{MODEL}{class}"), smoke::MODEL_VERSION)
}

/// Whether a header names this model, for any device class.
pub fn is_model(name: &str) -> bool {
    name.starts_with(MODEL)
}

/// The smoke of a file, as a state of the simulation of `spec`.
///
/// # Errors
/// The reason why the file is no state of that simulation.
pub fn restore(spec: &Spec, header: &Header, blobs: Vec<Blob>) -> Result<FrameState, String> {
    let blobs = blobs.into_iter().map(Blob::into_floats).collect::<Result<_, _>>()?;
    let number = |name: &str| header.numbers.get(name).copied();
    let smoke = State::from_exact(spec, &number, blobs).map_err(|unfit| unfit.to_string())?;
    Ok(FrameState { smoke, diagnostics: Diagnostic::read(DIAGNOSTICS, &header.numbers) })
}

impl Stored for FrameState {
    fn header(&self) -> Header {
        let grid = self.smoke.grid;
        let mut numbers: BTreeMap<String, u64> = self.smoke.exact_numbers().into_iter().collect();
        self.diagnostics.write(DIAGNOSTICS, &mut numbers);
        Header { origin: grid.origin.to_vec(), cells_per_pixel: grid.cells_per_pixel, numbers, ..Header::default() }
    }

    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {
        let smoke = &self.smoke;
        let blobs: Vec<BlobRows<'_>> =
            smoke.exact_planes().into_iter().map(|plane| BlobRows::floats(plane.name, plane.fill)).collect();
        let layers = QUANTITIES.map(|named| Layer {
            names: named.channels.iter().map(|name| (*name).to_owned()).collect(),
            row: Box::new(move |y, out| layer_row(smoke, named.quantity, y, out)),
        });
        to(&blobs, &layers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_every_class_of_devices_are_of_this_model() {
        assert!(["cpu", "gpu"].into_iter().all(|class| is_model(&model(class).0)));
        assert!(!is_model("org.flowofx.Flow Pipes") && !is_model("org.flowofx.FlowSmokeToo cpu"));
    }
}

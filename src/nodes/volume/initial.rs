//! A state of the disk cache as the start of the volume.

use flow_cache::{Pool, Wanted};

use super::MODEL;
use super::controls::Id;
use super::values::BoxSize;
use crate::nodes::common::initial::{Initial, Loaded};
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::Values;
use crate::nodes::volume_state::stored;
use crate::ofx::Result;
use crate::sim::volume::{Diagnostics, MODEL_VERSION, State};

/// The file on the panel; `None` if no file is set. States of every device class can be continued.
///
/// # Errors
/// The file cannot be used; the error is a text for the artist.
pub fn read(values: &impl Values<Id>, time: f64, size: &BoxSize) -> Result<Option<Initial>> {
    let text = values.text(Id::Shared(Shared::InitialState), time);
    let ours = stored::shape(size.cells, size.detail);
    let Some(file) = Initial::read(&text, |model, shape| stored::is_model(MODEL, model) && shape == ours)? else {
        return Ok(None);
    };
    if file.is_exact() {
        return Ok(Some(file));
    }
    Err(file.refused(
        "it is no state of FlowVolume's disk cache with the Cells, the Smoke detail and the sides of this box. Set these \
         as they were when the file was made; for smoke of another program, set the Shape of an emitter to VDB file and \
         its Duration to 1.",
    ))
}

/// The state of the first frame.
///
/// # Errors
/// The file has changed, or holds no state of this box; the error is a text for the artist.
pub fn start(file: &Initial, size: &BoxSize, threads: &dyn Pool) -> Result<(State, Diagnostics)> {
    let nothing = Wanted { alpha: "", layers: &[] };
    let Loaded::State(header, blobs) = file.load(MODEL_VERSION..=MODEL_VERSION, &nothing, threads)? else {
        return Err(file.refused("it is no state of a volume."));
    };
    stored::restore(&header, blobs, (size.cells, size.detail)).map_err(|why| file.unfit(&why))
}

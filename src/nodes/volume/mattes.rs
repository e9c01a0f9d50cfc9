//! The matte of the input Emission as the shape of emitters.

use std::sync::Arc;

use super::FlowVolume;
use super::box_view::BoxView;
use super::controls::{EmitterField, Id, MATTE, emitter_count};
use super::inputs::EMISSION;
use super::values::BoxSize;
use crate::nodes::common::node::Node as _;
use crate::nodes::common::pictures::Pictures;
use crate::nodes::common::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::Result;
use crate::sim::grid::Grid;
use crate::sim::volume::Settings;
use crate::sim::volume::matte::{Matte, MatteSource};

/// Whether an emitter of the panel has the matte of the input Emission as its shape at a time or at time 0, on or off:
/// the switch may have keys, and a frame depends on the mattes of all frames before it.
///
/// # Errors
/// A call to the host fails.
pub fn are_emitted(values: &impl Values<Id>, time: f64) -> Result<bool> {
    for n in 0..emitter_count(values, time)? {
        let shape = Id::Emitter(n, EmitterField::Shape);
        if values.choice(shape, time)? == MATTE || values.choice(shape, 0.0)? == MATTE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The notice about emitters without a connected matte.
pub fn unwired() -> &'static str {
    const TEXT: &str = "Emitters with the shape Matte emit nothing: connect a matte to the input Emission, or choose \
                        another Shape.";
    engine().notices().add(FlowVolume::ABOUT.folder, TEXT);
    TEXT
}

/// Whether emitters of the settings have a matte.
pub fn are_in(settings: &Settings) -> bool {
    settings.emitters.iter().any(|emitter| emitter.matte.is_some())
}

/// The matte of an emitter, without its picture. `half`: half its thickness, cells.
///
/// # Errors
/// A call to the host fails.
pub fn matte(
    values: &impl Values<Id>,
    place: (&BoxSize, &Grid),
    (at, half): ([f64; 3], f64),
    time: f64,
) -> Result<MatteSource> {
    Ok(MatteSource::new(BoxView::read(values, place, time)?.camera, at, half))
}

/// Adds the picture of a frame to the emitters that have a matte.
pub fn add_pictures(settings: &mut Settings, pictures: &Pictures) {
    let Some(picture) = pictures.get(EMISSION).filter(|_| are_in(settings)) else { return };
    let mut matte = Matte::new(picture.size, |at| picture.pixels[at][3]);
    if settings.emitters.iter().filter_map(|emitter| emitter.matte.as_ref()).any(MatteSource::has_colours) {
        matte = matte.with_colours(picture.premultiplied, |at| {
            let [red, green, blue, _] = picture.pixels[at];
            [red, green, blue]
        });
    }
    let matte = Arc::new(matte);
    for source in settings.emitters.iter_mut().filter_map(|emitter| emitter.matte.as_mut()) {
        source.matte = Some(Arc::clone(&matte));
    }
}

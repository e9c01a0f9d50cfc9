//! Nuke: floating point only, no generators, a picture cache that knows the current
//! frame alone, errors that stand until they are cleared, planes of motion, of which only the first version of the
//! suite is of use, and camera inputs.

use super::{Context, Depth, ImageIds, Overlays, Planes, Profile};

impl Profile {
    /// Nuke.
    #[must_use]
    pub fn nuke() -> Self {
        Self {
            name: "uk.co.thefoundry.nuke".into(),
            label: "nuke".into(),
            version: vec![15, 0, 6],
            version_label: "15.0v6".into(),
            contexts: vec![Context::Filter, Context::General],
            depths: vec![Depth::Float],
            components: vec![crate::Components::Rgba, crate::Components::Alpha],
            multiple_depths: false,
            image_ids: ImageIds::AllOnes,
            plugin_handle: false,
            sequential_on_descriptor: false,
            normalised_positions: true,
            persistent_message_blocks: true,
            animates: [false, true, true],
            overlays: Overlays::OpenGl,
            ..Self::generic()
        }
        .with_planes(Planes::Motion, 1)
        .with_cameras()
    }
}

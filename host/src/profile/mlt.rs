//! MLT (Kdenlive, Shotcut): one instance per frame unless renders are unsafe, without temporal
//! access, rows from the top down, no edits, no project.

use flow_openfx as ofx;

use super::{Brackets, Components, Context, Depth, ImageIds, Instances, Messages, Overlays, Profile, RowLayout};
use crate::Premultiplication;

impl Profile {
    /// MLT.
    #[must_use]
    pub fn mlt() -> Self {
        Self {
            name: "MLT".into(),
            label: "MLT".into(),
            version: vec![7, 41, 0],
            version_label: "7.41.0".into(),
            messages: Messages::Persistent,
            contexts: vec![Context::Filter],
            depths: vec![Depth::Byte, Depth::Short, Depth::Half, Depth::Float],
            components: vec![Components::Rgba, Components::Rgb],
            tiles: false,
            multi_resolution: false,
            multiple_depths: false,
            temporal_access: false,
            rows: RowLayout { negative: true, padding: 0 },
            image_ids: ImageIds::Random,
            instances: Instances::PerFrame,
            project_properties: false,
            project_properties_on_clones: false,
            ignores_time: true,
            scans_first: true,
            brackets: Brackets::Frame,
            sequential_status: 1,
            queries_before_render: false,
            reports_changes: false,
            field: ofx::Field::Both.as_str(),
            defaults_while_creating: true,
            shared_handle: true,
            premultiplication: Some(Premultiplication::Unpremultiplied),
            overlays: Overlays::None,
            ..Self::generic()
        }
    }
}

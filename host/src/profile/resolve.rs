//! DaVinci Resolve: no tiles, one resolution, every clip claims a connection, and the
//! persistent message calls are NULL.

use super::{Components, Context, Depth, Messages, Overlays, Profile, Unconnected};

impl Profile {
    /// DaVinci Resolve.
    #[must_use]
    pub fn resolve() -> Self {
        Self {
            name: "DaVinciResolve".into(),
            label: "DaVinci Resolve".into(),
            version: vec![16, 0, 0],
            version_label: "16.0".into(),
            api_version: Some((1, 3)),
            messages: Messages::NullPersistent,
            contexts: vec![Context::Filter, Context::General, Context::Transition, Context::Generator],
            depths: vec![Depth::Float, Depth::Short, Depth::Byte],
            components: vec![Components::Rgba, Components::Alpha],
            tiles: false,
            multi_resolution: false,
            multiple_depths: false,
            plugin_handle: false,
            all_connected: true,
            unconnected: Unconnected::Region,
            coordinate_system: false,
            threads: 1,
            render_scale: false,
            overlays: Overlays::OpenGl,
            ..Self::generic()
        }
    }
}

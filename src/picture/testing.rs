//! What tests of the water's pictures have in common.

use crate::sim::settings::{Channel, Constants, Edges, Model, Settings, SourceMode};

/// What holds for all frames.
pub fn constants(edges: Edges) -> Constants {
    Constants {
        model: Model::Pipes,
        edges,
        shut: [false; 4],
        diagonal_weight: 0.25,
        max_height: 8.0,
        colour_range: 16.0,
    }
}

/// Settings of a frame in which nothing but waves happens, over a terrain in red.
pub fn still() -> Settings {
    Settings {
        frame: 1,
        speed: 2.0,
        flow_rate: 0.1,
        gravity: 0.0,
        friction: 0.0,
        substeps: 1,
        time_scale: 1.0,
        damping: 0.0,
        smoothing: 0.1,
        source_mode: SourceMode::StartFrame,
        source_channel: Channel::Alpha,
        source_height: 1.0,
        emitter: None,
        drain: None,
        rain: 0.0,
        rain_size: 1.0,
        rain_colour: [0.0; 3],
        seed: 0,
        evaporation: 0.0,
        terrain_channel: Channel::Red,
        terrain_height: 1.0,
        terrain_offset: 0.0,
        terrain_invert: false,
        push: [0.0; 2],
        force_scale: 0.0,
        pressure_scale: 0.0,
    }
}

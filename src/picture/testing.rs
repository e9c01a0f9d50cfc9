//! Constants and settings for tests of the water's pictures.

use crate::sim::water::settings::{Channel, Constants, Edges, Model, Order, Settings};

/// Constants of a simulation.
pub fn constants(edges: Edges) -> Constants {
    Constants {
        model: Model::Pipes,
        order: Order::Second,
        edges,
        shut: [false; 4],
        absorb: [false; 4],
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
        smoothing: 0.1,
        source_height: 1.0,
        terrain_channel: Channel::Red,
        ..Settings::IDLE
    }
}

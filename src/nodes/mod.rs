//! The nodes of the bundle: one folder each, `common` for all, and `volume_state` for those that simulate volumes.

pub mod common;
mod devices;
pub mod engine;
pub mod notices;
pub mod particles;
mod quirks;
pub mod smoke;
pub mod volume;
mod volume_state;
pub mod water;

pub use devices::devices;

crate::plugins! {
    /// The nodes, in the order in which hosts see them.
    pub static PLUGINS = [water::Flow, smoke::FlowSmoke, particles::FlowParticles, volume::FlowVolume];
}

/// The text of a JSON string, without its quotes.
fn json_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::common::node::Node;
    use super::common::{controls, overlay};

    fn check<N: Node>() {
        controls::check::<N::Id>();
        overlay::check::<N>();
    }

    #[test]
    fn the_tables_of_parameters_are_sound_and_each_position_has_a_handle() {
        check::<super::water::Flow>();
        check::<super::smoke::FlowSmoke>();
        check::<super::particles::FlowParticles>();
        check::<super::volume::FlowVolume>();
    }
}

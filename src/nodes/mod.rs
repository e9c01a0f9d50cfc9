//! The nodes of the bundle: one folder each, and `common` for all.

pub mod common;
mod devices;
pub mod engine;
pub mod notices;
pub mod particles;
mod quirks;
pub mod smoke;
pub mod volume;
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

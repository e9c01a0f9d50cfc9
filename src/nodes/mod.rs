//! The nodes of the bundle: one folder each, and what they have in common.

pub mod common;
mod devices;
mod engine;
mod quirks;
pub mod smoke;
pub mod water;

pub use devices::devices;

crate::plugins! {
    /// The nodes, in the order in which hosts see them.
    pub static PLUGINS = [water::Flow, smoke::FlowSmoke];
}

/// Text for between the quotes of JSON.
fn json_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

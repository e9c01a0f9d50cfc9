//! The nodes of the bundle: one folder each.

pub mod controls;
mod engine;
pub mod flow;
mod quirks;

crate::plugins! {
    /// The nodes, in the order in which hosts see them.
    pub static PLUGINS = [flow::Flow];
}

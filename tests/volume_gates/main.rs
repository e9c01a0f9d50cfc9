//! The gates of the volume's numerics: known flows, conservation, and equal bits. With `FLOW_GATES` set to a folder, each
//! gate writes its results there, for the report; without it the long ones run in a reduced size.

mod bits;
mod detail;
mod flows;
mod plume;
mod projected;
#[path = "../record/mod.rs"]
mod record;
mod solids;

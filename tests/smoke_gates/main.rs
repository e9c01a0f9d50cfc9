//! The gates of the smoke's numerics, on the CPU and on a graphics device: known flows, convergence, and
//! invariants of every frame. With `FLOW_GATES` set to a folder, each gate writes its results there, for the report.

mod advection;
mod cavity;
#[path = "../common/mod.rs"]
mod common;
mod confinement;
mod defaults;
mod demo;
mod devices;
mod eddies;
mod fire;
mod flow_map;
mod following;
mod maps;
mod mixing;
mod plume;
mod poisson;
#[path = "../record/mod.rs"]
mod record;
mod slip;
#[path = "../smoke/mod.rs"]
mod smoke;
mod solids;
mod symmetries;
mod tolerance;
mod vortex;
mod waves;

/// A gate as two tests, one for each class of device.
macro_rules! gate {
    ($name:ident, $gate:expr) => {
        mod $name {
            #[test]
            fn on_the_cpu() {
                $crate::devices::on_the_cpu($gate);
            }

            #[test]
            fn on_a_graphics_device() {
                $crate::devices::on_a_graphics_device($gate);
            }
        }
    };
}
pub(crate) use gate;

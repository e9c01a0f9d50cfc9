//! The air as NumPy files, so that peers start from the same air.

use std::fs;
use std::io;
use std::path::Path;

use flow_ofx::sim::smoke::settings::Solver;
use flow_ofx::sim::smoke::{Air, Device};
use serde_json::json;

use crate::cases::{Kind, cases};
use crate::npy;
use crate::scene::{LIFT, Scene};

/// Sweeps of a peer's step.
const SWEEPS: u32 = 50;
/// The small grid on which peers are checked.
const CHECK: (usize, usize) = (32, 24);
/// Number of steps on it.
const CHECK_STEPS: u32 = 8;
/// Sweeps of a peer's pressure on it.
const CHECK_SWEEPS: u32 = 4000;

/// Writes into `folder`: for each size `WxH-{u,v,dye}.npy`; the small grid before and after some steps of the
/// benchmark's own kind (`after-full`) and of the simplest peers' kind (`after-plain`); and `constants.json`.
pub fn write(folder: &Path, quick: bool, device: &dyn Device) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let open: Vec<_> = cases(quick).into_iter().filter(|case| case.kind == Kind::Open).collect();
    for case in &open {
        air(folder, case.size, "", &Scene::new(case, device).start.air)?;
    }
    let mut small = Scene::still(CHECK, Kind::Open);
    air(folder, CHECK, "", &small.start.air)?;
    let settings = &mut small.task.settings;
    (settings.solver, settings.iterations, settings.tolerance) = (Solver::Auto, 100, 1e-5);
    let (confinement, dissipation) = (settings.confinement, settings.dissipation);
    air(folder, CHECK, "-after-full", &small.run(device, CHECK_STEPS).air)?;
    small.plain();
    air(folder, CHECK, "-after-plain", &small.run(device, CHECK_STEPS).air)?;
    let document = json!({
        "step": { "lift": LIFT, "confinement": confinement, "keep": 1.0 - dissipation, "sweeps": SWEEPS },
        "sizes": open.iter().map(|case| case.size).collect::<Vec<_>>(),
        "check": { "size": CHECK, "steps": CHECK_STEPS, "sweeps": CHECK_SWEEPS },
    });
    fs::write(folder.join("constants.json"), document.to_string())
}

fn air(folder: &Path, (width, height): (usize, usize), when: &str, air: &Air) -> io::Result<()> {
    let path = |plane| folder.join(format!("{width}x{height}{when}-{plane}.npy"));
    npy::write(&path("u"), &[height, width + 1], air.u.iter().copied())?;
    npy::write(&path("v"), &[height + 1, width], air.v.iter().copied())?;
    npy::write(&path("dye"), &[height, width, 4], air.dye.iter().flatten().copied())
}

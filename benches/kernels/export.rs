//! The scenes as NumPy files, so that peers run the same water.

use std::fs;
use std::io;
use std::path::Path;

use flow_ofx::sim::water::Water;
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::settings::Model;
use serde_json::json;

use crate::cases::{Group, Kind, groups};
use crate::npy;
use crate::scene::Scene;

/// The small grid on which peers are checked, and the number of its steps.
const CHECK: ((usize, usize), u32) = ((96, 64), 24);

/// Writes into `folder`: for each scene `SCENE-WxH.npy`, six planes of `f32` (ground, height, flows E, N, NE, NW); the
/// small grid before and after some steps; and `constants.json`, the coefficients of a step.
pub fn write(folder: &Path, quick: bool, threads: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut plain: Vec<Group> = groups(quick).into_iter().filter(|g| g.model == Model::Pipes && !g.pigment).collect();
    let sizes: Vec<(usize, usize)> = plain.iter().filter(|g| g.kind == Kind::Wet).map(|g| g.size).collect();
    let (small, check_steps) = CHECK;
    let checks: Vec<Group> = plain.iter().filter(|g| g.size == sizes[0]).map(|g| Group { size: small, ..*g }).collect();
    plain.extend(&checks);
    let mut constants = None;
    for group in &plain {
        let scene = Scene::new(group, threads);
        let plan = scene.plan(1);
        let ground = plan.base.as_deref();
        let name = |after: &str| format!("{}-{}x{}{after}.npy", group.kind.name(), group.size.0, group.size.1);
        planes(&folder.join(name("")), ground, scene.water.water(), scene.units())?;
        if group.size == small {
            planes(&folder.join(name("-after")), ground, scene.run(check_steps).water(), scene.units())?;
        }
        let values = json!({
            "keep": plan.keep.value(),
            "cross": plan.cross.map(|c| c.value()),
            "diagonal": plan.diagonal.value(),
            "smoothing": plan.smoothing.value(),
        });
        // Peers have one set of coefficients for all scenes.
        assert_eq!(*constants.get_or_insert(values.clone()), values);
    }
    let document = json!({
        "step": constants,
        "sizes": sizes,
        "scenes": [Kind::Wet.name(), Kind::Dry.name()],
        "check": { "size": small, "steps": check_steps },
    });
    fs::write(folder.join("constants.json"), document.to_string())
}

fn planes(path: &Path, ground: Option<&Field>, water: &Water, units: f64) -> io::Result<()> {
    let (width, height) = (water.height.width(), water.height.height());
    let pipes = (0..4).map(|pipe| (Some(&water.flow), pipe));
    let planes = [(ground, 0), (Some(&water.height), 0)].into_iter().chain(pipes);
    let values = planes.flat_map(|(field, plane)| {
        (1..=height).flat_map(move |y| {
            let row = field.map(|field| &field.row(y, plane)[1..=width]);
            (0..width).map(move |x| row.map_or(0.0, |row| f64::from(row[x]) / units) as f32)
        })
    });
    npy::write(path, &[6, height, width], values)
}

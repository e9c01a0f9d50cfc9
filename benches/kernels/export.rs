//! The scenes as NumPy files, so that peers run the same water.

use std::fs;
use std::io;
use std::path::Path;

use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::plan::SPEEDS;
use flow_ofx::sim::water::ripples::pyramid::{BLUR, FULL, Pyramid, Stencil};
use flow_ofx::sim::water::ripples::{REST, dispersion};
use flow_ofx::sim::water::settings::{Model, Order};
use flow_ofx::sim::water::shallow::{Gain, SPEED_ONE};
use flow_ofx::sim::water::{FramePlan, Water};
use serde_json::{Value, json};

use crate::cases::{Group, groups};
use crate::npy;
use crate::scene::Scene;

/// The small grid on which peers are checked, and the number of its steps.
const CHECK: ((usize, usize), u32) = ((96, 64), 24);
/// Numbers of steps that peers are measured with.
const STEPS: [u32; 3] = [1, 2, 8];
/// Most cells of a stencil.
const STENCIL: usize = 16;

/// Writes into `folder`: for each scene `MODEL-SCENE-WxH.npy`, six planes of `f32` (ground, height, two pairs of flows
/// or, in Shallow water, two flows and two speeds); the small grid before and after some steps; `ripples-WxH-edges.npy`,
/// the stencils of Ripples near the edges; and `scenes.json`, the cases and the coefficients of a step of each model.
pub fn write(folder: &Path, quick: bool, threads: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let measured = |g: &Group| !g.pigment && g.model != Model::Classic && g.order == Order::Second;
    let large: Vec<Group> = groups(quick).into_iter().filter(measured).collect();
    let (small, check_steps) = CHECK;
    let mut scenes = large.clone();
    for group in &large {
        let check = Group { size: small, ..*group };
        if !scenes.iter().any(|g| g.size == small && g.model == check.model && g.kind == check.kind) {
            scenes.push(check);
        }
    }
    let mut models = serde_json::Map::new();
    for group in &scenes {
        let scene = Scene::new(group, threads);
        let steps = group.steps[0];
        let plan = scene.plan(steps);
        let size = format!("{}x{}", group.size.0, group.size.1);
        let name = format!("{}-{}-{size}", group.model_name(), group.kind.name());
        planes(&folder.join(format!("{name}.npy")), &plan, scene.water.water(), scene.units())?;
        if group.size == small {
            let after = scene.run(check_steps / steps, steps);
            planes(&folder.join(format!("{name}-after.npy")), &plan, after.water(), scene.units())?;
        }
        if let Some(ripples) = &plan.ripples {
            edges(&folder.join(format!("ripples-{size}-edges.npy")), &ripples.pyramid)?;
        }
        let values = coefficients(&plan, scene.units());
        // Peers have one set of coefficients for all scenes of a model.
        assert_eq!(*models.entry(group.model_name()).or_insert_with(|| values.clone()), values);
    }
    let case = |group: &Group| {
        let steps: Vec<u32> = group.steps.iter().copied().filter(|steps| STEPS.contains(steps)).collect();
        json!({
            "model": group.model_name(), "scene": group.kind.name(), "width": group.size.0, "height": group.size.1,
            "steps": steps,
        })
    };
    let document = json!({
        "models": models,
        "cases": large.iter().map(case).collect::<Vec<_>>(),
        "check": { "size": small, "steps": check_steps },
    });
    fs::write(folder.join("scenes.json"), document.to_string())
}

/// The coefficients of a step as real numbers.
fn coefficients(plan: &FramePlan, units: f64) -> Value {
    let [keep, smoothing] = [plan.keep, plan.smoothing].map(|c| c.value());
    if let Some(ripples) = &plan.ripples {
        let real = |stored: i32| f64::from(stored) / f64::from(dispersion::ONE);
        let of = &ripples.coefficients;
        return json!({
            "keep": keep, "smoothing": smoothing,
            "cell": real(of.cell), "faces": real(of.faces), "diagonals": real(of.diagonals),
            "levels": of.levels.map(real),
        });
    }
    match plan.model {
        Model::ShallowWater => {
            let real = |gain: Gain| gain.by.value() * f64::from(1_u32 << gain.lift);
            let speeds = f64::from(SPEED_ONE) / units;
            json!({
                "keep": keep, "smoothing": smoothing,
                "gravity": real(plan.shallow.gravity) / speeds, "friction": real(plan.shallow.friction) * speeds,
            })
        }
        _ => json!({
            "keep": keep, "smoothing": smoothing,
            "cross": plan.cross.map(|c| c.value()), "diagonal": plan.diagonal.value(),
        }),
    }
}

fn planes(path: &Path, plan: &FramePlan, water: &Water, units: f64) -> io::Result<()> {
    let (width, height) = (water.height.width(), water.height.height());
    let speeds = f64::from(SPEED_ONE);
    let rest = if plan.ripples.is_some() { REST } else { 0 };
    let fourth = match plan.model {
        Model::ShallowWater => [(0, units), (1, units), (SPEEDS[0], speeds), (SPEEDS[1], speeds)],
        _ => [0, 1, 2, 3].map(|pipe| (pipe, units)),
    };
    let flows = fourth.map(|(plane, one)| (Some(&water.flow), plane, one, 0));
    let planes = [(plan.base.as_deref(), 0, units, 0), (Some(&water.height), 0, units, rest)].into_iter().chain(flows);
    let values = planes.flat_map(|(field, plane, one, rest): (Option<&Field>, usize, f64, i32)| {
        (1..=height).flat_map(move |y| {
            let row = field.map(|field| &field.row(y, plane)[1..=width]);
            (0..width).map(move |x| row.map_or(0.0, |row| f64::from(row[x] - rest) / one) as f32)
        })
    });
    npy::write(path, &[6, height, width], values)
}

/// Writes the stencils of all cells that have others than cells away from edges. A row: kind (0 blur, 1 restrict, 2
/// prolong), level, cell, and pairs of a cell and its weight; the weights sum up to 1. All numbers are exact in `f32`
/// but the weights.
fn edges(path: &Path, pyramid: &Pyramid) -> io::Result<()> {
    let mut rows: Vec<f32> = Vec::new();
    let mut count = 0;
    let kinds = [Stencil::Blur, Stencil::Restrict, Stencil::Prolong];
    for (level, of) in pyramid.levels().iter().enumerate() {
        for (number, kind) in kinds.into_iter().enumerate() {
            for y in 0..of.height {
                let near = of.spans(kind, y).iter().filter(|span| !span.plain).flat_map(|span| span.from..span.to);
                for x in near {
                    let stencil: Vec<(usize, f64)> = match kind {
                        Stencil::Blur => weights(pyramid.blur(level, x, y), BLUR * pyramid.mass(level, x, y)),
                        Stencil::Restrict if level > 0 => {
                            let cells = pyramid.restrict(level, x, y);
                            weights(cells, cells.iter().map(|&(_, weight)| weight).sum())
                        }
                        Stencil::Prolong if level < dispersion::COARSEST => weights(pyramid.prolong(level, x, y), FULL),
                        Stencil::Restrict | Stencil::Prolong => continue,
                    };
                    rows.extend([number, level, y * of.width + x].map(|value| value as f32));
                    let all = stencil.into_iter().chain(std::iter::repeat((0, 0.0))).take(STENCIL);
                    rows.extend(all.flat_map(|(cell, weight)| [cell as f32, weight as f32]));
                    count += 1;
                }
            }
        }
    }
    npy::write(path, &[count, 3 + 2 * STENCIL], rows)
}

fn weights<const N: usize>(stencil: [(usize, u32); N], sum: u32) -> Vec<(usize, f64)> {
    stencil.into_iter().map(|(cell, weight)| (cell, f64::from(weight) / f64::from(sum))).collect()
}

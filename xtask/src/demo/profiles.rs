//! The demo's scene, small, in each host profile.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::{Scene, frame_file, fresh_folder};
use crate::bundle::Bundle;
use crate::command;
use crate::picture::Picture;

/// A host that `flow-host` emulates.
struct Profile {
    name: &'static str,
    context: &'static str,
    /// Whether the host has temporal access, so that its picture must equal the generic host's.
    knows_time: bool,
}

#[rustfmt::skip]
const PROFILES: &[Profile] = &[
    Profile { name: "generic", context: "general", knows_time: true },
    Profile { name: "nuke",    context: "general", knows_time: true },
    Profile { name: "natron",  context: "general", knows_time: true },
    Profile { name: "resolve", context: "general", knows_time: true },
    Profile { name: "mlt",     context: "filter",  knows_time: false },
];

const FRAMES: usize = 16;

/// Renders the scene under every profile and reports each result to `report`.
///
/// A host with temporal access must show the generic host's pixels, bit for bit.
pub fn render_all(host: &Path, bundle: &Bundle, folder: &Path, mut report: impl FnMut(&str, Result<()>)) {
    let scene = match Scene::create(&folder.join("plates"), (192, 108), FRAMES) {
        Ok(scene) => scene,
        Err(error) => return report("plates of the profiles", Err(error)),
    };
    let mut reference = None;
    for profile in PROFILES {
        let rendered = render(&scene, profile, host, bundle, &folder.join(profile.name));
        let outcome = rendered.and_then(|last| match &reference {
            None => {
                reference = Some(last);
                Ok(())
            }
            Some(generic) if profile.knows_time => same(generic, &last),
            Some(_) => Ok(()),
        });
        report(&format!("demo under --host {}", profile.name), outcome);
    }
}

/// Renders all frames and returns the last, which must show water.
fn render(scene: &Scene, profile: &Profile, host: &Path, bundle: &Bundle, folder: &Path) -> Result<Picture> {
    fresh_folder(folder)?;
    let mut render = scene.render(host, &bundle.folder, profile.context);
    render.args(["--host", profile.name, "-o"]).arg(folder.join("water.####.exr"));
    command::output(&mut render, "flow-host")?;
    for frame in 1..=scene.frames {
        let file = frame_file(folder, frame);
        std::fs::metadata(&file).with_context(|| format!("flow-host wrote no {}", file.display()))?;
    }
    let last = Picture::read_exr(&frame_file(folder, scene.frames))?;
    let wet = last.pixels().iter().filter(|pixel| pixel[3] > 1e-3).count();
    if wet * 200 < last.width * last.height {
        bail!("the last frame has only {wet} wet pixels");
    }
    Ok(last)
}

fn same(expected: &Picture, found: &Picture) -> Result<()> {
    let differing = expected
        .pixels()
        .iter()
        .zip(found.pixels().iter())
        .filter(|(a, b)| a.map(f32::to_bits) != b.map(f32::to_bits))
        .count();
    if differing > 0 || (expected.width, expected.height) != (found.width, found.height) {
        bail!("{differing} pixels of the last frame differ from the generic host's");
    }
    Ok(())
}

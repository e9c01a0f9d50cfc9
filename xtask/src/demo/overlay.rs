//! The handles of both nodes, drawn over a picture as a viewer does.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{fresh_folder, side_by_side};
use crate::picture::Picture;
use crate::{command, project};

/// Size of a frame in pixels: not scaled afterwards, so that lines stay sharp.
const SIZE: (usize, usize) = (640, 360);
/// The shown frame.
const SHOWN: usize = 60;

/// A node and the settings that enable its overlay.
struct Shown {
    plugin: &'static str,
    name: &'static str,
    set: &'static [&'static str],
}

const SHOWN_NODES: [Shown; 2] = [
    Shown {
        plugin: project::FLOW,
        name: "water",
        set: &[
            "output=Beauty",
            "emitterCentre=200,240",
            "emitterRadius=44",
            "emitterRate=0.08",
            "drain=1",
            "drainCentre=430,130",
            "drainRadius=60",
        ],
    },
    Shown {
        plugin: project::FLOW_SMOKE,
        name: "smoke",
        set: &[
            "output=Smoke",
            "jet1Centre=230,50",
            "jetCount=2",
            "jet2Centre=70,200",
            "jet2Direction=20",
            "vortex=1",
            "vortexCentre=420,220",
            "vortexRadius=110",
            "vortexStrength=1",
        ],
    },
];

/// Renders both into `folder` through the bundle, with their overlays, and returns them side by side.
///
/// # Errors
/// An overlay cannot be rendered.
pub fn picture(host: &Path, bundle: &Path, folder: &Path) -> Result<Picture> {
    fresh_folder(folder)?;
    let mut pictures = Vec::new();
    for shown in &SHOWN_NODES {
        let file = folder.join(format!("{}.exr", shown.name));
        command::run(&mut shown.render(host, bundle, &file), "rendering an overlay with flow-host")?;
        let picture = Picture::read_exr(&file)?;
        pictures.push(Picture::from_fn(picture.width, picture.height, |x, y| {
            let [r, g, b, a] = picture.at(x, y);
            let over = |v: f32| v + 0.05 * (1.0 - a);
            [over(r), over(g), over(b), 1.0]
        }));
    }
    Ok(side_by_side(&pictures, 2, SIZE))
}

impl Shown {
    fn render(&self, host: &Path, bundle: &Path, file: &Path) -> Command {
        let mut render = command::graphic(host);
        render.arg("render").arg(bundle).args(["--plugin", self.plugin, "--context", "general", "--overlay"]);
        render.args(["--size", &format!("{}x{}", SIZE.0, SIZE.1), "--frames", &SHOWN.to_string()]);
        // The CPU, so that the picture is the same on every machine.
        for set in self.set.iter().copied().chain(["device=CPU"]) {
            render.args(["--set", set]);
        }
        render.arg("-o").arg(file);
        render
    }
}

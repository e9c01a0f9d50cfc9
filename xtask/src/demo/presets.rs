//! The water's presets, each with its inputs, at one late frame.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::scene::Plates;
use super::{fresh_folder, side_by_side, toml_text};
use crate::picture::Picture;
use crate::{command, project};

/// Size of a scene's frame in pixels: the demo's.
const SIZE: (usize, usize) = (960, 540);
/// The shown frame.
const SHOWN: usize = 72;

/// The Source of a scene.
#[derive(Clone, Copy, PartialEq)]
enum Water {
    None,
    /// Everywhere.
    Tank,
    /// In an ellipse.
    Puddle,
    /// The same, of blue water.
    Blue,
}

/// A preset, and its inputs.
struct Scene {
    preset: &'static str,
    source: Water,
    /// The demo's river bed.
    terrain: bool,
    /// The demo's piers.
    piers: bool,
}

/// The presets, in the order of the choice.
const SCENES: [Scene; 8] = [
    Scene { preset: "River", source: Water::None, terrain: true, piers: true },
    Scene { preset: "Rain on glass", source: Water::None, terrain: false, piers: false },
    Scene { preset: "Ink in water", source: Water::Tank, terrain: false, piers: true },
    Scene { preset: "Flood", source: Water::None, terrain: true, piers: true },
    Scene { preset: "Ripples", source: Water::Tank, terrain: false, piers: true },
    Scene { preset: "Waterfall", source: Water::None, terrain: false, piers: true },
    Scene { preset: "Puddle drying", source: Water::Puddle, terrain: true, piers: false },
    Scene { preset: "Shaw classic", source: Water::Blue, terrain: true, piers: true },
];

/// The scene of the large picture.
const LARGE: &str = "Flood";

/// Renders the presets into `folder` through the bundle, over the demo's plates; returns a sheet, and one preset alone.
///
/// # Errors
/// A preset cannot be rendered.
pub fn pictures(host: &Path, bundle: &Path, plates: &Plates, folder: &Path) -> Result<Vec<(String, Picture)>> {
    fresh_folder(folder)?;
    let files = ["tank.png", "puddle.png", "blue.png"].map(|name| folder.join(name));
    // The radius of the water, in half frames, and its colour.
    let sources = [(f32::INFINITY, [0.0; 3]), (0.7, [0.0; 3]), (0.7, [0.1, 0.35, 0.6])];
    for (file, (radius, [r, g, b])) in files.iter().zip(sources) {
        Picture::from_fn(SIZE.0, SIZE.1, |x, y| {
            let at = |v: usize, size: usize| (v as f32 + 0.5) / size as f32 * 2.0 - 1.0;
            [r, g, b, f32::from(at(x, SIZE.0).hypot(at(y, SIZE.1)) < radius)]
        })
        .write_png(file)?;
    }
    let mut shown = Vec::new();
    for scene in &SCENES {
        println!("simulating {}", scene.preset);
        let name = scene.preset.to_lowercase().replace(' ', "-");
        let job = folder.join(format!("{name}.toml"));
        let output = folder.join(format!("{name}.####.exr"));
        command::write_file(&job, scene.job(bundle, &output, plates, &files)?.as_bytes())?;
        command::run(command::graphic(host).args(["render", "--job"]).arg(&job), "rendering a preset with flow-host")?;
        let water = Picture::read_exr(&folder.join(format!("{name}.{SHOWN:04}.exr")))?;
        shown.push(scene.over_grey(&water));
    }
    let large = SCENES.iter().position(|scene| scene.preset == LARGE).map(|place| shown[place].clone());
    let sheet = ("presets".to_owned(), side_by_side(&shown, 2, (SIZE.0 / 2, SIZE.1 / 2)));
    Ok(large.map(|picture| ("shallow".to_owned(), picture)).into_iter().chain([sheet]).collect())
}

impl Scene {
    /// The water composited over grey. Raw water has its height in alpha: any height above an eighth is opaque.
    fn over_grey(&self, water: &Picture) -> Picture {
        let layer = self.preset == "Shaw classic";
        Picture::from_fn(water.width, water.height, |x, y| {
            let [r, g, b, a] = water.at(x, y);
            let (share, alpha, behind) = if layer {
                let thick = (a * 8.0).clamp(0.0, 1.0);
                (thick, thick, 0.6)
            } else {
                (1.0, a, 0.18)
            };
            let over = |v: f32| v * share + behind * (1.0 - alpha);
            [over(r), over(g), over(b), 1.0]
        })
    }

    /// The job file for flow-host.
    fn job(&self, bundle: &Path, output: &Path, plates: &Plates, sources: &[PathBuf; 3]) -> Result<String> {
        let text = |path: &Path| toml_text(&path.display().to_string());
        let mut job = format!("bundle = {}\nsize = \"{}x{}\"\n", text(bundle), SIZE.0, SIZE.1);
        write!(
            job,
            "[[node]]\nname = \"water\"\nplugin = \"{}\"\ncontext = \"general\"\n[node.clips]\n",
            project::FLOW
        )?;
        match self.source {
            Water::None => {}
            Water::Tank => writeln!(job, "Source = {}", text(&sources[0]))?,
            Water::Puddle => writeln!(job, "Source = {}", text(&sources[1]))?,
            Water::Blue => writeln!(job, "Source = {}", text(&sources[2]))?,
        }
        for (on, clip, plate) in [(self.terrain, "Terrain", &plates.terrain), (self.piers, "Obstacles", &plates.piers)]
        {
            if on {
                writeln!(job, "{clip} = {}", text(plate))?;
            }
        }
        // The CPU, so that the picture is the same on every machine.
        write!(job, "[node.set]\ndevice = \"CPU\"\n[[render]]\noutput = {}\nframes = \"{SHOWN}\"\n", text(output))?;
        write!(job, "[[render.edit]]\nnode = \"water\"\nset = {{ preset = {} }}\n", toml_text(self.preset))?;
        Ok(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_valid_job() {
        let plates = Plates::within(Path::new("plates"));
        for scene in &SCENES {
            let sources = ["tank", "puddle", "blue"].map(PathBuf::from);
            let job = scene.job(Path::new("bundle"), Path::new("out"), &plates, &sources).expect("text");
            assert!(job.contains(&format!("preset = \"{}\"", scene.preset)), "{job}");
            assert_eq!(job.contains("Terrain"), scene.terrain);
            assert_eq!(job.contains("Source = "), scene.source != Water::None);
        }
        assert!(SCENES.iter().any(|scene| scene.preset == LARGE));
    }
}

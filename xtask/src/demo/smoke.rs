//! The smoke's scenes: each preset with its inputs, at one late frame, on one sheet.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{fresh_folder, side_by_side, toml_text};
use crate::picture::Picture;
use crate::{command, project};

/// Size of a scene's frame in pixels.
const SIZE: (usize, usize) = (960, 540);
/// The shown frame.
const SHOWN: usize = 84;

/// A scene.
struct Scene {
    name: &'static str,
    /// The preset.
    preset: Option<&'static str>,
    /// Parameters set after the preset, as in a job file.
    set: &'static [(&'static str, &'static str)],
    /// Keys: parameter, and values as in a job file by frame.
    keys: &'static [(&'static str, &'static [(usize, &'static str)])],
    /// The moving obstacle or source.
    obstacle: Option<Obstacle>,
    /// The backdrop, linear light.
    backdrop: [f32; 3],
}

/// A moving solid.
#[derive(Clone, Copy, PartialEq)]
enum Obstacle {
    Disc,
    Rotor,
}

const DARK: [f32; 3] = [0.012, 0.013, 0.016];
const DUSK: [f32; 3] = [0.05, 0.07, 0.1];
const PAPER: [f32; 3] = [0.8, 0.78, 0.72];

/// The scenes, in the order of the sheet.
const SCENES: [Scene; 7] = [
    Scene {
        name: "ink",
        preset: Some("Ink"),
        set: &[("brush", "true"), ("brushRadius", "26"), ("brushDensity", "0"), ("brushForce", "0.6")],
        keys: &[(
            "brushCentre",
            &[(30, "[250, 120]"), (44, "[520, 330]"), (58, "[700, 130]"), (72, "[430, 210]"), (84, "[250, 330]")],
        )],
        obstacle: None,
        backdrop: PAPER,
    },
    Scene { name: "campfire", preset: Some("Campfire"), set: &[], keys: &[], obstacle: None, backdrop: DARK },
    Scene {
        name: "chimney",
        preset: Some("Chimney"),
        set: &[],
        keys: &[],
        obstacle: Some(Obstacle::Disc),
        backdrop: DUSK,
    },
    Scene { name: "fog", preset: Some("Fog bank"), set: &[], keys: &[], obstacle: None, backdrop: DUSK },
    Scene {
        name: "comet",
        preset: Some("Campfire"),
        set: &[
            ("gridMode", "\"Follow\""),
            ("gridSize", "[420, 320]"),
            ("jet1Radius", "16"),
            ("jet1Heat", "0.5"),
            ("jet1Strength", "0"),
            ("jetCount", "1"),
            ("lift", "0.25"),
        ],
        keys: &[
            ("gridCentre", &[(1, "[150, 120]"), (84, "[700, 390]")]),
            ("jet1Centre", &[(1, "[200, 150]"), (84, "[750, 420]")]),
        ],
        obstacle: None,
        backdrop: DARK,
    },
    Scene {
        name: "plume",
        preset: None,
        set: &[("output", "\"Smoke\""), ("jet1Random", "0.3")],
        keys: &[],
        obstacle: None,
        backdrop: DUSK,
    },
    Scene { name: "rotor", preset: Some("Ink"), set: &[], keys: &[], obstacle: Some(Obstacle::Rotor), backdrop: PAPER },
];

/// Renders the scenes into `folder` through the bundle, and returns the sheet.
pub fn sheet(host: &Path, bundle: &Path, folder: &Path) -> Result<Picture> {
    fresh_folder(folder)?;
    let mut all = Vec::new();
    for scene in &SCENES {
        println!("simulating {}", scene.name);
        let shown = scene.render(host, bundle, folder)?;
        shown.write_opaque_png(&folder.join(format!("{}.png", scene.name)))?;
        all.push(shown);
    }
    let sheet = side_by_side(&all, 3, (SIZE.0 / 2, SIZE.1 / 2));
    sheet.write_opaque_png(&folder.join("sheet.png"))?;
    Ok(sheet)
}

impl Scene {
    /// The shown frame, over its backdrop.
    fn render(&self, host: &Path, bundle: &Path, folder: &Path) -> Result<Picture> {
        let job = folder.join(format!("{}.toml", self.name));
        let output = folder.join(format!("{}.####.exr", self.name));
        let mattes = folder.join(self.name);
        if let Some(obstacle) = self.obstacle {
            command::make_folder(&mattes)?;
            for frame in 1..=SHOWN {
                obstacle.matte(frame).write_png(&mattes.join(format!("matte.{frame:04}.png")))?;
            }
        }
        command::write_file(&job, self.job(bundle, &output, &mattes)?.as_bytes())?;
        command::run(command::graphic(host).args(["render", "--job"]).arg(&job), "rendering a scene with flow-host")?;
        let smoke = Picture::read_exr(&folder.join(format!("{}.{SHOWN:04}.exr", self.name)))?;
        let matte = self.obstacle.map(|obstacle| obstacle.matte(SHOWN));
        Ok(Picture::from_fn(smoke.width, smoke.height, |x, y| {
            let [r, g, b, a] = smoke.at(x, y);
            // Lighter below, like a floor.
            let light = 0.7 + 0.6 * y as f32 / smoke.height as f32;
            let solid = matte.as_ref().map_or(0.0, |matte| matte.at(x, y)[3]);
            let behind = self.backdrop.map(|c| c * light * (1.0 - solid) + 0.16 * solid);
            [r + behind[0] * (1.0 - a), g + behind[1] * (1.0 - a), b + behind[2] * (1.0 - a), 1.0]
        }))
    }

    /// The job file for flow-host.
    fn job(&self, bundle: &Path, output: &Path, mattes: &Path) -> Result<String> {
        let text = |path: &Path| toml_text(&path.display().to_string());
        let mut job = format!("bundle = {}\nsize = \"{}x{}\"\n", text(bundle), SIZE.0, SIZE.1);
        write!(job, "[[node]]\nname = \"smoke\"\nplugin = \"{}\"\ncontext = \"general\"\n", project::FLOW_SMOKE)?;
        if self.obstacle.is_some() {
            write!(job, "[node.clips]\nObstacles = {}\n", text(&mattes.join("matte.####.png")))?;
        }
        // The CPU, so that the picture is the same on every machine.
        job.push_str("[node.set]\ndevice = \"CPU\"\n");
        write!(job, "[[render]]\noutput = {}\nframes = \"{SHOWN}\"\n", text(output))?;
        let preset = self.preset.map(|preset| ("preset", toml_text(preset)));
        let set = self.set.iter().map(|(name, value)| (*name, (*value).to_owned()));
        for (name, value) in preset.into_iter().chain(set) {
            writeln!(job, "[[render.edit]]\nnode = \"smoke\"\nset = {{ {name} = {value} }}")?;
        }
        // After the preset, which sets positions for all times.
        for (name, keys) in self.keys {
            writeln!(job, "[[render.edit]]\nnode = \"smoke\"\n[render.edit.keys.{name}]")?;
            for (frame, value) in *keys {
                writeln!(job, "{frame} = {value}")?;
            }
        }
        Ok(job)
    }
}

impl Obstacle {
    /// The matte: a disc that moves down and up again; three blades that rotate by 4 degrees a frame.
    fn matte(self, frame: usize) -> Picture {
        let (width, height) = (SIZE.0 as f32, SIZE.1 as f32);
        let time = frame as f32;
        Picture::from_fn(SIZE.0, SIZE.1, |x, y| {
            let (x, y) = (x as f32 + 0.5 - width * 0.5, y as f32 + 0.5 - height * 0.5);
            let distance = match self {
                Obstacle::Disc => x.hypot(y - height * 0.22 * (time * 0.08).cos()) - 46.0,
                Obstacle::Rotor => {
                    let y = y + height * 0.12;
                    let blade = |third: f32| {
                        let (sin, cos) = (4.0 * time + 120.0 * third).to_radians().sin_cos();
                        let (along, across) = (x * cos + y * sin, y * cos - x * sin);
                        (along - 140.0).max(-along).max(across.abs() - 7.0)
                    };
                    (x.hypot(y) - 20.0).min(blade(0.0)).min(blade(1.0)).min(blade(2.0))
                }
            };
            [(-distance).clamp(0.0, 1.0); 4]
        })
    }
}

/// The folder of the scenes in a demo's folder.
pub fn folder(demo: &Path) -> PathBuf {
    demo.join("smoke")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_valid_job() {
        for scene in &SCENES {
            let job = scene.job(Path::new("a \"b\""), Path::new("out"), Path::new("mattes")).expect("text");
            assert!(job.contains("bundle = \"a \\\"b\\\"\"") && job.contains("FlowSmoke"), "{job}");
            assert_eq!(job.contains("Obstacles"), scene.obstacle.is_some());
            let edits = scene.set.len() + scene.keys.len() + usize::from(scene.preset.is_some());
            assert_eq!(job.matches("[[render.edit]]").count(), edits);
        }
    }
}

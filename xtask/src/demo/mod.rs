//! `cargo xtask demo`: a piece of work at production size, rendered through the bundle.
//!
//! The demo makes plates on disk, renders the water over them with `flow-host` as a
//! render farm would, and lays the result over the ground in a comp of its own.

mod comp;
mod overlay;
pub mod profiles;
mod scene;
pub mod smoke;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::picture::{Animation, Picture};
use crate::{bundle, command, project, setup};

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder for all output [default: demo]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of frames
    #[arg(long, default_value_t = 96, value_parser = clap::value_parser!(u32).range(2..=9999))]
    frames: u32,
    /// Size of the frame in pixels
    #[arg(long, default_value = "960x540", value_parser = size)]
    size: (usize, usize),
    /// Simulate the smoke's scenes as well
    #[arg(long)]
    smoke: bool,
}

/// A scene on disk, and the settings of its render.
pub struct Scene {
    plates: scene::Plates,
    /// Width and height in pixels.
    pub size: (usize, usize),
    /// The last frame; the first is 1.
    pub frames: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { out: None, frames: 96, size: (960, 540), smoke: false }
    }
}

impl Options {
    /// The folder of the demo.
    pub fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| project::root().join("demo"))
    }
}

/// Builds, makes the plates, renders, comps, and prints the paths.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure(setup::Need::BUILD)?;
    let bundle = bundle::run(&bundle::Options::default())?;
    let host = project::build_host()?;
    let folder = options.folder();
    let (width, height) = options.size;
    let frames = options.frames as usize;

    println!("making the plates: terrain, piers, {frames} frames of letters");
    let scene = Scene::create(&folder.join("plates"), options.size, frames)?;

    let water = folder.join("water");
    fresh_folder(&water)?;
    let mut render = scene.render(&host, &bundle.folder, "general");
    render.arg("--stats").arg(folder.join("stats.json")).arg("-o").arg(water.join("water.####.exr"));
    command::write_file(&folder.join("render.sh"), format!("#!/bin/sh\n{}\n", command::shown(&render)).as_bytes())?;
    println!("rendering {frames} frames at {width}x{height}");
    let start = Instant::now();
    command::run(&mut render, "rendering the demo with flow-host")?;
    let rendered = start.elapsed().as_secs_f64();

    println!("laying the water over the ground");
    let made = comp_all(&scene, &water, &folder)?;

    if options.smoke {
        smoke::sheet(&host, &bundle.folder, &smoke::folder(&folder))?;
    }

    println!("\nThe demo is in {}:", project::short(&folder));
    let line = |what: &str, path: &Path| println!("  {what:<30} {}", project::short(path));
    line("plates, made by the demo", &folder.join("plates"));
    line("water, 32-bit float EXR", &water);
    line("comp over the ground, PNG", &made.pictures);
    line("contact sheet", &made.sheet);
    line("animated PNG (any browser)", &made.animation);
    line("the command that rendered it", &folder.join("render.sh"));
    line("steps and times by frame", &folder.join("stats.json"));
    if options.smoke {
        line("the smoke's scenes, and a sheet", &smoke::folder(&folder));
    }
    println!("{frames} frames of water in {rendered:.1} s, {:.2} s a frame", rendered / frames as f64);
    println!(
        "The EXR files are what the Flow node gives: colour, and height in alpha. The shading is that of the demo's own comp."
    );
    Ok(())
}

impl Scene {
    /// Makes the plates in `folder`, and replaces earlier ones.
    pub fn create(folder: &Path, size: (usize, usize), frames: usize) -> Result<Self> {
        fresh_folder(folder)?;
        Ok(Self { plates: scene::write(folder, size.0, size.1, frames)?, size, frames })
    }

    /// The command that renders the scene, without its output.
    ///
    /// In a context with a source only, the terrain and the piers are left out.
    pub fn render(&self, host: &Path, bundle: &Path, context: &str) -> Command {
        self.render_frames(host, bundle, context, &format!("1-{}", self.frames))
    }

    /// The same for chosen frames, in the syntax of flow-host: `1-24,1-24` renders all twice.
    pub fn render_frames(&self, host: &Path, bundle: &Path, context: &str, frames: &str) -> Command {
        let (width, height) = self.size;
        let mut render = command::graphic(host);
        render.arg("render").arg(bundle).args(["--plugin", project::FLOW, "--context", context]);
        render.args(["--size", &format!("{width}x{height}"), "--frames", frames]);
        let mut clip = |name: &str, path: &Path| {
            render.arg("--clip").arg(format!("{name}={}", path.display()));
        };
        clip("Source", &self.plates.letters);
        if context == "general" {
            clip("Terrain", &self.plates.terrain);
            clip("Obstacles", &self.plates.piers);
        }
        let pixel = height as f64 / 540.0;
        for set in [
            "output=Water".to_owned(),
            "sourceMode=Add".to_owned(),
            "sourceHeight=0.03".to_owned(),
            "emitter=On".to_owned(),
            "emitterRate=0.11".to_owned(),
            "emitterColour=0.012,0.2,0.42".to_owned(),
            "edges=Open".to_owned(),
            "damping=0.04".to_owned(),
            format!("emitterRadius={}", 20.0 * pixel),
        ] {
            render.args(["--set", &set]);
        }
        for key in self.keys() {
            render.args(["--key", &key]);
        }
        render
    }

    /// The emitter moves down the first bend of the river and back; the wave speed is low while the word is written,
    /// and then rises.
    fn keys(&self) -> Vec<String> {
        let (width, height) = self.size;
        let (pixel, aspect) = (height as f64 / 540.0, width as f32 / height as f32);
        let at = |share: f64| 1.0 + (share * (self.frames - 1) as f64).round();
        let mut keys = Vec::new();
        for step in 0..=12 {
            let time = f64::from(step) / 12.0;
            let u = aspect * (0.04 + 0.26 * (time * std::f64::consts::PI).sin() as f32);
            let (x, y) = (f64::from(u) * height as f64, f64::from(scene::river(u, aspect)) * height as f64);
            keys.push(format!("emitterCentre@{}={x:.2},{y:.2}", at(time)));
        }
        for (time, speed) in [(0.0, 1.5), (0.13, 2.0), (0.35, 7.0), (1.0, 10.0)] {
            keys.push(format!("speed@{}={}", at(time), speed * pixel));
        }
        keys.dedup_by(|a, b| a.split('=').next() == b.split('=').next());
        keys
    }
}

/// Output files of the comp.
struct Made {
    pictures: PathBuf,
    sheet: PathBuf,
    animation: PathBuf,
}

/// Comps every frame, several at once, and assembles contact sheet and animation.
fn comp_all(scene: &Scene, water: &Path, folder: &Path) -> Result<Made> {
    let made = Made {
        pictures: folder.join("comp"),
        sheet: folder.join("contact-sheet.png"),
        animation: folder.join("demo.apng"),
    };
    fresh_folder(&made.pictures)?;
    let ground = ground(scene)?;
    let (width, height) = scene.size;
    // Half size keeps the animation to a few megabytes.
    let (small_width, small_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut animation = Animation::create(&made.animation, small_width, small_height, scene.frames, 24)?;
    let mut sheet = Sheet::new(scene.size, scene.frames);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let numbers: Vec<usize> = (1..=scene.frames).collect();
    for some in numbers.chunks(threads) {
        let one = |frame: usize| -> Result<Picture> {
            let picture = ground.with_water(&Picture::read_exr(&frame_file(water, frame))?);
            picture.write_opaque_png(&made.pictures.join(format!("comp.{frame:04}.png")))?;
            Ok(picture)
        };
        let pictures: Vec<Result<Picture>> = std::thread::scope(|scope| {
            let running: Vec<_> = some.iter().map(|&frame| scope.spawn(move || one(frame))).collect();
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| bail!("the comp of a frame died")))
                .collect()
        });
        for (&frame, picture) in some.iter().zip(pictures) {
            let picture = picture?;
            animation.add(&picture.shrink(small_width, small_height))?;
            sheet.add(frame, &picture);
        }
    }
    animation.finish()?;
    sheet.picture.write_opaque_png(&made.sheet)?;
    Ok(made)
}

/// The scene's ground, coloured and lit.
fn ground(scene: &Scene) -> Result<comp::Ground> {
    let piers = scene::piers(scene.size.0, scene.size.1);
    Ok(comp::Ground::new(&Picture::read_exr(&scene.plates.terrain)?, &piers))
}

/// The contact sheet and single frames of a rendered demo, for the documentation.
///
/// # Errors
/// If the demo in `folder` is incomplete.
pub fn pictures(folder: &Path, stills: &[(&str, usize)]) -> Result<Vec<(String, Picture)>> {
    let terrain = Picture::read_exr(&folder.join("plates/terrain.exr"))?;
    let ground = comp::Ground::new(&terrain, &scene::piers(terrain.width, terrain.height));
    let comp = |frame| anyhow::Ok(ground.with_water(&Picture::read_exr(&frame_file(&folder.join("water"), frame))?));
    let mut made = Vec::new();
    for &(name, frame) in stills {
        made.push((name.to_owned(), comp(frame)?));
    }
    let mut sheet = Sheet::new((terrain.width, terrain.height), Options::default().frames as usize);
    for frame in sheet.frames.clone() {
        sheet.add(frame, &comp(frame)?);
    }
    made.push(("contact-sheet".to_owned(), sheet.picture));
    Ok(made)
}

/// A frame of the demo's scene in the node's own shading, over its ground, over a plate, and with caustics, in
/// `folder`/shaded; the plates exist.
///
/// # Errors
/// The demo cannot be rendered.
pub fn shaded_pictures(host: &Path, bundle: &Path, folder: &Path, frame: usize) -> Result<Vec<(String, Picture)>> {
    let Options { size, frames, .. } = Options::default();
    let scene = Scene { plates: scene::Plates::within(&folder.join("plates")), size, frames: frames as usize };
    let made = folder.join("shaded");
    fresh_folder(&made)?;
    let (plate, clouds) = (made.join("plate.exr"), made.join("clouds.exr"));
    ground(&scene)?.dry().write_exr(&plate)?;
    scene::clouds(size.0, size.1).write_exr(&clouds)?;
    let pictures = [format!("Background={}", plate.display()), format!("Reflection={}", clouds.display())];
    let rendered = |name: &str, sets: &[&str], pictures: &[String], gain: f32| -> Result<(String, Picture)> {
        let mut render = scene.render_frames(host, bundle, "general", &frame.to_string());
        sets.iter().for_each(|set| {
            render.args(["--set", set]);
        });
        pictures.iter().for_each(|picture| {
            render.args(["--clip", picture]);
        });
        let files = made.join(name);
        command::make_folder(&files)?;
        command::run(render.arg("-o").arg(files.join("water.####.exr")), "rendering a shaded picture with flow-host")?;
        let shown = Picture::read_exr(&frame_file(&files, frame))?;
        let [width, height] = [shown.width, shown.height];
        let picture = Picture::from_fn(width, height, |x, y| {
            let [r, g, b, _] = shown.at(x, y);
            [r * gain, g * gain, b * gain, 1.0]
        });
        Ok((name.to_owned(), picture))
    };
    Ok(vec![
        rendered("shaded", &["output=Beauty"], &[], 1.0)?,
        rendered("plate", &["output=Beauty"], &pictures, 1.0)?,
        rendered("caustics", &["output=Caustics"], &[], 0.5)?,
        rendered("foam", &["output=Beauty", "model=Rivers and floods", "foam=true", "wetness=true"], &[], 1.0)?,
    ])
}

/// Pictures on a sheet with this number of columns, each shrunk to `cell`.
pub fn side_by_side(pictures: &[Picture], columns: usize, cell: (usize, usize)) -> Picture {
    const GAP: usize = 6;
    let rows = pictures.len().div_ceil(columns);
    let size = (columns * (cell.0 + GAP) + GAP, rows * (cell.1 + GAP) + GAP);
    let mut sheet = Picture::from_fn(size.0, size.1, |_, _| [0.01, 0.01, 0.01, 1.0]);
    for (place, picture) in pictures.iter().enumerate() {
        let (column, row) = (place % columns, place / columns);
        sheet.paste(&picture.shrink(cell.0, cell.1), GAP + column * (cell.0 + GAP), GAP + row * (cell.1 + GAP));
    }
    sheet
}

/// A string of a job file.
pub fn toml_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Pictures of the handles of both nodes.
///
/// # Errors
/// A picture cannot be rendered.
pub fn overlay(host: &Path, bundle: &Path, folder: &Path) -> Result<Picture> {
    overlay::picture(host, bundle, &folder.join("overlay"))
}

fn frame_file(water: &Path, frame: usize) -> PathBuf {
    water.join(format!("water.{frame:04}.exr"))
}

/// Twelve frames of the shot on one sheet.
struct Sheet {
    picture: Picture,
    cell: (usize, usize),
    frames: Vec<usize>,
}

impl Sheet {
    const COLUMNS: usize = 4;
    const ROWS: usize = 3;
    const GAP: usize = 6;

    fn new(size: (usize, usize), last: usize) -> Self {
        let cell = (size.0.min(400), (size.1 * size.0.min(400) / size.0).max(1));
        let (columns, rows) = (Self::COLUMNS, Self::ROWS);
        let width = columns * cell.0 + (columns + 1) * Self::GAP;
        let height = rows * cell.1 + (rows + 1) * Self::GAP;
        let count = columns * rows;
        let frames = (1..=count).map(|i| (i * last).div_ceil(count)).collect();
        Self { picture: Picture::from_fn(width, height, |_, _| [0.01, 0.01, 0.01, 1.0]), cell, frames }
    }

    fn add(&mut self, frame: usize, picture: &Picture) {
        for place in (0..self.frames.len()).filter(|&place| self.frames[place] == frame) {
            let (column, row) = (place % Self::COLUMNS, place / Self::COLUMNS);
            let x = Self::GAP + column * (self.cell.0 + Self::GAP);
            let y = Self::GAP + row * (self.cell.1 + Self::GAP);
            self.picture.paste(&picture.shrink(self.cell.0, self.cell.1), x, y);
        }
    }
}

/// Empties a folder: frames of an earlier, longer run would count as this one's.
pub fn fresh_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    command::make_folder(folder)
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width, height)) if (64..=8192).contains(&width) && (64..=8192).contains(&height) => Ok((width, height)),
        _ => Err(format!("{text:?} is no size; write width x height in pixels, 64 to 8192 each, such as 960x540")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused() {
        assert_eq!(size("960x540"), Ok((960, 540)));
        for wrong in ["960", "960x", "0x540", "960x540x3", "99999x10"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_sheet_holds_twelve_frames_up_to_the_last() {
        let sheet = Sheet::new((960, 540), 96);
        assert_eq!((sheet.frames.len(), sheet.frames[0], sheet.frames[11]), (12, 8, 96));
        assert!(sheet.frames.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Sheet::new((96, 64), 2).frames[11], 2);
    }
}

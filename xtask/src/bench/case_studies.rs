//! Times of the case studies of FlowParticles through the bundle: scenes of a fixed size with sprites of 8×8 pixels, the
//! presets at their defaults, and particles in grids of several sizes.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::Options;
use super::frames::stats;
use super::goals::Goal;
use super::time::median;
use crate::bundle::Bundle;
use crate::{command, project};

/// Diameter of a sprite in the scenes, pixels.
const DIAMETER: &str = "8";

/// A scene: emitters that keep so many particles alive, in a box of so many cells.
struct Scene {
    name: &'static str,
    emitters: u32,
    particles: u32,
    /// Frames that each particle lives.
    life: u32,
    cells: [u32; 3],
    /// Most milliseconds of a frame on two cores; `None` without a goal.
    goal: Option<f64>,
}

const SCENES: [Scene; 5] = [
    Scene { name: "Jet pack", emitters: 2, particles: 48_000, life: 100, cells: [48; 3], goal: Some(40.0) },
    Scene { name: "Disintegration gun", emitters: 3, particles: 30_000, life: 50, cells: [32; 3], goal: Some(20.0) },
    Scene::scaled("scaling", 100_000, [32, 16, 32]),
    Scene::scaled("scaling", 200_000, [64, 16, 64]),
    Scene::scaled("scaling", 500_000, [128, 32, 128]),
];

/// The presets that are measured at their defaults.
const PRESETS: [&str; 2] = ["Jet pack", "Disintegration gun"];

/// Longest side of the box of a scene, pixels.
const SIDE: u32 = 1200;

/// The air of all scenes, which no edit of a preset changes: a grid with two jets that wander, and eddies outside.
const AIR: [&str; 18] = [
    "grids=1",
    "grid1Swirl=0.4",
    "grid1Damping=0.06",
    "jet1=on",
    "jet1Offset=-310,190",
    "jet1Radius=80",
    "jet1Speed=70",
    "jet1Direction=12",
    "jet1Wander=0.5",
    "jet2=on",
    "jet2Offset=-310,-150",
    "jet2Radius=80",
    "jet2Speed=70",
    "jet2Direction=25",
    "jet2Wander=0.5",
    "wind=8,3",
    "noise=3",
    "noiseFine=3",
];

impl Scene {
    const fn scaled(name: &'static str, particles: u32, cells: [u32; 3]) -> Self {
        Self { name, emitters: 3, particles, life: 50, cells, goal: None }
    }

    /// The name of the row: grid, particles and sprites.
    fn title(&self) -> String {
        let [x, y, z] = self.cells;
        format!("{}, {x}×{y}×{z} cells, {} particles of {DIAMETER}×{DIAMETER} pixels", self.name, self.particles)
    }

    /// Values of parameters.
    fn values(&self) -> Vec<String> {
        let mut values: Vec<String> = AIR.map(str::to_owned).into();
        values.push(format!("preroll={}", self.life + 10));
        let longest = self.cells.into_iter().max().unwrap_or(1);
        values.push(format!("grid1Cells={longest}"));
        for (name, cells) in ["Width", "Height", "Length"].into_iter().zip(self.cells) {
            values.push(format!("grid1{name}={}", SIDE * cells / longest));
        }
        for n in 1..=4 {
            let is_on = n <= self.emitters;
            values.push(format!("emitter{n}={}", if is_on { "on" } else { "off" }));
            if !is_on {
                continue;
            }
            let rate = f64::from(self.particles) / f64::from(self.emitters * self.life);
            let life = self.life;
            for value in [
                format!("Rate={rate}"),
                format!("Life={life}"),
                "LifeSpread=0".into(),
                "Shape=Sphere".into(),
                format!("Centre={},{}", 800, 240 + 200 * n),
                "Radius=110".into(),
                "Speed=0.25".into(),
                "Spread=360".into(),
                "DepthSpread=180".into(),
                "Cover=0.95".into(),
                format!("Capacity={}", self.particles),
                "Sprite=Soft disc".into(),
                format!("Size={DIAMETER}"),
                "SizeSpread=0".into(),
                "SizeYoung=1,1".into(),
                "SizeOld=1,1".into(),
                "Stretch=0".into(),
            ] {
                values.push(format!("emitter{n}{value}"));
            }
        }
        values
    }
}

/// A row of the table.
pub struct Row {
    title: String,
    /// Particles of the last frame.
    particles: u64,
    /// Simulation, picture, and the whole render action: medians.
    times: [Duration; 3],
    goal: Option<f64>,
}

/// Measures every scene and preset on the CPU, frame after frame.
pub fn measure(host: &Path, bundle: &Bundle, options: &Options) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for scene in &SCENES {
        rows.push(row(host, bundle, options, (scene.title(), &scene.values(), scene.goal))?);
    }
    for preset in PRESETS {
        let title = format!("{preset}, the preset at its defaults");
        rows.push(row(host, bundle, options, (title, &[format!("preset={preset}")], None))?);
    }
    Ok(rows)
}

fn row(
    host: &Path,
    bundle: &Bundle,
    options: &Options,
    (title, values, goal): (String, &[String], Option<f64>),
) -> Result<Row> {
    println!("measuring {title}");
    let mut render = command::graphic(host);
    render.arg("render").arg(&bundle.folder).args(["--plugin", project::FLOW_PARTICLES]);
    render.args(["--size", "1920x1080", "--frames", &format!("1-{}", options.frames())]);
    for value in values.iter().map(String::as_str).chain(["device=CPU"]) {
        render.args(["--set", value]);
    }
    let frames = stats(&mut render)?;
    // The first frame has the pre-roll.
    let next = frames.get(1..).filter(|next| !next.is_empty()).context("flow-host wrote no times")?;
    let parts: Option<Vec<[Duration; 2]>> = next.iter().map(|frame| frame.steps_and_output()).collect();
    let parts = parts.context("the plug-in does not report its parts")?;
    let of = |part: usize| median(parts.iter().map(|parts| parts[part]).collect());
    let particles = next.last().and_then(|frame| frame.particles).unwrap_or(0);
    let times = [of(0), of(1), median(next.iter().map(|frame| frame.action).collect())];
    Ok(Row { title, particles, times, goal })
}

/// The section of the report; empty without measurements.
pub fn markdown(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Case studies\n\nMilliseconds of a frame at 1920×1080 through the bundle, on the CPU, medians of frames in order after the pre-roll: simulation of air and particles, picture, and the whole render action, which also reads the parameters and keeps the state. The scenes have a steady number of soft discs of 8×8 pixels, without stretch and shadows, which start from balls of 220 pixels in the air of two jets. The presets have the sprites of their looks, which are larger.\n\n| scene | alive | simulation | picture | frame | frames per second |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for Row { title, particles, times, .. } in rows {
        let [steps, output, action] = times.map(|time| time.as_secs_f64() * 1e3);
        text.push_str(&format!(
            "| {title} | {particles} | {steps:.1} | {output:.1} | {action:.1} | {:.1} |\n",
            1e3 / action
        ));
    }
    text
}

/// The goals of the rows that have one.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    let with = rows.iter().filter_map(|row| Some((row, row.goal?)));
    with.map(|(row, bound)| Goal {
        what: format!("a frame of {}", row.title),
        bound,
        at_most: true,
        unit: " ms",
        value: Some(row.times[2].as_secs_f64() * 1e3),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_keep_their_particles() {
        let values = SCENES[0].values();
        assert!(values.contains(&"emitter2Rate=240".to_owned()), "{values:?}");
        assert!(values.contains(&"emitter3=off".to_owned()) && values.contains(&"preroll=110".to_owned()));
        let values = SCENES[4].values();
        assert!(values.contains(&"grid1Cells=128".to_owned()) && values.contains(&"grid1Height=300".to_owned()));
    }

    #[test]
    fn a_goal_is_of_the_whole_frame() {
        assert!(markdown(&[]).is_empty() && goals(&[]).is_empty());
        let times = [20, 8, 30].map(Duration::from_millis);
        let rows = [
            Row { title: "A".into(), particles: 48_000, times, goal: Some(40.0) },
            Row { title: "B".into(), particles: 9, times, goal: None },
        ];
        let goals = goals(&rows);
        assert_eq!((goals.len(), goals[0].value, goals[0].reached()), (1, Some(30.0), Some(true)));
        let text = markdown(&rows);
        assert!(
            text.ends_with("| A | 48000 | 20.0 | 8.0 | 30.0 | 33.3 |\n| B | 9 | 20.0 | 8.0 | 30.0 | 33.3 |\n"),
            "{text}"
        );
    }
}

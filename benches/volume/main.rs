//! Times of steps and pictures of a plume in three dimensions, as JSON lines on standard output; `cargo xtask bench` makes
//! the table.

mod cpu_time;
#[path = "../measure.rs"]
mod measure;
mod peak_memory;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser as _;
use flow_ofx::compute::cpu::volume::solve;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::compute::gpu::{Graphics, Options as GpuOptions, list};
use flow_ofx::picture::camera::Camera;
use flow_ofx::picture::masks::Scene;
use flow_ofx::picture::volume::{Layer, Light, LightKind, Lit, Shot, VolumeLook};
use flow_ofx::picture::{Axis, Placement};
use flow_ofx::sim::volume::fields::Lattice;
use flow_ofx::sim::volume::settings::{Shape, Solid};
use flow_ofx::sim::volume::{Device, Settings, State, advance, first, testing};
use serde_json::json;

use measure::{Rows, measured};

/// Frames before the measured one.
const RUN_IN: i64 = 16;
/// Pixels of the picture.
const SIZE: [usize; 2] = [1280, 720];
/// Relative residual of the pressure that is solved for alone.
const TOLERANCE: f64 = 1e-4;

/// Times of a plume in three dimensions, as JSON lines.
#[derive(clap::Parser)]
struct Options {
    #[command(flatten)]
    rows: Rows,
    /// Only steps, of the fastest CPU at the size of the goals: a turn between other programs
    #[arg(long)]
    turn: bool,
    /// Write the plume for other programs into this folder, and measure nothing
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

/// A CPU or a graphics device.
struct Entry {
    name: String,
    /// 0 for a graphics device.
    threads: usize,
    device: Arc<dyn Device>,
}

/// A kind of step.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Reflection,
    /// With reflection, around a sphere that moves.
    Solid,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Reflection => "reflection",
            Self::Solid => "solid",
        }
    }
}

/// A plume in the middle of a box of so many cells along each axis, all of them simulated.
struct Shown {
    cells: usize,
    settings: Settings,
    state: State,
}

fn main() -> std::io::Result<()> {
    let Options { rows, turn, export } = Options::parse();
    let (threads, budget) = (rows.threads(), rows.budget());
    let cpu = Arc::new(Cpu::new(threads));
    let sizes: &[usize] = if rows.quick { &[64] } else { &[64, 128, 256] };
    // The size of the goals.
    let main = sizes[sizes.len() / 2];
    if let Some(folder) = export {
        return Shown::new(main, &*cpu).export(&folder, &*cpu);
    }
    if !turn && rows.wants(&format!("{main}³ memory")) {
        memory(main, threads);
    }
    let entries = if turn { vec![fastest(threads, &cpu)] } else { entries(threads, main, &cpu) };
    for &cells in sizes.iter().filter(|cells| !turn || **cells == main) {
        let shown = Shown::new(cells, &*cpu);
        for entry in entries.iter().filter(|entry| cells == main || entry.is_fastest()) {
            for kind in [Kind::Plain, Kind::Reflection, Kind::Solid] {
                let task = kind.name();
                let name = format!("{cells}³ {task} {}, {} threads", entry.name, entry.threads);
                let is_left_out = turn && kind == Kind::Solid;
                if is_left_out || !rows.wants(&name) || (entry.is_software() && (cells != main || kind != Kind::Plain))
                {
                    continue;
                }
                eprintln!("{name}");
                // A chain of frames on one device: the state before is there already.
                let (before, _) = shown.step(&shown.state, &*entry.device, kind);
                let (mut residual, mut spent) = (0.0, Vec::<f64>::new());
                let times = measured(budget, || {
                    let begun = cpu_time::seconds();
                    residual = shown.step(&before, &*entry.device, kind).1;
                    spent.extend(cpu_time::seconds().zip(begun).map(|(end, begun)| end - begun));
                });
                // As the times, without the first run.
                spent = spent.split_off(spent.len().min(1));
                spent.sort_by(f64::total_cmp);
                let found = json!({ "residual": residual, "cpu": spent.get(spent.len() / 2) });
                row(task, cells, entry, times, found);
            }
        }
        if turn {
            continue;
        }
        if cells == main && rows.wants(&format!("{cells}³ pressure")) {
            let mut solves = Default::default();
            let sides = shown.settings.sides;
            let times = measured(budget, || solves = solve(&cpu, &shown.state, sides, TOLERANCE));
            let found = json!({ "residual": solves.residual, "cycles": solves.cycles });
            row("pressure", cells, &entries[0], times, found);
        }
        if cells == main && rows.wants(&format!("{cells}³ picture")) {
            shown.pictures(&cpu, &entries[0], budget);
        }
    }
    Ok(())
}

/// The most memory of steps on a CPU of its own, per cell, with the states before and after a step.
fn memory(cells: usize, threads: usize) {
    let Some(before) = peak_memory::resident() else { return };
    let cpu = Arc::new(Cpu::new(threads));
    let entry = fastest(threads, &cpu);
    let shown = Shown::new(cells, &*cpu);
    for kind in [Kind::Plain, Kind::Reflection] {
        drop(shown.step(&shown.state, &*cpu, kind));
        let bytes = peak_memory::largest().map(|most| (most - before) as f64 / cells.pow(3) as f64);
        row(&format!("memory {}", kind.name()), cells, &entry, [0.0; 2], json!({ "bytes": bytes }));
    }
}

/// The CPU with the fastest instruction set.
fn fastest(threads: usize, cpu: &Arc<Cpu>) -> Entry {
    Entry { name: Isa::best().name().to_owned(), threads, device: cpu.clone() }
}

/// The CPU with the fastest instruction set first, then its other ones and one thread, then the graphics devices that
/// hold so many cells along each axis.
fn entries(threads: usize, cells: usize, cpu: &Arc<Cpu>) -> Vec<Entry> {
    let of = |threads: usize, isa: Isa| {
        let device: Arc<dyn Device> = Arc::new(Cpu::with_isa(threads, isa));
        Entry { name: isa.name().to_owned(), threads, device }
    };
    let best = Isa::best();
    let mut entries = vec![fastest(threads, cpu)];
    entries.extend(Isa::available().into_iter().filter(|isa| *isa != best).map(|isa| of(threads, isa)));
    if threads > 1 {
        entries.push(of(1, best));
    }
    for name in list(None).into_iter().map(|listed| listed.name) {
        let graphics = Graphics::new(GpuOptions { adapter: Some(name.clone()), ..GpuOptions::default() });
        match graphics.volume(([cells; 3], 1), true, cpu, &mut || true) {
            Ok(Some(device)) => entries.push(Entry { name, threads: 0, device }),
            _ => eprintln!("{name} does not take the volumes"),
        }
    }
    entries
}

impl Entry {
    /// Whether it is the fastest CPU, or a graphics device.
    fn is_fastest(&self) -> bool {
        self.threads == 0 || (self.threads > 1 && self.name == Isa::best().name())
    }

    fn is_software(&self) -> bool {
        self.name.contains("llvmpipe")
    }
}

fn row(task: &str, cells: usize, entry: &Entry, [least, median]: [f64; 2], more: serde_json::Value) {
    let row = json!({
        "row": "volume", "task": task, "cells": cells, "name": entry.name, "threads": entry.threads, "least": least,
        "median": median, "residual": more["residual"], "cycles": more["cycles"], "cpu": more["cpu"],
        "bytes": more["bytes"],
    });
    println!("{row}");
}

impl Shown {
    /// The plume after some frames without reflection.
    fn new(cells: usize, device: &dyn Device) -> Self {
        let mut settings = testing::plume([cells; 3]);
        settings.fixed = true;
        settings.max_cfl = 100.0;
        let scale = cells as f64 / 64.0;
        let emitter = &mut settings.emitters[0];
        emitter.radius *= scale;
        emitter.centre = [0.5, 0.2, 0.5].map(|share| share * cells as f64);
        emitter.previous = emitter.centre;
        settings.buoyancy *= scale;
        settings.confinement = 0.1;
        let mut state = first(&settings);
        for frame in 1..=RUN_IN {
            let settings = Settings { frame: frame as f64, reflection: false, ..settings.clone() };
            state = advance(&state, &settings, 1.0, device, &mut || true).expect("a CPU does not fail").0;
        }
        Self { cells, settings, state }
    }

    /// The next frame in one step, and the residual of its pressure.
    fn step(&self, before: &State, device: &dyn Device, kind: Kind) -> (State, f64) {
        let frame = (RUN_IN + 1) as f64;
        let mut settings = Settings { frame, reflection: kind != Kind::Plain, ..self.settings.clone() };
        if kind == Kind::Solid {
            settings.solids = vec![self.sphere()];
        }
        let (state, diagnostics, steps) =
            advance(before, &settings, 1.0, device, &mut || true).expect("the device works");
        assert_eq!(steps, 1, "a frame is a step");
        (state, diagnostics.residual)
    }

    /// A sphere that crosses the plume by a cell a frame, a quarter of the box wide.
    fn sphere(&self) -> Solid {
        let centre = [0.5, 0.4, 0.5].map(|share| share * self.cells as f64);
        let previous = [centre[0] - 1.0, centre[1], centre[2]];
        let radius = self.cells as f64 / 8.0;
        Solid { shape: Shape::Sphere, file: None, centre, previous, radius, height: 0.0, turn: None }
    }

    /// Writes into `folder` the plume as `plume.json`: its settings, and its smoke after the run-in of other programs,
    /// which is that of the measured steps.
    fn export(&self, folder: &Path, device: &dyn Device) -> std::io::Result<()> {
        let (state, _) = self.step(&self.state, device, Kind::Plain);
        let lattice = Lattice { origin: [0.0; 3], spacing: 1.0 };
        let (mut smoke, mut moment) = (0.0, 0.0);
        for (at, cell) in state.view(lattice).scalars.iter().enumerate() {
            let density = f64::from(cell[0].to_f32());
            smoke += density;
            moment += density * ((at / self.cells % self.cells) as f64 + 0.5);
        }
        let Settings { buoyancy, confinement, ref emitters, .. } = self.settings;
        let emitter = &emitters[0];
        let document = json!({
            "cells": self.cells, "frames": RUN_IN + 1, "buoyancy": buoyancy, "confinement": confinement,
            "centre": emitter.centre, "radius": emitter.radius, "softness": emitter.softness,
            "density": emitter.density, "temperature": emitter.temperature,
            "flow": { "smoke": smoke, "height": moment / smoke },
        });
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("plume.json"), document.to_string())
    }

    /// Light by two lights, and the march of a picture.
    fn pictures(&self, cpu: &Cpu, entry: &Entry, budget: Duration) {
        let [width, height] = SIZE;
        let spacing = 0.95 * height as f64 / self.cells as f64;
        let side = spacing * self.cells as f64;
        let origin = [(width as f64 - side) / 2.0, (height as f64 - side) / 2.0, -side / 2.0];
        let view = self.state.view(Lattice { origin, spacing });
        let look = VolumeLook::default();
        let light = |to_light| Light {
            kind: LightKind::Directional { to_light },
            colour: [1.0, 0.9, 0.8],
            intensity: 1.0,
            shadow: 1.0,
        };
        let lights = [light([1.0, 2.0, 0.5]), light([-2.0, 1.0, 1.0])];
        let of = |count: usize| Lit::new(cpu, &view, &look, &lights[..count]);
        for count in 0..=lights.len() {
            let times = measured(budget, || drop(of(count)));
            row(&format!("light {count}"), self.cells, entry, times, json!({}));
        }
        let pixels = Placement {
            x: Axis { start: 0.0, size: 1.0, count: width },
            y: Axis { start: 0.0, size: 1.0, count: height },
        };
        let shot = Shot { camera: Camera::default(), shutter: &[], grid: pixels, scene: Scene::default(), pixels };
        let lit = of(lights.len());
        let times = measured(budget, || drop(lit.render(cpu, &shot, &[Layer::Beauty])));
        row("march", self.cells, entry, times, json!({}));
    }
}

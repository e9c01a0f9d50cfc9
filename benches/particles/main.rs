//! Times of a million particles, stepped in a velocity picture and drawn as sprites, as JSON lines on standard output;
//! `cargo xtask bench` makes the table.
//!
//! `--export` writes the particles as NumPy's files, for the peers in `benches/particle_peers.py`.

#[path = "../measure.rs"]
mod measure;
#[path = "../npy.rs"]
mod npy;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser as _;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::compute::gpu::particles::SpriteGpu;
use flow_ofx::compute::gpu::{Graphics, Options as GpuOptions};
use flow_ofx::picture::camera::Camera;
use flow_ofx::picture::particles::{Atlas, EmitterLook, KEYS, Look, Output, Painting, Scene, Sprite, paint_particles};
use flow_ofx::picture::{Canvas, Format, Placement};
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::particles::births::Births;
use flow_ofx::sim::particles::random::{Purpose, units};
use flow_ofx::sim::particles::settings::{EMITTERS, Emitter, Field, Shape, Solids};
use flow_ofx::sim::particles::{Inputs, Particle, Settings, State, advance};
use serde_json::json;

use measure::{Rows, measured};

/// The frame.
const SIZE: [usize; 2] = [1920, 1080];
/// Diameter of a sprite, pixels.
const DIAMETER: f64 = 8.0;
/// Opacity of a sprite.
const OPACITY: f64 = 0.25;
/// Fastest air, pixels per frame.
const SPEED: f64 = 1.5;
/// Distance of all particles from the border of the frame, pixels.
const MARGIN: f64 = 16.0;

/// Times of a million particles, as JSON lines.
#[derive(clap::Parser)]
struct Options {
    #[command(flatten)]
    rows: Rows,
    /// Write the particles for the peers into this folder and measure nothing
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

/// A measured task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// A frame of particles without mass.
    Step,
    /// A picture of sprites that add light.
    Additive,
    /// A picture of sprites that cover each other.
    Over,
}

impl Task {
    const ALL: [Self; 3] = [Self::Step, Self::Additive, Self::Over];

    fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Additive => "additive",
            Self::Over => "over",
        }
    }
}

/// The particles and their air.
struct Shot {
    grid: Grid,
    settings: Settings,
    inputs: Inputs,
    state: State,
}

fn main() -> io::Result<()> {
    let options = Options::parse();
    let count = if options.rows.quick { 100_000 } else { 1_000_000 };
    let threads = options.rows.threads();
    let (cpu, shot) = (Cpu::new(threads), Shot::new(count));
    if let Some(folder) = &options.export {
        return shot.export(folder, &cpu);
    }
    let budget = options.rows.budget();
    let graphics = Graphics::new(GpuOptions::from_env());
    let gpu = graphics.sprites(true, &mut || true).ok().flatten();
    // The CPU first, then the same pictures on the graphics device.
    let tasks = Task::ALL.map(|task| (task, None)).into_iter();
    let drawn = Task::ALL.into_iter().filter(|task| *task != Task::Step);
    for (task, gpu) in tasks.chain(drawn.filter_map(|task| Some((task, Some(gpu.as_ref()?))))) {
        let device = gpu.map(|gpu| gpu.name().unwrap_or_default());
        let on = device.as_ref().map_or(String::new(), |device| format!(", {device}"));
        let name = format!("{threads} threads, {count} particles {}{on}", task.name());
        if !options.rows.wants(&name) {
            continue;
        }
        eprintln!("{name}");
        let [least, median] = measured(budget, || match task {
            Task::Step => drop(shot.step(&cpu)),
            Task::Additive => drop(shot.picture(&cpu, gpu, 0.0)),
            Task::Over => drop(shot.picture(&cpu, gpu, 1.0)),
        });
        let row = json!({
            "row": "particles", "task": task.name(), "name": Isa::best().name(), "threads": threads, "count": count,
            "device": device, "least": least, "median": median,
        });
        println!("{row}");
    }
    drop(gpu);
    graphics.close();
    Ok(())
}

impl Shot {
    fn new(count: usize) -> Self {
        let [width, height] = SIZE;
        let air = |at: usize| {
            let [x, y] = [at % width, at / width].map(|cell| cell as f64 * std::f64::consts::TAU / 270.0);
            [(SPEED * y.sin()) as f32, (SPEED * (x + y).cos()) as f32, 0.0, 1.0]
        };
        let particle = |id: u64| {
            let [u, v, w, age] = units(1, id, Purpose::Place);
            let place = |share: f64, size: usize| (MARGIN + share * (size as f64 - 2.0 * MARGIN)) as f32;
            Particle {
                id,
                born: 1 - (age * 50.0) as i32,
                life: 1000.0,
                position: [place(u, width), place(v, height), (w * 40.0 - 20.0) as f32],
                colour: [1.0; 4],
                ..Particle::default()
            }
        };
        let inputs = Inputs {
            fields: [Some(Arc::new((0..width * height).map(air).collect())), None, None, None],
            ..Inputs::default()
        };
        Self {
            grid: Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 },
            settings: Settings {
                frame: 2,
                counted: true,
                emitters: vec![emitter(count)],
                share: 1.0,
                longest: 1000.0,
                fields: vec![Field { number: 0, scale: 1.0, depth: 0.0, thickness: 0.0, fade: 0.0, group: 0 }],
                grids: Vec::new(),
                gravity: [0.0; 3],
                wind: [0.0; 3],
                noise: Vec::new(),
                attractor: None,
                vortex: None,
                solids: Solids::default(),
            },
            inputs,
            state: State {
                time: 1.0,
                particles: Arc::new((0..count as u64).map(particle).collect()),
                births: [count as f64, 0.0, 0.0, 0.0],
                matte: None,
            },
        }
    }

    fn step(&self, cpu: &Cpu) -> State {
        let made = advance(&self.grid, &self.settings, &self.inputs, Some(&self.state), 1.0, cpu, &mut || true);
        let (state, _) = made.expect("uninterrupted");
        assert_eq!(state.particles.len(), self.state.particles.len(), "none ends");
        state
    }

    fn picture(&self, cpu: &Cpu, gpu: Option<&SpriteGpu>, cover: f64) -> Vec<[f32; 4]> {
        let mut emitters = [None; EMITTERS];
        emitters[0] = Some(EmitterLook {
            sprite: Sprite::SoftDisc,
            size: DIAMETER,
            size_spread: 0.0,
            size_skew: 0.0,
            sizes: [1.0; KEYS],
            opacity: OPACITY,
            opacities: [1.0; KEYS],
            shock_cells: 0.0,
            colours: [[0.8, 0.5, 0.2]; 3],
            brightness: 1.0,
            cover,
            stretch: 0.0,
            spin: 0.0,
            tumble: 0.0,
            seed: 1,
        });
        let look = Look {
            output: Output::Beauty,
            emitters,
            futures: [const { None }; EMITTERS],
            scale: 1.0,
            shutter: 0.0,
            camera: Camera::default(),
            moving: None,
            focus: None,
            atlas: Atlas { frames: [1; 2], by_age: false },
            light: [90.0, 45.0],
            ambient: 1.0,
            self_shadow: 0.0,
            sprite_light: 0.0,
            catcher: None,
            near_fade: 0.0,
            soft_depth: 0.0,
        };
        let [width, height] = SIZE;
        let placement = Placement::of_pixels([0, 0, width as i32, height as i32], [1.0; 2], 1.0);
        let mut pixels = vec![[0.0_f32; 4]; width * height];
        let rows = pixels.chunks_mut(width).map(bytemuck::cast_slice_mut).collect();
        let scene = Scene::default();
        let painting =
            Painting { state: &self.state, look: &look, grid: placement, scene, sprite: None, smoke: None, gpu };
        paint_particles(cpu, painting, Canvas { placement, format: Format::PLAIN, rows });
        pixels
    }

    /// Writes positions before and after a step, the air, and the sums of the pictures' channels.
    fn export(&self, folder: &Path, cpu: &Cpu) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let path = |name: &str| folder.join(format!("{name}.npy"));
        let positions =
            |state: &State| state.particles.iter().flat_map(|particle| particle.position).collect::<Vec<_>>();
        let count = self.state.particles.len();
        npy::write(&path("before"), &[count, 3], positions(&self.state))?;
        npy::write(&path("after"), &[count, 3], positions(&self.step(cpu)))?;
        let air = self.inputs.fields[0].as_ref().map(|pixels| pixels.iter().flat_map(|pixel| [pixel[0], pixel[1]]));
        npy::write(&path("air"), &[SIZE[1], SIZE[0], 2], air.into_iter().flatten())?;
        let sums = |cover: f64| {
            let pixels = self.picture(cpu, None, cover);
            [0, 1, 2, 3].map(|channel| pixels.iter().map(|pixel| f64::from(pixel[channel])).sum::<f64>())
        };
        let document = json!({
            "count": count, "size": SIZE, "diameter": DIAMETER, "opacity": OPACITY, "colour": [0.8, 0.5, 0.2],
            "distance": SIZE[0] as f64 * 50.0 / 24.576, "additive": sums(0.0), "over": sums(1.0),
        });
        fs::write(folder.join("constants.json"), document.to_string())
    }
}

/// An emitter of particles that move with the air, of which none is born in the frame.
fn emitter(count: usize) -> Emitter {
    Emitter {
        number: 0,
        seed: 1,
        capacity: count,
        births: Births { before: count as f64, pieces: [0.0; 8] },
        shape: Shape::Point,
        centre: [0.0; 3],
        previous: [0.0; 3],
        radius: 0.0,
        height: 0.0,
        thickness: 0.0,
        angle: 0.0,
        threshold: 0.0,
        life: 1000.0,
        life_spread: 0.0,
        speed: 0.0,
        speed_spread: 0.0,
        direction: 0.0,
        elevation: 0.0,
        spread: 0.0,
        depth_spread: 0.0,
        inherit: 0.0,
        inherit_air: 0.0,
        plate: false,
        tracer: true,
        drag: 0.0,
        drag_spread: 0.0,
        drag_by_size: false,
        release_delay: 0.0,
        release_front: 0.0,
        release_angle: 0.0,
        release_spread: 0.0,
        release_speed: 0.0,
        release_patch: 0.0,
        weight: 0.0,
    }
}

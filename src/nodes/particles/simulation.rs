//! Simulation and painting of particles: the trait `Simulation` of the node.

use std::sync::Arc;

use super::controls::Id;
use super::fluid::{AirCache, AirMeans, Frame};
use super::frame_state::FrameState;
use super::grids::{alone, grids};
use super::initial::Start;
use super::inputs::{DEPTH, EMISSION, HOLDOUT, OBSTACLES, SOURCE, SPRITE, VELOCITY, for_model};
use super::values::Sizes;
use super::view::View;
use super::{FlowParticles, report, stored, values};
use crate::compute::cpu::Cpu;
use crate::compute::gpu::particles::SpriteGpu;
use crate::nodes::common::cache::Cache;
use crate::nodes::common::geometry;
use crate::nodes::common::initial::Initial;
use crate::nodes::common::node::{Failure, FrameReport, GridSize, Simulation, Step};
use crate::nodes::common::pictures::{Pictures, Wired};
use crate::nodes::common::values::{Moment, Values};
use crate::nodes::engine::{Wanted, engine};
use crate::ofx::{Error, Result};
use crate::picture::particles::{Future, Look, Painting, Scene, SpritePicture, paint_particles};
use crate::picture::{Averaging, Canvas, Placement};
use crate::sim::grid::Grid;
use crate::sim::particles::settings::Shape;
use crate::sim::particles::{self, State};
use crate::timeline::disk::{Restore, Threads, Uses};

/// The constants of a simulation of particles.
pub struct Particles {
    /// The cells onto which inputs are sampled.
    raster: Grid,
    sizes: Sizes,
    start: Option<Start>,
    cpu: Arc<Cpu>,
    wanted: Wanted,
    /// The device that draws, where one was found.
    gpu: Option<SpriteGpu>,
    /// The disk cache of the air.
    air: Option<AirCache>,
    /// Whether the air of a grid is simulated without particles.
    is_air_alone: bool,
}

impl Particles {
    fn shape(&self) -> Vec<usize> {
        stored::shape(self.sizes, self.raster.cells())
    }

    fn means(&self) -> AirMeans<'_> {
        AirMeans { store: engine().store(), device: &*self.cpu, cpu: &self.cpu, cache: self.air.as_ref() }
    }
}

impl Simulation<FlowParticles> for Particles {
    const VERSION: u32 = particles::MODEL_VERSION;
    type State = FrameState;
    type Frame = Frame;

    fn size(values: &impl Values<Id>, time: f64, raster: &Grid) -> Result<GridSize> {
        let shape = stored::shape(values::sizes(values, time)?, raster.cells());
        Ok(GridSize { shape, fewer: "Lower the Capacity of the emitters, or Resolution." })
    }

    fn new(values: &impl Values<Id>, time: f64, raster: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self> {
        let sizes = values::sizes(values, time)?;
        let cells = raster.cells();
        let is_air_alone = alone(values, time)?.is_some();
        let read = || Start::read(values, time, (&stored::shape(sizes, cells)[..], cells), &Threads(cpu));
        let start = if is_air_alone { None } else { read()? };
        Ok(Self { raster, sizes, start, cpu: Arc::clone(cpu), wanted, gpu: None, air: None, is_air_alone })
    }

    fn open(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        if self.wanted == Wanted::Cpu {
            return true;
        }
        let found = engine().graphics().sprites(self.wanted == Wanted::Gpu, go_on);
        found.map(|gpu| self.gpu = gpu).is_ok()
    }

    fn initial(&self) -> Option<&Initial> {
        self.start.as_ref().map(|start| &start.file)
    }

    fn frame(&self, values: &impl Values<Id>, wired: Wired, moment: Moment, before: Option<&Frame>) -> Result<Frame> {
        let first = self.start.as_ref().map(|start| &start.facts);
        let shown = geometry::frame(&self.raster);
        let mut particles =
            values::settings(values, (wired, shown), moment, before.map(|before| &before.particles), first)?;
        if self.is_air_alone {
            (particles.emitters, particles.longest) = (Vec::new(), 0.0);
        }
        // Where frames before are not known, as in hosts that show the present only, there is no air to go on with.
        let known = before.is_some() || moment.first;
        let before = before.map_or(&[][..], |before| &before.grids);
        let grids = if known { grids(values, shown, moment, before)? } else { Vec::new() };
        Ok(Frame::new(particles, grids))
    }

    fn consumes(&self, frame: &Frame, _first: bool, wired: Wired, input: usize) -> Option<Averaging> {
        let frame = &frame.particles;
        let bears = |emitter: &particles::settings::Emitter| !emitter.births.numbers(1.0).is_empty();
        let emitters = &frame.emitters;
        let consumed = match input {
            SOURCE => emitters.iter().any(|emitter| emitter.plate && bears(emitter)),
            EMISSION => emitters.iter().any(|emitter| match emitter.shape {
                Shape::Matte => bears(emitter),
                shape => shape == Shape::Edge,
            }),
            OBSTACLES => frame.solids.matte.is_some(),
            field => frame.fields.iter().any(|other| VELOCITY + other.number == field),
        };
        let averaging = if input == SOURCE { Averaging::ByAlpha } else { Averaging::Plain };
        (consumed && wired.has(input)).then_some(averaging)
    }

    fn history(&self, frame: &Frame) -> Option<u64> {
        Some(frame.particles.history())
    }

    fn step(
        &self,
        before: Option<&FrameState>,
        frame: &Frame,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<FrameState>>, Failure> {
        let (mut inputs, before) = (for_model(pictures), before.map(|before| &before.particles));
        for (grid, place) in frame.grids.iter().zip(&frame.particles.grids) {
            let Some(air) = grid.air(self.means(), go_on) else { return Ok(None) };
            inputs.grids[place.number] = Some(air);
        }
        let settings = &frame.particles;
        let made = particles::advance(&self.raster, settings, &inputs, before, share, &*self.cpu, go_on);
        let Some((mut particles, mut diagnostics)) = made else { return Ok(None) };
        if let Some(start) = self.start.as_ref().filter(|start| before.is_none() && start.is_at(settings)) {
            particles = start.begin(settings, particles, self.raster.cells(), &Threads(&self.cpu))?;
            diagnostics.particles = particles.particles.len() as u64;
        }
        Ok(Some(Step { state: FrameState { particles, diagnostics }, steps: 1 }))
    }

    fn keep_parts(&mut self, cache: &Cache, uses: &Uses) {
        self.air = Some(AirCache::new(cache, uses));
    }

    fn keeps_frames(&self) -> bool {
        !self.is_air_alone
    }

    fn restore(&self) -> Restore<'_, FrameState> {
        let cells = self.raster.cells();
        Restore {
            model: stored::model(),
            shape: self.shape(),
            make: Box::new(move |header, blobs| stored::restore(header, blobs, cells)),
        }
    }

    fn paint(
        &self,
        cpu: &Cpu,
        state: &FrameState,
        view: &View,
        pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure> {
        let (particles, look) = (&state.particles, look(view, &state.particles));
        let cells = |input: usize| pictures.get(input).map(|picture| &picture.pixels[..]);
        let scene = Scene { depth: cells(DEPTH), holdout: cells(HOLDOUT) };
        let grid = geometry::placement(&self.raster);
        let [left, _, right, _] = geometry::frame(&self.raster);
        let smoke = view.smoke.clone().map(|file| file?.smoke(right - left)).transpose();
        let smoke = smoke.map_err(Error::message)?;
        let sprite = pictures.get(SPRITE).map(|picture| SpritePicture {
            pixels: &picture.pixels,
            size: picture.size,
            has_alpha: picture.has_alpha,
            premultiplied: picture.premultiplied,
        });
        let gpu = self.gpu.as_ref();
        paint_particles(
            cpu,
            Painting { state: particles, look: &look, grid, scene, sprite, smoke: smoke.as_ref(), gpu },
            canvas,
        );
        Ok(())
    }

    fn export(
        &self,
        cpu: &Cpu,
        state: &FrameState,
        view: &View,
        _pictures: &Pictures,
        (frame, _): (i64, &Placement),
    ) -> Vec<String> {
        let Some(files) = &view.files else { return Vec::new() };
        files.write(cpu, &state.particles, &look(view, &state.particles), frame).into_iter().collect()
    }

    fn report(&self, state: &FrameState, _frame: &Frame) -> FrameReport {
        report::report(state, &self.raster, self.gpu.as_ref().and_then(SpriteGpu::name))
    }
}

/// The shading settings of a view with the births after a state.
fn look(view: &View, particles: &State) -> Look {
    let mut look = view.look.clone();
    for (emitter, ahead) in view.ahead.iter().enumerate() {
        look.futures[emitter] = ahead.as_ref().map(|ahead| {
            let births = ahead.births.iter().copied();
            Future::new(libm::floor(particles.time) as i64, particles.births[emitter], births, ahead.capacity)
        });
    }
    look
}

//! Simulation and painting of water: the trait `Simulation` of the node.

use std::sync::Arc;

use super::controls::Id;
use super::frame_state::FrameState;
use super::inputs::{CONTROL, FORCE, GOAL, MASK, OBSTACLES, SOURCE, TERRAIN, for_models, scene};
use super::values::{self, Frame};
use super::view::View;
use super::{Flow, initial, report, stored};
use crate::compute::cpu::Cpu;
use crate::compute::gpu::water::GpuWithFallback;
use crate::nodes::common::geometry;
use crate::nodes::common::initial::Initial;
use crate::nodes::common::node::{Failure, FrameReport, Simulation, Step};
use crate::nodes::common::pictures::{Pictures, Wired};
use crate::nodes::common::values::{Moment, Values};
use crate::nodes::engine::{Wanted, engine};
use crate::ofx::Result;
use crate::picture::water::paint_water;
use crate::picture::{Averaging, Canvas};
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;
use crate::sim::water::settings::{Channel, Model, SourceMode};
use crate::sim::{
    self,
    water::{Device, Diagnostics, Spec, State, steps_per_frame},
};
use crate::timeline::disk::{Restore, Threads};

/// A simulation of water.
pub struct Water {
    spec: Spec,
    device: Arc<dyn Device>,
    wanted: Wanted,
    initial: Option<Initial>,
    /// Threads that read the initial state.
    cpu: Arc<Cpu>,
}

/// The wanted device, with the CPU as its fallback. The first frame on a graphics device opens it; where that fails,
/// the CPU simulates the frame, with the same bits. Ripples are faster on the CPU: their state returns to memory after
/// each frame.
fn device(wanted: Wanted, model: Model, cpu: &Arc<Cpu>) -> Arc<dyn Device> {
    let cpu: Arc<dyn Device> = cpu.clone();
    match wanted {
        Wanted::Cpu => cpu,
        Wanted::Auto if model == Model::Ripples => cpu,
        Wanted::Auto | Wanted::Gpu => Arc::new(GpuWithFallback::new(engine().graphics(), cpu, wanted == Wanted::Gpu)),
    }
}

/// A frame that was simulated, after `before`.
fn simulated(before: Option<&FrameState>, (water, diagnostics): (State, Diagnostics)) -> Step<FrameState> {
    Step { steps: u64::from(diagnostics.steps), state: FrameState::after(before, water, diagnostics) }
}

impl Simulation<Flow> for Water {
    const VERSION: u32 = sim::water::MODEL_VERSION;
    type State = FrameState;
    type Frame = Frame;

    fn new(values: &impl Values<Id>, time: f64, grid: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self> {
        let spec = Spec { grid, constants: values::constants(values, time)? };
        let initial = initial::read(values, time, &spec)?;
        Ok(Self { device: device(wanted, spec.constants.model, cpu), spec, wanted, initial, cpu: Arc::clone(cpu) })
    }

    fn enter(&self, digest: &mut Digest) {
        self.spec.constants.enter(digest);
    }

    fn initial(&self) -> Option<&Initial> {
        self.initial.as_ref()
    }

    fn frame(&self, values: &impl Values<Id>, wired: Wired, moment: Moment, _before: Option<&Frame>) -> Result<Frame> {
        Frame::read(values, &self.spec.constants, wired, moment)
    }

    fn consumes(&self, frame: &Frame, first: bool, wired: Wired, input: usize) -> Option<Averaging> {
        let settings = &frame.settings;
        if first && let Some(initial) = &self.initial {
            // A state of this model has its ground and walls; other files need the inputs.
            let consumed = match input {
                TERRAIN => frame.use_terrain,
                OBSTACLES => true,
                _ => false,
            };
            return (consumed && !initial.is_exact()).then_some(Averaging::Plain);
        }
        let source = wired.has(SOURCE) && (first || settings.source_mode != SourceMode::StartFrame);
        let consumed = match input {
            SOURCE => source,
            TERRAIN => frame.use_terrain,
            OBSTACLES => true,
            FORCE => settings.force_scale != 0.0 || settings.pressure_scale != 0.0,
            CONTROL => !first,
            GOAL => !first && settings.goal_strength > 0.0,
            MASK => source || settings.emitters.iter().any(Option::is_some) || settings.rains(),
            _ => false,
        };
        // Straight colour is averaged by its alpha where alpha is the height; a height in RGB is averaged as it stands.
        let by_alpha = input == SOURCE && settings.source_channel == Channel::Alpha;
        consumed.then_some(if by_alpha { Averaging::ByAlpha } else { Averaging::Plain })
    }

    fn step(
        &self,
        before: Option<&FrameState>,
        frame: &Frame,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<FrameState>>, Failure> {
        let (spec, settings, inputs, device) = (&self.spec, &frame.settings, for_models(pictures), &*self.device);
        let Some(last) = before else {
            if let Some(file) = &self.initial {
                let threads = Threads(&self.cpu);
                let (water, diagnostics) = initial::start(file, spec, settings, &inputs, device, &threads)?;
                // Its steps were taken by whoever wrote it.
                return Ok(Some(Step { state: FrameState::new(water, diagnostics), steps: 0 }));
            }
            return Ok(Some(simulated(None, sim::water::start_frame(spec, settings, &inputs, device))));
        };
        let made = if share < 1.0 {
            sim::water::part_frame(spec, &last.water, settings, &inputs, share, device, go_on)
        } else {
            sim::water::next_frame(spec, &last.water, settings, &inputs, device, go_on)
        };
        Ok(made.ok().map(|made| simulated(before, made)))
    }

    fn restore(&self) -> Restore<'_, FrameState> {
        Restore {
            model: stored::model(self.spec.constants.model),
            shape: vec![self.spec.grid.width, self.spec.grid.height],
            make: Box::new(|header, blobs| stored::restore(&self.spec, header, blobs)),
        }
    }

    fn account(&self, frame: &Frame) -> String {
        format!("{:#?}\n{:#?}", self.spec.constants, frame.settings)
    }

    fn paint(
        &self,
        cpu: &Cpu,
        state: &FrameState,
        view: &View,
        pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure> {
        let (water, steps) = (&state.water, state.diagnostics.steps);
        let grid = geometry::placement(water.grid());
        paint_water(cpu, water, steps, view.output, &scene(&view.shading, pictures), &grid, canvas);
        Ok(())
    }

    fn report(&self, state: &FrameState, frame: &Frame) -> FrameReport {
        let diagnostics = &state.diagnostics;
        let pace = match self.spec.constants.model {
            // The number depends on the water: the steps that this frame took.
            Model::ShallowWater => (diagnostics.steps, diagnostics.speed_cut),
            Model::Pipes | Model::Classic | Model::Ripples => steps_per_frame(&self.spec, &frame.settings),
        };
        report::report(state, pace, self.device.name(), self.wanted == Wanted::Gpu)
    }
}

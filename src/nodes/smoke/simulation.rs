//! Simulation and painting of smoke: the trait `Simulation` of the node.

use std::sync::Arc;

use super::controls::Id;
use super::frame_state::FrameState;
use super::inputs::{HEAT, MASK, OBSTACLE_VELOCITY, OBSTACLES, SOURCE, VELOCITY, for_model};
use super::view::View;
use super::{FlowSmoke, initial, report, stored, values};
use crate::compute::cpu::Cpu;
use crate::nodes::common::geometry;
use crate::nodes::common::initial::Initial;
use crate::nodes::common::node::{Failure, FrameReport, GridSize, Simulation, Step};
use crate::nodes::common::pictures::{Pictures, Wired};
use crate::nodes::common::values::{Moment, Values};
use crate::nodes::engine::{Wanted, engine};
use crate::ofx::Result;
use crate::picture::smoke::paint_smoke;
use crate::picture::{Averaging, Canvas};
use crate::sim::Interrupted;
use crate::sim::channel::Channel;
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;
use crate::sim::smoke::forcing::grid_motion;
use crate::sim::smoke::settings::SourceMode;
use crate::sim::smoke::{self, Device, Diagnostics, Executor, Failed, Settings, Spec, State};
use crate::timeline::disk::{Restore, Threads};

/// A simulation of smoke.
pub struct Smoke {
    spec: Spec,
    /// The CPU, until a graphics device was found.
    device: Arc<dyn Device>,
    wanted: Wanted,
    initial: Option<Initial>,
    cpu: Arc<Cpu>,
}

/// The grid of a node with this raster.
fn grid(values: &impl Values<Id>, time: f64, raster: Grid) -> Result<Grid> {
    if values::follows(values, time)? { values::following(values, time, raster) } else { Ok(raster) }
}

impl Smoke {
    fn executor(&self) -> Executor<'_> {
        Executor { device: &*self.device, workers: &*self.cpu }
    }

    /// The bits depend on the class of the device only.
    fn enter_as(&self, class: &str, digest: &mut Digest) {
        digest.text(class);
        self.spec.grid.enter(digest);
        self.spec.constants.enter(digest);
    }

    /// A frame that was simulated, after `before`; `None` after an abort.
    fn made(
        &self,
        before: Option<&FrameState>,
        made: std::result::Result<(State, Diagnostics), Failed>,
    ) -> Result<Option<Step<FrameState>>, Failure> {
        match made {
            Ok(made) => {
                let steps = u64::from(made.1.substeps);
                Ok(Some(Step { steps, state: FrameState::after(before, made) }))
            }
            Err(Failed::Interrupted) => Ok(None),
            Err(Failed::Device(why)) => Err(Failure::Device(why)),
        }
    }
}

impl Simulation<FlowSmoke> for Smoke {
    const VERSION: u32 = smoke::MODEL_VERSION;
    type State = FrameState;
    type Frame = Settings;

    fn size(values: &impl Values<Id>, time: f64, raster: &Grid) -> Result<GridSize> {
        let fewer = match values::follows(values, time)? {
            true => "Lower Grid size or Resolution.",
            false => "Lower Resolution, choose a smaller Extent, or set Grid to Follow.",
        };
        let Grid { width, height, .. } = grid(values, time, *raster)?;
        Ok(GridSize { shape: vec![width, height], fewer })
    }

    fn new(values: &impl Values<Id>, time: f64, raster: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self> {
        let (constants, grid) = (values::constants(values, time)?, grid(values, time, raster)?);
        let spec = Spec { grid, constants };
        let initial = initial::read(values, time, &spec)?;
        Ok(Self { spec, device: cpu.clone(), wanted, initial, cpu: Arc::clone(cpu) })
    }

    fn open(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        if self.wanted == Wanted::Cpu {
            return true;
        }
        let Grid { width, height, .. } = self.spec.grid;
        match engine().graphics().smoke([width, height], self.wanted == Wanted::Gpu, go_on) {
            Ok(Some(device)) => self.device = device,
            Ok(None) => {}
            Err(Interrupted) => return false,
        }
        true
    }

    fn enter(&self, digest: &mut Digest) {
        self.enter_as(self.device.class(), digest);
    }

    fn enter_other(&self, digest: &mut Digest) -> Option<&'static str> {
        let (class, kind) = if self.device.class() == "cpu" { ("gpu", "a GPU") } else { ("cpu", "a CPU") };
        self.enter_as(class, digest);
        Some(kind)
    }

    fn initial(&self) -> Option<&Initial> {
        self.initial.as_ref()
    }

    fn frame(
        &self,
        values: &impl Values<Id>,
        wired: Wired,
        moment: Moment,
        before: Option<&Settings>,
    ) -> Result<Settings> {
        values::settings(values, &self.spec.constants, wired, moment, before)
    }

    fn consumes(&self, frame: &Settings, first: bool, wired: Wired, input: usize) -> Option<Averaging> {
        let solids = match input {
            OBSTACLES => true,
            OBSTACLE_VELOCITY => wired.has(OBSTACLES) && frame.obstacle_push != 0.0,
            _ => false,
        };
        if first && let Some(initial) = &self.initial {
            // A state of this model has its obstacles; other files need the inputs.
            return (solids && !initial.is_exact()).then_some(Averaging::Plain);
        }
        let source = wired.has(SOURCE) && (first || frame.source_mode != SourceMode::StartFrame);
        let velocity = wired.has(VELOCITY) && frame.velocity_scale != 0.0;
        let heat = wired.has(HEAT) && frame.heat_scale != 0.0;
        let consumed = match input {
            SOURCE => source,
            VELOCITY => velocity,
            HEAT => heat,
            MASK => source || velocity || heat || frame.brush.is_some() || !frame.jets.is_empty(),
            _ => solids,
        };
        // Straight colour is weighted by its alpha, which is the density.
        let by_alpha = input == SOURCE && frame.source_channel == Channel::Alpha;
        consumed.then_some(if by_alpha { Averaging::ByAlpha } else { Averaging::Plain })
    }

    fn window(&self, frame: &Settings) -> Option<Grid> {
        self.spec.constants.follow.then(|| grid_motion(&self.spec, frame, None).grid)
    }

    fn step(
        &self,
        before: Option<&FrameState>,
        frame: &Settings,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<FrameState>>, Failure> {
        let (spec, inputs) = (&self.spec, for_model(pictures));
        if let (None, Some(file)) = (before, &self.initial) {
            let state = initial::start(file, spec, frame, &inputs, &*self.cpu, &Threads(&self.cpu))?;
            // A state from a file takes no steps here.
            return Ok(Some(Step { state, steps: 0 }));
        }
        let made = match before {
            None => Ok(smoke::start_frame(spec, frame, &inputs, &*self.cpu)),
            Some(before) if share < 1.0 => {
                smoke::part_frame(spec, &before.smoke, frame, &inputs, share, self.executor(), go_on)
            }
            Some(before) => smoke::next_frame(spec, &before.smoke, frame, &inputs, self.executor(), go_on),
        };
        self.made(before, made)
    }

    fn restore(&self) -> Restore<'_, FrameState> {
        Restore {
            model: stored::model(self.device.class()),
            shape: vec![self.spec.grid.width, self.spec.grid.height],
            make: Box::new(|header, blobs| stored::restore(&self.spec, header, blobs)),
        }
    }

    fn account(&self, frame: &Settings) -> String {
        format!("{:#?}\n{frame:#?}", self.spec.constants)
    }

    fn paint(
        &self,
        cpu: &Cpu,
        state: &FrameState,
        view: &View,
        _pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure> {
        let grid = geometry::placement(&state.smoke.grid);
        paint_smoke(cpu, &state.smoke, view.output, &view.shading, &grid, canvas);
        Ok(())
    }

    fn report(&self, state: &FrameState, _frame: &Settings) -> FrameReport {
        report::report(state, self.device.name(), self.wanted == Wanted::Gpu && self.device.class() == "cpu")
    }
}

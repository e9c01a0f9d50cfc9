//! Simulation and painting of a volume: the trait `Simulation` of the node.

use std::sync::Arc;

use super::controls::Id;
use super::inputs::{DEPTH, EMISSION, ENVIRONMENT, HOLDOUT};
use super::obstacles::add_pictures;
use super::values::BoxSize;
use super::vdb_sources::FrameSettings;
use super::view::{Output, View};
use super::{FlowVolume, MODEL, initial, mattes, report, values};
use crate::compute::cpu::Cpu;
use crate::nodes::common::geometry;
use crate::nodes::common::initial::Initial;
use crate::nodes::common::node::{Failure, FrameReport, GridSize, Node as _, Simulation, Step};
use crate::nodes::common::pictures::{Pictures, Wired};
use crate::nodes::common::values::{Moment, Values};
use crate::nodes::engine::{Wanted, engine};
use crate::nodes::volume_state::{FrameState, stored};
use crate::ofx::{Error, Result};
use crate::picture::masks::Scene;
use crate::picture::volume::{Layer, Lit, Shot, VolumeLook, slice_pixels};
use crate::picture::{Averaging, Canvas, Placement};
use crate::sim::Interrupted;
use crate::sim::fingerprint::Digest;
use crate::sim::grid::Grid;
use crate::sim::volume::{self, Device, Failed, advance, first};
use crate::timeline::disk::{Restore, Threads};

/// The constants of a simulation: the raster of the inputs, the box, and the device.
pub struct Volume {
    /// The cells onto which inputs are sampled.
    raster: Grid,
    size: BoxSize,
    /// The CPU, until a graphics device was found.
    device: Arc<dyn Device>,
    wanted: Wanted,
    /// The file to start from.
    initial: Option<Initial>,
    cpu: Arc<Cpu>,
}

/// The bits depend on the class of the device only. States of the CPU have the keys of versions without devices.
fn enter_as(class: &str, digest: &mut Digest) {
    if class != "cpu" {
        digest.text(class);
    }
}

impl Simulation<FlowVolume> for Volume {
    const VERSION: u32 = volume::MODEL_VERSION;
    type State = FrameState;
    type Frame = FrameSettings;

    fn size(values: &impl Values<Id>, time: f64, _raster: &Grid) -> Result<GridSize> {
        let BoxSize { cells, detail, .. } = BoxSize::read(values, time)?;
        Ok(GridSize {
            shape: cells.map(|cells| cells * detail).to_vec(),
            fewer: "Lower Cells or Smoke detail, or make the box smaller.",
        })
    }

    fn new(values: &impl Values<Id>, time: f64, raster: Grid, wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self> {
        let size = BoxSize::read(values, time)?;
        let initial = initial::read(values, time, &size)?;
        Ok(Self { raster, size, device: cpu.clone(), wanted, initial, cpu: Arc::clone(cpu) })
    }

    fn open(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        if self.wanted == Wanted::Cpu {
            return true;
        }
        let size = (self.size.cells, self.size.detail);
        match engine().graphics().volume(size, self.wanted == Wanted::Gpu, &self.cpu, go_on) {
            Ok(Some(device)) => self.device = device,
            Ok(None) => {}
            Err(Interrupted) => return false,
        }
        true
    }

    fn enter(&self, digest: &mut Digest) {
        enter_as(self.device.class(), digest);
    }

    fn enter_other(&self, digest: &mut Digest) -> Option<&'static str> {
        let (class, kind) = if self.device.class() == "cpu" { ("gpu", "a GPU") } else { ("cpu", "a CPU") };
        enter_as(class, digest);
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
        _before: Option<&FrameSettings>,
    ) -> Result<FrameSettings> {
        let mut settings = values::settings(values, (&self.size, &self.raster), wired, moment)?;
        settings.add_projected(values, (&self.size, &self.raster), wired, moment.time)?;
        Ok(settings)
    }

    fn consumes(&self, frame: &FrameSettings, first: bool, _wired: Wired, input: usize) -> Option<Averaging> {
        // A state has its smoke.
        if first && self.initial.is_some() {
            return None;
        }
        // Distances are averaged as those that hide the volume.
        let averaging = if input == DEPTH { Averaging::ByAlpha } else { Averaging::Plain };
        let is_matte = input == EMISSION && mattes::are_in(&frame.volume);
        (is_matte || frame.has_solid_of(input)).then_some(averaging)
    }

    fn step(
        &self,
        before: Option<&FrameState>,
        frame: &FrameSettings,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<FrameState>>, Failure> {
        if let (None, Some(file)) = (before, &self.initial) {
            let (state, diagnostics) = initial::start(file, &self.size, &Threads(&self.cpu))?;
            let state = FrameState::new(&self.cpu, state, diagnostics);
            // A state from a file takes no steps here.
            return Ok(Some(Step { state, steps: 0 }));
        }
        let mut settings = frame.loaded(&self.cpu)?;
        add_pictures(&mut settings, pictures);
        mattes::add_pictures(&mut settings, pictures);
        let start = before.map_or_else(|| first(&settings), |before| before.state(&self.cpu));
        let (volume, diagnostics, steps) = match advance(&start, &settings, share, &*self.device, go_on) {
            Ok(made) => made,
            Err(Failed::Interrupted) => return Ok(None),
            Err(Failed::Device(why)) => return Err(Failure::Device(why)),
        };
        let diagnostics = before.map_or(diagnostics, |before| diagnostics.after(before.diagnostics));
        Ok(Some(Step { state: FrameState::new(&self.cpu, volume, diagnostics), steps }))
    }

    fn restore(&self) -> Restore<'_, FrameState> {
        let BoxSize { cells, detail, .. } = self.size;
        Restore {
            model: stored::model(MODEL, self.device.class()),
            shape: stored::shape(cells, detail),
            make: Box::new(move |header, blobs| {
                let (state, diagnostics) = stored::restore(header, blobs, (cells, detail))?;
                Ok(FrameState::new(&self.cpu, state, diagnostics))
            }),
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
        let cells = |input: usize| pictures.get(input).map(|picture| &picture.pixels[..]);
        let scene = Scene { depth: cells(DEPTH), holdout: cells(HOLDOUT) };
        let shot = Shot { scene, shutter: &view.exposures, ..self.shot(view, canvas.placement) };
        let state = state.state(cpu);
        match view.output {
            Output::Slice(slice) => {
                let BoxSize { cells, detail, .. } = self.size;
                let volume = state.view(self.size.lattice(&self.raster, view.centre));
                let cells = cells.map(|cells| cells * detail);
                canvas.write(&slice_pixels(cpu, &volume, (slice, cells, view.time_scale), &shot));
            }
            Output::Layer(layer) => {
                let look = self.look(view, pictures).map_err(Error::message)?;
                self.lit(cpu, &state, view, (look, view.shutter), |lit| {
                    canvas.write(lit.render(cpu, &shot, &[layer]).get(layer));
                });
            }
        }
        Ok(())
    }

    fn export(
        &self,
        cpu: &Cpu,
        state: &FrameState,
        view: &View,
        pictures: &Pictures,
        (frame, picture): (i64, &Placement),
    ) -> Vec<String> {
        let Some(files) = &view.files else { return Vec::new() };
        let look = match self.look(view, pictures) {
            Ok(look) => look,
            Err(why) => {
                engine().notices().add(FlowVolume::ABOUT.folder, &why);
                return vec![why];
            }
        };
        let shot = self.shot(view, *picture);
        let state = state.state(cpu);
        let volume = state.view(self.size.lattice(&self.raster, view.centre));
        files.write(cpu, &volume, &shot, frame, |write| self.lit(cpu, &state, view, (look, 0.0), write))
    }

    fn report(&self, state: &FrameState, frame: &FrameSettings) -> FrameReport {
        report::report(state, frame, self.device.name(), self.wanted == Wanted::Gpu && self.device.class() == "cpu")
    }
}

impl Volume {
    /// The camera's view onto pixels, without a scene.
    fn shot(&self, view: &View, pixels: Placement) -> Shot<'static> {
        let grid = geometry::placement(&self.raster);
        Shot { camera: view.camera, shutter: &[], grid, scene: Scene::default(), pixels }
    }

    /// Gives the medium of a state in its light to `show`, in motion within the time of a shutter.
    fn lit(
        &self,
        cpu: &Cpu,
        state: &volume::State,
        view: &View,
        (look, shutter): (VolumeLook, f64),
        show: impl FnOnce(&Lit<'_>),
    ) {
        let lights = view.lights(self.size.unit(&self.raster));
        let lattice = self.size.lattice(&self.raster, view.centre);
        let lit = Lit::new(cpu, &state.view(lattice), &look, &lights).with_time_scale(view.time_scale);
        let is_sharp = view.output == Output::Layer(Layer::Catcher) || (shutter == 0.0 && look.detail.strength == 0.0);
        show(&if is_sharp { lit } else { lit.in_motion(cpu, shutter / 2.0) });
    }

    /// Shading settings, with the pictures and files that are parts of them.
    ///
    /// # Errors
    /// A file cannot be read; a text for the artist.
    fn look(&self, view: &View, pictures: &Pictures) -> Result<VolumeLook, String> {
        let mut look = view.look(&self.size, &self.raster);
        if let Some(picture) = pictures.get(ENVIRONMENT) {
            look.sky = view.sky(&picture.pixels, picture.size[0]);
        }
        if let Some(file) = view.particles.clone() {
            let file = file?;
            (look.sources, look.source_gain) = (file.sources()?, file.gain);
        }
        Ok(look)
    }
}

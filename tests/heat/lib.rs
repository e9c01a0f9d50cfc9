//! A model in a bundle of its own, without a change of the library: heat conduction in a box of cells.
//!
//! | file | content |
//! |---|---|
//! | `panel` | the parameters, and the settings that they make |
//! | `state` | the temperatures, and their file |
//! | `step` | one frame: sources and conduction |
//! | this file | the node and the bundle |

mod panel;
mod state;
mod step;

use std::sync::Arc;

use flow_cache::Blob;
use flow_ofx::compute::cpu::Cpu;
use flow_ofx::nodes::common::geometry;
use flow_ofx::nodes::common::node::{About, Failure, FrameReport, GridSize, Node, Simulation, Step};
use flow_ofx::nodes::common::pictures::{Pictures, Wired};
use flow_ofx::nodes::common::values::{Moment, Values};
use flow_ofx::nodes::engine::Wanted;
use flow_ofx::ofx::Result;
use flow_ofx::picture::{Averaging, Canvas, paint_cells};
use flow_ofx::sim::fingerprint::Digest;
use flow_ofx::sim::grid::Grid;
use flow_ofx::timeline::disk::Restore;

use panel::{Id, Settings};
use state::{MODEL, Slice, State};

flow_ofx::plugins! {
    static PLUGINS = [Heat];
}
flow_ofx::export_plugins!(crate::PLUGINS);

/// The node.
struct Heat;

impl Node for Heat {
    const ABOUT: About = About {
        identifier: c"org.flowofx.Heat",
        label: c"Heat",
        baking: c"Baking Heat",
        version: (1, 0),
        description: c"Heat conduction in a box, of which a slice is shown.",
        fluid: "heat",
        icon: [c"heat.svg", c"heat.png"],
        folder: "heat",
        // Two states.
        bytes_per_cell: 8,
    };
    type Id = Id;
    type Simulation = Conduction;
    type View = f64;

    fn view(values: &impl Values<Id>, time: f64) -> Result<f64> {
        Ok((values.double(Id::Slice, time)? / 100.0).clamp(0.0, 1.0))
    }
}

/// A box of cells over the raster.
struct Conduction {
    raster: Grid,
    depth: usize,
    cpu: Arc<Cpu>,
}

impl Conduction {
    fn shape(&self) -> [usize; 3] {
        [self.raster.width, self.raster.height, self.depth]
    }
}

impl Simulation<Heat> for Conduction {
    const VERSION: u32 = 1;
    type State = State;
    type Frame = Settings;

    fn size(values: &impl Values<Id>, time: f64, raster: &Grid) -> Result<GridSize> {
        let shape = vec![raster.width, raster.height, panel::depth(values, time)?];
        Ok(GridSize { shape, fewer: "Lower Resolution or Depth." })
    }

    fn new(values: &impl Values<Id>, time: f64, raster: Grid, _wanted: Wanted, cpu: &Arc<Cpu>) -> Result<Self> {
        Ok(Self { raster, depth: panel::depth(values, time)?, cpu: Arc::clone(cpu) })
    }

    fn enter(&self, digest: &mut Digest) {
        digest.int(self.depth as i64);
    }

    fn frame(
        &self,
        values: &impl Values<Id>,
        _wired: Wired,
        moment: Moment,
        _before: Option<&Settings>,
    ) -> Result<Settings> {
        Settings::read(values, moment.time, &self.raster, self.depth)
    }

    fn step(
        &self,
        before: Option<&State>,
        frame: &Settings,
        _pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<State>>, Failure> {
        let Some(before) = before else {
            let cells = step::start(self.shape(), frame);
            return Ok(Some(Step { state: State { raster: self.raster, depth: self.depth, cells }, steps: 0 }));
        };
        let Some((cells, steps)) = step::advance(&self.cpu, self.shape(), &before.cells, frame, share, go_on) else {
            return Ok(None);
        };
        Ok(Some(Step { state: State { cells, ..*before }, steps }))
    }

    fn restore(&self) -> Restore<'_, State> {
        Restore {
            model: (MODEL.to_owned(), Self::VERSION),
            shape: self.shape().to_vec(),
            make: Box::new(|_, blobs: Vec<Blob>| State::restore(self.raster, self.depth, blobs)),
        }
    }

    fn paint(
        &self,
        cpu: &Cpu,
        state: &State,
        view: &f64,
        _pictures: &Pictures,
        canvas: Canvas<'_>,
    ) -> Result<(), Failure> {
        let slice = Slice { state, z: ((view * state.depth as f64) as usize).min(state.depth - 1) };
        paint_cells(cpu, &slice, Averaging::Plain, &geometry::placement(&state.raster), canvas);
        Ok(())
    }

    fn report(&self, state: &State, frame: &Settings) -> FrameReport {
        let mean = state.cells.iter().map(|value| f64::from(*value)).sum::<f64>() / state.cells.len() as f64;
        FrameReport {
            shape: self.shape().to_vec(),
            cells_per_pixel: self.raster.cells_per_pixel,
            model: "Heat conduction",
            device: "CPU".to_owned(),
            steps_per_frame: step::count(frame, 1.0),
            content: format!("mean temperature {mean:.4}"),
            ..FrameReport::default()
        }
    }
}

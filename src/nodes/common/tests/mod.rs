//! Tests around a toy node, whose state is the list of all values that it has consumed.

mod devices;
mod frames;
mod overlay;
mod settings;

use std::cell::Cell;
use std::sync::Arc;

use flow_cache::{BlobRows, Header, Layer};

use super::controls::{Controls, Invalidates, Kind, check};
use super::node::{About, Failure, FrameReport, Input, Node, Simulation, Step};
use super::params::default_position;
use super::pictures::{ImageSource, Pictures, Sampled, Sampling, Wired};
use super::presets::Value;
use super::shared::Shared;
use super::values::{Missing, Moment, Setup, Values};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::Wanted;
use crate::ofx::{Error, Result};
use crate::picture::{Averaging, Canvas, Components, Placement};
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::grid::Grid;
use crate::timeline::disk::{Restore, Stored};
use crate::timeline::{CachedValue, PixelHash};

crate::parameters! {
    table TEXT;
    presets None;
    conditions |_| None;
    own { Centre, Corner, Strength }
}

/// The toy's table.
const TEXT: &str = "\
[simulation] Main
common startFrame startHere preroll initialState extent resolution proxy
[cache] Layers and disk
common cacheFolder cacheName cacheMode cacheEvery cacheSize cacheBusy bake clearDisk
[system] Advanced
common device memoryBudget missingFrames declareFrames refresh info simDigest cacheId positionsSet
[simulation]
centre: Centre; position 0.5 0.5
    A position.
corner: Corner; position 0 1
    Another.
strength: Strength; number 1; range 0 10; slider 0 2
    A number.
";

/// A panel with all parameters at their defaults, but a strength of the time.
struct Panel;

impl Values<Id> for Panel {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        Ok(match id.control().kind {
            Kind::Double { .. } if id == Id::Strength => Value::Double(time),
            Kind::Double { default, .. } => Value::Double(default),
            Kind::Int { default, .. } => Value::Int(default),
            Kind::Choice { default, .. } => Value::Choice(default),
            Kind::Position { .. } => Value::Pair(default_position(id, [0.0, 0.0, 64.0, 32.0]).expect("a position")),
            _ => return Err(Error::message("no number")),
        })
    }

    fn text(&self, _id: Id, _time: f64) -> String {
        String::new()
    }
}

/// The same panel with another strength at one frame. Counts the reads of the strength.
#[derive(Default)]
struct Editable {
    edited: Cell<f64>,
    reads: Cell<usize>,
}

impl Values<Id> for Editable {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        self.reads.update(|reads| reads + usize::from(id == Id::Strength));
        if id == Id::Strength && time == self.edited.get() { Ok(Value::Double(0.5)) } else { Panel.value(id, time) }
    }

    fn text(&self, id: Id, time: f64) -> String {
        Panel.text(id, time)
    }
}

/// Images with the value of their time, none at the frame of the hole; two of three inputs are connected.
#[derive(Default)]
struct Images {
    hole: Option<f64>,
    /// Calls of `go_on` until the abort, if there is one.
    patience: Option<u32>,
    /// Left corner and time of the sampled images.
    sampled: Vec<(f64, f64)>,
}

impl ImageSource for Images {
    fn view(&self, input: usize) -> Option<u128> {
        (input != MATTE).then_some(input as u128 + 5)
    }
    fn own_grid(&self, _input: usize, _time: f64) -> Option<Placement> {
        None
    }
    fn sample(&mut self, _input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>> {
        if self.hole == Some(time) {
            return Ok(None);
        }
        self.sampled.push((sampling.grid.x.start, time));
        let pixels = sampling.keep.then(|| Arc::new(vec![[time as f32; 4]]));
        let hash = PixelHash(u128::from(time.to_bits()));
        Ok(Some(Sampled { hash, pixels, components: Components::Rgb, premultiplied: false }))
    }
    fn nothing(&mut self, _sampling: &Sampling) -> Sampled {
        let pixels = Some(Arc::new(vec![[0.0; 4]]));
        Sampled { hash: PixelHash(1), pixels, components: Components::Rgba, premultiplied: true }
    }
    fn go_on(&mut self) -> bool {
        let Some(patience) = &mut self.patience else { return true };
        let goes_on = *patience > 0;
        *patience = patience.saturating_sub(1);
        goes_on
    }
}

const SOURCE: usize = 0;
const MATTE: usize = 1;
const WIND: usize = 2;

struct Toy;

impl Node for Toy {
    const ABOUT: About = About {
        identifier: c"org.flowofx.Toy",
        label: c"Toy",
        baking: c"Baking Toy",
        version: (1, 0),
        description: c"",
        fluid: "toy",
        icon: [c"test.svg", c"test.png"],
        folder: "toy",
        bytes_per_cell: 1,
    };
    const INPUTS: &'static [Input] = &[
        Input { name: c"Source", matte: false, invalidates: Invalidates::Simulation },
        Input { name: c"Matte", matte: true, invalidates: Invalidates::Simulation },
        Input { name: c"Wind", matte: false, invalidates: Invalidates::Simulation },
    ];
    type Id = Id;
    type Simulation = Run;
    type View = ();

    fn view(_values: &impl Values<Id>, _time: f64) -> Result<()> {
        Ok(())
    }
}

/// A run of the toy on a device with its own bits, which may fail at a frame. The window moves right with the strength.
struct Run {
    grid: Grid,
    device: i64,
    fails_at: Option<f64>,
}

#[derive(Clone, Debug)]
struct Strength(f64);

impl Fingerprint for Strength {
    fn enter(&self, digest: &mut Digest) {
        digest.real(self.0);
    }
}

/// Device, strength and the Source's value of every frame.
#[derive(Clone, Debug, PartialEq)]
struct History(Vec<(i64, f64, Option<f32>)>);

impl CachedValue for History {
    fn bytes(&self) -> usize {
        1
    }
}

impl Stored for History {
    fn header(&self) -> Header {
        unreachable!("nothing is written")
    }
    fn show(&self, _to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {}
}

impl Simulation<Toy> for Run {
    const VERSION: u32 = 1;
    type State = History;
    type Frame = Strength;

    fn new(values: &impl Values<Id>, time: f64, grid: Grid, wanted: Wanted, _cpu: &Arc<Cpu>) -> Result<Self> {
        values.pair(Id::Centre, time)?;
        Ok(Self { grid, device: wanted as i64, fails_at: None })
    }

    fn enter(&self, digest: &mut Digest) {
        digest.int(self.device);
    }

    fn frame(
        &self,
        values: &impl Values<Id>,
        _wired: Wired,
        moment: Moment,
        before: Option<&Strength>,
    ) -> Result<Strength> {
        assert_eq!(before.is_some(), !moment.first, "the frame before is at hand");
        values.double(Id::Strength, moment.time).map(Strength)
    }

    fn consumes(&self, _frame: &Strength, _first: bool, wired: Wired, input: usize) -> Option<Averaging> {
        assert!(wired.has(WIND) && !wired.has(MATTE));
        (input == SOURCE).then_some(Averaging::Plain)
    }

    fn window(&self, frame: &Strength) -> Option<Grid> {
        Some(Grid { width: 8, origin: [frame.0, 0.0], ..self.grid })
    }

    fn step(
        &self,
        before: Option<&History>,
        frame: &Strength,
        pictures: &Pictures,
        share: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<History>>, Failure> {
        if self.fails_at == Some(frame.0) {
            return Err(Failure::Device("lost".to_owned()));
        }
        let mut history = before.map_or_else(Vec::new, |before| before.0.clone());
        let source = pictures.pixels(SOURCE).map(|pixels| pixels[0][0]);
        assert!(pictures.get(MATTE).is_none() && pictures.get(WIND).is_none(), "neither is consumed");
        history.push((self.device, frame.0 * share, source));
        Ok(go_on().then_some(Step { state: History(history), steps: 2 }))
    }

    fn restore(&self) -> Restore<'_, History> {
        let model = ("toy".to_owned(), Self::VERSION);
        Restore { model, shape: vec![1, 1], make: Box::new(|_, _| Err("nothing is written".to_owned())) }
    }

    fn paint(
        &self,
        _cpu: &Cpu,
        _state: &History,
        (): &(),
        _pictures: &Pictures,
        _canvas: Canvas<'_>,
    ) -> Result<(), Failure> {
        unreachable!("nothing is shown")
    }

    fn report(&self, _state: &History, _frame: &Strength) -> FrameReport {
        unreachable!("nothing is shown")
    }
}

const GRID: Grid = Grid { width: 64, height: 32, origin: [0.0; 2], cells_per_pixel: 1.0 };

fn setup(missing: Missing) -> Setup {
    Setup { missing, ..Setup::read(&Panel, 0.0).expect("all values are there") }
}

fn truth(device: i64, last: i64) -> History {
    History((1..=last).map(|frame| (device, frame as f64, Some(frame as f32))).collect())
}

#[test]
fn a_node_needs_a_table_of_its_own_alone() {
    check::<Id>();
    assert_eq!(Id::shared(Shared::Preroll), Id::Shared(Shared::Preroll));
    let setup = setup(Missing::Hold);
    assert_eq!((setup.start, setup.first(), setup.clamped(-5)), (1, 1, 1));
}

#[test]
fn every_position_has_a_default_in_the_frame() {
    let frame = [-10.0, 20.0, 90.0, 70.0];
    assert_eq!(default_position(Id::Centre, frame), Some([40.0, 45.0]));
    assert_eq!(default_position(Id::Corner, frame), Some([-10.0, 70.0]));
    assert_eq!(default_position(Id::Strength, frame), None);
}

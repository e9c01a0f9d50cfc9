//! What nodes have in common, around a toy whose state is the list of everything that it ever consumed.

use std::cell::Cell;
use std::sync::Arc;

use flow_cache::{Header, Layer, PlaneRows};

use super::controls::{Control, Controls, Group, Kind, Reach, blank, check};
use super::node::{About, Failure, Findings, Input, Node, Simulation, Step, with_another_try};
use super::overlay::shape::{Form, Grip};
use super::overlay::{Arrow, Figure, Outline, Place, When};
use super::params::default_position;
use super::pictures::{Feed, Pictures, Sampled, Sampling, Wired};
use super::presets::Value;
use super::shared::{CACHE_GROUP, SHARED, SYSTEM_GROUP, Shared, shared};
use super::shot::NodeShot;
use super::values::{Missing, Moment, Setup, Values};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::Wanted;
use crate::ofx::{Error, Premultiplication, Result, Viewer};
use crate::picture::{Averaging, Canvas, Components};
use crate::sim::grid::Grid;
use crate::timeline::disk::{Restore, Stored};
use crate::timeline::{
    Digest, Fingerprint, InputMemory, Kept, PixelHash, SettingsCache, Shot as _, Stop, Store, catch_up,
};

/// A parameter of the toy: one that nodes have in common, by its place there, or one of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Id {
    Common(usize),
    Centre,
    Corner,
    Strength,
}

const OWN: [Control<Id>; 3] = [
    own(Id::Centre, c"centre", Kind::Position { default: [0.5, 0.5] }),
    own(Id::Corner, c"corner", Kind::Position { default: [0.0, 1.0] }),
    own(Id::Strength, c"strength", Kind::Double { default: 1.0, range: [0.0, 10.0], display: [0.0, 2.0] }),
];

const fn own(id: Id, name: &'static std::ffi::CStr, kind: Kind) -> Control<Id> {
    blank(id, c"simulation").of(name, name, kind).hint(c"Is told apart.")
}

const TABLE: [Control<Id>; SHARED.len() + OWN.len()] = {
    let mut table = [OWN[0]; SHARED.len() + OWN.len()];
    let mut place = 0;
    while place < table.len() {
        table[place] = match place.checked_sub(SHARED.len()) {
            None => shared(SHARED[place].id, Id::Common(place)),
            Some(own) => OWN[own],
        };
        place += 1;
    }
    table
};

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] =
        &[Group { name: c"simulation", label: c"Simulation", open: true, parent: None }, CACHE_GROUP, SYSTEM_GROUP];

    fn place(self) -> usize {
        match self {
            Self::Common(place) => place,
            Self::Centre => SHARED.len(),
            Self::Corner => SHARED.len() + 1,
            Self::Strength => SHARED.len() + 2,
        }
    }
}

/// A panel on which everything stands at its default, but the strength is the frame's number.
struct Panel;

impl Values<Id> for Panel {
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        match id.control().kind {
            Kind::Double { .. } if id == Id::Strength => Ok(time),
            Kind::Double { default, .. } => Ok(default),
            _ => Err(Error::message("no number")),
        }
    }
    fn int(&self, id: Id, _time: f64) -> Result<i32> {
        if let Kind::Int { default, .. } = id.control().kind { Ok(default) } else { Err(Error::message("no number")) }
    }
    fn choice(&self, id: Id, _time: f64) -> Result<i32> {
        if let Kind::Choice { default, .. } = id.control().kind {
            Ok(default)
        } else {
            Err(Error::message("no choice"))
        }
    }
    fn switch(&self, _id: Id, _time: f64) -> Result<bool> {
        Err(Error::message("no switch"))
    }
    fn pair(&self, id: Id, _time: f64) -> Result<[f64; 2]> {
        default_position(id, [0.0, 0.0, 64.0, 32.0]).ok_or_else(|| Error::message("no position"))
    }
    fn colour(&self, _id: Id, _time: f64) -> Result<[f64; 3]> {
        Err(Error::message("no colour"))
    }
    fn text(&self, _id: Id, _time: f64) -> String {
        String::new()
    }
}

/// The same panel, on which the strength at one frame can be another. Counts how often the strength is read.
#[derive(Default)]
struct Editable {
    edited: Cell<f64>,
    reads: Cell<usize>,
}

impl Values<Id> for Editable {
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        self.reads.update(|reads| reads + usize::from(id == Id::Strength));
        if id == Id::Strength && time == self.edited.get() { Ok(0.5) } else { Panel.double(id, time) }
    }
    fn int(&self, id: Id, time: f64) -> Result<i32> {
        Panel.int(id, time)
    }
    fn choice(&self, id: Id, time: f64) -> Result<i32> {
        Panel.choice(id, time)
    }
    fn switch(&self, id: Id, time: f64) -> Result<bool> {
        Panel.switch(id, time)
    }
    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]> {
        Panel.pair(id, time)
    }
    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        Panel.colour(id, time)
    }
    fn text(&self, id: Id, time: f64) -> String {
        Panel.text(id, time)
    }
}

/// Pictures that are their time, none at the frames of the hole; two of three inputs are connected.
#[derive(Default)]
struct Clips {
    hole: Option<f64>,
    /// Times that the host lets a render go on; without a number, always.
    patience: Option<u32>,
    /// Left corner and time of what was sampled.
    sampled: Vec<(f64, f64)>,
}

impl Feed for Clips {
    fn view(&self, input: usize) -> Option<u128> {
        (input != MATTE).then_some(input as u128 + 5)
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
        Input { name: c"Source", matte: false, reach: Reach::Simulation },
        Input { name: c"Matte", matte: true, reach: Reach::Simulation },
        Input { name: c"Wind", matte: false, reach: Reach::Simulation },
    ];
    type Id = Id;
    type Simulation = Run;
    type View = ();

    fn view(_values: &impl Values<Id>, _time: f64) -> Result<()> {
        Ok(())
    }

    fn premultiplication((): &()) -> Premultiplication {
        Premultiplication::Premultiplied
    }
}

/// A run of the toy on a device that gives bits of its own, and may fail at a frame. Its grid goes right with its strength.
struct Run {
    grid: Grid,
    device: i64,
    fails_at: Option<f64>,
}

#[derive(Clone)]
struct Strength(f64);

impl Fingerprint for Strength {
    fn enter(&self, digest: &mut Digest) {
        digest.real(self.0);
    }
}

/// Device, strength and the Source's value of every frame.
#[derive(Clone, Debug, PartialEq)]
struct History(Vec<(i64, f64, Option<f32>)>);

impl Kept for History {
    fn bytes(&self) -> usize {
        1
    }
}

impl Stored for History {
    fn header(&self) -> Header {
        unreachable!("nothing is written")
    }
    fn show(&self, _to: &mut dyn FnMut(&[PlaneRows<'_>], &[Layer<'_>])) {}
}

impl Run {
    fn after(&self, before: Option<&History>, strength: f64, pictures: &Pictures) -> Step<History> {
        let mut history = before.map_or_else(Vec::new, |before| before.0.clone());
        let source = pictures.pixels(SOURCE).map(|pixels| pixels[0][0]);
        assert!(pictures.get(MATTE).is_none() && pictures.get(WIND).is_none(), "neither is consumed");
        history.push((self.device, strength, source));
        Step { state: History(history), steps: 2 }
    }
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
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<History>>, Failure> {
        if self.fails_at == Some(frame.0) {
            return Err(Failure::Device("lost".to_owned()));
        }
        Ok(go_on().then(|| self.after(before, frame.0, pictures)))
    }
    fn part(
        &self,
        before: &History,
        frame: &Strength,
        pictures: &Pictures,
        share: f64,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Step<History>>, Failure> {
        Ok(Some(self.after(Some(before), frame.0 * share, pictures)))
    }
    fn restore(&self) -> Restore<'_, History> {
        let model = ("toy".to_owned(), Self::VERSION);
        Restore { model, grid: [1, 1], make: Box::new(|_, _| Err("nothing is written".to_owned())) }
    }
    fn account(&self, frame: &Strength) -> String {
        frame.0.to_string()
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
    fn findings(&self, _state: &History, _frame: &Strength) -> Findings {
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
    assert_eq!(Id::shared(Shared::Preroll), Id::Common(Shared::Preroll as usize));
    let setup = setup(Missing::Hold);
    assert_eq!((setup.start, setup.first(), setup.held(-5)), (1, 1, 1));
}

#[test]
fn every_position_has_a_default_in_the_frame() {
    let frame = [-10.0, 20.0, 90.0, 70.0];
    assert_eq!(default_position(Id::Centre, frame), Some([40.0, 45.0]));
    assert_eq!(default_position(Id::Corner, frame), Some([-10.0, 70.0]));
    assert_eq!(default_position(Id::Strength, frame), None);
}

#[test]
fn a_grid_that_moves_is_sampled_where_it_is_and_remembered() {
    let (memory, store, run) =
        (InputMemory::default(), Store::default(), Run { grid: GRID, device: 0, fails_at: None });
    let mut clips = Clips::default();
    let mut shot = NodeShot::<Toy, _, _>::new(&Panel, &mut clips, &run, setup(Missing::Fail), GRID);
    let views: Vec<_> = (1..=2).map(|frame| shot.views(frame).expect("read")).collect();
    assert!(views[0][SOURCE].is_some() && views[0][SOURCE] != views[1][SOURCE], "another window is another look");
    assert_eq!(views[0][1..], [None, None]);
    let reached = catch_up(&mut shot, 90, &memory, &store, None).expect("nothing fails");
    assert_eq!((&*reached.state, reached.simulated, shot.steps), (&truth(0, 90), 90, 180));
    assert!(clips.sampled.iter().all(|(left, time)| left == time), "sampled at another place: {:?}", clips.sampled);
    clips.sampled.clear();
    let mut shot = NodeShot::<Toy, _, _>::new(&Panel, &mut clips, &run, setup(Missing::Fail), GRID);
    let again = catch_up(&mut shot, 90, &memory, &store, None).expect("nothing fails");
    assert_eq!((again.simulated, again.key), (0, reached.key));
    assert!(clips.sampled.len() <= 3, "only sentinels are read again: {:?}", clips.sampled);
}

/// The lineage of the settings that a render knows, and the number of frames that it read from the host.
fn lineage(panel: &Editable, cache: Option<(&SettingsCache<Strength>, u128)>, last: i64) -> (Option<u128>, usize) {
    let (run, mut clips) = (Run { grid: GRID, device: 0, fails_at: None }, Clips::default());
    let before = panel.reads.get();
    let mut shot = NodeShot::<Toy, _, _>::new(panel, &mut clips, &run, setup(Missing::Fail), GRID);
    if let Some((cache, stamp)) = cache {
        shot = shot.with_cache(cache, stamp);
    }
    assert!(shot.read_settings(last).expect("reads"));
    (shot.lineage(last), panel.reads.get() - before)
}

#[test]
fn settings_of_past_frames_are_sampled_and_an_unreported_change_of_one_is_found() {
    const LAST: i64 = 5000;
    let (panel, cache) = (Editable::default(), SettingsCache::default());
    let render = |last| lineage(&panel, Some((&cache, 1)), last);
    assert_eq!(render(LAST), lineage(&panel, None, LAST));
    assert_eq!(render(64).1, 64, "all of a short shot");
    let cost = (0..300).map(|_| render(LAST).1).max();
    assert!(cost <= Some(66), "{cost:?} frames are read");
    let next = render(LAST + 1);
    assert!(next.0 == lineage(&panel, None, LAST + 1).0 && next.1 <= 67, "{} frames for the next one", next.1);
    for edited in [2, 777, 1024, 2500, 4711, 4999] {
        panel.edited.set(edited as f64);
        let right = lineage(&panel, None, LAST).0;
        let found = (0..128).find(|_| {
            // Renders of other frames take nothing away.
            render(300);
            render(LAST).0 == right
        });
        println!("frame {edited} of {LAST}: found after {found:?} stale renders");
        assert!(found.is_some(), "frame {edited} is never found");
        assert!((0..300).all(|_| render(LAST).0 == right), "frame {edited}: once found, it stays");
    }
    for edited in [1, LAST] {
        panel.edited.set(edited as f64);
        assert_eq!(render(LAST).0, lineage(&panel, None, LAST).0, "frame {edited} is read by each render");
    }
    // Another stamp: all frames are read.
    panel.edited.set(999.0);
    assert_eq!(lineage(&panel, Some((&cache, 2)), LAST), lineage(&panel, None, LAST));
}

#[test]
fn an_interrupted_render_keeps_the_settings_that_it_has_read() {
    let (panel, cache) = (Editable::default(), SettingsCache::default());
    let run = Run { grid: GRID, device: 0, fails_at: None };
    let mut clips = Clips { patience: Some(3), ..Clips::default() };
    let shot = NodeShot::<Toy, _, _>::new(&panel, &mut clips, &run, setup(Missing::Fail), GRID);
    assert!(!shot.with_cache(&cache, 1).read_settings(5000).expect("reads"));
    assert_eq!(panel.reads.get(), 3 * 64);
    let (found, reads) = lineage(&panel, Some((&cache, 1)), 5000);
    assert_eq!(found, lineage(&panel, None, 5000).0);
    assert!(reads < 5000 - 3 * 64 + 67, "{reads} frames are read");
}

#[test]
fn a_frame_that_is_missing_becomes_what_the_panel_says() {
    let at = |missing| {
        let run = Run { grid: GRID, device: 0, fails_at: None };
        let mut clips = Clips { hole: Some(3.0), ..Clips::default() };
        let mut shot = NodeShot::<Toy, _, _>::new(&Panel, &mut clips, &run, setup(missing), GRID);
        let reached = catch_up(&mut shot, 3, &InputMemory::default(), &Store::default(), None);
        reached.map(|reached| (reached.state.0[2].2, shot.missing().collect::<Vec<_>>()))
    };
    assert!(matches!(at(Missing::Hold), Ok((Some(2.0), told)) if told.is_empty()));
    let Ok((Some(0.0), told)) = at(Missing::Transparent) else { panic!("it is to be nothing") };
    assert_eq!(told, ["Source had no picture at frame 3 and counted as nothing: set Missing frames to Hold or Fail"]);
    let Err(Stop::Failed(Failure::Error(error))) = at(Missing::Fail) else { panic!("it is to fail") };
    assert!(error.to_string().starts_with("Source has no picture at frame 3."), "{error}");
}

#[test]
fn a_device_that_fails_leaves_its_chain_for_another() {
    let (memory, store) = (InputMemory::default(), Store::default());
    let mut devices =
        [Run { grid: GRID, device: 1, fails_at: Some(5.0) }, Run { grid: GRID, device: 2, fails_at: None }].into_iter();
    let mut families = Vec::new();
    let reached = with_another_try(|| {
        let run = devices.next().expect("two tries at most");
        let mut clips = Clips::default();
        let mut shot = NodeShot::<Toy, _, _>::new(&Panel, &mut clips, &run, setup(Missing::Fail), GRID);
        families.push(shot.family());
        match catch_up(&mut shot, 7, &memory, &store, None) {
            Ok(reached) => Ok((reached.state, reached.simulated)),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Aborted) => unreachable!("nobody aborts"),
        }
    });
    let (state, simulated) = reached.expect("the second device works");
    assert_eq!((&*state, simulated), (&truth(2, 7), 7), "no frame of the first is in it");
    assert!(families.len() == 2 && families[0] != families[1]);
}

#[test]
fn what_fails_twice_or_not_with_its_device_is_an_error() {
    let tries = |failure: fn() -> Failure| {
        let mut count = 0;
        let done: Result<()> = with_another_try(|| {
            count += 1;
            Err(failure())
        });
        (done.is_err(), count)
    };
    assert_eq!(tries(|| Failure::Device("lost".to_owned())), (true, 2));
    assert_eq!(tries(|| Error::message("no").into()), (true, 1));
}

#[test]
fn an_arrow_that_turns_ends_on_its_circle_and_goes_the_short_way() {
    let viewer = Viewer { time: 3.0, pixel: [0.5, 0.5] };
    let frame = [0.0, 0.0, 64.0, 32.0];
    let choices = TABLE.iter().filter(|control| matches!(control.kind, Kind::Choice { default: 0, .. }));
    let choice = choices.map(|control| control.id).next().expect("nodes share a choice whose first option holds");
    let shown = When::OneOf(choice, &[0]);
    let turning = |options| Figure {
        shown,
        place: Place::At(Id::Centre),
        outline: Some(Outline::Circle(Id::Strength)),
        arrow: Some(Arrow::Turn { direction: Id::Strength, choice, options }),
    };
    assert_eq!(turning(&[7]).shape(&Panel, frame, &viewer).expect("is there").shaft, None, "of another option");
    let figure = turning(&[0]);
    let shape = figure.shape(&Panel, frame, &viewer).expect("is there");
    assert_eq!((shape.centre, shape.form), ([32.0, 16.0], Some(Form::Circle(3.0))));
    let tip = shape.shaft.expect("an arrow").tip;
    // Beside a circle as small as that its tip could not be held.
    assert!(((tip[0] - 32.0).hypot(tip[1] - 16.0) - 11.0).abs() < 1e-9, "{tip:?}");
    assert_eq!(shape.grip(tip, &viewer).map(|(grip, _)| grip), Some(Grip::Tip));
    // 3 degrees, whose nearest like 6 is 6, and whose parameter ends at 10.
    for (turn, expected) in [(6.0_f64, 6.0), (40.0, 10.0), (-90.0, 0.0)] {
        let (sin, cos) = turn.to_radians().sin_cos();
        let to = [32.0 + cos * 30.0, 16.0 + sin * 30.0];
        let turned = figure.drag(&Panel, &shape, Grip::Tip, to, &viewer).expect("turns");
        assert_eq!(turned, [(Id::Strength, Value::Double(expected))]);
    }
}

//! The chain of each grid of air, apart from the particles' own: a frame of particles depends on those of its longest
//! life alone, and a frame of air on all frames before. Nodes with equal grids share their states in memory, and each
//! node's disk cache has those of its own.

use std::convert::Infallible;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Do, wide};
use crate::nodes::common::cache::Cache;
use crate::nodes::volume_state::{FrameState, stored};
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::particles::Settings;
use crate::sim::particles::inputs::GridAir;
use crate::sim::particles::settings::{AirLattice, GridPlace};
use crate::sim::volume::resample::resampled;
use crate::sim::volume::state::whole;
use crate::sim::volume::{self, Device, Diagnostics, State};
use crate::timeline::archive::Archive;
use crate::timeline::disk::{Restore, Uses};
use crate::timeline::{ChainKey, Hashed, InputMemory, PixelHash, Shot, Stop, Store, catch_up};

/// The settings of a frame: of the particles, and of all frames of the grids up to this one.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The particles.
    pub particles: Settings,
    /// The grids, in the order of `particles.grids`.
    pub grids: Vec<GridFrame>,
}

impl Frame {
    /// A frame with these grids.
    pub fn new(mut particles: Settings, grids: Vec<(GridPlace, GridFrame)>) -> Self {
        let (places, grids) = grids.into_iter().unzip();
        particles.grids = places;
        Self { particles, grids }
    }
}

impl Fingerprint for Frame {
    fn enter(&self, digest: &mut Digest) {
        self.particles.enter(digest);
        self.grids.iter().for_each(|grid| digest.wide(grid.chain.lineage));
    }
}

/// The settings of an interval of a grid's air: one step of the chain.
#[derive(Debug)]
pub struct Interval {
    /// The air, in cells, relative to the grid.
    pub air: volume::Settings,
    /// Its cells.
    pub lattice: AirLattice,
    /// Level of detail of the cells.
    pub level: u32,
    /// Cells of level 0.
    pub finest: [usize; 3],
    /// Frames of the interval.
    pub frames: u32,
}

/// Name of the model in files.
const MODEL: &str = "org.flowofx.FlowParticles air";

/// The disk cache of a node's air.
pub struct AirCache {
    cache: Cache,
    uses: Uses,
}

impl AirCache {
    /// The air in the node's cache.
    pub fn new(cache: &Cache, uses: &Uses) -> Self {
        Self { cache: cache.clone(), uses: uses.clone() }
    }
}

/// Where the air of grids is simulated and kept.
#[derive(Clone, Copy)]
pub struct AirMeans<'a> {
    /// The store in memory.
    pub store: &'a Store,
    /// The device that simulates.
    pub device: &'a dyn Device,
    /// Threads for files and for states.
    pub cpu: &'a Cpu,
    /// The disk cache, if any.
    pub cache: Option<&'a AirCache>,
}

/// A frame of a grid within an interval.
#[derive(Clone, Debug)]
pub struct GridFrame {
    chain: Arc<GridChain>,
    /// Frames of the interval before this one.
    elapsed: u32,
}

impl GridFrame {
    /// The first frame of an interval after another frame, or of the first interval.
    pub fn after(before: Option<&Self>, interval: Interval) -> Self {
        let before = before.map(|before| Arc::clone(&before.chain));
        Self { chain: Arc::new(GridChain::new(interval, before)), elapsed: 0 }
    }

    /// The next frame of the same interval; `None` where a new one begins.
    pub fn next(&self) -> Option<Self> {
        let elapsed = self.elapsed + 1;
        (elapsed < self.interval().frames).then(|| Self { chain: Arc::clone(&self.chain), elapsed })
    }

    /// The interval of the frame.
    pub fn interval(&self) -> &Interval {
        &self.chain.interval
    }

    /// Cells of the air before and after the interval.
    pub fn lattices(&self) -> [AirLattice; 2] {
        let after = self.interval().lattice;
        let before = self.chain.before.as_ref().map_or(after, |before| before.interval.lattice);
        if self.is_short() { [after; 2] } else { [before, after] }
    }

    /// Shares of the interval that have passed at the start and at the end of the frame. An interval of one frame shows
    /// the air after it throughout.
    pub fn passed(&self) -> [f64; 2] {
        let share = |frames: u32| f64::from(frames) / f64::from(self.interval().frames);
        if self.is_short() { [1.0; 2] } else { [share(self.elapsed), share(self.elapsed + 1)] }
    }

    fn is_short(&self) -> bool {
        self.interval().frames == 1
    }

    /// The air of the frame. `None` once `go_on` returned false.
    pub fn air(&self, means: AirMeans<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<GridAir> {
        let before = match &self.chain.before {
            _ if self.is_short() => None,
            Some(before) => Some(air_after(before, means, go_on)?),
            None => Some(Arc::new(volume::first(&self.interval().air))),
        };
        Some(GridAir { before, after: air_after(&self.chain, means, go_on)? })
    }
}

/// An interval of a grid, with those before.
struct GridChain {
    /// Number of intervals before.
    number: i64,
    interval: Interval,
    before: Option<Arc<GridChain>>,
    /// Hash of the settings of this interval and of all before.
    lineage: u128,
}

impl GridChain {
    fn new(interval: Interval, before: Option<Arc<GridChain>>) -> Self {
        let mut digest = Digest::new("grid");
        digest.wide(before.as_ref().map_or(0, |before| before.lineage));
        let Interval { air, lattice, level, .. } = &interval;
        air.enter(&mut digest);
        // In cells: grids of different sizes share their air.
        let in_cells = |pixels: [f64; 3]| pixels.map(|side| side / lattice.spacing);
        in_cells(lattice.velocity).enter(&mut digest);
        if *level > 0 || before.as_ref().is_some_and(|before| before.interval.level > 0) {
            in_cells(lattice.corner).enter(&mut digest);
            (*level as usize).enter(&mut digest);
        }
        let number = before.as_ref().map_or(0, |before| before.number + 1);
        Self { number, interval, before, lineage: digest.finish() }
    }
}

impl Debug for GridChain {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.debug_struct("GridChain").field("interval", &self.interval).finish_non_exhaustive()
    }
}

impl Drop for GridChain {
    /// Frees the intervals before one by one: nested, many of them would overflow the stack.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(chain) = before {
            before = Arc::into_inner(chain).and_then(|mut chain| chain.before.take());
        }
    }
}

/// The family of the chains of all grids.
fn family() -> ChainKey {
    let mut digest = Digest::new("grid of air");
    digest.int(i64::from(volume::MODEL_VERSION));
    ChainKey(digest.finish())
}

/// The air of a grid after an interval. `None` once `go_on` returned false.
fn air_after(chain: &Arc<GridChain>, means: AirMeans<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Arc<State>> {
    let mut intervals = vec![Arc::clone(chain)];
    while let Some(before) = intervals.last().and_then(|chain| chain.before.clone()) {
        intervals.push(before);
    }
    intervals.reverse();
    let AirMeans { store, device, cpu, cache } = means;
    // The lists of files are as long as those of level 0, whatever the level.
    let finest = chain.interval.finest;
    let disk = cache.map(|AirCache { cache, uses }| {
        let restore = Restore {
            model: stored::model(MODEL, "cpu"),
            shape: stored::shape(finest, 1),
            make: Box::new(move |header, blobs| {
                let (state, diagnostics) = stored::restore(header, blobs, (finest, 1))?;
                Ok(FrameState::new(cpu, state, diagnostics))
            }),
        };
        cache.disk_of(restore, cpu, uses)
    });
    let archive = disk.as_ref().map(|disk| disk as &dyn Archive<FrameState>);
    let mut shot = GridShot { intervals, device, cpu, go_on };
    match catch_up(&mut shot, chain.number, &InputMemory::default(), store, archive) {
        Ok(outcome) => Some(Arc::new(outcome.state.state(cpu))),
        Err(Stop::Aborted) => None,
    }
}

/// The air before an interval, on its cells and relative to the grid in it. Air that keeps its velocity in the world
/// loses what the grid gains.
fn carried(air: &State, from: &Interval, to: &Interval) -> State {
    let (old, new) = (&from.lattice, &to.lattice);
    let gained = |axis: usize| ((old.velocity[axis] - new.velocity[axis]) / new.spacing) as f32;
    let gained = [0, 1, 2].map(gained);
    if from.level == to.level {
        return air.clone().faster(gained);
    }
    let offset = [0, 1, 2].map(|axis| (new.corner[axis] - old.corner[axis]) / old.spacing);
    let carried = wide(Do(
        #[inline(always)]
        || resampled(air, whole(to.air.cells), new.spacing / old.spacing, offset),
    ));
    carried.faster(gained)
}

/// The intervals of a grid from the first on, as the frames of a chain.
struct GridShot<'a> {
    intervals: Vec<Arc<GridChain>>,
    device: &'a dyn Device,
    cpu: &'a Cpu,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl GridShot<'_> {
    fn at(&self, number: i64) -> &Arc<GridChain> {
        let last = self.intervals.len() - 1;
        &self.intervals[usize::try_from(number).unwrap_or(0).min(last)]
    }
}

impl Shot for GridShot<'_> {
    type State = FrameState;
    type Inputs = ();
    type Error = Infallible;

    fn family(&self) -> ChainKey {
        family()
    }

    fn first(&self) -> i64 {
        0
    }

    fn settings(&mut self, frame: i64) -> Result<u128, Infallible> {
        Ok(self.at(frame).lineage)
    }

    fn lineage(&self, frame: i64) -> Option<u128> {
        Some(self.at(frame).lineage)
    }

    fn input_frame(&self, frame: i64) -> i64 {
        frame
    }

    fn views(&mut self, _frame: i64) -> Result<Vec<Option<u128>>, Infallible> {
        Ok(Vec::new())
    }

    fn read(&mut self, _frame: i64) -> Result<Option<Hashed<()>>, Infallible> {
        Ok(Some(((), Vec::<PixelHash>::new())))
    }

    fn step(&mut self, before: Option<&FrameState>, frame: i64, _inputs: ()) -> Result<Option<FrameState>, Infallible> {
        let now = Arc::clone(self.at(frame));
        let start = match (before, &now.before) {
            (Some(air), Some(last)) => carried(&air.state(self.cpu), &last.interval, &now.interval),
            _ => volume::first(&now.interval.air),
        };
        // The CPU does not fail.
        let made = volume::advance(&start, &now.interval.air, 1.0, self.device, self.go_on).ok();
        Ok(made.map(|(state, ..)| FrameState::new(self.cpu, state, Diagnostics::default())))
    }

    fn account(&mut self, frame: i64) -> Result<String, Infallible> {
        Ok(format!("{:#?}", self.at(frame).interval))
    }

    fn go_on(&mut self) -> bool {
        (self.go_on)()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::nodes::engine::engine;
    use crate::sim::volume::plan::StepPlan;
    use crate::sim::volume::testing::{emitter, plume};
    use crate::sim::volume::{Failed, Solves};
    use crate::timeline::disk::Usage;

    /// A device that counts its steps.
    struct Counting(Cpu, AtomicU64);

    impl Device for Counting {
        fn name(&self) -> String {
            "counting".to_owned()
        }

        fn class(&self) -> &'static str {
            "cpu"
        }

        fn step(
            &self,
            before: &State,
            plan: &StepPlan,
            go_on: &mut dyn FnMut() -> bool,
        ) -> Result<(State, Solves), Failed> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.step(before, plan, go_on)
        }
    }

    impl Counting {
        fn means<'a>(&'a self, store: &'a Store, cache: Option<&'a AirCache>) -> AirMeans<'a> {
            AirMeans { store, device: self, cpu: &self.0, cache }
        }

        /// Steps since the last call.
        fn taken(&self) -> u64 {
            self.1.swap(0, Ordering::Relaxed)
        }
    }

    /// The first `count` frames of a grid whose jet blows at a speed by frame, in intervals of `every`.
    fn grid(count: i64, every: u32, speed: impl Fn(i64) -> f64) -> GridFrame {
        let mut last: Option<GridFrame> = None;
        for frame in 1..=count {
            last = Some(last.as_ref().and_then(GridFrame::next).unwrap_or_else(|| {
                let jet = volume::settings::Emitter { velocity: Some([0.0, speed(frame), 0.0]), ..emitter([8.0; 3]) };
                let air = volume::Settings {
                    emitters: vec![jet],
                    fixed: true,
                    time_scale: f64::from(every),
                    ..plume([16; 3])
                };
                let lattice = AirLattice { corner: [0.0; 3], spacing: 2.0, velocity: [0.5, 0.0, 0.0] };
                GridFrame::after(last.as_ref(), Interval { air, lattice, level: 0, finest: [16; 3], frames: every })
            }));
        }
        last.expect("a frame")
    }

    /// The same, frame by frame.
    fn chain(count: i64, speed: impl Fn(i64) -> f64) -> GridFrame {
        grid(count, 1, speed)
    }

    fn bits(state: &State) -> Vec<u32> {
        state.velocity.iter().flat_map(|values| values.iter().map(|value| value.to_bits())).collect()
    }

    #[test]
    fn equal_grids_share_their_states_and_an_edit_costs_the_frames_after_it() {
        let (store, device) = (Store::default(), Counting(Cpu::new(2), AtomicU64::new(0)));
        let after = |frame: &GridFrame| frame.air(device.means(&store, None), &mut || true).expect("not aborted").after;
        let whole = after(&chain(6, |_| 0.5));
        assert_eq!(device.taken(), 6);
        assert_eq!(bits(&after(&chain(6, |_| 0.5))), bits(&whole));
        assert_eq!(device.taken(), 0, "the same grid of another node");
        after(&chain(4, |_| 0.5));
        assert_eq!(device.taken(), 0, "an earlier frame");
        let edited = chain(6, |frame| if frame < 5 { 0.5 } else { 0.25 });
        let changed = after(&edited);
        assert_eq!(device.taken(), 2, "the frames from the edit on");
        assert_ne!(bits(&changed), bits(&whole));
        let alone = edited.air(device.means(&Store::default(), None), &mut || true).expect("not aborted").after;
        assert_eq!(bits(&alone), bits(&changed), "a frame alone");
        assert!(edited.air(device.means(&Store::default(), None), &mut || false).is_none(), "an abort");
    }

    #[test]
    fn the_disk_has_the_air_of_each_grid() {
        let folder = tempfile::tempdir().expect("a folder");
        let usage = Usage { write: true, every: 1, limit: 0, wait: true, queue_limit: 1 << 30 };
        let cache = Cache { folder: folder.path().join("own"), usage };
        let air = AirCache::new(&cache, &engine().disks().uses());
        let device = Counting(Cpu::new(2), AtomicU64::new(0));
        let after = |frame: &GridFrame, cache: Option<&AirCache>| {
            let store = Store::default();
            frame.air(device.means(&store, cache), &mut || true).expect("not aborted").after
        };
        let slow = |_| 0.25;
        let [first, second] = [after(&chain(6, |_| 0.5), Some(&air)), after(&chain(3, slow), Some(&air))];
        assert!(engine().disks().flush(&mut || true));
        let files = || flow_cache::Folder::new(cache.folder.clone()).list();
        assert_eq!((device.taken(), files().len()), (9, 9));
        assert!(files().iter().all(|file| file.header.as_ref().is_ok_and(|header| header.model == MODEL)));
        assert_eq!(bits(&after(&chain(6, |_| 0.5), Some(&air))), bits(&first));
        assert_eq!(bits(&after(&chain(3, slow), Some(&air))), bits(&second));
        assert_eq!(device.taken(), 0, "from disk");
        assert_eq!(bits(&after(&chain(8, |_| 0.5), Some(&air))), bits(&after(&chain(8, |_| 0.5), None)));
        assert_eq!(device.taken(), 2 + 8, "on from the last file, and without files");
    }

    #[test]
    fn an_interval_of_several_frames_takes_one_step_and_blends_over_all_of_them() {
        let (store, device) = (Store::default(), Counting(Cpu::new(2), AtomicU64::new(0)));
        let frames: Vec<GridFrame> = (1..=6).map(|count| grid(count, 3, |_| 0.5)).collect();
        let airs: Vec<GridAir> = frames
            .iter()
            .map(|frame| frame.air(device.means(&store, None), &mut || true).expect("not aborted"))
            .collect();
        assert_eq!(device.taken(), 2);
        let third = 1.0 / 3.0;
        assert_eq!(frames[0].passed(), [0.0, third]);
        assert_eq!(frames[4].passed(), [third, 2.0 / 3.0]);
        let before = |air: &GridAir| bits(air.before.as_ref().expect("two states"));
        assert!(before(&airs[0]).iter().all(|bits| f32::from_bits(*bits) == 0.0), "still air at first");
        assert_eq!(before(&airs[3]), bits(&airs[2].after), "an interval begins with the air of the last");
        assert_eq!(bits(&airs[3].after), bits(&airs[5].after));
        let alone = frames[4].air(device.means(&Store::default(), None), &mut || true).expect("not aborted");
        assert_eq!((before(&alone), bits(&alone.after)), (before(&airs[4]), bits(&airs[4].after)), "a frame alone");
    }

    #[test]
    fn air_goes_on_through_a_change_of_the_level() {
        let interval = |level: u32, cells: usize, velocity: f64| {
            let spacing = f64::from(2 << level);
            let air = volume::Settings { fixed: true, emitters: Vec::new(), ..plume([cells; 3]) };
            let lattice = AirLattice { corner: [0.0; 3], spacing, velocity: [velocity, 0.0, 0.0] };
            Interval { air, lattice, level, finest: [32; 3], frames: 1 }
        };
        let air = State::still(whole([32; 3]), 1, [3.0, -1.0, 0.5]);
        // 6 pixels per frame, relative to a grid that then moves by 4 pixels per frame, in cells of 4 pixels.
        let coarse = carried(&air, &interval(0, 32, 0.0), &interval(1, 16, 4.0));
        assert_eq!(coarse.bounds, whole([16; 3]));
        let first = [0, 1, 2].map(|axis| coarse.velocity[axis][0]);
        assert_eq!(first, [0.5, -0.5, 0.25]);
        let fine = carried(&coarse, &interval(1, 16, 4.0), &interval(0, 32, 0.0));
        assert_eq!(bits(&fine), bits(&air), "uniform air comes back");
    }

    #[test]
    fn a_long_chain_is_freed_without_a_deep_stack() {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let freed = thread.spawn(|| drop(chain(100_000, |_| 0.0))).expect("a thread").join();
        assert!(freed.is_ok());
    }
}

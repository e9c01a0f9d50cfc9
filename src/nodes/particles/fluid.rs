//! The chain of each grid of air, apart from the particles' own: a frame of particles depends on those of its longest
//! life alone, and a frame of air on all frames before. Nodes with equal grids share their states in memory.

use std::convert::Infallible;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use super::grids::GridSettings;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::particles::Settings;
use crate::sim::volume::{self, Device, State};
use crate::timeline::{CachedValue, ChainKey, Hashed, InputMemory, PixelHash, Shot, Stop, Store, catch_up};

/// The settings of a frame: of the particles, and of all frames of the grids up to this one.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The particles.
    pub particles: Settings,
    /// The grids, in the order of `particles.grids`.
    pub grids: Vec<Arc<GridFrame>>,
}

impl Frame {
    /// A frame with these grids. `before`: the frame before, if there is one.
    pub fn new(mut particles: Settings, grids: Vec<GridSettings>, before: Option<&Frame>) -> Self {
        particles.grids = grids.iter().map(|grid| grid.place).collect();
        let frame = particles.frame;
        let grids = grids.into_iter().enumerate().map(|(n, grid)| {
            let before = before.and_then(|before| before.grids.get(n));
            Arc::new(GridFrame::new(frame, grid, before.cloned()))
        });
        Self { grids: grids.collect(), particles }
    }
}

impl Fingerprint for Frame {
    fn enter(&self, digest: &mut Digest) {
        self.particles.enter(digest);
        self.grids.iter().for_each(|grid| digest.wide(grid.lineage));
    }
}

/// A frame of a grid, with those before.
pub struct GridFrame {
    frame: i64,
    air: volume::Settings,
    /// Velocity of the grid, cells per frame.
    velocity: [f64; 3],
    before: Option<Arc<GridFrame>>,
    /// Hash of the settings of this frame and of all before.
    lineage: u128,
}

impl GridFrame {
    fn new(frame: i64, grid: GridSettings, before: Option<Arc<GridFrame>>) -> Self {
        let velocity = grid.velocity.map(|speed| speed / grid.place.spacing);
        let mut digest = Digest::new("grid");
        digest.wide(before.as_ref().map_or(0, |before| before.lineage));
        grid.air.enter(&mut digest);
        velocity.enter(&mut digest);
        Self { frame, air: grid.air, velocity, before, lineage: digest.finish() }
    }
}

impl Debug for GridFrame {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.debug_struct("GridFrame").field("velocity", &self.velocity).field("air", &self.air).finish_non_exhaustive()
    }
}

impl Drop for GridFrame {
    /// Frees the frames before one by one: nested, many of them would overflow the stack.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(frame) = before {
            before = Arc::into_inner(frame).and_then(|mut frame| frame.before.take());
        }
    }
}

/// The air of a grid in the store.
#[derive(Clone)]
struct Air(State);

impl CachedValue for Air {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// The air of a grid after a frame. `None` once `go_on` returned false.
pub fn air_after(
    frame: &Arc<GridFrame>,
    store: &Store,
    device: &dyn Device,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Arc<State>> {
    let mut frames = vec![Arc::clone(frame)];
    while let Some(before) = frames.last().and_then(|frame| frame.before.clone()) {
        frames.push(before);
    }
    frames.reverse();
    let mut shot = GridShot { frames, device, go_on };
    match catch_up(&mut shot, frame.frame, &InputMemory::default(), store, None) {
        Ok(outcome) => Some(Arc::new(outcome.state.0.clone())),
        Err(Stop::Aborted) => None,
    }
}

/// The frames of a grid from the first on.
struct GridShot<'a> {
    frames: Vec<Arc<GridFrame>>,
    device: &'a dyn Device,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl GridShot<'_> {
    fn at(&self, frame: i64) -> &Arc<GridFrame> {
        let last = self.frames.len() - 1;
        &self.frames[usize::try_from(frame - self.first()).unwrap_or(0).min(last)]
    }
}

impl Shot for GridShot<'_> {
    type State = Air;
    type Inputs = ();
    type Error = Infallible;

    fn family(&self) -> ChainKey {
        let mut digest = Digest::new("grid of air");
        digest.int(i64::from(volume::MODEL_VERSION));
        ChainKey(digest.finish())
    }

    fn first(&self) -> i64 {
        self.frames[0].frame
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

    fn step(&mut self, before: Option<&Air>, frame: i64, _inputs: ()) -> Result<Option<Air>, Infallible> {
        let now = Arc::clone(self.at(frame));
        let start = match (before, &now.before) {
            // Air that keeps its velocity in the world loses what the grid gains.
            (Some(air), Some(last)) => {
                let gained = |axis: usize| (last.velocity[axis] - now.velocity[axis]) as f32;
                air.0.clone().faster([0, 1, 2].map(gained))
            }
            _ => volume::first(&now.air),
        };
        // The CPU does not fail.
        let made = volume::advance(&start, &now.air, 1.0, self.device, self.go_on).ok();
        Ok(made.map(|(state, ..)| Air(state)))
    }

    fn go_on(&mut self) -> bool {
        (self.go_on)()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::compute::cpu::Cpu;
    use crate::sim::particles::settings::GridPlace;
    use crate::sim::volume::plan::StepPlan;
    use crate::sim::volume::testing::{emitter, plume};
    use crate::sim::volume::{Failed, Solves};

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
        /// Steps since the last call.
        fn taken(&self) -> u64 {
            self.1.swap(0, Ordering::Relaxed)
        }
    }

    /// The first `count` frames of a grid whose jet blows at a speed by frame.
    fn chain(count: i64, speed: impl Fn(i64) -> f64) -> Arc<GridFrame> {
        let mut last = None;
        for frame in 1..=count {
            let jet = volume::settings::Emitter { velocity: Some([0.0, speed(frame), 0.0]), ..emitter([8.0; 3]) };
            let air = volume::Settings { emitters: vec![jet], fixed: true, ..plume([16; 3]) };
            let place = GridPlace {
                number: 0,
                origin: [0.0; 3],
                previous: [0.0; 3],
                spacing: 2.0,
                cells: [16; 3],
                fade: 8.0,
                group: 0,
            };
            let grid = GridSettings { place, velocity: [0.5, 0.0, 0.0], air };
            last = Some(Arc::new(GridFrame::new(frame, grid, last)));
        }
        last.expect("a frame")
    }

    fn bits(state: &State) -> Vec<u32> {
        state.velocity.iter().flat_map(|values| values.iter().map(|value| value.to_bits())).collect()
    }

    #[test]
    fn equal_grids_share_their_states_and_an_edit_costs_the_frames_after_it() {
        let (store, device) = (Store::default(), Counting(Cpu::new(2), AtomicU64::new(0)));
        let after = |frame: &Arc<GridFrame>| air_after(frame, &store, &device, &mut || true).expect("not aborted");
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
        let alone = air_after(&edited, &Store::default(), &device, &mut || true).expect("not aborted");
        assert_eq!(bits(&alone), bits(&changed), "a frame alone");
        assert!(air_after(&edited, &Store::default(), &device, &mut || false).is_none(), "an abort");
    }

    #[test]
    fn a_long_chain_is_freed_without_a_deep_stack() {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let freed = thread.spawn(|| drop(chain(100_000, |_| 0.0))).expect("a thread").join();
        assert!(freed.is_ok());
    }
}

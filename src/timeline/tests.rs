//! Tests of the timeline with a toy simulation whose state is the list of everything it consumed.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::archive::{Address, Archive, ArchiveClaim, Claimed};
use super::store::Place;
use super::*;

#[derive(Debug, PartialEq, Clone)]
struct History(Vec<(i64, u128, u128)>);

impl CachedValue for History {
    fn bytes(&self) -> usize {
        1
    }
}

/// A toy host: settings and pictures by frame, and the number of `go_on` calls before an abort.
#[derive(Clone, Default)]
struct Toy {
    settings: BTreeMap<i64, u128>,
    pixels: BTreeMap<i64, u128>,
    patience: Option<u64>,
}

impl Toy {
    fn setting(&self, frame: i64) -> u128 {
        self.settings.range(..=frame).next_back().map_or(0, |(_, value)| *value)
    }

    fn pixel(&self, frame: i64) -> u128 {
        self.pixels.get(&frame).copied().unwrap_or(1)
    }

    fn truth(&self, last: i64) -> History {
        History((1..=last).map(|f| (f, self.setting(f), self.pixel(f))).collect())
    }

    fn render(&mut self, frame: i64, memory: &InputMemory, store: &Store) -> Result<(History, u64), Stop<Infallible>> {
        let outcome = catch_up(self, frame, memory, store, None)?;
        Ok(((*outcome.state).clone(), outcome.simulated))
    }
}

impl Shot for Toy {
    type State = History;
    type Inputs = u128;
    type Error = Infallible;

    fn family(&self) -> ChainKey {
        ChainKey(42)
    }
    fn first(&self) -> i64 {
        1
    }
    fn settings(&mut self, frame: i64) -> Result<u128, Infallible> {
        Ok(self.setting(frame))
    }
    fn input_frame(&self, frame: i64) -> i64 {
        frame
    }
    fn views(&mut self, _frame: i64) -> Result<Vec<Option<u128>>, Infallible> {
        Ok(vec![Some(7)])
    }
    fn read(&mut self, frame: i64) -> Result<Option<(u128, Vec<PixelHash>)>, Infallible> {
        Ok(Some((self.pixel(frame), vec![PixelHash(self.pixel(frame))])))
    }
    fn step(&mut self, before: Option<&History>, frame: i64, inputs: u128) -> Result<Option<History>, Infallible> {
        let mut history = before.map_or_else(Vec::new, |h| h.0.clone());
        history.push((frame, self.setting(frame), inputs));
        Ok(Some(History(history)))
    }
    fn go_on(&mut self) -> bool {
        match &mut self.patience {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

fn unlimited() -> (InputMemory, Arc<Store>) {
    (InputMemory::default(), Arc::new(Store::default()))
}

#[test]
fn any_order_gives_the_same_and_only_the_missing_is_simulated() {
    let (memory, store) = unlimited();
    let mut toy = Toy { settings: [(5, 9), (8, 3)].into(), pixels: [(2, 4), (6, 5)].into(), patience: None };
    let frames = [7, 3, 9, 1, 9, -4];
    let steps = [7, 0, 2, 0, 0, 0];
    for (frame, steps) in frames.into_iter().zip(steps) {
        let truth = toy.truth(frame.max(1));
        assert_eq!(toy.render(frame, &memory, &store).expect("renders"), (truth, steps), "frame {frame}");
    }
}

/// A toy whose state has the last frames only.
struct Short(Toy, i64);

impl Shot for Short {
    type State = History;
    type Inputs = u128;
    type Error = Infallible;

    fn family(&self) -> ChainKey {
        self.0.family()
    }
    fn first(&self) -> i64 {
        1
    }
    fn settings(&mut self, frame: i64) -> Result<u128, Infallible> {
        self.0.settings(frame)
    }
    fn input_frame(&self, frame: i64) -> i64 {
        frame
    }
    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, Infallible> {
        self.0.views(frame)
    }
    fn read(&mut self, frame: i64) -> Result<Option<(u128, Vec<PixelHash>)>, Infallible> {
        self.0.read(frame)
    }
    fn restart(&mut self, frame: i64) -> Result<i64, Infallible> {
        Ok((frame - self.1 + 1).max(1))
    }
    fn step(&mut self, before: Option<&History>, frame: i64, inputs: u128) -> Result<Option<History>, Infallible> {
        let mut history = self.0.step(before, frame, inputs)?.expect("a toy is never aborted");
        history.0.retain(|(old, ..)| *old > frame - self.1);
        Ok(Some(history))
    }
    fn go_on(&mut self) -> bool {
        self.0.go_on()
    }
}

#[test]
fn a_frame_alone_takes_the_frames_that_its_state_has() {
    let toy = Toy { settings: [(5, 9), (95, 3)].into(), pixels: [(2, 4), (93, 5)].into(), patience: None };
    let (memory, store) = unlimited();
    let mut short = Short(toy, 10);
    let mut render = |frame: i64| {
        let outcome = catch_up(&mut short, frame, &memory, &store, None).expect("renders");
        let whole = short.0.truth(frame).0;
        assert_eq!(outcome.state.0, whole[whole.len().saturating_sub(10)..], "frame {frame}");
        outcome.simulated
    };
    let frames = [100, 100, 101, 99, 105, 4, 5, 13, 98];
    let steps = [10, 0, 1, 10, 4, 4, 1, 8, 10];
    for (frame, steps) in frames.into_iter().zip(steps) {
        assert_eq!(render(frame), steps, "frame {frame}");
    }
    assert_eq!(store.len(), 1 + 1 + 1 + 4 + 4 + 1 + 8 + 1, "incomplete states are not stored");
}

#[test]
fn an_edit_keeps_earlier_frames_and_undo_finds_the_old_ones() {
    let (memory, store) = unlimited();
    let mut toy = Toy { settings: [(20, 1), (40, 2), (60, 3)].into(), ..Toy::default() };
    toy.render(70, &memory, &store).expect("renders");
    let mut edited = toy.clone();
    edited.settings.insert(40, 5);
    assert_eq!(edited.render(39, &memory, &store).expect("renders").1, 0);
    assert_eq!(edited.render(70, &memory, &store).expect("renders"), (edited.truth(70), 31));
    assert_eq!(toy.render(70, &memory, &store).expect("renders"), (toy.truth(70), 0));
}

#[test]
fn a_new_instance_reads_the_inputs_but_simulates_nothing() {
    let (memory, store) = unlimited();
    let mut toy = Toy { pixels: [(3, 8)].into(), ..Toy::default() };
    toy.render(30, &memory, &store).expect("renders");
    assert_eq!(toy.render(30, &InputMemory::default(), &store).expect("renders"), (toy.truth(30), 0));
}

#[test]
fn changed_pictures_are_found_by_the_sentinels() {
    let (memory, store) = unlimited();
    let mut toy = Toy::default();
    toy.render(20, &memory, &store).expect("renders");
    for changed in [20, 1, 11] {
        toy.pixels.insert(changed, 77 + changed as u128);
        let right = (0..20).position(|_| toy.render(20, &memory, &store).expect("renders").0 == toy.truth(20));
        let renders = right.expect("found within one rotation");
        assert!(changed == 11 || renders == 0, "every render checks its own and the first frame");
    }
}

#[test]
fn finished_frames_survive_an_abort() {
    let (memory, store) = unlimited();
    let mut toy = Toy { patience: Some(60), ..Toy::default() };
    assert!(matches!(toy.render(500, &memory, &store), Err(Stop::Aborted)));
    let kept = store.len();
    assert!(kept > 10, "{kept} states kept");
    toy.patience = None;
    let (history, steps) = toy.render(500, &memory, &store).expect("renders");
    assert_eq!(history, toy.truth(500));
    assert_eq!(steps as usize, 500 - kept);
}

#[test]
fn a_small_budget_changes_the_cost_and_nothing_else() {
    let (memory, store) = unlimited();
    let lease = store.lease();
    lease.set(12);
    let mut toy = Toy { settings: [(50, 1)].into(), pixels: [(9, 2)].into(), patience: None };
    for frame in [200, 3, 199, 64, 65, 130, 1] {
        let truth = toy.truth(frame);
        assert_eq!(toy.render(frame, &memory, &store).expect("renders").0, truth);
        assert!(store.len() <= 12);
    }
}

#[test]
fn many_renders_at_once_simulate_each_frame_once() {
    let (memory, store) = unlimited();
    let total: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|_| {
                let (memory, store) = (&memory, &store);
                scope.spawn(move || {
                    let mut toy = Toy::default();
                    let (history, steps) = toy.render(200, memory, store).expect("renders");
                    assert_eq!(history, toy.truth(200));
                    steps
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
    });
    assert_eq!(total, 200);
}

#[test]
fn long_use_of_early_frames_leaves_late_frames_reachable() {
    let (memory, store) = unlimited();
    let lease = store.lease();
    lease.set(57);
    let mut toy = Toy::default();
    for frame in 1..=1000 {
        toy.render(frame, &memory, &store).expect("renders");
    }
    for round in 0..800 {
        toy.render(1 + round % 200, &memory, &store).expect("renders");
    }
    for frame in [1000, 700, 950] {
        let steps = toy.render(frame, &memory, &store).expect("renders").1;
        assert!(steps <= 64, "frame {frame}: {steps} steps");
    }
}

#[test]
fn a_state_just_after_the_remembered_frames_is_found() {
    let (memory, store) = unlimited();
    let mut toy = Toy::default();
    toy.render(20, &memory, &store).expect("renders");
    // A new node remembers the first two frames of the chain; the first and the third are stored.
    let lease = store.lease();
    lease.set(20);
    let place = |index| store::Place { family: ChainKey(42), index };
    let keys: Vec<ChainKey> = (1..=20)
        .scan(ChainKey(42), |key, frame| {
            *key = key.next(toy.setting(frame), &[PixelHash(toy.pixel(frame))]);
            Some(*key)
        })
        .collect();
    store.clear();
    for index in [0, 2] {
        store.put(keys[index], place(index as u64), Arc::new(toy.truth(index as i64 + 1)));
    }
    let memory = InputMemory::default();
    for frame in 1..=2 {
        memory.record(0, frame, &[Some(7)], &[PixelHash(1)]);
    }
    assert_eq!(toy.render(5, &memory, &store).expect("renders"), (toy.truth(5), 2));
}

/// A toy that records the frames whose pictures it returns.
struct Counted(Toy, Vec<i64>);

impl Shot for Counted {
    type State = History;
    type Inputs = u128;
    type Error = Infallible;

    fn family(&self) -> ChainKey {
        self.0.family()
    }
    fn first(&self) -> i64 {
        self.0.first()
    }
    fn settings(&mut self, frame: i64) -> Result<u128, Infallible> {
        self.0.settings(frame)
    }
    fn input_frame(&self, frame: i64) -> i64 {
        self.0.input_frame(frame)
    }
    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, Infallible> {
        self.0.views(frame)
    }
    fn read(&mut self, frame: i64) -> Result<Option<(u128, Vec<PixelHash>)>, Infallible> {
        self.1.push(frame);
        self.0.read(frame)
    }
    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Infallible> {
        Ok(Some(vec![PixelHash(self.0.pixel(frame))]))
    }
    fn step(&mut self, before: Option<&History>, frame: i64, inputs: u128) -> Result<Option<History>, Infallible> {
        self.0.step(before, frame, inputs)
    }
    fn go_on(&mut self) -> bool {
        self.0.go_on()
    }
}

#[test]
fn pictures_are_kept_only_for_simulated_frames() {
    let (memory, store) = unlimited();
    let mut counted = Counted(Toy::default(), Vec::new());
    let render = |counted: &mut Counted, frame: i64| {
        counted.1.clear();
        let outcome = catch_up(counted, frame, &memory, &store, None).expect("renders");
        (*outcome.state == counted.0.truth(frame), counted.1.clone())
    };
    assert_eq!(render(&mut counted, 3), (true, vec![3, 1, 2]));
    assert_eq!(render(&mut counted, 4), (true, vec![4]), "read once, compared and simulated");
    assert_eq!(render(&mut counted, 4), (true, vec![]), "from the store: compared only");
    assert_eq!(render(&mut counted, 2), (true, vec![]));
    counted.0.pixels.insert(4, 9);
    assert_eq!(render(&mut counted, 4), (true, vec![4]), "it was taken for known, and has changed");
}

/// An archive in memory that several processes share.
#[derive(Default)]
struct MemoryArchive {
    every: u64,
    states: Mutex<BTreeMap<(i64, ChainKey), History>>,
    claims: Arc<Mutex<BTreeSet<ChainKey>>>,
    /// Frames whose files are damaged.
    bad: Mutex<BTreeSet<i64>>,
    /// Frames in the order of their storing.
    kept: Mutex<Vec<i64>>,
}

struct Held(Arc<Mutex<BTreeSet<ChainKey>>>, ChainKey);

impl Drop for Held {
    fn drop(&mut self) {
        assert!(self.0.lock().remove(&self.1), "held once");
    }
}

impl MemoryArchive {
    fn new(every: u64) -> Self {
        Self { every, ..Self::default() }
    }

    fn frames(&self) -> Vec<i64> {
        self.states.lock().keys().map(|(frame, _)| *frame).collect()
    }
}

impl Archive<History> for MemoryArchive {
    fn has_between(&self, family: ChainKey, first: i64, last: i64, _: &mut dyn FnMut() -> bool) -> bool {
        assert_eq!(family, ChainKey(42));
        self.frames().iter().any(|frame| (first..=last).contains(frame))
    }
    fn has(&self, frame: i64, key: ChainKey) -> bool {
        self.states.lock().contains_key(&(frame, key))
    }
    fn load(&self, frame: i64, key: ChainKey) -> Option<History> {
        let mut states = self.states.lock();
        if self.bad.lock().remove(&frame) {
            states.remove(&(frame, key));
        }
        states.get(&(frame, key)).cloned()
    }
    fn wants(&self, place: Place, frame: i64, key: ChainKey) -> bool {
        place.index.is_multiple_of(self.every) && !self.has(frame, key)
    }
    fn strip(&self, place: Place) -> u64 {
        if place.index == 0 { 0 } else { (place.index - 1) / self.every * self.every + 1 }
    }
    fn claim(&self, key: ChainKey) -> Claimed {
        if !self.claims.lock().insert(key) {
            return Claimed::Theirs;
        }
        Claimed::Mine(ArchiveClaim(Box::new(Held(Arc::clone(&self.claims), key))))
    }
    fn keep(
        &self,
        at: Address,
        state: &Arc<History>,
        _: String,
        claim: Option<ArchiveClaim>,
        _: &mut dyn FnMut() -> bool,
    ) {
        self.states.lock().insert((at.frame, at.key), (**state).clone());
        self.kept.lock().push(at.frame);
        drop(claim);
    }
}

/// A render in its own process. Returns the state and the numbers of simulated and loaded frames.
fn alone(toy: &mut Toy, frame: i64, archive: &MemoryArchive) -> (History, u64, u64) {
    let (memory, store) = unlimited();
    let outcome = catch_up(toy, frame, &memory, &store, Some(archive)).expect("renders");
    ((*outcome.state).clone(), outcome.simulated, outcome.loaded)
}

#[test]
fn a_state_of_another_process_is_loaded_once_and_not_simulated() {
    let mut toy = Toy { settings: [(5, 9)].into(), pixels: [(2, 4)].into(), patience: None };
    for (every, kept, on) in [(1, vec![1, 2, 3, 4, 5, 6, 7], 0), (3, vec![1, 4, 7], 1)] {
        let archive = MemoryArchive::new(every);
        assert_eq!(alone(&mut toy, 7, &archive), (toy.truth(7), 7, 0));
        assert_eq!(archive.frames(), kept);
        assert_eq!(alone(&mut toy, 7, &archive), (toy.truth(7), 0, 1));
        assert_eq!(alone(&mut toy, 5, &archive), (toy.truth(5), on, 1), "every {every}");
        assert_eq!(alone(&mut toy, 9, &archive), (toy.truth(9), 2, 1));
        assert!(archive.claims.lock().is_empty(), "all claims are released");
    }
}

#[test]
fn a_damaged_file_costs_the_frames_since_the_previous_file() {
    let mut toy = Toy::default();
    let archive = MemoryArchive::new(1);
    alone(&mut toy, 9, &archive);
    archive.bad.lock().extend([8, 9]);
    assert_eq!(alone(&mut toy, 9, &archive), (toy.truth(9), 2, 1));
    assert_eq!(archive.frames(), (1..=9).collect::<Vec<_>>(), "the damaged files are replaced");
}

#[test]
fn an_edit_does_not_use_the_states_of_the_old_chain() {
    let mut toy = Toy::default();
    let archive = MemoryArchive::new(1);
    alone(&mut toy, 9, &archive);
    let mut edited = Toy { settings: [(6, 1)].into(), ..Toy::default() };
    assert_eq!(alone(&mut edited, 9, &archive), (edited.truth(9), 4, 1));
    assert_eq!(alone(&mut toy, 9, &archive), (toy.truth(9), 0, 1));
}

#[test]
fn many_processes_make_each_frame_once() {
    for every in [1, 4] {
        let archive = MemoryArchive::new(every);
        let simulated: u64 = std::thread::scope(|scope| {
            let work = |process: i64| {
                let archive = &archive;
                scope.spawn(move || {
                    let (memory, store) = unlimited();
                    let mut toy = Toy { settings: [(5, 9)].into(), ..Toy::default() };
                    let mut simulated = 0;
                    for frame in process * 4 + 2..=process * 4 + 5 {
                        let outcome = catch_up(&mut toy, frame, &memory, &store, Some(archive)).expect("renders");
                        assert_eq!(*outcome.state, toy.truth(frame));
                        simulated += outcome.simulated;
                    }
                    simulated
                })
            };
            let works: Vec<_> = (0..8).map(work).collect();
            works.into_iter().map(|work| work.join().expect("renders")).sum()
        });
        let mut kept = archive.kept.into_inner();
        kept.sort_unstable();
        assert_eq!(kept, (1..=33).step_by(every as usize).collect::<Vec<_>>(), "each once");
        // A process that stops within a strip leaves frames that are simulated again; by chance each in all eight strips.
        assert!((0..=8 * 8 * (every - 1)).contains(&(simulated - 33)), "every {every}: {simulated}");
    }
}

#[test]
fn a_waiter_for_another_process_checks_its_own_abort() {
    let archive = MemoryArchive::new(1);
    let mut toy = Toy { patience: Some(30), ..Toy::default() };
    let key = ChainKey(42).next(0, &[PixelHash(1)]);
    let Claimed::Mine(claim) = archive.claim(key) else { panic!("the claim is free") };
    let (memory, store) = unlimited();
    let stopped = catch_up(&mut toy, 3, &memory, &store, Some(&archive));
    assert!(matches!(stopped, Err(Stop::Aborted)));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            drop(claim);
        });
        assert_eq!(alone(&mut Toy::default(), 3, &archive).1, 3, "a waiter acquires the claim");
    });
}

//! The timeline against a toy simulation whose state is the list of everything it ever consumed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use super::*;

#[derive(Debug, PartialEq, Clone)]
struct History(Vec<(i64, u128, u128)>);

impl Kept for History {
    fn bytes(&self) -> usize {
        1
    }
}

/// A host: settings and pictures by frame, and how often it lets a render go on.
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
        let outcome = catch_up(self, frame, memory, store)?;
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

fn roomy() -> (InputMemory, Arc<Store>) {
    (InputMemory::default(), Arc::new(Store::default()))
}

#[test]
fn any_order_gives_the_same_and_only_the_missing_is_simulated() {
    let (memory, store) = roomy();
    let mut toy = Toy { settings: [(5, 9), (8, 3)].into(), pixels: [(2, 4), (6, 5)].into(), patience: None };
    let frames = [7, 3, 9, 1, 9, -4];
    let steps = [7, 0, 2, 0, 0, 0];
    for (frame, steps) in frames.into_iter().zip(steps) {
        let truth = toy.truth(frame.max(1));
        assert_eq!(toy.render(frame, &memory, &store).expect("renders"), (truth, steps), "frame {frame}");
    }
}

#[test]
fn an_edit_keeps_what_came_before_it_and_undo_finds_the_old_frames() {
    let (memory, store) = roomy();
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
    let (memory, store) = roomy();
    let mut toy = Toy { pixels: [(3, 8)].into(), ..Toy::default() };
    toy.render(30, &memory, &store).expect("renders");
    assert_eq!(toy.render(30, &InputMemory::default(), &store).expect("renders"), (toy.truth(30), 0));
}

#[test]
fn changed_pictures_are_found_by_the_sentinels() {
    let (memory, store) = roomy();
    let mut toy = Toy::default();
    toy.render(20, &memory, &store).expect("renders");
    for changed in [20, 1, 11] {
        toy.pixels.insert(changed, 77 + changed as u128);
        let right = (0..20).position(|_| toy.render(20, &memory, &store).expect("renders").0 == toy.truth(20));
        let renders = right.expect("found within one rotation");
        assert!(changed == 11 || renders == 0, "own and first frame are looked at in every render");
    }
}

#[test]
fn an_abort_keeps_what_was_done() {
    let (memory, store) = roomy();
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
    let (memory, store) = roomy();
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
    let (memory, store) = roomy();
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
fn long_work_at_the_beginning_leaves_the_end_within_reach() {
    let (memory, store) = roomy();
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
fn a_state_right_behind_what_is_remembered_is_found() {
    let (memory, store) = roomy();
    let mut toy = Toy::default();
    toy.render(20, &memory, &store).expect("renders");
    // Of the chain only the first frame and the second are remembered by a new node; kept are the first and the third.
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

/// A toy that counts the frames whose pictures it hands out.
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
fn pictures_are_kept_only_where_they_are_simulated() {
    let (memory, store) = roomy();
    let mut counted = Counted(Toy::default(), Vec::new());
    let render = |counted: &mut Counted, frame: i64| {
        counted.1.clear();
        let outcome = catch_up(counted, frame, &memory, &store).expect("renders");
        (*outcome.state == counted.0.truth(frame), counted.1.clone())
    };
    assert_eq!(render(&mut counted, 3), (true, vec![3, 1, 2]));
    assert_eq!(render(&mut counted, 4), (true, vec![4]), "read once, compared and simulated");
    assert_eq!(render(&mut counted, 4), (true, vec![]), "from the store: compared only");
    assert_eq!(render(&mut counted, 2), (true, vec![]));
    counted.0.pixels.insert(4, 9);
    assert_eq!(render(&mut counted, 4), (true, vec![4]), "it was taken for known, and has changed");
}

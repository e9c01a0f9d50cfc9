//! Grids with all kinds of sides and solids.

use std::sync::Arc;

use flow_ofx::sim::fluid::Boundary::{self, Closed, Open, Wrap};
use flow_ofx::sim::fluid::{Backend, Domain, FieldId, Session, Slip, Slips, SolidFields, VectorField};
use flow_ofx::sim::smoke::FieldKind;
use flow_ofx::sim::smoke::state::Solids;

/// Pseudo-random numbers in a fixed sequence.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From −1 to 1.
    pub fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn many(&mut self, count: usize, most: f32) -> Vec<f32> {
        (0..count).map(|_| self.next() * most).collect()
    }
}

/// A grid.
pub struct Case {
    pub size: [usize; 2],
    pub edges: [Boundary; 4],
    pub slip: Slips,
    pub solids: Option<Arc<Solids>>,
}

pub const SIZES: [[usize; 2]; 4] = [[1, 1], [1, 7], [33, 17], [517, 389]];

pub const EDGES: [[Boundary; 4]; 5] =
    [[Closed; 4], [Open; 4], [Wrap; 4], [Closed, Open, Wrap, Wrap], [Wrap, Wrap, Open, Closed]];

/// Every size with all kinds of sides, with and without solids; the largest with some kinds only.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for size in SIZES {
        let large = size[0] * size[1] > 10_000;
        for (nth, edges) in EDGES.into_iter().enumerate() {
            for solid in [false, true] {
                if !large || (nth % 2 == 0) == solid {
                    let case = |slip| Case { size, edges, slip, solids: solid.then(|| solids(size, nth as u64)) };
                    all.push(case(Slips::default()));
                    if !large && nth % 3 == 0 {
                        all.push(case(Slips { edges: Slip::No, obstacles: Slip::Free }));
                    }
                }
            }
        }
    }
    // The validation report runs all.
    if std::env::var_os("FLOW_GATES").is_some() {
        return all;
    }
    // Half of them, in changing order.
    all.into_iter().enumerate().filter(|(at, _)| (at + at / 8) % 2 == 0).map(|(_, case)| case).collect()
}

/// Blocks, single cells, and their velocities.
fn solids([w, h]: [usize; 2], seed: u64) -> Arc<Solids> {
    let mut random = Random::new(seed + 77);
    let solid = |at: usize, random: &mut Random| {
        let (x, y) = (at % w, at / w);
        (x / 5 + y / 4).is_multiple_of(7) || random.next() > 0.97
    };
    let solid: Vec<bool> = (0..w * h).map(|at| solid(at, &mut random) && w * h > 1).collect();
    let [mut u, mut v] = [(w + 1) * h, w * (h + 1)].map(|len| random.many(len, 1.0));
    // The repeated cells of a wrapped axis.
    (0..h).for_each(|y| u[y * (w + 1) + w] = u[y * (w + 1)]);
    v.copy_within(..w, w * h);
    Arc::new(Solids { solid, u, v })
}

impl Case {
    /// The name for messages.
    pub fn name(&self) -> String {
        let solid = if self.solids.is_some() { ", solids" } else { "" };
        format!("{:?} {:?} {:?}{solid}", self.size, self.edges, self.slip)
    }

    /// The domain, with its solids as fields.
    pub fn domain<B: Backend>(&self, session: &mut Session<'_, B>) -> Domain {
        let mut up = |values: &[f32]| session.upload(values).expect("memory");
        let solids = self.solids.as_ref().map(|solids| {
            let cells: Vec<f32> = solids.solid.iter().map(|&solid| f32::from(u8::from(solid))).collect();
            SolidFields { cells: up(&cells), velocity: VectorField::new(&[up(&solids.u), up(&solids.v)]) }
        });
        Domain::plane(self.size, self.edges, self.slip, solids)
    }

    /// Length of a field.
    pub fn len(&self, kind: FieldKind) -> usize {
        kind.shape(self.size).len()
    }

    /// Velocities of up to `most`; the last ones of a wrapped axis repeat the first.
    pub fn faces(&self, random: &mut Random, most: f32) -> [Vec<f32>; 2] {
        let [w, h] = self.size;
        let mut u = random.many((w + 1) * h, most);
        let mut v = random.many(w * (h + 1), most);
        if self.edges[0] == Wrap {
            (0..h).for_each(|y| u[y * (w + 1) + w] = u[y * (w + 1)]);
        }
        if self.edges[2] == Wrap {
            v.copy_within(..w, w * h);
        }
        [u, v]
    }
}

/// Results of passes, by name.
#[derive(Default)]
pub struct Results(pub Vec<(String, Vec<f64>)>);

impl Results {
    pub fn field<B: Backend>(&mut self, name: &str, session: &Session<'_, B>, field: FieldId) {
        let values = session.download(field).unwrap_or_else(|failed| panic!("{name}: {failed}"));
        self.0.push((name.to_owned(), values.into_iter().map(f64::from).collect()));
    }

    pub fn vector<B: Backend>(&mut self, name: &str, session: &Session<'_, B>, of: VectorField) {
        self.field(&format!("{name}, x"), session, of[0]);
        self.field(&format!("{name}, y"), session, of[1]);
    }

    pub fn numbers(&mut self, name: &str, numbers: &[f64]) {
        self.0.push((name.to_owned(), numbers.to_vec()));
    }

    /// Fails if a value differs by more than `tolerance` of the largest value, or of a tenth of the largest input.
    /// Returns the largest ratio.
    pub fn compare(&self, other: &Results, of: &str, tolerance: f64) -> f64 {
        let mut worst: f64 = 0.0;
        assert_eq!(self.0.len(), other.0.len());
        for ((name, ours), (theirs_name, theirs)) in self.0.iter().zip(&other.0) {
            assert_eq!((name, ours.len()), (theirs_name, theirs.len()), "{of}");
            let largest = ours.iter().fold(0.1, |most: f64, value| most.max(value.abs()));
            let mut far = (0, 0.0);
            for (at, (a, b)) in ours.iter().zip(theirs).enumerate() {
                let apart = (a - b).abs() / largest;
                if apart.is_nan() || apart > far.1 {
                    far = (at, apart);
                }
            }
            let (at, apart) = far;
            assert!(apart <= tolerance, "{of}: {name}[{at}] is {} and {}: {apart:e}", ours[at], theirs[at]);
            worst = worst.max(apart);
        }
        worst
    }
}

//! The CPU device: passes over rows, cut into bands of rows by data alone, on threads of its own.
//!
//! | file | what |
//! |---|---|
//! | `pool` | the threads |
//! | `lanes` | the fixed point's products as vector code |
//! | `flow` | acceleration of the pipes |
//! | `level` | sums over a cell's pipes: head, limit, move |
//! | `pigment` | colour moves with the water |
//! | `inflow` | what happens once per frame, and each step's share of what flows in |
//! | [`mod@reference`] | the step as the maths has it, for tests |

mod flow;
mod inflow;
mod lanes;
mod level;
mod pigment;
mod pool;
pub mod reference;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::sim::field::Field;
use crate::sim::fixed::WHOLE;
use crate::sim::program::{Device, Interrupted, Program, RowCounts, RowJob, Tally, Water};
use crate::sim::settings::{Edges, Model};
use pool::Pool;

/// The CPU. Bits do not depend on the number of threads.
pub struct Cpu {
    pool: Pool,
    /// Planes of the last run, for the next one of the same size: fresh memory costs as much as a step.
    spare: Mutex<Option<Spare>>,
}

/// Planes that a run needs only while it runs.
struct Spare {
    heads: Field,
    shares: Field,
    pigment: Option<Field>,
}

impl Cpu {
    /// A device with `threads` threads of its own (0 and 1: none, work runs on the caller's thread). Dropping it joins
    /// them.
    pub fn new(threads: usize) -> Cpu {
        Cpu { pool: Pool::new(threads), spare: Mutex::new(None) }
    }

    /// Number of threads that work.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}

/// Counts of row jobs, added up.
#[derive(Default)]
struct Counts(RowCounts);

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
    }
}

impl Device for Cpu {
    fn name(&self) -> String {
        match self.threads() {
            1 => "CPU, 1 thread".to_owned(),
            n => format!("CPU, {n} threads"),
        }
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        let last = field.height();
        self.pool.rows(field, (1, last), || (), |(), y, row| Counts(job(y - 1, row))).0
    }

    fn run(
        &self,
        program: &Program,
        water: &Arc<Water>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<Water>, Tally), Interrupted> {
        let spare = self.spare.lock().unwrap_or_else(|e| e.into_inner()).take();
        let mut frame = Frame::new(&self.pool, program, water, spare);
        frame.prepare();
        for step in 0..program.steps {
            if !go_on() {
                return Err(Interrupted);
            }
            frame.step(step);
        }
        let (water, tally, spare) = frame.finish();
        *self.spare.lock().unwrap_or_else(|e| e.into_inner()) = Some(spare);
        Ok((Arc::new(water), tally))
    }
}

/// A frame at work.
struct Frame<'a> {
    pool: &'a Pool,
    program: &'a Program,
    water: Water,
    tally: Tally,
    /// What drives the pipes: height, base and viscosity.
    heads: Field,
    /// Share of its outflows that each cell can afford.
    shares: Field,
    /// Rows (ring coordinates) in which a cell cannot afford its outflows.
    limited: Vec<AtomicBool>,
    /// Where the pigment of the next step is written.
    next_pigment: Option<Field>,
}

impl<'a> Frame<'a> {
    fn new(pool: &'a Pool, program: &'a Program, water: &Water, spare: Option<Spare>) -> Frame<'a> {
        let (width, height) = (water.height.width(), water.height.height());
        let pigment = match &water.pigment {
            Some(pigment) => Some(pool.copy(pigment)),
            None => program.colours().then(|| Field::new(width, height, 3)),
        };
        let fits = |s: &Spare| s.heads.width() == width && s.heads.height() == height;
        let mut spare = spare.filter(fits).unwrap_or_else(|| Spare {
            heads: Field::new(width, height, 1),
            shares: Field::new(width, height, 1),
            pigment: None,
        });
        spare.shares.rows_mut(0, height + 1).fill(WHOLE as i32);
        let next_pigment = pigment.is_some().then(|| {
            let mut next = spare.pigment.unwrap_or_else(|| Field::new(width, height, 3));
            next.clear_ring();
            next
        });
        Frame {
            pool,
            program,
            tally: Tally::default(),
            heads: spare.heads,
            shares: spare.shares,
            limited: (0..height + 2).map(|_| AtomicBool::new(false)).collect(),
            next_pigment,
            water: Water { height: pool.copy(&water.height), flow: pool.copy(&water.flow), pigment },
        }
    }

    fn wrap(&self) -> bool {
        self.program.walls.edges() == Edges::Wrap
    }

    fn finish(mut self) -> (Water, Tally, Spare) {
        if self.wrap()
            && let Some(pigment) = &mut self.water.pigment
        {
            // The pigment's pass copied opposite edges there.
            pigment.clear_ring();
            self.water.height.clear_ring();
        }
        let spare = Spare { heads: self.heads, shares: self.shares, pigment: self.next_pigment };
        (self.water, self.tally, spare)
    }

    fn step(&mut self, step: u32) {
        self.find_heads();
        self.accelerate();
        self.limit();
        self.drain();
        self.move_pigment();
        self.move_water();
        self.let_in(step);
    }

    /// Cuts the outflows of cells that hold less.
    fn limit(&mut self) {
        self.find_shares();
        if !self.limited.iter().any(|l| l.load(Ordering::Relaxed)) {
            return;
        }
        if self.wrap() {
            let last = self.limited.len() - 2;
            let first = self.limited[1].load(Ordering::Relaxed);
            self.limited[last + 1].store(first, Ordering::Relaxed);
            self.shares.wrap_ring();
        }
        self.cut_flows();
        if self.wrap() {
            self.water.flow.wrap_ring();
        }
    }

    fn classic(&self) -> bool {
        self.program.model == Model::Classic
    }
}

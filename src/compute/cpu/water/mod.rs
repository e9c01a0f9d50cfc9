//! The water's steps in vector code.
//!
//! A grid is cut by data alone: into bands of rows, which the threads share out, and each band into tiles. Over a tile,
//! one sweep from the lowest row to the highest takes up to four steps, each two rows behind the one before it, on a
//! window of a few rows that stays in the cache; the margins of a tile are worked on by its neighbours too. So a frame
//! of up to four steps reads the old water once and writes the new one once.
//!
//! | file | what |
//! |---|---|
//! | `tiles` | how a grid is cut |
//! | `rows` | work cut by the rows of a field |
//! | `window` | the rows in hand |
//! | `sweep` | the order of a step's passes over them |
//! | `line` | the passes on a row: pipes, limit, level, pigment |
//! | `inflow` | what happens once per frame, and each step's share of what flows in |
//! | `kernel` | the kernel for each instruction set |
//! | [`mod@reference`] | the step as the maths has it, for tests |

mod inflow;
mod kernel;
mod line;
pub mod reference;
mod rows;
mod sweep;
mod tiles;
mod window;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::Cpu;
use crate::sim::Interrupted;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance, RowCounts, RowJob, Water};
use crate::sim::water::settings::Edges;
use line::faces;
use line::pipes::Coefficients;
use sweep::{Counts, Out, Sweep, Tile};
use window::Window;

/// Bytes of water that some cache may hold from one sweep to the next.
const CACHED: usize = 16 << 20;

/// What is kept for the next frame.
#[derive(Default)]
pub(super) struct Kept {
    /// Rows in hand, one set per thread that worked: fresh memory costs as much as a step.
    windows: Mutex<Vec<Window>>,
    /// Planes between the sweeps of a frame.
    spare: Mutex<Option<Water>>,
}

impl Kept {
    /// Gives it back.
    pub fn release(&self) {
        drop(self.spare.lock().unwrap_or_else(PoisonError::into_inner).take());
        self.windows.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Bytes of the planes among it.
    pub fn bytes(&self) -> u64 {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Water::bytes) as u64
    }
}

impl Cpu {
    /// One sweep from `from` into `to`.
    fn sweep(&self, sweep: &Sweep<'_>, to: &mut Water) -> Counts {
        let width = sweep.plan.domain.width();
        let mut bands = cut(to);
        let counts = self.pool.each(&mut bands, |band| {
            let stored = self.water.windows.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut window = stored.unwrap_or_else(Window::new);
            let mut counts = Counts::default();
            for columns in tiles::tiles(width) {
                let tile = Tile { columns, rows: band.rows.clone() };
                counts += self.isa.tile(sweep, &mut window, &tile, &mut band.out);
            }
            self.water.windows.lock().unwrap_or_else(PoisonError::into_inner).push(window);
            counts
        });
        if sweep.last && sweep.plan.domain.edges() == Edges::Wrap {
            to.flow.wrap_ring();
        }
        counts
    }
}

/// A band of a grid, and where its water goes.
struct Band<'a> {
    rows: Range<usize>,
    out: Out<'a>,
}

/// Cuts planes into bands of rows; the first and the last have the ring's rows, which are cleared.
fn cut(water: &mut Water) -> Vec<Band<'_>> {
    let height = water.height.height();
    let Water { height: level, flow, pigment } = water;
    for field in [Some(&mut *level), Some(&mut *flow), pigment.as_mut()].into_iter().flatten() {
        field.rows_mut(0, 0).fill(0);
        field.rows_mut(height + 1, height + 1).fill(0);
    }
    let lens = [level.row_len(), flow.row_len(), pigment.as_ref().map_or(0, Field::row_len)];
    let mut level = level.rows_mut(0, height + 1);
    let mut flow = flow.rows_mut(0, height + 1);
    let mut pigment = pigment.as_mut().map(|p| p.rows_mut(0, height + 1));
    let mut first = 0;
    tiles::bands(height)
        .map(|rows| {
            let end = if rows.end > height { height + 2 } else { rows.end };
            let count = end - first;
            let out = Out {
                first,
                height: front(&mut level, count * lens[0]),
                flow: front(&mut flow, count * lens[1]),
                pigment: pigment.as_mut().map(|pigment| front(pigment, count * lens[2])),
            };
            first = end;
            Band { rows, out }
        })
        .collect()
}

/// Takes the first values off a slice.
fn front<'a>(rest: &mut &'a mut [i32], len: usize) -> &'a mut [i32] {
    let (front, back) = std::mem::take(rest).split_at_mut(len);
    *rest = back;
    front
}

/// Planes of the size of `like`, from `spare` where it fits; their values are anybody's.
fn planes(spare: Option<Water>, like: &Water, colour: bool) -> Water {
    let (width, height, flows) = (like.height.width(), like.height.height(), like.flow.planes());
    let fits = |field: &Field| field.width() == width && field.height() == height;
    let fresh = |planes: usize| Field::uninitialised(width, height, planes);
    match spare.filter(|s| fits(&s.height) && s.flow.planes() == flows) {
        Some(spare) => Water { pigment: colour.then(|| spare.pigment.unwrap_or_else(|| fresh(3))), ..spare },
        None => Water { height: fresh(1), flow: fresh(flows), pigment: colour.then(|| fresh(3)) },
    }
}

impl Device for Cpu {
    fn name(&self) -> String {
        match self.threads() {
            1 => format!("CPU, 1 thread, {}", self.isa.name()),
            n => format!("CPU, {n} threads, {}", self.isa.name()),
        }
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        self.pool.rows(field, job)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        body: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        let water = body.water();
        let (coefficients, faces) = (Coefficients::new(plan), faces::Coefficients::new(plan));
        let colour = water.pigment.is_some() || plan.colours();
        let mut spare = self.water.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut done: Option<Water> = None;
        let mut sum = Counts::default();
        for steps in tiles::sweeps(plan.steps) {
            for _ in steps.clone() {
                if !go_on() {
                    *self.water.spare.lock().unwrap_or_else(PoisonError::into_inner) = spare.or(done);
                    return Err(Interrupted);
                }
            }
            let mut to = planes(spare.take(), water, colour);
            let sweep = Sweep {
                plan,
                coefficients: &coefficients,
                faces: &faces,
                from: done.as_ref().unwrap_or(water),
                first: steps.start == 0,
                last: steps.end == plan.steps,
                stream: to.bytes() >= CACHED,
                steps,
            };
            sum += self.sweep(&sweep, &mut to);
            spare = done.replace(to);
        }
        let Some(done) = done else { return Ok((Arc::clone(body), MassBalance::default())) };
        *self.water.spare.lock().unwrap_or_else(PoisonError::into_inner) = spare;
        let mut tally = sum.tally;
        if plan.domain.edges() == Edges::Open {
            // What is neither here nor accounted for has left: every other move is between two cells.
            for kind in 0..4 {
                let came = sum.before[kind].wrapping_add(tally.added[kind]).wrapping_sub(tally.removed[kind]);
                tally.drained[kind] = came.wrapping_sub(tally.clamped[kind]).wrapping_sub(sum.after[kind]);
            }
        }
        Ok((Arc::new(StateBuffers::new(done)), tally))
    }
}

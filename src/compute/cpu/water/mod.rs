//! The kernels of the water on the CPU.
//!
//! The size of a grid alone determines how work is cut: into bands of rows, which are distributed to the threads, and
//! each band into tiles of columns. A sweep takes up to four steps over a tile, from the lowest row to the highest,
//! each step two rows behind the one before. Its working rows, the window, stay in the cache. Neighbouring tiles repeat
//! the work on each other's margins. A frame of up to four steps therefore reads the old state once and writes the new
//! state once.
//!
//! The passes have the names of those on the GPU (`shaders/water`); all are tested against [`mod@reference`].
//!
//! | file | contents |
//! |---|---|
//! | `tiles` | bands, tiles and sweeps |
//! | `window` | the working rows |
//! | `sweep` | the passes of a step over the working rows, in their order |
//! | `line` | the passes on one row: pipes, faces, limit, level, pigment |
//! | `inflow` | the changes once per frame, and the inflow of each step |
//! | `kernel` | the sweep compiled for each model and instruction set |
//! | `ripples` | the steps of Ripples, over whole rows |
//! | [`mod@reference`] | the scalar reference, for tests |

mod inflow;
mod kernel;
mod line;
pub mod reference;
mod ripples;
mod sweep;
mod tiles;
mod window;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Cpu, bands};
use crate::compute::resources::Resource;
use crate::sim::Interrupted;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance, RowCounts, RowJob, Water};
use crate::sim::water::settings::Edges;
use line::faces;
use line::pipes::Coefficients;
use sweep::{Counts, Out, Sweep, Tile};
use window::Window;

/// Largest size in bytes of a state that stays in a cache from one sweep to the next. Stores of larger states bypass
/// the caches.
const CACHED: usize = 16 << 20;

/// The windows of the threads, reused from frame to frame.
#[derive(Default)]
struct Windows(Mutex<Vec<Window>>);

impl Windows {
    fn take(&self) -> Window {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_else(Window::new)
    }

    fn give(&self, window: Window) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(window);
    }
}

impl Resource for Windows {
    fn release(&self) -> bool {
        !std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).is_empty()
    }
}

impl Cpu {
    /// Takes the steps of a sweep; the result is in `to`.
    fn sweep(&self, windows: &Windows, sweep: &Sweep<'_>, to: &mut Water) -> Counts {
        let width = sweep.plan.domain.width();
        let mut bands = bands_of(to);
        let counts = self.pool.each(&mut bands, |band| {
            let mut window = windows.take();
            let mut counts = Counts::default();
            for columns in tiles::tiles(width) {
                let tile = Tile { columns, rows: band.rows.clone() };
                counts += self.isa.tile(sweep, &mut window, &tile, &mut band.out);
            }
            windows.give(window);
            counts
        });
        if sweep.last && sweep.plan.domain.edges() == Edges::Wrap {
            to.flow.wrap_ring();
        }
        counts
    }
}

/// A band of rows (in ring coordinates), with its rows of the new state.
struct Band<'a> {
    rows: Range<usize>,
    out: Out<'a>,
}

/// Cuts a new state into bands. The first and the last row of the ring belong to the outer bands, and are cleared.
fn bands_of(water: &mut Water) -> Vec<Band<'_>> {
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

/// Takes the first `len` values from a slice.
fn front<'a>(rest: &mut &'a mut [i32], len: usize) -> &'a mut [i32] {
    let (front, back) = std::mem::take(rest).split_at_mut(len);
    *rest = back;
    front
}

fn add(a: RowCounts, b: RowCounts) -> RowCounts {
    std::array::from_fn(|at| a[at].wrapping_add(b[at]))
}

impl Device for Cpu {
    fn name(&self) -> String {
        match self.threads() {
            1 => format!("CPU, 1 thread, {}", self.isa.name()),
            n => format!("CPU, {n} threads, {}", self.isa.name()),
        }
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        let (len, count) = (field.row_len(), field.height());
        let bands = bands::bands(count, field.stride());
        let mut rest = field.rows_mut(1, count);
        let pieces = bands.into_iter().map(|band| (band.start, front(&mut rest, band.len() * len))).collect();
        let counts = self.each(pieces, |(first, rows): (usize, &mut [i32])| {
            rows.chunks_exact_mut(len).zip(first..).fold([0; 4], |sum, (row, y)| add(sum, job(y, row)))
        });
        counts.into_iter().fold([0; 4], add)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        let water = before.water();
        if let Some(ripples) = &plan.ripples {
            let (water, balance) = ripples::run(self, plan, ripples, water, go_on)?;
            return Ok((Arc::new(StateBuffers::new(water)), balance));
        }
        let windows = self.resources.get_or_default::<Windows>();
        let (coefficients, faces) = (Coefficients::new(plan), faces::Coefficients::new(plan));
        let coloured = water.pigment.is_some() || plan.colours();
        let (width, height) = (water.height.width(), water.height.height());
        let field = |planes: usize| Field::uninitialised(width, height, planes, &self.memory);
        let mut done: Option<Water> = None;
        let mut sum = Counts::default();
        for steps in tiles::sweeps(plan.steps) {
            for _ in steps.clone() {
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            let mut to =
                Water { height: field(1), flow: field(water.flow.planes()), pigment: coloured.then(|| field(3)) };
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
            sum += self.sweep(&windows, &sweep, &mut to);
            done = Some(to);
        }
        let Some(done) = done else { return Ok((Arc::clone(before), MassBalance::default())) };
        let mut balance = sum.balance;
        if plan.domain.edges() == Edges::Open {
            // All other moves are between two cells of the grid, so the missing water has left.
            for kind in 0..4 {
                let came = sum.before[kind].wrapping_add(balance.added[kind]).wrapping_sub(balance.removed[kind]);
                balance.drained[kind] = came.wrapping_sub(balance.clamped[kind]).wrapping_sub(sum.after[kind]);
            }
        }
        Ok((Arc::new(StateBuffers::new(done)), balance))
    }
}

//! The memory that a frame needs, compared with what there is before it is simulated.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::nodes::engine::engine;
use crate::ofx::{Error, Result};
use crate::sim::grid::Grid;
use crate::sim::request::{self, RESERVE, Refused};
use crate::timeline::limits::{Bound, Limit};

/// Frames that need less are not measured: what a request leaves free is as much.
const SMALL: u64 = RESERVE as u64;

/// Memory that a frame needs while it is simulated and painted.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// Columns and rows of the simulated grid.
    cells: [usize; 2],
    /// Bytes.
    bytes: u64,
    /// Advice to the artist: the ways to fewer cells.
    fewer: &'static str,
}

impl Need {
    /// Of a frame on a grid whose cells take `bytes` each.
    pub fn new(grid: &Grid, bytes: u32, fewer: &'static str) -> Self {
        let cells = [grid.width, grid.height];
        Self { cells, bytes: cells.iter().fold(u64::from(bytes), |bytes, n| bytes.saturating_mul(*n as u64)), fewer }
    }

    /// Compares it with what the limits of the process leave. Where that is not enough, kept states that no render uses
    /// make room, if they are enough; else the frame is refused and they stay.
    ///
    /// # Errors
    /// [`Error::Memory`], in the artist's words.
    pub fn check(&self) -> Result<()> {
        if self.bytes < SMALL {
            return Ok(());
        }
        let engine = engine();
        let wanted = self.bytes.saturating_add(RESERVE as u64);
        let lacks = |anew: bool| engine.store().limits().tightest(wanted, anew);
        if lacks(false).is_none() {
            return Ok(());
        }
        // Planes of the last frame are used again by one of its size, and are in the way of another.
        static LAST: AtomicU64 = AtomicU64::new(0);
        if LAST.swap(self.bytes, Ordering::Relaxed) != self.bytes {
            engine.purge();
        }
        let Some(limit) = lacks(true) else { return Ok(()) };
        let lack = (wanted - limit.left()).saturating_sub(engine.spare());
        if lack == 0 {
            return Ok(());
        }
        if engine.store().make_room(lack) {
            engine.purge();
            if lacks(true).is_none() {
                return Ok(());
            }
        }
        Err(self.beyond(&limit))
    }

    /// Refuses a frame for which a limit leaves too little.
    fn beyond(&self, limit: &Limit) -> Error {
        let states = match engine().store().bytes() {
            0 => String::new(),
            bytes => format!(" States in memory take {}.", size(bytes)),
        };
        Error::Memory(format!(
            "{} Of {}, which is limited to {}, {} are free.{states} {} A proxy takes less, a lower Memory budget leaves \
             more; or raise the limit.",
            self.takes(),
            limit.bound,
            size(limit.total),
            size(limit.left()),
            self.fewer
        ))
    }

    /// Refuses a frame for which there was no memory in the middle of it.
    fn refused(&self, refused: Refused) -> Error {
        let free = engine().store().limits().tightest(u64::MAX, true);
        let free = free.map_or_else(String::new, |limit| {
            format!("; of {}, which is limited to {}, {} are free", limit.bound, size(limit.total), size(limit.left()))
        });
        Error::Memory(format!(
            "{} The system refused {} of it{free}. {} A proxy, fewer layers and inputs, and a lower Memory budget take \
             less; or raise the limit.",
            self.takes(),
            size(refused.bytes as u64),
            self.fewer
        ))
    }

    fn takes(&self) -> String {
        let [width, height] = self.cells;
        format!("A frame of {width} x {height} cells takes up to {} of memory.", size(self.bytes))
    }
}

/// Renders or bakes: `work` tells what a frame needs once it knows. A request for memory that the system refuses in the
/// middle of it is an error.
///
/// # Errors
/// Those of `work`, and [`Error::Memory`].
pub fn attempt<R>(work: impl FnOnce(&Cell<Option<Need>>) -> Result<R>) -> Result<R> {
    let known = Cell::new(None);
    request::attempt(|| work(&known)).unwrap_or_else(|refused| {
        // Planes that are kept for this frame size would take the memory of a smaller frame.
        engine().purge();
        Err(known.get().map_or_else(|| unknown(refused), |need: Need| need.refused(refused)))
    })
}

/// Refuses a frame whose size is not known.
fn unknown(refused: Refused) -> Error {
    Error::Memory(format!(
        "There is too little memory for the frame: the system refused {}. Lower Resolution, render a proxy, lower Memory budget, or \
         raise the limit.",
        size(refused.bytes as u64)
    ))
}

/// The limit's name and size, as the message about a grid states them.
pub fn has(bound: &Bound, memory: u64) -> String {
    match bound {
        Bound::Machine => format!("this machine has {}", size(memory)),
        bound => format!("{bound} is limited to {}", size(memory)),
    }
}

const GB: f64 = (1_u64 << 30) as f64;

/// Bytes as people read them.
pub fn size(bytes: u64) -> String {
    let gb = bytes as f64 / GB;
    match gb {
        10.0.. => format!("{gb:.0} GB"),
        0.1.. => format!("{gb:.1} GB"),
        _ => format!("{:.0} MB", (gb * 1024.0).ceil()),
    }
}

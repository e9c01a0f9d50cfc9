//! The memory of a frame, compared with the limits of the process before the frame is simulated.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::node::GridSize;
use crate::nodes::engine::engine;
use crate::ofx::{Error, Result};
use crate::sim::request::{self, RESERVE, Refused};
use crate::timeline::limits::{Bound, Limit};

/// Frames of fewer bytes are not compared with the limits: each request for memory leaves this much free.
const SMALL: u64 = RESERVE as u64;

/// The memory of a frame while it is simulated and painted.
#[derive(Clone, Debug)]
pub struct MemoryEstimate {
    size: GridSize,
    bytes: u64,
}

impl MemoryEstimate {
    /// The estimate for a grid with `bytes` bytes per cell.
    pub fn new(size: GridSize, bytes: u32) -> Self {
        let bytes = size.shape.iter().fold(u64::from(bytes), |bytes, side| bytes.saturating_mul(*side as u64));
        Self { size, bytes }
    }

    /// Compares the estimate with the memory that the limits of the process leave. If that is not enough, evicts states
    /// that no render uses; if these are too few, evicts none and refuses the frame.
    ///
    /// # Errors
    /// [`Error::Memory`]; the error is a text for the artist.
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
        // Devices keep the fields of the last frame. A frame of the same size reuses them; for another size they take
        // memory away.
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

    /// The error for a frame for which a limit leaves too little memory.
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
            self.size.fewer
        ))
    }

    /// The error for a frame during which the system refused memory.
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
            self.size.fewer
        ))
    }

    fn takes(&self) -> String {
        format!("A frame of {} cells takes up to {} of memory.", cells(&self.size.shape), size(self.bytes))
    }
}

/// Renders or bakes: `work` stores the estimate of a frame once it is known. Memory that the system refuses during it
/// is an error.
///
/// # Errors
/// Those of `work`, and [`Error::Memory`].
pub fn attempt<R>(work: impl FnOnce(&RefCell<Option<MemoryEstimate>>) -> Result<R>) -> Result<R> {
    let known = RefCell::new(None);
    request::attempt(|| work(&known)).unwrap_or_else(|refused| {
        // Fields that are kept for this frame size would take memory away from a smaller frame.
        engine().purge();
        Err(known.take().map_or_else(|| unknown(refused), |known| known.refused(refused)))
    })
}

/// The error for a frame of unknown size.
fn unknown(refused: Refused) -> Error {
    Error::Memory(format!(
        "There is too little memory for the frame: the system refused {}. Lower Resolution, render a proxy, lower Memory budget, or \
         raise the limit.",
        size(refused.bytes as u64)
    ))
}

/// Cells along each axis as a text, such as `64 x 32`.
pub fn cells(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

/// A limit's name and size, for the message about a grid.
pub fn has(bound: &Bound, memory: u64) -> String {
    match bound {
        Bound::Machine => format!("this machine has {}", size(memory)),
        bound => format!("{bound} is limited to {}", size(memory)),
    }
}

const GB: f64 = (1_u64 << 30) as f64;

/// A number of bytes as a text with a unit.
pub fn size(bytes: u64) -> String {
    let gb = bytes as f64 / GB;
    match gb {
        10.0.. => format!("{gb:.0} GB"),
        0.1.. => format!("{gb:.1} GB"),
        _ => format!("{:.0} MB", (gb * 1024.0).ceil()),
    }
}

//! Water, wherever it is.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;

use super::program::Water;

/// What is asked of water without its planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Water, red, green and blue pigment over the grid, in units, modulo 2^64.
    pub totals: [i64; 4],
    /// Cells whose height is at least [`Program::wet`](super::Program::wet).
    pub wet: u64,
}

/// Water that a device keeps where it made it.
///
/// All methods may be called from any thread.
pub trait Resident: Send + Sync + 'static {
    /// Memory of the planes once they are fetched.
    fn bytes(&self) -> usize;

    /// Sums over the grid, known since the water was made.
    fn sums(&self) -> Sums;

    /// The planes. Called once at most. Blocks until they are there, and cannot fail: a device that lost the water makes
    /// it once more, elsewhere.
    fn fetch(&self) -> Water;

    /// For the device that made it, to know it again.
    fn as_any(&self) -> &dyn Any;
}

/// The water of one frame: planes in memory, or kept by the device that made it, or both. Never changes.
pub struct Body {
    planes: OnceLock<Water>,
    resident: Option<Box<dyn Resident>>,
}

impl Body {
    /// Planes in memory.
    pub fn new(water: Water) -> Body {
        Body { planes: OnceLock::from(water), resident: None }
    }

    /// Water that stays where it was made until somebody needs its planes.
    pub fn resident(resident: Box<dyn Resident>) -> Body {
        Body { planes: OnceLock::new(), resident: Some(resident) }
    }

    /// The planes; fetched, which blocks, where they are not in memory yet.
    pub fn water(&self) -> &Water {
        self.planes.get_or_init(|| match &self.resident {
            Some(resident) => resident.fetch(),
            None => unreachable!("a body has planes or a keeper"),
        })
    }

    /// The planes, where they are in memory.
    pub fn planes(&self) -> Option<&Water> {
        self.planes.get()
    }

    /// What the device that made it keeps.
    pub fn keeper(&self) -> Option<&dyn Resident> {
        self.resident.as_deref()
    }

    /// Sums over the grid; fetches nothing. `wet` is the least height that counts as wet, in units.
    pub fn sums(&self, wet: i32) -> Sums {
        if let Some(resident) = &self.resident {
            return resident.sums();
        }
        let water = self.water();
        let heights = &water.height;
        let cells = |y: usize| &heights.row(y, 0)[1..=heights.width()];
        let wet_in = |y| u64::from(cells(y).iter().map(|&h| u32::from(h >= wet)).sum::<u32>());
        let wet = (1..=heights.height()).map(wet_in).sum();
        Sums { totals: water.totals(), wet }
    }

    /// Memory of the planes, whether they are there yet or not.
    pub fn bytes(&self) -> usize {
        match (&self.resident, self.planes.get()) {
            (_, Some(water)) => water.bytes(),
            (Some(resident), None) => resident.bytes(),
            (None, None) => 0,
        }
    }
}

/// By the planes.
impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        std::ptr::eq(self, other) || self.water() == other.water()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.planes.get() {
            Some(water) => f.debug_tuple("Body").field(water).finish(),
            None => f.write_str("Body(elsewhere)"),
        }
    }
}

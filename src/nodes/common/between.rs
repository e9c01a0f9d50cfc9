//! Values for hosts that show the present only: those of the frame before are what was read when it was shown.

use std::cell::RefCell;

use super::values::Values;
use crate::ofx::Result;

/// Pairs as they were read for a frame.
pub type Pairs<Id> = Vec<(Id, [f64; 2])>;

/// Values on the way from a frame that a host showed to the one that it shows now. Only what moves, pairs, is followed.
pub struct Between<'a, Id, V> {
    /// Those of now.
    pub values: &'a V,
    /// The time that counts as now; any before it is that of the frame before.
    pub now: f64,
    /// The frame that was shown; none where there was none, or where it is too far away.
    pub before: &'a [(Id, [f64; 2])],
    /// Where on the way the frame before and this one are, 0 to 1.
    pub way: [f64; 2],
    /// What was read of this frame.
    pub read: RefCell<Pairs<Id>>,
}

impl<Id: Copy + PartialEq, V: Values<Id>> Between<'_, Id, V> {
    /// A pair at a share of the way.
    fn at(&self, id: Id, now: [f64; 2], share: f64) -> [f64; 2] {
        match self.before.iter().find(|(known, _)| *known == id) {
            Some((_, before)) if share < 1.0 => [0, 1].map(|i| before[i] + (now[i] - before[i]) * share),
            _ => now,
        }
    }
}

impl<Id: Copy + PartialEq, V: Values<Id>> Values<Id> for Between<'_, Id, V> {
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        self.values.double(id, time)
    }
    fn int(&self, id: Id, time: f64) -> Result<i32> {
        self.values.int(id, time)
    }
    fn choice(&self, id: Id, time: f64) -> Result<i32> {
        self.values.choice(id, time)
    }
    fn switch(&self, id: Id, time: f64) -> Result<bool> {
        self.values.switch(id, time)
    }
    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]> {
        let now = self.values.pair(id, time)?;
        if time < self.now {
            return Ok(self.at(id, now, self.way[0]));
        }
        let pair = self.at(id, now, self.way[1]);
        self.read.borrow_mut().push((id, pair));
        Ok(pair)
    }
    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        self.values.colour(id, time)
    }
    fn text(&self, id: Id, time: f64) -> String {
        self.values.text(id, time)
    }
}

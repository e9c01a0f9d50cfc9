//! Values between two frames of a sequential-only host. Those of the earlier frame were read when the host rendered it.

use std::cell::RefCell;

use super::camera_input::Connected;
use super::controls::Controls;
use super::presets::Value;
use super::values::Values;
use crate::ofx::Result;

/// Pairs as they were read for a frame.
pub type Pairs<Id> = Vec<(Id, [f64; 2])>;

/// Values between those of an earlier frame and the current ones. Pairs are interpolated; other values are the current
/// ones.
pub struct Interpolated<'a, Id, V> {
    /// The current values.
    pub values: &'a V,
    /// The current time. A read at an earlier time gets the interpolated values of the previous frame.
    pub now: f64,
    /// The pairs of the earlier frame; empty without one.
    pub before: &'a [(Id, [f64; 2])],
    /// Positions of the previous frame and of this frame between the earlier frame (0) and the current one (1).
    pub way: [f64; 2],
    /// The pairs that were read at this frame.
    pub read: RefCell<Pairs<Id>>,
}

impl<Id: Controls, V: Values<Id>> Values<Id> for Interpolated<'_, Id, V> {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        let value = self.values.value(id, time)?;
        let Value::Pair(now) = value else { return Ok(value) };
        let is_before = time < self.now;
        let share = self.way[usize::from(!is_before)];
        let pair = match self.before.iter().find(|(known, _)| *known == id) {
            Some((_, before)) if share < 1.0 => [0, 1].map(|i| before[i] + (now[i] - before[i]) * share),
            _ => now,
        };
        if !is_before {
            self.read.borrow_mut().push((id, pair));
        }
        Ok(Value::Pair(pair))
    }

    fn text(&self, id: Id, time: f64) -> String {
        self.values.text(id, time)
    }

    fn camera(&self, time: f64) -> Result<Option<Connected>> {
        self.values.camera(time)
    }
}

//! Float buffers of the smoke's CPU backend, in main memory.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use super::super::Cpu;
use super::occupied::OccupiedSpans;
use crate::sim::fluid::HostFields;
use crate::sim::memory::{PagePool, Values};

/// A buffer of floats: an array of its own, or a shared array of a state, which the first write access copies.
pub struct Plane {
    values: Owned,
    pool: Arc<dyn PagePool>,
    /// The occupied spans, once computed; every write access removes them.
    spans: OnceLock<OccupiedSpans>,
}

enum Owned {
    Own(Values<f32>),
    Lent(Arc<dyn HostFields>, usize),
}

impl Plane {
    fn new(values: Values<f32>, pool: &Arc<dyn PagePool>) -> Plane {
        Plane { values: Owned::Own(values), pool: Arc::clone(pool), spans: OnceLock::new() }
    }

    /// A buffer with unspecified contents.
    pub(super) fn uninitialised(len: usize, pool: &Arc<dyn PagePool>) -> Plane {
        Plane::new(Values::uninitialised(len, pool), pool)
    }

    /// The array `part` of a state.
    pub(super) fn lent(owner: &Arc<dyn HostFields>, part: usize, pool: &Arc<dyn PagePool>) -> Plane {
        Plane { values: Owned::Lent(Arc::clone(owner), part), pool: Arc::clone(pool), spans: OnceLock::new() }
    }

    /// The state that owns the array; `None` where the buffer has an array of its own.
    pub(super) fn lender(&self) -> Option<&Arc<dyn HostFields>> {
        match &self.values {
            Owned::Own(_) => None,
            Owned::Lent(owner, _) => Some(owner),
        }
    }

    /// The occupied spans of a field with `columns` cells per row and `values` numbers per cell.
    pub(super) fn spans(&self, cpu: &Cpu, columns: usize, values: usize) -> &OccupiedSpans {
        let spans = self.spans.get_or_init(|| OccupiedSpans::scan(cpu, self, columns, values));
        debug_assert_eq!(spans.rows() * columns * values, self.len());
        spans
    }

    /// Removes and returns the occupied spans, if they are known.
    pub(super) fn take_spans(&mut self) -> Option<OccupiedSpans> {
        self.spans.take()
    }

    /// Sets the occupied spans: values outside them are 0.
    pub(super) fn set_spans(&mut self, spans: OccupiedSpans) {
        self.spans = OnceLock::from(spans);
    }

    /// The values, as a copy where they belong to a state.
    pub(super) fn into_values(mut self) -> Values<f32> {
        match std::mem::replace(&mut self.values, Owned::Own(Values::default())) {
            Owned::Own(values) => values,
            Owned::Lent(owner, part) => Values::copied(owner.part(part), &self.pool),
        }
    }
}

impl Deref for Plane {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &self.values {
            Owned::Own(values) => values,
            Owned::Lent(owner, part) => owner.part(*part),
        }
    }
}

/// Write access; the first one copies a shared array of a state.
impl DerefMut for Plane {
    fn deref_mut(&mut self) -> &mut [f32] {
        self.spans.take();
        if let Owned::Lent(owner, part) = &self.values {
            self.values = Owned::Own(Values::copied(owner.part(*part), &self.pool));
        }
        match &mut self.values {
            Owned::Own(values) => values,
            Owned::Lent(..) => &mut [],
        }
    }
}

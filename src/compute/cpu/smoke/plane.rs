//! Planes in memory.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use super::super::Cpu;
use super::spans::Spans;
use crate::sim::memory::{PagePool, Values};
use crate::sim::smoke::Air;

/// An array of values: its own, or lent by a state.
pub struct Plane {
    values: Owned,
    pool: Arc<dyn PagePool>,
    /// Where it holds anything, once somebody asked or said so; forgotten with every change.
    spans: OnceLock<Spans>,
}

enum Owned {
    Own(Values<f32>),
    Lent(Arc<Air>, fn(&Air) -> &[f32]),
}

impl Plane {
    fn new(values: Values<f32>, pool: &Arc<dyn PagePool>) -> Plane {
        Plane { values: Owned::Own(values), pool: Arc::clone(pool), spans: OnceLock::new() }
    }

    /// Anybody's values.
    pub(super) fn stale(len: usize, pool: &Arc<dyn PagePool>) -> Plane {
        Plane::new(Values::uninitialised(len, pool), pool)
    }

    pub(super) fn lent(air: &Arc<Air>, part: fn(&Air) -> &[f32], pool: &Arc<dyn PagePool>) -> Plane {
        Plane { values: Owned::Lent(Arc::clone(air), part), pool: Arc::clone(pool), spans: OnceLock::new() }
    }

    /// The state that lends it, if one does.
    pub(super) fn lender(&self) -> Option<&Arc<Air>> {
        match &self.values {
            Owned::Own(_) => None,
            Owned::Lent(air, _) => Some(air),
        }
    }

    /// Where it holds anything, as a plane of cells of so many columns, with `values` numbers each.
    pub(super) fn spans(&self, cpu: &Cpu, columns: usize, values: usize) -> &Spans {
        let spans = self.spans.get_or_init(|| Spans::found(cpu, self, columns, values));
        debug_assert_eq!(spans.rows() * columns * values, self.len());
        spans
    }

    /// The same, if it is known; no longer known then.
    pub(super) fn take_spans(&mut self) -> Option<Spans> {
        self.spans.take()
    }

    /// Says where it holds anything, at most.
    pub(super) fn set_spans(&mut self, spans: Spans) {
        self.spans = OnceLock::from(spans);
    }

    /// The values, copied where they are not its own.
    pub(super) fn into_values(mut self) -> Values<f32> {
        match std::mem::replace(&mut self.values, Owned::Own(Values::default())) {
            Owned::Own(values) => values,
            Owned::Lent(air, part) => Values::copied(part(&air), &self.pool),
        }
    }
}

impl Deref for Plane {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &self.values {
            Owned::Own(values) => values,
            Owned::Lent(air, part) => part(air),
        }
    }
}

/// A lent plane becomes a copy of its own.
impl DerefMut for Plane {
    fn deref_mut(&mut self) -> &mut [f32] {
        self.spans.take();
        if let Owned::Lent(air, part) = &self.values {
            self.values = Owned::Own(Values::copied(part(air), &self.pool));
        }
        match &mut self.values {
            Owned::Own(values) => values,
            Owned::Lent(..) => &mut [],
        }
    }
}

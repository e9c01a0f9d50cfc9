//! Planes in memory.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::Cpu;
use super::spans::Spans;
use crate::sim::memory::Values;
use crate::sim::smoke::Air;

/// Memory that is kept for planes to come.
const KEPT: usize = 24;

/// Memory of dropped planes, to be used again: fresh memory costs as much as a pass.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Values<f32>>>);

impl Spare {
    /// Gives it back.
    pub fn release(&self) {
        drop(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }

    /// Bytes that are kept.
    pub fn bytes(&self) -> u64 {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.iter().map(|values| size_of_val(&**values) as u64).sum()
    }

    fn take(&self, len: usize) -> Option<Values<f32>> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = spare.iter().position(|values| values.len() == len)?;
        Some(spare.swap_remove(at))
    }

    fn keep(&self, values: Values<f32>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(values);
        if spare.len() > KEPT {
            let gone = spare.remove(0);
            drop(spare);
            drop(gone);
        }
    }
}

fn copy(values: &[f32]) -> Values<f32> {
    let mut copy = Values::uninitialised(values.len());
    copy.copy_from_slice(values);
    copy
}

/// An array of values: its own, or lent by a state.
pub struct Plane {
    values: Owned,
    spare: Arc<Spare>,
    /// Where it holds anything, once somebody asked or said so; forgotten with every change.
    spans: OnceLock<Spans>,
}

enum Owned {
    Own(Values<f32>),
    Lent(Arc<Air>, fn(&Air) -> &[f32]),
}

impl Plane {
    fn new(values: Values<f32>, spare: &Arc<Spare>) -> Plane {
        Plane { values: Owned::Own(values), spare: Arc::clone(spare), spans: OnceLock::new() }
    }

    /// Anybody's values.
    pub(super) fn stale(len: usize, spare: &Arc<Spare>) -> Plane {
        Plane::new(spare.take(len).unwrap_or_else(|| Values::uninitialised(len)), spare)
    }

    pub(super) fn lent(air: &Arc<Air>, part: fn(&Air) -> &[f32], spare: &Arc<Spare>) -> Plane {
        Plane { values: Owned::Lent(Arc::clone(air), part), spare: Arc::clone(spare), spans: OnceLock::new() }
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
            Owned::Lent(air, part) => copy(part(&air)),
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
            self.values = Owned::Own(copy(part(air)));
        }
        match &mut self.values {
            Owned::Own(values) => values,
            Owned::Lent(..) => &mut [],
        }
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        if let Owned::Own(values) = &mut self.values
            && !values.is_empty()
        {
            self.spare.keep(std::mem::take(values));
        }
    }
}

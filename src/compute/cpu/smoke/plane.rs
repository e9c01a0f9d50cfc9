//! Buffers in the host's memory.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::Cpu;
use super::occupied::OccupiedSpans;
use crate::sim::fluid::HostFields;
use crate::sim::memory::Values;

/// Most dropped arrays that are kept.
const KEPT: usize = 24;

/// Memory of dropped buffers, to be used again: fresh memory costs as much as a pass.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Values<f32>>>);

impl Spare {
    /// Drops the kept memory.
    pub fn release(&self) {
        drop(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }

    /// Bytes of the kept memory.
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
    let mut copy = Values::stale(values.len());
    copy.copy_from_slice(values);
    copy
}

/// A buffer: an array of its own, or a part of a state, to be read only.
pub struct Plane {
    values: Owned,
    spare: Arc<Spare>,
    /// The occupied spans, once known; forgotten with every change.
    spans: OnceLock<OccupiedSpans>,
}

enum Owned {
    Own(Values<f32>),
    Lent(Arc<dyn HostFields>, usize),
}

impl Plane {
    fn new(values: Values<f32>, spare: &Arc<Spare>) -> Plane {
        Plane { values: Owned::Own(values), spare: Arc::clone(spare), spans: OnceLock::new() }
    }

    /// A buffer with unspecified contents.
    pub(super) fn stale(len: usize, spare: &Arc<Spare>) -> Plane {
        Plane::new(spare.take(len).unwrap_or_else(|| Values::stale(len)), spare)
    }

    pub(super) fn lent(owner: &Arc<dyn HostFields>, part: usize, spare: &Arc<Spare>) -> Plane {
        Plane { values: Owned::Lent(Arc::clone(owner), part), spare: Arc::clone(spare), spans: OnceLock::new() }
    }

    /// The owner of the memory, where that is a state.
    pub(super) fn lender(&self) -> Option<&Arc<dyn HostFields>> {
        match &self.values {
            Owned::Own(_) => None,
            Owned::Lent(owner, _) => Some(owner),
        }
    }

    /// The occupied spans of a field of cells with so many columns and `values` numbers per cell.
    pub(super) fn spans(&self, cpu: &Cpu, columns: usize, values: usize) -> &OccupiedSpans {
        let spans = self.spans.get_or_init(|| OccupiedSpans::scan(cpu, self, columns, values));
        debug_assert_eq!(spans.rows() * columns * values, self.len());
        spans
    }

    /// The occupied spans, where known; forgotten then.
    pub(super) fn take_spans(&mut self) -> Option<OccupiedSpans> {
        self.spans.take()
    }

    /// Sets the occupied spans: values outside them are 0.
    pub(super) fn set_spans(&mut self, spans: OccupiedSpans) {
        self.spans = OnceLock::from(spans);
    }

    /// The values, copied where they belong to a state.
    pub(super) fn into_values(mut self) -> Values<f32> {
        match std::mem::replace(&mut self.values, Owned::Own(Values::default())) {
            Owned::Own(values) => values,
            Owned::Lent(owner, part) => copy(owner.part(part)),
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

/// The first write copies a part of a state.
impl DerefMut for Plane {
    fn deref_mut(&mut self) -> &mut [f32] {
        self.spans.take();
        if let Owned::Lent(owner, part) = &self.values {
            self.values = Owned::Own(copy(owner.part(*part)));
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

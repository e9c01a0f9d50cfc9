//! Planes in memory.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use crate::sim::smoke::Air;

/// Memory that is kept for planes to come.
const KEPT: usize = 24;

/// Memory of dropped planes, to be used again: fresh memory costs as much as a pass.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Vec<f32>>>);

impl Spare {
    /// Gives it back.
    pub fn release(&self) {
        drop(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }

    fn take(&self, len: usize) -> Option<Vec<f32>> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = spare.iter().position(|values| values.len() == len)?;
        Some(spare.swap_remove(at))
    }

    fn keep(&self, values: Vec<f32>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(values);
        if spare.len() > KEPT {
            let gone = spare.remove(0);
            drop(spare);
            drop(gone);
        }
    }
}

/// An array of values: its own, or lent by a state.
pub struct Plane {
    values: Values,
    spare: Arc<Spare>,
}

enum Values {
    Own(Vec<f32>),
    Lent(Arc<Air>, fn(&Air) -> &[f32]),
}

impl Plane {
    pub(super) fn new(values: Vec<f32>, spare: &Arc<Spare>) -> Plane {
        Plane { values: Values::Own(values), spare: Arc::clone(spare) }
    }

    /// Anybody's values.
    pub(super) fn stale(len: usize, spare: &Arc<Spare>) -> Plane {
        Plane::new(spare.take(len).unwrap_or_else(|| vec![0.0; len]), spare)
    }

    pub(super) fn lent(air: &Arc<Air>, part: fn(&Air) -> &[f32], spare: &Arc<Spare>) -> Plane {
        Plane { values: Values::Lent(Arc::clone(air), part), spare: Arc::clone(spare) }
    }

    /// The values, copied where they are not its own.
    pub(super) fn into_vec(mut self) -> Vec<f32> {
        match std::mem::replace(&mut self.values, Values::Own(Vec::new())) {
            Values::Own(values) => values,
            Values::Lent(air, part) => part(&air).to_vec(),
        }
    }
}

impl Deref for Plane {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &self.values {
            Values::Own(values) => values,
            Values::Lent(air, part) => part(air),
        }
    }
}

/// A lent plane becomes a copy of its own.
impl DerefMut for Plane {
    fn deref_mut(&mut self) -> &mut [f32] {
        if let Values::Lent(air, part) = &self.values {
            self.values = Values::Own(part(air).to_vec());
        }
        match &mut self.values {
            Values::Own(values) => values,
            Values::Lent(..) => &mut [],
        }
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        if let Values::Own(values) = &mut self.values
            && !values.is_empty()
        {
            self.spare.keep(std::mem::take(values));
        }
    }
}

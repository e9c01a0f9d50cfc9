//! Which parameters are greyed out: those that have no effect as the others stand. What depends on one that has keys is
//! not: it has an effect at some frame, and hosts do not tell when another frame is shown.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use super::controls::Controls;
use super::instance::Instance;
use super::node::Node;
use super::planes::{self, Showing};
use super::values::Values;
use crate::ofx::{EffectHandle, Result};

/// What an instance's panel shows as having an effect, in the order of the table; all of it before it was first looked at.
#[derive(Default)]
pub struct Greyed(Mutex<Option<Vec<bool>>>);

/// Greys out what has no effect at a time, and shows again what has. Main thread; a host that has no such thing, or does not
/// allow it now, keeps its panel.
pub fn update<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) {
    let panel = instance.panel(effect, 0);
    // Of every picture that the host may have at once.
    let layers: Vec<_> = planes::offered::<N>(effect.host()).map(Some).collect();
    let pictures: Vec<_> = [None].into_iter().chain(layers).map(|layer| Showing::new(&panel, layer)).collect();
    let is_keyed = |id| instance.params.is_keyed(effect, id);
    let matter = |control: &super::controls::Control<N::Id>| {
        pictures.iter().any(|picture| {
            let gates = Gates { values: picture, is_keyed: &is_keyed, keyed: Cell::new(false) };
            control.id.matters(&gates, time).unwrap_or(true) || gates.keyed.get()
        })
    };
    let now: Vec<bool> = N::Id::TABLE.iter().map(matter).collect();
    let lock = || instance.greyed.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The host is not called with the lock held.
    let before = lock().clone().unwrap_or_else(|| vec![true; now.len()]);
    let changes = N::Id::TABLE.iter().zip(before.iter().zip(&now)).filter(|(_, (before, now))| before != now);
    for (control, (_, &matters)) in changes {
        if let Err(error) = instance.params.set_enabled(effect, control.id, matters) {
            tracing::debug!("{:?} was not greyed out: {error}", control.name);
            return;
        }
    }
    *lock() = Some(now);
}

/// Values that remember whether any that was asked for has keys.
struct Gates<'a, V, Id> {
    values: &'a V,
    is_keyed: &'a dyn Fn(Id) -> bool,
    keyed: Cell<bool>,
}

impl<V, Id: Copy> Gates<'_, V, Id> {
    fn ask<T>(&self, id: Id, value: Result<T>) -> Result<T> {
        self.keyed.set(self.keyed.get() || (self.is_keyed)(id));
        value
    }
}

impl<V: Values<Id>, Id: Copy> Values<Id> for Gates<'_, V, Id> {
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        self.ask(id, self.values.double(id, time))
    }

    fn int(&self, id: Id, time: f64) -> Result<i32> {
        self.ask(id, self.values.int(id, time))
    }

    fn choice(&self, id: Id, time: f64) -> Result<i32> {
        self.ask(id, self.values.choice(id, time))
    }

    fn switch(&self, id: Id, time: f64) -> Result<bool> {
        self.ask(id, self.values.switch(id, time))
    }

    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]> {
        self.ask(id, self.values.pair(id, time))
    }

    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        self.values.colour(id, time)
    }

    fn text(&self, id: Id, time: f64) -> String {
        self.values.text(id, time)
    }
}

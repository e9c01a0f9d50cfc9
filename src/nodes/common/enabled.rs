//! The enabled state of parameters: a parameter without effect is greyed out. One that depends on a parameter with keys
//! stays enabled: it has an effect at some frame, and hosts do not tell when another frame is shown.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use super::controls::{Control, Controls};
use super::instance::Instance;
use super::node::Node;
use super::planes::{self, Showing};
use super::presets::Value;
use super::values::Values;
use crate::ofx::{EffectHandle, Result};

/// The enabled state of an instance's parameters, in the order of the table; `None` before the first update: all
/// enabled.
#[derive(Default)]
pub struct EnabledState(Mutex<Option<Vec<bool>>>);

/// Updates the enabled state of all parameters for a time. Main thread. In a host that cannot grey out parameters, or
/// cannot do so now, the panel does not change.
pub fn update<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) {
    let panel = instance.panel(effect, 0);
    // A parameter is enabled if it has an effect on any plane.
    let layers: Vec<_> = planes::offered::<N>(effect.host()).map(Some).collect();
    let pictures: Vec<_> = [None].into_iter().chain(layers).map(|layer| Showing::new(&panel, layer)).collect();
    let is_keyed = |id| instance.params.is_keyed(effect, id);
    let is_enabled = |control: &Control<N::Id>| {
        pictures.iter().any(|picture| {
            let gates = Gates { values: picture, is_keyed: &is_keyed, keyed: Cell::new(false) };
            control.id.matters(&gates, time).unwrap_or(true) || gates.keyed.get()
        })
    };
    let now: Vec<bool> = N::Id::TABLE.iter().map(is_enabled).collect();
    let lock = || instance.enabled.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The host is called without the lock.
    let before = lock().clone().unwrap_or_else(|| vec![true; now.len()]);
    let changes = N::Id::TABLE.iter().zip(before.iter().zip(&now)).filter(|(_, (before, now))| before != now);
    for (control, (_, &enabled)) in changes {
        if let Err(error) = instance.params.set_enabled(effect, control.id, enabled) {
            tracing::debug!("{:?} keeps its enabled state: {error}", control.name);
            return;
        }
    }
    *lock() = Some(now);
}

/// Values that record whether any parameter that was read has keys.
struct Gates<'a, V, Id> {
    values: &'a V,
    is_keyed: &'a dyn Fn(Id) -> bool,
    keyed: Cell<bool>,
}

impl<V: Values<Id>, Id: Controls> Values<Id> for Gates<'_, V, Id> {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        self.keyed.set(self.keyed.get() || (self.is_keyed)(id));
        self.values.value(id, time)
    }

    fn text(&self, id: Id, time: f64) -> String {
        self.values.text(id, time)
    }
}

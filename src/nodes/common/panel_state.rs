//! The state of the panel: a parameter without effect is greyed out, and one beyond a count is hidden, with its group
//! where all of that is hidden. A parameter that depends on one with keys stays enabled and visible: it has an effect at
//! some frame, and hosts do not tell when another frame is shown.

use std::cell::Cell;
use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use super::camera_input::Connected;
use super::controls::{Control, Controls};
use super::instance::Instance;
use super::node::Node;
use super::planes::{self, Showing};
use super::presets::Value;
use super::values::Values;
use crate::ofx::{EffectHandle, Result};

/// The state of a parameter in the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shown {
    enabled: bool,
    visible: bool,
}

/// The state of an instance's panel, in the order of the table; `None` before the first update: all enabled and visible.
#[derive(Default)]
pub struct PanelState(Mutex<Option<Vec<Shown>>>);

/// Updates the state of all parameters for a time. Main thread. In a host that cannot grey out parameters, or cannot do so
/// now, the panel does not change; one that cannot hide them shows them greyed out.
pub fn update<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) {
    let panel = instance.panel(effect, 0);
    // A parameter is enabled if it has an effect on any plane.
    let layers: Vec<_> = planes::offered::<N>(effect.host()).map(Some).collect();
    let pictures: Vec<_> = [None].into_iter().chain(layers).map(|layer| Showing::new(&panel, layer)).collect();
    let is_keyed = |id| instance.params.is_keyed(effect, id);
    let state = |control: &Control<N::Id>| {
        let mut shown = Shown { enabled: false, visible: false };
        for picture in &pictures {
            let gates = || Gates { values: picture, is_keyed: &is_keyed, keyed: Cell::new(false) };
            let (matters, is_shown) = (gates(), gates());
            shown.enabled |= control.id.matters(&matters, time).unwrap_or(true) || matters.keyed.get();
            shown.visible |= control.id.is_shown(&is_shown, time).unwrap_or(true) || is_shown.keyed.get();
        }
        shown
    };
    let now: Vec<Shown> = N::Id::controls().iter().map(state).collect();
    let lock = || instance.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The host is called without the lock.
    let before = lock().clone().unwrap_or_else(|| vec![Shown { enabled: true, visible: true }; now.len()]);
    if let Err(error) = apply::<N>(instance, effect, &before, &now) {
        tracing::debug!("the panel keeps its state: {error}");
        return;
    }
    *lock() = Some(now);
}

/// Tells the host of the changes between two states.
fn apply<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, before: &[Shown], now: &[Shown]) -> Result<()> {
    for (control, (before, now)) in N::Id::controls().iter().zip(before.iter().zip(now)) {
        if before.enabled != now.enabled {
            instance.params.set_enabled(effect, control.id, now.enabled)?;
        }
        if before.visible != now.visible {
            show(effect, control.name, now.visible);
        }
    }
    for group in &N::Id::table().groups {
        let any = |state: &[Shown]| {
            let mut members =
                N::Id::controls().iter().zip(state).filter(|(control, _)| control.group == group.name).peekable();
            members.peek().is_none() || members.any(|(_, shown)| shown.visible)
        };
        let (before, now) = (any(before), any(now));
        if before != now {
            show(effect, group.name, now);
        }
    }
    Ok(())
}

/// Shows or hides a parameter or a group, in hosts that have it and can.
fn show(effect: &EffectHandle<'_>, name: &'static CStr, visible: bool) {
    if let Err(error) = effect.any_param(name).and_then(|param| param.set_secret(effect, !visible)) {
        tracing::debug!("{name:?} stays as visible as it is: {error}");
    }
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

    fn camera(&self, time: f64) -> Result<Option<Connected>> {
        self.values.camera(time)
    }
}

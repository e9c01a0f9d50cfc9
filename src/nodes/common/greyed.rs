//! Which parameters are greyed out: those that have no effect as the others stand.

use std::sync::{Mutex, PoisonError};

use super::controls::Controls;
use super::instance::Instance;
use super::node::Node;
use super::planes::{self, Showing};
use crate::ofx::EffectHandle;

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
    let matter = |control: &super::controls::Control<N::Id>| {
        pictures.iter().any(|picture| control.id.matters(picture, time).unwrap_or(true))
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

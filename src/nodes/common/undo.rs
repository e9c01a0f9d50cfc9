//! Undo of edits of several parameters, in hosts that end edit blocks early.
//!
//! In such hosts the values that a node sets in response to a user's edit belong to no edit of the host: undo restores
//! only the parameter that the user changed. The node therefore stores the values that it replaced, and restores them
//! itself: the values before a preset when undo restores the previous choice of preset, and the first of two dragged
//! values when undo restores the second. A value that has changed since then is not restored. Redo of a preset needs no
//! storage: the choice of the preset sets its values again.
//!
//! Hosts do not report whether an edit is an undo. From the first drag of two values on, the node therefore keeps a
//! copy of the host's history. An edit that restores the previous value of the last edited parameter counts as an undo;
//! any other is an edit.
//!
//! The copy has the lifetime of the instance, as the host's history of a node has.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::controls::Controls;
use super::params::{Params, Snapshot};
use super::presets::Value;
use crate::ofx::EffectHandle;

/// Largest number of edits in the history.
const MOST: usize = 64;

/// A parameter before and after an edit.
#[derive(Clone, Copy, Debug)]
struct Change<Id> {
    id: Id,
    before: Snapshot,
    after: Snapshot,
}

/// A choice of a preset.
#[derive(Clone, Debug)]
struct Chosen<Id> {
    /// The choice before and after.
    from: i32,
    to: i32,
    /// The frame at which values were set.
    time: f64,
    changes: Vec<Change<Id>>,
}

/// An entry of the host's history.
#[derive(Clone, Copy, Debug)]
enum Entry<Id> {
    /// Consecutive edits of one parameter by the user.
    Edit(Change<Id>),
    /// A drag of two parameters, in this order, at a frame.
    Drag([Change<Id>; 2], f64),
}

impl<Id> Entry<Id> {
    /// The change in the host's command for this entry.
    fn change(&self) -> &Change<Id> {
        match self {
            Self::Edit(change) | Self::Drag([_, change], _) => change,
        }
    }
}

/// A drag of two parameters in progress. The second is set at the end of the drag, so that each parameter is one edit
/// of the host.
#[derive(Clone, Copy, Debug)]
struct Pending<Id> {
    time: f64,
    before: [(Id, Snapshot); 2],
    second: Value,
}

/// The history of an instance. No lock is held while the host is called.
pub struct Undo<Id>(Mutex<Memory<Id>>);

struct Memory<Id> {
    /// The last known choice of presets.
    choice: i32,
    presets: Vec<Chosen<Id>>,
    pending: Option<Pending<Id>>,
    /// The host's history since the first drag of two values: edits, and undone edits.
    done: Vec<Entry<Id>>,
    undone: Vec<Entry<Id>>,
    /// The parameters after the last entry, in the order of the table; empty before the first.
    last: Vec<Option<Snapshot>>,
}

fn push<T>(to: &mut Vec<T>, value: T) {
    if to.len() == MOST {
        to.remove(0);
    }
    to.push(value);
}

impl<Id: Controls> Undo<Id> {
    /// The history of a new instance with a choice of presets.
    pub fn new(choice: i32) -> Self {
        let [done, undone] = [Vec::new(), Vec::new()];
        Self(Mutex::new(Memory { choice, presets: Vec::new(), pending: None, done, undone, last: Vec::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, Memory<Id>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles a new choice of presets. If the choice undoes the last one, restores the values and returns true; else
    /// the caller applies the option with [`record`](Self::record).
    pub fn undo_preset(&self, effect: &EffectHandle<'_>, params: &Params<Id>, option: i32) -> bool {
        let taken_back = {
            let mut memory = self.lock();
            let last = memory.presets.last().is_some_and(|last| last.from == option && last.to == memory.choice);
            if last {
                memory.choice = option;
            }
            if last { memory.presets.pop() } else { None }
        };
        let Some(Chosen { time, changes, .. }) = taken_back else { return false };
        for change in &changes {
            restore(effect, params, change.id, time, change.after, change.before);
        }
        true
    }

    /// Applies an option of the choice of presets with `apply`, which may set parameters, and records the changes.
    ///
    /// # Errors
    /// As `apply`.
    pub fn record<E>(
        &self,
        effect: &EffectHandle<'_>,
        params: &Params<Id>,
        (option, time): (i32, f64),
        ids: impl Iterator<Item = Id>,
        apply: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let before: Vec<_> = ids.filter_map(|id| Some((id, params.snapshot(effect, id, time)?))).collect();
        let applied = apply();
        let after = |(id, before)| Some(Change { id, before, after: params.snapshot(effect, id, time)? });
        let changes: Vec<_> =
            before.into_iter().filter_map(after).filter(|change| change.before != change.after).collect();
        let mut memory = self.lock();
        let from = std::mem::replace(&mut memory.choice, option);
        if from != option {
            push(&mut memory.presets, Chosen { from, to: option, time, changes });
        }
        applied
    }

    /// Sets the first of two dragged values, and stores the second until the end of the drag.
    ///
    /// # Errors
    /// The host refuses.
    pub fn drag(
        &self,
        effect: &EffectHandle<'_>,
        params: &Params<Id>,
        [first, second]: [(Id, Value); 2],
        time: f64,
    ) -> crate::ofx::Result<()> {
        let known = self.lock().pending.map(|pending| pending.before);
        let snapshot = |id| Some((id, params.snapshot(effect, id, time)?));
        let before = known.or_else(|| Some([snapshot(first.0)?, snapshot(second.0)?]));
        self.lock().pending = before.map(|before| Pending { time, before, second: second.1 });
        set(effect, params, first, time)
    }

    /// Ends a drag of two values.
    pub fn end_drag(&self, effect: &EffectHandle<'_>, params: &Params<Id>) {
        let Some(Pending { time, before: [(a, a_before), (b, b_before)], second }) = self.lock().pending.take() else {
            return;
        };
        if let Err(error) = set(effect, params, (b, second), time) {
            tracing::warn!("{:?} could not be set: {error}", b.control().name);
        }
        let after = params.snapshot(effect, a, time).zip(params.snapshot(effect, b, time));
        if let Some((a_after, b_after)) = after.filter(|(_, b_after)| *b_after != b_before) {
            let changes = [
                Change { id: a, before: a_before, after: a_after },
                Change { id: b, before: b_before, after: b_after },
            ];
            let last = all(effect, params, time);
            let mut memory = self.lock();
            push(&mut memory.done, Entry::Drag(changes, time));
            memory.undone.clear();
            memory.last = last;
        }
    }

    /// Adds an edit of a parameter by the user to the history. The edit may be an undo or a redo of a drag.
    pub fn follow(&self, effect: &EffectHandle<'_>, params: &Params<Id>, id: Id, time: f64) {
        if self.lock().last.is_empty() {
            return;
        }
        let Some(now) = params.snapshot(effect, id, time) else { return };
        let moved = self.lock().step(id, now);
        if let Some((Change { id, before, after }, time)) = moved {
            restore(effect, params, id, time, before, after);
        }
        // Values that the node set in response to the edit are no edits of the user.
        let last = all(effect, params, time);
        self.lock().last = last;
    }
}

impl<Id: Controls> Memory<Id> {
    /// Adds an edit to the history; returns the change to apply to the first parameter of a drag, and the frame of the
    /// drag.
    fn step(&mut self, id: Id, now: Snapshot) -> Option<(Change<Id>, f64)> {
        let before = self.last.get(id.place()).copied().flatten().filter(|before| *before != now)?;
        let is = |entry: &Entry<Id>, from: fn(&Change<Id>) -> Snapshot, to: fn(&Change<Id>) -> Snapshot| {
            let change = entry.change();
            change.id == id && from(change) == before && to(change) == now
        };
        if self.done.last().is_some_and(|entry| is(entry, |change| change.after, |change| change.before)) {
            let entry = self.done.pop()?;
            self.undone.push(entry);
            let Entry::Drag([Change { id, before, after }, _], time) = entry else { return None };
            return Some((Change { id, before: after, after: before }, time));
        }
        if self.undone.last().is_some_and(|entry| is(entry, |change| change.before, |change| change.after)) {
            let entry = self.undone.pop()?;
            push(&mut self.done, entry);
            let Entry::Drag([change, _], time) = entry else { return None };
            return Some((change, time));
        }
        self.undone.clear();
        match self.done.last_mut() {
            // Hosts combine consecutive edits by a slider into one.
            Some(Entry::Edit(change)) if change.id == id => change.after = now,
            _ => push(&mut self.done, Entry::Edit(Change { id, before, after: now })),
        }
        None
    }
}

/// Snapshots of all parameters at a time.
fn all<Id: Controls>(effect: &EffectHandle<'_>, params: &Params<Id>, time: f64) -> Vec<Option<Snapshot>> {
    Id::controls().iter().map(|control| params.snapshot(effect, control.id, time)).collect()
}

/// Sets a value, if it differs.
fn set<Id: Controls>(
    effect: &EffectHandle<'_>,
    params: &Params<Id>,
    (id, value): (Id, Value),
    time: f64,
) -> crate::ofx::Result<()> {
    if params.snapshot(effect, id, time).is_some_and(|now| now.value == value) {
        return Ok(());
    }
    params.set(effect, id, value)
}

/// Restores a parameter if it still has the value `left`; returns false if it has changed since.
fn restore<Id: Controls>(
    effect: &EffectHandle<'_>,
    params: &Params<Id>,
    id: Id,
    time: f64,
    left: Snapshot,
    to: Snapshot,
) -> bool {
    if left == to || params.snapshot(effect, id, time) != Some(left) {
        return false;
    }
    let restored = match (to.keys > 0, to.key) {
        // The edit created the key.
        (true, false) => params.delete_key(effect, id, time),
        _ => params.set(effect, id, to.value),
    };
    if let Err(error) = restored {
        tracing::warn!("{:?} could not be restored: {error}", id.control().name);
    }
    true
}

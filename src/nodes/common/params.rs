//! A node's parameters in the host.

use std::marker::PhantomData;

use super::controls::{Control, Controls, Kind, Reach};
use super::geometry::Rect;
use super::presets::Value;
use super::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::{Choice, EffectHandle, Error, Param, ParamValue, Result};
use crate::sim::fingerprint::Digest;

/// A parameter's handle, by what it holds.
#[derive(Clone, Debug)]
enum Handle {
    Int(Param<i32>),
    Double(Param<f64>),
    Switch(Param<bool>),
    Choice(Param<Choice>),
    Pair(Param<[f64; 2]>),
    Colour(Param<[f64; 3]>),
    Text(Param<String>),
    /// It has no value, or the host dropped it.
    Absent,
}

/// A parameter's value and keys at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Its value there.
    pub value: Value,
    /// Number of keys.
    pub keys: usize,
    /// Whether one is there.
    pub key: bool,
}

/// All parameters of one instance, fetched once.
pub struct Params<Id> {
    handles: Vec<Handle>,
    named_by: PhantomData<Id>,
}

impl<Id: Controls> Params<Id> {
    /// Fetches them.
    ///
    /// # Errors
    /// One that the simulation can't do without is missing.
    pub fn fetch(effect: &EffectHandle<'_>) -> Result<Self> {
        let fetch = |control: &Control<Id>| {
            let name = control.name;
            Ok(match control.kind {
                Kind::Choice { .. } => Handle::Choice(effect.param(name)?),
                Kind::Int { .. } => Handle::Int(effect.param(name)?),
                Kind::Double { .. } => Handle::Double(effect.param(name)?),
                Kind::Bool { .. } => Handle::Switch(effect.param(name)?),
                Kind::Position { .. } | Kind::Vector { .. } => Handle::Pair(effect.param(name)?),
                Kind::Colour { .. } => Handle::Colour(effect.param(name)?),
                Kind::File | Kind::Folder | Kind::Text | Kind::Notice | Kind::Hidden | Kind::Memo => {
                    effect.param(name).map_or(Handle::Absent, Handle::Text)
                }
                Kind::Button => Handle::Absent,
            })
        };
        let handles = Id::TABLE.iter().map(fetch).collect::<Result<_>>()?;
        Ok(Self { handles, named_by: PhantomData })
    }

    fn handle(&self, id: Id) -> &Handle {
        &self.handles[id.place()]
    }

    /// A text that the node keeps; empty where the host has no place for it.
    pub fn text(&self, effect: &EffectHandle<'_>, id: Id) -> String {
        match self.handle(id) {
            Handle::Text(param) => param.value(effect).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// Sets a text, if it differs: hosts answer a change with an action, some with a render. Main thread only.
    pub fn set_text(&self, effect: &EffectHandle<'_>, id: Id, text: &str) {
        if let Handle::Text(param) = self.handle(id)
            && self.text(effect, id) != text
            && let Err(error) = param.set(effect, &text.to_owned())
        {
            tracing::warn!("{:?} could not be set: {error}", id.control().name);
        }
    }

    /// Sets a value. Main thread only.
    ///
    /// # Errors
    /// The host refuses, or the parameter holds another kind of value.
    pub fn set(&self, effect: &EffectHandle<'_>, id: Id, value: Value) -> Result<()> {
        let set = match (self.handle(id), value) {
            (Handle::Double(param), Value::Double(value)) => param.set(effect, &value),
            (Handle::Int(param), Value::Int(value)) => param.set(effect, &value),
            (Handle::Choice(param), Value::Choice(value)) => param.set(effect, &Choice(value)),
            (Handle::Switch(param), Value::Switch(value)) => param.set(effect, &value),
            (Handle::Pair(param), Value::Pair(value) | Value::Place(value)) => param.set(effect, &value),
            (Handle::Colour(param), Value::Colour(value)) => param.set(effect, &value),
            _ => Err(absent(id)),
        };
        // Not every host reports what a plug-in sets itself.
        engine().note_edit();
        set
    }

    /// The value and keys of a numeric parameter at a time; `None` for other parameters, or where the host can't be asked.
    pub fn snapshot(&self, effect: &EffectHandle<'_>, id: Id, time: f64) -> Option<Snapshot> {
        fn keys<V>(param: &Param<V>, effect: &EffectHandle<'_>, time: f64) -> (usize, bool) {
            let count = param.num_keys(effect).unwrap_or(0);
            (count, (0..count).any(|index| param.key_time(effect, index).is_ok_and(|key| key == time)))
        }
        let (value, (keys, key)) = match self.handle(id) {
            Handle::Int(p) => (Value::Int(p.value_at(effect, time).ok()?), keys(p, effect, time)),
            Handle::Double(p) => (Value::Double(p.value_at(effect, time).ok()?), keys(p, effect, time)),
            Handle::Switch(p) => (Value::Switch(p.value_at(effect, time).ok()?), keys(p, effect, time)),
            Handle::Choice(p) => (Value::Choice(p.value_at(effect, time).ok()?.0), keys(p, effect, time)),
            Handle::Pair(p) => (Value::Pair(p.value_at(effect, time).ok()?), keys(p, effect, time)),
            Handle::Colour(p) => (Value::Colour(p.value_at(effect, time).ok()?), keys(p, effect, time)),
            Handle::Text(_) | Handle::Absent => return None,
        };
        Some(Snapshot { value, keys, key })
    }

    /// Removes a parameter's key at a time. Main thread only.
    ///
    /// # Errors
    /// There is none, or the host refuses.
    pub fn delete_key(&self, effect: &EffectHandle<'_>, id: Id, time: f64) -> Result<()> {
        let deleted = match self.handle(id) {
            Handle::Int(param) => param.delete_key(effect, time),
            Handle::Double(param) => param.delete_key(effect, time),
            Handle::Switch(param) => param.delete_key(effect, time),
            Handle::Choice(param) => param.delete_key(effect, time),
            Handle::Pair(param) => param.delete_key(effect, time),
            Handle::Colour(param) => param.delete_key(effect, time),
            Handle::Text(_) | Handle::Absent => Err(absent(id)),
        };
        engine().note_edit();
        deleted
    }

    /// Greys a parameter out or not. Main thread only.
    ///
    /// # Errors
    /// The host refuses, or a render is under way.
    pub fn set_enabled(&self, effect: &EffectHandle<'_>, id: Id, enabled: bool) -> Result<()> {
        match self.handle(id) {
            Handle::Int(param) => param.set_enabled(effect, enabled),
            Handle::Double(param) => param.set_enabled(effect, enabled),
            Handle::Switch(param) => param.set_enabled(effect, enabled),
            Handle::Choice(param) => param.set_enabled(effect, enabled),
            Handle::Pair(param) => param.set_enabled(effect, enabled),
            Handle::Colour(param) => param.set_enabled(effect, enabled),
            Handle::Text(param) => param.set_enabled(effect, enabled),
            Handle::Absent => Ok(()),
        }
    }

    /// Whether a number, a choice or a switch has keys.
    pub fn is_keyed(&self, effect: &EffectHandle<'_>, id: Id) -> bool {
        let keys = match self.handle(id) {
            Handle::Int(param) => param.num_keys(effect),
            Handle::Double(param) => param.num_keys(effect),
            Handle::Switch(param) => param.num_keys(effect),
            Handle::Choice(param) => param.num_keys(effect),
            Handle::Pair(param) => param.num_keys(effect),
            Handle::Colour(_) | Handle::Text(_) | Handle::Absent => return false,
        };
        keys.unwrap_or(0) > 0
    }

    /// Whether a position has neither keys nor a value other than 0: nobody has placed it.
    pub fn is_unplaced(&self, effect: &EffectHandle<'_>, id: Id) -> bool {
        match self.handle(id) {
            Handle::Pair(param) => {
                param.num_keys(effect).unwrap_or(0) == 0 && param.value(effect).is_ok_and(|value| value == [0.0; 2])
            }
            _ => false,
        }
    }

    /// Hash of all keys and values of the simulation's parameters, whatever the frame: what hosts that look at one frame
    /// alone need to be told.
    pub fn digest(&self, effect: &EffectHandle<'_>) -> u128 {
        let mut digest = Digest::new("keys");
        for control in Id::TABLE.iter().filter(|control| control.reach == Reach::Simulation) {
            match self.handle(control.id) {
                Handle::Int(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v))),
                Handle::Double(p) => enter(p, effect, &mut digest, |d, v| d.real(v)),
                Handle::Switch(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v))),
                Handle::Choice(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v.0))),
                Handle::Pair(p) => enter(p, effect, &mut digest, |d, v| v.into_iter().for_each(|v| d.real(v))),
                Handle::Colour(p) => enter(p, effect, &mut digest, |d, v| v.into_iter().for_each(|v| d.real(v))),
                Handle::Text(p) => enter(p, effect, &mut digest, |d, v| d.text(&v)),
                Handle::Absent => {}
            }
        }
        digest.finish()
    }
}

/// Enters a parameter's keys with their values, or its only value.
fn enter<V: ParamValue>(
    param: &Param<V>,
    effect: &EffectHandle<'_>,
    digest: &mut Digest,
    mut add: impl FnMut(&mut Digest, V),
) {
    let keys = param.num_keys(effect).unwrap_or(0);
    digest.int(keys as i64);
    let times: Vec<f64> = (0..keys).filter_map(|index| param.key_time(effect, index).ok()).collect();
    // Between keys, too: an interpolation can change while its keys stay. Without keys there may be an expression.
    let between = times.windows(2).flat_map(|pair| [1.0, 2.0].map(|third| pair[0] + (pair[1] - pair[0]) * third / 3.0));
    let probes: Vec<f64> = if keys == 0 { UNKEYED_PROBES.to_vec() } else { between.collect() };
    for time in times.iter().chain(&probes) {
        digest.real(*time);
        if let Ok(value) = param.value_at(effect, *time) {
            add(digest, value);
        }
    }
}

/// Where a parameter without keys is looked at: the same times whatever the current one is.
const UNKEYED_PROBES: [f64; 4] = [1.0, 8.0, 41.0, 1001.0];

fn absent(id: impl Controls) -> Error {
    Error::message(format!("The host has no parameter {}.", id.control().name.to_string_lossy()))
}

/// The parameters during one action.
pub struct Panel<'e, Id> {
    /// The action's effect.
    pub effect: &'e EffectHandle<'e>,
    /// Its parameters.
    pub params: &'e Params<Id>,
    /// The frame in which positions at the origin stand at their defaults, in hosts that could not be given these.
    pub unplaced_in: Option<Rect>,
}

impl<Id: Controls> Values<Id> for Panel<'_, Id> {
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        match self.params.handle(id) {
            Handle::Double(param) => param.value_at(self.effect, time),
            _ => Err(absent(id)),
        }
    }

    fn int(&self, id: Id, time: f64) -> Result<i32> {
        match self.params.handle(id) {
            Handle::Int(param) => param.value_at(self.effect, time),
            _ => Err(absent(id)),
        }
    }

    fn choice(&self, id: Id, time: f64) -> Result<i32> {
        match self.params.handle(id) {
            Handle::Choice(param) => param.value_at(self.effect, time).map(|choice| choice.0),
            _ => Err(absent(id)),
        }
    }

    fn switch(&self, id: Id, time: f64) -> Result<bool> {
        match self.params.handle(id) {
            Handle::Switch(param) => param.value_at(self.effect, time),
            _ => Err(absent(id)),
        }
    }

    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]> {
        match self.params.handle(id) {
            Handle::Pair(param) => {
                let value = param.value_at(self.effect, time)?;
                let frame = self.unplaced_in.filter(|_| value == [0.0; 2]);
                Ok(frame.and_then(|frame| default_position(id, frame)).unwrap_or(value))
            }
            _ => Err(absent(id)),
        }
    }

    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        match self.params.handle(id) {
            Handle::Colour(param) => param.value_at(self.effect, time),
            _ => Err(absent(id)),
        }
    }

    fn text(&self, id: Id, time: f64) -> String {
        match self.params.handle(id) {
            Handle::Text(param) => param.value_at(self.effect, time).unwrap_or_default().trim().to_owned(),
            _ => String::new(),
        }
    }
}

/// Where a position stands by default in a frame; `None` for what is no position.
pub fn default_position(id: impl Controls, [x1, y1, x2, y2]: Rect) -> Option<[f64; 2]> {
    let Kind::Position { default: [x, y] } = id.control().kind else { return None };
    Some([x1 * (1.0 - x) + x2 * x, y1 * (1.0 - y) + y2 * y])
}

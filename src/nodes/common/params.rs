//! The parameters of a node in the host.

use std::marker::PhantomData;

use super::camera_input::Connected;
use super::controls::{Control, Controls, Kind};
use super::geometry::Rect;
use super::presets::Value;
use super::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::{Camera, Choice, EffectHandle, Error, Param, ParamValue, Result, Triple};
use crate::sim::fingerprint::Digest;

/// A parameter's handle, by its type.
#[derive(Clone, Debug)]
enum Handle {
    Int(Param<i32>),
    Double(Param<f64>),
    Switch(Param<bool>),
    Choice(Param<Choice>),
    Pair(Param<[f64; 2]>),
    Triple(Param<Triple>),
    Colour(Param<[f64; 3]>),
    Text(Param<String>),
    /// A parameter without a value, or one that the host does not have.
    Absent,
}

/// Evaluates an expression for a handle of any numeric type.
macro_rules! numeric {
    ($handle:expr, $param:ident => $result:expr, $other:pat => $otherwise:expr) => {
        match $handle {
            Handle::Int($param) => $result,
            Handle::Double($param) => $result,
            Handle::Switch($param) => $result,
            Handle::Choice($param) => $result,
            Handle::Pair($param) => $result,
            Handle::Triple($param) => $result,
            Handle::Colour($param) => $result,
            $other => $otherwise,
        }
    };
}

/// A parameter's value and keys at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// The value.
    pub value: Value,
    /// Number of keys.
    pub keys: usize,
    /// Whether a key is at the time.
    pub key: bool,
}

/// All parameters of one instance, fetched once.
pub struct Params<Id> {
    handles: Vec<Handle>,
    named_by: PhantomData<Id>,
}

impl<Id: Controls> Params<Id> {
    /// Fetches the handles.
    ///
    /// # Errors
    /// A parameter of the simulation is missing.
    pub fn fetch(effect: &EffectHandle<'_>) -> Result<Self> {
        let fetch = |control: &Control<Id>| {
            let name = control.name;
            Ok(match control.kind {
                Kind::Choice { .. } => Handle::Choice(effect.param(name)?),
                Kind::Int { .. } => Handle::Int(effect.param(name)?),
                Kind::Double { .. } => Handle::Double(effect.param(name)?),
                Kind::Bool { .. } => Handle::Switch(effect.param(name)?),
                Kind::Position { .. } | Kind::Vector { .. } => Handle::Pair(effect.param(name)?),
                Kind::Triple { .. } => Handle::Triple(effect.param(name)?),
                Kind::Colour { .. } => Handle::Colour(effect.param(name)?),
                Kind::File | Kind::Folder | Kind::Text | Kind::Notice | Kind::Hidden | Kind::Memo => {
                    effect.param(name).map_or(Handle::Absent, Handle::Text)
                }
                Kind::Button => Handle::Absent,
            })
        };
        let handles = Id::controls().iter().map(fetch).collect::<Result<_>>()?;
        Ok(Self { handles, named_by: PhantomData })
    }

    fn handle(&self, id: Id) -> &Handle {
        &self.handles[id.place()]
    }

    /// A text; empty where the host lacks the parameter.
    pub fn text(&self, effect: &EffectHandle<'_>, id: Id) -> String {
        match self.handle(id) {
            Handle::Text(param) => param.value(effect).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// Sets a text if it differs from the current one: each change causes an action and, in some hosts, a render. Main
    /// thread only.
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
    /// The host refuses, or the parameter has another type.
    pub fn set(&self, effect: &EffectHandle<'_>, id: Id, value: Value) -> Result<()> {
        let set = match (self.handle(id), value) {
            (Handle::Double(param), Value::Double(value)) => param.set(effect, &value),
            (Handle::Int(param), Value::Int(value)) => param.set(effect, &value),
            (Handle::Choice(param), Value::Choice(value)) => param.set(effect, &Choice(value)),
            (Handle::Switch(param), Value::Switch(value)) => param.set(effect, &value),
            (Handle::Pair(param), Value::Pair(value) | Value::Place(value)) => param.set(effect, &value),
            (Handle::Triple(param), Value::Triple(value)) => param.set(effect, &Triple(value)),
            (Handle::Colour(param), Value::Colour(value)) => param.set(effect, &value),
            _ => Err(absent(id)),
        };
        // Some hosts do not report values that a plug-in sets.
        engine().note_edit();
        set
    }

    /// The value of a numeric parameter at a time.
    ///
    /// # Errors
    /// The host cannot be asked, or the parameter is none of that kind.
    pub fn value(&self, effect: &EffectHandle<'_>, id: Id, time: f64) -> Result<Value> {
        Ok(match self.handle(id) {
            Handle::Int(param) => Value::Int(param.value_at(effect, time)?),
            Handle::Double(param) => Value::Double(param.value_at(effect, time)?),
            Handle::Switch(param) => Value::Switch(param.value_at(effect, time)?),
            Handle::Choice(param) => Value::Choice(param.value_at(effect, time)?.0),
            Handle::Pair(param) => Value::Pair(param.value_at(effect, time)?),
            Handle::Triple(param) => Value::Triple(param.value_at(effect, time)?.0),
            Handle::Colour(param) => Value::Colour(param.value_at(effect, time)?),
            Handle::Text(_) | Handle::Absent => return Err(absent(id)),
        })
    }

    /// The value and keys of a numeric parameter at a time; `None` for other parameters, or where the host cannot be
    /// asked.
    pub fn snapshot(&self, effect: &EffectHandle<'_>, id: Id, time: f64) -> Option<Snapshot> {
        let value = self.value(effect, id, time).ok()?;
        let (keys, key) = numeric!(self.handle(id), param => {
            let count = param.num_keys(effect).unwrap_or(0);
            (count, (0..count).any(|index| param.key_time(effect, index).is_ok_and(|key| key == time)))
        }, _ => return None);
        Some(Snapshot { value, keys, key })
    }

    /// Removes a parameter's key at a time. Main thread only.
    ///
    /// # Errors
    /// The parameter has no key there, or the host refuses.
    pub fn delete_key(&self, effect: &EffectHandle<'_>, id: Id, time: f64) -> Result<()> {
        let deleted = numeric!(self.handle(id), param => param.delete_key(effect, time), _ => Err(absent(id)));
        engine().note_edit();
        deleted
    }

    /// Enables a parameter, or greys it out. Main thread only.
    ///
    /// # Errors
    /// The host refuses, or a render is in progress.
    pub fn set_enabled(&self, effect: &EffectHandle<'_>, id: Id, enabled: bool) -> Result<()> {
        numeric!(self.handle(id), param => param.set_enabled(effect, enabled), other => match other {
            Handle::Text(param) => param.set_enabled(effect, enabled),
            _ => Ok(()),
        })
    }

    /// Whether a numeric parameter has keys.
    pub fn is_keyed(&self, effect: &EffectHandle<'_>, id: Id) -> bool {
        numeric!(self.handle(id), param => param.num_keys(effect).unwrap_or(0), _ => 0) > 0
    }

    /// Whether a position has no keys and is 0: it was never set.
    pub fn is_unplaced(&self, effect: &EffectHandle<'_>, id: Id) -> bool {
        match self.handle(id) {
            Handle::Pair(param) => {
                param.num_keys(effect).unwrap_or(0) == 0 && param.value(effect).is_ok_and(|value| value == [0.0; 2])
            }
            _ => false,
        }
    }

    /// Hash of all keys and values of the parameters that invalidate states, independent of the frame, for hosts that
    /// hash one frame only.
    pub fn digest(&self, effect: &EffectHandle<'_>, invalidates_states: impl Fn(Id) -> bool) -> u128 {
        let mut digest = Digest::new("keys");
        for control in Id::controls().iter().filter(|control| invalidates_states(control.id)) {
            match self.handle(control.id) {
                Handle::Int(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v))),
                Handle::Double(p) => enter(p, effect, &mut digest, |d, v| d.real(v)),
                Handle::Switch(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v))),
                Handle::Choice(p) => enter(p, effect, &mut digest, |d, v| d.int(i64::from(v.0))),
                Handle::Pair(p) => enter(p, effect, &mut digest, |d, v| v.into_iter().for_each(|v| d.real(v))),
                Handle::Triple(p) => enter(p, effect, &mut digest, |d, v| v.0.into_iter().for_each(|v| d.real(v))),
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
    // Values between keys are included, since an interpolation can change while its keys do not. A parameter without
    // keys may have an expression.
    let between = times.windows(2).flat_map(|pair| [1.0, 2.0].map(|third| pair[0] + (pair[1] - pair[0]) * third / 3.0));
    let probes: Vec<f64> = if keys == 0 { UNKEYED_PROBES.to_vec() } else { between.collect() };
    for time in times.iter().chain(&probes) {
        digest.real(*time);
        if let Ok(value) = param.value_at(effect, *time) {
            add(digest, value);
        }
    }
}

/// Times at which a parameter without keys is read.
const UNKEYED_PROBES: [f64; 4] = [1.0, 8.0, 41.0, 1001.0];

/// The error about a parameter that the host lacks.
fn absent(id: impl Controls) -> Error {
    Error::message(format!("The host has no parameter {}.", id.control().name.to_string_lossy()))
}

/// The parameters during one action.
pub struct Panel<'e, Id> {
    /// The action's effect.
    pub effect: &'e EffectHandle<'e>,
    /// Its parameters.
    pub params: &'e Params<Id>,
    /// The frame from which the defaults of positions at 0 are computed, in hosts that do not scale defaults.
    pub unplaced_in: Option<Rect>,
    /// Its camera input, where it has one.
    pub camera: Option<&'e Camera>,
}

impl<Id: Controls> Values<Id> for Panel<'_, Id> {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        let value = self.params.value(self.effect, id, time)?;
        let frame = self.unplaced_in.filter(|_| value == Value::Pair([0.0; 2]));
        Ok(frame.and_then(|frame| default_position(id, frame)).map_or(value, Value::Pair))
    }

    fn text(&self, id: Id, time: f64) -> String {
        match self.params.handle(id) {
            Handle::Text(param) => param.value_at(self.effect, time).unwrap_or_default().trim().to_owned(),
            _ => String::new(),
        }
    }

    fn camera(&self, time: f64) -> Result<Option<Connected>> {
        self.camera.map_or(Ok(None), |camera| Connected::read(camera, self.effect, time))
    }
}

/// The default of a position in a frame; `None` for another parameter.
pub fn default_position(id: impl Controls, [x1, y1, x2, y2]: Rect) -> Option<[f64; 2]> {
    let Kind::Position { default: [x, y] } = id.control().kind else { return None };
    Some([x1 * (1.0 - x) + x2 * x, y1 * (1.0 - y) + y2 * y])
}

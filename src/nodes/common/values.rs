//! Parameter values, and the settings that every node has.

use super::camera_input::Connected;
use super::controls::Controls;
use super::presets::Value;
use super::shared::Shared;
use crate::ofx::{Error, Result};

/// A source of parameter values: the host, at any time. A number is asked for by its type.
///
/// # Errors
/// All methods: the host cannot be asked, or the parameter has another type.
#[expect(clippy::missing_errors_doc, reason = "they are the same for all methods")]
pub trait Values<Id> {
    /// The value of a numeric parameter.
    fn value(&self, id: Id, time: f64) -> Result<Value>;

    /// A text without white space at its ends; empty where the host has no such parameter.
    fn text(&self, id: Id, time: f64) -> String;

    /// The camera that is connected to the node at a time; `None` without one.
    fn camera(&self, time: f64) -> Result<Option<Connected>> {
        let _ = time;
        Ok(None)
    }

    /// A real number.
    fn double(&self, id: Id, time: f64) -> Result<f64> {
        if let Value::Double(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// A whole number.
    fn int(&self, id: Id, time: f64) -> Result<i32> {
        if let Value::Int(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// Index of a choice.
    fn choice(&self, id: Id, time: f64) -> Result<i32> {
        if let Value::Choice(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// On or off.
    fn switch(&self, id: Id, time: f64) -> Result<bool> {
        if let Value::Switch(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// A pair.
    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]> {
        if let Value::Pair(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// Three numbers.
    fn triple(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        if let Value::Triple(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }

    /// A colour.
    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]> {
        if let Value::Colour(value) = self.value(id, time)? { Ok(value) } else { Err(mistyped()) }
    }
}

/// The error for a value of another type than the requested one.
fn mistyped() -> Error {
    Error::message("A parameter has another type than the node expects.")
}

/// Substitute for an input frame that the host cannot give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A transparent picture.
    Transparent,
    /// The last frame before it that the host has.
    Hold,
    /// No substitute: the render fails.
    Fail,
}

/// Settings of a whole simulation that every node has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Start frame: the first that is shown as simulated.
    pub start: i64,
    /// Frames simulated before it.
    pub preroll: i64,
    /// Grid cells per full-resolution pixel.
    pub resolution: f64,
    /// Whether a proxy simulates a scaled grid.
    pub scaled: bool,
    /// Substitute for missing input frames.
    pub missing: Missing,
}

impl Setup {
    /// Reads the settings at `time`; none of them is animated.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read<Id: Controls>(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let id = Id::shared;
        Ok(Self {
            start: i64::from(values.int(id(Shared::StartFrame), time)?),
            preroll: i64::from(values.int(id(Shared::Preroll), time)?).clamp(0, 100_000),
            resolution: sane_percent(values.double(id(Shared::Resolution), time)?) / 100.0,
            scaled: values.choice(id(Shared::Proxy), time)? != 1,
            missing: match values.choice(id(Shared::MissingFrames), time)? {
                1 => Missing::Hold,
                2 => Missing::Fail,
                _ => Missing::Transparent,
            },
        })
    }

    /// First frame of the chain of states.
    pub fn first(&self) -> i64 {
        self.start - self.preroll
    }

    /// The frame at which the parameters and inputs of a frame of the chain are read: the start frame during the
    /// pre-roll, else the frame itself.
    pub fn clamped(&self, frame: i64) -> i64 {
        frame.max(self.start)
    }
}

/// A percentage clamped to the range of the parameter, which hosts do not enforce for expressions.
fn sane_percent(value: f64) -> f64 {
    if value.is_finite() { value.clamp(1.0, 400.0) } else { 100.0 }
}

/// The time at which a frame's values are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The frame of the chain.
    pub frame: i64,
    /// Time at which the values are read: the start frame during the pre-roll; not an integer for a fraction of a
    /// frame.
    pub time: f64,
    /// Time of the previous frame, at which animated positions are read again: the difference is their velocity.
    /// `None`: the velocity is 0.
    pub previous: Option<f64>,
    /// Whether the frame is the first of the chain.
    pub first: bool,
}

//! Parameter values, and what all nodes read of them.

use super::controls::Controls;
use super::shared::Shared;
use crate::ofx::Result;

/// Where values come from: the host, at any time.
pub trait Values<Id> {
    /// A real number.
    ///
    /// # Errors
    /// The host can't be asked, here and below.
    fn double(&self, id: Id, time: f64) -> Result<f64>;
    /// A whole number.
    ///
    /// # Errors
    /// As above.
    fn int(&self, id: Id, time: f64) -> Result<i32>;
    /// Index of a choice.
    ///
    /// # Errors
    /// As above.
    fn choice(&self, id: Id, time: f64) -> Result<i32>;
    /// On or off.
    ///
    /// # Errors
    /// As above.
    fn switch(&self, id: Id, time: f64) -> Result<bool>;
    /// A pair.
    ///
    /// # Errors
    /// As above.
    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2]>;
    /// A colour.
    ///
    /// # Errors
    /// As above.
    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3]>;
    /// A text, without white space around it; empty where the host has no such parameter.
    fn text(&self, id: Id, time: f64) -> String;
}

/// What becomes of an input frame that the host can't give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is transparent.
    Transparent,
    /// The last one before it that there is.
    Hold,
    /// The render fails.
    Fail,
}

/// What holds for all frames of a simulation of any node, apart from its grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// First frame shown as simulated.
    pub start: i64,
    /// Frames simulated before it.
    pub preroll: i64,
    /// Grid cells per full-resolution pixel.
    pub resolution: f64,
    /// Whether a proxy simulates a scaled grid.
    pub scaled: bool,
    /// What missing frames become.
    pub missing: Missing,
}

impl Setup {
    /// Reads it; none of these values is animated, `time` only says when to ask.
    ///
    /// # Errors
    /// The host can't be asked.
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

    /// The frame at which parameters and inputs are taken for a frame of the chain: the pre-roll holds the start frame.
    pub fn held(&self, frame: i64) -> i64 {
        frame.max(self.start)
    }
}

/// The parameter's range, which hosts do not enforce on expressions.
fn sane_percent(value: f64) -> f64 {
    if value.is_finite() { value.clamp(1.0, 400.0) } else { 100.0 }
}

/// The moment at which a frame's values are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The frame of the chain.
    pub frame: i64,
    /// The time, which for a pre-roll is the start frame and for a part of a frame is a fraction.
    pub time: f64,
    /// The time a frame ago, from where what moves comes; without one it stands still.
    pub previous: Option<f64>,
    /// The chain's first frame.
    pub first: bool,
}

//! Presets: values for many parameters, set as one edit.

use std::ffi::CStr;

use super::controls::Controls;
use super::instance::Instance;
use super::node::Node;
use super::shared::Shared;
use super::values::Values as _;
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Result};

/// A value for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Double(f64),
    /// A whole number.
    Int(i32),
    /// Index of a choice.
    Choice(i32),
    /// On or off.
    Switch(bool),
    /// A pair.
    Pair([f64; 2]),
    /// A position, 0 to 1 across the simulated region.
    Place([f64; 2]),
    /// A real number for a frame of [`HEIGHT`], and the power of the frame's height that scales it: 1 for lengths and speeds, 2 for
    /// areas and for gravity. So a preset looks the same at any size.
    Sized(f64, i32),
    /// A colour.
    Colour([f64; 3]),
}

/// Height of the frame of [`Value::Sized`], in pixels.
pub const HEIGHT: f64 = 1080.0;

/// A preset.
#[derive(Debug)]
pub struct Preset<Id: 'static> {
    /// The edit's name in the host's history.
    pub edit: &'static CStr,
    /// The values; every other parameter stays as it is.
    pub values: &'static [(Id, Value)],
}

/// Sets a preset's values. Main thread, on a user's choice.
///
/// # Errors
/// The host refuses.
pub fn apply<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    preset: &Preset<N::Id>,
    time: f64,
) -> Result<()> {
    let start = instance.panel(effect, 0).int(N::Id::shared(Shared::StartFrame), time)?;
    let region = instance.region(effect, i64::from(start));
    // Where blocks end early, the values are in no edit of the host: `undo` restores them with the choice.
    let edit = if quirks::ends_edits_early(effect.host()) { None } else { effect.edit(preset.edit) };
    for &(id, value) in preset.values {
        match value {
            Value::Place([x, y]) => {
                // Without a frame the positions stay.
                if let Some([x1, y1, x2, y2]) = region {
                    instance.params.set(effect, id, Value::Pair([x1 + (x2 - x1) * x, y1 + (y2 - y1) * y]))?;
                }
            }
            Value::Sized(value, power) => {
                // Without a frame the value is that of a frame of HEIGHT.
                let height = region.map_or(HEIGHT, |[_, y1, _, y2]| (y2 - y1).max(1.0));
                instance.params.set(effect, id, Value::Double(sized(value, power, height)))?;
            }
            value => instance.params.set(effect, id, value)?,
        }
    }
    drop(edit);
    tracing::debug!("set {} parameters of a preset", preset.values.len());
    Ok(())
}

/// A [`Value::Sized`] for a frame of a height, in three digits.
fn sized(value: f64, power: i32, height: f64) -> f64 {
    // Not f64::powi, whose last digit may differ from system to system.
    let scale = height / HEIGHT;
    let by = (0..power.abs()).fold(1.0, |by, _| by * scale);
    let exact = if power < 0 { value / by } else { value * by };
    format!("{exact:.2e}").parse().unwrap_or(exact)
}

/// Checks a node's presets: a name for each, and values that their parameters can have.
#[cfg(test)]
pub fn check<Id: Controls>() {
    use super::controls::Kind;
    let Some((choice, presets)) = Id::PRESETS else { return };
    let Kind::Choice { options, default: 0 } = choice.control().kind else { panic!("presets are chosen from a list") };
    assert_eq!(options.len(), presets.len() + 1, "the first is none of them");
    for preset in presets {
        for (position, (id, value)) in preset.values.iter().enumerate() {
            let name = id.control().name;
            assert!(preset.values[..position].iter().all(|(other, _)| other != id), "{name:?} twice");
            let fits = match (id.control().kind, *value) {
                (Kind::Double { range: [low, high], .. }, Value::Double(v)) => (low..=high).contains(&v),
                (Kind::Double { range: [low, high], .. }, Value::Sized(v, power)) => {
                    [64.0, 8192.0].iter().all(|height| (low..=high).contains(&sized(v, power, *height)))
                }
                (Kind::Int { range: [low, high], .. }, Value::Int(v)) => (low..=high).contains(&v),
                (Kind::Choice { options, .. }, Value::Choice(v)) => (0..options.len() as i32).contains(&v),
                (Kind::Vector { range: [low, high], .. }, Value::Pair(v)) => v.iter().all(|v| (low..=high).contains(v)),
                (Kind::Position { .. }, Value::Place(v)) => v.iter().all(|v| (0.0..=1.0).contains(v)),
                (Kind::Bool { .. }, Value::Switch(_)) | (Kind::Colour { .. }, Value::Colour(_)) => true,
                _ => false,
            };
            assert!(fits, "{:?} of {name:?}", value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sized;

    #[test]
    fn sizes_go_with_the_frame_in_few_digits() {
        assert_eq!([1, 2, -1].map(|power| sized(80.0, power, 540.0)), [40.0, 20.0, 160.0]);
        assert_eq!([1080.0, 1081.0, 2160.0].map(|height| sized(0.3, 1, height)), [0.3, 0.3, 0.6]);
        assert_eq!(sized(160.0, 1, 1556.0), 231.0);
        assert_eq!(sized(0.0, 1, 540.0), 0.0);
    }
}

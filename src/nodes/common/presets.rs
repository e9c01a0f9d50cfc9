//! Presets: values for many parameters, picked from a list and set as one edit.
//!
//! A node's presets are a text, which [`parse`] reads. A section for each option of the choice, by its label in
//! brackets, has a line for each parameter: its script name, `=` and a value. The section `[*]` before them is the base
//! of all presets; a section overrides it, and `keep` leaves a parameter of the base as it is. `#` begins a comment.
//!
//! | parameter | value |
//! |---|---|
//! | choice | the label of an option |
//! | switch | `on` or `off` |
//! | numbers, pairs, triples, colours | numbers, separated by spaces; a position as fractions of the simulated region |
//! | a length or speed, or a pair | `40 px`, `3 0 px`: for a frame of [`HEIGHT`] pixels, and proportional to the frame's height |
//! | an area, or another power of a length | `0.2 px^2`, `6 px^-1` |
//! | any | `default`: the parameter's default |

use std::ffi::CString;

use super::controls::{Control, Controls, Kind};
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
    /// A real number for a frame of [`HEIGHT`], and the power of the frame's height that scales it: 1 for lengths and
    /// speeds, 2 for areas and for gravity. So a preset looks the same at any size.
    Sized(f64, i32),
    /// A pair for a frame of [`HEIGHT`], proportional to the frame's height.
    SizedPair([f64; 2]),
    /// Three real numbers.
    Triple([f64; 3]),
    /// A colour.
    Colour([f64; 3]),
}

/// Height of the frame of [`Value::Sized`], in pixels.
pub const HEIGHT: f64 = 1080.0;

/// A preset.
#[derive(Debug)]
pub struct Preset<Id> {
    /// The edit's name in the host's history.
    pub edit: CString,
    /// The values, in the order of the panel; every other parameter stays as it is.
    pub values: Vec<(Id, Value)>,
}

/// Reads the presets of a choice, in the order of its options from the second on.
///
/// # Errors
/// The text is malformed: its line and the reason.
pub fn parse<Id: Controls>(choice: Id, text: &str) -> std::result::Result<Vec<Preset<Id>>, String> {
    let Kind::Choice { options, .. } = choice.control().kind else { return Err("presets need a choice".to_owned()) };
    let names: Vec<String> = options[1..].iter().map(|name| name.to_string_lossy().into_owned()).collect();
    // For each section, the base first: the value of each control that it names, or `None` for `keep`.
    let mut sections: Vec<Vec<Option<Option<Value>>>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |why: &str| format!("line {number}: {why}: {line}");
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let expected = sections.len().checked_sub(1).map_or(Some("*"), |next| names.get(next).map(String::as_str));
            if expected != Some(name) {
                return Err(wrong("not the next section"));
            }
            sections.push(vec![None; Id::controls().len()]);
        } else if !line.is_empty() {
            let (name, value) = line.split_once('=').ok_or_else(|| wrong("neither section nor value"))?;
            let named = |control: &&Control<Id>| control.name.to_bytes() == name.trim().as_bytes();
            let control = Id::controls().iter().find(named).ok_or_else(|| wrong("no such parameter"))?;
            let value = match value.trim() {
                "keep" => None,
                value => Some(read(control.kind, value).ok_or_else(|| wrong("no value of this parameter"))?),
            };
            let section = sections.last_mut().ok_or_else(|| wrong("before the first section"))?;
            if section[control.id.place()].replace(value).is_some() {
                return Err(wrong("twice in a section"));
            }
        }
    }
    if sections.len() != options.len() {
        return Err(format!("{} sections for {} options", sections.len(), options.len()));
    }
    let base = sections.remove(0);
    let preset = |(name, own): (&String, Vec<Option<Option<Value>>>)| {
        let values = Id::controls().iter().zip(own.into_iter().zip(&base));
        let values = values.filter_map(|(control, (own, base))| Some((control.id, own.or(*base)??))).collect();
        let edit = CString::new(format!("Preset {name}")).map_err(|error| error.to_string())?;
        Ok(Preset { edit, values })
    };
    names.iter().zip(sections).map(preset).collect()
}

/// Reads numbers that are separated by spaces; `None` if there are more, fewer or others.
pub fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Reads a value for a parameter; `None` if it is not one.
fn read(kind: Kind, text: &str) -> Option<Value> {
    let first = text == "default";
    Some(match kind {
        Kind::Choice { default, .. } if first => Value::Choice(default),
        Kind::Int { default, .. } if first => Value::Int(default),
        Kind::Double { default, .. } if first => Value::Double(default),
        Kind::Bool { default } if first => Value::Switch(default),
        Kind::Vector { default, .. } if first => Value::Pair([default; 2]),
        Kind::Triple { default, .. } if first => Value::Triple(default),
        Kind::Position { default } if first => Value::Place(default),
        Kind::Colour { default } if first => Value::Colour(default),
        Kind::Choice { options, .. } => {
            let option = options.iter().position(|option| option.to_bytes() == text.as_bytes())?;
            Value::Choice(i32::try_from(option).ok()?)
        }
        Kind::Int { .. } => Value::Int(text.parse().ok()?),
        Kind::Double { .. } => match text.split_once(" px") {
            Some((number, "")) => Value::Sized(number.parse().ok()?, 1),
            Some((number, power)) => Value::Sized(number.parse().ok()?, power.strip_prefix('^')?.parse().ok()?),
            None => Value::Double(text.parse().ok()?),
        },
        Kind::Bool { .. } => Value::Switch(match text {
            "on" => true,
            "off" => false,
            _ => return None,
        }),
        Kind::Vector { .. } => match text.strip_suffix(" px") {
            Some(text) => Value::SizedPair(numbers(text)?),
            None => Value::Pair(numbers(text)?),
        },
        Kind::Position { .. } => Value::Place(numbers(text)?),
        Kind::Triple { .. } => Value::Triple(numbers(text)?),
        Kind::Colour { .. } => Value::Colour(numbers(text)?),
        Kind::File | Kind::Folder | Kind::Text | Kind::Button | Kind::Notice | Kind::Hidden | Kind::Memo => {
            return None;
        }
    })
}

/// Sets a preset's values. Main thread, on a user's choice.
///
/// # Errors
/// The host refuses.
pub fn apply<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    preset: &'static Preset<N::Id>,
    time: f64,
) -> Result<()> {
    let start = instance.panel(effect, 0).int(N::Id::shared(Shared::StartFrame), time)?;
    let region = instance.region(effect, i64::from(start));
    // Without a frame sizes are those for a frame of HEIGHT pixels.
    let height = region.map_or(HEIGHT, |[_, y1, _, y2]| (y2 - y1).max(1.0));
    // In hosts that end blocks early, the values belong to no edit of the host; the module `undo` restores them
    // together with the choice.
    let edit = if quirks::ends_edits_early(effect.host()) { None } else { effect.edit(&preset.edit) };
    for &(id, value) in &preset.values {
        match value {
            Value::Place([x, y]) => {
                // Without a frame the positions do not change.
                if let Some([x1, y1, x2, y2]) = region {
                    instance.params.set(effect, id, Value::Pair([x1 + (x2 - x1) * x, y1 + (y2 - y1) * y]))?;
                }
            }
            Value::Sized(value, power) => {
                instance.params.set(effect, id, Value::Double(sized(value, power, height)))?;
            }
            Value::SizedPair(pair) => {
                instance.params.set(effect, id, Value::Pair(pair.map(|value| sized(value, 1, height))))?;
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

/// Declares `presets`, a node's presets of a text: one for each option of `preset` after the first ("Custom"), in the
/// order of the options. Tests check the text.
macro_rules! presets_of {
    ($text:expr) => {
        const TEXT: &str = $text;

        /// One preset for each option of `preset` after the first ("Custom"), in the order of the options.
        pub fn presets() -> &'static [$crate::nodes::common::presets::Preset<Id>] {
            use std::sync::LazyLock;
            use $crate::nodes::common::presets::{Preset, parse};
            static PRESETS: LazyLock<Vec<Preset<Id>>> = LazyLock::new(|| parse(Id::Preset, TEXT).unwrap_or_default());
            &PRESETS
        }

        #[cfg(test)]
        #[test]
        fn the_text_is_well_formed_and_its_values_fit_their_parameters() {
            $crate::nodes::common::presets::check(Id::Preset, TEXT);
        }
    };
}
pub(in crate::nodes) use presets_of;

/// Checks that all presets set the same parameters.
#[cfg(test)]
pub fn check_same_parameters<Id: Controls + PartialEq + std::fmt::Debug>(presets: &[Preset<Id>]) {
    let sets = |preset: &Preset<Id>| preset.values.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    for preset in presets {
        assert_eq!(sets(preset), sets(&presets[0]), "{:?}", preset.edit);
    }
}

/// Checks a node's presets: the text, a preset for each option, and values that their parameters can have.
#[cfg(test)]
pub fn check<Id: Controls>(choice: Id, text: &str) {
    let presets = parse(choice, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Id::PRESETS.map(|(choice, presets)| (choice, presets().len())), Some((choice, presets.len())));
    for preset in presets {
        for (id, value) in preset.values {
            let name = id.control().name;
            let fits = match (id.control().kind, value) {
                (Kind::Double { range: [low, high], .. }, Value::Double(v)) => (low..=high).contains(&v),
                (Kind::Double { range: [low, high], .. }, Value::Sized(v, power)) => {
                    [64.0, 8192.0].iter().all(|height| (low..=high).contains(&sized(v, power, *height)))
                }
                (Kind::Int { range: [low, high], .. }, Value::Int(v)) => (low..=high).contains(&v),
                (Kind::Choice { options, .. }, Value::Choice(v)) => (0..options.len() as i32).contains(&v),
                (Kind::Vector { range: [low, high], .. }, Value::Pair(v)) => v.iter().all(|v| (low..=high).contains(v)),
                (Kind::Vector { range: [low, high], .. }, Value::SizedPair(v)) => {
                    [64.0, 8192.0].iter().all(|height| v.iter().all(|v| (low..=high).contains(&sized(*v, 1, *height))))
                }
                (Kind::Triple { range: [low, high], .. }, Value::Triple(v)) => {
                    v.iter().all(|v| (low..=high).contains(v))
                }
                // An inflow may stand a little beyond the border.
                (Kind::Position { .. }, Value::Place(v)) => v.iter().all(|v| (-0.1..=1.1).contains(v)),
                (Kind::Bool { .. }, Value::Switch(_)) | (Kind::Colour { .. }, Value::Colour(_)) => true,
                _ => false,
            };
            assert!(fits, "{value:?} of {name:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Id;
    use super::*;

    /// A choice with two options, of which the first is none of the presets.
    const CHOICE: Id = Id::Shared(Shared::Proxy);
    const RESOLUTION: Id = Id::Shared(Shared::Resolution);
    const DEVICE: Id = Id::Shared(Shared::Device);

    #[test]
    fn a_preset_overrides_its_base() {
        let text = "[*] # Base.\nstrength = 2 px\nresolution = 50\ndevice = GPU\ncentre = 0.5 1\n\n\
                    [Full grid]\nresolution = default\ndevice = keep\n";
        let presets = parse(CHOICE, text).expect("well-formed");
        let [preset] = &presets[..] else { panic!("{} presets", presets.len()) };
        assert_eq!(preset.edit.as_c_str(), c"Preset Full grid");
        let values = [
            (RESOLUTION, Value::Double(100.0)),
            (Id::Centre, Value::Place([0.5, 1.0])),
            (Id::Strength, Value::Sized(2.0, 1)),
        ];
        assert_eq!(preset.values, values);
        let text = text.replace("keep", "CPU").replace("2 px", "2 px^-1");
        let presets = parse(CHOICE, &text).expect("well-formed");
        assert!(presets[0].values.contains(&(DEVICE, Value::Choice(2))));
        assert!(presets[0].values.contains(&(Id::Strength, Value::Sized(2.0, -1))));
    }

    #[test]
    fn a_malformed_text_is_an_error_with_its_line() {
        for (text, error) in [
            ("strength = 1", "line 1: before the first section: strength = 1"),
            ("[Full grid]", "line 1: not the next section: [Full grid]"),
            ("[*]\n[Half grid]", "line 2: not the next section: [Half grid]"),
            ("[*]\n[Full grid]\n[Full grid]", "line 3: not the next section: [Full grid]"),
            ("[*]\n", "1 sections for 2 options"),
            ("[*]\nstrength", "line 2: neither section nor value: strength"),
            ("[*]\nweakness = 1", "line 2: no such parameter: weakness = 1"),
            ("[*]\nstrength = much", "line 2: no value of this parameter: strength = much"),
            ("[*]\nstrength = 1 px2", "line 2: no value of this parameter: strength = 1 px2"),
            ("[*]\ncentre = 1", "line 2: no value of this parameter: centre = 1"),
            ("[*]\ndevice = TPU", "line 2: no value of this parameter: device = TPU"),
            ("[*]\nrefresh = on", "line 2: no value of this parameter: refresh = on"),
            ("[*]\nstrength = 1\nstrength = 1", "line 3: twice in a section: strength = 1"),
        ] {
            assert_eq!(parse(CHOICE, text).map(|_| ()), Err(error.to_owned()));
        }
    }

    #[test]
    fn sizes_go_with_the_frame_in_few_digits() {
        assert_eq!([1, 2, -1].map(|power| sized(80.0, power, 540.0)), [40.0, 20.0, 160.0]);
        assert_eq!([1080.0, 1081.0, 2160.0].map(|height| sized(0.3, 1, height)), [0.3, 0.3, 0.6]);
        assert_eq!(sized(160.0, 1, 1556.0), 231.0);
        assert_eq!(sized(0.0, 1, 540.0), 0.0);
    }
}

//! The properties that a parameter starts with when a plug-in defines it.

use std::sync::Arc;

use super::value::Class;
use super::{Described, Kind, Value};
use crate::props::PropSet;
use crate::{Profile, Project, names};

/// A fresh parameter with the standard's defaults.
pub(crate) fn define(kind: Kind, name: &str, profile: &Profile) -> Described {
    let props = PropSet::new(format!("parameter {name}"));
    let [strings, booleans, choices] = profile.animates;
    props.text(names::TYPE, names::TYPE_PARAM).text(names::NAME, name).text(names::PARAM_TYPE, kind.ofx_name()).seal();
    props
        .text(names::LABEL, name)
        .text(names::SHORT_LABEL, name)
        .text(names::LONG_LABEL, name)
        .text(names::PARAM_SCRIPT_NAME, name)
        .text(names::PARAM_HINT, "")
        .text(names::PARAM_PARENT, "")
        .ints(names::PARAM_SECRET, &[0])
        .ints(names::PARAM_ENABLED, &[1])
        .pointer(names::PARAM_DATA_PTR, 0)
        .texts(names::ICON, &[]);
    let dimensions = kind.dimensions();
    if kind.holds_value() {
        let animates = match kind {
            Kind::String => strings,
            Kind::Boolean => booleans,
            Kind::Choice => choices,
            Kind::Custom => false,
            _ => true,
        };
        props
            .ints(names::PARAM_ANIMATES, &[i32::from(animates && kind != Kind::String)])
            .ints(names::PARAM_IS_ANIMATING, &[0])
            .ints(names::PARAM_AUTO_KEYING, &[0])
            .seal_some(&[names::PARAM_IS_ANIMATING, names::PARAM_AUTO_KEYING]);
        props
            .ints(names::PARAM_PERSISTENT, &[1])
            .ints(names::PARAM_EVALUATE, &[1])
            .ints(names::PARAM_MAY_WRITE, &[0])
            .ints(names::PARAM_CAN_UNDO, &[1])
            .text(names::PARAM_INVALIDATION, names::PARAM_INVALIDATE_VALUE);
    }
    if kind != Kind::Page {
        props
            .pointer(names::PARAM_INTERACT_V1, 0)
            .doubles(names::PARAM_INTERACT_ASPECT, &[1.0])
            .doubles(names::PARAM_INTERACT_MIN, &[10.0, 10.0])
            .ints(names::PARAM_INTERACT_PREFERRED, &[10, 10])
            .doubles(names::PARAM_INTERACT_SIZE, &[10.0, 10.0]);
    }
    match kind.class() {
        Class::Doubles => {
            let colour = matches!(kind, Kind::Rgb | Kind::Rgba);
            let (low, high) = if colour { (0.0, 1.0) } else { (-f64::MAX, f64::MAX) };
            props
                .doubles(names::PARAM_DEFAULT, &vec![0.0; dimensions])
                .doubles(names::PARAM_MIN, &vec![-f64::MAX; dimensions])
                .doubles(names::PARAM_MAX, &vec![f64::MAX; dimensions])
                .doubles(names::PARAM_DISPLAY_MIN, &vec![low; dimensions])
                .doubles(names::PARAM_DISPLAY_MAX, &vec![high; dimensions])
                .doubles(names::PARAM_INCREMENT, &[1.0])
                .ints(names::PARAM_DIGITS, &[2]);
            if !colour {
                props
                    .text(names::PARAM_DOUBLE_TYPE, names::PARAM_DOUBLE_PLAIN)
                    .ints(names::PARAM_TIME_MARKER, &[0])
                    .ints(names::PARAM_USE_OVERLAY, &[0])
                    .ints(names::PARAM_HAS_OVERLAY, &[0]);
                if profile.coordinate_system {
                    let system = if profile.normalised_positions {
                        names::COORDINATES_NORMALISED
                    } else {
                        names::COORDINATES_CANONICAL
                    };
                    props.text(names::PARAM_COORDINATES, system);
                }
            }
        }
        Class::Ints => {
            props.ints(names::PARAM_DEFAULT, &vec![0; dimensions]);
            match kind {
                Kind::Choice => {
                    props.texts(names::PARAM_CHOICE_OPTION, &[]);
                }
                Kind::Boolean => {}
                _ => {
                    props
                        .ints(names::PARAM_MIN, &vec![i32::MIN; dimensions])
                        .ints(names::PARAM_MAX, &vec![i32::MAX; dimensions])
                        .ints(names::PARAM_DISPLAY_MIN, &vec![i32::MIN; dimensions])
                        .ints(names::PARAM_DISPLAY_MAX, &vec![i32::MAX; dimensions]);
                }
            }
        }
        Class::Text => {
            props.text(names::PARAM_DEFAULT, "");
            if kind == Kind::String {
                props.text(names::PARAM_STRING_MODE, names::PARAM_STRING_SINGLE).ints(names::PARAM_STRING_EXISTS, &[1]);
            } else {
                props.pointer(names::PARAM_CUSTOM_INTERP, 0);
            }
        }
        Class::Nothing => {
            if kind == Kind::Group {
                props.ints(names::PARAM_GROUP_OPEN, &[1]);
            }
            if kind == Kind::Page {
                props.texts(names::PARAM_PAGE_CHILD, &[]);
            }
        }
    }
    if matches!(kind, Kind::Double2D | Kind::Double3D | Kind::Integer2D | Kind::Integer3D) {
        let labels = ["x", "y", "z"];
        props.texts(names::PARAM_DIMENSION_LABEL, &labels[..dimensions]);
    }
    Described { name: name.to_owned(), kind, props: Arc::clone(&props), instances: Arc::default() }
}

/// The value that a new instance starts with: the described default, with positions
/// given as parts of the project put in its place.
pub(crate) fn default_value(described: &Described, project: &Project) -> Value {
    let props = &described.props;
    match described.kind.class() {
        Class::Ints => Value::Ints(padded(props.get_ints(names::PARAM_DEFAULT), described.kind)),
        Class::Text | Class::Nothing => Value::Text(props.get_text(names::PARAM_DEFAULT).unwrap_or_default()),
        Class::Doubles => {
            let mut values = padded(props.get_doubles(names::PARAM_DEFAULT), described.kind);
            let normalised = props.get_text(names::PARAM_COORDINATES).as_deref() == Some(names::COORDINATES_NORMALISED);
            if normalised {
                let area = project.canonical();
                let x = |v: f64| area.x1 + v * (area.x2 - area.x1);
                let y = |v: f64| area.y1 + v * (area.y2 - area.y1);
                match props.get_text(names::PARAM_DOUBLE_TYPE).as_deref() {
                    Some(names::PARAM_XY_ABSOLUTE) if values.len() == 2 => {
                        values = vec![x(values[0]), y(values[1])];
                    }
                    Some(names::PARAM_X_ABSOLUTE) => values[0] = x(values[0]),
                    Some(names::PARAM_Y_ABSOLUTE) => values[0] = y(values[0]),
                    _ => {}
                }
            }
            Value::Doubles(values)
        }
    }
}

fn padded<T: Clone + Default>(mut values: Vec<T>, kind: Kind) -> Vec<T> {
    values.resize(kind.dimensions(), T::default());
    values
}

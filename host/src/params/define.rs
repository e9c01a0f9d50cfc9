//! The properties that a parameter starts with when a plug-in defines it.

use std::sync::Arc;

use flow_openfx as ofx;

use super::value::Class;
use super::{Described, KindValues as _, Value};
use crate::props::PropSet;
use crate::{Kind, Profile, Project};

/// A fresh parameter with the standard's defaults.
pub(crate) fn define(kind: Kind, name: &str, profile: &Profile) -> Described {
    let props = PropSet::new(format!("parameter {name}"));
    let [strings, booleans, choices] = profile.animates;
    props
        .text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeParameter))
        .text(ofx::kOfxPropName, name)
        .text(ofx::kOfxParamPropType, kind.as_str())
        .seal();
    props
        .text(ofx::kOfxPropLabel, name)
        .text(ofx::kOfxPropShortLabel, name)
        .text(ofx::kOfxPropLongLabel, name)
        .text(ofx::kOfxParamPropScriptName, name)
        .text(ofx::kOfxParamPropHint, "")
        .text(ofx::kOfxParamPropParent, "")
        .ints(ofx::kOfxParamPropSecret, &[0])
        .ints(ofx::kOfxParamPropEnabled, &[1])
        .pointer(ofx::kOfxParamPropDataPtr, 0)
        .texts(ofx::kOfxPropIcon, &[]);
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
            .ints(ofx::kOfxParamPropAnimates, &[i32::from(animates && kind != Kind::String)])
            .ints(ofx::kOfxParamPropIsAnimating, &[0])
            .ints(ofx::kOfxParamPropIsAutoKeying, &[0])
            .seal_some(&[ofx::text(ofx::kOfxParamPropIsAnimating), ofx::text(ofx::kOfxParamPropIsAutoKeying)]);
        props
            .ints(ofx::kOfxParamPropPersistant, &[1])
            .ints(ofx::kOfxParamPropEvaluateOnChange, &[1])
            .ints(ofx::kOfxParamPropPluginMayWrite, &[0])
            .ints(ofx::kOfxParamPropCanUndo, &[1])
            .text(ofx::kOfxParamPropCacheInvalidation, ofx::CacheInvalidation::ValueChange.as_str());
    }
    if kind != Kind::Page {
        props
            .pointer(ofx::kOfxParamPropInteractV1, 0)
            .doubles(ofx::kOfxParamPropInteractSizeAspect, &[1.0])
            .doubles(ofx::kOfxParamPropInteractMinimumSize, &[10.0, 10.0])
            .ints(ofx::kOfxParamPropInteractPreferedSize, &[10, 10])
            .doubles(ofx::kOfxParamPropInteractSize, &[10.0, 10.0]);
    }
    match kind.class() {
        Class::Doubles => {
            let colour = matches!(kind, Kind::Rgb | Kind::Rgba);
            let (low, high) = if colour { (0.0, 1.0) } else { (-f64::MAX, f64::MAX) };
            props
                .doubles(ofx::kOfxParamPropDefault, &vec![0.0; dimensions])
                .doubles(ofx::kOfxParamPropMin, &vec![-f64::MAX; dimensions])
                .doubles(ofx::kOfxParamPropMax, &vec![f64::MAX; dimensions])
                .doubles(ofx::kOfxParamPropDisplayMin, &vec![low; dimensions])
                .doubles(ofx::kOfxParamPropDisplayMax, &vec![high; dimensions])
                .doubles(ofx::kOfxParamPropIncrement, &[1.0])
                .ints(ofx::kOfxParamPropDigits, &[2]);
            if !colour {
                props
                    .text(ofx::kOfxParamPropDoubleType, ofx::DoubleType::Plain.as_str())
                    .ints(ofx::kOfxParamPropShowTimeMarker, &[0])
                    .ints(ofx::kOfxParamPropUseHostOverlayHandle, &[0])
                    .ints(ofx::kOfxParamPropHasHostOverlayHandle, &[0]);
                if profile.coordinate_system {
                    let system = if profile.normalised_positions {
                        ofx::Coordinates::Normalised.as_str()
                    } else {
                        ofx::Coordinates::Canonical.as_str()
                    };
                    props.text(ofx::kOfxParamPropDefaultCoordinateSystem, system);
                }
            }
        }
        Class::Ints => {
            props.ints(ofx::kOfxParamPropDefault, &vec![0; dimensions]);
            match kind {
                Kind::Choice => {
                    props.texts(ofx::kOfxParamPropChoiceOption, &[]);
                }
                Kind::Boolean => {}
                _ => {
                    props
                        .ints(ofx::kOfxParamPropMin, &vec![i32::MIN; dimensions])
                        .ints(ofx::kOfxParamPropMax, &vec![i32::MAX; dimensions])
                        .ints(ofx::kOfxParamPropDisplayMin, &vec![i32::MIN; dimensions])
                        .ints(ofx::kOfxParamPropDisplayMax, &vec![i32::MAX; dimensions]);
                }
            }
        }
        Class::Text => {
            props.text(ofx::kOfxParamPropDefault, "");
            if kind == Kind::String {
                props
                    .text(ofx::kOfxParamPropStringMode, ofx::StringMode::SingleLine.as_str())
                    .ints(ofx::kOfxParamPropStringFilePathExists, &[1]);
            } else {
                props.pointer(ofx::kOfxParamPropCustomInterpCallbackV1, 0);
            }
        }
        Class::Nothing => {
            if kind == Kind::Group {
                props.ints(ofx::kOfxParamPropGroupOpen, &[1]);
            }
            if kind == Kind::Page {
                props.texts(ofx::kOfxParamPropPageChild, &[]);
            }
        }
    }
    if matches!(kind, Kind::Double2D | Kind::Double3D | Kind::Integer2D | Kind::Integer3D) {
        let labels = ["x", "y", "z"];
        props.texts(ofx::kOfxParamPropDimensionLabel, &labels[..dimensions]);
    }
    Described { name: name.to_owned(), kind, props: Arc::clone(&props), instances: Arc::default() }
}

/// The initial value of a new instance: the described default, with positions
/// in fractions of the project scaled to its size.
pub(crate) fn default_value(described: &Described, project: &Project) -> Value {
    let props = &described.props;
    match described.kind.class() {
        Class::Ints => Value::Ints(padded(props.get_ints(ofx::kOfxParamPropDefault), described.kind)),
        Class::Text | Class::Nothing => Value::Text(props.get_text(ofx::kOfxParamPropDefault).unwrap_or_default()),
        Class::Doubles => {
            let mut values = padded(props.get_doubles(ofx::kOfxParamPropDefault), described.kind);
            let normalised = props.get_text(ofx::kOfxParamPropDefaultCoordinateSystem).as_deref()
                == Some(ofx::Coordinates::Normalised.as_str());
            if normalised {
                let area = project.canonical();
                let x = |v: f64| area.x1 + v * (area.x2 - area.x1);
                let y = |v: f64| area.y1 + v * (area.y2 - area.y1);
                match props.get_text(ofx::kOfxParamPropDoubleType).and_then(|name| ofx::DoubleType::parse(&name)) {
                    Some(ofx::DoubleType::XyAbsolute) if values.len() == 2 => {
                        values = vec![x(values[0]), y(values[1])];
                    }
                    Some(ofx::DoubleType::XAbsolute) => values[0] = x(values[0]),
                    Some(ofx::DoubleType::YAbsolute) => values[0] = y(values[0]),
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

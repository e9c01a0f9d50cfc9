//! The value of a parameter at one time.

use flow_openfx::ParamType as Kind;

/// The C type in which a parameter's value crosses the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Doubles,
    Ints,
    Text,
    Nothing,
}

/// The values of a parameter type.
pub(crate) trait KindValues {
    /// The C type of the values.
    fn class(self) -> Class;
    /// The number of values.
    fn dimensions(self) -> usize;
    /// Whether the type has values.
    fn holds_value(self) -> bool;
    /// A description of the values for messages.
    fn expects(self) -> String;
}

impl KindValues for Kind {
    fn dimensions(self) -> usize {
        match self {
            Self::Integer2D | Self::Double2D => 2,
            Self::Integer3D | Self::Double3D | Self::Rgb => 3,
            Self::Rgba => 4,
            Self::PushButton | Self::Group | Self::Page => 0,
            _ => 1,
        }
    }

    fn class(self) -> Class {
        match self {
            Self::Double | Self::Double2D | Self::Double3D | Self::Rgb | Self::Rgba => Class::Doubles,
            Self::Integer | Self::Integer2D | Self::Integer3D | Self::Boolean | Self::Choice => Class::Ints,
            Self::String | Self::Custom => Class::Text,
            Self::PushButton | Self::Group | Self::Page => Class::Nothing,
        }
    }

    fn holds_value(self) -> bool {
        self.class() != Class::Nothing
    }

    fn expects(self) -> String {
        match (self, self.dimensions()) {
            (Self::Boolean, _) => "true or false".into(),
            (Self::Choice, _) => "an option's label or index".into(),
            (Self::String | Self::Custom, _) => "text".into(),
            (Self::Integer, _) => "a whole number".into(),
            (Self::Double, _) => "a number".into(),
            (_, 0) => "nothing".into(),
            (_, count) if self.class() == Class::Ints => format!("{count} whole numbers"),
            (_, count) => format!("{count} numbers"),
        }
    }
}

/// A value: as many numbers as the parameter has dimensions, or text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Whole numbers, booleans (0 and 1), choices (the index).
    Ints(Vec<i32>),
    /// Numbers.
    Doubles(Vec<f64>),
    /// Text, or a choice's label.
    Text(String),
}

impl Value {
    /// The value in the type of `kind`, or `None` if it does not fit.
    pub(crate) fn fitted(&self, kind: Kind) -> Option<Self> {
        let fitted = match (kind.class(), self) {
            (Class::Doubles, Self::Doubles(v)) => Self::Doubles(v.clone()),
            (Class::Doubles, Self::Ints(v)) => Self::Doubles(v.iter().map(|v| f64::from(*v)).collect()),
            (Class::Ints, Self::Ints(v)) => Self::Ints(v.clone()),
            (Class::Ints, Self::Doubles(v)) if v.iter().all(|v| v.fract() == 0.0 && v.abs() < 2e9) => {
                Self::Ints(v.iter().map(|v| *v as i32).collect())
            }
            (Class::Text, Self::Text(text)) => return Some(Self::Text(text.clone())),
            _ => return None,
        };
        let count = match &fitted {
            Self::Ints(v) => v.len(),
            Self::Doubles(v) => v.len(),
            Self::Text(_) => 1,
        };
        if kind == Kind::Boolean && !matches!(&fitted, Self::Ints(v) if matches!(v[..], [0 | 1])) {
            return None;
        }
        (count == kind.dimensions()).then_some(fitted)
    }

    /// Parses the text of a person, for a parameter of that kind: `1,2.5`, `true`, `Add`.
    pub(crate) fn parse(text: &str, kind: Kind) -> Option<Self> {
        match kind.class() {
            Class::Nothing => None,
            Class::Text => Some(Self::Text(text.into())),
            Class::Doubles => {
                let values: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
                values.map(Self::Doubles)
            }
            Class::Ints => match (kind, text.trim()) {
                (Kind::Boolean, "true" | "on" | "yes") => Some(Self::Ints(vec![1])),
                (Kind::Boolean, "false" | "off" | "no") => Some(Self::Ints(vec![0])),
                (_, text) => {
                    let values: Option<Vec<i32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
                    values.map(Self::Ints)
                }
            },
        }
    }

    /// The numbers as doubles; empty for text.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Ints(values) => values.iter().map(|v| f64::from(*v)).collect(),
            Self::Doubles(values) => values.clone(),
            Self::Text(_) => Vec::new(),
        }
    }

    /// The text, if it is text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let join = |parts: Vec<String>| parts.join(",");
        match self {
            Self::Ints(v) => f.write_str(&join(v.iter().map(i32::to_string).collect())),
            Self::Doubles(v) => f.write_str(&join(v.iter().map(f64::to_string).collect())),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Doubles(vec![value])
    }
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(value: [f64; N]) -> Self {
        Self::Doubles(value.to_vec())
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Ints(vec![value])
    }
}

impl<const N: usize> From<[i32; N]> for Value {
    fn from(value: [i32; N]) -> Self {
        Self::Ints(value.to_vec())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Ints(vec![i32::from(value)])
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_parsed_by_the_type_of_its_parameter() {
        assert_eq!(Value::parse("1, 2.5", Kind::Double2D), Some(Value::from([1.0, 2.5])));
        assert_eq!(Value::parse("on", Kind::Boolean), Some(Value::from(true)));
        assert_eq!(Value::parse("Fill up", Kind::Choice), None);
        assert_eq!(Value::parse("2", Kind::Choice), Some(Value::from(2)));
        assert_eq!(Value::parse("a,b", Kind::String), Some(Value::from("a,b")));
        assert_eq!(Value::parse("x", Kind::Integer), None);
        assert_eq!(Value::parse("", Kind::PushButton), None);
    }

    #[test]
    fn values_fit_parameters_of_their_own_type_only() {
        assert_eq!(Value::from(3).fitted(Kind::Double), Some(Value::from(3.0)));
        assert_eq!(Value::from(3.5).fitted(Kind::Integer), None);
        assert_eq!(Value::from(2).fitted(Kind::Boolean), None);
        assert_eq!(Value::from([1.0, 2.0]).fitted(Kind::Rgb), None);
        assert_eq!(Value::from("x").fitted(Kind::Double), None);
    }
}

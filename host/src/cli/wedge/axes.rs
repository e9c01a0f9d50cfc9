//! The varied parameters of a wedge and their values.
//!
//! A text of values is a list with commas. Values with commas of their own, such as positions, stand between semicolons.
//! `FIRST..LAST/COUNT` is a number of values at even distances, both ends included.

use std::ops::Range;

use super::super::job::{Job, NodeJob, value};
use super::super::run;
use crate::names::Named as _;
use crate::params::{KindValues as _, Param};
use crate::{Error, Kind, Node, Result, Value};

/// The largest number of values that a text may give.
const MOST_VALUES: usize = 10_000;

/// A varied parameter.
pub(super) struct Axis {
    /// Index of its node in the job.
    pub node: usize,
    pub parameter: String,
    /// The parameter with its node's name, where the job has several nodes.
    pub label: String,
    pub values: Vec<AxisValue>,
}

/// One of the values of a varied parameter.
#[derive(Clone)]
pub(super) struct AxisValue {
    /// As a person writes it: a number without needless digits, a choice's label.
    pub text: String,
    pub value: toml::Value,
}

/// A parameter and its list of values, as given.
struct Given {
    node: usize,
    parameter: String,
    values: toml::Value,
}

/// Takes the lists of the job's nodes and those of the flags, and checks each value. A flag replaces the job's list of
/// the same parameter.
pub(super) fn take(job: &mut Job, flags: &[String]) -> Result<Vec<Axis>> {
    let mut given = Vec::new();
    for (node, job) in job.nodes.iter_mut().enumerate() {
        let lists = std::mem::take(&mut job.vary);
        given.extend(lists.into_iter().map(|(parameter, values)| Given { node, parameter, values }));
    }
    let mut named: Vec<(usize, String)> = Vec::new();
    for flag in flags {
        let new = parsed(job, flag)?;
        let place = (new.node, new.parameter.clone());
        if named.contains(&place) {
            return Err(Error::usage(format!("--vary {} is given twice", new.parameter)));
        }
        named.push(place);
        match given.iter_mut().find(|old| (old.node, &old.parameter) == (new.node, &new.parameter)) {
            Some(old) => *old = new,
            None => given.push(new),
        }
    }
    if given.is_empty() {
        return Err(Error::usage(
            "nothing varies: add --vary NAME=VALUE,VALUE…, or a table `vary` to a node of the job file",
        ));
    }
    let several = job.nodes.len() > 1;
    let nodes: Vec<Option<Node>> = (0..job.nodes.len())
        .map(|at| given.iter().any(|given| given.node == at).then(|| run::unconnected(job, &job.nodes[at])).transpose())
        .collect::<Result<_>>()?;
    given.into_iter().map(|given| axis(&job.nodes[given.node], nodes[given.node].as_ref(), given, several)).collect()
}

/// `NAME=VALUES` or `NODE.NAME=VALUES`.
fn parsed(job: &Job, flag: &str) -> Result<Given> {
    let form = || Error::usage(format!("--vary {flag}: expected NAME=VALUE,VALUE…"));
    let (place, values) = flag.split_once('=').filter(|(place, _)| !place.is_empty()).ok_or_else(form)?;
    let (node, parameter) = job.parameter(place).map_err(|why| Error::usage(format!("--vary {flag}: {why}")))?;
    Ok(Given { node, parameter: parameter.to_owned(), values: toml::Value::String(values.to_owned()) })
}

fn axis(job: &NodeJob, node: Option<&Node>, given: Given, several: bool) -> Result<Axis> {
    let Given { node: at, parameter, values } = given;
    let node = node.ok_or_else(|| Error::usage(format!("{parameter}: its node is missing")))?;
    let param = node.core.param(&parameter)?;
    if !param.kind.holds_value() {
        return Err(Error::usage(format!("{parameter} is a {}, which has no values", param.kind.name())));
    }
    if job.keys.contains_key(&parameter) {
        return Err(Error::usage(format!("{parameter} has keys and varies: leave out one of them")));
    }
    let options = param.options();
    let texts: Vec<Value> = match &values {
        toml::Value::String(text) => listed(&parameter, text, param.kind, &options)?,
        toml::Value::Array(list) => list.iter().map(|given| value(&parameter, given)).collect::<Result<_>>()?,
        single => vec![value(&parameter, single)?],
    };
    let mut values: Vec<AxisValue> = Vec::new();
    for given in texts {
        let new = axis_value(param, &options, &param.accept(&given)?);
        if values.iter().any(|old| old.text == new.text) {
            return Err(Error::usage(format!("{parameter}: {} is given twice", new.text)));
        }
        values.push(new);
    }
    if values.is_empty() {
        return Err(Error::usage(format!("{parameter}: no values; expected {}", param.kind.expects())));
    }
    let label = if several { format!("{}.{parameter}", job.name) } else { parameter.clone() };
    Ok(Axis { node: at, parameter, label, values })
}

/// A value that the parameter accepted.
fn axis_value(param: &Param, options: &[String], accepted: &Value) -> AxisValue {
    use toml::Value as Toml;
    let joined = |numbers: Vec<String>| numbers.join(",");
    match accepted {
        Value::Text(text) => AxisValue { text: text.clone(), value: Toml::String(text.clone()) },
        Value::Ints(numbers) => match (param.kind, &numbers[..]) {
            (Kind::Boolean, [on]) => AxisValue { text: (*on != 0).to_string(), value: Toml::Boolean(*on != 0) },
            (Kind::Choice, [at]) => {
                let label = usize::try_from(*at).ok().and_then(|at| options.get(at));
                let text = label.cloned().unwrap_or_else(|| at.to_string());
                AxisValue { value: Toml::String(text.clone()), text }
            }
            (_, [only]) => AxisValue { text: only.to_string(), value: Toml::Integer(i64::from(*only)) },
            (_, several) => AxisValue {
                text: joined(several.iter().map(i32::to_string).collect()),
                value: Toml::Array(several.iter().map(|number| Toml::Integer(i64::from(*number))).collect()),
            },
        },
        Value::Doubles(numbers) => AxisValue {
            text: joined(numbers.iter().map(f64::to_string).collect()),
            value: match numbers[..] {
                [only] => Toml::Float(only),
                _ => Toml::Array(numbers.iter().copied().map(Toml::Float).collect()),
            },
        },
    }
}

/// The values of a text, not yet checked by their parameter.
fn listed(parameter: &str, text: &str, kind: Kind, options: &[String]) -> Result<Vec<Value>> {
    let whole = kind.dimensions() > 1 || options.iter().any(|option| option.eq_ignore_ascii_case(text.trim()));
    let parts: Vec<&str> = match text.contains(';') {
        true => text.strip_suffix(';').unwrap_or(text).split(';').collect(),
        false if whole => vec![text],
        false => text.split(',').collect(),
    };
    let numbers = !matches!(kind, Kind::Boolean | Kind::Choice | Kind::String | Kind::Custom);
    let mut values = Vec::new();
    for part in parts.into_iter().map(str::trim) {
        if part.is_empty() && kind != Kind::String {
            return Err(Error::usage(format!("{parameter}: an empty value in '{text}'; expected {}", kind.expects())));
        }
        match part.split_once("..") {
            Some((first, rest)) if numbers => values.extend(range(parameter, part, first, rest)?),
            _ => values.push(Value::Text(part.to_owned())),
        }
        if values.len() > MOST_VALUES {
            return Err(Error::usage(format!("{parameter}: more than {MOST_VALUES} values")));
        }
    }
    Ok(values)
}

/// The values of `FIRST..LAST/COUNT`, number by number.
fn range(parameter: &str, part: &str, first: &str, rest: &str) -> Result<Vec<Value>> {
    let wrong = || {
        Error::usage(format!(
            "{parameter}: '{part}': expected FIRST..LAST/COUNT with a count of 2 to {MOST_VALUES}, e.g. 0..1/5"
        ))
    };
    let numbers = |text: &str| -> Option<Vec<f64>> {
        text.split(',').map(|part| part.trim().parse().ok().filter(|number: &f64| number.is_finite())).collect()
    };
    let (last, count) = rest.split_once('/').ok_or_else(wrong)?;
    let (first, last) = (numbers(first).ok_or_else(wrong)?, numbers(last).ok_or_else(wrong)?);
    let count: usize = count.trim().parse().map_err(|_| wrong())?;
    if first.len() != last.len() || !(2..=MOST_VALUES).contains(&count) {
        return Err(wrong());
    }
    let at = |step: usize| {
        let share = step as f64 / (count - 1) as f64;
        Value::Doubles(first.iter().zip(&last).map(|(a, b)| rounded(a + (b - a) * share, (b - a).abs())).collect())
    };
    Ok((0..count).map(at).collect())
}

/// A number without the digits that stem from rounding: 0.3 for 0.30000000000000004.
fn rounded(number: f64, range: f64) -> f64 {
    let unit = 1e-9 * range.max(f64::MIN_POSITIVE);
    let digits = (-unit.log10().floor()).clamp(0.0, 30.0) as usize;
    format!("{number:.digits$}").parse().unwrap_or(number)
}

/// All combinations as indices of the axes' values; the last axis is the fastest.
pub(super) fn combinations(axes: &[Axis], limit: usize) -> Result<Vec<Vec<usize>>> {
    let counts: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    let total = counts.iter().try_fold(1usize, |total, count| total.checked_mul(*count));
    match total {
        Some(total) if total <= limit => Ok((0..total).map(|at| indices(&counts, 0..counts.len(), at)).collect()),
        _ => {
            let product = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" × ");
            let total = total.map_or_else(|| product.clone(), |total| format!("{product} = {total}"));
            Err(Error::usage(format!(
                "{total} combinations are more than {limit}: vary fewer values, or allow them with --limit"
            )))
        }
    }
}

fn indices(counts: &[usize], axes: Range<usize>, at: usize) -> Vec<usize> {
    axes.map(|axis| at / counts[axis + 1..].iter().product::<usize>() % counts[axis]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn texts(text: &str, kind: Kind, want: &[&str]) {
        let options = ["Red".to_owned(), "Green, light".to_owned()];
        let options = if kind == Kind::Choice { &options[..] } else { &[] };
        let values = listed("p", text, kind, options).expect("a list");
        let found: Vec<String> = values.iter().map(|value| value.to_string().trim_matches('\'').to_owned()).collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn commas_separate_values_unless_values_have_commas() {
        texts("1,2.5, 4", Kind::Double, &["1", "2.5", "4"]);
        texts("1;2", Kind::Double, &["1", "2"]);
        texts("1,2;3,4", Kind::Double2D, &["1,2", "3,4"]);
        texts("1,2", Kind::Double2D, &["1,2"]);
        texts("a,b", Kind::String, &["a", "b"]);
        texts("a,b;", Kind::String, &["a,b"]);
        texts("green, light", Kind::Choice, &["green, light"]);
        texts("Red;Green, light", Kind::Choice, &["Red", "Green, light"]);
    }

    #[test]
    fn a_range_has_both_ends_and_no_needless_digits() {
        texts("0..1/5", Kind::Double, &["0", "0.25", "0.5", "0.75", "1"]);
        texts("0..0.3/4,7", Kind::Double, &["0", "0.1", "0.2", "0.3", "7"]);
        texts("-1..1/3", Kind::Integer, &["-1", "0", "1"]);
        texts("0,10..10,0/3", Kind::Double2D, &["0,10", "5,5", "10,0"]);
        texts("1e-7..3e-7/3", Kind::Double, &["0.0000001", "0.0000002", "0.0000003"]);
        texts("../plate", Kind::String, &["../plate"]);
        for bad in ["0..1", "0..1/1", "0..1/x", "0..inf/3", "0..1,2/3", "0..1/99999999"] {
            let error = listed("p", bad, Kind::Double2D, &[]).map(drop).expect_err(bad);
            assert!(error.to_string().contains("FIRST..LAST/COUNT"), "{bad}: {error}");
        }
    }

    #[test]
    fn the_last_axis_is_the_fastest() {
        let axis = |count| Axis {
            node: 0,
            parameter: "p".into(),
            label: "p".into(),
            values: vec![AxisValue { text: "0".into(), value: 0.into() }; count],
        };
        let axes = [axis(2), axis(1), axis(3)];
        let all = combinations(&axes, 6).expect("six");
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
        let error = combinations(&axes, 5).map(drop).expect_err("too many").to_string();
        assert!(error.starts_with("2 × 1 × 3 = 6 combinations are more than 5"), "{error}");
    }
}

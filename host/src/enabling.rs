//! The values of other parameters that would enable a parameter.

use flow_openfx as ofx;

use crate::error::listing;
use crate::params::Param;
use crate::{Kind, Node, Result, Value};

/// Number of values that an edit may change with those that follow it.
const FEW: usize = 3;

/// Largest whole number that is tried: numbers of jets, emitters and the like are smaller.
const MOST: i32 = 16;

impl Node {
    /// The single edits that enable a parameter which the plug-in has greyed out, each as `name = value`. They are found
    /// by trial: the plug-in is told of each edit, and of its end. Empty where no single edit does, and in hosts that do
    /// not report edits. Edits that change many values, as presets do, are left out.
    ///
    /// # Errors
    /// Wrong usage: no such parameter; the plug-in's failure at a report.
    pub fn enabling(&self, param: &str) -> Result<Vec<String>> {
        let mut found = Vec::new();
        if !self.core.profile().reports_changes || self.is_enabled(param)? {
            return Ok(found);
        }
        for other in self.core.params.iter().filter(|other| other.name != param) {
            let (before, mut working) = (self.core.snapshot(), Vec::new());
            for (value, label) in trials(other) {
                self.set(&other.name, value)?;
                let changed = self.core.snapshot().iter().zip(&before).filter(|(now, before)| now != before).count();
                if changed <= FEW && self.is_enabled(param)? {
                    working.push(label);
                }
                self.undo()?;
            }
            if !working.is_empty() {
                found.push(format!("{} = {}", other.name, listing(working)));
            }
        }
        Ok(found)
    }

    fn is_enabled(&self, param: &str) -> Result<bool> {
        Ok(self.param_flag(param, ofx::text(ofx::kOfxParamPropEnabled))? != Some(0))
    }
}

/// Other values of a parameter, and their names.
fn trials(param: &Param) -> Vec<(Value, String)> {
    let now = param.at(0.0);
    let one = |value: i32| Value::Ints(vec![value]);
    let all = match param.kind {
        Kind::Boolean => vec![(one(0), "off".to_owned()), (one(1), "on".to_owned())],
        Kind::Choice => {
            let options = param.options().into_iter().enumerate();
            options.map(|(at, option)| (one(at as i32), format!("'{option}'"))).collect()
        }
        Kind::Integer => {
            let end = |property| param.props.get_ints(property).first().copied();
            match (end(ofx::kOfxParamPropMin), end(ofx::kOfxParamPropMax)) {
                (Some(least @ 0..), Some(most @ 1..=MOST)) => {
                    (least..=most).map(|value| (one(value), value.to_string())).collect()
                }
                _ => Vec::new(),
            }
        }
        // Where 0 is off.
        Kind::Double if now == Value::Doubles(vec![0.0]) => {
            let most = param.props.get_doubles(ofx::kOfxParamPropMax).first().copied().unwrap_or(1.0);
            vec![(Value::Doubles(vec![most.min(1.0)]), "other than 0".to_owned())]
        }
        _ => Vec::new(),
    };
    all.into_iter().filter(|(value, _)| *value != now).collect()
}

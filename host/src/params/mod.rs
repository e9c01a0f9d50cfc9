//! Parameters: values and animation.

mod curve;
mod define;
mod value;

use std::collections::VecDeque;
use std::ffi::CStr;
use std::os::raw::c_char;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};

pub use curve::Curve;
pub(crate) use define::{default_value, define};
pub use value::Value;
pub(crate) use value::{Class, KindValues};

use flow_openfx as ofx;

use crate::error::{listing, nearest};
use crate::ffi::handles::{HandleId, Object};
use crate::node::NodeCore;
use crate::props::{PropSet, Values, c_string};
use crate::{Error, Kind, Result};

/// A parameter as the plug-in described it.
#[derive(Clone)]
pub(crate) struct Described {
    pub name: String,
    pub kind: Kind,
    pub props: Arc<PropSet>,
    /// The initial properties of instances, once there is one.
    pub instances: Arc<OnceLock<Arc<PropSet>>>,
}

impl Described {
    /// The properties of a new instance.
    fn instance(&self) -> Arc<PropSet> {
        let label = format!("parameter {}", self.name);
        let first = self.instances.get_or_init(|| {
            let first = self.props.copy(&*label);
            first.put(ofx::kOfxPropType, Values::Text(vec![c_string(ofx::text(ofx::kOfxTypeParameterInstance))]));
            first
        });
        first.copy(label)
    }
}

/// A parameter's value as a function of time.
pub(crate) type Expression = Arc<dyn Fn(f64) -> Value + Send + Sync>;

/// A parameter of a node.
pub(crate) struct Param {
    pub name: String,
    pub kind: Kind,
    pub props: Arc<PropSet>,
    pub node: Weak<NodeCore>,
    pub initial: Value,
    id: HandleId,
    curve: RwLock<Arc<Curve>>,
    /// Replaces the curve.
    expression: RwLock<Option<Expression>>,
    /// Recently returned strings; a plug-in may read them until its action ends.
    returned: Mutex<VecDeque<Arc<CStr>>>,
}

/// Number of returned strings that stay alive.
const RETURNED: usize = 64;

impl Param {
    pub(crate) fn new(described: &Described, initial: Value, node: Weak<NodeCore>) -> Arc<Self> {
        Arc::new_cyclic(|weak| Self {
            name: described.name.clone(),
            kind: described.kind,
            props: described.instance(),
            node,
            id: HandleId::new(Object::Param(weak.clone())),
            curve: RwLock::new(Arc::new(Curve::constant(initial.clone()))),
            expression: RwLock::default(),
            initial,
            returned: Mutex::default(),
        })
    }

    pub(crate) fn handle<T>(&self) -> *mut T {
        self.id.pointer()
    }

    pub(crate) fn curve(&self) -> Arc<Curve> {
        Arc::clone(&self.curve.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn express(&self, expression: Expression) {
        *self.expression.write().unwrap_or_else(PoisonError::into_inner) = Some(expression);
    }

    /// The value at a time: the expression's, or the curve's.
    pub(crate) fn at(&self, time: f64) -> Value {
        let expression = self.expression.read().unwrap_or_else(PoisonError::into_inner).clone();
        expression.map_or_else(|| self.curve().at(time), |expression| expression(time))
    }

    pub(crate) fn set_curve(&self, curve: Arc<Curve>) {
        let animating = !curve.keys().is_empty();
        *self.curve.write().unwrap_or_else(PoisonError::into_inner) = curve;
        self.props.put(ofx::kOfxParamPropIsAnimating, Values::Int(vec![i32::from(animating)]));
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Curve)) {
        let mut curve = (*self.curve()).clone();
        change(&mut curve);
        self.set_curve(Arc::new(curve));
    }

    pub(crate) fn animates(&self) -> bool {
        self.props.int(ofx::kOfxParamPropAnimates).unwrap_or(0) != 0
    }

    /// The address of a string that outlives the plug-in's action.
    pub(crate) fn give_image(&self, text: &str) -> *const c_char {
        let text = c_string(text);
        let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = returned.iter().find(|old| **old == text) {
            return same.as_ptr();
        }
        if returned.len() == RETURNED {
            returned.pop_front();
        }
        let address = text.as_ptr();
        returned.push_back(text);
        address
    }

    /// The labels of a choice's options.
    pub(crate) fn options(&self) -> Vec<String> {
        self.props.get_texts(ofx::kOfxParamPropChoiceOption)
    }

    /// The value in this parameter's own type, from the text of a person: labels become
    /// indices, whole numbers become doubles, and any other text is refused.
    pub(crate) fn accept(&self, value: &Value) -> Result<Value> {
        let options = self.options();
        let misfit = || Error::usage(format!("{}: expected {}, found {value}", self.name, self.kind.expects()));
        let fitted = match value {
            Value::Text(text) if self.kind == Kind::Choice => {
                let at = options
                    .iter()
                    .position(|option| option == text)
                    .or_else(|| options.iter().position(|o| o.eq_ignore_ascii_case(text)));
                match (at, Value::parse(text, self.kind)) {
                    (Some(at), _) => Value::Ints(vec![at as i32]),
                    (None, Some(index)) => index,
                    (None, None) => {
                        return Err(Error::usage(format!(
                            "{}: no option '{text}'; the options are {}",
                            self.name,
                            listing(options.iter().map(|o| format!("'{o}'")))
                        )));
                    }
                }
            }
            Value::Text(text) => Value::parse(text, self.kind).ok_or_else(misfit)?,
            other => other.clone(),
        };
        let fitted = fitted.fitted(self.kind).ok_or_else(misfit)?;
        self.check_range(&fitted, options.len())?;
        Ok(fitted)
    }

    fn check_range(&self, value: &Value, options: usize) -> Result<()> {
        let outside =
            |low: String, high: String| Err(Error::usage(format!("{}: {value} is outside {low} to {high}", self.name)));
        match value {
            Value::Ints(values) if self.kind == Kind::Choice => {
                if usize::try_from(values[0]).map_or(true, |at| at >= options) {
                    let names = self.options();
                    return Err(Error::usage(format!(
                        "{}: no option {}; the options are {}",
                        self.name,
                        values[0],
                        listing(names.iter().enumerate().map(|(i, o)| format!("{i} '{o}'")))
                    )));
                }
            }
            Value::Ints(values) => {
                let low = self.props.get_ints(ofx::kOfxParamPropMin);
                let high = self.props.get_ints(ofx::kOfxParamPropMax);
                for (i, v) in values.iter().enumerate() {
                    if let (Some(low), Some(high)) = (low.get(i), high.get(i))
                        && (v < low || v > high)
                    {
                        return outside(low.to_string(), high.to_string());
                    }
                }
            }
            Value::Doubles(values) => {
                let low = self.props.get_doubles(ofx::kOfxParamPropMin);
                let high = self.props.get_doubles(ofx::kOfxParamPropMax);
                for (i, v) in values.iter().enumerate() {
                    if !v.is_finite() {
                        return Err(Error::usage(format!("{}: {v} is not a number", self.name)));
                    }
                    if let (Some(low), Some(high)) = (low.get(i), high.get(i))
                        && (v < low || v > high)
                    {
                        return outside(low.to_string(), high.to_string());
                    }
                }
            }
            Value::Text(_) => {}
        }
        Ok(())
    }
}

/// The error for an unknown parameter; lists similar names.
pub(crate) fn unknown(name: &str, plugin: &str, params: &[Arc<Param>]) -> Error {
    let names: Vec<&str> = params.iter().filter(|p| p.kind.holds_value()).map(|p| p.name.as_str()).collect();
    let near = nearest(name, names.iter().copied());
    let hint = if near.is_empty() {
        format!("it has {}", listing(names))
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    Error::usage(format!("{plugin} has no parameter '{name}': {hint}"))
}

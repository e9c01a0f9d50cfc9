//! Wrong use by a broken host: calls in any order with any handles, false claims about images,
//! values beyond their range. For tests of plug-ins, which must answer
//! every call with a status.

use flow_openfx as ofx;

use crate::action::Action;
use crate::ffi::handles;
use crate::params::KindValues as _;
use crate::plugin::Call;
use crate::props::{PropSet, Values, c_string};
use crate::{Error, Node, Plane, Plugin, Request, Result, Status, Value};

/// A property of a clip's images and its false value, which stays for the life of the node.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    clip: String,
    property: String,
    value: Option<Value>,
}

/// Replaces properties of an image by the false claims about its clip.
pub(crate) fn apply(claims: &[Claim], clip: &str, props: &PropSet) {
    for lie in claims.iter().filter(|lie| lie.clip == clip) {
        match &lie.value {
            None => props.remove(&lie.property),
            Some(Value::Ints(values)) if lie.property == ofx::text(ofx::kOfxImagePropData) => {
                let address = values.first().and_then(|value| usize::try_from(*value).ok()).unwrap_or(0);
                props.put(&lie.property, Values::Pointer(vec![address]));
            }
            Some(value) => props.put(&lie.property, stored(value)),
        }
    }
}

fn stored(value: &Value) -> Values {
    match value {
        Value::Ints(values) => Values::Int(values.clone()),
        Value::Doubles(values) => Values::Double(values.clone()),
        Value::Text(text) => Values::Text(vec![c_string(text)]),
    }
}

fn arguments(label: &str, values: &[(&str, Value)]) -> std::sync::Arc<PropSet> {
    let props = PropSet::new(label);
    for (name, value) in values {
        match value {
            Value::Ints(values) => props.ints(*name, values),
            Value::Doubles(values) => props.doubles(*name, values),
            Value::Text(text) => props.text(*name, text),
        };
    }
    props
}

impl Plugin {
    /// Calls the plug-in with any action, any number for the effect's handle (0 is
    /// NULL; see [`Node::handle`]) and any arguments (`None` is NULL), in an order that
    /// the standard forbids.
    pub fn misuse(
        &self,
        action: &'static str,
        effect: usize,
        inputs: Option<&[(&str, Value)]>,
        outputs: Option<&[(&str, Value)]>,
    ) -> Status {
        let mut context = Action::new(action, &self.core.host, effect);
        let node = handles::instance(std::ptr::without_provenance::<u8>(effect)).map(|live| live.node.clone());
        let label = node.as_ref().map_or_else(|| self.core.id.clone(), |node| node.name.clone());
        context.node = node;
        let call = Call { name: action, effect, action: context, label };
        let inputs = inputs.map(|values| arguments("arguments", values));
        let outputs = outputs.map(|values| arguments("results", values));
        let (status, _) = self.core.call(call, inputs.as_deref(), outputs.as_deref());
        status
    }
}

impl Node {
    /// The number of the instance's handle; it stays a number after
    /// the node's destruction.
    ///
    /// # Errors
    /// Wrong usage if the node has no instance.
    pub fn handle(&self) -> Result<usize> {
        Ok(self.core.main()?.id.number())
    }

    /// Sets a parameter to a value that no slider allows: beyond its range,
    /// not a number, an unknown option. Expressions in real hosts do.
    /// The plug-in is not told.
    ///
    /// # Errors
    /// Wrong usage: no such parameter, or a value of another type.
    pub fn force(&self, param: &str, value: impl Into<Value>) -> Result<()> {
        let value = value.into();
        let param = self.core.param(param)?;
        let fitted = value
            .fitted(param.kind)
            .ok_or_else(|| Error::usage(format!("{}: expected {}, found {value}", param.name, param.kind.expects())))?;
        param.change(|curve| curve.set_constant(fitted));
        Ok(())
    }
}

impl Request {
    /// Requests these planes of the output, without an image for them.
    #[must_use]
    pub fn withhold(mut self, planes: &[Plane]) -> Self {
        self.withheld.extend_from_slice(planes);
        self
    }

    /// Makes every image of a clip (`Output` is one, `Output.cross` the image of its plane of that name) claim another
    /// value for a property, or lack the property. A number for `OfxImagePropData` is an address.
    #[must_use]
    pub fn misstate(mut self, clip: &str, property: &str, value: Option<Value>) -> Self {
        self.claims.push(Claim { clip: clip.into(), property: property.into(), value });
        self
    }
}

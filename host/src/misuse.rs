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
pub(crate) struct Lie {
    clip: String,
    property: String,
    value: Option<Value>,
}

/// Changes an image's properties as the lies about its clip say.
pub(crate) fn tell(lies: &[Lie], clip: &str, props: &PropSet) {
    for lie in lies.iter().filter(|lie| lie.clip == clip) {
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
    /// NULL; see [`Node::handle`]) and any arguments (`None` is NULL), in no order that
    /// the standard knows.
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
    /// The number that the plug-in knows the node's instance by; it stays a number when
    /// the node is destroyed.
    ///
    /// # Errors
    /// Wrong usage where the node has no instance (any more).
    pub fn handle(&self) -> Result<usize> {
        Ok(self.core.main()?.id.number())
    }

    /// Gives a parameter a value for all times that no slider would: beyond its range,
    /// not a number, an option that there is none of. Expressions in real hosts do.
    /// Tells nobody.
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
    /// Asks for these planes of the output, and has no image of them.
    #[must_use]
    pub fn withhold(mut self, planes: &[Plane]) -> Self {
        self.withheld.extend_from_slice(planes);
        self
    }

    /// Has every image of a clip (`Output` is one, `Output.cross` the image of its plane of that name) claim another value for a property,
    /// or lack it. A number for `OfxImagePropData` stands for that address.
    #[must_use]
    pub fn misstate(mut self, clip: &str, property: &str, value: Option<Value>) -> Self {
        self.lies.push(Lie { clip: clip.into(), property: property.into(), value });
        self
    }
}

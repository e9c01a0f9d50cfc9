//! One instance of an effect. A node may have several.

use std::sync::Arc;

use flow_openfx as ofx;

use crate::action::Action;
use crate::ffi::handles::{HandleId, Object};
use crate::names::is_success;
use crate::node::NodeCore;
use crate::plugin::Call;
use crate::props::{PropSet, Values};
use crate::{Result, Status};

/// An instance behind an `OfxImageEffectHandle`.
pub(crate) struct Instance {
    pub props: Arc<PropSet>,
    pub node: Arc<NodeCore>,
    pub id: HandleId,
}

/// The origin of an instance.
pub(crate) enum Origin<'a> {
    /// The user's instance.
    User,
    /// A copy of it, for rendering.
    CloneOf(&'a Instance),
    /// An instance for a single frame, optionally with the handle of its descriptor.
    Frame(Option<usize>),
}

impl Instance {
    /// Creates an instance by the action CreateInstance.
    ///
    /// Only the status OK counts as created, as in hosts that never destroy anything else.
    pub(crate) fn create(node: &Arc<NodeCore>, origin: &Origin<'_>) -> Result<Arc<Self>> {
        let props = match origin {
            Origin::CloneOf(original) => {
                let props = original.props.copy(format!("render copy of {}", node.name));
                if !node.profile().project_properties_on_clones {
                    zero_project(&props);
                }
                props
            }
            Origin::User | Origin::Frame(_) => instance_props(node),
        };
        let instance = Arc::new_cyclic(|weak| {
            let object = Object::Instance(weak.clone());
            let id = match origin {
                Origin::Frame(Some(number)) => HandleId::reuse(*number, object),
                _ => HandleId::new(object),
            };
            Self { props, node: Arc::clone(node), id }
        });
        let call = instance.action(ofx::Action::CreateInstance.as_str(), None);
        let (status, action) = node.plugin.call(call, None, None);
        if status != Status::OK {
            let status = if is_success(status) { Status::FAILED } else { status };
            node.plugin.check(ofx::Action::CreateInstance.as_str(), status, &action)?;
        }
        Ok(instance)
    }

    /// A call on this instance; the caller adds the arguments of the action.
    pub(crate) fn action(&self, name: &'static str, time: Option<f64>) -> Call {
        let action = Action {
            node: Some(Arc::clone(&self.node)),
            time,
            ..Action::new(name, self.node.host(), self.id.number())
        };
        Call { name, effect: self.id.number(), action, label: self.node.name.clone() }
    }

    /// Calls a simple action without arguments.
    pub(crate) fn simple(&self, name: &'static str) -> Result<()> {
        let (status, action) = self.node.plugin.call(self.action(name, None), None, None);
        self.node.plugin.check(name, status, &action)
    }

    pub(crate) fn destroy(&self) -> Result<()> {
        self.simple(ofx::Action::DestroyInstance.as_str())
    }
}

fn instance_props(node: &NodeCore) -> Arc<PropSet> {
    let props = PropSet::new(format!("instance {}", node.name));
    let profile = node.profile();
    let project = &node.project;
    props
        .text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeImageEffectInstance))
        .text(ofx::kOfxImageEffectPropContext, node.context.as_str())
        .ints(ofx::kOfxPropIsInteractive, &[0]);
    if profile.plugin_handle {
        props.pointer(ofx::kOfxImageEffectPropPluginHandle, node.descriptor.number());
    }
    if profile.project_properties {
        let area = project.canonical();
        props
            .doubles(ofx::kOfxImageEffectPropProjectSize, &[area.x2 - area.x1, area.y2 - area.y1])
            .doubles(ofx::kOfxImageEffectPropProjectOffset, &[area.x1, area.y1])
            .doubles(ofx::kOfxImageEffectPropProjectExtent, &[area.x2, area.y2])
            .doubles(ofx::kOfxImageEffectPropProjectPixelAspectRatio, &[project.par])
            .doubles(ofx::kOfxImageEffectInstancePropEffectDuration, &[project.frames.1 - project.frames.0 + 1.0])
            .doubles(ofx::kOfxImageEffectPropFrameRate, &[project.fps])
            .doubles(ofx::kOfxImageEffectPropFrameRange, &[project.frames.0, project.frames.1]);
    }
    props.seal();
    props
        .pointer(ofx::kOfxPropInstanceData, 0)
        .ints(ofx::kOfxImageEffectInstancePropSequentialRender, &[0])
        .ints(ofx::kOfxImageEffectPropSupportsTiles, &[tiles(node)]);
    if profile.names_nodes {
        props.text(ofx::kOfxPropLabel, &node.name);
    } else {
        props.text(ofx::kNatronOfxImageEffectPropInstanceId, "");
    }
    if let Some(sequential) = node.descriptor.props.int(ofx::kOfxImageEffectInstancePropSequentialRender) {
        props.put(ofx::kOfxImageEffectInstancePropSequentialRender, Values::Int(vec![sequential]));
    }
    props
}

fn tiles(node: &NodeCore) -> i32 {
    node.descriptor.props.int(ofx::kOfxImageEffectPropSupportsTiles).unwrap_or(1)
}

/// Sets the project's properties to 0, in copies of an instance in hosts that compute them on demand.
fn zero_project(props: &PropSet) {
    for name in [
        ofx::text(ofx::kOfxImageEffectPropProjectSize),
        ofx::text(ofx::kOfxImageEffectPropProjectOffset),
        ofx::text(ofx::kOfxImageEffectPropProjectExtent),
        ofx::text(ofx::kOfxImageEffectPropProjectPixelAspectRatio),
        ofx::text(ofx::kOfxImageEffectInstancePropEffectDuration),
        ofx::text(ofx::kOfxImageEffectPropFrameRate),
    ] {
        let count = props.get_doubles(name).len();
        props.put(name, Values::Double(vec![0.0; count]));
    }
}

//! One instance of an effect, as the plug-in knows it. A node may have several.

use std::sync::Arc;

use crate::action::Action;
use crate::ffi::handles::{HandleId, Object};
use crate::names;
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

/// How an instance comes to be.
pub(crate) enum Origin<'a> {
    /// The one that the user edits.
    User,
    /// A copy of it, made for rendering.
    CloneOf(&'a Instance),
    /// One for a single frame, perhaps under the handle of its descriptor.
    Frame(Option<usize>),
}

impl Instance {
    /// Makes an instance and sends CreateInstance.
    ///
    /// Only the status OK counts as made, as in hosts that never destroy anything else.
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
        let call = instance.action(names::ACTION_CREATE, None);
        let (status, action) = node.plugin.call(call, None, None);
        if status != Status::OK {
            let status = if status.is_success() { Status::FAILED } else { status };
            node.plugin.check(names::ACTION_CREATE, status, &action)?;
        }
        Ok(instance)
    }

    /// A call on this instance; the caller adds what the action needs.
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
        self.simple(names::ACTION_DESTROY)
    }
}

fn instance_props(node: &NodeCore) -> Arc<PropSet> {
    let props = PropSet::new(format!("instance {}", node.name));
    let profile = node.profile();
    let project = &node.project;
    props
        .text(names::TYPE, names::TYPE_INSTANCE)
        .text(names::CONTEXT, node.context.ofx_name())
        .ints(names::IS_INTERACTIVE, &[0]);
    if profile.plugin_handle {
        props.pointer(names::PLUGIN_HANDLE, node.descriptor.number());
    }
    if profile.project_properties {
        let area = project.canonical();
        props
            .doubles(names::PROJECT_SIZE, &[area.x2 - area.x1, area.y2 - area.y1])
            .doubles(names::PROJECT_OFFSET, &[area.x1, area.y1])
            .doubles(names::PROJECT_EXTENT, &[area.x2, area.y2])
            .doubles(names::PROJECT_PAR, &[project.par])
            .doubles(names::DURATION, &[project.frames.1 - project.frames.0 + 1.0])
            .doubles(names::FRAME_RATE, &[project.fps])
            .doubles(names::FRAME_RANGE, &[project.frames.0, project.frames.1]);
    }
    props.seal();
    props
        .pointer(names::INSTANCE_DATA, 0)
        .ints(names::SEQUENTIAL_RENDER, &[0])
        .ints(names::SUPPORTS_TILES, &[tiles(node)]);
    if profile.names_nodes {
        props.text(names::LABEL, &node.name);
    } else {
        props.text(names::NATRON_INSTANCE_ID, "");
    }
    if let Some(sequential) = node.descriptor.props.int(names::SEQUENTIAL_RENDER) {
        props.put(names::SEQUENTIAL_RENDER, Values::Int(vec![sequential]));
    }
    props
}

fn tiles(node: &NodeCore) -> i32 {
    node.descriptor.props.int(names::SUPPORTS_TILES).unwrap_or(1)
}

/// What a copy of an instance loses where the host computes it on demand.
fn zero_project(props: &PropSet) {
    for name in [
        names::PROJECT_SIZE,
        names::PROJECT_OFFSET,
        names::PROJECT_EXTENT,
        names::PROJECT_PAR,
        names::DURATION,
        names::FRAME_RATE,
    ] {
        let count = props.get_doubles(name).len();
        props.put(name, Values::Double(vec![0.0; count]));
    }
}

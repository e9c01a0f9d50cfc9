//! What a plug-in says about itself: properties, clips and parameters.

use std::sync::{Arc, Mutex, PoisonError};

use crate::ffi::handles::{HandleId, Object};
use crate::params::{Described, Kind, define};
use crate::profile::{Context, Planes, Profile};
use crate::props::PropSet;
use crate::{Components, Depth, names};

/// An effect descriptor, of a plug-in or of a plug-in in one context.
pub(crate) struct Descriptor {
    pub props: Arc<PropSet>,
    pub param_set: HandleId,
    pub param_set_props: Arc<PropSet>,
    profile: Profile,
    id: HandleId,
    contents: Mutex<Contents>,
}

#[derive(Default)]
struct Contents {
    clips: Vec<(String, Arc<PropSet>)>,
    params: Vec<Described>,
}

impl Descriptor {
    /// An empty descriptor for the Describe action.
    pub(crate) fn new(plugin: &str, path: &str, profile: &Profile) -> Arc<Self> {
        let props = PropSet::new(format!("descriptor of {plugin}"));
        props.text(names::TYPE, names::TYPE_EFFECT).text(names::FILE_PATH, path).seal();
        props
            .text(names::LABEL, plugin)
            .text(names::SHORT_LABEL, plugin)
            .text(names::LONG_LABEL, plugin)
            .ints(names::VERSION, &[0, 0, 0])
            .text(names::VERSION_LABEL, "")
            .text(names::PLUGIN_DESCRIPTION, "")
            .texts(names::ICON, &[])
            .texts(names::SUPPORTED_CONTEXTS, &[])
            .text(names::GROUPING, "")
            .ints(names::SINGLE_INSTANCE, &[0])
            .text(names::THREAD_SAFETY, names::RENDER_INSTANCE_SAFE)
            .ints(names::FRAME_THREADING, &[1])
            .ints(names::SUPPORTS_MULTIRES, &[1])
            .ints(names::SUPPORTS_TILES, &[1])
            .ints(names::TEMPORAL_ACCESS, &[0])
            .texts(names::SUPPORTED_DEPTHS, &[])
            .ints(names::FIELD_TWICE, &[1])
            .ints(names::MULTIPLE_DEPTHS, &[0])
            .ints(names::MULTIPLE_PARS, &[0])
            .texts(names::SLAVE_PARAM, &[])
            .pointer(names::OVERLAY_V1, 0)
            .pointer(names::OVERLAY_V2, 0)
            .text(names::NO_SPATIAL, "false");
        if profile.planes != Planes::None {
            props.ints(names::MULTI_PLANAR, &[0]);
        }
        if profile.sequential_on_descriptor {
            props.ints(names::SEQUENTIAL_RENDER, &[0]);
        }
        Self::build(props, profile)
    }

    /// A descriptor for DescribeInContext, which starts from what Describe said.
    pub(crate) fn in_context(&self, context: Context) -> Arc<Self> {
        let props = self.props.copy(format!("{} in context {}", self.props.label, context.name()));
        props.text(names::CONTEXT, context.ofx_name()).seal_some(&[names::CONTEXT]);
        Self::build(props, &self.profile)
    }

    fn build(props: Arc<PropSet>, profile: &Profile) -> Arc<Self> {
        let param_set_props = PropSet::new("parameter set");
        param_set_props.texts(names::PARAM_PAGE_ORDER, &[]).ints(names::PARAM_NEEDS_SYNCING, &[0]);
        Arc::new_cyclic(|weak| Self {
            props,
            param_set: HandleId::new(Object::DescribedParams(weak.clone())),
            param_set_props,
            profile: profile.clone(),
            id: HandleId::new(Object::Descriptor(weak.clone())),
            contents: Mutex::default(),
        })
    }

    pub(crate) fn number(&self) -> usize {
        self.id.number()
    }

    fn with<R>(&self, f: impl FnOnce(&mut Contents) -> R) -> R {
        f(&mut self.contents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A new clip's properties; nothing if the name is taken.
    pub(crate) fn define_clip(&self, name: &str) -> Option<Arc<PropSet>> {
        self.with(|contents| {
            if contents.clips.iter().any(|(clip, _)| clip == name) {
                return None;
            }
            let props = PropSet::new(format!("clip {name}"));
            props.text(names::TYPE, names::TYPE_CLIP).text(names::NAME, name).seal();
            props
                .text(names::LABEL, name)
                .text(names::SHORT_LABEL, name)
                .text(names::LONG_LABEL, name)
                .texts(names::SUPPORTED_COMPONENTS, &[])
                .ints(names::TEMPORAL_ACCESS, &[0])
                .ints(names::CLIP_OPTIONAL, &[0])
                .ints(names::CLIP_MASK, &[0])
                .text(names::CLIP_FIELD_EXTRACTION, names::FIELD_DOUBLED)
                .ints(names::SUPPORTS_TILES, &[1]);
            contents.clips.push((name.to_owned(), Arc::clone(&props)));
            Some(props)
        })
    }

    /// A new parameter's properties; nothing if the name is taken.
    pub(crate) fn define_param(&self, kind: Kind, name: &str) -> Option<Arc<PropSet>> {
        self.with(|contents| {
            if contents.params.iter().any(|param| param.name == name) {
                return None;
            }
            let described = define(kind, name, &self.profile);
            let props = Arc::clone(&described.props);
            contents.params.push(described);
            Some(props)
        })
    }

    pub(crate) fn param(&self, name: &str) -> Option<Described> {
        self.with(|contents| contents.params.iter().find(|param| param.name == name).cloned())
    }

    pub(crate) fn params(&self) -> Vec<Described> {
        self.with(|contents| contents.params.clone())
    }

    pub(crate) fn clips(&self) -> Vec<(String, Arc<PropSet>)> {
        self.with(|contents| contents.clips.clone())
    }

    /// Whether the plug-in renders planes beside colour.
    pub(crate) fn multi_planar(&self) -> bool {
        self.props.int(names::MULTI_PLANAR) == Some(1)
    }

    /// Contexts that the plug-in declares and the host knows.
    pub(crate) fn contexts(&self) -> Vec<Context> {
        let declared = self.props.get_texts(names::SUPPORTED_CONTEXTS);
        declared.iter().filter_map(|name| Context::from_ofx(name)).collect()
    }

    /// Depths that the plug-in declares and the host handles; all of the host's where
    /// the plug-in says nothing.
    pub(crate) fn depths(&self) -> Vec<Depth> {
        let declared = self.props.get_texts(names::SUPPORTED_DEPTHS);
        let host = self.profile.depths.iter().copied();
        if declared.is_empty() {
            return host.collect();
        }
        let named: Vec<Depth> = declared.iter().filter_map(|name| Depth::from_ofx(name)).collect();
        host.filter(|depth| named.contains(depth)).collect()
    }

    /// Components that a clip takes and the host handles.
    pub(crate) fn components(&self, clip: &PropSet) -> Vec<Components> {
        let declared = clip.get_texts(names::SUPPORTED_COMPONENTS);
        let host = self.profile.components.iter().copied();
        if declared.is_empty() {
            return host.collect();
        }
        let named: Vec<Components> = declared.iter().filter_map(|name| Components::from_ofx(name)).collect();
        host.filter(|components| named.contains(components)).collect()
    }
}

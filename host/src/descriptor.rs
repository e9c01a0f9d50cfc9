//! Description of a plug-in: properties, clips and parameters.

use std::sync::{Arc, Mutex, PoisonError};

use flow_openfx as ofx;

use crate::Context;
use crate::Kind;
use crate::ffi::handles::{HandleId, Object};
use crate::names::Named as _;
use crate::params::{Described, define};
use crate::profile::{Planes, Profile};
use crate::props::PropSet;
use crate::{Components, Depth};

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
    cameras: Vec<(String, Arc<PropSet>)>,
    params: Vec<Described>,
}

impl Descriptor {
    /// An empty descriptor for the Describe action.
    pub(crate) fn new(plugin: &str, path: &str, profile: &Profile) -> Arc<Self> {
        let props = PropSet::new(format!("descriptor of {plugin}"));
        props
            .text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeImageEffect))
            .text(ofx::kOfxPluginPropFilePath, path)
            .seal();
        props
            .text(ofx::kOfxPropLabel, plugin)
            .text(ofx::kOfxPropShortLabel, plugin)
            .text(ofx::kOfxPropLongLabel, plugin)
            .ints(ofx::kOfxPropVersion, &[0, 0, 0])
            .text(ofx::kOfxPropVersionLabel, "")
            .text(ofx::kOfxPropPluginDescription, "")
            .texts(ofx::kOfxPropIcon, &[])
            .texts(ofx::kOfxImageEffectPropSupportedContexts, &[])
            .text(ofx::kOfxImageEffectPluginPropGrouping, "")
            .ints(ofx::kOfxImageEffectPluginPropSingleInstance, &[0])
            .text(ofx::kOfxImageEffectPluginRenderThreadSafety, ofx::ThreadSafety::InstanceSafe.as_str())
            .ints(ofx::kOfxImageEffectPluginPropHostFrameThreading, &[1])
            .ints(ofx::kOfxImageEffectPropSupportsMultiResolution, &[1])
            .ints(ofx::kOfxImageEffectPropSupportsTiles, &[1])
            .ints(ofx::kOfxImageEffectPropTemporalClipAccess, &[0])
            .texts(ofx::kOfxImageEffectPropSupportedPixelDepths, &[])
            .ints(ofx::kOfxImageEffectPluginPropFieldRenderTwiceAlways, &[1])
            .ints(ofx::kOfxImageEffectPropSupportsMultipleClipDepths, &[0])
            .ints(ofx::kOfxImageEffectPropSupportsMultipleClipPARs, &[0])
            .texts(ofx::kOfxImageEffectPropClipPreferencesSlaveParam, &[])
            .pointer(ofx::kOfxImageEffectPluginPropOverlayInteractV1, 0)
            .pointer(ofx::kOfxImageEffectPluginPropOverlayInteractV2, 0)
            .text(ofx::kOfxImageEffectPropNoSpatialAwareness, "false");
        if profile.planes != Planes::None {
            props.ints(ofx::kFnOfxImageEffectPropMultiPlanar, &[0]);
        }
        if profile.sequential_on_descriptor {
            props.ints(ofx::kOfxImageEffectInstancePropSequentialRender, &[0]);
        }
        Self::build(props, profile)
    }

    /// A descriptor for DescribeInContext, which starts from the result of Describe.
    pub(crate) fn in_context(&self, context: Context) -> Arc<Self> {
        let props = self.props.copy(format!("{} in context {}", self.props.label, context.name()));
        props
            .text(ofx::kOfxImageEffectPropContext, context.as_str())
            .seal_some(&[ofx::text(ofx::kOfxImageEffectPropContext)]);
        Self::build(props, &self.profile)
    }

    fn build(props: Arc<PropSet>, profile: &Profile) -> Arc<Self> {
        let param_set_props = PropSet::new("parameter set");
        param_set_props.texts(ofx::kOfxPluginPropParamPageOrder, &[]).ints(ofx::kOfxPropParamSetNeedsSyncing, &[0]);
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

    /// A new clip's properties; `None` if the name is taken.
    pub(crate) fn define_clip(&self, name: &str) -> Option<Arc<PropSet>> {
        self.with(|contents| {
            if contents.clips.iter().any(|(clip, _)| clip == name) {
                return None;
            }
            let props = PropSet::new(format!("clip {name}"));
            props.text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeClip)).text(ofx::kOfxPropName, name).seal();
            props
                .text(ofx::kOfxPropLabel, name)
                .text(ofx::kOfxPropShortLabel, name)
                .text(ofx::kOfxPropLongLabel, name)
                .texts(ofx::kOfxImageEffectPropSupportedComponents, &[])
                .ints(ofx::kOfxImageEffectPropTemporalClipAccess, &[0])
                .ints(ofx::kOfxImageClipPropOptional, &[0])
                .ints(ofx::kOfxImageClipPropIsMask, &[0])
                .text(ofx::kOfxImageClipPropFieldExtraction, ofx::Field::Doubled.as_str())
                .ints(ofx::kOfxImageEffectPropSupportsTiles, &[1]);
            contents.clips.push((name.to_owned(), Arc::clone(&props)));
            Some(props)
        })
    }

    /// A new camera input's properties; `None` if the name is taken.
    pub(crate) fn define_camera(&self, name: &str) -> Option<Arc<PropSet>> {
        self.with(|contents| {
            if contents.cameras.iter().any(|(camera, _)| camera == name) {
                return None;
            }
            let props = PropSet::new(format!("camera {name}"));
            let kind = ofx::text(ofx::kNukeOfxTypeCamera.to_bytes_with_nul());
            props.text(ofx::kOfxPropType, kind).text(ofx::kOfxPropName, name).seal();
            props
                .text(ofx::kOfxPropLabel, name)
                .text(ofx::kOfxPropShortLabel, name)
                .text(ofx::kOfxPropLongLabel, name)
                .ints(ofx::kOfxImageClipPropOptional, &[0]);
            contents.cameras.push((name.to_owned(), Arc::clone(&props)));
            Some(props)
        })
    }

    /// A new parameter's properties; `None` if the name is taken.
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

    pub(crate) fn cameras(&self) -> Vec<(String, Arc<PropSet>)> {
        self.with(|contents| contents.cameras.clone())
    }

    /// Whether the plug-in renders planes other than colour.
    pub(crate) fn multi_planar(&self) -> bool {
        self.props.int(ofx::kFnOfxImageEffectPropMultiPlanar) == Some(1)
    }

    /// Contexts that the plug-in declares and the host supports.
    pub(crate) fn contexts(&self) -> Vec<Context> {
        let declared = self.props.get_texts(ofx::kOfxImageEffectPropSupportedContexts);
        declared.iter().filter_map(|name| Context::parse(name)).collect()
    }

    /// Depths that the plug-in declares and the host supports; all of the host's if
    /// the plug-in declares none.
    pub(crate) fn depths(&self) -> Vec<Depth> {
        let declared = self.props.get_texts(ofx::kOfxImageEffectPropSupportedPixelDepths);
        let host = self.profile.depths.iter().copied();
        if declared.is_empty() {
            return host.collect();
        }
        let named: Vec<Depth> = declared.iter().filter_map(|name| Depth::parse(name)).collect();
        host.filter(|depth| named.contains(depth)).collect()
    }

    /// Components that a clip accepts and the host supports.
    pub(crate) fn components(&self, clip: &PropSet) -> Vec<Components> {
        let declared = clip.get_texts(ofx::kOfxImageEffectPropSupportedComponents);
        let host = self.profile.components.iter().copied();
        if declared.is_empty() {
            return host.collect();
        }
        let named: Vec<Components> = declared.iter().filter_map(|name| Components::parse(name)).collect();
        host.filter(|components| named.contains(components)).collect()
    }
}

//! Descriptions of an effect and of its clips.

use std::{
    ffi::CStr,
    ptr::{self, NonNull},
};

use flow_openfx as sys;

use super::{
    Components, Context, Depth, ThreadSafety,
    error::{Result, call},
    handle,
    host::Host,
    property::PropertySet,
};

/// Declares methods that set one property each and return the descriptor: `method(value: type) property = expression;`.
macro_rules! setters {
    ($($(#[$meta:meta])* $method:ident($value:ident: $type:ty) $property:ident = $argument:expr;)*) => {
        $(
            $(#[$meta])*
            pub fn $method(self, $value: $type) -> Self {
                self.properties.try_set(flow_openfx::$property, [$argument]);
                self
            }
        )*
    };
}
pub(super) use setters;

/// Sets the three labels of an effect, a clip or a parameter.
pub(super) fn set_labels(properties: &PropertySet<'_>, label: &'static CStr) {
    properties.try_set(sys::kOfxPropLabel, [label]);
    properties.try_set(sys::kOfxPropShortLabel, [label]);
    properties.try_set(sys::kOfxPropLongLabel, [label]);
}

/// The description of an effect, in `describe` and `describe_in_context`.
///
/// Parameters are defined by the methods named after their types, clips by [`clip`](Self::clip). A property that the
/// host lacks is logged, and the description continues. All strings are `'static`, because hosts keep the pointers.
#[derive(Clone, Copy, Debug)]
pub struct EffectDescriptor<'d> {
    host: &'d Host,
    handle: NonNull<sys::OfxImageEffectStruct>,
    properties: PropertySet<'d>,
}

impl<'d> EffectDescriptor<'d> {
    /// # Errors
    ///
    /// The host gives no property set.
    ///
    /// # Safety
    ///
    /// `handle` is the descriptor of an effect, valid for `'d`, and `'d` lies within a describe action on its thread.
    pub(super) unsafe fn new(host: &'d Host, handle: NonNull<sys::OfxImageEffectStruct>) -> Result<Self> {
        // SAFETY: the caller's promise.
        let properties = unsafe { handle::properties(host, handle, "descriptor properties") }?;
        Ok(Self { host, handle, properties })
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &'d Host {
        self.host
    }

    pub(super) fn properties(&self) -> &PropertySet<'d> {
        &self.properties
    }

    pub(super) fn raw(&self) -> sys::OfxImageEffectHandle {
        self.handle.as_ptr()
    }

    pub(super) fn param_set(&self) -> Result<sys::OfxParamSetHandle> {
        handle::param_set(self.host, self.handle.as_ptr())
    }

    /// The name for users.
    pub fn label(self, label: &'static CStr) -> Self {
        set_labels(&self.properties, label);
        self
    }

    /// File names of the icon in the bundle's folder of resources, an SVG and a PNG. Some hosts ignore the property and
    /// look for files named after the effect's identifier.
    pub fn icon(self, svg: &'static CStr, png: &'static CStr) -> Self {
        self.properties.try_set(sys::kOfxPropIcon, [svg, png]);
        self
    }

    /// The contexts in which the effect can be used.
    pub fn contexts(self, contexts: &[Context]) -> Self {
        let names = contexts.iter().map(|context| context.as_cstr());
        self.properties.try_set(sys::kOfxImageEffectPropSupportedContexts, names);
        self
    }

    /// The pixel depths that the effect reads and writes, the preferred depth first. Depths that the host does not
    /// offer are left out, unless that would leave none.
    pub fn depths(self, depths: &[Depth]) -> Self {
        let offered = &self.host.info().depths;
        let known = |depth: &&Depth| offered.iter().any(|name| name == depth.as_str());
        let any = depths.iter().any(|depth| known(&depth));
        let names = depths.iter().filter(|depth| !any || known(depth)).map(|depth| depth.as_cstr());
        self.properties.try_set(sys::kOfxImageEffectPropSupportedPixelDepths, names);
        self
    }

    setters! {
        /// The menu of the effect; submenus follow slashes.
        grouping(grouping: &'static CStr) kOfxImageEffectPluginPropGrouping = grouping;
        /// The explanation for users.
        description(description: &'static CStr) kOfxPropPluginDescription = description;
        /// Whether planes other than colour are rendered. Only if [`Host::has_planes`].
        multi_planar(multiple: bool) kFnOfxImageEffectPropMultiPlanar = multiple;
        /// A parameter whose edits change the clip preferences.
        clip_preferences_follow(parameter: &'static CStr) kOfxImageEffectPropClipPreferencesSlaveParam = parameter;
        /// The number of concurrent renders.
        thread_safety(safety: ThreadSafety) kOfxImageEffectPluginRenderThreadSafety = safety.as_cstr();
        /// Whether the host may split a frame into windows that it renders concurrently.
        host_frame_threading(split: bool) kOfxImageEffectPluginPropHostFrameThreading = split;
        /// Whether only one instance may exist at a time.
        single_instance(single: bool) kOfxImageEffectPluginPropSingleInstance = single;
        /// Whether frames should be rendered in order: 0 no, 1 required, 2 preferred.
        sequential_render(preference: i32) kOfxImageEffectInstancePropSequentialRender = preference;
        /// Whether images at other times than the rendered time are fetched.
        temporal_clip_access(temporal: bool) kOfxImageEffectPropTemporalClipAccess = temporal;
        /// Whether clips may differ in size.
        supports_multi_resolution(multi: bool) kOfxImageEffectPropSupportsMultiResolution = multi;
        /// Whether partial images can be rendered and read.
        supports_tiles(tiles: bool) kOfxImageEffectPropSupportsTiles = tiles;
        /// Whether clips may differ in depth.
        supports_multiple_clip_depths(multiple: bool) kOfxImageEffectPropSupportsMultipleClipDepths = multiple;
        /// Whether clips may differ in pixel aspect ratio.
        supports_multiple_clip_pars(multiple: bool) kOfxImageEffectPropSupportsMultipleClipPARs = multiple;
    }

    /// Defines a clip, in `describe_in_context`. Nuke takes its format from the first clip.
    ///
    /// # Errors
    ///
    /// The host refuses the name.
    pub fn clip(&self, name: &'static CStr) -> Result<ClipDescriptor<'_>> {
        let (effect, mut properties) = (self.handle.as_ptr(), ptr::null_mut());
        // SAFETY: ofxImageEffect.h: a valid descriptor, a C string, and space for a handle.
        unsafe { call!(self.host.effect(), clipDefine(effect, name.as_ptr(), &raw mut properties), name) }?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the descriptor.
        let properties = unsafe { PropertySet::new(self.host, properties, "clip properties") }?;
        Ok(ClipDescriptor { properties })
    }
}

/// The description of a clip. Each method sets one property; a property that the host lacks is logged.
#[derive(Clone, Copy, Debug)]
#[must_use = "chain the description of the clip, or drop it with `let _`"]
pub struct ClipDescriptor<'d> {
    properties: PropertySet<'d>,
}

impl ClipDescriptor<'_> {
    /// The name for users.
    pub fn label(self, label: &'static CStr) -> Self {
        set_labels(&self.properties, label);
        self
    }

    /// The components that the clip may have, the preferred components first.
    pub fn components(self, components: &[Components]) -> Self {
        let names = components.iter().map(|components| components.as_cstr());
        self.properties.try_set(sys::kOfxImageEffectPropSupportedComponents, names);
        self
    }

    /// Adds motion vectors to the components that the clip may have, for hosts that agree on planes by components.
    /// `index` is the number of components set before.
    pub fn motion_components(self, index: usize) -> Self {
        self.add_components(index, sys::kFnOfxImageComponentMotionVectors)
    }

    /// Adds two channels to the components that the clip may have. `index` is the number of components set before.
    pub fn two_channels(self, index: usize) -> Self {
        self.add_components(index, sys::kNatronOfxImageComponentXY)
    }

    fn add_components(self, index: usize, components: &'static CStr) -> Self {
        self.properties.try_set_at(sys::kOfxImageEffectPropSupportedComponents, index, components);
        self
    }

    setters! {
        /// Whether the effect works without a connection to the clip.
        optional(optional: bool) kOfxImageClipPropOptional = optional;
        /// Whether the clip is a matte.
        mask(mask: bool) kOfxImageClipPropIsMask = mask;
        /// Whether images at other times than the rendered time are fetched.
        temporal_access(temporal: bool) kOfxImageEffectPropTemporalClipAccess = temporal;
        /// Whether partial images can be read.
        supports_tiles(tiles: bool) kOfxImageEffectPropSupportsTiles = tiles;
    }
}

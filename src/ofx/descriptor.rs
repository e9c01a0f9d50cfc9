//! Describing an effect and its clips.

use std::{
    ffi::CStr,
    ptr::{self, NonNull},
};

use super::{
    ffi::{extra, sys},
    format::{Components, Context, Depth, ThreadSafety},
    handle,
    host::Host,
    names,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// An effect that is being described, in `describe` and `describe_in_context`.
///
/// Parameters are defined by the methods named after their types, clips by [`clip`](Self::clip). A setter whose property
/// the host lacks is told of in the log, and the description goes on. Hosts keep the strings, so they are all `'static`.
#[derive(Debug)]
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
        let get = host.effect().getPropertySet.ok_or(Error::MissingFunction("getPropertySet"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: takes a valid effect, says the caller, and a place for a handle.
        let status = unsafe { get(handle.as_ptr(), &raw mut properties) };
        Status(status).check("getPropertySet", c"descriptor")?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the descriptor.
        let properties = unsafe { PropertySet::new(host, properties, "descriptor properties") }?;
        Ok(Self { host, handle, properties })
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &'d Host {
        self.host
    }

    /// The properties, for what has no method here.
    #[must_use]
    pub fn properties(&self) -> &PropertySet<'d> {
        &self.properties
    }

    pub(super) fn param_set(&self) -> Result<sys::OfxParamSetHandle> {
        handle::param_set(self.host, self.handle.as_ptr())
    }

    fn flag(&mut self, name: &CStr, value: bool) -> &mut Self {
        self.properties.try_set_int(name, 0, value.into());
        self
    }

    fn text(&mut self, name: &CStr, value: &'static CStr) -> &mut Self {
        self.properties.try_set_string(name, 0, value);
        self
    }

    /// The name that users read.
    pub fn label(&mut self, label: &'static CStr) -> &mut Self {
        self.text(names::LABEL, label).text(names::SHORT_LABEL, label).text(names::LONG_LABEL, label)
    }

    /// The menu that the effect is found in; submenus after slashes.
    pub fn grouping(&mut self, grouping: &'static CStr) -> &mut Self {
        self.text(names::GROUPING, grouping)
    }

    /// The explanation that users read.
    pub fn description(&mut self, description: &'static CStr) -> &mut Self {
        self.text(names::PLUGIN_DESCRIPTION, description)
    }

    /// Names of the icon's files in the bundle's folder of resources, an SVG and a PNG; a host that draws none lacks the
    /// property, and some look for files of the effect's identifier whatever is said here.
    pub fn icon(&mut self, svg: &'static CStr, png: &'static CStr) -> &mut Self {
        self.properties.try_set_string(names::ICON, 0, svg);
        self.properties.try_set_string(names::ICON, 1, png);
        self
    }

    /// Whether planes other than colour are written. Only where [`Host::has_planes`].
    pub fn multi_planar(&mut self, multiple: bool) -> &mut Self {
        self.flag(extra::kFnOfxImageEffectPropMultiPlanar, multiple)
    }

    /// The contexts that the effect can be used in.
    pub fn contexts(&mut self, contexts: &[Context]) -> &mut Self {
        for (index, context) in contexts.iter().enumerate() {
            self.properties.try_set_string(names::SUPPORTED_CONTEXTS, index, context.as_cstr());
        }
        self
    }

    /// The pixel depths that the effect reads and writes, the preferred first. Those that the host does not offer are
    /// left out, unless that left none.
    pub fn depths(&mut self, depths: &[Depth]) -> &mut Self {
        let offered = &self.host.info().depths;
        let known = |depth: &&Depth| offered.iter().any(|name| name.as_bytes() == depth.as_cstr().to_bytes());
        let any = depths.iter().any(|depth| known(&depth));
        for (index, depth) in depths.iter().filter(|depth| !any || known(depth)).enumerate() {
            self.properties.try_set_string(names::SUPPORTED_PIXEL_DEPTHS, index, depth.as_cstr());
        }
        self
    }

    /// A parameter whose edits change the clip preferences.
    pub fn clip_preferences_follow(&mut self, parameter: &'static CStr) -> &mut Self {
        self.text(names::CLIP_PREFERENCES_SLAVE_PARAM, parameter)
    }

    /// How many renders may run at once.
    pub fn thread_safety(&mut self, safety: ThreadSafety) -> &mut Self {
        self.text(names::RENDER_THREAD_SAFETY, safety.as_cstr())
    }

    /// Whether the host may split a frame into windows that it renders at once.
    pub fn host_frame_threading(&mut self, split: bool) -> &mut Self {
        self.flag(names::HOST_FRAME_THREADING, split)
    }

    /// Whether only one instance may exist at a time.
    pub fn single_instance(&mut self, single: bool) -> &mut Self {
        self.flag(names::SINGLE_INSTANCE, single)
    }

    /// Whether frames should be rendered in order: 0 no need, 1 only so, 2 preferred.
    pub fn sequential_render(&mut self, wish: i32) -> &mut Self {
        self.properties.try_set_int(names::SEQUENTIAL_RENDER, 0, wish);
        self
    }

    /// Whether images at other times than the rendered one are fetched.
    pub fn temporal_clip_access(&mut self, temporal: bool) -> &mut Self {
        self.flag(names::TEMPORAL_CLIP_ACCESS, temporal)
    }

    /// Whether clips may differ in size.
    pub fn supports_multi_resolution(&mut self, multi: bool) -> &mut Self {
        self.flag(names::SUPPORTS_MULTI_RESOLUTION, multi)
    }

    /// Whether parts of images can be rendered and read.
    pub fn supports_tiles(&mut self, tiles: bool) -> &mut Self {
        self.flag(names::SUPPORTS_TILES, tiles)
    }

    /// Whether clips may differ in depth.
    pub fn supports_multiple_clip_depths(&mut self, multiple: bool) -> &mut Self {
        self.flag(names::SUPPORTS_MULTIPLE_CLIP_DEPTHS, multiple)
    }

    /// Whether clips may differ in pixel aspect ratio.
    pub fn supports_multiple_clip_pars(&mut self, multiple: bool) -> &mut Self {
        self.flag(names::SUPPORTS_MULTIPLE_CLIP_PARS, multiple)
    }

    /// Defines a clip, in `describe_in_context`. Nuke takes its format from the first one.
    ///
    /// # Errors
    ///
    /// The host refuses the name.
    pub fn clip(&self, name: &'static CStr) -> Result<ClipDescriptor<'_>> {
        let define = self.host.effect().clipDefine.ok_or(Error::MissingFunction("clipDefine"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: a valid descriptor, a C string, and a place for a handle.
        let status = unsafe { define(self.handle.as_ptr(), name.as_ptr(), &raw mut properties) };
        Status(status).check("clipDefine", name)?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the descriptor.
        let properties = unsafe { PropertySet::new(self.host, properties, "clip properties") }?;
        Ok(ClipDescriptor { properties })
    }
}

/// A clip that is being described. Each method sets one property; a host that lacks it is told of in the log.
#[derive(Clone, Copy, Debug)]
#[must_use = "chain the description of the clip, or drop it with `let _`"]
pub struct ClipDescriptor<'d> {
    properties: PropertySet<'d>,
}

impl<'d> ClipDescriptor<'d> {
    /// The properties, for what has no method here.
    #[must_use]
    pub fn properties(&self) -> &PropertySet<'d> {
        &self.properties
    }

    fn flag(self, name: &CStr, value: bool) -> Self {
        self.properties.try_set_int(name, 0, value.into());
        self
    }

    /// The name that users read.
    pub fn label(self, label: &'static CStr) -> Self {
        for name in [names::LABEL, names::SHORT_LABEL, names::LONG_LABEL] {
            self.properties.try_set_string(name, 0, label);
        }
        self
    }

    /// The components that the clip may have, the preferred first.
    pub fn components(self, components: &[Components]) -> Self {
        for (index, components) in components.iter().enumerate() {
            self.properties.try_set_string(names::SUPPORTED_COMPONENTS, index, components.as_cstr());
        }
        self
    }

    /// That the clip may have motion vectors, too: in hosts that agree on planes by components. `place` is the number of
    /// those that were named before.
    pub fn motion_components(self, place: usize) -> Self {
        self.properties.try_set_string(names::SUPPORTED_COMPONENTS, place, extra::kFnOfxImageComponentMotionVectors);
        self
    }

    /// That the clip may have two channels, too. `place` is the number of components that were named before.
    pub fn two_channels(self, place: usize) -> Self {
        self.properties.try_set_string(names::SUPPORTED_COMPONENTS, place, extra::kNatronOfxImageComponentXY);
        self
    }

    /// Whether the effect works with nothing wired to the clip.
    pub fn optional(self, optional: bool) -> Self {
        self.flag(names::CLIP_OPTIONAL, optional)
    }

    /// Whether the clip is a matte.
    pub fn mask(self, mask: bool) -> Self {
        self.flag(names::CLIP_IS_MASK, mask)
    }

    /// Whether images at other times than the rendered one are fetched.
    pub fn temporal_access(self, temporal: bool) -> Self {
        self.flag(names::TEMPORAL_CLIP_ACCESS, temporal)
    }

    /// Whether parts of images can be read.
    pub fn supports_tiles(self, tiles: bool) -> Self {
        self.flag(names::SUPPORTS_TILES, tiles)
    }
}

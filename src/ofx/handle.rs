//! An effect during one action: access to the host's knowledge of the effect.

use std::{
    ffi::c_void,
    fmt,
    ptr::{self, NonNull},
    sync::atomic::AtomicBool,
};

use flow_openfx::{self as sys, Action, Name, Status};

use super::{
    error::{Error, Result, call},
    geometry::{RangeD, RectD},
    host::Host,
    property::PropertySet,
};

/// An effect instance during one action.
///
/// The handle stays on the thread of the action: OpenFX forbids calls to the host on other threads. An instance keeps
/// its [`Clip`](super::Clip)s and [`Param`](super::Param)s, which are used with this handle only. No lock may be held
/// while a method of this layer is called: hosts hold locks too.
pub struct EffectHandle<'a> {
    host: &'a Host,
    handle: NonNull<sys::OfxImageEffectStruct>,
    id: u64,
    action: Action,
    view: i32,
    posted: &'a AtomicBool,
}

impl fmt::Debug for EffectHandle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EffectHandle").field("id", &self.id).field("action", &self.action).finish_non_exhaustive()
    }
}

impl<'a> EffectHandle<'a> {
    /// # Safety
    ///
    /// `handle` is an effect instance of `host`, valid for `'a`, and `'a` lies within `action` on its thread.
    pub(super) unsafe fn new(
        host: &'a Host,
        handle: NonNull<sys::OfxImageEffectStruct>,
        id: u64,
        action: Action,
        posted: &'a AtomicBool,
    ) -> Self {
        Self { host, handle, id, action, view: 0, posted }
    }

    /// The same handle for an action about a view.
    pub(super) fn in_view(self, view: i32) -> Self {
        Self { view, ..self }
    }

    /// The view that the action is about, such as the left or the right eye; 0 in hosts without views.
    pub(super) fn view(&self) -> i32 {
        self.view
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &'a Host {
        self.host
    }

    /// A number that no other instance of this process has or had.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The current action.
    #[must_use]
    pub fn action(&self) -> Action {
        self.action
    }

    pub(super) fn raw(&self) -> sys::OfxImageEffectHandle {
        self.handle.as_ptr()
    }

    pub(super) fn raw_void(&self) -> *mut c_void {
        self.handle.as_ptr().cast()
    }

    /// Whether this instance may have posted a persistent message.
    pub(super) fn posted(&self) -> &AtomicBool {
        self.posted
    }

    /// Checks that OpenFX allows `call`, which changes parameters or shows progress, in the current action.
    pub(super) fn may_write(&self, call: &'static str) -> Result<()> {
        if self.action.may_write() { Ok(()) } else { Err(Error::NotNow(call)) }
    }

    /// The properties of the instance.
    ///
    /// # Errors
    ///
    /// The host gives none.
    pub fn properties(&self) -> Result<PropertySet<'_>> {
        // SAFETY: the effect is valid during the action: the invariant of `self`.
        unsafe { properties(self.host, self.handle, "effect properties") }
    }

    pub(super) fn param_set(&self) -> Result<sys::OfxParamSetHandle> {
        param_set(self.host, self.raw())
    }

    /// Whether the host asks to stop the action; to be polled at every step. After true the action returns `Ok` soon:
    /// the host discards the incomplete image, and would show an error to the user.
    #[must_use]
    pub fn abort(&self) -> bool {
        // SAFETY: ofxImageEffect.h: takes a valid effect, within an action on its thread: the invariant of `self`.
        self.host.effect().abort.is_some_and(|abort| unsafe { abort(self.raw()) } != 0)
    }

    /// The project's extent in canonical coordinates, from the host's offset and size (or extent); `None` without one
    /// or for an empty one, as in render clones of Natron and all instances of MLT.
    #[must_use]
    pub fn project(&self) -> Option<RectD> {
        let properties = self.properties().ok()?;
        let [width, height] = properties
            .doubles(sys::kOfxImageEffectPropProjectSize)
            .ok()
            .filter(|[width, height]: &[f64; 2]| *width > 0.0 && *height > 0.0)
            .or_else(|| properties.doubles(sys::kOfxImageEffectPropProjectExtent).ok())?;
        let [x, y] = properties.doubles(sys::kOfxImageEffectPropProjectOffset).unwrap_or_default();
        let rect = RectD { x1: x, y1: y, x2: x + width, y2: y + height };
        (!rect.is_empty() && rect.is_finite()).then_some(rect)
    }

    /// The node's name in its graph, if the host has one.
    #[must_use]
    pub fn instance_name(&self) -> Option<String> {
        let properties = self.properties().ok()?;
        [sys::kNatronOfxImageEffectPropInstanceId, sys::kOfxPropLabel.c_str()]
            .into_iter()
            .filter_map(|name| properties.get_string(name, 0).ok())
            .find(|name| !name.is_empty())
    }

    /// The frames of the timeline, both ends inclusive; `None` in a host without timeline.
    #[must_use]
    pub fn timeline_bounds(&self) -> Option<RangeD> {
        let get = self.host.time_line()?.getTimeBounds?;
        let mut range = RangeD::default();
        // SAFETY: ofxTimeLine.h: takes an effect instance as void pointer and space for two doubles.
        let status = unsafe { get(self.raw_void(), &raw mut range.min, &raw mut range.max) };
        (Status(status) == Status::OK && range.min <= range.max).then_some(range)
    }

    /// Sets on the instance whether partial images are rendered. In some hosts the instance's default of true overrides
    /// the descriptor.
    pub fn set_supports_tiles(&self, tiles: bool) {
        if let Ok(properties) = self.properties() {
            properties.try_set(sys::kOfxImageEffectPropSupportsTiles, [tiles]);
        }
    }

    /// Sets on the instance whether frames should be rendered in order: 0 no, 1 required, 2 preferred.
    pub fn set_sequential_render(&self, preference: i32) {
        if let Ok(properties) = self.properties() {
            properties.try_set(sys::kOfxImageEffectInstancePropSequentialRender, [preference]);
        }
    }
}

/// The properties of an effect or of its descriptor; `what` names them in the error.
///
/// # Safety
///
/// `effect` is an effect or descriptor of `host`, valid for `'a`.
pub(super) unsafe fn properties<'a>(
    host: &'a Host,
    effect: NonNull<sys::OfxImageEffectStruct>,
    what: &'static str,
) -> Result<PropertySet<'a>> {
    let mut properties = ptr::null_mut();
    // SAFETY: ofxImageEffect.h: takes a valid effect, as the caller promises, and space for a handle.
    unsafe { call!(host.effect(), getPropertySet(effect.as_ptr(), &raw mut properties), c"effect") }?;
    // SAFETY: ofxImageEffect.h: the set lives as long as the effect.
    unsafe { PropertySet::new(host, properties, what) }
}

/// The parameter set of an effect or of its descriptor.
pub(super) fn param_set(host: &Host, effect: sys::OfxImageEffectHandle) -> Result<sys::OfxParamSetHandle> {
    let mut set = ptr::null_mut();
    // SAFETY: ofxImageEffect.h: takes a valid effect, which the callers hold, and space for a handle.
    unsafe { call!(host.effect(), getParamSet(effect, &raw mut set), c"effect") }?;
    if set.is_null() { Err(Error::BadHandle("parameter set")) } else { Ok(set) }
}

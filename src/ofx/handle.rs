//! An effect during one action: the way to everything that the host knows about it.

use std::{
    ffi::{CStr, c_void},
    fmt,
    ptr::{self, NonNull},
    sync::atomic::AtomicBool,
};

use super::{
    action::Action,
    ffi::{extra, sys},
    format::Context,
    geometry::{RangeD, RectD},
    host::Host,
    names,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// An effect instance, for the duration of one action.
///
/// It cannot leave the thread that the host called the action on, because OpenFX allows calls into the host nowhere else:
/// [`Clip`](super::Clip)s and [`Param`](super::Param)s are kept by the instance and usable with this handle only. Nothing
/// may be locked while a method of this layer is called: hosts lock too.
pub struct EffectHandle<'a> {
    host: &'a Host,
    handle: NonNull<sys::OfxImageEffectStruct>,
    id: u64,
    action: Action,
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
        Self { host, handle, id, action, posted }
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

    /// The action that is under way.
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

    pub(super) fn posted(&self) -> &AtomicBool {
        self.posted
    }

    /// Fails where `call` would change a parameter during an action in which OpenFX forbids that.
    pub(super) fn may_write(&self, call: &'static str) -> Result<()> {
        if self.action.may_write() { Ok(()) } else { Err(Error::NotNow(call)) }
    }

    /// The instance's properties.
    ///
    /// # Errors
    ///
    /// The host gives none.
    pub fn properties(&self) -> Result<PropertySet<'_>> {
        let get = self.host.effect().getPropertySet.ok_or(Error::MissingFunction("getPropertySet"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: takes a valid effect (the invariant of `self`) and a place for a handle.
        let status = unsafe { get(self.raw(), &raw mut properties) };
        Status(status).check("getPropertySet", c"effect")?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the effect.
        unsafe { PropertySet::new(self.host, properties, "effect properties") }
    }

    pub(super) fn param_set(&self) -> Result<sys::OfxParamSetHandle> {
        param_set(self.host, self.raw())
    }

    /// The context of this instance, or `None` where the host doesn't say.
    #[must_use]
    pub fn context(&self) -> Option<Context> {
        let name = self.properties().and_then(|properties| properties.get_string(names::CONTEXT, 0)).ok()?;
        Context::parse(&name)
    }

    /// Whether the host wants the action to stop: poll it at every step. On true return `Ok` soon; what is half done is
    /// thrown away by the host. A failure would be shown to the user instead.
    #[must_use]
    pub fn abort(&self) -> bool {
        // SAFETY: ofxImageEffect.h: takes a valid effect, within an action on its thread: the invariant of `self`.
        self.host.effect().abort.is_some_and(|abort| unsafe { abort(self.raw()) } != 0)
    }

    /// The project's extent in canonical coordinates, from the offset and size (or extent) that the host gives; `None`
    /// where it gives none or an empty one: render clones in Natron and every instance in MLT.
    #[must_use]
    pub fn project(&self) -> Option<RectD> {
        let properties = self.properties().ok()?;
        let [width, height] = properties
            .doubles(names::PROJECT_SIZE)
            .ok()
            .filter(|[width, height]: &[f64; 2]| *width > 0.0 && *height > 0.0)
            .or_else(|| properties.doubles(names::PROJECT_EXTENT).ok())?;
        let [x, y] = properties.doubles(names::PROJECT_OFFSET).unwrap_or_default();
        let rect = RectD { x1: x, y1: y, x2: x + width, y2: y + height };
        (!rect.is_empty() && rect.is_finite()).then_some(rect)
    }

    /// The project's pixel aspect ratio, or `None` where the host gives none above 0.
    #[must_use]
    pub fn project_pixel_aspect(&self) -> Option<f64> {
        let properties = self.properties().ok()?;
        let ratio = properties.get_double(names::PROJECT_PIXEL_ASPECT_RATIO, 0).ok()?;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// The frame rate, or `None` where the host gives none above 0.
    #[must_use]
    pub fn frame_rate(&self) -> Option<f64> {
        let properties = self.properties().ok()?;
        let rate = properties.get_double(names::FRAME_RATE, 0).ok()?;
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// The effect's duration in frames, or `None` where the host gives none above 0.
    #[must_use]
    pub fn duration(&self) -> Option<f64> {
        let properties = self.properties().ok()?;
        let duration = properties.get_double(names::EFFECT_DURATION, 0).ok()?;
        (duration.is_finite() && duration > 0.0).then_some(duration)
    }

    /// The node's name in its graph, where the host tells it.
    #[must_use]
    pub fn instance_name(&self) -> Option<String> {
        let properties = self.properties().ok()?;
        let given = [extra::kNatronOfxImageEffectPropInstanceId, names::LABEL]
            .into_iter()
            .filter_map(|name| properties.get_string(name, 0).ok());
        given.into_iter().find(|name| !name.is_empty())
    }

    /// The frames of the timeline, both ends inclusive, or `None` where the host has no timeline.
    #[must_use]
    pub fn timeline_bounds(&self) -> Option<RangeD> {
        let get = self.host.time_line()?.getTimeBounds?;
        let mut range = RangeD::default();
        // SAFETY: ofxTimeLine.h: takes an effect instance as void pointer and places for two doubles.
        let status = unsafe { get(self.raw_void(), &raw mut range.min, &raw mut range.max) };
        (Status(status) == Status::OK && range.min <= range.max).then_some(range)
    }

    /// The frame that the timeline shows, or `None` where the host has no timeline. In a render use the render's time,
    /// which is another.
    #[must_use]
    pub fn timeline_time(&self) -> Option<f64> {
        let get = self.host.time_line()?.getTime?;
        let mut time = 0.0;
        // SAFETY: ofxTimeLine.h: takes an effect instance as void pointer and a place for a double.
        let status = unsafe { get(self.raw_void(), &raw mut time) };
        (Status(status) == Status::OK).then_some(time)
    }

    /// Says on the instance that partial images are not rendered. Some hosts let the instance's default of "yes"
    /// shadow the descriptor.
    pub fn set_supports_tiles(&self, tiles: bool) {
        if let Ok(properties) = self.properties() {
            properties.try_set_int(names::SUPPORTS_TILES, 0, tiles.into());
        }
    }

    /// Says on the instance whether frames should be rendered in order: 0 no need, 1 only so, 2 preferred.
    pub fn set_sequential_render(&self, wish: i32) {
        if let Ok(properties) = self.properties() {
            properties.try_set_int(names::SEQUENTIAL_RENDER, 0, wish);
        }
    }
}

/// The parameter set of an effect or of its descriptor.
pub(super) fn param_set(host: &Host, effect: sys::OfxImageEffectHandle) -> Result<sys::OfxParamSetHandle> {
    let get = host.effect().getParamSet.ok_or(Error::MissingFunction("getParamSet"))?;
    let mut set = ptr::null_mut();
    // SAFETY: ofxImageEffect.h: takes a valid effect, which the callers hold, and a place for a handle.
    let status = unsafe { get(effect, &raw mut set) };
    Status(status).check("getParamSet", c"effect")?;
    if set.is_null() { Err(Error::BadHandle("parameter set")) } else { Ok(set) }
}

/// The first string of a property as an enum, where the host gives one that is known.
pub(super) fn parse<T>(properties: &PropertySet<'_>, name: &CStr, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    parse(&properties.get_string(name, 0).ok()?)
}

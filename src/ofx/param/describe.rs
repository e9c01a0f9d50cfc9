//! Describing parameters.

use std::{ffi::CStr, ptr};

use crate::ofx::{
    descriptor::EffectDescriptor,
    format::{CacheInvalidation, Coordinates, DoubleType, StringMode},
    names,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// What a number may be, and what its slider shows. Hosts clamp to narrow ranges of their own where either is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T> {
    /// The values that are possible, inclusive.
    pub range: (T, T),
    /// The values that the slider shows, inclusive.
    pub display: (T, T),
}

impl<T: Copy> Bounds<T> {
    /// The same possible and shown values.
    #[must_use]
    pub const fn new(min: T, max: T) -> Self {
        Self { range: (min, max), display: (min, max) }
    }

    /// The same possible values, with a slider over others.
    #[must_use]
    pub const fn display(self, min: T, max: T) -> Self {
        Self { range: self.range, display: (min, max) }
    }
}

/// A parameter that is being described. Each method sets one property; a host that lacks it is told of in the log, and
/// the description goes on.
#[derive(Clone, Copy, Debug)]
#[must_use = "chain the description of the parameter, or drop it with `let _`"]
pub struct ParamDescriptor<'d> {
    properties: PropertySet<'d>,
}

impl<'d> EffectDescriptor<'d> {
    /// Defines a parameter.
    fn define(&self, kind: &'static CStr, name: &'static CStr) -> Result<ParamDescriptor<'_>> {
        let define = self.host().param().paramDefine.ok_or(Error::MissingFunction("paramDefine"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxParam.h: a valid parameter set of a descriptor, two C strings, and a place for a handle.
        let status = unsafe { define(self.param_set()?, kind.as_ptr(), name.as_ptr(), &raw mut properties) };
        Status(status).check("paramDefine", name)?;
        // SAFETY: ofxParam.h: the set lives as long as the descriptor.
        let properties = unsafe { PropertySet::new(self.host(), properties, "parameter properties") }?;
        Ok(ParamDescriptor { properties }.label(name).script_name(name))
    }

    /// A whole number. Animates unless told otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn int(&self, name: &'static CStr, default: i32, bounds: Bounds<i32>) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_INTEGER, name)?.animates(true);
        let set = |property, value| param.properties.try_set_int(property, 0, value);
        set(names::PARAM_DEFAULT, default);
        set(names::PARAM_MIN, bounds.range.0);
        set(names::PARAM_MAX, bounds.range.1);
        set(names::PARAM_DISPLAY_MIN, bounds.display.0);
        set(names::PARAM_DISPLAY_MAX, bounds.display.1);
        Ok(param)
    }

    /// A number. Animates unless told otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn double(&self, name: &'static CStr, default: f64, bounds: Bounds<f64>) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_DOUBLE, name)?.animates(true);
        Ok(param.doubles(names::PARAM_DEFAULT, &[default]).ranges::<1>(bounds))
    }

    /// Two numbers, such as a position. Animates unless told otherwise. The bounds hold for both.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn double_2d(
        &self,
        name: &'static CStr,
        default: [f64; 2],
        bounds: Bounds<f64>,
    ) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_DOUBLE_2D, name)?.animates(true);
        Ok(param.doubles(names::PARAM_DEFAULT, &default).ranges::<2>(bounds))
    }

    /// A colour. Animates unless told otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn rgb(&self, name: &'static CStr, default: [f64; 3], bounds: Bounds<f64>) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_RGB, name)?.animates(true);
        Ok(param.doubles(names::PARAM_DEFAULT, &default).ranges::<3>(bounds))
    }

    /// A switch. Does not animate unless told otherwise; a host that can't animate it leaves it still.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn boolean(&self, name: &'static CStr, default: bool) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_BOOLEAN, name)?.animates(false);
        param.properties.try_set_int(names::PARAM_DEFAULT, 0, default.into());
        Ok(param)
    }

    /// A menu. Does not animate unless told otherwise; a host that can't animate it leaves it still. Options may be appended in later
    /// versions, never moved: projects keep the index.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn choice(&self, name: &'static CStr, default: i32, options: &[&'static CStr]) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_CHOICE, name)?.animates(false);
        for (index, option) in options.iter().enumerate() {
            param.properties.try_set_string(names::PARAM_CHOICE_OPTION, index, option);
        }
        param.properties.try_set_int(names::PARAM_DEFAULT, 0, default);
        Ok(param)
    }

    /// A text. Does not animate.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn string(&self, name: &'static CStr, default: &'static CStr, mode: StringMode) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_STRING, name)?.animates(false);
        param.properties.try_set_string(names::PARAM_STRING_MODE, 0, mode.as_cstr());
        param.properties.try_set_string(names::PARAM_DEFAULT, 0, default);
        Ok(param)
    }

    /// A button, which acts in `instance_changed`. Some hosts have none.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn push_button(&self, name: &'static CStr) -> Result<ParamDescriptor<'_>> {
        self.define(names::PARAM_PUSH_BUTTON, name)
    }

    /// A group, the parent of other parameters; `open` where it is shown unfolded at first.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn group(&self, name: &'static CStr, open: bool) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_GROUP, name)?;
        param.properties.try_set_int(names::PARAM_GROUP_OPEN, 0, open.into());
        Ok(param)
    }

    /// A page with parameters in their order. Some hosts have none.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn page(&self, name: &'static CStr, children: &[&'static CStr]) -> Result<ParamDescriptor<'_>> {
        let param = self.define(names::PARAM_PAGE, name)?;
        for (index, child) in children.iter().enumerate() {
            param.properties.try_set_string(names::PARAM_PAGE_CHILD, index, child);
        }
        Ok(param)
    }
}

impl<'d> ParamDescriptor<'d> {
    /// The properties, for what has no method here.
    #[must_use]
    pub fn properties(&self) -> &PropertySet<'d> {
        &self.properties
    }

    fn int_property(self, name: &CStr, value: i32) -> Self {
        self.properties.try_set_int(name, 0, value);
        self
    }

    fn string_property(self, name: &CStr, value: &'static CStr) -> Self {
        self.properties.try_set_string(name, 0, value);
        self
    }

    fn doubles(self, name: &CStr, values: &[f64]) -> Self {
        for (index, &value) in values.iter().enumerate() {
            self.properties.try_set_double(name, index, value);
        }
        self
    }

    fn ranges<const N: usize>(self, bounds: Bounds<f64>) -> Self {
        self.doubles(names::PARAM_MIN, &[bounds.range.0; N])
            .doubles(names::PARAM_MAX, &[bounds.range.1; N])
            .doubles(names::PARAM_DISPLAY_MIN, &[bounds.display.0; N])
            .doubles(names::PARAM_DISPLAY_MAX, &[bounds.display.1; N])
    }

    /// The name that users read; the parameter's own name until then.
    pub fn label(self, label: &'static CStr) -> Self {
        self.string_property(names::LABEL, label)
            .string_property(names::SHORT_LABEL, label)
            .string_property(names::LONG_LABEL, label)
    }

    /// The explanation that users read.
    pub fn hint(self, hint: &'static CStr) -> Self {
        self.string_property(names::PARAM_HINT, hint)
    }

    /// The name that scripts use; the parameter's own name until then.
    pub fn script_name(self, name: &'static CStr) -> Self {
        self.string_property(names::PARAM_SCRIPT_NAME, name)
    }

    /// The group that the parameter is shown in.
    pub fn parent(self, group: &'static CStr) -> Self {
        self.string_property(names::PARAM_PARENT, group)
    }

    /// Whether the parameter can be animated.
    pub fn animates(self, animates: bool) -> Self {
        self.int_property(names::PARAM_ANIMATES, animates.into())
    }

    /// Whether the parameter is hidden; Nuke never shows it again.
    pub fn secret(self, secret: bool) -> Self {
        self.int_property(names::PARAM_SECRET, secret.into())
    }

    /// Whether the parameter can be changed by the user.
    pub fn enabled(self, enabled: bool) -> Self {
        self.int_property(names::PARAM_ENABLED, enabled.into())
    }

    /// Whether a change renders the picture anew.
    pub fn evaluate_on_change(self, evaluate: bool) -> Self {
        self.int_property(names::PARAM_EVALUATE_ON_CHANGE, evaluate.into())
    }

    /// Whether the value is saved with the project.
    pub fn persistent(self, persistent: bool) -> Self {
        self.int_property(names::PARAM_PERSISTENT, persistent.into())
    }

    /// Whether a change can be undone.
    pub fn can_undo(self, undo: bool) -> Self {
        self.int_property(names::PARAM_CAN_UNDO, undo.into())
    }

    /// What a change makes stale in the host's caches.
    pub fn cache_invalidation(self, invalidation: CacheInvalidation) -> Self {
        self.string_property(names::PARAM_CACHE_INVALIDATION, invalidation.as_cstr())
    }

    /// By how much a number changes per click.
    pub fn increment(self, increment: f64) -> Self {
        self.doubles(names::PARAM_INCREMENT, &[increment])
    }

    /// How many digits a number shows after the point.
    pub fn digits(self, digits: i32) -> Self {
        self.int_property(names::PARAM_DIGITS, digits)
    }

    /// What a number measures.
    pub fn double_type(self, double_type: DoubleType) -> Self {
        self.string_property(names::PARAM_DOUBLE_TYPE, double_type.as_cstr())
    }

    /// The coordinates of a position's default. Hosts that lack the property (Resolve) take it as it is given.
    pub fn default_coordinates(self, coordinates: Coordinates) -> Self {
        self.string_property(names::PARAM_DEFAULT_COORDINATES, coordinates.as_cstr())
    }

    /// Whether the host should draw a handle for a position.
    pub fn host_overlay(self, draw: bool) -> Self {
        self.int_property(names::PARAM_USE_HOST_OVERLAY, draw.into())
    }

    /// Whether the file that a path names must be there; false for files to be written.
    pub fn file_exists(self, exists: bool) -> Self {
        self.int_property(names::PARAM_STRING_FILE_PATH_EXISTS, exists.into())
    }
}

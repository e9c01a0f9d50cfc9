//! Descriptions of parameters.

use std::{ffi::CStr, ptr};

use flow_openfx::{self as sys, ParamType};

use crate::ofx::{
    CacheInvalidation, Coordinates, DoubleType, StringMode,
    descriptor::{EffectDescriptor, set_labels, setters},
    error::{Result, call},
    property::{PropertySet, PropertyValue},
};

/// The range of a number and of its slider. If either is missing, hosts clamp to a narrow default range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T> {
    /// The possible values, inclusive.
    pub range: (T, T),
    /// The values of the slider, inclusive.
    pub display: (T, T),
}

impl<T: Copy> Bounds<T> {
    /// One range for the number and its slider.
    #[must_use]
    pub const fn new(min: T, max: T) -> Self {
        Self { range: (min, max), display: (min, max) }
    }

    /// The same possible values with another slider range.
    #[must_use]
    pub const fn display(self, min: T, max: T) -> Self {
        Self { range: self.range, display: (min, max) }
    }
}

/// The description of a parameter. Each method sets one property. A property that the host lacks is logged, and the
/// description continues.
#[derive(Clone, Copy, Debug)]
#[must_use = "chain the description of the parameter, or drop it with `let _`"]
pub struct ParamDescriptor<'d> {
    properties: PropertySet<'d>,
}

impl<'d> EffectDescriptor<'d> {
    /// Defines a parameter, whose name is also its label and script name until these are set.
    fn define(&self, kind: ParamType, name: &'static CStr) -> Result<ParamDescriptor<'_>> {
        let (set, kind, mut properties) = (self.param_set()?, kind.as_cstr().as_ptr(), ptr::null_mut());
        // SAFETY: ofxParam.h: a valid parameter set of a descriptor, two C strings, and space for a handle.
        unsafe { call!(self.host().param(), paramDefine(set, kind, name.as_ptr(), &raw mut properties), name) }?;
        // SAFETY: ofxParam.h: the set lives as long as the descriptor.
        let properties = unsafe { PropertySet::new(self.host(), properties, "parameter properties") }?;
        Ok(ParamDescriptor { properties }.label(name).script_name(name))
    }

    /// Defines numbers with one default for each dimension and the same bounds for all dimensions. They animate unless
    /// set otherwise.
    fn numbers<V: PropertyValue + Copy, const N: usize>(
        &self,
        kind: ParamType,
        name: &'static CStr,
        default: [V; N],
        bounds: Bounds<V>,
    ) -> Result<ParamDescriptor<'_>> {
        let param = self.define(kind, name)?.animates(true);
        let properties = &param.properties;
        properties.try_set(sys::kOfxParamPropDefault, default);
        properties.try_set(sys::kOfxParamPropMin, [bounds.range.0; N]);
        properties.try_set(sys::kOfxParamPropMax, [bounds.range.1; N]);
        properties.try_set(sys::kOfxParamPropDisplayMin, [bounds.display.0; N]);
        properties.try_set(sys::kOfxParamPropDisplayMax, [bounds.display.1; N]);
        Ok(param)
    }

    /// Defines a whole number. It animates unless set otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn int(&self, name: &'static CStr, default: i32, bounds: Bounds<i32>) -> Result<ParamDescriptor<'_>> {
        self.numbers(ParamType::Integer, name, [default], bounds)
    }

    /// Defines a number. It animates unless set otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn double(&self, name: &'static CStr, default: f64, bounds: Bounds<f64>) -> Result<ParamDescriptor<'_>> {
        self.numbers(ParamType::Double, name, [default], bounds)
    }

    /// Defines two numbers, such as a position, with bounds for both. They animate unless set otherwise.
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
        self.numbers(ParamType::Double2D, name, default, bounds)
    }

    /// Defines three numbers, such as a translation, with bounds for all. They animate unless set otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn double_3d(
        &self,
        name: &'static CStr,
        default: [f64; 3],
        bounds: Bounds<f64>,
    ) -> Result<ParamDescriptor<'_>> {
        self.numbers(ParamType::Double3D, name, default, bounds)
    }

    /// Defines a colour. It animates unless set otherwise.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn rgb(&self, name: &'static CStr, default: [f64; 3], bounds: Bounds<f64>) -> Result<ParamDescriptor<'_>> {
        self.numbers(ParamType::Rgb, name, default, bounds)
    }

    /// Defines a switch. It does not animate unless set otherwise, and in some hosts never.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn boolean(&self, name: &'static CStr, default: bool) -> Result<ParamDescriptor<'_>> {
        let param = self.define(ParamType::Boolean, name)?.animates(false);
        param.properties.try_set(sys::kOfxParamPropDefault, [default]);
        Ok(param)
    }

    /// Defines a menu. It does not animate unless set otherwise, and in some hosts never. Later versions may append
    /// options, but not move them: projects store the index.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn choice(&self, name: &'static CStr, default: i32, options: &[&'static CStr]) -> Result<ParamDescriptor<'_>> {
        let param = self.define(ParamType::Choice, name)?.animates(false);
        param.properties.try_set(sys::kOfxParamPropChoiceOption, options.iter().copied());
        param.properties.try_set(sys::kOfxParamPropDefault, [default]);
        Ok(param)
    }

    /// Defines a text. It does not animate.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn string(&self, name: &'static CStr, default: &'static CStr, mode: StringMode) -> Result<ParamDescriptor<'_>> {
        let param = self.define(ParamType::String, name)?.animates(false);
        param.properties.try_set(sys::kOfxParamPropStringMode, [mode.as_cstr()]);
        param.properties.try_set(sys::kOfxParamPropDefault, [default]);
        Ok(param)
    }

    /// Defines a button, which acts in `instance_changed`. Some hosts have no buttons.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn push_button(&self, name: &'static CStr) -> Result<ParamDescriptor<'_>> {
        self.define(ParamType::PushButton, name)
    }

    /// Defines a group, the parent of other parameters; `open` tells whether it is unfolded at first.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn group(&self, name: &'static CStr, open: bool) -> Result<ParamDescriptor<'_>> {
        let param = self.define(ParamType::Group, name)?;
        param.properties.try_set(sys::kOfxParamPropGroupOpen, [open]);
        Ok(param)
    }

    /// Defines a page of ordered parameters. Some hosts have no pages.
    ///
    /// # Errors
    ///
    /// As every definition: the host refuses the type or the name.
    pub fn page(&self, name: &'static CStr, children: &[&'static CStr]) -> Result<ParamDescriptor<'_>> {
        let param = self.define(ParamType::Page, name)?;
        param.properties.try_set(sys::kOfxParamPropPageChild, children.iter().copied());
        Ok(param)
    }
}

impl ParamDescriptor<'_> {
    /// The name for users.
    pub fn label(self, label: &'static CStr) -> Self {
        set_labels(&self.properties, label);
        self
    }

    setters! {
        /// The explanation for users.
        hint(hint: &'static CStr) kOfxParamPropHint = hint;
        /// The name in scripts.
        script_name(name: &'static CStr) kOfxParamPropScriptName = name;
        /// The group of the parameter.
        parent(group: &'static CStr) kOfxParamPropParent = group;
        /// Whether the parameter can be animated.
        animates(animates: bool) kOfxParamPropAnimates = animates;
        /// Whether the parameter is hidden; Nuke never shows it again.
        secret(secret: bool) kOfxParamPropSecret = secret;
        /// Whether the user can change the parameter.
        enabled(enabled: bool) kOfxParamPropEnabled = enabled;
        /// Whether a change causes a new render.
        evaluate_on_change(evaluate: bool) kOfxParamPropEvaluateOnChange = evaluate;
        /// Whether the project stores the value.
        persistent(persistent: bool) kOfxParamPropPersistant = persistent;
        /// Whether a change can be undone.
        can_undo(undo: bool) kOfxParamPropCanUndo = undo;
        /// The frames of the host's cache that a change invalidates.
        cache_invalidation(frames: CacheInvalidation) kOfxParamPropCacheInvalidation = frames.as_cstr();
        /// The change of a number per click.
        increment(increment: f64) kOfxParamPropIncrement = increment;
        /// The number of digits after the point.
        digits(digits: i32) kOfxParamPropDigits = digits;
        /// The quantity that a number measures.
        double_type(double_type: DoubleType) kOfxParamPropDoubleType = double_type.as_cstr();
        /// The coordinates of a position's default. Hosts without the property (Resolve) take the default as canonical.
        default_coordinates(system: Coordinates) kOfxParamPropDefaultCoordinateSystem = system.as_cstr();
        /// Whether the host should draw a handle for a position.
        host_overlay(draw: bool) kOfxParamPropUseHostOverlayHandle = draw;
        /// Whether the file of a path has to exist; false for files to be written.
        file_exists(exists: bool) kOfxParamPropStringFilePathExists = exists;
    }
}

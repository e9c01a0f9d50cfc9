//! Values and keys of an instance's parameters, and their state in the panel.

use std::{
    ffi::{CStr, CString, c_char, c_int},
    fmt,
    marker::PhantomData,
    ptr::{self, NonNull},
};

use flow_openfx::{self as sys, ParamType, Status};

use crate::ofx::{
    error::{Error, Result, call, check},
    handle::EffectHandle,
    property::PropertySet,
};

/// A parameter of an instance. `create_instance` fetches a parameter once; every use takes the [`EffectHandle`] of the
/// current action of the same instance.
///
/// `V` is `f64`, `i32`, `bool`, [`Choice`], `[f64; 2]`, [`Triple`], `[f64; 3]` (a colour) or `String`, or [`AnyValue`] for
/// a parameter without value (groups, buttons).
pub struct Param<V> {
    handle: NonNull<sys::OfxParamStruct>,
    name: &'static CStr,
    owner: u64,
    value: PhantomData<fn() -> V>,
}

// SAFETY: the handle is used through an `EffectHandle` only, which stays on the thread of its action. ofxParam.h:
// parameter handles live as long as their instance, on all threads.
unsafe impl<V> Send for Param<V> {}
// SAFETY: as above; no field changes.
unsafe impl<V> Sync for Param<V> {}

impl<V> Clone for Param<V> {
    fn clone(&self) -> Self {
        Self { handle: self.handle, name: self.name, owner: self.owner, value: PhantomData }
    }
}

impl<V> fmt::Debug for Param<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Param").field(&self.name).finish()
    }
}

/// The index of an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice(pub i32);

/// Three numbers that are no colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triple(pub [f64; 3]);

/// The value type of a parameter whose value is not used, or that has none.
#[derive(Clone, Copy, Debug)]
pub struct AnyValue;

/// The largest number of values of a parameter.
const MOST_VALUES: usize = 4;

/// Memory for the values of a parameter. Every call passes all addresses, whatever the type: a host whose parameter has
/// more dimensions than expected then still writes to this memory.
#[derive(Default)]
#[repr(C, align(8))]
pub struct ValueBuffer([u64; MOST_VALUES]);

impl ValueBuffer {
    fn int(&self) -> i32 {
        let bytes = self.0[0].to_ne_bytes();
        c_int::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn doubles<const N: usize>(&self) -> [f64; N] {
        std::array::from_fn(|index| f64::from_bits(self.0[index]))
    }

    fn addresses(&mut self) -> [*mut u64; MOST_VALUES] {
        self.0.each_mut().map(ptr::from_mut)
    }
}

/// paramSetValue: takes a parameter, then the value as C arguments.
type Setter = unsafe extern "C" fn(sys::OfxParamHandle, ...) -> sys::OfxStatus;

/// A value type of parameters.
pub trait ParamValue: Sized + sealed::Sealed {
    /// The type of the parameter.
    const TYPE: ParamType;

    /// # Safety
    ///
    /// `values` were written by a host's parameter of this type.
    #[doc(hidden)]
    unsafe fn read(values: &ValueBuffer) -> Option<Self>;

    /// # Safety
    ///
    /// `set` takes `param` and then the value as this type's C arguments.
    #[doc(hidden)]
    unsafe fn write(&self, set: Setter, param: sys::OfxParamHandle) -> i32;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! value {
    ($type:ty, $param_type:ident, |$values:ident| $read:expr, |$value:ident| ($($argument:expr),*)) => {
        impl sealed::Sealed for $type {}
        impl ParamValue for $type {
            const TYPE: ParamType = ParamType::$param_type;

            unsafe fn read($values: &ValueBuffer) -> Option<Self> {
                $read
            }

            unsafe fn write(&self, set: Setter, param: sys::OfxParamHandle) -> i32 {
                let $value = self;
                // SAFETY: ofxParam.h, paramSetValue: the arguments of this type; the host copies a string.
                unsafe { set(param, $($argument),*) }
            }
        }
    };
}

value!(f64, Double, |values| Some(values.doubles::<1>()[0]), |value| (*value));
value!(i32, Integer, |values| Some(values.int()), |value| (*value));
value!(bool, Boolean, |values| Some(values.int() != 0), |value| (c_int::from(*value)));
value!(Choice, Choice, |values| Some(Choice(values.int())), |value| (value.0));
value!([f64; 2], Double2D, |values| Some(values.doubles()), |value| (value[0], value[1]));
value!(Triple, Double3D, |values| Some(Triple(values.doubles())), |value| (value.0[0], value.0[1], value.0[2]));
value!([f64; 3], Rgb, |values| Some(values.doubles()), |value| (value[0], value[1], value[2]));
value!(
    String,
    String,
    |values| {
        let text = ptr::with_exposed_provenance::<c_char>(usize::try_from(values.0[0]).ok()?);
        if text.is_null() {
            return None;
        }
        // SAFETY: ofxParam.h, paramGetValue: a NUL-terminated string, valid until the next use of the parameter; the
        // copy is made at once.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    },
    |value| (CString::new(value.replace('\0', " ")).unwrap_or_default().as_ptr())
);

impl EffectHandle<'_> {
    /// The parameter `name` of this instance, with values of type `V`.
    ///
    /// # Errors
    ///
    /// There is no parameter of that name, or the host holds it with another type.
    pub fn param<V: ParamValue>(&self, name: &'static CStr) -> Result<Param<V>> {
        let param = self.any_param(name)?;
        let found = param.properties(self).and_then(|properties| properties.get_string(sys::kOfxParamPropType, 0));
        // A host without the property has the type of the description only.
        if let Ok(found) = found
            && found != V::TYPE.as_str()
        {
            let name = name.to_string_lossy().into_owned();
            return Err(Error::ParamType { name, found, wanted: V::TYPE.as_str() });
        }
        Ok(Param { handle: param.handle, name, owner: param.owner, value: PhantomData })
    }

    /// The parameter `name` of this instance, of any type.
    ///
    /// # Errors
    ///
    /// There is no parameter of that name; some hosts drop buttons and pages.
    pub fn any_param(&self, name: &'static CStr) -> Result<Param<AnyValue>> {
        let (set, no_properties, mut handle) = (self.param_set()?, ptr::null_mut(), ptr::null_mut());
        // SAFETY: ofxParam.h: a valid parameter set, a C string, space for a handle, and null for the property set.
        unsafe {
            call!(self.host().param(), paramGetHandle(set, name.as_ptr(), &raw mut handle, no_properties), name)
        }?;
        let handle = NonNull::new(handle).ok_or(Error::BadHandle("parameter"))?;
        Ok(Param { handle, name, owner: self.id(), value: PhantomData })
    }
}

impl<V> Param<V> {
    fn raw(&self, effect: &EffectHandle<'_>) -> Result<sys::OfxParamHandle> {
        if effect.id() == self.owner {
            Ok(self.handle.as_ptr())
        } else {
            Err(Error::Foreign(self.name.to_string_lossy().into_owned()))
        }
    }

    /// The properties of the parameter.
    ///
    /// # Errors
    ///
    /// The host gives none, or the parameter belongs to another instance.
    pub fn properties<'e>(&self, effect: &'e EffectHandle<'_>) -> Result<PropertySet<'e>> {
        let (param, suite) = (self.raw(effect)?, effect.host().param());
        let mut properties = ptr::null_mut();
        // SAFETY: ofxParam.h: a valid parameter (`raw` checks that its instance is in an action) and space for a
        // handle.
        unsafe { call!(suite, paramGetPropertySet(param, &raw mut properties), self.name) }?;
        // SAFETY: ofxParam.h: the set lives as long as the parameter.
        unsafe { PropertySet::new(effect.host(), properties, "parameter properties") }
    }

    /// Enables or disables the parameter in the panel. Main thread only.
    ///
    /// # Errors
    ///
    /// The host refuses, a render is in progress, or the parameter belongs to another instance.
    pub fn set_enabled(&self, effect: &EffectHandle<'_>, enabled: bool) -> Result<()> {
        effect.may_write("disabling a parameter")?;
        self.properties(effect)?.set(sys::kOfxParamPropEnabled, 0, enabled)
    }

    /// Hides or shows the parameter in the panel. Main thread only.
    ///
    /// # Errors
    ///
    /// The host refuses, a render is in progress, or the parameter belongs to another instance.
    pub fn set_secret(&self, effect: &EffectHandle<'_>, secret: bool) -> Result<()> {
        effect.may_write("hiding a parameter")?;
        self.properties(effect)?.set(sys::kOfxParamPropSecret, 0, secret)
    }

    /// The number of keys of the parameter. A host that may lack paramGetNumKeys is asked only for a parameter with the
    /// property of being animated; other parameters of that host have no keys.
    ///
    /// # Errors
    ///
    /// The call failed, or the parameter belongs to another instance.
    pub fn num_keys(&self, effect: &EffectHandle<'_>) -> Result<usize> {
        let (param, host, mut count) = (self.raw(effect)?, effect.host(), 0);
        if !host.info().has_all_calls() && !self.properties(effect)?.flag(sys::kOfxParamPropIsAnimating) {
            return Ok(0);
        }
        // SAFETY: ofxParam.h: a valid parameter and space for an unsigned int.
        unsafe { call!(host.param(), paramGetNumKeys(param, &raw mut count), self.name) }?;
        Ok(count as usize)
    }

    /// The time of key `index`, counted from 0.
    ///
    /// # Errors
    ///
    /// There is no such key, the call failed, or the parameter belongs to another instance.
    pub fn key_time(&self, effect: &EffectHandle<'_>, index: usize) -> Result<f64> {
        let (param, suite, mut time) = (self.raw(effect)?, effect.host().param(), 0.0);
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        // SAFETY: ofxParam.h: a valid parameter, an index that the host checks, and space for a double.
        unsafe { call!(suite, paramGetKeyTime(param, index, &raw mut time), self.name) }?;
        Ok(time)
    }

    /// Deletes the key at `time`. Main thread only.
    ///
    /// # Errors
    ///
    /// There is no such key, the host refuses, a render is in progress, or the parameter belongs to another instance.
    pub fn delete_key(&self, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
        effect.may_write("removing a key")?;
        let param = self.raw(effect)?;
        // SAFETY: ofxParam.h: a valid parameter and a time.
        unsafe { call!(effect.host().param(), paramDeleteKey(param, time), self.name) }
    }
}

impl<V: ParamValue> Param<V> {
    /// The value at `time`; the only way to read a value in a render.
    ///
    /// # Errors
    ///
    /// The host refuses or holds a null string, or the parameter belongs to another instance.
    pub fn value_at(&self, effect: &EffectHandle<'_>, time: f64) -> Result<V> {
        let (param, suite, mut values) = (self.raw(effect)?, effect.host().param(), ValueBuffer::default());
        let [a, b, c, d] = values.addresses();
        // SAFETY: ofxParam.h: a valid parameter, a time, and one address per dimension, of which no type has more than
        // 4. A C function ignores variadic arguments that it does not read.
        unsafe { call!(suite, paramGetValueAtTime(param, time, a, b, c, d), self.name) }?;
        self.read("paramGetValueAtTime", &values)
    }

    /// The value at the host's current time, for `create_instance` and `instance_changed`.
    ///
    /// # Errors
    ///
    /// As [`value_at`](Self::value_at).
    pub fn value(&self, effect: &EffectHandle<'_>) -> Result<V> {
        let (param, suite, mut values) = (self.raw(effect)?, effect.host().param(), ValueBuffer::default());
        let [a, b, c, d] = values.addresses();
        // SAFETY: as in `value_at`.
        unsafe { call!(suite, paramGetValue(param, a, b, c, d), self.name) }?;
        self.read("paramGetValue", &values)
    }

    fn read(&self, call: &'static str, values: &ValueBuffer) -> Result<V> {
        // SAFETY: the host has just written the values of a parameter of this type: `EffectHandle::param` compares the
        // types.
        let value = unsafe { V::read(values) };
        value.map_or_else(|| Err(check(Status::ERR_VALUE.0, call, self.name).expect_err("not OK")), Ok)
    }

    /// Sets the value, at the current time if the parameter is animated. Main thread only. Hosts call
    /// `instance_changed` for [`ChangeReason::PluginEdited`](crate::ofx::ChangeReason), some from within this call.
    ///
    /// # Errors
    ///
    /// The host refuses, a render is in progress, or the parameter belongs to another instance.
    pub fn set(&self, effect: &EffectHandle<'_>, value: &V) -> Result<()> {
        effect.may_write("setting a parameter")?;
        let param = self.raw(effect)?;
        let set = effect.host().param().paramSetValue.ok_or(Error::MissingFunction("paramSetValue"))?;
        // SAFETY: ofxParam.h: a valid parameter, whose type `EffectHandle::param` has compared with `V`.
        check(unsafe { value.write(set, param) }, "paramSetValue", self.name)
    }
}

//! Parameters of an instance: values, keys, and what the user sees of them.

use std::{
    ffi::{CStr, CString, c_char, c_int},
    fmt,
    marker::PhantomData,
    ptr::{self, NonNull},
};

use crate::ofx::{
    ffi::sys,
    handle::EffectHandle,
    names,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// A parameter of an instance. Fetched once, in `create_instance`, and kept; every use takes the [`EffectHandle`] of the
/// action under way, of the same instance.
///
/// `V` is `f64`, `i32`, `bool`, [`Choice`], `[f64; 2]`, `[f64; 3]` or `String`, or [`AnyValue`] where only the looks
/// matter (groups, buttons).
pub struct Param<V> {
    handle: NonNull<sys::OfxParamStruct>,
    name: &'static CStr,
    owner: u64,
    value: PhantomData<fn() -> V>,
}

// SAFETY: the handle is used through an `EffectHandle` only, which stays on the thread of its action; ofxParam.h has
// parameter handles live as long as their instance, whichever thread an action comes on.
unsafe impl<V> Send for Param<V> {}
// SAFETY: as above; nothing in here changes.
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

/// The index of the chosen option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice(pub i32);

/// A parameter whose value is of no interest, or that has none.
#[derive(Clone, Copy, Debug)]
pub struct AnyValue;

/// Room for what a parameter call may write. It is handed every place in turn whatever the type is, so that a host whose
/// parameter has more dimensions than expected still writes into memory of ours.
#[derive(Default)]
#[repr(C, align(8))]
pub struct Places([u64; 4]);

impl Places {
    fn int(&self, index: usize) -> i32 {
        let bytes = self.0[index].to_ne_bytes();
        c_int::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.0[index])
    }
}

/// A value type of parameters.
pub trait ParamValue: Sized + sealed::Sealed {
    /// The OpenFX name of the parameter's type.
    const TYPE: &'static CStr;

    /// # Safety
    ///
    /// `places` were written by a host's parameter of this type.
    #[doc(hidden)]
    unsafe fn take(places: &Places) -> Option<Self>;

    /// # Safety
    ///
    /// `set` takes `param` and then the value as this type's C arguments.
    #[doc(hidden)]
    unsafe fn give(
        &self,
        set: unsafe extern "C" fn(sys::OfxParamHandle, ...) -> sys::OfxStatus,
        param: sys::OfxParamHandle,
    ) -> i32;
}

mod sealed {
    pub trait Sealed {}
}

type Setter = unsafe extern "C" fn(sys::OfxParamHandle, ...) -> sys::OfxStatus;

macro_rules! value {
    ($type:ty, $name:expr, |$places:ident| $take:expr, |$value:ident, $set:ident, $param:ident| $give:expr) => {
        impl sealed::Sealed for $type {}
        impl ParamValue for $type {
            const TYPE: &'static CStr = $name;
            unsafe fn take($places: &Places) -> Option<Self> {
                $take
            }
            unsafe fn give(&self, $set: Setter, $param: sys::OfxParamHandle) -> i32 {
                let $value = self;
                // SAFETY: ofxParam.h, paramSetValue: the arguments of this type; the caller's promise.
                unsafe { $give }
            }
        }
    };
}

value!(f64, names::PARAM_DOUBLE, |places| Some(places.double(0)), |value, set, param| set(param, *value));
value!(i32, names::PARAM_INTEGER, |places| Some(places.int(0)), |value, set, param| set(param, *value));
value!(bool, names::PARAM_BOOLEAN, |places| Some(places.int(0) != 0), |value, set, param| set(
    param,
    c_int::from(*value)
));
value!(Choice, names::PARAM_CHOICE, |places| Some(Choice(places.int(0))), |value, set, param| set(param, value.0));
value!(
    [f64; 2],
    names::PARAM_DOUBLE_2D,
    |places| Some([0, 1].map(|index| places.double(index))),
    |value, set, param| set(param, value[0], value[1])
);
value!(
    [f64; 3],
    names::PARAM_RGB,
    |places| Some([0, 1, 2].map(|index| places.double(index))),
    |value, set, param| set(param, value[0], value[1], value[2])
);

impl sealed::Sealed for String {}
impl ParamValue for String {
    const TYPE: &'static CStr = names::PARAM_STRING;

    unsafe fn take(places: &Places) -> Option<Self> {
        let text = ptr::with_exposed_provenance::<c_char>(usize::try_from(places.0[0]).ok()?);
        if text.is_null() {
            return None;
        }
        // SAFETY: ofxParam.h, paramGetValue: a NUL-terminated string that lives until the parameter is next used; it is
        // copied here at once.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    unsafe fn give(&self, set: Setter, param: sys::OfxParamHandle) -> i32 {
        let text = CString::new(self.replace('\0', " ")).unwrap_or_default();
        // SAFETY: ofxParam.h, paramSetValue: the host copies the string.
        unsafe { set(param, text.as_ptr()) }
    }
}

impl EffectHandle<'_> {
    /// The parameter `name` of this instance, whose values are `V`.
    ///
    /// # Errors
    ///
    /// There is none of that name, or the host says that it is of another type.
    pub fn param<V: ParamValue>(&self, name: &'static CStr) -> Result<Param<V>> {
        let param = self.any_param(name)?;
        let found = param.properties(self).and_then(|properties| properties.get_string(names::PARAM_TYPE, 0));
        // A host that keeps no type has only the one that the parameter was described with.
        if let Ok(found) = found
            && found.as_bytes() != V::TYPE.to_bytes()
        {
            let wanted = V::TYPE.to_str().unwrap_or_default();
            return Err(Error::ParamType { name: name.to_string_lossy().into_owned(), found, wanted });
        }
        Ok(Param { handle: param.handle, name, owner: param.owner, value: PhantomData })
    }

    /// The parameter `name` of this instance, whatever its type.
    ///
    /// # Errors
    ///
    /// There is none of that name; some hosts drop buttons and pages.
    pub fn any_param(&self, name: &'static CStr) -> Result<Param<AnyValue>> {
        let get = self.host().param().paramGetHandle.ok_or(Error::MissingFunction("paramGetHandle"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: ofxParam.h: a valid parameter set, a C string, a place for a handle, and no wish for the property set.
        let status = unsafe { get(self.param_set()?, name.as_ptr(), &raw mut handle, ptr::null_mut()) };
        Status(status).check("paramGetHandle", name)?;
        let handle = NonNull::new(handle).ok_or(Error::BadHandle("parameter"))?;
        Ok(Param { handle, name, owner: self.id(), value: PhantomData })
    }
}

impl<V> Param<V> {
    /// The name that the parameter was defined with.
    #[must_use]
    pub fn name(&self) -> &'static CStr {
        self.name
    }

    fn raw(&self, effect: &EffectHandle<'_>) -> Result<sys::OfxParamHandle> {
        if effect.id() == self.owner {
            Ok(self.handle.as_ptr())
        } else {
            Err(Error::Foreign(self.name.to_string_lossy().into_owned()))
        }
    }

    /// The parameter's properties.
    ///
    /// # Errors
    ///
    /// The host gives none, or the parameter is another instance's.
    pub fn properties<'e>(&self, effect: &'e EffectHandle<'_>) -> Result<PropertySet<'e>> {
        let param = self.raw(effect)?;
        let get = effect.host().param().paramGetPropertySet.ok_or(Error::MissingFunction("paramGetPropertySet"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxParam.h: a valid parameter (its instance is in an action, says `raw`) and a place for a handle.
        let status = unsafe { get(param, &raw mut properties) };
        Status(status).check("paramGetPropertySet", self.name)?;
        // SAFETY: ofxParam.h: the set lives as long as the parameter.
        unsafe { PropertySet::new(effect.host(), properties, "parameter properties") }
    }

    /// Hides or shows the parameter. Main thread only. Nuke never shows what was hidden when described.
    ///
    /// # Errors
    ///
    /// The host refuses, a render is under way, or the parameter is another instance's.
    pub fn set_secret(&self, effect: &EffectHandle<'_>, secret: bool) -> Result<()> {
        effect.may_write("hiding a parameter")?;
        self.properties(effect)?.set_int(names::PARAM_SECRET, 0, secret.into())
    }

    /// Greys the parameter out or not. Main thread only.
    ///
    /// # Errors
    ///
    /// As [`set_secret`](Self::set_secret).
    pub fn set_enabled(&self, effect: &EffectHandle<'_>, enabled: bool) -> Result<()> {
        effect.may_write("disabling a parameter")?;
        self.properties(effect)?.set_int(names::PARAM_ENABLED, 0, enabled.into())
    }

    /// Number of keys of the parameter. A host that is not known to have paramGetNumKeys is asked only for a parameter
    /// whose properties say that it is animated; of others there are none.
    ///
    /// # Errors
    ///
    /// The host doesn't say, or the parameter is another instance's.
    pub fn num_keys(&self, effect: &EffectHandle<'_>) -> Result<usize> {
        let param = self.raw(effect)?;
        if !effect.host().info().has_all_calls() && !self.properties(effect)?.flag(names::PARAM_IS_ANIMATING) {
            return Ok(0);
        }
        let get = effect.host().param().paramGetNumKeys.ok_or(Error::MissingFunction("paramGetNumKeys"))?;
        let mut count = 0;
        // SAFETY: ofxParam.h: a valid parameter and a place for an unsigned int.
        let status = unsafe { get(param, &raw mut count) };
        Status(status).check("paramGetNumKeys", self.name)?;
        Ok(count as usize)
    }

    /// The time of key `index`, counted from 0.
    ///
    /// # Errors
    ///
    /// There is no such key, the host doesn't say, or the parameter is another instance's.
    pub fn key_time(&self, effect: &EffectHandle<'_>, index: usize) -> Result<f64> {
        let param = self.raw(effect)?;
        let get = effect.host().param().paramGetKeyTime.ok_or(Error::MissingFunction("paramGetKeyTime"))?;
        let mut time = 0.0;
        // SAFETY: ofxParam.h: a valid parameter, an index that the host checks, and a place for a double.
        let status = unsafe { get(param, u32::try_from(index).unwrap_or(u32::MAX), &raw mut time) };
        Status(status).check("paramGetKeyTime", self.name)?;
        Ok(time)
    }
}

impl<V> Param<V> {
    /// Removes the key at `time`. Main thread only.
    ///
    /// # Errors
    ///
    /// There is none, the host refuses, a render is under way, or the parameter is another instance's.
    pub fn delete_key(&self, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
        effect.may_write("removing a key")?;
        let param = self.raw(effect)?;
        let delete = effect.host().param().paramDeleteKey.ok_or(Error::MissingFunction("paramDeleteKey"))?;
        // SAFETY: ofxParam.h: a valid parameter and a time.
        let status = unsafe { delete(param, time) };
        Status(status).check("paramDeleteKey", self.name)
    }
}

impl<V: ParamValue> Param<V> {
    /// The value at `time`: the only way to read a value in a render.
    ///
    /// # Errors
    ///
    /// The host refuses or holds a null string, or the parameter is another instance's.
    pub fn value_at(&self, effect: &EffectHandle<'_>, time: f64) -> Result<V> {
        const CALL: &str = "paramGetValueAtTime";
        let param = self.raw(effect)?;
        let get = effect.host().param().paramGetValueAtTime.ok_or(Error::MissingFunction(CALL))?;
        let mut places = Places::default();
        let [a, b, c, d] = place_pointers(&mut places);
        // SAFETY: ofxParam.h: a valid parameter, a time, and one place per dimension, of which no type has more than 4;
        // a C function ignores variadic arguments that it does not ask for.
        let status = unsafe { get(param, time, a, b, c, d) };
        self.taken(CALL, Status(status), &places)
    }

    /// The value at the time that the host takes for the current one: for `create_instance` and `instance_changed`.
    ///
    /// # Errors
    ///
    /// As [`value_at`](Self::value_at).
    pub fn value(&self, effect: &EffectHandle<'_>) -> Result<V> {
        const CALL: &str = "paramGetValue";
        let param = self.raw(effect)?;
        let get = effect.host().param().paramGetValue.ok_or(Error::MissingFunction(CALL))?;
        let mut places = Places::default();
        let [a, b, c, d] = place_pointers(&mut places);
        // SAFETY: as in `value_at`.
        let status = unsafe { get(param, a, b, c, d) };
        self.taken(CALL, Status(status), &places)
    }

    fn taken(&self, call: &'static str, status: Status, places: &Places) -> Result<V> {
        status.check(call, self.name)?;
        // SAFETY: the host has just written them, for a parameter of this type: `EffectHandle::param` has compared it
        // with what the host says.
        let value = unsafe { V::take(places) };
        value.map_or_else(|| Err(Status::ERR_VALUE.check(call, self.name).expect_err("not OK")), Ok)
    }

    /// Sets the value (at the current time, if the parameter is animated). Main thread only. Hosts answer with
    /// `instance_changed` for [`ChangeReason::PluginEdited`](crate::ofx::ChangeReason), some from within this call.
    ///
    /// # Errors
    ///
    /// The host refuses, a render is under way, or the parameter is another instance's.
    pub fn set(&self, effect: &EffectHandle<'_>, value: &V) -> Result<()> {
        const CALL: &str = "paramSetValue";
        effect.may_write("setting a parameter")?;
        let param = self.raw(effect)?;
        let set = effect.host().param().paramSetValue.ok_or(Error::MissingFunction(CALL))?;
        // SAFETY: ofxParam.h: a valid parameter, whose type was compared with `V` in `EffectHandle::param`.
        let status = unsafe { value.give(set, param) };
        Status(status).check(CALL, self.name)
    }
}

fn place_pointers(places: &mut Places) -> [*mut u64; 4] {
    places.0.each_mut().map(ptr::from_mut)
}

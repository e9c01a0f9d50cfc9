//! Property sets: named, typed, indexed values that the host holds.

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::{self, NonNull},
};

use flow_openfx::{self as sys, Name, Status};

use super::{
    error::{Error, Result, call, check},
    host::Host,
};

/// A property set of the host, valid for `'a`, on the thread of the action.
///
/// Every getter returns [`Error::Host`] if the host lacks the property or holds it with another type or fewer values.
/// No host has all properties.
#[derive(Clone, Copy)]
pub struct PropertySet<'a> {
    host: &'a Host,
    handle: NonNull<sys::OfxPropertySetStruct>,
}

impl std::fmt::Debug for PropertySet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PropertySet").field(&self.handle).finish()
    }
}

/// A value that a property can be set to.
pub trait PropertyValue {
    /// Sets value `index` of the property `name`.
    ///
    /// # Errors
    ///
    /// The host lacks the property or the function, or refuses the value.
    fn set(self, properties: &PropertySet<'_>, name: &CStr, index: usize) -> Result<()>;
}

macro_rules! property_value {
    ($type:ty, $function:ident, |$value:ident| $argument:expr) => {
        impl PropertyValue for $type {
            fn set(self, properties: &PropertySet<'_>, name: &CStr, index: usize) -> Result<()> {
                let ($value, suite) = (self, properties.host.property());
                // SAFETY: ofxProperty.h: a valid set (the invariant of `PropertySet`), a C string, an index that the
                // host checks, and a value.
                unsafe { call!(suite, $function(properties.handle(), name.as_ptr(), c_index(index), $argument), name) }
            }
        }
    };
}

property_value!(i32, propSetInt, |value| value);
property_value!(bool, propSetInt, |value| value.into());
property_value!(f64, propSetDouble, |value| value);
// Some hosts keep the pointer instead of copying the string.
property_value!(&'static CStr, propSetString, |value| value.as_ptr());
property_value!(*mut c_void, propSetPointer, |value| value);

macro_rules! getter {
    ($visibility:vis $get:ident, $function:ident, $type:ty, $zero:expr, $what:literal) => {
        #[doc = concat!($what, " at `index` of the property `name`.")]
        ///
        /// # Errors
        ///
        /// The host lacks the property, the index or the function.
        $visibility fn $get(&self, name: &(impl Name + ?Sized), index: usize) -> Result<$type> {
            let (name, suite) = (name.c_str(), self.host.property());
            let mut value: $type = $zero;
            // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, an index that the host checks,
            // and space for one value.
            unsafe { call!(suite, $function(self.handle(), name.as_ptr(), c_index(index), &raw mut value), name) }?;
            Ok(value)
        }
    };
}

impl<'a> PropertySet<'a> {
    /// Wraps a handle of the host; `what` names the set in the error.
    ///
    /// # Errors
    ///
    /// [`Error::BadHandle`] for a null handle.
    ///
    /// # Safety
    ///
    /// `handle` is null or a property set of `host` that stays valid for `'a`.
    pub(super) unsafe fn new(host: &'a Host, handle: sys::OfxPropertySetHandle, what: &'static str) -> Result<Self> {
        let handle = NonNull::new(handle).ok_or(Error::BadHandle(what))?;
        Ok(Self { host, handle })
    }

    pub(super) fn handle(&self) -> sys::OfxPropertySetHandle {
        self.handle.as_ptr()
    }

    getter!(pub get_int, propGetInt, i32, 0, "The int");
    getter!(pub get_double, propGetDouble, f64, 0.0, "The double");
    getter!(pub(super) get_pointer, propGetPointer, *mut c_void, ptr::null_mut(), "The pointer");
    getter!(get_raw_string, propGetString, *mut c_char, ptr::null_mut(), "The address of the string");

    /// The string at `index` of the property `name`; bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// The host lacks the property, the index or the function, or holds a null pointer.
    pub fn get_string(&self, name: &(impl Name + ?Sized), index: usize) -> Result<String> {
        let string = self.get_raw_string(name, index)?;
        if string.is_null() {
            check(Status::ERR_VALUE.0, "propGetString", name.c_str())?;
        }
        // SAFETY: ofxProperty.h: the string is NUL-terminated and valid until the next use of the property; the copy is
        // made at once. Null was returned as an error.
        Ok(unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
    }

    /// The number of values of the property `name`.
    ///
    /// # Errors
    ///
    /// The host lacks the property or the function.
    pub fn dimension(&self, name: &(impl Name + ?Sized)) -> Result<usize> {
        let (name, mut count) = (name.c_str(), 0);
        // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, and space for one int.
        unsafe { call!(self.host.property(), propGetDimension(self.handle(), name.as_ptr(), &raw mut count), name) }?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The first `N` ints of the property `name`.
    ///
    /// # Errors
    ///
    /// As [`get_int`](Self::get_int), for any of them.
    pub fn ints<const N: usize>(&self, name: &(impl Name + ?Sized)) -> Result<[i32; N]> {
        let mut values = [0; N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.get_int(name, index)?;
        }
        Ok(values)
    }

    /// The first `N` doubles of the property `name`.
    ///
    /// # Errors
    ///
    /// As [`get_double`](Self::get_double), for any of them.
    pub fn doubles<const N: usize>(&self, name: &(impl Name + ?Sized)) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.get_double(name, index)?;
        }
        Ok(values)
    }

    /// All strings of the property `name`; none if the host lacks it.
    #[must_use]
    pub fn strings(&self, name: &(impl Name + ?Sized)) -> Vec<String> {
        let count = self.dimension(name).unwrap_or(0);
        (0..count).map_while(|index| self.get_string(name, index).ok()).collect()
    }

    /// Whether the int property `name` exists and is not 0.
    #[must_use]
    pub fn flag(&self, name: &(impl Name + ?Sized)) -> bool {
        self.get_int(name, 0).is_ok_and(|value| value != 0)
    }

    /// The double property `name` if it is finite and above 0.
    pub(super) fn positive(&self, name: &(impl Name + ?Sized)) -> Option<f64> {
        self.get_double(name, 0).ok().filter(|value| value.is_finite() && *value > 0.0)
    }

    /// The first string of the property `name` as a value of the plug-in; `None` for a missing property or unknown
    /// string.
    pub(super) fn parsed<T>(&self, name: &(impl Name + ?Sized), parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        parse(&self.get_string(name, 0).ok()?)
    }

    /// Sets value `index` of the property `name`.
    ///
    /// # Errors
    ///
    /// The host lacks the property or the function, or refuses the value.
    pub fn set(&self, name: &(impl Name + ?Sized), index: usize, value: impl PropertyValue) -> Result<()> {
        value.set(self, name.c_str(), index)
    }

    /// Sets the values of a property that a host may lack; a refusal is logged.
    pub fn try_set<V: PropertyValue>(&self, name: &(impl Name + ?Sized), values: impl IntoIterator<Item = V>) {
        values.into_iter().enumerate().for_each(|(index, value)| self.try_set_at(name, index, value));
    }

    /// As [`try_set`](Self::try_set), for one value at `index`.
    pub(super) fn try_set_at(&self, name: &(impl Name + ?Sized), index: usize, value: impl PropertyValue) {
        if let Err(error) = self.set(name, index, value) {
            tracing::debug!("{error}");
        }
    }
}

/// An index for C functions. An index beyond `int` becomes the largest int, which is beyond every property.
fn c_index(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

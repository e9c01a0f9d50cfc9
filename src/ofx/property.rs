//! Property sets: named, typed, indexed values that the host keeps.

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::{self, NonNull},
};

use super::{
    ffi::sys,
    host::Host,
    status::{Error, Result, Status},
};

/// A property set of the host, for the duration of the call that handed it over.
///
/// Every getter fails with an ordinary [`Error::Host`] where the host lacks the property, has it with another type or
/// fewer dimensions; no host has them all. It is tied to the action's thread.
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

/// Writes the getter of one value type.
macro_rules! getter {
    ($visibility:vis $get:ident, $ffi:ident, $type:ty, $zero:expr, $what:literal) => {
        #[doc = concat!("The ", $what, " at `index` of the property `name`.")]
        ///
        /// # Errors
        ///
        /// The host has no such property, dimension or function.
        $visibility fn $get(&self, name: &CStr, index: usize) -> Result<$type> {
            let get = self.host.property().$ffi.ok_or(Error::MissingFunction(stringify!($ffi)))?;
            let mut value: $type = $zero;
            // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, an index that the host checks,
            // and a place for one value.
            let status = unsafe { get(self.handle.as_ptr(), name.as_ptr(), c_index(index), &raw mut value) };
            Status(status).check(stringify!($ffi), name)?;
            Ok(value)
        }
    };
}

/// Writes the setter of one value type.
macro_rules! setter {
    ($visibility:vis $set:ident, $ffi:ident, $type:ty, $what:literal) => {
        #[doc = concat!("Sets the ", $what, " at `index` of the property `name`.")]
        ///
        /// # Errors
        ///
        /// The host has no such property or function, or refuses the value.
        $visibility fn $set(&self, name: &CStr, index: usize, value: $type) -> Result<()> {
            let set = self.host.property().$ffi.ok_or(Error::MissingFunction(stringify!($ffi)))?;
            // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, an index that the host checks.
            let status = unsafe { set(self.handle.as_ptr(), name.as_ptr(), c_index(index), value) };
            Status(status).check(stringify!($ffi), name)
        }
    };
}

impl<'a> PropertySet<'a> {
    /// Wraps a handle from the host.
    ///
    /// # Errors
    ///
    /// [`Error::BadHandle`] naming `what` where the handle is null.
    ///
    /// # Safety
    ///
    /// `handle` is null or a property set of `host` that stays valid for `'a`.
    pub(super) unsafe fn new(host: &'a Host, handle: sys::OfxPropertySetHandle, what: &'static str) -> Result<Self> {
        let handle = NonNull::new(handle).ok_or(Error::BadHandle(what))?;
        Ok(Self { host, handle })
    }

    /// The handle, for calls that take it.
    pub(super) fn handle(&self) -> sys::OfxPropertySetHandle {
        self.handle.as_ptr()
    }

    getter!(pub get_int, propGetInt, i32, 0, "int");
    getter!(pub get_double, propGetDouble, f64, 0.0, "double");
    getter!(pub(super) get_pointer, propGetPointer, *mut c_void, ptr::null_mut(), "pointer");
    setter!(pub set_int, propSetInt, i32, "int");
    setter!(pub set_double, propSetDouble, f64, "double");
    setter!(pub(super) set_pointer, propSetPointer, *mut c_void, "pointer");

    /// The string at `index` of the property `name`; bytes that are no UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// The host has no such property, dimension or function, or holds a null pointer.
    pub fn get_string(&self, name: &CStr, index: usize) -> Result<String> {
        let get = self.host.property().propGetString.ok_or(Error::MissingFunction("propGetString"))?;
        let mut value: *mut c_char = ptr::null_mut();
        // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, an index that the host checks, and a
        // place for one pointer.
        let status = unsafe { get(self.handle.as_ptr(), name.as_ptr(), c_index(index), &raw mut value) };
        Status(status).check("propGetString", name)?;
        if value.is_null() {
            return Status::ERR_VALUE.check("propGetString", name).map(|()| String::new());
        }
        // SAFETY: ofxProperty.h: the string is NUL-terminated and lives until the property is next used; it is copied
        // here at once.
        Ok(unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned())
    }

    /// Sets the string at `index` of the property `name`. Some hosts keep the pointer, hence `'static`.
    ///
    /// # Errors
    ///
    /// The host has no such property or function, or refuses the value.
    pub fn set_string(&self, name: &CStr, index: usize, value: &'static CStr) -> Result<()> {
        let set = self.host.property().propSetString.ok_or(Error::MissingFunction("propSetString"))?;
        // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), C strings, an index that the host checks.
        let status = unsafe { set(self.handle.as_ptr(), name.as_ptr(), c_index(index), value.as_ptr()) };
        Status(status).check("propSetString", name)
    }

    /// How many values the property `name` has.
    ///
    /// # Errors
    ///
    /// The host has no such property or function.
    pub fn dimension(&self, name: &CStr) -> Result<usize> {
        let get = self.host.property().propGetDimension.ok_or(Error::MissingFunction("propGetDimension"))?;
        let mut count = 0;
        // SAFETY: ofxProperty.h: a valid set (the invariant of `self`), a C string, and a place for one int.
        let status = unsafe { get(self.handle.as_ptr(), name.as_ptr(), &raw mut count) };
        Status(status).check("propGetDimension", name)?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The first `N` ints of the property `name`.
    ///
    /// # Errors
    ///
    /// As [`get_int`](Self::get_int), for any of them.
    pub fn ints<const N: usize>(&self, name: &CStr) -> Result<[i32; N]> {
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
    pub fn doubles<const N: usize>(&self, name: &CStr) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.get_double(name, index)?;
        }
        Ok(values)
    }

    /// Every string of the property `name`; none where the host lacks it.
    #[must_use]
    pub fn strings(&self, name: &CStr) -> Vec<String> {
        let count = self.dimension(name).unwrap_or(0);
        (0..count).map_while(|index| self.get_string(name, index).ok()).collect()
    }

    /// Whether the int property `name` is there and not 0.
    #[must_use]
    pub fn flag(&self, name: &CStr) -> bool {
        self.get_int(name, 0).is_ok_and(|value| value != 0)
    }

    /// Sets an int that a host may lack; says whether it took it.
    pub fn try_set_int(&self, name: &CStr, index: usize, value: i32) -> bool {
        taken(self.set_int(name, index, value))
    }

    /// Sets a double that a host may lack; says whether it took it.
    pub fn try_set_double(&self, name: &CStr, index: usize, value: f64) -> bool {
        taken(self.set_double(name, index, value))
    }

    /// Sets a string that a host may lack; says whether it took it.
    pub fn try_set_string(&self, name: &CStr, index: usize, value: &'static CStr) -> bool {
        taken(self.set_string(name, index, value))
    }
}

/// A host that refuses a property is worth a line in the log and nothing more.
fn taken(outcome: Result<()>) -> bool {
    match outcome {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!("{error}");
            false
        }
    }
}

/// An index as the C functions take it; one beyond `int` is beyond every property too.
fn c_index(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

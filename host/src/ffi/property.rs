//! The property suite.

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};
use std::sync::Arc;

use flow_openfx as ofx;
use flow_openfx::OfxPropertySetHandle as Handle;

use super::{guard, handles, text, violation, with_record, write};
use crate::Status;
use crate::props::{One, OneRead, PropSet, Refusal};
use crate::record::Event;

pub(crate) static SUITE: ofx::OfxPropertySuiteV1 = ofx::OfxPropertySuiteV1 {
    propSetPointer: Some(set_pointer),
    propSetString: Some(set_string),
    propSetDouble: Some(set_double),
    propSetInt: Some(set_int),
    propSetPointerN: Some(set_pointers),
    propSetStringN: Some(set_strings),
    propSetDoubleN: Some(set_doubles),
    propSetIntN: Some(set_ints),
    propGetPointer: Some(get_pointer),
    propGetString: Some(get_string),
    propGetDouble: Some(get_double),
    propGetInt: Some(get_int),
    propGetPointerN: Some(get_pointers),
    propGetStringN: Some(get_strings),
    propGetDoubleN: Some(get_doubles),
    propGetIntN: Some(get_ints),
    propReset: Some(reset),
    propGetDimension: Some(dimension),
};

/// Finds set and name, runs `body`, and records a refusal: an unknown property is a
/// limit of this host, anything else a violation.
fn with(
    call: &'static str,
    set: Handle,
    name: *const c_char,
    body: impl FnOnce(&Arc<PropSet>, &str) -> Result<(), Refusal>,
) -> c_int {
    guard(call, || {
        let Some(set) = handles::props(set) else {
            return violation(format!("{call}: not a property set"), Status::ERR_BAD_HANDLE);
        };
        let Some(name) = text(name) else {
            return violation(format!("{call} on {}: no name", set.label), Status::ERR_VALUE);
        };
        match body(&set, &name) {
            Ok(()) => Status::OK,
            Err(Refusal::Unknown) => {
                let label = set.label.clone();
                with_record(|record| record.push(Event::NoProperty { set: label, name }));
                Status::ERR_UNKNOWN
            }
            Err(refusal) => {
                let status = refusal.status();
                violation(format!("{call} {name} on {}: {refusal}", set.label), status)
            }
        }
    })
}

fn string(value: *const c_char) -> CString {
    if value.is_null() {
        return CString::default();
    }
    // SAFETY: the suite requires a NUL-terminated string that lasts for the call.
    unsafe { CStr::from_ptr(value) }.to_owned()
}

unsafe extern "C" fn set_pointer(set: Handle, name: *const c_char, index: c_int, value: *mut c_void) -> c_int {
    with("propSetPointer", set, name, |set, name| set.set(name, index, One::Pointer(value.expose_provenance())))
}

unsafe extern "C" fn set_string(set: Handle, name: *const c_char, index: c_int, value: *const c_char) -> c_int {
    with("propSetString", set, name, |set, name| set.set(name, index, One::Text(string(value))))
}

unsafe extern "C" fn set_double(set: Handle, name: *const c_char, index: c_int, value: f64) -> c_int {
    with("propSetDouble", set, name, |set, name| set.set(name, index, One::Double(value)))
}

unsafe extern "C" fn set_int(set: Handle, name: *const c_char, index: c_int, value: c_int) -> c_int {
    with("propSetInt", set, name, |set, name| set.set(name, index, One::Int(value)))
}

/// The plug-in's array of `count` values; `None` if it is NULL or empty.
fn array<'a, T>(values: *const T, count: c_int) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the suite requires `count` values at that address for the call.
        Ok(count) if !values.is_null() => unsafe { std::slice::from_raw_parts(values, count) },
        _ => &[],
    }
}

fn set_all<T: Copy>(
    call: &'static str,
    set: Handle,
    name: *const c_char,
    values: &[T],
    one: impl Fn(T) -> One,
) -> c_int {
    with(call, set, name, |set, name| {
        set.dimension(name)?;
        values.iter().zip(0..).try_for_each(|(value, at)| set.set(name, at, one(*value)))
    })
}

unsafe extern "C" fn set_pointers(set: Handle, name: *const c_char, count: c_int, values: *const *mut c_void) -> c_int {
    set_all("propSetPointerN", set, name, array(values, count), |value: *mut c_void| {
        One::Pointer(value.expose_provenance())
    })
}

unsafe extern "C" fn set_strings(
    set: Handle,
    name: *const c_char,
    count: c_int,
    values: *const *const c_char,
) -> c_int {
    set_all("propSetStringN", set, name, array(values, count), |value| One::Text(string(value)))
}

unsafe extern "C" fn set_doubles(set: Handle, name: *const c_char, count: c_int, values: *const f64) -> c_int {
    set_all("propSetDoubleN", set, name, array(values, count), One::Double)
}

unsafe extern "C" fn set_ints(set: Handle, name: *const c_char, count: c_int, values: *const c_int) -> c_int {
    set_all("propSetIntN", set, name, array(values, count), One::Int)
}

fn read_pointer(read: OneRead) -> *mut c_void {
    match read {
        OneRead::Pointer(address) => std::ptr::with_exposed_provenance_mut(address),
        _ => std::ptr::null_mut(),
    }
}

fn read_string(read: OneRead) -> *mut c_char {
    match read {
        OneRead::Text(address) => address.cast_mut(),
        _ => std::ptr::null_mut(),
    }
}

fn read_double(read: OneRead) -> f64 {
    match read {
        OneRead::Double(value) => value,
        _ => 0.0,
    }
}

fn read_int(read: OneRead) -> c_int {
    match read {
        OneRead::Int(value) => value,
        _ => 0,
    }
}

/// Reads `count` values from `index` on into `out`.
fn get<T>(
    call: &'static str,
    (set, name): (Handle, *const c_char),
    (index, count): (c_int, c_int),
    like: One,
    out: *mut T,
    convert: fn(OneRead) -> T,
) -> c_int {
    with(call, set, name, |set, name| {
        for at in 0..count.max(0) {
            let value = convert(set.get(name, index + at, &like)?);
            write(if out.is_null() { out } else { out.wrapping_add(at as usize) }, value);
        }
        Ok(())
    })
}

unsafe extern "C" fn get_pointer(set: Handle, name: *const c_char, index: c_int, out: *mut *mut c_void) -> c_int {
    get("propGetPointer", (set, name), (index, 1), One::Pointer(0), out, read_pointer)
}

unsafe extern "C" fn get_string(set: Handle, name: *const c_char, index: c_int, out: *mut *mut c_char) -> c_int {
    get("propGetString", (set, name), (index, 1), One::Text(CString::default()), out, read_string)
}

unsafe extern "C" fn get_double(set: Handle, name: *const c_char, index: c_int, out: *mut f64) -> c_int {
    get("propGetDouble", (set, name), (index, 1), One::Double(0.0), out, read_double)
}

unsafe extern "C" fn get_int(set: Handle, name: *const c_char, index: c_int, out: *mut c_int) -> c_int {
    get("propGetInt", (set, name), (index, 1), One::Int(0), out, read_int)
}

unsafe extern "C" fn get_pointers(set: Handle, name: *const c_char, count: c_int, out: *mut *mut c_void) -> c_int {
    get("propGetPointerN", (set, name), (0, count), One::Pointer(0), out, read_pointer)
}

unsafe extern "C" fn get_strings(set: Handle, name: *const c_char, count: c_int, out: *mut *mut c_char) -> c_int {
    get("propGetStringN", (set, name), (0, count), One::Text(CString::default()), out, read_string)
}

unsafe extern "C" fn get_doubles(set: Handle, name: *const c_char, count: c_int, out: *mut f64) -> c_int {
    get("propGetDoubleN", (set, name), (0, count), One::Double(0.0), out, read_double)
}

unsafe extern "C" fn get_ints(set: Handle, name: *const c_char, count: c_int, out: *mut c_int) -> c_int {
    get("propGetIntN", (set, name), (0, count), One::Int(0), out, read_int)
}

unsafe extern "C" fn reset(set: Handle, name: *const c_char) -> c_int {
    with("propReset", set, name, |set, name| set.reset(name))
}

unsafe extern "C" fn dimension(set: Handle, name: *const c_char, out: *mut c_int) -> c_int {
    with("propGetDimension", set, name, |set, name| {
        write(out, set.dimension(name)? as c_int);
        Ok(())
    })
}

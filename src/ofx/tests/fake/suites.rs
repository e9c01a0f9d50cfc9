//! The suites of the small host.
//!
//! The variadic functions are ordinary functions here: the C calling conventions of Linux pass arguments in the same
//! registers.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem, ptr,
    sync::{Mutex, atomic::Ordering},
};

use flow_openfx::{self as sys, Status};

use super::{Clip, Effect, Host, Param, Set, Value};

/// The value of a handle.
fn object<T, H>(handle: *mut H) -> &'static T {
    // SAFETY: this host's handles are addresses of leaked values of this type.
    unsafe { handle.cast::<T>().as_ref() }.expect("a handle of this host")
}

fn text(name: *const c_char) -> CString {
    // SAFETY: the layer passes C strings.
    unsafe { CStr::from_ptr(name) }.to_owned()
}

pub(super) extern "C" fn fetch_suite(
    host: sys::OfxPropertySetHandle,
    name: *const c_char,
    version: c_int,
) -> *const c_void {
    let host = object::<Host, _>(host);
    let name = text(name).into_string().unwrap();
    host.asked.lock().unwrap().push((name.clone(), version));
    if host.shape.missing.contains(&name.as_str()) {
        return ptr::null();
    }
    fn leaked<T>(suite: T) -> *const c_void {
        ptr::from_ref(Box::leak(Box::new(suite))).cast()
    }
    // SAFETY: suites are structures of optional function pointers, for which zeros are `None`.
    unsafe {
        match (name.as_str(), version) {
            ("OfxPropertySuite", 1) => leaked(sys::OfxPropertySuiteV1 {
                propGetInt: Some(get_int),
                propGetDouble: Some(get_double),
                propGetString: Some(get_string),
                propGetPointer: Some(get_pointer),
                propSetInt: Some(set_int),
                propSetDouble: Some(set_double),
                propSetString: Some(set_string),
                propGetDimension: Some(dimension),
                ..mem::zeroed()
            }),
            ("OfxImageEffectSuite", 1) => leaked(sys::OfxImageEffectSuiteV1 {
                getPropertySet: Some(effect_properties),
                getParamSet: Some(param_set),
                clipDefine: Some(clip_define),
                clipGetHandle: Some(clip_handle),
                clipGetPropertySet: Some(clip_properties),
                clipGetImage: Some(clip_image),
                clipReleaseImage: Some(release),
                abort: Some(abort),
                ..mem::zeroed()
            }),
            ("OfxParameterSuite", 1) => leaked(sys::OfxParameterSuiteV1 {
                paramDefine: Some(param_define),
                paramGetHandle: Some(param_handle),
                paramGetPropertySet: Some(param_properties),
                paramGetValueAtTime: Some(mem::transmute::<*const (), VariadicAt>(value_at as *const ())),
                paramSetValue: Some(mem::transmute::<*const (), Variadic>(set_value as *const ())),
                ..mem::zeroed()
            }),
            ("OfxMessageSuite", 1) => leaked(sys::OfxMessageSuiteV1 {
                message: Some(mem::transmute::<*const (), Message>(message as *const ())),
            }),
            ("OfxMessageSuite", 2) => leaked(sys::OfxMessageSuiteV2 {
                message: Some(mem::transmute::<*const (), Message>(message as *const ())),
                setPersistentMessage: (!host.shape.no_persistent)
                    .then(|| mem::transmute::<*const (), Message>(persistent as *const ())),
                clearPersistentMessage: Some(clear),
            }),
            ("NukeOfxCameraSuite", 1) => leaked(sys::NukeOfxCameraSuiteV1 {
                cameraDefine: Some(clip_define),
                cameraGetHandle: Some(camera_handle),
                cameraGetParameter: Some(camera_parameter),
                cameraGetPropertySet: None,
            }),
            _ => ptr::null(),
        }
    }
}

/// Cameras are clips here.
extern "C" fn camera_handle(
    effect: sys::OfxImageEffectHandle,
    name: *const c_char,
    camera: *mut sys::NukeOfxCameraHandle,
    _properties: *mut sys::OfxPropertySetHandle,
) -> c_int {
    put_handle(camera, &object::<Effect, _>(effect).clips, name)
}

/// A connected camera has the parameter `focal`: the time and the view.
extern "C" fn camera_parameter(
    camera: sys::NukeOfxCameraHandle,
    name: *const c_char,
    time: f64,
    view: c_int,
    values: *mut f64,
    count: c_int,
) -> c_int {
    if object::<Clip, _>(camera).properties.get("OfxImageClipPropConnected", 0).is_none() {
        return Status::FAILED.0;
    }
    if text(name).as_bytes() != b"focal" || count != 2 {
        return Status::ERR_UNKNOWN.0;
    }
    put(values, Some(time));
    put(values.wrapping_add(1), Some(f64::from(view)))
}

type Variadic = unsafe extern "C" fn(sys::OfxParamHandle, ...) -> c_int;
type VariadicAt = unsafe extern "C" fn(sys::OfxParamHandle, f64, ...) -> c_int;
type Message = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char, ...) -> c_int;

fn put<T>(out: *mut T, value: Option<T>) -> c_int {
    match value {
        Some(value) => {
            // SAFETY: the layer passes space for the value.
            unsafe { out.write(value) };
            Status::OK.0
        }
        None => Status::ERR_UNKNOWN.0,
    }
}

/// Puts the handle of the object with that name.
fn put_handle<T, H>(out: *mut *mut H, objects: &Mutex<HashMap<CString, &'static T>>, name: *const c_char) -> c_int {
    let object = objects.lock().unwrap().get(&text(name)).copied();
    put(out, object.map(|object| ptr::from_ref(object).cast_mut().cast()))
}

fn find(set: sys::OfxPropertySetHandle, name: *const c_char, index: c_int) -> Option<Value> {
    object::<Set, _>(set).get(text(name).to_str().unwrap(), usize::try_from(index).ok()?)
}

extern "C" fn get_int(set: sys::OfxPropertySetHandle, name: *const c_char, index: c_int, out: *mut c_int) -> c_int {
    put(out, find(set, name, index).and_then(|v| if let Value::Int(v) = v { Some(v) } else { None }))
}

extern "C" fn get_double(set: sys::OfxPropertySetHandle, name: *const c_char, index: c_int, out: *mut f64) -> c_int {
    put(out, find(set, name, index).and_then(|v| if let Value::Double(v) = v { Some(v) } else { None }))
}

extern "C" fn get_pointer(
    set: sys::OfxPropertySetHandle,
    name: *const c_char,
    index: c_int,
    out: *mut *mut c_void,
) -> c_int {
    let pointer = |value| if let Value::Pointer(v) = value { Some(ptr::with_exposed_provenance_mut(v)) } else { None };
    put(out, find(set, name, index).and_then(pointer))
}

extern "C" fn get_string(
    set: sys::OfxPropertySetHandle,
    name: *const c_char,
    index: c_int,
    out: *mut *mut c_char,
) -> c_int {
    let found = match find(set, name, index) {
        Some(Value::Text(text)) => Some(text.into_raw()),
        // A property with a null string.
        Some(Value::Pointer(0)) => Some(ptr::null_mut()),
        _ => None,
    };
    put(out, found)
}

fn set(set: sys::OfxPropertySetHandle, name: *const c_char, index: c_int, value: Value) -> c_int {
    let (set, name) = (object::<Set, _>(set), text(name).into_string().unwrap());
    let index = usize::try_from(index).unwrap();
    if set.closed.load(Ordering::Relaxed) && set.get(&name, index).is_none() {
        return Status::ERR_UNKNOWN.0;
    }
    set.values.lock().unwrap().insert((name, index), value);
    Status::OK.0
}

extern "C" fn set_int(handle: sys::OfxPropertySetHandle, name: *const c_char, index: c_int, value: c_int) -> c_int {
    set(handle, name, index, Value::Int(value))
}

extern "C" fn set_double(handle: sys::OfxPropertySetHandle, name: *const c_char, index: c_int, value: f64) -> c_int {
    set(handle, name, index, Value::Double(value))
}

extern "C" fn set_string(
    handle: sys::OfxPropertySetHandle,
    name: *const c_char,
    index: c_int,
    value: *const c_char,
) -> c_int {
    set(handle, name, index, Value::Text(text(value)))
}

extern "C" fn dimension(set: sys::OfxPropertySetHandle, name: *const c_char, out: *mut c_int) -> c_int {
    let name = text(name).into_string().unwrap();
    let set = object::<Set, _>(set).values.lock().unwrap();
    let count = set.keys().filter(|(known, _)| *known == name).count();
    put(out, (count > 0).then(|| c_int::try_from(count).unwrap()))
}

extern "C" fn effect_properties(effect: sys::OfxImageEffectHandle, out: *mut sys::OfxPropertySetHandle) -> c_int {
    put(out, Some(object::<Effect, _>(effect).properties.handle()))
}

extern "C" fn param_set(effect: sys::OfxImageEffectHandle, out: *mut sys::OfxParamSetHandle) -> c_int {
    put(out, Some(effect.cast()))
}

extern "C" fn clip_define(
    effect: sys::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut sys::OfxPropertySetHandle,
) -> c_int {
    put(out, Some(object::<Effect, _>(effect).add_clip(&text(name)).properties.handle()))
}

extern "C" fn clip_handle(
    effect: sys::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut sys::OfxImageClipHandle,
    _: *mut sys::OfxPropertySetHandle,
) -> c_int {
    put_handle(out, &object::<Effect, _>(effect).clips, name)
}

extern "C" fn clip_properties(clip: sys::OfxImageClipHandle, out: *mut sys::OfxPropertySetHandle) -> c_int {
    put(out, Some(object::<Clip, _>(clip).properties.handle()))
}

extern "C" fn clip_image(
    clip: sys::OfxImageClipHandle,
    _: f64,
    _: *const sys::OfxRectD,
    out: *mut sys::OfxPropertySetHandle,
) -> c_int {
    match *object::<Clip, _>(clip).image.lock().unwrap() {
        Some(image) => put(out, Some(image.handle())),
        None => Status::FAILED.0,
    }
}

extern "C" fn release(image: sys::OfxPropertySetHandle) -> c_int {
    object::<Set, _>(image).released.fetch_add(1, Ordering::Relaxed);
    Status::OK.0
}

extern "C" fn abort(effect: sys::OfxImageEffectHandle) -> c_int {
    object::<Effect, _>(effect).aborted.load(Ordering::Relaxed).into()
}

extern "C" fn param_define(
    effect: sys::OfxParamSetHandle,
    kind: *const c_char,
    name: *const c_char,
    out: *mut sys::OfxPropertySetHandle,
) -> c_int {
    let param = object::<Effect, _>(effect).add_param(&text(name), &text(kind), &[]);
    put(out, Some(param.properties.handle()))
}

extern "C" fn param_handle(
    effect: sys::OfxParamSetHandle,
    name: *const c_char,
    out: *mut sys::OfxParamHandle,
    _: *mut sys::OfxPropertySetHandle,
) -> c_int {
    put_handle(out, &object::<Effect, _>(effect).params, name)
}

extern "C" fn param_properties(param: sys::OfxParamHandle, out: *mut sys::OfxPropertySetHandle) -> c_int {
    put(out, Some(object::<Param, _>(param).properties.handle()))
}

fn param_type(param: &Param) -> String {
    match param.properties.get("OfxParamPropType", 0) {
        Some(Value::Text(kind)) => kind.into_string().unwrap(),
        _ => panic!("a parameter has a type"),
    }
}

extern "C" fn value_at(param: sys::OfxParamHandle, time: f64, a: *mut f64, b: *mut f64, c: *mut f64) -> c_int {
    let param = object::<Param, _>(param);
    let numbers = param.numbers.lock().unwrap();
    match param_type(param).as_str() {
        "OfxParamTypeString" => put(a.cast(), Some(param.text.lock().unwrap().as_ptr())),
        "OfxParamTypeInteger" | "OfxParamTypeChoice" | "OfxParamTypeBoolean" => {
            put(a.cast(), Some(numbers[0] as c_int))
        }
        // Doubles increase by 1 per frame, so that a test can check the time.
        _ => {
            for (out, value) in [a, b, c].into_iter().zip(&*numbers) {
                put(out, Some(*value + time));
            }
            Status::OK.0
        }
    }
}

extern "C" fn set_value(param: sys::OfxParamHandle, word: usize, a: f64, b: f64, c: f64) -> c_int {
    let param = object::<Param, _>(param);
    let mut numbers = param.numbers.lock().unwrap();
    match param_type(param).as_str() {
        "OfxParamTypeString" => *param.text.lock().unwrap() = text(ptr::with_exposed_provenance(word)),
        "OfxParamTypeInteger" | "OfxParamTypeChoice" | "OfxParamTypeBoolean" => *numbers = vec![f64::from(word as i32)],
        "OfxParamTypeDouble" => *numbers = vec![a],
        "OfxParamTypeDouble2D" => *numbers = vec![a, b],
        _ => *numbers = vec![a, b, c],
    }
    Status::OK.0
}

/// The one `%s` of a message.
fn posted(format: *const c_char, argument: *const c_char) -> String {
    assert_eq!(text(format).as_c_str(), c"%s");
    text(argument).into_string().unwrap()
}

extern "C" fn message(
    effect: *mut c_void,
    _: *const c_char,
    _: *const c_char,
    format: *const c_char,
    argument: *const c_char,
) -> c_int {
    object::<Effect, _>(effect).messages.lock().unwrap().push(posted(format, argument));
    Status::OK.0
}

extern "C" fn persistent(
    effect: *mut c_void,
    _: *const c_char,
    _: *const c_char,
    format: *const c_char,
    argument: *const c_char,
) -> c_int {
    object::<Effect, _>(effect).persistent.lock().unwrap().push(posted(format, argument));
    Status::OK.0
}

extern "C" fn clear(effect: *mut c_void) -> c_int {
    object::<Effect, _>(effect).cleared.fetch_add(1, Ordering::Relaxed);
    Status::OK.0
}

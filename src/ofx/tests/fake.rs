//! A small host whose state is open to the tests.
//!
//! Handles are the addresses of leaked values. The variadic functions of the suites are ordinary functions here: the C calling
//! conventions of Linux pass arguments in the same registers.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem,
    ptr::{self, NonNull},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use flow_openfx::{self as sys, Status};

use crate::ofx::plugin::Plugin;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i32),
    Double(f64),
    Text(CString),
    Pointer(usize),
}

/// A property set. A `closed` set has the properties that the test has put there only.
#[derive(Default)]
pub(super) struct Set {
    values: Mutex<HashMap<(String, usize), Value>>,
    pub(super) closed: AtomicBool,
    pub(super) released: AtomicUsize,
}

impl Set {
    pub(super) fn put(&self, name: &CStr, values: impl IntoIterator<Item = Value>) -> &Self {
        let name = name.to_str().unwrap().to_owned();
        for (index, value) in values.into_iter().enumerate() {
            self.values.lock().unwrap().insert((name.clone(), index), value);
        }
        self
    }

    pub(super) fn ints(&self, name: &CStr, values: &[i32]) -> &Self {
        self.put(name, values.iter().map(|&value| Value::Int(value)))
    }

    pub(super) fn doubles(&self, name: &CStr, values: &[f64]) -> &Self {
        self.put(name, values.iter().map(|&value| Value::Double(value)))
    }

    pub(super) fn texts(&self, name: &CStr, values: &[&CStr]) -> &Self {
        self.put(name, values.iter().map(|&value| Value::Text(value.to_owned())))
    }

    pub(super) fn remove(&self, name: &CStr) {
        let name = name.to_str().unwrap();
        self.values.lock().unwrap().retain(|(known, _), _| known != name);
    }

    pub(super) fn get(&self, name: &str, index: usize) -> Option<Value> {
        self.values.lock().unwrap().get(&(name.to_owned(), index)).cloned()
    }

    pub(super) fn handle(&self) -> sys::OfxPropertySetHandle {
        ptr::from_ref(self).cast_mut().cast()
    }
}

/// The features of the host.
#[derive(Clone, Default)]
pub(super) struct Shape {
    pub(super) name: &'static CStr,
    /// The API version; (0, 0) for none.
    pub(super) api: (i32, i32),
    /// Missing suites.
    pub(super) missing: Vec<&'static str>,
    /// Whether version 2 of the message suite lacks persistent messages.
    pub(super) no_persistent: bool,
}

/// A host. Its handle is also that of its properties, the first field.
#[repr(C)]
pub(super) struct Host {
    pub(super) properties: Set,
    shape: Shape,
    /// Suites that the plug-in has requested, with versions.
    pub(super) asked: Mutex<Vec<(String, i32)>>,
    raw: sys::OfxHost,
}

impl Host {
    pub(super) fn new(shape: Shape) -> &'static Self {
        let host = Box::leak(Box::new(Self {
            properties: Set::default(),
            shape,
            asked: Mutex::default(),
            raw: sys::OfxHost { host: ptr::null_mut(), fetchSuite: Some(fetch_suite) },
        }));
        host.raw.host = ptr::from_ref(&*host).cast_mut().cast();
        host.properties.texts(c"OfxPropName", &[host.shape.name]);
        if host.shape.api != (0, 0) {
            host.properties.ints(c"OfxPropAPIVersion", &[host.shape.api.0, host.shape.api.1]);
        }
        host
    }

    pub(super) fn raw(&self) -> *mut sys::OfxHost {
        (&raw const self.raw).cast_mut()
    }
}

/// A clip with one image for all times.
#[derive(Default)]
pub(super) struct Clip {
    pub(super) properties: Set,
    pub(super) image: Mutex<Option<&'static Set>>,
}

#[derive(Default)]
pub(super) struct Param {
    pub(super) properties: Set,
    /// The value: numbers, or one string.
    pub(super) numbers: Mutex<Vec<f64>>,
    pub(super) text: Mutex<CString>,
}

/// An effect: descriptor and instance in one, as in MLT.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) properties: Set,
    pub(super) clips: Mutex<HashMap<CString, &'static Clip>>,
    pub(super) params: Mutex<HashMap<CString, &'static Param>>,
    pub(super) aborted: AtomicBool,
    pub(super) messages: Mutex<Vec<String>>,
    pub(super) persistent: Mutex<Vec<String>>,
    pub(super) cleared: AtomicUsize,
}

pub(super) fn leak<T: Default>() -> &'static T {
    Box::leak(Box::default())
}

impl Effect {
    pub(super) fn handle(&self) -> *const c_void {
        ptr::from_ref(self).cast()
    }

    pub(super) fn add_clip(&self, name: &CStr) -> &'static Clip {
        let clip = leak::<Clip>();
        self.clips.lock().unwrap().insert(name.to_owned(), clip);
        clip
    }

    pub(super) fn add_param(&self, name: &CStr, kind: &CStr, numbers: &[f64]) -> &'static Param {
        let param = leak::<Param>();
        param.properties.texts(c"OfxParamPropType", &[kind]);
        *param.numbers.lock().unwrap() = numbers.to_vec();
        self.params.lock().unwrap().insert(name.to_owned(), param);
        param
    }
}

/// Calls an action of the plug-in.
pub(super) fn call(
    plugin: &'static Plugin,
    action: &CStr,
    effect: Option<&Effect>,
    in_args: Option<&Set>,
    out_args: Option<&Set>,
) -> Status {
    let handle = |set: Option<&Set>| set.map_or(ptr::null_mut(), Set::handle);
    let effect = effect.map_or(ptr::null(), Effect::handle);
    // SAFETY: a plug-in of OfxGetPlugin; the handles are of this host.
    Status(unsafe {
        let entry = (*plugin.raw()).mainEntry.unwrap();
        entry(action.as_ptr(), effect, handle(in_args), handle(out_args))
    })
}

pub(super) fn set_host(plugin: &'static Plugin, host: &'static Host) {
    // SAFETY: as in `call`; the host is leaked.
    unsafe { (*plugin.raw()).setHost.unwrap()(host.raw()) };
}

/// The value of a handle.
fn object<T, H>(handle: *mut H) -> &'static T {
    // SAFETY: this host's handles are addresses of leaked values of this type.
    unsafe { handle.cast::<T>().as_ref() }.expect("a handle of this host")
}

fn text(name: *const c_char) -> CString {
    // SAFETY: the layer passes C strings.
    unsafe { CStr::from_ptr(name) }.to_owned()
}

extern "C" fn fetch_suite(host: sys::OfxPropertySetHandle, name: *const c_char, version: c_int) -> *const c_void {
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
            _ => ptr::null(),
        }
    }
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
    let found = find(set, name, index);
    put(
        out,
        found.and_then(|v| if let Value::Pointer(v) = v { Some(ptr::with_exposed_provenance_mut(v)) } else { None }),
    )
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
    let clip = object::<Effect, _>(effect).clips.lock().unwrap().get(&text(name)).copied();
    put(out, clip.map(|clip| ptr::from_ref(clip).cast_mut().cast()))
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
    let param = object::<Effect, _>(effect).params.lock().unwrap().get(&text(name)).copied();
    put(out, param.map(|param| ptr::from_ref(param).cast_mut().cast()))
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

/// An image over leaked memory, with rows `row_bytes` apart.
pub(super) fn image(
    memory: NonNull<u8>,
    depth: &CStr,
    components: &CStr,
    bounds: [i32; 4],
    row_bytes: i32,
) -> &'static Set {
    let image = leak::<Set>();
    image.texts(c"OfxImageEffectPropPixelDepth", &[depth]);
    image.texts(c"OfxImageEffectPropComponents", &[components]);
    image.ints(c"OfxImagePropBounds", &bounds);
    image.ints(c"OfxImagePropRowBytes", &[row_bytes]);
    image.put(c"OfxImagePropData", [Value::Pointer(memory.as_ptr().expose_provenance())]);
    image
}

//! A small host whose state is open to the tests.
//!
//! Handles are the addresses of leaked values.

mod suites;

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_void},
    ptr::{self, NonNull},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize},
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
            raw: sys::OfxHost { host: ptr::null_mut(), fetchSuite: Some(suites::fetch_suite) },
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

//! The parameter suite; its variadic functions are in `c/params.c`, which calls back
//! into the `flow_host_param_…` functions here.

use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::sync::Arc;

use flow_openfx as ofx;

use super::handles;
use super::{guard, text, violation, write};
use crate::Kind;
use crate::Status;
use crate::action;
use crate::names::Named as _;
use crate::node::NodeCore;
use crate::params::KindValues as _;
use crate::params::{Class, Curve, Param, Value};

unsafe extern "C" {
    fn flow_host_param_get_value(param: ofx::OfxParamHandle, ...) -> c_int;
    fn flow_host_param_get_value_at_time(param: ofx::OfxParamHandle, time: f64, ...) -> c_int;
    fn flow_host_param_get_derivative(param: ofx::OfxParamHandle, time: f64, ...) -> c_int;
    fn flow_host_param_get_integral(param: ofx::OfxParamHandle, from: f64, to: f64, ...) -> c_int;
    fn flow_host_param_set_value(param: ofx::OfxParamHandle, ...) -> c_int;
    fn flow_host_param_set_value_at_time(param: ofx::OfxParamHandle, time: f64, ...) -> c_int;
}

pub(crate) static SUITE: ofx::OfxParameterSuiteV1 = ofx::OfxParameterSuiteV1 {
    paramDefine: Some(define),
    paramGetHandle: Some(get_handle),
    paramSetGetPropertySet: Some(set_properties),
    paramGetPropertySet: Some(properties),
    paramGetValue: Some(flow_host_param_get_value),
    paramGetValueAtTime: Some(flow_host_param_get_value_at_time),
    paramGetDerivative: Some(flow_host_param_get_derivative),
    paramGetIntegral: Some(flow_host_param_get_integral),
    paramSetValue: Some(flow_host_param_set_value),
    paramSetValueAtTime: Some(flow_host_param_set_value_at_time),
    paramGetNumKeys: Some(num_keys),
    paramGetKeyTime: Some(key_time),
    paramGetKeyIndex: Some(key_index),
    paramDeleteKey: Some(delete_key),
    paramDeleteAllKeys: Some(delete_all_keys),
    paramCopy: Some(copy),
    paramEditBegin: Some(edit_begin),
    paramEditEnd: Some(edit_end),
};

unsafe extern "C" fn define(
    set: ofx::OfxParamSetHandle,
    kind: *const c_char,
    name: *const c_char,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("paramDefine", || {
        let Some(descriptor) = handles::described_params(set) else {
            return violation("paramDefine: not a descriptor's set".into(), Status::ERR_BAD_HANDLE);
        };
        let kind = text(kind).unwrap_or_default();
        let Some(kind) = Kind::parse(&kind) else {
            return violation(format!("paramDefine: no type {kind}"), Status::ERR_UNSUPPORTED);
        };
        let Some(name) = text(name).filter(|name| !name.is_empty()) else {
            return violation("paramDefine: no name".into(), Status::ERR_VALUE);
        };
        match descriptor.define_param(kind, &name) {
            Some(props) => {
                write(out, props.handle());
                Status::OK
            }
            None => violation(format!("parameter {name} is defined twice"), Status::ERR_EXISTS),
        }
    })
}

unsafe extern "C" fn get_handle(
    set: ofx::OfxParamSetHandle,
    name: *const c_char,
    out: *mut ofx::OfxParamHandle,
    props: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("paramGetHandle", || {
        let Some(name) = text(name) else { return Status::ERR_VALUE };
        if let Some(node) = handles::node_params(set) {
            let Some(param) = node.params.iter().find(|param| param.name == name) else {
                return Status::ERR_UNKNOWN;
            };
            write(out, param.handle());
            write(props, param.props.handle());
            return Status::OK;
        }
        let Some(descriptor) = handles::described_params(set) else {
            return violation("paramGetHandle: not a parameter set".into(), Status::ERR_BAD_HANDLE);
        };
        match descriptor.param(&name) {
            Some(described) => {
                write(props, described.props.handle());
                Status::OK
            }
            None => Status::ERR_UNKNOWN,
        }
    })
}

unsafe extern "C" fn set_properties(set: ofx::OfxParamSetHandle, out: *mut ofx::OfxPropertySetHandle) -> c_int {
    guard("paramSetGetPropertySet", || {
        let handle = match (handles::node_params(set), handles::described_params(set)) {
            (Some(node), _) => node.param_set_props.handle(),
            (_, Some(descriptor)) => descriptor.param_set_props.handle(),
            _ => {
                return violation("paramSetGetPropertySet: not a parameter set".into(), Status::ERR_BAD_HANDLE);
            }
        };
        write(out, handle);
        Status::OK
    })
}

fn with(
    call: &'static str,
    handle: ofx::OfxParamHandle,
    body: impl FnOnce(&Arc<Param>, &Arc<NodeCore>) -> Status,
) -> c_int {
    guard(call, || {
        let found = handles::param(handle).and_then(|p| p.node.upgrade().map(|n| (p, n)));
        match found {
            Some((param, node)) => body(&param, &node),
            None => violation(format!("{call}: not a parameter"), Status::ERR_BAD_HANDLE),
        }
    })
}

unsafe extern "C" fn properties(param: ofx::OfxParamHandle, out: *mut ofx::OfxPropertySetHandle) -> c_int {
    with("paramGetPropertySet", param, |param, _| {
        write(out, param.props.handle());
        Status::OK
    })
}

/// Kinds of a request for a value; the numbers are those of `c/params.c`.
const CURRENT: c_int = 0;
const DERIVATIVE: c_int = 2;
const INTEGRAL: c_int = 3;

/// Class and number of values of a parameter, for `c/params.c`.
#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_shape(handle: *mut c_void, class: *mut c_int, count: *mut c_int) -> c_int {
    match handles::param(handle) {
        Some(param) => {
            let number = match param.kind.class() {
                Class::Doubles => 1,
                Class::Ints => 2,
                Class::Text => 3,
                Class::Nothing => {
                    let text = format!("{} is a {} and has no value", param.name, param.kind.name());
                    return violation(text, Status::ERR_UNSUPPORTED).0;
                }
            };
            write(class, number);
            write(count, param.kind.dimensions() as c_int);
            Status::OK.0
        }
        None => violation("a value was requested without a parameter".into(), Status::ERR_BAD_HANDLE).0,
    }
}

/// The time at which a value is read: the action's frame in a host without temporal
/// access or without a given time, else the requested time.
fn read_time(node: &NodeCore, mode: c_int, time: f64) -> f64 {
    let frame = || action::current_of(node).and_then(|action| action.time).unwrap_or_else(|| node.timeline());
    if mode == CURRENT || node.profile().ignores_time { frame() } else { time }
}

fn read(param: &Param, node: &NodeCore, mode: c_int, a: f64, b: f64) -> Value {
    let creating = node.profile().defaults_while_creating
        && action::current_of(node).is_some_and(|action| action.name == ofx::Action::CreateInstance.as_str());
    if creating {
        return param.initial.clone();
    }
    match mode {
        DERIVATIVE => Value::Doubles(param.curve().derivative(a)),
        INTEGRAL => Value::Doubles(param.curve().integral(a, b)),
        _ => param.at(read_time(node, mode, a)),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_get_doubles(
    handle: *mut c_void,
    mode: c_int,
    a: f64,
    b: f64,
    out: *mut f64,
) -> c_int {
    with("paramGetValue", handle.cast(), |param, node| {
        for (at, value) in read(param, node, mode, a, b).numbers().into_iter().enumerate() {
            write(out.wrapping_add(at), value);
        }
        Status::OK
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_get_ints(
    handle: *mut c_void,
    mode: c_int,
    a: f64,
    b: f64,
    out: *mut c_int,
) -> c_int {
    with("paramGetValue", handle.cast(), |param, node| {
        if mode == DERIVATIVE || mode == INTEGRAL {
            let text = format!("{}: whole numbers have no slope or integral", param.name);
            return violation(text, Status::ERR_UNSUPPORTED);
        }
        if let Value::Ints(values) = read(param, node, mode, a, b) {
            for (at, value) in values.into_iter().enumerate() {
                write(out.wrapping_add(at), value);
            }
        }
        Status::OK
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_get_string(
    handle: *mut c_void,
    mode: c_int,
    a: f64,
    out: *mut *const c_char,
) -> c_int {
    with("paramGetValue", handle.cast(), |param, node| {
        if mode == DERIVATIVE || mode == INTEGRAL {
            let text = format!("{}: text has no slope or integral", param.name);
            return violation(text, Status::ERR_UNSUPPORTED);
        }
        let value = read(param, node, mode, a, 0.0);
        write(out, param.give_image(value.text().unwrap_or_default()));
        Status::OK
    })
}

/// A plug-in's write: refused during a render, reported to the plug-in otherwise.
fn edit(call: &'static str, handle: *mut c_void, change: impl FnOnce(&mut Curve)) -> c_int {
    with(call, handle.cast(), |param, node| {
        if let Some(action) = action::current()
            && action.renders()
        {
            let text = format!("{call} on {} in {}", param.name, action.name);
            return violation(text, Status::FAILED);
        }
        node.before_plugin_edit(param);
        param.change(change);
        node.plugin_edited(param);
        Status::OK
    })
}

fn store(handle: *mut c_void, mode: c_int, time: f64, value: Value) -> c_int {
    let call = if mode == CURRENT { "paramSetValue" } else { "paramSetValueAtTime" };
    let animates = handles::param(handle).is_some_and(|param| param.animates());
    let now = handles::param(handle)
        .and_then(|param| param.node.upgrade())
        .map_or(time, |node| if mode == CURRENT { read_time(&node, mode, time) } else { time });
    edit(call, handle, |curve| {
        let keyed = !curve.keys().is_empty();
        if animates && (mode != CURRENT || keyed) {
            curve.set_key(now, value);
        } else {
            curve.set_constant(value);
        }
    })
}

/// `count` values from the array that `c/params.c` filled.
fn values<T: Copy>(handle: *mut c_void, from: *const T) -> Vec<T> {
    let count = handles::param(handle).map_or(0, |param| param.kind.dimensions());
    // SAFETY: `c/params.c` passes an array of four, and no parameter has more values.
    (0..count).map(|at| unsafe { from.add(at).read() }).collect()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_set_doubles(
    handle: *mut c_void,
    mode: c_int,
    time: f64,
    from: *const f64,
) -> c_int {
    store(handle, mode, time, Value::Doubles(values(handle, from)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_set_ints(
    handle: *mut c_void,
    mode: c_int,
    time: f64,
    from: *const c_int,
) -> c_int {
    store(handle, mode, time, Value::Ints(values(handle, from)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_param_set_string(
    handle: *mut c_void,
    mode: c_int,
    time: f64,
    value: *const c_char,
) -> c_int {
    store(handle, mode, time, Value::Text(text(value).unwrap_or_default()))
}

/// The keys that this host shows: none without temporal access.
fn keys(param: &Param, node: &NodeCore) -> Vec<f64> {
    if node.profile().ignores_time {
        return Vec::new();
    }
    param.curve().keys().iter().map(|(time, _)| *time).collect()
}

unsafe extern "C" fn num_keys(param: ofx::OfxParamHandle, out: *mut c_uint) -> c_int {
    with("paramGetNumKeys", param, |param, node| {
        write(out, keys(param, node).len() as c_uint);
        Status::OK
    })
}

unsafe extern "C" fn key_time(param: ofx::OfxParamHandle, nth: c_uint, out: *mut f64) -> c_int {
    with("paramGetKeyTime", param, |param, node| match keys(param, node).get(nth as usize) {
        Some(time) => {
            write(out, *time);
            Status::OK
        }
        None => violation(format!("{} has no key {nth}", param.name), Status::ERR_BAD_INDEX),
    })
}

unsafe extern "C" fn key_index(param: ofx::OfxParamHandle, time: f64, direction: c_int, out: *mut c_int) -> c_int {
    with("paramGetKeyIndex", param, |param, node| {
        let found = param.curve().key_index(time, direction);
        match found.filter(|_| !node.profile().ignores_time) {
            Some(index) => {
                write(out, index as c_int);
                Status::OK
            }
            None => {
                write(out, -1);
                Status::FAILED
            }
        }
    })
}

unsafe extern "C" fn delete_key(param: ofx::OfxParamHandle, time: f64) -> c_int {
    let found = handles::param(param).is_some_and(|param| param.curve().key_index(time, 0).is_some());
    if !found && handles::param(param).is_some() {
        return Status::ERR_BAD_INDEX.0;
    }
    edit("paramDeleteKey", param.cast(), |curve| {
        curve.delete_key(time);
    })
}

unsafe extern "C" fn delete_all_keys(param: ofx::OfxParamHandle) -> c_int {
    let now = handles::param(param).and_then(|param| param.node.upgrade()).map_or(0.0, |node| node.timeline());
    edit("paramDeleteAllKeys", param.cast(), |curve| curve.delete_all(now))
}

unsafe extern "C" fn copy(
    to: ofx::OfxParamHandle,
    from: ofx::OfxParamHandle,
    offset: f64,
    range: *const ofx::OfxRangeD,
) -> c_int {
    let Some(source) = handles::param(from) else { return Status::ERR_BAD_HANDLE.0 };
    let Some(target) = handles::param(to) else { return Status::ERR_BAD_HANDLE.0 };
    if source.kind.class() != target.kind.class() || source.kind.dimensions() != target.kind.dimensions() {
        return violation(format!("paramCopy from {} to {}: other types", source.name, target.name), Status::ERR_VALUE)
            .0;
    }
    // SAFETY: the suite allows NULL and else requires a valid range for the call.
    let range = unsafe { range.as_ref() }.map(|range| (range.min, range.max));
    let source = source.curve();
    edit("paramCopy", to.cast(), |curve| {
        curve.set_constant(source.at(range.map_or(0.0, |(min, _)| min)));
        let inside = |time: f64| range.is_none_or(|(min, max)| time >= min && time <= max);
        for (time, value) in source.keys().iter().filter(|(time, _)| inside(*time)) {
            curve.set_key(time + offset, value.clone());
        }
    })
}

unsafe extern "C" fn edit_begin(set: ofx::OfxParamSetHandle, _name: *const c_char) -> c_int {
    guard("paramEditBegin", || match handles::node_params(set) {
        Some(node) => {
            node.begin_block();
            Status::OK
        }
        None => violation("paramEditBegin: not an instance's set".into(), Status::ERR_BAD_HANDLE),
    })
}

unsafe extern "C" fn edit_end(set: ofx::OfxParamSetHandle) -> c_int {
    guard("paramEditEnd", || match handles::node_params(set) {
        Some(node) if node.end_block() => Status::OK,
        Some(_) => violation("paramEditEnd: no edit was begun".into(), Status::FAILED),
        None => violation("paramEditEnd: not an instance's set".into(), Status::ERR_BAD_HANDLE),
    })
}

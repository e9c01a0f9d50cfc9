//! The message suites; their variadic functions are in `c/messages.c`.

use std::os::raw::{c_char, c_int, c_void};

use flow_openfx as ofx;

use super::{guard, handles, text, with_record};
use crate::record::Event;
use crate::{Status, action};

unsafe extern "C" {
    fn flow_host_message(
        handle: *mut c_void,
        kind: *const c_char,
        id: *const c_char,
        format: *const c_char,
        ...
    ) -> c_int;
    fn flow_host_set_persistent_message(
        handle: *mut c_void,
        kind: *const c_char,
        id: *const c_char,
        format: *const c_char,
        ...
    ) -> c_int;
}

pub(crate) static SUITE_V1: ofx::OfxMessageSuiteV1 = ofx::OfxMessageSuiteV1 { message: Some(flow_host_message) };

pub(crate) static SUITE_V2: ofx::OfxMessageSuiteV2 = ofx::OfxMessageSuiteV2 {
    message: Some(flow_host_message),
    setPersistentMessage: Some(flow_host_set_persistent_message),
    clearPersistentMessage: Some(clear),
};

/// As in Resolve: version 2 exists, its new functions are NULL.
pub(crate) static SUITE_V2_NULL: ofx::OfxMessageSuiteV2 = ofx::OfxMessageSuiteV2 {
    message: Some(flow_host_message),
    setPersistentMessage: None,
    clearPersistentMessage: None,
};

/// A formatted message, from `c/messages.c`. Questions are answered with OK, as by an
/// unattended host.
#[unsafe(no_mangle)]
unsafe extern "C" fn flow_host_message_text(
    handle: *mut c_void,
    kind: *const c_char,
    _id: *const c_char,
    message: *const c_char,
    persistent: c_int,
) -> c_int {
    let call = if persistent == 0 { "message" } else { "setPersistentMessage" };
    guard(call, || {
        let kind = text(kind).unwrap_or_default();
        let message = text(message).unwrap_or_default();
        let instance = handles::instance(handle);
        let node = instance.as_ref().map_or_else(String::new, |i| i.node.name.clone());
        with_record(|record| {
            record.push(Event::Message {
                node,
                kind: kind.clone(),
                text: message.clone(),
                persistent: persistent != 0,
            });
        });
        if let Some(action) = action::current() {
            action.gather(|gathered| gathered.messages.push(message.clone()));
        }
        match instance {
            Some(instance) if persistent != 0 => {
                instance.node.set_persistent(Some((kind, message)));
                Status::OK
            }
            None if persistent != 0 => Status::ERR_BAD_HANDLE,
            _ => Status::OK,
        }
    })
}

unsafe extern "C" fn clear(handle: *mut c_void) -> c_int {
    guard("clearPersistentMessage", || match handles::instance(handle) {
        Some(instance) => {
            instance.node.set_persistent(None);
            let node = instance.node.name.clone();
            with_record(|record| record.push(Event::Cleared { node }));
            Status::OK
        }
        None => Status::ERR_BAD_HANDLE,
    })
}

//! The entry points of an overlay.

use std::{
    ffi::{c_char, c_void},
    ptr::{self, NonNull},
};

use flow_openfx::{self as sys, Action, Status};

use super::super::{
    descriptor::EffectDescriptor,
    error::{Error, Result, call, succeeded},
    handle::EffectHandle,
    host::Host,
    plugin::Registered,
    process,
    property::PropertySet,
    trampoline::{entered, guarded},
};
use super::{Drawing, Pen, PenEvent, PenResponse, Viewer, gl};

/// Passes the entry points to a host that draws overlays, for a node that has one.
pub(in crate::ofx) fn describe<T: Registered>(host: &Host, descriptor: &EffectDescriptor<'_>) {
    if !host.draws_overlays() || T::overlay().is_empty() {
        return;
    }
    let properties = descriptor.properties();
    if host.draw().is_some() {
        let entry: EntryPoint = entry::<T, true>;
        properties.try_set(sys::kOfxImageEffectPluginPropOverlayInteractV2, [entry as *mut c_void]);
    }
    let entry: EntryPoint = entry::<T, false>;
    properties.try_set(sys::kOfxImageEffectPluginPropOverlayInteractV1, [entry as *mut c_void]);
}

type EntryPoint = unsafe extern "C" fn(
    *const c_char,
    *const c_void,
    sys::OfxPropertySetHandle,
    sys::OfxPropertySetHandle,
) -> sys::OfxStatus;

/// The entry point of a node type's overlay; `SUITE` for the host's draw suite, else OpenGL.
///
/// # Safety
///
/// Called by a host according to ofxInteract.h: `action` is a C string, and the handles are null or those of the
/// action.
unsafe extern "C" fn entry<T: Registered, const SUITE: bool>(
    action: *const c_char,
    handle: *const c_void,
    in_args: sys::OfxPropertySetHandle,
    _out_args: sys::OfxPropertySetHandle,
) -> sys::OfxStatus {
    // SAFETY: the host's promise.
    unsafe {
        entered::<T>(action, |action| {
            if process::is_forked() {
                return Status::REPLY_DEFAULT;
            }
            let interact = NonNull::new(handle.cast_mut().cast::<sys::OfxInteract>());
            let outcome = T::state().host().and_then(|host| {
                let interact = interact.ok_or(Error::BadHandle("interact"))?;
                // SAFETY: the host's promise.
                guarded::<T, _>(|| dispatch::<T, SUITE>(&host, action, interact, in_args))
            });
            outcome.unwrap_or_else(|error| {
                // The default instead of a failure: after a failed draw, hosts never draw the overlay again.
                tracing::debug!("{} {action:?} of the overlay: {error}", T::LABEL.to_string_lossy());
                Status::REPLY_DEFAULT
            })
        })
    }
}

/// # Safety
///
/// As [`entry`].
unsafe fn dispatch<T: Registered, const SUITE: bool>(
    host: &Host,
    action: Action,
    interact: NonNull<sys::OfxInteract>,
    in_args: sys::OfxPropertySetHandle,
) -> Result<Status> {
    if action == Action::Describe {
        return Ok(Status::OK);
    }
    // SAFETY: ofxInteract.h: null or a property set that lives as long as the action.
    let inputs = unsafe { PropertySet::new(host, in_args, "arguments") }.ok();
    // SAFETY: the host's promise.
    let own = unsafe { properties(host, interact) }.ok();
    if action == Action::CreateInstance {
        if let Some(own) = own {
            own.try_set(sys::kOfxInteractPropSlaveToParam, T::overlay());
        }
        return Ok(Status::OK);
    }
    let named = |set: &PropertySet<'_>| NonNull::new(set.get_pointer(sys::kOfxPropEffectInstance, 0).ok()?);
    let effect = [inputs, own].iter().flatten().find_map(named).map(NonNull::cast::<sys::OfxImageEffectStruct>);
    let known = effect.and_then(|effect| Some((effect, T::state().find::<T::Instance>(effect.addr().get())?)));
    // Some hosts destroy the instance before its overlay.
    let Some((handle, record)) = known else { return Ok(Status::REPLY_DEFAULT) };
    // SAFETY: an instance that was created and not destroyed; used in this action only.
    let effect = unsafe { EffectHandle::new(host, handle, record.id, action, &record.posted) };
    let viewer = Viewer::read(inputs.as_ref(), own.as_ref());
    let event = match action {
        Action::Draw => {
            // SAFETY: ofxInteract.h, kOfxInteractActionDraw: within that action the draw context is valid, or the
            // OpenGL context is current.
            let drawing = unsafe { drawing::<SUITE>(host, inputs.as_ref(), own.as_ref()) };
            let Some(mut drawing) = drawing else { return Ok(Status::REPLY_DEFAULT) };
            return T::draw_overlay(&record.instance, &effect, &viewer, &mut drawing).map(|()| Status::OK);
        }
        Action::DestroyInstance | Action::LoseFocus => {
            T::leave_overlay(&record.instance, &effect);
            return Ok(Status::OK);
        }
        Action::PenDown => PenEvent::Down,
        Action::PenMotion => PenEvent::Move,
        Action::PenUp => PenEvent::Up,
        _ => return Ok(Status::REPLY_DEFAULT),
    };
    // Invisible handles cannot be dragged.
    if !SUITE && gl::is_missing() {
        return Ok(Status::REPLY_DEFAULT);
    }
    let position: [f64; 2] = inputs.ok_or(Error::BadHandle("arguments"))?.doubles(sys::kOfxInteractPropPenPosition)?;
    if !position.iter().all(|coordinate| coordinate.is_finite()) {
        return Ok(Status::REPLY_DEFAULT);
    }
    let PenResponse { taken, redraw } = T::pen(&record.instance, &effect, &viewer, &Pen { event, position })?;
    if redraw && let Some(redraw) = host.interact().and_then(|suite| suite.interactRedraw) {
        // SAFETY: ofxInteract.h: takes an instance of an interact.
        succeeded(unsafe { redraw(interact.as_ptr()) }, "interactRedraw");
    }
    Ok(if taken { Status::OK } else { Status::REPLY_DEFAULT })
}

/// The properties of the interact.
///
/// # Safety
///
/// `interact` is an interact of the host, valid for the action.
unsafe fn properties(host: &Host, interact: NonNull<sys::OfxInteract>) -> Result<PropertySet<'_>> {
    let suite = host.interact().ok_or(Error::MissingFunction("interactGetPropertySet"))?;
    let mut properties = ptr::null_mut();
    // SAFETY: ofxInteract.h: takes an interact and space for a handle.
    unsafe { call!(suite, interactGetPropertySet(interact.as_ptr(), &raw mut properties), c"overlay") }?;
    // SAFETY: ofxInteract.h: the set lives as long as the interact.
    unsafe { PropertySet::new(host, properties, "overlay properties") }
}

/// The drawing of the current action; `None` without draw context or OpenGL.
///
/// # Safety
///
/// Within a draw action.
unsafe fn drawing<'d, const SUITE: bool>(
    host: &'d Host,
    inputs: Option<&PropertySet<'d>>,
    own: Option<&PropertySet<'d>>,
) -> Option<Drawing<'d>> {
    if SUITE {
        let context = inputs?.get_pointer(sys::kOfxInteractPropDrawContext, 0).ok();
        let context = context.filter(|context| !context.is_null())?;
        // SAFETY: ofxDrawSuite.h, kOfxInteractPropDrawContext: valid for this action.
        return Some(unsafe { Drawing::by_suite(host.draw()?, context.cast()) });
    }
    let suggested = own.and_then(|own| own.doubles(sys::kOfxInteractPropSuggestedColour).ok());
    // SAFETY: ofxInteract.h, kOfxInteractActionDraw: the interact's context is current.
    unsafe { Drawing::by_gl(suggested) }
}

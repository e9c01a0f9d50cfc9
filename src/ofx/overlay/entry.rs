//! The entry points of an overlay.

use std::{
    ffi::{c_char, c_void},
    ptr::{self, NonNull},
};

use super::super::{
    action::Action,
    descriptor::EffectDescriptor,
    ffi::sys,
    handle::EffectHandle,
    host::Host,
    names,
    plugin::Registered,
    process,
    property::PropertySet,
    status::{Error, Result, Status},
    trampoline::{entered, guarded},
};
use super::{Drawing, Pen, PenEvent, PenResponse, Viewer, gl};

/// Hands the entry points over, in a host that draws overlays, for a node that has one.
pub(in crate::ofx) fn describe<T: Registered>(host: &Host, descriptor: &EffectDescriptor<'_>) {
    if !host.draws_overlays() || T::overlay().is_empty() {
        return;
    }
    let hand_over = |name, entry: EntryPoint| {
        if let Err(error) = descriptor.properties().set_pointer(name, 0, entry as *mut c_void) {
            tracing::debug!("{error}");
        }
    };
    if host.draw_suite().is_some() {
        hand_over(names::OVERLAY_V2, entry::<T, true>);
    }
    hand_over(names::OVERLAY_V1, entry::<T, false>);
}

type EntryPoint = unsafe extern "C" fn(
    *const c_char,
    *const c_void,
    sys::OfxPropertySetHandle,
    sys::OfxPropertySetHandle,
) -> sys::OfxStatus;

/// The entry point of a node type's overlay; `SUITE` where the host draws.
///
/// # Safety
///
/// Called by a host, as ofxInteract.h has it: `action` is a C string, and the handles are null or what the action says.
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
                // Once a draw fails, hosts never ask again: what fails now may work later.
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
            for (index, name) in T::overlay().into_iter().enumerate() {
                own.try_set_string(names::SLAVE_TO_PARAM, index, name);
            }
        }
        return Ok(Status::OK);
    }
    let named = |set: &PropertySet<'_>| NonNull::new(set.get_pointer(names::EFFECT_INSTANCE, 0).ok()?);
    let effect = [inputs, own].iter().flatten().find_map(named).map(NonNull::cast::<sys::OfxImageEffectStruct>);
    let known = effect.and_then(|effect| Some((effect, T::state().find::<T::Instance>(effect.addr().get())?)));
    // Hosts destroy an instance before its overlay, too.
    let Some((handle, record)) = known else { return Ok(Status::REPLY_DEFAULT) };
    // SAFETY: an instance that was created and not destroyed; used in this action alone.
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
    // What nobody sees is not to be dragged.
    if !SUITE && gl::is_missing() {
        return Ok(Status::REPLY_DEFAULT);
    }
    let position: [f64; 2] = inputs.ok_or(Error::BadHandle("arguments"))?.doubles(names::PEN_POSITION)?;
    if !position.iter().all(|place| place.is_finite()) {
        return Ok(Status::REPLY_DEFAULT);
    }
    let PenResponse { taken, redraw } = T::pen(&record.instance, &effect, &viewer, &Pen { event, position })?;
    if redraw && let Some(redraw) = host.interact_suite().and_then(|suite| suite.interactRedraw) {
        // SAFETY: ofxInteract.h: takes an instance of an interact.
        let status = Status(unsafe { redraw(interact.as_ptr()) });
        if status != Status::OK {
            tracing::debug!("the host answered interactRedraw with {status}");
        }
    }
    Ok(if taken { Status::OK } else { Status::REPLY_DEFAULT })
}

/// The interact's own properties.
///
/// # Safety
///
/// `interact` is one of the host's, and stays valid for the action.
unsafe fn properties(host: &Host, interact: NonNull<sys::OfxInteract>) -> Result<PropertySet<'_>> {
    let missing = Error::MissingFunction("interactGetPropertySet");
    let get = host.interact_suite().and_then(|suite| suite.interactGetPropertySet).ok_or(missing)?;
    let mut properties = ptr::null_mut();
    // SAFETY: ofxInteract.h: takes an interact and a place for a handle.
    let status = unsafe { get(interact.as_ptr(), &raw mut properties) };
    Status(status).check("interactGetPropertySet", c"overlay")?;
    // SAFETY: ofxInteract.h: the set lives as long as the interact.
    unsafe { PropertySet::new(host, properties, "overlay properties") }
}

/// The means to draw; `None` where there is none.
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
        let context = inputs?.get_pointer(names::DRAW_CONTEXT, 0).ok().filter(|context| !context.is_null())?;
        // SAFETY: ofxDrawSuite.h, kOfxInteractPropDrawContext: valid for this action.
        return Some(unsafe { Drawing::by_suite(host.draw_suite()?, context.cast()) });
    }
    let chosen = own.and_then(|own| own.doubles(names::SUGGESTED_COLOUR).ok());
    // SAFETY: ofxInteract.h, kOfxInteractActionDraw: the interact's context is current.
    unsafe { Drawing::by_gl(chosen) }
}

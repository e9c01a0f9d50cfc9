//! The trampoline: the entry of every action of every node type.
//!
//! The host calls [`main_entry`]; overlays have another entry point, with the same preparation and error handling.
//! An action on an instance takes these steps: find the instance, read the arguments, call the node, write the result,
//! report an error, remove the last message when the node works again. Only a status leaves the trampoline: panics are
//! caught, and an error becomes a status and one message.

use std::{
    any::Any,
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
    sync::atomic::AtomicBool,
};

use flow_openfx::{self as sys, Action, ChangeReason, Context, MessageType, Status};

use super::{
    args::{
        self, Answer, ChangedArgs, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, RegionsOfInterest, RenderArgs,
        SequenceArgs,
    },
    descriptor::EffectDescriptor,
    error::{Error, Result},
    float_mode::FloatMode,
    handle::EffectHandle,
    host::Host,
    log, overlay,
    plugin::{Record, Registered, next_id},
    process,
    property::PropertySet,
};

/// `OfxPlugin::setHost` of a node type.
///
/// # Safety
///
/// Called by a host according to ofxCore.h: `host` is valid while the library is loaded.
pub(super) unsafe extern "C" fn set_host<T: Registered>(host: *mut sys::OfxHost) {
    // SAFETY: the host's promise.
    unsafe { T::state().set_host(host) };
}

/// `OfxPlugin::mainEntry` of a node type.
///
/// # Safety
///
/// Called by a host according to ofxCore.h: `action` is a C string, and the handles are null or those of the action.
pub(super) unsafe extern "C" fn main_entry<T: Registered>(
    action: *const c_char,
    handle: *const c_void,
    in_args: sys::OfxPropertySetHandle,
    out_args: sys::OfxPropertySetHandle,
) -> sys::OfxStatus {
    let handle = NonNull::new(handle.cast_mut().cast::<sys::OfxImageEffectStruct>());
    // SAFETY: the host's promise.
    unsafe {
        entered::<T>(action, |action| {
            if process::is_forked() {
                return in_forked_child::<T>(action, handle);
            }
            dispatch::<T>(action, handle, in_args, out_args)
        })
    }
}

/// Handles an action in a child that was forked from the process that has rendered. It takes no lock of the library,
/// nor of the log, and drops no value with threads: each could wait forever for a thread that exists in the parent
/// only.
///
/// # Safety
///
/// As [`main_entry`].
unsafe fn in_forked_child<T: Registered>(action: Action, handle: Option<NonNull<sys::OfxImageEffectStruct>>) -> Status {
    match action {
        Action::Load | Action::Describe | Action::DescribeInContext => Status::FAILED,
        Action::CreateInstance | Action::Render => {
            if let (Some(handle), Ok(host)) = (handle, T::state().host_without_lock()) {
                let posted = AtomicBool::new(false);
                // SAFETY: ofxImageEffect.h: these actions come with an instance; used in this action only.
                let effect = unsafe { EffectHandle::new(&host, handle, next_id(), action, &posted) };
                let text = format!(
                    "This process was forked from one in which {} had rendered, and has none of its threads and devices: \
                     nothing can be rendered here. Start a new process for the render, or fork before the first frame.",
                    T::LABEL.to_string_lossy()
                );
                effect.post_persistent(MessageType::Error, &text);
            }
            Status::FAILED
        }
        // Threads, devices and memory belong to the parent.
        Action::Unload | Action::DestroyInstance => Status::OK,
        _ => Status::REPLY_DEFAULT,
    }
}

/// The status of `work` for an action of the host, in the standard floating-point mode; panics are caught.
///
/// # Safety
///
/// `action` is null or a C string.
pub(super) unsafe fn entered<T: Registered>(
    action: *const c_char,
    work: impl FnOnce(Action) -> Status,
) -> sys::OfxStatus {
    let entry = || {
        if action.is_null() {
            return Status::ERR_VALUE;
        }
        // SAFETY: the caller's promise; null was excluded.
        let name = unsafe { CStr::from_ptr(action) }.to_str();
        let Some(action) = name.ok().and_then(Action::parse) else { return Status::REPLY_DEFAULT };
        let _mode = FloatMode::standard();
        work(action)
    };
    caught(entry)
        .unwrap_or_else(|panic| {
            // `guarded` catches panics of the node and reports them on the instance; this one is of this layer.
            tracing::error!("{}: {panic}", T::LABEL.to_string_lossy());
            Status::FAILED
        })
        .0
}

/// Runs `work`; a panic becomes its text.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = panic_text(&*payload);
        // A payload whose destructor panics must not be dropped.
        std::mem::forget(payload);
        text
    })
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned())
}

/// Runs `work` of a node; a panic becomes an error with a remedy.
pub(super) fn guarded<T: Registered, R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    caught(work).unwrap_or_else(|panic| {
        tracing::error!("panic in {}: {panic}", T::LABEL.to_string_lossy());
        Err(Error::message(format!(
            "An internal error stopped this node ({panic}). Render the frame again; if it comes back, please report it with a log \
             (start the host with FLOW_LOG=debug and FLOW_LOG_FILE set to a file).",
        )))
    })
}

/// # Safety
///
/// As [`main_entry`].
unsafe fn dispatch<T: Registered>(
    action: Action,
    handle: Option<NonNull<sys::OfxImageEffectStruct>>,
    in_args: sys::OfxPropertySetHandle,
    out_args: sys::OfxPropertySetHandle,
) -> Status {
    if action == Action::Load {
        log::install();
    }
    if action == Action::Unload {
        let unloaded = guarded::<T, _>(|| {
            T::unload();
            Ok(())
        });
        T::state().unload();
        return logged::<T>(action, unloaded);
    }
    let host = match T::state().host() {
        Ok(_) if action == Action::Load => return Status::OK,
        Ok(host) => host,
        Err(error) => return logged::<T>(action, Err(error)),
    };
    let Some(handle) = handle else {
        return logged::<T>(action, Err(Error::BadHandle("effect")));
    };
    // SAFETY: ofxCore.h: both are null or property sets that live as long as the action.
    let in_args = unsafe { PropertySet::new(&host, in_args, "arguments") }.ok();
    // SAFETY: as above.
    let out_args = unsafe { PropertySet::new(&host, out_args, "answer") }.ok();
    match action {
        Action::Describe | Action::DescribeInContext => {
            let described = guarded::<T, _>(|| {
                // SAFETY: ofxImageEffect.h: these actions come with a descriptor.
                let descriptor = unsafe { EffectDescriptor::new(&host, handle) }?;
                describe::<T>(&host, descriptor, action, in_args.as_ref())
            });
            logged::<T>(action, described)
        }
        // SAFETY: the host's promise.
        Action::CreateInstance => unsafe { create::<T>(&host, handle) },
        Action::DestroyInstance => destroy::<T>(handle),
        // SAFETY: the host's promise.
        _ => unsafe { on_instance::<T>(&host, action, handle, in_args.as_ref(), out_args.as_ref()) },
    }
}

/// The status of an action without instance; an error is logged.
fn logged<T: Registered>(action: Action, outcome: Result<()>) -> Status {
    match outcome {
        Ok(()) => Status::OK,
        Err(error) => {
            tracing::error!("{} {action:?}: {error}", T::LABEL.to_string_lossy());
            error.status()
        }
    }
}

fn describe<T: Registered>(
    host: &Host,
    mut descriptor: EffectDescriptor<'_>,
    action: Action,
    in_args: Option<&PropertySet<'_>>,
) -> Result<()> {
    if action == Action::Describe {
        T::describe(host, &mut descriptor)?;
        overlay::describe::<T>(host, &descriptor);
        return Ok(());
    }
    let args = in_args.ok_or(Error::BadHandle("arguments"))?;
    let name = args.get_string(sys::kOfxImageEffectPropContext, 0)?;
    let context =
        Context::parse(&name).ok_or_else(|| Error::Unsupported(format!("there is no context '{name}' here")))?;
    T::describe_in_context(host, &mut descriptor, context)
}

/// # Safety
///
/// `handle` is a new effect instance of the host.
unsafe fn create<T: Registered>(host: &Host, handle: NonNull<sys::OfxImageEffectStruct>) -> Status {
    let (id, posted) = (next_id(), AtomicBool::new(false));
    // SAFETY: the caller's promise; the handle is used in this action only.
    let effect = unsafe { EffectHandle::new(host, handle, id, Action::CreateInstance, &posted) };
    match guarded::<T, _>(|| T::create_instance(&effect)) {
        Ok(instance) => {
            T::state().insert(handle.addr().get(), Record { id, posted, instance });
            Status::OK
        }
        Err(error) => {
            report::<T>(&effect, &error);
            error.status()
        }
    }
}

fn destroy<T: Registered>(handle: NonNull<sys::OfxImageEffectStruct>) -> Status {
    if T::state().remove(handle.addr().get()).is_some() {
        return Status::OK;
    }
    tracing::debug!("{}: the host destroyed an unknown instance", T::LABEL.to_string_lossy());
    Status::REPLY_DEFAULT
}

/// # Safety
///
/// `handle` is valid if it is an instance of this type.
unsafe fn on_instance<T: Registered>(
    host: &Host,
    action: Action,
    handle: NonNull<sys::OfxImageEffectStruct>,
    in_args: Option<&PropertySet<'_>>,
    out_args: Option<&PropertySet<'_>>,
) -> Status {
    let Some(record) = T::state().find::<T::Instance>(handle.addr().get()) else {
        // Some hosts announce changes before the instance is created.
        if action.may_write() || action == Action::PurgeCaches {
            return Status::REPLY_DEFAULT;
        }
        return logged::<T>(action, Err(Error::BadHandle("effect instance")));
    };
    // SAFETY: an instance that was created and not destroyed; used in this action only.
    let effect = unsafe { EffectHandle::new(host, handle, record.id, action, &record.posted) };
    // Only hosts with camera inputs have views, and others may log the question.
    let with_views = in_args.filter(|_| host.cameras().is_some());
    let view = with_views.and_then(|args| args.get_int(sys::kFnOfxImageEffectPropView, 0).ok());
    let effect = effect.in_view(view.unwrap_or(0));
    match guarded::<T, _>(|| perform::<T>(&record.instance, &effect, in_args, out_args)) {
        Ok(answer) => {
            // An edit may remove the cause of the message, and hosts that render no node with a message would never
            // find out.
            let edited =
                || action == Action::InstanceChanged && args::change_reason(in_args) == ChangeReason::UserEdited;
            if (action == Action::Render && answer == Answer::Done) || edited() {
                effect.clear_persistent();
            }
            match answer {
                Answer::Done => Status::OK,
                // An aborted render is neither a failure nor the default.
                Answer::Default if action == Action::Render => Status::OK,
                Answer::Default => Status::REPLY_DEFAULT,
            }
        }
        // Fusion breaks on a failure of this query, whose result is a hint.
        Err(error) if action == Action::GetFramesNeeded => {
            tracing::warn!("{} {action:?}: {error}", T::LABEL.to_string_lossy());
            Status::REPLY_DEFAULT
        }
        Err(error) => {
            report::<T>(&effect, &error);
            error.status()
        }
    }
}

/// Reports an error to the user: on the node, in a dialogue, or at least in the log.
fn report<T: Registered>(effect: &EffectHandle<'_>, error: &Error) {
    let label = T::LABEL.to_string_lossy();
    tracing::error!("{label} {:?}: {error}", effect.action());
    if !effect.post_persistent(MessageType::Error, &error.to_string()) {
        tracing::debug!("{label}: the host showed no message");
    }
}

/// [`Answer::Done`] after a result was written, [`Answer::Default`] without a result.
fn written<R>(result: Option<R>, write: impl FnOnce(R) -> Result<()>) -> Result<Answer> {
    result.map_or(Ok(Answer::Default), |result| write(result).map(|()| Answer::Done))
}

/// Calls the node for an action on an instance.
fn perform<T: Registered>(
    instance: &T::Instance,
    effect: &EffectHandle<'_>,
    args: Option<&PropertySet<'_>>,
    out: Option<&PropertySet<'_>>,
) -> Result<Answer> {
    match effect.action() {
        Action::Render => T::render(instance, effect, &RenderArgs::read(args, effect.host().has_planes())?),
        Action::IsIdentity => {
            written(T::is_identity(instance, effect, &FrameArgs::read(args)?)?, |identity| identity.write(out))
        }
        Action::GetRegionOfDefinition => {
            let region = T::region_of_definition(instance, effect, &FrameArgs::read(args)?)?;
            written(region, |region| args::write_region_of_definition(out, region))
        }
        Action::GetRegionsOfInterest => {
            T::regions_of_interest(instance, effect, &mut RegionsOfInterest::read(args, out)?)
        }
        Action::GetFramesNeeded => T::frames_needed(instance, effect, &mut FramesNeeded::read(args, out)?),
        Action::GetClipPreferences => T::clip_preferences(instance, effect, &mut ClipPreferences::read(out)?),
        Action::GetClipComponents => T::clip_planes(instance, effect, &mut ClipPlanes::read(args, out)?),
        Action::EndSequenceRender => T::end_sequence_render(instance, effect, &SequenceArgs::read(args)?),
        Action::InstanceChanged => T::instance_changed(instance, effect, &ChangedArgs::read(args)?),
        Action::BeginInstanceChanged => T::begin_instance_changed(instance, effect, args::change_reason(args)),
        Action::EndInstanceChanged => T::end_instance_changed(instance, effect, args::change_reason(args)),
        Action::PurgeCaches => T::purge_caches(instance, effect),
        Action::SyncPrivateData => T::sync_private_data(instance, effect),
        _ => Ok(Answer::Default),
    }
}

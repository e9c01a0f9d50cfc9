//! The one place where the host's calls come in.
//!
//! Every action of every node type runs through [`main_entry`], or for an overlay through an entry point of its own that
//! enters and guards as this one does. Nothing gets past it but a status: panics are caught,
//! errors become a status and one message. The order of things for an action on an instance: find the instance, read the
//! arguments, call the node, write the answer, report what failed, take the last report back where the node works again.

use std::{
    any::Any,
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
    sync::atomic::AtomicBool,
};

use super::{
    action::Action,
    args::{
        self, Answer, ChangedArgs, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, IdentityArgs,
        RegionsOfInterest, RenderArgs, SequenceArgs,
    },
    descriptor::EffectDescriptor,
    ffi::sys,
    float_mode::FloatMode,
    format::{ChangeReason, Context},
    handle::EffectHandle,
    host::Host,
    log,
    message::MessageKind,
    names, overlay,
    plugin::{Record, Registered, next_id},
    process,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// `OfxPlugin::setHost` of a node type.
///
/// # Safety
///
/// Called by a host, as ofxCore.h has it: `host` is valid while the library is loaded.
pub(super) unsafe extern "C" fn set_host<T: Registered>(host: *mut sys::OfxHost) {
    // SAFETY: the host's promise.
    unsafe { T::state().set_host(host) };
}

/// `OfxPlugin::mainEntry` of a node type.
///
/// # Safety
///
/// Called by a host, as ofxCore.h has it: `action` is a C string, and the handles are null or what the action says.
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

/// Answers an action in a child that was forked from the process that has rendered. No lock of the library is taken, the
/// log's included, and no value is dropped that has threads: each could wait forever for a thread that only the parent has.
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
                // SAFETY: ofxImageEffect.h: these actions come with an instance; it is used in this action alone.
                let effect = unsafe { EffectHandle::new(&host, handle, next_id(), action, &posted) };
                let text = format!(
                    "This process was forked from one in which {} had rendered, and has none of its threads and devices: \
                     nothing can be rendered here. Start a new process for the render, or fork before the first frame.",
                    T::LABEL.to_string_lossy()
                );
                effect.post_persistent(MessageKind::Error, &text);
            }
            Status::FAILED
        }
        // Threads, devices and memory are the parent's to give back.
        Action::Unload | Action::DestroyInstance => Status::OK,
        _ => Status::REPLY_DEFAULT,
    }
}

/// The status of what `work` does in an action of the host; no panic gets past, and floats behave.
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
        // SAFETY: the caller's promise; checked for null.
        let Some(action) = Action::parse(unsafe { CStr::from_ptr(action) }) else {
            return Status::REPLY_DEFAULT;
        };
        let _mode = FloatMode::standard();
        work(action)
    };
    caught(entry)
        .unwrap_or_else(|panic| {
            // Panics of the node were caught further in, where there is an instance to report them on.
            tracing::error!("{}: {panic}", T::LABEL.to_string_lossy());
            Status::FAILED
        })
        .0
}

/// Runs `work`; a panic becomes its text.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = panic_text(&*payload);
        // Dropped, a payload with a panicking destructor would get past.
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

/// Runs a node's `work`; a panic becomes an error that says how to go on.
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
        Ok(host) => host,
        Err(error) => return logged::<T>(action, Err(error)),
    };
    if action == Action::Load {
        return logged::<T>(action, guarded::<T, _>(|| T::load(&host)));
    }
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
        // SAFETY: the host's promise.
        Action::DestroyInstance => unsafe { destroy::<T>(&host, handle) },
        // SAFETY: the host's promise.
        _ => unsafe { on_instance::<T>(&host, action, handle, in_args.as_ref(), out_args.as_ref()) },
    }
}

/// The status of an action without an instance; what failed goes into the log.
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
    let name = in_args.ok_or(Error::BadHandle("arguments"))?.get_string(names::CONTEXT, 0)?;
    let context =
        Context::parse(&name).ok_or_else(|| Error::Unsupported(format!("there is no context '{name}' here")))?;
    T::describe_in_context(host, &mut descriptor, context)
}

/// # Safety
///
/// `handle` is a new effect instance of the host.
unsafe fn create<T: Registered>(host: &Host, handle: NonNull<sys::OfxImageEffectStruct>) -> Status {
    let (id, posted) = (next_id(), AtomicBool::new(false));
    // SAFETY: the caller's promise; the handle is used in this action alone.
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

/// # Safety
///
/// `handle` is valid where it is an instance of this type.
unsafe fn destroy<T: Registered>(host: &Host, handle: NonNull<sys::OfxImageEffectStruct>) -> Status {
    let Some(record) = T::state().remove::<T::Instance>(handle.addr().get()) else {
        tracing::debug!("{}: the host destroyed an instance that there is none of", T::LABEL.to_string_lossy());
        return Status::REPLY_DEFAULT;
    };
    // SAFETY: an instance that was created and not destroyed; used in this action alone.
    let effect = unsafe { EffectHandle::new(host, handle, record.id, Action::DestroyInstance, &record.posted) };
    let destroyed = guarded::<T, _>(|| {
        T::destroy_instance(&record.instance, &effect);
        Ok(())
    });
    logged::<T>(Action::DestroyInstance, destroyed)
}

/// # Safety
///
/// `handle` is valid where it is an instance of this type.
unsafe fn on_instance<T: Registered>(
    host: &Host,
    action: Action,
    handle: NonNull<sys::OfxImageEffectStruct>,
    in_args: Option<&PropertySet<'_>>,
    out_args: Option<&PropertySet<'_>>,
) -> Status {
    let Some(record) = T::state().find::<T::Instance>(handle.addr().get()) else {
        // Hosts announce changes while the instance is still being made.
        if action.may_write() || action == Action::PurgeCaches {
            return Status::REPLY_DEFAULT;
        }
        return logged::<T>(action, Err(Error::BadHandle("effect instance")));
    };
    // SAFETY: an instance that was created and not destroyed; used in this action alone.
    let effect = unsafe { EffectHandle::new(host, handle, record.id, action, &record.posted) };
    let outcome = guarded::<T, _>(|| perform::<T>(&record.instance, &effect, in_args, out_args));
    match outcome {
        Ok(answer) => {
            let finished = action == Action::Render && answer == Answer::Done;
            if finished || action == Action::InstanceChanged {
                clear_if_working(&effect, action, in_args);
            }
            match answer {
                Answer::Done => Status::OK,
                // Of a render, that it was aborted: no failure, and no default either.
                Answer::Default if action == Action::Render => Status::OK,
                Answer::Default => Status::REPLY_DEFAULT,
            }
        }
        // Fusion breaks on a failure here, and the answer is but advice.
        Err(error) if action == Action::FramesNeeded => {
            tracing::warn!("{} {action:?}: {error}", T::LABEL.to_string_lossy());
            Status::REPLY_DEFAULT
        }
        Err(error) => {
            report::<T>(&effect, &error);
            error.status()
        }
    }
}

/// Takes the node's message back after a render that worked, and after an edit, which may have cured the cause: hosts that
/// do not render a node with an error on it would never find out.
fn clear_if_working(effect: &EffectHandle<'_>, action: Action, in_args: Option<&PropertySet<'_>>) {
    if action == Action::Render || args::change_reason(in_args) == ChangeReason::UserEdited {
        effect.clear_persistent();
    }
}

/// Tells the user what failed: on the node, or in a dialogue, or in the log at least.
fn report<T: Registered>(effect: &EffectHandle<'_>, error: &Error) {
    let label = T::LABEL.to_string_lossy();
    tracing::error!("{label} {:?}: {error}", effect.action());
    if !effect.post_persistent(MessageKind::Error, &error.to_string()) {
        tracing::debug!("{label}: the host showed no message");
    }
}

/// Calls the node for an action on an instance.
fn perform<T: Registered>(
    instance: &T::Instance,
    effect: &EffectHandle<'_>,
    in_args: Option<&PropertySet<'_>>,
    out_args: Option<&PropertySet<'_>>,
) -> Result<Answer> {
    match effect.action() {
        Action::Render => T::render(instance, effect, &RenderArgs::read(in_args, effect.host().has_planes())?),
        Action::IsIdentity => match T::is_identity(instance, effect, &IdentityArgs::read(in_args)?)? {
            Some(identity) => identity.write(out_args).map(|()| Answer::Done),
            None => Ok(Answer::Default),
        },
        Action::RegionOfDefinition => match T::region_of_definition(instance, effect, &FrameArgs::read(in_args)?)? {
            Some(region) => args::write_region_of_definition(out_args, region).map(|()| Answer::Done),
            None => Ok(Answer::Default),
        },
        Action::RegionsOfInterest => {
            T::regions_of_interest(instance, effect, &mut RegionsOfInterest::read(in_args, out_args)?)
        }
        Action::FramesNeeded => T::frames_needed(instance, effect, &mut FramesNeeded::read(in_args, out_args)?),
        Action::ClipPreferences => T::clip_preferences(instance, effect, &mut ClipPreferences::read(out_args)?),
        Action::ClipPlanes => T::clip_planes(instance, effect, &mut ClipPlanes::read(in_args, out_args)?),
        Action::TimeDomain => match T::time_domain(instance, effect)? {
            Some(range) => args::write_time_domain(out_args, range).map(|()| Answer::Done),
            None => Ok(Answer::Default),
        },
        Action::BeginSequenceRender => T::begin_sequence_render(instance, effect, &SequenceArgs::read(in_args)?),
        Action::EndSequenceRender => T::end_sequence_render(instance, effect, &SequenceArgs::read(in_args)?),
        Action::InstanceChanged => T::instance_changed(instance, effect, &ChangedArgs::read(in_args)?),
        Action::BeginInstanceChanged => T::begin_instance_changed(instance, effect, args::change_reason(in_args)),
        Action::EndInstanceChanged => T::end_instance_changed(instance, effect, args::change_reason(in_args)),
        Action::PurgeCaches => T::purge_caches(instance, effect),
        Action::SyncPrivateData => T::sync_private_data(instance, effect),
        Action::BeginInstanceEdit
        | Action::EndInstanceEdit
        | Action::Load
        | Action::Unload
        | Action::Describe
        | Action::DescribeInContext
        | Action::CreateInstance
        | Action::DestroyInstance
        | Action::Draw
        | Action::PenMotion
        | Action::PenDown
        | Action::PenUp
        | Action::LoseFocus => Ok(Answer::Default),
    }
}

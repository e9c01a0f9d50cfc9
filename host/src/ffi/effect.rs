//! The image effect suite.

use std::os::raw::{c_char, c_int, c_void};
use std::sync::Arc;

use flow_openfx as ofx;

use super::handles::{self, Object};
use super::memory::Block;
use super::{guard, text, violation, write};
use crate::{Status, action};

pub(crate) static SUITE: ofx::OfxImageEffectSuiteV1 = ofx::OfxImageEffectSuiteV1 {
    getPropertySet: Some(get_property_set),
    getParamSet: Some(get_param_set),
    clipDefine: Some(clip_define),
    clipGetHandle: Some(clip_get_handle),
    clipGetPropertySet: Some(clip_get_property_set),
    clipGetImage: Some(clip_get_image),
    clipReleaseImage: Some(clip_release_image),
    clipGetRegionOfDefinition: Some(clip_get_rod),
    abort: Some(abort),
    imageMemoryAlloc: Some(image_memory_alloc),
    imageMemoryFree: Some(image_memory_free),
    imageMemoryLock: Some(image_memory_lock),
    imageMemoryUnlock: Some(image_memory_unlock),
};

fn bad_effect(call: &str) -> Status {
    violation(format!("{call}: not an image effect"), Status::ERR_BAD_HANDLE)
}

unsafe extern "C" fn get_property_set(effect: ofx::OfxImageEffectHandle, out: *mut ofx::OfxPropertySetHandle) -> c_int {
    guard("getPropertySet", || {
        let handle = match (handles::instance(effect), handles::descriptor(effect)) {
            (Some(instance), _) => instance.props.handle(),
            (_, Some(descriptor)) => descriptor.props.handle(),
            _ => return bad_effect("getPropertySet"),
        };
        write(out, handle);
        Status::OK
    })
}

unsafe extern "C" fn get_param_set(effect: ofx::OfxImageEffectHandle, out: *mut ofx::OfxParamSetHandle) -> c_int {
    guard("getParamSet", || {
        let handle = match (handles::instance(effect), handles::descriptor(effect)) {
            (Some(instance), _) => instance.node.param_set.pointer(),
            (_, Some(descriptor)) => descriptor.param_set.pointer(),
            _ => return bad_effect("getParamSet"),
        };
        write(out, handle);
        Status::OK
    })
}

unsafe extern "C" fn clip_define(
    effect: ofx::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("clipDefine", || {
        let Some(descriptor) = handles::descriptor(effect) else {
            return bad_effect("clipDefine");
        };
        let Some(name) = text(name) else {
            return violation("clipDefine: no name".into(), Status::ERR_VALUE);
        };
        match descriptor.define_clip(&name) {
            Some(props) => {
                write(out, props.handle());
                Status::OK
            }
            None => violation(format!("clip {name} is defined twice"), Status::ERR_EXISTS),
        }
    })
}

unsafe extern "C" fn clip_get_handle(
    effect: ofx::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut ofx::OfxImageClipHandle,
    props: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("clipGetHandle", || {
        let Some(instance) = handles::instance(effect) else {
            return bad_effect("clipGetHandle");
        };
        let name = text(name).unwrap_or_default();
        let Some(clip) = instance.node.clips.iter().find(|clip| clip.name == name) else {
            return Status::ERR_UNKNOWN;
        };
        write(out, clip.handle());
        write(props, clip.props.handle());
        Status::OK
    })
}

unsafe extern "C" fn clip_get_property_set(
    clip: ofx::OfxImageClipHandle,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("clipGetPropertySet", || match handles::clip(clip) {
        Some(clip) => {
            write(out, clip.props.handle());
            Status::OK
        }
        None => violation("clipGetPropertySet: not a clip".into(), Status::ERR_BAD_HANDLE),
    })
}

unsafe extern "C" fn clip_get_image(
    clip: ofx::OfxImageClipHandle,
    time: f64,
    _region: *const ofx::OfxRectD,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    write(out, std::ptr::null_mut());
    guard("clipGetImage", || {
        let Some(clip) = handles::clip(clip) else {
            return violation("clipGetImage: not a clip".into(), Status::ERR_BAD_HANDLE);
        };
        match clip.fetch(time) {
            Some(handle) => {
                write(out, std::ptr::without_provenance_mut(handle));
                Status::OK
            }
            None => Status::FAILED,
        }
    })
}

unsafe extern "C" fn clip_release_image(image: ofx::OfxPropertySetHandle) -> c_int {
    guard("clipReleaseImage", || {
        let id = image.addr();
        if !matches!(handles::find(id), Some(Object::Image(_))) {
            return violation("clipReleaseImage: not an image, or released before".into(), Status::ERR_BAD_HANDLE);
        }
        if let Some(Object::Image(image)) = handles::remove(id) {
            image.action.gather(|gathered| gathered.images.retain(|(handle_id, _)| *handle_id != id));
        }
        Status::OK
    })
}

pub(crate) unsafe extern "C" fn clip_get_rod(
    clip: ofx::OfxImageClipHandle,
    time: f64,
    out: *mut ofx::OfxRectD,
) -> c_int {
    guard("clipGetRegionOfDefinition", || {
        let Some(clip) = handles::clip(clip) else {
            return violation("clipGetRegionOfDefinition: not a clip".into(), Status::ERR_BAD_HANDLE);
        };
        match clip.region(time) {
            Some(region) => {
                let [x1, y1, x2, y2] = region.to_array();
                write(out, ofx::OfxRectD { x1, y1, x2, y2 });
                Status::OK
            }
            None => Status::FAILED,
        }
    })
}

unsafe extern "C" fn abort(effect: ofx::OfxImageEffectHandle) -> c_int {
    let aborted = std::panic::catch_unwind(|| {
        let action = action::current()?;
        action.record.count_call("abort");
        if action.effect != effect.addr() {
            action.record.violation("abort: not the effect whose action runs on this thread");
        }
        Some(action.abort.poll())
    });
    c_int::from(aborted.ok().flatten().unwrap_or(false))
}

/// Image memory is a block behind a handle.
unsafe extern "C" fn image_memory_alloc(
    _effect: ofx::OfxImageEffectHandle,
    bytes: usize,
    out: *mut ofx::OfxImageMemoryHandle,
) -> c_int {
    guard("imageMemoryAlloc", || match Block::new(bytes) {
        Some(block) => {
            let id = handles::insert(Object::Block(Arc::new(block)));
            write(out, std::ptr::without_provenance_mut(id));
            Status::OK
        }
        None => Status::ERR_MEMORY,
    })
}

unsafe extern "C" fn image_memory_free(memory: ofx::OfxImageMemoryHandle) -> c_int {
    guard("imageMemoryFree", || match handles::find(memory.addr()) {
        Some(Object::Block(_)) => {
            drop(handles::remove(memory.addr()));
            Status::OK
        }
        _ => violation("imageMemoryFree: not image memory".into(), Status::ERR_BAD_HANDLE),
    })
}

unsafe extern "C" fn image_memory_lock(memory: ofx::OfxImageMemoryHandle, out: *mut *mut c_void) -> c_int {
    guard("imageMemoryLock", || match handles::find(memory.addr()) {
        Some(Object::Block(block)) => {
            write(out, block.address());
            Status::OK
        }
        _ => violation("imageMemoryLock: not image memory".into(), Status::ERR_BAD_HANDLE),
    })
}

unsafe extern "C" fn image_memory_unlock(memory: ofx::OfxImageMemoryHandle) -> c_int {
    guard("imageMemoryUnlock", || match handles::find(memory.addr()) {
        Some(Object::Block(_)) => Status::OK,
        _ => violation("imageMemoryUnlock: not image memory".into(), Status::ERR_BAD_HANDLE),
    })
}

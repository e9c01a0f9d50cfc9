//! Images on the whole path: host, clip, checked rows, release.

use std::{ffi::CStr, ptr::NonNull, sync::atomic::Ordering};

use super::{
    fake::{self, Effect, Host, Set, Shape, call, image},
    probe::{Case, probe},
};
use crate::ofx::Status;

const FLOAT: &CStr = c"OfxBitDepthFloat";
const BYTE: &CStr = c"OfxBitDepthByte";
const RGBA: &CStr = c"OfxImageComponentRGBA";

/// Leaked bytes 0, 1, 2, …
fn memory(length: usize) -> &'static mut [u8] {
    Box::leak((0..length).map(|byte| byte as u8).collect::<Vec<_>>().into_boxed_slice())
}

fn at(memory: &mut [u8], offset: usize) -> NonNull<u8> {
    NonNull::from(&mut memory[offset..]).cast()
}

/// An instance with two clips that have images.
fn effect(
    plugin: &'static crate::ofx::Plugin,
    source: Option<&'static Set>,
    output: Option<&'static Set>,
) -> &'static Effect {
    fake::set_host(plugin, Host::new(Shape { name: c"org.test.Images", api: (1, 4), ..Shape::default() }));
    let effect = fake::leak::<Effect>();
    *effect.add_clip(c"Source").image.lock().unwrap() = source;
    *effect.add_clip(c"Output").image.lock().unwrap() = output;
    assert_eq!(call(plugin, c"OfxActionCreateInstance", Some(effect), None, None), Status::OK);
    effect
}

fn render(plugin: &'static crate::ofx::Plugin, effect: &Effect) -> Status {
    let args = fake::leak::<Set>();
    args.doubles(c"OfxPropTime", &[1.0]).ints(c"OfxImageEffectPropRenderWindow", &[0, 0, 2, 2]);
    call(plugin, c"OfxImageEffectActionRender", Some(effect), Some(args), None)
}

#[test]
fn rows_are_read_in_both_directions_and_with_padding() {
    probe!(Probe);
    LOG.set(Case::Copy);
    // Source: rows of 8 bytes and 3 of padding, bottom first, at an odd address. Output: top first, 5 of padding.
    let bounds = [-1, 3, 1, 6];
    let from = memory(64);
    let to = memory(64);
    let (source, output) = (at(from, 1), at(to, 2 * 13 + 1));
    let (source, output) = (image(source, BYTE, RGBA, bounds, 11), image(output, BYTE, RGBA, bounds, -13));
    let effect = effect(plugin(), Some(source), Some(output));
    assert_eq!(render(plugin(), effect), Status::OK);
    let mut expected: Vec<u8> = (0..64).collect();
    for row in 0..3 {
        for byte in 0..8 {
            expected[1 + (2 - row) * 13 + byte] = (1 + row * 11 + byte) as u8;
        }
    }
    assert_eq!(to, expected, "pixels are copied, padding is unchanged");
    assert_eq!([source, output].map(|image| image.released.load(Ordering::Relaxed)), [1, 1]);
}

#[test]
fn missing_images_and_images_smaller_than_the_window_are_no_failure() {
    probe!(Probe);
    LOG.set(Case::Copy);
    let from = memory(16);
    let to = memory(32);
    let source = image(at(from, 0), BYTE, RGBA, [0, 1, 2, 2], 8);
    let output = image(at(to, 0), BYTE, RGBA, [0, 0, 2, 3], 8);
    assert_eq!(render(plugin(), effect(plugin(), Some(source), Some(output))), Status::OK);
    assert_eq!(to[..24], [[0; 8], [0, 1, 2, 3, 4, 5, 6, 7], [0; 8]].concat());
    assert_eq!(render(plugin(), effect(plugin(), None, Some(output))), Status::OK);
    assert_eq!(to[..24], [0; 24]);
    assert_eq!(render(plugin(), effect(plugin(), None, None)), Status::OK);
    let empty = image(at(to, 0), BYTE, RGBA, [5, 5, 5, 9], 0);
    assert_eq!(render(plugin(), effect(plugin(), Some(empty), Some(output))), Status::OK);
    assert_eq!(empty.released.load(Ordering::Relaxed), 1);
}

#[test]
fn contradictory_images_fail_with_the_numbers_and_are_released() {
    probe!(Probe);
    LOG.set(Case::Copy);
    let to = memory(256);
    let good = || image(NonNull::dangling(), FLOAT, RGBA, [0, 0, 4, 4], 64);
    let refused = |source: &'static Set| {
        let output = image(NonNull::from(&mut memory(256)[..]).cast(), FLOAT, RGBA, [0, 0, 4, 4], 64);
        let effect = effect(plugin(), Some(source), Some(output));
        assert_eq!(render(plugin(), effect), Status::FAILED);
        assert_eq!(source.released.load(Ordering::Relaxed), 1);
        let message = effect.persistent.lock().unwrap().pop().expect("a message");
        assert!(message.contains("'Source'") && message.contains("org.test.Images"), "{message}");
        message
    };
    // The ASWF demo host describes float and passes bytes.
    for row_bytes in [16, -16, 63, -63, 0] {
        let message = refused(image(at(to, 0), FLOAT, RGBA, [0, 0, 4, 4], row_bytes));
        assert!(message.contains(&format!("rows of {row_bytes} bytes")), "{message}");
    }
    assert!(refused(image(at(to, 0), c"OfxBitDepthDouble", RGBA, [0, 0, 4, 4], 64)).contains("OfxBitDepthDouble"));
    assert!(refused(image(at(to, 0), FLOAT, c"OfxImageComponentFog", [0, 0, 4, 4], 64)).contains("Fog"));
    for name in [c"OfxImagePropBounds", c"OfxImagePropRowBytes", c"OfxImagePropData", c"OfxImageEffectPropPixelDepth"] {
        let image = good();
        image.remove(name);
        refused(image);
    }
    let null = good();
    null.put(c"OfxImagePropData", [fake::Value::Pointer(0)]);
    assert!(refused(null).contains("null"));
}

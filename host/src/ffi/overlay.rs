//! The interact suite and the draw suite of OpenFX 1.5, which records the drawing.

use std::os::raw::{c_char, c_int, c_uint};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flow_openfx as ofx;

use super::handles::{self, Object};
use super::{guard, violation, write};
use crate::Status;
use crate::overlay::{DrawContext, Interact};

pub(crate) static INTERACT: ofx::OfxInteractSuiteV1 = ofx::OfxInteractSuiteV1 {
    interactSwapBuffers: Some(swap_buffers),
    interactRedraw: Some(redraw),
    interactGetPropertySet: Some(properties),
};

pub(crate) static DRAW: ofx::OfxDrawSuiteV1 = ofx::OfxDrawSuiteV1 {
    getColour: Some(get_colour),
    setColour: Some(set_colour),
    setLineWidth: Some(set_width),
    setLineStipple: Some(set_stipple),
    draw: Some(draw),
    drawText: Some(draw_text),
};

fn with(call: &'static str, interact: ofx::OfxInteractHandle, body: impl FnOnce(&Arc<Interact>) -> Status) -> c_int {
    guard(call, || match handles::interact(interact) {
        Some(interact) => body(&interact),
        None => violation(format!("{call}: not an overlay"), Status::ERR_BAD_HANDLE),
    })
}

unsafe extern "C" fn swap_buffers(interact: ofx::OfxInteractHandle) -> c_int {
    with("interactSwapBuffers", interact, |_| Status::OK)
}

unsafe extern "C" fn redraw(interact: ofx::OfxInteractHandle) -> c_int {
    with("interactRedraw", interact, |interact| {
        interact.redraws.fetch_add(1, Ordering::Relaxed);
        Status::OK
    })
}

unsafe extern "C" fn properties(interact: ofx::OfxInteractHandle, out: *mut ofx::OfxPropertySetHandle) -> c_int {
    with("interactGetPropertySet", interact, |interact| {
        write(out, interact.props.handle());
        Status::OK
    })
}

/// The drawing of the draw action in progress.
fn on(call: &'static str, context: ofx::OfxDrawContextHandle, body: impl FnOnce(&DrawContext) -> Status) -> c_int {
    guard(call, || match handles::find(context.addr()) {
        Some(Object::DrawContext(sheet)) => body(&sheet),
        _ => violation(format!("{call}: no draw context, or one of an action that is over"), Status::ERR_BAD_HANDLE),
    })
}

/// The host's colours, by the standard's numbers.
const COLOURS: [[f32; 4]; 7] = [
    [0.0, 0.0, 0.0, 1.0],
    [1.0, 0.7, 0.1, 1.0],
    [0.9, 0.9, 0.3, 1.0],
    [0.9, 0.95, 1.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
    [0.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
];

unsafe extern "C" fn get_colour(
    context: ofx::OfxDrawContextHandle,
    standard: c_uint,
    out: *mut ofx::OfxRGBAColourF,
) -> c_int {
    on("getColour", context, |_| match COLOURS.get(standard as usize) {
        Some(&[r, g, b, a]) => {
            write(out, ofx::OfxRGBAColourF { r, g, b, a });
            Status::OK
        }
        None => violation(format!("getColour: there is no standard colour {standard}"), Status::ERR_VALUE),
    })
}

unsafe extern "C" fn set_colour(context: ofx::OfxDrawContextHandle, colour: *const ofx::OfxRGBAColourF) -> c_int {
    on("setColour", context, |sheet| {
        if colour.is_null() {
            return violation("setColour: no colour".into(), Status::ERR_VALUE);
        }
        // SAFETY: the suite requires a colour for the call, and NULL was ruled out.
        let ofx::OfxRGBAColourF { r, g, b, a } = unsafe { colour.read_unaligned() };
        sheet.with(|drawn| drawn.colour = [r, g, b, a]);
        Status::OK
    })
}

unsafe extern "C" fn set_width(context: ofx::OfxDrawContextHandle, width: f32) -> c_int {
    on("setLineWidth", context, |sheet| {
        sheet.with(|drawn| drawn.width = width);
        Status::OK
    })
}

/// All lines are solid in this host.
unsafe extern "C" fn set_stipple(context: ofx::OfxDrawContextHandle, _pattern: c_uint) -> c_int {
    on("setLineStipple", context, |_| Status::OK)
}

unsafe extern "C" fn draw(
    context: ofx::OfxDrawContextHandle,
    primitive: c_uint,
    points: *const ofx::OfxPointD,
    count: c_int,
) -> c_int {
    on("draw", context, |sheet| {
        let given = match usize::try_from(count) {
            // SAFETY: the suite requires `count` points at that address for the call.
            Ok(count) if !points.is_null() => unsafe { std::slice::from_raw_parts(points, count) },
            _ => return violation(format!("draw: {count} points"), Status::ERR_VALUE),
        };
        let points: Vec<[f64; 2]> = given.iter().map(|point| [point.x, point.y]).collect();
        match sheet.draw(primitive, points) {
            Ok(()) => Status::OK,
            Err(refusal) => violation(format!("draw: {refusal}"), Status::ERR_VALUE),
        }
    })
}

/// This host draws no text.
unsafe extern "C" fn draw_text(
    context: ofx::OfxDrawContextHandle,
    _text: *const c_char,
    _position: *const ofx::OfxPointD,
    _alignment: c_int,
) -> c_int {
    on("drawText", context, |_| Status::ERR_UNSUPPORTED)
}

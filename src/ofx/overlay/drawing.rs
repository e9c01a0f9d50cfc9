//! Lines over the image, drawn with the host's draw suite or with OpenGL.

use flow_openfx::{self as sys, Status};

use super::{super::error::succeeded, gl};

/// The colour of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineColour {
    /// A dark outline, visible on any image.
    Outline,
    /// A handle that can be dragged.
    Deselected,
    /// A handle that is dragged, or under the pen.
    Active,
}

impl LineColour {
    /// The colour if the host does not define one.
    const fn colour(self) -> [f32; 4] {
        match self {
            Self::Outline => [0.0, 0.0, 0.0, 0.6],
            Self::Deselected => [0.95, 0.95, 0.95, 1.0],
            Self::Active => [1.0, 0.75, 0.1, 1.0],
        }
    }

    /// The standard colour of the host.
    const fn standard(self) -> Option<sys::OfxStandardColour> {
        match self {
            Self::Outline => None,
            Self::Deselected => Some(sys::OfxStandardColour_kOfxStandardColourOverlayDeselected),
            Self::Active => Some(sys::OfxStandardColour_kOfxStandardColourOverlayActive),
        }
    }
}

/// The overlay of one draw action.
pub struct Drawing<'d>(Backend<'d>);

enum Backend<'d> {
    Suite {
        suite: &'d sys::OfxDrawSuiteV1,
        context: sys::OfxDrawContextHandle,
    },
    Gl {
        scope: gl::Scope,
        /// The user's colour for overlays.
        suggested: Option<[f64; 3]>,
    },
}

impl<'d> Drawing<'d> {
    /// Draws with the host's suite.
    ///
    /// # Safety
    ///
    /// `context` is the draw context of the action that lasts for `'d`.
    pub(super) unsafe fn by_suite(suite: &'d sys::OfxDrawSuiteV1, context: sys::OfxDrawContextHandle) -> Self {
        Self(Backend::Suite { suite, context })
    }

    /// Draws with OpenGL; `None` in a process without OpenGL.
    ///
    /// # Safety
    ///
    /// The host has made a context current on this thread, which projects canonical coordinates, for `'d`.
    pub(super) unsafe fn by_gl(suggested: Option<[f64; 3]>) -> Option<Self> {
        // SAFETY: the caller's promise.
        let scope = unsafe { gl::Scope::begin() }?;
        Some(Self(Backend::Gl { scope, suggested }))
    }

    /// Draws a line through the points, `width` in screen pixels; `closed` joins the last point to the first.
    pub fn path(&mut self, colour: LineColour, width: f32, points: &[[f64; 2]], closed: bool) {
        match &mut self.0 {
            Backend::Suite { suite, context } => {
                // SAFETY: the promise to `by_suite`.
                unsafe { draw_by_suite(suite, *context, colour, width, points, closed) };
            }
            Backend::Gl { scope, suggested } => {
                let [red, green, blue, alpha] = colour.colour();
                let suggested = suggested.filter(|_| colour == LineColour::Deselected);
                let [red, green, blue] =
                    suggested.map_or([red, green, blue], |colour| colour.map(|channel| channel as f32));
                scope.path([red, green, blue, alpha], width, points, closed);
            }
        }
    }
}

/// # Safety
///
/// `context` is the draw context of the current action.
unsafe fn draw_by_suite(
    suite: &sys::OfxDrawSuiteV1,
    context: sys::OfxDrawContextHandle,
    colour: LineColour,
    width: f32,
    points: &[[f64; 2]],
    closed: bool,
) {
    let (Some(set_colour), Some(draw)) = (suite.setColour, suite.draw) else { return };
    let standard = colour.standard();
    let [r, g, b, a] = colour.colour();
    let mut colour = sys::OfxRGBAColourF { r, g, b, a };
    if let (Some(get), Some(standard)) = (suite.getColour, standard) {
        let mut found = colour;
        // SAFETY: ofxDrawSuite.h: the context of this action, a standard colour, and space for a colour.
        if Status(unsafe { get(context, standard, &raw mut found) }) == Status::OK {
            colour = found;
        }
    }
    let points: Vec<sys::OfxPointD> = points.iter().map(|&[x, y]| sys::OfxPointD { x, y }).collect();
    let primitive = if closed {
        sys::OfxDrawPrimitive_kOfxDrawPrimitiveLineLoop
    } else {
        sys::OfxDrawPrimitive_kOfxDrawPrimitiveLineStrip
    };
    let count = i32::try_from(points.len()).unwrap_or(0);
    // SAFETY: ofxDrawSuite.h: the context of this action, a colour, and `count` points.
    let status = unsafe {
        set_colour(context, &raw const colour);
        if let Some(set_width) = suite.setLineWidth {
            set_width(context, width);
        }
        draw(context, primitive, points.as_ptr(), count)
    };
    succeeded(status, "draw");
}

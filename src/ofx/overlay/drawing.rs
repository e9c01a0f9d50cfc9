//! Lines over the picture, by whichever means the host has.

use super::{super::ffi::sys, gl};

/// What a line is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineColour {
    /// The dark rim that makes lines stand out from any picture.
    Outline,
    /// What can be dragged.
    Deselected,
    /// What is dragged, or would be.
    Active,
}

impl LineColour {
    /// The colour where the host has no opinion.
    const fn colour(self) -> [f32; 4] {
        match self {
            Self::Outline => [0.0, 0.0, 0.0, 0.6],
            Self::Deselected => [0.95, 0.95, 0.95, 1.0],
            Self::Active => [1.0, 0.75, 0.1, 1.0],
        }
    }

    /// The colour that the host keeps for it.
    const fn standard(self) -> Option<sys::OfxStandardColour> {
        match self {
            Self::Outline => None,
            Self::Deselected => Some(sys::OfxStandardColour_kOfxStandardColourOverlayDeselected),
            Self::Active => Some(sys::OfxStandardColour_kOfxStandardColourOverlayActive),
        }
    }
}

/// The overlay of one draw action.
pub struct Drawing<'d>(Tool<'d>);

enum Tool<'d> {
    Suite {
        suite: &'d sys::OfxDrawSuiteV1,
        context: sys::OfxDrawContextHandle,
    },
    Gl {
        scope: gl::Scope,
        /// The colour that the user chose for overlays.
        idle: Option<[f64; 3]>,
    },
}

impl<'d> Drawing<'d> {
    /// Through the host's suite.
    ///
    /// # Safety
    ///
    /// `context` is the draw context of the action that lasts for `'d`.
    pub(super) unsafe fn by_suite(suite: &'d sys::OfxDrawSuiteV1, context: sys::OfxDrawContextHandle) -> Self {
        Self(Tool::Suite { suite, context })
    }

    /// Through OpenGL; `None` where the process has none.
    ///
    /// # Safety
    ///
    /// The host has made a context current on this thread, and projects canonical coordinates, for `'d`.
    pub(super) unsafe fn by_gl(idle: Option<[f64; 3]>) -> Option<Self> {
        // SAFETY: passed on from the caller.
        let scope = unsafe { gl::Scope::begin() }?;
        Some(Self(Tool::Gl { scope, idle }))
    }

    /// Draws lines of a width (in the screen's pixels) from point to point, and back to the first where `closed`.
    pub fn path(&mut self, ink: LineColour, width: f32, points: &[[f64; 2]], closed: bool) {
        match &mut self.0 {
            Tool::Suite { suite, context } => {
                // SAFETY: the promise to `by_suite`.
                unsafe { draw_by_suite(suite, *context, ink, width, points, closed) };
            }
            Tool::Gl { scope, idle } => {
                let [red, green, blue, alpha] = ink.colour();
                let own = idle.filter(|_| ink == LineColour::Deselected).map(|chosen| chosen.map(|part| part as f32));
                let [red, green, blue] = own.unwrap_or([red, green, blue]);
                scope.path([red, green, blue, alpha], width, points, closed);
            }
        }
    }
}

/// # Safety
///
/// `context` is the draw context of the action under way.
unsafe fn draw_by_suite(
    suite: &sys::OfxDrawSuiteV1,
    context: sys::OfxDrawContextHandle,
    ink: LineColour,
    width: f32,
    points: &[[f64; 2]],
    closed: bool,
) {
    let (Some(set_colour), Some(draw)) = (suite.setColour, suite.draw) else { return };
    let [r, g, b, a] = ink.colour();
    let mut colour = sys::OfxRGBAColourF { r, g, b, a };
    if let (Some(get), Some(standard)) = (suite.getColour, ink.standard()) {
        let mut found = colour;
        // SAFETY: ofxDrawSuite.h: the context of this action, a standard colour, and a place for one.
        if unsafe { get(context, standard, &raw mut found) } == 0 {
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
    // SAFETY: ofxDrawSuite.h: the context of this action, a colour, and as many points as the count says.
    let status = unsafe {
        set_colour(context, &raw const colour);
        if let Some(set_width) = suite.setLineWidth {
            set_width(context, width);
        }
        draw(context, primitive, points.as_ptr(), count)
    };
    if status != 0 {
        tracing::debug!("the host drew nothing: status {status}");
    }
}

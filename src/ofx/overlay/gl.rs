//! The functions of OpenGL 1 for lines, looked up in the process when the first overlay is drawn.
//!
//! A host that draws overlays with OpenGL has loaded the library. Without it, overlays are not drawn.

use std::sync::OnceLock;

use libloading::Library;

/// Names of the library, by system.
const NAMES: &[&str] = if cfg!(windows) {
    &["opengl32.dll"]
} else if cfg!(target_vendor = "apple") {
    &["/System/Library/Frameworks/OpenGL.framework/OpenGL"]
} else {
    &["libGL.so.1", "libGL.so"]
};

// Values of the OpenGL 1.1 header.
const LINE_STRIP: u32 = 0x0003;
const LINE_LOOP: u32 = 0x0002;
const CURRENT_BIT: u32 = 0x0001;
const LINE_BIT: u32 = 0x0004;
const ENABLE_BIT: u32 = 0x2000;
const COLOUR_BUFFER_BIT: u32 = 0x4000;
const LINE_SMOOTH: u32 = 0x0B20;
const LIGHTING: u32 = 0x0B50;
const DEPTH_TEST: u32 = 0x0B71;
const TEXTURE_2D: u32 = 0x0DE1;
const BLEND: u32 = 0x0BE2;
const SOURCE_ALPHA: u32 = 0x0302;
const ONE_MINUS_SOURCE_ALPHA: u32 = 0x0303;

struct Functions {
    push_attrib: unsafe extern "system" fn(u32),
    pop_attrib: unsafe extern "system" fn(),
    enable: unsafe extern "system" fn(u32),
    disable: unsafe extern "system" fn(u32),
    blend_func: unsafe extern "system" fn(u32, u32),
    line_width: unsafe extern "system" fn(f32),
    colour: unsafe extern "system" fn(f32, f32, f32, f32),
    begin: unsafe extern "system" fn(u32),
    vertex: unsafe extern "system" fn(f64, f64),
    end: unsafe extern "system" fn(),
    /// Keeps the functions loaded.
    _library: Library,
}

static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();

/// Whether the library was looked up and not found.
pub(super) fn is_missing() -> bool {
    FUNCTIONS.get().is_some_and(Option::is_none)
}

fn load() -> Option<Functions> {
    // SAFETY: the system's own library, whose initialisers a host with OpenGL windows has already run.
    let opened = NAMES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
    let found = opened.and_then(|library| {
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types are those of the OpenGL 1.1 header.
                *unsafe { library.get($name) }.ok()?
            };
        }
        Some(Functions {
            push_attrib: function!(b"glPushAttrib\0"),
            pop_attrib: function!(b"glPopAttrib\0"),
            enable: function!(b"glEnable\0"),
            disable: function!(b"glDisable\0"),
            blend_func: function!(b"glBlendFunc\0"),
            line_width: function!(b"glLineWidth\0"),
            colour: function!(b"glColor4f\0"),
            begin: function!(b"glBegin\0"),
            vertex: function!(b"glVertex2d\0"),
            end: function!(b"glEnd\0"),
            _library: library,
        })
    });
    if found.is_none() {
        tracing::warn!("no handles are drawn: {} was not found or lacks a function", NAMES.join(", "));
    }
    found
}

/// The host's context in the state for lines; restored when dropped.
pub(super) struct Scope(&'static Functions);

impl Scope {
    /// `None` in a process without OpenGL.
    ///
    /// # Safety
    ///
    /// A context of OpenGL 1 or a compatible one is current on this thread until this is dropped.
    pub(super) unsafe fn begin() -> Option<Self> {
        let gl = FUNCTIONS.get_or_init(load).as_ref()?;
        // SAFETY: OpenGL 1.1: a context is current, as the caller promises; ofxInteract.h, kOfxInteractActionDraw,
        // allows calls.
        unsafe {
            (gl.push_attrib)(CURRENT_BIT | LINE_BIT | ENABLE_BIT | COLOUR_BUFFER_BIT);
            [LIGHTING, DEPTH_TEST, TEXTURE_2D].into_iter().for_each(|capability| (gl.disable)(capability));
            [LINE_SMOOTH, BLEND].into_iter().for_each(|capability| (gl.enable)(capability));
            (gl.blend_func)(SOURCE_ALPHA, ONE_MINUS_SOURCE_ALPHA);
        }
        Some(Self(gl))
    }

    /// Draws a line through the points, `width` in screen pixels.
    pub(super) fn path(&mut self, [red, green, blue, alpha]: [f32; 4], width: f32, points: &[[f64; 2]], closed: bool) {
        let Self(gl) = self;
        // SAFETY: OpenGL 1.1: the context of `begin` is current; vertices stand between begin and end.
        unsafe {
            (gl.line_width)(width);
            (gl.colour)(red, green, blue, alpha);
            (gl.begin)(if closed { LINE_LOOP } else { LINE_STRIP });
            points.iter().for_each(|&[x, y]| (gl.vertex)(x, y));
            (gl.end)();
        }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // SAFETY: OpenGL 1.1: the context of `begin` is current, and its attributes were pushed.
        unsafe { (self.0.pop_attrib)() };
    }
}

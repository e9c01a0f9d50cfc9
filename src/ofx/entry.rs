//! The exported symbols.

use std::ffi::{c_char, c_int};

use flow_openfx::{self as sys, Status};

use super::plugin::Plugin;

/// Declares the list of node types, in the order for hosts, and a state for each:
/// `plugins!(pub static PLUGINS = [Flow, FlowSmoke]);`.
///
/// Each type implements [`Effect`](crate::ofx::Effect) and is local to the crate.
#[macro_export]
macro_rules! plugins {
    ($(#[$meta:meta])* $visibility:vis static $name:ident = [$($effect:ty),+ $(,)?];) => {
        $(
            impl $crate::ofx::Registered for $effect {
                fn state() -> &'static $crate::ofx::State {
                    static STATE: $crate::ofx::State = $crate::ofx::State::new();
                    &STATE
                }
            }
        )+

        $(#[$meta])*
        $visibility static $name: &[$crate::ofx::Plugin] = &[$($crate::ofx::Plugin::new::<$effect>(),)+];
    };
}

/// Exports the three symbols of an OpenFX library for a list of [`plugins!`](crate::plugins), once per library:
/// `export_plugins!(nodes::PLUGINS);`.
#[macro_export]
macro_rules! export_plugins {
    ($plugins:path) => {
        mod exported {
            #![expect(unsafe_code, reason = "the exported symbols of the library")]

            /// The number of plug-ins of the library.
            // SAFETY: no other symbol of this name is linked; the signature is that of ofxCore.h.
            #[unsafe(no_mangle)]
            extern "C" fn OfxGetNumberOfPlugins() -> ::std::ffi::c_int {
                $crate::ofx::entry::number_of_plugins($plugins)
            }

            /// The plug-in at an index, or null.
            // SAFETY: as above.
            #[unsafe(no_mangle)]
            extern "C" fn OfxGetPlugin(index: ::std::ffi::c_int) -> *mut ::flow_openfx::OfxPlugin {
                $crate::ofx::entry::plugin($plugins, index)
            }

            /// Sets the host of all plug-ins.
            // SAFETY: as above.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn OfxSetHost(host: *mut ::flow_openfx::OfxHost) -> ::std::ffi::c_int {
                // SAFETY: ofxCore.h, OfxSetHost: valid while the library is loaded.
                unsafe { $crate::ofx::entry::set_host($plugins, host) }
            }
        }
    };
}

/// Exports a function that returns text for tools: `export_text!(FlowDevices, nodes::devices)`.
///
/// The C function is `size_t NAME(char *buffer, size_t size)`: it writes the text and a NUL, as far as they fit, and
/// returns the length of the text without the NUL. The Rust function takes no argument and returns a `String`.
#[macro_export]
macro_rules! export_text {
    ($symbol:ident, $text:path) => {
        mod exported_text {
            #![expect(unsafe_code, reason = "an exported symbol of the library")]

            /// Text for tools.
            // SAFETY: no other symbol of this name is linked.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $symbol(buffer: *mut ::std::ffi::c_char, size: usize) -> usize {
                // SAFETY: the caller's promise, as the macro documents it.
                unsafe { $crate::ofx::entry::text($text, buffer, size) }
            }
        }
    };
}

/// Writes a text for a tool; a panic becomes an empty text.
///
/// # Safety
///
/// `buffer` is null or has space for `size` bytes.
pub unsafe fn text(make: fn() -> String, buffer: *mut c_char, size: usize) -> usize {
    let text = std::panic::catch_unwind(make).unwrap_or_default().replace('\0', " ");
    if let Some(space) = size.checked_sub(1).filter(|_| !buffer.is_null()) {
        let count = text.len().min(space);
        // SAFETY: the caller's promise; `count` and the NUL are at most `size`.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), count);
            buffer.add(count).write(0);
        }
    }
    text.len()
}

/// `OfxGetNumberOfPlugins`.
#[must_use]
pub fn number_of_plugins(plugins: &'static [Plugin]) -> c_int {
    c_int::try_from(plugins.len()).unwrap_or(c_int::MAX)
}

/// `OfxGetPlugin`: null for an index out of range.
#[must_use]
pub fn plugin(plugins: &'static [Plugin], index: c_int) -> *mut sys::OfxPlugin {
    let plugin = usize::try_from(index).ok().and_then(|index| plugins.get(index));
    plugin.map_or(std::ptr::null_mut(), Plugin::raw)
}

/// `OfxSetHost`: sets the host of every plug-in. Hosts of OpenFX 1.4 set the host of each plug-in instead.
///
/// # Safety
///
/// `host` is null or an `OfxHost` that stays valid while the library is loaded.
pub unsafe fn set_host(plugins: &'static [Plugin], host: *mut sys::OfxHost) -> c_int {
    if host.is_null() {
        return Status::ERR_BAD_HANDLE.0;
    }
    for plugin in plugins {
        // SAFETY: the caller's promise.
        unsafe { plugin.state().set_host(host) };
    }
    Status::OK.0
}

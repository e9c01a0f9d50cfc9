//! Keeps the library loaded.
//!
//! Graphics drivers leave threads, thread-local destructors and exit handlers with pointers into the library. The
//! library therefore pins itself with `stay_loaded` before the first graphics device is opened; on Linux it is also
//! linked with `-z nodelete`.

/// Keeps this library loaded until the process ends, even if the host unloads it. Later calls have no effect.
pub fn stay_loaded() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if !pin() {
            tracing::debug!("the library cannot be kept in the process");
        }
    });
}

#[cfg(unix)]
fn pin() -> bool {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let address = stay_loaded as fn() as *const std::ffi::c_void;
    // SAFETY: dladdr(3): takes any address and a structure, which is filled if the result is not 0. dlopen(3): takes
    // the name of a loaded library, a C string that is valid while the library is loaded.
    unsafe {
        libc::dladdr(address, &raw mut info) != 0
            && !info.dli_fname.is_null()
            && !libc::dlopen(info.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE).is_null()
    }
}

#[cfg(windows)]
fn pin() -> bool {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, name: *const u16, module: *mut *mut std::ffi::c_void) -> i32;
    }
    const PIN: u32 = 1;
    const FROM_ADDRESS: u32 = 4;
    let mut module = std::ptr::null_mut();
    let address = stay_loaded as fn() as *const u16;
    // SAFETY: libloaderapi.h: with FROM_ADDRESS the name is any address within the module, which PIN keeps loaded.
    unsafe { GetModuleHandleExW(PIN | FROM_ADDRESS, address, &raw mut module) != 0 }
}

#[cfg(not(any(unix, windows)))]
fn pin() -> bool {
    false
}

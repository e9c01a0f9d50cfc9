//! Binds `openfx-headers/` and keeps the plug-in library loaded; no other code generation.

use std::{env, path::PathBuf, process::exit};

const HEADER: &str = "openfx-headers/flow_openfx.h";

fn main() {
    println!("cargo:rerun-if-changed={HEADER}");
    println!("cargo:rerun-if-changed=build.rs");

    // A host that closes the library while a thread-local destructor or a driver's exit handler still points into it
    // crashes at exit; a library that never leaves cannot.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // The lines that a backtrace names are four fifths of the file.
        println!("cargo:rustc-cdylib-link-arg=-Wl,--compress-debug-sections=zlib");
    }

    // bindgen panics where it cannot load libclang.
    let generated = std::panic::catch_unwind(|| {
        bindgen::Builder::default()
            .header(HEADER)
            .generate_cstr(true)
            .default_macro_constant_type(bindgen::MacroTypeVariation::Signed)
            .layout_tests(false)
            .generate()
    });
    let bindings = match generated {
        Ok(Ok(bindings)) => bindings,
        Ok(Err(error)) => fail(&format!("{HEADER} cannot be read: {error}")),
        Err(_) => fail(
            "libclang was not found, which the OpenFX headers are read with. Install it (Debian and Ubuntu: `apt install \
             libclang-dev`, Fedora: `dnf install clang-devel`, macOS: `xcode-select --install`, Windows: `winget install \
             LLVM.LLVM`), or set LIBCLANG_PATH to the folder that holds it",
        ),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("flow_openfx.rs");
    if let Err(error) = bindings.write_to_file(&out) {
        fail(&format!("{} cannot be written: {error}", out.display()));
    }
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    exit(1)
}

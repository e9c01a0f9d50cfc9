//! Linker arguments that keep the plug-in library loaded.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A host that closes the library while a thread-local destructor or a driver's exit handler still points into it
    // crashes at exit; a library that is never unloaded cannot.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // The line tables for backtraces are four fifths of the file.
        println!("cargo:rustc-cdylib-link-arg=-Wl,--compress-debug-sections=zlib");
    }
}

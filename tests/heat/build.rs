//! Linker arguments of the test bundle.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The library exports the same symbols for its own bundle. Those of this bundle come first.
    println!("cargo:rustc-link-arg=-Wl,--allow-multiple-definition");
}

//! Compiles the variadic suite calls, which stable Rust cannot define.

fn main() {
    for file in ["c/params.c", "c/messages.c"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cc::Build::new().files(["c/params.c", "c/messages.c"]).warnings(true).std("c99").compile("flow_host_variadic");
}

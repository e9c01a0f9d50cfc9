//! The command `flow-host`; all of it is in the library's `cli` module.

use std::process::ExitCode;

fn main() -> ExitCode {
    flow_host::cli::main()
}

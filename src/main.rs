//! The `satscope` binary: passes the arguments to the library and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    satscope::cli::main(std::env::args_os())
}

//! Checks the limit on open files. If it is too low for runtime, service and connections, libraries fail with unclear
//! errors or panic.

use super::failure::Failure;

/// Required open files: the idle dashboard has about twenty, and each connection needs one or two more.
const NEEDED: u64 = 32;

/// Fails if the limit is too low.
pub(super) fn check_limit() -> Result<(), Failure> {
    match limit() {
        Some(limit) if limit < NEEDED => Err(Failure::Operation(format!(
            "only {limit} open files allowed, {NEEDED} needed; raise the limit (ulimit -n 256)"
        ))),
        _ => Ok(()),
    }
}

/// The limit on open files of this process, if any.
fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

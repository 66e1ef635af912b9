//! Whether the system lets a process have as many files open as a runtime, a service and their connections take: where
//! it does not, libraries fail in ways of their own, and some of them panic.

use super::Failure;

/// Open files that everything but the smallest commands needs: the dashboard at rest has some twenty, and each
/// connection takes one or two more.
const NEEDED: u64 = 32;

/// Fails, in a sentence that names the limit, where it is too low.
pub(super) fn enough() -> Result<(), Failure> {
    match limit() {
        Some(limit) if limit < NEEDED => Err(Failure::Operation(format!(
            "only {limit} open files allowed, {NEEDED} needed; raise the limit (ulimit -n 256)"
        ))),
        _ => Ok(()),
    }
}

/// How many files this process may have open; `None` where there is no limit.
fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

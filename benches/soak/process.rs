//! Resource usage of a process, from /proc.

use std::fs;

use rustix::process::Pid;

/// Resources that must not grow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Resources {
    /// Proportional set size in bytes.
    pub(crate) pss: u64,
    /// The anonymous part of `pss` in bytes: heap and stacks.
    pub(crate) anonymous: u64,
    /// Open files and sockets.
    pub(crate) files: usize,
    /// Threads.
    pub(crate) threads: usize,
    /// Children, including zombies.
    pub(crate) children: usize,
}

/// Returns the current resources of a process.
///
/// # Panics
/// They can't be read from /proc.
pub(crate) fn resources(pid: Pid) -> Resources {
    let pid = pid.as_raw_nonzero();
    let entries =
        |file: &str| fs::read_dir(format!("/proc/{pid}/{file}")).expect("a readable directory in /proc").count();
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).expect("a readable smaps_rollup");
    let kib = |name: &str| -> u64 {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).expect("the memory total");
        line.split_whitespace().next().and_then(|kib| kib.parse().ok()).expect("a number of KiB")
    };
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).expect("the list of children");
    Resources {
        pss: kib("Pss:") * 1024,
        anonymous: kib("Pss_Anon:") * 1024,
        files: entries("fd"),
        threads: entries("task"),
        children: children.split_whitespace().count(),
    }
}

//! What the kernel says of a process.

use std::fs;

use rustix::process::Pid;

/// What may not grow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// Memory, shared pages in shares: bytes.
    pub(crate) pss: u64,
    /// What of it belongs to no file, which is the heap and the stacks.
    pub(crate) anonymous: u64,
    /// Open files and sockets.
    pub(crate) files: usize,
    /// Threads.
    pub(crate) threads: usize,
    /// Children, also those that ended and that nobody waited for.
    pub(crate) children: usize,
}

/// What a process holds now.
///
/// # Panics
/// The kernel does not tell: then nothing here could grow.
pub(crate) fn held(pid: Pid) -> Held {
    let pid = pid.as_raw_nonzero();
    let entries = |file: &str| fs::read_dir(format!("/proc/{pid}/{file}")).expect("what the process has open").count();
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).expect("the memory of the process");
    let kib = |name: &str| -> u64 {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).expect("a sum of its memory");
        line.split_whitespace().next().and_then(|kib| kib.parse().ok()).expect("a number of KiB")
    };
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).expect("its children");
    Held {
        pss: kib("Pss:") * 1024,
        anonymous: kib("Pss_Anon:") * 1024,
        files: entries("fd"),
        threads: entries("task"),
        children: children.split_whitespace().count(),
    }
}

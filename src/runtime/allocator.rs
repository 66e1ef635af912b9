//! Settings of the C library's allocator.

/// Makes all threads share one heap, and returns free memory at its end to the system. By default each thread gets a heap
/// of its own that keeps what it once used, which costs the dashboard's few threads as much as all its data. To be called
/// before other threads start. Does nothing without the GNU C library.
pub(super) fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The default; setting it keeps it from growing with the largest buffer that was ever freed.
        const TRIM_THRESHOLD: i32 = 128 << 10;
        // SAFETY: mallopt(3) has no requirements but known parameters; without effect it returns 0, which does no harm.
        #[expect(unsafe_code, reason = "the standard library has no settings of the allocator")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD);
        }
    }
}

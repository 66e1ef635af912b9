//! The C library's allocator: its settings, and the return of free memory.

/// Makes all threads use one arena, and returns free memory at its end to the system. By default each thread gets an
/// arena that keeps freed memory, which for the dashboard's threads adds up to as much as all its data. Call it before
/// other threads start. Does nothing without the GNU C library.
pub(crate) fn use_single_arena() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The default. Setting it prevents it from growing with the largest buffer that was freed.
        const TRIM_THRESHOLD: i32 = 128 << 10;
        // SAFETY: mallopt(3) only requires known parameters; on failure it returns 0 and changes nothing.
        #[expect(unsafe_code, reason = "the standard library has no settings of the allocator")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD);
        }
    }
}

/// Maps large buffers separately, so that freeing them returns their memory to the system. By default the limit grows
/// with the largest buffer that was freed, and a service that has sent large responses keeps their memory. Call it
/// before other threads start. Does nothing without the GNU C library.
pub(crate) fn return_large_buffers() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Larger than almost all responses, since mapping takes longer than reusing.
        const MMAP_THRESHOLD: i32 = 256 << 10;
        // SAFETY: see above.
        #[expect(unsafe_code, reason = "the standard library has no settings of the allocator")]
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD);
        }
    }
}

/// Returns free memory to the system. By default only the end of the heap is returned, so that a small block there keeps
/// the memory of all others. Takes some milliseconds, in which other threads may have to wait for memory. Does nothing
/// without the GNU C library.
pub(crate) fn return_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: malloc_trim(3) only changes unused memory.
        #[expect(unsafe_code, reason = "the standard library can't return free memory")]
        unsafe {
            libc::malloc_trim(0);
        }
    }
}

//! Timing on a busy machine: CPU time of the thread, medians, interleaved candidates.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the CPU time of this thread.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Returns the CPU time of `work`.
pub(crate) fn time(work: impl FnOnce()) -> Duration {
    let before = cpu_time();
    work();
    cpu_time() - before
}

/// Returns the median time of each candidate over this many interleaved samples. Each candidate returns its own time.
pub(crate) fn medians<const N: usize>(samples: usize, mut works: [&mut dyn FnMut() -> Duration; N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..samples {
        for (times, work) in times.iter_mut().zip(&mut works) {
            times.push(work());
        }
    }
    times.map(median)
}

/// Returns the median.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

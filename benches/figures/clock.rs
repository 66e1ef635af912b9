//! Times on a machine that is never quiet: the processor time of this thread, medians, all candidates in turn.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time that this thread has used.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// The processor time of `work`.
pub(crate) fn time(work: impl FnOnce()) -> Duration {
    let before = used();
    work();
    used() - before
}

/// The medians of so many samples of each, taken in turn; a sample is what the work itself says that it took.
pub(crate) fn medians<const N: usize>(samples: usize, mut works: [&mut dyn FnMut() -> Duration; N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..samples {
        for (times, work) in times.iter_mut().zip(&mut works) {
            times.push(work());
        }
    }
    times.map(median)
}

/// The middle one.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

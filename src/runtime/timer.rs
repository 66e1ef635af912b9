//! A timer that wakes the event loop once per deadline.
//!
//! The timer wheel of tokio wakes two or three times for a distant deadline, which would be most of the wakeups of an
//! idle program. The kernel's timerfd wakes once. Where supported, it also counts the time that the machine is
//! suspended, so that overdue changes are painted right after it resumes.

pub(super) use imp::Timer;

#[cfg(target_os = "linux")]
mod imp {
    use std::io;
    use std::time::Duration;

    use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
    use rustix::time::{timerfd_create, timerfd_settime};
    use tokio::net::unix::pipe::Receiver;

    /// A timerfd. It is read and polled like a pipe that receives one number when the timer expires.
    pub(in crate::runtime) struct Timer(Receiver);

    impl Timer {
        /// Creates a timer. Must be called within a tokio runtime.
        ///
        /// # Errors
        /// The timer can't be created.
        pub(in crate::runtime) fn new() -> io::Result<Timer> {
            let timer = |clock| timerfd_create(clock, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC);
            // Some Linux-compatible kernels lack CLOCK_BOOTTIME timers, which count suspended time.
            let timer = timer(TimerfdClockId::Boottime).or_else(|_| timer(TimerfdClockId::Monotonic))?;
            Ok(Timer(Receiver::from_owned_fd_unchecked(timer)?))
        }

        /// Waits for `duration`. Cancel safe; each call replaces the previous deadline.
        ///
        /// # Errors
        /// The timer can't be set or read.
        pub(in crate::runtime) async fn sleep(&mut self, duration: Duration) -> io::Result<()> {
            // Zero would disarm the timer.
            let duration = duration.max(Duration::from_nanos(1));
            let value = Timespec::try_from(duration).map_err(io::Error::other)?;
            let once = Itimerspec { it_interval: Timespec::default(), it_value: value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
            loop {
                self.0.readable().await?;
                match self.0.try_read(&mut [0; 8]) {
                    // The readiness of an earlier deadline.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    result => return result.map(drop),
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::io;
    use std::time::Duration;

    /// A tokio timer.
    pub(in crate::runtime) struct Timer;

    impl Timer {
        /// Creates a timer. Must be called within a tokio runtime.
        ///
        /// # Errors
        /// The timer can't be created.
        pub(in crate::runtime) fn new() -> io::Result<Timer> {
            Ok(Timer)
        }

        /// Waits for `duration`. Cancel safe; each call replaces the previous deadline.
        ///
        /// # Errors
        /// The timer can't be set or read.
        pub(in crate::runtime) async fn sleep(&mut self, duration: Duration) -> io::Result<()> {
            tokio::time::sleep(duration).await;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Timer;

    #[tokio::test]
    async fn timer_expires_after_the_last_duration() {
        let mut timer = Timer::new().unwrap();
        timer.sleep(Duration::ZERO).await.unwrap();
        // Cancelled before and after it expired.
        for wait in [Duration::from_hours(1), Duration::from_nanos(1)] {
            tokio::select! {
                biased;
                () = tokio::task::yield_now() => {}
                result = timer.sleep(wait) => result.unwrap(),
            }
        }
        let (began, wait) = (Instant::now(), Duration::from_millis(20));
        timer.sleep(wait).await.unwrap();
        assert!(began.elapsed() >= wait, "{:?}", began.elapsed());
    }

    /// Returns how often this thread went to sleep.
    #[cfg(target_os = "linux")]
    fn slept() -> u64 {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        count.trim().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn deadline_causes_one_wakeup() {
        let mut timer = Timer::new().unwrap();
        timer.sleep(Duration::ZERO).await.unwrap();
        let mut least = u64::MAX;
        // On a busy machine the thread may also sleep for other reasons.
        for _ in 0..3 {
            let before = slept();
            timer.sleep(Duration::from_millis(150)).await.unwrap();
            least = least.min(slept() - before);
        }
        assert_eq!(least, 1);
    }
}

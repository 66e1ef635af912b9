//! Waking at a time.
//!
//! A timer of the runtime wakes two or three times for one deadline that is far away, because its wheel goes there in
//! coarse steps; at rest these would be most of what the program does. The kernel's timer wakes once. It also goes on
//! while the machine sleeps, where there is such a timer, so that what became due meanwhile is painted as soon as the
//! machine is awake.

pub(super) use imp::Alarm;

#[cfg(target_os = "linux")]
mod imp {
    use std::io;
    use std::time::Duration;

    use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
    use rustix::time::{timerfd_create, timerfd_settime};
    use tokio::net::unix::pipe::Receiver;

    /// Wakes its task once. A timer of the kernel is read like a pipe into which one number is written when it rings,
    /// and is waited for as one.
    pub(in crate::runtime) struct Alarm(Receiver);

    impl Alarm {
        /// To be called within a runtime.
        pub(in crate::runtime) fn new() -> io::Result<Alarm> {
            let timer = |clock| timerfd_create(clock, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC);
            // Not every kernel that speaks as Linux does has a timer that goes on while the machine sleeps.
            let timer = timer(TimerfdClockId::Boottime).or_else(|_| timer(TimerfdClockId::Monotonic))?;
            Ok(Alarm(Receiver::from_owned_fd_unchecked(timer)?))
        }

        /// Waits for so long. May be given up; only the last wait counts.
        pub(in crate::runtime) async fn after(&mut self, wait: Duration) -> io::Result<()> {
            // No time at all would mean never.
            let wait = wait.max(Duration::from_nanos(1));
            let value = Timespec::try_from(wait).map_err(io::Error::other)?;
            let once = Itimerspec { it_interval: Timespec::default(), it_value: value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
            loop {
                self.0.readable().await?;
                match self.0.try_read(&mut [0; 8]) {
                    // What was still noted of an earlier wait.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    rang => return rang.map(drop),
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::io;
    use std::time::Duration;

    /// Wakes its task.
    pub(in crate::runtime) struct Alarm;

    impl Alarm {
        /// To be called within a runtime.
        pub(in crate::runtime) fn new() -> io::Result<Alarm> {
            Ok(Alarm)
        }

        /// Waits for so long. May be given up; only the last wait counts.
        pub(in crate::runtime) async fn after(&mut self, wait: Duration) -> io::Result<()> {
            tokio::time::sleep(wait).await;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Alarm;

    #[tokio::test]
    async fn rings_when_the_last_wait_is_over_and_not_before() {
        let mut alarm = Alarm::new().unwrap();
        alarm.after(Duration::ZERO).await.unwrap();
        // Given up before and after it rang.
        for wait in [Duration::from_hours(1), Duration::from_nanos(1)] {
            tokio::select! {
                biased;
                () = tokio::task::yield_now() => {}
                rang = alarm.after(wait) => rang.unwrap(),
            }
        }
        let (began, wait) = (Instant::now(), Duration::from_millis(20));
        alarm.after(wait).await.unwrap();
        assert!(began.elapsed() >= wait, "{:?}", began.elapsed());
    }

    /// How often this thread went to sleep.
    #[cfg(target_os = "linux")]
    fn slept() -> u64 {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        count.trim().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_deadline_is_one_wakeup() {
        let mut alarm = Alarm::new().unwrap();
        alarm.after(Duration::ZERO).await.unwrap();
        let mut least = u64::MAX;
        // A busy machine may put the thread to sleep for reasons of its own.
        for _ in 0..3 {
            let before = slept();
            alarm.after(Duration::from_millis(150)).await.unwrap();
            least = least.min(slept() - before);
        }
        assert_eq!(least, 1);
    }
}

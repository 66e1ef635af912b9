//! The number of instances that share a Redis, counted by their heartbeats.

/// Heartbeats of an instance in the lifetime of a lock: every 2 s. Redis may fail at any time, and then the last count
/// decides how much of the budgets each instance uses.
pub(super) const HEARTBEATS_PER_LOCK: u32 = 3;

/// Consecutive heartbeats with a lower count before that count is used, 6 s after the first of them. After Redis has lost
/// its data, the other instances are missing until their next heartbeats, and each may skip one after a failure.
pub(super) const LOWER_COUNTS: u32 = HEARTBEATS_PER_LOCK + 1;

/// The number of instances. A lower count is used late, so that they don't exceed the budgets together.
#[derive(Debug, Default)]
pub(super) struct InstanceCount {
    last: Option<u32>,
    /// Consecutive heartbeats with a lower count.
    lower_counts: u32,
}

impl InstanceCount {
    /// The number of instances, this one included; `None` if they have never been counted.
    pub(super) fn last(&self) -> Option<u32> {
        self.last
    }

    /// Adds the number of a heartbeat; `None` if it failed.
    pub(super) fn add(&mut self, counted: Option<u32>) {
        let is_lower = counted < self.last;
        self.lower_counts = if counted.is_some() && is_lower { self.lower_counts + 1 } else { 0 };
        if counted.is_some() && (!is_lower || self.lower_counts >= LOWER_COUNTS) {
            *self = InstanceCount { last: counted, lower_counts: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_count_is_used_after_consecutive_heartbeats() {
        let mut instances = InstanceCount::default();
        let mut after = |counted| {
            instances.add(counted);
            instances.last()
        };
        assert_eq!(after(None), None);
        assert_eq!(after(Some(2)), Some(2));
        assert_eq!(after(Some(5)), Some(5), "a higher count at once");
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(3)), Some(5));
        }
        // Not in a row.
        assert_eq!(after(None), Some(5));
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(3)), Some(5));
        }
        assert_eq!(after(Some(5)), Some(5));
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(4)), Some(5));
        }
        assert_eq!(after(Some(3)), Some(3), "the last one");
    }
}

//! The times of inscriptions and of their last moves.

use std::time::Duration;

use crate::client::decode::read::Context;
use crate::model::UtcTime;

/// How much earlier the time of a later block may be. Miners may set the time up to two hours ahead, and that of the
/// next block need not be later.
const MAX_BACKWARDS: Duration = Duration::from_hours(2);

/// Counts times that contradict each other: nothing moves before it is inscribed.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Number of moves before the inscription.
    early_moves: usize,
    /// Number of inscriptions after their last move.
    late_inscriptions: usize,
}

impl Times {
    /// Returns the times of an inscription and of its last move. `genesis` is the stated genesis time, and whether that
    /// may be the time of a database row. `time` may be either time; `moved` is the stated time of the move. Of two
    /// times that contradict each other, the less certain one is ignored.
    pub(super) fn check(
        &mut self,
        (genesis, is_of_row): (Option<UtcTime>, bool),
        time: Option<UtcTime>,
        moved: Option<UtcTime>,
    ) -> (Option<UtcTime>, Option<UtcTime>) {
        let is_late = genesis.zip(time).is_some_and(|(genesis, time)| time < genesis);
        let is_certain = genesis.is_some() && !is_of_row;
        let (genesis, moved) = match genesis {
            None => (time, moved),
            Some(_) if is_of_row && is_late => (time, moved),
            Some(genesis) => (Some(genesis), moved.or(time)),
        };
        let is_early = |(genesis, moved): &(UtcTime, UtcTime)| moved.plus(MAX_BACKWARDS) < *genesis;
        if genesis.zip(moved).filter(is_early).is_none() {
            return (genesis, moved);
        }
        if is_certain {
            self.early_moves += 1;
            return (genesis, None);
        }
        self.late_inscriptions += 1;
        (None, moved)
    }

    /// Warns about ignored times.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        match self.early_moves {
            0 => {}
            1 => context.warn(|| String::from("ignored the time of 1 move: it is before the inscription")),
            count => context.warn(|| format!("ignored the times of {count} moves: they are before the inscriptions")),
        }
        match self.late_inscriptions {
            0 => {}
            1 => context.warn(|| String::from("ignored the time of 1 inscription: it is after the last move")),
            count => {
                context.warn(|| format!("ignored the times of {count} inscriptions: they are after the last moves"));
            }
        }
    }
}

//! Whether the pages of a list are new enough for a search of the whole list.

use super::Pages;
use crate::model::UtcTime;

impl Pages {
    /// When the newest response arrived.
    pub(in crate::app::screen::list) fn newest_arrival(&self) -> UtcTime {
        let receipts = self.slots.iter().filter_map(|slot| slot.receipt.as_ref());
        receipts.map(|receipt| receipt.fetched_at).max().unwrap_or_default()
    }

    /// Whether all requested pages are loaded, and the pages of the first `coins` coins were fresh at the same time and
    /// arrived at `since` or later.
    pub(in crate::app::screen::list) fn are_searched(&self, coins: usize, since: UtcTime) -> bool {
        let now = self.newest_arrival();
        let mut pages = self.slots.iter().filter(|slot| slot.start as usize <= coins && !self.is_past_end(slot));
        !self.is_incomplete()
            && pages.all(|slot| !slot.is_stale(now) && slot.receipt.as_ref().is_some_and(|it| it.fetched_at >= since))
    }
}

//! What stays in the state when the source of the data changes.

use super::{PausedEvents, SessionSaves, State};

impl State {
    /// Takes over what the user has done in the state with the old source. `self` has already loaded the user data and
    /// the session.
    ///
    /// Names every field of the state, so that a new one doesn't compile until this decides whether it stays.
    pub(in crate::app) fn take_over(&mut self, old: State) {
        let State {
            user,
            undo,
            store_log,
            mouse,
            comparison,
            posts,
            paused,
            alerts,
            session_saves: SessionSaves { is_restored, .. },
            toast,
            // Part of the session.
            tab: _,
            lists: _,
            period: _,
            chart: _,
            token_choices: _,
            wallet: _,
            indexer: _,
            recent: _,
            live: _,
            convert: _,
            live_choice: _,
            seen: _,
            // Part of the user data.
            sources: _,
            watched: _,
            // Already set for the new source.
            now: _,
            size: _,
            preferences: _,
            // What was open is closed.
            panel_scroll: _,
            token: _,
            status: _,
            overlay: _,
            menu: _,
            pending: _,
            search_debounce_until: _,
            order_hold: _,
            is_selection_unchosen: _,
            // About the data and requests of the old source.
            released: _,
            manual_refresh: _,
            responses: _,
            extension_retries: _,
            background_queue: _,
            convert_before: _,
            counted_coins: _,
            expects_event: _,
            has_outdated_holdings: _,
            title: _,
        } = old;
        (self.user, self.undo, self.store_log, self.mouse) = (user, undo, store_log, mouse);
        self.comparison = comparison;
        self.posts.filter = posts.filter;
        // The waiting events are from the old source.
        self.paused = paused.map(|_| PausedEvents::default());
        self.alerts.take_over(alerts);
        self.session_saves.is_restored = is_restored;
        // It may say which group has not switched.
        self.toast = toast;
    }
}

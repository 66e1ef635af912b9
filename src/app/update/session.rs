//! The current session, and restoring an earlier one.

use crate::app::chart::view::ChartView;
use crate::app::find::recent::MAX_RECENT;
use crate::app::live_choice::LiveChoice;
use crate::app::panel::Panel;
use crate::app::saved::session::Session;
use crate::app::screen::indexer::TokenSort;
use crate::app::screen::list::{ListColumns, Sort};
use crate::app::screen::token::MarketSort;
use crate::app::screen::wallet::order::HoldingSort;
use crate::app::state::State;
use crate::keymap::Tab;
use crate::model::Tag;

use super::currency;

impl State {
    /// The current session.
    pub fn session(&self) -> Session {
        // A currency set by a flag applies only to this run.
        let before =
            || Session::from_entries(&self.user.current().session).convert.filter(|_| self.preferences.convert_fixed);
        let (order, manual_order) = self.wallet.holdings().order();
        let choices = self.choices();
        Session {
            selected_ticker: self.indexer.saved_ticker(&self.responses),
            coins: Tag::ALL.map(|tag| self.list(tag).saved_coin()),
            wallet_row: self.wallet.saved_row(),
            convert: choices.convert.clone().or_else(before),
            live: self.live_choice.live,
            hides_live_offer: self.live_choice.hides_offer.then_some(true),
            order: Some(order).filter(|order| *order != HoldingSort::default()),
            manual_order: manual_order.to_vec(),
            recent: self.recent.clone(),
            seen: self.seen_now(),
            ..choices
        }
    }

    /// The part of the session that is saved soon after it has changed: not the selected rows, which change with most
    /// keys, and not what is saved at once.
    pub(super) fn choices(&self) -> Session {
        let configured = &self.preferences;
        Session {
            tab: Some(self.tab).filter(|tab| *tab != Tab::List(Tag::All)),
            sorts: Tag::ALL.map(|tag| Some(self.list(tag).sort).filter(|sort| *sort != Sort::default())),
            columns: Tag::ALL.map(|tag| {
                let shown = self.list(tag).columns.shown();
                (shown != configured.columns).then(|| shown.to_vec())
            }),
            market_sort: Some(self.token_choices.market_sort).filter(|sort| *sort != MarketSort::default()),
            token_sort: Some(self.indexer.sort).filter(|sort| *sort != TokenSort::default()),
            balance_sort: self.indexer.balance_sort,
            period: Some(self.period).filter(|period| *period != configured.period),
            chart: Some(&self.chart).filter(|chart| **chart != ChartView::default()).cloned(),
            convert: Some(&self.convert).filter(|convert| **convert != configured.convert).cloned(),
            zoom: self.token_choices.zoomed,
            live_prices: (!self.live.is_on).then_some(false),
            hides_amounts: self.wallet.hides_amounts.then_some(true),
            ..Session::default()
        }
    }
}

/// Restores a session, which may arrive after the first frame. Changes made on the screen in the meantime are kept.
pub(super) fn restore(state: &mut State, session: Session) {
    let now = state.session();
    if !state.preferences.convert_fixed
        && now.convert.is_none()
        && let Some(convert) = session.convert
    {
        // If the service rejects it, the configured one is restored.
        let earlier = state.convert_before.take();
        state.convert_before = Some(currency::change(state, convert).with_filters_of(earlier));
    }
    for ((tag, sort), coin) in Tag::ALL.into_iter().zip(session.sorts).zip(session.coins) {
        state.list_mut(tag).restore(sort, coin);
    }
    for ((tag, columns), chosen) in Tag::ALL.into_iter().zip(session.columns).zip(now.columns) {
        if let Some(columns) = columns.filter(|_| chosen.is_none()) {
            state.list_mut(tag).columns = ListColumns::new(columns);
        }
    }
    if let Some(sort) = session.market_sort.filter(|_| now.market_sort.is_none()) {
        state.token_choices.market_sort = sort;
        state.token.iter_mut().for_each(|token| token.market_sort = sort);
    }
    if let Some(sort) = session.token_sort.filter(|_| now.token_sort.is_none()) {
        state.indexer.sort_by(sort, &state.responses);
    }
    if let Some(sort) = session.balance_sort.filter(|_| now.balance_sort.is_none()) {
        state.indexer.sort_balances(Some(sort));
    }
    state.update_sort_values();
    if let Some(ticker) = session.selected_ticker.filter(|_| now.selected_ticker.is_none()) {
        state.indexer.restore_ticker(ticker, &state.responses, usize::from(state.size.1));
    }
    if let Some(row) = session.wallet_row {
        state.wallet.restore_row(row);
    }
    state.wallet.hides_amounts |= session.hides_amounts.unwrap_or(false);
    if now.chart.is_none() {
        state.chart = session.chart.unwrap_or_default();
    }
    if now.order.is_none() && now.manual_order.is_empty() {
        state.sort_wallet(session.order.unwrap_or_default(), Some(session.manual_order));
    }
    for place in session.recent {
        if state.recent.len() < MAX_RECENT && !state.recent.iter().any(|known| known.is_same(&place)) {
            state.recent.push(place);
        }
    }
    state.seen.restore(session.seen, state.now);
    let hides_offer = session.hides_live_offer.unwrap_or(false);
    state.live_choice.restore(LiveChoice { live: session.live, hides_offer });
    if session.live_prices == Some(false) && state.live.is_on {
        state.live.toggle();
    }
    // An open coin belongs to its tab.
    if now.tab.is_none() && state.token.is_none() {
        state.tab = session.tab.unwrap_or(state.tab);
    }
    if let Some(period) = session.period.filter(|_| now.period.is_none()) {
        let tokens = state.token.iter_mut().filter(|token| token.shares_period && token.chart_window.is_none());
        tokens.for_each(|token| token.set_period(period));
        state.set_period(period);
    }
    if let Some(panel) = session.zoom.filter(|_| now.zoom.is_none()) {
        state.token_choices.zoomed = Some(panel);
        // Not if the user is in a panel already.
        let tokens = state.token.iter_mut().filter(|it| it.focus == Panel::Chart && it.chart_cursor.is_none());
        tokens.for_each(|token| (token.zoom, token.focus) = (true, panel));
    }
}

//! The rows of a list.

use std::ops::Range;

use super::cells::{self, CoinRow};
use crate::app::State;
use crate::app::live::coins::LivePrice;
use crate::app::screen::ListScreen;
use crate::app::screen::list::SPECS;
use crate::client::Request;
use crate::model::provider;
use crate::view::chrome::health::{self, Kind, Part};
use crate::view::paint_context::PaintContext;
use crate::view::widgets::table::Row;

/// Paints the coin at `index`, with the currency of its price if the rows are priced in several.
pub(super) fn paint(row: &mut Row<'_>, index: usize, context: PaintContext<'_>, list: &ListScreen, is_mixed: bool) {
    let PaintContext { state, appearance } = context;
    let Some(coin) = list.get(index) else { return };
    let marked = (is_mixed && coin.convert != state.convert).then_some(&coin.convert);
    let watched = state.watched.contains(coin);
    let start = list.page_start(index);
    let live = state.live_price(coin, start.map(|start| (list.tag, start)));
    let rose = live.and_then(|live| live.rose);
    let range = LivePrice::range_of(live.as_ref(), coin);
    let live = live.map(|live| live.price);
    let compared = &state.comparison;
    let style = |index| appearance.theme.line(compared.slot(index));
    let letter = compared.index_of(coin).map(|index| (compared.letter(index), style(index)));
    let coin = CoinRow {
        coin,
        live,
        range,
        rose,
        watched,
        letter,
        trend: list.trend(coin),
        currency: marked,
        theme: &appearance.theme,
    };
    for placed in row.layout.columns() {
        if let Some(spec) = SPECS.get(placed.index) {
            cells::cell(spec.column)(row, placed.index, &coin);
        }
    }
    let page = start.map(|start| list.page_request(start, &state.convert));
    let newest = start.and_then(|start| list.newest_update(start));
    let is_old = coin.live.is_none() && coin.coin.old_age(newest, state.now).is_some();
    let is_old = is_old || start.is_some_and(|start| list.is_kept_and_stale(start, state.now));
    if is_old || page.is_some_and(|page| state.responses.get(&page).is_stale(state.now)) {
        health::fade(row.buf, row.area);
    }
}

/// The visible coins that are priced in a currency other than the current one.
pub(super) struct OtherCurrency<'a> {
    /// The number of visible coins in another currency.
    pub(super) count: usize,
    /// The number of visible coins.
    pub(super) visible: usize,
    /// The currency of the first one.
    pub(super) code: &'a str,
}

impl OtherCurrency<'_> {
    /// Whether all visible coins are in another currency.
    pub(super) fn is_all(&self) -> bool {
        self.count == self.visible
    }
}

/// See [`OtherCurrency`]; `None` if all visible coins are priced in the current currency.
pub(super) fn other_currency<'a>(
    state: &State,
    list: &'a ListScreen,
    visible: Range<usize>,
) -> Option<OtherCurrency<'a>> {
    let all = visible.len();
    let (mut count, mut code) = (0, None);
    for coin in visible.filter_map(|row| list.get(row)).filter(|coin| coin.convert != state.convert) {
        count += 1;
        code = code.or(Some(coin.convert.as_str()));
    }
    Some(OtherCurrency { count, visible: all, code: code? })
}

/// The request for the page of the selected row; for the first page if there are no rows.
pub(super) fn request(state: &State, list: &ListScreen) -> Request {
    match list.page_start(list.cursor.index()) {
        Some(start) => list.page_request(start, &state.convert),
        None => list.first_request(&state.convert),
    }
}

/// Why the newest response with a page is not shown: `page from CoinGecko, list from CoinMarketCap · retrying in 3 m`.
pub(in crate::view) fn rejection(state: &State, list: &ListScreen, request: &Request) -> Option<[Part; 2]> {
    let Request::Coins { start, .. } = request else { return None };
    let (page, own) = list.rejected_provider(*start)?;
    let remote = state.responses.get(request);
    let entry = remote.entry.filter(|entry| entry.response.is_some())?;
    let next = if health::is_entry_paused(entry, state) {
        Part::new(Kind::Next, health::PAUSED)
    } else {
        Part::retry(remote.fresh_until(), remote.is_loading(), state.now)
    };
    let reason = format!("page from {}, list from {}", provider::titles(page), provider::titles(own));
    Some([Part::reason(reason), next])
}

//! The line above a list: statistics of its coins, or the search query; and the freshness of the list.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::list_health::{is_missing, list_health, providers, with_details};
use super::rows;
use crate::app::screen::ListScreen;
use crate::app::screen::list::CoinColumn;
use crate::app::{Command, State, Tab};
use crate::format::{Count, Money, Signed};
use crate::keymap::Context;
use crate::model::{Text, provider};
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::chrome::header;
use crate::view::chrome::health::Health;
use crate::view::chrome::pieces::{self, Piece};
use crate::view::chrome::prompt;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Paints the line.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    list: &ListScreen,
    visible: Range<usize>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let inner = inner(area);
    if inner.is_empty() {
        return;
    }
    let providers = providers(state, list);
    let credit = provider::attributions(&providers);
    if list.searching || !list.search.value().is_empty() {
        return search(buf, inner, list, &credit, appearance, view_state);
    }
    let (of_page, oldest) = list_health(state, list, &providers);
    // The age of the oldest page counts for the statistics of a list that depends on all pages.
    let (of_count, of_status) = if list.depends_on_all() { (oldest, None) } else { (None, oldest) };
    let health = with_details(of_page, of_status, &credit, state, list);
    let oldest = of_count.map_or_else(String::new, |oldest| format!(" · {oldest}"));
    let beside_credit =
        if credit.is_empty() { inner.width } else { inner.width.saturating_sub(text::width(&credit) + 3) };
    let widths = (inner.width, beside_credit);
    let left = left(context, list, &oldest, widths, visible, view_state);
    // The count of a filter is more important than when the list is refreshed.
    let first = match list.applied_filter() {
        Some(_) if !health.is_bad => pieces::width(&left, 3).min(beside_credit),
        _ => left.first().map_or(0, Piece::width),
    };
    let (status, is_alone) = status(context, list, &health, &credit, (first, inner.width));
    let taken = if status.is_empty() { 0 } else { text::width(&status) + 3 };
    let shown: &[Piece<'_>] = if is_alone { &[] } else { &left };
    pieces::paint(buf, Rect { width: inner.width.saturating_sub(taken), ..inner }, shown, 3);
    text::put_right(buf, inner, &status, health.style(theme));
}

/// What is on the left: the statistics or, with a filter, how many coins satisfy it; without rows, only the filter. The
/// widths are that of the line, and that beside the required attribution.
fn left<'a>(
    context: PaintContext<'_>,
    list: &'a ListScreen,
    oldest: &str,
    (width, beside_credit): (u16, u16),
    visible: Range<usize>,
    view_state: &ViewState,
) -> Vec<Piece<'a>> {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    if list.loaded() == 0 {
        let filter = list.applied_filter().map(|applied| text::shortened(&applied.text, width / 2));
        let filter = filter.map(|filter| Piece::new("filter ", theme.dim).and(filter, theme.accent));
        return filter.into_iter().collect();
    }
    let mut left = match list.applied_filter() {
        Some(applied) => {
            let mut left = filtered(list, &applied.text, oldest, beside_credit, appearance);
            left.extend(hidden_sort(state, list).map(|by| Piece::new(format!("sorted {by}"), theme.accent)));
            left
        }
        None => pieces(state, list, oldest, appearance, view_state),
    };
    if let Some(note) = other_currency(state, list, visible) {
        left.insert(1, Piece::new(note, theme.warn));
    }
    left
}

/// How fresh the list is, in a line of `width` columns, of which the most important statistics take the `first`; and
/// whether it leaves no room for any statistics.
fn status(
    context: PaintContext<'_>,
    list: &ListScreen,
    health: &Health,
    credit: &str,
    (first, width): (u16, u16),
) -> (String, bool) {
    let PaintContext { state, appearance } = context;
    let beside = width.saturating_sub(first + 3);
    let whole = health.text();
    // Without rows, the reason or the loading message is shown in their place.
    let is_instead_of_rows = list.loaded() == 0 && (health.is_bad || is_missing(state, list));
    let is_worth_its_room = health.is_bad || text::width(&whole) <= beside || !credit.is_empty();
    let short = if is_worth_its_room && !is_instead_of_rows { health.fitted(beside) } else { String::new() };
    // A problem takes precedence over the statistics, which otherwise take precedence.
    let long = if health.is_bad && list.loaded() > 0 { health.fitted(width) } else { String::new() };
    // The end of a long reason is less important than the statistics.
    let is_alone = health.is_bad && text::width(&short) < text::width(&long).min(health.brief_width());
    let (mut status, room) = if is_alone { (long, width) } else { (short, beside) };
    let status_key = state.keys().name(Command::Go(Tab::Status), Context::List, appearance.glyphs);
    let more = status_key.map_or_else(String::new, |key| format!(" · press {key} for details"));
    if health.is_bad && !status.is_empty() && status != whole && text::width(&status) + text::width(&more) <= room {
        status.push_str(&more);
    }
    if list.loaded() > 0 && !status.contains(credit) {
        // It is always shown: the provider requires it.
        credit.clone_into(&mut status);
    }
    (status, is_alone)
}

/// The statistics of the list. `oldest` is the age of its oldest page, for the count.
fn pieces<'a>(
    state: &State,
    list: &'a ListScreen,
    oldest: &str,
    appearance: &Appearance,
    view_state: &ViewState,
) -> Vec<Piece<'a>> {
    let theme = &appearance.theme;
    let summary = list.summary();
    let loaded = list.loaded() as u64;
    let (count, partial) = match list.total() {
        Some(total) => (Count(total.max(loaded)).to_string(), total > loaded),
        None => (format!("{}+", Count(loaded)), true),
    };
    // The statistics are only about the loaded coins.
    let of = if partial { format!("first {}: ", Count(loaded)) } else { String::new() };
    let sign = list.coins().next().and_then(|coin| coin.convert.sign()).unwrap_or("");
    let mut left = vec![Piece::new(count, theme.strong).and(format!(" coins{oldest}"), theme.dim)];
    let mut scope = Some(of);
    if let Some(words) = sorted(state, list) {
        left.push(Piece::new(words, theme.accent));
    }
    if summary.market_cap > 0.0 {
        let cap = format!("{sign}{}", Money(Some(summary.market_cap)));
        left.push(Piece::new(scope.take().unwrap_or_default(), theme.dim).and("cap ", theme.dim).and(cap, theme.text));
    }
    if summary.volume > 0.0 {
        let volume = format!("{sign}{}", Money(Some(summary.volume)));
        left.push(
            Piece::new(scope.take().unwrap_or_default(), theme.dim).and("vol ", theme.dim).and(volume, theme.text),
        );
    }
    if let Some(share) = summary.bitcoin_share() {
        left.push(Piece::new("BTC ", theme.dim).and(format!("{share:.1}%"), theme.text));
    }
    // An unknown change is not zero.
    if summary.best.is_some() {
        left.push(
            Piece::new(scope.unwrap_or_default(), theme.dim)
                .and(format!("▲ {}", Count(summary.up as u64)), theme.gain)
                .and(format!("  ▼ {}", Count(summary.down as u64)), theme.loss),
        );
    }
    // Not twice on a screen.
    left.extend(header::fee(state, theme).filter(|_| !view_state.has_fees));
    // With equal changes, both are the same coin.
    let differ = |(best, worst): &(&(Text, f64), &(Text, f64))| best.1 > worst.1;
    if let Some((best, worst)) = summary.best.as_ref().zip(summary.worst.as_ref()).filter(differ) {
        for (word, (symbol, change)) in [("best ", best), ("worst ", worst)] {
            let change = Some(*change);
            left.push(
                Piece::new(word, theme.dim)
                    .and(text::shortened(symbol, 12), theme.text)
                    .and(format!(" {}", Signed(change)), theme.change(change)),
            );
        }
    }
    left
}

/// The sort column, if it is not shown, and how much of the list the order covers while pages are missing:
/// `sorted by trend ▾, 400 of 1,251`, or if it covers only a part: `sorted 400 of first 1,000`, then
/// `sorted first 1,000 of 9,387`.
fn sorted(state: &State, list: &ListScreen) -> Option<String> {
    list.chosen_sort()?;
    let sorted = list.sorted() as u64;
    let by = hidden_sort(state, list);
    match list.total() {
        Some(total) if total > sorted => {
            let by = by.map_or_else(String::new, |by| format!(" {by},"));
            Some(match list.covered() {
                Some(covered) if covered > sorted => {
                    format!("sorted{by} {} of first {}", Count(sorted), Count(covered))
                }
                Some(_) => format!("sorted{by} first {} of {}", Count(sorted), Count(total)),
                None => format!("sorted{by} {} of {}", Count(sorted), Count(total)),
            })
        }
        Some(_) => by.map(|by| format!("sorted {by}")),
        None => Some(format!("first {} sorted {}", Count(sorted), by.unwrap_or_default()).trim_end().to_owned()),
    }
}

/// The sort column and direction, if the column is not shown: `by trend ▾`.
fn hidden_sort(state: &State, list: &ListScreen) -> Option<String> {
    let by = list.chosen_sort()?;
    let placed = state.placed_columns(list);
    let is_shown = CoinColumn::of_sort(by).is_some_and(|column| placed.shows(column));
    let mark = if list.sort.descending { "▾" } else { "▴" };
    (!is_shown).then(|| format!("by {} {mark}", by.title()))
}

/// Minimum columns of a shortened filter.
const MIN_FILTER: u16 = 6;

/// The filter, and how many coins satisfy it: `24h > 5   37 of 1,251 coins`, or `37 of 600 loaded   1,251 coins`; if it
/// accepts only watched coins, `watched   4 of 4 watched`, or `3 of 4 watched   600 of 1,251 loaded`. The filter is
/// shortened to leave room for the count and for the age of the `oldest` page, and these to fit into `columns`.
fn filtered<'a>(
    list: &'a ListScreen,
    filter: &'a str,
    oldest: &str,
    columns: u16,
    appearance: &Appearance,
) -> Vec<Piece<'a>> {
    let theme = &appearance.theme;
    let loaded = list.loaded() as u64;
    let total = list.total().filter(|total| *total > loaded && !list.has_all_watched());
    let counted = |of: String| Piece::new(Count(list.len() as u64).to_string(), theme.strong).and(of, theme.dim);
    let of = match list.watched_count() {
        Some(watched) => of_watched(watched),
        None => format!(" of {} {}", Count(loaded), if total.is_some() { "loaded" } else { "coins" }),
    };
    let forms = [format!("{of}{oldest}"), of, String::from(" coins")].map(counted);
    let fits = |form: &&Piece<'_>| form.width() <= columns;
    let count = forms.iter().find(fits).or(forms.last()).cloned().unwrap_or_default();
    let total = total.map(|total| match list.watched_count() {
        Some(_) => format!("{} of {} loaded", Count(loaded), Count(total)),
        None => format!("{} coins", Count(total)),
    });
    let total = total.map(|total| Piece::new(total, theme.dim));
    let room = columns.saturating_sub(count.width() + 3);
    let labelled = Piece::new("filter ", theme.dim).and(filter, theme.accent);
    let shortened = || Piece::new(text::shortened(filter, room), theme.accent);
    let filter = if labelled.width() <= room { Some(labelled) } else { (room >= MIN_FILTER).then(shortened) };
    filter.into_iter().chain([count]).chain(total).collect()
}

fn of_watched(watched: usize) -> String {
    format!(" of {} watched", Count(watched as u64))
}

/// The number of visible coins in a currency other than the current one, if any: `3 in USD`.
fn other_currency(state: &State, list: &ListScreen, visible: Range<usize>) -> Option<String> {
    let other_currency = rows::other_currency(state, list, visible)?;
    // If all are, the heading of the column shows it.
    (!other_currency.is_all()).then(|| format!("{} in {}", other_currency.count, other_currency.code))
}

/// Minimum width for naming the order of search results; a sort by a column is marked in its heading.
const WITH_ORDER: u16 = 60;

/// Minimum columns of the query, beside the number of results.
const MIN_QUERY: u16 = 14;

/// `/ordi   filter gainers   best match first   3 of 1,204 coins`, or `3 found · searched 5,000 of 12,345`, or
/// `1 of 4 watched`; then the required attribution. With `+` after the number of results if there may be more.
fn search(
    buf: &mut Buffer,
    area: Rect,
    list: &ListScreen,
    credit: &str,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    let used = text::put(buf, area, "/", theme.accent);
    let loaded = Count(list.loaded() as u64);
    let searched = match (list.watched_count(), list.searched_names(), list.total()) {
        (Some(watched), ..) => of_watched(watched),
        (None, Some(names), _) => format!(" of {} coins", Count(names.max(list.loaded()) as u64)),
        // Not all of them: more are loading, or there are more than the maximum.
        (None, None, Some(total)) if total > list.loaded() as u64 => {
            format!(" found · searched {loaded} of {}", Count(total))
        }
        (None, None, Some(_)) => format!(" of {loaded} coins"),
        (None, None, None) => format!(" found · searched {loaded}"),
    };
    // The footer shows the number of rows.
    let is_counted = list.is_searched() || list.applied_filter().is_some();
    let plus = if list.omits_results() { "+" } else { "" };
    let found = |words: &str| {
        let count = || format!("{}{plus}", Count(list.len() as u64));
        is_counted.then(|| Piece::new(count(), theme.strong).and(words.to_owned(), theme.dim))
    };
    let has_order = list.len() > 1 && area.width >= WITH_ORDER && list.order().is_none();
    let order = has_order.then(|| Piece::new("best match first", theme.dim));
    let credit = (!credit.is_empty()).then(|| Piece::new(credit, theme.dim));
    let applied = list.applied_filter().map(|applied| applied.text.as_str());
    let filter = applied.map(|text| Piece::new("filter ", theme.dim).and(text, theme.accent));
    let room = (area.width / 4).max(MIN_FILTER);
    let short_filter = applied.map(|text| Piece::new(text::shortened(text, room), theme.accent));
    let forms = [
        (filter.clone(), order, found(&searched)),
        (filter, None, found(&searched)),
        (short_filter.clone(), None, found(&searched)),
        (short_filter, None, found(" found")),
        (None, None, found(" found")),
    ];
    let mut forms = forms
        .into_iter()
        .map(|(filter, order, found)| filter.into_iter().chain(order).chain(found).chain(credit.clone()));
    let fits = |right: &Vec<Piece<'_>>| pieces::width(right, 3) + 3 + MIN_QUERY <= area.width;
    let right = forms.find_map(|form| Some(form.collect()).filter(fits));
    let right = right.unwrap_or_else(|| credit.into_iter().collect());
    let taken = if right.is_empty() { 0 } else { pieces::width(&right, 3) + 3 };
    let line = Rect { width: area.width.saturating_sub(taken + used), ..text::shifted(area, used) };
    if list.searching {
        prompt::paint(buf, line, &list.search, theme.text, view_state);
    } else {
        text::put(buf, line, list.search.value(), theme.accent);
    }
    pieces::paint(buf, text::shifted(area, (area.width + 3).saturating_sub(taken)), &right, 3);
}

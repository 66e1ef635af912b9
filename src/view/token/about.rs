//! The About panel: tags, ranges, supplies, links, contracts.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use super::panel_context::{PanelContext, TWO_COLUMNS};
use super::unresolved;
use crate::app::Command;
use crate::app::live::coins::LivePrice;
use crate::app::panel::Panel;
use crate::client::Group;
use crate::format::{Money, PriceFormat, PriceIn};
use crate::keymap::Context;
use crate::model::Coin;
use crate::theme::Theme;
use crate::view::area::split_right;
use crate::view::chrome::health::{self, Missing};
use crate::view::widgets::{PanelTitle, Placeholder, RangeBar, ShareBar, text};

/// Columns of the labels.
const LABEL: u16 = 10;

/// The labels of the first link and the first contract.
const LINKS: &str = "links";
const CONTRACT: &str = "contract";

/// Minimum columns of a bar with its percentage before text.
const BAR: u16 = 12;

/// A fact in one or more lines.
enum Fact<'a> {
    /// Text, wrapped.
    Words(&'static str, Cow<'a, str>, Style),
    /// A range of prices.
    Range(&'static str, RangeBar<'a>),
    /// A percentage, followed by its base if there is room.
    Share(&'static str, Option<f64>, &'static str),
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let theme = &context.appearance.theme;
    let title = PanelTitle::new("About").focused(context.is_focused(Panel::About)).theme(theme);
    let page = context.page;
    // The summary line usually explains the same failure, since both show the same page of a list.
    let problem =
        page.filter(|_| context.coin.is_some()).and_then(|page| context.explained.unexplained(page, context.state));
    let place = health::title(buf, area, title, problem.as_ref(), theme);
    let Some(coin) = context.coin else {
        if let Some(remote) = page {
            // The response may lack the coin.
            return match remote.value {
                Some(_) => unresolved::paint(buf, place, "details", context),
                None => {
                    let missing = Missing::new(remote, "details", context.state, theme).of(Group::Market);
                    context.explained.missing(buf, place, &missing);
                }
            };
        }
        let key = context.state.keys().name(Command::Search, Context::List, context.appearance.glyphs);
        let hint = key.map_or_else(String::new, |key| format!(" · press {key} in a list to search"));
        return Placeholder::empty(&format!("Coin details not loaded{hint}")).theme(theme).render(place, buf);
    };
    let two = context.is_alone() && place.width >= TWO_COLUMNS;
    let (left, right) = split_right(place, if two { place.width / 2 - 1 } else { 0 });
    let left = if two { left } else { place };
    let facts = facts(coin, left.width.min(if two { right.width } else { u16::MAX }), context);
    // Numbers on the left; links and contracts, which are long, on the right.
    let is_long = |fact: &Fact<'_>| matches!(fact, Fact::Words(LINKS | CONTRACT, ..));
    let split = facts.iter().position(is_long).filter(|_| two).unwrap_or(facts.len());
    let (first, second) = facts.split_at_checked(split).unwrap_or((&facts, &[]));
    let columns = [(left, first), (right, second)];
    let rows = |(place, facts): &(Rect, &[Fact<'_>])| {
        facts.iter().fold(0_u16, |rows, fact| rows.saturating_add(height(fact, place.width)))
    };
    let rows = columns.iter().map(rows).max().unwrap_or(0);
    // Don't scroll beyond the last line.
    let skip = context.token.about_scroll.first(usize::from(rows), usize::from(place.height));
    for (place, facts) in columns {
        let mut row: i32 = -i32::from(u16::try_from(skip).unwrap_or(u16::MAX));
        for fact in facts {
            row += i32::from(paint_fact(buf, place, row, fact, context));
            if row >= i32::from(place.height) {
                break;
            }
        }
    }
    if is_stale(context) {
        health::fade(buf, place);
    }
}

/// Whether the coin is shown as old.
fn is_stale(context: &PanelContext<'_>) -> bool {
    context.last_copy.is_some() || context.page.is_some_and(|remote| remote.is_stale(context.state.now))
}

fn facts<'a>(coin: &'a Coin, width: u16, context: &PanelContext<'_>) -> Vec<Fact<'a>> {
    let theme = &context.appearance.theme;
    let mut facts = Vec::new();
    let live = context.state.live_price(coin, context.source);
    let price = live.map(|live| live.price).or(coin.price);
    let (low, high) = LivePrice::range_of(live.as_ref(), coin);
    if let Some(live) = live {
        facts.push(Fact::Words("price", Cow::Owned(format!("{} · live", live.exchange)), theme.text));
    }
    let format = PriceFormat::of(&coin.convert);
    let range = RangeBar::new(low, price, high).format(format);
    let all_time = RangeBar::new(coin.all_time_low, None, coin.all_time_high).format(format).without_bar();
    // Either both have all their digits, or neither has.
    let room = width.saturating_sub(LABEL);
    let is_short = !(range.fits(room) && all_time.fits(room));
    let [range, all_time] = if is_short { [range, all_time].map(RangeBar::short) } else { [range, all_time] };
    facts.push(Fact::Range("24h", range));
    if all_time.has_labels(room) {
        facts.push(Fact::Range("all time", all_time));
    } else if coin.all_time_low.is_some() || coin.all_time_high.is_some() {
        let range =
            format!("{} – {}", PriceIn(&coin.convert, coin.all_time_low), PriceIn(&coin.convert, coin.all_time_high));
        facts.push(Fact::Words("all time", Cow::Owned(range), theme.text));
    }
    if let Some(change) = coin.ath_change_pct(price) {
        facts.push(Fact::Words("", from_high(change), theme.dim));
    }
    facts.extend(supply(coin, theme));
    facts.extend(diluted(coin, theme));
    if !coin.tags.is_empty() {
        let tags = join_words(coin.tags.iter(), width.saturating_sub(LABEL));
        facts.push(Fact::Words("tags", Cow::Owned(tags), theme.text));
    }
    for (index, link) in coin.links.iter().enumerate() {
        // The dialog that opens it shows the complete link.
        let shown = link.url.trim_start_matches("https://").trim_end_matches('/');
        let shown = text::shortened(shown, width.saturating_sub(LABEL));
        facts.push(Fact::Words(if index == 0 { LINKS } else { "" }, Cow::Owned(shown.into_owned()), theme.text));
    }
    for (index, contract) in coin.contracts.iter().enumerate() {
        let platform = contract.platform.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
        let words = format!("{}{platform}", contract.address);
        facts.push(Fact::Words(if index == 0 { CONTRACT } else { "" }, Cow::Owned(words), theme.text));
    }
    if let Some(updated) = coin.updated_at {
        let age = context.state.now.since(updated);
        // As in the reason why it is stale.
        let words = if is_stale(context) { health::stale_ago(age) } else { health::ago(age) };
        facts.push(Fact::Words("updated", Cow::Owned(words), theme.dim));
    }
    facts
}

/// The difference of a price from the all-time high in percent, in words.
fn from_high(change: f64) -> Cow<'static, str> {
    match change {
        ..=-0.5 => Cow::Owned(format!("{:.0}% below ATH", -change)),
        0.5.. => Cow::Owned(format!("{change:.0}% above listed ATH")),
        _ => Cow::Borrowed("at ATH"),
    }
}

/// The circulating supply relative to the max supply, as a bar and as numbers, with the total supply if it differs from
/// both; relative to the total supply if the max supply is unknown.
fn supply<'a>(coin: &Coin, theme: &Theme) -> Vec<Fact<'a>> {
    let amount = |value: Option<f64>| Money(value).to_string();
    let circulating = amount(coin.circulating_supply);
    if let Some(most) = coin.max_supply.filter(|most| *most > 0.0) {
        let share = coin.circulating_supply.map(|now| now / most);
        let (total, max) = (amount(coin.total_supply), amount(coin.max_supply));
        let pair = format!("{circulating} of {max}");
        let mut facts =
            vec![Fact::Share("supply", share, "of max supply"), Fact::Words("", Cow::Owned(pair), theme.text)];
        // Often the same as one of the others.
        if coin.total_supply.is_some() && total != circulating && total != max {
            facts.push(Fact::Words("", Cow::Owned(format!("total {total}")), theme.dim));
        }
        return facts;
    }
    let supply = if coin.total_supply.is_some() {
        format!("{circulating} of {}", amount(coin.total_supply))
    } else {
        circulating
    };
    vec![
        Fact::Words("supply", Cow::Owned(supply), theme.text),
        Fact::Words("", Cow::Borrowed("max unknown"), theme.dim),
    ]
}

/// The fully diluted valuation, if it exceeds the market cap.
fn diluted(coin: &Coin, theme: &Theme) -> Option<Fact<'static>> {
    let least = coin.market_cap.unwrap_or(0.0) * 1.01;
    let value = coin.fully_diluted_valuation().filter(|value| *value > least)?;
    Some(Fact::Words("FDV", Cow::Owned(Money(Some(value)).to_string()), theme.text))
}

/// Joins words with ` · ` in lines of at most `columns`, without breaking words; longer ones are broken after their
/// hyphens.
fn join_words(words: impl Iterator<Item = impl AsRef<str>>, columns: u16) -> String {
    let mut all = String::new();
    let mut used: u16 = 0;
    for word in words {
        let word = word.as_ref();
        let width = text::width(word);
        if width > columns && word.contains('-') {
            if used > 0 {
                all.push('\n');
            }
            used = 0;
            for part in word.split_inclusive('-') {
                let width = text::width(part);
                if used > 0 && used.saturating_add(width) > columns {
                    all.push('\n');
                    used = 0;
                }
                all.push_str(part);
                used = used.saturating_add(width);
            }
            continue;
        }
        if used > 0 && used.saturating_add(3).saturating_add(width) > columns {
            all.push('\n');
            used = 0;
        } else if used > 0 {
            all.push_str(" · ");
            used = used.saturating_add(3);
        }
        all.push_str(word);
        used = used.saturating_add(width);
    }
    all
}

fn height(fact: &Fact<'_>, width: u16) -> u16 {
    match fact {
        Fact::Words(_, words, _) => {
            u16::try_from(text::wrap(words, width.saturating_sub(LABEL)).count()).unwrap_or(u16::MAX).max(1)
        }
        Fact::Range(..) | Fact::Share(..) => 1,
    }
}

/// Paints a fact, starting at `row` (which may be above the area); returns its number of rows.
fn paint_fact(buf: &mut Buffer, place: Rect, row: i32, fact: &Fact<'_>, context: &PanelContext<'_>) -> u16 {
    let theme = &context.appearance.theme;
    let at = |row: i32| u16::try_from(row).ok().filter(|row| *row < place.height).map(|row| text::line(place, row));
    let (label, rows) = match fact {
        Fact::Words(label, words, style) => {
            let mut rows = 0_u16;
            for line in text::wrap(words, place.width.saturating_sub(LABEL)) {
                if let Some(cell) = at(row + i32::from(rows)) {
                    text::put(buf, text::shifted(cell, LABEL), line, *style);
                }
                rows = rows.saturating_add(1);
            }
            (label, rows.max(1))
        }
        Fact::Range(label, range) => {
            if let Some(cell) = at(row) {
                range.theme(theme).render(text::shifted(cell, LABEL), buf);
            }
            (label, 1)
        }
        Fact::Share(label, share, of) => {
            if let Some(cell) = at(row) {
                let cell = text::shifted(cell, LABEL);
                let beside = cell.width.saturating_sub(text::width(of) + 1);
                let has_label = share.is_some() && beside >= BAR;
                let width = if has_label { beside } else { cell.width }.min(24);
                let bar = ShareBar::new(*share).theme(theme);
                let used = bar.used(width);
                bar.render(Rect { width, ..cell }, buf);
                if has_label {
                    text::put(buf, text::shifted(cell, used + 1), of, theme.dim);
                }
            }
            (label, 1)
        }
    };
    if let Some(cell) = at(row) {
        let label = if *label == LINKS { links_label(context) } else { Cow::Borrowed(*label) };
        text::put(buf, Rect { width: cell.width.min(LABEL - 1), ..cell }, &label, theme.dim);
    }
    rows
}

/// The label of the links, with the key that opens them if there is room: `links (o)`.
fn links_label(context: &PanelContext<'_>) -> Cow<'static, str> {
    let key = context.state.keys().name(Command::Links, Context::Token, context.appearance.glyphs);
    let label = key.map(|key| format!("{LINKS} ({key})")).filter(|label| text::width(label) < LABEL);
    label.map_or(Cow::Borrowed(LINKS), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::change_pct;

    #[test]
    fn price_above_the_all_time_high_is_not_below_it() {
        for (now, high, words) in [
            (95.0, 100.0, Some("5% below ATH")),
            (105.0, 100.0, Some("5% above listed ATH")),
            (100.0, 100.0, Some("at ATH")),
            (99.8, 100.0, Some("at ATH")),
            (0.0, 100.0, Some("100% below ATH")),
            (1.0, 0.0, None),
            (0.0, 0.0, None),
        ] {
            assert_eq!(change_pct(high, now).map(from_high).as_deref(), words, "{now} {high}");
        }
    }

    #[test]
    fn tags_are_not_broken() {
        let tags = || ["BRC-20", "Bitcoin ecosystem", "Memes"].into_iter();
        assert_eq!(join_words(tags(), 80), "BRC-20 · Bitcoin ecosystem · Memes");
        assert_eq!(join_words(tags(), 26), "BRC-20 · Bitcoin ecosystem\nMemes");
        assert_eq!(join_words(tags(), 20), "BRC-20\nBitcoin ecosystem\nMemes");
        assert_eq!(join_words(tags(), 5), "BRC-\n20\nBitcoin ecosystem\nMemes");
        let slugs = || ["defi", "bitcoin-ecosystem", "layer-1", "x"].into_iter();
        assert_eq!(join_words(slugs(), 17), "defi\nbitcoin-ecosystem\nlayer-1 · x");
        assert_eq!(join_words(slugs(), 16), "defi\nbitcoin-\necosystem\nlayer-1 · x");
    }
}

//! A row of the markets panel.

use std::borrow::Cow;
use std::fmt;

use compact_str::format_compact;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::columns::{OUTLIER, PERCENT};
use super::kind::kind;
use super::widths::{FullWidths, Widths};
use crate::app::panel::cells::MarketCell;
use crate::format::{ABSENT, Age, ComparedPrice, FullMoney, Money, Share};
use crate::model::MarketPair;
use crate::theme::Theme;
use crate::view::token::panel_context::PanelContext;
use crate::view::widgets::table::Row;
use crate::view::widgets::{ShareBar, text};

/// Paints a market. Outliers, whose price is unreliable, and derivatives are marked.
pub(super) fn paint_pair(row: &mut Row<'_>, pair: &MarketPair, widths: Widths, context: &PanelContext<'_>) {
    let theme = &context.appearance.theme;
    let is_outlier = pair.outlier == Some(true);
    row.words(MarketCell::Exchange, pair.exchange.as_deref().unwrap_or(ABSENT), theme.text);
    match kind(pair) {
        None => row.cell(MarketCell::Pair, |buf, cell| {
            text::put(buf, cell, &short_pair(&pair.pair, cell.width), theme.text);
        }),
        Some(kind) => row.cell(MarketCell::Pair, |buf, cell| {
            let used = text::put(buf, cell, &short_pair(&pair.pair, cell.width), theme.dim) + 1;
            if used + text::width(kind) <= cell.width {
                text::put(buf, text::shifted(cell, used), kind, theme.dim);
            }
        }),
    }
    row.decimal(
        MarketCell::Price,
        widths.fraction.saturating_sub(1),
        ComparedPrice(&pair.convert, pair.price),
        if is_outlier { theme.warn } else { theme.strong },
    );
    row.number(MarketCell::Volume, Sum(pair.volume_24h, widths), theme.text);
    row.cell(MarketCell::Share, |buf, cell| paint_share(buf, cell, pair, widths.full, theme));
    // Bids are down to 2 % below the price, asks up to 2 % above it.
    let [bid, ask] = [pair.depth_minus_2pct, pair.depth_plus_2pct].map(|depth| Sum(depth, widths));
    if row.layout.shows(MarketCell::Ask) {
        row.number(MarketCell::Bid, bid, theme.dim);
        row.number(MarketCell::Ask, ask, theme.dim);
    } else if bid.0.or(ask.0).is_some() {
        row.number(MarketCell::Bid, format_args!("{bid}/{ask}"), theme.dim);
    } else {
        row.number(MarketCell::Bid, ABSENT, theme.dim);
    }
    match pair.updated_at {
        Some(at) => row.number(MarketCell::Updated, Age(context.state.now.since(at)), theme.dim),
        None => row.number(MarketCell::Updated, ABSENT, theme.dim),
    }
}

/// The pair in at most `columns`, if its base can be shortened to fit: the quote tells the pairs of a coin apart. A pair
/// whose quote is the longer symbol is returned whole, and cut at its end.
fn short_pair(pair: &str, columns: u16) -> Cow<'_, str> {
    /// One character and `…`.
    const MIN_BASE: u16 = 2;
    if text::width(pair) <= columns {
        return Cow::Borrowed(pair);
    }
    let Some((base, quote)) = pair.split_once('/') else { return Cow::Borrowed(pair) };
    let quote_width = text::width(quote);
    match columns.checked_sub(quote_width.saturating_add(1)) {
        Some(room) if room >= MIN_BASE && text::width(base) > quote_width => {
            Cow::Owned(format!("{}/{quote}", text::shortened(base, room)))
        }
        _ => Cow::Borrowed(pair),
    }
}

/// The percentage, after a bar if there is room. The bar of the largest share fills its cell.
fn paint_share(buf: &mut Buffer, cell: Rect, pair: &MarketPair, full: Option<FullWidths>, theme: &Theme) {
    if pair.outlier == Some(true) {
        text::put_right(buf, cell, OUTLIER, theme.warn);
        return;
    }
    if let (Some(share), Some(full)) = (pair.volume_share_pct, full) {
        let bar = Rect { width: cell.width.saturating_sub(PERCENT + 1), ..cell };
        ShareBar::new(Some(share / full.share)).bare().theme(theme).render(bar, buf);
    }
    let percent = text::shifted(cell, cell.width.saturating_sub(PERCENT));
    text::number(buf, percent, &format_compact!("{}", Share(pair.volume_share_pct)), theme.dim);
}

/// An amount, shortened unless the panel has the whole screen.
#[derive(Clone, Copy)]
struct Sum(Option<f64>, Widths);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.full {
            Some(_) => FullMoney(self.0).fmt(f),
            None => Money(self.0).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_of_a_long_pair_is_shortened() {
        for (pair, columns, shown) in [
            ("ORDI/USDT", 9, "ORDI/USDT"),
            ("THEMOSTANNOYING/USDT", 16, "THEMOSTANN…/USDT"),
            ("THEMOSTANNOYING/USDC", 16, "THEMOSTANN…/USDC"),
            ("THEMOSTANNOYING/USD", 16, "THEMOSTANNO…/USD"),
            ("THEMOSTANNOYING/USDT", 7, "T…/USDT"),
            ("日本語の通貨/USDT", 10, "日本…/USDT"),
            // These are cut at their end.
            ("THEMOSTANNOYING/USDT", 6, "THEMOSTANNOYING/USDT"),
            ("USDT/THEMOSTANNOYING", 18, "USDT/THEMOSTANNOYING"),
            ("THEMOSTANNOYINGUSDT", 16, "THEMOSTANNOYINGUSDT"),
        ] {
            assert_eq!(short_pair(pair, columns), shown, "{columns}");
        }
    }
}

//! The cells of a coin's row.

use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::app::screen::list::CoinColumn;
use crate::format::{ABSENT, Change, Money, PriceFormat, PriceIn};
use crate::model::{Coin, Currency};
use crate::theme::Theme;
use crate::view::chrome::pieces::LIVE;
use crate::view::widgets::table::Row;
use crate::view::widgets::{RangeBar, Sparkline, text};

/// Decimals of most prices, by which all are aligned.
const FRACTION: u16 = 4;

/// The data that the cells of a coin show.
pub(super) struct CoinRow<'a> {
    /// The coin.
    pub(super) coin: &'a Coin,
    /// The coin's live price, if there is one.
    pub(super) live: Option<f64>,
    /// The coin's lowest and highest price in 24 hours.
    pub(super) range: (Option<f64>, Option<f64>),
    /// Whether the live price rose, if it has just changed.
    pub(super) rose: Option<bool>,
    /// Whether it is watched.
    pub(super) watched: bool,
    /// The coin's letter in the comparison with the style of its line, if it is marked.
    pub(super) letter: Option<(char, Style)>,
    /// The coin's prices over seven days.
    pub(super) trend: &'a [f64],
    /// The currency of its price, if it must be shown.
    pub(super) currency: Option<&'a Currency>,
    /// The styles.
    pub(super) theme: &'a Theme,
}

impl CoinRow<'_> {
    fn price(&self) -> Option<f64> {
        self.live.or(self.coin.price)
    }
}

/// Paints a cell of a coin, given the index of its column.
type CellPainter = fn(&mut Row<'_>, usize, &CoinRow<'_>);

/// Paints the cell of a column.
pub(super) fn cell(column: CoinColumn) -> CellPainter {
    match column {
        CoinColumn::Rank => rank,
        CoinColumn::Star => star,
        CoinColumn::Name => name,
        CoinColumn::Symbol => symbol,
        CoinColumn::Price => price,
        CoinColumn::Change1h => change_1h,
        CoinColumn::Change24h => change_24h,
        CoinColumn::Change7d => change_7d,
        CoinColumn::Range => range,
        CoinColumn::Volume => volume,
        CoinColumn::MarketCap => market_cap,
        CoinColumn::Trend => trend,
        CoinColumn::Low => low,
        CoinColumn::High => high,
        CoinColumn::AllTimeHigh => all_time_high,
        CoinColumn::FromAllTimeHigh => from_all_time_high,
        CoinColumn::Supply => supply,
    }
}

fn rank(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    match of.coin.rank {
        Some(rank) => row.number(index, rank, of.theme.dim),
        None => row.number(index, ABSENT, of.theme.dim),
    }
}

fn star(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    if let Some((letter, style)) = of.letter {
        row.words(index, letter.encode_utf8(&mut [0; 4]), style);
    } else if of.watched {
        row.words(index, "★", of.theme.mark);
    }
}

fn name(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.words(index, &of.coin.name, of.theme.text);
}

fn symbol(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.words(index, &of.coin.symbol, of.theme.dim);
}

fn price(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    let price = PriceIn(&of.coin.convert, of.price());
    let style = of.rose.map_or(of.theme.strong, |rose| of.theme.changed(rose));
    match of.currency.filter(|_| price.1.is_some()) {
        None => row.decimal(index, FRACTION, price, style),
        Some(currency) => {
            let sign = currency.sign().map_or_else(|| format!("{currency} "), str::to_owned);
            row.decimal(index, FRACTION, format_args!("{sign}{price}"), style);
        }
    }
    if of.live.is_some() {
        row.cell(index, |buf, cell| text::mark_before(buf, cell, LIVE, of.theme.mark));
    }
}

fn change_1h(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    change(row, index, of.coin.change_1h_pct, of.theme);
}

fn change_24h(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    change(row, index, of.coin.change_24h_pct, of.theme);
}

fn change_7d(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    change(row, index, of.coin.change_7d_pct, of.theme);
}

fn change(row: &mut Row<'_>, index: usize, change: Option<f64>, theme: &Theme) {
    row.number(index, Change(change), theme.change(change));
}

fn range(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.cell(index, |buf, cell| {
        let (low, high) = of.range;
        let range = RangeBar::new(low, of.price(), high).format(PriceFormat::of(&of.coin.convert));
        range.aligned().theme(of.theme).render(text::shifted(cell, 1), buf);
    });
}

fn volume(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.number(index, Money(of.coin.volume_24h), of.theme.text);
}

fn market_cap(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.number(index, Money(of.coin.market_cap), of.theme.text);
}

fn low(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.decimal(index, FRACTION, PriceIn(&of.coin.convert, of.range.0), of.theme.text);
}

fn high(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.decimal(index, FRACTION, PriceIn(&of.coin.convert, of.range.1), of.theme.text);
}

fn all_time_high(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.decimal(index, FRACTION, PriceIn(&of.coin.convert, of.coin.all_time_high), of.theme.text);
}

fn from_all_time_high(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    change(row, index, of.coin.ath_change_pct(of.price()), of.theme);
}

fn supply(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.number(index, Money(of.coin.circulating_supply), of.theme.text);
}

fn trend(row: &mut Row<'_>, index: usize, of: &CoinRow<'_>) {
    row.cell(index, |buf, cell| {
        let cell = text::shifted(cell, 1);
        if of.trend.len() < 2 {
            text::put(buf, cell, ABSENT, of.theme.dim);
        } else {
            Sparkline::new(of.trend).style(of.theme.change(of.coin.change_7d_pct)).render(cell, buf);
        }
    });
}

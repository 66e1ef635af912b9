//! The cells of a coin's row.

use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::app::screen::list::CoinColumn;
use crate::format::{ABSENT, Change, Money, PriceFormat, PriceIn};
use crate::model::{Coin, Currency};
use crate::theme::Theme;
use crate::view::chrome::pieces::LIVE;
use crate::view::widgets::table::Row;
use crate::view::widgets::text::{self, PRICE_DECIMALS};
use crate::view::widgets::{RangeBar, Sparkline};

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

fn rank(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    match coin_row.coin.rank {
        Some(rank) => row.number(index, rank, coin_row.theme.dim),
        None => row.number(index, ABSENT, coin_row.theme.dim),
    }
}

fn star(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    if let Some((letter, style)) = coin_row.letter {
        row.words(index, letter.encode_utf8(&mut [0; 4]), style);
    } else if coin_row.watched {
        row.words(index, "★", coin_row.theme.mark);
    }
}

fn name(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.words(index, &coin_row.coin.name, coin_row.theme.text);
}

fn symbol(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.words(index, &coin_row.coin.symbol, coin_row.theme.dim);
}

fn price(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    let price = PriceIn(&coin_row.coin.convert, coin_row.price());
    let style = coin_row.rose.map_or(coin_row.theme.strong, |rose| coin_row.theme.changed(rose));
    match coin_row.currency.filter(|_| price.1.is_some()) {
        None => row.decimal(index, PRICE_DECIMALS, price, style),
        Some(currency) => {
            let sign = currency.sign().map_or_else(|| format!("{currency} "), str::to_owned);
            row.decimal(index, PRICE_DECIMALS, format_args!("{sign}{price}"), style);
        }
    }
    if coin_row.live.is_some() {
        row.cell(index, |buf, cell| text::mark_before(buf, cell, LIVE, coin_row.theme.mark));
    }
}

fn change_1h(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    change(row, index, coin_row.coin.change_1h_pct, coin_row.theme);
}

fn change_24h(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    change(row, index, coin_row.coin.change_24h_pct, coin_row.theme);
}

fn change_7d(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    change(row, index, coin_row.coin.change_7d_pct, coin_row.theme);
}

fn change(row: &mut Row<'_>, index: usize, change: Option<f64>, theme: &Theme) {
    row.number(index, Change(change), theme.change(change));
}

fn range(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.cell(index, |buf, cell| {
        let (low, high) = coin_row.range;
        let range = RangeBar::new(low, coin_row.price(), high).format(PriceFormat::of(&coin_row.coin.convert));
        range.aligned().theme(coin_row.theme).render(text::shifted(cell, 1), buf);
    });
}

fn volume(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.number(index, Money(coin_row.coin.volume_24h), coin_row.theme.text);
}

fn market_cap(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.number(index, Money(coin_row.coin.market_cap), coin_row.theme.text);
}

fn low(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.decimal(index, PRICE_DECIMALS, PriceIn(&coin_row.coin.convert, coin_row.range.0), coin_row.theme.text);
}

fn high(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.decimal(index, PRICE_DECIMALS, PriceIn(&coin_row.coin.convert, coin_row.range.1), coin_row.theme.text);
}

fn all_time_high(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.decimal(
        index,
        PRICE_DECIMALS,
        PriceIn(&coin_row.coin.convert, coin_row.coin.all_time_high),
        coin_row.theme.text,
    );
}

fn from_all_time_high(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    change(row, index, coin_row.coin.ath_change_pct(coin_row.price()), coin_row.theme);
}

fn supply(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.number(index, Money(coin_row.coin.circulating_supply), coin_row.theme.text);
}

fn trend(row: &mut Row<'_>, index: usize, coin_row: &CoinRow<'_>) {
    row.cell(index, |buf, cell| {
        let cell = text::shifted(cell, 1);
        if coin_row.trend.len() < 2 {
            text::put(buf, cell, ABSENT, coin_row.theme.dim);
        } else {
            Sparkline::new(coin_row.trend).style(coin_row.theme.change(coin_row.coin.change_7d_pct)).render(cell, buf);
        }
    });
}

//! A token's view: chart, facts, posts and markets.

pub mod choices;
mod identity;
mod last_coin;
mod market_order;
mod shown_chart;

use std::collections::HashSet;
use std::time::Duration;

use crate::app::chart::window::ChartWindow;
use crate::app::chart::year;
use crate::app::cursor::Cursor;
use crate::app::panel::Panel;
use crate::app::posts::PostsState;
use crate::app::responses::Responses;
use crate::app::scroll::Scroll;
use crate::client::Request;
use crate::format::Price;
use crate::model::chart;
use crate::model::{
    CandleData, CandleSlice, Chart, CoinId, Currency, MarketPair, MarketSeries, Period, Point, Post, PostOrder, Text,
    UtcTime,
};

pub use last_coin::{LastCoin, OpenCoin};
pub use market_order::{MarketColumn, MarketSort};
pub use shown_chart::ShownChart;

use market_order::sorted;

/// The panels, in the order of Tab.
pub const PANELS: [Panel; 4] = [Panel::Chart, Panel::About, Panel::Posts, Panel::Markets];

/// Minimum width of the labels beside a chart, in columns.
const MIN_CHART_LABELS: u16 = 18;

/// Minimum rows of the screen for a chart with labelled volumes: with other panels below it, and if it fills the screen.
const MIN_VOLUME_ROWS: [u16; 2] = [31, 18];

/// The columns of the About panel beside the chart, on a screen with this many columns.
pub fn about_columns(columns: u16) -> u16 {
    (columns.saturating_sub(2) / 3).clamp(26, 56)
}

/// The layout of the panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelLayout {
    /// All four panels.
    Grid,
    /// The chart at the top, one other panel below.
    Stack,
    /// Only the focused panel.
    Single,
}

/// Minimum days of a chart that is labelled as a year without a note.
const MIN_DAYS_OF_YEAR: u64 = 330;

/// A token's view.
#[derive(Debug)]
pub struct TokenScreen {
    /// The coin's id, if known.
    pub id: Option<CoinId>,
    /// The slug that the chart is requested by.
    pub slug: Option<Text>,
    /// The symbol that posts and markets are requested by.
    pub symbol: Text,
    /// Display name.
    pub name: Text,
    /// The focused panel.
    pub focus: Panel,
    /// Whether the focused panel fills a screen on which several panels fit.
    pub zoom: bool,
    /// The chart's period.
    pub period: Period,
    /// Whether other charts use this period too; `false` if it was only lengthened to show an old firing.
    pub(in crate::app) shares_period: bool,
    /// The part of the period that the chart shows; `None` if it shows all of it.
    pub chart_window: Option<ChartWindow>,
    /// The time of the point under the chart's cursor, if there is a cursor.
    pub chart_cursor: Option<UtcTime>,
    /// Whether the top or the latest posts are shown.
    pub order: PostOrder,
    /// The selected post.
    pub posts: Cursor,
    /// Ids of the sensitive posts that were opened; the others are folded.
    pub unfolded: HashSet<Text>,
    /// The selected market.
    pub markets: Cursor,
    /// The order of the markets.
    pub market_sort: MarketSort,
    /// The scroll position of the About panel.
    pub about_scroll: Scroll,
    /// The coin as it was last known.
    pub(in crate::app) last_coin: Option<LastCoin>,
    market_order: Vec<u32>,
    post_rows: Vec<u32>,
}

impl TokenScreen {
    fn new(id: Option<CoinId>, slug: Option<Text>, symbol: Text, name: Text, period: Period) -> TokenScreen {
        TokenScreen {
            id,
            slug,
            symbol,
            name,
            focus: Panel::Chart,
            zoom: false,
            period,
            shares_period: true,
            chart_window: None,
            chart_cursor: None,
            order: PostOrder::Top,
            posts: Cursor::default(),
            unfolded: HashSet::new(),
            markets: Cursor::default(),
            market_sort: MarketSort::default(),
            about_scroll: Scroll::default(),
            last_coin: None,
            market_order: Vec::new(),
            post_rows: Vec::new(),
        }
    }

    /// Whether several panels fit on a screen of this size, so that one of them can be zoomed.
    pub fn can_zoom((columns, rows): (u16, u16)) -> bool {
        columns >= 30 && rows >= 15
    }

    /// Whether a panel is zoomed on a screen of this size.
    pub fn is_zoomed(&self, size: (u16, u16)) -> bool {
        self.zoom && TokenScreen::can_zoom(size)
    }

    /// The layout for a screen of this size in columns and rows.
    pub fn panel_layout(&self, (columns, rows): (u16, u16)) -> PanelLayout {
        if self.zoom || !TokenScreen::can_zoom((columns, rows)) {
            PanelLayout::Single
        } else if columns >= 76 && rows >= 20 {
            PanelLayout::Grid
        } else {
            PanelLayout::Stack
        }
    }

    /// Approximate width of the chart's plot in columns, without the labels of its axes. An estimate that is too high would
    /// let the cursor move by narrower candles than those drawn.
    pub fn chart_columns(&self, size: (u16, u16), data: CandleData<'_>) -> u16 {
        let layout = self.panel_layout(size);
        let columns: u16 = match layout {
            PanelLayout::Grid => size.0 - about_columns(size.0) - 4,
            PanelLayout::Stack | PanelLayout::Single => size.0.saturating_sub(2),
        };
        // In narrow charts, the axes have no labels.
        if columns < 40 {
            return columns - columns / 4;
        }
        let has_volume = size.1 >= MIN_VOLUME_ROWS[usize::from(layout == PanelLayout::Single)];
        columns.saturating_sub(chart_labels(data, has_volume))
    }

    /// The panel below the chart in a stack.
    pub fn below(&self) -> Panel {
        if self.focus == Panel::Chart { Panel::Markets } else { self.focus }
    }

    /// Whether a panel is visible on a screen of this size.
    pub fn shows(&self, panel: Panel, size: (u16, u16)) -> bool {
        match self.panel_layout(size) {
            PanelLayout::Grid => true,
            PanelLayout::Stack => panel == Panel::Chart || panel == self.below(),
            PanelLayout::Single => panel == self.focus,
        }
    }

    /// The request for the chart; `None` if the slug is unknown. The prices of a year and of all time come from
    /// `/market/data`.
    pub fn chart_request(&self, convert: &Currency) -> Option<Request> {
        if self.period.is_long() {
            return year::request(&self.symbol, self.period, convert);
        }
        Some(Request::Chart { slug: self.slug.clone()?, period: self.period, convert: convert.clone() })
    }

    /// The points of the chart and their currency, once they have arrived.
    pub fn chart<'a>(&self, responses: &'a Responses, convert: &Currency) -> Option<ShownChart<'a>> {
        let request = self.chart_request(convert)?;
        let (points, span, candles, convert) = if self.period.is_long() {
            let MarketSeries { points, volume_span, candles, convert, .. } =
                self.long_series(responses.market(&request).value?).ok()?;
            (points, *volume_span, candles, convert)
        } else {
            let Chart { points, volume_span, candles, convert, .. } = responses.chart(&request).value?;
            (points, *volume_span, candles, convert)
        };
        let points = self.period.within(points);
        let exchange = candles.as_ref().and_then(|candles| candles.of_period(points));
        Some(ShownChart::new((points, span), exchange, self.chart_window, convert))
    }

    /// The chart with these points, which end with the current price; as received if `points` is `None`.
    pub(in crate::app) fn chart_up_to_now<'a>(
        &self,
        responses: &'a Responses,
        convert: &Currency,
        points: Option<&'a [Point]>,
    ) -> Option<ShownChart<'a>> {
        Some(self.chart(responses, convert)?.up_to_now(points, self.chart_window))
    }

    /// Sets the period of the chart, and of other charts. A new period is shown whole.
    pub fn set_period(&mut self, period: Period) {
        self.shares_period = true;
        if self.period != period {
            (self.period, self.chart_window) = (period, None);
        }
    }

    /// Why a response has no prices of the coin over a [long](Period::is_long) period, in one sentence; `None` if it has
    /// some or hasn't arrived.
    pub fn no_series_reason(&self, responses: &Responses, convert: &Currency) -> Option<String> {
        let request = self.chart_request(convert).filter(|_| self.period.is_long())?;
        self.long_series(responses.market(&request).value?).err()
    }

    /// The coin's prices over a long period, or why there are none.
    fn long_series<'a>(&self, response: &'a [MarketSeries]) -> Result<&'a MarketSeries, String> {
        year::series(&self.named_coin().coin, self.period, response)
    }

    /// The days that the 1Y prices actually cover, if clearly fewer.
    pub fn days_of_year(&self, points: &[Point]) -> Option<u64> {
        let (first, last) = (points.first()?, points.last()?);
        let days = last.time.since(first.time).as_secs() / (24 * 60 * 60);
        (self.period == Period::Year && days < MIN_DAYS_OF_YEAR).then_some(days)
    }

    /// Whether only one line of a post is shown.
    pub fn is_folded(&self, post: &Post) -> bool {
        post.is_sensitive() && !self.unfolded.contains(&post.id)
    }

    /// The request for the posts.
    pub fn posts_request(&self) -> Request {
        Request::Posts { symbol: self.symbol.clone(), slug: self.slug.clone(), order: self.order }
    }

    /// The request for the markets.
    pub fn markets_request(&self, convert: &Currency) -> Request {
        Request::MarketPairs { symbol: self.symbol.clone(), slug: self.slug.clone(), convert: convert.clone() }
    }

    /// Updates selections, market order, chart window and chart cursor from the responses.
    pub fn sync(&mut self, responses: &Responses, convert: &Currency, posts: &PostsState) {
        if let Some(page) = responses.posts(&self.posts_request()).value {
            self.post_rows = posts.rows(&page.items);
            let rows = &self.post_rows;
            self.posts.reselect(rows.len(), |row| post_at(&page.items, rows, row));
        } else {
            self.post_rows.clear();
        }
        if let Some(page) = responses.market_pairs(&self.markets_request(convert)).value {
            self.market_order = sorted(&page.items, self.market_sort);
            let order = &self.market_order;
            self.markets.reselect(order.len(), |row| market_at(&page.items, order, row));
        } else {
            self.market_order.clear();
        }
        // Until the chart has arrived, window and cursor keep their times.
        let Some(chart) = self.chart(responses, convert) else { return };
        if chart.part.is_none() {
            // Reset a window that has no points.
            self.chart_window = None;
        }
        let Some(time) = self.chart_cursor else { return };
        let is_shown = |time: UtcTime| chart.part.is_none_or(|part| part.contains(time));
        let is_on_candle = |slice: CandleSlice<'_>| slice.points.binary_search_by_key(&time, |it| it.time).is_ok();
        if chart.exchange.is_some_and(is_on_candle) && is_shown(time) {
            return;
        }
        // The current price may be after the last point.
        let after_last = chart.all_points.last().map_or(Duration::ZERO, |last| time.since(last.time));
        if !after_last.is_zero() && after_last <= chart::longest_step(chart.all_points) {
            return;
        }
        let points = chart.points;
        self.chart_cursor = chart::nearest(points, time).and_then(|index| points.get(index)).map(|point| point.time);
    }

    /// Changes the sort order of the markets, focuses them and selects the first one: after sorting, users want to see
    /// the top of the list, not the new position of their market. [`TokenScreen::sync`] applies it.
    pub fn sort_markets(&mut self, sort: MarketSort) {
        self.market_sort = sort;
        self.markets.reset();
        self.focus = Panel::Markets;
    }

    /// The market in a row.
    pub fn market<'a>(&self, pairs: &'a [MarketPair], row: usize) -> Option<&'a MarketPair> {
        market_at(pairs, &self.market_order, row)
    }

    /// The post in a row.
    pub fn post<'a>(&self, posts: &'a [Post], row: usize) -> Option<&'a Post> {
        post_at(posts, &self.post_rows, row)
    }

    /// The selected post; `None` if the filter accepts none.
    pub fn selected_post(&self) -> Option<&Text> {
        self.posts.key().filter(|_| !self.post_rows.is_empty())
    }

    /// The number of posts that the filter accepts.
    pub fn post_count(&self) -> usize {
        self.post_rows.len()
    }

    /// The number of markets.
    pub fn market_count(&self) -> usize {
        self.market_order.len()
    }
}

/// Approximate width of the labels beside a chart, in columns.
fn chart_labels(data: CandleData<'_>, has_volume: bool) -> u16 {
    let last = data.points().iter().rev().find_map(|point| point.price);
    let price = compact_str::format_compact!("{}", Price(last)).chars().count();
    let price = u16::try_from(price).unwrap_or(u16::MAX);
    // Either the label of the volume, or prices that usually have fewer digits than the last one.
    let axis = if has_volume { 9 } else { price.saturating_sub(1) };
    // The last price has a mark.
    price.saturating_add(axis).saturating_add(3).max(MIN_CHART_LABELS)
}

fn post_at<'a>(posts: &'a [Post], rows: &[u32], row: usize) -> Option<&'a Post> {
    posts.get(*rows.get(row)? as usize)
}

fn market_at<'a>(pairs: &'a [MarketPair], order: &[u32], row: usize) -> Option<&'a MarketPair> {
    pairs.get(*order.get(row)? as usize)
}

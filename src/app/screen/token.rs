//! A token's view: chart, what is known of it, posts, and where it trades.

use std::collections::HashSet;

use crate::app::cursor::Cursor;
use crate::app::scroll::Scroll;
use crate::app::state::Panel;
use crate::app::store::Store;
use crate::client::Request;
use crate::model::chart;
use crate::model::{Coin, CoinId, Currency, MarketPair, MarketSeries, Period, Post, PostOrder, Text, UtcTime};

/// The panels, in the order of Tab.
pub const PANELS: [Panel; 4] = [Panel::Chart, Panel::About, Panel::Posts, Panel::Markets];

/// How the panels stand at a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// All four.
    Grid,
    /// The chart above, one of the others below.
    Stack,
    /// The focused one alone.
    Single,
}

/// The columns that markets can be sorted by, in their order on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarketColumn {
    /// Exchange.
    Exchange,
    /// Pair.
    Pair,
    /// Price.
    Price,
    /// Volume over a day.
    Volume,
    /// Share of the whole volume.
    Share,
    /// Depth on the thinner side.
    Depth,
}

impl MarketColumn {
    /// All of them, in their order on the screen.
    pub const ALL: [MarketColumn; 6] = [
        MarketColumn::Exchange,
        MarketColumn::Pair,
        MarketColumn::Price,
        MarketColumn::Volume,
        MarketColumn::Share,
        MarketColumn::Depth,
    ];

    /// Whether the largest comes first at the first press: numbers, but not names.
    pub fn begins_descending(self) -> bool {
        !matches!(self, MarketColumn::Exchange | MarketColumn::Pair)
    }
}

/// A token's view.
#[derive(Debug)]
pub struct TokenScreen {
    /// Identity, where the list knew one.
    pub id: Option<CoinId>,
    /// What the chart is asked by.
    pub slug: Option<Text>,
    /// What posts and markets are asked by.
    pub symbol: Text,
    /// Display name.
    pub name: Text,
    /// The panel that the keys go to.
    pub focus: Panel,
    /// That panel has the whole screen.
    pub zoom: bool,
    /// The chart's period.
    pub period: Period,
    /// The point under the chart's cursor, while there is one.
    pub chart_cursor: Option<UtcTime>,
    /// Which posts.
    pub order: PostOrder,
    /// The selected post.
    pub posts: Cursor,
    /// Ids of the sensitive posts that were opened; the others are folded.
    pub unfolded: HashSet<Text>,
    /// The selected market.
    pub markets: Cursor,
    /// The order of the markets.
    pub market_sort: (MarketColumn, bool),
    /// How far what is known is scrolled.
    pub about_scroll: Scroll,
    order_of_markets: Vec<u32>,
}

impl TokenScreen {
    /// The view of a coin of a list.
    pub fn of_coin(coin: &Coin, period: Period) -> TokenScreen {
        TokenScreen::new(Some(coin.id.clone()), coin.slug.clone(), coin.symbol.clone(), coin.name.clone(), period)
    }

    /// The view of a coin of the wallet.
    pub fn of_series(series: &MarketSeries, period: Period) -> TokenScreen {
        let name = series.name.clone().unwrap_or_else(|| series.symbol.clone());
        TokenScreen::new(series.id.clone().map(CoinId), series.slug.clone(), series.symbol.clone(), name, period)
    }

    fn new(id: Option<CoinId>, slug: Option<Text>, symbol: Text, name: Text, period: Period) -> TokenScreen {
        TokenScreen {
            id,
            slug,
            symbol,
            name,
            focus: Panel::Chart,
            zoom: false,
            period,
            chart_cursor: None,
            order: PostOrder::Top,
            posts: Cursor::default(),
            unfolded: HashSet::new(),
            markets: Cursor::default(),
            market_sort: (MarketColumn::Volume, true),
            about_scroll: Scroll::default(),
            order_of_markets: Vec::new(),
        }
    }

    /// How the panels stand at a size of columns and rows.
    pub fn arrangement(&self, (columns, rows): (u16, u16)) -> Arrangement {
        if self.zoom || rows < 15 || columns < 30 {
            Arrangement::Single
        } else if columns >= 76 && rows >= 20 {
            Arrangement::Grid
        } else {
            Arrangement::Stack
        }
    }

    /// The panel below the chart in a stack.
    pub fn below(&self) -> Panel {
        if self.focus == Panel::Chart { Panel::Markets } else { self.focus }
    }

    /// Whether a panel is on the screen at a size.
    pub fn shows(&self, panel: Panel, size: (u16, u16)) -> bool {
        match self.arrangement(size) {
            Arrangement::Grid => true,
            Arrangement::Stack => panel == Panel::Chart || panel == self.below(),
            Arrangement::Single => panel == self.focus,
        }
    }

    /// The chart's request; `None` where no slug is known.
    pub fn chart_request(&self, convert: &Currency) -> Option<Request> {
        Some(Request::Chart { slug: self.slug.clone()?, period: self.period, convert: convert.clone() })
    }

    /// Whether only one line of a post is shown.
    pub fn is_folded(&self, post: &Post) -> bool {
        post.is_sensitive() && !self.unfolded.contains(&post.id)
    }

    /// The posts' request.
    pub fn posts_request(&self) -> Request {
        Request::Posts { symbol: self.symbol.clone(), order: self.order }
    }

    /// The markets' request.
    pub fn markets_request(&self, convert: &Currency) -> Request {
        Request::MarketPairs { symbol: self.symbol.clone(), slug: self.slug.clone(), convert: convert.clone() }
    }

    /// Takes in what the store has.
    pub fn sync(&mut self, store: &Store, convert: &Currency) {
        if let Some(page) = store.posts(&self.posts_request()).value {
            self.posts.settle(page.items.len(), |i| page.items.get(i));
        }
        if let Some(page) = store.market_pairs(&self.markets_request(convert)).value {
            self.order_of_markets = sorted(&page.items, self.market_sort);
            let order = &self.order_of_markets;
            self.markets.settle(order.len(), |row| market_at(&page.items, order, row));
        } else {
            self.order_of_markets.clear();
        }
        let Some(time) = self.chart_cursor else { return };
        let chart = self.chart_request(convert).and_then(|request| store.chart(&request).value);
        let points = chart.map_or(&[][..], |chart| &chart.points);
        self.chart_cursor = chart::nearest(points, time).and_then(|index| points.get(index)).map(|point| point.time);
    }

    /// Changes the order of the markets, gives them the keys and goes to the first of them: who sorts wants to see what
    /// is first then, not where the market went. [`TokenScreen::sync`] applies it.
    pub fn sort_markets(&mut self, column: MarketColumn, descending: bool) {
        self.market_sort = (column, descending);
        self.markets.reset();
        self.focus = Panel::Markets;
    }

    /// The market in a row.
    pub fn market<'a>(&self, pairs: &'a [MarketPair], row: usize) -> Option<&'a MarketPair> {
        market_at(pairs, &self.order_of_markets, row)
    }

    /// How many markets there are.
    pub fn market_count(&self) -> usize {
        self.order_of_markets.len()
    }
}

fn market_at<'a>(pairs: &'a [MarketPair], order: &[u32], row: usize) -> Option<&'a MarketPair> {
    pairs.get(*order.get(row)? as usize)
}

fn sorted(pairs: &[MarketPair], (column, descending): (MarketColumn, bool)) -> Vec<u32> {
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    let number = |pair: &MarketPair| match column {
        MarketColumn::Price => pair.price,
        MarketColumn::Volume => pair.volume_24h,
        MarketColumn::Share => pair.volume_share_pct,
        MarketColumn::Depth => Some(pair.depth_plus_2pct?.min(pair.depth_minus_2pct?)),
        MarketColumn::Exchange | MarketColumn::Pair => None,
    };
    let pair = |index: &u32| pairs.get(*index as usize);
    match column {
        MarketColumn::Exchange => {
            order.sort_by_cached_key(|i| pair(i)?.exchange.as_ref().map(|name| name.to_lowercase()));
        }
        MarketColumn::Pair => order.sort_by_cached_key(|i| pair(i).map(|p| p.pair.to_lowercase())),
        _ => order.sort_by(|a, b| {
            let (a, b) = (pair(a).and_then(number), pair(b).and_then(number));
            match (a, b) {
                (Some(a), Some(b)) if descending => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            }
        }),
    }
    if descending && !column.begins_descending() {
        order.reverse();
    }
    order
}

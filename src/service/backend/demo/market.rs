//! The simulated market: implementation of [`MarketProvider`].

use std::time::Duration;

use async_trait::async_trait;

use super::DemoProvider;
use crate::client::NoticeCode;
use crate::format::words::first_names;
use crate::model::{
    Chart, Coin, CoinId, CoinName, Contract, Currency, Link, MarketPair, MarketSeries, Page, Period, Point, Post,
    PostOrder, Tag, Text, UtcTime, VolumeSpan,
};
use crate::service::backend::market::{CoinPairs, CoinsQuery, MarketProvider, SeriesQuery};
use crate::service::demo::market::board::Figures;
use crate::service::demo::market::interval::Interval;
use crate::service::demo::market::series::{DAY, DAY_STEP, QUARTER_STEP, Sample, WEEK_STEP, grid};
use crate::service::demo::market::{self as demo, Market, Money};
use crate::service::demo::noise::hash;
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};

/// Freshness of responses with current prices. Short, so that prices visibly move.
const PRICES_FRESH_FOR: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
const FIVE_MINUTES: Duration = Duration::from_secs(300);

/// Maximum coins of the same symbol that a notice names.
const MAX_NAMED: usize = 5;

/// Names never change.
const NAMES_FRESH_FOR: Duration = Duration::from_hours(24);

/// Seconds between the prices of a sparkline, in lists (of any length) and in categories (which are short).
const LIST_STEP: i64 = 3 * 3_600;
const CATEGORY_STEP: i64 = 3_600;

#[async_trait]
impl MarketProvider for DemoProvider {
    async fn coins(&self, query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        self.list(query.tag, query.offset, query.limit, &query.convert, LIST_STEP)
    }

    async fn coins_by_id(&self, ids: &[CoinId], convert: &Currency) -> ProviderResult<Page<Coin>> {
        let money = money(convert)?;
        let now = self.tick();
        let board = self.market().board(money, now);
        let all = board.tagged(None);
        let found = ids.iter().filter_map(|wanted| all.iter().find(|(_, coin)| id(coin) == *wanted));
        let items: Vec<Coin> = found
            .map(|(rank, coin)| {
                let figures = board.figures(coin);
                let sparkline = self.market().sparkline(coin, money, LIST_STEP, now, figures.price);
                self.coin(coin, *rank, convert, figures, sparkline, now)
            })
            .collect();
        Ok(response(Page { total: Some(items.len() as u64), items }, now, PRICES_FRESH_FOR))
    }

    async fn stats(&self, tag: Tag, convert: &Currency) -> ProviderResult<Page<Coin>> {
        self.list(tag, 0, usize::MAX, convert, CATEGORY_STEP)
    }

    async fn posts(&self, symbol: &str, slug: Option<&str>, order: PostOrder) -> ProviderResult<Vec<Post>> {
        let fresh_for = match order {
            PostOrder::Top => FIVE_MINUTES,
            PostOrder::Latest => MINUTE,
        };
        let coins = self.selected(symbol, slug)?;
        let now = self.tick();
        let posts = self.market().posts(&coins, order, now).into_iter().map(post).collect();
        let mut response = response(posts, now, fresh_for);
        if coins.len() > 1 {
            let (count, symbol) = (coins.len(), symbol.to_uppercase());
            let slugs: Vec<Text> = coins.iter().map(|coin| coin.slug.clone()).collect();
            let (shown, advice) = (first_names(&slugs, MAX_NAMED), "to select one, use its slug");
            response.notice =
                Some(format!("{count} coins use {symbol} ({shown}); showing posts about all of them ({advice})"));
            response.notice_code = Some(NoticeCode::SharedSymbol(slugs));
        }
        Ok(response)
    }

    async fn market_pairs(
        &self,
        symbol: &str,
        slug: Option<&str>,
        convert: &Currency,
    ) -> ProviderResult<Vec<CoinPairs>> {
        let money = money(convert)?;
        let coins = self.selected(symbol, slug)?;
        let now = self.tick();
        let of_coin = |coin: &&demo::Coin| {
            let pairs = self.market().pairs(coin, money, now).into_iter().map(|it| pair(coin, it, convert));
            let pairs: Vec<MarketPair> = pairs.collect();
            CoinPairs {
                id: Some(id(coin)),
                name: coin.name.clone(),
                symbol: coin.symbol.clone(),
                slug: Some(coin.slug.clone()),
                total: Some(pairs.len() as u64),
                pairs,
            }
        };
        Ok(response(coins.iter().map(of_coin).collect(), now, MINUTE))
    }

    async fn chart(&self, slug: &str, period: Period, convert: &Currency) -> ProviderResult<Chart> {
        let (step, fresh_for) = match period {
            Period::Day => (DAY_STEP, PRICES_FRESH_FOR),
            Period::Week => (WEEK_STEP, MINUTE),
            Period::Month | Period::Quarter => (QUARTER_STEP, FIVE_MINUTES),
            Period::Year | Period::AllTime => (DAY, FIVE_MINUTES),
        };
        let money = money(convert)?;
        let coin = self.market().by_slug(slug);
        let coin = coin.ok_or_else(|| ProviderError::NotFound(format!("no coin has the slug \"{slug}\"")))?;
        let now = self.tick();
        let samples = self.market().line(coin, money, &grid(i64::from(period.days()) * DAY, step, now));
        let points = samples.into_iter().map(point).collect();
        let (slug, convert) = (coin.slug.clone(), convert.clone());
        let chart = Chart { slug, period, convert, points, volume_span: VolumeSpan::Day, candles: None };
        Ok(response(chart, now, fresh_for))
    }

    async fn series(&self, query: SeriesQuery) -> ProviderResult<Vec<MarketSeries>> {
        let money = money(&query.convert)?;
        let interval = Interval::parse(&query.interval)
            .ok_or_else(|| ProviderError::Parameter { name: "interval", must: Interval::known() })?;
        let market = self.market();
        let now = self.tick();
        let mut coins: Vec<&demo::Coin> = Vec::new();
        for symbol in &query.symbols {
            for coin in market.by_symbol(symbol) {
                if !coins.iter().any(|known| known.id == coin.id) {
                    coins.push(coin);
                }
            }
        }
        if coins.is_empty() {
            let named = query.symbols.iter().take(3).map(AsRef::as_ref).collect::<Vec<&str>>().join(",");
            let more = if query.symbols.len() > 3 { ",…" } else { "" };
            return Err(ProviderError::NotFound(format!("no coin has any of the symbols \"{named}{more}\"")));
        }
        let series = |coin: &demo::Coin| {
            let times = interval.times(query.count, coin.launched.min(now), now);
            MarketSeries {
                id: Some(id(coin).0),
                name: Some(coin.name.clone()),
                symbol: coin.symbol.clone(),
                slug: Some(coin.slug.clone()),
                convert: query.convert.clone(),
                interval: Some(Text::from(query.interval.as_str())),
                points: market.line(coin, money, &times).into_iter().map(point).collect(),
                volume_span: VolumeSpan::Day,
                candles: None,
            }
        };
        Ok(response(coins.into_iter().map(series).collect(), now, PRICES_FRESH_FOR))
    }
}

impl DemoProvider {
    fn tick(&self) -> i64 {
        Market::now(self.time.now())
    }

    /// The names of all coins, by rank.
    pub(super) fn coin_names(&self) -> ProviderResponse<Vec<CoinName>> {
        let now = self.tick();
        let names = self.market().board(Money::USD, now).tagged(None).into_iter().map(|(rank, coin)| CoinName {
            id: id(coin).0,
            name: coin.name.clone(),
            symbol: coin.symbol.clone(),
            slug: coin.slug.clone(),
            rank,
        });
        response(names.collect(), now, NAMES_FRESH_FOR)
    }

    fn of_symbol(&self, symbol: &str) -> Result<Vec<&demo::Coin>, ProviderError> {
        let coins = self.market().by_symbol(symbol);
        if coins.is_empty() {
            return Err(ProviderError::NotFound(format!("no coin has the symbol \"{symbol}\"")));
        }
        Ok(coins)
    }

    /// The coins of a symbol, or only the one with the slug.
    fn selected(&self, symbol: &str, slug: Option<&str>) -> Result<Vec<&demo::Coin>, ProviderError> {
        let mut coins = self.of_symbol(symbol)?;
        if let Some(slug) = slug {
            coins.retain(|coin| coin.slug.eq_ignore_ascii_case(slug));
            if coins.is_empty() {
                return Err(ProviderError::NotFound(format!("no coin has the slug \"{slug}\"")));
            }
        }
        Ok(coins)
    }

    /// A slice of a list; `step` is the time between sparkline prices in seconds.
    fn list(&self, tag: Tag, offset: usize, limit: usize, convert: &Currency, step: i64) -> ProviderResult<Page<Coin>> {
        let money = money(convert)?;
        let market = self.market();
        let now = self.tick();
        let board = market.board(money, now);
        let all = board.tagged((tag != Tag::All).then(|| tag.as_str()));
        let part = all.iter().skip(offset).take(limit);
        let items = part.map(|(rank, coin)| {
            let figures = board.figures(coin);
            let sparkline = market.sparkline(coin, money, step, now, figures.price);
            self.coin(coin, *rank, convert, figures, sparkline, now)
        });
        Ok(response(Page { items: items.collect(), total: Some(all.len() as u64) }, now, PRICES_FRESH_FOR))
    }

    fn coin(
        &self,
        coin: &demo::Coin,
        rank: Option<u32>,
        convert: &Currency,
        figures: Figures,
        sparkline_7d: Vec<f64>,
        now: i64,
    ) -> Coin {
        Coin {
            rank,
            slug: Some(coin.slug.clone()),
            tags: coin.tags.iter().map(|tag| Text::const_new(tag)).collect(),
            convert: convert.clone(),
            price: figures.price.into(),
            change_1h_pct: figures.change_1h,
            change_24h_pct: figures.change_24h,
            change_7d_pct: figures.change_7d,
            high_24h: figures.high_24h.into(),
            low_24h: figures.low_24h.into(),
            all_time_high: figures.all_time_high.into(),
            all_time_low: figures.all_time_low.into(),
            volume_24h: figures.volume_24h.into(),
            market_cap: figures.market_cap,
            circulating_supply: coin.circulating,
            total_supply: coin.total,
            max_supply: coin.max,
            links: links(coin).collect(),
            contracts: self.contract(coin).into_iter().collect(),
            brc20_ticker: coin.token.map(|token| Text::const_new(token.ticker)),
            sparkline_7d,
            updated_at: Some(UtcTime::from_secs(now)),
            ..Coin::new(id(coin), coin.name.clone(), coin.symbol.clone())
        }
    }

    /// The contract of a token: the deploy inscription for BRC-20, otherwise a made-up address.
    fn contract(&self, coin: &demo::Coin) -> Option<Contract> {
        let platform = coin.platform?;
        let address = match platform {
            _ if coin.token.is_some() => self.world.deploy_inscription(coin.token?),
            "Bitcoin" if coin.tags.contains(&"runes") => {
                let key = hash(0x2e5, u64::from(coin.id));
                format!("{}:{}", 840_000 + key % 20_000, key % 3_000)
            }
            "Bitcoin" => format!("{}i0", hex(coin, 64)),
            "Solana" | "TRON" | "TON" => hex(coin, 40),
            _ => format!("0x{}", hex(coin, 40)),
        };
        Some(Contract { platform: Some(Text::from(platform.replace('-', " "))), address: Text::from(address) })
    }
}

fn response<T>(data: T, now: i64, fresh_for: Duration) -> ProviderResponse<T> {
    ProviderResponse::new(data, UtcTime::from_secs(now), fresh_for)
}

fn money(convert: &Currency) -> Result<Money, ProviderError> {
    Money::parse(convert.as_str()).ok_or_else(|| ProviderError::Parameter { name: "convert", must: Money::known() })
}

fn id(coin: &demo::Coin) -> CoinId {
    CoinId(Text::from(coin.id.to_string()))
}

/// Links under a reserved example domain, so that no real site is opened.
fn links(coin: &demo::Coin) -> impl Iterator<Item = Link> {
    let slug = &coin.slug;
    let key = hash(0x1175, u64::from(coin.id));
    // Salt, coins out of ten that have the link, kind, URL.
    let kinds = [
        (1, 9, "website", format!("https://{slug}.example/")),
        (2, 9, "twitter", format!("https://social.example/{slug}")),
        (3, 7, "chat", format!("https://chat.example/{slug}")),
        (4, 8, "explorer", format!("https://explorer.example/{slug}")),
        (5, 4, "technical_doc", format!("https://{slug}.example/paper.pdf")),
        (6, 5, "source_code", format!("https://code.example/{slug}")),
    ];
    let has = move |&(salt, often, ..): &(u64, u64, &str, String)| hash(key, salt) % 10 < often;
    kinds.into_iter().filter(has).map(|(.., kind, url)| Link { kind: Text::const_new(kind), url: url.into() })
}

/// Hexadecimal digits derived from the coin's id.
fn hex(coin: &demo::Coin, digits: usize) -> String {
    let words = (0..digits.div_ceil(16) as u64).map(|word| hash(0xc0de + word, u64::from(coin.id)));
    let mut text: String = words.map(|word| format!("{word:016x}")).collect();
    text.truncate(digits);
    text
}

fn post(post: demo::posts::Post<'_>) -> Post {
    Post {
        id: Text::from(post.id.to_string()),
        author: Some(Text::const_new(post.author)),
        network: Some(Text::const_new(post.network)),
        text: post.text,
        likes: Some(post.likes),
        comments: Some(post.comments),
        reposts: Some(post.reposts),
        posted_at: Some(UtcTime::from_millis(post.posted)),
        url: Some(format!("https://posts.example/{}", post.id)),
        symbols: vec![post.coin.symbol.clone()],
        language: Some(Text::const_new(post.language)),
        sensitive: None,
    }
}

fn pair(coin: &demo::Coin, pair: demo::pairs::Pair, convert: &Currency) -> MarketPair {
    MarketPair {
        exchange: Some(Text::from(pair.exchange)),
        pair: Text::from(format!("{}/{}", coin.symbol, pair.quote)),
        base: Some(coin.symbol.clone()),
        quote: Some(Text::const_new(pair.quote)),
        category: Some(Text::const_new(if pair.derivative { "derivatives" } else { "spot" })),
        price: pair.price.into(),
        volume_24h: pair.volume.into(),
        volume_share_pct: pair.share.into(),
        depth_plus_2pct: pair.depth_up,
        depth_minus_2pct: pair.depth_down,
        outlier: Some(pair.outlier),
        updated_at: Some(UtcTime::from_secs(pair.updated)),
        convert: convert.clone(),
    }
}

fn point(sample: Sample) -> Point {
    Point {
        time: UtcTime::from_secs(sample.secs),
        price: sample.price.into(),
        volume: sample.volume.into(),
        market_cap: sample.cap,
    }
}

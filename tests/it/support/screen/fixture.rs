//! Hand-written responses of the market.

use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::model::{
    BudgetPeriod, Chart, Coin, CoinId, CoinName, Currency, IndexedName, KeyState, Link, MarketPair, MarketSeries, Page,
    Point, Post, Source, SourceBudget, SourceState, Tag, Text, VolumeSpan,
};

use super::START;

/// Number of coins of the service.
pub(crate) const COINS: u32 = 250;

/// The responses of a working service; `None` for requests to the indexer.
pub(crate) fn response(request: &Request) -> Option<ResponseData> {
    Some(match request {
        Request::Coins { tag, start, limit, convert } => {
            let first = start.saturating_sub(1);
            let items = (first..COINS.min(first + limit)).map(|index| coin(*tag, index, convert)).collect();
            ResponseData::Coins(Page { items, total: Some(u64::from(COINS)) })
        }
        Request::MarketData { symbols, convert, count, interval } => ResponseData::Market(
            symbols.iter().filter(|s| *s != "GONE").flat_map(|s| series(s, convert, *count, interval)).collect(),
        ),
        Request::Posts { symbol, .. } => ResponseData::Posts(Page { items: posts(symbol), total: None }),
        Request::MarketPairs { symbol, convert, .. } => {
            ResponseData::MarketPairs(Page { items: pairs(symbol, convert), total: None })
        }
        Request::Chart { slug, period, convert } => {
            let step = Duration::from_secs(u64::from(period.days()) * 86_400 / 100);
            ResponseData::Chart(Chart {
                slug: slug.clone(),
                period: *period,
                convert: convert.clone(),
                points: points(100, step, 8.4),
                volume_span: VolumeSpan::Day,
                candles: None,
            })
        }
        Request::Sources => ResponseData::Sources(sources()),
        Request::CoinNames => ResponseData::CoinNames(names()),
        Request::CoinsById { ids, convert } => {
            let all = (0..COINS).map(|index| coin(Tag::All, index, convert));
            ResponseData::Coins(Page { items: all.filter(|coin| ids.contains(&coin.id)).collect(), total: None })
        }
        _ => return None,
    })
}

fn source(name: &str, state: SourceState) -> Source {
    Source {
        name: name.into(),
        key: KeyState::Keyless,
        serves: vec!["coins".into(), "details".into()],
        state,
        latency_ms: Some(180),
        budget: Some(SourceBudget { limit: 10_000, period: BudgetPeriod::Month, used: Some(3_100) }),
        next_try_at: None,
        attribution: None,
        missing: None,
        missing_code: None,
    }
}

/// The names of the coins of the list.
fn names() -> Vec<IndexedName> {
    let coins = (0..COINS).map(|index| coin(Tag::All, index, &Currency::usd()));
    let name = |Coin { id: CoinId(id), slug, symbol, name, rank, .. }| {
        let slug = slug.unwrap_or_default();
        IndexedName::from(CoinName { id, slug, symbol, name, rank })
    };
    coins.map(name).collect()
}

/// Providers in each state but off.
pub(crate) fn sources() -> Vec<Source> {
    let waiting = Source {
        next_try_at: Some(START.plus(Duration::from_secs(240))),
        missing: Some("Rate-limited (429)".into()),
        ..source("unisat", SourceState::Waiting)
    };
    let unused = Source {
        key: KeyState::Missing,
        serves: Vec::new(),
        latency_ms: None,
        budget: None,
        missing: Some("Set providers.maestro.api_key".into()),
        ..source("maestro", SourceState::Unused)
    };
    vec![source("coingecko", SourceState::Ready), waiting, unused]
}

/// The named coins, then as many others as needed.
const NAMES: [(&str, &str, f64, f64, f64); 8] = [
    ("Bitcoin", "BTC", 61_234.10, -1.4, 1.21e12),
    ("Ethereum", "ETH", 2_431.55, 0.8, 292.6e9),
    ("ORDI", "ORDI", 8.41, -3.8, 176.7e6),
    ("Sats (Ordinals)", "SATS", 0.000_000_073_4, 12.4, 154.1e6),
    ("rats (Ordinals)", "RATS", 0.000_041_2, -8.1, 41.2e6),
    ("Ordinal Rats", "RATS", 0.001_234, 104.2, 1.2e6),
    ("A coin whose name is longer than any column", "LONGSYMBOL", 0.8412, 0.0, 987_654.0),
    ("比特币 现金", "比特", 123_456_789.0, -0.04, 12_345.0),
];

/// The coin at an index of a list.
pub(crate) fn coin(tag: Tag, index: u32, convert: &Currency) -> Coin {
    let (name, symbol, price, change, cap) = match NAMES.get(index as usize) {
        Some(&(name, symbol, price, change, cap)) => (Text::from(name), Text::from(symbol), price, change, cap),
        None => {
            let place = f64::from(index);
            let change = f64::from(index % 23) - 11.0;
            (format!("Coin {index}").into(), format!("C{index}").into(), 500.0 / place, change, 9e5 / place)
        }
    };
    let id = CoinId(format!("{}-{}", tag.as_str(), index + 1).into());
    let mut coin = Coin::new(id, name.clone(), symbol);
    coin.slug = Some(name.to_lowercase().replace(' ', "-").into());
    coin.rank = Some(index + 1);
    coin.convert = convert.clone();
    coin.price = price.into();
    coin.change_1h_pct = (change / 10.0).into();
    coin.change_24h_pct = change.into();
    coin.change_7d_pct = (-change * 1.5).into();
    coin.high_24h = (price * 1.08).into();
    coin.low_24h = (price * 0.96).into();
    coin.volume_24h = (cap / 20.0).into();
    coin.market_cap = cap.into();
    coin.circulating_supply = (21e6).into();
    coin.sparkline_7d = (0..84).map(|i| price * (1.0 + (f64::from(i) / 7.0 + f64::from(index)).sin() / 20.0)).collect();
    coin.links = [
        Link { kind: Text::from("website"), url: format!("https://coin{index}.example/").into() },
        Link { kind: Text::from("twitter"), url: format!("https://x.example/coin{index}").into() },
    ]
    .into_iter()
    .collect();
    if tag == Tag::Brc20 && matches!(index, 2 | 3) {
        coin.brc20_ticker = Some(Text::from(coin.symbol.to_lowercase()));
    }
    if index == 7 {
        // Of some coins little is known.
        let Coin { id, name, symbol, price, convert, sparkline_7d, .. } = coin;
        coin = Coin { price, convert, sparkline_7d, rank: None, ..Coin::new(id, name, symbol) };
    }
    coin
}

fn points(count: u32, step: Duration, price: f64) -> Vec<Point> {
    (0..count)
        .map(|i| Point {
            time: START.minus(step * (count - 1 - i)),
            price: (i % 40 != 17).then(|| price * (1.0 + (f64::from(i) / 9.0).sin() / 12.0)),
            volume: Some(1e6 + f64::from(i)),
            market_cap: None,
        })
        .collect()
}

/// The series of a symbol; RATS is shared by two coins.
pub(crate) fn series(symbol: &str, convert: &Currency, count: u32, interval: &str) -> Vec<MarketSeries> {
    let of = |name: &str, slug: &str, price: f64| MarketSeries {
        id: None,
        name: Some(name.into()),
        symbol: symbol.into(),
        slug: Some(slug.into()),
        convert: convert.clone(),
        interval: Some(interval.into()),
        points: points(count, Duration::from_hours(1), price),
        volume_span: VolumeSpan::Day,
        candles: None,
    };
    match symbol {
        "BTC" => vec![of("Bitcoin", "bitcoin", 61_234.10)],
        "ORDI" => vec![of("ORDI", "ordi", 8.41)],
        "SATS" => vec![of("Sats (Ordinals)", "sats-ordinals", 0.000_000_073_4)],
        "RATS" => {
            vec![of("rats (Ordinals)", "rats-ordinals", 0.000_041_2), of("Ordinal Rats", "ordinal-rats", 0.0012)]
        }
        other => vec![of(other, &other.to_lowercase(), 1.0)],
    }
}

/// Three posts: a plain one, a long one with links, and one with few fields.
pub(crate) fn posts(symbol: &str) -> Vec<Post> {
    let post = |id: &str, author: Option<&str>, text: String| Post {
        id: id.into(),
        author: author.map(Text::from),
        network: None,
        text,
        likes: None,
        comments: None,
        reposts: None,
        posted_at: None,
        url: None,
        symbols: vec![symbol.into()],
        language: None,
        sensitive: None,
    };
    let long = format!(
        "What {symbol} did this week, and why it matters.\n\n{}\n\nSources: https://news.example/{symbol}/week?ref=1, \
         http://192.0.2.7/x and https://xn--80ak6aa92e.example/login",
        "Fees came down, and so inscribing did not stop; the holders of old did not sell. ".repeat(6)
    );
    vec![
        Post {
            likes: Some(37),
            comments: Some(4),
            reposts: Some(1),
            posted_at: Some(START.minus(Duration::from_hours(2))),
            url: Some(format!("https://posts.example/{symbol}/1")),
            ..post("1", Some("satmaxi"), format!("${symbol} holding the range while fees cool"))
        },
        Post {
            likes: Some(1_204),
            comments: Some(88),
            posted_at: Some(START.minus(Duration::from_hours(26))),
            url: Some(format!("https://posts.example/{symbol}/2")),
            ..post("2", Some("链上观察"), long)
        },
        post("3", None, String::from("gm")),
    ]
}

/// A few markets.
pub(crate) fn pairs(symbol: &str, convert: &Currency) -> Vec<MarketPair> {
    let pair = |exchange: &str, quote: &str, volume: f64, outlier| MarketPair {
        exchange: Some(exchange.into()),
        pair: format!("{symbol}/{quote}").into(),
        base: Some(symbol.into()),
        quote: Some(quote.into()),
        category: Some("spot".into()),
        price: 8.4107.into(),
        volume_24h: volume.into(),
        volume_share_pct: Some(volume / 61.2e4),
        depth_plus_2pct: 81_000.0.into(),
        depth_minus_2pct: 79_000.0.into(),
        outlier,
        updated_at: Some(START),
        convert: convert.clone(),
    };
    vec![
        pair("Alpha", "USDT", 12.2e6, Some(false)),
        pair("Beta", "USDT", 8.9e6, None),
        pair("Gamma", "BTC", 0.4e6, Some(true)),
    ]
}

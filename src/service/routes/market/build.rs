//! From the simulated market to the shapes of the answers.

use std::borrow::Cow;

use super::shapes::*;
use crate::model::UtcTime;
use crate::service::demo::market::series::Sample;
use crate::service::demo::market::{Coin, Figures, Money, Pair, Post, pair_count};
use crate::service::demo::noise::{hash, significant};

/// A coin of a list. `deploy` is the inscription that deployed a BRC-20 token.
pub(super) fn coin<'a>(
    coin: &'a Coin,
    rank: Option<u32>,
    money: Money,
    figures: Figures,
    sparkline: Vec<f64>,
    deploy: Option<&str>,
    now: UtcTime,
) -> CoinItem<'a> {
    CoinItem {
        id: coin.id,
        name: &coin.name,
        symbol: &coin.symbol,
        slug: &coin.slug,
        cmc_rank: rank,
        num_market_pairs: pair_count(coin),
        circulating_supply: coin.circulating,
        total_supply: coin.total,
        max_supply: coin.max,
        date_added: UtcTime::from_secs(coin.launched),
        last_updated: now,
        tags: &coin.tags,
        urls: urls(coin),
        contract_address: contract(coin, deploy).into_iter().collect(),
        quote: ByCurrency(
            money.code,
            CoinQuote {
                price: figures.price,
                volume_24h: figures.volume_24h,
                percent_change_1h: figures.change_1h,
                percent_change_24h: figures.change_24h,
                percent_change_7d: figures.change_7d,
                market_cap: figures.market_cap,
                high_24h: figures.high_24h,
                low_24h: figures.low_24h,
                ath: figures.all_time_high,
                atl: figures.all_time_low,
                last_updated: now,
            },
        ),
        sparkline_7d: sparkline,
    }
}

/// Links under a name that is reserved for examples: nobody's site is opened by mistake.
fn urls(coin: &Coin) -> Urls {
    let slug = &coin.slug;
    let key = hash(0x1175, u64::from(coin.id));
    let some = |salt: u64, often: u64, url: String| {
        if hash(key, salt) % 10 < often { vec![url] } else { Vec::new() }
    };
    Urls {
        website: some(1, 9, format!("https://{slug}.example/")),
        twitter: some(2, 9, format!("https://social.example/{slug}")),
        chat: some(3, 7, format!("https://chat.example/{slug}")),
        explorer: some(4, 8, format!("https://explorer.example/{slug}")),
        technical_doc: some(5, 4, format!("https://{slug}.example/paper.pdf")),
        source_code: some(6, 5, format!("https://code.example/{slug}")),
    }
}

/// Where a token lives; `deploy` is the inscription that deployed a BRC-20 token.
fn contract(coin: &Coin, deploy: Option<&str>) -> Option<ContractItem> {
    let platform = coin.platform?;
    let address = match platform {
        _ if coin.token.is_some() => deploy?.to_owned(),
        "Bitcoin" if coin.tags.contains(&"runes") => {
            let key = hash(0x2e5, u64::from(coin.id));
            format!("{}:{}", 840_000 + key % 20_000, key % 3_000)
        }
        "Bitcoin" => format!("{}i0", hex(coin, 64)),
        "Solana" | "TRON" | "TON" => hex(coin, 40),
        _ => format!("0x{}", hex(coin, 40)),
    };
    let name = match platform.split_once('-') {
        Some(_) => Cow::Owned(platform.replace('-', " ")),
        None => Cow::Borrowed(platform),
    };
    Some(ContractItem { contract_address: address, platform: Platform { name } })
}

/// So many hexadecimal digits that are a coin's own.
fn hex(coin: &Coin, digits: usize) -> String {
    let words = (0..digits.div_ceil(16) as u64).map(|word| hash(0xc0de + word, u64::from(coin.id)));
    let mut text: String = words.map(|word| format!("{word:016x}")).collect();
    text.truncate(digits);
    text
}

/// A coin by its names.
pub(super) fn names(coin: &Coin) -> CoinRef<'_> {
    CoinRef { id: coin.id, name: &coin.name, symbol: &coin.symbol, slug: &coin.slug }
}

/// A post.
pub(super) fn post(post: Post<'_>) -> PostItem<'_> {
    PostItem {
        post_id: post.id.to_string(),
        owner: Owner { nickname: post.author },
        text_content: post.text,
        like_count: post.likes,
        comment_count: post.comments,
        repost_count: post.reposts,
        post_time: UtcTime::from_millis(post.posted),
        url: format!("https://posts.example/{}", post.id),
        currencies: vec![names(post.coin)],
        language_code: post.language,
    }
}

/// A market pair.
pub(super) fn pair<'a>(coin: &'a Coin, pair: Pair, money: Money) -> PairItem<'a> {
    let last_updated = UtcTime::from_secs(pair.updated);
    let base = significant(pair.volume / pair.price, 9);
    PairItem {
        market_id: pair.id,
        exchange: Exchange {
            id: pair.exchange_id,
            slug: pair.exchange.to_lowercase().replace([' ', '.'], "-"),
            name: pair.exchange,
        },
        market_pair: format!("{}/{}", coin.symbol, pair.quote),
        category: if pair.derivative { "derivatives" } else { "spot" },
        market_pair_base: PairSide { currency_symbol: &coin.symbol, currency_type: "cryptocurrency" },
        market_pair_quote: PairSide {
            currency_symbol: pair.quote,
            currency_type: if pair.quote_is_fiat { "fiat" } else { "cryptocurrency" },
        },
        outlier_detected: u8::from(pair.outlier),
        volume_percentage: pair.share,
        quote: PairQuotes {
            exchange_reported: ReportedQuote {
                price: pair.price_in_quote,
                volume_24h_base: base,
                volume_24h_quote: significant(base * pair.price_in_quote, 9),
                last_updated,
            },
            by_currency: ByCurrency(
                money.code,
                PairQuote {
                    price: pair.price,
                    volume_24h: pair.volume,
                    depth_positive_two: pair.depth_up,
                    depth_negative_two: pair.depth_down,
                    last_updated,
                },
            ),
        },
    }
}

/// A series.
pub(super) fn series(coin: &Coin, money: Money, samples: Vec<Sample>) -> Series<'_> {
    let point = |sample: Sample| SeriesPoint {
        timestamp: UtcTime::from_secs(sample.secs),
        quote: ByCurrency(
            money.code,
            SeriesQuote { price: sample.price, volume_24h: sample.volume, market_cap: sample.cap },
        ),
    };
    Series { coin: names(coin), quotes: samples.into_iter().map(point).collect() }
}

//! The section `[coins.SLUG]`: corrects which coin is which at the providers of live data.

use super::error::short;
use super::value::{self, Raw};
use super::value_error::ValueError;
use crate::model::{ProviderName, Text, text};
use crate::service::gateway::{CoinCorrection, LiveSettings};

/// The keys of a coin.
const FIELDS: [&str; 11] = [
    "name",
    "symbol",
    "coinmarketcap",
    "coingecko",
    "coinpaprika",
    "binance",
    "binance_factor",
    "okx",
    "okx_factor",
    "brc20",
    "hashtags",
];

/// Splits `coins.SLUG.FIELD`.
pub(super) fn parse(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("coins.")?.rsplit_once('.')
}

/// Whether a name is one of these sections.
pub(super) fn is_section(name: &str) -> bool {
    name == "coins" || name.strip_prefix("coins.").is_some_and(|slug| !slug.is_empty())
}

/// Sets a value.
pub(super) fn set(live: &mut LiveSettings, (slug, field): (&str, &str), raw: &Raw) -> Result<(), String> {
    if !FIELDS.contains(&field) {
        return Err(format!("unknown key; a coin has {}", FIELDS.join(", ")));
    }
    if slug != slug.to_lowercase() || !is_word(slug) {
        return Err(format!("{:?} is not a slug such as \"sats-ordinals\"", short(slug)));
    }
    let coin = live.corrections.entry(Text::from(slug)).or_default();
    match field {
        "name" => coin.name = Some(name(raw)?),
        "symbol" => coin.symbol = Some(name(raw)?),
        "coinmarketcap" => {
            let id = id(raw)?;
            if !id.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(String::from("CoinMarketCap's ids are numbers, such as \"25028\""));
            }
            coin.coinmarketcap = Some(id);
        }
        "coingecko" => coin.coingecko = Some(id(raw)?),
        "coinpaprika" => coin.coinpaprika = Some(id(raw)?),
        "binance" => coin.binance = Some(id(raw)?),
        "binance_factor" => coin.binance_factor = Some(factor(raw)?),
        "okx" => coin.okx = Some(id(raw)?),
        "okx_factor" => coin.okx_factor = Some(factor(raw)?),
        "brc20" => coin.brc20 = Some(Text::from(value::text(raw)?.to_lowercase())),
        _ => coin.hashtags = Some(hashtags(raw)?),
    }
    Ok(())
}

/// All keys with their values.
pub(super) fn rows(live: &LiveSettings) -> Vec<(String, String)> {
    let text = |value: &Option<Text>| value.as_ref().map(ToString::to_string);
    let number = |value: &Option<f64>| value.map(|value| value.to_string());
    let of = |coin: &CoinCorrection, field: &str| match field {
        "name" => text(&coin.name),
        "symbol" => text(&coin.symbol),
        "coinmarketcap" => text(&coin.coinmarketcap),
        "coingecko" => text(&coin.coingecko),
        "coinpaprika" => text(&coin.coinpaprika),
        "binance" => text(&coin.binance),
        "binance_factor" => number(&coin.binance_factor),
        "okx" => text(&coin.okx),
        "okx_factor" => number(&coin.okx_factor),
        "brc20" => text(&coin.brc20),
        _ => coin.hashtags.as_ref().map(|tags| tags.join(", ")),
    };
    let row =
        |slug: &Text, coin: &CoinCorrection, field: &str| Some((format!("coins.{slug}.{field}"), of(coin, field)?));
    live.corrections
        .iter()
        .flat_map(|(slug, coin)| FIELDS.into_iter().filter_map(move |field| row(slug, coin, field)))
        .collect()
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 96 && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Reads an id of a provider; an empty one means that the provider doesn't list the coin.
fn id(raw: &Raw) -> Result<Text, ValueError> {
    let text = match raw {
        Raw::Integer(number @ 1..) => return Ok(compact_str::format_compact!("{number}")),
        raw => value::text(raw)?.trim(),
    };
    match text.is_empty() || is_word(text) {
        true => Ok(Text::from(text)),
        false => Err(ValueError::Format("an id without spaces, or \"\" if the provider doesn't list the coin")),
    }
}

fn name(raw: &Raw) -> Result<Text, ValueError> {
    let name = value::text(raw)?.trim();
    match name.is_empty() || text::clean(name) != name {
        true => Err(ValueError::Format("a name")),
        false => Ok(Text::from(name)),
    }
}

/// Reads the coins per unit of an exchange: 1000 for `1000SATSUSDT`.
fn factor(raw: &Raw) -> Result<f64, ValueError> {
    value::integer(raw, 1..=1_000_000_000).map(|factor| factor as f64)
}

fn hashtags(raw: &Raw) -> Result<Vec<Text>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [\"ordi\", \"brc20\"]", raw.kind()));
    };
    let tag = |item: &Raw| {
        let tag = value::text(item)?.trim_start_matches('#');
        is_word(tag).then(|| Text::from(tag)).ok_or(ValueError::Format("hashtags without spaces"))
    };
    items.iter().map(tag).collect()
}

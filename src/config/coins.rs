//! The section `[coins.SLUG]`: corrects the identity of a coin at the providers of live data.

use std::borrow::Cow;

use super::error::short;
use super::hint;
use super::value::{self, Raw};
use super::value_error::ValueError;
use crate::model::{ProviderName, Text, text};
use crate::service::gateway::{CoinCorrection, LiveSettings};
use crate::service::providers::info::CoinIds;
use crate::service::providers::{with_coin_ids, with_listings};

/// A key of a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Name,
    Symbol,
    /// The id at a provider.
    Id(ProviderName, CoinIds),
    /// The symbol on an exchange.
    Listing(ProviderName),
    /// The coins per unit of that symbol.
    Factor(ProviderName),
    Brc20,
    Hashtags,
}

impl Field {
    fn all() -> Vec<Field> {
        let ids = with_coin_ids().map(|(provider, ids)| Field::Id(provider, ids));
        let listings = with_listings().flat_map(|exchange| [Field::Listing(exchange), Field::Factor(exchange)]);
        let of_providers = ids.chain(listings);
        [Field::Name, Field::Symbol].into_iter().chain(of_providers).chain([Field::Brc20, Field::Hashtags]).collect()
    }

    fn as_str(self) -> Cow<'static, str> {
        match self {
            Field::Name => Cow::Borrowed("name"),
            Field::Symbol => Cow::Borrowed("symbol"),
            Field::Id(provider, _) | Field::Listing(provider) => Cow::Borrowed(provider.as_str()),
            Field::Factor(exchange) => Cow::Owned(format!("{exchange}_factor")),
            Field::Brc20 => Cow::Borrowed("brc20"),
            Field::Hashtags => Cow::Borrowed("hashtags"),
        }
    }
}

/// Splits `coins.SLUG.FIELD`.
pub(super) fn parse(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("coins.")?.rsplit_once('.')
}

/// Whether a name is one of these sections.
pub(super) fn is_section(name: &str) -> bool {
    name == "coins" || name.strip_prefix("coins.").is_some_and(|slug| !slug.is_empty())
}

/// Sets a value.
pub(super) fn set(live: &mut LiveSettings, (slug, field): (&str, &str), raw: &Raw) -> Result<(), ValueError> {
    let fields = Field::all();
    let Some(field) = fields.iter().find(|known| known.as_str() == field) else {
        return Err(ValueError::CoinKey(hint::similar_or_list(
            field,
            fields.iter().map(|field| field.as_str()),
            "keys",
        )));
    };
    if slug != slug.to_lowercase() || !is_word(slug) {
        return Err(ValueError::Slug(short(slug).into_owned()));
    }
    let coin = live.corrections.entry(Text::from(slug)).or_default();
    match *field {
        Field::Name => coin.name = Some(name(raw)?),
        Field::Symbol => coin.symbol = Some(name(raw)?),
        Field::Id(provider, ids) => {
            let id = id(raw)?;
            if ids == CoinIds::Numbers && !id.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ValueError::CoinId(provider.title()));
            }
            coin.ids.set(provider, Some(id));
        }
        Field::Listing(exchange) => coin.listings.get_or_default(exchange).symbol = Some(id(raw)?),
        Field::Factor(exchange) => coin.listings.get_or_default(exchange).factor = Some(factor(raw)?),
        Field::Brc20 => coin.brc20 = Some(Text::from(value::text(raw)?.to_lowercase())),
        Field::Hashtags => coin.hashtags = Some(hashtags(raw)?),
    }
    Ok(())
}

/// All keys with their values.
pub(super) fn rows(live: &LiveSettings) -> Vec<(String, String)> {
    let text = |value: &Option<Text>| value.as_ref().map(ToString::to_string);
    let of = |coin: &CoinCorrection, field: Field| match field {
        Field::Name => text(&coin.name),
        Field::Symbol => text(&coin.symbol),
        Field::Id(provider, _) => coin.ids.get(provider).map(ToString::to_string),
        Field::Listing(exchange) => coin.listings.get(exchange).and_then(|listing| text(&listing.symbol)),
        Field::Factor(exchange) => {
            let listing = coin.listings.get(exchange);
            listing.and_then(|listing| listing.factor).map(|factor| factor.to_string())
        }
        Field::Brc20 => text(&coin.brc20),
        Field::Hashtags => coin.hashtags.as_ref().map(|tags| tags.join(", ")),
    };
    let fields = Field::all();
    let row = |slug: &Text, coin: &CoinCorrection, field: Field| {
        Some((format!("coins.{slug}.{}", field.as_str()), of(coin, field)?))
    };
    let rows = |(slug, coin)| fields.iter().filter_map(move |field| row(slug, coin, *field));
    live.corrections.iter().flat_map(rows).collect()
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
    if text.is_empty() || is_word(text) {
        Ok(Text::from(text))
    } else {
        Err(ValueError::Format("an ID without spaces, or \"\" if the provider doesn't list the coin"))
    }
}

fn name(raw: &Raw) -> Result<Text, ValueError> {
    let name = value::text(raw)?.trim();
    if name.is_empty() || text::clean(name) != name { Err(ValueError::Format("a name")) } else { Ok(Text::from(name)) }
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

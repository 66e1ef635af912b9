//! Finds coins by slug.

use super::coins::{self, CoinQuery};
use super::failure::Failure;
use super::headless::{self, Connection};
use super::runtime::block_on;
use crate::client::{Answer, Group, Reply, TextForm};
use crate::config::Settings;
use crate::model::{Coin, Tag, Text};

/// Maximum coins that are searched for a slug.
const MAX_SEARCHED: u32 = 5_000;

/// Fetches all coins that are searched.
pub(super) fn all(settings: &Settings) -> Result<Vec<Coin>, Failure> {
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    fetch(&connection, Tag::All, MAX_SEARCHED, settings).map(|(coins, _)| coins)
}

/// Fetches the coins that are BRC-20 tokens.
pub(super) fn brc20(settings: &Settings) -> Result<(Vec<Coin>, Reply), Failure> {
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    fetch(&connection, Tag::Brc20, settings.display.page_size, settings)
}

/// Fetches coins that include those with these slugs: the first page of the list, or all pages if one is missing.
pub(super) fn find(slugs: &[Text], settings: &Settings) -> Result<(Vec<Coin>, Reply), Failure> {
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    let mut limit = settings.display.page_size;
    loop {
        let (coins, reply) = fetch(&connection, Tag::All, limit, settings)?;
        if limit >= MAX_SEARCHED || slugs.iter().all(|slug| coins.iter().any(|coin| has_slug(coin, slug))) {
            return Ok((coins, reply));
        }
        limit = MAX_SEARCHED;
    }
}

/// Fetches the first coins of the list.
fn fetch(connection: &Connection, tag: Tag, limit: u32, settings: &Settings) -> Result<(Vec<Coin>, Reply), Failure> {
    let page = settings.display.page_size;
    let query = CoinQuery { tag, start: 1, limit, convert: settings.display.convert.clone(), page };
    let reply = block_on(coins::get(&connection.client, &query, &settings.limits))?;
    let mut reply =
        reply.map_err(|error| Failure::Operation(headless::error_sentence(&connection.with_service_name(error))))?;
    let coins = if let Some(Answer::Coins(page)) = reply.answer.take() { page.items } else { Vec::new() };
    Ok((coins, reply))
}

/// The coin with a slug, or the only one with a symbol.
pub(super) fn coin_of<'a>(name: &Text, coins: &'a [Coin]) -> Result<&'a Coin, Failure> {
    if let Some(coin) = coins.iter().find(|coin| has_slug(coin, name)) {
        return Ok(coin);
    }
    let mut of_symbol = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
    match (of_symbol.next(), of_symbol.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(unknown_slug(name, coins)),
    }
}

/// The error for a slug that no coin has; a symbol is a common mistake.
pub(super) fn unknown_slug(slug: &Text, coins: &[Coin]) -> Failure {
    let of_symbol = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(slug));
    let slugs: Vec<&str> = of_symbol.filter_map(|coin| coin.slug.as_deref()).take(3).collect();
    Failure::Operation(match slugs.is_empty() {
        true => format!("unknown slug {slug} (list slugs: satscope coins --format csv)"),
        false => format!("unknown slug {slug}; did you mean {}?", slugs.join(" or ")),
    })
}

/// Whether a coin has this slug, in any case.
pub(super) fn has_slug(coin: &Coin, slug: &Text) -> bool {
    coin.slug.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(slug))
}

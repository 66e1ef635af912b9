//! `chart`, `posts` and `pairs` for coins given by slug or symbol, regardless of which one the request needs.

use super::connection::{Connection, error_sentence, failed, is_unknown, succeeded};
use super::failure::Failure;
use super::find;
use super::found_coins::{self, FoundCoins};
use crate::app::chart::year;
use crate::client::{Notice, NoticeCode, Reply, Request, ResponseData};
use crate::config::Settings;
use crate::model::{Chart, Currency, MarketSeries, Period, Text};
use crate::user_data::Watched;

/// Fetches a chart by the slug or symbol of its coin.
pub(super) fn chart(
    connection: &Connection,
    name: &Text,
    period: Period,
    convert: &Currency,
    settings: &Settings,
) -> Result<Reply, Failure> {
    if period.is_long() {
        return long_chart(connection, name, period, convert, settings);
    }
    let request = |slug: &Text| Request::Chart { slug: slug.clone(), period, convert: convert.clone() };
    // Slugs are lower case, so this is a symbol, which several coins may share, or a slug in another case. The service
    // might take a symbol for a slug.
    let mut wanted = name.clone();
    if name.chars().any(char::is_uppercase) {
        let found = find::find_quickly(std::slice::from_ref(name), settings).unwrap_or_default();
        if found.has_symbol(name)
            && let Some(slug) = &found.coin_of(name)?.slug
        {
            return succeeded(connection.fetch(&request(slug), settings)?, settings);
        }
        let listed = found.coins.iter().find(|coin| found.has_slug(coin, name)).and_then(|coin| coin.slug.clone());
        wanted = listed.unwrap_or_else(|| Text::from(name.to_lowercase()));
    }
    let error = match connection.fetch(&request(&wanted), settings)? {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    if !is_unknown(&error, &settings.display.convert) {
        return Err(failed(&error, settings));
    }
    // Without a list of coins, the first error is the better explanation. Symbols don't look like slugs with hyphens.
    let found = if find::is_word(name) {
        Ok(FoundCoins::default())
    } else {
        find::find_quickly(std::slice::from_ref(name), settings)
    };
    // Another service may have charts of other slugs.
    let is_listed = found.is_ok() && connection.config.is_own_market;
    let found = found.unwrap_or_default();
    let has_symbol = found.has_symbol(name);
    if !has_symbol && is_listed {
        return Err(found.unknown_slug(name));
    }
    if !has_symbol {
        return Err(Failure::Operation(format!("{} ({})", error_sentence(&error, settings), found_coins::ADVICE)));
    }
    match &found.coin_of(name)?.slug {
        Some(slug) if !slug.eq_ignore_ascii_case(name) => {
            succeeded(connection.fetch(&request(slug), settings)?, settings)
        }
        _ => Err(Failure::Operation(error_sentence(&error, settings))),
    }
}

/// Fetches the prices of a long period, which the service has by symbol.
fn long_chart(
    connection: &Connection,
    name: &Text,
    period: Period,
    convert: &Currency,
    settings: &Settings,
) -> Result<Reply, Failure> {
    let (found, _) = find::find(std::slice::from_ref(name), settings)?;
    let coin = found.coin_of(name)?;
    let request = year::request(&coin.symbol, period, convert);
    let no_prices = || Failure::Operation(format!("no {} for {}", year::prices(period), coin.symbol));
    let request = request.ok_or_else(no_prices)?;
    let mut reply = succeeded(connection.fetch(&request, settings)?, settings)?;
    if let Some(ResponseData::Market(response)) = reply.response.take() {
        let series = year::series(&Watched::from_coin(coin), period, &response).map_err(Failure::Operation)?;
        let slug = coin.slug.clone().unwrap_or_else(|| name.clone());
        let MarketSeries { convert, points, volume_span, candles, .. } = series.clone();
        let chart = Chart { slug, period, convert, points, volume_span, candles };
        reply.response = Some(ResponseData::Chart(chart));
    }
    Ok(reply)
}

/// Fetches posts or market pairs, which the service has by symbol, of a coin that is named by its symbol or slug. A
/// slug is not looked up as a symbol, which costs the providers several requests, unless it looks like one. If several
/// coins use such a symbol, the one with the slug is fetched.
pub(super) fn of_symbol(
    connection: &Connection,
    request: &Request,
    name: &Text,
    settings: &Settings,
) -> Result<Reply, Failure> {
    let fetch = || connection.fetch(request, settings);
    let outcome = if find::is_unlike_symbol(name) { None } else { Some(fetch()?) };
    if let Some(Ok(reply)) = &outcome
        && let Some(request) = with_slug(request, reply, name)
    {
        match connection.fetch(&request, settings)? {
            // There is no such slug.
            Err(error) if is_unknown(&error, &settings.display.convert) => {}
            outcome => return succeeded(outcome, settings),
        }
    }
    let is_found = match &outcome {
        Some(Ok(reply)) => !may_be_another(reply, name),
        Some(Err(error)) => !is_unknown(error, &settings.display.convert),
        None => false,
    };
    let outcome = match outcome {
        Some(outcome) if is_found => return succeeded(outcome, settings),
        outcome => outcome,
    };
    // Without a list of coins, the first error is the better explanation.
    let found = find::find_quickly(std::slice::from_ref(name), settings);
    // Another service may have such symbols.
    let is_unknown_slug = found.is_ok() && connection.config.is_own_market && !matches!(outcome, Some(Ok(_)));
    let found = found.unwrap_or_default();
    let by_symbol = found.coins.iter().find(|coin| found.has_slug(coin, name)).and_then(|coin| {
        let (symbol, slug) = (coin.symbol.clone(), coin.slug.clone());
        match request {
            Request::Posts { order, .. } => Some(Request::Posts { symbol, slug, order: *order }),
            Request::MarketPairs { convert, .. } => {
                Some(Request::MarketPairs { symbol, slug, convert: convert.clone() })
            }
            _ => None,
        }
    });
    match by_symbol {
        Some(request) => succeeded(connection.fetch(&request, settings)?, settings),
        None if is_unknown_slug && !found.has_symbol(name) => Err(found.unknown_slug(name)),
        None => succeeded(outcome.map_or_else(fetch, Ok)?, settings),
    }
}

/// The request for the pairs of the coin whose slug a symbol may be, if the response to `request` has pairs of several
/// coins.
fn with_slug(request: &Request, reply: &Reply, symbol: &Text) -> Option<Request> {
    match request {
        Request::MarketPairs { convert, .. } if reply.has_several_coins && may_be_slug(symbol) => {
            let (symbol, slug) = (symbol.clone(), Some(symbol.clone()));
            Some(Request::MarketPairs { symbol, slug, convert: convert.clone() })
        }
        _ => None,
    }
}

/// Whether several coins use a symbol, according to the service's notice, and the symbol may be the slug of one that
/// the reply is not about.
fn may_be_another(reply: &Reply, symbol: &Text) -> bool {
    let is_shared = |notice: &Notice| match &notice.code {
        Some(NoticeCode::SharedSymbol(slugs)) => slugs.iter().ne([symbol]),
        _ => false,
    };
    may_be_slug(symbol) && reply.notice.as_ref().is_some_and(is_shared)
}

/// Whether a symbol may be meant as a slug, which is in lower case.
fn may_be_slug(symbol: &Text) -> bool {
    !symbol.chars().any(char::is_uppercase)
}

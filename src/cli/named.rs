//! `chart`, `market`, `posts` and `pairs` for coins given by slug or symbol, regardless of which one the request needs.

use super::args::DEFAULT_INTERVAL;
use super::connection::{Connection, error_sentence, failed, is_unknown};
use super::failure::Failure;
use super::find;
use super::found_coins::{self, FoundCoins};
use crate::app::chart::compare::find_series;
use crate::app::chart::year;
use crate::client::{Error, Notice, NoticeCode, Reply, Request, ResponseData, Warning};
use crate::config::Settings;
use crate::format::words::first_names;
use crate::model::{Chart, Coin, Currency, MarketSeries, Period, Text};
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

/// Fetches the series of coins by symbols or slugs. Returns them in the order of the names, with the names of coins
/// without prices; if all are, the service's error. A symbol stands for all its coins, with a warning if there are
/// several; a slug for its coin only.
pub(super) fn market(
    connection: &Connection,
    request: &Request,
    names: &[Text],
    settings: &Settings,
) -> Result<(Reply, Vec<Text>), Failure> {
    let (mut reply, missing, found) = series(connection, request, names, settings)?;
    if let Some(ResponseData::Market(series)) = &mut reply.response {
        keep_named(series, &own_slugs(names, &found));
        sort(series, names, &found);
        set_interval(series, request);
        let warnings = names.iter().filter_map(|name| shared_symbol(series, name)).collect();
        reply.add_warnings(warnings);
    }
    Ok((reply, missing))
}

/// The names, with the slugs of the coins that were found by a slug in another case or at a provider.
fn own_slugs(names: &[Text], found: &[(Text, Coin)]) -> Vec<Text> {
    let own_slug = |name: &Text| found.iter().find(|(own, _)| own == name)?.1.slug.clone();
    names.iter().map(|name| own_slug(name).unwrap_or_else(|| name.clone())).collect()
}

/// Removes the other coins that share the symbol of one that is named by its slug.
fn keep_named(series: &mut Vec<MarketSeries>, names: &[Text]) {
    let is_slug = |name: &Text| series.iter().any(|series| series.slug.as_ref() == Some(name));
    let (slugs, symbols): (Vec<&Text>, Vec<&Text>) = names.iter().partition(|name| is_slug(name));
    series.retain(|series| {
        let has_symbol = |name: &&Text| series.symbol.trim().eq_ignore_ascii_case(name);
        let is_named = slugs.iter().any(|name| series.slug.as_ref() == Some(*name));
        is_named || symbols.iter().any(has_symbol) || !slugs.iter().any(has_symbol)
    });
}

/// Sorts series by the first of the names that means their coin. `found` has the coins that were found by their slugs.
fn sort(series: &mut [MarketSeries], names: &[Text], found: &[(Text, Coin)]) {
    let is_named = |series: &MarketSeries, name: &Text| {
        let symbol = series.symbol.trim();
        let has_slug = series.slug.as_ref().is_some_and(|slug| slug.eq_ignore_ascii_case(name));
        let mut coins = found.iter().filter(|(own, _)| own == name).map(|(_, coin)| coin);
        has_slug || symbol.eq_ignore_ascii_case(name) || coins.any(|coin| coin.symbol.eq_ignore_ascii_case(symbol))
    };
    series.sort_by_cached_key(|series| names.iter().position(|name| is_named(series, name)).unwrap_or(usize::MAX));
}

/// Sets the requested interval of series with a single point, which doesn't show it.
fn set_interval(series: &mut [MarketSeries], request: &Request) {
    let Request::MarketData { interval, .. } = request else { return };
    for series in series.iter_mut().filter(|series| series.points.len() == 1) {
        series.interval.get_or_insert_with(|| interval.clone());
    }
}

/// The warning that several coins use a symbol.
fn shared_symbol(series: &[MarketSeries], name: &Text) -> Option<Warning> {
    let sharing = series.iter().filter(|series| series.symbol.trim().eq_ignore_ascii_case(name));
    let slugs: Vec<Text> = sharing.filter_map(|series| series.slug.clone()).collect();
    let is_slug = slugs.contains(name);
    let sentence =
        || format!("several coins use {name}: {} (to select one, use its slug)", first_names(&slugs, MAX_NAMES));
    (slugs.len() > 1 && !is_slug).then(sentence)
}

/// Series, the names of coins without prices, and the coins that were found by their slugs.
type Found = (Reply, Vec<Text>, Vec<(Text, Coin)>);

fn series(connection: &Connection, request: &Request, names: &[Text], settings: &Settings) -> Result<Found, Failure> {
    let outcome = connection.fetch(request, settings)?;
    if let Err(error) = &outcome
        && !is_unknown(error, &settings.display.convert)
    {
        return Err(failed(error, settings));
    }
    let series = outcome.as_ref().map_or(&[][..], series_of);
    let missing: Vec<Text> = names.iter().filter(|name| !has_symbol(series, name)).cloned().collect();
    let notice = outcome.as_ref().ok().and_then(|reply| reply.notice.as_ref());
    let is_without_prices = |name: &Text| notice.is_some_and(|notice| notice.is_without_prices(name));
    let (known, unknown): (Vec<Text>, Vec<Text>) = missing.into_iter().partition(is_without_prices);
    if unknown.is_empty() {
        return Ok((succeeded(outcome, settings)?, known, Vec::new()));
    }
    // Without a list of coins, these names stay unknown.
    let listed = find::find_quickly(&unknown, settings).unwrap_or_default();
    // A coin whose symbol equals its slug was already requested.
    let is_named = |coin: &Coin, name: &Text| listed.has_slug(coin, name) && !coin.symbol.eq_ignore_ascii_case(name);
    let (named, mut missing): (Vec<Text>, Vec<Text>) =
        unknown.into_iter().partition(|name| listed.coins.iter().any(|coin| is_named(coin, name)));
    missing.extend(known);
    let wanted: Vec<(&Text, &Coin)> =
        named.iter().filter_map(|name| Some((name, listed.coins.iter().find(|coin| is_named(coin, name))?))).collect();
    if wanted.is_empty() {
        if outcome.is_err()
            && connection.config.is_own_market
            && let Some(sentence) = no_data(&missing, request)
        {
            return Err(Failure::Operation(sentence));
        }
        return Ok((succeeded(outcome, settings)?, missing, Vec::new()));
    }
    let symbols = wanted.iter().map(|(_, coin)| coin.symbol.clone()).collect::<Vec<_>>();
    let by_symbol = match request {
        Request::MarketData { convert, count, interval, .. } => Request::MarketData {
            symbols: super::request::distinct(&symbols),
            convert: convert.clone(),
            count: *count,
            interval: interval.clone(),
        },
        other => other.clone(),
    };
    let found = match connection.fetch(&by_symbol, settings)? {
        // The others are printed.
        Err(error) if outcome.is_ok() && is_unknown(&error, &settings.display.convert) => {
            missing.extend(named);
            return Ok((succeeded(outcome, settings)?, missing, Vec::new()));
        }
        found => succeeded(found, settings)?,
    };
    let mut all: Vec<MarketSeries> = series.to_vec();
    for (name, coin) in &wanted {
        match find_series(&Watched::from_coin(coin), series_of(&found)) {
            Ok(series) if all.iter().any(|known| is_same_coin(known, series)) => {}
            Ok(series) => all.push(series.clone()),
            Err(_) => missing.push((*name).clone()),
        }
    }
    let mut reply = outcome.unwrap_or(found);
    reply.response = Some(ResponseData::Market(all));
    let found = wanted.into_iter().map(|(name, coin)| (name.clone(), coin.clone())).collect();
    Ok((reply, missing, found))
}

/// Maximum names in a message.
pub(super) const MAX_NAMES: usize = 10;

/// Names the coins for which a request has no data, if there are any.
pub(super) fn no_data(missing: &[Text], request: &Request) -> Option<String> {
    let symbols = match missing.len() {
        0 => return None,
        1 => "symbol",
        _ => "symbols",
    };
    let is_of_period = |count: u32, interval: &Text| {
        Period::ALL.iter().any(|period| (period.points(), period.interval()) == (count, interval.as_str()))
    };
    let has_interval = matches!(
        request,
        Request::MarketData { count, interval, .. } if interval != DEFAULT_INTERVAL && !is_of_period(*count, interval)
    );
    let interval = if has_interval { " and --interval" } else { "" };
    Some(format!("no data for {} (check the {symbols}{interval})", first_names(missing, MAX_NAMES)))
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

fn series_of(reply: &Reply) -> &[MarketSeries] {
    if let Some(ResponseData::Market(series)) = &reply.response { series } else { &[] }
}

fn is_same_coin(a: &MarketSeries, b: &MarketSeries) -> bool {
    (&a.id, &a.slug, &a.symbol) == (&b.id, &b.slug, &b.symbol)
}

fn has_symbol(series: &[MarketSeries], name: &Text) -> bool {
    series.iter().any(|series| series.symbol.trim().eq_ignore_ascii_case(name))
}

fn succeeded(outcome: Result<Reply, Error>, settings: &Settings) -> Result<Reply, Failure> {
    outcome.map_err(|error| failed(&error, settings))
}

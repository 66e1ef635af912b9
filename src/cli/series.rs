//! `market` for coins given by slug or symbol, although the request needs their symbols.

use super::args::DEFAULT_INTERVAL;
use super::connection::{Connection, failed, is_unknown, succeeded};
use super::failure::Failure;
use super::find;
use crate::app::chart::compare::find_series;
use crate::client::{Reply, Request, ResponseData, Warning};
use crate::config::Settings;
use crate::format::words::first_names;
use crate::model::{Coin, MarketSeries, Period, Text};
use crate::user_data::Watched;

/// Fetches the series of coins by symbols or slugs. Returns them in the order of the names, with the names of coins
/// without prices; if all are, the service's error. A symbol stands for all its coins, with a warning if there are
/// several; a slug for its coin only.
pub(super) fn fetch(
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

fn series_of(reply: &Reply) -> &[MarketSeries] {
    if let Some(ResponseData::Market(series)) = &reply.response { series } else { &[] }
}

fn is_same_coin(a: &MarketSeries, b: &MarketSeries) -> bool {
    (&a.id, &a.slug, &a.symbol) == (&b.id, &b.slug, &b.symbol)
}

fn has_symbol(series: &[MarketSeries], name: &Text) -> bool {
    series.iter().any(|series| series.symbol.trim().eq_ignore_ascii_case(name))
}

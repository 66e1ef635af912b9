//! `market` for coins given by slug or symbol, although the request needs their symbols.

use std::time::Duration;

use super::args::DEFAULT_INTERVAL;
use super::connection::{Connection, failed, is_unknown, succeeded};
use super::embedded;
use super::failure::Failure;
use super::find;
use super::found_coins::FoundCoins;
use crate::app::chart::compare::find_series;
use crate::client::{Reply, Request, ResponseData, Warning};
use crate::config::Settings;
use crate::format::words::{first_names, in_sentence};
use crate::model::{Coin, MarketSeries, Period, Text, UtcTime, Zone, interval};
use crate::user_data::Watched;

/// Fetches the series of coins by symbols or slugs. Returns them in the order of the names, with a sentence about the
/// coins without series; if no coin has a series, that sentence is the failure. A symbol stands for all coins that use
/// it, with a warning if there are several; a slug stands for one coin.
pub(super) fn fetch(
    connection: &Connection,
    request: &Request,
    names: &[Text],
    settings: &Settings,
) -> Result<(Reply, Option<Warning>), Failure> {
    let Found { mut reply, named, without, missing, failure } = find_all(connection, request, names, settings)?;
    let mut is_empty = false;
    if let Some(ResponseData::Market(series)) = &mut reply.response {
        keep_named(series, &own_slugs(names, &named));
        sort(series, names, &named);
        set_interval(series, request);
        is_empty = series.is_empty();
        let warnings = names.iter().filter_map(|name| shared_symbol(series, name)).collect();
        reply.add_warnings(warnings);
    }
    warn_of_ends(&mut reply);
    let symbol = |name: &Text| named.iter().find(|(own, _)| own == name).map_or(name, |(_, coin)| &coin.symbol).clone();
    let has_failed = |name: &Text| reply.notice.as_ref().is_some_and(|notice| notice.has_failed(&symbol(name)));
    let (failed, without): (Vec<Text>, Vec<Text>) = without.into_iter().partition(has_failed);
    // The notice has the reason.
    let failed = (!failed.is_empty()).then(|| format!("no prices loaded for {}", first_names(&failed, MAX_NAMES)));
    let without = (!without.is_empty()).then(|| format!("no prices for {}", first_names(&without, MAX_NAMES)));
    // The error message says it.
    if let Some(notice) = reply.notice.as_ref().filter(|notice| without.is_some() && notice.is_only_about_prices()) {
        reply.warnings.retain(|warning| *warning != notice.sentence);
    }
    let no_data = no_data(&missing, request);
    let sentences: Vec<String> = failed.into_iter().chain(without).chain(no_data).chain(failure).collect();
    let mut incomplete = (!sentences.is_empty()).then(|| sentences.join("; "));
    match incomplete.take_if(|_| is_empty) {
        Some(sentence) => Err(Failure::Operation(sentence)),
        None => Ok((reply, incomplete)),
    }
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

/// Sorts series by the first name that refers to their coin. `found` has the coins that were found by their slugs.
fn sort(series: &mut [MarketSeries], names: &[Text], found: &[(Text, Coin)]) {
    let is_named = |series: &MarketSeries, name: &Text| {
        let symbol = series.symbol.trim();
        let has_slug = series.slug.as_ref().is_some_and(|slug| slug.eq_ignore_ascii_case(name));
        let mut coins = found.iter().filter(|(own, _)| own == name).map(|(_, coin)| coin);
        has_slug || symbol.eq_ignore_ascii_case(name) || coins.any(|coin| coin.symbol.eq_ignore_ascii_case(symbol))
    };
    series.sort_by_cached_key(|series| names.iter().position(|name| is_named(series, name)).unwrap_or(usize::MAX));
}

/// Sets the requested interval on series with a single point, from which it can't be derived.
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

/// Minimum age of the last price of a series to warn about it.
const MIN_OVERDUE: Duration = Duration::from_hours(1);

/// Adds a warning for each coin whose prices from live providers end long before the response. It replaces the notice of
/// the service, which doesn't name the coin.
fn warn_of_ends(reply: &mut Reply) {
    let Some(ResponseData::Market(all)) = &reply.response else { return };
    if reply.provider.is_none() {
        return;
    }
    let now = reply.fetched_at.minus(reply.age);
    let (mut warnings, mut notices) = (Vec::new(), Vec::new());
    for series in all {
        let Some(last) = overdue_since(series, now) else { continue };
        let symbol = &series.symbol;
        let is_shared = all.iter().filter(|other| other.symbol.eq_ignore_ascii_case(symbol)).count() > 1;
        let slug = series.slug.as_ref().filter(|_| is_shared).map(|slug| format!(" ({slug})")).unwrap_or_default();
        warnings.push(format!("no {symbol}{slug} prices since {last}"));
        notices.push(format!("No prices since {}", Zone::UTC.at(last).date()));
    }
    reply.warnings.retain(|warning| !notices.contains(warning));
    reply.add_warnings(warnings);
}

/// The time of the last price of a series, if the next two are missing.
fn overdue_since(series: &MarketSeries, now: UtcTime) -> Option<UtcTime> {
    let mut times = series.points.iter().rev().filter(|point| point.price.is_some()).map(|point| point.time);
    let last = times.next()?;
    let distance = times.next().map_or(Duration::ZERO, |before| last.since(before));
    let step = series.interval.as_deref().and_then(interval::length).unwrap_or_default().max(distance);
    (now.since(last) > MIN_OVERDUE.max(step.saturating_mul(2))).then_some(last)
}

/// Series, and what is missing.
struct Found {
    reply: Reply,
    /// The names that are slugs, with their coins.
    named: Vec<(Text, Coin)>,
    /// The names of known coins without prices, or whose lookup failed.
    without: Vec<Text>,
    /// The names of other coins without series.
    missing: Vec<Text>,
    /// Why the series of further coins could not be loaded.
    failure: Option<String>,
}

/// Fetches the series of symbols and known slugs; then, for names that are neither, those of the coins with these slugs.
fn find_all(connection: &Connection, request: &Request, names: &[Text], settings: &Settings) -> Result<Found, Failure> {
    let known = if connection.config.is_own_market { known_slugs(names, settings) } else { Vec::new() };
    let coin = |name: &Text| known.iter().find(|(own, _)| own == name).map(|(_, coin)| coin);
    let symbol = |name: &Text| coin(name).map_or_else(|| name.clone(), |coin| coin.symbol.clone());
    let symbols: Vec<Text> = names.iter().map(symbol).collect();
    let outcome = connection.fetch(&with_symbols(request, &symbols), settings)?;
    if let Err(error) = &outcome
        && !is_unknown(error, &settings.display.convert)
    {
        return Err(failed(error, settings));
    }
    let mut all = outcome.as_ref().map_or(&[][..], series_of).to_vec();
    remove_others(&mut all, names, &known);
    let is_missing = |name: &&Text| match coin(name) {
        Some(coin) => find_series(&Watched::from_coin(coin), &all).is_err(),
        None => !has_symbol(&all, name),
    };
    // An unknown slug may be that of a coin although no symbol could be looked up.
    let is_certain = |name: &Text| coin(name).is_some() || name.chars().any(char::is_uppercase);
    let has_failed = |reply: &Reply, name: &Text| {
        is_certain(name) && reply.notice.as_ref().is_some_and(|notice| notice.has_failed(&symbol(name)))
    };
    let is_without = |name: &Text| {
        outcome.as_ref().is_ok_and(|reply| is_without_prices(&symbol(name))(reply) || has_failed(reply, name))
    };
    let missing = names.iter().filter(is_missing).cloned();
    let (mut without, missing): (Vec<Text>, Vec<Text>) = missing.partition(is_without);
    let (mut missing, unknown): (Vec<Text>, Vec<Text>) = missing.into_iter().partition(|name| coin(name).is_some());
    // Without a list of coins, these names stay unknown.
    let listed = if unknown.is_empty() { Ok(FoundCoins::default()) } else { find::find_quickly(&unknown, settings) };
    let listed = listed.unwrap_or_default();
    let mut named = Vec::new();
    for name in unknown {
        // A coin whose symbol equals its slug was already requested.
        let is_named = |coin: &&Coin| listed.has_slug(coin, &name) && !coin.symbol.eq_ignore_ascii_case(&name);
        match listed.coins.iter().find(is_named).cloned() {
            Some(coin) => named.push((name, coin)),
            None => missing.push(name),
        }
    }
    if named.is_empty() {
        if outcome.is_err()
            && connection.config.is_own_market
            && let Some(sentence) = no_data(&missing, request)
        {
            return Err(Failure::Operation(sentence));
        }
        let reply = with_series(succeeded(outcome, settings)?, all);
        return Ok(Found { reply, named: known, without, missing, failure: None });
    }
    let symbols: Vec<Text> = named.iter().map(|(_, coin)| coin.symbol.clone()).collect();
    let found = match connection.fetch(&with_symbols(request, &symbols), settings)? {
        // The series that arrived are printed.
        Err(error) if !all.is_empty() && !is_unknown(&error, &settings.display.convert) => {
            let names: Vec<Text> = named.into_iter().map(|(name, _)| name).collect();
            let reason = in_sentence(&error.reason());
            let failure = Some(format!("no data for {}: {reason}", first_names(&names, MAX_NAMES)));
            let reply = with_series(succeeded(outcome, settings)?, all);
            return Ok(Found { reply, named: known, without, missing, failure });
        }
        Err(error) if outcome.is_ok() && is_unknown(&error, &settings.display.convert) => {
            missing.extend(named.into_iter().map(|(name, _)| name));
            let reply = with_series(succeeded(outcome, settings)?, all);
            return Ok(Found { reply, named: known, without, missing, failure: None });
        }
        found => succeeded(found, settings)?,
    };
    for (name, coin) in &named {
        match find_series(&Watched::from_coin(coin), series_of(&found)) {
            Ok(series) if all.iter().any(|known| is_same_coin(known, series)) => {}
            Ok(series) => all.push(series.clone()),
            Err(_) if is_without_prices(&coin.symbol)(&found) => without.push(name.clone()),
            Err(_) => missing.push(name.clone()),
        }
    }
    let reply = Reply { response: Some(ResponseData::Market(all)), ..outcome.unwrap_or(found) };
    named.extend(known);
    Ok(Found { reply, named, without, missing, failure: None })
}

/// The names that are slugs, with their coins, so that they are not looked up as symbols, which takes several requests to
/// providers. They are the slugs that the embedded service knows without a request, and the names in its list of names
/// that don't look like symbols.
fn known_slugs(names: &[Text], settings: &Settings) -> Vec<(Text, Coin)> {
    let (mut known, mut others) = (Vec::new(), Vec::new());
    // Slugs are lower case.
    for name in names.iter().filter(|name| !name.chars().any(char::is_uppercase)) {
        match embedded::known_coin(name) {
            Some(coin) => known.push((name.clone(), coin)),
            None if find::is_unlike_symbol(name) => others.push(name.clone()),
            None => {}
        }
    }
    if others.is_empty() {
        return known;
    }
    // Without a list of names, they may be symbols.
    let listed = find::find_quickly(&others, settings).unwrap_or_default();
    for name in others {
        // A symbol that is also a coin's slug at a provider stays a symbol.
        let is_exact = |coin: &&Coin| coin.slug.as_ref() == Some(&name);
        let by_slug = || listed.coins.iter().find(|coin| listed.has_slug(coin, &name) && !listed.has_symbol(&name));
        if let Some(coin) = listed.coins.iter().find(is_exact).or_else(by_slug) {
            known.push((name, coin.clone()));
        }
    }
    known
}

/// Removes the coins that share the symbol of one that was requested by its slug, unless the symbol is a name, too.
fn remove_others(series: &mut Vec<MarketSeries>, names: &[Text], known: &[(Text, Coin)]) {
    let found = known.iter().filter_map(|(_, coin)| find_series(&Watched::from_coin(coin), series).ok());
    let found: Vec<MarketSeries> = found.cloned().collect();
    series.retain(|series| {
        let has_symbol = |symbol: &Text| series.symbol.trim().eq_ignore_ascii_case(symbol);
        let is_other = known.iter().any(|(_, coin)| has_symbol(&coin.symbol)) && !names.iter().any(has_symbol);
        !is_other || found.iter().any(|found| is_same_coin(found, series))
    });
}

/// The reply with these series, if it has any.
fn with_series(mut reply: Reply, all: Vec<MarketSeries>) -> Reply {
    if let Some(ResponseData::Market(series)) = &mut reply.response {
        *series = all;
    }
    reply
}

/// Whether a service confirms that no provider has prices of the coins with this symbol.
fn is_without_prices(symbol: &Text) -> impl Fn(&Reply) -> bool {
    move |reply| reply.notice.as_ref().is_some_and(|notice| notice.is_without_prices(symbol))
}

/// A request for other symbols.
fn with_symbols(request: &Request, symbols: &[Text]) -> Request {
    match request {
        Request::MarketData { convert, count, interval, .. } => Request::MarketData {
            symbols: super::request::distinct(symbols),
            convert: convert.clone(),
            count: *count,
            interval: interval.clone(),
        },
        other => other.clone(),
    }
}

/// Maximum names in a message.
const MAX_NAMES: usize = 10;

/// Names the coins for which a request has no data, if there are any.
fn no_data(missing: &[Text], request: &Request) -> Option<String> {
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

//! `satscope watchlist`: lists, adds and removes watched coins.

use std::collections::HashMap;
use std::time::Duration;

use serde::Serialize;

use super::args::{Format, WatchlistCommand};
use super::columns;
use super::failure::{Failure, say};
use super::find::{find, has_slug, unknown_slug};
use super::headless::{self, Connection};
use super::output::{self, Envelope};
use super::request;
use super::runtime::block_on;
use super::saved;
use super::sheet::{Layout, Sheet};
use crate::client::{Answer, Group, Reply, Request, TextForm, Warning};
use crate::config::Settings;
use crate::model::{Coin, CoinId, MarketSeries, Point, Text, UtcTime, chart};
use crate::user_data::{Change, Watched};

/// A watched coin in the output.
#[derive(Debug, Serialize)]
struct Row {
    slug: Option<Text>,
    id: Option<Text>,
    symbol: Text,
    name: Option<Text>,
    price: Option<f64>,
    change_24h_pct: Option<f64>,
}

const FIELDS: &[&str] = &["slug", "id", "symbol", "name", "price", "change_24h_pct"];

/// Points of an hourly series that covers the time 24 hours ago.
const HOURS: u32 = 26;

/// Runs a subcommand; the default is to list.
pub(super) fn run(
    command: Option<&WatchlistCommand>,
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    match command {
        None | Some(WatchlistCommand::List) => list(settings, format),
        Some(WatchlistCommand::Add { slugs }) => add(slugs, settings, format),
        Some(WatchlistCommand::Remove { slugs }) => remove(slugs, settings, format),
    }
}

/// Prints the watched coins with prices, or without them if the service fails.
fn list(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let watched = watched(settings)?;
    let without_prices = || watched.iter().map(Row::without_price).collect::<Vec<_>>();
    let symbols = watched.iter().map(|coin| coin.symbol.clone()).filter(|symbol| !symbol.contains(','));
    let symbols = request::distinct(&symbols.collect::<Vec<_>>());
    if symbols.is_empty() {
        print(&without_prices(), None, &[], settings, format)?;
        if watched.is_empty() && output::format(format) == Format::Table {
            say("no coins watched");
        }
        return Ok(());
    }
    let convert = settings.display.convert.clone();
    let request = Request::MarketData { symbols, convert, count: HOURS, interval: Text::const_new("1h") };
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    match block_on(connection.client.get(&request, None))? {
        Ok(reply) => {
            let series = if let Some(Answer::Market(series)) = &reply.answer { &series[..] } else { &[] };
            let mut warnings = reply.warnings.clone();
            let by_symbol = group_by_symbol(series);
            let rows: Vec<Row> = watched.iter().map(|coin| Row::of_series(coin, &by_symbol, &mut warnings)).collect();
            print(&rows, Some(&reply), &warnings, settings, format)
        }
        Err(error) => {
            print(&without_prices(), None, &[], settings, format)?;
            Err(Failure::Operation(headless::error_sentence(&connection.with_service_name(error))))
        }
    }
}

fn add(slugs: &[Text], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (coins, reply) = find(slugs, settings)?;
    let mut found: Vec<&Coin> = Vec::new();
    for slug in slugs {
        let coin = coins.iter().find(|coin| has_slug(coin, slug)).ok_or_else(|| unknown_slug(slug, &coins))?;
        if !found.iter().any(|known| known.id == coin.id) {
            found.push(coin);
        }
    }
    let watched = watched(settings)?;
    let new =
        found.iter().map(|coin| Watched::from_coin(coin)).filter(|coin| !watched.iter().any(|w| w.has_same_id(coin)));
    saved::save("watchlist", &new.map(Change::Watch).collect::<Vec<_>>(), settings)?;
    let rows: Vec<Row> = found.into_iter().map(Row::of_coin).collect();
    print(&rows, Some(&reply), &reply.warnings, settings, format)
}

fn remove(slugs: &[Text], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let watched = watched(settings)?;
    let listed = |slug: &Text| {
        let has_slug = |coin: &&Watched| coin.slug.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(slug));
        let has_symbol = |coin: &&Watched| coin.is_bare() && coin.symbol.eq_ignore_ascii_case(slug);
        watched.iter().find(has_slug).or_else(|| watched.iter().find(has_symbol)).cloned()
    };
    // A configured entry has only a symbol, so the service is needed to find the slug's symbol.
    let missing: Vec<Text> = slugs.iter().filter(|slug| listed(slug).is_none()).cloned().collect();
    let coins = if missing.is_empty() { Vec::new() } else { find(&missing, settings)?.0 };
    let by_coin = |slug: &Text| {
        let coin = coins.iter().find(|coin| has_slug(coin, slug))?;
        watched.iter().any(|entry| entry.is_bare() && entry.is_coin(coin)).then(|| Watched::from_coin(coin))
    };
    let mut removed = Vec::new();
    for slug in slugs {
        let coin = listed(slug).or_else(|| by_coin(slug));
        removed.push(coin.ok_or_else(|| Failure::Operation(format!("{slug} is not on the watchlist")))?);
    }
    saved::save("watchlist", &removed.iter().cloned().map(Change::Unwatch).collect::<Vec<_>>(), settings)?;
    let rows: Vec<Row> = removed.iter().map(Row::without_price).collect();
    print(&rows, None, &[], settings, format)
}

/// Series by symbol in lower case.
type BySymbol<'a> = HashMap<Text, Vec<&'a MarketSeries>>;

fn group_by_symbol(series: &[MarketSeries]) -> BySymbol<'_> {
    let mut by_symbol = BySymbol::new();
    for series in series {
        by_symbol.entry(series.symbol.to_ascii_lowercase()).or_default().push(series);
    }
    by_symbol
}

impl Row {
    fn without_price(coin: &Watched) -> Row {
        let Watched { symbol, slug, id } = coin.clone();
        Row { slug, id, symbol, name: None, price: None, change_24h_pct: None }
    }

    fn of_coin(coin: &Coin) -> Row {
        let CoinId(id) = coin.id.clone();
        Row {
            slug: coin.slug.clone(),
            id: Some(id),
            symbol: coin.symbol.clone(),
            name: Some(coin.name.clone()),
            price: coin.price,
            change_24h_pct: coin.change_24h_pct,
        }
    }

    /// A watched coin with the last price of its series, or without one if several coins share the symbol.
    fn of_series(coin: &Watched, by_symbol: &BySymbol<'_>, warnings: &mut Vec<Warning>) -> Row {
        let sharing = by_symbol.get(&coin.symbol.to_ascii_lowercase()).map_or(&[][..], Vec::as_slice);
        let sure = sharing.iter().copied().find(|series| coin.has_same_id(&Watched::from_series(series)));
        let own = sure.or(match *sharing {
            [only] if coin.is_same(&Watched::from_series(only)) => Some(only),
            _ => None,
        });
        let Some(own) = own else {
            warnings.push(match sharing.len() {
                coins @ 2.. if coin.is_bare() => {
                    format!("{coins} coins use {}; run `satscope watchlist add SLUG`", coin.symbol)
                }
                _ => format!("no data for {}", coin.symbol),
            });
            return Row::without_price(coin);
        };
        let last = own.points.iter().rev().find(|point| point.price.is_some());
        Row {
            slug: own.slug.clone().or_else(|| coin.slug.clone()),
            id: own.id.clone().or_else(|| coin.id.clone()),
            symbol: own.symbol.clone(),
            name: own.name.clone(),
            price: last.and_then(|point| point.price),
            change_24h_pct: day_change(own),
        }
    }
}

/// The change over the day before the last point, in percent. The price a day before lies between two points; `None` if
/// no point is within half an hour of it.
fn day_change(series: &MarketSeries) -> Option<f64> {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let last = series.points.iter().rev().find(|point| point.price.is_some())?;
    let before = UtcTime::from_millis(last.time.millis().saturating_sub(DAY));
    let nearest = series.points.get(chart::nearest(&series.points, before)?)?;
    let distance = nearest.time.since(before).max(before.since(nearest.time));
    if distance > Duration::from_mins(30) {
        return None;
    }
    let (from, to) = (price_at(&series.points, before).or(nearest.price)?, last.price?);
    (from > 0.0).then(|| (to / from - 1.0) * 100.0)
}

/// The price at a time between two points, by linear interpolation.
fn price_at(points: &[Point], time: UtcTime) -> Option<f64> {
    let next = points.partition_point(|point| point.time < time);
    let (left, right) = (points.get(next.checked_sub(1)?)?, points.get(next)?);
    let (gap, part) = (right.time.since(left.time).as_secs_f64(), time.since(left.time).as_secs_f64());
    let (from, to) = (left.price?, right.price?);
    (gap > 0.0).then(|| from + (to - from) * part / gap)
}

/// The watchlist: the configured one with the saved changes.
fn watched(settings: &Settings) -> Result<Vec<Watched>, Failure> {
    let data =
        saved::load(settings).map_err(|error| Failure::Operation(format!("can't read the watchlist: {error}")))?;
    Ok(data.watchlist.apply_to(&settings.preferences().watched))
}

/// Prints coins with the source of their prices.
fn print(
    rows: &[Row],
    reply: Option<&Reply>,
    warnings: &[Warning],
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let envelope = Envelope {
        data: rows,
        source: reply.map(|reply| reply.url.clone()),
        simulated: reply.is_some_and(|reply| reply.simulated),
        provider: reply.and_then(|reply| reply.provider.as_ref()).map(ToString::to_string),
        fetched_at: reply.map_or_else(UtcTime::now, |reply| reply.fetched_at),
        warnings,
    };
    output::print(&envelope, format, &settings.display, || Sheet {
        currency: Some(settings.display.convert.to_string()),
        ..Sheet::list(FIELDS, Layout::Columns(columns::WATCHED), rows)
    })?;
    if let Some(sentence) = reply.and_then(|reply| headless::simulated_note(reply, Group::Market, settings)) {
        say(&sentence);
    }
    Ok(())
}

//! `satscope watchlist`: lists, adds and removes watched coins.

use serde::Serialize;

use super::args::{Format, WatchlistCommand};
use super::columns;
use super::failure::{Failure, say};
use super::find::{self, find};
use super::found_coins::FoundCoins;
use super::output::{self, Envelope};
use super::query::{self, Connection};
use super::request;
use super::runtime::block_on;
use super::saved_watchlist;
use super::sheet::{Layout, Sheet};
use super::source_url::source_url;
use super::user_store;
use crate::client::{Group, Reply, Request, ResponseData, TextForm, Warning};
use crate::config::Settings;
use crate::model::{Coin, CoinId, Currency, MarketSeries, Text, chart};
use crate::user_data::{Change, UnreadablePart, Watched};

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

/// Prints the watched coins with prices, or without them if the service fails. Prices and changes are from the list of
/// coins, or from the series of a coin that has neither there.
fn list(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = saved_watchlist::load(settings, |error| say(&format!("using the configured watchlist: {error}")))?;
    let watched = saved_watchlist::of(&data, settings);
    let (mut prices, failure) = match Prices::of(&watched, settings) {
        Ok(prices) => (prices, None),
        Err(failure @ (Failure::Operation(_) | Failure::Outage(_))) => (Prices::default(), Some(failure)),
        Err(failure) => return Err(failure),
    };
    let row = |coin: &Watched| match failure {
        None => prices.row(coin, &settings.display.convert),
        Some(_) => Row::without_price(coin),
    };
    let rows: Vec<Row> = watched.iter().map(row).collect();
    let mut warnings = prices.reply.as_ref().map(|reply| reply.warnings.clone()).unwrap_or_default();
    warnings.append(&mut prices.warnings);
    warnings.extend(output::reason_in_json(failure.as_ref().and_then(Failure::reason), format));
    if rows.iter().any(|row| row.price.is_none()) {
        prices.series_warnings.retain(|warning| !warnings.contains(warning));
        warnings.append(&mut prices.series_warnings);
    }
    warnings.extend(user_store::unreadable(&data, format, |part| part == UnreadablePart::Watchlist));
    print(&rows, prices.reply.as_ref(), &warnings, settings, format)?;
    if watched.is_empty() && output::format(format) == Format::Table {
        say("no coins watched");
    }
    failure.map_or(Ok(()), Err)
}

fn add(slugs: &[Text], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let with_context = |failure: Failure| failure.with_context("nothing added");
    let (found, reply) = find(slugs, settings).map_err(with_context)?;
    let mut coins: Vec<&Coin> = Vec::new();
    for slug in slugs {
        let coin = found.coin_of(slug).map_err(with_context)?;
        if !coins.iter().any(|known| known.id == coin.id) {
            coins.push(coin);
        }
    }
    let new = |watched: &[Watched]| -> Vec<Change> {
        let added = coins.iter().map(|coin| Watched::from_coin(coin));
        added.filter(|coin| !watched.iter().any(|known| known.has_same_id(coin))).map(Change::Watch).collect()
    };
    if !new(&saved_watchlist::before_change(settings)?).is_empty() {
        user_store::update("watchlist", settings, |data| Ok(new(&saved_watchlist::of(data, settings))))?;
    }
    let rows: Vec<Row> = coins.into_iter().map(Row::of_coin).collect();
    print(&rows, Some(&reply), &reply.warnings, settings, format)
}

fn remove(slugs: &[Text], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let watched = saved_watchlist::before_change(settings)?;
    let listed = |slug: &Text| {
        let has_slug = |coin: &&Watched| coin.slug.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(slug));
        let mut of_symbol = watched.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(slug));
        let by_symbol = match (of_symbol.next(), of_symbol.next()) {
            (Some(coin), None) => Some(coin),
            (first, _) => first.filter(|coin| coin.has_only_symbol()),
        };
        watched.iter().find(has_slug).or(by_symbol).cloned()
    };
    // A configured entry has only a symbol, so the service is needed to find the slug's symbol.
    let missing: Vec<Text> = slugs.iter().filter(|slug| listed(slug).is_none()).cloned().collect();
    let with_context = |failure: Failure| failure.with_context("nothing removed");
    let found =
        if missing.is_empty() { FoundCoins::default() } else { find(&missing, settings).map_err(with_context)?.0 };
    let by_coin = |slug: &Text| {
        let coin = found.coins.iter().find(|coin| found.has_slug(coin, slug))?;
        watched.iter().any(|entry| entry.has_only_symbol() && entry.is_coin(coin)).then(|| Watched::from_coin(coin))
    };
    let mut removed = Vec::new();
    for slug in slugs {
        let coin = listed(slug).or_else(|| by_coin(slug));
        let not_listed =
            || Failure::Operation(format!("{slug} is not on the watchlist")).with_context("nothing removed");
        let coin = coin.ok_or_else(not_listed)?;
        // It may be named twice, by its slug and its symbol.
        if !removed.contains(&coin) {
            removed.push(coin);
        }
    }
    user_store::save("watchlist", &removed.iter().cloned().map(Change::Unwatch).collect::<Vec<_>>(), settings)?;
    // A failing service doesn't prevent the removal.
    let symbols: Vec<Text> =
        removed.iter().filter(|coin| coin.has_only_symbol()).map(|coin| coin.symbol.clone()).collect();
    let known =
        if symbols.is_empty() { Vec::new() } else { find::find_quickly(&symbols, settings).unwrap_or_default().coins };
    let resolved = |coin: &Watched| coin.resolve(known.iter().map(Watched::from_coin));
    let name = |coin: &Watched| {
        let listed = found.coins.iter().chain(&known).find(|listed| !coin.has_only_symbol() && coin.is_coin(listed))?;
        Some(listed.name.clone())
    };
    let row = |coin: Watched| Row { name: name(&coin), ..Row::without_price(&coin) };
    let rows: Vec<Row> = removed.iter().map(|coin| row(resolved(coin))).collect();
    print(&rows, None, &[], settings, format)?;
    output::note_removed(rows.len(), "coin", format);
    Ok(())
}

/// The service's data about the watched coins.
#[derive(Default)]
struct Prices {
    /// The listed ones.
    coins: Vec<Coin>,
    /// Series of coins with only a known symbol, or not listed with a price and its change.
    series: Vec<MarketSeries>,
    /// The coins of symbols without a series.
    of_symbols: Vec<Watched>,
    /// The first reply, of the list if possible.
    reply: Option<Reply>,
    warnings: Vec<Warning>,
    /// The warnings of the replies with series, which may say why a price is missing.
    series_warnings: Vec<Warning>,
}

impl Prices {
    fn of(watched: &[Watched], settings: &Settings) -> Result<Prices, Failure> {
        let mut prices = Prices::default();
        let (bare, known): (Vec<&Watched>, Vec<&Watched>) = watched.iter().partition(|coin| coin.has_only_symbol());
        let mut failure = None;
        // A series shows which coins share a symbol; without one, all listed coins do.
        let mut series_reply = known_or(prices.add_series(&bare, settings), &mut failure)?;
        let lacking: Vec<&Watched> =
            bare.iter().copied().filter(|coin| matches!(prices.series_of(coin), Err(0))).collect();
        if let Some(reply) = known_or(prices.find_symbols(&lacking, settings), &mut failure)? {
            prices.reply = Some(reply);
        }
        let found = bare.iter().filter_map(|coin| prices.series_of(coin).ok().map(Watched::from_series));
        let known: Vec<Watched> =
            known.into_iter().cloned().chain(found.filter(|coin| !coin.has_only_symbol())).collect();
        if !known.is_empty()
            && let Some((coins, reply)) = known_or(find::known(&known, settings).map(Some), &mut failure)?
        {
            prices.coins.extend(coins);
            prices.reply = Some(reply);
        }
        prices.coins.retain(|coin| coin.convert == settings.display.convert);
        let is_listed = |coin: &&Watched| {
            prices.listed(coin).is_some_and(|coin| coin.price.is_some() && coin.change_24h_pct.is_some())
        };
        let unlisted: Vec<&Watched> =
            watched.iter().filter(|coin| !coin.has_only_symbol() && !is_listed(coin)).collect();
        series_reply = series_reply.or(known_or(prices.add_series(&unlisted, settings), &mut failure)?);
        prices.reply = prices.reply.or(series_reply);
        match failure {
            Some(reason) if prices.reply.is_none() => Err(Failure::Operation(reason)),
            // A service may have only the list, or only series.
            failure => {
                prices.warnings.extend(failure);
                Ok(prices)
            }
        }
    }

    /// Fetches the series of coins. Returns the response.
    fn add_series(&mut self, coins: &[&Watched], settings: &Settings) -> Result<Option<Reply>, Failure> {
        let is_known = |symbol: &Text| self.series.iter().any(|series| series.symbol.eq_ignore_ascii_case(symbol));
        let symbols = coins.iter().map(|coin| coin.symbol.clone());
        let symbols = symbols.filter(|symbol| !symbol.contains(',') && !is_known(symbol));
        let symbols = request::distinct(&symbols.collect::<Vec<_>>());
        if symbols.is_empty() {
            return Ok(None);
        }
        let convert = settings.display.convert.clone();
        let request = Request::MarketData { symbols, convert, count: HOURS, interval: Text::const_new("1h") };
        let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
        let reply = block_on(connection.client.get(&request, None))?;
        let mut reply = reply.map_err(|error| {
            Failure::Operation(query::error_sentence(&connection.with_service_name(error), settings))
        })?;
        self.series_warnings.extend(reply.warnings.iter().cloned());
        if let Some(ResponseData::Market(series)) = reply.response.take() {
            self.series.extend(series);
        }
        Ok(Some(reply))
    }

    /// Fetches the coins of symbols that only one coin has. Returns the response.
    fn find_symbols(&mut self, coins: &[&Watched], settings: &Settings) -> Result<Option<Reply>, Failure> {
        if coins.is_empty() {
            return Ok(None);
        }
        let symbols: Vec<Text> = coins.iter().map(|coin| coin.symbol.clone()).collect();
        let (found, reply, _) = find::find_any(&symbols, settings)?;
        let resolved = coins.iter().map(|coin| coin.resolve(found.coins.iter().map(Watched::from_coin)));
        self.of_symbols.extend(resolved.filter(|coin| !coin.has_only_symbol()));
        self.coins.extend(found.coins);
        Ok(Some(reply))
    }

    /// The series of a coin; otherwise how many coins share its symbol.
    fn series_of(&self, coin: &Watched) -> Result<&MarketSeries, usize> {
        let is_sharing = |series: &&MarketSeries| series.symbol.eq_ignore_ascii_case(&coin.symbol);
        let sharing: Vec<&MarketSeries> = self.series.iter().filter(is_sharing).collect();
        let sure = sharing.iter().copied().find(|series| coin.has_same_id(&Watched::from_series(series)));
        match *sharing {
            [only] if sure.is_none() && coin.is_same(&Watched::from_series(only)) => Ok(only),
            _ => sure.ok_or(sharing.len()),
        }
    }

    /// The listed coin. A symbol alone stands for the coin of its series, or for the only coin that has it.
    fn listed(&self, coin: &Watched) -> Option<&Coin> {
        let of_symbol =
            || self.of_symbols.iter().find(|found| found.symbol.eq_ignore_ascii_case(&coin.symbol)).cloned();
        let known = if coin.has_only_symbol() {
            self.series_of(coin).ok().map(Watched::from_series).or_else(of_symbol)?
        } else {
            coin.clone()
        };
        self.coins.iter().find(|coin| !known.has_only_symbol() && known.is_coin(coin))
    }

    /// A watched coin with its listed price, or the last one of its series; or without one if several coins share its
    /// symbol, or the series is in another currency.
    fn row(&mut self, coin: &Watched, convert: &Currency) -> Row {
        let listed = match self.listed(coin).map(Row::of_coin) {
            Some(row) if row.price.is_some() && row.change_24h_pct.is_some() => return row,
            listed => listed,
        };
        match (self.series_of(coin).map(|series| Row::of_series(coin, series, convert)), listed) {
            (Ok(own), Some(row)) if row.price.is_some() => Row { change_24h_pct: own.change_24h_pct, ..row },
            (Ok(own), _) => own,
            (Err(_), Some(row)) => row,
            (Err(sharing), None) => {
                self.warnings.push(match sharing {
                    2.. if coin.has_only_symbol() => {
                        format!("{sharing} coins use {}; run `satscope watchlist add SLUG`", coin.symbol)
                    }
                    _ => format!("no data for {}", coin.symbol),
                });
                Row::without_price(coin)
            }
        }
    }
}

/// The fetched data, or `None`; keeps the service's first failure.
fn known_or<T>(outcome: Result<Option<T>, Failure>, failure: &mut Option<String>) -> Result<Option<T>, Failure> {
    match outcome {
        Err(Failure::Operation(reason) | Failure::Outage(reason)) => {
            failure.get_or_insert(reason);
            Ok(None)
        }
        outcome => outcome,
    }
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

    /// A watched coin with the last price of its series, if that is in this currency.
    fn of_series(coin: &Watched, series: &MarketSeries, convert: &Currency) -> Row {
        let last = series.points.iter().rposition(|point| point.price.is_some());
        let last = last.filter(|_| series.convert == *convert);
        Row {
            slug: series.slug.clone().or_else(|| coin.slug.clone()),
            id: series.id.clone().or_else(|| coin.id.clone()),
            symbol: series.symbol.clone(),
            name: series.name.clone(),
            price: last.and_then(|last| series.points.get(last)?.price),
            change_24h_pct: last.and_then(|last| chart::day_change(&series.points, last)),
        }
    }
}

/// Prints coins with the source of their prices.
fn print(
    rows: &[Row],
    reply: Option<&Reply>,
    warnings: &[Warning],
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let source = user_store::source(reply.map(|reply| source_url(reply, Group::Market, settings)), settings);
    let envelope = Envelope::fetched(rows, reply, source, warnings);
    output::print(&envelope, format, &settings.display, || Sheet {
        currency: Some(settings.display.convert.to_string()),
        ..Sheet::list(FIELDS, Layout::Columns(columns::WATCHED), rows)
    })?;
    query::note_simulated(reply.map(|reply| (Group::Market, reply.simulated)), settings);
    Ok(())
}

//! `satscope wallet`: lists, adds, edits, removes, exports and imports lots; adds and removes addresses.

mod addresses;
mod export;
mod import;
mod report;

use std::path::Path;

use jiff::civil::Date;

use super::args::{Format, LotFields, WalletCommand};
use super::columns;
use super::failure::{Failure, say};
use super::find::{self, find};
use super::headless::{self, Connection};
use super::output::{self, Envelope};
use super::runtime::block_on;
use super::saved;
use super::sheet::{Layout, Sheet};
use crate::client::{Group, Reply, Request, ResponseData, TextForm, Warning};
use crate::config::Settings;
use crate::model::{Coin, Currency, Decimal, HistoricalRate, Text, UtcTime};
use crate::portfolio::balance::is_bitcoin;
use crate::portfolio::entry::{self, Entry, EntryError};
use crate::portfolio::wallet::{self, Excess};
use crate::portfolio::{self, HistoricalRates, TokenPrices, Unvalued, Valuation};
use crate::user_data::{Change, Lot, LotId, LotPrice, Notice, UserData, Watched};

use addresses::{AddressRow, Lookup};
use report::Wallet;

/// Runs a subcommand; the default is to list.
pub(super) fn run(command: Option<&WalletCommand>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    match command {
        None | Some(WalletCommand::List) => list(settings, format),
        Some(WalletCommand::Add { lot, fields }) => add(lot, fields, settings, format),
        Some(WalletCommand::Edit { id, amount, price, currency, fields }) => {
            let change =
                Edit { amount: amount.as_deref(), price: price.as_deref(), currency: currency.as_ref(), fields };
            edit(LotId(*id), &change, settings, format)
        }
        Some(WalletCommand::Remove { ids }) => remove(ids, settings, format),
        Some(WalletCommand::Address(command)) => {
            addresses::edit(command, &load(settings)?.addresses, settings)?;
            print_changed(settings, format)
        }
        Some(WalletCommand::Export) => export::print(&lots(settings)?),
        Some(WalletCommand::Import { file, yes }) => import(file, *yes, settings, format),
    }
}

/// Prints all lots and addresses, valued, or without values if the service fails.
fn list(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let UserData { lots, addresses, .. } = load(settings)?;
    if lots.is_empty() && addresses.is_empty() {
        print(&WalletReport::new(&lots, Prices::default(), &Lookup::default(), settings), &lots, settings, format)?;
        if output::format(format) == Format::Table {
            say("no lots; add one with: satscope wallet add 500 ordi @ 14.10");
        }
        return Ok(());
    }
    let lookup = addresses::look_up(&addresses, true, settings)?;
    let (prices, failure) = match prices(&lots, &lookup, settings) {
        Ok(prices) => (prices, None),
        Err(failure) => (Prices::default(), Some(failure)),
    };
    print(&WalletReport::new(&lots, prices, &lookup, settings), &lots, settings, format)?;
    failure.or(lookup.failure.map(Failure::Operation)).map_or(Ok(()), Err)
}

/// The value of the whole wallet, and whether it is simulated. Addresses are sent to a public provider only if the user
/// knows that they are; otherwise the value lacks them.
pub(super) fn valuation(settings: &Settings) -> Result<(Valuation, bool), Failure> {
    let data = load(settings)?;
    let (lots, lookup) = (&data.lots, look_up_if_known(&data, settings)?);
    let report = WalletReport::new(lots, prices(lots, &lookup, settings)?, &lookup, settings);
    let is_simulated = report.simulated || report.reply.as_ref().is_some_and(|reply| reply.simulated);
    Ok((report.valuation, is_simulated))
}

/// The balances of all addresses, if the user knows that addresses are sent to a public provider, or none are.
fn look_up_if_known(data: &UserData, settings: &Settings) -> Result<Lookup, Failure> {
    let may_send = |notice| !settings.is_live(Group::Indexer) || data.notices.contains(&notice);
    match may_send(Notice::AddressLookup) {
        true => addresses::look_up(&data.addresses, may_send(Notice::BalanceLookup), settings),
        false => {
            let mut lookup = Lookup::without_balances(&data.addresses);
            if !data.addresses.is_empty() {
                lookup.warnings.push(String::from("balances of addresses not requested yet (run satscope wallet)"));
            }
            Ok(lookup)
        }
    }
}

/// Prints the wallet after a change: without values if the service fails, since the change was saved all the same.
fn print_changed(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let lookup = look_up_if_known(&data, settings)?;
    let (prices, failure) = match prices(&data.lots, &lookup, settings) {
        Ok(prices) => (prices, None),
        Err(Failure::Operation(reason)) => (Prices::default(), Some(format!("no values: {reason}"))),
        Err(failure) => return Err(failure),
    };
    let mut report = WalletReport::new(&data.lots, prices, &lookup, settings);
    report.warnings.extend(failure);
    print(&report, &data.lots, settings, format)
}

/// What values lots and balances.
#[derive(Default)]
struct Prices {
    /// Coins that include those of all lots.
    coins: Vec<Coin>,
    /// The BRC-20 tokens, if there are balances.
    tokens: Option<Vec<Coin>>,
    /// The exchange rates of the lots' days.
    rates: Vec<HistoricalRate>,
    reply: Option<Reply>,
}

fn prices(lots: &[Lot], lookup: &Lookup, settings: &Settings) -> Result<Prices, Failure> {
    let held: Vec<Watched> = lots.iter().map(|lot| lot.coin.clone()).collect();
    let (tokens, token_reply) = match lookup.has_balances() {
        true => find::brc20(settings).map(|(coins, reply)| (Some(coins), Some(reply)))?,
        false => (None, None),
    };
    let (mut coins, mut reply) = match lots.is_empty() {
        true => (Vec::new(), token_reply),
        false => find::known(&held, settings).map(|(coins, reply)| (coins, Some(reply)))?,
    };
    if lookup.has_bitcoin() && !coins.iter().any(is_bitcoin) {
        match find::find(&[Text::const_new("bitcoin")], settings) {
            Ok((found, own)) => {
                coins.extend(found.into_iter().filter(is_bitcoin));
                reply.get_or_insert(own);
            }
            // The totals then lack it and say so.
            Err(Failure::Operation(reason)) => {
                reply.iter_mut().for_each(|reply| reply.warnings.push(format!("no BTC price: {reason}")));
            }
            Err(failure) => return Err(failure),
        }
    }
    let (rates, warnings) = rates(lots, settings)?;
    if let Some(reply) = &mut reply {
        reply.warnings.extend(warnings);
    }
    Ok(Prices { coins, tokens, rates, reply })
}

fn add(words: &[String], fields: &LotFields, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let today = today(settings);
    let Entry { kind, amount, coin, price, currency, fee, date, note } =
        entry::parse(&words.join(" "), today).map_err(|error| usage(&error))?;
    let (coins, _) = find(std::slice::from_ref(&coin), settings)?;
    let found = find::coin_of(&coin, &coins)?;
    let mut lot = Lot {
        id: LotId::default(),
        kind,
        coin: Watched::from_coin(found),
        amount,
        price,
        fee,
        currency: currency.unwrap_or_else(|| settings.display.convert.clone()),
        date: date.unwrap_or(today),
        note,
        address: None,
    };
    set_fields(&mut lot, fields, today)?;
    saved::save("wallet", &[Change::AddLot(Box::new(lot))], settings)?;
    print_changed(settings, format)
}

/// New values of a lot's fields.
struct Edit<'a> {
    amount: Option<&'a str>,
    price: Option<&'a str>,
    currency: Option<&'a Currency>,
    fields: &'a LotFields,
}

impl Edit<'_> {
    /// Whether no field has a new value.
    fn is_empty(&self) -> bool {
        let Edit { amount, price, currency, fields } = self;
        amount.is_none() && price.is_none() && currency.is_none() && **fields == LotFields::default()
    }
}

fn edit(id: LotId, change: &Edit<'_>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    if change.is_empty() {
        return Err(Failure::Usage(String::from("nothing to change (see satscope wallet edit --help)")));
    }
    let mut all = lots(settings)?;
    let lot = all.iter_mut().find(|lot| lot.id == id).ok_or_else(|| unknown_lot(id))?;
    if let Some(amount) = change.amount {
        lot.amount = entry::amount(amount).map_err(|error| usage(&error))?;
    }
    if let Some(price) = change.price {
        lot.price = Some(LotPrice::Unit(money(price)?));
    }
    if let Some(currency) = change.currency {
        lot.currency = currency.clone();
    }
    set_fields(lot, change.fields, today(settings))?;
    saved::save("wallet", &[Change::EditLot(Box::new(lot.clone()))], settings)?;
    if !lots(settings)?.iter().any(|known| known.id == id) {
        return Err(Failure::Operation(format!("lot {id} no longer exists; nothing saved")));
    }
    print_changed(settings, format)
}

fn remove(ids: &[i64], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let all = lots(settings)?;
    let mut removed: Vec<Lot> = Vec::new();
    for id in ids.iter().copied().map(LotId) {
        let lot = all.iter().find(|lot| lot.id == id).ok_or_else(|| unknown_lot(id))?;
        if !removed.contains(lot) {
            removed.push(lot.clone());
        }
    }
    let changes: Vec<Change> = removed.into_iter().map(|lot| Change::RemoveLot(Box::new(lot))).collect();
    saved::save("wallet", &changes, settings)?;
    print_changed(settings, format)
}

fn import(file: &Path, yes: bool, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let before = lots(settings)?;
    let changes = import::changes(file, yes, &before, today(settings), settings)?;
    saved::save("wallet", &changes, settings)?;
    print_changed(settings, format)
}

/// Sets the fields that are given as options.
fn set_fields(lot: &mut Lot, fields: &LotFields, today: Date) -> Result<(), Failure> {
    let LotFields { kind, total, address, date, fee, note } = fields;
    if let Some(kind) = kind {
        lot.kind = *kind;
    }
    if let Some(total) = total {
        lot.price = Some(LotPrice::Total(money(total)?));
    }
    if let Some(address) = address {
        lot.address = Some(addresses::checked(address)?);
    }
    if let Some(date) = date {
        lot.date = match entry::date(date, today) {
            Some(date) if date > today => return Err(usage(&EntryError::Future(date))),
            Some(date) => date,
            None => return Err(Failure::Usage(format!("invalid date {date} (expected one such as 2025-03-02)"))),
        };
    }
    if let Some(fee) = fee {
        lot.fee = Some(money(fee)?);
    }
    if let Some(note) = note {
        lot.note = entry::note_text(note);
    }
    Ok(())
}

fn money(text: &str) -> Result<Decimal, Failure> {
    entry::money(text).map_err(|error| usage(&error))
}

fn usage(error: &EntryError) -> Failure {
    Failure::Usage(error.to_string())
}

fn unknown_lot(id: LotId) -> Failure {
    Failure::Operation(format!("unknown lot {id} (list lots: satscope wallet)"))
}

/// All lots, by number.
fn lots(settings: &Settings) -> Result<Vec<Lot>, Failure> {
    load(settings).map(|data| data.lots)
}

fn load(settings: &Settings) -> Result<UserData, Failure> {
    saved::load(settings).map_err(|error| Failure::Operation(format!("can't read the wallet: {error}")))
}

/// The exchange rates of the lots' days that the service knows, and a warning if it fails.
fn rates(lots: &[Lot], settings: &Settings) -> Result<(Vec<HistoricalRate>, Vec<Warning>), Failure> {
    let to = &settings.display.convert;
    let needed = portfolio::rates::needed(lots, to);
    let (mut rates, mut warnings) = (Vec::new(), Vec::new());
    if needed.is_empty() {
        return Ok((rates, warnings));
    }
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    for (days, from) in needed {
        let request = Request::HistoricalRates { days, from, to: to.clone() };
        match block_on(connection.client.get(&request, None))? {
            Ok(reply) => {
                warnings.extend(reply.warnings);
                if let Some(ResponseData::HistoricalRates(more)) = reply.answer {
                    rates.extend(more);
                }
            }
            // Each lot without a rate says so.
            Err(error) if error.is_not_offered() => break,
            Err(error) => {
                let reason = headless::error_sentence(&connection.with_service_name(error), &settings.display.convert);
                warnings.push(format!("no exchange rates: {reason}"));
                break;
            }
        }
    }
    Ok((rates, warnings))
}

/// Today in the user's time zone.
fn today(settings: &Settings) -> Date {
    settings.display.time_zone.zone().at(UtcTime::now()).date()
}

/// The valuation of all lots and addresses.
struct WalletReport {
    valuation: Valuation,
    addresses: Vec<AddressRow>,
    reply: Option<Reply>,
    /// Whether the balances are simulated.
    simulated: bool,
    warnings: Vec<Warning>,
}

impl WalletReport {
    fn new(lots: &[Lot], prices: Prices, lookup: &Lookup, settings: &Settings) -> WalletReport {
        let Prices { coins, tokens, rates, reply } = prices;
        let convert = &settings.display.convert;
        let rates = HistoricalRates::new(convert, &rates);
        let rate = |currency: &_, date| rates.rate(currency, date);
        let is_simulated = reply.as_ref().is_some_and(|reply| reply.simulated);
        // Real balances have no simulated price.
        let is_whole = |coin: &&Coin| is_bitcoin(coin) && is_simulated == lookup.simulated && coin.convert == *convert;
        let bitcoin = coins.iter().find(is_whole);
        let token_coins = tokens.as_deref().unwrap_or_default();
        let token_prices = TokenPrices::new(token_coins.iter());
        let balances = lookup.tokens(match () {
            () if tokens.is_none() => Err(Unvalued::NotLoaded),
            () if is_simulated != lookup.simulated => Err(Unvalued::PartlySimulated),
            () => Ok(&token_prices),
        });
        let known = lookup.known(&balances);
        let bitcoin_coin = bitcoin.map(Watched::from_coin);
        let (holdings, excesses) =
            wallet::hold(lots, (settings.wallet.cost, &rate), &known, &token_prices, bitcoin_coin.as_ref());
        let mut warnings = lookup.warnings.clone();
        warnings.extend(excesses.iter().map(|Excess { name, coin, amount }| {
            let symbol = &coin.symbol;
            format!("{name}: lots exceed the balance by {amount} {symbol}; their cost is excluded from profit")
        }));
        let valuation = wallet::value(holdings, &known, bitcoin.is_some(), |holding| {
            let mut all = coins.iter().chain(token_coins);
            all.find(|coin| holding.coin.is_coin(coin) && coin.convert == *convert).map(|coin| (coin, None))
        });
        let addresses = addresses::rows(&known, lookup, bitcoin, token_coins);
        WalletReport { valuation, addresses, reply, simulated: lookup.simulated, warnings }
    }
}

/// The fields in CSV, which has no place for the currency but a column.
const CSV_FIELDS: &[&str] = &[
    "id",
    "kind",
    "slug",
    "symbol",
    "amount",
    "unit_price",
    "currency",
    "fee",
    "date",
    "note",
    "price",
    "value",
    "profit",
    "profit_pct",
    "share_pct",
    "convert",
];

/// The fields in a table, whose heading names the currency.
const FIELDS: &[&str] = CSV_FIELDS.split_at(CSV_FIELDS.len() - 1).0;

/// Prints lots with the totals.
fn print(report: &WalletReport, lots: &[Lot], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let WalletReport { valuation, addresses, reply, simulated, warnings: own } = report;
    let wallet = Wallet::new(valuation, lots, addresses, &settings.display.convert, reply.is_some());
    let mut warnings = reply.as_ref().map(|reply| reply.warnings.clone()).unwrap_or_default();
    warnings.extend(own.iter().cloned());
    // Without a response, no rates were requested.
    warnings.extend(report::problems(valuation, lots, &settings.display.convert, reply.is_some()));
    let envelope = Envelope {
        data: &wallet,
        source: reply.as_ref().map(|reply| reply.url.clone()),
        simulated: *simulated || reply.as_ref().is_some_and(|reply| reply.simulated),
        provider: reply.as_ref().and_then(|reply| reply.provider.as_ref()).map(ToString::to_string),
        fetched_at: reply.as_ref().map_or_else(UtcTime::now, |reply| reply.fetched_at),
        warnings: &warnings,
    };
    let is_table = output::format(format) == Format::Table;
    output::print(&envelope, format, &settings.display, || Sheet {
        currency: Some(settings.display.convert.to_string()),
        summary: reply.as_ref().map(|_| report::summary(valuation, &settings.display.convert)),
        rows: report::table_rows(&wallet, is_table),
        ..Sheet::list::<()>(if is_table { FIELDS } else { CSV_FIELDS }, Layout::Columns(columns::LOTS), &[])
    })?;
    if let Some(sentence) = reply.as_ref().and_then(|reply| headless::simulated_note(reply, Group::Market, settings)) {
        say(&sentence);
    }
    Ok(())
}

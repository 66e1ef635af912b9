//! `satscope wallet`: lists, adds, edits, removes, exports and imports lots; adds and removes addresses.

mod added;
mod addresses;
mod export;
mod failures;
mod import;
mod lot_options;
mod removed;
mod report;
mod value;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use jiff::civil::Date;

use super::address;
use super::args::{AddressCommand, Format, LotFields, WalletCommand};
use super::failure::{Failure, say, with_short_words};
use super::find;
use super::output;
use super::privacy;
use super::today::today;
use super::user_store;
use crate::client::Group;
use crate::config::Settings;
use crate::model::{Decimal, Text};
use crate::portfolio::Valuation;
use crate::portfolio::entry::{self, Entry};
use crate::store;
use crate::user_data::{self, Change, Lot, LotId, LotPrice, Notice, UnreadablePart, UserData, WalletAddress, Watched};

use added::{added_sentence, far_cost_sentence};
use addresses::Lookup;
use failures::{unknown_lot, unknown_lots, usage, usage_in};
use lot_options::{LotOptions, refuse_twice};
use removed::removed_sentences;
use value::{Prices, WalletReport, prices, print};

/// Runs a subcommand; the default is to list.
pub(super) fn run(command: Option<&WalletCommand>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    match command {
        None | Some(WalletCommand::List) => list(settings, format),
        Some(WalletCommand::Add { lot, fields }) => add(lot, fields, settings, format),
        Some(WalletCommand::Edit { id, lot, amount, price, currency, fields }) => {
            let options =
                LotOptions { amount: amount.as_deref(), price: price.as_deref(), currency: currency.as_ref(), fields };
            edit(LotId(*id), lot, &options, settings, format)
        }
        Some(WalletCommand::Remove { ids }) => remove(ids, settings, format),
        Some(WalletCommand::Address { command }) => {
            let is_new = matches!(command, Some(AddressCommand::Add { .. }));
            let data = if is_new { load_to_add(settings)? } else { load(settings)? };
            if addresses::run(command.as_ref(), &data, settings, format)? {
                print_changed(settings, format).map(drop)
            } else {
                Ok(())
            }
        }
        Some(WalletCommand::Export) => export::print(&load(settings)?, format, settings),
        Some(WalletCommand::Import { file, yes, skip_invalid }) => {
            import(file, import::ImportOptions { yes: *yes, skip_invalid: *skip_invalid }, settings, format)
        }
    }
}

/// Prints all lots and addresses, valued, or without values if the service fails.
fn list(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let UserData { lots, addresses, .. } = &data;
    if lots.is_empty() && addresses.is_empty() {
        print(&WalletReport::new(lots, Prices::default(), &Lookup::default(), settings), &data, settings, format)?;
        say_if_empty(&data, format);
        return Ok(());
    }
    let lookup = addresses::look_up(addresses, true, settings)?;
    let (prices, failure) = match prices(lots, &lookup, settings) {
        Ok(prices) => (prices, lookup.failure.clone().map(Failure::Operation)),
        Err(failure) => (Prices::default(), Some(failure)),
    };
    let mut report = WalletReport::new(lots, prices, &lookup, settings);
    output::set_reason(&mut report.warnings, failure.as_ref().and_then(Failure::reason), format);
    print(&report, &data, settings, format)?;
    failure.map_or(Ok(()), Err)
}

/// The value of the whole wallet, and whether it is simulated. Addresses are sent to a public provider only if the
/// notice about it was shown; otherwise the value omits them. Unreadable holdings count as unvalued.
pub(super) fn valuation(settings: &Settings) -> Result<(Valuation, bool), Failure> {
    let data = load(settings)?;
    let (lots, lookup) = (&data.lots, look_up_if_known(&data, settings)?);
    let mut report = WalletReport::new(lots, prices(lots, &lookup, settings)?, &lookup, settings);
    report.valuation.unvalued.extend(data.missing_holdings());
    let is_simulated = report.simulated || report.reply.as_ref().is_some_and(|reply| reply.simulated);
    Ok((report.valuation, is_simulated))
}

/// The balances of all addresses, if the notice about public providers was shown or isn't needed.
fn look_up_if_known(data: &UserData, settings: &Settings) -> Result<Lookup, Failure> {
    let may_send = |notice| !settings.is_live(Group::Indexer) || data.notices.contains(&notice);
    let with_tokens = may_send(Notice::AddressLookup);
    let with_bitcoin = may_send(Notice::BalanceLookup) || !privacy::are_balance_lookups_sent(settings);
    let mut lookup = if with_tokens {
        addresses::look_up(&data.addresses, with_bitcoin, settings)?
    } else {
        Lookup::without_balances(&data.addresses)
    };
    let are_requested = with_tokens && with_bitcoin;
    if !data.addresses.is_empty() && !are_requested {
        lookup.warnings.push(String::from("address balances not requested yet (run satscope wallet)"));
    }
    Ok(lookup)
}

/// Prints the wallet after a change: without values if the service fails, since the change was saved. Returns its value.
fn print_changed(settings: &Settings, format: Option<Format>) -> Result<Valuation, Failure> {
    let data = user_store::reload(settings).map_err(unreadable)?;
    let lookup = look_up_if_known(&data, settings)?;
    let (prices, failure) = match prices(&data.lots, &lookup, settings) {
        Ok(prices) => (prices, None),
        Err(Failure::Operation(reason) | Failure::Outage(reason)) => {
            (Prices::default(), Some(format!("no values: {reason}")))
        }
        Err(failure) => return Err(failure),
    };
    let mut report = WalletReport::new(&data.lots, prices, &lookup, settings);
    report.warnings.extend(failure);
    print(&report, &data, settings, format)?;
    say_if_empty(&data, format);
    Ok(report.valuation)
}

/// Says below an empty table that there is nothing to show.
fn say_if_empty(data: &UserData, format: Option<Format>) {
    let is_empty = data.lots.is_empty() && data.addresses.is_empty() && data.missing_holdings().is_empty();
    if is_empty && output::format(format) == Format::Table {
        say("no lots (add one: satscope wallet add 500 ordi @ 14.10)");
    }
}

fn add(words: &[String], fields: &LotFields, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let today = today(settings);
    let data = load_to_add(settings)?;
    let saved_addresses = &data.addresses;
    let line = words.join(" ");
    let entry = entry::parse(&line, today, saved_addresses).map_err(|error| usage_in(words, &error))?;
    let options = LotOptions { amount: None, price: None, currency: None, fields };
    refuse_twice(&entry, &options)?;
    options.check_points(&line).map_err(|error| usage(&error))?;
    let Entry { kind, amount, coin, price, currency, fee, date, note, address } = entry;
    let mut lot = Lot {
        id: LotId::default(),
        kind: kind.unwrap_or_default(),
        coin: coin_named(&coin, "lot not added", &data, settings)?,
        amount,
        price,
        fee,
        currency: currency.unwrap_or_else(|| settings.display.convert.clone()),
        date: date.unwrap_or(today),
        note,
        address,
    };
    set_fields(&mut lot, fields, saved_addresses, today)?;
    let added = added_sentence(&lot);
    user_store::save("wallet", &[Change::AddLot(Box::new(lot))], settings)?;
    let valuation = print_changed(settings, format)?;
    if output::format(format) == Format::Table {
        say(&added);
        if let Some(sentence) = far_cost_sentence(&valuation, &data.lots) {
            say(&sentence);
        }
    }
    Ok(())
}

/// The coin with a slug or unique symbol. A failure says first what was not done.
fn coin_named(name: &Text, context: &str, data: &UserData, settings: &Settings) -> Result<Watched, Failure> {
    find::named(name, data, settings).map_err(|failure| failure.with_context(context))
}

fn edit(
    id: LotId,
    words: &[String],
    options: &LotOptions<'_>,
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    if words.is_empty() && options.is_empty() {
        return Err(Failure::Usage(String::from("nothing to change (see satscope wallet edit --help)")));
    }
    let today = today(settings);
    let data = load(settings)?;
    let line = words.join(" ");
    let entry = match words {
        [] => None,
        _ => Some(entry::parse(&line, today, &data.addresses).map_err(|error| usage_in(words, &error))?),
    };
    options.check_points(&line).map_err(|error| usage(&error))?;
    let lot = data.lots.iter().find(|lot| lot.id == id).ok_or_else(|| not_found(id, &data))?;
    let coin = match &entry {
        Some(entry) => {
            refuse_twice(entry, options)?;
            other_coin(lot, &entry.coin, &data, settings)?
        }
        None => None,
    };
    let has_price = options.has_price() || entry.as_ref().is_some_and(|entry| entry.price.is_some());
    // Other fields keep the values that another process may have saved in the meantime.
    user_store::update("wallet", settings, |data| {
        let before = data.lots.iter().find(|lot| lot.id == id).cloned().ok_or_else(|| not_found(id, data))?;
        if let Some(coin) = coin.as_ref().filter(|_| before.price.is_some() && !has_price) {
            return Err(no_new_price(&before.coin, coin));
        }
        let mut lot = before.clone();
        if let Some(entry) = &entry {
            replace_parts(&mut lot, entry.clone(), coin.clone());
        }
        if let Some(amount) = options.amount {
            lot.amount = entry::amount(amount).map_err(|error| usage(&error))?;
        }
        if let Some(price) = options.price {
            lot.price = if is_none(price) { None } else { Some(LotPrice::Unit(money(price)?)) };
        }
        if let Some(currency) = options.currency {
            lot.currency = currency.clone();
        }
        set_fields(&mut lot, options.fields, &data.addresses, today)?;
        Ok(vec![Change::EditLot(Box::new(user_data::Edit { before, after: lot }))])
    })?;
    print_changed(settings, format).map(drop)
}

/// The coin of a lot's new line; `None` if unchanged. An unchanged name keeps its coin, even if other coins share it.
fn other_coin(lot: &Lot, name: &Text, data: &UserData, settings: &Settings) -> Result<Option<Watched>, Failure> {
    if lot.coin.slug.as_ref().unwrap_or(&lot.coin.symbol) == name {
        return Ok(None);
    }
    let coin = coin_named(name, "lot not changed", data, settings)?;
    Ok(Some(coin).filter(|coin| !coin.has_same_id(&lot.coin)))
}

/// The error for another coin without a new price: the old price would become the price of that coin.
fn no_new_price(old: &Watched, new: &Watched) -> Failure {
    let [old, new] = [old, new].map(|coin| coin.slug.as_ref().unwrap_or(&coin.symbol));
    Failure::Usage(format!(
        "lot not changed: its price is for {old} (give the price of {new} as @ PRICE or @@ TOTAL, or remove the lot \
         and add a new one)"
    ))
}

/// Replaces the parts of a lot that a line has. `coin` is its coin, if that is another one.
fn replace_parts(lot: &mut Lot, entry: Entry, coin: Option<Watched>) {
    let Entry { kind, amount, coin: _, price, currency, fee, date, note, address } = entry;
    if let Some(coin) = coin {
        lot.coin = coin;
    }
    lot.amount = amount;
    lot.kind = kind.unwrap_or(lot.kind);
    lot.price = price.or(lot.price.take());
    lot.currency = currency.unwrap_or_else(|| lot.currency.clone());
    lot.fee = fee.or(lot.fee.take());
    lot.date = date.unwrap_or(lot.date);
    lot.note = note.or(lot.note.take());
    lot.address = address.or(lot.address.take());
}

/// Removes lots. A range may contain IDs without a lot, such as of an import whose lots were removed before.
fn remove(ids: &[RangeInclusive<i64>], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let changes = |data: &UserData| -> Result<Vec<Change>, Failure> {
        let unreadable = data.unreadable.iter().filter_map(|about| match about.part {
            UnreadablePart::Lot(id) => Some((id, None)),
            _ => None,
        });
        let known: BTreeMap<LotId, Option<&Lot>> =
            unreadable.chain(data.lots.iter().map(|lot| (lot.id, Some(lot)))).collect();
        let mut removed: BTreeMap<LotId, Option<&Lot>> = BTreeMap::new();
        for ids in ids {
            let (first, last) = (LotId(*ids.start()), LotId(*ids.end()));
            let mut found = known.range(first..=last).peekable();
            if found.peek().is_none() {
                return Err(unknown_lots(first, last));
            }
            removed.extend(found);
        }
        let lot = |(id, lot): (LotId, Option<&Lot>)| lot.map_or_else(|| Lot::unreadable(id), Lot::clone);
        Ok(removed.into_iter().map(lot).map(|lot| Change::RemoveLot(Box::new(lot))).collect())
    };
    // Without such a lot, nothing is written.
    changes(&load(settings)?)?;
    let (mut removed, mut addresses) = (Vec::new(), Vec::new());
    user_store::update("wallet", settings, |data| {
        addresses.clone_from(&data.addresses);
        removed = changes(data)?;
        Ok(removed.clone())
    })?;
    let printed = print_changed(settings, format);
    // In every format, since nothing else has the removed lots.
    removed_sentences(&removed, &addresses).iter().for_each(|sentence| say(sentence));
    printed.map(drop)
}

fn import(
    file: &Path,
    options: import::ImportOptions,
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let before = load_to_add(settings)?;
    let undo = import::add(file, options, &before, today(settings), settings)?;
    let printed = print_changed(settings, format);
    // Below the table, which may be long.
    if let Some(sentence) = undo {
        say(&sentence);
    }
    printed.map(drop)
}

/// Sets the fields given as options.
fn set_fields(
    lot: &mut Lot,
    fields: &LotFields,
    saved_addresses: &[WalletAddress],
    today: Date,
) -> Result<(), Failure> {
    let LotFields { kind, total, address, date, fee, note } = fields;
    if let Some(kind) = kind {
        lot.kind = *kind;
    }
    if let Some(total) = total {
        lot.price = Some(LotPrice::Total(money(total)?));
    }
    if let Some(address) = address {
        lot.address = match address::named(address, saved_addresses) {
            // An address may have this label.
            Err(_) if is_none(address) => None,
            named => Some(named?),
        };
    }
    if let Some(date) = date {
        lot.date = match entry::date(date, today).map_err(|error| usage(&error))? {
            Some(date) => entry::checked_day(date, today).map_err(|error| usage(&error))?,
            None => {
                let shown = if date.trim().is_empty() { "\"\"" } else { date.as_str() };
                let sentence = format!("invalid date {shown} (expected YYYY-MM-DD, today or yesterday)");
                return Err(Failure::Usage(with_short_words(&sentence)));
            }
        };
    }
    if let Some(fee) = fee {
        lot.fee = if is_none(fee) { None } else { Some(money(fee)?) };
    }
    if let Some(note) = note {
        lot.note = entry::note_text("note", note).map_err(|error| usage(&error))?;
    }
    Ok(())
}

/// Whether the value of an option removes the field. An empty value is an error, since it may be an unset variable.
fn is_none(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("none")
}

fn money(text: &str) -> Result<Decimal, Failure> {
    entry::money(text).map_err(|error| usage(&error))
}

/// Why there is no lot with this ID to edit.
fn not_found(id: LotId, data: &UserData) -> Failure {
    if data.is_unreadable(UnreadablePart::Lot(id)) {
        Failure::Operation(format!("can't edit an unreadable lot (remove it: satscope wallet remove {id})"))
    } else {
        unknown_lot(id)
    }
}

fn load(settings: &Settings) -> Result<UserData, Failure> {
    user_store::load(settings).map_err(unreadable)
}

fn load_to_add(settings: &Settings) -> Result<UserData, Failure> {
    user_store::load_to_add(settings).map_err(unreadable)
}

fn unreadable(error: store::Error) -> Failure {
    Failure::Operation(format!("can't read the wallet: {error}"))
}

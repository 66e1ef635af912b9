//! Fetches the values of `satscope line`.

use super::super::failure::Failure;
use super::super::find;
use super::super::found_coins::FoundCoins;
use super::super::user_store;
use super::super::wallet;
use super::cache::{CachedValues, Line};
use super::template::{Field, Part, Subject, subjects};
use crate::client::Group;
use crate::config::Settings;
use crate::format::{ABSENT, Arrow, MoneyIn, PriceIn, with_currency};
use crate::model::{Coin, Currency, Decimal, Text, UtcTime};
use crate::portfolio::Valuation;

/// Fetches the values of all coins in a format, then those of the wallet. Those that can't be fetched have the reason in
/// their place. Returns the first failure, unless the database is damaged, which only the user can repair.
pub(super) fn fetch(parts: &[Part], settings: &Settings) -> (Line, Result<(), Failure>) {
    let mut line = Line::new();
    let checked = check_database(parts, settings);
    let (damaged, sound): (Vec<&Subject>, Vec<&Subject>) =
        subjects(parts).partition(|subject| checked.is_err() && needs_database(subject, settings));
    if let Err(failure) = &checked {
        set_failure(&mut line, &damaged, failure, true);
    }
    let outcome = fetch_sound(&mut line, &sound, settings);
    if let Err(failure) = &outcome {
        set_failure(&mut line, &sound, failure, false);
    }
    (line, checked.and(outcome))
}

/// Sets why the values of these subjects can't be fetched, unless they have been.
fn set_failure(line: &mut Line, subjects: &[&Subject], failure: &Failure, is_damaged: bool) {
    let Some(reason) = failure.reason() else { return };
    for &subject in subjects {
        let failed = || CachedValues { failure: Some(reason.to_owned()), is_damaged, ..CachedValues::default() };
        line.entry(subject.clone()).or_insert_with(failed);
    }
}

/// Fetches the values of coins, then those of the wallet. If the wallet fails, the line has those of the coins.
fn fetch_sound(line: &mut Line, subjects: &[&Subject], settings: &Settings) -> Result<(), Failure> {
    fetch_coins(line, subjects, settings)?;
    if subjects.contains(&&Subject::Wallet) {
        line.insert(Subject::Wallet, fetch_wallet(settings)?);
    }
    Ok(())
}

/// Fetches the values of all coins. Those of a coin are also added under its slug, if another name was given.
fn fetch_coins(line: &mut Line, subjects: &[&Subject], settings: &Settings) -> Result<(), Failure> {
    let convert = &settings.display.convert;
    let slugs: Vec<Text> = subjects
        .iter()
        .filter_map(|&subject| if let Subject::Coin(slug) = subject { Some(slug.clone()) } else { None })
        .collect();
    if slugs.is_empty() {
        return Ok(());
    }
    let at = Some(UtcTime::now().millis());
    let (found, reply) = find::find(&slugs, settings)?;
    let cached = CachedValues { at, simulated: reply.simulated, ..CachedValues::default() };
    for slug in slugs {
        match coin(&slug, &found) {
            Ok(coin) => {
                let values = Field::EVERY.map(|field| (field, coin_value(coin, field, convert))).into();
                let cached = CachedValues { values, ..cached.clone() };
                let own = coin.slug.clone().filter(|own| *own != slug);
                line.extend(own.map(|own| (Subject::Coin(own), cached.clone())));
                line.insert(Subject::Coin(slug), cached);
            }
            Err(slugs) => {
                let candidates = Some(slugs.into_iter().map(str::to_owned).collect());
                line.insert(Subject::Coin(slug), CachedValues { candidates, ..cached.clone() });
            }
        }
    }
    Ok(())
}

/// Fetches the values of the wallet.
fn fetch_wallet(settings: &Settings) -> Result<CachedValues, Failure> {
    let convert = &settings.display.convert;
    let at = Some(UtcTime::now().millis());
    let (total, simulated) = wallet::valuation(settings)?;
    let values = Field::EVERY.map(|field| (field, wallet_value(&total, field, convert))).into();
    Ok(CachedValues { at, simulated, values, ..CachedValues::default() })
}

/// The coin with a slug, or the only one with a symbol; otherwise the slugs of the coins with the symbol. A slug in
/// capitals may be a symbol, so the symbol counts first.
fn coin<'a>(name: &Text, found: &'a FoundCoins) -> Result<&'a Coin, Vec<&'a str>> {
    let coins = &found.coins;
    let of_symbol: Vec<&Coin> = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name)).collect();
    let exact = coins.iter().find(|coin| coin.slug.as_ref() == Some(name));
    match (exact, of_symbol.as_slice()) {
        (Some(coin), _) => Ok(coin),
        (None, [only]) => Ok(only),
        (None, []) => coins.iter().find(|coin| found.has_slug(coin, name)).ok_or_else(Vec::new),
        (None, several) => Err(several.iter().filter_map(|coin| coin.slug.as_deref()).collect()),
    }
}

/// Fails if the database is corrupt and a value of a format needs it.
pub(super) fn check_database(parts: &[Part], settings: &Settings) -> Result<(), Failure> {
    if !subjects(parts).any(|subject| needs_database(subject, settings)) {
        return Ok(());
    }
    user_store::refuse_corrupt(settings).map_err(|error| {
        Failure::Operation(format!("can't read the user data: {}", user_store::unreadable_database(&error)))
    })
}

/// Whether fetching values needs the database: for the wallet, and to count requests to providers, whose limits a
/// process that runs every minute would exceed.
fn needs_database(subject: &Subject, settings: &Settings) -> bool {
    match subject {
        Subject::Coin(_) => settings.is_live(Group::Market),
        Subject::Wallet => true,
    }
}

fn coin_value(coin: &Coin, field: Field, convert: &Currency) -> String {
    let price = || PriceIn(convert, coin.price.filter(|_| coin.convert == *convert)).to_string();
    let change = || Arrow(coin.change_24h_pct).to_string().replace(' ', "");
    match field {
        Field::All => format!("{} {} {}", coin.symbol, price(), change()),
        Field::Price => price(),
        Field::Change => change(),
        Field::Symbol => coin.symbol.to_string(),
    }
}

fn wallet_value(total: &Valuation, field: Field, convert: &Currency) -> String {
    let sign = convert.sign().map_or_else(|| format!("{convert} "), str::to_owned);
    // Mark that the value was truncated.
    let mark = if total.unvalued.is_empty() { "" } else { "*" };
    let has_price = total.holdings.iter().any(|held| held.price.is_some());
    let value = || {
        if has_price {
            with_currency(&sign, &format!("{}{mark}", MoneyIn(convert, total.value.to_f64())))
        } else {
            ABSENT.to_owned()
        }
    };
    let change = || Arrow(total.day_change_pct.as_ref().map(Decimal::to_f64)).to_string().replace(' ', "");
    match field {
        Field::All => format!("{} {}", value(), change()),
        Field::Price => value(),
        Field::Change => change(),
        Field::Symbol => convert.to_string(),
    }
}

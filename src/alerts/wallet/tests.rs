use jiff::civil::Date;

use super::*;
use crate::model::BitcoinBalance;
use crate::portfolio::wallet::TokenBalance;
use crate::portfolio::{CostMethod, Holding, Quote, holdings};
use crate::user_data::{Lot, LotPrice, Watched};

const NO_TOKENS: &[TokenBalance] = &[];

/// A wallet without addresses, with this value in dollars and prices of second 100.
fn wallet<'a>(valuation: &'a Valuation, convert: &'a Currency) -> LoadedWallet<'a> {
    LoadedWallet {
        addresses: &[],
        valuation,
        convert,
        knows_bitcoin: false,
        prices_at: Some(UtcTime::from_secs(100)),
        balances_at: None,
        has_all_prices: true,
        is_simulated: false,
        is_partly_simulated: false,
    }
}

/// The change over 24 hours.
fn change(wallet: &LoadedWallet<'_>) -> Result<WalletValue, UnknownValue> {
    WalletValues::new(wallet, [], |_| false, |_, _| None).change
}

#[test]
fn unknown_change_has_a_reason() {
    let balance = BitcoinBalance { address: "bc1q".into(), confirmed: 1, unconfirmed: 0 };
    let (text, valuation, usd) = (Text::from("bc1q"), Valuation::default(), Currency::usd());
    let reason = |tokens, bitcoin, lacks_bitcoin, has_all_prices, is_partly_simulated| {
        let addresses =
            [KnownAddress { address: &text, name: "cold".into(), tokens, is_complete: true, bitcoin, lacks_bitcoin }];
        let wallet = LoadedWallet {
            addresses: &addresses,
            prices_at: None,
            has_all_prices,
            is_simulated: is_partly_simulated,
            is_partly_simulated,
            ..wallet(&valuation, &usd)
        };
        change(&wallet).unwrap_err().to_string()
    };
    let (tokens, bitcoin) = (Some(NO_TOKENS), Some(&balance));
    assert_eq!(reason(None, bitcoin, false, true, false), "no balances for cold");
    assert_eq!(reason(tokens, None, false, true, false), "no bitcoin balance for cold");
    assert_eq!(reason(tokens, None, true, true, false), "no holdings");
    assert_eq!(reason(tokens, bitcoin, false, false, false), "no price for BTC");
    assert_eq!(reason(tokens, bitcoin, false, true, true), "no price for BTC");
    assert_eq!(reason(tokens, bitcoin, false, true, false), "no holdings");
}

#[test]
fn midnight_after_a_purchase_changes_the_source() {
    let (price, quote) = (Some(LotPrice::Unit(Decimal::from(9))), Some(Decimal::from(10)));
    let lot = Lot { price, ..Lot::bought(Watched::by_symbol("ORDI"), "2".parse().unwrap()) };
    let change_on = |today: Date, day_range| {
        let held = holdings(std::slice::from_ref(&lot), CostMethod::Fifo, &|_, _| Some(Decimal::from(1).into()));
        let quote = Quote { price: quote.clone(), change_24h_pct: Some(25.0), day_range, ..Quote::default() };
        let valuation = Valuation::new(held, today, |_| quote.clone());
        let WalletValue { number, source, .. } = change(&wallet(&valuation, &Currency::usd())).unwrap();
        (number.round(), source)
    };
    let range = Some((7.5, 10.5));
    let (bought, next_day) = (change_on(lot.date, range), change_on(lot.date.tomorrow().unwrap(), range));
    assert_eq!((bought.0, next_day.0), (11.0, 25.0));
    assert_ne!(bought.1, next_day.1);
    assert_eq!(change_on(lot.date, None), next_day, "a lot that counts the whole change");
}

#[test]
fn old_balances_make_the_change_older_than_its_prices() {
    let valuation = Valuation { day_change_pct: Some(Decimal::from(1)), ..Valuation::default() };
    let usd = Currency::usd();
    for (balances, at) in [(None, 100_000), (Some(99_900), 100_000), (Some(1_000), 1_000)] {
        let wallet = LoadedWallet {
            prices_at: Some(UtcTime::from_secs(100_000)),
            balances_at: balances.map(UtcTime::from_secs),
            ..wallet(&valuation, &usd)
        };
        let slow = if at == 1_000 { MAX_SLOW_DATA_AGE } else { std::time::Duration::ZERO };
        assert_eq!(change(&wallet).unwrap().at, UtcTime::from_secs(at).plus(slow));
    }
}

/// The value in a currency, of 2 ORDI at $10 and 3 SATS at this price in dollars; each at 9 EUR if `knows_other`.
fn value(currency: &str, sats: Option<u32>, knows_other: bool) -> Result<WalletValue, UnknownValue> {
    let lots = [("ORDI", "2"), ("SATS", "3")].map(|(symbol, amount)| {
        let coin = Watched { slug: Some(symbol.to_lowercase().into()), ..Watched::by_symbol(symbol) };
        Lot::bought(coin, amount.parse().unwrap())
    });
    let held = holdings(&lots, CostMethod::Fifo, &|_, _| Some(Decimal::from(1).into()));
    let price = |held: &Holding| if held.coin.symbol.as_str() == "ORDI" { Some(10) } else { sats }.map(Decimal::from);
    let valuation = Valuation::new(held, lots[0].date, |held| Quote { price: price(held), ..Quote::default() });
    let usd = Currency::usd();
    let wallet = wallet(&valuation, &usd);
    let other = |_: &HoldingValue, _: &Currency| knows_other.then(|| (Decimal::from(9), UtcTime::from_secs(90)));
    let currency = Currency::parse(currency).unwrap();
    let values = WalletValues::new(&wallet, [currency.clone()], |_| false, other);
    values.of(&Measure::Value(currency)).unwrap().cloned().map_err(Clone::clone)
}

#[test]
fn value_needs_all_prices_and_no_changes() {
    let found = value("USD", Some(1), false).unwrap();
    assert_eq!((found.number, found.at, found.note()), (23.0, UtcTime::from_secs(100), None));
    assert_eq!(value("USD", None, false).unwrap_err().to_string(), "no price for SATS");
}

#[test]
fn value_in_another_currency_has_the_prices_of_that_currency() {
    let found = value("EUR", Some(1), true).unwrap();
    assert_eq!((found.number, found.at), (45.0, UtcTime::from_secs(90)));
    assert_eq!(found.source, value("USD", Some(1), true).unwrap().source, "the same coins");
    assert_eq!(value("EUR", Some(1), false).unwrap_err().to_string(), "no EUR price for ORDI");
}

#[test]
fn value_waits_for_the_price_of_bitcoin_and_names_unknown_tokens() {
    let balance = BitcoinBalance { address: "bc1q".into(), confirmed: 1, unconfirmed: 0 };
    let lot = Lot::bought(Watched::by_symbol("ORDI"), "2".parse().unwrap());
    let held = holdings(std::slice::from_ref(&lot), CostMethod::Fifo, &|_, _| Some(Decimal::from(1).into()));
    let quote = Quote { price: Some(Decimal::from(10)), ..Quote::default() };
    let mut valuation = Valuation::new(held, lot.date, |_| quote.clone());
    valuation.unvalued.push("DUST".into());
    let address = Text::from("bc1q");
    let addresses = [KnownAddress {
        address: &address,
        name: "cold".into(),
        tokens: Some(NO_TOKENS),
        is_complete: true,
        bitcoin: Some(&balance),
        lacks_bitcoin: false,
    }];
    let value = |knows_bitcoin| {
        let usd = Currency::usd();
        let wallet = LoadedWallet { addresses: &addresses, knows_bitcoin, ..wallet(&valuation, &usd) };
        let values = WalletValues::new(&wallet, [Currency::usd()], |_| false, |_, _| None);
        let value = values.of(&Measure::Value(Currency::usd())).unwrap();
        value.map(|value| value.note()).map_err(ToString::to_string)
    };
    assert_eq!(value(false), Err(String::from("no price for BTC")));
    let note = "wallet alerts exclude DUST (no known balance or price)";
    assert_eq!(value(true), Ok(Some(String::from(note))));
}

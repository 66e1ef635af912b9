//! The wallet's JSON, table and sentences.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::addresses::AddressRow;
use crate::client::{Reply, Warning};
use crate::format::{ABSENT, Age, Exact, MoneyIn, Signed, with_separators};
use crate::model::{Amount, Currency, Decimal, RateOrigin, Text, UtcTime, address, provider};
use crate::portfolio::value::percent;
use crate::portfolio::{HoldingValue, LotProblem, LotState, Valuation};
use crate::user_data::{Lot, LotId};

/// The wallet. Amounts and money are exact decimal text.
#[derive(Debug, Serialize)]
pub(super) struct Wallet<'a> {
    convert: &'a Currency,
    /// The origin of the exchange rate of `convert`, if the service names it.
    rate: Option<&'a RateOrigin>,
    /// `None` if nothing has a price.
    value: Option<&'a Decimal>,
    /// `None` if nothing has a price, so that the counted cost is unknown.
    cost: Option<&'a Decimal>,
    profit: Option<&'a Decimal>,
    profit_pct: Option<f64>,
    /// `None` if lots need exchange rates and none were requested.
    realised: Option<&'a Decimal>,
    day_change: Option<&'a Decimal>,
    unvalued: &'a [Text],
    pub(super) lots: Vec<LotRow>,
    pub(super) addresses: &'a [AddressRow],
}

/// A lot.
#[derive(Debug, Serialize)]
pub(super) struct LotRow {
    id: i64,
    kind: &'static str,
    slug: Option<Text>,
    symbol: Text,
    amount: Amount,
    unit_price: Option<Decimal>,
    currency: Text,
    fee: Option<Decimal>,
    date: String,
    note: Option<Text>,
    /// The coin's price.
    price: Option<Decimal>,
    /// The value of the unsold part of the lot.
    value: Option<Decimal>,
    /// The profit of the unsold part, or of the sale.
    profit: Option<Decimal>,
    profit_pct: Option<f64>,
    share_pct: Option<f64>,
    /// The unsold part of the amount; `None` for a sale.
    remaining: Option<Decimal>,
    /// The address that holds it.
    address: Option<Text>,
}

impl<'a> Wallet<'a> {
    /// Some of the lots, with the totals of all. Without `is_complete`, holdings could not be read, so no total is 0.
    pub(super) fn new(
        valuation: &'a Valuation,
        lots: &[Lot],
        addresses: &'a [AddressRow],
        (convert, rate): (&'a Currency, Option<&'a RateOrigin>),
        has_rates: bool,
        is_complete: bool,
    ) -> Wallet<'a> {
        let states = || valuation.holdings.iter().flat_map(|holding| &holding.holding.lots);
        let lacks_rate = states().any(|state| matches!(state.problem, Some(LotProblem::NoRate(..))));
        let Valuation { holdings, value, cost, profit, profit_pct, realised, day_change, unvalued, .. } = valuation;
        let has_none = holdings.is_empty() && unvalued.is_empty();
        let (is_empty, is_unknown) = (has_none && is_complete, has_none && !is_complete);
        let has_price = is_empty || holdings.iter().any(|holding| holding.price.is_some());
        let has_change = is_empty || holdings.iter().any(|holding| holding.day_change.is_some());
        let by_lot = by_lot(valuation);
        let row = |lot: &Lot| LotRow::new(lot, by_lot.get(&lot.id).map_or(&[][..], Vec::as_slice), valuation);
        Wallet {
            convert,
            rate,
            value: has_price.then_some(value),
            cost: has_price.then_some(cost),
            profit: has_price.then_some(profit),
            profit_pct: profit_pct.as_ref().map(Decimal::to_f64),
            realised: ((has_rates || !lacks_rate) && !is_unknown).then_some(realised),
            day_change: has_change.then_some(day_change),
            unvalued,
            lots: lots.iter().map(row).collect(),
            addresses,
        }
    }

    /// The share of a balance's value in the total, in percent.
    fn share_pct(&self, value: Option<&Decimal>) -> Option<f64> {
        percent(value?, self.value?).as_ref().map(Decimal::to_f64)
    }
}

impl LotRow {
    /// The row of a lot, from its parts in holdings.
    fn new(lot: &Lot, parts: &[(&HoldingValue, &LotState)], valuation: &Valuation) -> LotRow {
        let (values, profits): (Vec<_>, Vec<_>) = parts.iter().map(|(holding, state)| holding.of_lot(state)).unzip();
        let costs: Vec<_> = parts.iter().map(|(_, state)| state.cost.clone()).collect();
        // If only the cost of some parts is known, the profit doesn't cover the lot.
        let has_cost = costs.iter().any(Option::is_some);
        let (value, cost) = (sum(values), sum(costs));
        let profits = profits.into_iter().filter(|profit| has_cost || profit.is_some());
        let profit = sum(profits);
        let profit_pct = profit.as_ref().zip(cost.as_ref()).and_then(|(profit, cost)| percent(profit, cost));
        let share_pct = value.as_ref().and_then(|value| percent(value, &valuation.value));
        let remaining = sum(parts.iter().filter(|_| lot.kind.adds()).map(|(_, state)| Some(state.open.clone())));
        LotRow {
            id: lot.id.0,
            kind: lot.kind.as_str(),
            slug: lot.coin.slug.clone(),
            symbol: lot.coin.symbol.clone(),
            amount: lot.amount,
            unit_price: lot.price.as_ref().and_then(|price| price.unit(lot.amount)),
            currency: lot.currency.clone().into(),
            fee: lot.fee.clone(),
            date: lot.date.to_string(),
            note: lot.note.clone(),
            price: parts.first().and_then(|(holding, _)| holding.price.clone()),
            value,
            profit,
            profit_pct: profit_pct.as_ref().map(Decimal::to_f64),
            share_pct: share_pct.as_ref().map(Decimal::to_f64),
            remaining,
            address: lot.address.clone(),
        }
    }
}

/// The sum of some numbers; `None` if one of them is unknown, or without any.
fn sum(numbers: impl IntoIterator<Item = Option<Decimal>>) -> Option<Decimal> {
    numbers.into_iter().reduce(|sum, number| Some(sum? + &number?)).flatten()
}

/// The holdings of each lot, and the unsold part of the lot in each.
type ByLot<'a> = HashMap<LotId, Vec<(&'a HoldingValue, &'a LotState)>>;

fn by_lot(valuation: &Valuation) -> ByLot<'_> {
    let mut lots = ByLot::new();
    for holding in &valuation.holdings {
        for state in &holding.holding.lots {
            lots.entry(state.id).or_default().push((holding, state));
        }
    }
    lots
}

/// The lots as rows, and in a table for people the balances of addresses below them.
pub(super) fn table_rows(wallet: &Wallet<'_>, is_table: bool) -> Vec<Map<String, Value>> {
    let row = |value: Value| if let Value::Object(row) = value { row } else { Map::new() };
    let mut slugs: HashMap<String, HashSet<&Text>> = HashMap::new();
    for lot in &wallet.lots {
        slugs.entry(lot.symbol.as_str().to_lowercase()).or_default().extend(&lot.slug);
    }
    let lots = wallet.lots.iter().map(|lot| {
        let mut row = row(serde_json::to_value(lot).unwrap_or_default());
        row.insert(String::from("convert"), json!(wallet.convert));
        // The slug tells lots of coins with the same symbol apart.
        let is_shared = || slugs.get(&lot.symbol.as_str().to_lowercase()).is_some_and(|slugs| slugs.len() > 1);
        if let Some(slug) = lot.slug.as_ref().filter(|_| is_table && is_shared()) {
            row.insert(String::from("symbol"), json!(slug));
        }
        if let Some(address) = lot.address.as_ref().filter(|_| is_table) {
            let known = wallet.addresses.iter().find(|known| known.address == *address);
            let name = known.and_then(|known| known.label.as_ref()).map(ToString::to_string);
            row.insert(String::from("address"), json!(name.unwrap_or_else(|| address::short(address))));
        }
        row
    });
    let balances = wallet.addresses.iter().filter(|_| is_table).flat_map(|address| {
        let name = address.label.as_ref().map_or_else(|| address::short(&address.address), ToString::to_string);
        let bitcoin_name = name.clone();
        let bitcoin = address.btc.as_ref().map(|amount| {
            let note = address.btc_unconfirmed.as_ref().map(|change| {
                let shown = with_separators(&change.to_string());
                if change.is_negative() { format!("{shown} unconfirmed") } else { format!("+{shown} unconfirmed") }
            });
            row(json!({
                "kind": "balance", "address": bitcoin_name, "symbol": "BTC", "amount": amount,
                "value": address.btc_value, "share_pct": wallet.share_pct(address.btc_value.as_ref()), "note": note,
            }))
        });
        let tokens = address.balances.iter().map(move |balance| {
            let parts = balance.available.zip(balance.transferable.filter(|amount| *amount > Amount::ZERO));
            let parts =
                parts.map(|(rest, amount)| format!("{} available, {} transferable", Exact(rest), Exact(amount)));
            let notes = [balance.unvalued_because.map(str::to_owned), parts];
            let note = notes.into_iter().flatten().reduce(|notes, note| format!("{notes}, {note}"));
            row(json!({
                "kind": "balance", "address": name, "symbol": balance.ticker, "amount": balance.overall,
                "value": balance.value, "share_pct": wallet.share_pct(balance.value.as_ref()), "note": note,
            }))
        });
        bitcoin.into_iter().chain(tokens)
    });
    lots.chain(balances).collect()
}

/// The origin of the exchange rate of the amounts, and its age at a time: `EUR rate: Frankfurter · 2 h ago`. `None` for
/// dollars, or if the service doesn't name it.
pub(super) fn rate_line(convert: &Currency, reply: &Reply, now: UtcTime) -> Option<String> {
    if reply.simulated {
        return (*convert != Currency::usd()).then(|| format!("{convert} rate: simulated"));
    }
    let RateOrigin { provider, at } = reply.rate.as_ref()?;
    let name = provider::credits(provider);
    Some(match Age(now.since(*at)) {
        age if age.is_now() => format!("{convert} rate: {name} · just now"),
        age => format!("{convert} rate: {name} · {age} ago"),
    })
}

/// The totals in one line. `missing` names holdings that could not be read.
pub(super) fn summary(valuation: &Valuation, thin: &[Text], missing: &[Text], convert: &Currency) -> String {
    let money = |sum: &Decimal| MoneyIn(convert, sum.to_f64()).to_string();
    let signed = |sum: &Decimal| format!("{}{}", if sum.is_negative() { "" } else { "+" }, money(sum));
    let percent = |change: &Option<Decimal>| {
        change.as_ref().map(|change| format!(" ({})", Signed(Some(change.to_f64())))).unwrap_or_default()
    };
    let Valuation { value, profit, profit_pct, realised, day_change, day_change_pct, unvalued, .. } = valuation;
    let has_price = valuation.holdings.iter().any(|holding| holding.price.is_some());
    let mut line = format!("{convert} {}", if has_price { money(value) } else { String::from(ABSENT) });
    if !unvalued.is_empty() || !missing.is_empty() {
        line += &format!(" without {}", [unvalued.as_slice(), missing].concat().join(", "));
    }
    if !thin.is_empty() {
        line += &format!(" · low volume: {}", thin.join(", "));
    }
    if day_change_pct.is_some() {
        line += &format!(" · 24h {}{}", signed(day_change), percent(day_change_pct));
        let without = valuation.without_change();
        if !without.is_empty() {
            line += &format!(" without {}", without.join(", "));
        }
    }
    if profit_pct.is_some() {
        // A part of the value has no known cost.
        let qualifier = if valuation.is_profit_partial() { " on known cost" } else { "" };
        line += &format!(" · profit {}{}{qualifier}", signed(profit), percent(profit_pct));
    }
    if !realised.is_zero() {
        line += &format!(" · realised {}", signed(realised));
    }
    line
}

/// The amounts excluded from the totals, one sentence each. `has_rates` is whether exchange rates were requested.
pub(super) fn problems(valuation: &Valuation, lots: &[Lot], convert: &Currency, has_rates: bool) -> Vec<Warning> {
    let by_lot = by_lot(valuation);
    let of_lot = |lot: &Lot| {
        let (_, state) = by_lot.get(&lot.id)?.first()?;
        let (id, symbol) = (lot.id, &lot.coin.symbol);
        Some(match state.problem.as_ref()? {
            LotProblem::NoRate(..) if !has_rates => return None,
            LotProblem::NoRate(currency, date) => {
                format!("lot {id}: no {currency}/{convert} rate for {date}, so its cost is excluded from profit")
            }
            LotProblem::MoreThanHeld(excess) => {
                format!(
                    "lot {id}: {excess} {symbol} more than held on {}; the excess is excluded from profit",
                    lot.date
                )
            }
            // The address's warning covers it.
            LotProblem::MoreThanBalance(_) => return None,
            LotProblem::NoPrice => format!("lot {id}: sold without a price, so it is excluded from profit"),
        })
    };
    let without_change = valuation.without_change();
    let day = (!without_change.is_empty() && valuation.day_change_pct.is_some())
        .then(|| format!("24h change excludes {} (change unknown)", without_change.join(", ")));
    lots.iter().filter_map(of_lot).chain(day).collect()
}

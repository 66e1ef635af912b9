//! Reads the holdings in cointop's configuration, `config.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::contents::Import;
use super::draft::{Draft, Format, Line, Problem, SkipReason, Skipped, is_zero, money};
use super::holdings::currency;
use super::row_error::RowError;
use crate::user_data::{LotKind, LotPrice};

/// The part of the configuration that is read.
#[derive(Deserialize)]
struct Config {
    portfolio: BTreeMap<String, Value>,
}

/// Reads the holdings, numbered from 1: `holdings = [["Bitcoin", "0.5", "30000", "EUR"]]`, where both price and
/// currency may be missing, and entries of old versions, `Bitcoin = 0.5`. `None` if it isn't TOML with a portfolio.
pub(super) fn read(bytes: &[u8]) -> Option<Import> {
    let Config { portfolio } = toml::from_str(str::from_utf8(bytes).ok()?).ok()?;
    let mut import = Import {
        format: Format::CointopConfig,
        drafts: Vec::new(),
        problems: Vec::new(),
        skipped: Vec::new(),
        other_fees: Vec::new(),
        readings: Vec::new(),
        encoding: None,
        has_lot_order: true,
    };
    for (line, cells) in (1..).zip(holdings(&portfolio)) {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        match holding(line, &cells) {
            Ok(Line::Lots(drafts)) => import.drafts.extend(drafts),
            Ok(Line::Skipped(reason)) => import.skipped.push(Skipped { line, reason }),
            Err(reason) => import.problems.push(Problem::new(line, reason)),
        }
    }
    Some(import)
}

/// The cells of each holding: name, amount, and maybe price and currency.
fn holdings(portfolio: &BTreeMap<String, Value>) -> Vec<Vec<String>> {
    const LIST: &str = "holdings";
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let listed = portfolio.get(LIST).and_then(Value::as_array).into_iter().flatten();
    let listed = listed.map(|holding| holding.as_array().into_iter().flatten().map(text).collect::<Vec<String>>());
    // The other keys of newer versions, such as `columns`, have no numbers.
    let is_amount = |value: &Value| value.is_number() || value.as_str().is_some_and(|text| money(text).is_ok());
    let old = portfolio.iter().filter(|(key, value)| *key != LIST && is_amount(value));
    listed.chain(old.map(|(name, amount)| vec![name.clone(), text(amount)])).collect()
}

fn holding(line: u64, cells: &[&str]) -> Result<Line, RowError> {
    let &[name, amount, ref rest @ ..] = cells else { return Err(RowError::NoAmount) };
    if is_zero(amount) {
        return Ok(Line::Skipped(SkipReason::NoHoldings));
    }
    let draft = Draft::new(line, LotKind::Receive, Some(name), Some(amount))?;
    let Some(price) = rest.first().filter(|price| !price.is_empty() && !is_zero(price)) else {
        return Ok(Line::lot(draft));
    };
    let code = rest.get(1).filter(|code| !code.is_empty()).ok_or(RowError::NoPriceCurrency)?;
    let currency = currency(code).ok_or_else(|| RowError::Currency((*code).to_owned()))?;
    let price = Some(LotPrice::Unit(money(price)?));
    Ok(Line::lot(Draft { kind: LotKind::Buy, price, currency: Some(currency), ..draft }))
}

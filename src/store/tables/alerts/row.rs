//! Reads a row of the table of alerts.

use rusqlite::Row;
use rusqlite::types::Type;

use super::target_kind::TargetKind;
use crate::model::{Amount, Currency, Decimal, Text, UtcTime, text};
use crate::user_data::alert::{Comparison, Condition, Measure, Rule, Target, Value, ValueSource};
use crate::user_data::{Alert, AlertId, AlertState, Watched};

/// Reads a row with all columns; `None` if a part is unknown to this version. A number that can't be read is an error:
/// without it, the alert would have another rule or state.
pub(super) fn alert(row: &Row<'_>) -> rusqlite::Result<Option<Alert>> {
    let text = |column: &str| row.get::<_, Option<String>>(column).map(|text| text.map(|text| clean(&text)));
    let time = |column: &str| row.get::<_, Option<i64>>(column).map(|at| at.map(UtcTime::from_millis));
    let decimal = |column: &str| parsed(row, column, |text| clean(text).parse::<Decimal>().ok());
    let source = |column: &str| text(column).map(|text| text.map(|text| ValueSource::parse(&text).into_owned()));
    let (target, name) = (text("target")?, text("name")?);
    let coin = Watched { symbol: text("symbol")?.unwrap_or_default(), slug: text("slug")?, id: text("coin_id")? };
    let currency = text("currency")?.and_then(|code| Currency::parse(&code));
    let rule = rule(&RuleParts {
        target: target.as_deref().unwrap_or_default(),
        coin: &coin,
        name: name.as_ref(),
        measure: text("measure")?.as_deref().unwrap_or_default(),
        currency: currency.as_ref(),
        ticker: text("ticker")?.as_ref(),
        comparison: text("comparison")?.as_deref(),
        number: decimal("number")?,
        rearm: decimal("rule_rearm")?,
    });
    let Some(rule) = rule else { return Ok(None) };
    let is_amount = rule.measure.is_amount();
    let value = |column: &str| parsed(row, column, |text| parse_value(&clean(text), is_amount));
    Ok(Some(Alert {
        id: AlertId(row.get("id")?),
        once: row.get("once")?,
        on: row.get("is_on")?,
        bell: row.get("bell")?,
        notify: row.get("notify")?,
        state: AlertState {
            revision: row.get("revision")?,
            armed: row.get("armed")?,
            rearm: decimal("rearm")?,
            last: value("last_value")?,
            checked_at: time("checked_at")?,
            source: source("source")?,
            baseline: value("baseline")?,
            outlier: value("outlier")?,
            steps: row.get("steps")?,
            balances: balances(row)?,
            bitcoin_source: source("bitcoin_source")?,
            bitcoin_at: time("bitcoin_at")?,
            fired: row.get("fired")?,
            fired_at: time("fired_at")?,
        },
        rule,
    }))
}

/// The columns of a rule.
struct RuleParts<'a> {
    target: &'a str,
    coin: &'a Watched,
    name: Option<&'a Text>,
    measure: &'a str,
    currency: Option<&'a Currency>,
    ticker: Option<&'a Text>,
    comparison: Option<&'a str>,
    number: Option<Decimal>,
    rearm: Option<Decimal>,
}

fn rule(parts: &RuleParts<'_>) -> Option<Rule> {
    let target = match TargetKind::parse(parts.target)? {
        TargetKind::Coin => Target::Coin(Some(parts.coin).filter(|coin| !coin.has_only_symbol())?.clone()),
        TargetKind::Token => Target::Token(parts.name?.clone()),
        TargetKind::Address => Target::Address(parts.name?.clone()),
        TargetKind::Wallet => Target::Wallet,
        TargetKind::Fees => Target::Fees,
    };
    let measure = Measure::parse(parts.measure, parts.currency, parts.ticker)?;
    let condition = match parts.comparison {
        None => Condition::Transfer,
        Some("every") => Condition::Every(parts.number.clone()?),
        Some(sign) => Condition::Limit(Comparison::parse(sign)?, parts.number.clone()?),
    };
    Some(Rule { target, measure, condition, rearm: parts.rearm.clone() })
}

fn parse_value(text: &str, is_amount: bool) -> Option<Value> {
    if is_amount {
        text.parse().ok().map(Value::Amount)
    } else {
        text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Number)
    }
}

/// The balances that `balances_text` writes.
fn balances(row: &Row<'_>) -> rusqlite::Result<Option<Vec<(Text, Amount)>>> {
    let Some(text) = row.get::<_, Option<String>>("balances")? else { return Ok(None) };
    let entry = |line: &str| {
        let parts = line.split_once(' ');
        let entry = parts.and_then(|(amount, ticker)| Some((clean(ticker), amount.parse::<Amount>().ok()?)));
        entry.ok_or_else(|| invalid(row, "balances", line))
    };
    let list: Vec<(Text, Amount)> = text.lines().map(entry).collect::<rusqlite::Result<_>>()?;
    Ok(Some(list))
}

/// The value of a column, if it has one.
fn parsed<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    parse(&text).ok_or_else(|| invalid(row, column, &text)).map(Some)
}

/// The error for text in a column that can't be parsed.
fn invalid(row: &Row<'_>, column: &str, text: &str) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or_default();
    let problem = format!("invalid {} {text:?}", column.replace('_', " "));
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, problem.into())
}

/// Text without control characters, since anyone could have written the file.
pub(super) fn clean(text: &str) -> Text {
    Text::from(text::clean_lines(text))
}

//! Exchange rates of past days, as our own service sends them.

use serde_json::Value;

use crate::client::error::ErrorKind;
use crate::client::request::{Request, Warning};
use crate::model::{Decimal, HistoricalRate};

/// Reads the rates. Those that can't be read or were not requested are skipped with a warning.
///
/// # Errors
/// The body is not a list.
pub(super) fn decode(request: &Request, body: &str) -> Result<(Vec<HistoricalRate>, Vec<Warning>), ErrorKind> {
    let values: Vec<Value> = serde_json::from_str(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => ErrorKind::Incomplete,
        serde_json::error::Category::Data => ErrorKind::Unrecognised(String::from("not a list of rates")),
        _ => ErrorKind::NotJson(String::from("other data")),
    })?;
    let (mut rates, mut warnings) = (Vec::new(), Vec::new());
    for (index, value) in values.into_iter().enumerate() {
        match serde_json::from_value::<HistoricalRate>(value) {
            Ok(rate) if !is_requested(request, &rate) => warnings.push(format!("$[{index}]: not a requested rate")),
            Ok(rate) if rate.rate <= Decimal::default() => warnings.push(format!("$[{index}].rate: not above zero")),
            Ok(rate) if !rate.is_consistent() => {
                warnings.push(format!("$[{index}].fraction: not the rate"));
                rates.push(HistoricalRate { fraction: None, ..rate });
            }
            Ok(rate) => rates.push(rate),
            Err(_) => warnings.push(format!("$[{index}]: not an exchange rate")),
        }
    }
    Ok((rates, warnings))
}

/// Whether the rate was requested and is not from a later day.
fn is_requested(request: &Request, rate: &HistoricalRate) -> bool {
    let Request::HistoricalRates { days, from, to } = request else { return false };
    days.contains(&rate.date) && from.contains(&rate.from) && rate.to == *to && rate.day <= rate.date
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::model::Currency;

    #[test]
    fn rates_are_read_exactly_and_others_are_skipped() {
        let currency = |code| Currency::parse(code).unwrap();
        let (days, from) = (vec![date(2025, 3, 2)], vec![currency("EUR")]);
        let request = Request::HistoricalRates { days, from, to: currency("USD") };
        let row = |from: &str, rate: &str, day: &str| {
            format!(r#"{{"date":"2025-03-02","from":"{from}","to":"USD","rate":{rate},"day":"{day}"}}"#)
        };
        let rows = [
            row("EUR", "\"1.040000000000000001\"", "2025-02-28"),
            row("EUR", "1.04", "2025-02-28"),
            row("EUR", "\"0\"", "2025-02-28"),
            row("EUR", "\"1.04\"", "2025-03-03"),
            row("GBP", "\"1.26\"", "2025-02-28"),
            String::from("7"),
        ];
        let (rates, warnings) = decode(&request, &format!("[{}]", rows.join(","))).unwrap();
        assert_eq!((rates.len(), warnings.len()), (1, 5), "{warnings:?}");
        assert_eq!((rates[0].rate.to_string().as_str(), rates[0].day), ("1.040000000000000001", date(2025, 2, 28)));
        let fraction = |denominator: &str| {
            let row = row("EUR", "\"0.925840199981483196\"", "2025-02-28");
            let rows =
                format!("[{}]", row.replace("\"day\"", &format!("\"fraction\":[\"1\",\"{denominator}\"],\"day\"")));
            let (rates, warnings) = decode(&request, &rows).unwrap();
            (rates[0].fraction.is_some(), warnings.len())
        };
        assert_eq!([fraction("1.0801"), fraction("1.08"), fraction("0")], [(true, 0), (false, 1), (false, 1)]);
        assert!(matches!(decode(&request, "{}"), Err(ErrorKind::Unrecognised(_))));
        assert!(matches!(decode(&request, "<html>"), Err(ErrorKind::NotJson(_))));
    }
}

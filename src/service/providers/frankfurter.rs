//! Frankfurter: daily exchange rates of central banks. Needs no key.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{self, Rows, readable_rows};
use super::source::{Provider, RateHistory, RateSource, Rates, first_day, last_day};
use crate::model::{Currency, Decimal, ProviderName, Zone};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::warnings::Warnings;

/// Rates are rounded to five or six decimals. For a rate below this with fewer than [`MIN_DIGITS`], such as for gold,
/// the reciprocal is requested.
const SMALL: f64 = 0.01;
const MIN_DIGITS: usize = 4;

const EURO: &str = "EUR";

/// Maximum days that a rate may be behind the newest one. Frankfurter keeps the last rate of a currency for 14 days.
const MAX_DAYS_BEHIND: i32 = 15;

struct Frankfurter {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "USD rates are available",
        path: "/v2/rates?base=USD",
        holds: |response| Probe::rows(response, "") > 0,
    }),
    ..ProviderInfo::new(ProviderName::Frankfurter, provider, ProviderDefaults::at("https://api.frankfurter.dev", 1_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), budget, |_| None);
    let source = Arc::new(Frankfurter { upstream: upstream.clone() });
    Provider::new(settings, upstream).tested_by("/v2/rates?base=USD").with_rates(source)
}

#[derive(Deserialize)]
struct Row {
    #[serde(default, deserialize_with = "lenient::or_none")]
    date: Option<Date>,
    base: String,
    quote: String,
    #[serde(deserialize_with = "lenient::number")]
    rate: f64,
}

/// A row of a history. The rate keeps its digits.
#[derive(Deserialize)]
struct PastRow {
    date: Date,
    base: String,
    quote: String,
    rate: Box<RawValue>,
}

#[async_trait]
impl RateSource for Frankfurter {
    async fn rates(&self) -> SourceResult<Rates> {
        let rows: Rows = self.upstream.get("/v2/rates?base=USD").await?.json()?;
        let rows: Vec<Row> = readable_rows(&rows, "rate", self.upstream.warnings())?;
        let rates = newest(rows, last_day(self.upstream.now()), self.upstream.warnings());
        if rates.per_dollar.is_empty() { Err(SourceError::unexpected_format("no rates for USD")) } else { Ok(rates) }
    }

    fn is_rounded(&self, rate: f64) -> bool {
        is_rounded(rate)
    }

    async fn precise_rate(&self, currency: &Currency) -> SourceResult<Rates> {
        let path = format!("/v2/rates?base={currency}&quotes=USD");
        let rows: Rows = self.upstream.get(&path).await.map_err(unknown_currency)?.json()?;
        let rows: Vec<Row> = readable_rows(&rows, "rate", self.upstream.warnings())?;
        let of_currency = rows.into_iter().filter(|row| row.base == currency.as_str());
        let inverted =
            of_currency.map(|row| Row { date: row.date, base: row.quote, quote: row.base, rate: 1.0 / row.rate });
        let rates = newest(inverted.collect(), last_day(self.upstream.now()), self.upstream.warnings());
        if rates.per_dollar.is_empty() {
            Err(SourceError::unexpected_format(format!("no USD rate for {currency}")))
        } else {
            Ok(rates)
        }
    }

    async fn history(&self, currency: &Currency, days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        let today = Zone::UTC.at(self.upstream.now()).date();
        let (first, last) = (first_day(&days), today.min(*days.end()));
        // Most central banks publish rates per euro, so that these are not rounded again.
        let path = |base: &str, quote: &str| format!("/v2/rates?base={base}&quotes={quote}&from={first}&to={last}");
        let response = self.upstream.get(&path(EURO, currency.as_str())).await.map_err(unknown_currency)?;
        let rates = history(response.text()?, (EURO, currency.as_str()), self.upstream.warnings())?;
        if !rates.iter().any(|(_, rate)| is_rounded(rate.to_f64())) {
            return Ok(RateHistory::without_contradictions(rates));
        }
        let response = self.upstream.get(&path(currency.as_str(), EURO)).await?;
        let rates = history(response.text()?, (currency.as_str(), EURO), self.upstream.warnings())?;
        let inverted = |(day, rate): (Date, Decimal)| Some((day, Decimal::from(1).divided_by(&rate)?));
        Ok(RateHistory::without_contradictions(rates.into_iter().filter_map(inverted)))
    }
}

/// Whether a rate has too few digits.
fn is_rounded(rate: f64) -> bool {
    let digits =
        |rate: f64| format!("{rate:e}").bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    rate > 0.0 && rate < SMALL && digits(rate) < MIN_DIGITS
}

/// The newest rate of each currency up to the `last` day. A rate much older than the others belongs to a currency that
/// is no longer quoted.
fn newest(mut rows: Vec<Row>, last: Date, warnings: &Warnings) -> Rates {
    let count = rows.len();
    rows.retain(|row| row.date.is_none_or(|day| day <= last));
    match count - rows.len() {
        0 => {}
        1 => warnings.note(String::from("Skipped 1 rate of a future day")),
        count => warnings.note(format!("Skipped {count} rates of future days")),
    }
    // The rate of the dollar itself always has the newest day.
    rows.retain(|row| row.base == "USD" && row.quote != row.base && row.rate > 0.0);
    let day = rows.iter().filter_map(|row| row.date).max();
    let first = day.map(|day| day.saturating_sub(MAX_DAYS_BEHIND.days()));
    let is_current = |row: &Row| row.date.zip(first).is_none_or(|(day, first)| day >= first);
    rows.retain(is_current);
    let mut days: HashMap<String, Option<Date>> = HashMap::new();
    for row in &rows {
        let newest = days.entry(row.quote.clone()).or_default();
        *newest = row.date.max(*newest);
    }
    let rates = rows.into_iter().filter(|row| days.get(&row.quote) == Some(&row.date));
    Rates::of(rates.filter_map(|row| Some((Currency::parse(&row.quote)?, row.rate))), day, warnings)
}

/// An invalid parameter means that it doesn't know the currency.
fn unknown_currency(error: SourceError) -> SourceError {
    match error.class {
        ErrorClass::Rejected => SourceError { class: ErrorClass::NotFound, ..error },
        _ => error,
    }
}

/// The positive rates of a pair by day.
///
/// # Errors
/// There are none.
fn history(body: &str, (base, quote): (&str, &str), warnings: &Warnings) -> SourceResult<Vec<(Date, Decimal)>> {
    let rows: Rows =
        serde_json::from_str(body).map_err(|_| SourceError::unexpected_format("expected a list of rates"))?;
    let rows: Vec<PastRow> = readable_rows(&rows, "rate", warnings)?;
    let is_wanted = |row: &&PastRow| row.base == base && row.quote == quote;
    let rate = |row: &PastRow| Some((row.date, Decimal::from_json_digits(row.rate.get())?));
    let rates: Vec<(Date, Decimal)> = rows.iter().filter(is_wanted).filter_map(rate).collect();
    if rates.iter().all(|(_, rate)| *rate <= Decimal::default()) {
        Err(SourceError::not_found(format!("no {base}/{quote} rates")))
    } else {
        Ok(rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_rate_of_each_currency_is_used() {
        let row = |day: &str, quote: &str, rate: f64| Row {
            date: day.parse().ok(),
            base: String::from("USD"),
            quote: quote.to_owned(),
            rate,
        };
        let warnings = Warnings::default();
        let newest = |rows| newest(rows, jiff::civil::date(2026, 11, 21), &warnings);
        let rates = newest(vec![
            row("2026-11-20", "EUR", 0.87),
            row("2019-11-20", "EUR", 0.5),
            row("2026-11-05", "GBP", 0.75),
            row("2026-11-04", "HRK", 7.5),
            row("", "JPY", 157.0),
            row("2026-11-20", "SEK", 0.0),
        ]);
        let of = |code: &str| rates.per_dollar.get(&Currency::parse(code).unwrap()).copied();
        assert_eq!(["EUR", "GBP", "HRK", "JPY", "SEK"].map(of), [Some(0.87), Some(0.75), None, Some(157.0), None]);
        assert_eq!(rates.day, Some(jiff::civil::date(2026, 11, 20)));
        assert_eq!((newest(vec![row("", "EUR", 0.87)]).day, warnings.sentence()), (None, None));
        // A row of a future day leaves the others.
        let rates = newest(vec![row("2026-11-20", "EUR", 0.87), row("2031-01-01", "XAF", 600.0)]);
        assert_eq!((rates.per_dollar.len(), rates.day), (1, Some(jiff::civil::date(2026, 11, 20))));
        assert_eq!(warnings.sentence().unwrap(), "Skipped 1 rate of a future day");
        assert!(newest(vec![row("2031-01-01", "EUR", 0.87), row("2031-01-01", "XAF", 600.0)]).per_dollar.is_empty());
        assert_eq!(warnings.sentence().unwrap(), "Skipped 2 rates of future days");
    }

    #[test]
    fn currency_with_different_rates_of_a_day_is_left_out() {
        let rows: Rows = serde_json::from_str(
            r#"[{"date":"2026-11-20","base":"USD","quote":"EUR","rate":0.9},
            {"date":"2026-11-20","base":"USD","quote":"EUR","rate":0.5},
            {"date":"2026-11-20","base":"USD","quote":"GBP","rate":0.75},
            {"date":"2026-11-20","base":"USD","quote":"GBP","rate":"0.7501"},
            {"date":"2026-11-19","base":"USD","quote":"JPY","rate":157.0},
            {"date":"2026-11-20","base":"USD","quote":"JPY","rate":150.0}]"#,
        )
        .unwrap();
        let warnings = Warnings::default();
        let rows: Vec<Row> = readable_rows(&rows, "rate", &warnings).unwrap();
        let rates = newest(rows, jiff::civil::date(2026, 11, 21), &warnings);
        let rates: Vec<String> = rates.per_dollar.iter().map(|(code, rate)| format!("{code} {rate}")).collect();
        assert_eq!(rates, ["GBP 0.75", "JPY 150"]);
        assert_eq!(warnings.sentence().unwrap(), "Skipped contradictory rates for EUR");
    }

    #[test]
    fn historical_rates_keep_their_digits() {
        let body = r#"[{"date":"2025-02-28","base":"EUR","quote":"USD","rate":1.0411000000000000001},
            {"date":"2025-03-03","base":"EUR","quote":"USD","rate":4.60e-05},
            {"date":"2025-03-04","base":"EUR","quote":"USD","rate":0.0},
            {"date":"2025-03-10","base":"EUR","quote":"USD","rate":1.05},
            {"date":"2025-03-10","base":"EUR","quote":"USD","rate":1.50},
            {"date":"2025-03-05","base":"EUR","quote":"USD","rate":null},
            {"date":"2025-03-06","base":"EUR","quote":"GBP","rate":0.83},
            {"date":"2025-03-07","base":"EUR","quote":"USD","rate":1e400},
            {"date":"2025-13-08","base":"EUR","quote":"USD","rate":1.04}, "maintenance"]"#;
        let warnings = Warnings::default();
        let history = |body| history(body, (EURO, "USD"), &warnings);
        let RateHistory(rates) = RateHistory::without_contradictions(history(body).unwrap());
        let rates: Vec<String> = rates.iter().map(|(day, rate)| format!("{day} {rate}")).collect();
        assert_eq!(rates, ["2025-02-28 1.0411000000000000001", "2025-03-03 0.000046"]);
        assert_eq!(warnings.sentence().unwrap(), "Skipped 2 unreadable rates");
        assert_eq!(history("[]").unwrap_err().class, ErrorClass::NotFound);
        assert_eq!(history("{}").unwrap_err().class, ErrorClass::UnexpectedFormat);
    }

    #[test]
    fn small_rates_with_few_digits_are_rounded() {
        for (rate, expected) in [
            (0.00024, true),
            (0.000_241_3, false),
            (0.0071, true),
            (0.00707, true),
            (0.007_071, false),
            (0.01, false),
            (0.5, false),
            (157.0, false),
            (0.0, false),
        ] {
            assert_eq!(is_rounded(rate), expected, "{rate}");
        }
    }
}

//! Frankfurter: daily exchange rates of central banks. Needs no key.

use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::info::{Probe, ProviderInfo};
use super::lenient::{self, Rows, readable_rows};
use super::source::{Provider, RateHistory, RateSource, Rates, first_day};
use super::terms::Terms;
use crate::model::{Currency, Decimal, ProviderName, Zone};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::warnings::Warnings;

struct Frankfurter {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "USD rates are available",
        path: "/v2/rates?base=USD",
        holds: |response| response.json::<serde_json::Value>().is_ok(),
    }),
    ..ProviderInfo::new(ProviderName::Frankfurter, provider, Terms::at("https://api.frankfurter.dev", 1_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), gate, |_| None);
    let source = Arc::new(Frankfurter { upstream: upstream.clone() });
    Provider::new(settings, upstream).tested_by("/v2/rates?base=USD").with_rates(source)
}

#[derive(Deserialize)]
struct Row {
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
        let mut rates = Rates::default();
        for Row { base, quote, rate } in rows {
            if base == "USD" && rate > 0.0 {
                rates.0.extend(Currency::parse(&quote).map(|quote| (quote, rate)));
            }
        }
        match rates.0.is_empty() {
            true => Err(SourceError::unexpected_format("no rates for USD")),
            false => Ok(rates),
        }
    }

    async fn history(&self, currency: &Currency, days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        let today = Zone::UTC.at(self.upstream.now()).date();
        let (first, last) = (first_day(&days), today.min(*days.end()));
        // Most central banks publish rates per euro, so that these are not rounded again.
        let path = format!("/v2/rates?base=EUR&quotes={currency}&from={first}&to={last}");
        let response = self.upstream.get(&path).await.map_err(unknown_currency)?;
        history(response.text()?, currency, self.upstream.warnings())
    }
}

/// An invalid parameter means that it doesn't know the currency.
fn unknown_currency(error: SourceError) -> SourceError {
    match error.class {
        ErrorClass::Rejected => SourceError::not_found(error.reason),
        _ => error,
    }
}

fn history(body: &str, currency: &Currency, warnings: &Warnings) -> SourceResult<RateHistory> {
    let rows: Rows =
        serde_json::from_str(body).map_err(|_| SourceError::unexpected_format("expected a list of rates"))?;
    let rows: Vec<PastRow> = readable_rows(&rows, "rate", warnings)?;
    let is_wanted = |row: &&PastRow| row.base == "EUR" && row.quote == currency.as_str();
    let rate = |row: &PastRow| Some((row.date, Decimal::from_json_digits(row.rate.get())?));
    let history = RateHistory::of(rows.iter().filter(is_wanted).filter_map(rate));
    match history.0.is_empty() {
        true => Err(SourceError::not_found(format!("no rates of {currency}"))),
        false => Ok(history),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn historical_rates_keep_their_digits() {
        let body = r#"[{"date":"2025-02-28","base":"EUR","quote":"USD","rate":1.0411000000000000001},
            {"date":"2025-03-03","base":"EUR","quote":"USD","rate":4.60e-05},
            {"date":"2025-03-04","base":"EUR","quote":"USD","rate":0.0},
            {"date":"2025-03-05","base":"EUR","quote":"USD","rate":null},
            {"date":"2025-03-06","base":"EUR","quote":"GBP","rate":0.83},
            {"date":"2025-03-07","base":"EUR","quote":"USD","rate":1e400},
            {"date":"2025-13-08","base":"EUR","quote":"USD","rate":1.04}, "maintenance"]"#;
        let (usd, warnings) = (Currency::usd(), Warnings::default());
        let RateHistory(rates) = history(body, &usd, &warnings).unwrap();
        let rates: Vec<String> = rates.iter().map(|(day, rate)| format!("{day} {rate}")).collect();
        assert_eq!(rates, ["2025-02-28 1.0411000000000000001", "2025-03-03 0.000046"]);
        assert_eq!(warnings.sentence().unwrap(), "Skipped 2 unreadable rates");
        assert_eq!(history("[]", &usd, &warnings).unwrap_err().class, ErrorClass::NotFound);
        assert_eq!(history("{}", &usd, &warnings).unwrap_err().class, ErrorClass::UnexpectedFormat);
    }
}

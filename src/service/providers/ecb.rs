//! The European Central Bank's reference rates, published on working days. Needs no key.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::source::{Provider, RateHistory, RateSource, Rates, first_day, last_day};
use crate::model::{Currency, Decimal, ProviderName, Zone};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::warnings::Warnings;

struct Ecb {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "daily rates have a rate for USD",
        path: "/stats/eurofxref/eurofxref-daily.xml",
        holds: |response| response.text().is_ok_and(|text| usd_rates(text, Date::MAX, &Warnings::default()).is_some()),
    }),
    ..ProviderInfo::new(ProviderName::Ecb, provider, ProviderDefaults::at("https://www.ecb.europa.eu", 1_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), budget, |_| None);
    let source = Arc::new(Ecb { upstream: upstream.clone() });
    Provider::new(settings, upstream).tested_by("/stats/eurofxref/eurofxref-daily.xml").with_rates(source)
}

#[async_trait]
impl RateSource for Ecb {
    async fn rates(&self) -> SourceResult<Rates> {
        let response = self.upstream.get("/stats/eurofxref/eurofxref-daily.xml").await?;
        let rates = usd_rates(response.text()?, last_day(self.upstream.now()), self.upstream.warnings());
        rates.ok_or_else(|| SourceError::unexpected_format("no rates for USD"))
    }

    async fn history(&self, currency: &Currency, days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        let unknown = || SourceError::not_found(format!("no rates for {currency}"));
        if !QUOTED.contains(&currency.as_str()) {
            return Err(unknown());
        }
        let (today, first) = (Zone::UTC.at(self.upstream.now()).date(), first_day(&days));
        let is_recent = today.saturating_sub(RECENT_DAYS.days()) <= first;
        let name = if is_recent { "eurofxref-hist-90d.xml" } else { "eurofxref-hist.xml" };
        let response = self.upstream.get(&format!("/stats/eurofxref/{name}")).await?;
        let history = history(response.text()?, currency, first);
        if history.0.is_empty() { Err(unknown()) } else { Ok(history) }
    }
}

/// The currencies that the bank quotes or has quoted. Others need no download.
const QUOTED: [&str; 41] = [
    "AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CYP", "CZK", "DKK", "EEK", "GBP", "HKD", "HRK", "HUF", "IDR", "ILS",
    "INR", "ISK", "JPY", "KRW", "LTL", "LVL", "MTL", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "ROL", "RON", "RUB",
    "SEK", "SGD", "SIT", "SKK", "THB", "TRL", "TRY", "USD", "ZAR",
];

/// Days covered by the shorter of the two documents with historical rates.
const RECENT_DAYS: i32 = 80;

/// Reads the rates of a currency from a document with a `<Cube time='2025-02-28'>` around the rates of each day.
fn history(xml: &str, currency: &Currency, first: Date) -> RateHistory {
    let mut day: Option<Date> = None;
    let mut rates = Vec::new();
    for element in xml.split("<Cube").skip(1) {
        let element = element.split('>').next().unwrap_or_default();
        if let Some(time) = attribute(element, "time") {
            day = time.parse().ok().filter(|day| *day >= first);
        } else if attribute(element, "currency") == Some(currency.as_str()) {
            rates.extend(day.zip(attribute(element, "rate").and_then(|rate| rate.parse::<Decimal>().ok())));
        }
    }
    RateHistory::without_contradictions(rates)
}

/// Converts the rates of the newest day up to the `last` one, which are per euro: `<Cube currency='USD' rate='1.0876'/>`.
/// Two attributes of one element don't need an XML parser; other elements are skipped.
fn usd_rates(xml: &str, last: Date, warnings: &Warnings) -> Option<Rates> {
    let mut days: BTreeMap<Option<Date>, Vec<(Currency, f64)>> = BTreeMap::new();
    let mut day: Option<Date> = None;
    for element in xml.split("<Cube").skip(1) {
        let element = element.split('>').next().unwrap_or_default();
        day = attribute(element, "time").map_or(day, |time| time.parse().ok());
        let (Some(code), Some(rate)) = (attribute(element, "currency"), attribute(element, "rate")) else { continue };
        let rate = rate.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
        days.entry(day).or_default().extend(Currency::parse(code).zip(rate));
    }
    let count = days.len();
    days.retain(|day, _| day.is_none_or(|day| day <= last));
    if days.len() < count {
        warnings.note(String::from("Skipped rates of a future day"));
    }
    let (day, rates) = days.pop_last()?;
    let mut per_euro = Rates::of(rates, day, warnings).per_dollar;
    let dollars = *per_euro.get(&Currency::usd())?;
    per_euro.extend(Currency::parse("EUR").map(|euro| (euro, 1.0)));
    let per_dollar = per_euro.into_iter().map(|(currency, rate)| (currency, rate / dollars)).collect();
    Some(Rates { per_dollar, day })
}

/// The value of an attribute, in single or double quotes.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let after = element.split_once(&format!("{name}="))?.1;
    let quote = after.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    after.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn euro_rates_are_converted_to_dollar_rates() {
        let xml = "<?xml version=\"1.0\"?><gesmes:Envelope><Cube><Cube time='2026-11-20'>\
                   <Cube currency='USD' rate='1.25'/><Cube currency=\"JPY\" rate=\"150\"/>\
                   <Cube currency='XXX' rate='none'/></Cube></Cube></gesmes:Envelope>";
        let warnings = Warnings::default();
        let usd_rates = |xml: &str| usd_rates(xml, date(2026, 11, 21), &warnings);
        let Rates { per_dollar: rates, day } = usd_rates(xml).unwrap();
        assert_eq!(day, Some(date(2026, 11, 20)));
        let of = |code: &str| rates.get(&Currency::parse(code).unwrap()).copied();
        assert_eq!((of("EUR"), of("JPY"), of("USD"), of("XXX")), (Some(0.8), Some(120.0), Some(1.0), None));
        assert_eq!(usd_rates("<Cube currency='JPY' rate='150'/>"), None);
        assert_eq!((usd_rates("<html>"), warnings.sentence()), (None, None));
    }

    #[test]
    fn rates_of_the_newest_day_without_contradictions_are_used() {
        let warnings = Warnings::default();
        let rates = |xml: &str| {
            let Rates { per_dollar, day } = usd_rates(xml, date(2026, 11, 21), &warnings)?;
            Some((day, per_dollar.into_iter().map(|(currency, rate)| format!("{currency} {rate}")).collect::<Vec<_>>()))
        };
        let day = |day: &str, rates: &[(&str, f64)]| {
            let rate = |(code, rate): &(&str, f64)| format!("<Cube currency='{code}' rate='{rate}'/>");
            format!("<Cube time='{day}'>{}</Cube>", rates.iter().map(rate).collect::<String>())
        };
        let (friday, thursday) =
            (day("2026-11-20", &[("USD", 1.25)]), day("2026-11-19", &[("USD", 2.0), ("JPY", 150.0)]));
        let only_friday = Some((Some(date(2026, 11, 20)), vec![String::from("EUR 0.8"), String::from("USD 1")]));
        assert_eq!(rates(&format!("{friday}{thursday}")), only_friday);
        assert_eq!(rates(&format!("{thursday}{friday}")), only_friday);
        assert_eq!(warnings.sentence(), None);
        let future = day("2031-01-01", &[("USD", 1.0)]);
        assert_eq!(rates(&format!("{future}{friday}")), only_friday);
        assert_eq!((rates(&future), warnings.sentence().as_deref()), (None, Some("Skipped rates of a future day")));
        let twice = [("USD", 1.25), ("JPY", 150.0), ("USD", 1.25), ("JPY", 15.0)];
        assert_eq!(rates(&day("2026-11-20", &twice)), only_friday);
        assert_eq!(warnings.sentence().unwrap(), "Skipped contradictory rates for JPY");
        assert_eq!(rates(&day("2026-11-20", &[("USD", 1.25), ("USD", 0.8)])), None);
    }

    #[test]
    fn historical_rates_keep_their_digits() {
        let xml = "<Cube><Cube time=\"2025-03-03\"><Cube currency=\"USD\" rate=\"1.0465\"/>\
                   <Cube currency=\"JPY\" rate=\"157.60\"/></Cube><Cube time=\"2025-02-28\">\
                   <Cube currency=\"USD\" rate=\"1.0411\"/></Cube><Cube time=\"2024-12-19\">\
                   <Cube currency=\"USD\" rate=\"1.0388\"/></Cube></Cube>";
        let of = |code: &str| {
            let RateHistory(rates) =
                history(xml, &Currency::parse(code).unwrap(), first_day(&(date(2025, 1, 1)..=date(2025, 12, 31))));
            rates.iter().map(|(day, rate)| format!("{day} {rate}")).collect::<Vec<_>>()
        };
        assert_eq!(of("USD"), ["2025-02-28 1.0411", "2025-03-03 1.0465"]);
        assert_eq!(of("JPY"), ["2025-03-03 157.6"]);
        assert_eq!(of("GBP"), [""; 0]);
    }
}

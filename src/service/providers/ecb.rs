//! The European Central Bank's reference rates, published on working days. Needs no key.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::info::ProviderInfo;
use super::source::{Provider, RateSource, Rates};
use super::terms::Terms;
use crate::model::{Currency, ProviderName};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

struct Ecb {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo =
    ProviderInfo::new(ProviderName::Ecb, Terms::at("https://www.ecb.europa.eu", 1_000));

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), gate, |_| None);
    let source = Arc::new(Ecb { upstream: upstream.clone() });
    Provider::new(settings, upstream).tested_by("/stats/eurofxref/eurofxref-daily.xml").with_rates(source)
}

#[async_trait]
impl RateSource for Ecb {
    async fn rates(&self) -> SourceResult<Rates> {
        let response = self.upstream.get("/stats/eurofxref/eurofxref-daily.xml").await?;
        usd_rates(response.text()?).ok_or_else(|| SourceError::unexpected_format("no rates for USD"))
    }
}

/// Converts the rates of the document, which are per euro: `<Cube currency='USD' rate='1.0876'/>`. Two attributes of
/// one element don't need an XML parser; other elements are skipped.
fn usd_rates(xml: &str) -> Option<Rates> {
    let mut per_euro: BTreeMap<Currency, f64> = BTreeMap::new();
    for element in xml.split("<Cube").skip(1) {
        let element = element.split('>').next().unwrap_or_default();
        let (Some(code), Some(rate)) = (attribute(element, "currency"), attribute(element, "rate")) else { continue };
        let rate = rate.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
        per_euro.extend(Currency::parse(code).zip(rate));
    }
    let dollars = *per_euro.get(&Currency::usd())?;
    per_euro.extend(Currency::parse("EUR").map(|euro| (euro, 1.0)));
    Some(Rates(per_euro.into_iter().map(|(currency, rate)| (currency, rate / dollars)).collect()))
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

    #[test]
    fn euro_rates_are_converted_to_dollar_rates() {
        let xml = "<?xml version=\"1.0\"?><gesmes:Envelope><Cube><Cube time='2026-11-20'>\
                   <Cube currency='USD' rate='1.25'/><Cube currency=\"JPY\" rate=\"150\"/>\
                   <Cube currency='XXX' rate='none'/></Cube></Cube></gesmes:Envelope>";
        let Rates(rates) = usd_rates(xml).unwrap();
        let of = |code: &str| rates.get(&Currency::parse(code).unwrap()).copied();
        assert_eq!((of("EUR"), of("JPY"), of("USD"), of("XXX")), (Some(0.8), Some(120.0), Some(1.0), None));
        assert_eq!(usd_rates("<Cube currency='JPY' rate='150'/>"), None);
        assert_eq!(usd_rates("<html>"), None);
    }
}

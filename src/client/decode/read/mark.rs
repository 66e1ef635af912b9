//! Currencies in formatted numbers: `€8.41`, `US$8`, `8.41 EUR`.

use crate::model::Currency;

/// A currency in a formatted number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum Mark {
    /// A code, or a sign that belongs to one currency: `EUR`, `€`, `US$`.
    Currency(Currency),
    /// A sign that several currencies share: `$`, `¥`.
    Shared(char),
}

/// The currencies with the sign `$`.
const DOLLARS: &str = "USD CAD AUD NZD HKD SGD TWD MXN BRL ARS CLP COP UYU DOP BBD BMD BND BSD BZD FJD GYD JMD KYD LRD \
    NAD SBD SRD TTD XCD";

impl Mark {
    /// The mark for a code.
    pub(super) fn of_code(code: &str) -> Option<Mark> {
        Currency::parse(code).map(Mark::Currency)
    }

    /// The mark for a sign, with the letters before it: `$`, `US$`, `CAD$`. `None` for unknown letters.
    pub(super) fn of_sign(letters: &str, sign: char) -> Option<Mark> {
        let code = match (letters, sign) {
            ("", '$' | '¥') => return Some(Mark::Shared(sign)),
            ("", _) => return Currency::of_sign(sign.encode_utf8(&mut [0; 4])).map(Mark::Currency),
            ("US", '$') => "USD",
            ("C" | "CA", '$') => "CAD",
            ("A" | "AU", '$') => "AUD",
            ("NZ", '$') => "NZD",
            ("HK", '$') => "HKD",
            ("S" | "SG", '$') => "SGD",
            ("NT", '$') => "TWD",
            ("MX", '$') => "MXN",
            ("R", '$') => "BRL",
            ("CN", '¥') => "CNY",
            ("JP", '¥') => "JPY",
            (code, _) => code,
        };
        Currency::parse(code).filter(|currency| has_sign(currency, sign)).map(Mark::Currency)
    }

    /// Joins the marks before and after a number; `None` if they contradict each other.
    pub(super) fn joined(before: Option<Mark>, after: Option<Mark>) -> Option<Option<Mark>> {
        Some(match (before, after) {
            (None, one) | (one, None) => one,
            (Some(Mark::Shared(sign)), Some(Mark::Currency(currency)))
            | (Some(Mark::Currency(currency)), Some(Mark::Shared(sign)))
                if has_sign(&currency, sign) =>
            {
                Some(Mark::Currency(currency))
            }
            (before, after) if before == after => after,
            _ => return None,
        })
    }

    /// The currency, which must be the `stated` one, if any. A shared sign means the stated currency. Without one, `$`
    /// means the US dollar, unless another dollar was requested, and `¥` means the requested currency. `None` if it is
    /// unclear.
    pub(in crate::client::decode) fn currency(
        &self,
        stated: Option<&Currency>,
        requested: &Currency,
    ) -> Option<Currency> {
        match (self, stated) {
            // On most sites, `SATS` are sats, not the token.
            (Mark::Currency(currency), _) if matches!(currency.as_str(), "SAT" | "SATS") => None,
            (Mark::Currency(currency), Some(stated)) => (currency == stated).then(|| stated.clone()),
            (Mark::Currency(currency), None) => (currency == requested || currency.exists()).then(|| currency.clone()),
            (Mark::Shared(sign), Some(stated)) => has_sign(stated, *sign).then(|| stated.clone()),
            (Mark::Shared('$'), None) if !has_sign(requested, '$') => Some(Currency::usd()),
            (Mark::Shared('$'), None) => Some(requested.clone()).filter(|requested| *requested == Currency::usd()),
            (Mark::Shared(sign), None) => has_sign(requested, *sign).then(|| requested.clone()),
        }
    }

    /// Whether it may be the symbol of a coin.
    pub(super) fn may_be_coin(&self) -> bool {
        match self {
            Mark::Currency(currency) => currency.is_coin() || currency.is_quote_coin() || !currency.exists(),
            Mark::Shared(_) => false,
        }
    }
}

fn has_sign(currency: &Currency, sign: char) -> bool {
    match sign {
        '$' => DOLLARS.split_whitespace().any(|code| code == currency.as_str()),
        _ => currency.sign().is_some_and(|known| known.chars().eq([sign])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_sign_means_stated_or_requested_currency() {
        let currency = |code| Currency::parse(code).unwrap();
        for (sign, stated, requested, expected) in [
            ('$', None, "USD", Some("USD")),
            ('$', None, "EUR", Some("USD")),
            ('$', None, "CAD", None),
            ('$', Some("CAD"), "USD", Some("CAD")),
            ('$', Some("EUR"), "USD", None),
            ('¥', None, "JPY", Some("JPY")),
            ('¥', None, "CNY", Some("CNY")),
            ('¥', None, "USD", None),
            ('¥', Some("CNY"), "USD", Some("CNY")),
        ] {
            let read = Mark::Shared(sign).currency(stated.map(currency).as_ref(), &currency(requested));
            assert_eq!(read, expected.map(currency), "{sign} {stated:?} {requested}");
        }
    }

    #[test]
    fn letters_before_a_sign_name_its_currency() {
        for (letters, sign, code) in [
            ("US", '$', Some("USD")),
            ("C", '$', Some("CAD")),
            ("CAD", '$', Some("CAD")),
            ("R", '$', Some("BRL")),
            ("CN", '¥', Some("CNY")),
            ("", '€', Some("EUR")),
            ("", '₿', Some("BTC")),
            ("X", '$', None),
            ("EUR", '$', None),
        ] {
            assert_eq!(Mark::of_sign(letters, sign), code.and_then(Mark::of_code), "{letters}{sign}");
        }
    }
}

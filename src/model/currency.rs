//! Currencies.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::Text;

/// An upper-case currency code: ISO 4217 (`USD`, `EUR`) or a coin's symbol (`BTC`), 2 to 10 ASCII letters or digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "Text", try_from = "Text")]
pub struct Currency(Text);

/// The currencies offered in the currency dialog, most traded first.
pub const COMMON: [&str; 13] =
    ["USD", "EUR", "GBP", "JPY", "CNY", "KRW", "INR", "CHF", "CAD", "AUD", "BRL", "BTC", SATS];

/// The code of sats, 10⁻⁸ BTC. No service converts to it: BTC is requested instead. `SATS` is a token.
const SATS: &str = "SAT";

/// Sats per bitcoin.
pub const SATS_PER_BITCOIN: u32 = 100_000_000;

/// Sats per bitcoin, as a power of ten.
pub const SATS_EXPONENT: i32 = 8;

/// The common currency signs. Two currencies share one.
const SIGNS: [(&str, &str); 8] =
    [("USD", "$"), ("EUR", "€"), ("GBP", "£"), ("JPY", "¥"), ("CNY", "¥"), ("KRW", "₩"), ("INR", "₹"), ("BTC", "₿")];

/// The names of [`COMMON`] (ISO 4217), in the same order.
const NAMES: [&str; 13] = [
    "US dollar",
    "euro",
    "pound sterling",
    "yen",
    "renminbi",
    "won",
    "Indian rupee",
    "Swiss franc",
    "Canadian dollar",
    "Australian dollar",
    "Brazilian real",
    "bitcoin",
    "sats",
];

/// The ISO 4217 codes with known exchange rates, and common quote coins.
const KNOWN: [&str; 37] = [
    "USD", "EUR", "GBP", "JPY", "CNY", "KRW", "INR", "CHF", "CAD", "AUD", "BRL", "BGN", "CZK", "DKK", "HKD", "HUF",
    "IDR", "ILS", "ISK", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "ZAR", "RUB",
    "BTC", SATS, "ETH", "USDT", "USDC",
];

/// The other current ISO 4217 codes of money.
const OTHERS: &str = "AED AFN ALL AMD AOA ARS AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BSD BTN BWP BYN BZD CDF CLP COP CRC \
    CUP CVE DJF DOP DZD EGP ERN ETB FJD FKP GEL GHS GIP GMD GNF GTQ GYD HNL HTG IQD IRR JMD JOD KES KGS KHR KMF KPW KWD \
    KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MZN NAD NGN NIO NPR OMR PAB PEN PGK PKR \
    PYG QAR RSD RWF SAR SBD SCR SDG SHP SLE SOS SRD SSP STN SVC SYP SZL TJS TMT TND TOP TTD TWD TZS UAH UGX UYU UZS VED \
    VES VND VUV WST XAF XAG XAU XCD XDR XOF XPF YER ZMW ZWG";

/// The coins that services convert to, besides BTC.
const QUOTE_COINS: &str = "ETH USDT USDC ADA ATOM BCH BNB DAI DOGE DOT EOS LINK LTC ORDI SATS SOL TRX XLM XMR XRP";

/// The ISO 4217 currencies without a minor unit, such as cents.
const WHOLE: [&str; 16] =
    ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"];

/// The currencies of which a hundredth is worth about a dollar or much more: coins and metals.
const VALUABLE: [&str; 9] = ["BTC", "ETH", "BNB", "BCH", "SOL", "XMR", "XAU", "XPD", "XPT"];

/// More dollars than there are: all wealth on earth is worth about 5·10¹⁴ of them.
const MAX_DOLLARS: f64 = 1e15;

/// More units of a currency than a dollar buys: about 10⁶ of the weakest ones; 10⁸ sats only if a bitcoin costs a
/// dollar.
const MAX_PER_DOLLAR: f64 = 1e8;

impl Currency {
    /// The largest plausible amount of money, for a price as well as for a market cap. Services and providers sometimes
    /// send larger ones by mistake.
    pub fn max_amount(&self) -> f64 {
        if self.as_str() == "USD" { MAX_DOLLARS } else { MAX_DOLLARS * MAX_PER_DOLLAR }
    }

    /// Whether it is an ISO 4217 currency, or a coin that services convert to. A service may not support it.
    pub fn exists(&self) -> bool {
        KNOWN.contains(&self.as_str())
            || OTHERS.split_whitespace().any(|code| code == self.as_str())
            || self.is_quote_coin()
    }

    /// Whether it is a coin that services convert to, other than bitcoin.
    pub fn is_quote_coin(&self) -> bool {
        QUOTE_COINS.split_whitespace().any(|code| code == self.as_str())
    }

    /// Parses a well-known code in any case; `None` for other words that only look like one.
    pub fn parse_known(code: &str) -> Option<Currency> {
        Currency::parse(code).filter(|code| KNOWN.contains(&code.as_str()))
    }

    /// Parses a code in any case; `None` if it is invalid.
    pub fn parse(code: &str) -> Option<Currency> {
        let code = code.trim();
        let legal = (2..=10).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
        legal.then(|| {
            let mut code = Text::from(code);
            code.make_ascii_uppercase();
            Currency(code)
        })
    }

    /// The US dollar, the default of all known services.
    pub fn usd() -> Currency {
        Currency(Text::const_new("USD"))
    }

    /// Bitcoin.
    pub fn bitcoin() -> Currency {
        Currency(Text::const_new("BTC"))
    }

    /// Whether it is the sat, 10⁻⁸ BTC.
    pub fn is_sats(&self) -> bool {
        self.as_str() == SATS
    }

    /// The currency to request from services: bitcoin for sats.
    pub fn requested(&self) -> Currency {
        if self.is_sats() { Currency::bitcoin() } else { self.clone() }
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a coin that others are traded against, whose price is its exchange rate. No central bank publishes
    /// one.
    pub fn is_coin(&self) -> bool {
        self.coin_slug().is_some()
    }

    /// Whether it has no hundredths: the sat, and currencies without a minor unit like the yen.
    pub fn is_whole(&self) -> bool {
        self.is_sats() || WHOLE.contains(&self.as_str())
    }

    /// Whether a hundredth of it is a sum that counts: two decimals are too few for amounts.
    pub fn is_valuable(&self) -> bool {
        VALUABLE.contains(&self.as_str())
    }

    /// The slug of the coin, if it is one.
    pub fn coin_slug(&self) -> Option<&'static str> {
        match self.as_str() {
            "BTC" => Some("bitcoin"),
            "ETH" => Some("ethereum"),
            "USDT" => Some("tether"),
            "USDC" => Some("usd-coin"),
            _ => None,
        }
    }

    /// The name of one of the [`COMMON`] currencies.
    pub fn name(&self) -> Option<&'static str> {
        COMMON.into_iter().zip(NAMES).find(|(code, _)| *code == self.as_str()).map(|(_, name)| name)
    }

    /// The currency with this name, in any case: `euro`, `US dollar`. Not a coin.
    pub fn of_name(name: &str) -> Option<Currency> {
        let (code, _) = COMMON.into_iter().zip(NAMES).find(|(_, known)| known.eq_ignore_ascii_case(name))?;
        Some(Currency(Text::const_new(code))).filter(|currency| !currency.is_coin() && !currency.is_sats())
    }

    /// Whether a word of its name begins with a lower-case text, which may be a plural.
    pub fn is_named(&self, text: &str) -> bool {
        let wanted = text.trim_end_matches('s');
        let begins = |name: &str| name.to_lowercase().split(' ').any(|word| word.starts_with(wanted));
        !wanted.is_empty() && self.name().is_some_and(begins)
    }

    /// The currencies offered in the currency dialog.
    pub fn common() -> impl Iterator<Item = Currency> {
        COMMON.into_iter().map(|code| Currency(Text::const_new(code)))
    }

    /// The currency sign, if there is a common one.
    pub fn sign(&self) -> Option<&'static str> {
        SIGNS.iter().find(|(code, _)| *code == self.as_str()).map(|(_, sign)| *sign)
    }

    /// The currency with this sign; `None` if several have it, like `¥`.
    pub fn of_sign(sign: &str) -> Option<Currency> {
        let mut codes = SIGNS.iter().filter(|(_, known)| *known == sign).map(|(code, _)| *code);
        let only = codes.next().filter(|_| codes.next().is_none())?;
        Some(Currency(Text::const_new(only)))
    }

    /// Splits the currency sign off an amount that starts or ends with one: `€5`, `5€`.
    pub fn split_sign(amount: &str) -> Option<(&str, &'static str)> {
        SIGNS.iter().find_map(|(_, sign)| {
            let number = amount.strip_prefix(sign).or_else(|| amount.strip_suffix(sign))?;
            Some((number, *sign))
        })
    }
}

/// The sign of several currencies, such as `¥`, and the number beside it if there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sign} is ambiguous (use {})", self.joined(.number, " or "))]
pub struct SharedSign {
    sign: &'static str,
    number: String,
}

impl SharedSign {
    /// The sign of an amount like `¥5`, or alone, if several currencies have it.
    pub fn of(word: &str) -> Option<SharedSign> {
        let (number, sign) = Currency::split_sign(word)?;
        let number = if number.is_empty() { String::new() } else { format!("{number} ") };
        Currency::of_sign(sign).is_none().then_some(SharedSign { sign, number })
    }

    /// The codes, each after `start`.
    fn joined(&self, start: &str, and: &str) -> String {
        let codes = SIGNS.iter().filter(|(_, sign)| *sign == self.sign).map(|(code, _)| format!("{start}{code}"));
        codes.collect::<Vec<_>>().join(and)
    }
}

impl From<Currency> for Text {
    fn from(currency: Currency) -> Text {
        currency.0
    }
}

impl TryFrom<Text> for Currency {
    type Error = &'static str;

    fn try_from(code: Text) -> Result<Currency, &'static str> {
        Currency::parse(&code).ok_or("not a currency code")
    }
}

impl Default for Currency {
    fn default() -> Self {
        Currency::usd()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_split_off_and_name_their_currency() {
        for (code, sign) in SIGNS {
            let currency = Currency::parse(code).unwrap();
            assert_eq!(currency.sign(), Some(sign));
            assert_eq!(Currency::of_sign(sign), Some(currency).filter(|_| sign != "¥"), "{sign}");
            for amount in [format!("{sign}5"), format!("5{sign}")] {
                assert_eq!(Currency::split_sign(&amount), Some(("5", sign)));
            }
        }
        assert_eq!((Currency::of_sign("%"), Currency::split_sign("5%")), (None, None));
    }

    #[test]
    fn shared_sign_names_its_currencies() {
        let sentence = |word: &str| SharedSign::of(word).map(|shared| shared.to_string());
        assert_eq!(sentence("¥5k").as_deref(), Some("¥ is ambiguous (use 5k JPY or 5k CNY)"));
        assert_eq!(sentence("¥").as_deref(), Some("¥ is ambiguous (use JPY or CNY)"));
        assert_eq!((sentence("€5"), sentence("5"), sentence("")), (None, None, None));
    }

    #[test]
    fn listed_currency_codes_are_known() {
        for (code, exists) in
            [("usd", true), ("AED", true), ("BTC", true), ("sat", true), ("SOL", true), ("ABC", false), ("USX", false)]
        {
            assert_eq!(Currency::parse(code).unwrap().exists(), exists, "{code}");
        }
        let [sat, token] = ["sat", "SATS"].map(|code| Currency::parse(code).unwrap());
        assert_eq!((sat.is_sats(), token.is_sats()), (true, false), "SATS is a token");
        assert_eq!((sat.requested(), token.requested()), (Currency::bitcoin(), token.clone()));
        assert!(COMMON.iter().all(|code| Currency::parse(code).unwrap().exists()));
        // Exchanges trade coins against these.
        assert!(["BTC", "ETH", "USDT", "USDC"].iter().all(|code| Currency::parse(code).unwrap().is_coin()));
    }
}

//! Where the values of alerts come from.

use std::fmt;

use crate::model::Text;

/// Where the value of an alert comes from. Sources differ, so a value is only compared with others of its source. The
/// dashboard and the commands must agree on sources, since they check the same alerts in turn. `N` is the type of a
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSource<N = Text> {
    /// The responses of a provider.
    Polled(ValueProvider<N>),
    /// The price history of a provider.
    Series(ValueProvider<N>),
    /// The live prices of an exchange, which are always real.
    Live(N),
    /// The prices of some of the wallet's coins.
    Wallet {
        /// A checksum of these coins.
        coins: u32,
        /// Whether any price or balance is simulated.
        simulated: bool,
    },
}

/// Who provides values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueProvider<N = Text> {
    /// The simulated market or indexer of any service.
    Simulated,
    /// A provider or a service, by its name or URL. The name may be any text: services choose it.
    Named(N),
}

/// Starts the text of live prices.
const LIVE: &str = "live ";

/// Starts the text of price history.
const SERIES: &str = "series ";

/// Starts the text of the wallet's coins.
const WALLET: &str = "wallet ";

/// Starts the text of a provider whose name would be read as something else.
const PROVIDER: &str = "provider ";

/// The text of simulated values.
const SIMULATED: &str = "simulated";

impl<N> ValueSource<N> {
    /// Simulated values, whichever service they come from.
    pub const SIMULATED: ValueSource<N> = ValueSource::Polled(ValueProvider::Simulated);

    /// The responses of a provider or a service.
    pub const fn provider(name: N) -> ValueSource<N> {
        ValueSource::Polled(ValueProvider::Named(name))
    }

    /// Whether its values are simulated.
    pub fn is_simulated(&self) -> bool {
        match self {
            ValueSource::Polled(provider) | ValueSource::Series(provider) => {
                matches!(provider, ValueProvider::Simulated)
            }
            ValueSource::Live(_) => false,
            ValueSource::Wallet { simulated, .. } => *simulated,
        }
    }

    /// Whether it sends live prices.
    pub fn is_live(&self) -> bool {
        matches!(self, ValueSource::Live(_))
    }

    /// Whether it has price history.
    pub fn is_series(&self) -> bool {
        matches!(self, ValueSource::Series(_))
    }
}

impl ValueSource {
    /// This source with borrowed names.
    pub fn borrowed(&self) -> ValueSource<&str> {
        match self {
            ValueSource::Polled(provider) => ValueSource::Polled(provider.borrowed()),
            ValueSource::Series(provider) => ValueSource::Series(provider.borrowed()),
            ValueSource::Live(exchange) => ValueSource::Live(exchange.as_str()),
            ValueSource::Wallet { coins, simulated } => ValueSource::Wallet { coins: *coins, simulated: *simulated },
        }
    }
}

impl<'a> ValueSource<&'a str> {
    /// The source that is displayed as this text. Any other text is the name of a provider.
    pub fn parse(text: &'a str) -> ValueSource<&'a str> {
        if let Some(exchange) = text.strip_prefix(LIVE) {
            return ValueSource::Live(exchange);
        }
        if let Some(provider) = text.strip_prefix(SERIES) {
            return ValueSource::Series(ValueProvider::parse(provider));
        }
        let of_simulated = text.strip_prefix(SIMULATED).and_then(|text| text.strip_prefix(' '));
        let coins = of_simulated.unwrap_or(text).strip_prefix(WALLET);
        match coins.and_then(|coins| u32::from_str_radix(coins, 16).ok()) {
            Some(coins) => ValueSource::Wallet { coins, simulated: of_simulated.is_some() },
            None => ValueSource::Polled(ValueProvider::parse(text)),
        }
    }

    /// This source with owned names.
    pub fn into_owned(self) -> ValueSource {
        match self {
            ValueSource::Polled(provider) => ValueSource::Polled(provider.into_owned()),
            ValueSource::Series(provider) => ValueSource::Series(provider.into_owned()),
            ValueSource::Live(exchange) => ValueSource::Live(Text::from(exchange)),
            ValueSource::Wallet { coins, simulated } => ValueSource::Wallet { coins, simulated },
        }
    }

    /// The price history of the same provider.
    #[must_use]
    pub fn into_series(self) -> ValueSource<&'a str> {
        if let ValueSource::Polled(provider) = self { ValueSource::Series(provider) } else { self }
    }

    /// The name of its provider or exchange; `None` for simulated values and the wallet.
    pub fn name(self) -> Option<&'a str> {
        match self {
            ValueSource::Polled(ValueProvider::Named(name))
            | ValueSource::Series(ValueProvider::Named(name))
            | ValueSource::Live(name) => Some(name),
            ValueSource::Polled(ValueProvider::Simulated)
            | ValueSource::Series(ValueProvider::Simulated)
            | ValueSource::Wallet { .. } => None,
        }
    }

    /// Whether both have the values of the same provider.
    pub fn has_provider_of(self, other: ValueSource<&str>) -> bool {
        match (self.name(), other.name()) {
            (None, None) => self.into_series() == other.into_series(),
            (own, other) => own == other,
        }
    }
}

impl ValueProvider {
    fn borrowed(&self) -> ValueProvider<&str> {
        match self {
            ValueProvider::Simulated => ValueProvider::Simulated,
            ValueProvider::Named(name) => ValueProvider::Named(name.as_str()),
        }
    }
}

impl<'a> ValueProvider<&'a str> {
    fn into_owned(self) -> ValueProvider {
        match self {
            ValueProvider::Simulated => ValueProvider::Simulated,
            ValueProvider::Named(name) => ValueProvider::Named(Text::from(name)),
        }
    }

    fn parse(text: &'a str) -> ValueProvider<&'a str> {
        match text.strip_prefix(PROVIDER) {
            Some(name) => ValueProvider::Named(name),
            None if text == SIMULATED => ValueProvider::Simulated,
            None => ValueProvider::Named(text),
        }
    }
}

impl fmt::Display for ValueSource<&str> {
    /// The text in the database, which must not change: `coingecko`, `series coingecko`, `live binance`, `simulated`,
    /// `wallet 1f2e3d4c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if self.is_series() { SERIES } else { "" };
        match *self {
            ValueSource::Live(exchange) => write!(f, "{LIVE}{exchange}"),
            ValueSource::Wallet { coins, simulated } => {
                let mark = if simulated { "simulated " } else { "" };
                write!(f, "{mark}{WALLET}{coins:08x}")
            }
            ValueSource::Polled(ValueProvider::Simulated) | ValueSource::Series(ValueProvider::Simulated) => {
                write!(f, "{prefix}{SIMULATED}")
            }
            ValueSource::Polled(ValueProvider::Named(name)) | ValueSource::Series(ValueProvider::Named(name)) => {
                let is_plain = ValueSource::parse(name) == ValueSource::provider(name);
                write!(f, "{prefix}{}{name}", if is_plain { "" } else { PROVIDER })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_is_read_as_it_was_written() {
        for (source, text) in [
            (ValueSource::provider("coingecko"), "coingecko"),
            (ValueSource::provider("https://api.example"), "https://api.example"),
            (ValueSource::Series(ValueProvider::Named("coingecko")), "series coingecko"),
            (ValueSource::Live("binance"), "live binance"),
            (ValueSource::SIMULATED, "simulated"),
            (ValueSource::Series(ValueProvider::Simulated), "series simulated"),
            (ValueSource::Wallet { coins: 0x1f, simulated: false }, "wallet 0000001f"),
            (ValueSource::Wallet { coins: 0x1f, simulated: true }, "simulated wallet 0000001f"),
            // Names that a service chose.
            (ValueSource::provider("live prices"), "provider live prices"),
            (ValueSource::provider("simulated"), "provider simulated"),
            (ValueSource::provider("wallet 12"), "provider wallet 12"),
            (ValueSource::provider("provider a"), "provider provider a"),
            (ValueSource::Series(ValueProvider::Named("simulated")), "series provider simulated"),
            (ValueSource::provider("a simulated world"), "a simulated world"),
        ] {
            assert_eq!((source.to_string().as_str(), ValueSource::parse(text)), (text, source));
            assert_eq!(source.into_owned().borrowed(), source);
        }
    }

    #[test]
    fn only_sources_of_simulated_data_are_simulated() {
        for (text, is_simulated, is_live) in [
            ("simulated", true, false),
            ("series simulated", true, false),
            ("simulated wallet 0000001f", true, false),
            ("provider simulated", false, false),
            ("a simulated world", false, false),
            ("provider live prices", false, false),
            ("live binance", false, true),
        ] {
            let source = ValueSource::parse(text);
            assert_eq!((source.is_simulated(), source.is_live()), (is_simulated, is_live), "{text}");
        }
        let has_provider_of = |own, other| ValueSource::parse(own).has_provider_of(ValueSource::parse(other));
        assert!(has_provider_of("series a", "a") && has_provider_of("live a", "series a"));
        assert!(has_provider_of("series simulated", "simulated"));
        assert!(!has_provider_of("a", "b") && !has_provider_of("simulated", "wallet 0000001f"));
    }
}

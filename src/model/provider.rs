//! Providers of live data.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text::Text;

/// Defines [`ProviderName`] from one row for each provider: its name, its title and its attribution.
macro_rules! providers {
    ($($(#[$doc:meta])* $Name:ident = $name:literal, $title:literal, $attribution:expr;)*) => {
        /// A provider. Its name is its key in the configuration and in responses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProviderName {
            $($(#[$doc])* $Name,)*
        }

        impl ProviderName {
            /// All providers.
            pub const ALL: [ProviderName; [$($name),*].len()] = [$(ProviderName::$Name),*];

            /// The name in the configuration and in responses.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(ProviderName::$Name => $name,)*
                }
            }

            /// The title on the screen.
            pub fn title(self) -> &'static str {
                match self {
                    $(ProviderName::$Name => $title,)*
                }
            }

            /// Attribution that the provider's terms require wherever its data is shown.
            pub fn attribution(self) -> Option<&'static str> {
                match self {
                    $(ProviderName::$Name => $attribution,)*
                }
            }
        }
    };
}

// Titles and attributions are here and not in the providers' files because the screen must not depend on the service.
providers! {
    /// CoinMarketCap.
    CoinMarketCap = "coinmarketcap", "CoinMarketCap", None;
    /// CoinGecko.
    CoinGecko = "coingecko", "CoinGecko", Some("Powered by CoinGecko");
    /// CoinPaprika.
    CoinPaprika = "coinpaprika", "CoinPaprika", None;
    /// DefiLlama's price API.
    DefiLlama = "defillama", "DefiLlama", None;
    /// Binance's market-data hosts.
    Binance = "binance", "Binance", None;
    /// OKX.
    Okx = "okx", "OKX", None;
    /// Frankfurter, daily exchange rates.
    Frankfurter = "frankfurter", "Frankfurter", None;
    /// The European Central Bank's reference rates.
    Ecb = "ecb", "ECB", None;
    /// Bluesky.
    Bluesky = "bluesky", "Bluesky", None;
    /// A Mastodon server.
    Mastodon = "mastodon", "Mastodon", None;
    /// UniSat.
    UniSat = "unisat", "UniSat", None;
    /// Maestro.
    Maestro = "maestro", "Maestro", None;
    /// ordinals.com.
    Ordinals = "ordinals", "ordinals.com", None;
    /// The user's own ord server.
    Ord = "ord", "ord", None;
    /// mempool.space.
    Mempool = "mempool", "mempool.space", None;
    /// A server with Hiro's Ordinals API.
    Hiro = "hiro", "Hiro-compatible indexer", None;
    /// Another satscope service.
    Service = "service", "satscope service", None;
    /// Simulated data.
    Demo = "demo", "simulated data", None;
}

impl ProviderName {
    /// The title within a sentence, with an article where English needs one: `not on the Hiro-compatible indexer`.
    pub fn title_in_sentence(self) -> &'static str {
        match self {
            ProviderName::Ecb => "the ECB",
            ProviderName::Ord => "the ord server",
            ProviderName::Hiro => "the Hiro-compatible indexer",
            ProviderName::Service => "the satscope service",
            _ => self.title(),
        }
    }

    /// The provider with this name.
    pub fn parse(name: &str) -> Option<ProviderName> {
        ProviderName::ALL.into_iter().find(|provider| provider.as_str() == name)
    }
}

/// Separates the names of several providers of one response, as services send them. Only the functions of this module
/// join and split them.
const SEPARATOR: &str = ", ";

/// The names of several providers of one response, joined.
pub fn join(names: impl Iterator<Item = ProviderName>) -> String {
    names.map(ProviderName::as_str).collect::<Vec<_>>().join(SEPARATOR)
}

/// The providers of a response, by their names.
pub fn each(names: &str) -> impl Iterator<Item = &str> {
    names.split(SEPARATOR)
}

/// The provider of the rows of a response, which is the first of its providers: the others have added details.
pub fn first(names: &str) -> &str {
    each(names).next().unwrap_or(names)
}

/// The title of a provider; the name itself if it is unknown.
pub fn title_of(name: &str) -> &str {
    ProviderName::parse(name).map_or(name, |known| known.title())
}

/// The titles of the providers of a response, by their names: `CoinMarketCap, CoinGecko`.
pub fn titles(names: &str) -> String {
    joined(names, ProviderName::title)
}

/// The titles of the providers of a response, or the required attribution instead:
/// `CoinMarketCap, Powered by CoinGecko`.
pub fn credits(names: &str) -> String {
    joined(names, |provider| provider.attribution().unwrap_or(provider.title()))
}

/// The required attribution of the providers of a response; empty if none is.
pub fn attributions(names: &str) -> String {
    let words = each(names).filter_map(|name| ProviderName::parse(name)?.attribution());
    words.collect::<Vec<_>>().join(SEPARATOR)
}

/// The names of the providers of two responses.
pub fn merged(names: &str, more: &str) -> String {
    let is_new = |name: &&str| !name.is_empty() && !each(names).any(|known| known == *name);
    each(more)
        .filter(is_new)
        .fold(names.to_owned(), |all, name| if all.is_empty() { name.to_owned() } else { all + SEPARATOR + name })
}

fn joined(names: &str, words: fn(ProviderName) -> &'static str) -> String {
    let words = each(names).map(|name| ProviderName::parse(name).map_or(name, words));
    words.collect::<Vec<_>>().join(SEPARATOR)
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// By its name, so that the order of the providers doesn't matter.
impl Serialize for ProviderName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProviderName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProviderName, D::Error> {
        let name = Text::deserialize(deserializer)?;
        ProviderName::parse(&name).ok_or_else(|| D::Error::custom("unknown provider"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_providers_are_named_and_credited() {
        for (names, title, credit, attribution) in [
            ("coinmarketcap", "CoinMarketCap", "CoinMarketCap", ""),
            ("coingecko", "CoinGecko", "Powered by CoinGecko", "Powered by CoinGecko"),
            (
                "coinmarketcap, coingecko",
                "CoinMarketCap, CoinGecko",
                "CoinMarketCap, Powered by CoinGecko",
                "Powered by CoinGecko",
            ),
            ("mine", "mine", "mine", ""),
        ] {
            assert_eq!((titles(names).as_str(), credits(names).as_str()), (title, credit));
            assert_eq!(attributions(names), attribution);
        }
        assert_eq!(merged("coinmarketcap", "coingecko, coinmarketcap"), "coinmarketcap, coingecko");
        assert_eq!((merged("", "ecb").as_str(), merged("ecb", "").as_str()), ("ecb", "ecb"));
    }
}

//! The operations that providers serve.

use std::fmt;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Defines [`Operation`] from one row for each operation, in the order of the configuration: its name there, its title on
/// the screen, the requirement of its data, and how long it is fresh.
macro_rules! operations {
    ($($(#[$doc:meta])* $Operation:ident = $name:literal, $title:literal, $need:literal, $fresh:expr;)*) => {
        /// A kind of upstream data, for which the configuration lists providers (`[live]`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Operation {
            $($(#[$doc])* $Operation,)*
        }

        impl Operation {
            /// All operations, in the order of the configuration.
            pub const ALL: [Operation; [$($name),*].len()] = [$(Operation::$Operation),*];

            /// The name in the configuration.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Operation::$Operation => $name,)*
                }
            }

            /// The title on the screen.
            pub fn title(self) -> &'static str {
                match self {
                    $(Operation::$Operation => $title,)*
                }
            }

            /// The requirement of its data, as the start of the error when no provider serves it.
            pub fn need(self) -> &'static str {
                match self {
                    $(Operation::$Operation => $need,)*
                }
            }

            fn fresh(self) -> Fresh {
                match self {
                    $(Operation::$Operation => $fresh,)*
                }
            }
        }
    };
}

operations! {
    /// The list of all coins.
    Coins = "coins", "coin list", "Coin lists need a provider", Fresh::For(5 * MINUTE);
    /// The lists of a tag, with 7-day sparklines.
    Tagged = "tagged", "BRC-20 and ecosystem lists", "Category lists need a provider", Fresh::For(5 * MINUTE);
    /// Links, contracts and tags of coins.
    Details = "details", "coin details", "Links and contracts need a provider", Fresh::For(24 * HOUR);
    /// Posts.
    Posts = "posts", "posts", "Posts need a provider", Fresh::For(3 * HOUR);
    /// Market pairs.
    Pairs = "pairs", "market pairs", "Market pairs need a provider", Fresh::For(24 * HOUR);
    /// Chart of one coin.
    Chart = "chart", "charts", "Charts need a provider", Fresh::For(5 * MINUTE);
    /// Price history of several coins.
    Series = "series", "price history", "Price history needs a provider", Fresh::For(5 * MINUTE);
    /// BRC-20 tokens, holders, balances and activity.
    Brc20 = "brc20", "BRC-20", "BRC-20 needs an indexer", Fresh::UntilNextBlock(10 * MINUTE);
    /// Inscriptions and the sats they are on.
    Inscriptions = "inscriptions", "inscriptions", "Inscriptions need an indexer", Fresh::UntilNextBlock(10 * MINUTE);
    /// Exchange rates of currencies.
    Fiat = "fiat", "exchange rates", "Other currencies need a provider", Fresh::For(12 * HOUR);
    /// The newest block and the fee rates.
    Block = "block", "block height", "The block height needs a provider", Fresh::For(MINUTE);
    /// Bitcoin balances of addresses.
    BitcoinBalance =
        "bitcoin_balance", "BTC balances", "Bitcoin balances need a provider", Fresh::UntilNextBlock(10 * MINUTE);
    /// Streamed prices.
    Ticker = "ticker", "live prices", "Live prices need a provider", Fresh::For(MINUTE);
}

/// How long data is fresh.
enum Fresh {
    /// For this time.
    For(Duration),
    /// Until the next block; if the height is unknown, for this time.
    UntilNextBlock(Duration),
}

impl Operation {
    /// Parses a name.
    pub fn parse(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.as_str() == name)
    }

    /// How long its data is fresh, unless [`Operation::is_by_block`]. A provider's terms may require longer.
    pub fn fresh_for(self) -> Duration {
        match self.fresh() {
            Fresh::For(time) | Fresh::UntilNextBlock(time) => time,
        }
    }

    /// Whether its data changes only with a new block. Then it is fresh until the next one if the height is known.
    pub fn is_by_block(self) -> bool {
        matches!(self.fresh(), Fresh::UntilNextBlock(_))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

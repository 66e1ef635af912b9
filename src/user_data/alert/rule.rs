//! The rules of alerts.

use std::fmt;

use super::super::watchlist::Watched;
use crate::model::{CoinId, Currency, Decimal, Text};

/// Largest plausible ratio of two consecutive prices.
const OUTLIER_RATIO: f64 = 1.5;

/// Largest plausible difference of two consecutive changes, in points.
const OUTLIER_POINTS: f64 = 30.0;

/// The ticker of bitcoin in rules about addresses. No BRC-20 ticker has three characters.
pub const BITCOIN: Text = Text::const_new("btc");

/// When an alert fires. Its text is a rule that reads as the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it is about.
    pub target: Target,
    /// Which of its values.
    pub measure: Measure,
    /// The condition.
    pub condition: Condition,
    /// The value that arms it again; `None` for a tenth of the distance between limit and first value.
    pub rearm: Option<Decimal>,
}

/// The subject of a rule. It never depends on a symbol alone, which several coins may share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A coin with a slug or an id.
    Coin(Watched),
    /// A BRC-20 token, by its ticker in lower case.
    Token(Text),
    /// An address of the main network, in its canonical form.
    Address(Text),
    /// The value of the wallet.
    Wallet,
    /// The fee rate of the next block.
    Fees,
}

/// Defines [`Measure`] and its names from one table, so that none can be missing.
macro_rules! measures {
    ($($(#[$doc:meta])* $Measure:ident $(($data:ty))? = $name:literal;)*) => {
        /// The value of a rule. `C` is the currency of money, which may be missing in a typed rule.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Measure<C = Currency> {
            $($(#[$doc])* $Measure $(($data))?,)*
        }

        impl<C> Measure<C> {
            /// Its name in rules and in the store.
            pub fn as_str(&self) -> &'static str {
                match self {
                    $(Measure::$Measure { .. } => $name,)*
                }
            }
        }

        impl<C: Default> Measure<C> {
            /// All measures, without currencies and tickers.
            pub fn all() -> [Measure<C>; [$($name),*].len()] {
                [$(Measure::$Measure $((<$data>::default()))?),*]
            }
        }
    };
}

measures! {
    /// Price, in this currency.
    Price(C) = "price";
    /// Change over 24 hours in percent.
    Change24h = "24h";
    /// Volume of 24 hours, in this currency.
    Volume(C) = "vol";
    /// Market cap, in this currency.
    MarketCap(C) = "cap";
    /// Rank by market cap.
    Rank = "rank";
    /// Number of holders.
    Holders = "holders";
    /// Minted share of the max supply in percent.
    Minted = "minted";
    /// The balance of this ticker, in lower case, or of [`BITCOIN`].
    Balance(Text) = "balance";
    /// A balance rises.
    Receives = "receives";
    /// A balance falls.
    Sends = "sends";
    /// Fee rate in sat/vB.
    FeeRate = "fees";
}

/// A difference of two consecutive values from which the second has to be confirmed by the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlierLimit {
    /// One is this many times the other.
    Ratio(f64),
    /// They differ by this many points of a percentage.
    Points(f64),
}

/// The condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value passes a limit.
    Limit(Comparison, Decimal),
    /// The value crosses a multiple of this step, which is above zero.
    Every(Decimal),
    /// It happens.
    Happens,
}

/// How a value is compared with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// More.
    Above,
    /// As much or more.
    AtLeast,
    /// Less.
    Below,
    /// As much or less.
    AtMost,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Comparison; 4] = [Comparison::Above, Comparison::AtLeast, Comparison::Below, Comparison::AtMost];

    /// Its sign in rules and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Comparison::Above => ">",
            Comparison::AtLeast => ">=",
            Comparison::Below => "<",
            Comparison::AtMost => "<=",
        }
    }

    /// The comparison with this sign.
    pub fn parse(sign: &str) -> Option<Comparison> {
        match sign {
            "≥" => Some(Comparison::AtLeast),
            "≤" => Some(Comparison::AtMost),
            sign => Comparison::ALL.into_iter().find(|comparison| comparison.as_str() == sign),
        }
    }

    /// Whether larger values satisfy it.
    pub fn is_upward(self) -> bool {
        matches!(self, Comparison::Above | Comparison::AtLeast)
    }
}

impl Rule {
    /// The id of its coin, if it is about one and the id is known.
    pub fn coin_id(&self) -> Option<CoinId> {
        match &self.target {
            Target::Coin(coin) => coin.id.clone().map(CoinId),
            Target::Token(_) | Target::Address(_) | Target::Wallet | Target::Fees => None,
        }
    }

    /// Whether it needs the bitcoin of an address.
    pub fn needs_bitcoin(&self) -> bool {
        match &self.measure {
            Measure::Balance(ticker) => *ticker == BITCOIN,
            Measure::Receives | Measure::Sends => true,
            _ => false,
        }
    }

    /// Whether both fire at the same values. The coins are compared by slug or id.
    pub fn is_same(&self, other: &Rule) -> bool {
        let is_same_target = match (&self.target, &other.target) {
            (Target::Coin(coin), Target::Coin(other)) => coin.is_same(other),
            (target, other) => target == other,
        };
        let Rule { target: _, measure, condition, rearm } = self;
        is_same_target && *measure == other.measure && *condition == other.condition && *rearm == other.rearm
    }
}

impl Measure {
    /// The measure with this name of [`Measure::as_str`]. `None` if it is unknown, or lacks its currency or ticker.
    pub fn parse(name: &str, currency: Option<&Currency>, ticker: Option<&Text>) -> Option<Measure> {
        Some(match Measure::<()>::all().into_iter().find(|measure| measure.as_str() == name)? {
            Measure::Price(()) => Measure::Price(currency?.clone()),
            Measure::Change24h => Measure::Change24h,
            Measure::Volume(()) => Measure::Volume(currency?.clone()),
            Measure::MarketCap(()) => Measure::MarketCap(currency?.clone()),
            Measure::Rank => Measure::Rank,
            Measure::Holders => Measure::Holders,
            Measure::Minted => Measure::Minted,
            Measure::Balance(_) => Measure::Balance(ticker?.clone()),
            Measure::Receives => Measure::Receives,
            Measure::Sends => Measure::Sends,
            Measure::FeeRate => Measure::FeeRate,
        })
    }
}

impl Measure<Option<Currency>> {
    /// The measure with `convert` as the currency of money, if it has none.
    pub fn in_currency(self, convert: &Currency) -> Measure {
        let money = |typed: Option<Currency>| typed.unwrap_or_else(|| convert.clone());
        match self {
            Measure::Price(currency) => Measure::Price(money(currency)),
            Measure::Change24h => Measure::Change24h,
            Measure::Volume(currency) => Measure::Volume(money(currency)),
            Measure::MarketCap(currency) => Measure::MarketCap(money(currency)),
            Measure::Rank => Measure::Rank,
            Measure::Holders => Measure::Holders,
            Measure::Minted => Measure::Minted,
            Measure::Balance(ticker) => Measure::Balance(ticker),
            Measure::Receives => Measure::Receives,
            Measure::Sends => Measure::Sends,
            Measure::FeeRate => Measure::FeeRate,
        }
    }
}

impl<C> Measure<C> {
    /// Its value in an error: `a price`.
    pub fn noun(&self) -> &'static str {
        match self {
            Measure::Price(_) => "a price",
            Measure::Change24h | Measure::Receives | Measure::Sends => "a change",
            Measure::Volume(_) => "a volume",
            Measure::MarketCap(_) => "a market cap",
            Measure::Rank => "a rank",
            Measure::Holders => "a number of holders",
            Measure::Minted => "a minted share",
            Measure::Balance(_) => "a balance",
            Measure::FeeRate => "a fee rate",
        }
    }

    /// The currency of its values, if they are money.
    pub fn currency(&self) -> Option<&C> {
        match self {
            Measure::Price(currency) | Measure::Volume(currency) | Measure::MarketCap(currency) => Some(currency),
            Measure::Change24h
            | Measure::Rank
            | Measure::Holders
            | Measure::Minted
            | Measure::Balance(_)
            | Measure::Receives
            | Measure::Sends
            | Measure::FeeRate => None,
        }
    }

    /// Like [`Measure::currency`].
    pub fn currency_mut(&mut self) -> Option<&mut C> {
        match self {
            Measure::Price(currency) | Measure::Volume(currency) | Measure::MarketCap(currency) => Some(currency),
            Measure::Change24h
            | Measure::Rank
            | Measure::Holders
            | Measure::Minted
            | Measure::Balance(_)
            | Measure::Receives
            | Measure::Sends
            | Measure::FeeRate => None,
        }
    }

    /// Whether its values are percentages.
    pub fn is_percent(&self) -> bool {
        matches!(self, Measure::Change24h | Measure::Minted)
    }

    /// Whether its values are whole numbers.
    pub fn is_count(&self) -> bool {
        matches!(self, Measure::Holders | Measure::Rank)
    }

    /// Whether past values can be computed from a price series.
    pub fn has_history(&self) -> bool {
        matches!(self, Measure::Price(_) | Measure::Change24h)
    }

    /// Whether the points of a price series have its values.
    pub fn is_in_series(&self) -> bool {
        match self {
            Measure::Price(_) | Measure::Change24h | Measure::Volume(_) | Measure::MarketCap(_) => true,
            Measure::Rank
            | Measure::Holders
            | Measure::Minted
            | Measure::Balance(_)
            | Measure::Receives
            | Measure::Sends
            | Measure::FeeRate => false,
        }
    }

    /// From which difference on a value has to be confirmed; `None` if values are exact or vary that much.
    pub fn outlier_limit(&self) -> Option<OutlierLimit> {
        match self {
            Measure::Price(_) | Measure::MarketCap(_) | Measure::Holders => Some(OutlierLimit::Ratio(OUTLIER_RATIO)),
            Measure::Change24h => Some(OutlierLimit::Points(OUTLIER_POINTS)),
            Measure::Volume(_)
            | Measure::Rank
            | Measure::Minted
            | Measure::Balance(_)
            | Measure::Receives
            | Measure::Sends
            | Measure::FeeRate => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None)
    }
}

impl Rule {
    /// Whether its limits are amounts that an address holds.
    pub fn is_about_amount(&self) -> bool {
        matches!(self.measure, Measure::Balance(_))
    }

    /// Its text with `hidden` in place of limits that are amounts of an address.
    pub fn without_amounts(&self, hidden: &str) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text, Some(hidden).filter(|_| self.is_about_amount()));
        text
    }

    /// Writes its text, with `hidden` instead of the numbers if that is given.
    fn write(&self, f: &mut impl fmt::Write, hidden: Option<&str>) -> fmt::Result {
        let Rule { target, measure, condition, rearm } = self;
        let number = |number: &Decimal| hidden.map_or_else(|| number.to_string(), str::to_owned);
        match target {
            Target::Coin(coin) => write!(f, "{}", coin.slug.as_ref().unwrap_or(&coin.symbol))?,
            Target::Token(ticker) => write!(f, "{ticker}")?,
            Target::Address(address) => write!(f, "{address}")?,
            Target::Wallet => write!(f, "wallet")?,
            Target::Fees => write!(f, "fees")?,
        }
        match measure {
            Measure::Price(_) | Measure::FeeRate => {}
            Measure::Balance(ticker) => write!(f, " {ticker}")?,
            measure => write!(f, " {}", measure.as_str())?,
        }
        let percent = if measure.is_percent() { "%" } else { "" };
        match condition {
            Condition::Limit(comparison, limit) => {
                write!(f, " {} {}{percent}", comparison.as_str(), number(limit))?;
            }
            Condition::Every(step) => write!(f, " every {}{percent}", number(step))?,
            Condition::Happens => {}
        }
        if let Some(currency) = measure.currency() {
            write!(f, " {}", currency.as_str().to_ascii_lowercase())?;
        }
        match rearm {
            Some(rearm) => write!(f, " rearm {}{percent}", number(rearm)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measure_is_parsed_from_its_name() {
        let (usd, ticker) = (Currency::usd(), Text::const_new("ordi"));
        for measure in Measure::<Option<Currency>>::all() {
            let name = measure.as_str();
            let measure = match measure {
                Measure::Balance(_) => Measure::Balance(ticker.clone()),
                measure => measure.in_currency(&usd),
            };
            assert_eq!(Measure::parse(name, Some(&usd), Some(&ticker)).as_ref(), Some(&measure));
            let needs_more = measure.currency().is_some() || matches!(measure, Measure::Balance(_));
            assert_eq!(Measure::parse(name, None, None).is_none(), needs_more, "{name}");
        }
        assert_eq!(Measure::parse("depth", Some(&usd), Some(&ticker)), None);
    }
}

//! The rules of alerts.

use std::fmt;

use super::super::watchlist::Watched;
use crate::model::{CoinId, Currency, Decimal, Text};

/// Largest plausible ratio of two consecutive prices.
const RATIO: OutlierLimit = OutlierLimit::Ratio(1.5);

/// Largest plausible difference of two consecutive changes.
const POINTS: OutlierLimit = OutlierLimit::Points(30.0);

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

/// Defines [`Measure`] and its properties from one table, so that none can be missing. The data of a measure are its
/// currency (`C`) or its ticker (`Text`).
macro_rules! measures {
    ($($(#[$doc:meta])* $Measure:ident $(($data:tt))? = $spec:expr;)*) => {
        /// The value of a rule. `C` is the currency of money, which may be missing in a typed rule.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Measure<C = Currency> {
            $($(#[$doc])* $Measure $(($data))?,)*
        }

        impl<C> Measure<C> {
            /// Its row of the table.
            fn spec(&self) -> Spec {
                match self {
                    $(Measure::$Measure { .. } => const { $spec },)*
                }
            }

            /// The currency of its values, if they are money.
            pub fn currency(&self) -> Option<&C> {
                match self {
                    $(Measure::$Measure $((measures!(@$data value)))? => measures!(@currency $($data value)?),)*
                }
            }

            /// Like [`Measure::currency`].
            pub fn currency_mut(&mut self) -> Option<&mut C> {
                match self {
                    $(Measure::$Measure $((measures!(@$data value)))? => measures!(@currency $($data value)?),)*
                }
            }

            /// The same measure with another currency.
            fn with_currency<D>(self, convert: impl FnOnce(C) -> D) -> Measure<D> {
                match self {
                    $(Measure::$Measure $((measures!(@value $data value)))? => {
                        Measure::$Measure $((measures!(@convert $data value convert)))?
                    })*
                }
            }
        }

        impl<C: Default> Measure<C> {
            /// All measures, without currencies and tickers.
            pub fn all() -> [Measure<C>; [$(stringify!($Measure)),*].len()] {
                [$(Measure::$Measure $((<$data>::default()))?),*]
            }
        }
    };
    (@C $value:ident) => { $value };
    (@Text $value:ident) => { _ };
    (@value $data:tt $value:ident) => { $value };
    (@currency) => { None };
    (@currency C $value:ident) => { Some($value) };
    (@currency Text $value:ident) => { None };
    (@convert C $value:ident $convert:ident) => { $convert($value) };
    (@convert Text $value:ident $convert:ident) => { $value };
}

measures! {
    /// Price, in this currency.
    Price(C) = spec("price", "a price", Unit::Price).in_series().with_history().outlier(RATIO);
    /// Change over 24 hours in percent.
    Change24h = spec("24h", "a change", Unit::Change).in_series().with_history().outlier(POINTS);
    /// Volume of 24 hours, in this currency.
    Volume(C) = spec("vol", "a volume", Unit::Money).in_series();
    /// Market cap, in this currency.
    MarketCap(C) = spec("cap", "a market cap", Unit::Money).in_series().outlier(RATIO);
    /// Rank by market cap.
    Rank = spec("rank", "a rank", Unit::Count(""));
    /// Number of holders.
    Holders = spec("holders", "a number of holders", Unit::Count("holders")).outlier(RATIO);
    /// Minted share of the max supply in percent.
    Minted = spec("minted", "a minted share", Unit::Share);
    /// The balance of this ticker, in lower case, or of [`BITCOIN`].
    Balance(Text) = spec("balance", "a balance", Unit::Amount);
    /// A balance rises.
    Receives = spec("receives", "a change", Unit::None);
    /// A balance falls.
    Sends = spec("sends", "a change", Unit::None);
    /// Fee rate in sat/vB.
    FeeRate = spec("fees", "a fee rate", Unit::FeeRate);
}

/// The properties of a measure, independent of its currency or ticker.
#[derive(Clone, Copy)]
struct Spec {
    name: &'static str,
    noun: &'static str,
    unit: Unit,
    is_in_series: bool,
    has_history: bool,
    outlier_limit: Option<OutlierLimit>,
}

/// The row of a measure: its name in rules and in the store, its value in an error (`a price`), and its unit.
const fn spec(name: &'static str, noun: &'static str, unit: Unit) -> Spec {
    Spec { name, noun, unit, is_in_series: false, has_history: false, outlier_limit: None }
}

impl Spec {
    /// The points of a price series have its values.
    const fn in_series(self) -> Spec {
        Spec { is_in_series: true, ..self }
    }

    /// Past values can be computed from a price series.
    const fn with_history(self) -> Spec {
        Spec { has_history: true, ..self }
    }

    /// Values that differ this much have to be confirmed.
    const fn outlier(self, limit: OutlierLimit) -> Spec {
        Spec { outlier_limit: Some(limit), ..self }
    }
}

/// What the values of a measure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A price, in a currency.
    Price,
    /// Another amount of money, in a currency.
    Money,
    /// A change in percent.
    Change,
    /// A share in percent.
    Share,
    /// A number of these things; empty for a place in an order.
    Count(&'static str),
    /// An exact amount of a token.
    Amount,
    /// A fee rate in sat/vB.
    FeeRate,
    /// It has no values: it happens.
    None,
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
        let measure = match Measure::<Option<Currency>>::all().into_iter().find(|measure| measure.as_str() == name)? {
            Measure::Balance(_) => Measure::Balance(ticker?.clone()),
            measure => measure,
        };
        match currency {
            Some(currency) => Some(measure.in_currency(currency)),
            None => measure.currency().is_none().then(|| measure.in_currency(&Currency::usd())),
        }
    }
}

impl Measure<Option<Currency>> {
    /// The measure with `convert` as the currency of money, if it has none.
    pub fn in_currency(self, convert: &Currency) -> Measure {
        self.with_currency(|typed| typed.unwrap_or_else(|| convert.clone()))
    }
}

impl<C> Measure<C> {
    /// Its name in rules and in the store.
    pub fn as_str(&self) -> &'static str {
        self.spec().name
    }

    /// Its value in an error: `a price`.
    pub fn noun(&self) -> &'static str {
        self.spec().noun
    }

    /// What its values are.
    pub fn unit(&self) -> Unit {
        self.spec().unit
    }

    /// Whether its values are percentages.
    pub fn is_percent(&self) -> bool {
        matches!(self.unit(), Unit::Change | Unit::Share)
    }

    /// Whether its values are whole numbers.
    pub fn is_count(&self) -> bool {
        matches!(self.unit(), Unit::Count(_))
    }

    /// Whether past values can be computed from a price series.
    pub fn has_history(&self) -> bool {
        self.spec().has_history
    }

    /// Whether the points of a price series have its values.
    pub fn is_in_series(&self) -> bool {
        self.spec().is_in_series
    }

    /// From which difference on a value has to be confirmed; `None` if values are exact or vary that much.
    pub fn outlier_limit(&self) -> Option<OutlierLimit> {
        self.spec().outlier_limit
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

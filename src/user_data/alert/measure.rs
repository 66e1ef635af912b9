//! The values that the rules of alerts are about.

use crate::model::{Currency, Text};

/// Largest plausible ratio of two consecutive prices.
const RATIO: OutlierLimit = OutlierLimit::Ratio(1.5);

/// Largest plausible difference of two consecutive changes.
const POINTS: OutlierLimit = OutlierLimit::Points(30.0);

/// Defines [`Measure`] and its properties from one table, so that none can be missing. The data of a measure is its
/// currency (`C`) or its ticker (`Text`).
macro_rules! measures {
    ($($(#[$doc:meta])* $Measure:ident $(($data:tt))? = $spec:expr;)*) => {
        /// The value of a rule. `C` is the currency of money, which may be missing in a typed rule.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Measure<C = Currency> {
            $($(#[$doc])* $Measure $(($data))?,)*
        }

        impl<C> Measure<C> {
            /// The row of the table.
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

            /// The currency, as in [`Measure::currency`], to change it.
            pub fn currency_mut(&mut self) -> Option<&mut C> {
                match self {
                    $(Measure::$Measure $((measures!(@$data value)))? => measures!(@currency $($data value)?),)*
                }
            }

            /// Replaces the currency.
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
    Price(C) = spec("price", "a price", Unit::Price, Owner::Coin)
        .examples(&["> 10", "< 8.5 eur"])
        .positive()
        .in_series()
        .with_history(History::Price)
        .outlier(RATIO);
    /// Change over an hour in percent.
    Change1h = spec("1h", "a 1h change", Unit::Change, Owner::Coin).examples(&["< -3%"]).reserved().outlier(POINTS);
    /// Change over 24 hours in percent.
    Change24h = spec("24h", "a 24h change", Unit::Change, Owner::Coin)
        .synonyms(&["1d", "change"])
        .examples(&["< -8%"])
        .reserved()
        .in_series()
        .with_history(History::DayChange)
        .outlier(POINTS);
    /// Change over seven days in percent.
    Change7d = spec("7d", "a 7d change", Unit::Change, Owner::Coin).examples(&["< -20%"]).reserved().outlier(POINTS);
    /// Volume of 24 hours, in this currency.
    Volume(C) = spec("vol", "a volume", Unit::Money, Owner::Coin)
        .synonyms(&["volume"])
        .examples(&["> 50m"])
        .positive()
        .in_series();
    /// Market cap, in this currency.
    MarketCap(C) = spec("cap", "a market cap", Unit::Money, Owner::Coin)
        .synonyms(&["mcap", "market cap"])
        .examples(&["> 50m"])
        .positive()
        .in_series()
        .outlier(RATIO);
    /// Rank by market cap.
    Rank = spec("rank", "a rank", Unit::Count(""), Owner::Coin).synonyms(&["#"]).examples(&["<= 100"]).positive();
    /// Number of holders.
    Holders = spec("holders", "a number of holders", Unit::Count("holders"), Owner::Token)
        .examples(&[">= 50k"])
        .reserved()
        .outlier(RATIO);
    /// Minted share of the max supply in percent.
    Minted = spec("minted", "a minted share", Unit::Share, Owner::Token).examples(&[">= 99%", "every 1%"]).reserved();
    /// The balance of this ticker, in lower case, or of [`BITCOIN`](super::BITCOIN).
    Balance(Text) = spec("balance", "a balance", Unit::Amount, Owner::Address).examples(&["> 1000"]);
    /// A balance rises.
    Receives = spec("receives", "a change", Unit::None, Owner::Address);
    /// A balance falls.
    Sends = spec("sends", "a change", Unit::None, Owner::Address);
    /// Fee rate in sat/vB.
    FeeRate = spec("fees", "a fee rate", Unit::FeeRate, Owner::Network).examples(&["< 3"]).positive();
    /// The value of the wallet, in this currency.
    Value(C) = spec("value", "a wallet value", Unit::Price, Owner::Wallet)
        .examples(&["> 20000"])
        .positive()
        .outlier(RATIO);
}

/// The properties of a measure, independent of its currency or ticker.
#[derive(Clone, Copy)]
struct Spec {
    name: &'static str,
    synonyms: &'static [&'static str],
    noun: &'static str,
    unit: Unit,
    owner: Owner,
    examples: &'static [&'static str],
    is_reserved: bool,
    is_positive: bool,
    is_in_series: bool,
    history: Option<History>,
    outlier_limit: Option<OutlierLimit>,
}

/// The row of a measure: its name in rules and in the store, its value in an error (`a price`), its unit, and whose
/// value it is.
const fn spec(name: &'static str, noun: &'static str, unit: Unit, owner: Owner) -> Spec {
    Spec {
        name,
        synonyms: &[],
        noun,
        unit,
        owner,
        examples: &[],
        is_reserved: false,
        is_positive: false,
        is_in_series: false,
        history: None,
        outlier_limit: None,
    }
}

impl Spec {
    /// Sets other names in rules, of one or more words.
    const fn synonyms(self, synonyms: &'static [&'static str]) -> Spec {
        Spec { synonyms, ..self }
    }

    /// Sets typical conditions.
    const fn examples(self, examples: &'static [&'static str]) -> Spec {
        Spec { examples, ..self }
    }

    /// Declares that its name is never a coin's.
    const fn reserved(self) -> Spec {
        Spec { is_reserved: true, ..self }
    }

    /// Declares that the values are above zero.
    const fn positive(self) -> Spec {
        Spec { is_positive: true, ..self }
    }

    /// Declares that its values are the points of a price series.
    const fn in_series(self) -> Spec {
        Spec { is_in_series: true, ..self }
    }

    /// Sets how past values are computed from a price series.
    const fn with_history(self, history: History) -> Spec {
        Spec { history: Some(history), ..self }
    }

    /// Sets the difference above which a value must be confirmed.
    const fn outlier(self, limit: OutlierLimit) -> Spec {
        Spec { outlier_limit: Some(limit), ..self }
    }
}

/// What the values of a measure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A price or the value of the wallet, in a currency, with all its whole digits.
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
    /// No value: an event.
    None,
}

/// Whose value a measure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A coin's. The wallet has the change, too.
    Coin,
    /// A BRC-20 token's.
    Token,
    /// An address's.
    Address,
    /// The Bitcoin network's.
    Network,
    /// The wallet's.
    Wallet,
}

/// How past values of a measure are computed from a price series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// They are its prices.
    Price,
    /// They are the changes over the day before each price.
    DayChange,
}

/// The difference between two consecutive values above which the second must be confirmed by the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlierLimit {
    /// One is this many times the other.
    Ratio(f64),
    /// They differ by this many points of a percentage.
    Points(f64),
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
    /// The name in rules and in the store.
    pub fn as_str(&self) -> &'static str {
        self.spec().name
    }

    /// The names in rules, [`Measure::as_str`] first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let Spec { name, synonyms, .. } = self.spec();
        std::iter::once(name).chain(synonyms.iter().copied())
    }

    /// Typical conditions, such as `> 10`; none for an event.
    pub fn examples(&self) -> &'static [&'static str] {
        self.spec().examples
    }

    /// Whether no coin has its name.
    pub fn is_reserved(&self) -> bool {
        self.spec().is_reserved
    }

    /// Whether its values are above zero, so that none can cross zero.
    pub fn is_positive(&self) -> bool {
        self.spec().is_positive
    }

    /// Whose value it is.
    pub fn owner(&self) -> Owner {
        self.spec().owner
    }

    /// Whether rules name it after a coin or a token.
    pub fn follows_name(&self) -> bool {
        match self.owner() {
            Owner::Coin | Owner::Token => true,
            Owner::Address | Owner::Network | Owner::Wallet => false,
        }
    }

    /// Whether it is an event, which has no condition.
    pub fn is_event(&self) -> bool {
        self.unit() == Unit::None
    }

    /// The value in an error: `a price`.
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

    /// Whether its values are exact amounts. The value of an event is the amount moved.
    pub fn is_amount(&self) -> bool {
        matches!(self.unit(), Unit::Amount | Unit::None)
    }

    /// How past values are computed from a price series; `None` if they can't be.
    pub fn history(&self) -> Option<History> {
        self.spec().history
    }

    /// Whether the points of a price series have its values.
    pub fn is_in_series(&self) -> bool {
        self.spec().is_in_series
    }

    /// The difference above which a value must be confirmed; `None` if values are exact or often jump.
    pub fn outlier_limit(&self) -> Option<OutlierLimit> {
        self.spec().outlier_limit
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

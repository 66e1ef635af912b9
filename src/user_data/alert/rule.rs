//! The rules of alerts.

use std::fmt;

use super::super::watchlist::Watched;
use crate::model::{Currency, Decimal, Text};

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

/// What a rule is about. It never depends on a symbol alone, which several coins may share.
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

/// The value of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Price, in this currency.
    Price(Currency),
    /// Change over 24 hours in percent.
    Change24h,
    /// Volume of 24 hours, in this currency.
    Volume(Currency),
    /// Market cap, in this currency.
    MarketCap(Currency),
    /// Rank by market cap.
    Rank,
    /// Number of holders.
    Holders,
    /// Minted share of the max supply in percent.
    Minted,
    /// The balance of this ticker, in lower case.
    Balance(Text),
    /// A balance rises.
    Receives,
    /// A balance falls.
    Sends,
    /// Fee rate in sat/vB.
    FeeRate,
}

/// The condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value passes a limit.
    Limit(Comparison, Decimal),
    /// The value passes a multiple of this step, which is above zero.
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

    /// Whether larger values fulfil it.
    pub fn is_upward(self) -> bool {
        matches!(self, Comparison::Above | Comparison::AtLeast)
    }
}

impl Rule {
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
    /// Its name in rules and in the store.
    pub fn as_str(&self) -> &'static str {
        match self {
            Measure::Price(_) => "price",
            Measure::Change24h => "24h",
            Measure::Volume(_) => "vol",
            Measure::MarketCap(_) => "cap",
            Measure::Rank => "rank",
            Measure::Holders => "holders",
            Measure::Minted => "minted",
            Measure::Balance(_) => "balance",
            Measure::Receives => "receives",
            Measure::Sends => "sends",
            Measure::FeeRate => "fees",
        }
    }

    /// The currency of its values, if they are money.
    pub fn currency(&self) -> Option<&Currency> {
        match self {
            Measure::Price(currency) | Measure::Volume(currency) | Measure::MarketCap(currency) => Some(currency),
            _ => None,
        }
    }

    /// Whether its values are percentages.
    pub fn is_percent(&self) -> bool {
        matches!(self, Measure::Change24h | Measure::Minted)
    }

    /// Whether past values can be computed from a price series.
    pub fn has_history(&self) -> bool {
        matches!(self, Measure::Price(_) | Measure::Change24h)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { target, measure, condition, rearm } = self;
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
            Condition::Limit(comparison, limit) => write!(f, " {} {limit}{percent}", comparison.as_str())?,
            Condition::Every(step) => write!(f, " every {step}{percent}")?,
            Condition::Happens => {}
        }
        if let Some(currency) = measure.currency() {
            write!(f, " {}", currency.as_str().to_ascii_lowercase())?;
        }
        match rearm {
            Some(rearm) => write!(f, " rearm {rearm}{percent}"),
            None => Ok(()),
        }
    }
}

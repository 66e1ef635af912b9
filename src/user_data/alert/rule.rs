//! The rules of alerts.

use std::fmt;

use super::super::watchlist::Watched;
use super::data_kind::DataScope;
use super::measure::{Measure, Owner, Unit};
use crate::model::{CoinId, Decimal, Text};

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

impl Target {
    /// The requests that its values come from.
    pub fn data_scope(&self) -> DataScope {
        match self {
            Target::Coin(_) | Target::Fees => DataScope::Market,
            Target::Token(_) | Target::Address(_) => DataScope::Indexer,
            Target::Wallet => DataScope::Wallet,
        }
    }
}

/// The condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value passes a limit.
    Limit(Comparison, Decimal),
    /// The value crosses a multiple of this step, which is above zero.
    Every(Decimal),
    /// An address receives or sends something.
    Transfer,
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

    /// The sign in rules and in the store.
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
            measure => measure.owner() == Owner::Address,
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

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None, &Decimal::to_string)
    }
}

impl Rule {
    /// Whether its limits are amounts that an address holds, or the value of the wallet.
    pub fn is_about_amount(&self) -> bool {
        self.measure.unit() == Unit::Amount || self.measure.owner() == Owner::Wallet
    }

    /// The text with `hidden` in place of limits that are private amounts: see [`Rule::is_about_amount`].
    pub fn without_amounts(&self, hidden: &str) -> String {
        self.text(None, Some(hidden))
    }

    /// The text with another name of the target, and with `hidden`, if given, in place of limits that are private
    /// amounts.
    pub fn with_name(&self, name: &str, hidden: Option<&str>) -> String {
        self.text(Some(name), hidden)
    }

    fn text(&self, name: Option<&str>, hidden: Option<&str>) -> String {
        let hidden = hidden.filter(|_| self.is_about_amount());
        self.with_numbers(name, |number| hidden.map_or_else(|| number.to_string(), str::to_owned))
    }

    /// The text with another name of the target, if given, and with its numbers in another form.
    pub fn with_numbers(&self, name: Option<&str>, number: impl Fn(&Decimal) -> String) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text, name, &number);
        text
    }

    /// Writes the text, with `name` in place of the target's, if given, and with numbers formatted by `number`.
    fn write(&self, f: &mut impl fmt::Write, name: Option<&str>, number: &dyn Fn(&Decimal) -> String) -> fmt::Result {
        let Rule { target, measure, condition, rearm } = self;
        let own_name: &str = match target {
            Target::Coin(coin) => coin.slug.as_ref().unwrap_or(&coin.symbol),
            Target::Token(name) | Target::Address(name) => name,
            Target::Wallet => "wallet",
            Target::Fees => "fees",
        };
        f.write_str(name.unwrap_or(own_name))?;
        match measure {
            Measure::Price(_) | Measure::Value(_) | Measure::FeeRate => {}
            Measure::Balance(ticker) => write!(f, " {ticker}")?,
            measure => write!(f, " {}", measure.as_str())?,
        }
        let percent = if measure.is_percent() { "%" } else { "" };
        match condition {
            Condition::Limit(comparison, limit) => {
                write!(f, " {} {}{percent}", comparison.as_str(), number(limit))?;
            }
            Condition::Every(step) => write!(f, " every {}{percent}", number(step))?,
            Condition::Transfer => {}
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

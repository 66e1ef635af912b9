//! Why a line is not a rule.

use crate::format::words::join_words;
use crate::model::SharedSign;
use crate::model::address::AddressError;
use crate::portfolio::number::NumberError;
use crate::user_data::address::LabelError;
use crate::user_data::alert::Measure;

/// Why a line is not a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", place(*.at))]
pub struct RuleError {
    /// The position of the error: the number of characters before it.
    pub at: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl RuleError {
    /// Whether a comparison operator may be what is missing.
    pub fn lacks_operator(&self) -> bool {
        matches!(self.reason, Reason::NoCondition(..) | Reason::Unexpected(..))
    }
}

/// The comparison operators, as listed in errors.
pub(super) const COMPARISONS: &str = ">, <, >= or <=";

/// The place as a prefix of the sentence; none at the start.
fn place(at: usize) -> String {
    if at == 0 { String::new() } else { format!("character {}: ", at.saturating_add(1)) }
}

/// The names of the measures that `has` selects, as a list: `price, vol, cap and value`.
fn names(conjunction: &str, has: fn(&Measure<()>) -> bool) -> String {
    let names: Vec<&str> = Measure::all().iter().filter(|measure| has(measure)).map(Measure::as_str).collect();
    join_words(&names, conjunction)
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The line is empty.
    #[error("expected a rule, such as ordi > 10 or sats 24h < -8%")]
    Empty,
    /// There is no condition after this word; the second field has examples.
    #[error("expected a condition after {0}, such as {1}")]
    NoCondition(String, String),
    /// There is no subject before the condition.
    #[error("expected a coin, ticker, address, wallet or fees before {0}")]
    NoSubject(String),
    /// There is no number after an operator.
    #[error("expected a number after {0}, such as {0} 10")]
    NoNumber(String),
    /// The price of this coin is unknown, so that no limit can be relative to it.
    #[error("the price of {0} is unknown (expected a limit such as > 10)")]
    NoPrice(String),
    /// A number can't be read.
    #[error(transparent)]
    Number(NumberError),
    /// The sign of several currencies.
    #[error(transparent)]
    SharedSign(SharedSign),
    /// A word that names no value.
    #[error("unexpected `{0}` (expected {names})", names = names("or", Measure::follows_name))]
    Measure(String),
    /// An unknown comparison operator.
    #[error("expected {}", COMPARISONS)]
    Comparison,
    /// A word after the rule.
    #[error("unexpected `{0}` (expected {1})")]
    Unexpected(String, &'static str),
    /// A word that may follow a rule only once.
    #[error("{0} given twice")]
    Twice(&'static str),
    /// A number with a percent sign, for a value that isn't a percentage.
    #[error("{0} is not a percentage (for the change, use 24h {1} {2})")]
    NotPercent(&'static str, &'static str, String),
    /// A measure that only coins have, after `fees`.
    #[error("fee rates have no {0} (expected a condition such as fees < 3)")]
    NoFeeValue(&'static str),
    /// A value that can't be compared in this way.
    #[error("{0}")]
    Mismatch(&'static str),
    /// A number with a currency, for a value that isn't money.
    #[error("a currency is valid only for {}", names("and", |measure| measure.currency().is_some()))]
    NoMoney,
    /// A limit that no value can cross.
    #[error("{0} can't be {1}")]
    OutOfRange(&'static str, String),
    /// An invalid address.
    #[error("{}", .1.of(.0))]
    Address(String, AddressError),
    /// Several addresses have the label.
    #[error(transparent)]
    Label(LabelError),
}

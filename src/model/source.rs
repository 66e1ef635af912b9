//! Providers of live data and their state, and the newest block.

mod operation;

use serde::{Deserialize, Deserializer, Serialize};

use super::text::Text;
use super::time::UtcTime;

pub use operation::Operation;

/// The title of an operation; the name itself if it is unknown.
pub fn operation_title(name: &str) -> &str {
    Operation::parse(name).map_or(name, |operation| operation.title())
}

/// A provider of live data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Name in the configuration.
    pub name: Text,
    /// The state of the API key.
    pub key: KeyState,
    /// The operations that it serves, by their names in the configuration.
    pub serves: Vec<Text>,
    /// The state of the provider.
    pub state: SourceState,
    /// Latency of the last response in milliseconds.
    pub latency_ms: Option<u64>,
    /// Requests used and the limit; `null` if no limit is known, or if a newer service counts it in an unknown period.
    #[serde(default, deserialize_with = "budget_of_known_period")]
    pub budget: Option<SourceBudget>,
    /// When it is requested again after a failure.
    pub next_try_at: Option<UtcTime>,
    /// Attribution that the provider's terms require wherever its data is shown.
    pub attribution: Option<Text>,
    /// A sentence about a failure, a missing setting, unreadable fields, or what a free key would add.
    pub missing: Option<Text>,
    /// A stable code for [`Source::missing`]: a kind of failure (`rate_limited`, `blocked`, …), or `disabled`, `no_url`,
    /// `no_key`, `no_operation`, `low_quota`, `unreadable`, `key_recommended`. `None` from an older service.
    #[serde(default)]
    pub missing_code: Option<Text>,
}

/// [`Source::missing_code`] if the user has disabled the provider.
pub const DISABLED: &str = "disabled";

impl Source {
    /// Whether the user has disabled it.
    pub fn is_disabled(&self) -> bool {
        self.state == SourceState::Unused && self.missing_code.as_deref() == Some(DISABLED)
    }
}

/// Whether a provider has an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// None; it works without.
    Keyless,
    /// None, but it needs one.
    Missing,
    /// One is configured.
    Configured,
}

/// The state of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// The last request succeeded, or none was sent yet.
    Ready,
    /// The last request failed; it is retried automatically.
    Waiting,
    /// Off until the configuration changes or a test succeeds. A restart helps only a day after a key or operation was
    /// rejected.
    Off,
    /// Disabled, without a URL or key, or not used by any operation.
    Unused,
}

/// The request limit of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceBudget {
    /// Maximum requests in the period.
    pub limit: u64,
    /// The period.
    pub period: BudgetPeriod,
    /// Requests used in the period so far; `None` if the count of all instances is not known.
    pub used: Option<u64>,
}

/// Reads a request limit, without which the rest of the provider is still useful.
fn budget_of_known_period<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SourceBudget>, D::Error> {
    #[derive(Deserialize)]
    struct Budget {
        limit: u64,
        period: Text,
        used: Option<u64>,
    }
    let budget = Option::<Budget>::deserialize(deserializer)?;
    Ok(budget.and_then(|Budget { limit, period, used }| {
        let period = BudgetPeriod::parse(&period)?;
        Some(SourceBudget { limit, period, used })
    }))
}

/// The period of a request limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetPeriod {
    /// Any 60 seconds.
    Minute,
    /// A calendar month (UTC).
    Month,
}

impl BudgetPeriod {
    /// The name, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            BudgetPeriod::Minute => "minute",
            BudgetPeriod::Month => "month",
        }
    }

    /// The period with this name in JSON.
    fn parse(name: &str) -> Option<BudgetPeriod> {
        [BudgetPeriod::Minute, BudgetPeriod::Month].into_iter().find(|period| period.as_str() == name)
    }
}

/// The newest block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainState {
    /// Block height.
    pub height: u64,
    /// Block hash in hexadecimal digits, if known.
    pub hash: Option<Text>,
    /// Fee rates, if known.
    pub fees: Option<Fees>,
}

/// Fee rates in sat/vB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fees {
    /// For the next block.
    pub fastest: Option<f64>,
    /// For about half an hour.
    pub half_hour: Option<f64>,
    /// For about an hour.
    pub hour: Option<f64>,
}

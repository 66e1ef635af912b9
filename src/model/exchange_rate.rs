//! The origin of an exchange rate.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::time::UtcTime;

/// Where the exchange rate of converted amounts comes from, and how old it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateOrigin {
    /// The provider's name, as in the configuration.
    pub provider: Text,
    /// When the rate was fixed, or fetched if the provider doesn't say.
    pub at: UtcTime,
}

//! The origin of an exchange rate.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::time::UtcTime;

/// The origin of the exchange rate of converted amounts, and its age.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateOrigin {
    /// The provider's name, as in the configuration.
    pub provider: Text,
    /// When the rate was fixed, or else when it was fetched.
    pub at: UtcTime,
}

//! The parsed line of the alerts dialog.

use crate::app::coins::named_coin::NamedCoin;
use crate::model::Text;
use crate::user_data::{Alert, AlertId};

/// What a typed rule means.
#[derive(Clone, Debug)]
pub struct TypedAlert {
    /// The line.
    pub line: String,
    /// The index of the chosen coin, and the alert that is edited.
    pub(in crate::app) key: (usize, Option<AlertId>),
    /// The coins that match its name, best first; empty if it is not about a coin.
    pub coins: Vec<NamedCoin>,
    /// Whether it is about a coin that is not known.
    pub(in crate::app) needs_names: bool,
    /// The token that it is about.
    pub(in crate::app) ticker: Option<Text>,
    /// Why the current sources can't check it, in a few words, if known.
    pub problem: Option<String>,
    /// The alert, checked against the known values; or why it can't be added, in one sentence: the line isn't a rule,
    /// another alert has it, or its coin is unknown.
    pub outcome: Result<Alert, String>,
}

//! The sentence about invalid values that were left out.

use crate::model::Text;

/// A warning about invalid values of the coins with these names; `what` names one of them. `None` without names.
pub(super) fn skipped(what: &str, names: &[Text]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("Skipped the invalid {what} of {name}")),
        [name, ..] => Some(format!("Skipped {} invalid {what}s, such as for {name}", names.len())),
    }
}

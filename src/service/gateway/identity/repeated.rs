//! Coins that a list contains more than once.

use crate::model::Text;

/// The warning about coins that a list contains more than once, by their names.
pub(super) fn warning(repeated: &[Text]) -> Option<String> {
    match repeated {
        [] => None,
        [name] => Some(format!("Skipped 1 duplicate coin: {name}")),
        [name, ..] => Some(format!("Skipped {} duplicate coins, such as {name}", repeated.len())),
    }
}

//! Responses inside of a response: in the only item of a list, or in a string.

use std::borrow::Cow;

use super::wrappers::{WRAPPED, WRAPPERS};
use crate::client::decode::tape::Value;

/// The source of the only item of a list, which may itself be a page of the list, as in OKX's
/// `{"data": [{"page": "1", "balanceList": […]}]}` or `[[…]]`.
pub(in crate::client::decode) fn only_item<'a>(root: Value<'a>) -> Option<&'a str> {
    let mut at = root;
    for _ in 0..WRAPPED {
        if at.is_array() {
            let mut items = at.items();
            let first = items.next().filter(|_| items.next().is_none())?;
            // A list of other values is a row.
            let is_list = |raw: &str| raw.get(1..).is_some_and(|inside| inside.trim_start().starts_with(['{', '[']));
            return (first.is_object() || first.is_array() && is_list(first.raw())).then(|| first.raw());
        }
        at = at.any(WRAPPERS)?;
    }
    None
}

/// The JSON in a response that is a string, or in the string of a common wrapper.
pub(in crate::client::decode) fn json_in_text(root: Value<'_>) -> Option<String> {
    let text = if root.is_object() { root.any(WRAPPERS)? } else { root };
    text.str().filter(|text| text.trim_start().starts_with(['{', '['])).map(Cow::into_owned)
}

//! The objects around the data of a response, and their field names.

use crate::client::decode::tape::Value;

/// Field names of wrappers around the data.
pub(in crate::client::decode) const WRAPPERS: &[&str] = &[
    "data", "result", "results", "list", "items", "rows", "records", "payload", "response", "body", "content", "edges",
    "nodes", "hits", "d", "embedded",
];

/// Maximum levels of wrappers.
pub(in crate::client::decode) const WRAPPED: usize = 8;

/// Fields next to a list that may contain its total length.
pub(in crate::client::decode) const ABOUT: &[&str] = &["status", "meta", "pagination", "paging", "page_info", "page"];

/// Fields next to a list that describe the response, such as its currency or units.
pub(in crate::client::decode) const DESCRIPTIONS: [&str; 8] =
    ["meta", "metadata", "query", "params", "request", "status", "info", "settings"];

/// Whether an entry (key and value) of an object is an item of the response, even under the name of a description or a
/// wrapper, such as the coin `META`.
pub(in crate::client::decode) type IsItem<'f> = &'f dyn Fn(Value<'_>, (Value<'_>, Value<'_>)) -> bool;

/// The objects around the items of a response that may describe them, outermost first: its wrappers, each after the
/// [`DESCRIPTIONS`] in it.
pub(in crate::client::decode) fn describing<'a>(root: Value<'a>, is_item: IsItem<'_>) -> Vec<Value<'a>> {
    let (mut found, mut at) = (Vec::new(), root);
    for _ in 0..WRAPPED {
        if !at.is_object() {
            break;
        }
        let inside = |name: &&str| Some(at.entry(name).filter(|entry| entry.1.is_object() && !is_item(at, *entry))?.1);
        found.extend(DESCRIPTIONS.iter().filter_map(inside));
        found.push(at);
        let Some(inside) = WRAPPERS.iter().find_map(inside) else { break };
        at = inside;
    }
    found
}

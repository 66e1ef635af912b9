//! What the list of a resource looks like.

use crate::client::decode::field_name::same_name;
use crate::client::decode::kind::Kind;

/// Describes the lists of a resource.
#[derive(Debug)]
pub(in crate::client::decode) struct Spec {
    /// Field names of the list.
    pub(in crate::client::decode) lists: &'static [&'static str],
    /// Field names of which each item has at least one.
    pub(in crate::client::decode) marks: &'static [&'static str],
    /// Kind of the items.
    pub(in crate::client::decode) kind: Kind,
}

/// Fields next to a list that are not part of it, unless they look like its items.
pub(in crate::client::decode) const META: &[&str] =
    &["status", "meta", "pagination", "paging", "page_info", "links", "error", "errors"];

/// Whether a field is usually metadata of the response.
pub(super) fn is_meta(key: &str) -> bool {
    META.iter().any(|name| same_name(key, name))
}

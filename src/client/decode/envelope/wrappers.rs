//! Field names around the data of a response.

/// Field names of wrappers around the data.
pub(in crate::client::decode) const WRAPPERS: &[&str] = &[
    "data", "result", "results", "list", "items", "rows", "records", "payload", "response", "body", "content", "edges",
    "nodes", "hits", "d", "embedded",
];

/// Maximum levels of wrappers.
pub(in crate::client::decode) const WRAPPED: usize = 8;

/// Fields next to a list that may contain its total length.
pub(in crate::client::decode) const ABOUT: &[&str] = &["status", "meta", "pagination", "paging", "page_info", "page"];

//! URLs.

use crate::model::text;

/// Maximum length of a URL in bytes.
const MAX_URL: usize = 2_000;

/// Whether this is an http or https URL that is safe to show and open.
pub(in crate::client::decode) fn is_url(url: &str) -> bool {
    let after = |scheme: &str| {
        url.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).and_then(|_| url.get(scheme.len()..))
    };
    let host = after("https://").or_else(|| after("http://"));
    url.len() <= MAX_URL
        && host.is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric() || c == '['))
        && !url.bytes().any(|b| b <= b' ' || matches!(b, b'"' | b'<' | b'>' | b'`' | b'\\'))
        && text::clean(url) == url
}

//! Percent-encoding of URLs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// All characters except RFC 3986's unreserved ones.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Percent-encodes a string for a path segment or a query value.
pub(super) fn segment(name: &str) -> PercentEncode<'_> {
    utf8_percent_encode(name, RESERVED)
}

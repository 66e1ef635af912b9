//! Parts of URLs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// Everything but RFC 3986's unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A name as one segment of a path, or as a value of a query.
pub(super) fn segment(name: &str) -> PercentEncode<'_> {
    utf8_percent_encode(name, RESERVED)
}

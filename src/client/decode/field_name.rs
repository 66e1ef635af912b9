//! Compares field names independent of case and style (snake_case, camelCase, kebab-case).

use super::escape::unescape;

/// Whether two names differ only in case, `_`, `-`, spaces and JSON escapes.
#[inline]
pub(super) fn same_name(a: &str, b: &str) -> bool {
    // Most names differ in their first letter.
    if let ([x, ..], [y, ..]) = (a.as_bytes(), b.as_bytes())
        && !x.eq_ignore_ascii_case(y)
        && x.is_ascii_alphanumeric()
        && y.is_ascii_alphanumeric()
    {
        return false;
    }
    folds_to_same(a, b)
}

/// A separate function, so that the fast path above can be inlined.
#[inline(never)]
fn folds_to_same(a: &str, b: &str) -> bool {
    a == b || folded(a).eq(folded(b)) || unescapes_to_same(a, b) || unescapes_to_same(b, a)
}

/// Whether the first name is the second one with JSON escapes (`pri\u0063e`), which are longer.
fn unescapes_to_same(raw: &str, name: &str) -> bool {
    raw.len() > name.len() && raw.contains('\\') && folded(&unescape(raw)).eq(folded(name))
}

/// The normalised bytes of a name.
pub(super) fn folded(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(|b| !matches!(b, b'_' | b'-' | b' ')).map(|b| b.to_ascii_lowercase())
}

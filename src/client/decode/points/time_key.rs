//! Times as the keys of points.

use crate::client::decode::tape::Value;

/// Whether the keys of a map are times.
pub(super) fn is_by_time(map: Value<'_>) -> bool {
    map.fields().next().is_some_and(|(key, _)| is_time(key.raw()))
}

/// Whether a key is a time: at least eight digits, or an ISO date.
pub(in crate::client::decode) fn is_time(key: &str) -> bool {
    let digits = key.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 8 || digits == 4 && key.as_bytes().get(4) == Some(&b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_distinguished_from_ids() {
        for key in ["1795075200", "1795075200000", "20261119", "2026-11-19", "2026-11-19T07:55:00Z"] {
            assert!(is_time(key), "{key}");
        }
        for key in ["", "1027", "25028", "1234567", "ordi-usd", "2026", "2026_11", "x2026-11-19"] {
            assert!(!is_time(key), "{key}");
        }
    }
}

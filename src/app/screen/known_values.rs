//! Compares values of rows, some of which are unknown.

use std::cmp::Ordering;

/// Compares two values; unknown ones come last in both directions.
pub(super) fn compare_known<T>(
    descending: bool,
    a: Option<T>,
    b: Option<T>,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => compare(&b, &a),
        (Some(a), Some(b)) => compare(&a, &b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

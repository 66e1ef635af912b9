//! Access control of a service with a token.

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

use crate::client::config::Secret;

/// Whether `Authorization` has the token. The comparison takes a time that reveals only the token's length.
pub(super) fn is_allowed(headers: &HeaderMap, Secret(token): &Secret) -> bool {
    let Some((scheme, sent)) = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
    else {
        return false;
    };
    scheme.eq_ignore_ascii_case("bearer") && bool::from(sent.trim().as_bytes().ct_eq(token.as_bytes()))
}

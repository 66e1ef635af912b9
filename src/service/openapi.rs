//! The OpenAPI 3.1 document of both groups at `/openapi.json`.
//!
//! It is a static asset, and a test checks that it matches the annotations of the routes. Generating it at run time
//! would add about a tenth to the size of the program.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::backend::extensions::ExtensionProvider;
use super::caching;

/// `max-age` of the document.
const FRESH: Duration = Duration::from_secs(3600);

/// The document.
pub(super) static DOCUMENT: &str = include_str!("../../assets/openapi.json");

/// The pattern of `convert` in the asset.
const CURRENCY: &str = r#""pattern": "^([A-Za-z0-9]{2,10})?$""#;

/// `GET /openapi.json`. If the currencies are known, it lists them.
pub(super) async fn document(State(extensions): State<Arc<dyn ExtensionProvider>>, headers: HeaderMap) -> Response {
    let document = match extensions.currencies() {
        Some(codes) => DOCUMENT.replace(CURRENCY, &format!(r#""pattern": "{}""#, one_of(&codes))),
        None => DOCUMENT.to_owned(),
    };
    let mut response = caching::bytes(&headers, document.into_bytes(), FRESH);
    // The currencies don't change.
    response.extensions_mut().insert(caching::Freshness { age: Duration::ZERO, fresh_for: FRESH });
    response
}

/// The pattern of one of these codes in any case, or nothing. The patterns of JSON Schema have no flag for that.
fn one_of(codes: &[&str]) -> String {
    let any_case = |code: &&str| -> String {
        code.chars().map(|char| format!("[{}{}]", char.to_ascii_uppercase(), char.to_ascii_lowercase())).collect()
    };
    format!("^({})?$", codes.iter().map(any_case).collect::<Vec<_>>().join("|"))
}

#[cfg(test)]
mod tests;

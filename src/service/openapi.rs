//! The description of both groups at `/openapi.json` (OpenAPI 3.1).
//!
//! It is an asset of the program. The annotations of the routes say what must stand in it, and a test holds the two
//! together; so the code that would make it is not part of the program, of which it would be a tenth.

use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;

use super::caching;

/// How long the description may be kept.
const FRESH: Duration = Duration::from_secs(3600);

static DOCUMENT: &[u8] = include_bytes!("../../assets/openapi.json");

/// `GET /openapi.json`.
pub(super) async fn document(headers: HeaderMap) -> Response {
    caching::bytes(&headers, DOCUMENT.to_vec(), FRESH)
}

#[cfg(test)]
mod tests {
    use utoipa::OpenApi;

    use super::*;
    use crate::service::routes::{indexer, market};

    #[derive(OpenApi)]
    #[openapi(
        info(
            title = "satscope",
            description = "Token markets, BRC-20 and satoshi ordinals: two groups of read-only requests. \
                           The figures are simulated.",
        ),
        servers((url = "/")),
    )]
    struct Base;

    #[test]
    fn the_description_says_what_the_routes_do() {
        let mut document = Base::openapi();
        document.merge(market::openapi());
        document.merge(indexer::openapi());
        let written = document.to_pretty_json().expect("it can be written") + "\n";
        if std::env::var_os("SATSCOPE_WRITE_OPENAPI").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/openapi.json"), &written).expect("a file");
            return; // this program has the old one still
        }
        assert!(
            written.as_bytes() == DOCUMENT,
            "assets/openapi.json is another: `SATSCOPE_WRITE_OPENAPI=1 cargo test --lib openapi` writes it anew"
        );
    }
}

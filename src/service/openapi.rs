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
mod tests {
    use utoipa::OpenApi;

    use super::*;
    use crate::client::SIMULATED;
    use crate::service::routes::{extensions, indexer, market};

    #[derive(OpenApi)]
    #[openapi(
        info(
            title = "satscope",
            description = "Token markets, BRC-20 and satoshi ordinals: two groups of read-only requests. \
                           Simulated data are marked by the header X-Satscope-Simulated.",
        ),
        servers((url = "/")),
    )]
    struct Base;

    /// The header that a layer around all routes adds.
    fn mark_simulated(document: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        use utoipa::openapi::{HeaderBuilder, Ref, RefOr};
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["true"])).build();
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some("The data are simulated")).build();
        let components = document.components.get_or_insert_default();
        components.headers.insert(SIMULATED.to_owned(), RefOr::T(header));
        for item in document.paths.paths.values_mut() {
            for response in item.get.iter_mut().flat_map(|operation| operation.responses.responses.values_mut()) {
                let RefOr::T(response) = response else { panic!("a response by reference has no headers") };
                let header = Ref::new(format!("#/components/headers/{SIMULATED}"));
                response.headers.insert(SIMULATED.to_owned(), RefOr::Ref(header));
            }
        }
    }

    /// The responses that all routes share.
    fn add_common_responses(document: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::{Content, Ref, ResponseBuilder};
        let failure = |description: &str| {
            let body = Content::new(Some(Ref::from_schema_name("Failure")));
            ResponseBuilder::new().description(description).content("application/json", body)
        };
        // The indexer group has its own error bodies.
        let without_body = |description: &str| ResponseBuilder::new().description(description);
        for (path, item) in &mut document.paths.paths {
            let Some(operation) = &mut item.get else { continue };
            let responses = &mut operation.responses.responses;
            let mut add = |status: &str, response: ResponseBuilder| {
                responses.entry(status.to_owned()).or_insert_with(|| response.build().into());
            };
            if path != "/x/stream" {
                add("304", without_body("Not modified"));
            }
            add("401", failure("Missing or invalid token"));
            add("429", failure("Too many requests from this client; see `Retry-After`"));
            let body = if path.starts_with("/ordinals") { without_body } else { failure };
            if !path.starts_with("/x/") {
                add("501", body("No enabled provider supports this"));
                add("503", body("All providers of these data failed"));
            }
        }
    }

    #[test]
    fn openapi_asset_matches_the_routes() {
        let mut document = Base::openapi();
        document.merge(market::openapi());
        document.merge(indexer::openapi());
        document.merge(extensions::openapi());
        add_common_responses(&mut document);
        mark_simulated(&mut document);
        let written = document.to_pretty_json().expect("serializable") + "\n";
        if std::env::var_os("SATSCOPE_WRITE_OPENAPI").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/openapi.json"), &written).expect("a file");
            return; // this binary still includes the old document
        }
        assert!(
            written == DOCUMENT,
            "assets/openapi.json is out of date; update it with `SATSCOPE_WRITE_OPENAPI=1 cargo test --lib openapi`"
        );
    }
}

//! Generates the document from the annotations of the routes, with what all routes share.

use utoipa::OpenApi;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Content, HeaderBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::*;
use crate::client::SIMULATED;
use crate::client::endpoint::STREAM;
use crate::service::routes::{extensions, indexer, market};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "satscope",
        description = "Market data, BRC-20 tokens and ordinals. All requests are read-only. \
                       Simulated data is marked by the header X-Satscope-Simulated.",
    ),
    servers((url = "/")),
)]
struct Base;

/// Headers of successful responses.
const CACHING: [&str; 4] = ["Age", "Cache-Control", "ETag", "Vary"];

/// A service may require a token.
fn add_security(document: &mut utoipa::openapi::OpenApi) {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("Only if the service was started with a token (`--token-env`)"));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    let none: [&str; 0] = [];
    document.security = Some(vec![SecurityRequirement::default(), SecurityRequirement::new("bearer", none)]);
}

/// The descriptions of the headers.
fn add_headers(components: &mut Components) {
    let mut add = |name: &str, description: &str, schema: ObjectBuilder| {
        let header = HeaderBuilder::new().schema(Some(schema.build())).description(Some(description)).build();
        components.headers.insert(name.to_owned(), RefOr::T(header));
    };
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let integer = |least: u32| ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(least));
    add("Age", "Age of the data in seconds", integer(0));
    add("Allow", "The methods of the resource", text().enum_values(Some(["GET,HEAD"])));
    add("Cache-Control", "How long and by whom the response may be cached", text());
    add("ETag", "Version of the body, for `If-None-Match`", text());
    add("Retry-After", "Seconds until a request may succeed", integer(1));
    add("Vary", "The request headers that the response depends on", text());
    add("WWW-Authenticate", "Authentication scheme", text().enum_values(Some(["Bearer"])));
    add(SIMULATED, "The data is simulated", text().enum_values(Some(["true"])));
}

fn with_headers<'a>(response: ResponseBuilder, names: impl IntoIterator<Item = &'a str>) -> Response {
    let mut response = response.build();
    refer_to_headers(&mut response, names);
    response
}

fn refer_to_headers<'a>(response: &mut Response, names: impl IntoIterator<Item = &'a str>) {
    for name in names.into_iter().chain([SIMULATED]) {
        let header = RefOr::Ref(Ref::new(format!("#/components/headers/{name}")));
        response.headers.insert(name.to_owned(), header);
    }
}

/// A response without a described body: the indexer group has its own error bodies.
fn indexer_response(description: &str) -> ResponseBuilder {
    ResponseBuilder::new().description(description)
}

/// A response of the other routes.
fn failure(description: &str) -> ResponseBuilder {
    let body = Content::new(Some(Ref::from_schema_name("Failure")));
    ResponseBuilder::new().description(description).content("application/json", body)
}

/// The responses that routes share, by name.
fn add_responses(components: &mut Components) {
    let mut add = |name: &str, response: Response| {
        components.responses.insert(name.to_owned(), RefOr::T(response));
    };
    add("NotModified", with_headers(indexer_response("Not modified"), CACHING));
    let token = ["Cache-Control", "WWW-Authenticate"];
    add("Unauthorized", with_headers(failure("Missing or invalid token"), token));
    let retry = ["Cache-Control", "Retry-After"];
    add("TooManyRequests", with_headers(failure("Too many requests from this client"), retry));
    for group in ["", "Indexer"] {
        let body = if group.is_empty() { failure } else { indexer_response };
        let methods = ["Allow", "Cache-Control"];
        add(&format!("{group}MethodNotAllowed"), with_headers(body("The method is neither GET nor HEAD"), methods));
        let unsupported = body("No enabled provider supports this");
        add(&format!("{group}Unsupported"), with_headers(unsupported, ["Cache-Control"]));
        add(&format!("{group}Unavailable"), with_headers(body("All providers of this data failed"), retry));
    }
}

/// Adds the responses that all routes share, and the headers of the others.
fn add_common_responses(document: &mut utoipa::openapi::OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let Some(operation) = &mut item.get else { continue };
        let responses = &mut operation.responses.responses;
        for (status, response) in responses.iter_mut() {
            let RefOr::T(response) = response else { panic!("a response by reference has no headers") };
            match status.as_str() {
                "200" if path == STREAM => refer_to_headers(response, ["Cache-Control"]),
                "200" => refer_to_headers(response, CACHING),
                "204" => refer_to_headers(response, []),
                "503" => refer_to_headers(response, ["Cache-Control", "Retry-After"]),
                _ => refer_to_headers(response, ["Cache-Control"]),
            }
        }
        let group = if path.starts_with("/ordinals") { "Indexer" } else { "" };
        let mut add = |status: &str, name: String| {
            let response = || RefOr::Ref(Ref::from_response_name(name));
            responses.entry(status.to_owned()).or_insert_with(response);
        };
        if path != STREAM {
            add("304", String::from("NotModified"));
        }
        add("401", String::from("Unauthorized"));
        add("405", format!("{group}MethodNotAllowed"));
        add("429", String::from("TooManyRequests"));
        if !path.starts_with("/x/") {
            add("501", format!("{group}Unsupported"));
            add("503", format!("{group}Unavailable"));
        }
    }
}

#[test]
fn openapi_asset_matches_the_routes() {
    let mut document = Base::openapi();
    document.merge(market::openapi());
    document.merge(indexer::openapi());
    document.merge(extensions::openapi());
    add_security(&mut document);
    add_headers(document.components.get_or_insert_default());
    add_responses(document.components.get_or_insert_default());
    add_common_responses(&mut document);
    let written = document.to_pretty_json().expect("serialisable") + "\n";
    if std::env::var_os("SATSCOPE_WRITE_OPENAPI").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/openapi.json"), &written).expect("a file");
        return; // this binary still includes the old document
    }
    assert!(
        written == DOCUMENT,
        "assets/openapi.json is out of date; update it with `SATSCOPE_WRITE_OPENAPI=1 cargo test --lib openapi`"
    );
}

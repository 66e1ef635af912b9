//! The key of a cached response: its path and the parameters that the route knows, in one order. Unknown parameters are
//! ignored, so they don't add cache entries.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::Uri;
use serde::Deserialize;
use url::form_urlencoded::{Serializer, parse};

use crate::service::openapi::DOCUMENT;

/// The documented routes, those without variables first.
static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(routes);

/// A route and its parameters.
struct Route {
    /// The path, with variables such as `{id}`.
    template: String,
    parameters: Vec<String>,
}

/// The part of the OpenAPI document that names the parameters.
#[derive(Deserialize)]
struct Document {
    paths: BTreeMap<String, Path>,
}

#[derive(Deserialize)]
struct Path {
    get: Operation,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    parameters: Vec<Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    r#in: String,
}

/// The key of the response to a request.
pub(super) fn of(uri: &Uri) -> Cow<'_, str> {
    let path = uri.path();
    let Some(query) = uri.query() else { return Cow::Borrowed(path) };
    let Some(route) = ROUTES.iter().find(|route| route.matches(path)) else { return Cow::Borrowed(path) };
    let is_known = |name: &str| route.parameters.iter().any(|known| known == name);
    let mut pairs: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        parse(query.as_bytes()).filter(|(name, _)| is_known(name)).collect();
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    // The indexer group has lists of repeated names; elsewhere the first one counts.
    if !path.starts_with("/ordinals/") {
        pairs.dedup_by(|(later, _), (first, _)| later == first);
    }
    if pairs.is_empty() {
        return Cow::Borrowed(path);
    }
    let start = path.len() + 1;
    Cow::Owned(Serializer::for_suffix(format!("{path}?"), start).extend_pairs(pairs).finish())
}

impl Route {
    fn matches(&self, path: &str) -> bool {
        let (mut wanted, mut found) = (self.template.split('/'), path.split('/'));
        loop {
            match (wanted.next(), found.next()) {
                (None, None) => return true,
                (Some(wanted), Some(found)) if wanted == found || wanted.starts_with('{') => {}
                _ => return false,
            }
        }
    }
}

fn routes() -> Vec<Route> {
    // A test reads it.
    let Ok(Document { paths }) = serde_json::from_str(DOCUMENT) else { return Vec::new() };
    let route = |(template, path): (String, Path)| {
        let parameters = path.get.parameters.into_iter().filter(|parameter| parameter.r#in == "query");
        Route { template, parameters: parameters.map(|parameter| parameter.name).collect() }
    };
    let mut routes: Vec<Route> = paths.into_iter().map(route).collect();
    routes.sort_by_key(|route| route.template.contains('{'));
    routes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_parameters_make_another_response() {
        for (uri, key) in [
            ("/coins", "/coins"),
            ("/coins?", "/coins"),
            ("/coins?x=1&y", "/coins"),
            ("/coins?limit=5&x=1&start=2", "/coins?limit=5&start=2"),
            ("/coins?start=2&limit=5", "/coins?limit=5&start=2"),
            ("/coins?limit=5&limit=6", "/coins?limit=5"),
            ("/coins?li%6Dit=5", "/coins?limit=5"),
            ("/coins?ids=1%2C2", "/coins?ids=1%2C2"),
            ("/coins?ids=1,2", "/coins?ids=1%2C2"),
            // An empty value is not the same as none everywhere.
            ("/coins?limit=", "/coins?limit="),
            ("/x/names?number=7", "/x/names"),
            ("/openapi.json?limit=5", "/openapi.json"),
            ("/ordinals/brc-20/tokens/ordi?limit=5", "/ordinals/brc-20/tokens/ordi"),
            ("/ordinals/brc-20/tokens/ordi/holders?x=1&limit=5", "/ordinals/brc-20/tokens/ordi/holders?limit=5"),
            // Not an inscription with the id `transfers`, which has no parameters.
            ("/ordinals/inscriptions/transfers?block=7", "/ordinals/inscriptions/transfers?block=7"),
            ("/ordinals/brc-20/tokens?ticker=b&x=1&ticker=a", "/ordinals/brc-20/tokens?ticker=b&ticker=a"),
        ] {
            assert_eq!(of(&uri.parse().unwrap()), key, "{uri}");
        }
    }
}

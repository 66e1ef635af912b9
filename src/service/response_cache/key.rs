//! The key of a cached response: its path and the parameters that the route knows, in the order of the document.
//! Unknown parameters and those that have their default values are left out, so they don't add cache entries.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use axum::http::Uri;
use serde::Deserialize;
use serde_json::Value;
use url::form_urlencoded::{Serializer, parse};

use crate::service::openapi::DOCUMENT;

/// The documented routes.
static ROUTES: LazyLock<Routes> = LazyLock::new(Routes::documented);

/// The parameters of each route.
#[derive(Default)]
struct Routes {
    /// The routes without variables, by path.
    fixed: HashMap<String, Vec<Known>>,
    /// The others, by their paths with variables such as `{id}`.
    templates: Vec<(String, Vec<Known>)>,
}

/// A parameter that a route knows.
struct Known {
    name: String,
    /// A request that states this value gets the same response as one that doesn't.
    default: Option<String>,
}

/// The part of the OpenAPI document that describes the parameters.
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
    schema: Schema,
}

#[derive(Deserialize)]
struct Schema {
    default: Option<Value>,
}

/// The key of the response to a request. It is borrowed if the parameters are in order, encoded in the usual way, and
/// none of them has its default value, or all have. The query of an undocumented route is part of it unchanged.
pub(super) fn of(uri: &Uri) -> Cow<'_, str> {
    of_routes(&ROUTES, uri)
}

fn of_routes<'a>(routes: &Routes, uri: &'a Uri) -> Cow<'a, str> {
    let path = uri.path();
    let Some(query) = uri.query() else { return Cow::Borrowed(path) };
    let whole = uri.path_and_query().map_or(path, |whole| whole.as_str());
    let Some(known) = routes.parameters(path) else { return Cow::Borrowed(whole) };
    if is_key(query, known) {
        return Cow::Borrowed(whole);
    }
    let place = |name: &str| known.iter().position(|known| known.name == name);
    let mut pairs: Vec<(usize, Cow<'_, str>)> =
        parse(query.as_bytes()).filter_map(|(name, value)| Some((place(&name)?, value))).collect();
    // Repeated ones stay: they are lists, or invalid.
    pairs.sort_by_key(|(place, _)| *place);
    let mut pairs = pairs
        .chunk_by(|(place, _), (other, _)| place == other)
        .filter(|same| !is_default(known, same))
        .flatten()
        .peekable();
    if pairs.peek().is_none() {
        return Cow::Borrowed(path);
    }
    let pairs = pairs.map(|(place, value)| (known[*place].name.as_str(), value));
    Cow::Owned(Serializer::for_suffix(format!("{path}?"), path.len() + 1).extend_pairs(pairs).finish())
}

/// Whether these values of one parameter are its default. Routes refuse a repeated one.
fn is_default(known: &[Known], values: &[(usize, Cow<'_, str>)]) -> bool {
    matches!(values, [(place, value)] if known[*place].default.as_deref() == Some(value))
}

/// Whether a query has only known parameters, in order and encoded as in a key, none with its default.
fn is_key(query: &str, known: &[Known]) -> bool {
    let mut next = 0;
    query.split('&').all(|pair| {
        let Some((name, value)) = pair.split_once('=') else { return false };
        let Some((place, parameter)) = known.iter().enumerate().skip(next).find(|(_, known)| known.name == name) else {
            return false;
        };
        next = place;
        is_normal_value(value) && parameter.default.as_deref() != Some(value)
    })
}

/// Whether a value is encoded as in a key. Letters other than ASCII are not checked.
fn is_normal_value(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"*-._".contains(&byte);
    let mut parts = value.split('%');
    let are_plain = |part: &str| part.bytes().all(|byte| byte == b'+' || is_plain(byte));
    parts.next().is_none_or(are_plain)
        && parts.all(|part| {
            let Some((digits, rest)) = part.split_at_checked(2) else { return false };
            let is_upper = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
            let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_upper);
            byte.is_some_and(|byte| byte.is_ascii() && byte != b' ' && !is_plain(byte)) && are_plain(rest)
        })
}

impl Routes {
    fn documented() -> Routes {
        // A test reads it.
        let Ok(Document { paths }) = serde_json::from_str(DOCUMENT) else { return Routes::default() };
        let known = |path: Path| {
            let parameters = path.get.parameters.into_iter().filter(|parameter| parameter.r#in == "query");
            parameters.map(|Parameter { name, schema, .. }| Known { name, default: schema.default_text() }).collect()
        };
        let paths = paths.into_iter().map(|(template, path)| (template, known(path)));
        let (templates, fixed): (Vec<_>, Vec<_>) = paths.partition(|(template, _)| template.contains('{'));
        Routes { fixed: fixed.into_iter().collect(), templates }
    }

    /// The parameters of a route; `None` if it is not documented.
    fn parameters(&self, path: &str) -> Option<&[Known]> {
        let of_template =
            || self.templates.iter().find(|(template, _)| matches(template, path)).map(|(_, known)| known);
        self.fixed.get(path).or_else(of_template).map(Vec::as_slice)
    }
}

impl Schema {
    /// The default as it stands in a query.
    fn default_text(self) -> Option<String> {
        match self.default? {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut found) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == found || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
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
            ("/coins?limit=5&x=1&start=2", "/coins?start=2&limit=5"),
            ("/coins?start=2&limit=5", "/coins?start=2&limit=5"),
            // Invalid, since it is repeated.
            ("/coins?limit=5&limit=6", "/coins?limit=5&limit=6"),
            ("/coins?li%6Dit=5", "/coins?limit=5"),
            ("/coins?ids=1%2C2", "/coins?ids=1%2C2"),
            ("/coins?ids=1,2", "/coins?ids=1%2C2"),
            ("/coins?start=1&limit=100", "/coins"),
            ("/coins?tag=all&start=101&limit=100&convert=USD", "/coins?start=101"),
            ("/coins?limit=5&limit=100", "/coins?limit=5&limit=100"),
            ("/coins?limit=100&start=2&limit=5", "/coins?start=2&limit=100&limit=5"),
            ("/coins?limit=0100", "/coins?limit=0100"),
            ("/coins/stats?tag=all", "/coins/stats?tag=all"),
            ("/coins/stats?tag=brc-20", "/coins/stats"),
            ("/ordinals/brc-20/tokens?offset=0&limit=20", "/ordinals/brc-20/tokens"),
            ("/ordinals/brc-20/tokens?limit=20&limit=5", "/ordinals/brc-20/tokens?limit=20&limit=5"),
            ("/ordinals/brc-20/tokens?limit=20&limit=20", "/ordinals/brc-20/tokens?limit=20&limit=20"),
            // An empty value is not equivalent to a missing one everywhere.
            ("/coins?limit=", "/coins?limit="),
            ("/x/names?number=7", "/x/names"),
            ("/ordinals/brc-20/tokens/ordi?limit=5", "/ordinals/brc-20/tokens/ordi"),
            ("/ordinals/brc-20/tokens/ordi/holders?x=1&limit=5", "/ordinals/brc-20/tokens/ordi/holders?limit=5"),
            // Not an inscription with the id `transfers`, which has no parameters.
            ("/ordinals/inscriptions/transfers?block=7", "/ordinals/inscriptions/transfers?block=7"),
            ("/ordinals/brc-20/tokens?ticker=b&x=1&ticker=a", "/ordinals/brc-20/tokens?ticker=b&ticker=a"),
        ] {
            assert_eq!(of(&uri.parse().unwrap()), key, "{uri}");
        }
    }

    #[test]
    fn usual_queries_are_their_own_keys() {
        for query in
            ["", "limit=10", "start=2&limit=10", "ids=1%2C1027&convert=EUR", "tag=a+b", "limit=", "start=1&limit=100"]
        {
            assert!(matches!(of(&uri(query)), Cow::Borrowed(_)), "{query}");
        }
        // Each of these has another form, which is the key.
        for query in ["start=1&limit=5", "x=1&limit=5", "tag=%2c", "tag=%61", "tag=%20", "tag=%C3", "tag=%4", "tag=a~b"]
        {
            assert!(matches!(of(&uri(query)), Cow::Owned(_)), "{query}");
        }
        let repeated = "/ordinals/brc-20/tokens?ticker=b&ticker=a&limit=5".parse().unwrap();
        assert!(matches!(of(&repeated), Cow::Borrowed(_)));
    }

    #[test]
    fn normal_queries_are_encoded_the_same_way() {
        for byte in 0..=u8::MAX {
            for value in [format!("%{byte:02X}"), format!("a%{byte:02x}"), char::from(byte).to_string()] {
                let query = format!("tag={value}");
                let pairs = parse(query.as_bytes());
                let encoded = Serializer::new(String::new()).extend_pairs(pairs).finish();
                let known = [Known { name: String::from("tag"), default: None }];
                assert!(!is_key(&query, &known) || encoded == query, "{query} {encoded}");
            }
        }
    }

    #[test]
    fn queries_of_undocumented_routes_never_share_a_response() {
        for (routes, path) in [(&*ROUTES, "/new"), (&*ROUTES, "/coins/"), (&Routes::default(), "/coins")] {
            let uri = |query: &str| -> Uri { format!("{path}?{query}").parse().unwrap() };
            assert_eq!(of_routes(routes, &uri("limit=5&a=%2c")), format!("{path}?limit=5&a=%2c"));
            assert_ne!(of_routes(routes, &uri("limit=5")), of_routes(routes, &uri("limit=6")));
        }
    }

    fn uri(query: &str) -> Uri {
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/coins{mark}{query}").parse().unwrap()
    }
}

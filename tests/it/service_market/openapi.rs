//! The OpenAPI document matches the service: every example is requested, and its response or error must match the
//! schema without additional fields.

use std::time::Duration;

use jsonschema::Validator;
use reqwest::Method;
use satscope::client::config::Secret;
use satscope::service::{FaultInjection, Options};
use serde_json::{Map, Value, json};

use super::{ODD, Service, text};

/// A standalone schema of the document in which unknown fields are errors.
fn validator(document: &Value, schema: &Value) -> Validator {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "components": document["components"],
        "allOf": [schema],
    });
    let mut shared = Vec::new();
    parts_of_others(&schema["components"], &mut shared);
    close(&mut schema["components"], &shared);
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// Schemas used in an `allOf`: others add fields to them.
fn parts_of_others(value: &Value, names: &mut Vec<String>) {
    for part in value["allOf"].as_array().into_iter().flatten() {
        if let Some(name) = part["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            names.push(name.to_owned());
        }
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|inner| parts_of_others(inner, names)),
        Value::Array(items) => items.iter().for_each(|inner| parts_of_others(inner, names)),
        _ => {}
    }
}

/// Forbids additional properties.
fn close(value: &mut Value, parts: &[String]) {
    let Value::Object(fields) = value else { return };
    let whole = fields.contains_key("allOf");
    if (whole || fields.contains_key("properties")) && !fields.contains_key("additionalProperties") {
        fields.insert(String::from("unevaluatedProperties"), Value::Bool(false));
    }
    for (name, inner) in fields.iter_mut() {
        if name == "allOf" || (parts.contains(name) && inner.get("properties").is_some()) {
            continue;
        }
        match inner {
            Value::Array(items) => items.iter_mut().for_each(|item| close(item, parts)),
            inner => close(inner, parts),
        }
    }
}

/// The path of an operation with its example parameters.
fn example(path: &str, operation: &Value) -> String {
    let mut path = path.to_owned();
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = text(parameter, "name");
        let value = match &parameter["example"] {
            Value::Null => Value::Null,
            Value::String(text) => Value::from(text.as_str()),
            other => Value::from(other.to_string()),
        };
        match (text(parameter, "in"), value.as_str()) {
            ("path", Some(value)) => {
                let encoded: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
                path = path.replace(&format!("{{{name}}}"), &encoded.replace('+', "%20"));
            }
            ("query", Some(value)) => {
                query.append_pair(name, value);
            }
            ("path", None) => panic!("{path}: {name} has no example"),
            _ => {}
        }
    }
    match query.finish() {
        query if query.is_empty() => path,
        query => format!("{path}?{query}"),
    }
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    document["paths"].as_object().unwrap().iter().map(|(path, item)| (path.as_str(), &item["get"]))
}

#[tokio::test]
async fn openapi_examples_match_responses() {
    let service = Service::at(21_000_000, ODD);
    let document = service.get("/openapi.json").await.json();
    assert_eq!(document["openapi"].as_str().map(|version| version.starts_with("3.1")), Some(true));
    let mut seen = 0;
    for (path, operation) in operations(&document) {
        assert!(!operation["parameters"].as_array().is_some_and(Vec::is_empty), "{path}");
        // A stream has no end, and simulated data has none.
        if operation["responses"]["200"]["content"]["text/event-stream"].is_object() {
            continue;
        }
        let target = example(path, operation);
        let got = service.get(&target).await;
        assert_eq!(got.status, 200, "{target}: {}", String::from_utf8_lossy(&got.body));
        let content = &operation["responses"]["200"]["content"];
        if content["*/*"].is_object() {
            continue;
        }
        let schema = &content["application/json"]["schema"];
        assert!(schema.is_object(), "{path} describes its response");
        let response = got.json();
        let errors: Vec<String> = validator(&document, schema)
            .iter_errors(&response)
            .map(|e| format!("{} at {}", e, e.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{target}: {:#?}", &errors[..errors.len().min(3)]);
        seen += 1;
    }
    for path in ["/coins", "/content", "/exchanges", "/chart", "/market/data", "/coins/stats"] {
        assert!(document["paths"][path]["get"].is_object(), "{path}");
    }
    assert!(seen >= 6);
}

#[tokio::test]
async fn openapi_failures_match_responses() {
    let service = Service::at(21_000_000, ODD);
    let document = service.get("/openapi.json").await.json();
    for (target, path, status) in [
        ("/coins?limit=0", "/coins", 400),
        ("/coins/stats?tag=x", "/coins/stats", 400),
        ("/content?symbol=", "/content", 400),
        ("/content?symbol=NOPE-NOPE", "/content", 404),
        ("/exchanges?symbol=BTC&convert=ZZZ", "/exchanges", 400),
        ("/exchanges?symbol=NOPE-NOPE", "/exchanges", 404),
        ("/chart?slug=bitcoin&period=9D", "/chart", 400),
        ("/chart?slug=nope-nope", "/chart", 404),
        ("/market/data?symbol=BTC&count=x", "/market/data", 400),
        ("/market/data?symbol=NOPE-NOPE", "/market/data", 404),
    ] {
        let got = service.get(target).await;
        assert_eq!(got.status, status, "{target}");
        let schema =
            &document["paths"][path]["get"]["responses"][status.to_string()]["content"]["application/json"]["schema"];
        let failure = got.json();
        assert!(validator(&document, schema).is_valid(&failure), "{target}: {failure}");
    }
}

#[test]
fn openapi_check_detects_wrong_response() {
    let document = json!({"components": {"schemas": {
        "A": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
        "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object", "properties": {"b": {"type": "string"}}}]},
        "C": {"type": "object", "properties": {"c": {"type": "string"}}},
    }}});
    let valid = |name: &str, value: Value| {
        validator(&document, &json!({"$ref": format!("#/components/schemas/{name}")})).is_valid(&value)
    };
    assert!(valid("B", json!({"a": 1, "b": "x"})));
    assert!(!valid("B", json!({"a": 1, "b": "x", "undescribed": 1})));
    assert!(!valid("C", json!({"undescribed": 1})));
    assert!(!valid("A", json!({"a": "1"})));
    assert!(!valid("A", Value::Object(Map::new())));
}

/// Requires that the service accepts exactly the values that match the pattern of a parameter.
async fn require_pattern(service: &Service, (path, name, rest): (&str, &str, &str), values: &[impl AsRef<str>]) {
    let document = service.get("/openapi.json").await.json();
    let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
    let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
    let schema = jsonschema::validator_for(&json!({"pattern": text(&parameter["schema"], "pattern")})).unwrap();
    for value in values.iter().map(AsRef::as_ref) {
        let encoded: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let target = format!("{path}?{name}={encoded}&{rest}");
        let is_accepted = service.get(&target).await.status != 400;
        assert_eq!(is_accepted, schema.is_valid(&json!(value)), "{target}");
    }
}

#[tokio::test]
async fn patterns_of_parameters_agree_with_the_service() {
    let service = Service::at(21_000_000, ODD);
    for (path, name, rest, values) in [
        ("/coins", "convert", "", &["", "EUR", "eur", "btc", "ZZZ", "EURO", " EUR", "0FoNxL08yB"][..]),
        ("/coins", "tag", "", &["", "brc-20", "BRC-20 ", "x"]),
        ("/coins", "ids", "", &["", "1", ",1,", ",", "\u{b}", " "]),
        ("/content", "post_type", "symbol=BTC", &["", "top", " ", "new"]),
        ("/chart", "period", "slug=bitcoin", &["", "7D", "7d", "9D", " 7D"]),
        ("/chart", "slug", "", &["", " ", "bitcoin"]),
        (
            "/x/rates",
            "dates",
            "from=EUR",
            &["", "2025-03-02", "2025-02-30", "2025-13-01", "2025-03-32", ",2025-03-02,,"],
        ),
        ("/x/rates", "to", "dates=2025-03-02&from=EUR", &["", "USD", "ZZZ", "x"]),
        ("/x/rates", "from", "dates=2025-03-02", &["", "EUR,", "E", "EUR,gbp", "EUR\n", " EUR", "EUR, ,gbp", " ,EUR"]),
        ("/market/data", "symbol", "", &["", " ", ",", ",BTC", "BTC", " BTC , ETH"]),
    ] {
        require_pattern(&service, (path, name, rest), values).await;
    }
}

#[tokio::test]
async fn maxima_of_lists_count_repeated_and_blank_items() {
    let service = Service::at(21_000_000, ODD);
    for (path, name, rest, item, max) in [
        ("/coins", "ids", "", "7", 200),
        ("/market/data", "symbol", "count=1", "BTC", 200),
        ("/x/rates", "dates", "from=EUR", "2025-03-02", 400),
        ("/x/rates", "from", "dates=2025-03-02", "EUR", 20),
    ] {
        for count in [max - 1, max, max + 1] {
            let list = vec![item; count].join(",");
            let blanks = ",".repeat(count);
            let values =
                [format!(",{list}"), format!("{list},"), format!("{item}{blanks}"), format!("{blanks}{item}"), list];
            require_pattern(&service, (path, name, rest), &values).await;
        }
    }
}

#[tokio::test]
async fn integers_have_plain_decimal_digits() {
    let service = Service::at(21_000_000, ODD);
    for path in [
        "/coins?start=",
        "/market/data?symbol=BTC&count=",
        "/ordinals/brc-20/tokens?limit=",
        "/ordinals/brc-20/tokens?offset=",
        "/ordinals/inscriptions?number=",
        "/ordinals/inscriptions?from_number=",
        "/ordinals/sats/",
    ] {
        assert_eq!(service.get(&format!("{path}1")).await.status, 200, "{path}");
        for value in ["01", "%2B1", "%201", "1%20", "1%0A", "1.0", "1e0", "0x1"] {
            assert_eq!(service.get(&format!("{path}{value}")).await.status, 400, "{path}{value}");
        }
    }
}

#[tokio::test]
async fn headers_of_responses_are_documented() {
    let token = Some(Secret(String::from("s3cret")));
    let faults = FaultInjection { limit_every: 1, retry_after: Duration::from_secs(1), ..FaultInjection::default() };
    let services = [
        Service::at(21_000_000, ODD),
        Service::with(Options { token, ..Options::default() }),
        Service::with_faults(faults),
    ];
    let document = services[0].get("/openapi.json").await.json();
    assert_eq!(document["security"], json!([{}, {"bearer": []}]));
    let scheme = &document["components"]["securitySchemes"]["bearer"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    let resolve = |value: &Value| match value["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).unwrap().clone(),
        None => value.clone(),
    };
    let mut seen = Vec::new();
    for service in &services {
        for (method, path, target) in [
            (Method::GET, "/coins", "/coins?limit=1"),
            (Method::GET, "/coins", "/coins?limit=0"),
            (Method::GET, "/chart", "/chart?slug=nosuch"),
            (Method::GET, "/x/stream", "/x/stream?ids=1"),
            (Method::POST, "/coins", "/coins"),
            (Method::GET, "/ordinals/brc-20/tokens", "/ordinals/brc-20/tokens"),
            (Method::GET, "/ordinals/brc-20/tokens/{ticker}", "/ordinals/brc-20/tokens/none"),
            (Method::DELETE, "/ordinals/brc-20/tokens", "/ordinals/brc-20/tokens"),
            (Method::GET, "/x/sources", "/x/sources"),
        ] {
            let is_get = method == Method::GET;
            let got = service.send(method, target, &[]).await;
            // Other methods have no operation, and every response to them has `Allow`.
            if !is_get && got.status != 405 {
                continue;
            }
            let response = resolve(&document["paths"][path]["get"]["responses"][got.status.to_string()]);
            assert!(response.is_object(), "{target}: {}", got.status);
            for name in ["Age", "Allow", "Cache-Control", "ETag", "Retry-After", "Vary", "WWW-Authenticate"] {
                let Some(value) = got.headers.get(name) else { continue };
                let header = resolve(&response["headers"][name]);
                assert!(header.is_object(), "{target}: {name}");
                let value = value.to_str().unwrap();
                let value = value.parse::<u32>().map_or_else(|_| json!(value), |number| json!(number));
                assert!(jsonschema::is_valid(&header["schema"], &value), "{target}: {name}: {value}");
                seen.push((got.status, name));
            }
        }
    }
    for (status, name) in
        [(200, "ETag"), (200, "Vary"), (401, "WWW-Authenticate"), (405, "Allow"), (429, "Retry-After")]
    {
        assert!(seen.contains(&(status, name)), "{status} {name}: {seen:?}");
    }
}

/// The cache leaves out parameters that have their default values.
#[tokio::test]
async fn documented_defaults_get_the_same_response_as_no_value() {
    let service = Service::at(21_000_000, ODD);
    let document = service.get("/openapi.json").await.json();
    let mut seen = 0;
    for (path, operation) in operations(&document).filter(|(path, _)| *path != "/x/stream") {
        let target = example(path, operation);
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let default = match &parameter["schema"]["default"] {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let name = text(parameter, "name");
            let others: Vec<_> =
                url::form_urlencoded::parse(query.as_bytes()).filter(|(other, _)| other != name).collect();
            let path_with = |own: Option<&str>| {
                let mut query = url::form_urlencoded::Serializer::new(String::new());
                // Ids would hide the list.
                query.extend_pairs(others.iter().filter(|(other, _)| other != "ids"));
                query.extend_pairs(own.map(|value| (name, value)));
                format!("{path}?{}", query.finish())
            };
            let (without, with) = (service.get(&path_with(None)).await, service.get(&path_with(Some(&default))).await);
            assert_eq!((without.status, with.status), (200, 200), "{}", path_with(Some(&default)));
            assert_eq!(without.body, with.body, "{}", path_with(Some(&default)));
            seen += 1;
        }
    }
    assert!(seen >= 30, "{seen}");
}

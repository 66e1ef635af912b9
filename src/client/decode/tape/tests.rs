use proptest::prelude::*;

use super::node::{NODES, Node};
use super::*;
use crate::client::error::ErrorKind;

fn open(text: &str) -> Document<'_> {
    Document::parse(text, 64).unwrap()
}

/// Converts a value to serde_json via tape and expansion.
fn to_json(value: Value<'_>) -> serde_json::Value {
    match value.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::True => true.into(),
        Kind::False => false.into(),
        Kind::Number => serde_json::from_str(value.number().unwrap()).unwrap(),
        Kind::String | Kind::EscapedString => value.str().unwrap().into(),
        Kind::Array => value.items().map(to_json).collect(),
        Kind::Object => {
            serde_json::Value::Object(value.entries().map(|(key, value)| (key.into_owned(), to_json(value))).collect())
        }
        Kind::RawArray | Kind::RawObject => to_json(Tape::default().expand(value).unwrap()),
        Kind::Word => panic!("a word in valid JSON: {value:?}"),
    }
}

#[test]
fn tape_parses_outer_levels_and_leaves_items_raw() {
    let document =
        open(r#"{"status":{"error_code":0},"data":{"list":[{"id":1,"quote":{"USD":{"price":2}}}],"total":"41"}}"#);
    let data = document.root().get("data").unwrap();
    assert_eq!(data.get("total").unwrap().number(), Some("41"));
    let item = data.get("list").unwrap().items().next().unwrap();
    assert_eq!(item.kind(), Kind::RawObject);
    let mut tape = Tape::default();
    let item = tape.expand(item).unwrap();
    let price = item.get("quote").unwrap().get("usd").unwrap().get("price").unwrap();
    assert_eq!(price.raw(), "2");
    assert_eq!(document.path(price), "$.data.list[0].quote.USD.price");
}

#[test]
fn non_json_body_is_named() {
    let error = |body: &str| Document::parse(body, 8).unwrap_err();
    assert_eq!(error(" \n"), ErrorKind::Empty);
    assert_eq!(error("{\"a\":[1,2"), ErrorKind::Incomplete);
    assert_eq!(error("{\"a\":\"x"), ErrorKind::Incomplete);
    assert_eq!(error(&"[".repeat(100_000)), ErrorKind::TooDeep(8));
    assert_eq!(error("429 Too Many Requests"), ErrorKind::NotJson("text: 429 Too Many Requests".into()));
    assert_eq!(
        error("<!DOCTYPE html>\n<html><head><title>\n Just a moment…</title>"),
        ErrorKind::NotJson("an HTML page (“Just a moment…”)".into())
    );
    assert_eq!(error("<?xml version=\"1.0\"?><Error/>"), ErrorKind::NotJson("XML".into()));
    assert_eq!(error("{\"a\" 1}"), ErrorKind::Corrupt("JSON, expected a colon at byte 5".into()));
}

#[test]
fn broken_item_fails_only_when_expanded() {
    let document = open(r#"[{"id":1},{"id" 2},{'id':3},{"id":4,},{"id":,"b":NaN}]"#);
    let mut tape = Tape::default();
    let read: Vec<Option<String>> =
        document.root().items().map(|item| tape.expand(item).ok()?.get("id").map(|id| id.raw().into())).collect();
    assert_eq!(read, [Some("1".into()), None, None, Some("4".into()), Some(String::new())]);
}

#[test]
fn any_escape_sequence_is_unescaped() {
    let text = |json: &str| open(json).root().str().unwrap().into_owned();
    assert_eq!(text(r#""a\"b\\c\/\n\u00e9\ud83d\udd25""#), "a\"b\\c/\né🔥");
    assert_eq!(text(r#""\ud83d!\udd25\u12\q""#), "\u{fffd}!\u{fffd}\u{fffd}12\\q");
}

#[test]
fn value_has_only_children_of_its_kind() {
    let document = open(r#"{"list":[1,2],"map":{"a":1},"word":"w"}"#);
    let at = |name| document.root().get(name).unwrap();
    let count = |value: Value<'_>| (value.items().count(), value.fields().count());
    assert_eq!((count(at("list")), count(at("map")), count(at("word"))), ((2, 0), (0, 1), (0, 0)));
    assert_eq!(format!("{:?}", at("map")), r#"{"a":1}"#);
}

#[test]
fn extra_commas_are_ignored() {
    let document = open(r#"{,"a":[,1,,2,],,"b":3,}"#);
    let list: Vec<&str> = document.root().get("a").unwrap().items().map(|item| item.raw()).collect();
    assert_eq!((list, document.root().get("b").unwrap().raw()), (vec!["1", "2"], "3"));
}

#[test]
fn skim_parses_three_levels_of_objects_and_their_lists() {
    let document = open(r#"{"a":{"b":{"list":[1,{}],"c":{"d":1}}}}"#);
    let b = document.root().get("a").unwrap().get("b").unwrap();
    let kinds = ["list", "c"].map(|name| b.get(name).unwrap().kind());
    assert_eq!((kinds, document.is_deep), ([Kind::Array, Kind::RawObject], true));
    assert!(!Document::parse_deep(r#"{"a":{"b":{"c":{"d":1}}}}"#, 64).unwrap().is_deep);
    assert!(!Document::parse_deep(&format!("{}1{}", r#"{"a":"#.repeat(12), "}".repeat(12)), 64).unwrap().is_deep);
}

#[test]
fn skipped_values_count_towards_depth_limit() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(Document::parse(&nested(8), 8).is_ok());
    assert_eq!(Document::parse(&nested(9), 8).unwrap_err(), ErrorKind::TooDeep(8));
}

#[test]
fn paths_quote_keys_and_trailing_bytes_are_noticed() {
    let document = open(r#"{"":{"a b":{"c_1":[[1]]}}}"#);
    let inner = document.root().fields().next().unwrap().1.get("a b").unwrap();
    assert_eq!(document.path(inner), r#"$[""]["a b"]"#);
    let list = inner.get("c_1").unwrap();
    assert_eq!(document.path(list), r#"$[""]["a b"].c_1"#);
    assert_eq!(document.path(list.items().next().unwrap()), r#"$[""]["a b"].c_1[0]"#);
    assert_eq!(document.path(document.root()), "$");
    for (text, trailing) in [("[1]", false), ("[1] \n\0\0 ", false), ("[1] x", true), ("[1]\0{", true)] {
        assert_eq!(open(text).trailing, trailing, "{text:?}");
    }
}

#[test]
fn html_page_is_named_by_title_near_its_start() {
    let error = |body: &str| Document::parse(body, 8).unwrap_err();
    let not_json = |what: &str| ErrorKind::NotJson(what.to_owned());
    let far = format!("<html><body>{}<title>far</title>", "x".repeat(5_000));
    assert_eq!(error(&far), not_json("an HTML page"));
    assert_eq!(error("<html><body>nothing"), not_json("an HTML page"));
    assert_eq!(error("<html><h1>Down</h1>"), not_json("an HTML page (“Down”)"));
    assert_eq!(error("<feed><title>news</title></feed>"), not_json("an HTML page (“news”)"));
}

#[test]
fn last_duplicate_key_wins_unless_null() {
    let document = open(r#"{"maxSupply":1,"max_supply":2,"max-supply":null}"#);
    assert_eq!(document.root().get("MAX_SUPPLY").unwrap().raw(), "2");
}

/// A string with the shortest possible values.
#[test]
fn tape_uses_no_more_memory_than_its_text() {
    const BYTES: usize = 16 * 1024 * 1024;
    for unit in ["1,", "[],", "{},", "\"\",", "[1],"] {
        let body = format!("[{}1]", unit.repeat(BYTES / unit.len()));
        let Err(ErrorKind::TooMany(most)) = Document::parse(&body, 64) else { panic!("{unit} is accepted") };
        assert!(most * size_of::<Node>() <= BYTES + NODES * size_of::<Node>());
        // The same inside an item, which a skim leaves raw.
        let body = format!("[{body}]");
        let document = open(&body);
        let mut tape = Tape::default();
        let item = document.root().items().next().unwrap();
        assert!(matches!(tape.expand(item), Err(SyntaxError::TooMany(_))), "{unit}");
        assert!(tape.nodes.capacity() <= tape.max_nodes, "capacity of {} nodes", tape.nodes.capacity());
    }
    // Real lists are far below the limit, and short ones may be denser.
    let coins = format!("[{}]", vec![r#"{"id":1,"price":2}"#; 600_000].join(","));
    assert_eq!(open(&coins).root().items().count(), 600_000);
    let numbers = format!("[{}1]", "1,".repeat(500_000));
    assert_eq!(open(&numbers).root().items().count(), 500_001);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(7, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(".{0,6}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn tape_agrees_with_serde_json(value in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(to_json(open(&text).root()), serde_json::from_str::<serde_json::Value>(&text).unwrap());
    }

    #[test]
    fn tape_accepts_any_text(text in r#"([\[\]{}",:\\0-9a-z <-]|null|\PC){0,40}"#) {
        if let Ok(document) = Document::parse(&text, 16) {
            let mut tape = Tape::default();
            for item in document.root().items().chain(document.root().fields().map(|(_, value)| value)) {
                document.path(item);
                if let Ok(item) = tape.expand(item) { document.path(item); }
            }
        }
    }
}

//! Maps of items whose keys are names of envelope fields, such as the balance of a token `list` or the coin `status`.

use crate::client::decode::envelope::spec::{META, Spec, is_meta};
use crate::client::decode::field_name::same_name;
use crate::client::decode::kind::Kind;
use crate::client::decode::tape::{Tape, Value};

/// Field names of balances.
const BALANCES: &[&str] = &[
    "overall_balance",
    "overall",
    "balance",
    "amount",
    "total",
    "available_balance",
    "available",
    "transferrable_balance",
    "transferable_balance",
    "transfer_balance",
    "transferable",
];

/// Limits against hostile responses: fields of a map to search, siblings to compare an entry with, and fields of each
/// to compare.
const SEARCHED: usize = 64;
const COMPARED: usize = 4;
const FIELDS: usize = 16;

/// Minimum marker fields by which an object under a metadata name counts as an item if no sibling resembles it.
const MIN_MARKS: usize = 2;

/// Whether an object has a field that only items have.
pub(super) fn has_mark(object: Value<'_>, spec: &Spec) -> bool {
    let Some(mark) = object.any(spec.marks) else { return false };
    // A mark may also be the ticker of a token in a map.
    spec.kind != Kind::Balance || !mark.is_object() && !mark.is_array() && !has_foreign_amounts(object)
}

/// Whether an object or list under a name of envelopes is an item or a list of items: its key is the requested symbol,
/// or it resembles others in the map.
pub(super) fn is_item(map: Value<'_>, (key, value): (&str, Value<'_>), spec: &Spec, requested: Option<&str>) -> bool {
    // Envelopes have fields in lower or mixed case.
    let is_symbol = !key.chars().any(char::is_lowercase);
    if is_symbol && requested.is_some_and(|requested| requested.eq_ignore_ascii_case(key)) {
        return true;
    }
    // The content of an inscription is a part of it.
    let is_content = spec.kind == Kind::Inscription && same_name(key, "content") && value.is_object();
    if is_content && has_mark(map, spec) && value.any(spec.marks).is_none() {
        return true;
    }
    // Several lists in an envelope may have similar items, and so may several envelopes.
    let holds_list = || spec.lists.iter().any(|name| value.get(name).is_some_and(|inner| inner.is_array()));
    if value.is_array() && !is_symbol || value.is_object() && holds_list() {
        return false;
    }
    let is_sibling = |(other, sibling): &(Value<'_>, Value<'_>)| {
        sibling.index() != value.index()
            && sibling.is_array() == value.is_array()
            && (sibling.is_array() || sibling.is_object())
            && !is_meta(other.raw())
    };
    map.fields().take(SEARCHED).filter(is_sibling).take(COMPARED).any(|(_, sibling)| is_similar(value, sibling))
        || is_meta(key) && looks_like_item(value, spec)
}

/// Which names of metadata are keys of items in a map.
pub(super) fn meta_items(map: Value<'_>, spec: &Spec, requested: Option<&str>) -> [bool; META.len()] {
    std::array::from_fn(|at| {
        META.get(at).and_then(|name| map.entry(name)).is_some_and(|(key, value)| {
            let key = key.str().unwrap_or_default();
            (value.is_array() || value.is_object()) && is_item(map, (&key, value), spec, requested)
        })
    })
}

/// Whether two objects, or the first items of two lists, have most of their fields in common.
fn is_similar(a: Value<'_>, b: Value<'_>) -> bool {
    let (mut tape_a, mut tape_b) = (Tape::default(), Tape::default());
    let Some((a, b)) = first_object(a, &mut tape_a).zip(first_object(b, &mut tape_b)) else { return false };
    let fields = |object: Value<'_>| object.fields().take(FIELDS).count();
    let has = |name: &str| b.fields().take(FIELDS).any(|(key, _)| key.raw() == name);
    let shared = a.fields().take(FIELDS).filter(|(key, _)| has(key.raw())).count();
    shared * 2 > fields(a).max(fields(b))
}

/// The object, or the first one in a list.
fn first_object<'t>(value: Value<'t>, tape: &'t mut Tape) -> Option<Value<'t>> {
    let object = if value.is_array() { value.items().next()? } else { value };
    if !object.is_object() {
        return None;
    }
    if object.is_raw() { tape.expand(object).ok() } else { Some(object) }
}

fn looks_like_item(value: Value<'_>, spec: &Spec) -> bool {
    let marks = spec.marks.iter().filter(|name| value.get(name).is_some()).count();
    marks >= MIN_MARKS || spec.kind == Kind::Balance && is_bare_balance(value)
}

/// Field names of a price, or of an object with one.
const PRICES: &[&str] = &["price", "quote", "quotes", "current_price", "price_usd", "last", "market_data"];

/// Whether an object has a price.
pub(in crate::client::decode) fn is_priced(object: Value<'_>) -> bool {
    object.any(PRICES).is_some()
}

/// Whether an entry of a map of items is an item, with its own name and a price, or contains a list of items. Others
/// may describe the items.
pub(super) fn is_marked_item(
    map: Value<'_>,
    (key, value): (Value<'_>, Value<'_>),
    spec: &Spec,
    requested: Option<&str>,
) -> bool {
    let mut tape = Tape::default();
    let Ok(open) = tape.expand(value) else { return false };
    let marks = ["id"].iter().chain(spec.marks).filter(|name| open.get(name).is_some()).count();
    let is_similar = || is_item(map, (&key.str().unwrap_or_default(), value), spec, requested);
    let holds_items = |list: Value<'_>| list.items().next().is_some_and(|item| item.is_object() || item.is_array());
    is_priced(open) && (marks >= MIN_MARKS || marks > 0 && is_similar())
        || spec.lists.iter().any(|name| open.get(name).is_some_and(holds_items))
}

/// Whether an object is a balance without its ticker: at least two amounts, and nothing else.
pub(super) fn is_bare_balance(object: Value<'_>) -> bool {
    let is_own = |(key, value): (Value<'_>, Value<'_>)| is_amount(value) && is_balance_field(key.raw());
    object.fields().nth(1).is_some() && object.fields().all(is_own)
}

/// Whether an object is a map of amounts by ticker (Maestro).
pub(super) fn is_map_of_amounts(object: Value<'_>) -> bool {
    object.fields().next().is_some() && object.fields().all(|(_, value)| is_amount(value))
}

/// Names of numbers about a list.
const ABOUT_LIST: &[&str] = &["count", "limit", "offset", "page", "pages"];

/// Whether an object in place of a list is a map of numbers by ticker or address, not a single balance.
pub(super) fn is_map_of_numbers(object: Value<'_>) -> bool {
    let is_about = |key: &str| is_balance_field(key) || ABOUT_LIST.iter().any(|name| same_name(name, key));
    object.fields().next().is_some()
        && object.fields().all(|(key, value)| value.number().is_some() && !is_about(key.raw()))
}

/// Whether an object with a ticker's field has only amounts under names that balances don't have: these are tickers,
/// and so is that field.
fn has_foreign_amounts(object: Value<'_>) -> bool {
    object.fields().nth(1).is_some()
        && is_map_of_amounts(object)
        && !object.fields().any(|(key, _)| is_balance_field(key.raw()))
}

fn is_balance_field(key: &str) -> bool {
    BALANCES.iter().any(|name| same_name(name, key))
}

fn is_amount(value: Value<'_>) -> bool {
    value.str().is_some() && value.number().is_some()
}

/// Returns a test for the key of a scalar: whether it stands for an item that the service failed to send, because it is
/// an ID or a symbol like the keys of the other items.
pub(super) fn scalar_items(map: Value<'_>) -> impl Fn(&str) -> bool {
    let is_number = |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
    let is_symbol = |key: &str| key.chars().any(char::is_uppercase) && !key.chars().any(char::is_lowercase);
    let is_item =
        |(key, value): &(Value<'_>, Value<'_>)| (value.is_array() || value.is_object()) && !is_meta(key.raw());
    let keys = || map.fields().filter(is_item).map(|(key, _)| key.raw());
    let (by_id, by_symbol) = (keys().all(is_number), keys().all(is_symbol));
    move |key| by_id && is_number(key) || by_symbol && is_symbol(key)
}

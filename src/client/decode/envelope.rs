//! Response envelopes: finds the list, its total length, or the reported error.

mod empty;
mod error;
mod inner;
mod keyed;
mod read_item;
mod spec;
mod wrappers;

use std::borrow::Cow;

use super::field_name::same_name;
use super::kind::Kind;
use super::read::{Context, found};
use super::tape::{SyntaxError, Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::text;

pub(super) use empty::failure_in;
pub use error::error_message;
pub(super) use error::{error_in, message_in, warning_in};
pub(super) use inner::{json_in_text, only_item};
pub(super) use keyed::is_priced;
pub(super) use read_item::ReadItem;
pub(super) use spec::{META, Spec};
pub(super) use wrappers::{ABOUT, DESCRIPTIONS, IsItem, WRAPPED, WRAPPERS, describing};

/// Field names of wrappers around list items: GraphQL's edges, JSON:API's resources, search engines' hits, Airtable's
/// records.
const ITEM_WRAPPERS: &[&str] = &["node", "attributes", "_source", "item", "fields"];

/// Field names of the list's total length:
/// CoinMarketCap and its site; nearly all; Bluesky; proxies.
const TOTALS: &[&str] =
    &["total_count", "total", "hits_total", "total_items", "total_results", "total_elements", "total_records"];

/// Field names of the total number of market pairs (CoinMarketCap).
const PAIR_TOTALS: &[&str] = &["num_market_pairs"];

/// Maximum items of a response: more than any market has coins, and a limit for hostile responses, whose items take
/// 15 bytes but hundreds in memory.
pub(super) const MAX_ITEMS: usize = 100_000;

/// A list of items found in a response.
#[derive(Debug)]
pub(super) struct List<'a> {
    shape: Shape<'a>,
    spec: &'static Spec,
    /// The requested symbol, which may be a key.
    requested: Option<&'a str>,
    /// Total length of the list, not yet parsed.
    pub(super) total: Option<Value<'a>>,
}

/// The map key of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'k> {
    /// The key, unchanged.
    pub(super) name: &'k str,
    /// Whether it is the key of a list, which several items share.
    pub(super) is_shared: bool,
    /// Whether it is an id beside the item instead.
    pub(super) is_id: bool,
}

impl<'k> Key<'k> {
    fn of_map(name: &'k str, is_shared: bool) -> Key<'k> {
        Key { name, is_shared, is_id: false }
    }

    fn of_id(name: &'k str) -> Key<'k> {
        Key { name, is_shared: false, is_id: true }
    }
}

#[derive(Debug)]
enum Shape<'a> {
    Empty,
    /// `[item, …]`
    Array(Value<'a>),
    /// `{key: item, …}` or `{key: [item, …], …}`
    Map(Value<'a>),
    /// `item`
    One(Value<'a>),
    /// `{key: "1.5", …}`: Maestro's balances.
    Amounts(Value<'a>),
}

impl<'a> List<'a> {
    /// Finds the list: the value itself, or a field named in the spec, or one in common wrappers, some levels deep. An
    /// object of objects or lists is a list by key; an object that looks like an item is a list of one.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] if there is none.
    pub(super) fn find(root: Value<'a>, spec: &'static Spec) -> Result<List<'a>, ErrorKind> {
        List::find_of(root, spec, None)
    }

    /// Finds a list like [`List::find`], for a list about this symbol, which may be the key of its items.
    ///
    /// # Errors
    /// As [`List::find`].
    pub(super) fn find_of(
        root: Value<'a>,
        spec: &'static Spec,
        requested: Option<&'a str>,
    ) -> Result<List<'a>, ErrorKind> {
        let mut total = ABOUT.iter().find_map(|name| root.get(name)?.any(TOTALS));
        let mut at = root;
        // Whether `at` is in a field with the name of the list.
        let mut is_named = false;
        for level in 0..WRAPPED {
            let around = total;
            let of_pairs = || at.any(PAIR_TOTALS).filter(|_| spec.kind == Kind::Pair);
            let own = at.any(TOTALS).or_else(of_pairs).or_else(|| count_of_results(at, spec));
            total = own.filter(|total| !total.is_array() && !total.is_object()).or(total);
            let list = |shape| Ok(List { shape, spec, requested, total });
            if at.is_raw() {
                break;
            }
            if at.is_array() {
                return list(Shape::Array(at));
            }
            if !at.is_object() {
                break;
            }
            let is_item = keyed::has_mark(at, spec);
            let inside = spec.lists.iter().chain(WRAPPERS).filter_map(|name| at.entry(name));
            // An item may contain an empty object of this name.
            let holds_list = |(_, inner): &(Value<'_>, Value<'_>)| {
                inner.is_array()
                    || inner.is_object() && !(is_item && inner.fields().next().is_none() && !inner.is_raw())
            };
            if let Some((key, inner)) = inside.into_iter().find(holds_list)
                && !keyed::is_item(at, (&key.str().unwrap_or_default(), inner), spec, requested)
            {
                is_named = spec.lists.iter().any(|name| same_name(name, key.raw()));
                at = inner;
                continue;
            }
            if is_item {
                return Ok(List { shape: Shape::One(at), spec, requested, total: around });
            }
            let mut keyed = entries(at, spec, requested).map(|(_, value)| value);
            if let Some(first) = keyed.next() {
                let holds_list = spec.lists.iter().any(|name| first.get(name).is_some_and(|list| list.is_array()));
                let is_wrapper = first.is_object()
                    && first.any(spec.marks).is_none()
                    && (first.any(WRAPPERS).is_some() || holds_one_object(first));
                if (holds_list || is_wrapper) && keyed.next().is_none() {
                    at = first; // a category under its id, with its coins; the field of a GraphQL query
                    continue;
                }
                return list(Shape::Map(at));
            }
            if spec.kind == Kind::Balance && keyed::is_bare_balance(at) {
                return Ok(List { shape: Shape::One(at), spec, requested, total: around });
            }
            if spec.kind == Kind::Balance && (keyed::is_map_of_amounts(at) || is_named && keyed::is_map_of_numbers(at))
            {
                return list(Shape::Amounts(at));
            }
            // `{"data": {}}` and `{"data": null}` are empty lists, `{}` alone is nothing.
            let wrapped_null = at.fields().any(|(key, value)| {
                value.is_null() && WRAPPERS.iter().chain(spec.lists).any(|name| same_name(key.raw(), name))
            });
            if wrapped_null || level > 0 && at.fields().next().is_none() {
                return list(Shape::Empty);
            }
            break;
        }
        Err(unrecognised(root))
    }

    /// Whether an entry of an object in the response is an item (see [`IsItem`]), or contains items.
    pub(super) fn has_item(&self, object: Value<'_>, entry: (Value<'_>, Value<'_>)) -> bool {
        let is_map = matches!(&self.shape, Shape::Map(map) if map.index() == object.index());
        is_map && keyed::is_marked_item(object, entry, self.spec, self.requested)
    }

    /// Whether it is an array without items.
    pub(super) fn is_empty_array(&self) -> bool {
        matches!(&self.shape, Shape::Array(list) if list.items().next().is_none())
    }

    /// Calls `visit` with every expanded item.
    pub(super) fn for_each_item(&self, mut visit: impl FnMut(Value<'_>)) {
        let mut tape = Tape::default();
        let mut seen = 0_usize;
        self.each(|_, value| {
            seen += 1;
            if seen <= MAX_ITEMS
                && let Ok(item) = tape.expand(value)
            {
                visit(item);
            }
        });
    }

    /// Calls `take` with every unexpanded item, and its key if the list is a map.
    fn each(&self, mut take: impl FnMut(Option<Key<'_>>, Value<'a>)) {
        match &self.shape {
            Shape::Empty => {}
            Shape::One(item) => take(None, *item),
            Shape::Array(list) => list.items().for_each(|item| take(None, item)),
            Shape::Amounts(map) => {
                for (key, value) in map.entries() {
                    take(Some(Key::of_map(&key, false)), value);
                }
            }
            Shape::Map(map) => {
                let is_lost = keyed::scalar_items(*map);
                let meta_items = keyed::meta_items(*map, self.spec, self.requested);
                let is_entry = |(key, value): &(Cow<'_, str>, Value<'_>)| {
                    if value.is_array() || value.is_object() { is_entry(key, &meta_items) } else { is_lost(key) }
                };
                for (key, value) in map.entries().filter(is_entry) {
                    let key = Key::of_map(&key, value.is_array());
                    if value.is_array() {
                        value.items().for_each(|item| take(Some(key), item));
                    } else {
                        take(Some(key), value);
                    }
                }
            }
        }
    }

    /// Reads every item, each expanded on a reused tape. An item that is invalid JSON or that `read` doesn't recognise
    /// becomes a warning. `read` also gets the item's key if the list is a map.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] if no item could be read, or if the first clearly belongs to another operation, so
    /// that the values would be wrong.
    pub(super) fn read<T>(
        &self,
        context: &mut Context<'_>,
        what: &str,
        mut read: impl FnMut(&mut Context<'_>, Option<Key<'_>>, Value<'_>) -> Option<T>,
    ) -> Result<Vec<T>, ErrorKind> {
        let mut items = Vec::new();
        let mut tape = Tape::default();
        let (mut first, mut foreign, mut broken) = (None, None, None);
        let mut is_resource = false;
        let mut seen = 0_usize;
        let mut take = |context: &mut Context<'_>, key: Option<Key<'_>>, value: Value<'a>| {
            // Some resources accept plain text as an item, but not under an unknown key.
            let is_word =
                key.is_some() && !value.is_array() && !value.is_object() && !matches!(self.shape, Shape::Amounts(_));
            let is_scalar = |value: Value<'_>| !value.is_array() && !value.is_object();
            if first.is_none_or(|first| is_scalar(first) && !is_scalar(value)) {
                first = Some(value);
                match tape.expand(value) {
                    Ok(item) => {
                        let resource = resource_in(item, self.spec);
                        is_resource = resource.is_some();
                        foreign = self.spec.kind.foreign(resource.unwrap_or(item));
                    }
                    Err(error) => broken = Some(error),
                }
            }
            seen += 1;
            context.count_row();
            if seen > MAX_ITEMS {
                return;
            }
            match tape.expand(value) {
                Err(error) => context.invalid_json(value, error),
                Ok(_) if is_word => context.unreadable(value, what),
                Ok(item) => {
                    let read = if is_resource {
                        read_inner(&mut read, context, key, item).or_else(|| read(context, key, item))
                    } else {
                        read(context, key, item).or_else(|| read_inner(&mut read, context, key, item))
                    };
                    match read {
                        Some(item) => items.push(item),
                        None => context.unreadable(value, what),
                    }
                }
            }
        };
        self.each(|key, value| take(context, key, value));
        if let Some(foreign) = foreign {
            return Err(ErrorKind::Unrecognised(format!("looks like {}", foreign.name())));
        }
        if seen > MAX_ITEMS {
            context.warn(|| format!("read only the first {MAX_ITEMS} of {seen} items"));
        }
        match first {
            Some(first) if items.is_empty() => Err(match broken {
                Some(SyntaxError::TooMany(most)) => ErrorKind::TooMany(most),
                Some(error) => ErrorKind::Corrupt(format!("JSON, {}", error.describe())),
                None => unrecognised(tape.expand(first).unwrap_or(first)),
            }),
            _ => {
                // The list is long-lived, and half of its capacity may be unused.
                items.shrink_to_fit();
                Ok(items)
            }
        }
    }
}

/// The total length of an indexer's list in Django's pages: `{"count": 100, "next": null, "results": […]}`. Elsewhere,
/// `count` is often the number of rows on the page.
fn count_of_results<'a>(page: Value<'a>, spec: &'static Spec) -> Option<Value<'a>> {
    if !matches!(spec.kind, Kind::Token | Kind::Balance | Kind::Event | Kind::Inscription) {
        return None;
    }
    // The link is `null` on the last page.
    let has_link = page.fields().any(|(key, _)| same_name("next", key.raw()));
    let is_page = has_link && page.get("results").is_some_and(|results| results.is_array());
    page.get("count").filter(|_| is_page)
}

/// Whether an object has exactly one field, whose value is an object.
fn holds_one_object(value: Value<'_>) -> bool {
    let mut fields = value.fields();
    fields.next().is_some_and(|(_, field)| field.is_object()) && fields.next().is_none()
}

/// The text of an id.
pub(super) fn text_of(id: Value<'_>) -> Option<Cow<'_, str>> {
    id.str().or_else(|| id.number().map(Cow::Borrowed))
}

/// The inner object of a wrapped item (see [`ITEM_WRAPPERS`]), and the id next to it.
pub(super) fn unwrap_item<'a>(item: Value<'a>) -> Option<(Option<Cow<'a, str>>, Value<'a>)> {
    let inner = item.any(ITEM_WRAPPERS).filter(Value::is_object)?;
    Some((item.get("id").and_then(text_of), inner))
}

/// Reads the inner object of a wrapped item.
fn read_inner<T>(
    read: &mut impl FnMut(&mut Context<'_>, Option<Key<'_>>, Value<'_>) -> Option<T>,
    context: &mut Context<'_>,
    key: Option<Key<'_>>,
    item: Value<'_>,
) -> Option<T> {
    let (id, inner) = unwrap_item(item)?;
    read(context, id.as_deref().map(Key::of_id).or(key), inner)
}

/// The attributes of a JSON:API resource or the fields of a record, whose own fields are only its id and type.
fn resource_in<'a>(item: Value<'a>, spec: &Spec) -> Option<Value<'a>> {
    let attributes = item.any(&["attributes", "fields"]).filter(Value::is_object)?;
    let is_outside = item.get("id").is_some() && item.any(spec.marks).is_none();
    (is_outside && attributes.any(spec.marks).is_some()).then_some(attributes)
}

/// The entries of a map of items: objects and lists, without metadata of the response.
fn entries<'a>(
    map: Value<'a>,
    spec: &'static Spec,
    requested: Option<&'a str>,
) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> {
    let meta_items = keyed::meta_items(map, spec, requested);
    map.entries().filter(move |(key, value)| (value.is_array() || value.is_object()) && is_entry(key, &meta_items))
}

/// Whether an object or list in a map is an item or a list of items, not metadata of the response.
fn is_entry(key: &str, meta_items: &[bool; META.len()]) -> bool {
    let meta = META.iter().position(|name| same_name(key, name));
    meta.is_none_or(|at| meta_items.get(at) == Some(&true))
}

/// The error for a response in an unknown format, with a description of it.
pub(super) fn unrecognised(value: Value<'_>) -> ErrorKind {
    ErrorKind::Unrecognised(describe(value))
}

/// Describes a value: its fields, its first item, or itself.
pub(super) fn describe(value: Value<'_>) -> String {
    if value.is_object() && !value.is_raw() {
        let mut names: Vec<String> =
            value.entries().take(9).map(|(key, _)| text::cut(text::clean(&key), 30).into_owned()).collect();
        return match names.len() {
            0 => "an empty object".to_owned(),
            1 => format!("an object with the field {}", names.join("")),
            9 => {
                names.pop();
                format!("an object with the fields {}, …", names.join(", "))
            }
            _ => format!("an object with the fields {}", names.join(", ")),
        };
    }
    match value.items().next() {
        Some(item) => format!("a list that begins with {}", found(item)),
        None => found(value),
    }
}

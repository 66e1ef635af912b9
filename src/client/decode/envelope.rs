//! What stands around an answer: where in it the list is, how long the whole list is, or which error it reports.

mod error;

use std::borrow::Cow;

use super::field_name::same_name;
use super::kind::Kind;
use super::read::{Context, found};
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::text;

pub use error::error_message;
pub(super) use error::{error_in, remark_in};

/// Names of fields in which whatever was asked for lies.
pub(super) const WRAPPERS: &[&str] = &[
    "data", "result", "results", "list", "items", "rows", "records", "payload", "response", "body", "content", "edges",
    "nodes", "hits", "d",
];

/// Names of fields in which an item of a list lies: GraphQL's edges, JSON:API's resources, search engines' hits.
const ITEM_WRAPPERS: &[&str] = &["node", "attributes", "_source", "item"];

/// Names of fields that tell how long the whole list is.
/// CoinMarketCap and its site; nearly all; Bluesky; proxies.
const TOTALS: &[&str] =
    &["total_count", "total", "hits_total", "total_items", "total_results", "total_elements", "total_records"];

/// The same of market pairs only: a coin has as many of them as it says, too (CoinMarketCap).
const PAIR_TOTALS: &[&str] = &["num_market_pairs"];

/// Fields beside a list that may tell its length.
const ABOUT: &[&str] = &["status", "meta", "pagination", "paging", "page_info"];

/// Fields beside a list that are never part of it.
const META: &[&str] = &["status", "meta", "pagination", "paging", "page_info", "links", "error", "errors"];

/// Levels of wrappers that are opened.
pub(super) const WRAPPED: usize = 8;

/// Items of one answer that are read: more than any market has coins, and hundreds of bytes each in memory where a
/// hostile answer spends fifteen.
pub(super) const ITEMS_MAX: usize = 100_000;

/// What a resource's lists look like.
#[derive(Debug)]
pub(super) struct Spec {
    /// Names of fields that hold the list.
    pub(super) lists: &'static [&'static str],
    /// Names of which an item has at least one.
    pub(super) marks: &'static [&'static str],
    /// What the items are.
    pub(super) kind: Kind,
}

/// A list of items, wherever it was.
#[derive(Debug)]
pub(super) struct List<'a> {
    shape: Shape<'a>,
    kind: Kind,
    /// How many items the whole list has, unread.
    pub(super) total: Option<Value<'a>>,
}

/// Where in a map an item stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'k> {
    /// As it came.
    pub(super) name: &'k str,
    /// It is the key of a list, so that other items may have the same.
    pub(super) is_shared: bool,
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
    /// Looks for the list: the value itself, or in a field that the resource names, or in a usual wrapper, some levels
    /// deep; an object of objects or of lists is a list by key; an object that looks like an item is a list of one.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] where there is none of these.
    pub(super) fn find(root: Value<'a>, spec: &Spec) -> Result<List<'a>, ErrorKind> {
        let mut total = ABOUT.iter().find_map(|name| root.get(name)?.any(TOTALS));
        let mut at = root;
        for level in 0..WRAPPED {
            let around = total;
            let of_pairs = || at.any(PAIR_TOTALS).filter(|_| spec.kind == Kind::Pair);
            let own = at.any(TOTALS).or_else(of_pairs);
            total = own.filter(|total| !total.is_array() && !total.is_object()).or(total);
            let list = |shape| Ok(List { shape, kind: spec.kind, total });
            if at.is_closed() {
                break;
            }
            if at.is_array() {
                return list(if at.items().next().is_none() { Shape::Empty } else { Shape::Array(at) });
            }
            if !at.is_object() {
                break;
            }
            let is_item = at.any(spec.marks).is_some();
            let inside = spec.lists.iter().chain(WRAPPERS).filter_map(|name| at.get(name));
            // An item may have an empty object of such a name.
            let holds_list = |inner: &Value<'_>| {
                inner.is_array()
                    || inner.is_object() && !(is_item && inner.fields().next().is_none() && !inner.is_closed())
            };
            if let Some(inner) = inside.into_iter().find(holds_list) {
                at = inner;
                continue;
            }
            if is_item {
                return Ok(List { shape: Shape::One(at), kind: spec.kind, total: around });
            }
            let mut keyed = entries(at).map(|(_, value)| value);
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
            let is_amount = |value: Value<'_>| value.str().is_some() && value.number().is_some();
            if spec.kind == Kind::Balance
                && at.fields().next().is_some()
                && at.fields().all(|(_, value)| is_amount(value))
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

    /// Shows every item, opened, to a function that only looks at it.
    pub(super) fn look_at(&self, mut look: impl FnMut(Value<'_>)) {
        let mut tape = Tape::default();
        let mut seen = 0_usize;
        self.each(|_, value| {
            seen += 1;
            if seen <= ITEMS_MAX
                && let Ok(item) = tape.expand(value)
            {
                look(item);
            }
        });
    }

    /// Every item as it lies there, with its key where the list is a map.
    fn each(&self, mut take: impl FnMut(Option<Key<'_>>, Value<'a>)) {
        match &self.shape {
            Shape::Empty => {}
            Shape::One(item) => take(None, *item),
            Shape::Array(list) => list.items().for_each(|item| take(None, item)),
            Shape::Amounts(map) => {
                for (key, value) in map.entries() {
                    take(Some(Key { name: &key, is_shared: false }), value);
                }
            }
            Shape::Map(map) => {
                for (key, value) in entries(*map) {
                    let key = Key { name: &key, is_shared: value.is_array() };
                    if value.is_array() {
                        value.items().for_each(|item| take(Some(key), item));
                    } else {
                        take(Some(key), value);
                    }
                }
            }
        }
    }

    /// Reads every item, each opened on a tape that is used again. An item that is no JSON or that `read` does not
    /// recognise is a warning; the others are kept. `read` is also told the item's key where the list is a map.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] where there are items and none could be read, or the first is clearly of another
    /// operation: then so is the answer, and what little could be read of it would be wrong.
    pub(super) fn read<T>(
        &self,
        context: &mut Context<'_>,
        what: &str,
        mut read: impl FnMut(&mut Context<'_>, Option<Key<'_>>, Value<'_>) -> Option<T>,
    ) -> Result<Vec<T>, ErrorKind> {
        let mut items = Vec::new();
        let mut tape = Tape::default();
        let mut first = None;
        let mut foreign = None;
        let mut seen = 0_usize;
        let mut take = |context: &mut Context<'_>, key: Option<Key<'_>>, value: Value<'a>| {
            if first.is_none() {
                first = Some(value);
                foreign = tape.expand(value).ok().and_then(|item| self.kind.foreign(item));
            }
            // Some resources take a word for an item; words under a key that nobody knows are none.
            let is_word =
                key.is_some() && !value.is_array() && !value.is_object() && !matches!(self.shape, Shape::Amounts(_));
            seen += 1;
            context.count_row();
            if seen > ITEMS_MAX {
                return;
            }
            match tape.expand(value) {
                Err(flaw) => context.flawed(value, flaw),
                Ok(_) if is_word => context.unreadable(value, what),
                Ok(item) => {
                    let read = read(context, key, item).or_else(|| {
                        let (id, inner) = unwrap_item(item)?;
                        let id = id.as_deref().map(|name| Key { name, is_shared: false });
                        read(context, id.or(key), inner)
                    });
                    match read {
                        Some(item) => items.push(item),
                        None => context.unreadable(value, what),
                    }
                }
            }
        };
        self.each(|key, value| take(context, key, value));
        if let Some(foreign) = foreign {
            return Err(ErrorKind::Unrecognised(format!("it looks like {}", foreign.name())));
        }
        if seen > ITEMS_MAX {
            context.warn(|| format!("of {seen} items only the first {ITEMS_MAX} were read"));
        }
        match first {
            Some(first) if items.is_empty() => Err(unrecognised(tape.expand(first).unwrap_or(first))),
            _ => {
                // It is kept for long, and a list grown by doubling may be half empty.
                items.shrink_to_fit();
                Ok(items)
            }
        }
    }
}

/// The text of the only item of a list, which may be a page of the list itself: OKX's
/// `{"data": [{"page": "1", "balanceList": […]}]}`.
pub(super) fn only_item<'a>(root: Value<'a>) -> Option<&'a str> {
    let mut at = root;
    for _ in 0..WRAPPED {
        if at.is_array() {
            let mut items = at.items();
            let first = items.next().filter(|_| items.next().is_none())?;
            return first.is_object().then(|| first.raw());
        }
        at = at.any(WRAPPERS)?;
    }
    None
}

/// Whether an object has one field, and that holds an object.
fn holds_one_object(value: Value<'_>) -> bool {
    let mut fields = value.fields();
    fields.next().is_some_and(|(_, field)| field.is_object()) && fields.next().is_none()
}

/// An id as it is written.
pub(super) fn text_of(id: Value<'_>) -> Option<Cow<'_, str>> {
    id.str().or_else(|| id.number().map(Cow::Borrowed))
}

/// The object in which an item lies (see [`ITEM_WRAPPERS`]), and the id that stands beside it.
pub(super) fn unwrap_item<'a>(item: Value<'a>) -> Option<(Option<Cow<'a, str>>, Value<'a>)> {
    let inner = item.any(ITEM_WRAPPERS).filter(Value::is_object)?;
    Some((item.get("id").and_then(text_of), inner))
}

/// The entries of a map of items: those that are objects or lists, without what describes the answer itself.
fn entries<'a>(map: Value<'a>) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> {
    let meta = |key: &str| META.iter().any(|name| same_name(key, name));
    map.entries().filter(move |(key, value)| (value.is_array() || value.is_object()) && !meta(key))
}

/// The error for an answer in which nothing was recognised; says what it is.
pub(super) fn unrecognised(value: Value<'_>) -> ErrorKind {
    ErrorKind::Unrecognised(describe(value))
}

fn describe(value: Value<'_>) -> String {
    if value.is_object() {
        let mut names: Vec<String> =
            value.entries().take(9).map(|(key, _)| text::cut(text::clean(&key), 30).into_owned()).collect();
        return match names.len() {
            0 => "an object without fields".to_owned(),
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

//! Responses of the indexer group: Hiro's Ordinals API and the field names of other indexers (UniSat, Best in Slot,
//! OPI, Xverse, ord).

mod activity;
mod amount;
mod around;
mod block;
mod brc20;
mod digits;
mod event_block;
mod ids;
mod inscription;
mod protocol;
mod sat;
mod times;
mod unit;

use self::brc20::{BALANCES, HOLDERS, TOKENS};
use self::protocol::OtherProtocols;
use self::unit::Unit;
use super::envelope::{ABOUT, Key, List, ReadItem, Spec, WRAPPERS, message_in, unrecognised};
use super::identity::{self, Requested, is_same_address};
use super::kind::Kind as ItemKind;
use super::read::Context;
use super::tape::{Kind, Value};
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::client::response_data::ResponseData;
use crate::model::InscriptionRef;
use crate::model::{Brc20Token, Inscription, Page};

/// What an address is called in a warning, in the singular and the plural.
const ADDRESS: [&str; 2] = ["address", "addresses"];

/// Field names of flags on a page that another one follows.
const MORE_FLAGS: &[&str] = &["more", "has_more", "has_next", "has_next_page"];

/// Field names of the cursor of the next page.
const CURSORS: &[&str] = &["next_cursor", "next_page_token"];

/// Field name of the URL or number of the next page (Django).
const NEXT: &str = "next";

/// Decodes a response of the indexer group.
///
/// # Errors
/// [`ErrorKind::Unrecognised`]; [`ErrorKind::Mismatch`] if the response is about something else.
pub(super) fn decode(request: &Request, root: Value<'_>, context: &mut Context<'_>) -> Result<ResponseData, ErrorKind> {
    match request {
        Request::Brc20Tokens { offset, .. } => {
            let mut reader = brc20::TokenReader::new(Unit::of(root, &TOKENS));
            let mut others = OtherProtocols::new("token");
            let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
                if others.contain(item) {
                    return Some(ReadItem::Skip);
                }
                reader.read(context, key, item, None).map(ReadItem::Item)
            };
            let mut list = page(root, &TOKENS, context, *offset, "a token", read)?;
            if others.finish(context) {
                list.total = None;
            }
            Ok(ResponseData::Brc20Tokens(list))
        }
        Request::Brc20Token { ticker } => {
            let mut reader = brc20::TokenReader::new(Unit::of(root, &TOKENS));
            let mut others = OtherProtocols::new("token");
            let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
                if others.contain(item) { None } else { reader.read(context, key, item, Some(ticker)) }
            };
            let matches = |token: &Brc20Token| brc20::is_same(&token.ticker, ticker);
            let token = one(root, &TOKENS, context, "a token", read, matches);
            let token = token.map_err(|error| others.mismatch(ticker).unwrap_or(error))?;
            if reader.unnamed > 1 {
                return Err(ErrorKind::Unrecognised(String::from("several tokens without a ticker")));
            }
            if !matches(&token) {
                return Err(identity::another(&[&token.ticker], &brc20::harmless(context, ticker)));
            }
            Ok(ResponseData::Brc20Token(Box::new(token)))
        }
        Request::Brc20Holders { ticker, offset, .. } => {
            let mut reader = brc20::HoldingReader::new(Unit::of(root, &HOLDERS));
            let mut requested = Requested::new(["token", "tokens"], ticker, brc20::is_same);
            let mut is_named = false;
            let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
                let held = reader.holder(context, key, item)?;
                if !requested.accepts(held.ticker.as_deref()) {
                    return Some(ReadItem::Skip);
                }
                is_named |= held.ticker.is_some();
                if held.lacks_amounts {
                    context.unreadable(item, "a holder with a balance");
                }
                Some(ReadItem::Item(held.into()))
            };
            let list = page(root, &HOLDERS, context, *offset, "a holder", read)?;
            if !is_named {
                around::check_ticker(context, root, ticker)?;
            }
            finish(list, requested, context).map(ResponseData::Holders)
        }
        Request::Brc20Balances { address, offset, .. } => {
            let mut reader = brc20::HoldingReader::new(Unit::of(root, &BALANCES));
            let mut requested = Requested::new(ADDRESS, address, is_same_address);
            let mut is_named = false;
            let mut others = OtherProtocols::new("balance");
            let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
                if others.contain(item) {
                    return Some(ReadItem::Skip);
                }
                let held = reader.balance(context, key, item)?;
                let owner = around::owner_of_row(held.address.as_ref());
                if !requested.accepts(owner) {
                    return Some(ReadItem::Skip);
                }
                is_named |= owner.is_some();
                if held.lacks_amounts {
                    context.unreadable(item, "a balance with an amount");
                }
                Some(ReadItem::Item(held.into()))
            };
            let mut list = page(root, &BALANCES, context, *offset, "a balance", read)?;
            if others.finish(context) {
                list.total = None;
            }
            if !is_named {
                around::check_owner(root, address)?;
            }
            finish(list, requested, context).map(ResponseData::Balances)
        }
        Request::Brc20Activity { ticker, block_height, offset, .. } => {
            let unit = Unit::of(root, &activity::EVENTS);
            let mut reader = activity::Reader::new(ticker.as_ref(), block_height.is_some(), unit);
            let read =
                |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| reader.read(context, key, item);
            let mut list = page(root, &activity::EVENTS, context, *offset, "an event", read)?;
            if let Some(ticker) = ticker.as_ref().filter(|_| !reader.names_requested) {
                around::check_ticker(context, root, ticker)?;
            }
            if let Some(height) = *block_height {
                event_block::check(context, root, height, &mut list.items, reader.is_by_height)?;
            }
            reader.finish(context);
            // The client removes rows that don't match the request.
            if let Some(ticker) = ticker
                && let Some(first) = list.items.first()
                && !list.items.iter().any(|event| brc20::is_same(&event.ticker, ticker))
            {
                return Err(identity::another(&[&first.ticker], &brc20::harmless(context, ticker)));
            }
            Ok(ResponseData::Activity(list))
        }
        Request::Sat { number } => {
            if let Some(sat) = sat::by_inscriptions(context, root, *number) {
                return Ok(ResponseData::Sat(Box::new(sat)));
            }
            let read =
                |context: &mut Context<'_>, _: Option<Key<'_>>, item: Value<'_>| sat::read(context, item, *number);
            let sat = one(root, &sat::SAT, context, "a sat", read, |sat| sat::another(sat).is_none());
            let sat = sat.map_err(|error| sat::incomplete(root).unwrap_or(error))?;
            match sat::another(&sat) {
                Some(other) => Err(identity::another(&[other], &number.to_string())),
                None => Ok(ResponseData::Sat(Box::new(sat))),
            }
        }
        Request::SatInscriptions { number, offset, .. } => {
            let digits = number.to_string();
            let mut requested = Requested::new(["sat", "sats"], &digits, |a, b| a == b);
            let mut is_named = false;
            let list = inscriptions(root, context, *offset, |inscription| {
                is_named |= inscription.sat == Some(*number);
                requested.accepts(inscription.sat.map(|sat| sat.to_string()).as_deref())
            })?;
            if !is_named {
                around::check_sat(context, root, *number)?;
            }
            finish(list, requested, context).map(ResponseData::Inscriptions)
        }
        Request::Inscriptions { address, offset, .. } => {
            let mut requested = Requested::new(ADDRESS, address.as_deref().unwrap_or_default(), is_same_address);
            let mut is_named = false;
            let list = inscriptions(root, context, *offset, |inscription| {
                let owner = around::owner_of_row(inscription.address.as_ref());
                let is_accepted = address.is_none() || requested.accepts(owner);
                is_named |= is_accepted && owner.is_some();
                is_accepted
            })?;
            if let Some(address) = address.as_ref().filter(|_| !is_named) {
                around::check_owner(root, address)?;
            }
            finish(list, requested, context).map(ResponseData::Inscriptions)
        }
        Request::Inscription { inscription } => {
            let mut reader = inscription::Reader::new();
            let read =
                |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| reader.read(context, key, item);
            let matches = |found: &Inscription| match inscription {
                InscriptionRef::Id(id) => found.id.eq_ignore_ascii_case(id),
                InscriptionRef::Number(number) => found.number.is_none_or(|own| own == *number),
            };
            let found = one(root, &inscription::INSCRIPTIONS, context, "an inscription", read, matches)?;
            reader.finish(context);
            if matches(&found) {
                return Ok(ResponseData::Inscription(Box::new(found)));
            }
            Err(match inscription {
                InscriptionRef::Id(id) => identity::another(&[&found.id], id),
                InscriptionRef::Number(number) => {
                    let other = found.number.map_or_else(|| found.id.to_string(), |number| number.to_string());
                    identity::another(&[&other], &number.to_string())
                }
            })
        }
        Request::InscriptionStats { .. } => {
            let mut reader = inscription::StatReader::new();
            let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
                reader.read(context, key, item).map(ReadItem::Item)
            };
            page(root, &inscription::STATS, context, 0, "a block", read).map(ResponseData::InscriptionStats)
        }
        _ => Err(ErrorKind::Internal(format!("not an indexer request: {}", request.describe()))),
    }
}

/// Field names of the requested list.
pub(super) fn lists(request: &Request) -> &'static [&'static str] {
    let spec = match request {
        Request::Brc20Tokens { .. } | Request::Brc20Token { .. } => &TOKENS,
        Request::Brc20Holders { .. } => &HOLDERS,
        Request::Brc20Balances { .. } => &BALANCES,
        Request::Brc20Activity { .. } => &activity::EVENTS,
        Request::Sat { .. } => &sat::SAT,
        Request::InscriptionStats { .. } => &inscription::STATS,
        _ => &inscription::INSCRIPTIONS,
    };
    spec.lists
}

/// Reads a page of inscriptions and keeps those that match.
fn inscriptions(
    root: Value<'_>,
    context: &mut Context<'_>,
    offset: u64,
    mut matches: impl FnMut(&Inscription) -> bool,
) -> Result<Page<Inscription>, ErrorKind> {
    let mut reader = inscription::Reader::new();
    let read = |context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>| {
        let found = reader.read(context, key, item)?;
        Some(if matches(&found) { ReadItem::Item(found) } else { ReadItem::Skip })
    };
    let list = page(root, &inscription::INSCRIPTIONS, context, offset, "an inscription", read)?;
    reader.finish(context);
    Ok(list)
}

/// Finishes a page with skipped items, which makes its total wrong.
fn finish<T>(mut list: Page<T>, requested: Requested<'_>, context: &mut Context<'_>) -> Result<Page<T>, ErrorKind> {
    if requested.has_skipped() {
        list.total = None;
    }
    requested.finish(context)?;
    Ok(list)
}

/// Reads a page of a list, requested starting at `offset`. `read` gets the items' keys if the list is a map, and returns
/// `None` for unreadable items.
fn page<T>(
    root: Value<'_>,
    spec: &'static Spec,
    context: &mut Context<'_>,
    offset: u64,
    what: &str,
    read: impl FnMut(&mut Context<'_>, Option<Key<'_>>, Value<'_>) -> Option<ReadItem<T>>,
) -> Result<Page<T>, ErrorKind> {
    let list = List::find(root, spec)?;
    let items = list.read(context, what, read)?;
    let items: Vec<T> = items.into_iter().filter_map(ReadItem::item).collect();
    let rows = context.rows() as u64;
    let total = context.u64(list.total).filter(|total| match rows {
        // Beyond the end of a list, Hiro's API sends a total of 0.
        0 => offset == 0 || *total > 0,
        // Some services send the page's length as total.
        rows => *total >= offset.saturating_add(rows),
    });
    if has_more_pages(root) {
        context.note_more();
    }
    let echo =
        [Some(root), root.any(WRAPPERS)].into_iter().flatten().find_map(|response| response.get("offset")?.number());
    if let Some(other) = echo.and_then(|echo| echo.parse::<u64>().ok()).filter(|other| *other != offset && rows > 0) {
        context.warn(|| format!("list starts at {other} instead of {offset}"));
    }
    Ok(Page { items, total })
}

/// Whether a page is followed by another one, according to a flag (ord's `more`), a cursor (Maestro's `next_cursor`) or
/// a link in the response, its wrapper or an object about the page.
fn has_more_pages(root: Value<'_>) -> bool {
    let is_true = |flag: Value<'_>| flag.kind() == Kind::True;
    let is_cursor = |cursor: Value<'_>| match cursor.str() {
        Some(cursor) => !matches!(&*cursor, "" | "0" | "-1"),
        None => cursor.number().is_some_and(|cursor| !matches!(cursor, "0" | "-1")),
    };
    let says = |at: Value<'_>| {
        at.any(MORE_FLAGS).is_some_and(is_true)
            || at.any(CURSORS).is_some_and(is_cursor)
            || at.get(NEXT).is_some_and(|next| is_true(next) || is_cursor(next))
    };
    let responses = [Some(root), root.any(WRAPPERS)].into_iter().flatten();
    responses.into_iter().any(|at| says(at) || ABOUT.iter().filter_map(|name| at.get(name)).any(says))
}

/// Returns the requested item: the first match, or the first item. `read` gets the items' keys, as in [`page`].
/// An empty list means that it doesn't exist.
fn one<T>(
    root: Value<'_>,
    spec: &'static Spec,
    context: &mut Context<'_>,
    what: &str,
    read: impl FnMut(&mut Context<'_>, Option<Key<'_>>, Value<'_>) -> Option<T>,
    matches: impl Fn(&T) -> bool,
) -> Result<T, ErrorKind> {
    let list = List::find(root, spec)?;
    let mut items = list.read(context, what, read)?;
    // Every sat exists.
    if spec.kind != ItemKind::Sat && list.is_empty_array() && message_in(root).is_none() {
        return Err(ErrorKind::NotFound { message: None });
    }
    if items.is_empty() {
        return Err(unrecognised(root));
    }
    if items.len() > 1 {
        context.warn(|| format!("expected {what}, got several items; using one"));
    }
    Ok(items.swap_remove(items.iter().position(matches).unwrap_or(0)))
}

#[cfg(test)]
mod tests;

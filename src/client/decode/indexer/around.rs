//! The token, address or sat that a response names around its rows.
//!
//! A response is rejected only if one of these names is certainly another one, and none is the requested one.

use std::iter;

use super::brc20;
use super::sat::SAT;
use crate::client::decode::envelope::{WRAPPED, WRAPPERS, text_of};
use crate::client::decode::identity::{another, is_number, is_same_address};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::address::{self, without_scheme};
use crate::model::text::{self, unescape_ticker};
use crate::model::{SatNumber, Text};

/// Maximum fields of an object around rows, and items of a list in it. A larger object is a map of rows.
const MAX_FIELDS: usize = 100;

/// Maximum length of a name in bytes.
const MAX_NAME: usize = 100;

/// Fields next to rows that repeat the request.
const ECHOES: [&str; 3] = ["query", "params", "request"];

/// Field name of a token, or of its ticker.
const TOKEN: &str = "token";

/// Usual length of a ticker in bytes.
const USUAL_LENGTH: usize = 4;

/// Field names of a ticker.
const TICKERS: &[&str] = &["ticker", "tick"];

/// Words as long as a ticker that mean all tokens or none.
const NOT_TICKERS: [&str; 10] =
    ["brc20", "brc20s", "none", "null", "every", "token", "tokens", "coin", "coins", "total"];

/// Field names of an owner, and of the address in an object about one.
const OWNERS: [&str; 7] = ["address", "wallet", "wallet_address", "owner", "owner_address", "holder", "holder_address"];

/// Length of the script of the shortest address, in hex digits.
const MIN_SCRIPT: usize = 44;

/// Field names of a sat.
const SATS: [&str; 3] = ["sat", "sat_ordinal", "sat_number"];

/// The first sat that can be spent and thus inscribed. A smaller number may be an amount or something else.
const FIRST_SPENDABLE: u64 = 5_000_000_000;

/// An object around the rows.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: Value<'a>,
    /// The field of an object that describes something; `None` for an object that contains the rows.
    name: Option<&'static str>,
}

impl<'a> Place<'a> {
    /// Whether it contains the rows or repeats the request, rather than describing something.
    fn is_outer(self) -> bool {
        self.name.is_none_or(|name| ECHOES.contains(&name))
    }

    fn text(self, name: &str) -> Option<String> {
        text_of(self.at.get(name)?).map(|text| text.trim().to_owned())
    }

    /// Whether a field, or an item of a list in it, has this name.
    fn contains(self, is_same: &impl Fn(&str) -> bool) -> bool {
        let is_named =
            |value: Value<'_>| text_of(value).is_some_and(|text| text.len() <= MAX_NAME && is_same(text.trim()));
        let mut fields = self.at.fields().take(MAX_FIELDS);
        fields.any(|(_, value)| is_named(value) || value.items().take(MAX_FIELDS).any(is_named))
    }
}

/// The objects that contain the rows, outermost first.
pub(super) fn wrappers<'a>(root: Value<'a>) -> impl Iterator<Item = Value<'a>> {
    let inside = |at: &Value<'a>| WRAPPERS.iter().filter_map(|name| at.get(name)).find(Value::is_object);
    iter::successors(Some(root), inside).take(WRAPPED).take_while(is_small)
}

/// Whether it is an object with few enough fields to inspect.
pub(super) fn is_small(object: &Value<'_>) -> bool {
    object.is_object() && object.fields().nth(MAX_FIELDS).is_none()
}

/// The objects around the rows, outermost first, each with the objects in it that repeat the request or that have one of
/// these names.
fn places<'a>(root: Value<'a>, names: &'static [&'static str]) -> impl Iterator<Item = Place<'a>> {
    wrappers(root).flat_map(move |at| {
        let named = move |name: &&'static str| Some(Place { at: at.get(name).filter(is_small)?, name: Some(name) });
        iter::once(Place { at, name: None }).chain(ECHOES.iter().chain(names).filter_map(named))
    })
}

/// The first name of something else that `other_in` finds around the rows; `None` if anything around them has the
/// requested name.
fn find_other<T>(
    root: Value<'_>,
    names: &'static [&'static str],
    is_same: impl Fn(&str) -> bool,
    other_in: impl Fn(Place<'_>) -> Option<T>,
) -> Option<T> {
    let mut other = None;
    for place in places(root, names) {
        if place.contains(&is_same) {
            return None;
        }
        other = other.or_else(|| other_in(place));
    }
    other
}

/// Checks the ticker around the rows; warns about a word that may be another one.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is certainly not the requested one.
pub(super) fn check_ticker(context: &mut Context<'_>, root: Value<'_>, requested: &Text) -> Result<(), ErrorKind> {
    let other_in = |place: Place<'_>| {
        let ticker = |name: &str| place.text(name).filter(|word| is_ticker(word));
        let named = TICKERS.iter().find_map(|name| Some((ticker(name)?, true)));
        // A longer `token` may be an API key; in a repeated request, so may a short one.
        let token = || {
            let word = ticker(TOKEN).filter(|word| place.name.is_none() && !is_number(word))?;
            // The token of a page usually has upper-case letters or digits.
            let is_certain = word.len() == USUAL_LENGTH && word.bytes().all(|b| b.is_ascii_lowercase());
            Some((word, is_certain))
        };
        named.or_else(token)
    };
    match find_other(root, &[TOKEN], |name| brc20::is_same(name, requested), other_in) {
        Some((other, true)) => Err(another(&[&other], requested)),
        Some((other, false)) => {
            context.warn(|| format!("the response may be about {}", text::clean(&other)));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Whether a text has the length of a ticker and is not a word for all tokens.
fn is_ticker(text: &str) -> bool {
    let letters: String = text.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
    brc20::TICKER_LENGTHS.contains(&unescape_ticker(text).len())
        && !NOT_TICKERS.iter().any(|word| letters.eq_ignore_ascii_case(word))
}

/// The address of a row's owner, unless it is a script or a shortened address: it may be the requested one in another
/// notation.
pub(super) fn owner_of_row(owner: Option<&Text>) -> Option<&str> {
    let owner = without_scheme(owner?.trim());
    let is_script = owner.len() >= MIN_SCRIPT && owner.bytes().all(|b| b.is_ascii_hexdigit());
    let is_short = owner.contains('…') || owner.contains("...");
    (!is_script && !is_short).then_some(owner)
}

/// Checks the owner around the rows. Only whole addresses can be compared, not names, scripts or shortened addresses.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is certainly not the requested one.
pub(super) fn check_owner(root: Value<'_>, requested: &str) -> Result<(), ErrorKind> {
    let Ok(own) = address::parse(requested) else { return Ok(()) };
    let other_in = |place: Place<'_>| {
        let parsed = |name: &&str| address::parse(&place.text(name)?).ok().map(|address| address.text);
        OWNERS.iter().find_map(parsed)
    };
    match find_other(root, &OWNERS, |name| is_same_address(without_scheme(name), &own.text), other_in) {
        Some(other) => Err(another(&[&other], requested)),
        None => Ok(()),
    }
}

/// Checks the sat around its inscriptions; warns about a number that may be another one.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is certainly not the requested one.
pub(super) fn check_sat(context: &mut Context<'_>, root: Value<'_>, requested: SatNumber) -> Result<(), ErrorKind> {
    let other_in = |place: Place<'_>| {
        let named = SATS.iter().find_map(|name| Some((*name, sat_of(place.at.get(name)?)?)));
        // A small `number` is that of a page or an inscription, or a count.
        let has_id = || place.at.any(&["id", "inscription_id"]).is_some();
        let is_of_sat = |sat: SatNumber| {
            let is_sat = place.at.any(SAT.marks).is_some() || sat.get() >= FIRST_SPENDABLE;
            !place.is_outer() || is_sat && !has_id()
        };
        let number = || Some(("number", sat_of(place.at.get("number")?).filter(|sat| is_of_sat(*sat))?));
        let (name, sat) = named.or_else(number)?;
        Some((sat, name != "sat" || sat.get() >= FIRST_SPENDABLE))
    };
    let digits = requested.to_string();
    let is_same = |text: &str| text == digits || is_notation(text) && text.parse() == Ok(requested);
    match find_other(root, &["sat"], is_same, other_in) {
        Some((other, true)) => Err(another(&[&other.to_string()], &digits)),
        Some((other, false)) => {
            context.warn(|| format!("the response may be about sat {other}"));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Reads a sat from its number or another notation. A word may be something other than its name.
fn sat_of(value: Value<'_>) -> Option<SatNumber> {
    let text = value.str().filter(|text| is_notation(text));
    match text {
        Some(text) => text.parse().ok(),
        None => SatNumber::new(value.number()?.parse().ok()?),
    }
}

/// Whether a text may be the degree of a sat, or its block and offset. `7.0` is more likely a number.
fn is_notation(text: &str) -> bool {
    let offset = text.split_once('.').map(|(_, offset)| offset);
    text.contains(['°', 'º']) || offset.is_some_and(|offset| offset.bytes().any(|b| matches!(b, b'1'..=b'9')))
}

//! The token that a response names around its rows.
//!
//! A response is rejected only if one of these names is certainly another one, and none is the requested one.

use std::iter;

use super::brc20;
use crate::client::decode::envelope::{WRAPPED, WRAPPERS, text_of};
use crate::client::decode::identity::{another, is_number};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::Text;
use crate::model::text::{self, unescape_ticker};

/// Maximum fields of an object around rows, and items of a list in it. A larger object is a map of rows.
const MAX_FIELDS: usize = 100;

/// Maximum length of a name in bytes.
const MAX_NAME: usize = 100;

/// Fields next to rows that repeat the request.
const ECHOES: [&str; 3] = ["query", "params", "request"];

/// Field name of a token, or of its ticker.
const TOKEN: &str = "token";

/// Length of all but a few tickers in bytes.
const TICKER: usize = 4;

/// Field names of a ticker.
const TICKERS: &[&str] = &["ticker", "tick"];

/// Words for all tokens, and for none, of the length of a ticker.
const WORDS: [&str; 10] = ["brc20", "brc20s", "none", "null", "every", "token", "tokens", "coin", "coins", "total"];

/// An object around the rows.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: Value<'a>,
    /// The field of an object that describes something; `None` for an object that contains the rows.
    name: Option<&'static str>,
}

impl<'a> Place<'a> {
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
        // A longer `token` may be a key. In a repeated request, any may be one.
        let token = || {
            let word = ticker(TOKEN).filter(|word| place.name.is_none() && !is_number(word))?;
            let is_certain = word.len() == TICKER;
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
        && !WORDS.iter().any(|word| letters.eq_ignore_ascii_case(word))
}

//! Why a string can't be looked up.

use crate::format::words::capitalised;
use crate::model::text::ungrouped;
use crate::model::{InscriptionRef, SatNumber, address};

/// Minimum hex digits for a string to be treated as an inscription ID.
const MIN_HEX_DIGITS: usize = 32;

/// Hex digits of an inscription ID before `i` and the index.
const HEX_DIGITS: usize = 64;

/// Why a string can't be looked up, in a few words, if it resembles an address, a sat or an inscription ID; otherwise
/// `None`.
pub fn problem(text: &str) -> Option<String> {
    let text = text.trim();
    let id = after_word("inscription", text).unwrap_or(text);
    if is_like_inscription_id(id) && InscriptionRef::parse(id).is_none() {
        let is_short = id.len() < HEX_DIGITS && !id.contains(['i', 'I']);
        if is_short {
            return Some(String::from("Incomplete inscription ID"));
        }
        return Some(String::from("Not an inscription ID (64 hex digits, i, index)"));
    }
    let address = address_in(text);
    if address::is_beginning(address) {
        return Some(String::from("Incomplete Bitcoin address"));
    }
    if address::is_similar(address) || address::contains_extended_key(address) {
        return address::parse(address).err().map(|error| capitalised(&error.to_string()));
    }
    let named = after_word("sat", text);
    let is_sat = is_like_percentile(text) || text.contains('°') || is_large_number(text);
    let sat = named.or_else(|| is_sat.then_some(text))?;
    sat.parse::<SatNumber>().err().map(|error| format!("Not a sat: {error}"))
}

/// The text after this word; `None` if it doesn't begin with it.
fn after_word<'a>(expected: &str, text: &'a str) -> Option<&'a str> {
    let (word, rest) = text.split_once(' ')?;
    word.eq_ignore_ascii_case(expected).then(|| rest.trim())
}

/// The address of a text that may say so (`address bc1q…`) or be a payment URI.
fn address_in(text: &str) -> &str {
    let text = after_word("address", text).or_else(|| after_word("addr", text)).unwrap_or(text);
    address::without_scheme(text)
}

/// Whether a string has the form of a Bitcoin address but isn't valid, or is an extended key, which may be secret.
pub(super) fn is_invalid_address(text: &str) -> bool {
    let text = address_in(text);
    (address::is_similar(text) || address::contains_extended_key(text)) && address::parse(text).is_err()
}

/// Whether a string is a number too large for a block or an inscription.
fn is_large_number(text: &str) -> bool {
    let digits = ungrouped(text);
    digits.len() > 10 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a string is a single word with a percent sign. With more words or a leading sign, it is more likely a rule or
/// a filter.
fn is_like_percentile(text: &str) -> bool {
    text.contains('%') && !text.contains(char::is_whitespace) && !text.starts_with(['+', '-', '\u{2212}'])
}

/// Whether a string is mostly hex digits, with an `i` and an index at its end or without them.
fn is_like_inscription_id(text: &str) -> bool {
    let hex = text.rsplit_once(['i', 'I']).map_or(text, |(hex, _)| hex);
    hex.len() >= MIN_HEX_DIGITS && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) && !text.starts_with("bc1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_what_is_wrong() {
        let id = "a".repeat(63);
        for (text, expected) in [
            ("sat 2099999997690000", "Not a sat: sats are numbered from 0 to 2099999997689999"),
            ("2099999997690000", "Not a sat: sats are numbered from 0 to 2099999997689999"),
            ("101%", "Not a sat: a percentile must be from 0% to 100%"),
            (&format!("{id}i0"), "Not an inscription ID (64 hex digits, i, index)"),
            (&format!("{id}aai0"), "Not an inscription ID (64 hex digits, i, index)"),
            (&format!("{id}ai"), "Not an inscription ID (64 hex digits, i, index)"),
            (&format!("{id}a"), "Not an inscription ID (64 hex digits, i, index)"),
        ] {
            assert_eq!(problem(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(problem(&"a".repeat(32)).as_deref(), Some("Incomplete inscription ID"));
        assert_eq!(problem("bc1qd2mzs0p9").as_deref(), Some("Incomplete Bitcoin address"));
        let degree = problem("0°977170′1426″5‴").unwrap();
        assert!(degree.starts_with("Not a sat: invalid degree: "), "{degree}");
        let mistyped = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg9";
        for text in [mistyped.to_owned(), format!("address {mistyped}"), format!("bitcoin:{mistyped}?amount=1")] {
            let address = problem(&text).unwrap();
            assert!(address.starts_with("Not a Bitcoin address: "), "{text}: {address}");
        }
        let key = format!("xprv9s21Z{}", "rQH143K2".repeat(13));
        for text in [key.clone(), format!("address {key}")] {
            let words = "An extended key, not an address (use its addresses instead)";
            assert_eq!(problem(&text).as_deref(), Some(words));
            assert_eq!(super::super::interpret(&text), []);
        }
    }

    #[test]
    fn other_texts_have_no_reason() {
        for text in
            ["", "ordi", "sat", "satoshi", "840000", "0°1′1″0‴", &format!("{}i0", "a".repeat(64)), "no such thing"]
        {
            assert_eq!(problem(text), None, "{text}");
        }
        for text in ["alert btc +5%", "ordi 101%", "-5%"] {
            assert_eq!(problem(text), None, "a rule rather than a sat: {text}");
        }
    }
}

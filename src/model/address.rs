//! Bitcoin addresses.

use std::borrow::Cow;

use bitcoin::address::{NetworkUnchecked, ParseError};
use bitcoin::{Address, AddressType, Network};

use super::Text;

/// An address of Bitcoin's main network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitcoinAddress {
    /// The canonical form: bech32 in lowercase.
    pub text: Text,
    /// The type, such as `native SegWit`.
    pub kind: &'static str,
}

/// Why a string isn't an address of Bitcoin's main network. Displays without the string, which [`AddressError::of`]
/// names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The checksum doesn't match.
    #[error("not a Bitcoin address: invalid checksum (mistyped or cut off)")]
    Checksum,
    /// An extended key, from which a wallet derives its addresses (BIP 32, SLIP 132).
    #[error("an extended key, not an address (use its addresses instead)")]
    ExtendedKey,
    /// Unknown format.
    #[error("not a Bitcoin address: unknown format")]
    Kind,
    /// It belongs to a test network.
    #[error("not a Bitcoin mainnet address: it is a testnet address")]
    Network,
}

impl AddressError {
    /// The sentence about this string, of which it shows no extended key.
    pub fn of(self, text: &str) -> String {
        let text = if self == AddressError::ExtendedKey { without_scheme(text.trim()) } else { text };
        redact_extended_keys(&format!("{text} is {self}")).into_owned()
    }
}

/// Length of the shortest address, in characters.
const MIN_LENGTH: usize = 26;

/// Whether a string looks like an address of any network, judged by its prefix, characters and length.
pub fn is_similar(text: &str) -> bool {
    let starts = ["bc1", "BC1", "1", "3", "tb1", "bcrt1"].iter().any(|start| text.starts_with(start));
    starts && text.len() >= MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a string is the beginning of a SegWit address. Other addresses have no distinctive prefix.
pub fn is_beginning(text: &str) -> bool {
    let starts = ["bc1q", "bc1p", "BC1Q", "BC1P"].iter().any(|start| text.starts_with(start));
    starts && text.len() < MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether the case of a string's letters matters if it is an address: in Base58, but neither in Bech32 nor in hex
/// digits.
pub fn is_case_sensitive(address: &str) -> bool {
    let has_prefix = |prefix: &str| address.get(..prefix.len()).is_some_and(|it| it.eq_ignore_ascii_case(prefix));
    address.len() >= MIN_LENGTH && !["bc1", "tb1", "bcrt1", "0x"].into_iter().any(has_prefix)
}

/// Parses an address and checks its checksum and network. It may be a payment URI: `bitcoin:bc1q…?amount=1`.
///
/// # Errors
/// The text is not an address of the main network.
pub fn parse(text: &str) -> Result<BitcoinAddress, AddressError> {
    let text = without_scheme(text.trim());
    let address: Address<NetworkUnchecked> = text.parse().map_err(|error: ParseError| match error {
        ParseError::Base58(_) | ParseError::Bech32(_) if is_similar(text) => AddressError::Checksum,
        _ if is_extended_key(text) => AddressError::ExtendedKey,
        _ => AddressError::Kind,
    })?;
    let address = address.require_network(Network::Bitcoin).map_err(|_| AddressError::Network)?;
    let kind = match address.address_type() {
        Some(AddressType::P2pkh) => "legacy",
        Some(AddressType::P2sh) => "script hash",
        Some(AddressType::P2wpkh | AddressType::P2wsh) => "native SegWit",
        Some(AddressType::P2tr) => "Taproot",
        _ => "SegWit",
    };
    Ok(BitcoinAddress { text: Text::from(address.to_string()), kind })
}

/// Whether a string looks like an extended key, judged by its prefix and length: `xpub…`, `zpub…`.
pub fn is_extended_key(text: &str) -> bool {
    text.len() > 100
        && KEY_PREFIXES.iter().any(|prefix| text.get(1..4) == Some(*prefix))
        && text.starts_with(KEY_VERSIONS)
}

/// The first letters of extended keys.
const KEY_VERSIONS: [char; 10] = ['x', 'y', 'z', 't', 'u', 'v', 'Y', 'Z', 'U', 'V'];

/// What follows the first letter.
const KEY_PREFIXES: [&str; 2] = ["pub", "prv"];

/// Length from which a part of an extended key counts as one in an error.
const MIN_KEY: usize = 20;

/// Shortens each extended key in a sentence to its first 8 characters, since it may be secret: `xprv9s21…`. A key may be
/// cut off, follow a number, or have lost its case.
pub fn redact_extended_keys(sentence: &str) -> Cow<'_, str> {
    let (mut out, mut rest) = (String::new(), sentence);
    while let Some((before, key, after)) = split_key(rest) {
        out += before;
        out.extend(key.chars().take(HEAD));
        out.push('…');
        rest = after.strip_prefix('…').unwrap_or(after);
    }
    if out.is_empty() { Cow::Borrowed(sentence) } else { Cow::Owned(out + rest) }
}

/// Whether a text contains an extended key, or a part of one that [`redact_extended_keys`] would shorten.
pub fn contains_extended_key(text: &str) -> bool {
    split_key(text).is_some()
}

/// The text before an extended key, the key and the text after it.
fn split_key(text: &str) -> Option<(&str, &str, &str)> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    text.match_indices(|c| KEY_VERSIONS.iter().any(|version| version.eq_ignore_ascii_case(&c))).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let (key, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len()));
        let is_prefix = |prefix: &str| key.get(1..4).is_some_and(|own| own.eq_ignore_ascii_case(prefix));
        let is_key = key.len() >= MIN_KEY && KEY_PREFIXES.iter().any(|prefix| is_prefix(prefix));
        (is_key && !is_letter(before.chars().next_back())).then_some((before, key, after))
    })
}

/// Characters of [`short`] before the gap.
const HEAD: usize = 8;

/// Characters of [`short`] after the gap.
const TAIL: usize = 4;

/// The beginning and the end of an address: `bc1qd2mz…8cg8`.
pub fn short(address: &str) -> String {
    let chars = address.chars().count();
    if chars <= HEAD + TAIL + 1 {
        return address.to_owned();
    }
    let head: String = address.chars().take(HEAD).collect();
    let tail: String = address.chars().skip(chars - TAIL).collect();
    format!("{head}…{tail}")
}

/// The address of a payment URI; another text stays as it is.
pub(crate) fn without_scheme(text: &str) -> &str {
    match text.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bitcoin") => rest.split('?').next().unwrap_or(rest),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_base58_is_case_sensitive() {
        assert!(is_case_sensitive("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"));
        let others =
            ["BC1QD2MZS0P9RHJRP9494U0EDTLLEULFQT4X268CG8", "0x52908400098527886E0F7030069857D2E4169EE7", "Nobody"];
        for address in others {
            assert!(!is_case_sensitive(address), "{address}");
        }
    }

    #[test]
    fn address_is_checked_and_canonical() {
        let parsed = parse(" BC1QD2MZS0P9RHJRP9494U0EDTLLEULFQT4X268CG8 ").unwrap();
        assert_eq!(parsed.text, "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8");
        assert_eq!((parsed.kind, short(&parsed.text).as_str()), ("native SegWit", "bc1qd2mz…8cg8"));
        let uri = parse("bitcoin:bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8?amount=0.1&label=x").unwrap();
        assert_eq!(uri.text, parsed.text);
        for (text, reason) in [
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", AddressError::Checksum),
            ("bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdx", AddressError::Checksum),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", AddressError::Network),
            ("ordi", AddressError::Kind),
            ("0x52908400098527886E0F7030069857D2E4169EE7", AddressError::Kind),
            ("litecoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", AddressError::Kind),
            ("", AddressError::Kind),
            ("xpub", AddressError::Kind),
        ] {
            assert_eq!(parse(text), Err(reason), "{text}");
        }
        for prefix in ["xpub", "zprv", "Ypub", "tpub"] {
            let key = format!("{prefix}{}", "6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKp".repeat(4));
            assert_eq!(parse(&key), Err(AddressError::ExtendedKey));
            let expected = format!("{prefix}6CUG… is an extended key, ");
            assert!(AddressError::ExtendedKey.of(&key).starts_with(&expected));
            assert!(AddressError::ExtendedKey.of(&format!("bitcoin:{key}")).starts_with(&expected));
            assert!(!AddressError::Kind.of(&key[..60]).contains(&key[..9]));
        }
    }

    #[test]
    fn sentence_has_only_the_beginning_of_extended_keys() {
        let key = format!("xprv9s21Z{}", "rQH143K2".repeat(12));
        for (sentence, expected) in [
            (format!("unexpected `{key}` (expected a date)"), "unexpected `xprv9s21…` (expected a date)"),
            (format!("not a number: 5{key}, {key}"), "not a number: 5xprv9s21…, xprv9s21…"),
            (format!("\"{}…\" é", &key[..80]), "\"xprv9s21…\" é"),
            (format!("unknown token {}", key.to_uppercase()), "unknown token XPRV9S21…"),
            (String::from("xprv, xpub6CUG or b61b0172i0"), "xprv, xpub6CUG or b61b0172i0"),
        ] {
            assert_eq!(redact_extended_keys(&sentence), expected);
        }
    }
}

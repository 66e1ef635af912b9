//! Which coin an answer is about. Symbols collide, slugs do not: what names another slug than the asked one is another
//! coin's, and is never taken.

use super::tape::{Kind, Value};
use crate::client::ErrorKind;
use crate::model::text;

/// Names of fields around one coin.
const WRAPPERS: &[&str] = &["data", "result", "results", "payload", "response", "body", "coin", "token"];

/// Whether two slugs name the same coin.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The slug that an object with a coin's names gives: its own, or an id that is one.
pub(super) fn slug<'a>(coin: Value<'a>) -> Option<Value<'a>> {
    coin.get("slug").filter(|slug| slug.str().is_some_and(|slug| !slug.trim().is_empty())).or_else(|| {
        let id = coin.get("id").filter(|id| is_slug(*id))?;
        coin.any(&["symbol", "name"]).map(|_| id)
    })
}

/// Whether an id is a slug: lower-case words, and not the hexadecimal of a UUID.
pub(super) fn is_slug(id: Value<'_>) -> bool {
    let id = if id.kind() == Kind::String { id.raw() } else { return false };
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
    let is_uuid = id.len() >= 16 && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    id.bytes().all(word) && id.bytes().any(|b| b.is_ascii_lowercase()) && !is_uuid
}

/// Whether a key is the number by which a service knows a coin or a post.
pub(super) fn is_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())
}

/// Checks what stands around an answer's list or points: a coin's names there are those of all that is in it.
///
/// # Errors
/// [`ErrorKind::NotFound`] where they are another coin's.
pub(super) fn check(root: Value<'_>, asked: &str) -> Result<(), ErrorKind> {
    let mut at = Some(root);
    for _ in 0..4 {
        let Some(object) = at.filter(Value::is_object) else { break };
        if let Some(slug) = slug(object).and_then(|slug| slug.str()) {
            return if is_same(slug.trim(), asked) { Ok(()) } else { Err(another(&[&*slug], asked)) };
        }
        at = object.any(WRAPPERS);
    }
    Ok(())
}

/// The error for an answer about other coins than the asked one.
pub(super) fn another(others: &[&str], asked: &str) -> ErrorKind {
    let others: Vec<_> = others.iter().take(3).map(|slug| text::cut(text::clean(slug), 60)).collect();
    ErrorKind::NotFound { message: Some(format!("the answer is about {}, not {asked}", others.join(" and "))) }
}

#[cfg(test)]
mod tests {
    use super::super::tape::Document;
    use super::*;

    #[test]
    fn ids_of_small_words_are_slugs() {
        let is = |json: &str| is_slug(Document::parse(json, 8).unwrap().root());
        for slug in ["ordi", "1inch", "rats-ordinals", "a_b.c", "deadbeef", "cafe-babe", "a-slug-of-many-words"] {
            assert!(is(&format!("\"{slug}\"")), "{slug}");
        }
        for other in [
            "\"\"",
            "\"25028\"",
            "25028",
            "\"ORDI\"",
            "\"Ordi\"",
            "\"or di\"",
            "\"deadbeefdeadbeef\"",
            "\"b61b0172-d95e-4c5a-9d1c-2d1b0172d95e\"",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}

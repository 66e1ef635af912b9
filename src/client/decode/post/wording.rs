//! Texts in objects: by language (`{"en": "…"}`), or with their format (`{"text": "…"}`, `{"rendered": "<p>…</p>"}`).

use crate::client::decode::tape::{Kind, Value};

/// Field names of plain text, and of text that may be HTML.
const PLAIN: &[&str] = &["text", "plain", "plain_text", "raw", "body", "content", "value", "message"];
const MARKUP: &[&str] = &["rendered", "html"];

/// Maximum languages of a text.
const MAX_LANGUAGES: usize = 100;

/// A text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wording<'a> {
    pub(super) text: Value<'a>,
    /// Its language code, if it is one of several by language.
    pub(super) language: Option<Value<'a>>,
    pub(super) is_html: bool,
}

/// The text of a field: the value itself, or one inside, best in English. `None` for other objects.
pub(super) fn wording(value: Value<'_>) -> Option<Wording<'_>> {
    if !value.is_object() {
        return Some(Wording { text: value, language: None, is_html: false });
    }
    let is_text = |text: &Value<'_>| matches!(text.kind(), Kind::String | Kind::EscapedString);
    let find = |names: &[&str]| names.iter().filter_map(|name| value.get(name)).find(is_text);
    if let Some((text, is_html)) = find(PLAIN).map(|text| (text, false)).or_else(|| Some((find(MARKUP)?, true))) {
        return Some(Wording { text, language: None, is_html });
    }
    let languages = || value.fields().take(MAX_LANGUAGES).filter(|(_, text)| is_text(text));
    if !value
        .fields()
        .take(MAX_LANGUAGES)
        .all(|(key, text)| is_language(key.raw()) && (is_text(&text) || text.is_null()))
    {
        return None;
    }
    let is_english =
        |(key, _): &(Value<'_>, Value<'_>)| key.raw().get(..2).is_some_and(|code| code.eq_ignore_ascii_case("en"));
    let (language, text) = languages().find(is_english).or_else(|| languages().next())?;
    Some(Wording { text, language: Some(language), is_html: false })
}

/// Whether a key is a language code, such as `en` or `pt-BR`.
fn is_language(key: &str) -> bool {
    let (language, region) = key.split_once(['-', '_']).unwrap_or((key, "xx"));
    language.len() == 2
        && (2..=4).contains(&region.len())
        && language.bytes().chain(region.bytes()).all(|b| b.is_ascii_alphanumeric())
}

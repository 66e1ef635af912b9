//! Texts: names, ids, tickers, posts and URLs.

use std::borrow::Cow;

use super::url::is_url;
use super::{Context, exact_whole, is_nothing, is_whole};
use crate::client::config::TextForm;
use crate::client::decode::tape::{Kind, Value};
use crate::model::{Text, text};

/// Maximum length of a name, address or other short text in characters.
pub(super) const MAX_TEXT: usize = 200;
/// Maximum length of a post in characters.
const MAX_LINES: usize = 20_000;

impl Context<'_> {
    /// Reads a short text as one line, cleaned and cut unless [`TextForm::Original`]; `None` if it is empty. Whole
    /// numbers are accepted, too: some services write the name of the coin "42" as a number. Other numbers have several
    /// spellings, so they don't count as text.
    pub(in crate::client::decode) fn text(&mut self, value: Option<Value<'_>>) -> Option<Text> {
        match value {
            Some(number) if number.kind() == Kind::Number && !is_whole(number.raw()) => {
                self.checked(number, None, "a string")
            }
            _ => self.any_text(value),
        }
    }

    /// Reads text like [`Context::text`], with any number as it is written.
    fn any_text(&mut self, value: Option<Value<'_>>) -> Option<Text> {
        let value = value?;
        let words = match value.kind() {
            Kind::String | Kind::Number => Cow::Borrowed(value.raw()),
            Kind::Null => return None,
            _ => match value.str() {
                Some(words) => words,
                None => return self.checked(value, None, "a string"),
            },
        };
        self.key(&words)
    }

    /// Reads an id: a string, or a number, which some services write as `25028.0`.
    pub(in crate::client::decode) fn id(&mut self, value: Option<Value<'_>>) -> Option<Text> {
        let float = value.filter(|value| value.kind() == Kind::Number && !is_whole(value.raw()));
        let number = float.and_then(|float| exact_whole(float.raw()));
        let id = number.map(|number| Text::from(number.to_string())).or_else(|| self.any_text(value))?;
        Some(if id.trim().len() == id.len() { id } else { Text::from(id.trim()) })
    }

    /// Treats a key like [`Context::text`].
    pub(in crate::client::decode) fn key(&self, key: &str) -> Option<Text> {
        let words = match self.form {
            TextForm::Clean => text::cut(text::clean(key), MAX_TEXT),
            TextForm::Original => Cow::Borrowed(key),
        };
        (!words.trim().is_empty()).then(|| Text::from(words))
    }

    /// Reads a string with line breaks, cleaned and cut unless [`TextForm::Original`]; `None` if it is empty.
    pub(in crate::client::decode) fn lines(&mut self, value: Option<Value<'_>>) -> Option<String> {
        let value = value?;
        if value.is_null() {
            return None;
        }
        let Some(words) = value.str() else { return self.checked(value, None, "a string") };
        self.own_lines(&words)
    }

    /// Treats a derived text like [`Context::lines`].
    pub(in crate::client::decode) fn own_lines(&self, words: &str) -> Option<String> {
        let words = match self.form {
            TextForm::Clean => self.cut_lines(text::clean_lines(words).into_owned()),
            TextForm::Original => words.to_owned(),
        };
        (!words.trim().is_empty()).then_some(words)
    }

    /// Cuts a joined text unless [`TextForm::Original`].
    pub(in crate::client::decode) fn cut_lines(&self, words: String) -> String {
        match self.form {
            TextForm::Clean => text::cut(words.into(), MAX_LINES).into_owned(),
            TextForm::Original => words,
        }
    }

    /// Reads a BRC-20 ticker without loss: [`text::escape_ticker`] escapes what cleaning would remove, unless
    /// [`TextForm::Original`].
    pub(in crate::client::decode) fn ticker(&mut self, value: Option<Value<'_>>) -> Option<Text> {
        let value = value?;
        match (value.kind(), value.str()) {
            (Kind::Null, _) => None,
            (Kind::Number, _) if value.raw().len() <= MAX_TEXT && is_whole(value.raw()) => {
                Some(self.own_ticker(value.raw()))
            }
            (_, Some(raw)) if raw.is_empty() => None,
            (_, Some(raw)) if raw.len() <= MAX_TEXT => Some(self.own_ticker(&raw)),
            _ => self.checked(value, None, "a ticker"),
        }
    }

    /// Treats a known ticker like [`Context::ticker`].
    pub(in crate::client::decode) fn own_ticker(&self, raw: &str) -> Text {
        match self.form {
            TextForm::Clean => Text::from(text::escape_ticker(raw)),
            TextForm::Original => Text::from(raw),
        }
    }

    /// Reads an http or https URL without spaces, control or invisible characters.
    pub(in crate::client::decode) fn url(&mut self, value: Option<Value<'_>>) -> Option<String> {
        let value = value?;
        let words = match (value.kind(), value.str()) {
            (Kind::Null, _) => return None,
            (_, Some(words)) if is_nothing(&words) => return None,
            (_, words) => words,
        };
        let url = words.filter(|words| is_url(words.trim())).map(|words| words.trim().to_owned());
        self.checked(value, url, "an http or https URL")
    }
}

//! What the providers of posts have in common: HTML as text, and whether a text is about a coin.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CoinRef;
use crate::model::text;

/// Characters of a post that are kept.
const LENGTH: usize = 2_000;

/// The items of a list that have the shape of a type. The others are left out: one bad post costs no other.
pub(super) fn readable<T: DeserializeOwned>(items: Vec<Value>) -> Vec<T> {
    let count = items.len();
    let read: Vec<T> = items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect();
    if read.len() < count {
        tracing::info!(unreadable = count - read.len(), "posts left out");
    }
    read
}

/// The text without surrounding space, and no longer than posts are.
pub(super) fn shortened(words: &str) -> String {
    text::cut(words.trim().into(), LENGTH).into_owned()
}

/// Whether a text is about a coin: it contains its symbol as a cashtag (`$ORDI`), or its name as a word, in any case.
pub(super) fn is_about(words: &str, coin: &CoinRef) -> bool {
    let words = words.to_lowercase();
    let cashtag = format!("${}", coin.symbol.to_lowercase());
    contains_word(&words, &cashtag) || contains_word(&words, coin.name.to_lowercase().trim())
}

/// Whether a text contains a word (or several) that is no part of a longer one.
fn contains_word(words: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // `$$ORDI` is no cashtag, and `C$ORDI` is another one.
    let is_part_before = |c: char| is_part(c) || word.starts_with('$') && c == '$';
    !word.is_empty()
        && words.match_indices(word).any(|(at, found)| {
            let before = words.get(..at).and_then(|before| before.chars().next_back());
            let after = words.get(at + found.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(is_part_before) && !after.is_some_and(is_part)
        })
}

/// The text of an HTML fragment: without tags, with line breaks where the fragment has them, its entities decoded.
pub(super) fn text_of_html(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(&html_escape::decode_html_entities(before));
        let after = tag.get(1..).unwrap_or_default();
        if !after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            // `a < b`.
            out.push('<');
            rest = after;
            continue;
        }
        let end = end_of_tag(after);
        let name: String = after.chars().skip_while(|c| *c == '/').take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        let closes = after.starts_with('/');
        rest = after.get(end..).unwrap_or_default();
        match name.as_str() {
            "br" => out.push('\n'),
            "p" | "div" | "blockquote" | "pre" | "ul" | "ol" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if closes => {
                out.push_str("\n\n");
            }
            "li" if closes => out.push('\n'),
            // Their content is no text.
            "script" | "style" if !closes => rest = after_element(rest, &name),
            _ => {}
        }
    }
    out.push_str(&html_escape::decode_html_entities(rest));
    let mut text = String::with_capacity(out.len());
    for line in out.trim().lines() {
        // No more than one empty line in a row.
        if !line.trim().is_empty() || !text.ends_with("\n\n") {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text.trim_end().to_owned()
}

/// Where a tag ends, behind its `>`, which may also stand in an attribute's quotes. One that doesn't end is as long as
/// the text.
fn end_of_tag(tag: &str) -> usize {
    if tag.starts_with("!--") {
        return tag.find("-->").map_or(tag.len(), |end| end + 3);
    }
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '>' => return at + 1,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
    }
    tag.len()
}

/// What follows the end of an element.
fn after_element<'a>(rest: &'a str, name: &str) -> &'a str {
    let lower = rest.to_ascii_lowercase();
    let Some(at) = lower.find(&format!("</{name}")) else { return "" };
    rest.get(at..).and_then(|tag| tag.get(tag.find('>')? + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::CoinId;

    #[test]
    fn html_becomes_text() {
        for (html, text) in [
            (
                "<p>Fees down <a href=\"https://x.example/?a>b\" rel=\"tag\">#<span>ordi</span></a></p>",
                "Fees down #ordi",
            ),
            ("<p>one</p><p>two<br>three<br />four</p>", "one\n\ntwo\nthree\nfour"),
            ("a &lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#x27; &eacute;&nbsp;e", "a <b> &amp; \"c\" 'd' é\u{a0}e"),
            ("a < b and 1<2", "a < b and 1<2"),
            ("<ul><li>x</li><li>y</li></ul>z", "x\ny\n\nz"),
            ("<script>alert('<p>')</script>ok<style>p{}</style>", "ok"),
            ("<!-- a > b -->seen", "seen"),
            ("cut <a href=\"x", "cut"),
            ("&unknown; &#xFFFFFFF; &", "&unknown; &#xFFFFFFF; &"),
            ("<P>BIG</P>", "BIG"),
        ] {
            assert_eq!(text_of_html(html), text, "{html}");
        }
    }

    #[test]
    fn post_is_about_its_coin() {
        let coin =
            |name: &str, symbol: &str| CoinRef::new(CoinId("1".into()), "slug".into(), name.into(), symbol.into());
        let ordi = coin("ORDI", "ORDI");
        for text in ["$ORDI up", "look: $ordi.", "ordi, again", "#ORDI", "(Ordi)", "$ordi"] {
            assert!(is_about(text, &ordi), "{text}");
        }
        for text in ["ordinary", "the coordinates", "$ORDIX", "_ordi", "US$ORDIX", "o r d i", ""] {
            assert!(!is_about(text, &ordi), "{text}");
        }
        let bot = coin("Ordinals Bot", "ORDB");
        assert!(is_about("I like the ordinals bot!", &bot) && is_about("$ordb", &bot));
        assert!(!is_about("ordb and ordinals", &bot), "a symbol alone is a word like any other");
        let stars = coin("星", "*");
        assert!(is_about("星 is here", &stars) && !is_about("星星", &stars));
    }

    proptest! {
        #[test]
        fn any_html_is_text(html in "(\\PC|[<>&;/!-\"'a-z]){0,200}") {
            let _ = text_of_html(&html);
        }

        #[test]
        fn plain_text_is_unchanged(text in "[a-zA-Z0-9 .,$#é星]{0,60}") {
            prop_assert_eq!(text_of_html(&text), text.trim());
        }
    }
}

//! Converts HTML, such as posts of Mastodon, to text.

use std::borrow::Cow;

/// Whether a string is HTML rather than plain text: it begins with a common tag, or has the end of one and an entity.
pub fn has_html_tags(text: &str) -> bool {
    let is_tag = |rest: &str| {
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        TAGS.contains(&name.to_ascii_lowercase().as_str())
    };
    text.trim_start().strip_prefix('<').is_some_and(is_tag)
        || has_html_entities(text) && text.split("</").skip(1).any(is_tag)
}

/// Common tags of text.
const TAGS: [&str; 17] = [
    "a",
    "b",
    "blockquote",
    "br",
    "div",
    "em",
    "figure",
    "h1",
    "h2",
    "h3",
    "i",
    "img",
    "ol",
    "p",
    "span",
    "strong",
    "ul",
];

/// Whether a string has entities, such as `&amp;`.
pub fn has_html_entities(text: &str) -> bool {
    matches!(html_escape::decode_html_entities(text), Cow::Owned(_))
}

/// Decodes entities, and leaves everything else as it is.
pub fn decode_html_entities(text: &str) -> String {
    html_escape::decode_html_entities(text).into_owned()
}

/// Converts an HTML fragment to text: removes tags, keeps line breaks, decodes entities.
pub fn html_to_text(html: &str) -> String {
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
            // Their content is not text.
            "script" | "style" if !closes => rest = after_element(rest, &name),
            _ => {}
        }
    }
    out.push_str(&html_escape::decode_html_entities(rest));
    let mut text = String::with_capacity(out.len());
    for line in out.trim().lines() {
        // At most one empty line in a row.
        if !line.trim().is_empty() || !text.ends_with("\n\n") {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text.trim_end().to_owned()
}

/// The end of a tag, after its `>`. Ignores `>` in quoted attributes. An unclosed tag extends to the end of the text.
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

/// The text after the end tag of an element.
fn after_element<'a>(rest: &'a str, name: &str) -> &'a str {
    let lower = rest.to_ascii_lowercase();
    let Some(at) = lower.find(&format!("</{name}")) else { return "" };
    rest.get(at..).and_then(|tag| tag.get(tag.find('>')? + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn html_is_converted_to_text() {
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
            ("It&rsquo;s &euro;5 &hellip; caf&eacute; <a href=\"a>b\">x</a><style>p{}</style>", "It’s €5 … café x"),
        ] {
            assert_eq!(html_to_text(html), text, "{html}");
        }
    }

    #[test]
    fn entities_have_a_known_name_or_a_code() {
        for text in ["a &amp; b", "caf&eacute;", "It&#8217;s", "&#x27;", "R&D; &lt;"] {
            assert!(has_html_entities(text), "{text}");
        }
        for text in ["a & b", "R&D; x", "&unknown;", "&#;", "&#x;", "&amp", "?a=1&b=2", ""] {
            assert!(!has_html_entities(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_html_is_accepted(html in "(\\PC|[<>&;/!-\"'a-z]){0,200}") {
            let _ = html_to_text(&html);
        }

        #[test]
        fn plain_text_is_unchanged(text in "[a-zA-Z0-9 .,$#é星]{0,60}") {
            prop_assert_eq!(html_to_text(&text), text.trim());
        }
    }
}

//! Converts HTML posts (Mastodon) to text.

/// Removes tags, converts paragraphs to line breaks, and decodes entities.
pub(super) fn to_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(rest.get(..at).unwrap_or_default());
        let markup = rest.get(at..).unwrap_or_default();
        let (meaning, length) = match markup.strip_prefix('<') {
            Some(_) => tag(markup),
            None => entity(markup),
        };
        text.push_str(&meaning);
        rest = markup.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// Parses a tag at the start; returns its replacement and length.
fn tag(markup: &str) -> (String, usize) {
    let Some(end) = markup.find('>') else { return (String::from("<"), 1) };
    let inside = markup.get(1..end).unwrap_or_default().trim_end_matches('/').trim();
    let name = inside.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    // "a < b > c" contains no tag.
    if !name.trim_start_matches(['/', '!']).starts_with(|c: char| c.is_ascii_alphabetic() || c == '-') {
        return (String::from("<"), 1);
    }
    let text = match name.as_str() {
        "br" | "/li" => "\n",
        "/p" | "/div" | "/blockquote" => "\n\n",
        _ => "",
    };
    (text.to_owned(), end + 1)
}

/// Parses an entity at the start; returns its character and length.
fn entity(markup: &str) -> (String, usize) {
    let name = markup.get(1..).unwrap_or_default().split(';').next().unwrap_or_default();
    let numeric = || match name.strip_prefix('#')?.strip_prefix(['x', 'X']) {
        Some(digits) => char::from_u32(u32::from_str_radix(digits, 16).ok()?),
        None => char::from_u32(name.strip_prefix('#')?.parse().ok()?),
    };
    let character = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => numeric(),
    };
    match character.filter(|_| markup.len() > name.len() + 1) {
        Some(character) => (character.to_string(), name.len() + 2),
        None => (String::from("&"), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_entities_are_converted() {
        for (html, text) in [
            ("<p>Fees down</p><p>again<br>and <b>again</b></p>", "Fees down\n\nagain\nand again"),
            (r#"<p>see <a href="https://a.example/x" rel="tag">#<span>ordi</span></a></p>"#, "see #ordi"),
            ("a &lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#x27;&nbsp;e", "a <b> &amp; \"c\" 'd' e"),
            ("<br/>a<BR />b", "a\nb"),
            ("1 < 2 & 3 > 2 &unknown; &", "1 < 2 & 3 > 2 &unknown; &"),
            ("plain", "plain"),
            ("<p", "<p"),
            ("", ""),
        ] {
            assert_eq!(to_text(html), text, "{html}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(html in "([a-z<>&;#/ é]|&[a-z]{2,4};|&#x?[0-9a-f]{1,6};|</?p>){0,40}") {
            let text = to_text(&html);
            assert!(text.len() <= html.len() + 1);
        }
    }
}

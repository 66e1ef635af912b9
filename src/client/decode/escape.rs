//! Escapes of JSON strings.

/// Resolves the escapes of a JSON string.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = after.chars();
        let c = match chars.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let (c, length) = unicode_escape(after);
                out.push(c);
                rest = after.get(length..).unwrap_or_default();
                continue;
            }
            Some(c @ ('"' | '\\' | '/')) => c,
            Some(c) => {
                out.push('\\');
                c
            }
            None => '\\',
        };
        out.push(c);
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Parses `uXXXX`, and a following `\uXXXX` if they are a surrogate pair; returns the character and the bytes consumed.
fn unicode_escape(text: &str) -> (char, usize) {
    let unit = |from: usize| {
        let hex = text.get(from..from + 4).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(hex, 16).ok()
    };
    let Some(first) = unit(1) else { return (char::REPLACEMENT_CHARACTER, 1) };
    if let (0xd800..=0xdbff, Some("\\u"), Some(second @ 0xdc00..=0xdfff)) = (first, text.get(5..7), unit(7)) {
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 11);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 5)
}

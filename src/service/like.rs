//! SQL's `LIKE`: `%` matches any text, `_` any character, `\` escapes the next character.

/// Whether the text matches the pattern as a whole.
pub(super) fn like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern = parse(pattern);
    let (mut at, mut next) = (0, 0);
    // Position of the last `%`, and the end of its match so far.
    let mut any: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(next), text.get(at)) {
            (None, None) => return true,
            (Some(Part::Any), _) => {
                any = Some((next, at));
                next += 1;
            }
            (Some(Part::One), Some(_)) => (at, next) = (at + 1, next + 1),
            (Some(Part::Exactly(wanted)), Some(found)) if wanted == found => (at, next) = (at + 1, next + 1),
            (_, found) => match any {
                Some((place, reach)) if found.is_some() || reach < text.len() => {
                    any = Some((place, reach + 1));
                    (at, next) = (reach + 1, place + 1);
                }
                _ => return false,
            },
        }
    }
}

/// Whether the text starts with the pattern (case-insensitive).
pub(super) fn like_prefix(text: &str, pattern: &str) -> bool {
    like(&text.to_lowercase(), &format!("{}%", pattern.to_lowercase()))
}

enum Part {
    Any,
    One,
    Exactly(char),
}

fn parse(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        parts.push(match char {
            '%' => Part::Any,
            '_' => Part::One,
            '\\' => Part::Exactly(chars.next().unwrap_or('\\')),
            char => Part::Exactly(char),
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_sql() {
        for (text, pattern) in
            [("", ""), ("", "%"), ("ordi", "ordi"), ("ordi", "o%i"), ("ordi", "%r%"), ("ordi", "____")]
        {
            assert!(like(text, pattern), "{text} {pattern}");
        }
        for (text, pattern) in [("ordi", "ord"), ("ordi", "rdi"), ("ordi", "o%x"), ("ordi", "_____"), ("", "_")] {
            assert!(!like(text, pattern), "{text} {pattern}");
        }
        assert!(like("100%", r"100\%") && !like("1000", r"100\%"));
        assert!(like("🔥🔥", "_🔥"));
        assert!(!like(&"a".repeat(200), &format!("{}b", "a%".repeat(100))));
    }

    #[test]
    fn prefix_is_case_insensitive() {
        assert!(like_prefix("ordi", "OR") && like_prefix("ordi", "") && like_prefix("ordi", "_r"));
        assert!(!like_prefix("ordi", "sats"));
    }
}

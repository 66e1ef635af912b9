//! Bodies that are not quite JSON: JSON Lines, and JSON after a guard against inclusion as a script.

/// A guard before the JSON, which browsers can't execute.
const GUARD: &str = ")]}'";

/// The text after a guard.
pub(super) fn without_guard(text: &str) -> &str {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    start.strip_prefix(GUARD).map_or(text, |rest| rest.trim_start_matches(','))
}

/// JSON Lines as an array: at least two lines, each of which looks like an object. `None` for other text.
pub(super) fn to_array(text: &str) -> Option<String> {
    let lines = || text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
    let is_object = |line: &str| line.starts_with('{') && line.ends_with('}');
    if lines().nth(1).is_none() || !lines().all(is_object) {
        return None;
    }
    let mut array = String::with_capacity(text.len() + 2);
    for line in lines() {
        array.push(if array.is_empty() { '[' } else { ',' });
        array.push_str(line);
    }
    array.push(']');
    Some(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_objects_become_an_array() {
        assert_eq!(to_array("{\"a\":1}\n\r\n {\"b\":2}\r\n").as_deref(), Some("[{\"a\":1},{\"b\":2}]"));
        for text in ["", "{}", "{}\n", "{}\n[]", "[]\n[]", "{\n}", "{} {}", "{}\nend"] {
            assert_eq!(to_array(text), None, "{text:?}");
        }
    }

    #[test]
    fn guard_is_removed() {
        assert_eq!(without_guard(")]}',\n[1]"), "\n[1]");
        assert_eq!(without_guard("\n)]}'\n[1]"), "\n[1]");
        assert_eq!(without_guard(" [1]"), " [1]");
    }
}

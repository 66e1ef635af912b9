//! Suggestions for unknown keys.

use super::super::headers::SECTIONS;

/// `; did you mean …?` with the most similar key or section, or a list of all of them.
pub(super) fn nearest(name: &str, keys: &[&'static str]) -> String {
    let names = keys.iter().copied().chain(SECTIONS);
    let split =
        |key: &str| key.rsplit_once('.').map_or_else(|| (String::new(), key.to_owned()), |(a, b)| (a.into(), b.into()));
    let (section, leaf) = split(name);
    let score = |known: &str| {
        let whole = strsim::normalized_damerau_levenshtein(name, known);
        if whole > 0.8 {
            return whole;
        }
        // Finds the right key in the wrong section, too.
        let (known_section, known_leaf) = split(known);
        let elsewhere = if section == known_section { 0.0 } else { 0.05 };
        strsim::normalized_damerau_levenshtein(&leaf, &known_leaf) - elsewhere
    };
    let best = names.map(|known| (score(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, known)) if score > 0.6 => format!("; did you mean {known:?}?"),
        _ => in_section(if section.is_empty() { name } else { &section }, section.is_empty(), keys),
    }
}

/// `; did you mean [source]?`, or the keys of the section, or the sections.
fn in_section(section: &str, may_be_key: bool, keys: &[&'static str]) -> String {
    let mut sections: Vec<&str> = keys.iter().filter_map(|key| Some(key.rsplit_once('.')?.0)).chain(SECTIONS).collect();
    sections.push("keys");
    sections.sort_unstable();
    sections.dedup();
    if sections.contains(&section) && !may_be_key {
        let leaf = |key: &&'static str| key.strip_prefix(section)?.strip_prefix('.').filter(|leaf| !leaf.contains('.'));
        let leaves: Vec<&str> = keys.iter().filter_map(leaf).collect();
        return format!("; known keys of [{section}]: {}", leaves.join(", "));
    }
    let score = |known: &&str| strsim::normalized_damerau_levenshtein(section, known);
    match sections.iter().max_by(|a, b| score(a).total_cmp(&score(b))) {
        Some(known) if score(known) > 0.6 => format!("; did you mean [{known}]?"),
        _ => {
            // Other modules read these.
            sections.extend(["coins.SLUG", "live", "providers.NAME"]);
            sections.sort_unstable();
            format!("; known sections: {}", sections.iter().map(|s| format!("[{s}]")).collect::<Vec<_>>().join(", "))
        }
    }
}

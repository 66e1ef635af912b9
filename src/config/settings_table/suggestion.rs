//! Suggestions for unknown keys.

use super::super::headers::SECTIONS;
use super::super::hint;

/// ` (similar: …)` with the most similar key or section, or where the keys are listed.
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
        Some((score, known)) if score > 0.6 => format!(" (similar: {known:?})"),
        _ => in_section(if section.is_empty() { name } else { &section }, section.is_empty(), keys),
    }
}

/// ` (similar: [source])`, or where the keys are listed.
fn in_section(section: &str, may_be_key: bool, keys: &[&'static str]) -> String {
    let sections =
        || keys.iter().filter_map(|key| Some(key.rsplit_once('.')?.0)).chain(SECTIONS).chain(["keys", "live"]);
    let is_known = !may_be_key && sections().any(|known| known == section);
    match hint::closest(section, sections()).filter(|_| !is_known) {
        Some(known) => format!(" (similar: [{known}])"),
        None => hint::list("keys"),
    }
}

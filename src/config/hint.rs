//! Hints for unknown names: a similar name, or where all names are listed.

use super::error::short;

/// ` (similar: "price")`, or [`list`] if no name is similar.
pub(super) fn similar_or_list<S: AsRef<str>>(name: &str, names: impl IntoIterator<Item = S>, what: &str) -> String {
    closest(name, names).map_or_else(|| list(what), |known| format!(" (similar: {:?})", known.as_ref()))
}

/// The command that lists all names, which works with an invalid configuration: ` (list keys: satscope config default)`.
pub(super) fn list(what: &str) -> String {
    format!(" (list {what}: satscope config default)")
}

/// The most similar name, if similar enough.
pub(super) fn closest<S: AsRef<str>>(name: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    let name = short(name);
    let scored = names.into_iter().map(|known| (strsim::normalized_damerau_levenshtein(&name, known.as_ref()), known));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(score, _)| *score > 0.6).map(|(_, known)| known)
}

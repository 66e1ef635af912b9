//! The keys as a table in Markdown, for the README.

use crate::view::Glyphs;

use super::{BINDINGS, Binding, EVERYWHERE, Place};

/// The places that share a section, under its title; the first that fits a binding takes it.
const SECTIONS: [(&str, &[Place]); 6] = [
    ("Everywhere", EVERYWHERE),
    ("Lists of coins", &[Place::List]),
    ("A token's view", &[Place::Token]),
    ("Wallet", &[Place::Wallet]),
    ("Indexer", &[Place::Indexer]),
    ("Links, currencies, look-up", &[Place::Overlay]),
];

/// All keys, a line a binding and place; what means the same on every screen stands under `Everywhere`.
pub fn markdown() -> String {
    let mut text = String::from("| where | keys | what they do |\n|---|---|---|\n");
    for (title, places) in SECTIONS {
        for binding in BINDINGS.iter().filter(|binding| belongs(binding, title, places)) {
            let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{}`", key.name(Glyphs::Unicode))).collect();
            text.push_str(&format!("| {title} | {} | {} |\n", keys.join(" "), binding.help));
        }
    }
    text
}

fn belongs(binding: &Binding, title: &str, places: &[Place]) -> bool {
    let screens = EVERYWHERE.iter().filter(|place| **place != Place::Overlay);
    let general = screens.clone().all(|place| binding.places.contains(place));
    match title {
        "Everywhere" => general,
        _ => !general && places.iter().any(|place| binding.places.contains(place)),
    }
}

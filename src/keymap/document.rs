//! The keys as a table in Markdown, for the README.

use crate::glyphs::Glyphs;

use super::{BINDINGS, Binding, GENERAL, SECTIONS};

/// All keys, a line a binding and section.
pub fn markdown() -> String {
    let mut text = String::from("| where | keys | what they do |\n|---|---|---|\n");
    let mut section = |title: &str, belongs: &dyn Fn(&Binding) -> bool| {
        for binding in BINDINGS.iter().filter(|binding| belongs(binding)) {
            let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{}`", key.name(Glyphs::Unicode))).collect();
            text.push_str(&format!("| {title} | {} | {} |\n", keys.join(" "), binding.help));
        }
    };
    section(GENERAL, &Binding::is_general);
    for (title, places) in SECTIONS {
        section(title, &|binding| binding.belongs(places));
    }
    text
}

//! Why a lot, an alert, a filter or a comparison with its command was refused.

use crate::alerts::parse_with;
use crate::app::chart::compare::MAX_COINS;
use crate::app::coins::filter::{FilterError, parse};
use crate::app::coins::names::NamesState;
use crate::app::find::fuzzy::Quality;
use crate::app::find::palette::Palette;
use crate::app::state::State;
use crate::format::words::capitalised;

use super::{commands, verbs};

/// Why nothing matches, in one sentence, as the dialog of that line would say it; `None` if the text is not such a
/// line. Columns count in the typed text.
pub(super) fn problem(state: &State, palette: &mut Palette) -> Option<String> {
    let typed = palette.input.value().trim().to_owned();
    let typed = typed.as_str();
    let is_loading = matches!(state.names_state(), NamesState::Loading);
    if let Some((Quality::Exact, line, entry)) = verbs::named_lot(state, typed) {
        let may_be_coin = is_loading && !line.contains(|c: char| c.is_ascii_digit());
        return entry.err().filter(|_| !may_be_coin).map(|error| capitalised(&error.to_string()));
    }
    let compared = verbs::compared_names(typed);
    if compared.len() > MAX_COINS {
        return Some(format!("Can't compare more than {MAX_COINS} coins"));
    }
    // All words may be the name of a coin.
    let is_condition = commands::is_comparison(typed);
    if is_loading && !is_condition {
        return None;
    }
    if let Some(column) = typed.strip_prefix("sort ") {
        let column = column.trim();
        let column = column.strip_prefix("by ").unwrap_or(column);
        return Some(format!("Can't sort by {column} (columns: {})", commands::sort_names(state).join(", ")));
    }
    if let Some(name) = compared.iter().find(|name| !is_condition && !verbs::is_coin(state, palette, name)) {
        return Some(format!("No coin matches {name}"));
    }
    let is_filter = |name: &str| "filter".starts_with(&name.to_lowercase());
    if let Some((name, text)) = commands::named_filter(typed).filter(|(name, _)| is_filter(name)) {
        let error = parse(&indented(name, text), &state.convert).err();
        return error.map(filter_reason);
    }
    let addresses = &state.user.current().addresses;
    let rule_error = |rule: &str| parse_with(rule, addresses).err();
    // Nearly the word is rather the name of a coin.
    if let Some((_, rule)) = verbs::named_rule(typed).filter(|(spelling, _)| *spelling == Quality::Exact) {
        // A single word is the name of a coin.
        let is_rule = rule.split_whitespace().nth(1).is_some();
        let before = typed.strip_suffix(rule).unwrap_or_default();
        let error = is_rule.then(|| rule_error(&indented(before.trim_end(), rule))).flatten();
        return error.map(|error| capitalised(&error.to_string()));
    }
    if !is_condition {
        return None;
    }
    let (filter, rule) = (parse(typed, &state.convert).err()?, rule_error(typed)?);
    // The one that was understood further is meant.
    Some(if rule.at > filter.column { capitalised(&rule.to_string()) } else { filter_reason(filter) })
}

/// A text with blanks instead of the word before it, so that its columns stay.
fn indented(word: &str, text: &str) -> String {
    let blanks = if word.is_empty() { 0 } else { word.chars().count() + 1 };
    format!("{}{text}", " ".repeat(blanks))
}

fn filter_reason(error: FilterError) -> String {
    match &error.missing {
        Some(missing) => format!("Expected {missing}"),
        None => capitalised(&error.to_string()),
    }
}

//! The palette's actions on coins: `ordi alert`, `alert ordi > 20`, `watch ordi`, `remove ordi`, `copy ordi contract`,
//! `compare btc ordi`, `mark ordi`, `note ordi`, `add 5 ordi @ 14.10`, `sell 2 btc`. Without a verb: `ordi contract`,
//! `btc ordi`.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::alerts::has_relative_limit;
use crate::alerts::labels::typed_subject;
use crate::alerts::parse::lacks_subject;
use crate::app::chart::compare::MAX_COINS;
use crate::app::coins::filter;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::fuzzy::{Quality, fuzzy_quality};
use crate::app::find::palette::{Action, Item, ItemEffect, Kind, Palette};
use crate::app::state::State;
use crate::keymap::Command;
use crate::portfolio::entry::{self, Entry, EntryError};
use crate::user_data::LotKind;

use super::coins;
use super::commands::{is_comparison, named_filter};
use super::destination::Destination;
use super::found::{Found, Group};
use crate::app::update::alert_suggestions::suggestions;
use crate::app::update::copy;

/// Minimum letters of a verb.
const MIN_LETTERS: usize = 3;

/// Minimum letters of the name of an item to copy.
const MIN_LABEL_LETTERS: usize = 2;

/// Maximum coins that are offered before one is named.
const MAX_SUGGESTIONS: usize = 20;

/// The text of a coin that is copied without a verb.
const CONTRACT: &str = "contract";

/// The words before coins to compare.
const COMPARE: [&str; 3] = ["compare", "vs", "versus"];

/// The word before the line of a lot, unless the line begins with its kind.
const ADD: &str = "add";

/// Verbs without abbreviations: `mar` more likely begins `markets`, `not` a filter, and `rem` the removal of a lot.
const MARK: &str = "mark";
const NOTE: &str = "note";
const REMOVE: &str = "remove";

/// The words that say what to do.
const VERBS: [(&str, Verb); 10] = [
    ("alerts", Verb::Alert),
    ("watch", Verb::Watch),
    ("unwatch", Verb::Unwatch),
    (REMOVE, Verb::Unwatch),
    ("copy", Verb::Copy),
    (MARK, Verb::Mark),
    (NOTE, Verb::Note),
    ("compare", Verb::Compare),
    ("vs", Verb::Compare),
    ("versus", Verb::Compare),
];

/// What to do with a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Alert,
    Watch,
    Unwatch,
    Copy,
    Mark,
    Note,
    Compare,
}

impl Verb {
    /// Reads a word: at least three letters of a verb, or a verb with one typo. Returns how well it matches.
    fn parse(word: &str) -> Option<(Verb, Quality)> {
        let is_whole = |name: &str| matches!(name, MARK | NOTE | REMOVE);
        let begins = |name: &str| word.len() >= MIN_LETTERS && !is_whole(name) && name.starts_with(word);
        let is_it = |name: &str| name == word || begins(name);
        let exact = VERBS.into_iter().find(|(name, _)| is_it(name)).map(|(_, verb)| (verb, Quality::Exact));
        let is_near = |name: &str| !is_whole(name) && fuzzy_quality(word, name) == Some(Quality::Typo);
        let near = || VERBS.into_iter().find(|(name, _)| is_near(name)).map(|(_, verb)| (verb, Quality::Typo));
        exact.or_else(near)
    }
}

/// Whether a word is a verb, unabbreviated.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|(name, _)| *name == word)
}

/// Adds actions on the matching coins if the first or last word is a verb. Coins to compare may also be on both sides
/// of it.
pub(super) fn find(state: &State, palette: &mut Palette, typed: &str, found: &mut Vec<Found>) {
    let words: Vec<&str> = typed.split_whitespace().collect();
    found.extend(rule(state, palette.input.value().trim()));
    found.extend(lot(state, palette.input.value()));
    let last = words.len().saturating_sub(1);
    let Some((place, (verb, spelling))) = verb_in(&words) else {
        return without_verb(state, palette, &words, found);
    };
    let names = without(&words, place);
    if verb == Verb::Compare && (2..=MAX_COINS).contains(&names.len()) {
        let each: Option<Vec<(Quality, NamedCoin)>> = names.iter().map(|name| best(state, palette, name)).collect();
        if let Some(each) = each {
            // After a single coin whose name consists of all these words.
            let worst = each.iter().map(|(quality, _)| *quality).max().unwrap_or(Quality::Exact);
            let each: Vec<NamedCoin> = each.into_iter().map(|(_, coin)| coin).collect();
            found.push(Found::new(ranked(worst.max(spelling)), Group::Verb, 1, comparison(each, &names)));
        }
    }
    if verb == Verb::Copy {
        copies(state, palette, &names, spelling, found);
    }
    if 0 < place && place < last {
        return;
    }
    let base = names.join(" ");
    // Scattered letters don't count: `add alert` names no coin.
    let coins =
        coins::matching(state, &mut palette.index, &base).into_iter().filter(|(quality, _)| *quality <= Quality::Typo);
    for (place, (quality, coin)) in coins.enumerate() {
        let item = coins::item(coin.clone(), &base, Destination::default());
        let (effect, action) = match verb {
            Verb::Alert => ("new alert".into(), Action::AddAlert(coin)),
            Verb::Watch if state.watched.has_entry(&coin.coin) => ("already watched".into(), Action::Watch(coin)),
            Verb::Watch => ("watch".into(), Action::Watch(coin)),
            Verb::Unwatch if state.watched.has_entry(&coin.coin) => ("unwatch".into(), Action::Unwatch(coin)),
            Verb::Unwatch => ("not watched".into(), Action::Unwatch(coin)),
            Verb::Copy => (ItemEffect::opens("copy menu"), Action::CopyCoin(coin)),
            Verb::Mark if state.comparison.position(&coin.coin).is_some() => {
                ("already marked".into(), Action::Mark(coin))
            }
            Verb::Mark => ("mark for comparison".into(), Action::Mark(coin)),
            Verb::Note => ("add note".into(), Action::RunInCoin(coin, Command::Note)),
            Verb::Compare => ("compare".into(), Action::Compare(vec![coin])),
        };
        let quality = ranked(quality.max(spelling));
        found.push(Found::new(quality, Group::Verb, place * 2, Item { effect, action, ..item }));
    }
}

/// The verb among lower-case words, with its position and spelling: at an end, or between the words that it belongs to.
fn verb_in(words: &[&str]) -> Option<(usize, (Verb, Quality))> {
    let last = words.len().checked_sub(1).filter(|last| *last > 0)?;
    let verbs = words.iter().enumerate().filter_map(|(place, word)| Some((place, Verb::parse(word)?)));
    let is_allowed = |&(place, (verb, quality)): &(usize, (Verb, Quality))| {
        let is_between = matches!(verb, Verb::Compare | Verb::Copy) && quality == Quality::Exact;
        place == 0 || place == last || is_between
    };
    // The last one, so that a coin with the name of a verb can be typed before it.
    verbs.rev().find(is_allowed)
}

fn without<'a>(words: &[&'a str], place: usize) -> Vec<&'a str> {
    words.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, word)| *word).collect()
}

/// The coin that best matches a lower-case name. Scattered letters don't count as a match.
fn best(state: &State, palette: &mut Palette, name: &str) -> Option<(Quality, NamedCoin)> {
    let coins = coins::matching(state, &mut palette.index, name);
    coins.into_iter().next().filter(|(quality, _)| *quality <= Quality::Typo)
}

/// Whether a name matches a coin to compare.
pub(super) fn is_coin(state: &State, palette: &mut Palette, name: &str) -> bool {
    best(state, palette, &name.to_lowercase()).is_some()
}

/// The names of coins to compare, as typed; none without the verb for it.
pub(super) fn compared_names(typed: &str) -> Vec<&str> {
    let lower = typed.to_lowercase();
    match verb_in(&lower.split_whitespace().collect::<Vec<_>>()) {
        Some((place, (Verb::Compare, Quality::Exact))) => without(&typed.split_whitespace().collect::<Vec<_>>(), place),
        _ => Vec::new(),
    }
}

/// Adds what can be done without a verb: copy a contract (`ordi contract`), compare two coins (`btc eth`).
fn without_verb(state: &State, palette: &mut Palette, words: &[&str], found: &mut Vec<Found>) {
    if [words.first(), words.last()].into_iter().flatten().any(|word| *word == CONTRACT) {
        copies(state, palette, words, Quality::Exact, found);
    }
    let [first, second] = words else { return };
    let named = |name: &str| {
        // A number is more likely an amount.
        let is_name = name.chars().any(char::is_alphabetic);
        is_name.then(|| state.coins_named(name).into_iter().next()).flatten()
    };
    if let Some((first, second)) = named(first).zip(named(second))
        && !first.coin.has_same_id(&second.coin)
    {
        // Two symbols are likelier than a coin with both words in its names.
        let are_symbols =
            [&first, &second].into_iter().zip(words).all(|(coin, word)| coin.coin.symbol.eq_ignore_ascii_case(word));
        let quality = if are_symbols { Quality::Prefix } else { Quality::Word };
        found.push(Found::new(quality, Group::Verb, 1, comparison(vec![first, second], words)));
    }
}

/// Adds the text of the matching coins that the first or last word names: `copy ordi contract`.
fn copies(state: &State, palette: &mut Palette, names: &[&str], spelling: Quality, found: &mut Vec<Found>) {
    let ends = [names.split_last(), names.split_first()];
    for (word, coin_words) in ends.into_iter().flatten().filter(|(word, _)| word.len() >= MIN_LABEL_LETTERS) {
        let base = coin_words.join(" ");
        let coins = coins::matching(state, &mut palette.index, &base);
        let coins = coins.into_iter().filter(|(quality, _)| *quality <= Quality::Typo);
        for (place, (quality, coin)) in coins.take(MAX_SUGGESTIONS).enumerate() {
            let menu = copy::menu_about(state, &coin);
            for entry in menu.items.into_iter().filter(|entry| entry.label.to_lowercase().starts_with(word)) {
                let item = coins::item(coin.clone(), &base, Destination::default());
                let effect = format!("copy {}", entry.label).into();
                let item = Item { effect, action: Action::Menu(entry.action), ..item };
                found.push(Found::new(ranked(quality.max(spelling)), Group::Verb, place * 2, item));
            }
        }
    }
}

/// Coins for the comparison after `compare `, before any is named. Empty if anything else is typed.
pub(super) fn coins_to_compare(state: &State, palette: &Palette, typed: &str) -> Vec<Item> {
    if !COMPARE.contains(&typed) || !palette.input.value().ends_with(char::is_whitespace) {
        return Vec::new();
    }
    suggested_coins(state)
}

/// The coins to add to the open comparison that match a lower-case name; suggestions if it is empty.
pub(super) fn coins_to_add(state: &State, palette: &mut Palette, typed: &str) -> Vec<Item> {
    if typed.is_empty() {
        return suggested_coins(state);
    }
    let coins = coins::matching(state, &mut palette.index, typed).into_iter().map(|(_, coin)| coin);
    let coins = coins.filter(|coin| state.comparison.position(&coin.coin).is_none());
    coins.map(|coin| item_to_compare(coin, typed)).collect()
}

/// Coins that are not compared yet: watched ones, then others by market cap.
fn suggested_coins(state: &State) -> Vec<Item> {
    let mut seen = HashSet::new();
    let coins = state.known_coins().filter(|coin| seen.insert(&coin.id)).map(NamedCoin::from);
    let mut coins: Vec<NamedCoin> = coins.filter(|coin| state.comparison.position(&coin.coin).is_none()).collect();
    coins.sort_by_cached_key(|coin| (state.watched.indices(&coin.coin).is_empty(), coin.order()));
    coins.truncate(MAX_SUGGESTIONS);
    coins.into_iter().map(|coin| item_to_compare(coin, "")).collect()
}

fn item_to_compare(coin: NamedCoin, query: &str) -> Item {
    Item {
        effect: "compare".into(),
        action: Action::Compare(vec![coin.clone()]),
        ..coins::item(coin, query, Destination::default())
    }
}

/// A new alert with the typed rule: `alert ordi > 20`, `ordi +5%`. After or before the verb, an unfinished rule is
/// offered, too: the line of the alert shows what is missing. Without the verb, a filter is likelier. A rule without a
/// name is about the selected row.
fn rule(state: &State, typed: &str) -> Option<Found> {
    let is_whole =
        |rule: &str| state.parse_alert(&with_subject(state, rule), 0, |name| state.coins_named(name)).is_ok();
    let parses = |filter: &str| filter::parse(filter, &state.convert).is_ok();
    let is_filter = |typed: &str| named_filter(typed).is_some_and(|(_, filter)| parses(filter)) || parses(typed);
    let is_bare = || (has_relative_limit(typed) || is_comparison(typed) && !is_filter(typed)) && is_whole(typed);
    let is_begun = |rule: &str| is_comparison(rule) || has_relative_limit(rule) || is_whole(rule);
    let lacks_coin = |rule: &str| rule.trim_start().starts_with(['<', '>', '=']);
    let (quality, rule) = match named_rule(typed) {
        None if is_bare() => (Quality::Word, typed),
        // The symbol of a coin may begin the verb or nearly be it: `aleo > 0.5`.
        Some((spelling, rule))
            if (spelling == Quality::Typo || spelling == Quality::Prefix && lacks_coin(rule)) && is_bare() =>
        {
            (Quality::Word, typed)
        }
        Some((Quality::Typo, rule)) if lacks_coin(rule) => return None,
        Some((spelling, rule)) if is_begun(rule) => (spelling, rule.trim()),
        _ => return None,
    };
    let item = Item {
        query: rule.to_owned(),
        effect: "new alert".into(),
        ..Item::new(Kind::Command, rule, Action::TypeAlert(rule.to_owned()))
    };
    Some(Found::new(quality, Group::Verb, 0, item))
}

/// The rule with the subject of the selected row if it has none.
fn with_subject<'a>(state: &State, rule: &'a str) -> Cow<'a, str> {
    if !lacks_subject(rule) {
        return Cow::Borrowed(rule);
    }
    let about = suggestions(state).into_iter().next();
    let addresses = &state.user.current().addresses;
    about.map_or(Cow::Borrowed(rule), |about| Cow::Owned(format!("{} {rule}", typed_subject(&about, addresses))))
}

/// The rule after the verb of an alert or before it, as it was typed: addresses have upper-case letters. With it, how
/// well the verb matches: wholly, in its first letters, or with a typo.
pub(super) fn named_rule(typed: &str) -> Option<(Quality, &str)> {
    let spelling = |word: &str| {
        let word = word.to_lowercase();
        let (verb, spelling) = Verb::parse(&word)?;
        let is_part = spelling == Quality::Exact && !matches!(word.as_str(), "alert" | "alerts");
        (verb == Verb::Alert).then_some(if is_part { Quality::Prefix } else { spelling })
    };
    let (first, after) = typed.split_once(char::is_whitespace)?;
    let (before, last) = typed.rsplit_once(char::is_whitespace)?;
    let both = [(spelling(first), after), (spelling(last), before)];
    both.into_iter().filter_map(|(spelling, rule)| Some((spelling?, rule))).min_by_key(|(spelling, _)| *spelling)
}

/// A new lot: `add 5 ordi @ 14.10`, `sell 2 btc`. An amount alone is offered, too: the line of the lot shows what is
/// missing.
fn lot(state: &State, typed: &str) -> Option<Found> {
    let (spelling, line, entry) = named_lot(state, typed.trim())?;
    if entry.is_err_and(|error| error != EntryError::NoCoin || spelling != Quality::Exact) {
        return None;
    }
    let item = Item {
        query: line.to_string(),
        effect: "review and add".into(),
        ..Item::new(Kind::Command, line.to_string(), Action::TypeLot(line.into_owned()))
    };
    Some(Found::new(spelling, Group::Verb, 0, item))
}

/// The line of a lot, after `add` or starting with its kind; how well the kind matches, where an abbreviation counts as
/// a typo; and what the line means.
pub(super) fn named_lot<'a>(
    state: &State,
    typed: &'a str,
) -> Option<(Quality, Cow<'a, str>, Result<Entry, EntryError>)> {
    let (word, rest) = typed.split_once(char::is_whitespace)?;
    let word = word.to_ascii_lowercase();
    let is_near = |kind: &LotKind| {
        let name = kind.as_str();
        name.starts_with(&word) || fuzzy_quality(&word, name) == Some(Quality::Typo)
    };
    let (spelling, line) = if word == ADD {
        (Quality::Exact, Cow::Borrowed(rest.trim()))
    } else if LotKind::parse(&word).is_some() {
        (Quality::Exact, Cow::Borrowed(typed))
    } else {
        let kind = LotKind::ALL.into_iter().find(is_near).filter(|_| word.len() >= MIN_LETTERS)?;
        (Quality::Typo, Cow::Owned(format!("{} {}", kind.as_str(), rest.trim())))
    };
    let today = state.preferences.zone.at(state.now).date();
    let entry = entry::parse(&line, today, &state.user.current().addresses);
    Some((spelling, line, entry))
}

/// The quality of an item whose coin matches this well: the beginning of a coin's name is no better than a word of a
/// command.
fn ranked(quality: Quality) -> Quality {
    if quality == Quality::Exact { quality } else { quality.max(Quality::Word) }
}

fn comparison(each: Vec<NamedCoin>, names: &[&str]) -> Item {
    let symbols: Vec<&str> = each.iter().map(|coin| coin.coin.symbol.as_str()).collect();
    let title = symbols.join(", ");
    let effect = format!("compare {} coins", each.len()).into();
    Item { query: names.join(" "), effect, ..Item::new(Kind::Coin, title, Action::Compare(each)) }
}

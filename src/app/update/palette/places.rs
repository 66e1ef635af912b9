//! The places of the palette: tabs, addresses of the wallet, recent places, and indexer lookups.

use crate::app::find::fuzzy::{Quality, quality, words_quality};
use crate::app::find::lookup::{Subject, candidates};
use crate::app::find::palette::{Action, Item, ItemEffect, Kind};
use crate::app::find::recent::Recent;
use crate::app::state::State;
use crate::keymap::{COMMANDS, Command, Sequence, Tab};
use crate::model::{InscriptionRef, Text, address};

use super::destination::Destination;
use super::found::{Found, Group};
use super::{coins, commands, currencies};

/// The places that were open, newest first.
pub(super) fn recent(state: &State) -> Vec<Item> {
    let item = |recent: &Recent| {
        let item = match recent {
            Recent::Coin(coin) => coins::item(coin.clone(), "", Destination::default()),
            Recent::Subject(subject) => labelled(state, looked_up(subject.clone(), "", Destination::default())),
        };
        Item { kind: Kind::Recent, ..item }
    };
    state.recent.iter().map(item).collect()
}

/// The tabs, each with its names to search, one per line.
pub(super) fn tabs(state: &State) -> impl Iterator<Item = (Item, String)> {
    Tab::ALL.into_iter().map(|tab| {
        let command = Command::Go(tab);
        let item = Item {
            effect: "go to tab".into(),
            keys: key(state, command),
            ..Item::new(Kind::Place, tab.title(), Action::Run(command, None))
        };
        let title = tab.title().to_lowercase();
        let names = match COMMANDS.iter().find(|entry| entry.command == command) {
            Some(entry) => commands::with_aliases(title, entry),
            None => title,
        };
        (item, names)
    })
}

fn key(state: &State, command: Command) -> Option<Sequence> {
    state.keys().key(command, state.screen_context())
}

/// Adds the places that match a lower-case query. `typed` has its words as they were typed, since older addresses are
/// case-sensitive.
pub(super) fn find(
    state: &State,
    query: &str,
    typed: &str,
    destination: Destination,
    looks_up: bool,
    found: &mut Vec<Found>,
) {
    let wants_panel = destination.indexer_panel.is_some();
    if !destination.is_empty() && !wants_panel {
        find_wallet(state, query, destination, found);
        return;
    }
    let mut tickers = Vec::new();
    find_tickers(state, query, destination, &mut tickers);
    // In the indexer, a ticker is more likely than the coin of that name.
    let is_indexer = looks_up || state.is_open(Tab::Indexer);
    let token = state.indexer.token().filter(|_| is_indexer);
    if is_indexer {
        tickers.iter_mut().for_each(|ticker| ticker.group = Group::First);
    }
    // In the lookup line, the typed text comes first, whatever it may be.
    if !looks_up {
        found.append(&mut tickers);
    }
    let is_found = |subject: &Subject, found: &[Found]| {
        let is_it = |item: &Item| matches!(&item.action, Action::LookUp { subject: other, .. } if other == subject);
        found.iter().any(|other| is_it(&other.item))
    };
    // A keyword before or after it gives its type.
    let is_guess = !wants_panel && !query.contains(char::is_whitespace);
    let spelled = as_typed(query, typed);
    let is_address = |it: &Subject| matches!(it, Subject::Address(_)) && !is_label(state, it);
    let address = candidates(&spelled, None).into_iter().find(is_address);
    let subjects = candidates(query, token.as_ref()).into_iter().filter(|it| !matches!(it, Subject::Address(_)));
    let mut subjects: Vec<Subject> = address.into_iter().chain(subjects).collect();
    // It is on the screen, so it comes before the block or sat with that number.
    subjects.sort_by_key(|subject| !is_listed_inscription(state, subject));
    for (place, subject) in subjects.into_iter().enumerate() {
        if is_found(&subject, found) || (wants_panel && !matches!(subject, Subject::Token(_))) {
            continue;
        }
        // Words such as `ord 3m` are unlikely to be a ticker, unless one of them says so.
        if matches!(&subject, Subject::Token(ticker) if ticker.contains(' ') && ticker.as_str() == query) && !looks_up {
            continue;
        }
        let (quality, group) = if looks_up { (Quality::Exact, Group::First) } else { rank(&subject, query) };
        let is_known = tickers.iter().any(|ticker| is_ticker(&ticker.item, &subject));
        let item = match &subject {
            // Whether the indexer has it is known only afterwards.
            Subject::Token(_) if !is_known => {
                let title = subject.describe();
                Item { kind: Kind::Lookup, title, ..looked_up(subject, query, destination) }
            }
            _ => labelled(state, looked_up(subject, query, destination)),
        };
        let is_guess = is_guess && group == Group::Guess;
        found.push(Found::new(quality, group, place, Item { is_guess, ..item }));
    }
    for ticker in tickers {
        if !found.iter().any(|other| other.item.action == ticker.item.action) {
            found.push(ticker);
        }
    }
    if wants_panel {
        return;
    }
    let named = query.strip_prefix("go to ").or_else(|| query.strip_prefix("go "));
    for (place, (item, text)) in tabs(state).enumerate() {
        let quality = text.lines().filter_map(|name| words_quality(named.unwrap_or(query), name)).min();
        if let Some(quality) = quality {
            // A tab whose names are single words is a better guess than coins with this word somewhere in their names.
            let is_typo = quality == Quality::Typo && !text.contains(' ');
            let group = if is_typo { Group::First } else { Group::Place };
            found.push(Found::new(quality, group, place, Item { query: query.to_owned(), ..item }));
        }
    }
    for (place, entry) in state.user.current().addresses.iter().enumerate() {
        let label = entry.label.as_deref().unwrap_or_default();
        let subject = Subject::Address(entry.address.clone());
        let quality = subject_quality(&spelled, &subject, label);
        if let Some(quality) = quality.filter(|_| !is_found(&subject, found)) {
            let item = labelled(state, looked_up(subject, query, Destination::default()));
            // The user's own name for something comes first.
            let is_label = !label.is_empty() && label.to_lowercase() == query;
            let (quality, group) = if is_label { (Quality::Exact, Group::First) } else { (quality, Group::Place) };
            found.push(Found::new(quality, group, place, Item { kind: Kind::Place, ..item }));
        }
    }
    for (place, recent) in state.recent.iter().enumerate() {
        let Recent::Subject(subject) = recent else { continue };
        let quality = subject_quality(&spelled, subject, "");
        if let Some(quality) = quality.filter(|_| !is_found(subject, found)) {
            let item = labelled(state, looked_up(subject.clone(), query, Destination::default()));
            found.push(Found::new(quality, Group::Place, place, Item { kind: Kind::Recent, ..item }));
        }
    }
}

/// Adds the wallet over a period: `wallet 1m`.
fn find_wallet(state: &State, query: &str, destination: Destination, found: &mut Vec<Found>) {
    let Some(period) = destination.only_period() else { return };
    let wallet = Action::Run(Command::Go(Tab::Wallet), None);
    let Some((item, names)) = tabs(state).find(|(item, _)| item.action == wallet) else { return };
    let quality = names.lines().filter_map(|name| words_quality(query, name)).min();
    if let Some(quality) = quality.filter(|quality| *quality <= Quality::Word) {
        let action = Action::SetPeriod(period, Some(Tab::Wallet));
        let item = Item { query: query.to_owned(), effect: destination.effect(), keys: None, action, ..item };
        found.push(Found::new(quality, Group::Place, 0, item));
    }
}

/// Whether the name after the word `address` is a label of the wallet.
fn is_label(state: &State, subject: &Subject) -> bool {
    let Subject::Address(name) = subject else { return false };
    let user = state.user.current();
    let mut labels = user.addresses.iter().filter_map(|entry| entry.label.as_deref());
    labels.any(|label| label.to_lowercase() == name.to_lowercase()) && address::parse(name).is_err()
}

/// How well a subject and its label match a query with the case of its words as typed. Each word has to be in the
/// address or inscription ID as typed, since with a typo, it is another one; or nearly in the words around it.
fn subject_quality(spelled: &str, subject: &Subject, label: &str) -> Option<Quality> {
    let query = spelled.to_lowercase();
    let (kind, id, has_case): (&str, &Text, bool) = match subject {
        Subject::Address(address) => ("address", address, address::is_case_sensitive(address)),
        Subject::Inscription(InscriptionRef::Id(id)) => ("inscription", id, false),
        _ => return words_quality(&query, &subject.describe().to_lowercase()),
    };
    let lower = id.to_lowercase();
    let around = format!("{kind} {}", label.to_lowercase());
    let is_matched = |word: &str| {
        let folded = word.to_lowercase();
        let is_in_id = if has_case { id.contains(word) } else { lower.contains(&folded) };
        is_in_id || words_quality(&folded, &around).is_some()
    };
    if !spelled.split_whitespace().all(is_matched) {
        return None;
    }
    words_quality(&query, &format!("{kind} {lower} {}", label.to_lowercase()))
}

/// Whether it is the number of an inscription in the loaded list of inscriptions.
fn is_listed_inscription(state: &State, subject: &Subject) -> bool {
    let Subject::Inscription(InscriptionRef::Number(number)) = subject else { return false };
    let list = state.indexer.inscription_list(&state.responses);
    list.is_some_and(|list| list.iter().any(|inscription| inscription.number == Some(*number)))
}

/// Whether an item looks up this ticker in any case.
fn is_ticker(item: &Item, subject: &Subject) -> bool {
    match (&item.action, subject) {
        (Action::LookUp { subject: Subject::Token(known), .. }, Subject::Token(ticker)) => {
            known.eq_ignore_ascii_case(ticker)
        }
        _ => false,
    }
}

/// Whether an item is the sat whose name is the typed word, as nearly any word is.
pub(super) fn is_sat_name(item: &Item) -> bool {
    item.is_guess && matches!(&item.action, Action::LookUp { subject: Subject::Sat(_), .. })
}

/// The words of a lower-case query as they were typed.
fn as_typed(query: &str, typed: &str) -> String {
    let of = |word: &str| typed.split_whitespace().find(|typed| typed.to_lowercase() == *word).map(str::to_owned);
    query.split_whitespace().map(|word| of(word).unwrap_or_else(|| word.to_owned())).collect::<Vec<_>>().join(" ")
}

/// Adds the matching tickers that are loaded, and the tickers of loaded coins.
fn find_tickers(state: &State, query: &str, destination: Destination, found: &mut Vec<Found>) {
    let tokens = state.indexer.token_list(&state.responses);
    for (place, token) in (0..tokens.len()).filter_map(|row| Some((row, tokens.get(row)?))) {
        let matches = quality(query, &token.ticker.to_lowercase()).filter(|quality| *quality <= Quality::Prefix);
        if let Some(quality) = matches {
            let item = looked_up(Subject::Token(token.ticker.clone()), query, destination);
            found.push(Found::new(quality, Group::Ticker, place, item));
        }
    }
    // The tokens may not be loaded, but their coins are.
    for (place, ticker) in state.known_coins().filter_map(|coin| coin.brc20_ticker.as_ref()).enumerate() {
        let is_it = |item: &Item| match &item.action {
            Action::LookUp { subject: Subject::Token(known), .. } => known.eq_ignore_ascii_case(ticker),
            _ => false,
        };
        let matches = quality(query, &ticker.to_lowercase()).filter(|quality| *quality <= Quality::Prefix);
        if let Some(quality) = matches.filter(|_| !found.iter().any(|other| is_it(&other.item))) {
            let item = looked_up(Subject::Token(ticker.clone()), query, destination);
            found.push(Found::new(quality, Group::Ticker, tokens.len() + place, item));
        }
    }
}

/// The quality and group of a lookup: unambiguous ones first, those that match any word last.
fn rank(subject: &Subject, query: &str) -> (Quality, Group) {
    let is_number = query.bytes().all(|b| b.is_ascii_digit() || b == b',');
    match subject {
        Subject::Address(_) | Subject::Inscription(InscriptionRef::Id(_)) | Subject::Stats => {
            (Quality::Exact, Group::First)
        }
        Subject::Token(_) => (Quality::Scattered, Group::Guess),
        _ if is_number => (Quality::Prefix, Group::First),
        // `currency sat` is a currency.
        Subject::Sat(_) if currencies::named(query).is_some() => (Quality::Scattered, Group::Guess),
        // Any word of up to eleven letters is the name of a sat.
        Subject::Sat(_) if query.bytes().all(|b| b.is_ascii_alphabetic()) => (Quality::Scattered, Group::Guess),
        _ => (Quality::Exact, Group::First),
    }
}

/// The item, with the label of its address before the address itself, which is longer than many screens.
fn labelled(state: &State, item: Item) -> Item {
    let Action::LookUp { subject: Subject::Address(address), .. } = &item.action else { return item };
    let user = state.user.current();
    let entry = user.addresses.iter().find(|entry| entry.address == *address);
    match entry.and_then(|entry| entry.label.as_ref()) {
        Some(label) => {
            Item { title: format!("“{label}”"), detail: format!("address {}", address::short(address)), ..item }
        }
        None => item,
    }
}

/// The item of a lookup.
pub(super) fn looked_up(subject: Subject, query: &str, destination: Destination) -> Item {
    let panel = destination.indexer_panel;
    let (kind, title) = match &subject {
        Subject::Token(ticker) => (Kind::Ticker, ticker.to_string()),
        other => (Kind::Lookup, other.describe()),
    };
    let effect = match panel {
        Some(_) => destination.effect(),
        None => ItemEffect::opens("in the indexer"),
    };
    Item { query: query.to_owned(), effect, ..Item::new(kind, title, Action::LookUp { subject, panel }) }
}

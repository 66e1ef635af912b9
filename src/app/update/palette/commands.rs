//! The commands of the palette: those of the screen, those of other tabs, sort orders, and texts to copy.

use crate::app::fuzzy::words_quality;
use crate::app::menu::{Menu, MenuAction};
use crate::app::palette::{Action, Item, Kind};
use crate::app::screen::list::Sort;
use crate::app::state::State;
use crate::format::words;
use crate::keymap::{COMMANDS, Command, Context, Entry, Tab};
use crate::model::Tag;

use super::destination::Found;
use crate::app::update::copy::items::Items;
use crate::app::update::{filter, sort};

/// The order among items of the same quality.
const ORDER: u8 = 4;

/// Maximum columns of a text to copy.
const COPIED_COLUMNS: u16 = 30;

/// The tabs whose commands run from any screen.
const TABS: [(Context, Tab); 4] = [
    (Context::List, Tab::List(Tag::All)),
    (Context::Wallet, Tab::Wallet),
    (Context::Indexer, Tab::Indexer),
    (Context::Status, Tab::Status),
];

/// Adds the commands that match.
pub(super) fn find(state: &State, query: &str, found: &mut Vec<Found>) {
    for (context, (item, name)) in all(state).chain(sorts(state)).chain(filters(state)).chain(copies(state)).enumerate() {
        let quality = words_quality(query, &item.title.to_lowercase()).or_else(|| words_quality(query, &name));
        if let Some(quality) = quality {
            found.push(((quality, ORDER, context), Item { query: query.to_owned(), ..item }));
        }
    }
}

/// All commands that have a meaning outside of a text field, each with another name to search.
pub(super) fn all(state: &State) -> impl Iterator<Item = (Item, String)> {
    let all = || COMMANDS.iter().filter(|entry| is_offered(entry));
    let (here, others): (Vec<&Entry>, Vec<&Entry>) = all().partition(|entry| entry.use_in(state.screen()).is_some());
    here.into_iter().chain(others).filter_map(|entry| Some((item(state, entry)?, named(entry))))
}

fn named(entry: &Entry) -> String {
    entry.name.replace('-', " ")
}

/// Whether a command means anything outside of a text field, and nothing more than a tab's name does.
fn is_offered(entry: &Entry) -> bool {
    !matches!(
        entry.command,
        Command::Edit(_) | Command::Palette | Command::Complete | Command::Close | Command::Go(_) | Command::Open
    )
}

fn item(state: &State, entry: &'static Entry) -> Option<Item> {
    let here = state.screen();
    let elsewhere = || TABS.into_iter().find_map(|(context, tab)| Some((entry.use_in(context)?, context, Some(tab))));
    let (used, context, tab) = entry.use_in(here).map(|used| (used, here, None)).or_else(elsewhere)?;
    Some(Item {
        kind: Kind::Command,
        title: used.help.to_owned(),
        detail: match tab {
            Some(Tab::List(_)) => String::from("in lists"),
            Some(tab) => format!("in {}", tab.title()),
            None => String::new(),
        },
        query: String::new(),
        effect: String::new(),
        keys: state.keys().key(entry.command, context),
        letter: None,
        action: Action::Run(entry.command, tab),
    })
}

/// The sort orders of the screen.
fn sorts(state: &State) -> impl Iterator<Item = (Item, String)> {
    let keys = state.keys().key(Command::SortMenu, state.screen());
    let sorted = sort::choices(state).into_iter().flat_map(move |(letter, title, action)| {
        let title = format!("sort by {title}");
        let reversed = match action {
            MenuAction::SortCoins(tag, Sort { column, descending }) => {
                let back = MenuAction::SortCoins(tag, Sort { column, descending: !descending });
                Some(menu_item(format!("{title}{}", column.reversed()), String::new(), back))
            }
            _ => None,
        };
        let (item, name) = menu_item(title, String::new(), action);
        [Some((Item { keys, letter: Some(letter), ..item }, name)), reversed]
    });
    sorted.flatten()
}

/// The filters of the list on the screen.
fn filters(state: &State) -> impl Iterator<Item = (Item, String)> {
    let keys = state.keys().key(Command::FilterCoins, state.screen());
    filter::choices(state).into_iter().map(move |(letter, title, action)| {
        let (item, name) = menu_item(format!("filter {title}"), String::new(), action);
        (Item { keys, letter: Some(letter), ..item }, name)
    })
}

/// The texts of the screen that can be copied.
fn copies(state: &State) -> impl Iterator<Item = (Item, String)> {
    let mut menu = Menu::new("copy");
    state.open_screen().copy(state, &mut Items::new(&mut menu));
    let keys = state.keys().key(Command::Copy, state.screen());
    menu.items.into_iter().map(move |entry| {
        let detail = match &entry.action {
            MenuAction::Copy(text) => words::fit(text.lines().next().unwrap_or_default(), COPIED_COLUMNS).to_owned(),
            _ => String::new(),
        };
        let (item, name) = menu_item(format!("copy {}", entry.label), detail, entry.action);
        (Item { keys, letter: Some(entry.key), ..item }, name)
    })
}

fn menu_item(title: String, detail: String, action: MenuAction) -> (Item, String) {
    let item = Item {
        kind: Kind::Command,
        title,
        detail,
        query: String::new(),
        effect: String::new(),
        keys: None,
        letter: None,
        is_guess: false,
        action: Action::Menu(action),
    };
    (item, String::new())
}

//! The commands of the palette: commands of the screen and of other tabs, sort orders, and text to copy.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;

use crate::app::coins::filter::parse;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::fuzzy::{Quality, quality, words_quality};
use crate::app::find::palette::{Action, Item, ItemEffect, Kind};
use crate::app::menu::{FilterChoice, Menu, MenuAction, MenuChoice};
use crate::app::screen::list::SortColumn;
use crate::app::state::State;
use crate::format::words;
use crate::keymap::{COMMANDS, Command, Context, Entry, Tab};
use crate::model::{Coin, Tag, Text};

use super::found::{Found, Group};
use crate::app::update::copy::items::Items;
use crate::app::update::{filter, sort};

/// Minimum letters of a command before its argument.
const MIN_LETTERS: usize = 3;

/// Maximum columns of text to copy.
const COPIED_COLUMNS: u16 = 30;

/// Adds the commands that match.
pub(super) fn find(state: &State, query: &str, found: &mut Vec<Found>) {
    let names_coin = found.iter().any(|it| it.quality < Quality::Typo && is_about_coin(&it.item.action));
    let items = all(state).chain(sorts(state)).chain(filters(state)).chain(typed_filter(state, query));
    let mut begins_here = false;
    for (place, (item, name)) in items.chain(copies(state)).enumerate() {
        if let Some(quality) = named_quality(query, &item.title.to_lowercase(), &name) {
            let is_elsewhere = matches!(item.action, Action::RunInCoin(..) | Action::Say(_));
            // Not the posts of the selected coin for `posts ordi`, which is nearly `posts order`.
            if is_elsewhere && quality == Quality::Typo && names_coin {
                continue;
            }
            // Beside coins, it would seem unrelated.
            if names_coin && quality > Quality::Prefix && is_hidden_match(query, &item, &name) {
                continue;
            }
            let (quality, group) = match item.action {
                // Nobody looks for what can't run: any word is a better guess.
                Action::Say(_) if quality == Quality::Typo => (Quality::Scattered, Group::Last),
                // A word of a command that can't run on this screen comes after coins with a typo.
                _ if is_elsewhere && quality > Quality::Prefix => (Quality::Typo, Group::Command),
                // `filter` is the whole name of another tab's command, but the user means the one of this screen.
                Action::Run(_, Some(_)) if begins_here => (quality.max(Quality::Prefix), Group::Command),
                _ => (quality, Group::Command),
            };
            begins_here |= quality <= Quality::Prefix && matches!(item.action, Action::Run(_, None));
            found.push(Found::new(quality, group, place, Item { query: query.to_owned(), ..item }));
        }
    }
}

/// Whether a single word matches only a part of a word in the hidden names of a command: `ord` in `posts order`.
fn is_hidden_match(query: &str, item: &Item, names: &str) -> bool {
    let is_word = |name: &str| name == query;
    matches!(item.action, Action::Run(..) | Action::RunInCoin(..) | Action::Say(_))
        && !query.contains(char::is_whitespace)
        && words_quality(query, &item.title.to_lowercase()).is_none()
        && !names.split(|c: char| !c.is_alphanumeric()).any(is_word)
}

/// Whether an item opens a coin or ticker, or does something with it.
fn is_about_coin(action: &Action) -> bool {
    use Action::{AddAlert, Compare, CopyCoin, LookUp, Mark, OpenCoin, Unwatch, Watch};
    matches!(
        action,
        OpenCoin { .. } | LookUp { .. } | AddAlert(_) | CopyCoin(_) | Watch(_) | Unwatch(_) | Mark(_) | Compare(_)
    )
}

/// How well a command matches by its title or one of its other names. The words may match different ones.
fn named_quality(query: &str, title: &str, names: &str) -> Option<Quality> {
    let each = iter::once(title).chain(names.lines()).filter_map(|name| words_quality(query, name)).min();
    each.or_else(|| words_quality(query, &format!("{title}\n{names}")).map(|quality| quality.max(Quality::Word)))
}

/// All commands that are meaningful outside a text field, each with its other names to search, one in a line.
pub(super) fn all(state: &State) -> impl Iterator<Item = (Item, String)> {
    let mut entries: Vec<&Entry> = COMMANDS.iter().filter(|entry| is_offered(state, entry)).collect();
    // Those of this screen first. Movements come last: everybody moves by keys.
    entries.sort_by_key(|entry| (entry.command.moves(), entry.use_in(state.screen_context()).is_none()));
    // Several keys may do the same on a screen.
    let mut seen = BTreeSet::new();
    entries.into_iter().filter_map(move |entry| {
        let place = place(state, entry)?;
        let help = entry.use_in(place.context)?.help;
        if opens_selection(entry.command, place.context) {
            return None;
        }
        seen.insert((help, place.context)).then(|| (item(state, entry, help, place), named(entry)))
    })
}

/// Whether a command opens the selected row like [`Command::Open`], which the palette doesn't offer.
fn opens_selection(command: Command, context: Context) -> bool {
    (command, context) == (Command::Right, Context::List)
}

fn named(entry: &Entry) -> String {
    with_aliases(entry.name.replace('-', " "), entry)
}

/// A name of a command and its aliases, one per line.
pub(super) fn with_aliases(mut names: String, entry: &Entry) -> String {
    for name in entry.aliases {
        names.push('\n');
        names.push_str(name);
    }
    names
}

/// Whether a command is meaningful outside a text field, differs from opening a tab, and can run.
fn is_offered(state: &State, entry: &Entry) -> bool {
    let is_meaningless = matches!(
        entry.command,
        Command::Edit(_) | Command::Palette | Command::Complete | Command::Close | Command::Go(_) | Command::Open
    );
    !is_meaningless && state.has_command(entry.command)
}

/// Where a command runs when it is chosen.
struct Place {
    /// The context whose key and help it has.
    context: Context,
    /// Where it works, if not on this screen.
    detail: String,
    effect: ItemEffect,
    action: Action,
}

impl Place {
    fn new(context: Context, detail: String, action: Action) -> Place {
        Place { context, detail, effect: ItemEffect::default(), action }
    }
}

fn item(state: &State, entry: &Entry, help: &str, place: Place) -> Item {
    let Place { context, detail, effect, action } = place;
    let keys = state.keys().key(entry.command, context);
    Item { detail, effect, keys, ..Item::new(Kind::Command, help, action) }
}

/// On this screen, in a tab, on the selected coin, or in a dialog. The commands of a tab run from any screen.
fn place(state: &State, entry: &Entry) -> Option<Place> {
    let works_in = |context: Context| entry.use_in(context).is_some();
    let here = state.screen_context();
    if works_in(here) {
        return Some(Place::new(here, String::new(), Action::Run(entry.command, None)));
    }
    if let Some(tab) = Tab::ALL.into_iter().find(|tab| works_in(tab.context())) {
        let detail = match tab {
            Tab::List(_) => String::from(IN_LISTS),
            tab => format!("in {}", tab.title()),
        };
        return Some(Place::new(tab.context(), detail, Action::Run(entry.command, Some(tab))));
    }
    if works_in(Context::Token) {
        let Some(coin) = selected(state) else {
            let action = Action::Say(Cow::Borrowed("Open a coin first"));
            return Some(Place::new(Context::Token, String::from("in a coin's view"), action));
        };
        let detail = format!("in {}'s view", coin.coin.symbol);
        let action = Action::RunInCoin(coin, entry.command);
        return Some(Place { effect: ItemEffect::opens("coin"), ..Place::new(Context::Token, detail, action) });
    }
    if let Some((context, name, opener)) = DIALOGS.into_iter().find(|(context, ..)| works_in(*context)) {
        let action = match COMMANDS.iter().find(|entry| entry.command == opener).and_then(|entry| place(state, entry)) {
            Some(Place { action: action @ Action::Run(..), .. }) => action,
            _ => return None,
        };
        let effect = ItemEffect::opens(name);
        return Some(Place { effect, ..Place::new(context, format!("in {name}"), action) });
    }
    works_in(Context::Post).then(|| {
        let action = Action::Say(Cow::Borrowed("Open a post in a coin's view first"));
        Place::new(Context::Post, String::from("in an open post"), action)
    })
}

/// The dialogs with commands of their own: names, and the commands that open them. A command that changes what is
/// selected in a dialog must not run before the user has seen it.
const DIALOGS: [(Context, &str, Command); 4] = [
    (Context::Alerts, "alerts", Command::Alerts),
    (Context::Sources, "providers", Command::Sources),
    (Context::Columns, "columns", Command::Columns),
    (Context::Compare, "comparison", Command::Compare),
];

/// The coin of the screen.
pub(super) fn selected(state: &State) -> Option<NamedCoin> {
    let screen = state.open_screen();
    screen.coin(state).map(NamedCoin::from).or_else(|| {
        let coin = screen.watched(state)?;
        Some(NamedCoin { name: coin.symbol.clone(), coin, rank: None })
    })
}

/// The list whose sort orders and filters are offered where there are none of the screen: the one under an open coin.
fn list_of(state: &State) -> Tag {
    match state.tab {
        Tab::List(tag) => tag,
        _ => Tag::All,
    }
}

/// What the title of such an item is followed by.
const IN_LISTS: &str = "in lists";

/// The sort columns of the screen's menu, those beside them, and whether these are of a list on another screen.
fn sort_columns(state: &State) -> (Vec<MenuChoice>, Vec<MenuChoice>, bool) {
    let choices = state.open_screen().sort_choices(state);
    let beside = sort::beside_balances(state, &choices);
    let is_elsewhere = choices.is_empty() && beside.is_empty();
    let others = if is_elsewhere { sort::of_list(state, list_of(state)) } else { beside };
    (choices, others, is_elsewhere)
}

/// The names of the columns to sort by.
pub(super) fn sort_names(state: &State) -> Vec<&'static str> {
    let (choices, others, _) = sort_columns(state);
    choices.iter().chain(&others).map(|(_, name, _)| *name).collect()
}

/// The sort orders of the screen, or of a list.
fn sorts(state: &State) -> impl Iterator<Item = (Item, String)> {
    let (choices, others, is_elsewhere) = sort_columns(state);
    let detail = if is_elsewhere { IN_LISTS } else { "" };
    let keys = state.keys().key(Command::SortMenu, state.screen_context());
    // The menu offers only the screen's own.
    let choices = choices.into_iter().map(|(letter, title, action)| (Some(letter), title, action));
    let others = others.into_iter().map(|(_, title, action)| (None, title, action));
    let sorted = choices.chain(others).flat_map(move |(letter, title, action)| {
        let title = format!("sort by {title}");
        let is_24h = matches!(&action, MenuAction::SortCoins(_, sort) if sort.column == SortColumn::Change24h);
        let [gainers, losers] =
            if is_24h { ["top gainers\nbiggest gainers", "\ntop losers\nbiggest losers"] } else { [""; 2] };
        let reversed = action.reversed().map(|(back, direction)| {
            let (item, _) = menu_item(format!("{title}{direction}"), detail.to_owned(), back);
            (item, format!("{title} reversed{losers}"))
        });
        let (item, _) = menu_item(title, detail.to_owned(), action);
        let keys = keys.filter(|_| letter.is_some());
        [Some((Item { keys, letter, ..item }, String::from(gainers))), reversed]
    });
    sorted.flatten()
}

/// The filters of the list on the screen, or of another one.
fn filters(state: &State) -> impl Iterator<Item = (Item, String)> {
    let choices = filter::choices(state);
    let is_elsewhere = choices.is_empty();
    let detail = if is_elsewhere { IN_LISTS } else { "" };
    let choices = if is_elsewhere { filter::of_list(state, list_of(state)) } else { choices };
    let keys = state.keys().key(Command::FilterCoins, state.screen_context()).filter(|_| !is_elsewhere);
    choices.into_iter().map(move |(letter, title, action)| {
        // `losers` means this filter rather than a sort order with losers first.
        let is_whole = matches!(action, MenuAction::FilterCoins(_, FilterChoice::Apply(_)));
        let name = if is_whole { title.to_lowercase() } else { String::new() };
        let (item, _) = menu_item(format!("filter {title}"), detail.to_owned(), action);
        let letter = (!is_elsewhere).then_some(letter);
        (Item { keys, letter, ..item }, name)
    })
}

/// The typed filter of the list on the screen, or of another one. A comparison and a tag need no command name
/// (`24h > 5`, `tag defi`, `defi`); other filters do (`filter not losers`). Filters of the menu are not offered again.
fn typed_filter(state: &State, query: &str) -> Option<(Item, String)> {
    let named = named_filter(query).map(|(_, text)| text);
    let tag_filter = tag_filter(state, query);
    let text = named.or(tag_filter.as_deref()).unwrap_or(query);
    let is_tag = text.split_once(' ').is_some_and(|(word, _)| word.eq_ignore_ascii_case("tag"));
    let is_command = named.is_some() || is_comparison(text) || is_tag;
    let tag = list_of(state);
    let is_in_menu = filter::of_list(state, tag).iter().any(|(_, title, _)| title.eq_ignore_ascii_case(text));
    if !is_command || is_in_menu || parse(text, &state.convert).is_err() {
        return None;
    }
    let is_elsewhere = filter::choices(state).is_empty();
    let detail = if is_elsewhere { IN_LISTS } else { "" };
    let action = MenuAction::FilterCoins(tag, FilterChoice::Apply(Cow::Owned(text.to_owned())));
    Some(menu_item(format!("filter {text}"), detail.to_owned(), action))
}

/// The filter for a tag of the loaded coins: `tag runes` for `runes`.
fn tag_filter(state: &State, query: &str) -> Option<String> {
    let is_it = |tag: &Text| tag.eq_ignore_ascii_case(query);
    let has_it = |coin: &Coin| coin.tags.iter().any(is_it);
    (query.len() >= MIN_LETTERS && state.known_coins().any(has_it)).then(|| format!("tag {query}"))
}

/// The name of the filter command, nearly as it is, and the text of the filter after it.
pub(super) fn named_filter(typed: &str) -> Option<(&str, &str)> {
    let is_name = |name: &str| {
        name.len() >= MIN_LETTERS && quality(&name.to_lowercase(), "filter").is_some_and(|it| it <= Quality::Typo)
    };
    typed.split_once(' ').filter(|(name, _)| is_name(name))
}

/// Whether a text compares something with a number.
pub(super) fn is_comparison(text: &str) -> bool {
    text.contains(['<', '>', '='])
}

/// The text of the screen that can be copied.
fn copies(state: &State) -> impl Iterator<Item = (Item, String)> {
    let mut menu = Menu::new("copy");
    state.open_screen().copy(state, &mut Items::new(&mut menu));
    let keys = state.keys().key(Command::Copy, state.screen_context());
    menu.items.into_iter().map(move |entry| {
        let detail = match &entry.action {
            MenuAction::Copy { text, .. } => {
                let line = text.lines().next().unwrap_or_default().replace('\t', "  ");
                words::shortened(&line, COPIED_COLUMNS).into_owned()
            }
            _ => String::new(),
        };
        let (item, name) = menu_item(format!("copy {}", entry.label), detail, entry.action);
        (Item { keys, letter: Some(entry.key), ..item }, name)
    })
}

fn menu_item(title: String, detail: String, action: MenuAction) -> (Item, String) {
    let item = Item::new(Kind::Command, title, Action::Menu(action));
    (Item { detail, ..item }, String::new())
}

//! The table of keys.

use crossterm::event::KeyCode;
use tui_input::InputRequest as Edit;

use super::Place::{Choice, Help, Indexer, Line, Links, List, Menu, Post, Status, Token, Wallet};
use super::{Binding, Chord, Command, EVERYWHERE, Meaning, Place, SCREENS, Tab};
use crate::model::Tag;

const BACK: &[Chord] = &[code(KeyCode::Esc), code(KeyCode::Backspace)];
const PANELS: &[Place] = &[Token, Indexer];
const SORTED: &[Place] = &[List, Token];
const REVERSED: &[Place] = &[List, Token, Indexer];
/// Where there is something to copy.
const COPIED: &[Place] = &[List, Token, Wallet, Indexer, Status, Post, Links];
/// Really everywhere.
const ALWAYS: &[Place] = &[List, Token, Wallet, Indexer, Status, Help, Post, Links, Choice, Line, Menu];
/// Where text may be selected with the mouse.
const READ: &[Place] = &[List, Token, Wallet, Indexer, Status, Help, Post, Links];
const TYPING: &[Place] = &[Choice, Line];

const fn key(c: char) -> Chord {
    Chord::Plain(KeyCode::Char(c))
}

const fn code(code: KeyCode) -> Chord {
    Chord::Plain(code)
}

const fn control(c: char) -> Chord {
    Chord::Control(KeyCode::Char(c))
}

const fn alt(c: char) -> Chord {
    Chord::Alt(KeyCode::Char(c))
}

const fn row(
    keys: &'static [Chord],
    command: Command,
    places: &'static [Place],
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding { keys, meaning: Meaning::Command(command), places, hint, other_hints: &[], help }
}

const fn edit(keys: &'static [Chord], request: Edit, help: &'static str) -> Binding {
    Binding { keys, meaning: Meaning::Edit(request), places: TYPING, hint: "", other_hints: &[], help }
}

impl Binding {
    /// The same row with other words for the footer of some of its places.
    const fn but(self, other_hints: &'static [(Place, &'static str)]) -> Binding {
        Binding { other_hints, ..self }
    }
}

const MOVES: &[(Place, &str)] = &[(Help, "scroll"), (Post, "scroll"), (Links, "select"), (Choice, "select")];

/// All keys, in the order of the help and of the hints. The first binding that fits wins.
pub const BINDINGS: &[Binding] = &[
    row(&[code(KeyCode::Enter)], Command::Open, &[List, Wallet], "open", "open coin"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Token], "zoom/read", "zoom panel, read post"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Indexer], "open", "open selection"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Links], "open", "open in browser"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Choice], "choose", "choose"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Help, Post], "", "close"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Line], "apply", "apply"),
    row(&[key(':'), key('g')], Command::Lookup, &[Indexer], "lookup", "look up id or name"),
    row(&[code(KeyCode::Tab)], Command::NextPanel, PANELS, "panel", "next panel"),
    row(&[code(KeyCode::BackTab)], Command::PreviousPanel, PANELS, "", "previous panel"),
    row(&[key('['), key(',')], Command::PeriodShorter, &[Token], "period", "shorter period"),
    row(&[key(']'), key('.')], Command::PeriodLonger, &[Token], "period", "longer period"),
    row(&[code(KeyCode::Left), key('h')], Command::Left, &[Token], "cursor", "move cursor left"),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[Token], "cursor", "move cursor right"),
    row(&[key('n')], Command::NextCoin, &[Token], "next", "next coin"),
    row(&[key('N')], Command::PreviousCoin, &[Token], "", "previous coin"),
    row(&[key('z')], Command::Zoom, PANELS, "", "zoom panel"),
    row(&[key('p')], Command::PostOrder, &[Token], "top/latest", "top / latest posts"),
    row(&[key('/')], Command::Search, &[List], "search", "search this list"),
    row(&[key('/')], Command::Search, &[Indexer], "filter", "filter by prefix"),
    row(&[key('b')], Command::Stats, &[Indexer], "blocks", "inscriptions per block"),
    row(&[key('s')], Command::SortNext, SORTED, "sort", "next sort column"),
    row(&[key('s')], Command::Sort, &[Indexer], "sort", "sort by column"),
    row(&[key('S')], Command::SortReverse, REVERSED, "", "reverse sort"),
    row(&[key('f'), key(' ')], Command::Watch, &[List, Token], "watch", "watch / unwatch"),
    row(&[key('f'), key(' ')], Command::Watch, &[Wallet], "unwatch", "unwatch"),
    row(&[key('f'), key(' ')], Command::Watch, &[Indexer], "", "watch / unwatch"),
    row(&[key('+'), key('='), key(']')], Command::IntervalLonger, &[Wallet], "interval", "longer interval"),
    row(&[key('-'), key('[')], Command::IntervalShorter, &[Wallet], "interval", "shorter interval"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[List, Wallet], "lists", "next list"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[Status], "", "next list"),
    row(&[key('c')], Command::Currency, &[List, Token, Wallet], "currency", "change currency"),
    edit(&[code(KeyCode::Backspace), control('h')], Edit::DeletePrevChar, "delete previous character"),
    edit(&[code(KeyCode::Delete)], Edit::DeleteNextChar, "delete next character"),
    edit(&[control('w'), Chord::Alt(KeyCode::Backspace)], Edit::DeletePrevWord, "delete previous word"),
    edit(&[control('u')], Edit::DeleteLine, "delete line"),
    edit(&[control('k')], Edit::DeleteTillEnd, "delete to end"),
    edit(&[code(KeyCode::Left)], Edit::GoToPrevChar, "left"),
    edit(&[code(KeyCode::Right)], Edit::GoToNextChar, "right"),
    edit(&[Chord::Control(KeyCode::Left), alt('b')], Edit::GoToPrevWord, "previous word"),
    edit(&[Chord::Control(KeyCode::Right), alt('f')], Edit::GoToNextWord, "next word"),
    edit(&[code(KeyCode::Home), control('a')], Edit::GoToStart, "start of line"),
    edit(&[code(KeyCode::End), control('e')], Edit::GoToEnd, "end of line"),
    row(&[code(KeyCode::Up), key('k')], Command::Up, EVERYWHERE, "", "up").but(MOVES),
    row(&[code(KeyCode::Down), key('j')], Command::Down, EVERYWHERE, "", "down").but(MOVES),
    row(&[code(KeyCode::PageUp), control('b'), control('u')], Command::PageUp, EVERYWHERE, "", "page up"),
    row(&[code(KeyCode::PageDown), control('f'), control('d')], Command::PageDown, EVERYWHERE, "", "page down"),
    row(&[code(KeyCode::Home), key('0')], Command::First, EVERYWHERE, "", "first row, chart start"),
    row(&[code(KeyCode::End), key('G')], Command::Last, EVERYWHERE, "", "last row, chart end"),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[List, Wallet, Indexer], "", "open, next panel"),
    row(&[code(KeyCode::Left), key('h')], Command::Left, &[Indexer], "", "previous panel"),
    row(&[key('o')], Command::OpenLink, &[List, Token, Wallet, Post], "", "links").but(&[(Post, "links")]),
    row(&[key('y')], Command::Copy, COPIED, "", "copy").but(&[(Links, "copy"), (Post, "copy")]),
    row(&[key('r')], Command::Refresh, SCREENS, "refresh", "refresh"),
    row(&[key('?'), code(KeyCode::F(1))], Command::Help, SCREENS, "help", "help"),
    row(&[key('?'), code(KeyCode::F(1))], Command::Help, &[Help], "", "close"),
    row(&[code(KeyCode::F(1))], Command::Help, &[Line], "", "help"),
    row(BACK, Command::Back, &[List], "back", "clear search"),
    row(BACK, Command::Back, &[Token], "back", "back"),
    row(BACK, Command::Back, &[Indexer], "back", "back, clear filter"),
    row(BACK, Command::Back, &[Help, Post, Links], "close", "close"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Choice], "close", "close"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Line], "cancel", "cancel"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Menu], "close", "close menu"),
    row(&[key('1')], Command::Go(Tab::List(Tag::All)), SCREENS, "", "all coins"),
    row(&[key('2')], Command::Go(Tab::List(Tag::Brc20)), SCREENS, "", "BRC-20 tokens"),
    row(&[key('3')], Command::Go(Tab::List(Tag::BitcoinEcosystem)), SCREENS, "", "Bitcoin ecosystem"),
    row(&[key('4')], Command::Go(Tab::Wallet), SCREENS, "", "wallet"),
    row(&[key('5')], Command::Go(Tab::Indexer), SCREENS, "", "indexer"),
    row(&[key('6')], Command::Go(Tab::Status), SCREENS, "", "requests and errors"),
    row(&[key('M')], Command::Mouse, READ, "", "toggle mouse capture"),
    row(&[control('l')], Command::Redraw, ALWAYS, "", "redraw"),
    row(&[control('z')], Command::Suspend, ALWAYS, "", "suspend (fg resumes)"),
    row(&[key('q')], Command::Back, &[Help, Post, Links], "", "close"),
    row(&[key('q'), control('c')], Command::Quit, SCREENS, "quit", "quit"),
    row(&[control('c')], Command::Quit, &[Help, Post, Links, Choice, Line, Menu], "", "quit"),
];

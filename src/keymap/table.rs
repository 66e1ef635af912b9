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
    row(&[code(KeyCode::Enter)], Command::Open, &[List, Wallet], "open", "open the token's view"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Token], "zoom/read", "one panel on the whole screen; read a post"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Indexer], "open", "follow what is selected"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Links], "open in the browser", "open the link in the browser"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Choice], "choose", "choose the currency, or what to look up"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Help, Post], "", "close the help, or the post"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Line], "keep", "keep what is typed"),
    row(
        &[key(':'), key('g')],
        Command::Lookup,
        &[Indexer],
        "look up",
        "look up an address, ticker, block, sat, inscription",
    ),
    row(&[code(KeyCode::Tab)], Command::NextPanel, PANELS, "panel", "the next panel"),
    row(&[code(KeyCode::BackTab)], Command::PreviousPanel, PANELS, "", "the panel before"),
    row(&[key('['), key(',')], Command::PeriodShorter, &[Token], "period", "a shorter period"),
    row(&[key(']'), key('.')], Command::PeriodLonger, &[Token], "period", "a longer period"),
    row(
        &[code(KeyCode::Left), key('h')],
        Command::Left,
        &[Token],
        "cursor",
        "the chart's cursor to the left; top or latest posts",
    ),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[Token], "cursor", "the chart's cursor to the right"),
    row(&[key('n')], Command::NextCoin, &[Token], "next", "next coin"),
    row(&[key('N')], Command::PreviousCoin, &[Token], "", "previous coin"),
    row(&[key('z')], Command::Zoom, PANELS, "", "one panel on the whole screen, and back"),
    row(&[key('p')], Command::PostOrder, &[Token], "top/latest", "top posts, or the latest"),
    row(&[key('/')], Command::Search, &[List], "search", "search all coins of the list"),
    row(&[key('/')], Command::Search, &[Indexer], "filter", "only tickers that begin with …"),
    row(&[key('b')], Command::Stats, &[Indexer], "blocks", "inscriptions per block"),
    row(&[key('s')], Command::SortNext, SORTED, "sort", "sort by the next column"),
    row(&[key('s')], Command::Sort, &[Indexer], "sort", "sort the tokens by …"),
    row(&[key('S')], Command::SortReverse, REVERSED, "", "turn the order round"),
    row(&[key('f'), key(' ')], Command::Watch, &[List, Token], "watch", "watch the coin in the wallet tab, or no more"),
    row(&[key('f'), key(' ')], Command::Watch, &[Wallet], "unwatch", "watch the coin no more"),
    row(&[key('f'), key(' ')], Command::Watch, &[Indexer], "", "watch the token's coin, or no more"),
    row(
        &[key('+'), key('='), key(']')],
        Command::IntervalLonger,
        &[Wallet],
        "interval",
        "a longer interval of the charts",
    ),
    row(&[key('-'), key('[')], Command::IntervalShorter, &[Wallet], "interval", "a shorter interval of the charts"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[List, Wallet], "tags", "the next list of coins"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[Status], "", "the next list of coins"),
    row(&[key('c')], Command::Currency, &[List, Token, Wallet], "currency", "choose the currency"),
    edit(&[code(KeyCode::Backspace), control('h')], Edit::DeletePrevChar, "delete the character before"),
    edit(&[code(KeyCode::Delete)], Edit::DeleteNextChar, "delete the character here"),
    edit(&[control('w'), Chord::Alt(KeyCode::Backspace)], Edit::DeletePrevWord, "delete the word before"),
    edit(&[control('u')], Edit::DeleteLine, "delete all"),
    edit(&[control('k')], Edit::DeleteTillEnd, "delete all that follows"),
    edit(&[code(KeyCode::Left)], Edit::GoToPrevChar, "a character back"),
    edit(&[code(KeyCode::Right)], Edit::GoToNextChar, "a character on"),
    edit(&[Chord::Control(KeyCode::Left), alt('b')], Edit::GoToPrevWord, "a word back"),
    edit(&[Chord::Control(KeyCode::Right), alt('f')], Edit::GoToNextWord, "a word on"),
    edit(&[code(KeyCode::Home), control('a')], Edit::GoToStart, "to its beginning"),
    edit(&[code(KeyCode::End), control('e')], Edit::GoToEnd, "to its end"),
    row(&[code(KeyCode::Up), key('k')], Command::Up, EVERYWHERE, "", "up").but(MOVES),
    row(&[code(KeyCode::Down), key('j')], Command::Down, EVERYWHERE, "", "down").but(MOVES),
    row(&[code(KeyCode::PageUp), control('b'), control('u')], Command::PageUp, EVERYWHERE, "", "a screenful up"),
    row(&[code(KeyCode::PageDown), control('f'), control('d')], Command::PageDown, EVERYWHERE, "", "a screenful down"),
    row(&[code(KeyCode::Home), key('0')], Command::First, EVERYWHERE, "", "first row; chart start"),
    row(&[code(KeyCode::End), key('G')], Command::Last, EVERYWHERE, "", "last row; chart end"),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[List, Wallet, Indexer], "", "open; the next panel"),
    row(&[code(KeyCode::Left), key('h')], Command::Left, &[Indexer], "", "the panel before"),
    row(&[key('o')], Command::OpenLink, &[List, Token, Wallet, Post], "", "links: see where one leads, open it")
        .but(&[(Post, "links")]),
    row(&[key('y')], Command::Copy, COPIED, "", "copy …").but(&[(Links, "copy"), (Post, "copy")]),
    row(&[key('r')], Command::Refresh, SCREENS, "refresh", "fetch what is on the screen now"),
    row(&[key('?'), code(KeyCode::F(1))], Command::Help, SCREENS, "help", "this help"),
    row(&[key('?'), code(KeyCode::F(1))], Command::Help, &[Help], "", "close the help"),
    row(&[code(KeyCode::F(1))], Command::Help, &[Line], "", "this help"),
    row(BACK, Command::Back, &[List], "back", "clear the search"),
    row(BACK, Command::Back, &[Token], "back", "back"),
    row(BACK, Command::Back, &[Indexer], "back", "back; clear the filter"),
    row(BACK, Command::Back, &[Help, Post, Links], "close", "close"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Choice], "close", "close"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Line], "clear", "clear the line"),
    row(&[code(KeyCode::Esc)], Command::Back, &[Menu], "close", "close the menu"),
    row(&[key('1')], Command::Go(Tab::List(Tag::All)), SCREENS, "", "all coins"),
    row(&[key('2')], Command::Go(Tab::List(Tag::Brc20)), SCREENS, "", "BRC-20 tokens"),
    row(&[key('3')], Command::Go(Tab::List(Tag::BitcoinEcosystem)), SCREENS, "", "the Bitcoin ecosystem"),
    row(&[key('4')], Command::Go(Tab::Wallet), SCREENS, "", "the wallet"),
    row(&[key('5')], Command::Go(Tab::Indexer), SCREENS, "", "the indexer"),
    row(&[key('6')], Command::Go(Tab::Status), SCREENS, "", "what was asked for, and how that went"),
    row(&[key('M')], Command::Mouse, READ, "", "leave the mouse to the terminal, or take it back"),
    row(&[control('l')], Command::Redraw, ALWAYS, "", "paint everything anew"),
    row(&[control('z')], Command::Suspend, ALWAYS, "", "stop, as in a shell (fg continues)"),
    row(&[key('q')], Command::Back, &[Help, Post, Links], "", "close"),
    row(&[key('q'), control('c')], Command::Quit, SCREENS, "quit", "leave satscope"),
    row(&[control('c')], Command::Quit, &[Help, Post, Links, Choice, Line, Menu], "", "leave satscope"),
];

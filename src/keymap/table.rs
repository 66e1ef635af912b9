//! The table of keys.

use crossterm::event::KeyCode;

use super::Place::{Indexer, List, Overlay, Status, Token, Wallet};
use super::{Binding, Chord, EVERYWHERE, Place};
use crate::app::{Command, Tab};
use crate::model::Tag;

const SCREENS: &[Place] = &[List, Token, Wallet, Indexer, Status];
const PANELS: &[Place] = &[Token, Indexer];
const SORTED: &[Place] = &[List, Token];

const fn key(c: char) -> Chord {
    Chord::Plain(KeyCode::Char(c))
}

const fn code(code: KeyCode) -> Chord {
    Chord::Plain(code)
}

const fn row(
    keys: &'static [Chord],
    command: Command,
    places: &'static [Place],
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding { keys, command, places, hint, help }
}

/// All keys, in the order of the help. The first binding that fits wins.
pub const BINDINGS: &[Binding] = &[
    row(&[code(KeyCode::Enter)], Command::Open, &[List, Wallet], "open", "open the token's view"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Token], "zoom/read", "one panel on the whole screen; read a post"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Indexer], "open", "follow what is selected"),
    row(&[code(KeyCode::Enter)], Command::Open, &[Overlay], "choose", "choose"),
    row(
        &[key(':'), key('g')],
        Command::Lookup,
        &[Indexer],
        "look up",
        "look up an address, ticker, block, sat, inscription",
    ),
    row(&[code(KeyCode::Tab)], Command::NextPanel, PANELS, "panel", "the next panel"),
    row(&[code(KeyCode::BackTab)], Command::PreviousPanel, PANELS, "", "the panel before"),
    row(&[key('['), key(',')], Command::PeriodShorter, &[Token], "", "a shorter period"),
    row(&[key(']'), key('.')], Command::PeriodLonger, &[Token], "period", "a longer period"),
    row(
        &[code(KeyCode::Left), key('h')],
        Command::Left,
        &[Token],
        "",
        "the chart's cursor to the left; top or latest posts",
    ),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[Token], "cursor", "the chart's cursor to the right"),
    row(&[key('z')], Command::Zoom, PANELS, "", "one panel on the whole screen, and back"),
    row(&[key('p')], Command::PostOrder, &[Token], "top/latest", "top posts, or the latest"),
    row(&[key('/')], Command::Search, &[List], "search", "search all coins of the list"),
    row(&[key('/')], Command::Search, &[Indexer], "filter", "only tickers that begin with …"),
    row(&[key('b')], Command::Stats, &[Indexer], "blocks", "inscriptions per block"),
    row(&[key('s')], Command::SortNext, SORTED, "sort", "sort by the next column"),
    row(&[key('S')], Command::SortReverse, SORTED, "", "turn the order round"),
    row(&[key('f'), key(' ')], Command::Star, &[List, Token], "star", "watch the coin in the wallet tab, or no more"),
    row(&[key('f'), key(' ')], Command::Star, &[Wallet], "unstar", "watch the coin no more"),
    row(&[key('f'), key(' ')], Command::Star, &[Indexer], "", "watch the token's coin, or no more"),
    row(&[key('+'), key('='), key(']')], Command::IntervalLonger, &[Wallet], "", "a longer interval of the charts"),
    row(&[key('-'), key('[')], Command::IntervalShorter, &[Wallet], "interval", "a shorter interval of the charts"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[List, Wallet], "tags", "the next list of coins"),
    row(&[key('t'), code(KeyCode::Tab)], Command::NextTag, &[Status], "", "the next list of coins"),
    row(&[key('c')], Command::Currency, &[List, Token, Wallet], "currency", "choose the currency"),
    row(&[key('o')], Command::OpenLink, &[List, Token, Wallet, Overlay], "", "links: see where one leads, open it"),
    row(&[key('y')], Command::Copy, EVERYWHERE, "", "copy what is selected"),
    row(&[key('r')], Command::Refresh, SCREENS, "refresh", "fetch what is on the screen now"),
    row(&[key('?'), code(KeyCode::F(1))], Command::Help, EVERYWHERE, "help", "this help"),
    row(
        &[code(KeyCode::Esc), code(KeyCode::Backspace)],
        Command::Back,
        EVERYWHERE,
        "back",
        "back; close; clear the search",
    ),
    row(&[code(KeyCode::Up), key('k')], Command::Up, EVERYWHERE, "", "up"),
    row(&[code(KeyCode::Down), key('j')], Command::Down, EVERYWHERE, "", "down"),
    row(
        &[code(KeyCode::PageUp), Chord::Control('b'), Chord::Control('u')],
        Command::PageUp,
        EVERYWHERE,
        "",
        "a screenful up",
    ),
    row(
        &[code(KeyCode::PageDown), Chord::Control('f'), Chord::Control('d')],
        Command::PageDown,
        EVERYWHERE,
        "",
        "a screenful down",
    ),
    row(&[code(KeyCode::Home), key('0')], Command::First, EVERYWHERE, "", "the first row"),
    row(&[code(KeyCode::End), key('G')], Command::Last, EVERYWHERE, "", "the last row"),
    row(&[code(KeyCode::Right), key('l')], Command::Right, &[List, Wallet, Indexer], "", "open; the next panel"),
    row(&[code(KeyCode::Left), key('h')], Command::Left, &[Indexer], "", "the panel before"),
    row(&[key('1')], Command::Go(Tab::List(Tag::All)), SCREENS, "", "all coins"),
    row(&[key('2')], Command::Go(Tab::List(Tag::Brc20)), SCREENS, "", "BRC-20 tokens"),
    row(&[key('3')], Command::Go(Tab::List(Tag::BitcoinEcosystem)), SCREENS, "", "the Bitcoin ecosystem"),
    row(&[key('4')], Command::Go(Tab::Wallet), SCREENS, "", "the wallet"),
    row(&[key('5')], Command::Go(Tab::Indexer), SCREENS, "", "the indexer"),
    row(&[key('6')], Command::Go(Tab::Status), SCREENS, "", "what was asked for, and how that went"),
    row(&[key('M')], Command::Mouse, EVERYWHERE, "", "leave the mouse to the terminal, or take it back"),
    row(&[Chord::Control('l')], Command::Redraw, EVERYWHERE, "", "paint everything anew"),
    row(&[Chord::Control('z')], Command::Suspend, EVERYWHERE, "", "stop, as in a shell (fg continues)"),
    row(&[key('q')], Command::Back, &[Overlay], "", "close"),
    row(&[key('q'), Chord::Control('c')], Command::Quit, SCREENS, "quit", "leave satscope"),
    row(&[Chord::Control('c')], Command::Quit, &[Overlay], "", "leave satscope"),
];

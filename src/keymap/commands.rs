//! The table of commands: names, default keys, contexts, footer hints and help texts.
//!
//! A new command: see "A key" in `docs/extending.md`.

mod shorthand;

use crossterm::event::KeyCode;
use tui_input::InputRequest;

use super::command::Command;
use super::context::Context::*;
use super::context::{DIALOGS, NOT_TYPING, SCREENS, TYPING};
use super::entry::{Entry, at, entry};
use super::tab::Tab;
use crate::model::Tag;
use shorthand::*;

/// The entry with a name.
pub fn find_entry(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// All commands, in the order of the help and of the hints.
pub const COMMANDS: &[Entry] = &[
    entry(
        "open",
        Command::Open,
        ENTER,
        &[
            at(&[List, Wallet], "open", "open coin"),
            at(&[Token], "zoom/read", "zoom panel, read post"),
            at(&[Indexer], "open", "open selection"),
            at(&[Links], "open", "open in browser"),
            at(&[Compare, Alerts], "open", "open coin"),
            at(&[Help, Post, Image, Columns], "", "close"),
            at(&[Confirm], "confirm", "confirm"),
            at(&[Choice], "choose", "choose").by(ENTER),
            at(&[Line], "apply", "apply").by(ENTER),
            at(&[Palette], "run", "run").by(ENTER),
        ],
    ),
    entry("lookup", Command::Lookup, &[key('g')], &[at(&[Indexer], "lookup", "look up")]).known_as(&["search indexer"]),
    entry(
        "complete",
        Command::Complete,
        &[],
        &[
            at(&[Palette], "complete", "complete").by(&[code(KeyCode::Tab)]),
            at(&[Choice], "", "complete").by(&[code(KeyCode::Tab)]),
        ],
    ),
    entry("next-panel", Command::NextPanel, &[code(KeyCode::Tab)], &[at(&[Token, Indexer], "panel", "next panel")]),
    entry(
        "previous-panel",
        Command::PreviousPanel,
        &[code(KeyCode::BackTab)],
        &[at(&[Token, Indexer], "", "previous panel")],
    ),
    entry(
        "previous-period",
        Command::PreviousPeriod,
        &[key('['), key(',')],
        &[at(&[Token, Compare, Wallet], "period", "shorter period")],
    )
    .known_as(&["chart period"]),
    entry(
        "next-period",
        Command::NextPeriod,
        &[key(']'), key('.')],
        &[at(&[Token, Compare, Wallet], "period", "longer period")],
    )
    .known_as(&["chart period"]),
    entry(
        "left",
        Command::Left,
        &[code(KeyCode::Left), key('h')],
        &[
            at(&[Token], "cursor", "move cursor, scroll left"),
            at(&[Compare], "cursor", "move cursor left"),
            at(&[Wallet], "", "hide lots"),
            at(&[Indexer], "", "previous panel"),
            at(&[Sources], "operation", "previous operation"),
        ],
    ),
    entry(
        "right",
        Command::Right,
        &[code(KeyCode::Right), key('l')],
        &[
            at(&[Token], "cursor", "move cursor, scroll right"),
            at(&[Compare], "cursor", "move cursor right"),
            at(&[List], "", "open coin"),
            at(&[Wallet], "", "show lots, open coin"),
            at(&[Indexer], "", "next panel"),
            at(&[Sources], "operation", "next operation"),
        ],
    ),
    entry(
        "previous-day",
        Command::PreviousDay,
        &[with(SHIFT, KeyCode::Left)],
        &[at(&[Token, Compare], "", "move back one day")],
    ),
    entry(
        "next-day",
        Command::NextDay,
        &[with(SHIFT, KeyCode::Right)],
        &[at(&[Token, Compare], "", "move forward one day")],
    ),
    entry("mark", Command::Mark, &[key('m')], &[at(&[List, Wallet], "", "mark for comparison")]),
    entry("clear-marks", Command::ClearMarks, &[], &[at(&[List, Wallet], "", "clear marks")])
        .known_as(&["unmark", "clear comparison"]),
    entry(
        "compare",
        Command::Compare,
        &[key('v')],
        &[at(&[List, Token, Wallet], "", "compare coins"), at(&[Compare], "", "close")],
    )
    .known_as(&["comparison"]),
    entry("add-coin", Command::AddCoin, &[key('a')], &[at(&[Compare], "add", "add to comparison")]),
    entry(
        "remove-coin",
        Command::RemoveCoin,
        &[key('d'), code(KeyCode::Delete)],
        &[at(&[Compare], "remove", "remove from comparison")],
    ),
    entry("chart-style", Command::ChartStyle, &[key('C')], &[at(&[Token], "", "cycle chart style")]).known_as(&[
        "candle",
        "candles",
        "candlesticks",
        "line",
        "line chart",
        "area",
        "area chart",
    ]),
    entry("narrower-candles", Command::NarrowerCandles, &[key('{')], &[at(&[Token], "", "narrower candles")])
        .known_as(&["candle interval", "candle width"]),
    entry("wider-candles", Command::WiderCandles, &[key('}')], &[at(&[Token], "", "wider candles")])
        .known_as(&["candle interval", "candle width"]),
    entry("zoom-in", Command::ZoomIn, &[key('+'), key('=')], &[at(&[Token], "", "zoom in")])
        .known_as(&["zoom chart", "magnify chart"]),
    entry("zoom-out", Command::ZoomOut, &[key('-')], &[at(&[Token], "", "zoom out")])
        .known_as(&["zoom chart", "whole period"]),
    entry("chart-axis", Command::ChartAxis, &[key('x')], &[at(&[Token], "", "cycle price axis")]).known_as(&[
        "axis",
        "log",
        "log scale",
        "linear scale",
        "percent",
        "percent scale",
    ]),
    entry("toggle-averages", Command::ToggleAverages, &[key('a')], &[at(&[Token], "", "toggle moving averages")])
        .known_as(&["average", "averages", "moving", "moving average", "ema", "sma", "exponential"]),
    entry("toggle-bollinger", Command::ToggleBollinger, &[key('b')], &[at(&[Token], "", "toggle Bollinger bands")])
        .known_as(&["bands", "bollinger"]),
    entry("toggle-rsi", Command::ToggleRsi, &[key('i')], &[at(&[Token], "", "toggle RSI")])
        .known_as(&["rsi", "relative strength index"]),
    entry("toggle-macd", Command::ToggleMacd, &[key('m')], &[at(&[Token], "", "toggle MACD")])
        .known_as(&["macd", "convergence divergence"]),
    entry("note", Command::Note, &[key('e')], &[at(&[Token], "", "add / edit note")])
        .known_as(&["add note", "edit note"]),
    entry("next-coin", Command::NextCoin, &[key('n')], &[at(&[Token], "next", "next coin")]),
    entry("previous-coin", Command::PreviousCoin, &[key('N')], &[at(&[Token], "", "previous coin")]),
    entry(
        "next-post",
        Command::NextPost,
        &[key('n'), code(KeyCode::Right), key('l')],
        &[at(&[Post], "next", "next post")],
    ),
    entry(
        "previous-post",
        Command::PreviousPost,
        &[key('N'), code(KeyCode::Left), key('h')],
        &[at(&[Post], "", "previous post")],
    ),
    entry("zoom", Command::Zoom, &[key('z')], &[at(&[Token, Indexer], "", "zoom panel")]),
    entry(
        "toggle-post-order",
        Command::TogglePostOrder,
        &[key('p')],
        &[at(&[Token], "top/latest", "top / latest posts")],
    ),
    entry("search", Command::Search, &[key('/')], &[at(&[List], "search", "search this list")]),
    entry(
        "palette",
        Command::Palette,
        &[key(':'), control('p')],
        &[
            at(&[List], "find", "find anything"),
            at(READING_ELSEWHERE, "", "find anything"),
            at(&[Choice, Line], "", "find anything").by(&[control('p')]),
        ],
    ),
    entry("filter-coins", Command::FilterCoins, &[key('F')], &[at(&[List], "", "filter coins")]),
    entry("filter-posts", Command::FilterPosts, &[key('F')], &[at(&[Token], "filter", "filter posts")]),
    entry("open-mentioned", Command::OpenMentioned, &[key('c')], &[at(&[Post], "coin", "open mentioned coin")]),
    entry("filter", Command::Filter, &[key('/')], &[at(&[Indexer], "filter", "filter by prefix")]),
    entry("open-token-coin", Command::OpenTokenCoin, &[key('p')], &[at(&[Indexer], "", "open coin")]),
    entry("block-stats", Command::BlockStats, &[key('b')], &[at(&[Indexer], "blocks", "inscriptions per block")]),
    entry(
        "show-image",
        Command::ShowImage,
        &[key('i')],
        &[at(&[Indexer], "image", "show image"), at(&[Image], "", "close")],
    ),
    entry("next-sort-column", Command::NextSortColumn, &[], &[at(&[List, Token], "", "next sort column")]),
    entry(
        "sort-menu",
        Command::SortMenu,
        &[key('s')],
        &[at(&[List, Token, Indexer], "sort", "sort by column"), at(&[Wallet], "", "sort")],
    ),
    entry(
        "reverse-sort",
        Command::ReverseSort,
        &[key('S')],
        &[at(&[List, Token, Wallet, Indexer], "", "reverse sort")],
    ),
    entry("columns", Command::Columns, &[key('C')], &[at(&[List], "", "choose columns"), at(&[Columns], "", "close")]),
    entry("toggle-column", Command::ToggleColumn, &[key(' ')], &[at(&[Columns], "show/hide", "show / hide column")]),
    entry("reset-columns", Command::ResetColumns, &[key('R')], &[at(&[Columns], "reset", "reset columns")]),
    entry(
        "scroll-left",
        Command::ScrollLeft,
        &[key('<'), with(SHIFT, KeyCode::Left)],
        &[at(&[List, Wallet, Indexer], "", "scroll columns left")],
    ),
    entry(
        "scroll-right",
        Command::ScrollRight,
        &[key('>'), with(SHIFT, KeyCode::Right)],
        &[at(&[List, Wallet, Indexer], "", "scroll columns right")],
    ),
    // Shift with an arrow moves the chart's cursor there.
    entry("scroll-markets-left", Command::ScrollMarketsLeft, &[key('<')], &[at(&[Token], "", "scroll markets left")]),
    entry(
        "scroll-markets-right",
        Command::ScrollMarketsRight,
        &[key('>')],
        &[at(&[Token], "", "scroll markets right")],
    ),
    entry(
        "toggle-watch",
        Command::ToggleWatch,
        &[key('f'), key(' ')],
        &[
            at(&[List, Token], "watch", "watch / unwatch"),
            at(&[Wallet], "unwatch", "unwatch"),
            at(&[Indexer], "", "watch / unwatch"),
        ],
    )
    .known_as(&["watchlist", "favourite"]),
    entry("add-lot", Command::AddLot, &[key('a')], &[at(&[Wallet], "add", "add lot")]),
    entry("add-address", Command::AddAddress, &[key('A')], &[at(&[Wallet], "address", "add address")]),
    entry("edit-lot", Command::EditLot, &[key('e')], &[at(&[Wallet], "edit", "edit lot or label")]),
    entry(
        "remove-lot",
        Command::RemoveLot,
        &[key('d'), code(KeyCode::Delete)],
        &[at(&[Wallet], "remove", "remove lot or address")],
    ),
    entry(
        "alerts",
        Command::Alerts,
        &[key('!')],
        &[
            at(&[List, Token, Indexer, Status, Compare], "", "show or add alerts"),
            at(&[Wallet], "alert", "show or add alerts"),
            at(&[Alerts], "", "add prefilled alert"),
        ],
    )
    .known_as(&["add alert", "new alert"]),
    entry("add-alert", Command::AddAlert, &[key('a')], &[at(&[Alerts], "add", "add alert")]),
    entry("edit-alert", Command::EditAlert, &[key('e')], &[at(&[Alerts], "edit", "edit alert")]),
    entry(
        "remove-alert",
        Command::RemoveAlert,
        &[key('d'), code(KeyCode::Delete)],
        &[at(&[Alerts], "remove", "remove alert")],
    ),
    entry("filter-alerts", Command::FilterAlerts, &[key('/')], &[at(&[Alerts], "filter", "filter alerts")]),
    entry("toggle-alert", Command::ToggleAlert, &[key(' ')], &[at(&[Alerts], "on/off", "toggle alert")]),
    entry("toggle-bell", Command::ToggleBell, &[key('b')], &[at(&[Alerts], "", "toggle bell")]),
    entry("toggle-notification", Command::ToggleNotification, &[key('n')], &[at(&[Alerts], "", "toggle notification")]),
    entry(
        "undo",
        Command::Undo,
        &[key('u')],
        &[at(&[Wallet, Alerts], "undo", "undo last change"), at(&[List, Token, Compare], "", "undo last change")],
    ),
    entry(
        "hide-amounts",
        Command::HideAmounts,
        &[key('H')],
        &[at(SCREENS, "", "hide / show amounts"), at(&[Alerts], "", "hide / show amounts")],
    )
    .known_as(&["privacy"]),
    entry(
        "next-list",
        Command::NextList,
        &[key('t'), code(KeyCode::Tab)],
        &[at(&[Wallet], "lists", "next list"), at(&[List, Status], "", "next list")],
    ),
    entry(
        "currency",
        Command::Currency,
        &[key('c')],
        &[at(&[List, Token, Wallet], "currency", "change currency"), at(&[Indexer, Compare], "", "change currency")],
    )
    .known_as(&["convert"]),
    entry("toggle-source", Command::ToggleSource, &[key(' ')], &[at(&[Sources], "on/off", "enable / disable")]),
    entry(
        "move-up",
        Command::MoveUp,
        &[key('K')],
        &[
            at(&[Sources], "order", "move provider up"),
            at(&[Columns], "order", "move column up"),
            at(&[Wallet], "", "move row up"),
        ],
    ),
    entry(
        "move-down",
        Command::MoveDown,
        &[key('J')],
        &[
            at(&[Sources], "order", "move provider down"),
            at(&[Columns], "order", "move column down"),
            at(&[Wallet], "", "move row down"),
        ],
    ),
    entry("test-source", Command::TestSource, &[key('t')], &[at(&[Sources], "test", "test provider")]),
    entry("reset-sources", Command::ResetSources, &[key('R')], &[at(&[Sources], "", "reset providers")]),
    edit!(
        "delete-previous-char",
        DeletePrevChar,
        &[code(KeyCode::Backspace), control('h')],
        "delete previous character"
    ),
    edit!("delete-next-char", DeleteNextChar, &[code(KeyCode::Delete)], "delete next character"),
    edit!(
        "delete-previous-word",
        DeletePrevWord,
        &[control('w'), with(ALT, KeyCode::Backspace)],
        "delete previous word"
    ),
    entry(
        "delete-line",
        Command::Edit(InputRequest::DeleteLine),
        &[],
        &[at(TYPING, "clear", "delete line").by(&[control('u')])],
    ),
    edit!("delete-to-end", DeleteTillEnd, &[control('k')], "delete to end"),
    edit!("previous-char", GoToPrevChar, &[code(KeyCode::Left)], "left"),
    edit!("next-char", GoToNextChar, &[code(KeyCode::Right)], "right"),
    edit!("previous-word", GoToPrevWord, &[with(CONTROL, KeyCode::Left), alt('b')], "previous word"),
    edit!("next-word", GoToNextWord, &[with(CONTROL, KeyCode::Right), alt('f')], "next word"),
    edit!("line-start", GoToStart, &[code(KeyCode::Home), control('a')], "start of line"),
    edit!("line-end", GoToEnd, &[code(KeyCode::End), control('e')], "end of line"),
    entry(
        "up",
        Command::Up,
        &[code(KeyCode::Up), key('k')],
        &[
            at(SCREENS, "", "up"),
            at(&[Help, Post], "scroll", "up"),
            at(&[Compare, Links, Sources, Columns, Alerts], "select", "up"),
            at(&[Choice], "select", "up").by(&[code(KeyCode::Up)]),
            at(&[Line], "", "up").by(&[code(KeyCode::Up)]),
            at(&[Palette], "select", "up").by(&[code(KeyCode::Up), control('p')]),
        ],
    ),
    entry(
        "down",
        Command::Down,
        &[code(KeyCode::Down), key('j')],
        &[
            at(SCREENS, "", "down"),
            at(&[Help, Post], "scroll", "down"),
            at(&[Compare, Links, Sources, Columns, Alerts], "select", "down"),
            at(&[Choice], "select", "down").by(&[code(KeyCode::Down)]),
            at(&[Line], "", "down").by(&[code(KeyCode::Down)]),
            at(&[Palette], "select", "down").by(&[code(KeyCode::Down), control('n')]),
        ],
    ),
    entry(
        "page-up",
        Command::PageUp,
        &[code(KeyCode::PageUp), control('b'), control('u')],
        &[at(PAGING, "", "page up"), at(TYPING, "", "page up").by(&[code(KeyCode::PageUp), control('b')])],
    ),
    entry(
        "page-down",
        Command::PageDown,
        &[code(KeyCode::PageDown), control('f'), control('d')],
        &[
            at(PAGING, "", "page down"),
            at(TYPING, "", "page down").by(&[code(KeyCode::PageDown), control('f'), control('d')]),
        ],
    ),
    entry("first", Command::First, &[code(KeyCode::Home), key('0')], &[at(READING, "", "first row, chart start")]),
    entry("last", Command::Last, &[code(KeyCode::End), key('G')], &[at(READING, "", "last row, chart end")]),
    entry(
        "links",
        Command::Links,
        &[key('o')],
        &[at(&[List, Token, Wallet], "", "links"), at(&[Post], "links", "links")],
    ),
    entry("copy", Command::Copy, &[key('y')], &[at(SCREENS, "", "copy"), at(&[Links, Post], "copy", "copy")]),
    entry(
        "refresh",
        Command::Refresh,
        &[key('r')],
        &[at(SCREENS, "refresh", "refresh"), at(&[Sources, Compare, Image], "refresh", "refresh")],
    )
    .known_as(&["reload"]),
    entry(
        "help",
        Command::Help,
        &[key('?'), code(KeyCode::F(1))],
        &[
            at(SCREENS, "help", "help"),
            at(&[Help], "", "close"),
            at(&[Compare, Post, Image, Links, Sources, Columns, Alerts], "", "help"),
            at(&[Line], "", "help").by(&[code(KeyCode::F(1))]),
        ],
    )
    .known_as(&["key bindings", "shortcuts"]),
    entry(
        "back",
        Command::Back,
        &[code(KeyCode::Esc), code(KeyCode::Backspace)],
        &[
            at(&[List], "back", "clear search/filter/marks"),
            at(&[Wallet], "unmark", "clear marks"),
            at(&[Token], "back", "back"),
            at(&[Indexer], "back", "back, clear filter"),
            at(&[Help, Compare, Post, Image, Links, Sources, Columns, Alerts, Menu], "close", "close"),
            at(&[Confirm], "cancel", "cancel"),
            at(&[Choice, Palette], "close", "close").by(ESC),
            at(&[Line], "cancel", "cancel").by(ESC),
        ],
    ),
    entry(
        "close",
        Command::Close,
        &[key('q')],
        &[at(&[Help, Compare, Post, Image, Links, Sources, Columns, Alerts, Confirm], "", "close")],
    ),
    tab!("tab-all", Tab::List(Tag::All), '1', "all coins"),
    tab!("tab-brc-20", Tab::List(Tag::Brc20), '2', "BRC-20 tokens"),
    tab!("tab-ecosystem", Tab::List(Tag::BitcoinEcosystem), '3', "Bitcoin ecosystem"),
    tab!("tab-wallet", Tab::Wallet, '4', "wallet").known_as(&["portfolio", "holdings"]),
    tab!("tab-indexer", Tab::Indexer, '5', "indexer"),
    tab!("tab-status", Tab::Status, '6', "requests and errors"),
    entry("pause", Command::Pause, &[key('P')], &[at(READING, "", "pause / resume updates")]),
    entry(
        "sources",
        Command::Sources,
        &[key('D')],
        &[at(SCREENS, "", "providers"), at(&[Compare], "", "providers"), at(&[Sources], "", "close")],
    ),
    entry(
        "toggle-live",
        Command::ToggleLive,
        &[key('L')],
        &[at(SCREENS, "", "toggle live data"), at(&[Compare], "", "toggle live data")],
    )
    .known_as(&["demo", "simulated data"]),
    entry("toggle-mouse", Command::ToggleMouse, &[key('M')], &[at(READING, "", "toggle mouse capture")]),
    entry(
        "toggle-live-prices",
        Command::ToggleLivePrices,
        &[key('T')],
        &[at(SCREENS, "", "toggle live prices"), at(&[Compare], "", "toggle live prices")],
    ),
    entry(
        "redraw",
        Command::Redraw,
        &[control('l')],
        &[at(NOT_TYPING, "", "redraw"), at(TYPING, "", "redraw").by(&[control('l')])],
    ),
    entry(
        "suspend",
        Command::Suspend,
        &[control('z')],
        &[at(NOT_TYPING, "", "suspend (fg resumes)"), at(TYPING, "", "suspend (fg resumes)").by(&[control('z')])],
    ),
    entry(
        "quit",
        Command::Quit,
        &[key('q'), control('c')],
        &[
            at(SCREENS, "quit", "quit"),
            at(DIALOGS, "", "quit").by(&[control('c')]),
            at(TYPING, "", "quit").by(&[control('c')]),
        ],
    )
    .known_as(&["exit"]),
];

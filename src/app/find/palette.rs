//! The palette: one line that finds coins, tickers, addresses, sats, inscriptions, blocks, tabs, commands and recent
//! places.

pub mod index;

use std::borrow::Cow;
use std::fmt;

use tui_input::Input;

use crate::model::{ChartStyle, Currency, Period, Text};

use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::lookup::Subject;
use crate::app::menu::MenuAction;
use crate::app::panel::Panel;
use index::Index;

use crate::keymap::{Command, Sequence, Tab};

/// The open palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// What is typed.
    pub input: Input,
    /// Index of the selected item.
    pub selected: usize,
    /// Whether the user has selected it. Otherwise, the first item is selected.
    pub is_chosen: bool,
    /// What was found, best first.
    pub items: Vec<Item>,
    /// Why nothing was found, if the text was refused as a lot, an alert, a filter or a comparison.
    pub problem: Option<String>,
    /// Whether Enter was pressed before the names of coins have arrived: the first item runs then.
    pub runs_first: bool,
    /// Whether it was opened to look something up in the indexer.
    pub looks_up: bool,
    /// Whether it was opened to add a coin to the comparison below it.
    pub adds_coin: bool,
    /// Whether the user stopped the loading of pages.
    pub is_stopped: bool,
    /// The names of coins.
    pub index: Index,
}

/// An item of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// The title of the item.
    pub title: String,
    /// A second name: the symbol of a coin, the label of an address.
    pub detail: String,
    /// The part of the typed text that its names match.
    pub query: String,
    /// The action, if the title doesn't say it.
    pub effect: ItemEffect,
    /// The keys of the command.
    pub keys: Option<Sequence>,
    /// The letter of the menu that its keys open.
    pub letter: Option<char>,
    /// Whether the match is only a guess: any word of up to eleven letters is also the name of a sat.
    pub is_guess: bool,
    /// What choosing it does.
    pub action: Action,
}

/// What choosing an item does: `open 3M chart`, `add lot`; empty if its title says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemEffect {
    /// Whether it opens what the words name. Without much room, only the words are shown.
    pub opens: bool,
    /// What it opens or does; may be empty.
    pub words: String,
}

impl ItemEffect {
    /// Opens something.
    pub(in crate::app) fn opens(words: impl Into<String>) -> ItemEffect {
        ItemEffect { opens: true, words: words.into() }
    }
}

impl From<&str> for ItemEffect {
    fn from(words: &str) -> ItemEffect {
        ItemEffect::from(words.to_owned())
    }
}

impl From<String> for ItemEffect {
    fn from(words: String) -> ItemEffect {
        ItemEffect { opens: false, words }
    }
}

impl fmt::Display for ItemEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.opens, self.words.as_str()) {
            (true, "") => f.write_str("open"),
            (true, words) => write!(f, "open {words}"),
            (false, words) => f.write_str(words),
        }
    }
}

impl Item {
    /// An item with only a title.
    pub(in crate::app) fn new(kind: Kind, title: impl Into<String>, action: Action) -> Item {
        Item {
            kind,
            title: title.into(),
            detail: String::new(),
            query: String::new(),
            effect: ItemEffect::default(),
            keys: None,
            letter: None,
            is_guess: false,
            action,
        }
    }

    /// The identity: the texts of the row, and its coin, since others may have the same name.
    pub(in crate::app) fn key(&self) -> Text {
        let coin = self.action.coin().map(NamedCoin::key).unwrap_or_default();
        compact_str::format_compact!("{}\t{}\t{}\t{coin}", self.title, self.detail, self.effect)
    }
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A coin.
    Coin,
    /// A BRC-20 ticker.
    Ticker,
    /// Another indexer subject.
    Lookup,
    /// A tab, or an address of the wallet.
    Place,
    /// A command.
    Command,
    /// A place that was open before.
    Recent,
}

impl Kind {
    /// The name on the screen.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Coin => "coin",
            Kind::Ticker => "ticker",
            Kind::Lookup => "look up",
            Kind::Place => "place",
            Kind::Command => "command",
            Kind::Recent => "recent",
        }
    }
}

/// What choosing an item does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Opens a coin.
    OpenCoin {
        /// The coin.
        coin: NamedCoin,
        /// The period of its chart, if it was typed.
        period: Option<Period>,
        /// How its chart is drawn, if it was typed.
        style: Option<ChartStyle>,
        /// The panel to focus, if it was typed.
        panel: Option<Panel>,
    },
    /// Looks something up in the indexer.
    LookUp {
        /// The subject to look up.
        subject: Subject,
        /// The panel to focus, if it was typed.
        panel: Option<Panel>,
    },
    /// Runs a command, in another tab if it belongs there.
    Run(Command, Option<Tab>),
    /// Opens a coin and runs a command of its view.
    RunInCoin(NamedCoin, Command),
    /// Runs an item of a menu.
    Menu(MenuAction),
    /// Opens the line of a new alert about a coin.
    AddAlert(NamedCoin),
    /// Opens the line of a new alert with this rule.
    TypeAlert(String),
    /// Opens the line of a new lot with this text.
    TypeLot(String),
    /// Opens the copy menu of a coin.
    CopyCoin(NamedCoin),
    /// Watches a coin.
    Watch(NamedCoin),
    /// Unwatches a coin.
    Unwatch(NamedCoin),
    /// Marks a coin for the comparison.
    Mark(NamedCoin),
    /// Compares these coins; a single one is added to the comparison.
    Compare(Vec<NamedCoin>),
    /// Changes the period of the charts, and goes to this tab.
    SetPeriod(Period, Option<Tab>),
    /// Changes the currency.
    ChangeCurrency(Currency),
    /// Only a message: where a command works that can't run here.
    Say(Cow<'static, str>),
    /// Does nothing: a placeholder for coins whose names are loading.
    Wait,
}

impl Action {
    /// The coin of the action, if there is only one.
    fn coin(&self) -> Option<&NamedCoin> {
        match self {
            Action::OpenCoin { coin, .. }
            | Action::RunInCoin(coin, _)
            | Action::AddAlert(coin)
            | Action::CopyCoin(coin)
            | Action::Watch(coin)
            | Action::Unwatch(coin)
            | Action::Mark(coin) => Some(coin),
            _ => None,
        }
    }

    /// Whether choosing the item runs anything.
    pub fn is_available(&self) -> bool {
        !matches!(self, Action::Say(_) | Action::Wait)
    }
}

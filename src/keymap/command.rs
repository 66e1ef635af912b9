//! What a user can ask for, whatever key asks for it.

use crate::model::Tag;

/// A wish of the user. What it means depends on the screen; the table in [`super::BINDINGS`] tells which keys name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Leave the program.
    Quit,
    /// Stop the program as `Ctrl-Z` does in a shell.
    Suspend,
    /// Paint everything anew.
    Redraw,
    /// Show or hide the help.
    Help,
    /// Close what is on top; clear the search; go back.
    Back,
    /// Open what is selected.
    Open,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// A screenful up.
    PageUp,
    /// A screenful down.
    PageDown,
    /// The first row.
    First,
    /// The last row.
    Last,
    /// To the left: the chart's cursor, or the panel on the left.
    Left,
    /// To the right.
    Right,
    /// Go to a tab.
    Go(Tab),
    /// The next tab with a list.
    NextTag,
    /// The next panel.
    NextPanel,
    /// The panel before.
    PreviousPanel,
    /// One panel on the whole screen, and back.
    Zoom,
    /// Search what is loaded, or filter.
    Search,
    /// Sort by the next column.
    SortNext,
    /// Choose what to sort by.
    Sort,
    /// Turn the order round.
    SortReverse,
    /// Watch the coin, or watch it no more.
    Watch,
    /// Choose the currency.
    Currency,
    /// Fetch what is on the screen now.
    Refresh,
    /// Open the next coin of the list.
    NextCoin,
    /// Open the previous coin of the list.
    PreviousCoin,
    /// The longer period of a chart.
    PeriodLonger,
    /// The shorter one.
    PeriodShorter,
    /// A longer interval of the wallet's charts.
    IntervalLonger,
    /// A shorter one.
    IntervalShorter,
    /// Top posts, or the latest.
    PostOrder,
    /// Choose a link, see where it leads, and open it.
    OpenLink,
    /// Choose what to copy.
    Copy,
    /// Look something up in the indexer.
    Lookup,
    /// Inscriptions per block.
    Stats,
    /// Take the mouse, or leave it to the terminal for selecting text.
    Mouse,
}

/// The tabs, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tab {
    /// A list of coins.
    List(Tag),
    /// The watched coins.
    Wallet,
    /// BRC-20 and sats.
    Indexer,
    /// What was asked for and how that went.
    Status,
}

impl Tab {
    /// All tabs, in their order.
    pub const ALL: [Tab; 6] = [
        Tab::List(Tag::All),
        Tab::List(Tag::Brc20),
        Tab::List(Tag::BitcoinEcosystem),
        Tab::Wallet,
        Tab::Indexer,
        Tab::Status,
    ];

    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            Tab::List(tag) => tag.title(),
            Tab::Wallet => "Wallet",
            Tab::Indexer => "Indexer",
            Tab::Status => "Status",
        }
    }
}

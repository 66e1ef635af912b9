//! What a user can ask for, whatever key asks for it.

use super::state::Tab;

/// A wish of the user. What it means depends on the screen; the table in [`crate::keymap`] tells which keys name it.
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
    /// Turn the order round.
    SortReverse,
    /// Watch the coin, or watch it no more.
    Watch,
    /// Choose the currency.
    Currency,
    /// Fetch what is on the screen now.
    Refresh,
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
    /// Copy what is selected.
    Copy,
    /// Look something up in the indexer.
    Lookup,
    /// Inscriptions per block.
    Stats,
    /// Take the mouse, or leave it to the terminal for selecting text.
    Mouse,
}

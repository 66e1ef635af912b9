//! The commands of the user.

use tui_input::InputRequest;

use super::tab::Tab;

/// A command of the user. Its meaning depends on the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Open, apply or choose the selection.
    Open,
    /// Open the palette to look something up in the indexer.
    Lookup,
    /// Open the palette: find a coin, a place or a command.
    Palette,
    /// Complete the typed text with the selection.
    Complete,
    /// Focus the next panel.
    NextPanel,
    /// Focus the previous panel.
    PreviousPanel,
    /// Mark a coin for the comparison, or remove its mark.
    Mark,
    /// Remove the marks of all coins.
    ClearMarks,
    /// Compare coins.
    Compare,
    /// Add a coin to the comparison.
    AddCoin,
    /// Remove a coin from the comparison.
    RemoveCoin,
    /// Choose the chart's style: area, candles, line.
    ChartStyle,
    /// Choose the chart's price axis: linear, log, percent.
    ChartAxis,
    /// Show moving averages, or hide them.
    ToggleAverages,
    /// Show Bollinger bands, or hide them.
    ToggleBollinger,
    /// Show the RSI, or hide it.
    ToggleRsi,
    /// Show the MACD, or hide it.
    ToggleMacd,
    /// Add a note at the chart's cursor, or edit the one there.
    Note,
    /// Narrower candles.
    NarrowerCandles,
    /// Wider candles.
    WiderCandles,
    /// Show half as much of the chart's period.
    ZoomIn,
    /// Show twice as much of the chart's period.
    ZoomOut,
    /// Move the chart's cursor back by a day.
    PreviousDay,
    /// Move the chart's cursor forward by a day.
    NextDay,
    /// A shorter chart period.
    PreviousPeriod,
    /// A longer chart period.
    NextPeriod,
    /// Move the chart's cursor left, or focus the panel on the left.
    Left,
    /// Move the chart's cursor right, open the row, or focus the panel on the right.
    Right,
    /// Open the next coin of the list.
    NextCoin,
    /// Open the previous coin of the list.
    PreviousCoin,
    /// Open the next post.
    NextPost,
    /// Open the previous post.
    PreviousPost,
    /// Show only the focused panel, or all panels again.
    Zoom,
    /// Switch between top and latest posts.
    TogglePostOrder,
    /// Search a list.
    Search,
    /// Filter the coins of a list.
    FilterCoins,
    /// Open a coin that the post mentions.
    OpenMentioned,
    /// Filter the posts.
    FilterPosts,
    /// Filter the tickers.
    Filter,
    /// Open the coin of the indexer's token.
    OpenTokenCoin,
    /// Show inscriptions per block.
    BlockStats,
    /// Show the image of the inscription, or close it.
    ShowImage,
    /// Sort by the next column.
    NextSortColumn,
    /// Choose the sort column.
    SortMenu,
    /// Reverse the sort order.
    ReverseSort,
    /// Choose the columns of the lists.
    Columns,
    /// Show or hide the selected column.
    ToggleColumn,
    /// Show the columns as configured.
    ResetColumns,
    /// Scroll the columns to the left.
    ScrollLeft,
    /// Scroll the columns to the right.
    ScrollRight,
    /// Scroll the columns of a token's markets to the left.
    ScrollMarketsLeft,
    /// Scroll the columns of a token's markets to the right.
    ScrollMarketsRight,
    /// Add to the watchlist, or remove from it.
    ToggleWatch,
    /// Add a lot to the wallet.
    AddLot,
    /// Add an address to the wallet.
    AddAddress,
    /// Edit the selected lot, or the label of the selected address.
    EditLot,
    /// Remove the selected lot or address.
    RemoveLot,
    /// Show the alerts, with a rule about the selected row.
    Alerts,
    /// Add an alert.
    AddAlert,
    /// Edit the selected alert.
    EditAlert,
    /// Remove the selected alert.
    RemoveAlert,
    /// Filter the alerts.
    FilterAlerts,
    /// Turn the selected alert on or off.
    ToggleAlert,
    /// Turn the bell of the selected alert on or off.
    ToggleBell,
    /// Turn the notification of the selected alert on or off.
    ToggleNotification,
    /// Undo the last change to watchlist, wallet, alerts or notes, or the removal of a coin from the comparison.
    Undo,
    /// Hide amounts and values, or show them.
    HideAmounts,
    /// Go to the next tab with a list.
    NextList,
    /// Choose the currency.
    Currency,
    /// Edit the text field.
    Edit(InputRequest),
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One screen up.
    PageUp,
    /// One screen down.
    PageDown,
    /// Go to the first row, or the start of the chart.
    First,
    /// Go to the last row, or the end of the chart.
    Last,
    /// Choose a link to open.
    Links,
    /// Choose what to copy.
    Copy,
    /// Refresh the data on the screen.
    Refresh,
    /// Show or close the help.
    Help,
    /// Go back: close the dialog, clear the search, leave the view.
    Back,
    /// Close the dialog.
    Close,
    /// Go to a tab.
    Go(Tab),
    /// Show the providers of live data.
    Sources,
    /// Enable or disable the selected provider.
    ToggleSource,
    /// Move the selected row up: a provider, column, holding or watched coin.
    MoveUp,
    /// Move the selected row down: a provider, column, holding or watched coin.
    MoveDown,
    /// Send a test request to the selected provider.
    TestSource,
    /// Use the providers as configured.
    ResetSources,
    /// Switch between live and simulated data.
    ToggleLive,
    /// Capture the mouse, or release it to the terminal for selecting text.
    ToggleMouse,
    /// Turn live prices on or off.
    ToggleLivePrices,
    /// Pause updates, or resume them.
    Pause,
    /// Redraw the whole screen.
    Redraw,
    /// Suspend the program.
    Suspend,
    /// Quit.
    Quit,
}

impl Command {
    /// Whether the command only moves the selection, the cursor or the columns.
    pub fn moves(self) -> bool {
        matches!(
            self,
            Command::Up
                | Command::Down
                | Command::PageUp
                | Command::PageDown
                | Command::First
                | Command::Last
                | Command::Left
                | Command::Right
                | Command::PreviousDay
                | Command::NextDay
                | Command::ScrollLeft
                | Command::ScrollRight
                | Command::ScrollMarketsLeft
                | Command::ScrollMarketsRight
                | Command::NextPanel
                | Command::PreviousPanel
        )
    }
}

//! The session: the parts of the dashboard's state that the next start restores.

mod entries;

use crate::keymap::Tab;
use crate::model::{CoinId, Currency, Period, Tag, Text};

use crate::app::chart::view::ChartView;
use crate::app::find::recent::Recent;
use crate::app::panel::Panel;
use crate::app::screen::indexer::{BalanceSort, TokenSort};
use crate::app::screen::list::{CoinColumn, Sort};
use crate::app::screen::token::MarketSort;
use crate::app::screen::wallet::order::HoldingSort;
use crate::app::wallet::last_seen::LastSeen;

/// The restored state. `None` means the configured or built-in value, so that a changed configuration takes
/// effect unless the user chose something else on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The open tab.
    pub tab: Option<Tab>,
    /// The sort order of each list, in the order of [`Tag::ALL`].
    pub sorts: [Option<Sort>; Tag::ALL.len()],
    /// The columns of each list besides the fixed ones, in the same order.
    pub columns: [Option<Vec<CoinColumn>>; Tag::ALL.len()],
    /// The sort order of a token's markets.
    pub market_sort: Option<MarketSort>,
    /// The sort order of the indexer's tokens.
    pub token_sort: Option<TokenSort>,
    /// The sort order of an address's balances in the indexer.
    pub balance_sort: Option<BalanceSort>,
    /// The ticker of the selected token of the indexer, unless it is the first one.
    pub selected_ticker: Option<Text>,
    /// The selected coin of each list, in the same order.
    pub coins: [Option<CoinId>; Tag::ALL.len()],
    /// The selected row of the wallet, unless it is the first one.
    pub wallet_row: Option<Text>,
    /// The period of the charts.
    pub period: Option<Period>,
    /// How charts are drawn, unless it is the default.
    pub chart: Option<ChartView>,
    /// The currency.
    pub convert: Option<Currency>,
    /// The zoomed panel of a token's view.
    pub zoom: Option<Panel>,
    /// The choice between live and simulated data.
    pub live: Option<bool>,
    /// Whether the line that offers live data is hidden.
    pub hides_live_offer: Option<bool>,
    /// Whether live prices are on; `None` if the user hasn't turned them off.
    pub live_prices: Option<bool>,
    /// Whether the wallet's amounts are hidden.
    pub hides_amounts: Option<bool>,
    /// The order of the wallet's holdings.
    pub order: Option<HoldingSort>,
    /// The rows of the holdings in the manual order.
    pub manual_order: Vec<Text>,
    /// The places that were open, newest first.
    pub recent: Vec<Recent>,
    /// The last seen values of the wallet.
    pub seen: Option<LastSeen>,
}

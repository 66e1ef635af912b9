//! The state of the running program.

mod known_coins;
mod switch;

use crate::fetch::Event;
use crate::keymap::{Command, Key, Tab};
use crate::model::{Currency, Period, Tag, UtcTime};

use super::alerts::Alerts;
use super::extension::{Extension, ExtensionRetries};
use super::live::LivePrices;
use super::live_choice::LiveChoice;
use super::manual_refresh::ManualRefresh;
use super::menu::Menu;
use super::order_hold::OrderHold;
use super::overlay::Overlay;
use super::panel_scroll::PanelScroll;
use super::paused_events::PausedEvents;
use super::posts::PostsState;
use super::preferences::Preferences;
use super::previous_currency::PreviousCurrency;
use super::responses::Responses;
use super::screen::indexer::HAS_IMAGES;
use super::screen::list::{ListColumns, PlacedColumns};
use super::screen::token::choices::TokenChoices;
use super::screen::{IndexerScreen, ListScreen, StatusScreen, TokenScreen, WalletScreen};
use super::sources::SourcesState;
use super::toast::Toast;
use crate::app::chart::compare::Comparison;
use crate::app::chart::view::ChartView;
use crate::app::coins::title_coin::TitleCoin;
use crate::app::find::recent::Recent;
use crate::app::saved::log::StoreLog;
use crate::app::saved::session_saves::SessionSaves;
use crate::app::saved::undo::Undo;
use crate::app::saved::unsaved::Unsaved;
use crate::app::wallet::counted_coins::CountedCoins;
use crate::app::wallet::seen_values::SeenValues;
use crate::app::wallet::watched_coins::WatchedCoins;

/// Minimum height of a terminal with the offer of live data.
const MIN_OFFER_ROWS: u16 = 8;

/// Minimum length of a query for which pages are loaded, in bytes.
const MIN_SEARCH: usize = 2;

/// Background requests that are due but not sent yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackgroundQueue {
    /// The number of requests.
    pub waiting: usize,
    /// When the budget allows the next one; `None` if they wait for other requests, or if the budget is 0.
    pub until: Option<UtcTime>,
}

/// The state of the running program.
#[derive(Debug)]
pub struct State {
    /// The time of the last message.
    pub now: UtcTime,
    /// The terminal's size in cells: columns, rows.
    pub size: (u16, u16),
    /// The open tab.
    pub tab: Tab,
    /// The lists of coins, in the order of [`Tag::ALL`].
    pub lists: [ListScreen; Tag::ALL.len()],
    /// How far the tables of panels are scrolled sideways.
    pub panel_scroll: PanelScroll,
    /// The token view, which covers the tab while it is open.
    pub token: Option<TokenScreen>,
    /// The period of the wallet's charts and of the next token's chart: the last one chosen.
    pub period: Period,
    /// The compared coins.
    pub comparison: Comparison,
    /// How charts are drawn.
    pub chart: ChartView,
    /// The choices for the next token view.
    pub token_choices: TokenChoices,
    /// The wallet tab.
    pub wallet: WalletScreen,
    /// The indexer tab.
    pub indexer: IndexerScreen,
    /// The status tab.
    pub status: StatusScreen,
    /// The open dialog.
    pub overlay: Option<Overlay>,
    /// The time until which coins that a search finds by name are not requested, after a change of its query.
    pub(super) search_debounce_until: Option<UtcTime>,
    /// How long lists keep their order after the last key.
    pub(super) order_hold: OrderHold,
    /// The events that wait while updates are paused; `None` if they are not.
    pub paused: Option<PausedEvents>,
    /// The events to apply after the end of a pause.
    pub(super) released: Vec<Event>,
    /// The last manual refresh.
    pub manual_refresh: ManualRefresh,
    /// Whether the selection is still the initial one or was moved by the wheel; a click then selects instead of
    /// opening.
    pub(super) is_selection_unchosen: bool,
    /// The places that were open, newest first.
    pub recent: Vec<Recent>,
    /// Which posts were read, and which are shown.
    pub posts: PostsState,
    /// The open menu, which waits for a key.
    pub menu: Option<Menu>,
    /// The first key of a sequence that waits for its second key.
    pub pending: Option<Key>,
    /// The fetched data.
    pub responses: Responses,
    /// Which extensions of the interface the service lacks, and when they are requested again.
    pub(super) extension_retries: ExtensionRetries,
    /// Live prices.
    pub live: LivePrices,
    /// The background requests that wait.
    pub background_queue: BackgroundQueue,
    /// The currency of requests.
    pub convert: Currency,
    /// The previous currency, until the first response in the new one shows that the service supports it.
    pub convert_before: Option<PreviousCurrency>,
    /// The user data, with the changes that are not saved yet.
    pub user: Unsaved,
    /// What happened to the saved data.
    pub store_log: StoreLog,
    /// The choices and tests of the providers of live data.
    pub sources: SourcesState,
    /// The alerts.
    pub alerts: Alerts,
    /// The inverses of the last changes, for undo.
    pub undo: Undo,
    /// The choice between live and simulated data.
    pub live_choice: LiveChoice,
    /// The values of the wallet that the user has seen.
    pub seen: SeenValues,
    /// When the session is saved.
    pub session_saves: SessionSaves,
    /// Which coins were known when the holdings were last counted.
    pub(super) counted_coins: CountedCoins,
    /// Whether another event follows at once, so that the holdings are updated only after the last one.
    pub expects_event: bool,
    /// Whether the holdings were not updated because of that.
    pub(super) has_outdated_holdings: bool,
    /// What is known about the coin in the window title.
    pub(super) title: TitleCoin,
    /// The watched coins; see [`State::resolve`].
    pub watched: WatchedCoins,
    /// The current toast.
    pub toast: Option<Toast>,
    /// Whether mouse capture is on.
    pub mouse: bool,
    /// The settings.
    pub preferences: Preferences,
}

impl State {
    /// The toast, unless it waits until a change is saved.
    pub fn shown_toast(&self) -> Option<&Toast> {
        self.toast.as_ref().filter(|toast| toast.waits_for.is_none())
    }

    /// The initial state: the first tab, nothing fetched.
    pub fn new(preferences: Preferences, size: (u16, u16), now: UtcTime) -> State {
        let mut wallet = WalletScreen::new(preferences.period);
        wallet.set_symbols(preferences.watched.iter().map(|coin| coin.symbol.clone()).collect());
        wallet.sync(&Responses::default(), &preferences.watched, &preferences.convert);
        let watched = WatchedCoins::new(preferences.watched.clone());
        State {
            now,
            size,
            tab: Tab::List(Tag::All),
            lists: Tag::ALL.map(|tag| {
                let mut list = ListScreen::new(tag, preferences.page_size);
                list.columns = ListColumns::new(preferences.columns.clone());
                list.set_watched(watched.index());
                list
            }),
            panel_scroll: PanelScroll::default(),
            token: None,
            period: preferences.period,
            comparison: Comparison::default(),
            chart: ChartView::default(),
            token_choices: TokenChoices::default(),
            wallet,
            indexer: IndexerScreen::default(),
            status: StatusScreen::default(),
            overlay: None,
            search_debounce_until: None,
            order_hold: OrderHold::default(),
            paused: None,
            released: Vec::new(),
            manual_refresh: ManualRefresh::default(),
            is_selection_unchosen: true,
            recent: Vec::new(),
            posts: PostsState::default(),
            menu: None,
            pending: None,
            responses: Responses::default(),
            extension_retries: ExtensionRetries::default(),
            live: LivePrices::default(),
            background_queue: BackgroundQueue::default(),
            convert: preferences.convert.clone(),
            convert_before: None,
            user: Unsaved::default(),
            store_log: StoreLog::default(),
            alerts: Alerts::default(),
            undo: Undo::default(),
            sources: SourcesState::default(),
            live_choice: LiveChoice::default(),
            seen: SeenValues::default(),
            session_saves: SessionSaves::default(),
            counted_coins: CountedCoins::default(),
            expects_event: false,
            has_outdated_holdings: false,
            title: TitleCoin::default(),
            watched,
            toast: None,
            mouse: preferences.mouse,
            preferences,
        }
    }

    /// The list of a tag.
    pub fn list(&self, tag: Tag) -> &ListScreen {
        let [all, brc20, ecosystem] = &self.lists;
        match tag {
            Tag::All => all,
            Tag::Brc20 => brc20,
            Tag::BitcoinEcosystem => ecosystem,
        }
    }

    /// The list of a tag, mutable.
    pub fn list_mut(&mut self, tag: Tag) -> &mut ListScreen {
        let [all, brc20, ecosystem] = &mut self.lists;
        match tag {
            Tag::All => all,
            Tag::Brc20 => brc20,
            Tag::BitcoinEcosystem => ecosystem,
        }
    }

    /// Changes the period of the wallet's charts and of the next token's chart.
    pub(super) fn set_period(&mut self, period: Period) {
        self.period = period;
        if self.wallet.period() != period {
            self.wallet.set_period(period);
            self.wallet.sync(&self.responses, self.watched.coins(), &self.convert);
            self.order_watched();
            self.update_holdings();
        }
    }

    /// Whether pages are loaded to find coins in the palette: while typing, if the service has no names of all coins.
    pub fn loads_pages(&self) -> bool {
        let Some(Overlay::Palette(palette, _)) = &self.overlay else { return false };
        let is_typed = palette.input.value().trim().len() >= MIN_SEARCH && !palette.is_stopped;
        self.lacks(Extension::Names) && is_typed && !self.list(Tag::All).is_complete()
    }

    /// Whether the service lacks an extension, as far as known.
    pub fn lacks(&self, extension: Extension) -> bool {
        self.extension_retries.of(extension).is_lacking
    }

    /// Whether an extension may be requested: it isn't lacking, or its retry is due.
    pub(super) fn may_request(&self, extension: Extension) -> bool {
        !self.extension_retries.of(extension).is_paused
    }

    /// When the marks of changed prices on the screen end.
    pub(super) fn next_highlight_end(&self) -> Option<UtcTime> {
        self.live.next_highlight_end(self.now).filter(|_| self.open_screen().shows_prices())
    }

    /// When lists are re-sorted after the end of typing.
    pub(super) fn order_due(&self) -> Option<UtcTime> {
        let is_palette_frozen =
            matches!(&self.overlay, Some(Overlay::Palette(palette, _)) if !palette.is_chosen && palette.selected > 0);
        let is_list_frozen =
            || self.order_hold.has_new_token_values || self.lists.iter().any(ListScreen::is_order_frozen);
        self.order_hold.until().filter(|_| is_palette_frozen || is_list_frozen())
    }

    /// The columns of a list that fit on the screen.
    pub fn placed_columns(&self, list: &ListScreen) -> PlacedColumns {
        list.columns.place_with_prices(self.size.0, list.chosen_sort(), &self.convert)
    }

    /// Whether the 7-day charts of a list are visible.
    pub fn shows_trends(&self, list: &ListScreen) -> bool {
        list.columns.shows_trend(self.size.0, list.chosen_sort())
    }

    /// Rows of a tab's content: all but two header rows, the heading, the offer of live data and the footer.
    pub fn content_rows(&self) -> usize {
        usize::from(self.size.1).saturating_sub(4 + usize::from(self.offers_live())).max(1)
    }

    /// Whether the line that offers live data is shown: until the user has chosen a source or hidden the line.
    pub fn offers_live(&self) -> bool {
        let has_line = self.open_screen().offers_live() && self.size.1 >= MIN_OFFER_ROWS;
        self.preferences.offers_live && self.live_choice.is_open() && has_line
    }

    /// Whether a command can run in this build with this configuration.
    pub fn has_command(&self, command: Command) -> bool {
        command != Command::ShowImage || (HAS_IMAGES && self.preferences.images)
    }
}

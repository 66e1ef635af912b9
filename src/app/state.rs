//! All that the program knows while it runs.

use std::collections::HashMap;

use crate::client::Request;
use crate::fetch::{BACKGROUND_PER_MINUTE, BackgroundNeed};
use crate::keymap::{Key, Keymap, Tab};
use crate::model::{Coin, CoinId, Currency, MarketSeries, Period, Tag, Text, UtcTime};

use super::menu::Menu;
use super::overlay::Overlay;
use super::screen::{IndexerScreen, ListScreen, StatusScreen, TokenScreen, WalletScreen};
use super::store::Store;
use super::user_data::Unsaved;
use super::watch::{Folded, MeantCoins, Watched};

/// The panels of the screens that have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    /// A token's chart.
    Chart,
    /// What is known of a token.
    About,
    /// Posts on it.
    Posts,
    /// Where it trades.
    Markets,
    /// The indexer's tokens.
    Tokens,
    /// A BRC-20 token's details.
    Details,
    /// Its holders.
    Holders,
    /// What happened to it, or in a block.
    Activity,
    /// What an address holds.
    Balances,
    /// A sat, an inscription, or inscriptions per block.
    Facts,
    /// Inscriptions of a sat.
    Inscriptions,
}

/// What the configuration decides for a run.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// Coins on one page of a list.
    pub page_size: u32,
    /// The period that a token's chart begins with.
    pub period: Period,
    /// The interval that the wallet's charts begin with.
    pub interval: Text,
    /// The currency to begin with.
    pub convert: Currency,
    /// The currency comes from a flag or the environment, which outrank the session.
    pub convert_fixed: bool,
    /// What the configuration says to watch.
    pub watched: Vec<Watched>,
    /// Where the market group's and the indexer group's data come from, for the header: `DEMO`, or a host.
    pub sources: [String; 2],
    /// The market group's and the indexer group's base URL, for the Status tab.
    pub urls: [String; 2],
    /// Maximum background requests a minute, for the Status tab.
    pub background_per_minute: u32,
    /// Take the mouse from the start.
    pub mouse: bool,
    /// The keys.
    pub keys: Keymap,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            page_size: 200,
            period: Period::Week,
            interval: Text::const_new("5m"),
            convert: Currency::usd(),
            convert_fixed: false,
            watched: ["BTC", "ORDI", "SATS", "RATS"].map(Watched::by_symbol).to_vec(),
            sources: ["DEMO", "DEMO"].map(String::from),
            urls: [String::new(), String::new()],
            background_per_minute: BACKGROUND_PER_MINUTE,
            mouse: true,
            keys: Keymap::default(),
        }
    }
}

/// Background requests that are due but not sent yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackgroundQueue {
    /// How many.
    pub waiting: usize,
    /// When the budget allows the next one; `None` if they wait for other requests, or if the budget is 0.
    pub until: Option<UtcTime>,
}

/// A short message at the foot of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// What it says.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    /// Whether it says that a change was not saved: a successful save removes it.
    pub is_unsaved: bool,
    /// When it goes away.
    pub until: UtcTime,
}

/// All that the program knows while it runs.
#[derive(Debug)]
pub struct State {
    /// The time of the last message.
    pub now: UtcTime,
    /// The terminal's size in cells: columns, rows.
    pub size: (u16, u16),
    /// The tab on the screen.
    pub tab: Tab,
    /// The lists of coins, in the order of [`Tag::ALL`].
    pub lists: [ListScreen; 3],
    /// The token's view, above the tab while it is open.
    pub token: Option<TokenScreen>,
    /// The period that the next token's chart opens with: the one chosen last.
    pub period: Period,
    /// The panel that the next token's view opens zoomed on: the one that was zoomed when the last view was left.
    pub zoomed: Option<Panel>,
    /// The wallet tab.
    pub wallet: WalletScreen,
    /// The indexer tab.
    pub indexer: IndexerScreen,
    /// The status tab.
    pub status: StatusScreen,
    /// What lies on top.
    pub overlay: Option<Overlay>,
    /// The menu above the footer, while it waits for its key.
    pub menu: Option<Menu>,
    /// The first key of a sequence, while it waits for the second.
    pub pending: Option<Key>,
    /// What was fetched.
    pub store: Store,
    /// What background rules need. Nothing else is requested unless it is on the screen.
    pub background: Vec<BackgroundNeed>,
    /// What of that waits.
    pub background_queue: BackgroundQueue,
    /// The currency that money is asked for in.
    pub convert: Currency,
    /// The currency before it, until the first answer in the new one shows that the service knows it.
    pub convert_before: Option<Currency>,
    /// The user data, with the changes that are not saved yet.
    pub user: Unsaved,
    /// The session of an earlier run was taken over, or there is none.
    pub restored: bool,
    /// The watched coins: those of the user data over the configured ones.
    pub watched: Vec<Watched>,
    /// What each of them means among the coins that are known: see [`State::resolve`].
    meant: Vec<Watched>,
    /// Those of them that name a coin, for look-ups.
    meant_coins: MeantCoins,
    /// A short message, while there is one.
    pub toast: Option<Toast>,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// What the configuration decides.
    pub preferences: Preferences,
}

impl State {
    /// The state at the start: the first tab, nothing fetched.
    pub fn new(preferences: Preferences, size: (u16, u16), now: UtcTime) -> State {
        let mut wallet = WalletScreen::new(&preferences.interval);
        wallet.watch(&preferences.watched);
        wallet.sync(&Store::default(), &preferences.watched, &preferences.convert);
        State {
            now,
            size,
            tab: Tab::List(Tag::All),
            lists: Tag::ALL.map(|tag| ListScreen::new(tag, preferences.page_size)),
            token: None,
            period: preferences.period,
            zoomed: None,
            wallet,
            indexer: IndexerScreen::default(),
            status: StatusScreen::default(),
            overlay: None,
            menu: None,
            pending: None,
            store: Store::default(),
            background: Vec::new(),
            background_queue: BackgroundQueue::default(),
            convert: preferences.convert.clone(),
            convert_before: None,
            user: Unsaved::default(),
            restored: false,
            watched: preferences.watched.clone(),
            meant: preferences.watched.clone(),
            meant_coins: MeantCoins::of(&preferences.watched),
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

    /// The list of a tag, to change it.
    pub fn list_mut(&mut self, tag: Tag) -> &mut ListScreen {
        let [all, brc20, ecosystem] = &mut self.lists;
        match tag {
            Tag::All => all,
            Tag::Brc20 => brc20,
            Tag::BitcoinEcosystem => ecosystem,
        }
    }

    /// A coin of any list by its identity, the most specific lists last.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.lists.iter().find_map(|list| list.coin(id))
    }

    /// The request of the page of a list that a token comes from; `None` where it comes from none.
    pub fn page_of(&self, token: &TokenScreen) -> Option<Request> {
        let (tag, start) = self.home_of(token.id.as_ref()?)?;
        Some(self.list(tag).page_request(start, &self.convert))
    }

    /// Where a coin comes from: a list, and the first coin of its page there.
    pub fn home_of(&self, id: &CoinId) -> Option<(Tag, u32)> {
        self.lists.iter().find_map(|list| Some((list.tag, list.start_of(id)?)))
    }

    /// The coin of any list that a watched coin is, by its index among them: by its identity, and by a bare symbol only
    /// if a single known coin has it.
    pub fn watched_coin(&self, place: usize) -> Option<&Coin> {
        let meant = self.meant.get(place)?;
        if meant.is_bare() { None } else { self.lists.iter().find_map(|list| list.coins().find(|c| meant.is_coin(c))) }
    }

    /// The coin of any list that a series belongs to.
    pub fn coin_of(&self, series: &MarketSeries) -> Option<&Coin> {
        let own = Watched::series(series);
        if own.is_bare() { None } else { self.lists.iter().find_map(|list| list.coins().find(|c| own.is_coin(c))) }
    }

    /// Whether a coin is watched, for sure: a bare symbol that several known coins have watches none of them.
    pub fn is_watched(&self, coin: &Coin) -> bool {
        self.meant_coins.contains(coin)
    }

    /// The places among the watched coins of those that are this one.
    pub fn watched_as(&self, coin: &Watched) -> Vec<usize> {
        let both = self.watched.iter().zip(&self.meant).enumerate();
        let is_it = |(entry, meant): (&Watched, &Watched)| match coin.is_bare() {
            true => entry.is_bare() && entry.is_same(coin),
            false => !meant.is_bare() && meant.is_same(coin),
        };
        both.filter(|&(_, pair)| is_it(pair)).map(|(place, _)| place).collect()
    }

    /// Looks anew what the watched coins mean, after they or the coins known became others: those of the lists and of
    /// the wallet's series.
    pub fn resolve(&mut self) {
        // Of the coins that are known only those whose symbol is watched matter.
        let mut known: HashMap<Folded<'_>, Vec<Watched>> =
            self.watched.iter().map(|entry| (Folded(&entry.symbol), Vec::new())).collect();
        for coin in self.lists.iter().flat_map(|list| list.coins()) {
            if let Some(known) = known.get_mut(&Folded(&coin.symbol)) {
                known.push(Watched::coin(coin));
            }
        }
        for series in self.wallet.all_series(&self.store, &self.convert) {
            if let Some(known) = known.get_mut(&Folded(&series.symbol)) {
                known.push(Watched::series(series));
            }
        }
        let meaning = |entry: &Watched| {
            let known = known.get(&Folded(&entry.symbol)).map_or(&[][..], Vec::as_slice);
            entry.meaning(known.iter().cloned())
        };
        self.meant = self.watched.iter().map(meaning).collect();
        self.meant_coins = MeantCoins::of(&self.meant);
    }

    /// Rows that the content of a tab has at this size: all but the header's two lines, the heading and the footer.
    pub fn content_rows(&self) -> usize {
        usize::from(self.size.1).saturating_sub(4).max(1)
    }
}

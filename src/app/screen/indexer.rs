//! The indexer tab: BRC-20 tokens on the left; on the right the chosen token, or what was looked up.

use std::time::Duration;

use tui_input::Input;

use crate::app::cursor::Cursor;
use crate::app::lookup::Subject;
use crate::app::pages::{Depth, Item, PAGE, PagedList};
use crate::app::scroll::Scroll;
use crate::app::state::Panel;
use crate::app::store::Store;
use crate::client::{Answer, Request};
use crate::model::{Activity, Balance, Brc20Token, Holder, Inscription, Text, UtcTime};

/// How long the selection must rest on a token before its details are asked for, so that walking through the list
/// asks for nothing.
pub const REST: Duration = Duration::from_millis(150);

/// The most lines that facts have without the parents of an inscription.
const FACTS: usize = 60;

/// The most lines that the id of a parent takes.
const PARENT: usize = 6;

/// How far back the way through what was looked up is remembered.
pub const TRAIL: usize = 50;

/// A long list on the right.
#[derive(Clone, Debug, Default)]
pub struct SubList {
    /// The selected item.
    pub cursor: Cursor<Text>,
    /// How many pages are asked for.
    pub depth: Depth,
}

/// The indexer tab.
#[derive(Debug)]
pub struct IndexerScreen {
    /// The panel that the keys go to.
    pub focus: Panel,
    /// That panel has the whole screen.
    pub zoom: bool,
    /// The beginning of the tickers shown.
    pub filter: Input,
    /// Whether the filter line is being edited.
    pub filtering: bool,
    /// The tokens on the left.
    pub tokens: SubList,
    /// What was looked up, the last on top; empty: the selected token.
    pub trail: Vec<Subject>,
    /// When the selection will have rested long enough.
    pub rest_until: Option<UtcTime>,
    /// Holders of the token.
    pub holders: SubList,
    /// Activity of the token or in the block.
    pub activity: SubList,
    /// Balances of the address.
    pub balances: SubList,
    /// Inscriptions of the sat or at the address.
    pub inscriptions: SubList,
    /// How far facts are scrolled.
    pub scroll: Scroll,
}

impl Default for IndexerScreen {
    fn default() -> Self {
        IndexerScreen {
            focus: Panel::Tokens,
            zoom: false,
            filter: Input::default(),
            filtering: false,
            tokens: SubList::default(),
            trail: Vec::new(),
            rest_until: None,
            holders: SubList::default(),
            activity: SubList::default(),
            balances: SubList::default(),
            inscriptions: SubList::default(),
            scroll: Scroll::default(),
        }
    }
}

impl IndexerScreen {
    /// What the right side is about; `None` while no token is known.
    pub fn subject(&self) -> Option<Subject> {
        self.trail.last().cloned().or_else(|| self.tokens.cursor.key().cloned().map(Subject::Token))
    }

    /// The token that the right side is about, if it is about one.
    pub fn token(&self) -> Option<Text> {
        match self.subject()? {
            Subject::Token(ticker) | Subject::TokenInBlock(ticker, _) => Some(ticker),
            _ => None,
        }
    }

    /// The panels on the right, in the order of Tab.
    pub fn panels(&self) -> &'static [Panel] {
        match self.subject() {
            Some(Subject::Token(_)) => &[Panel::Details, Panel::Holders, Panel::Activity],
            Some(Subject::Address(_)) => &[Panel::Balances, Panel::Inscriptions],
            Some(Subject::Sat(_)) => &[Panel::Facts, Panel::Inscriptions],
            Some(Subject::Block(_) | Subject::TokenInBlock(..)) => &[Panel::Activity],
            Some(Subject::Inscription(_) | Subject::Stats) => &[Panel::Facts],
            None => &[],
        }
    }

    /// Whether the left and the right side are both on the screen.
    pub fn is_split(&self, (columns, rows): (u16, u16)) -> bool {
        !self.zoom && columns >= 70 && rows >= 12
    }

    /// Whether a panel is on the screen at a size.
    pub fn shows(&self, panel: Panel, size: (u16, u16)) -> bool {
        if !self.is_split(size) {
            return panel == self.focus;
        }
        panel == Panel::Tokens
            || match self.panels() {
                [above, a, b] if !IndexerScreen::has_room_for_two(size.0) => {
                    panel == *above || panel == self.one_of(*a, *b)
                }
                panels => panels.contains(&panel),
            }
    }

    /// The columns that the tokens have at the left of a screen of `columns`, where it is split.
    pub fn left_columns(columns: u16) -> u16 {
        (columns.saturating_sub(2).saturating_mul(3) / 10).clamp(26, 44)
    }

    /// Whether two lists have room beside each other at the right of a screen of `columns`.
    pub fn has_room_for_two(columns: u16) -> bool {
        columns.saturating_sub(2 + IndexerScreen::left_columns(columns) + 2) >= 100
    }

    /// Which of two lists is shown where there is room for one: as the focus wants it.
    pub fn one_of(&self, a: Panel, b: Panel) -> Panel {
        if self.focus == b { b } else { a }
    }

    /// Shows something else on the right.
    pub fn visit(&mut self, subject: Subject) {
        if self.trail.last() != Some(&subject) {
            self.trail.push(subject);
            self.trail.drain(..self.trail.len().saturating_sub(TRAIL));
        }
        self.turn();
        self.focus = self.panels().first().copied().unwrap_or(Panel::Tokens);
    }

    /// Back to what was shown before; `false` where there is nothing to go back to.
    pub fn back(&mut self) -> bool {
        let had = self.trail.pop().is_some();
        if had {
            self.turn();
            self.focus = match self.panels().first() {
                Some(&first) if !self.trail.is_empty() => first,
                _ => Panel::Tokens,
            };
        }
        had
    }

    /// Forgets where the lists of the right side stood: it shows something else now.
    pub fn turn(&mut self) {
        self.holders = SubList::default();
        self.activity = SubList::default();
        self.balances = SubList::default();
        self.inscriptions = SubList::default();
        self.scroll = Scroll::default();
    }

    /// Makes the requests of the token list's pages.
    pub fn tokens_request(&self) -> impl Fn(u64) -> Request + use<> {
        let prefix = self.filter.value().trim().to_lowercase();
        let ticker = (!prefix.is_empty()).then(|| Text::from(prefix));
        move |offset| Request::Brc20Tokens { ticker: ticker.clone(), offset, limit: PAGE }
    }

    /// Makes the requests of the activity's pages; `None` where the subject has none.
    pub fn activity_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let (ticker, block_height) = match self.subject()? {
            Subject::Token(ticker) => (Some(ticker), None),
            Subject::TokenInBlock(ticker, height) => (Some(ticker), Some(height)),
            Subject::Block(height) => (None, Some(height)),
            _ => return None,
        };
        Some(move |offset| Request::Brc20Activity { ticker: ticker.clone(), block_height, offset, limit: PAGE })
    }

    /// Makes the requests of the holders' pages; `None` where the subject has none.
    pub fn holders_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let Subject::Token(ticker) = self.subject()? else { return None };
        Some(move |offset| Request::Brc20Holders { ticker: ticker.clone(), offset, limit: PAGE })
    }

    /// Makes the requests of the balances' pages; `None` where the subject has none.
    pub fn balances_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let Subject::Address(address) = self.subject()? else { return None };
        Some(move |offset| Request::Brc20Balances { address: address.clone(), offset, limit: PAGE })
    }

    /// Makes the requests of the inscriptions' pages; `None` where the subject has none.
    pub fn inscriptions_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let subject = self.subject()?;
        if !matches!(subject, Subject::Sat(_) | Subject::Address(_)) {
            return None;
        }
        Some(move |offset| match &subject {
            Subject::Sat(number) => Request::SatInscriptions { number: *number, offset, limit: PAGE },
            Subject::Address(address) => Request::Inscriptions { address: Some(address.clone()), offset, limit: PAGE },
            _ => Request::Inscriptions { address: None, offset, limit: PAGE },
        })
    }

    /// The requests of what the facts panel and the details show.
    pub fn facts_request(&self) -> Option<Request> {
        Some(match self.subject()? {
            Subject::Token(ticker) => Request::Brc20Token { ticker },
            Subject::Sat(number) => Request::Sat { number },
            Subject::Inscription(inscription) => Request::Inscription { inscription },
            Subject::Stats => Request::InscriptionStats { from_block: None, to_block: None },
            Subject::Address(_) | Subject::Block(_) | Subject::TokenInBlock(..) => return None,
        })
    }

    /// The tokens loaded.
    pub fn token_list<'a>(&self, store: &'a Store) -> PagedList<'a, Brc20Token> {
        PagedList::read(store, &self.tokens.depth, self.tokens_request(), |a| match a {
            Answer::Brc20Tokens(page) => Some(page),
            _ => None,
        })
    }

    /// The holders loaded; `None` where the subject has none.
    pub fn holder_list<'a>(&self, store: &'a Store) -> Option<PagedList<'a, Holder>> {
        Some(PagedList::read(store, &self.holders.depth, self.holders_request()?, |a| match a {
            Answer::Holders(page) => Some(page),
            _ => None,
        }))
    }

    /// The activity loaded; `None` where the subject has none.
    pub fn activity_list<'a>(&self, store: &'a Store) -> Option<PagedList<'a, Activity>> {
        Some(PagedList::read(store, &self.activity.depth, self.activity_request()?, |a| match a {
            Answer::Activity(page) => Some(page),
            _ => None,
        }))
    }

    /// The balances loaded; `None` where the subject has none.
    pub fn balance_list<'a>(&self, store: &'a Store) -> Option<PagedList<'a, Balance>> {
        Some(PagedList::read(store, &self.balances.depth, self.balances_request()?, |a| match a {
            Answer::Balances(page) => Some(page),
            _ => None,
        }))
    }

    /// The inscriptions loaded; `None` where the subject has none.
    pub fn inscription_list<'a>(&self, store: &'a Store) -> Option<PagedList<'a, Inscription>> {
        Some(PagedList::read(store, &self.inscriptions.depth, self.inscriptions_request()?, |a| match a {
            Answer::Inscriptions(page) => Some(page),
            _ => None,
        }))
    }

    /// All requests of what is on the screen, the most urgent first. The right side waits until the selection rests.
    pub fn requests(&self, store: &Store, size: (u16, u16), rows: usize, now: UtcTime) -> Vec<Request> {
        let mut wanted = Vec::new();
        if self.shows(Panel::Tokens, size) || self.trail.is_empty() {
            wanted.extend(self.tokens.depth.requests(store, self.tokens.cursor.index(), rows, self.tokens_request()));
        }
        if self.rest_until.is_some_and(|until| now < until) {
            return wanted;
        }
        if self.shows(Panel::Details, size) || self.shows(Panel::Facts, size) {
            wanted.extend(self.facts_request());
        }
        let mut list = |panel, list: &SubList, make: Option<&dyn Fn(u64) -> Request>| {
            if let (true, Some(make)) = (self.shows(panel, size), make) {
                wanted.extend(list.depth.requests(store, list.cursor.index(), rows, make));
            }
        };
        list(Panel::Holders, &self.holders, self.holders_request().as_ref().map(|f| f as _));
        list(Panel::Balances, &self.balances, self.balances_request().as_ref().map(|f| f as _));
        list(Panel::Activity, &self.activity, self.activity_request().as_ref().map(|f| f as _));
        list(Panel::Inscriptions, &self.inscriptions, self.inscriptions_request().as_ref().map(|f| f as _));
        wanted
    }

    /// The pages of the lists that go on beyond the first: each is needed as long as its list is on the screen.
    pub fn pages(&self) -> Vec<Request> {
        let mut pages: Vec<Request> = self.tokens.depth.all(self.tokens_request()).collect();
        pages.extend(self.holders_request().into_iter().flat_map(|make| self.holders.depth.all(make)));
        pages.extend(self.activity_request().into_iter().flat_map(|make| self.activity.depth.all(make)));
        pages.extend(self.balances_request().into_iter().flat_map(|make| self.balances.depth.all(make)));
        pages.extend(self.inscriptions_request().into_iter().flat_map(|make| self.inscriptions.depth.all(make)));
        pages
    }

    /// Takes in what the store has: keeps the selections on their items and reads on where they near an end.
    pub fn sync(&mut self, store: &Store, rows: usize) {
        fn settle<T: Item>(list: &mut SubList, items: Option<PagedList<'_, T>>, rows: usize, key: impl Fn(&T) -> Text) {
            let Some(items) = items.filter(PagedList::is_loaded) else { return };
            let key_at = |row| items.get(row).map(&key);
            // The selected item's page may be still to come.
            if items.is_whole(&list.depth) {
                list.cursor.settle(items.len(), key_at);
            } else {
                list.cursor.seek(items.len(), key_at);
            }
            list.depth.follow(list.cursor.index(), rows, &items);
        }
        let tokens = self.token_list(store);
        let mut list = std::mem::take(&mut self.tokens);
        settle(&mut list, Some(tokens), rows, |t: &Brc20Token| t.ticker.clone());
        self.tokens = list;
        let (holders, activity) = (self.holder_list(store), self.activity_list(store));
        let (balances, inscriptions) = (self.balance_list(store), self.inscription_list(store));
        settle(&mut self.holders, holders, rows, |h: &Holder| h.address.clone());
        settle(&mut self.activity, activity, rows, activity_key);
        settle(&mut self.balances, balances, rows, |b: &Balance| b.ticker.clone());
        settle(&mut self.inscriptions, inscriptions, rows, |i: &Inscription| i.id.clone());
    }

    /// Moves the selection of the focused panel, or scrolls it.
    pub fn step(&mut self, store: &Store, by: isize) {
        fn step<T>(list: &mut SubList, items: Option<PagedList<'_, T>>, by: isize, key: impl Fn(&T) -> Text) {
            let Some(items) = items else { return };
            list.cursor.step(by, items.len(), |row| items.get(row).map(&key));
        }
        match self.focus {
            Panel::Tokens => {
                let items = self.token_list(store);
                let mut list = std::mem::take(&mut self.tokens);
                step(&mut list, Some(items), by, |t: &Brc20Token| t.ticker.clone());
                self.tokens = list;
            }
            Panel::Holders => {
                let items = self.holder_list(store);
                step(&mut self.holders, items, by, |h: &Holder| h.address.clone());
            }
            Panel::Activity => {
                let items = self.activity_list(store);
                step(&mut self.activity, items, by, activity_key);
            }
            Panel::Balances => {
                let items = self.balance_list(store);
                step(&mut self.balances, items, by, |b: &Balance| b.ticker.clone());
            }
            Panel::Inscriptions => {
                let items = self.inscription_list(store);
                step(&mut self.inscriptions, items, by, |i: &Inscription| i.id.clone());
            }
            _ => self.scroll = self.scroll.step(by, self.fact_lines(store)),
        }
    }

    /// The most lines that the facts of the subject can have.
    fn fact_lines(&self, store: &Store) -> usize {
        let inscription = self.facts_request().and_then(|request| store.inscription(&request).value);
        let parents = inscription.map_or(0, |inscription| inscription.parents.len());
        FACTS.saturating_add(parents.saturating_mul(PARENT))
    }

    /// The list behind a panel, if it has one.
    pub fn list(&self, panel: Panel) -> Option<&SubList> {
        Some(match panel {
            Panel::Tokens => &self.tokens,
            Panel::Holders => &self.holders,
            Panel::Activity => &self.activity,
            Panel::Balances => &self.balances,
            Panel::Inscriptions => &self.inscriptions,
            _ => return None,
        })
    }
}

/// What tells an event from another: its inscription, what happened, and where.
pub fn activity_key(activity: &Activity) -> Text {
    let part = |text: &Option<Text>| text.as_deref().unwrap_or("").to_owned();
    let (id, tx, to) = (part(&activity.inscription_id), part(&activity.tx_id), part(&activity.to));
    Text::from(format!("{id} {} {tx} {to}", activity.operation.as_str()))
}

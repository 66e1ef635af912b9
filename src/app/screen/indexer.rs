//! The indexer tab: BRC-20 tokens on the left; the selected token or the current lookup on the right.

mod balance_sort;
mod balances;
mod concentration;
mod content;
mod filter;
mod lists;
mod selection;
mod sort;
mod sub_list;
mod trail;

use std::time::Duration;

use tui_input::Input;

use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::responses::Responses;
use crate::app::screen::token::TokenScreen;
use crate::app::scroll::Scroll;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::Tab;
use crate::model::{Text, UtcTime};

pub use balance_sort::{BalanceColumn, BalanceSort};
pub use concentration::concentration;
pub use content::{HAS_IMAGES, content_request, image_request, is_image};
pub use sort::{SortValues, TokenColumn, TokenSort};
pub use sub_list::SubList;

/// How long a token must be selected before its details are requested, so that scrolling through the list requests
/// nothing.
pub const DEBOUNCE: Duration = Duration::from_millis(150);

/// Number of largest holders whose balances are summed.
pub const TOP_HOLDERS: usize = 100;

/// Maximum lines of facts without the parents of an inscription.
const MAX_FACT_LINES: usize = 60;

/// Minimum columns of text.
const MIN_TEXT_COLUMNS: usize = 16;

/// Maximum lines of a parent's id.
const LINES_PER_PARENT: usize = 6;

/// Maximum lookups to go back through.
pub const MAX_TRAIL: usize = 50;

/// The indexer tab.
#[derive(Debug)]
pub struct IndexerScreen {
    /// The focused panel.
    pub focus: Panel,
    /// Whether the focused panel fills a screen on which both sides fit.
    pub zoom: bool,
    /// The prefix of the tickers shown.
    pub filter: Input,
    /// Whether the filter line is being edited.
    pub filtering: bool,
    /// What was shown before the filter was edited, while it is being edited.
    before_filter: Option<BeforeFilter>,
    /// Whether there was a filter before it was edited.
    was_filtered: bool,
    /// The tokens on the left.
    pub tokens: SubList,
    /// The ticker of the selected token, as the indexer spells it.
    chosen: Option<Text>,
    /// The selected ticker of an earlier session, as long as it has not been found and the user selects no other one.
    restored: Option<Text>,
    /// The order of the tokens.
    pub sort: TokenSort,
    /// The values of their coins, if they are sorted by them.
    sort_values: SortValues,
    /// The order of the balances; `None` is the service's order.
    pub balance_sort: Option<BalanceSort>,
    /// The prices of their tokens, if they are sorted by value.
    balance_prices: SortValues,
    /// The lookups, latest last; if empty, the selected token is shown.
    pub trail: Vec<Visit>,
    /// When the debounce time of the selection ends.
    pub debounce_until: Option<UtcTime>,
    /// Holders of the token.
    pub holders: SubList,
    /// Activity of the token or in the block.
    pub activity: SubList,
    /// Balances of the address.
    pub balances: SubList,
    /// Inscriptions of the sat or at the address.
    pub inscriptions: SubList,
    /// The scroll position of the facts.
    pub scroll: Scroll,
}

/// The tokens and lookups before the filter was edited.
#[derive(Debug)]
struct BeforeFilter {
    tokens: SubList,
    chosen: Option<Text>,
    restored: Option<Text>,
    trail: Vec<Visit>,
    /// The right side, if it showed a lookup.
    lookup: Option<Place>,
}

/// A lookup.
#[derive(Debug)]
pub struct Visit {
    /// What it shows.
    pub subject: Subject,
    /// What was shown before it.
    before: Place,
    /// The screen where it was started, if not in the indexer.
    pub(in crate::app) origin: Option<Origin>,
}

/// Another screen from which a lookup was started.
#[derive(Debug)]
pub(in crate::app) struct Origin {
    /// The tab of the screen.
    pub(in crate::app) tab: Tab,
    /// The coin that was open there.
    pub(in crate::app) token: Option<Box<TokenScreen>>,
}

/// What is shown: the subject, the focused panel, and the selections and scroll positions of the right
/// side.
#[derive(Debug)]
struct Place {
    subject: Option<Subject>,
    focus: Panel,
    holders: SubList,
    activity: SubList,
    balances: SubList,
    inscriptions: SubList,
    scroll: Scroll,
}

impl Default for IndexerScreen {
    fn default() -> Self {
        IndexerScreen {
            focus: Panel::Tokens,
            zoom: false,
            filter: Input::default(),
            filtering: false,
            before_filter: None,
            was_filtered: false,
            tokens: SubList::default(),
            chosen: None,
            restored: None,
            sort: TokenSort::default(),
            sort_values: SortValues::new(),
            balance_sort: None,
            balance_prices: SortValues::new(),
            trail: Vec::new(),
            debounce_until: None,
            holders: SubList::default(),
            activity: SubList::default(),
            balances: SubList::default(),
            inscriptions: SubList::default(),
            scroll: Scroll::default(),
        }
    }
}

/// Minimum columns of a screen with a token's chart.
const CHART_COLUMNS: u16 = 60;

/// Minimum rows of a screen with a token's chart below its details and above a list, and below its details alone.
const CHART_BELOW: [u16; 2] = [32, 21];

impl IndexerScreen {
    /// The subject of the right side; `None` while no token is known.
    pub fn subject(&self) -> Option<Subject> {
        let chosen = self.chosen.as_ref().filter(|_| self.tokens.cursor.key().is_some());
        self.trail.last().map(|visit| visit.subject.clone()).or_else(|| chosen.cloned().map(Subject::Token))
    }

    /// The token of the right side, if its subject is a token.
    pub fn token(&self) -> Option<Text> {
        match self.subject()? {
            Subject::Token(ticker) | Subject::TokenInBlock(ticker, _) => Some(ticker),
            _ => None,
        }
    }

    /// The panels of the right side, in the order of Tab.
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

    /// Whether both sides fit on a screen of this size, so that a panel can be zoomed.
    pub fn can_zoom((columns, rows): (u16, u16)) -> bool {
        columns >= 70 && rows >= 12
    }

    /// Whether a panel is zoomed on a screen of this size.
    pub fn is_zoomed(&self, size: (u16, u16)) -> bool {
        self.zoom && IndexerScreen::can_zoom(size)
    }

    /// Whether both sides are visible on a screen of this size.
    pub fn is_split(&self, size: (u16, u16)) -> bool {
        !self.zoom && IndexerScreen::can_zoom(size)
    }

    /// Whether a panel is visible on a screen of this size.
    pub fn shows(&self, panel: Panel, size: (u16, u16)) -> bool {
        if !self.is_split(size) {
            return panel == self.focus;
        }
        panel == Panel::Tokens
            || match self.panels() {
                [above, a, b] if !IndexerScreen::has_room_for_two(size.0) => {
                    panel == *above || panel == self.shown_of(*a, *b)
                }
                panels => panels.contains(&panel),
            }
    }

    /// The columns of the token list on a split screen of this width.
    pub fn left_columns(columns: u16) -> u16 {
        (columns.saturating_sub(2).saturating_mul(3) / 10).clamp(28, 44)
    }

    /// Whether two lists fit next to each other on the right side of a screen of this width.
    pub fn has_room_for_two(columns: u16) -> bool {
        columns.saturating_sub(2 + IndexerScreen::left_columns(columns) + 2) >= 100
    }

    /// Whether a token's chart has room below its details on a screen of this size, if there is none beside them.
    pub fn has_room_below_details(&self, (columns, rows): (u16, u16)) -> bool {
        let least = if self.is_split((columns, rows)) { CHART_BELOW[0] } else { CHART_BELOW[1] };
        columns >= CHART_COLUMNS && rows >= least
    }

    /// Which of two lists is shown if only one fits: the focused one, or else the first.
    pub fn shown_of(&self, a: Panel, b: Panel) -> Panel {
        if self.focus == b { b } else { a }
    }

    /// Whether the view is initial, zoomed or not: no lookup, focus on the tokens.
    pub fn is_home(&self) -> bool {
        self.trail.is_empty() && self.focus == Panel::Tokens
    }

    /// Whether going back has any effect.
    pub fn can_go_back(&self) -> bool {
        !self.is_home() || self.is_filtered()
    }

    /// Whether the tokens are filtered.
    pub fn is_filtered(&self) -> bool {
        !self.filter.value().is_empty()
    }

    /// The requests for what is on the screen, most urgent first. Those of the right side are held back during the
    /// debounce time.
    pub fn requests(&self, responses: &Responses, size: (u16, u16), rows: usize, now: UtcTime) -> Vec<Request> {
        let mut wanted = Vec::new();
        if self.shows(Panel::Tokens, size) || self.trail.is_empty() {
            wanted.extend(self.tokens.requests(responses, rows, self.tokens_request()));
        }
        if self.debounce_until.is_some_and(|until| now < until) {
            return wanted;
        }
        if self.shows(Panel::Details, size) || self.shows(Panel::Facts, size) {
            wanted.extend(self.facts_request());
            wanted.extend(self.shown_content(responses));
        }
        let mut list = |panel, list: &SubList, make: Option<&dyn Fn(u64) -> Request>| {
            if let (true, Some(make)) = (self.shows(panel, size), make) {
                wanted.extend(list.requests(responses, rows, make));
            }
        };
        list(Panel::Holders, &self.holders, self.holders_request().as_ref().map(|f| f as _));
        list(Panel::Balances, &self.balances, self.balances_request().as_ref().map(|f| f as _));
        list(Panel::Activity, &self.activity, self.activity_request().as_ref().map(|f| f as _));
        list(Panel::Inscriptions, &self.inscriptions, self.inscriptions_request().as_ref().map(|f| f as _));
        wanted
    }

    /// The requests for all pages of the lists. All are needed as long as the tab is open.
    pub fn pages(&self) -> Vec<Request> {
        let mut pages: Vec<Request> = self.tokens.depth.all(self.tokens_request()).collect();
        pages.extend(self.holders_request().into_iter().flat_map(|make| self.holders.depth.all(make)));
        pages.extend(self.activity_request().into_iter().flat_map(|make| self.activity.depth.all(make)));
        pages.extend(self.balances_request().into_iter().flat_map(|make| self.balances.depth.all(make)));
        pages.extend(self.inscriptions_request().into_iter().flat_map(|make| self.inscriptions.depth.all(make)));
        pages
    }

    /// Updates the lists from the responses: selections stay on their items, and more pages are requested near the end
    /// of a list.
    pub fn sync(&mut self, responses: &Responses, rows: usize) {
        self.sync_tokens(responses, rows);
        if let Some(holders) = self.holder_list(responses) {
            // Their concentration needs more rows than most screens show.
            let missing = TOP_HOLDERS.saturating_sub(self.holders.cursor.index());
            let margin = if self.focus == Panel::Holders { rows.max(missing) } else { rows };
            self.holders.reselect(&holders, margin);
        }
        if let Some(activity) = self.activity_list(responses) {
            self.activity.reselect(&activity, rows);
        }
        if let Some(balances) = self.balance_list(responses) {
            match self.balance_sort {
                // The first row may be on any page.
                Some(_) => {
                    let has_values = self.has_balance_values();
                    self.balances.reselect_loading_all(&balances, has_values);
                }
                None => self.balances.reselect(&balances, rows),
            }
        }
        if let Some(inscriptions) = self.inscription_list(responses) {
            self.inscriptions.reselect(&inscriptions, rows);
        }
    }

    /// Changes the sort order and selects the first token.
    pub fn sort_by(&mut self, sort: TokenSort, responses: &Responses) {
        self.sort = sort;
        self.restored = None;
        self.tokens.reorder();
        let tokens = self.token_list(responses);
        self.tokens.cursor.select(0, tokens.len(), |row| tokens.get(row));
        self.choose(&tokens);
    }

    /// Sets the values of coins by which the tokens are sorted; the selection stays on its token.
    pub(in crate::app) fn set_sort_values(&mut self, values: SortValues, responses: &Responses, rows: usize) {
        if self.sort_values != values {
            self.sort_values = values;
            self.tokens.reorder();
            self.sync_tokens(responses, rows);
        }
    }

    /// Moves the selection of the focused panel, or scrolls the facts.
    pub fn step(&mut self, responses: &Responses, step: Step) {
        match self.focus {
            Panel::Tokens => {
                let tokens = self.token_list(responses);
                self.tokens.step(&tokens, step);
                self.restored = None;
                self.choose(&tokens);
            }
            Panel::Holders => {
                if let Some(holders) = self.holder_list(responses) {
                    self.holders.step(&holders, step);
                }
            }
            Panel::Activity => {
                if let Some(activity) = self.activity_list(responses) {
                    self.activity.step(&activity, step);
                }
            }
            Panel::Balances => {
                if let Some(balances) = self.balance_list(responses) {
                    self.balances.step(&balances, step);
                }
            }
            Panel::Inscriptions => {
                if let Some(inscriptions) = self.inscription_list(responses) {
                    self.inscriptions.step(&inscriptions, step);
                }
            }
            _ => self.scroll = self.scroll.step(step, self.fact_lines(responses)),
        }
    }

    /// Maximum lines of the subject's facts.
    fn fact_lines(&self, responses: &Responses) -> usize {
        let inscription = self.facts_request().and_then(|request| responses.inscription(&request).value);
        let parents = inscription.map_or(0, |inscription| inscription.parents.len());
        let content = self.shown_content(responses).and_then(|request| responses.content(&request).value);
        let text = content.map_or(0, |content| content.text.lines().count() + content.text.len() / MIN_TEXT_COLUMNS);
        MAX_FACT_LINES.saturating_add(parents.saturating_mul(LINES_PER_PARENT)).saturating_add(text)
    }
}

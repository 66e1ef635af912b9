//! The long lists of the indexer tab: what each asks for, what is loaded of it, and where the reader is in it.

use super::IndexerScreen;
use crate::app::cursor::Cursor;
use crate::app::lookup::Subject;
use crate::app::pages::{Depth, PAGE, PagedList};
use crate::app::state::Panel;
use crate::app::store::Store;
use crate::client::{Answer, CONTENT_BYTES, Request};
use crate::model::{Activity, Balance, Brc20Token, Holder, Identity, Inscription, Text};

/// Where the reader is in a long list.
#[derive(Clone, Debug, Default)]
pub struct SubList {
    /// The selected item.
    pub cursor: Cursor,
    /// How many pages are asked for.
    pub depth: Depth,
}

impl SubList {
    /// Takes in what is loaded: keeps the selection on its item and reads on where it nears the end.
    pub(super) fn settle<T: Identity>(&mut self, items: &PagedList<'_, T>, rows: usize) {
        if !items.is_loaded() {
            return;
        }
        // The selected item's page may be still to come.
        if items.is_whole(&self.depth) {
            self.cursor.settle(items.len(), |row| items.get(row));
        } else {
            self.cursor.seek(items.len(), |row| items.get(row));
        }
        self.depth.follow(self.cursor.index(), rows, items);
    }

    /// Moves the selection.
    pub(super) fn step<T: Identity>(&mut self, items: &PagedList<'_, T>, by: isize) {
        self.cursor.step(by, items.len(), |row| items.get(row));
    }
}

impl IndexerScreen {
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

    /// The request of the content of the inscription shown; `None` where it is not known to be a short text.
    pub fn shown_content(&self, store: &Store) -> Option<Request> {
        let Some(Subject::Inscription(_)) = self.subject() else { return None };
        content_request(store.inscription(&self.facts_request()?).value?)
    }

    /// The tokens loaded, in the order chosen.
    pub fn token_list<'a>(&self, store: &'a Store) -> PagedList<'a, Brc20Token> {
        let mut list = PagedList::read(store, &self.tokens.depth, self.tokens_request(), |a| match a {
            Answer::Brc20Tokens(page) => Some(page),
            _ => None,
        });
        list.sort_by(|a, b| self.sort.compare(a, b));
        list
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
}

/// The request of an inscription's content where that is a short text, which can be shown whole.
pub fn content_request(inscription: &Inscription) -> Option<Request> {
    let kind = inscription.content_type.as_deref()?.to_ascii_lowercase();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let is_text = essence.starts_with("text/") || matches!(essence, "application/json" | "application/yaml");
    let is_short = inscription.content_length.is_some_and(|length| length <= CONTENT_BYTES);
    (is_text && is_short).then(|| Request::InscriptionContent { id: inscription.id.clone() })
}

//! The paged lists of the indexer tab: their requests, loaded rows and selections.

use std::cmp::Ordering;

use super::IndexerScreen;
use super::content::content_request;
use super::sub_list::SubList;
use crate::app::find::lookup::Subject;
use crate::app::pages::{PAGE_SIZE, PagedList};
use crate::app::panel::Panel;
use crate::app::responses::Responses;
use crate::client::{Request, ResponseData};
use crate::model::{Activity, Balance, Brc20Token, Holder, Inscription, Text, address};

impl IndexerScreen {
    /// The list of a panel, if it has one.
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

    /// Returns a constructor for the requests of the token list's pages, by offset.
    pub fn tokens_request(&self) -> impl Fn(u64) -> Request + use<> {
        let prefix = self.filter.value().trim().to_lowercase();
        let ticker = (!prefix.is_empty()).then(|| Text::from(prefix));
        move |offset| Request::Brc20Tokens { ticker: ticker.clone(), offset, limit: PAGE_SIZE }
    }

    /// Returns a constructor for the requests of the activity's pages; `None` if the subject has none. Indexers treat
    /// block 0 as unset, and would send the activity of all blocks.
    pub fn activity_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let (ticker, block_height) = match self.subject()? {
            Subject::TokenInBlock(_, 0) | Subject::Block(0) => return None,
            Subject::Token(ticker) => (Some(ticker), None),
            Subject::TokenInBlock(ticker, height) => (Some(ticker), Some(height)),
            Subject::Block(height) => (None, Some(height)),
            _ => return None,
        };
        Some(move |offset| Request::Brc20Activity { ticker: ticker.clone(), block_height, offset, limit: PAGE_SIZE })
    }

    /// Returns a constructor for the requests of the holders' pages; `None` if the subject has none.
    pub fn holders_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let Subject::Token(ticker) = self.subject()? else { return None };
        Some(move |offset| Request::Brc20Holders { ticker: ticker.clone(), offset, limit: PAGE_SIZE })
    }

    /// Returns a constructor for the requests of the balances' pages; `None` if the subject has none.
    pub fn balances_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let Subject::Address(address) = self.subject()? else { return None };
        Some(move |offset| Request::Brc20Balances { address: address.clone(), offset, limit: PAGE_SIZE })
    }

    /// The request for the bitcoin balance of the address; `None` unless the subject is an address of Bitcoin's main
    /// network. Lookups accept other text as an address, too.
    pub fn bitcoin_request(&self) -> Option<Request> {
        let Subject::Address(address) = self.subject()? else { return None };
        address::parse(&address).ok().map(|parsed| Request::BitcoinBalance { address: parsed.text })
    }

    /// Returns a constructor for the requests of the inscriptions' pages; `None` if the subject has none.
    pub fn inscriptions_request(&self) -> Option<impl Fn(u64) -> Request + use<>> {
        let subject = self.subject()?;
        if !matches!(subject, Subject::Sat(_) | Subject::Address(_)) {
            return None;
        }
        Some(move |offset| match &subject {
            Subject::Sat(number) => Request::SatInscriptions { number: *number, offset, limit: PAGE_SIZE },
            Subject::Address(address) => {
                Request::Inscriptions { address: Some(address.clone()), offset, limit: PAGE_SIZE }
            }
            _ => Request::Inscriptions { address: None, offset, limit: PAGE_SIZE },
        })
    }

    /// The request for the facts or details of the subject; `None` if it has none.
    pub fn facts_request(&self) -> Option<Request> {
        Some(match self.subject()? {
            Subject::Token(ticker) => Request::Brc20Token { ticker },
            Subject::Sat(number) => Request::Sat { number },
            Subject::Inscription(inscription) => Request::Inscription { inscription },
            Subject::Stats => Request::InscriptionStats { from_block: None, to_block: None },
            Subject::Address(_) | Subject::Block(_) | Subject::TokenInBlock(..) => return None,
        })
    }

    /// The request for the content of the shown inscription; `None` unless it is known to be a short text.
    pub fn shown_content(&self, responses: &Responses) -> Option<Request> {
        let Some(Subject::Inscription(_)) = self.subject() else { return None };
        content_request(responses.inscription(&self.facts_request()?).value?)
    }

    /// The loaded tokens, sorted.
    pub fn token_list<'a>(&self, responses: &'a Responses) -> PagedList<'a, Brc20Token> {
        let part =
            |response: &'a ResponseData| if let ResponseData::Brc20Tokens(page) = response { Some(page) } else { None };
        let compare = |a: &Brc20Token, b: &Brc20Token| self.sort.compare(a, b, &self.sort_values);
        self.tokens.read(responses, self.tokens_request(), part, Some(&compare))
    }

    /// The loaded holders; `None` if the subject has none.
    pub fn holder_list<'a>(&self, responses: &'a Responses) -> Option<PagedList<'a, Holder>> {
        let part =
            |response: &'a ResponseData| if let ResponseData::Holders(page) = response { Some(page) } else { None };
        Some(self.holders.read(responses, self.holders_request()?, part, None))
    }

    /// The loaded activity; `None` if the subject has none.
    pub fn activity_list<'a>(&self, responses: &'a Responses) -> Option<PagedList<'a, Activity>> {
        let part =
            |response: &'a ResponseData| if let ResponseData::Activity(page) = response { Some(page) } else { None };
        Some(self.activity.read(responses, self.activity_request()?, part, None))
    }

    /// The loaded balances, sorted; `None` if the subject has none.
    pub fn balance_list<'a>(&self, responses: &'a Responses) -> Option<PagedList<'a, Balance>> {
        let part =
            |response: &'a ResponseData| if let ResponseData::Balances(page) = response { Some(page) } else { None };
        let compare = |a: &Balance, b: &Balance| {
            self.balance_sort.map_or(Ordering::Equal, |sort| sort.compare(a, b, &self.balance_prices))
        };
        Some(self.balances.read(responses, self.balances_request()?, part, Some(&compare)))
    }

    /// The loaded inscriptions; `None` if the subject has none.
    pub fn inscription_list<'a>(&self, responses: &'a Responses) -> Option<PagedList<'a, Inscription>> {
        let part = |response: &'a ResponseData| {
            if let ResponseData::Inscriptions(page) = response { Some(page) } else { None }
        };
        Some(self.inscriptions.read(responses, self.inscriptions_request()?, part, None))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::pages::RowOrder;
    use crate::app::screen::indexer::{TokenColumn, TokenSort};
    use crate::app::{Message, Preferences, State, update};
    use crate::client::Request;
    use crate::fetch::{Event, FetchId, Receipt};
    use crate::keymap::Tab;
    use crate::model::{Page, UtcTime};

    const NOW: UtcTime = UtcTime::from_secs(1_795_000_000);

    /// The app with the indexer tab open, counting how often the pages of its tokens were joined.
    struct App {
        state: State,
        fetches: u64,
        order: Arc<RowOrder>,
        joined: usize,
    }

    impl App {
        fn new() -> App {
            let mut state = State::new(Preferences::default(), (120, 40), NOW);
            state.tab = Tab::Indexer;
            let mut app = App { order: Arc::clone(&state.indexer.tokens.order), state, fetches: 0, joined: 0 };
            app.send(Message::Tick);
            app
        }

        fn send(&mut self, message: Message) {
            let _ = update(&mut self.state, message, NOW);
            let order = &self.state.indexer.tokens.order;
            self.joined += usize::from(!Arc::ptr_eq(order, &self.order));
            self.order = Arc::clone(order);
            let read = self.state.indexer.token_list(&self.state.responses);
            assert!(Arc::ptr_eq(read.order(), order), "reading the list for a frame joins nothing");
        }

        fn answer(&mut self, request: Request, response: Option<ResponseData>) {
            self.fetches += 1;
            let fetch_id = FetchId(self.fetches);
            self.send(Message::Fetch(Event::Started { request: request.clone(), fetch_id, at: NOW }));
            let receipt = Receipt { rows: 60, ..Receipt::default() };
            self.send(Message::Fetch(Event::Arrived { request, fetch_id, response: response.map(Arc::new), receipt }));
        }

        fn tokens(&mut self, offset: u64) {
            let token = |n| Brc20Token::new(Text::from(format!("t{n:04}")));
            let items = (offset..offset + 60).map(token).collect();
            let request = self.state.indexer.tokens_request()(offset);
            self.answer(request, Some(ResponseData::Brc20Tokens(Page { items, total: Some(3_000) })));
        }
    }

    #[test]
    fn pages_are_joined_only_when_one_of_them_or_the_order_changes() {
        let mut app = App::new();
        for page in 0..5 {
            app.tokens(page * 60);
            assert_eq!(app.joined, page as usize + 1);
            app.state.indexer.tokens.cursor.select(usize::MAX, 60 * (page as usize + 1), |_| None::<&Brc20Token>);
            app.send(Message::Tick);
        }
        let first = app.state.indexer.tokens_request()(0);
        let joined = app.joined;
        for _ in 0..100 {
            app.send(Message::Tick);
            app.send(Message::Wheel(1, None));
            app.answer(Request::Brc20Token { ticker: "other".into() }, None);
            app.answer(first.clone(), None);
        }
        assert_eq!(app.joined, joined, "nothing changed");
        app.tokens(0);
        assert_eq!(app.joined, joined + 1, "another response");
        app.state.indexer.sort_by(TokenSort::from(TokenColumn::Supply), &app.state.responses);
        app.send(Message::Tick);
        assert_eq!(app.joined, joined + 2, "another order");
        let list = app.state.indexer.token_list(&app.state.responses);
        assert_eq!(list.len(), 300);
    }
}

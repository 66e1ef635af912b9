//! BRC-20 responses.

use super::addresses::AddressId;
use super::ids::Tx;
use super::ledger::Occurrence;
use super::ledger::event::{Action, Event, Holding};
use super::{Moment, map};
use crate::model::{Activity, Amount, Balance, Brc20Token, Holder, Operation, Page, Text};
use crate::service::backend::indexer::{ActivityQuery, BalancesQuery, PageQuery, TokenOrder, TokensQuery};
use crate::service::demo::tokens::{DemoToken, TOKENS};
use crate::service::like::like_prefix;

impl Moment<'_> {
    /// Tokens that match a ticker prefix of the query; all without one.
    pub(crate) fn tokens(&self, query: &TokensQuery, page: PageQuery) -> Page<Brc20Token> {
        let wanted = |token: &DemoToken| matches_any_prefix(token.ticker, &query.tickers);
        let mut found: Vec<Brc20Token> =
            all_tokens().rev().filter(|(_, token)| wanted(token)).filter_map(|(at, _)| self.token_at(at)).collect();
        if query.order == TokenOrder::TxCount {
            found.sort_by_key(|token| std::cmp::Reverse(token.tx_count));
        }
        page.of(found)
    }

    /// A token with its number of holders (case-insensitive).
    pub(crate) fn token(&self, ticker: &str) -> Option<Brc20Token> {
        let (index, _) = find(ticker)?;
        let holdings = self.world.ledger().holdings(index, self.tip);
        let holders = holdings.iter().filter(|holding| holding.overall() > 0).count() as u64;
        Some(Brc20Token { holders: Some(holders), ..self.token_at(index)? })
    }

    /// Current and former holders of a token, largest balance first.
    pub(crate) fn holders(&self, ticker: &str, page: PageQuery) -> Option<Page<Holder>> {
        let (index, _) = find(ticker)?;
        let mut holdings = self.world.ledger().holdings(index, self.tip);
        holdings.retain(|holding| holding.overall() > 0);
        holdings.sort_by_key(|holding| std::cmp::Reverse(holding.overall()));
        let holder = |holding: Holding| Holder {
            address: Some(self.address(holding.address)),
            balance: Some(Amount::from_atoms(holding.overall())),
        };
        Some(map(page.of(holdings), holder))
    }

    /// Balances of an address after a block, filtered by ticker prefix.
    pub(crate) fn balances(&self, query: &BalancesQuery, page: PageQuery) -> Page<Balance> {
        let height = query.block_height.unwrap_or(self.tip).min(self.tip);
        let address = self.world.addresses.find(&query.address);
        let held = all_tokens().filter(|(_, token)| matches_any_prefix(token.ticker, &query.tickers)).filter_map(
            |(at, token)| {
                let holdings = self.world.ledger().holdings(at, height);
                let held = holdings.into_iter().find(|held| Some(held.address) == address && held.overall() > 0)?;
                let amount = |atoms| Some(Amount::from_atoms(atoms));
                Some(Balance {
                    ticker: Some(Text::const_new(token.ticker)),
                    available: amount(held.available),
                    transferable: amount(held.transferable),
                    overall: amount(held.overall()),
                })
            },
        );
        page.of(held.collect())
    }

    /// BRC-20 events, newest first.
    pub(crate) fn activity(&self, query: &ActivityQuery, page: PageQuery) -> Page<Activity> {
        let tokens: Option<Vec<u8>> = (!query.tickers.is_empty()).then(|| {
            let exactly = |token: &DemoToken| query.tickers.iter().any(|ticker| ticker == token.ticker);
            all_tokens().filter(|(_, token)| exactly(token)).map(|(at, _)| at).collect()
        });
        let address = query.address.as_deref().map(|text| self.world.addresses.find(text));
        let wanted = |event: &Event| {
            tokens.as_ref().is_none_or(|tokens| tokens.contains(&event.token))
                && address.is_none_or(|address| address == Some(event.from) || address == Some(event.to))
                && (query.operations.is_empty()
                    || query.operations.iter().any(|word| word == operation(event.action).as_str()))
        };
        let found = match query.block_height {
            Some(height) => page.of(self.world.ledger().of_block(height, self.tip, wanted)),
            None => {
                let (total, items) = self.world.ledger().newest(self.tip, page.offset, page.limit, wanted);
                Page { items, total: Some(total) }
            }
        };
        let items = found.items.iter().filter_map(|occurrence| self.event(occurrence)).collect();
        Page { items, total: found.total }
    }

    fn token_at(&self, index: u8) -> Option<Brc20Token> {
        let token = TOKENS.get(usize::from(index))?;
        let deploy = self.world.ledger().history.iter().find(|e| e.token == index && e.action == Action::Deploy)?;
        let inscribed = self.world.inscriptions().get(u64::from(deploy.inscription), self.world.ledger())?;
        Some(Brc20Token {
            inscription_id: Some(Text::from(self.world.inscription_id(inscribed.index))),
            inscription_number: Some(inscribed.number),
            deployer: Some(self.address(deploy.from)),
            deployed_at: Some(self.world.chain.time(inscribed.height)),
            block_height: Some(inscribed.height),
            tx_id: Some(Text::from(self.world.tx_id(Tx::Genesis, inscribed.index))),
            max_supply: Some(token.supply.max),
            minted_supply: Some(token.minted()),
            mint_limit: token.supply.mint_limit,
            decimals: Some(token.supply.decimals),
            self_mint: Some(token.self_mint),
            tx_count: Some(self.world.ledger().count(index, self.tip)),
            ..Brc20Token::new(Text::const_new(token.ticker))
        })
    }

    fn event(&self, occurrence: &Occurrence<'_>) -> Option<Activity> {
        let Occurrence { event, .. } = *occurrence;
        let token = TOKENS.get(usize::from(event.token))?;
        let height = occurrence.height();
        let index = self.world.inscriptions().of_event(occurrence);
        let tx = if event.action == Action::Send { Tx::Transfer } else { Tx::Genesis };
        let tx_id = self.world.tx_id(tx, index);
        let is = |action| event.action == action;
        let deploys = is(Action::Deploy);
        Some(Activity {
            operation: operation(event.action),
            ticker: Text::const_new(token.ticker),
            amount: (!deploys).then(|| Amount::from_atoms(event.amount)),
            from: (is(Action::Transfer) || is(Action::Send)).then(|| self.address(event.from)),
            to: is(Action::Send).then(|| self.address(event.to)),
            address: Some(self.address(event.to)),
            block_height: Some(height),
            block_hash: Some(Text::from(self.world.chain.hash(height))),
            location: Some(Text::from(format!("{tx_id}:0:0"))),
            tx_id: Some(Text::from(tx_id)),
            inscription_id: Some(Text::from(self.world.inscription_id(index))),
            time: Some(self.world.chain.time(height)),
            max_supply: deploys.then_some(token.supply.max),
            mint_limit: token.supply.mint_limit.filter(|_| deploys),
            decimals: deploys.then_some(token.supply.decimals),
        })
    }

    fn address(&self, id: AddressId) -> Text {
        Text::from(self.world.addresses.get(id))
    }
}

fn all_tokens() -> impl DoubleEndedIterator<Item = (u8, &'static DemoToken)> {
    TOKENS.iter().enumerate().map(|(at, token)| (at as u8, token))
}

fn find(ticker: &str) -> Option<(u8, &'static DemoToken)> {
    let ticker = ticker.to_lowercase();
    all_tokens().find(|(_, token)| token.ticker == ticker)
}

fn matches_any_prefix(ticker: &str, wanted: &[String]) -> bool {
    wanted.is_empty() || wanted.iter().any(|pattern| like_prefix(ticker, pattern))
}

fn operation(action: Action) -> Operation {
    match action {
        Action::Deploy => Operation::Deploy,
        Action::Mint => Operation::Mint,
        Action::Transfer => Operation::Transfer,
        Action::Send => Operation::TransferSend,
    }
}

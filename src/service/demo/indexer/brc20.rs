//! The BRC-20 answers.

use super::answer::{
    Deploy, Mint, Paged, Token, TokenActivity, TokenBalance, TokenDetails, TokenHolder, TokenSupply, Transfer,
    TransferSend,
};
use super::ids::Tx;
use super::ledger::{Action, Event, Holding, Occurrence};
use super::pattern::like_prefix;
use super::{Moment, Page};
use crate::model::Amount;
use crate::service::demo::tokens::{DemoToken, TOKENS};

/// How a list of tokens is ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TokenOrder {
    /// The newest deploy first.
    #[default]
    Index,
    /// The most events first.
    TxCount,
}

/// Which events are wanted. An empty list wants all.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActivityFilter {
    /// Of these tickers, spelt exactly.
    pub(crate) tickers: Vec<String>,
    /// In this block.
    pub(crate) block_height: Option<u64>,
    /// With these operations.
    pub(crate) operations: Vec<String>,
    /// From or to this address.
    pub(crate) address: Option<String>,
}

impl Moment<'_> {
    /// The tokens whose tickers begin like one of `tickers`; all where there are none.
    pub(crate) fn tokens(&self, tickers: &[String], order: TokenOrder, page: Page) -> Paged<Token> {
        let wanted = |token: &DemoToken| begins_like_one(token.ticker, tickers);
        let mut found: Vec<Token> =
            all_tokens().rev().filter(|(_, token)| wanted(token)).filter_map(|(at, _)| self.token(at)).collect();
        if order == TokenOrder::TxCount {
            found.sort_by_key(|token| std::cmp::Reverse(token.tx_count));
        }
        page.of(found).total_from_rows()
    }

    /// A token and its supply; its ticker in any case.
    pub(crate) fn token_details(&self, ticker: &str) -> Option<TokenDetails> {
        let (index, _) = find(ticker)?;
        let token = self.token(index)?;
        let holdings = self.world.ledger.holdings(index, self.tip);
        let supply = TokenSupply {
            max_supply: token.max_supply.clone(),
            minted_supply: token.minted_supply.clone(),
            holders: holdings.iter().filter(|holding| holding.overall() > 0).count() as u64,
        };
        Some(TokenDetails { token, supply })
    }

    /// Who holds or once held a token, the richest first.
    pub(crate) fn holders(&self, ticker: &str, page: Page) -> Option<Paged<TokenHolder>> {
        let (index, token) = find(ticker)?;
        let mut holdings = self.world.ledger.holdings(index, self.tip);
        holdings.sort_by_key(|holding| std::cmp::Reverse(holding.overall()));
        let holder = |holding: Holding| TokenHolder {
            address: self.world.addresses.get(holding.address).to_owned(),
            overall_balance: decimal(holding.overall(), token.supply.decimals),
        };
        Some(page.of(holdings).total_from_rows().map(holder))
    }

    /// What an address holds of the tokens whose tickers begin like one of `tickers`, after a block.
    pub(crate) fn balances(
        &self,
        address: &str,
        tickers: &[String],
        block_height: Option<u64>,
        page: Page,
    ) -> Paged<TokenBalance> {
        let height = block_height.unwrap_or(self.tip).min(self.tip);
        let address = self.world.addresses.find(address);
        let held =
            all_tokens().filter(|(_, token)| begins_like_one(token.ticker, tickers)).filter_map(|(at, token)| {
                let holdings = self.world.ledger.holdings(at, height);
                let held = holdings.into_iter().find(|held| Some(held.address) == address && held.overall() > 0)?;
                let text = |atoms| decimal(atoms, token.supply.decimals);
                Some(TokenBalance {
                    ticker: token.ticker,
                    available_balance: text(held.available),
                    transferrable_balance: text(held.transferable),
                    overall_balance: text(held.overall()),
                })
            });
        page.of(held.collect()).total_from_rows()
    }

    /// What happened, newest first.
    pub(crate) fn activity(&self, filter: &ActivityFilter, page: Page) -> Paged<TokenActivity> {
        let tokens: Option<Vec<u8>> = (!filter.tickers.is_empty()).then(|| {
            let exactly = |token: &DemoToken| filter.tickers.iter().any(|ticker| ticker == token.ticker);
            all_tokens().filter(|(_, token)| exactly(token)).map(|(at, _)| at).collect()
        });
        let address = filter.address.as_deref().map(|text| self.world.addresses.find(text));
        let wanted = |event: &Event| {
            tokens.as_ref().is_none_or(|tokens| tokens.contains(&event.token))
                && address.is_none_or(|address| address == Some(event.from) || address == Some(event.to))
                && (filter.operations.is_empty()
                    || filter.operations.iter().any(|word| word == operation(event.action)))
        };
        let found = match filter.block_height {
            Some(height) => page.of(self.world.ledger.of_block(height, self.tip, wanted)),
            None => {
                let (total, found) = self.world.ledger.newest(self.tip, page.offset, page.limit, wanted);
                page.with(total, found)
            }
        };
        found.total_from_rows().map(|occurrence| self.event(&occurrence))
    }

    fn token(&self, index: u8) -> Option<Token> {
        let token = TOKENS.get(usize::from(index))?;
        let deploy = self.world.ledger.history.iter().find(|e| e.token == index && e.action == Action::Deploy)?;
        let inscribed = self.world.inscriptions.get(u64::from(deploy.inscription), &self.world.ledger)?;
        let decimals = token.supply.decimals;
        Some(Token {
            id: self.world.ids.inscription(inscribed.index),
            number: inscribed.number,
            block_height: inscribed.height,
            tx_id: self.world.ids.tx(Tx::Genesis, inscribed.index),
            address: self.world.addresses.get(deploy.from).to_owned(),
            ticker: token.ticker,
            max_supply: decimal(token.supply.max.atoms(), decimals),
            mint_limit: mint_limit(token),
            decimals,
            deploy_timestamp: self.world.chain.time(inscribed.height).millis(),
            minted_supply: decimal(token.minted().atoms(), decimals),
            tx_count: self.world.ledger.count(index, self.tip),
            self_mint: token.self_mint,
        })
    }

    fn event(&self, occurrence: &Occurrence<'_>) -> TokenActivity {
        let Occurrence { event, .. } = *occurrence;
        let Some(token) = TOKENS.get(usize::from(event.token)) else { return TokenActivity::default() };
        let height = occurrence.height();
        let index = self.world.inscriptions.of_event(occurrence);
        let tx = if event.action == Action::Send { Tx::Move } else { Tx::Genesis };
        let tx_id = self.world.ids.tx(tx, index);
        let amount = || decimal(event.amount, token.supply.decimals);
        let address = |id| self.world.addresses.get(id).to_owned();
        let is = |action| event.action == action;
        TokenActivity {
            operation: operation(event.action),
            ticker: token.ticker,
            inscription_id: self.world.ids.inscription(index),
            block_height: height,
            block_hash: self.world.chain.hash(height),
            location: format!("{tx_id}:0:0"),
            tx_id,
            address: address(event.to),
            timestamp: self.world.chain.time(height).millis(),
            deploy: is(Action::Deploy).then(|| Deploy {
                max_supply: decimal(token.supply.max.atoms(), token.supply.decimals),
                mint_limit: mint_limit(token),
                decimals: token.supply.decimals,
            }),
            mint: is(Action::Mint).then(|| Mint { amount: Some(amount()) }),
            transfer: is(Action::Transfer).then(|| Transfer { amount: amount(), from_address: address(event.from) }),
            transfer_send: is(Action::Send).then(|| TransferSend {
                amount: amount(),
                from_address: address(event.from),
                to_address: address(event.to),
            }),
        }
    }
}

/// An amount in 10^-18 as decimal text with exactly so many fractional digits.
pub(super) fn decimal(atoms: u128, decimals: u8) -> String {
    const UNIT: u128 = Amount::UNIT.atoms();
    let decimals = decimals.min(18);
    let fraction = atoms % UNIT / 10u128.pow(18 - u32::from(decimals));
    match decimals {
        0 => (atoms / UNIT).to_string(),
        _ => format!("{}.{fraction:0width$}", atoms / UNIT, width = usize::from(decimals)),
    }
}

fn mint_limit(token: &DemoToken) -> Option<String> {
    token.supply.mint_limit.map(|limit: Amount| decimal(limit.atoms(), token.supply.decimals))
}

fn all_tokens() -> impl DoubleEndedIterator<Item = (u8, &'static DemoToken)> {
    TOKENS.iter().enumerate().map(|(at, token)| (at as u8, token))
}

fn find(ticker: &str) -> Option<(u8, &'static DemoToken)> {
    let ticker = ticker.to_lowercase();
    all_tokens().find(|(_, token)| token.ticker == ticker)
}

fn begins_like_one(ticker: &str, wanted: &[String]) -> bool {
    wanted.is_empty() || wanted.iter().any(|pattern| like_prefix(ticker, pattern))
}

fn operation(action: Action) -> &'static str {
    match action {
        Action::Deploy => "deploy",
        Action::Mint => "mint",
        Action::Transfer => "transfer",
        Action::Send => "transfer_send",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_exactly_their_decimals() {
        let unit = 10u128.pow(18);
        assert_eq!(decimal(100 * unit, 0), "100");
        assert_eq!(decimal(1, 18), "0.000000000000000001");
        assert_eq!(decimal(u128::from(u64::MAX) * unit, 18), "18446744073709551615.000000000000000000");
        assert_eq!(decimal(25 * unit + unit / 2, 2), "25.50");
        assert_eq!(decimal(0, 1), "0.0");
    }
}

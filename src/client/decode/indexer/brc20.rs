//! BRC-20 tokens, holders and balances.

use super::amount::{amount, complete};
use crate::client::decode::envelope::Spec;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Found, Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::text::{escape_ticker, unescape_ticker};
use crate::model::{Amount, Balance, Brc20Token, Holder, Text};

pub(super) const TOKENS: Spec = Spec {
    lists: &["detail", "tokens"],
    marks: &["token", "ticker", "tick", "supply", "max_supply", "minted_supply", "total_minted"],
    kind: Kind::Token,
};

pub(super) const HOLDERS: Spec = Spec {
    lists: &["detail", "holders", "unused_txes"],
    marks: &["address", "wallet", "overall_balance"],
    kind: Kind::Balance,
};

pub(super) const BALANCES: Spec =
    Spec { lists: &["detail", "balances"], marks: &["ticker", "tick"], kind: Kind::Balance };

names! {
    enum TokenField {
        Ticker = ["ticker", "tick", "original_ticker"],
        Id = ["inscription_id", "id", "deploy_inscr_id", "deploy_inscription_id"],
        Number = ["inscription_number", "number", "deploy_incr_number"],
        Deployer = ["deployer", "creator", "address", "deployer_address"],
        DeployedAt = ["deploy_timestamp", "deploy_ts", "deploy_blocktime", "deployed_at", "timestamp"],
        BlockHeight = ["block_height", "deploy_height", "deploy_block_height"],
        TxId = ["tx_id", "txid"],
        MaxSupply = ["max_supply", "max"],
        Minted = ["minted_supply", "total_minted", "minted"],
        MintLimit = ["mint_limit", "limit_per_mint", "limit", "lim"],
        Decimals = ["decimals", "decimal", "dec"],
        SelfMint = ["self_mint", "is_self_mint"],
        TxCount = ["tx_count", "history_count"],
        Holders = ["holders", "holder_count", "holders_count"],
    }
}

/// Reads tokens: bare, or as `{token, supply}` with what the details add, or only by their ticker.
pub(super) struct TokenReader {
    token: Lookup<TokenField>,
    supply: Lookup<TokenField>,
}

impl TokenReader {
    pub(super) fn new() -> TokenReader {
        TokenReader { token: Lookup::new(), supply: Lookup::new() }
    }

    /// A token; `asked` is the ticker where only one was asked for.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        item: Value<'_>,
        asked: Option<&Text>,
    ) -> Option<Brc20Token> {
        if item.str().is_some() {
            return Some(Brc20Token::new(context.ticker(Some(item))?));
        }
        let part = |name: &str| item.get(name).filter(Value::is_object);
        let token = self.token.read(part("token").unwrap_or(item));
        let supply = part("supply").map(|supply| self.supply.read(supply));
        if token.is_empty() && supply.as_ref().is_none_or(Found::is_empty) {
            return None;
        }
        // The details count again what the token says, so they come first where both speak.
        let get = |field: TokenField| supply.as_ref().and_then(|supply| supply.get(field)).or_else(|| token.get(field));

        let own = context.ticker(token.get(TokenField::Ticker));
        let is_named = own.is_some();
        let read = Brc20Token {
            inscription_id: context.text(token.get(TokenField::Id)),
            inscription_number: context.i64(token.get(TokenField::Number)),
            deployer: context.text(token.get(TokenField::Deployer)),
            deployed_at: context.time(token.get(TokenField::DeployedAt)),
            block_height: context.u64(token.get(TokenField::BlockHeight)),
            tx_id: context.text(token.get(TokenField::TxId)),
            max_supply: amount(context, get(TokenField::MaxSupply)),
            minted_supply: amount(context, get(TokenField::Minted)),
            mint_limit: amount(context, token.get(TokenField::MintLimit)),
            decimals: decimals(context, token.get(TokenField::Decimals)),
            self_mint: context.bool(token.get(TokenField::SelfMint)),
            tx_count: context.u64(token.get(TokenField::TxCount)),
            holders: context.u64(get(TokenField::Holders)),
            ..Brc20Token::new(own.or_else(|| asked.map(|asked| harmless(asked.as_str())))?)
        };
        // Without a name of its own it must say something that only a token has.
        let is_token = [read.max_supply, read.minted_supply, read.mint_limit].iter().any(Option::is_some);
        (is_named || is_token || read.holders.is_some()).then_some(read)
    }
}

/// Whether two tickers name the same token: BRC-20 knows no case.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    unescape_ticker(a).to_lowercase() == unescape_ticker(b).to_lowercase()
}

/// The ticker that was asked for, as one that came from outside: somebody may have typed or pasted anything.
pub(super) fn harmless(asked: &str) -> Text {
    Text::from(escape_ticker(&unescape_ticker(asked)))
}

/// Decimals of a token: BRC-20 has at most 18.
pub(super) fn decimals(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<u8> {
    let number = context.u64(value)?;
    let decimals = u8::try_from(number).ok().filter(|decimals| *decimals <= 18);
    if let (None, Some(value)) = (decimals, value) {
        context.unreadable(value, "decimals from 0 to 18");
    }
    decimals
}

names! {
    enum BalanceField {
        Ticker = ["ticker", "tick"],
        Address = ["address", "wallet", "owner"],
        Available = ["available_balance", "available"],
        Transferable = ["transferrable_balance", "transferable_balance", "transferable", "transferrable", "transfer_balance"],
        Overall = ["overall_balance", "overall", "balance", "total_balance", "amount"],
    }
}

/// Reads holders.
pub(super) struct HolderReader(Lookup<BalanceField>);

impl HolderReader {
    pub(super) fn new() -> HolderReader {
        HolderReader(Lookup::new())
    }

    pub(super) fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<Holder> {
        let found = self.0.read(item);
        let address = context.text(found.get(BalanceField::Address))?;
        let (_, _, balance) = amounts(context, &found);
        Some(Holder { address, balance })
    }
}

/// Reads balances.
pub(super) struct BalanceReader(Lookup<BalanceField>);

impl BalanceReader {
    pub(super) fn new() -> BalanceReader {
        BalanceReader(Lookup::new())
    }

    pub(super) fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<Balance> {
        let found = self.0.read(item);
        let ticker = context.ticker(found.get(BalanceField::Ticker))?;
        let (available, transferable, overall) = amounts(context, &found);
        Some(Balance { ticker, available, transferable, overall })
    }
}

fn amounts(
    context: &mut Context<'_>,
    found: &Found<'_, '_, BalanceField>,
) -> (Option<Amount>, Option<Amount>, Option<Amount>) {
    let available = amount(context, found.get(BalanceField::Available));
    let transferable = amount(context, found.get(BalanceField::Transferable));
    let overall = amount(context, found.get(BalanceField::Overall));
    complete(available, transferable, overall)
}

//! BRC-20 tokens, holders and balances.

use std::ops::RangeInclusive;

use super::amount::{amount, complete};
use super::block;
use super::ids::{inscription_id, tx_id};
use super::unit::Unit;
use crate::client::decode::envelope::{Key, Spec};
use crate::client::decode::field_name::same_name;
use crate::client::decode::identity;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Found, Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::text::unescape_ticker;
use crate::model::{Amount, Balance, Brc20Token, Holder, Text, is_inscription_id};

pub(super) const TOKENS: Spec = Spec {
    // UniSat; our own; OKX.
    lists: &["detail", "tokens", "token_list"],
    marks: &["token", "ticker", "tick", "supply", "max_supply", "minted_supply", "total_minted"],
    kind: Kind::Token,
};

pub(super) const HOLDERS: Spec = Spec {
    // UniSat; our own; OPI (a typo of theirs); OKX.
    lists: &["detail", "holders", "unused_txes", "position_list"],
    marks: &["address", "wallet", "overall_balance"],
    kind: Kind::Balance,
};

pub(super) const BALANCES: Spec = Spec {
    // UniSat; Xverse; UniSat's wallet, which also lists transfer inscriptions; OKX; wallets that also list runes.
    lists: &["detail", "balances", "token_balance", "balance_list", "brc20"],
    marks: &["ticker", "tick", "overall_balance", "available_balance"],
    kind: Kind::Balance,
};

names! {
    enum TokenField {
        /// Hiro, UniSat, Best in Slot, Xverse; GeniiData and the inscription itself; OKX; Best in Slot,
        /// case-preserving.
        Ticker = ["ticker", "tick", "token", "original_ticker"],
        /// UniSat, OKX, Xverse, GeniiData; Hiro; Best in Slot; OKX's list; Maestro.
        Id = ["inscription_id", "id", "deploy_inscr_id", "token_inscription_id", "deploy_inscription"],
        /// UniSat, OKX, GeniiData; Hiro; Best in Slot.
        Number = ["inscription_number", "number", "deploy_incr_number"],
        /// GeniiData; UniSat; Hiro; OKX.
        Deployer = ["deployer", "creator", "address", "deploy_address"],
        /// Hiro; Best in Slot; UniSat; OKX, GeniiData; own.
        DeployedAt = ["deploy_timestamp", "deploy_ts", "deploy_blocktime", "deploy_time", "deployed_at"],
        /// Hiro, Xverse; UniSat, OKX.
        BlockHeight = ["block_height", "deploy_height"],
        /// Hiro, UniSat, Xverse, OKX.
        TxId = ["tx_id"],
        /// Hiro, Best in Slot, Xverse; UniSat, GeniiData, Maestro, the inscription; OKX.
        MaxSupply = ["max_supply", "max", "total_supply"],
        /// Hiro, Best in Slot; UniSat; UniSat, GeniiData; OKX.
        Minted = ["minted_supply", "total_minted", "minted", "mint_amount"],
        /// Hiro, Xverse; Best in Slot, OKX; UniSat, GeniiData, Maestro; the inscription.
        MintLimit = ["mint_limit", "limit_per_mint", "limit", "lim"],
        /// Hiro, Best in Slot, Xverse, GeniiData; UniSat; OKX; Maestro, the inscription.
        Decimals = ["decimals", "decimal", "precision", "dec"],
        /// Hiro, Maestro, the inscription; Best in Slot, Xverse.
        SelfMint = ["self_mint", "is_self_mint"],
        /// Hiro, Best in Slot; UniSat; OKX; GeniiData.
        TxCount = ["tx_count", "history_count", "transaction_count", "transactions"],
        /// Hiro, GeniiData; Best in Slot; UniSat; OKX.
        Holders = ["holders", "holder_count", "holders_count", "holder"],
    }
}

/// Words of four to six letters that are keys of parts of a token, not tickers.
const PARTS: [&str; 9] = ["info", "basic", "stats", "extra", "detail", "brc20", "price", "market", "mint"];

/// Lengths of tickers in bytes.
pub(super) const TICKER_LENGTHS: RangeInclusive<usize> = 4..=6;

/// Whether the key of a token in a map is its ticker, not an id or the name of a part.
fn is_ticker(key: &Key<'_>) -> bool {
    let may_be_ticker = TICKER_LENGTHS.contains(&key.name.len()) && !identity::is_number(key.name);
    may_be_ticker && !key.is_shared && !key.is_id && !PARTS.contains(&key.name)
}

/// Reads tokens: plain objects, `{token, supply}` (Hiro's details), with `terms` (Maestro), tickers only, or objects by
/// ticker.
pub(super) struct TokenReader {
    token: Lookup<TokenField>,
    supply: Lookup<TokenField>,
    unit: Unit,
    /// Number of tokens without a ticker.
    pub(super) unnamed: usize,
}

impl TokenReader {
    pub(super) fn new(unit: Unit) -> TokenReader {
        TokenReader { token: Lookup::new(), supply: Lookup::new(), unit, unnamed: 0 }
    }

    /// Reads a token; `requested` is the ticker if a single token was requested.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
        requested: Option<&Text>,
    ) -> Option<Brc20Token> {
        if item.str().is_some() {
            return Some(Brc20Token::new(context.ticker(Some(item))?));
        }
        // A page of OKX's lists has a limit, too.
        if item.get("total_page").is_some() {
            return None;
        }
        let unit = self.unit;
        let part = |name: &str| item.get(name).filter(Value::is_object);
        let token = self.token.read(part("token").unwrap_or(item));
        let supply = part("supply").or(part("terms")).map(|supply| self.supply.read(supply));
        if token.is_empty() && supply.as_ref().is_none_or(Found::is_empty) {
            return None;
        }
        // Both objects may contain a field; the details are more current.
        let get = |field: TokenField| supply.as_ref().and_then(|supply| supply.get(field)).or_else(|| token.get(field));

        let own = context.ticker(token.get(TokenField::Ticker));
        let is_other = |key: &Key<'_>| requested.is_none_or(|requested| !is_same(key.name, requested));
        let key = key.filter(|key| own.is_none() && is_ticker(key) && is_other(key));
        let own = own.or_else(|| Some(context.own_ticker(key?.name)));
        let is_named = own.is_some();
        let read = Brc20Token {
            inscription_id: context.text(token.get(TokenField::Id)).and_then(|id| {
                // Any table has an `id`.
                inscription_id(id).filter(|id| token.name(TokenField::Id) != Some("id") || is_inscription_id(id))
            }),
            inscription_number: context.i64(token.get(TokenField::Number)),
            deployer: context.text(token.get(TokenField::Deployer)),
            deployed_at: context.time(token.get(TokenField::DeployedAt)),
            block_height: block::height(context, token.get(TokenField::BlockHeight)).0,
            tx_id: context.text(token.get(TokenField::TxId)).and_then(tx_id),
            max_supply: amount(context, get(TokenField::MaxSupply), unit),
            minted_supply: amount(context, get(TokenField::Minted), unit),
            mint_limit: amount(context, get(TokenField::MintLimit), unit),
            decimals: decimals(context, get(TokenField::Decimals)),
            self_mint: context.bool(get(TokenField::SelfMint)),
            tx_count: context.u64(token.get(TokenField::TxCount)),
            holders: context.u64(get(TokenField::Holders)),
            ..Brc20Token::new(own.or_else(|| requested.map(|requested| harmless(context, requested.as_str())))?)
        };
        let read = with_plausible_supply(context, item, read);
        // Without a ticker, a field that only tokens have is required.
        if key.is_some() && read.max_supply.or(read.minted_supply).is_none() {
            return None;
        }
        let is_token = [read.max_supply, read.minted_supply, read.mint_limit].iter().any(Option::is_some);
        let is_read = is_named || is_token || read.holders.is_some();
        self.unnamed += usize::from(is_read && !is_named);
        is_read.then_some(read)
    }
}

/// The token without a minted supply above its max supply. A max supply of 0 means that there is none.
fn with_plausible_supply(context: &mut Context<'_>, item: Value<'_>, token: Brc20Token) -> Brc20Token {
    let most = token.max_supply.filter(|most| *most > Amount::default());
    let Some((minted, most)) = token.minted_supply.zip(most).filter(|(minted, most)| minted > most) else {
        return token;
    };
    context.warn_at(item, || format!("minted supply of {minted} exceeds the max supply of {most}"));
    Brc20Token { minted_supply: None, ..token }
}

/// Whether two tickers are the same token. BRC-20 tickers are case-insensitive.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    unescape_ticker(a).to_lowercase() == unescape_ticker(b).to_lowercase()
}

/// Cleans the requested ticker like one from a response: it may contain anything that was typed or pasted.
pub(super) fn harmless(context: &Context<'_>, requested: &str) -> Text {
    context.own_ticker(&unescape_ticker(requested))
}

/// Reads the decimals of a token, at most 18.
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
        /// Hiro, UniSat, Best in Slot; OPI, Best in Slot on a block; OKX; wallets.
        Ticker = ["ticker", "tick", "token", "symbol"],
        /// Hiro, UniSat; OPI, Best in Slot; OKX; proxies.
        Address = ["address", "wallet", "holder_address", "holder", "owner"],
        /// Hiro, UniSat, Best in Slot, OPI, OKX; Maestro, own.
        Available = ["available_balance", "available"],
        /// Hiro, Best in Slot; UniSat; OKX, UniSat's history; own.
        Transferable = ["transferrable_balance", "transferable_balance", "transfer_balance", "transferable"],
        /// Hiro, UniSat, Best in Slot, OPI; own; OKX, Best in Slot on a block, Maestro; OKX's holders; wallets; Maestro;
        /// proxies.
        Overall = ["overall_balance", "overall", "balance", "amount", "amt", "total", "quantity"],
        /// An inscription of a transfer.
        Inscription = ["inscription_id"],
    }
}

/// Whether a key may be an address or a script: longer than names of fields and tickers.
fn is_address(key: &str) -> bool {
    key.len() >= MIN_ADDRESS && key.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Minimum length of an address in bytes.
const MIN_ADDRESS: usize = 20;

/// Field names of a holder's address.
const HOLDER: &[&str] = &["address", "wallet", "pkscript"];

/// The fields of holders and balances.
#[derive(Default)]
pub(super) struct Holding {
    /// The token.
    pub(super) ticker: Option<Text>,
    /// The holder.
    pub(super) address: Option<Text>,
    available: Option<Amount>,
    transferable: Option<Amount>,
    overall: Option<Amount>,
    /// Whether the ticker is unreadable.
    has_bad_ticker: bool,
    /// Whether it has no known field with an amount.
    pub(super) lacks_amounts: bool,
}

/// Reads holders and balances.
pub(super) struct HoldingReader {
    fields: Lookup<BalanceField>,
    unit: Unit,
}

impl HoldingReader {
    pub(super) fn new(unit: Unit) -> HoldingReader {
        HoldingReader { fields: Lookup::new(), unit }
    }

    /// Reads a holder: an address, or a balance without one (Hiro writes `""` for burned tokens). The key may be the
    /// address.
    pub(super) fn holder(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<Holding> {
        let key = key.filter(|key| !key.is_shared && is_address(key.name));
        let mut held = match key.filter(|_| !item.is_object()) {
            Some(_) => Holding { overall: amount(context, Some(item), self.unit), ..Holding::default() },
            None => self.read(context, item)?,
        };
        held.address = held.address.or_else(|| context.key(key?.name));
        let has_place = || item.fields().any(|(key, _)| HOLDER.iter().any(|name| same_name(name, key.raw())));
        (held.address.is_some() || held.overall.is_some() && has_place()).then_some(held)
    }

    /// Reads a balance, with or without a ticker (OPI's has none). Maestro's balances are keyed by ticker, and some are
    /// only an amount. A balance of an unreadable ticker is unreadable itself.
    pub(super) fn balance(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<Holding> {
        let mut held = match key.filter(|_| !item.is_object()) {
            Some(_) => Holding { overall: amount(context, Some(item), self.unit), ..Holding::default() },
            None => self.read(context, item)?,
        };
        let key = key.filter(|key| !key.is_shared && !key.name.is_empty());
        held.ticker = held.ticker.or_else(|| key.map(|key| context.own_ticker(key.name)));
        (held.ticker.is_some() || !held.lacks_amounts && !held.has_bad_ticker).then_some(held)
    }

    fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<Holding> {
        let found = self.fields.read(item);
        let has = |field| found.get(field).is_some();
        // A transfer inscription, which is part of a balance.
        if has(BalanceField::Inscription) && !has(BalanceField::Available) && item.get("overall_balance").is_none() {
            return None;
        }
        let token = found.get(BalanceField::Ticker);
        let named = token.filter(Value::is_object).and_then(|token| token.any(&["ticker", "tick", "symbol"]));
        let ticker = context.ticker(named.or(token));
        let address = context.text(found.get(BalanceField::Address));
        let has_bad_ticker = ticker.is_none() && has(BalanceField::Ticker);
        let has_amounts = has(BalanceField::Available) || has(BalanceField::Transferable) || has(BalanceField::Overall);
        let mut read = |field| amount(context, found.get(field), self.unit);
        let available = read(BalanceField::Available);
        let transferable = read(BalanceField::Transferable);
        let (available, transferable, overall) = complete(available, transferable, read(BalanceField::Overall));
        let lacks_amounts = !has_amounts;
        Some(Holding { ticker, address, available, transferable, overall, has_bad_ticker, lacks_amounts })
    }
}

impl From<Holding> for Holder {
    fn from(held: Holding) -> Holder {
        Holder { address: held.address, balance: held.overall }
    }
}

impl From<Holding> for Balance {
    fn from(held: Holding) -> Balance {
        let Holding { ticker, available, transferable, overall, .. } = held;
        Balance { ticker, available, transferable, overall }
    }
}

//! BRC-20 tokens, holders, balances and activity.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::Millis;
use crate::model::{Activity, Amount, Balance, Brc20Token, Holder, Operation};

/// A BRC-20 token.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
pub(in crate::service) struct TokenJson<'a> {
    /// Deploy inscription.
    #[schema(required)]
    id: Option<&'a str>,
    /// Number of the deploy inscription.
    #[schema(required)]
    number: Option<i64>,
    /// Block of the deploy.
    #[schema(required)]
    block_height: Option<u64>,
    /// Transaction of the deploy.
    #[schema(required)]
    tx_id: Option<&'a str>,
    /// Deployer.
    #[schema(required)]
    address: Option<&'a str>,
    /// Ticker in lower case.
    ticker: &'a str,
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Mint limit; `null` if there is none.
    #[schema(required, value_type = Option<String>)]
    mint_limit: Option<Amount>,
    /// Decimals, 0 to 18.
    #[schema(required)]
    decimals: Option<u8>,
    /// Time of the deploy, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    deploy_timestamp: Option<Millis>,
    /// Minted supply.
    #[schema(required, value_type = Option<String>)]
    minted_supply: Option<Amount>,
    /// Number of events.
    #[schema(required)]
    tx_count: Option<u64>,
    /// Whether only the deployer can mint.
    #[schema(required)]
    self_mint: Option<bool>,
}

impl<'a> From<&'a Brc20Token> for TokenJson<'a> {
    fn from(token: &'a Brc20Token) -> TokenJson<'a> {
        TokenJson {
            id: token.inscription_id.as_deref(),
            number: token.inscription_number,
            block_height: token.block_height,
            tx_id: token.tx_id.as_deref(),
            address: token.deployer.as_deref(),
            ticker: &token.ticker,
            max_supply: token.max_supply,
            mint_limit: token.mint_limit,
            decimals: token.decimals,
            deploy_timestamp: token.deployed_at.map(Millis),
            minted_supply: token.minted_supply,
            tx_count: token.tx_count,
            self_mint: token.self_mint,
        }
    }
}

/// A token and its supply.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenDetails)]
pub(in crate::service) struct TokenDetailsJson<'a> {
    /// The token.
    token: TokenJson<'a>,
    /// The supply of the token.
    supply: TokenSupply,
}

/// The supply of a token.
#[derive(Serialize, ToSchema)]
struct TokenSupply {
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Minted supply.
    #[schema(required, value_type = Option<String>)]
    minted_supply: Option<Amount>,
    /// Number of holders.
    #[schema(required)]
    holders: Option<u64>,
}

impl<'a> From<&'a Brc20Token> for TokenDetailsJson<'a> {
    fn from(token: &'a Brc20Token) -> TokenDetailsJson<'a> {
        let supply =
            TokenSupply { max_supply: token.max_supply, minted_supply: token.minted_supply, holders: token.holders };
        TokenDetailsJson { token: TokenJson::from(token), supply }
    }
}

/// A current or former holder of a token.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenHolder)]
pub(in crate::service) struct HolderJson<'a> {
    /// The holder; `null` for burned supply.
    #[schema(required)]
    address: Option<&'a str>,
    /// Overall balance.
    #[schema(required, value_type = Option<String>)]
    overall_balance: Option<Amount>,
}

impl<'a> From<&'a Holder> for HolderJson<'a> {
    fn from(holder: &'a Holder) -> HolderJson<'a> {
        HolderJson { address: holder.address.as_deref(), overall_balance: holder.balance }
    }
}

/// The balance of an address in one token.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenBalance)]
pub(in crate::service) struct BalanceJson<'a> {
    /// The token; `null` if the provider doesn't name it.
    #[schema(required)]
    ticker: Option<&'a str>,
    /// Available balance.
    #[schema(required, value_type = Option<String>)]
    available_balance: Option<Amount>,
    /// Balance in unsent transfer inscriptions.
    #[schema(required, value_type = Option<String>)]
    transferrable_balance: Option<Amount>,
    /// Overall balance.
    #[schema(required, value_type = Option<String>)]
    overall_balance: Option<Amount>,
}

impl<'a> From<&'a Balance> for BalanceJson<'a> {
    fn from(balance: &'a Balance) -> BalanceJson<'a> {
        BalanceJson {
            ticker: balance.ticker.as_deref(),
            available_balance: balance.available,
            transferrable_balance: balance.transferable,
            overall_balance: balance.overall,
        }
    }
}

/// An event of a token. Of `deploy`, `mint`, `transfer` and `transfer_send`, only the one given by `operation` is
/// present.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenActivity)]
pub(in crate::service) struct ActivityJson<'a> {
    /// `deploy`, `mint`, `transfer` or `transfer_send`.
    operation: &'a str,
    /// The token.
    ticker: &'a str,
    /// The inscription of the event.
    #[schema(required)]
    inscription_id: Option<&'a str>,
    /// Height of the block.
    #[schema(required)]
    block_height: Option<u64>,
    /// Hash of the block.
    #[schema(required)]
    block_hash: Option<&'a str>,
    /// The transaction.
    #[schema(required)]
    tx_id: Option<&'a str>,
    /// `txid:vout:offset`.
    #[schema(required)]
    location: Option<&'a str>,
    /// The receiver, or the acting address if there is none.
    #[schema(required)]
    address: Option<&'a str>,
    /// Time of the block, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    timestamp: Option<Millis>,
    /// Details of a deploy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deploy: Option<Deploy>,
    /// Details of a mint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mint: Option<Mint>,
    /// Details of a transfer inscription.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transfer: Option<Transfer<'a>>,
    /// Details of a sent transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transfer_send: Option<TransferSend<'a>>,
}

/// The terms of a deploy.
#[derive(Serialize, ToSchema)]
struct Deploy {
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Mint limit.
    #[schema(required, value_type = Option<String>)]
    mint_limit: Option<Amount>,
    /// Decimals, 0 to 18.
    #[schema(required)]
    decimals: Option<u8>,
}

/// A mint.
#[derive(Serialize, ToSchema)]
struct Mint {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
}

/// A transfer inscription.
#[derive(Serialize, ToSchema)]
struct Transfer<'a> {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
    /// Owner.
    #[schema(required)]
    from_address: Option<&'a str>,
}

/// A sent transfer.
#[derive(Serialize, ToSchema)]
struct TransferSend<'a> {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
    /// Sender.
    #[schema(required)]
    from_address: Option<&'a str>,
    /// Receiver.
    #[schema(required)]
    to_address: Option<&'a str>,
}

impl<'a> From<&'a Activity> for ActivityJson<'a> {
    fn from(event: &'a Activity) -> ActivityJson<'a> {
        let is = |operation| event.operation == operation;
        let (amount, from_address) = (event.amount, event.from.as_deref());
        ActivityJson {
            operation: event.operation.as_str(),
            ticker: &event.ticker,
            inscription_id: event.inscription_id.as_deref(),
            block_height: event.block_height,
            block_hash: event.block_hash.as_deref(),
            tx_id: event.tx_id.as_deref(),
            location: event.location.as_deref(),
            address: event.address.as_deref(),
            timestamp: event.time.map(Millis),
            deploy: is(Operation::Deploy).then_some(Deploy {
                max_supply: event.max_supply,
                mint_limit: event.mint_limit,
                decimals: event.decimals,
            }),
            mint: is(Operation::Mint).then_some(Mint { amount }),
            transfer: is(Operation::Transfer).then_some(Transfer { amount, from_address }),
            transfer_send: is(Operation::TransferSend).then_some(TransferSend {
                amount,
                from_address,
                to_address: event.to.as_deref(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_address_and_ticker_are_null() {
        let holder = Holder { address: None, balance: Some(Amount::UNIT) };
        let holder = serde_json::to_value(HolderJson::from(&holder)).unwrap();
        assert_eq!(holder, json!({"address": null, "overall_balance": "1"}));
        let balance = Balance { ticker: None, available: None, transferable: None, overall: Some(Amount::UNIT) };
        let balance = serde_json::to_value(BalanceJson::from(&balance)).unwrap();
        assert_eq!((&balance["ticker"], &balance["overall_balance"]), (&json!(null), &json!("1")));
    }
}

//! BRC-20 tokens, their holders and their activity.
//!
//! Amounts are exact ([`Amount`]). A token is identified by its ticker in lower case, since BRC-20 compares tickers
//! case-insensitively.

use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::text::Text;
use super::time::UtcTime;

/// A deployed token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brc20Token {
    /// Ticker, as the indexer spells it.
    pub ticker: Text,
    /// The deploy inscription.
    pub inscription_id: Option<Text>,
    /// The inscription's number; negative for a cursed one.
    pub inscription_number: Option<i64>,
    /// The address that deployed it.
    pub deployer: Option<Text>,
    /// When it was deployed.
    pub deployed_at: Option<UtcTime>,
    /// Height of the block of the deploy.
    pub block_height: Option<u64>,
    /// Transaction of the deploy.
    pub tx_id: Option<Text>,
    /// Max supply.
    pub max_supply: Option<Amount>,
    /// Minted supply.
    pub minted_supply: Option<Amount>,
    /// Mint limit; `null` if unknown or unlimited.
    pub mint_limit: Option<Amount>,
    /// Decimals, 0 to 18.
    pub decimals: Option<u8>,
    /// Whether only the deployer can mint.
    pub self_mint: Option<bool>,
    /// Number of transactions.
    pub tx_count: Option<u64>,
    /// Number of holders; only in the details.
    pub holders: Option<u64>,
}

impl Brc20Token {
    /// A token with only a known ticker.
    pub fn new(ticker: Text) -> Brc20Token {
        Brc20Token {
            ticker,
            inscription_id: None,
            inscription_number: None,
            deployer: None,
            deployed_at: None,
            block_height: None,
            tx_id: None,
            max_supply: None,
            minted_supply: None,
            mint_limit: None,
            decimals: None,
            self_mint: None,
            tx_count: None,
            holders: None,
        }
    }
}

/// An address that holds a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holder {
    /// The address; `null` for supply without an address, such as burned tokens.
    pub address: Option<Text>,
    /// Total balance, available and transferable.
    pub balance: Option<Amount>,
}

/// The balance of an address in one token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The ticker; `null` if the indexer doesn't send it in the balance of a single token.
    pub ticker: Option<Text>,
    /// Available to be inscribed for a transfer.
    pub available: Option<Amount>,
    /// Inscribed, ready to be sent.
    pub transferable: Option<Amount>,
    /// The sum of both.
    pub overall: Option<Amount>,
}

/// The kind of an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Text", from = "Text")]
pub enum Operation {
    /// A token was deployed.
    Deploy,
    /// An amount was minted.
    Mint,
    /// An amount was inscribed for a transfer.
    Transfer,
    /// A transfer inscription was sent.
    TransferSend,
    /// An unknown kind, as the indexer spells it.
    Other(Text),
}

impl Operation {
    /// The name, as indexers spell it.
    pub fn as_str(&self) -> &str {
        match self {
            Operation::Deploy => "deploy",
            Operation::Mint => "mint",
            Operation::Transfer => "transfer",
            Operation::TransferSend => "transfer_send",
            Operation::Other(word) => word,
        }
    }
}

impl From<Operation> for Text {
    fn from(operation: Operation) -> Text {
        Text::from(operation.as_str())
    }
}

impl From<Text> for Operation {
    fn from(word: Text) -> Operation {
        let known = [Operation::Deploy, Operation::Mint, Operation::Transfer, Operation::TransferSend];
        known.into_iter().find(|known| known.as_str() == word).unwrap_or(Operation::Other(word))
    }
}

/// One event of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    /// The kind of event.
    pub operation: Operation,
    /// The ticker of the token.
    pub ticker: Text,
    /// Amount; `null` for a deploy.
    pub amount: Option<Amount>,
    /// The sender's address.
    pub from: Option<Text>,
    /// The recipient's address.
    pub to: Option<Text>,
    /// The address that the indexer names for the event.
    pub address: Option<Text>,
    /// Height of the block of the event.
    pub block_height: Option<u64>,
    /// Block hash.
    pub block_hash: Option<Text>,
    /// Transaction of the event.
    pub tx_id: Option<Text>,
    /// The inscription.
    pub inscription_id: Option<Text>,
    /// `txid:vout:offset`.
    pub location: Option<Text>,
    /// Time of the block.
    pub time: Option<UtcTime>,
    /// Max supply of a deploy.
    pub max_supply: Option<Amount>,
    /// Mint limit of a deploy.
    pub mint_limit: Option<Amount>,
    /// Decimals of a deploy.
    pub decimals: Option<u8>,
}

//! BRC-20: tokens, who holds them, and what happened to them.
//!
//! Amounts are exact ([`Amount`]). A token's identity is its ticker in lower case (the BRC-20 rule: tickers are
//! compared case-insensitively).

use serde::{Deserialize, Serialize};

use super::{Amount, Text, UtcTime};

/// A deployed token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brc20Token {
    /// Identity, as the indexer spells it.
    pub ticker: Text,
    /// The deploy inscription.
    pub inscription_id: Option<Text>,
    /// Its number; negative for a cursed one.
    pub inscription_number: Option<i64>,
    /// Address that deployed it.
    pub deployer: Option<Text>,
    /// When.
    pub deployed_at: Option<UtcTime>,
    /// In which block.
    pub block_height: Option<u64>,
    /// In which transaction.
    pub tx_id: Option<Text>,
    /// Largest supply.
    pub max_supply: Option<Amount>,
    /// Minted so far.
    pub minted_supply: Option<Amount>,
    /// Largest amount of one mint; unknown or unlimited is `null`.
    pub mint_limit: Option<Amount>,
    /// Decimals, 0 to 18.
    pub decimals: Option<u8>,
    /// Only its deployer can mint.
    pub self_mint: Option<bool>,
    /// Transactions so far.
    pub tx_count: Option<u64>,
    /// Addresses that hold it; only the details tell.
    pub holders: Option<u64>,
}

impl Brc20Token {
    /// A token of which nothing but its ticker is known.
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
    /// The address; `null` where the supply lies at none, such as what was burnt.
    pub address: Option<Text>,
    /// All it holds, available and transferable.
    pub balance: Option<Amount>,
}

/// What an address holds of one token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The token; `null` where the indexer answers about a single one without naming it.
    pub ticker: Option<Text>,
    /// Free to be inscribed for a transfer.
    pub available: Option<Amount>,
    /// Inscribed, ready to be sent.
    pub transferable: Option<Amount>,
    /// Both.
    pub overall: Option<Amount>,
}

/// What an activity did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Text", from = "Text")]
pub enum Operation {
    /// A token came to be.
    Deploy,
    /// An amount was minted.
    Mint,
    /// An amount was inscribed for a transfer.
    Transfer,
    /// A transfer inscription was sent.
    TransferSend,
    /// A word that we do not know, as the indexer spells it.
    Other(Text),
}

impl Operation {
    /// As the indexer spells it.
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
    /// What happened.
    pub operation: Operation,
    /// To which token.
    pub ticker: Text,
    /// How much; a deploy has none.
    pub amount: Option<Amount>,
    /// Who gave it away.
    pub from: Option<Text>,
    /// Who received it.
    pub to: Option<Text>,
    /// The address that the indexer names for the event.
    pub address: Option<Text>,
    /// In which block.
    pub block_height: Option<u64>,
    /// Its hash.
    pub block_hash: Option<Text>,
    /// In which transaction.
    pub tx_id: Option<Text>,
    /// By which inscription.
    pub inscription_id: Option<Text>,
    /// `txid:vout:offset`.
    pub location: Option<Text>,
    /// When.
    pub time: Option<UtcTime>,
    /// Deploys: largest supply.
    pub max_supply: Option<Amount>,
    /// Deploys: largest amount of one mint.
    pub mint_limit: Option<Amount>,
    /// Deploys: decimals.
    pub decimals: Option<u8>,
}

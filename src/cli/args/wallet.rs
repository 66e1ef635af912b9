//! `satscope wallet`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::value::{currency, lot_id, lot_ids, lot_kind, word};
use crate::model::{Currency, Text};
use crate::user_data::LotKind;

pub(super) const HELP: &str = "\
Examples:
  satscope wallet add 500 ordi @ 14.10 eur 2025-03-02
  satscope wallet add 0.5 bitcoin --total 30000 --date yesterday --note \"first half\"
  satscope wallet address add bc1q… --label cold
  satscope wallet --convert EUR
  satscope wallet export > lots.csv
  satscope wallet import lots.csv
  satscope wallet import koinly.csv --yes --skip-invalid";

const ADD_HELP: &str = "\
A LOT is: [buy|sell|receive|send] AMOUNT COIN [@ PRICE | @@ TOTAL] [CURRENCY] [fee FEE] [DATE] [ADDRESS] [\"NOTE\"]

COIN is a slug or unique symbol. Amounts and prices may be expressions such as 2*0.25, 1.5k or 8.8e-8. The currency defaults to the display currency, the date to today. In the 24h change of the wallet, a lot dated today counts from its cost if that is within 5% of the coin's 24h range. ADDRESS is a saved address (or its label) whose balance includes the lot. The shell removes the quotes around NOTE: quote the whole LOT, or use --note.";

const EDIT_HELP: &str = "\
LOT has the same form as in wallet add. Amount and coin are required, other parts only if they change. An option changes a single part. To change the coin of a lot with a price, give the new price, too. The value none removes a price, fee or address.

Examples:
  satscope wallet edit 3 450 ordi @ 14.20
  satscope wallet edit 3 --date yesterday
  satscope wallet edit 3 --price none";

const IMPORT_HELP: &str = "\
Files are recognised by their header: wallet export, CoinTracking's trade list, Koinly's universal file, Coinbase's transaction history, cointop holdings --format csv and ticker print --format csv. The JSON of wallet export and cointop's config.toml work, too. Other files need the columns amount and slug (or symbol), and may have kind, coin_id, unit_price or total_price, currency, fee, date, note and address.

Coins are found by slug or unique symbol. Lots already in the wallet are skipped, even if you have edited their fee, note or address. A line that can't be read or whose coin is unknown is reported with its number and reason. On a terminal, the confirmation offers to import the others; with --yes, nothing is imported unless you also pass --skip-invalid. If part of a trade is invalid, the whole trade is skipped, and so are sales of coins bought only in invalid lines.

A withdrawal and a deposit of the same amount within three days count as a transfer between your own wallets, so the coins keep their cost. This applies to CoinTracking files, and to Koinly files if both have the same TxHash. The cost of income, such as rewards, is its value in the file. Costs from cointop are in the currency named in the file, those from ticker in the currency of the symbol (BTC-EUR: euros). If there is none, the preview shows the assumed currency. For dates such as 03/02/2025, the order of day and month is inferred from the file's other dates.

To undo an import, run the wallet remove command that it prints.";

/// `satscope wallet …`
#[derive(Debug, Subcommand)]
pub enum WalletCommand {
    /// List lots with values and profits
    List,
    /// Add a lot
    #[command(after_help = ADD_HELP)]
    Add {
        /// Amount, coin, price, currency and date
        #[arg(required = true, value_name = "LOT", allow_negative_numbers = true)]
        lot: Vec<String>,
        /// Other fields.
        #[command(flatten)]
        fields: LotFields,
    },
    /// Edit a lot
    #[command(after_help = EDIT_HELP)]
    Edit {
        /// Lot ID
        #[arg(value_name = "ID", value_parser = lot_id)]
        id: i64,
        /// Amount, coin, price, currency and date
        #[arg(value_name = "LOT", allow_negative_numbers = true)]
        lot: Vec<String>,
        /// Amount
        #[arg(long, value_name = "N")]
        amount: Option<String>,
        /// Unit price
        #[arg(long, value_name = "N", conflicts_with = "total")]
        price: Option<String>,
        /// Currency of price and fee
        #[arg(long, value_name = "CODE", value_parser = currency)]
        currency: Option<Currency>,
        /// Other fields.
        #[command(flatten)]
        fields: LotFields,
    },
    /// Remove lots
    Remove {
        /// Lot IDs, or ranges such as 3-8
        #[arg(required = true, value_name = "ID", value_parser = lot_ids)]
        ids: Vec<RangeInclusive<i64>>,
    },
    /// List, add or remove addresses whose BTC and BRC-20 balances count in the wallet
    Address {
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<AddressCommand>,
    },
    /// Print all lots as CSV, or as JSON with --format json
    Export,
    /// Import lots from a file
    #[command(after_help = IMPORT_HELP)]
    Import {
        /// File from satscope, CoinTracking, Koinly, Coinbase, cointop or ticker, or - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Skip the confirmation
        #[arg(long)]
        yes: bool,
        /// Skip invalid lines and import the rest
        #[arg(long)]
        skip_invalid: bool,
    },
}

/// `satscope wallet address …`
#[derive(Debug, Subcommand)]
pub enum AddressCommand {
    /// List addresses and their labels
    List,
    /// Add an address, or change its label
    Add {
        /// Bitcoin address
        #[arg(value_name = "ADDRESS", value_parser = word)]
        address: Text,
        /// Unique label
        #[arg(long, value_name = "TEXT")]
        label: Option<String>,
    },
    /// Remove an address
    Remove {
        /// Bitcoin address, or its label
        #[arg(value_name = "ADDRESS", value_parser = word)]
        address: Text,
    },
}

/// Options for the fields of a lot.
#[derive(Args, Debug, Default, PartialEq, Eq)]
pub struct LotFields {
    /// Kind: buy, sell, receive or send
    #[arg(long, value_name = "KIND", ignore_case = true, hide_possible_values = true, value_parser = lot_kind())]
    pub kind: Option<LotKind>,
    /// Total price
    #[arg(long, value_name = "N")]
    pub total: Option<String>,
    /// Address that holds the amount, or its label
    #[arg(long, value_name = "ADDRESS", value_parser = word)]
    pub address: Option<Text>,
    /// Day: YYYY-MM-DD, today or yesterday
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// Fee
    #[arg(long, value_name = "N")]
    pub fee: Option<String>,
    /// Note
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

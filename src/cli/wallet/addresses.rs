//! The wallet's addresses: checks, balances, and what these are worth.

use serde::Serialize;

use super::super::args::AddressCommand;
use super::super::failure::Failure;
use super::super::headless::{self, Connection};
use super::super::privacy;
use super::super::runtime::block_on;
use super::super::saved;
use crate::client::{Answer, Group, Request, TextForm, Warning};
use crate::config::Settings;
use crate::model::{Amount, Balance, Coin, Decimal, Text, UtcTime, address};
use crate::portfolio::balance::coin_of;
use crate::portfolio::{self, AddressBalances, Holding, TokenPrices, Unvalued, entry};
use crate::user_data::{Change, Lot, WalletAddress, Watched};

/// Maximum tokens per address.
const MAX_BALANCES: u32 = 500;

/// Adds or removes an address, and returns it.
pub(super) fn edit(
    command: &AddressCommand,
    known: &[WalletAddress],
    settings: &Settings,
) -> Result<WalletAddress, Failure> {
    let (change, entry) = match command {
        AddressCommand::Add { address, label } => {
            let address = checked(address)?;
            let before = known.iter().find(|entry| entry.address == address);
            let label = match label {
                Some(label) => entry::note_text(label),
                None => before.and_then(|entry| entry.label.clone()),
            };
            let added_at = before.map_or_else(UtcTime::now, |entry| entry.added_at);
            let entry = WalletAddress { address, label, added_at };
            (Change::PutAddress(entry.clone()), entry)
        }
        AddressCommand::Remove { address } => {
            let address = checked(address)?;
            let entry = known.iter().find(|entry| entry.address == address).cloned();
            let unknown = || Failure::Operation(format!("{address} is not in the wallet (list: satscope wallet)"));
            let entry = entry.ok_or_else(unknown)?;
            (Change::RemoveAddress(entry.clone()), entry)
        }
    };
    saved::save("wallet", &[change], settings)?;
    Ok(entry)
}

/// The canonical form of an address of the main network.
pub(super) fn checked(text: &str) -> Result<Text, Failure> {
    canonical(text).map_err(Failure::Usage)
}

/// The canonical form of an address of the main network, or why it is none.
pub(super) fn canonical(text: &str) -> Result<Text, String> {
    address::parse(text)
        .map(|address| address.text)
        .map_err(|error| format!("{} is not a Bitcoin address: {error}", text.trim()))
}

/// An address and its balances.
pub(super) struct Found {
    entry: WalletAddress,
    /// `None` if the indexer failed.
    pub(super) balances: Option<Vec<Balance>>,
    /// Whether these are all balances.
    is_complete: bool,
}

/// What the indexer knows about the addresses.
#[derive(Default)]
pub(super) struct Lookup {
    pub(super) found: Vec<Found>,
    /// Whether the balances are simulated.
    pub(super) simulated: bool,
    pub(super) warnings: Vec<Warning>,
    /// The first failure.
    pub(super) failure: Option<String>,
}

impl Lookup {
    /// The addresses without their balances.
    pub(super) fn without_balances(entries: &[WalletAddress]) -> Lookup {
        let found = entries.iter().cloned().map(|entry| Found { entry, balances: None, is_complete: false });
        Lookup { found: found.collect(), ..Lookup::default() }
    }

    /// Whether there are balances to value.
    pub(super) fn has_balances(&self) -> bool {
        self.found.iter().filter_map(|found| found.balances.as_ref()).any(|balances| !balances.is_empty())
    }
}

/// Fetches the balances of all addresses. The failure of one doesn't keep the others back.
pub(super) fn look_up(entries: &[WalletAddress], settings: &Settings) -> Result<Lookup, Failure> {
    let mut lookup = Lookup::default();
    if entries.is_empty() {
        return Ok(lookup);
    }
    let connection = Connection::to(settings, Group::Indexer, TextForm::Clean)?;
    for entry in entries {
        let request = Request::Brc20Balances { address: entry.address.clone(), offset: 0, limit: MAX_BALANCES };
        privacy::announce(&request, settings);
        let name = entry.label.as_ref().unwrap_or(&entry.address);
        let mut is_complete = false;
        let balances = match block_on(connection.client.get(&request, None))? {
            Ok(reply) => {
                lookup.simulated |= reply.simulated;
                lookup.warnings.extend(reply.warnings.iter().map(|warning| format!("{name}: {warning}")));
                match reply.answer {
                    Some(Answer::Balances(page)) => {
                        is_complete = page.total.is_none_or(|total| total <= page.items.len() as u64);
                        Some(page.items)
                    }
                    _ => None,
                }
            }
            Err(error) => {
                let reason = headless::error_sentence(&connection.with_service_name(error));
                let sentence = format!("{name} is left out: {reason}");
                lookup.warnings.push(sentence.clone());
                lookup.failure.get_or_insert(sentence);
                None
            }
        };
        lookup.found.push(Found { entry: entry.clone(), balances, is_complete });
    }
    Ok(lookup)
}

/// An address as printed.
#[derive(Debug, Serialize)]
pub(super) struct AddressRow {
    pub(super) address: Text,
    pub(super) label: Option<Text>,
    /// No provider has it yet.
    btc: Option<Decimal>,
    pub(super) balances: Vec<BalanceRow>,
    /// Whether the balances are known.
    #[serde(skip)]
    pub(super) is_known: bool,
    /// Whether these are all balances.
    #[serde(skip)]
    is_complete: bool,
}

/// A balance as printed.
#[derive(Debug, Serialize)]
pub(super) struct BalanceRow {
    pub(super) ticker: Option<Text>,
    pub(super) overall: Option<Amount>,
    available: Option<Amount>,
    transferable: Option<Amount>,
    slug: Option<Text>,
    price: Option<Decimal>,
    pub(super) value: Option<Decimal>,
    pub(super) unvalued_because: Option<&'static str>,
    /// The coin, if it is certain.
    #[serde(skip)]
    pub(super) coin: Option<Box<Coin>>,
}

/// Values balances with the prices of coins that are certainly these tokens; `None` if the coins are unknown.
pub(super) fn rows(lookup: &Lookup, coins: Option<&[Coin]>, is_simulated: bool) -> Vec<AddressRow> {
    let prices = coins.map(|coins| TokenPrices::new(coins.iter()));
    let prices = match &prices {
        None => Err(Unvalued::NotLoaded),
        Some(_) if is_simulated != lookup.simulated => Err(Unvalued::PartlySimulated),
        Some(prices) => Ok(prices),
    };
    let row = |balance: &Balance| {
        let found = coin_of(balance, prices);
        let Balance { ticker, available, transferable, overall } = balance.clone();
        let coin = found.ok();
        let price = coin.and_then(|coin| coin.price).and_then(Decimal::from_f64);
        let value = price.as_ref().zip(overall).map(|(price, amount)| price * &Decimal::from(amount));
        let unvalued = match found {
            Err(reason) => Some(reason),
            Ok(_) if overall.is_none() => Some(Unvalued::NoBalance),
            Ok(_) => price.is_none().then_some(Unvalued::NoPrice),
        };
        BalanceRow {
            ticker,
            overall,
            available,
            transferable,
            slug: coin.and_then(|coin| coin.slug.clone()),
            price,
            value,
            unvalued_because: unvalued.map(Unvalued::as_str),
            coin: coin.cloned().map(Box::new),
        }
    };
    let address = |found: &Found| AddressRow {
        address: found.entry.address.clone(),
        label: found.entry.label.clone(),
        btc: None,
        balances: found.balances.iter().flatten().map(row).collect(),
        is_known: found.balances.is_some(),
        is_complete: found.is_complete,
    };
    lookup.found.iter().map(address).collect()
}

/// Counts the balances of an address in the holdings. Returns warnings about lots that exceed them.
pub(super) fn count(
    row: &AddressRow,
    tokens: Option<&[Coin]>,
    lots: &[Lot],
    holdings: &mut Vec<Holding>,
) -> Vec<Warning> {
    let balance = |row: &BalanceRow| {
        let coin = row.coin.as_ref().map(|coin| Watched::from_coin(coin));
        (coin, row.overall.map(Decimal::from))
    };
    let balances: Vec<_> = row.balances.iter().map(balance).collect();
    let found = AddressBalances { address: &row.address, balances: &balances, is_complete: row.is_complete };
    let tokens = TokenPrices::new(tokens.into_iter().flatten());
    let name = row.label.as_ref().unwrap_or(&row.address);
    let warning = |(coin, excess): (Watched, Decimal)| {
        let symbol = &coin.symbol;
        format!("{name}: its lots have {excess} {symbol} more than it holds, so their cost is left out of the profit")
    };
    portfolio::count_balances(holdings, &found, &tokens, lots).into_iter().map(warning).collect()
}

/// What the totals lack: tokens without a value, or the whole address.
pub(super) fn left_out(row: &AddressRow) -> Vec<Text> {
    if !row.is_known {
        return vec![row.label.as_ref().unwrap_or(&row.address).clone()];
    }
    let unvalued = row.balances.iter().filter(|balance| balance.value.is_none());
    unvalued.map(|balance| balance.ticker.clone().unwrap_or_else(|| row.address.clone())).collect()
}

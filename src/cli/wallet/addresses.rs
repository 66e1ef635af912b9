//! The wallet's addresses: checks, balances and their value.

use serde::Serialize;

use super::super::address::{checked, named};
use super::super::args::{AddressCommand, Format};
use super::super::columns;
use super::super::failure::{Failure, say};
use super::super::output::{self, Envelope};
use super::super::privacy::PrivacyNotices;
use super::super::query::{self, Connection};
use super::super::runtime::block_on;
use super::super::sheet::{Layout, Sheet};
use super::super::user_store;
use crate::client::endpoint::balances_of;
use crate::client::{Error, ErrorKind, Group, Request, ResponseData, TextForm, Warning};
use crate::config::Settings;
use crate::format::words::counted;
use crate::model::{Amount, Balance, BitcoinBalance, Coin, Decimal, Text, UtcTime, address};
use crate::portfolio::wallet::{KnownAddress, TokenBalance};
use crate::portfolio::{Deploys, TokenPrices, Unvalued, entry};
use crate::user_data::address::{check_label, labelled};
use crate::user_data::{Change, UnreadablePart, UserData, WalletAddress};

/// After this many failures in a row, no more token details are requested.
const MAX_FAILURES: usize = 3;

/// Adds or removes an address, or lists them. Returns whether they have changed.
pub(super) fn run(
    command: Option<&AddressCommand>,
    data: &UserData,
    settings: &Settings,
    format: Option<Format>,
) -> Result<bool, Failure> {
    let command = match command {
        None | Some(AddressCommand::List) => return list(data, settings, format).map(|()| false),
        Some(command) => command,
    };
    // If it is invalid, nothing is written.
    change(command, &data.addresses)?;
    let mut replaced = None;
    user_store::update("wallet", settings, |data| {
        let change = change(command, &data.addresses)?;
        replaced = change.as_ref().and_then(|change| replaced_label(change, &data.addresses));
        Ok(change.into_iter().collect())
    })?;
    match replaced {
        Some((before, Some(after))) => say(&format!("renamed {before} to {after}")),
        Some((before, None)) => say(&format!("removed the label {before}")),
        None => {}
    }
    Ok(true)
}

/// The label that a change replaces, and the new one, if any.
fn replaced_label(change: &Change, known: &[WalletAddress]) -> Option<(Text, Option<Text>)> {
    let Change::PutAddress(WalletAddress { address, label: after, .. }) = change else { return None };
    let before = known.iter().find(|entry| entry.address == *address)?.label.clone()?;
    (Some(&before) != after.as_ref()).then(|| (before, after.clone()))
}

/// The change of a command, given the saved addresses; `None` if it only lists them.
fn change(command: &AddressCommand, known: &[WalletAddress]) -> Result<Option<Change>, Failure> {
    match command {
        AddressCommand::List => Ok(None),
        AddressCommand::Add { address, label } => {
            let address = checked(address)?;
            let before = known.iter().find(|entry| entry.address == address);
            let current = before.and_then(|entry| entry.label.as_ref());
            let label = match label {
                Some(label) => entry::label_text(label, current).map_err(|error| Failure::Usage(error.to_string()))?,
                None => current.cloned(),
            };
            let added_at = before.map_or_else(UtcTime::now, |entry| entry.added_at);
            let entry = WalletAddress { address, label, added_at };
            check_label(&entry, known).map_err(|taken| Failure::Operation(taken.to_string()))?;
            Ok(Some(Change::PutAddress(entry)))
        }
        AddressCommand::Remove { address } => {
            // Anything that isn't an address is a label.
            if !address::is_similar(address) && labelled(address, known).is_ok_and(|found| found.is_none()) {
                let sentence = format!("no address has the label {address} (list addresses: satscope wallet address)");
                return Err(Failure::Operation(sentence));
            }
            let address = named(address, known)?;
            let entry = known.iter().find(|entry| entry.address == address).cloned();
            let unknown =
                || Failure::Operation(format!("unknown address {address} (list addresses: satscope wallet address)"));
            Ok(Some(Change::RemoveAddress(entry.ok_or_else(unknown)?)))
        }
    }
}

/// An address in the list.
#[derive(Serialize)]
struct ListRow<'a> {
    address: &'a Text,
    label: Option<&'a Text>,
    added_at: UtcTime,
}

/// Prints the saved addresses, without requests for their balances.
fn list(data: &UserData, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let rows: Vec<ListRow<'_>> = data
        .addresses
        .iter()
        .map(|entry| ListRow { address: &entry.address, label: entry.label.as_ref(), added_at: entry.added_at })
        .collect();
    let warnings = user_store::unreadable(data, format, |part| part == UnreadablePart::Addresses);
    let envelope = Envelope { warnings: &warnings, ..Envelope::local(&rows, user_store::path(settings).as_deref()) };
    output::print(&envelope, format, &settings.display, || {
        Sheet::list(&["address", "label", "added_at"], Layout::Columns(columns::ADDRESSES), &rows)
    })?;
    if rows.is_empty() && output::format(format) == Format::Table && data.unreadable.is_empty() {
        say("no addresses (add one: satscope wallet address add ADDRESS)");
    }
    Ok(())
}

/// An address and its balances.
pub(super) struct Found {
    entry: WalletAddress,
    /// `None` if the indexer failed.
    pub(super) balances: Option<Vec<Balance>>,
    /// Whether these are all balances.
    is_complete: bool,
    /// The bitcoin balance, if the service has it.
    bitcoin: Option<BitcoinBalance>,
    /// Whether the service has no bitcoin balances, so that none is missing.
    lacks_bitcoin: bool,
}

/// The indexer's data about the addresses.
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
        let found = entries.iter().cloned().map(|entry| Found {
            entry,
            balances: None,
            is_complete: false,
            bitcoin: None,
            lacks_bitcoin: false,
        });
        Lookup { found: found.collect(), ..Lookup::default() }
    }

    /// The token balances of each address, if known. `prices` are the coins of tokens, or why there are none.
    pub(super) fn tokens(&self, prices: Result<&TokenPrices<'_>, Unvalued>) -> Vec<Option<Vec<TokenBalance>>> {
        let tokens = |balances: &Vec<Balance>| balances.iter().map(|it| TokenBalance::new(it, prices)).collect();
        self.found.iter().map(|found| found.balances.as_ref().map(tokens)).collect()
    }

    /// The addresses for the valuation, with the balances that [`Lookup::tokens`] returned.
    pub(super) fn known<'a>(&'a self, tokens: &'a [Option<Vec<TokenBalance>>]) -> Vec<KnownAddress<'a>> {
        let known = |(found, tokens): (&'a Found, &'a Option<Vec<TokenBalance>>)| KnownAddress {
            address: &found.entry.address,
            name: found.entry.label.as_ref().unwrap_or(&found.entry.address).clone(),
            tokens: tokens.as_deref(),
            is_complete: found.is_complete,
            bitcoin: found.bitcoin.as_ref(),
            lacks_bitcoin: found.lacks_bitcoin,
        };
        self.found.iter().zip(tokens).map(known).collect()
    }

    /// The tickers of all balances.
    pub(super) fn tickers(&self) -> impl Iterator<Item = &Text> {
        let balances = self.found.iter().filter_map(|found| found.balances.as_ref()).flatten();
        balances.filter_map(|balance| balance.ticker.as_ref())
    }

    /// Whether there are balances to value.
    pub(super) fn has_balances(&self) -> bool {
        self.found.iter().filter_map(|found| found.balances.as_ref()).any(|balances| !balances.is_empty())
    }

    /// Whether all balances of an address are known.
    pub(super) fn has_all_of(&self, address: &Text) -> bool {
        self.found.iter().any(|found| found.is_complete && found.balances.is_some() && found.entry.address == *address)
    }

    /// Whether there is bitcoin to value.
    pub(super) fn has_bitcoin(&self) -> bool {
        self.found.iter().filter_map(|found| found.bitcoin.as_ref()).any(|balance| balance.confirmed > 0)
    }
}

/// Fetches the balances of all addresses. One failure doesn't affect the others. Bitcoin balances are requested
/// only if `with_bitcoin` is set.
pub(super) fn look_up(entries: &[WalletAddress], with_bitcoin: bool, settings: &Settings) -> Result<Lookup, Failure> {
    let mut lookup = Lookup::default();
    if entries.is_empty() {
        return Ok(lookup);
    }
    let connection = Connection::to(settings, Group::Indexer, TextForm::Clean)?;
    let (mut offers_bitcoin, mut has_bitcoin) = (with_bitcoin, false);
    let mut notices = PrivacyNotices::default();
    for entry in entries {
        let request = balances_of(&entry.address);
        notices.announce(&request, settings);
        let name = entry.label.as_ref().unwrap_or(&entry.address);
        let mut is_complete = false;
        let balances = match block_on(connection.client.get(&request, None))? {
            Ok(reply) => {
                lookup.simulated |= reply.simulated;
                lookup.warnings.extend(reply.warnings.iter().map(|warning| format!("{name}: {warning}")));
                match reply.response {
                    Some(ResponseData::Balances(page)) => {
                        let total = page.total.unwrap_or_default();
                        let missing = total.saturating_sub(page.items.len() as u64);
                        is_complete = missing == 0 && !reply.has_more;
                        if missing > 0 {
                            let balances = counted(usize::try_from(missing).unwrap_or(usize::MAX), "balance");
                            lookup.warnings.push(format!("the value excludes {balances} of {name} (not loaded)"));
                        }
                        Some(page.items)
                    }
                    _ => None,
                }
            }
            Err(error) => {
                let reason = query::error_sentence(&connection.with_service_name(error), settings);
                let sentence = format!("skipped {name}: {reason}");
                lookup.warnings.push(sentence.clone());
                lookup.failure.get_or_insert(sentence);
                None
            }
        };
        let bitcoin = if offers_bitcoin {
            match bitcoin_balance(entry, &connection, &mut notices, settings)? {
                Ok(bitcoin) => {
                    has_bitcoin |= bitcoin.is_some();
                    bitcoin
                }
                Err(error) if error.lacks_bitcoin_balances(has_bitcoin) => {
                    offers_bitcoin = false;
                    None
                }
                Err(error) => {
                    let reason = query::error_sentence(&connection.with_service_name(error), settings);
                    let sentence = format!("skipped the BTC balance of {name}: {reason}");
                    lookup.warnings.push(sentence.clone());
                    lookup.failure.get_or_insert(sentence);
                    None
                }
            }
        } else {
            None
        };
        lookup.found.push(Found { entry: entry.clone(), balances, is_complete, bitcoin, lacks_bitcoin: false });
    }
    if with_bitcoin && !offers_bitcoin {
        lookup.found.iter_mut().for_each(|found| found.lacks_bitcoin = true);
    }
    Ok(lookup)
}

/// Fetches the deploy inscriptions of tokens from their details. Adds a warning for each failure, and stops if the indexer
/// fails for several tokens in a row.
pub(super) fn deploys(tickers: &[Text], settings: &Settings) -> Result<(Deploys, Vec<Warning>), Failure> {
    let (mut deploys, mut warnings) = (Deploys::new(), Vec::new());
    if tickers.is_empty() {
        return Ok((deploys, warnings));
    }
    let connection = Connection::to(settings, Group::Indexer, TextForm::Clean)?;
    let mut failures = 0;
    for ticker in tickers {
        match block_on(connection.client.get(&Request::Brc20Token { ticker: ticker.clone() }, None))? {
            Ok(reply) => {
                failures = 0;
                if let Some(ResponseData::Brc20Token(token)) = reply.response {
                    deploys.insert(ticker.to_lowercase(), token.inscription_id);
                }
            }
            Err(Error { kind: ErrorKind::NotFound { .. }, .. }) => drop(deploys.insert(ticker.to_lowercase(), None)),
            // The balances without a coin say that the details are missing.
            Err(error) => {
                failures += 1;
                let reason = query::error_sentence(&connection.with_service_name(error), settings);
                warnings.push(format!("no details of {ticker}: {reason}"));
                if failures == MAX_FAILURES {
                    break;
                }
            }
        }
    }
    Ok((deploys, warnings))
}

/// Fetches the bitcoin balance of an address.
fn bitcoin_balance(
    entry: &WalletAddress,
    connection: &Connection,
    notices: &mut PrivacyNotices,
    settings: &Settings,
) -> Result<Result<Option<BitcoinBalance>, Error>, Failure> {
    let request = Request::BitcoinBalance { address: entry.address.clone() };
    notices.announce(&request, settings);
    let reply = block_on(connection.client.get(&request, None))?;
    Ok(reply.map(|reply| match reply.response {
        Some(ResponseData::BitcoinBalance(balance)) => Some(balance),
        _ => None,
    }))
}

/// An address as printed.
#[derive(Debug, Serialize)]
pub(super) struct AddressRow {
    pub(super) address: Text,
    pub(super) label: Option<Text>,
    /// The confirmed bitcoin balance, if the service has it.
    pub(super) btc: Option<Decimal>,
    /// The unconfirmed change of the balance.
    pub(super) btc_unconfirmed: Option<Decimal>,
    /// The value of the confirmed balance.
    pub(super) btc_value: Option<Decimal>,
    pub(super) balances: Vec<BalanceRow>,
}

/// A balance as printed.
#[derive(Debug, Serialize)]
pub(super) struct BalanceRow {
    pub(super) ticker: Option<Text>,
    pub(super) overall: Option<Amount>,
    pub(super) available: Option<Amount>,
    pub(super) transferable: Option<Amount>,
    slug: Option<Text>,
    price: Option<Decimal>,
    pub(super) value: Option<Decimal>,
    pub(super) unvalued_because: Option<&'static str>,
}

/// The rows of addresses, with the prices of `coins` and of bitcoin.
pub(super) fn rows(
    addresses: &[KnownAddress<'_>],
    lookup: &Lookup,
    bitcoin: Option<&Coin>,
    coins: &[Coin],
) -> Vec<AddressRow> {
    let row = |token: &TokenBalance| {
        let Balance { ticker, available, transferable, overall } = token.balance.clone();
        let coin = token.coin.as_ref().ok().and_then(|coin| coins.iter().find(|known| coin.is_coin(known)));
        let price = coin.and_then(Coin::exact_price);
        let value = price.as_ref().zip(overall).map(|(price, amount)| price * &Decimal::from(amount));
        let unvalued = match token.coin {
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
        }
    };
    let bitcoin_price = bitcoin.and_then(Coin::exact_price);
    let bitcoin_value = |balance: &BitcoinBalance| Some(&balance.bitcoin() * bitcoin_price.as_ref()?);
    let address = |(known, found): (&KnownAddress<'_>, &Found)| AddressRow {
        address: known.address.clone(),
        label: found.entry.label.clone(),
        btc: known.bitcoin.map(BitcoinBalance::bitcoin),
        btc_value: known.bitcoin.and_then(bitcoin_value),
        btc_unconfirmed: known.bitcoin.and_then(BitcoinBalance::unconfirmed_bitcoin),
        balances: known.tokens.into_iter().flatten().map(row).collect(),
    };
    addresses.iter().zip(&lookup.found).map(address).collect()
}

//! The value of the wallet: fetches prices and exchange rates, values lots and balances, and prints them.

use super::super::args::Format;
use super::super::columns;
use super::super::failure::{Failure, say};
use super::super::find;
use super::super::output::{self, Envelope};
use super::super::query::{self, Connection};
use super::super::runtime::block_on;
use super::super::sheet::{Layout, Sheet};
use super::super::source_url::source_url;
use super::super::today::today;
use super::super::user_store;
use super::addresses::{self, AddressRow, Lookup};
use super::report::{self, Wallet};
use crate::client::{Group, Reply, Request, ResponseData, TextForm, Warning};
use crate::config::Settings;
use crate::model::{Coin, HistoricalRate, Text, UtcTime, provider};
use crate::portfolio::balance::is_bitcoin;
use crate::portfolio::wallet::{self, ExcessLots};
use crate::portfolio::{self, Deploys, HistoricalRates, HoldingValue, TokenPrices, Unvalued, Valuation};
use crate::user_data::{Lot, UnreadablePart, UserData, Watched};

/// Prices and exchange rates of lots and balances.
#[derive(Default)]
pub(super) struct Prices {
    /// Coins that include the coins of all lots.
    coins: Vec<Coin>,
    /// The BRC-20 tokens, if there are balances.
    tokens: Option<Vec<Coin>>,
    /// The deploy inscriptions of tokens whose coin is found only by them.
    deploys: Deploys,
    /// The exchange rates of the lots' days.
    rates: Vec<HistoricalRate>,
    reply: Option<Reply>,
}

/// Fetches the prices and exchange rates of lots and balances.
pub(super) fn prices(lots: &[Lot], lookup: &Lookup, settings: &Settings) -> Result<Prices, Failure> {
    let held: Vec<Watched> = lots.iter().map(|lot| lot.coin.clone()).collect();
    // A list without the token of a lot means that none is left.
    let may_be_spent = lots.iter().any(|lot| lot.address.as_ref().is_some_and(|address| lookup.has_all_of(address)));
    let (tokens, token_reply) = if lookup.has_balances() || may_be_spent {
        let has_all = |coins: &[Coin]| {
            let prices = TokenPrices::new(coins.iter());
            lookup.tickers().all(|ticker| prices.coin(ticker, None).is_some() || prices.is_disputed(ticker))
        };
        find::brc20(settings, has_all).map(|(coins, reply)| (Some(coins), Some(reply)))?
    } else {
        (None, None)
    };
    let token_prices = TokenPrices::new(tokens.iter().flatten());
    let (deploys, mut warnings) = addresses::deploys(&token_prices.tickers_to_look_up(lookup.tickers()), settings)?;
    let (mut coins, mut reply) = if lots.is_empty() {
        (Vec::new(), token_reply)
    } else {
        find::known(&held, settings).map(|(coins, reply)| (coins, Some(reply)))?
    };
    if lookup.has_bitcoin() && !coins.iter().any(is_bitcoin) {
        match find::find(&[Text::const_new("bitcoin")], settings) {
            Ok((found, own)) => {
                coins.extend(found.coins.into_iter().filter(is_bitcoin));
                reply.get_or_insert(own);
            }
            // The totals then lack it and say so.
            Err(Failure::Operation(reason) | Failure::Outage(reason)) => {
                reply.iter_mut().for_each(|reply| reply.warnings.push(format!("no BTC price: {reason}")));
            }
            Err(failure) => return Err(failure),
        }
    }
    let (rates, unknown_rates) = rates(lots, settings)?;
    warnings.extend(unknown_rates);
    if let Some(reply) = &mut reply {
        reply.warnings.extend(warnings);
    }
    Ok(Prices { coins, tokens, deploys, rates, reply })
}

/// The valued lots and addresses, with the source of the prices and the warnings.
pub(super) struct WalletReport {
    pub(super) valuation: Valuation,
    addresses: Vec<AddressRow>,
    /// The symbols of holdings that are worth more than their coin's 24-hour volume.
    thin: Vec<Text>,
    pub(super) reply: Option<Reply>,
    /// Whether the balances are simulated.
    pub(super) simulated: bool,
    pub(super) warnings: Vec<Warning>,
}

impl WalletReport {
    pub(super) fn new(lots: &[Lot], prices: Prices, lookup: &Lookup, settings: &Settings) -> WalletReport {
        let Prices { coins, tokens, deploys, rates, reply } = prices;
        let convert = &settings.display.convert;
        let rates = HistoricalRates::new(convert, &rates);
        let rate = |currency: &_, date| rates.rate(currency, date);
        let is_simulated = reply.as_ref().is_some_and(|reply| reply.simulated);
        // Real balances have no simulated price.
        let is_whole = |coin: &&Coin| is_bitcoin(coin) && is_simulated == lookup.simulated && coin.convert == *convert;
        let bitcoin = coins.iter().find(is_whole);
        let token_coins = tokens.as_deref().unwrap_or_default();
        let is_mixed = is_simulated != lookup.simulated;
        let token_prices = if is_mixed {
            TokenPrices::default()
        } else {
            TokenPrices::new(token_coins.iter()).with_deploys(&deploys).with_coins_of_lots(coins.iter())
        };
        let prices = if tokens.is_none() {
            Err(Unvalued::NotLoaded)
        } else if is_mixed {
            Err(Unvalued::PartlySimulated)
        } else {
            Ok(&token_prices)
        };
        let balances = lookup.tokens(prices);
        let known = lookup.known(&balances);
        let bitcoin_coin = bitcoin.map(Watched::from_coin);
        let (holdings, excesses) =
            wallet::build_holdings(lots, (settings.wallet.cost, &rate), &known, &token_prices, bitcoin_coin.as_ref());
        let mut warnings = lookup.warnings.clone();
        warnings.extend(excesses.iter().map(|ExcessLots { name, coin, amount }| {
            let symbol = &coin.symbol;
            format!("{name}: lots exceed the balance by {amount} {symbol}; the excess is excluded from profit")
        }));
        let today = today(settings);
        let valuation = wallet::value_holdings(holdings, &known, bitcoin.is_some(), today, |holding| {
            let mut all = coins.iter().chain(token_coins);
            all.find(|coin| holding.coin.is_coin(coin) && coin.convert == *convert).map(|coin| (coin, None))
        });
        let volume = |holding: &HoldingValue| {
            let mut all = coins.iter().chain(token_coins);
            all.find(|coin| holding.holding.coin.is_coin(coin) && coin.convert == *convert)?.volume_24h
        };
        let thin = valuation.symbols(|holding| holding.is_thin(volume(holding)));
        let is_missing = |held: &&HoldingValue| held.price.is_none() && !held.holding.amount.is_zero();
        let source = reply.as_ref().and_then(|reply| reply.provider.as_deref()).map(provider::titles);
        for held in valuation.holdings.iter().filter(is_missing).filter(|_| reply.is_some()) {
            let coin = &held.holding.coin;
            let known = coins.iter().chain(token_coins).find(|known| coin.is_coin(known));
            let own = known.and_then(|known| known.provider).map(|provider| provider.title().to_owned());
            let reason = match (known, own.or_else(|| source.clone())) {
                (Some(_), Some(name)) => format!("no price from {name}"),
                (Some(_), None) => String::from("no price"),
                (None, Some(name)) => format!("no matching coin on {name}"),
                (None, None) => String::from("no matching coin"),
            };
            let warning = format!("no value for {}: {reason}", coin.symbol);
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let addresses = addresses::rows(&known, lookup, bitcoin, token_coins);
        WalletReport { valuation, addresses, thin, reply, simulated: lookup.simulated, warnings }
    }
}

/// The fields in CSV, which has no place for the currency but a column.
const CSV_FIELDS: &[&str] = &[
    "id",
    "kind",
    "slug",
    "symbol",
    "amount",
    "unit_price",
    "currency",
    "fee",
    "date",
    "note",
    "price",
    "value",
    "profit",
    "profit_pct",
    "share_pct",
    "remaining",
    "address",
    "convert",
];

/// The fields in a table, whose heading names the currency.
const FIELDS: &[&str] = CSV_FIELDS.split_at(CSV_FIELDS.len() - 1).0;

/// Prints lots with the totals.
pub(super) fn print(
    wallet_report: &WalletReport,
    data: &UserData,
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let WalletReport { valuation, addresses, thin, reply, simulated, warnings: own } = wallet_report;
    let convert = &settings.display.convert;
    let rate = reply.as_ref().and_then(|reply| reply.rate.as_ref());
    let (lots, missing) = (&data.lots, data.missing_holdings());
    let wallet = Wallet::new(valuation, lots, addresses, (convert, rate), reply.is_some(), missing.is_empty());
    let mut warnings = reply.as_ref().map(|reply| reply.warnings.clone()).unwrap_or_default();
    warnings.extend(own.iter().cloned());
    warnings.extend(user_store::unreadable(data, format, UnreadablePart::is_holdings));
    // Without a response, no rates were requested.
    warnings.extend(report::problems(valuation, lots, convert, reply.is_some()));
    let url = reply.as_ref().map(|reply| source_url(reply, Group::Market, settings));
    let source = user_store::source(url, settings);
    let mut envelope = Envelope::fetched(&wallet, reply.as_ref(), source, &warnings);
    envelope.simulated |= *simulated;
    let is_table = output::format(format) == Format::Table;
    let has_addresses = !addresses.is_empty() || lots.iter().any(|lot| lot.address.is_some());
    let layout = if has_addresses { columns::LOTS_AND_BALANCES } else { columns::LOTS };
    output::print(&envelope, format, &settings.display, || Sheet {
        currency: Some(convert.to_string()),
        summary: reply.as_ref().map(|reply| {
            let totals = report::summary(valuation, thin, &missing, convert);
            let rate = report::rate_line(convert, reply, UtcTime::now());
            rate.map_or_else(|| totals.clone(), |rate| format!("{totals}\n{rate}"))
        }),
        rows: report::table_rows(&wallet, is_table),
        ..Sheet::list::<()>(if is_table { FIELDS } else { CSV_FIELDS }, Layout::Columns(layout), &[])
    })?;
    if output::format(format) == Format::Csv && !addresses.is_empty() {
        say("warning: the CSV omits the balances of addresses (use --format json, or satscope brc20 balances ADDRESS \
             --format csv)");
    }
    let prices = reply.as_ref().map(|reply| (Group::Market, reply.simulated));
    let balances = simulated.then_some((Group::Indexer, true));
    query::note_simulated(prices.into_iter().chain(balances), settings);
    Ok(())
}

/// The exchange rates of the lots' days that the service knows, and a warning if it fails.
fn rates(lots: &[Lot], settings: &Settings) -> Result<(Vec<HistoricalRate>, Vec<Warning>), Failure> {
    let to = &settings.display.convert;
    let needed = portfolio::rates::needed(lots, to);
    let (mut rates, mut warnings) = (Vec::new(), Vec::new());
    if needed.is_empty() {
        return Ok((rates, warnings));
    }
    let connection = Connection::to(settings, Group::Market, TextForm::Clean)?;
    for (days, from) in needed {
        let request = Request::HistoricalRates { days, from, to: to.requested() };
        match block_on(connection.client.get(&request, None))? {
            Ok(reply) => {
                warnings.extend(reply.warnings);
                if let Some(ResponseData::HistoricalRates(more)) = reply.response {
                    rates.extend(more);
                }
            }
            // Each lot without a rate has a warning.
            Err(error) if error.is_not_offered() => break,
            Err(error) => {
                let reason = query::error_sentence(&connection.with_service_name(error), settings);
                warnings.push(format!("no exchange rates: {reason}"));
                break;
            }
        }
    }
    Ok((rates, warnings))
}

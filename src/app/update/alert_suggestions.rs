//! The rules that the Alerts dialog suggests.

use crate::alerts::parse::moved;
use crate::app::screen::token::OpenCoin;
use crate::app::state::State;
use crate::client::Request;
use crate::model::{Coin, CoinId, Currency, MarketSeries, Text};
use crate::user_data::Watched;
use crate::user_data::alert::{Condition, Measure, Rule, Target};

use super::selection::wallet_series;

/// Rules about a coin: 5 % above and below its price, and its change.
fn coin_suggestions(coin: &Coin) -> Vec<String> {
    price_suggestions(name_of(coin), coin.price, &coin.convert)
}

/// Suggested rules about a coin that may not be in any list.
pub(super) fn named_suggestions(state: &State, coin: &Watched) -> Vec<String> {
    match coin.id.clone().and_then(|id| state.coin(&CoinId(id))) {
        Some(coin) => coin_suggestions(coin),
        None => vec![change_rule(coin.slug.as_ref().unwrap_or(&coin.symbol))],
    }
}

/// The name of a coin in a rule.
fn name_of(coin: &Coin) -> &str {
    coin.slug.as_ref().unwrap_or(&coin.symbol)
}

/// Suggested rules about a watched coin that is in no list, by the last price of its series.
fn series_suggestions(series: &MarketSeries) -> Vec<String> {
    let price = series.points.iter().rev().find_map(|point| point.price);
    price_suggestions(series.slug.as_ref().unwrap_or(&series.symbol), price, &series.convert)
}

fn price_suggestions(name: &str, price: Option<f64>, convert: &Currency) -> Vec<String> {
    let currency = convert.as_str().to_ascii_lowercase();
    let change = change_rule(name);
    let Some(price) = price.filter(|price| *price > 0.0) else { return vec![change] };
    let (above, below) = (moved(price, 5.0), moved(price, -5.0));
    vec![format!("{name} > {above} {currency}"), format!("{name} < {below} {currency}"), change]
}

/// A rule about the change of a coin over 24 hours.
fn change_rule(name: &str) -> String {
    typical(name, &Measure::Change24h).next().unwrap_or_default()
}

/// Rules about a measure with its typical conditions.
fn typical<'a>(name: &'a str, measure: &Measure) -> impl Iterator<Item = String> + use<'a> {
    let (value, conditions) = (measure.as_str(), measure.examples());
    conditions.iter().map(move |condition| format!("{name} {value} {condition}"))
}

/// Rules about the selected row, or the selected coin of a comparison below a dialog.
pub(super) fn suggestions(state: &State) -> Vec<String> {
    if let Some(coin) = state.comparison.covered_coin(state.tab) {
        return named_suggestions(state, coin);
    }
    if let Some(OpenCoin::Last(last)) = state.open_coin() {
        // A price alert near an old price could fire at once.
        return vec![change_rule(name_of(&last.coin))];
    }
    let screen = state.open_screen();
    if let Some(coin) = screen.coin(state) {
        return coin_suggestions(coin);
    }
    screen.alert_suggestions(state)
}

/// Rules about the indexer's token.
pub(super) fn of_indexer(state: &State) -> Vec<String> {
    state.indexer.token().map(|ticker| token_suggestions(state, &ticker)).unwrap_or_default()
}

/// Rules about the wallet's selected address, or a watched coin that is in no list.
pub(super) fn of_wallet(state: &State) -> Vec<String> {
    let Some(held) = state.wallet.selected_address() else {
        return wallet_series(state).map(series_suggestions).unwrap_or_default();
    };
    let rule = |measure| {
        let target = Target::Address(held.entry.address.clone());
        state.alert_line(&Rule { target, measure, condition: Condition::Transfer, rearm: None })
    };
    vec![rule(Measure::Receives), rule(Measure::Sends)]
}

/// Rules about a token: how much of it is minted, unless all is, and 5 % more or fewer holders.
fn token_suggestions(state: &State, ticker: &Text) -> Vec<String> {
    let request = Request::Brc20Token { ticker: ticker.clone() };
    let details = state.responses.brc20_token(&request).value.map(Box::as_ref);
    let listed = state.indexer.token_list(&state.responses);
    let token = details.or_else(|| listed.iter().find(|token| token.ticker == *ticker));
    let is_minted = token.is_some_and(|token| {
        let supply = token.minted_supply.zip(token.max_supply);
        supply.is_some_and(|(minted, max)| minted >= max)
    });
    let mut rules: Vec<String> = typical(ticker, &Measure::Minted).filter(|_| !is_minted).collect();
    let of_holders = Measure::<()>::Holders.as_str();
    if let Some(holders) = token.and_then(|token| token.holders).filter(|holders| *holders > 0) {
        let step = holders.div_ceil(20);
        rules.push(format!("{ticker} {of_holders} >= {}", holders.saturating_add(step)));
        rules.push(format!("{ticker} {of_holders} <= {}", holders.saturating_sub(step)));
    } else if is_minted {
        rules.push(format!("{ticker} {of_holders} every 100"));
    }
    rules
}

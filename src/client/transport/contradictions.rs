//! Figures of a response that contradict each other. Those that may be wrong are removed.

use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::format::with_separators;
use crate::model::{Balance, Brc20Token, Coin};

/// How far a price may be outside its range: some services update prices more often than ranges.
const TOLERANCE: f64 = 1.25;

/// How much larger a part of a supply may be than the whole, which some services update late.
const SUPPLY_TOLERANCE: f64 = 2.0;

/// Removes ranges that contradict themselves or the price, supplies that contradict each other, and parts of balances
/// that are not their sum or exceed them. Returns warnings, also about supplies with more decimals than their token. Our
/// `is_own` service compares prices with ranges itself.
pub(super) fn remove(response: &mut ResponseData, is_own: bool) -> Vec<Warning> {
    let mut found = Found::default();
    match response {
        ResponseData::Coins(page) => page.items.iter_mut().for_each(|coin| {
            remove_ranges(coin, is_own, &mut found);
            remove_supplies(coin, &mut found);
        }),
        ResponseData::Balances(page) => page.items.iter_mut().for_each(|balance| remove_parts(balance, &mut found)),
        ResponseData::Brc20Tokens(page) => page.items.iter().for_each(|token| check_decimals(token, &mut found)),
        ResponseData::Brc20Token(token) => check_decimals(token, &mut found),
        _ => {}
    }
    found.0.into_iter().map(|(what, example, count)| sentence(what, &example, count)).collect()
}

/// The kinds of contradictions, each with an example and a count.
#[derive(Default)]
struct Found(Vec<(&'static str, String, usize)>);

impl Found {
    fn add(&mut self, what: &'static str, example: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|(known, ..)| *known == what) {
            Some((.., count)) => *count += 1,
            None => self.0.push((what, example(), 1)),
        }
    }
}

fn sentence(what: &str, example: &str, count: usize) -> Warning {
    match count {
        1 => format!("{what}: {example}"),
        _ => format!("{what}: {example} and {} more", count - 1),
    }
}

fn remove_ranges(coin: &mut Coin, is_own: bool, found: &mut Found) {
    let Coin { symbol, price, high_24h, low_24h, all_time_high, all_time_low, .. } = coin;
    for (high, low, what) in [
        (&mut *high_24h, &mut *low_24h, "ignored a 24-hour range with its high below its low"),
        (&mut *all_time_high, &mut *all_time_low, "ignored an all-time range with its high below its low"),
    ] {
        if let Some((top, bottom)) = high.zip(*low).filter(|(top, bottom)| top < bottom) {
            (*high, *low) = (None, None);
            found.add(what, || format!("{symbol} ({top} and {bottom})"));
        }
    }
    if is_own {
        return;
    }
    let is_below =
        |high: Option<f64>, price: Option<f64>| high.zip(price).is_some_and(|(high, price)| high * TOLERANCE < price);
    if is_below(*high_24h, *price) || is_below(*price, *low_24h) {
        found.add("ignored a 24-hour range that excludes the price", || {
            format!("{symbol} ({} to {}, price {})", shown(*low_24h), shown(*high_24h), shown(*price))
        });
        (*high_24h, *low_24h) = (None, None);
    }
    if is_below(*all_time_high, *high_24h) {
        found.add("ignored an all-time high below the 24-hour high", || {
            format!("{symbol} (all-time {}, 24-hour {})", shown(*all_time_high), shown(*high_24h))
        });
        *all_time_high = None;
    }
    if is_below(*low_24h, *all_time_low) {
        found.add("ignored an all-time low above the 24-hour low", || {
            format!("{symbol} (all-time {}, 24-hour {})", shown(*all_time_low), shown(*low_24h))
        });
        *all_time_low = None;
    }
}

/// A figure, or a dash if there is none.
fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| String::from("—"), |figure| with_separators(&figure.to_string()))
}

/// Removes a circulating supply far above the total or max supply, unless the market cap confirms it: then those.
fn remove_supplies(coin: &mut Coin, found: &mut Found) {
    let Some(circulating) = coin.circulating_supply else { return };
    let is_below = |whole: &Option<f64>| whole.is_some_and(|whole| whole * SUPPLY_TOLERANCE < circulating);
    let Some(whole) = [coin.max_supply, coin.total_supply].into_iter().find(is_below).flatten() else { return };
    let by_cap = coin.market_cap.zip(coin.price).map(|(cap, price)| cap / price / circulating);
    found.add("ignored supplies that contradict each other", || {
        format!("{} ({} circulating of {})", coin.symbol, shown(Some(circulating)), shown(Some(whole)))
    });
    if by_cap.is_some_and(|ratio| (0.5..=2.0).contains(&ratio)) {
        coin.total_supply = coin.total_supply.filter(|total| !is_below(&Some(*total)));
        coin.max_supply = coin.max_supply.filter(|max| !is_below(&Some(*max)));
    } else {
        coin.circulating_supply = None;
    }
}

fn remove_parts(balance: &mut Balance, found: &mut Found) {
    let Some((available, transferable)) = balance.available.zip(balance.transferable) else {
        return remove_larger_part(balance, found);
    };
    let Some(overall) = balance.overall.filter(|overall| available.checked_add(transferable) != Some(*overall)) else {
        return;
    };
    (balance.available, balance.transferable) = (None, None);
    let name = balance.ticker.clone().unwrap_or_default();
    found.add("ignored parts that don't add up to the balance", || {
        format!("{name} ({available} and {transferable} of {overall})")
    });
}

/// Removes a part that exceeds the balance. The decoder can't compute the other part then.
fn remove_larger_part(balance: &mut Balance, found: &mut Found) {
    let Some((part, overall)) = balance.available.or(balance.transferable).zip(balance.overall) else { return };
    if part > overall {
        (balance.available, balance.transferable) = (None, None);
        let name = balance.ticker.clone().unwrap_or_default();
        found.add("ignored a part that exceeds the balance", || format!("{name} ({part} of {overall})"));
    }
}

/// Warns only: it is unknown which figure is wrong.
fn check_decimals(token: &Brc20Token, found: &mut Found) {
    let Some(decimals) = token.decimals else { return };
    let amounts = [token.max_supply, token.minted_supply, token.mint_limit];
    if let Some(amount) = amounts.into_iter().flatten().find(|amount| amount.decimals() > decimals) {
        found.add("found an amount with too many decimals", || {
            format!("{} ({amount}, expected at most {decimals})", token.ticker)
        });
    }
}

//! Figures of a response that contradict each other. Those that may be wrong are removed.

use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::model::{Balance, Brc20Token, Coin};

/// Removes highs below their low, and parts of balances that are not their sum. Returns warnings, also about supplies
/// with more decimals than their token.
pub(super) fn remove(answer: &mut ResponseData) -> Vec<Warning> {
    let mut found = Found::default();
    match answer {
        ResponseData::Coins(page) => page.items.iter_mut().for_each(|coin| remove_ranges(coin, &mut found)),
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

fn remove_ranges(coin: &mut Coin, found: &mut Found) {
    let Coin { symbol, high_24h, low_24h, all_time_high, all_time_low, .. } = coin;
    for (high, low, what) in [
        (high_24h, low_24h, "ignored a 24-hour range with its high below its low"),
        (all_time_high, all_time_low, "ignored an all-time range with its high below its low"),
    ] {
        if let Some((top, bottom)) = high.zip(*low).filter(|(top, bottom)| top < bottom) {
            (*high, *low) = (None, None);
            found.add(what, || format!("{symbol} ({top} and {bottom})"));
        }
    }
}

fn remove_parts(balance: &mut Balance, found: &mut Found) {
    let Some((available, transferable)) = balance.available.zip(balance.transferable) else { return };
    let Some(overall) = balance.overall.filter(|overall| available.checked_add(transferable) != Some(*overall)) else {
        return;
    };
    (balance.available, balance.transferable) = (None, None);
    let name = balance.ticker.clone().unwrap_or_default();
    found.add("ignored parts that don't add up to the balance", || {
        format!("{name} ({available} and {transferable} of {overall})")
    });
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

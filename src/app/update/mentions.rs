//! The coins that a post mentions.

use crate::app::coins::named_coin::NamedCoin;
use crate::app::menu::{Menu, MenuAction};
use crate::app::state::State;

use super::selection::open_post;
use super::toast::toast;
use super::token;

/// Maximum coins of a symbol in the menu.
const MAX_COINS_PER_SYMBOL: usize = 3;

/// Opens the coin that the open post mentions, or a menu if there are several.
pub(super) fn open_mentioned(state: &mut State) {
    let Some(post) = open_post(state) else { return };
    let symbols: Vec<String> = post.mentioned().into_iter().map(str::to_owned).collect();
    let here = state.token.as_ref().map(|token| token.named_coin().coin);
    let is_here = |coin: &NamedCoin| here.as_ref().is_some_and(|here| here.is_same(&coin.coin));
    let mut menu = Menu::new("open");
    let mut keys = '1'..='9';
    let mut mentions_current = false;
    for symbol in &symbols {
        let mut coins = state.coins_with_symbol(symbol);
        // The cashtag refers to the open coin, not to another one with its symbol.
        if coins.iter().any(is_here) {
            mentions_current = true;
            continue;
        }
        coins.truncate(MAX_COINS_PER_SYMBOL);
        for (coin, label) in coins.iter().zip(labels(symbol, &coins)) {
            if let Some(key) = keys.next() {
                menu.add(key, label, MenuAction::OpenCoin(Box::new(coin.clone())));
            }
        }
    }
    let mut items = menu.items.iter();
    match (items.next(), items.next()) {
        (None, _) if mentions_current || symbols.is_empty() => {
            toast(state, "No other coins mentioned");
        }
        (None, _) => {
            let sentence = state.unknown_coin(&symbols.join(", "));
            toast(state, sentence);
        }
        (Some(item), None) => {
            let MenuAction::OpenCoin(coin) = item.action.clone() else { return };
            open_coin(state, &coin);
        }
        _ => state.menu = Some(menu),
    }
}

/// The labels of the coins with a symbol: `ORDI`; if several share it, with name and rank, or with the slug if they
/// have no rank: `PEPE Pepe #25`, `PEPE Pepe pepe-2`.
fn labels(symbol: &str, coins: &[NamedCoin]) -> Vec<String> {
    let is_shared = coins.len() > 1;
    let label = |coin: &NamedCoin| {
        let has_name = !coin.name.eq_ignore_ascii_case(symbol);
        let name = Some(coin.name.as_str()).filter(|_| has_name).map(str::to_owned);
        let rank = coin.rank.map(|rank| format!("#{rank}"));
        let rest = name.into_iter().chain(rank.or_else(|| coin.coin.slug.as_ref().map(|slug| slug.to_string())));
        [symbol.to_owned()].into_iter().chain(rest.filter(|_| is_shared)).collect::<Vec<_>>().join(" ")
    };
    coins.iter().map(label).collect()
}

impl State {
    /// Whether the open post mentions a symbol other than the open coin's.
    pub fn mentions_other_coin(&self) -> bool {
        let own = self.token.as_ref().map_or("", |token| token.symbol.as_str());
        open_post(self).is_some_and(|post| post.mentioned().iter().any(|symbol| !symbol.eq_ignore_ascii_case(own)))
    }
}

/// Closes the post and opens a coin.
pub(super) fn open_coin(state: &mut State, coin: &NamedCoin) {
    state.overlay = None;
    token::open_named(state, coin, state.period);
}

//! The coins that a post mentions.

use crate::app::menu::{Menu, MenuAction};
use crate::app::named_coin::NamedCoin;
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
        let is_shared = coins.len() > 1;
        coins.truncate(MAX_COINS_PER_SYMBOL);
        for coin in coins {
            let label = if is_shared { format!("{symbol} {}", coin.name) } else { symbol.clone() };
            if let Some(key) = keys.next() {
                menu.add(key, label, MenuAction::OpenCoin(Box::new(coin)));
            }
        }
    }
    let mut items = menu.items.iter();
    match (items.next(), items.next()) {
        (None, _) if mentions_current || symbols.is_empty() => {
            toast(state, String::from("No other coins mentioned"), false);
        }
        (None, _) => {
            let sentence = state.unknown_coin(&symbols.join(", "));
            toast(state, sentence, false);
        }
        (Some(item), None) => {
            let MenuAction::OpenCoin(coin) = item.action.clone() else { return };
            open_coin(state, &coin);
        }
        _ => state.menu = Some(menu),
    }
}

impl State {
    /// Whether the open post mentions another symbol than that of the open coin.
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

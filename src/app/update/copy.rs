//! Copying: offers everything of the selected row, panel or dialog that is useful elsewhere.
//!
//! The letters have the same meaning everywhere: `c` contract, `a` address, `l` link, `p` price, `i` id, `r` the row as
//! text.

mod indexer;
mod items;

use crate::app::effect::Effect;
use crate::app::menu::{Menu, MenuAction};
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::format::words;
use crate::keymap::Tab;
use crate::model::chart;
use crate::model::{Coin, MarketSeries, Post, Text, text};

use items::Items;

use super::toast::toast;
use super::{overlay, selection};

/// Maximum columns of the copied text in the toast.
const COPIED_COLUMNS: u16 = 40;

/// Keys for further items of a kind: the second contract is `2`.
const DIGITS: [char; 8] = ['2', '3', '4', '5', '6', '7', '8', '9'];

/// Opens the menu of texts that can be copied here; a single one is copied at once.
pub(super) fn open(state: &mut State, effects: &mut Vec<Effect>) {
    let mut menu = Menu::new("copy");
    let mut items = Items::new(&mut menu);
    match &state.overlay {
        Some(Overlay::Links { links, selected, .. }) => items.maybe('l', "link", links.get(*selected).map(|l| &l.url)),
        Some(Overlay::Post { id, .. }) => {
            if let Some(post) = overlay::post(state, id) {
                add_post(&mut items, post);
            }
        }
        Some(_) => {}
        None => add_screen(state, &mut items),
    }
    match menu.items.as_slice() {
        [] => toast(state, String::from("Nothing to copy"), false),
        [only] => {
            let MenuAction::Copy(text) = only.action.clone() else { return };
            copy(state, text, effects);
        }
        _ => state.menu = Some(menu),
    }
}

/// Copies a text and shows a toast.
pub(super) fn copy(state: &mut State, text: String, effects: &mut Vec<Effect>) {
    toast(state, copied(&text), false);
    effects.push(Effect::Copy(text));
}

/// Copies the link that no browser could open.
pub(super) fn link_not_opened(state: &mut State, link: String, effects: &mut Vec<Effect>) {
    effects.push(Effect::Copy(link));
    toast(state, String::from("Can't open a browser · link copied"), true);
}

/// The message after copying a text, with its beginning.
fn copied(text: &str) -> String {
    let line = text::clean(text.lines().next().unwrap_or_default()).replace('\t', "  ");
    let begin = words::fit(line.trim(), COPIED_COLUMNS);
    let more = if begin.len() < text.trim().len() { "…" } else { "" };
    format!("Copied “{begin}{more}”")
}

fn add_screen(state: &State, items: &mut Items<'_>) {
    match (&state.token, state.tab) {
        (Some(token), _) => {
            match token.focus {
                Panel::Posts => {
                    let post = token.posts.key().and_then(|id| overlay::post(state, id));
                    post.into_iter().for_each(|post| add_post(items, post));
                }
                Panel::Markets => add_market(state, items),
                Panel::Chart => add_chart(state, items),
                _ => {}
            }
            match selection::current_coin(state) {
                Some(coin) => add_coin(items, coin),
                None => {
                    items.maybe('i', "id", token.slug.as_ref());
                    items.add('s', "symbol", &token.symbol);
                    items.add('n', "name", &token.name);
                }
            }
        }
        (None, Tab::List(tag)) => state.list(tag).selected().into_iter().for_each(|coin| add_coin(items, coin)),
        (None, Tab::Wallet) => add_wallet(state, items),
        (None, Tab::Indexer) => indexer::add_panel(state, items),
        (None, Tab::Status) => add_status(state, items),
    }
}

fn add_coin(items: &mut Items<'_>, coin: &Coin) {
    for (index, contract) in coin.contracts.iter().enumerate() {
        let platform = contract.platform.as_ref().map(|platform| format!("contract on {platform}"));
        match index.checked_sub(1) {
            None => items.add('c', "contract", &contract.address),
            Some(other) => {
                let Some(&digit) = DIGITS.get(other) else { break };
                items.add_labelled(digit, platform.unwrap_or_else(|| format!("contract {digit}")), &contract.address);
            }
        }
    }
    items.maybe('l', "link", coin.links.first().map(|link| &link.url));
    items.maybe('p', "price", coin.price);
    items.add('i', "id", coin.slug.as_ref().unwrap_or(&coin.id.0));
    items.add('s', "symbol", &coin.symbol);
    items.add('n', "name", &coin.name);
    let price = coin.price.map(|price| format!("{price} {}", coin.convert));
    let change = coin.change_24h_pct.map(|change| format!("{change} % 24h"));
    let rank = coin.rank.map(|rank| rank.to_string());
    items.row(&[rank, Some(coin.name.to_string()), Some(coin.symbol.to_string()), price, change]);
}

fn add_series(items: &mut Items<'_>, series: &MarketSeries) {
    let last = series.points.iter().rev().find_map(|point| point.price);
    items.maybe('p', "price", last);
    items.maybe('i', "id", series.slug.as_ref().or(series.id.as_ref()));
    items.add('s', "symbol", &series.symbol);
    items.maybe('n', "name", series.name.as_ref());
    let price = last.map(|price| format!("{price} {}", series.convert));
    items.row(&[series.name.as_ref().map(Text::to_string), Some(series.symbol.to_string()), price]);
}

fn add_wallet(state: &State, items: &mut Items<'_>) {
    let coin = selection::current_coin(state);
    // The series comes first, since its price may be newer than the list's.
    match (selection::wallet_series(state), coin) {
        (Some(series), Some(coin)) => {
            for contract in coin.contracts.iter().take(1) {
                items.add('c', "contract", &contract.address);
            }
            items.maybe('l', "link", coin.links.first().map(|link| &link.url));
            add_series(items, series);
            add_coin(items, coin);
        }
        (Some(series), None) => add_series(items, series),
        (None, Some(coin)) => add_coin(items, coin),
        (None, None) => {
            let watched = state.wallet.selected().map(|row| &row.watched);
            items.maybe('s', "symbol", watched.map(|watched| &watched.symbol));
        }
    }
}

fn add_post(items: &mut Items<'_>, post: &Post) {
    items.add('t', "text", &post.text);
    items.maybe('l', "link", post.url.as_ref());
    items.maybe('a', "author", post.author.as_ref());
}

fn add_market(state: &State, items: &mut Items<'_>) {
    let Some(token) = &state.token else { return };
    let page = state.store.market_pairs(&token.markets_request(&state.convert)).value;
    let Some(market) = page.and_then(|page| token.market(&page.items, token.markets.index())) else { return };
    let exchange = market.exchange.as_deref();
    items.add('m', "market", format!("{} {}", exchange.unwrap_or_default(), market.pair).trim_start());
    items.maybe('p', "price", market.price);
    items.maybe('e', "exchange", exchange);
    let price = market.price.map(|price| format!("{price} {}", market.convert));
    let volume = market.volume_24h.map(|volume| format!("volume {volume}"));
    items.row(&[exchange.map(str::to_owned), Some(market.pair.to_string()), price, volume]);
}

fn add_chart(state: &State, items: &mut Items<'_>) {
    let Some((token, time)) = state.token.as_ref().and_then(|token| Some((token, token.chart_cursor?))) else { return };
    let request = token.chart_request(&state.convert);
    let Some(chart) = request.and_then(|request| state.store.chart(&request).value) else { return };
    let point = chart::nearest(&chart.points, time).and_then(|index| chart.points.get(index));
    if let Some((point, price)) = point.and_then(|point| Some((point, point.price?))) {
        items.add('p', "price at the cursor", price);
        items.add('r', "time and price", format!("{} {price} {}", point.time, chart.convert));
    }
}

fn add_status(state: &State, items: &mut Items<'_>) {
    let [market, indexer] = &state.preferences.urls;
    items.maybe('m', "market URL", Some(market).filter(|url| !url.is_empty()));
    items.maybe('i', "indexer URL", Some(indexer).filter(|url| !url.is_empty()));
    items.maybe('e', "last error", state.store.errors().next().map(|(_, failure)| &failure.error));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toast_shows_the_beginning_of_the_copied_text() {
        assert_eq!(copied("bitcoin"), "Copied “bitcoin”");
        assert_eq!(copied("one\ntwo"), "Copied “one…”");
        assert_eq!(copied(&"ab".repeat(40)), format!("Copied “{}…”", "ab".repeat(19) + "a"));
    }
}

//! The text that can be copied in the token view.

use crate::app::panel::Panel;
use crate::app::screen::token::OpenCoin;
use crate::app::state::State;
use crate::app::update::selection;
use crate::model::{Candle, chart};

use super::coin::{add_coin, add_last_coin};
use super::items::Items;
use super::post::add_post;

/// Adds the text of the focused panel, then the coin's.
pub(in crate::app::update) fn add_token(state: &State, items: &mut Items<'_>) {
    let Some(token) = &state.token else { return };
    match token.focus {
        Panel::Posts => {
            let post = token.selected_post().and_then(|id| selection::post(state, id));
            post.into_iter().for_each(|post| add_post(items, post));
        }
        Panel::Markets => add_market(state, items),
        Panel::Chart => add_chart(state, items),
        _ => {}
    }
    match state.open_coin() {
        Some(OpenCoin::Known(coin)) => add_coin(items, coin),
        Some(OpenCoin::Last(last)) => add_last_coin(items, last, state.now),
        None => {
            items.maybe('i', "ID", token.slug.as_ref());
            items.add('s', "symbol", &token.symbol);
            items.add('n', "name", &token.name);
        }
    }
}

fn add_market(state: &State, items: &mut Items<'_>) {
    let Some(token) = &state.token else { return };
    let page = state.responses.market_pairs(&token.markets_request(&state.convert)).value;
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
    let up_to_now = state.points_up_to_now();
    let Some(chart) = token.chart_up_to_now(&state.responses, &state.convert, up_to_now.as_deref()) else { return };
    let data = chart.data(state.chart.style);
    let point = chart::nearest(data.points(), time).and_then(|index| data.points().get(index));
    let width = state.chart.candle(token.period, token.chart_columns(state.size, data), data);
    let candle = point.filter(|_| data.exchange().is_some()).and_then(|point| Candle::at(data, point.time, width));
    if let Some(Candle { start, open, high, low, close, .. }) = candle {
        items.add('p', "closing price at the cursor", close);
        let words = format!("{start} open {open} high {high} low {low} close {close} {}", chart.convert);
        return items.add('r', "time and prices", words);
    }
    if let Some((point, price)) = point.and_then(|point| Some((point, point.price?))) {
        items.add('p', "price at the cursor", price);
        items.add('r', "time and price", format!("{} {price} {}", point.time, chart.convert));
    }
}

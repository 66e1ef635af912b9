//! The line that says what matters most of a token: rank, names, price, changes, capitalisation, volume, supply, age.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use crate::format::{Money, Price, Share, Signed};
use crate::view::chrome::health::Health;
use crate::view::chrome::pieces::{self, Piece};
use crate::view::widgets::text;

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>) {
    let inner = text::shifted(Rect { width: area.width.saturating_sub(1), ..area }, 1);
    if inner.is_empty() {
        return;
    }
    let Scene { state, token, coin, look } = scene;
    let theme = &look.theme;
    let page = token.id.as_ref().and_then(|id| state.lists.iter().find_map(|list| list.request_of(id, &state.convert)));
    let health = page.map(|request| Health::of(state.store.get(&request), state.now));

    let mut left = Vec::new();
    let mut name = Piece::default();
    if let Some(rank) = coin.and_then(|coin| coin.rank) {
        name = name.and(format!("#{rank} "), theme.dim);
    }
    name = name.and(token.name.as_str(), theme.strong);
    if token.symbol != token.name {
        name = name.and(format!("  {}", token.symbol), theme.dim);
    }
    if coin.is_some_and(|coin| state.is_watched(coin)) {
        name = name.and(" ★", theme.mark);
    }
    left.push(name);
    match coin {
        Some(coin) => {
            let foreign = coin.convert != state.convert;
            let price = match (coin.convert.sign(), coin.price) {
                (Some(sign), Some(_)) => format!("{sign}{}", Price(coin.price)),
                _ => format!("{} {}", Price(coin.price), coin.convert),
            };
            let mut piece = Piece::new(price, theme.strong);
            if foreign {
                piece = piece.and(format!(" {}", coin.convert), theme.warn);
            }
            left.push(piece);
            for (change, span) in [(coin.change_24h_pct, "24h"), (coin.change_7d_pct, "7d"), (coin.change_1h_pct, "1h")]
            {
                let arrow = match change {
                    Some(0.05..) => "▲",
                    Some(..=-0.05) => "▼",
                    _ => "",
                };
                let words = format!("{arrow} {}", Signed(change));
                left.push(
                    Piece::new(words.trim_start().to_owned(), theme.change(change)).and(format!(" {span}"), theme.dim),
                );
            }
            for (word, value) in [("cap", coin.market_cap), ("vol", coin.volume_24h)] {
                left.push(Piece::new(format!("{word} "), theme.dim).and(Money(value).to_string(), theme.text));
            }
            let supply = coin.circulating_supply.or(coin.total_supply);
            let mut piece = Piece::new("supply ", theme.dim).and(Money(supply).to_string(), theme.text);
            if let (Some(circulating), Some(most)) =
                (coin.circulating_supply, coin.max_supply.filter(|most| *most > 0.0))
            {
                piece = piece.and(format!(" {}", Share(Some(circulating / most * 100.0))), theme.dim);
            }
            left.push(piece);
        }
        None => left.push(Piece::new("its price is in no list that is loaded", theme.dim)),
    }
    let right = health.map(|health| (text::width(&health.text), health));
    let first: u16 = left.iter().take(2).map(|piece| piece.width() + 3).sum();
    let right = right.filter(|(width, health)| health.is_bad || first + width <= inner.width);
    let taken = right.as_ref().map_or(0, |(width, _)| (width + 3).min(inner.width / 2));
    pieces::paint(buf, Rect { width: inner.width - taken, ..inner }, &left, 3);
    if let Some((width, health)) = right {
        let at = inner.width.saturating_sub(width.min(taken.saturating_sub(3)));
        text::put(buf, text::shifted(inner, at), &health.text, health.style(theme));
    }
}

//! The BRC-20 tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use super::amounts::fitting;
use super::listing::Listing;
use crate::app::state::Panel;
use crate::format::{Count, Share};
use crate::view::Memo;
use crate::view::widgets::table::Column;

const TICKER: usize = 0;
const MINTED: usize = 1;
const SUPPLY: usize = 2;
const EVENTS: usize = 3;

const COLUMNS: [Column; 4] = [
    Column::words("Ticker", 8, 9).growing(12),
    Column::number("Minted", 6, 8),
    Column::number("Supply", 9, 6),
    Column::number("Events", 7, 5),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let theme = &scene.look.theme;
    let none = match scene.screen.filter.value().trim() {
        "" => "the indexer knows no BRC-20 token",
        _ => "no ticker begins like that",
    };
    let listing = Listing {
        panel: Panel::Tokens,
        name: "Tokens",
        really: None,
        items: "tokens",
        none,
        list: scene.screen.token_list(&scene.state.store),
        at: &scene.screen.tokens,
        columns: &COLUMNS,
    };
    listing.paint(buf, area, scene, memo, |row, token| {
        row.words(TICKER, &token.ticker, theme.strong);
        let minted = token.minted_supply.zip(token.max_supply).and_then(|(minted, most)| minted.ratio(most));
        // What is minted out is settled; what can still be minted catches the eye.
        let style = if minted.is_some_and(|share| share < 1.0) { theme.text } else { theme.dim };
        row.number(MINTED, Share(minted.map(|share| share * 100.0)), style);
        row.number(SUPPLY, fitting(token.max_supply, 9), theme.text);
        match token.tx_count {
            Some(count) => row.number(EVENTS, Count(count), theme.dim),
            None => row.number(EVENTS, crate::format::ABSENT, theme.dim),
        }
    });
}

//! The holders of a BRC-20 token.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{fitting, shortened};
use super::listing::Listing;
use super::prices;
use super::scene::Scene;
use crate::app::panel::Panel;
use crate::format::{ABSENT, Share};
use crate::view::memo::Memo;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

const ADDRESS: usize = 0;
const BALANCE: usize = 1;
const SHARE: usize = 2;

const VALUE: usize = 3;

const COLUMNS: [Column; 4] = [
    Column::words("Address", 14, 8).growing(62),
    Column::number("Balance", 20, 9),
    Column::number("Share", 5, 6),
    Column::number("Value", 7, 5).growing(12),
];

/// The columns of a panel with at least 100 columns.
const WIDE: [Column; 4] = [
    Column::words("Address", 14, 8).growing(62),
    Column::number("Balance", 20, 9).growing(40),
    Column::number("Share", 5, 6),
    Column::number("Value", 9, 5).growing(12),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let theme = &scene.look.theme;
    let Some(list) = scene.screen.holder_list(&scene.state.store) else { return };
    let details = scene.screen.facts_request().and_then(|request| scene.state.store.brc20_token(&request).value);
    let supply = details.and_then(|token| token.minted_supply);
    let coin = scene.token_coin();
    let listing = Listing {
        panel: Panel::Holders,
        name: &scene.named("Holders"),
        // Indexers also list former holders.
        actual: details.and_then(|token| token.holders),
        items: "holders",
        none: "No holders",
        list,
        sub_list: &scene.screen.holders,
        columns: if area.width >= 100 { &WIDE } else { &COLUMNS },
        sort: None,
    };
    listing.paint(buf, area, scene, memo, |row, holder| {
        let holds = holder.balance.is_none_or(|balance| balance.atoms() > 0);
        let style = if holds { theme.strong } else { theme.dim };
        row.cell(ADDRESS, |buf, cell| {
            text::put(
                buf,
                cell,
                &shortened(holder.address.as_deref().unwrap_or(ABSENT), cell.width),
                if holds { theme.text } else { theme.dim },
            );
        });
        row.cell(BALANCE, |buf, cell| text::number(buf, cell, &fitting(holder.balance, cell.width), style));
        let share = holder.balance.zip(supply).and_then(|(balance, supply)| balance.ratio(supply));
        row.number(SHARE, Share(share.map(|share| share * 100.0)), theme.dim);
        row.cell(VALUE, |buf, cell| prices::value(buf, cell, holder.balance, coin, scene, theme.dim));
    });
}

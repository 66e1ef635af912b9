//! The holders of a BRC-20 token.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{fitting, shortened};
use super::listing::Listing;
use super::prices;
use super::scene::Scene;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::screen::indexer::concentration;
use crate::format::{ABSENT, Share};
use crate::model::{Amount, Holder};
use crate::view::view_state::ViewState;
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

/// Columns of the title beside the name: the numbers of holders and of listed ones.
const BESIDE_NAME: u16 = 20;

/// Columns of an age beside them, which matters more than shares.
const AGE: u16 = 10;

/// The shares of the largest holders in the supply: ` · top 10 45.2%`, ` · top 100 78.1%`.
fn tops(list: &PagedList<'_, Holder>, supply: Amount) -> impl Iterator<Item = String> {
    let balances = || (0..list.len()).map(|row| list.get(row).and_then(|holder| holder.balance));
    let top = move |count: usize| {
        let share = concentration(balances(), supply, count)?;
        Some(format!(" · top {count} {}", Share(Some(share)).to_string().trim()))
    };
    [10, 100].into_iter().filter_map(top)
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, view_state: &mut ViewState) {
    let theme = &scene.appearance.theme;
    let Some(list) = scene.screen.holder_list(&scene.state.store) else { return };
    let details = scene.screen.facts_request().and_then(|request| scene.state.store.brc20_token(&request).value);
    let supply = details.and_then(|token| token.minted_supply);
    let coin = scene.token_coin();
    let is_bad = scene.explained.health(list.first, scene.state).is_bad;
    let beside = BESIDE_NAME + if is_bad { AGE } else { 0 };
    let mut name = scene.named("Holders");
    for top in supply.iter().flat_map(|supply| tops(&list, *supply)) {
        if text::width(&name) + text::width(&top) + beside <= area.width {
            name.push_str(&top);
        }
    }
    let listing = Listing {
        panel: Panel::Holders,
        name: &name,
        // Indexers also list former holders.
        actual: details.and_then(|token| token.holders),
        items: "holders",
        none: "No holders",
        list,
        sub_list: &scene.screen.holders,
        columns: if area.width >= 100 { &WIDE } else { &COLUMNS },
        sort: None,
    };
    listing.paint(buf, area, scene, view_state, |row, holder| {
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

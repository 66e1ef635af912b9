//! The holders of a BRC-20 token.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{self, needed, shortened, widen};
use super::listing::Listing;
use super::panel_context::PanelContext;
use super::prices;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::panel::cells::HolderCell;
use crate::app::screen::indexer::{TOP_HOLDERS, concentration};
use crate::format::{ABSENT, Share};
use crate::model::{Amount, Holder};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

/// The columns of a panel with this width.
fn columns(width: u16) -> [Column; HolderCell::COUNT] {
    let (balance, most, value) = if width >= WIDE { (20, 40, 9) } else { (13, 20, 7) };
    // A narrow panel shortens the addresses, so that they fit beside the balances.
    let address = width.saturating_sub(balance + 3).clamp(MIN_ADDRESS, 14);
    HolderCell::ALL.map(|cell| match cell {
        HolderCell::Address => Column::words("Address", address, 10).growing(62),
        HolderCell::Balance => Column::number("Balance", balance, 9).growing(most),
        HolderCell::Share => Column::number("Share", 5, 6),
        HolderCell::Value => Column::number("Value", value, 5).growing(12),
    })
}

/// Minimum width of a panel with longer balances.
const WIDE: u16 = 100;

/// Minimum width of an address that [`shortened`] can shorten.
const MIN_ADDRESS: u16 = 9;

/// The shares of the largest holders in the supply: ` · top 10 45.2%`, ` · top 100 78.1%`; of as many as are loaded, if
/// there are fewer: ` · top 60 66.0%`, or ` · all 60 99.8%` if they lack some of it. `holders` is their number, if known.
fn tops(list: &PagedList<'_, Holder>, supply: Amount, holders: Option<u64>) -> Vec<String> {
    let balances = || (0..list.len()).map(|row| list.get(row).and_then(|holder| holder.balance));
    let are_all = list.total().or(holders).is_none_or(|count| count <= list.len() as u64);
    let all = if list.has_more() || !are_all { "top" } else { "all" };
    let most = if list.len() < TOP_HOLDERS { (all, list.len()) } else { ("top", TOP_HOLDERS) };
    let few = Some(("top", 10)).filter(|few| few.1 < most.1);
    let share = |(words, count): (&str, usize)| {
        let share = concentration(balances(), supply, count).filter(|_| count > 1)?;
        // All holders having everything goes without saying.
        let is_news = words != "all" || share < 99.95;
        is_news.then(|| format!(" · {words} {count} {}", Share(Some(share)).to_string().trim()))
    };
    few.into_iter().chain([most]).filter_map(share).collect()
}

/// Whether the loaded holders have clearly more than the max supply, so that their shares are wrong. Pages are of different
/// times, so a small excess is possible.
fn exceed(list: &PagedList<'_, Holder>, supply: Amount) -> bool {
    let balances = list.iter().filter_map(|holder| holder.balance);
    let sum = balances.fold(0_u128, |sum, balance| sum.saturating_add(balance.atoms()));
    sum > supply.atoms().saturating_add(supply.atoms() / 100)
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let Some(list) = context.screen.holder_list(&context.state.responses) else { return };
    let details =
        context.screen.facts_request().and_then(|request| context.state.responses.brc20_token(&request).value);
    let supply = details.and_then(|token| token.minted_supply);
    let coin = context.token_coin();
    let name = context.named("Holders");
    let holders = details.and_then(|token| token.holders);
    // The minted supply may be older than the holders.
    let most = details.and_then(|token| token.max_supply).filter(|most| *most > Amount::ZERO).max(supply);
    let is_wrong = most.is_some_and(|most| exceed(&list, most));
    let tops = match supply {
        Some(_) if is_wrong => vec![String::from(" · balances exceed supply")],
        Some(supply) => tops(&list, supply, holders),
        None => Vec::new(),
    };
    let supply = supply.filter(|_| !is_wrong);
    let request = context.screen.holders_request().map(|page| page(0));
    let rows = (request, list.order());
    let balances = || needed(list.iter().map(|holder| holder.balance));
    let balance = usize::from(HolderCell::Balance);
    let needed = view_state.keep_amounts((Panel::Holders, balance), rows, balances);
    let mut columns = columns(area.width);
    widen(&mut columns, balance, needed, area.width);
    let listing = Listing {
        panel: Panel::Holders,
        name: &name,
        // Indexers also list former holders.
        actual: holders,
        notes: &tops,
        items: "holders",
        none: "No holders",
        list,
        selected: Some(context.screen.holders.cursor.index()),
        columns: &columns,
        sort: None,
        headings: &[],
    };
    listing.paint(buf, area, context, view_state, |row, holder| {
        let holds = holder.balance.is_none_or(|balance| balance.atoms() > 0);
        let style = if holds { theme.strong } else { theme.dim };
        row.cell(HolderCell::Address, |buf, cell| {
            text::put(
                buf,
                cell,
                &shortened(holder.address.as_deref().unwrap_or(ABSENT), cell.width),
                if holds { theme.text } else { theme.dim },
            );
        });
        row.cell(HolderCell::Balance, |buf, cell| amounts::paint(buf, cell, holder.balance, needed, style));
        let share = holder.balance.zip(supply).and_then(|(balance, supply)| balance.ratio(supply));
        row.number(HolderCell::Share, Share(share.map(|share| share * 100.0)), theme.dim);
        row.cell(HolderCell::Value, |buf, cell| prices::value(buf, cell, holder.balance, coin, context, theme.dim));
    });
}

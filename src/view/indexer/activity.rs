//! The activity of a token or in a block.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget as _;

use super::amounts::{self, needed, shortened, widen};
use super::listing::Listing;
use super::panel_context::PanelContext;
use crate::app::find::lookup::{MAX_BLOCK, Subject};
use crate::app::panel::Panel;
use crate::app::panel::cells::ActivityCell;
use crate::app::responses::Responses;
use crate::client::{Request, ResponseData};
use crate::format::{ABSENT, Age, Count};
use crate::model::{Activity, Amount, Operation};
use crate::theme::Theme;
use crate::view::chrome::health;
use crate::view::view_state::{AmountColumns, ViewState};
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Minimum width of a panel with longer amounts and addresses.
const WIDE: u16 = 120;

/// The ticker is shown only if there are several tokens.
fn columns(with_ticker: bool, is_wide: bool) -> [Column; ActivityCell::COUNT] {
    // In a wide panel there is room for all digits of amounts and for two addresses of up to 62 characters.
    let (amount, address) = if is_wide { (26, 127) } else { (16, 46) };
    ActivityCell::ALL.map(|cell| match cell {
        ActivityCell::Age => Column::number("Age", 5, 6),
        ActivityCell::Event => Column::words("Event", 8, 9),
        ActivityCell::Ticker if with_ticker => Column::words("Ticker", 8, 7),
        ActivityCell::Ticker => Column::words("", 0, 7),
        ActivityCell::Amount => Column::number("Amount", 16, 8).growing(amount),
        ActivityCell::Parties => Column::words("Address", 16, 5).growing(address),
        ActivityCell::Block => Column::number("Block", 9, 4),
    })
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let (name, none) = match context.screen.subject() {
        Some(Subject::Block(height)) => (
            format!("BRC-20 activity in block {}", Count(height)),
            beyond(&context.state.responses, height)
                .unwrap_or_else(|| String::from("No BRC-20 activity in this block")),
        ),
        Some(Subject::TokenInBlock(ticker, height)) => (
            format!("Activity of {ticker} in block {}", Count(height)),
            beyond(&context.state.responses, height).unwrap_or_else(|| format!("No {ticker} activity in this block")),
        ),
        _ => (context.named("Activity"), String::from("No activity yet")),
    };
    let Some(list) = context.screen.activity_list(&context.state.responses) else {
        let title = PanelTitle::new(&name).focused(context.is_focused(Panel::Activity)).theme(theme);
        let place = health::title(buf, area, title, None, theme);
        return Placeholder::empty(&none).theme(theme).render(place, buf);
    };
    let with_ticker = matches!(context.screen.subject(), Some(Subject::Block(_)));
    let request = context.screen.activity_request().map(|page| page(0));
    let rows = (request, list.order());
    let place = usize::from(ActivityCell::Amount);
    let needed = view_state.keep_amounts((Panel::Activity, place), rows, || needed(list.iter().map(amount)));
    let mut columns = columns(with_ticker, area.width >= WIDE);
    widen(&mut columns, place, needed, area.width);
    let listing = Listing {
        panel: Panel::Activity,
        name: &name,
        actual: None,
        notes: &[],
        items: "activity",
        none: &none,
        list,
        selected: Some(context.screen.activity.cursor.index()),
        columns: &columns,
        sort: None,
        headings: &[],
    };
    let now = context.state.now;
    listing.paint(buf, area, context, view_state, |row, activity| {
        match activity.time {
            Some(time) => row.number(ActivityCell::Age, Age(now.since(time)), theme.dim),
            None => row.number(ActivityCell::Age, ABSENT, theme.dim),
        }
        paint_row(row, activity, (with_ticker, needed), theme);
    });
}

/// The amount of an event; of a deployment, the max supply.
fn amount(activity: &Activity) -> Option<Amount> {
    activity.amount.or(activity.max_supply)
}

/// Paints an event; the amounts of all events need `needed` columns.
fn paint_row(row: &mut Row<'_>, activity: &Activity, (with_ticker, needed): (bool, AmountColumns), theme: &Theme) {
    let (what, style) = match &activity.operation {
        Operation::Deploy => ("deploy", theme.accent),
        Operation::Mint => ("mint", theme.gain),
        Operation::Transfer => ("inscribe", theme.dim),
        Operation::TransferSend => ("send", theme.text),
        Operation::Other(word) => (word.as_str(), theme.warn),
    };
    row.words(ActivityCell::Event, what, style);
    if with_ticker {
        row.words(ActivityCell::Ticker, &activity.ticker, theme.strong);
    }
    row.cell(ActivityCell::Amount, |buf, cell| {
        amounts::paint(buf, cell, amount(activity), needed, theme.strong);
    });
    row.cell(ActivityCell::Parties, |buf, cell| {
        let to = activity.to.as_deref().or(activity.address.as_deref());
        text::put(buf, cell, &parties(activity.from.as_deref(), to, cell.width), theme.text);
    });
    match activity.block_height {
        Some(height) => row.number(ActivityCell::Block, Count(height), theme.dim),
        None => row.number(ActivityCell::Block, ABSENT, theme.dim),
    }
}

/// The message for a block that doesn't exist yet: known from the loaded inscriptions per block, or because the height
/// is too large.
fn beyond(responses: &Responses, height: u64) -> Option<String> {
    let stats = responses.matching(|request| matches!(request, Request::InscriptionStats { .. }));
    let heights = stats.into_iter().flat_map(|response| match response {
        ResponseData::InscriptionStats(page) => page.items.as_slice(),
        _ => &[],
    });
    match heights.filter_map(|stat| stat.block_height).max() {
        Some(last) if height > last => Some(format!("No such block yet (latest known: {})", Count(last))),
        _ if height > MAX_BLOCK => Some(String::from("Block height too large")),
        _ => None,
    }
}

/// Minimum columns of a recognisable address.
const ADDRESS: u16 = 11;

/// The sender and the recipient; only the recipient if there is no room for both.
fn parties(from: Option<&str>, to: Option<&str>, width: u16) -> String {
    match (from, to) {
        (Some(from), Some(to)) if from != to => match width.saturating_sub(3) / 2 {
            half @ ADDRESS.. => format!("{} → {}", shortened(from, half), shortened(to, half)),
            _ => format!("→ {}", shortened(to, width.saturating_sub(2))),
        },
        (Some(one), _) | (None, Some(one)) => shortened(one, width),
        (None, None) => String::from(ABSENT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shortened_to_the_width() {
        let (from, to) = ("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", "bc1p4qmq34x8vgws90kk3m9vd5xw3yfmrrzsy6ycz6");
        for (from, to, width, shown) in [
            (Some(from), Some(to), 28, "bc1qd2mz…cg8 → bc1p4qmq…cz6"),
            (Some(from), Some(to), 19, "→ bc1p4qmq…ycz6"),
            (Some(from), Some(from), 14, "bc1qd2mz…8cg8"),
            (None, Some(to), 14, "bc1p4qmq…ycz6"),
            (None, None, 14, "—"),
        ] {
            assert_eq!(parties(from, to, width), shown);
        }
    }
}

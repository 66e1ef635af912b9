//! What happened to a token, or in a block.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use super::amounts::{fitting, shortened};
use super::listing::Listing;
use crate::app::lookup::Subject;
use crate::app::state::Panel;
use crate::format::{ABSENT, Age, Count};
use crate::model::{Activity, Operation};
use crate::theme::Theme;
use crate::view::Memo;
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::text;

const AGE: usize = 0;
const WHAT: usize = 1;
const TICKER: usize = 2;
const AMOUNT: usize = 3;
const WHO: usize = 4;
const BLOCK: usize = 5;

/// With the ticker where several tokens are meant, without where all are the same.
fn columns(with_ticker: bool) -> [Column; 6] {
    let ticker = if with_ticker { Column::words("Ticker", 8, 7) } else { Column::words("", 0, 7) };
    [
        Column::number("Age", 5, 6),
        Column::words("What", 8, 9),
        ticker,
        Column::number("Amount", 16, 8),
        Column::words("Who", 16, 5).growing(46),
        Column::number("Block", 9, 4),
    ]
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let theme = &scene.look.theme;
    let Some(list) = scene.screen.activity_list(&scene.state.store) else { return };
    let (name, none) = match scene.screen.subject() {
        Some(Subject::Block(height)) => {
            (format!("Activity in block {}", Count(height)), String::from("nothing happened in this block"))
        }
        Some(Subject::TokenInBlock(ticker, height)) => (
            format!("Activity of {ticker} in block {}", Count(height)),
            format!("no {ticker} activity in this block (Esc: all of its activity)"),
        ),
        _ => (String::from("Activity"), String::from("nothing has happened yet")),
    };
    let with_ticker = matches!(scene.screen.subject(), Some(Subject::Block(_)));
    let listing = Listing {
        panel: Panel::Activity,
        name: &name,
        items: "activity",
        none: &none,
        list,
        at: &scene.screen.activity,
        columns: &columns(with_ticker),
    };
    let now = scene.state.now;
    listing.paint(buf, area, scene, memo, |row, activity| {
        match activity.time {
            Some(time) => row.number(AGE, Age(now.since(time)), theme.dim),
            None => row.number(AGE, ABSENT, theme.dim),
        }
        paint_row(row, activity, with_ticker, theme);
    });
}

fn paint_row(row: &mut Row<'_>, activity: &Activity, with_ticker: bool, theme: &Theme) {
    let (what, style) = match &activity.operation {
        Operation::Deploy => ("deploy", theme.accent),
        Operation::Mint => ("mint", theme.gain),
        Operation::Transfer => ("inscribe", theme.dim),
        Operation::TransferSend => ("send", theme.text),
        Operation::Other(word) => (word.as_str(), theme.warn),
    };
    row.words(WHAT, what, style);
    if with_ticker {
        row.words(TICKER, &activity.ticker, theme.strong);
    }
    let amount = activity.amount.or(activity.max_supply);
    row.cell(AMOUNT, |buf, cell| text::number(buf, cell, &fitting(amount, cell.width), theme.strong));
    row.cell(WHO, |buf, cell| {
        let to = activity.to.as_deref().or(activity.address.as_deref());
        let words = match (activity.from.as_deref(), to) {
            (Some(from), Some(to)) if from != to => {
                let half = cell.width.saturating_sub(3) / 2;
                format!("{} → {}", shortened(from, half), shortened(to, half))
            }
            (Some(one), _) | (None, Some(one)) => shortened(one, cell.width),
            (None, None) => String::from(ABSENT),
        };
        text::put(buf, cell, &words, theme.text);
    });
    match activity.block_height {
        Some(height) => row.number(BLOCK, Count(height), theme.dim),
        None => row.number(BLOCK, ABSENT, theme.dim),
    }
}

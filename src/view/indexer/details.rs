//! The details of a BRC-20 token.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::amounts::{fitting, shortened};
use super::facts::{self, Fact};
use super::panel_context::PanelContext;
use super::{prices, token_chart};
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::format::{ABSENT, Count, with_separators};
use crate::model::{Amount, Brc20Token};
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::widgets::{PanelTitle, ShareBar, text};

/// Rows of the panel: title, bar, facts, and an empty row.
pub(super) const ROWS: u16 = 10;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let PanelContext { state, screen, appearance, .. } = context;
    let theme = &appearance.theme;
    let Some(request) = screen.facts_request() else { return };
    let remote = state.responses.brc20_token(&request);
    // Until the details arrive, show the fields of the list.
    let listed = screen.token_list(&state.responses);
    let key = screen.subject();
    let is_it =
        |token: &&Brc20Token| matches!(&key, Some(crate::app::find::lookup::Subject::Token(t)) if *t == token.ticker);
    let known = remote.value.map(Box::as_ref).or_else(|| listed.iter().find(is_it));

    let health = context.explained.health(remote, state);
    let name = match &key {
        Some(crate::app::find::lookup::Subject::Token(ticker)) => ticker.to_string(),
        _ => String::from("Token"),
    };
    let title = PanelTitle::new(&name).focused(context.is_focused(Panel::Details)).theme(theme);
    let place = health::title_with_health(buf, area, title, &health, known.is_some(), theme);
    let Some(token) = known else {
        return context.missing(buf, place, remote, "the token");
    };
    let chart = state.token_chart_request(|| context.token_coin());
    let (place, beside) = match &chart {
        None => (place, Rect::default()),
        Some(_) if IndexerScreen::has_room_for_two(state.size.0) => {
            let facts = Rect { width: place.width.min(token_chart::DETAIL_COLUMNS), ..place };
            (facts, text::shifted(place, facts.width + 2))
        }
        Some(_) => {
            let facts = Rect { height: place.height.min(ROWS - 1), ..place };
            let chart = below(place, facts.height);
            // A list follows without a gap.
            let gap = u16::from(screen.is_split(state.size));
            (facts, Rect { height: chart.height.saturating_sub(gap), ..chart })
        }
    };
    let share = token.minted_supply.zip(token.max_supply).and_then(|(minted, most)| minted.ratio(most));
    let line = text::shifted(text::line(place, 0), 1);
    text::put(buf, line, "minted", theme.dim);
    let value = text::shifted(line, facts::LABEL);
    let bar = Rect { width: value.width.min(46), ..value };
    ShareBar::new(share).theme(theme).render(bar, buf);
    facts::lines(buf, below(place, 1), &lines(token, place.width, context), screen.scroll, theme);
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
    if let Some(chart) = chart {
        token_chart::paint(buf, beside, context, &chart);
    }
}

fn lines(token: &Brc20Token, width: u16, context: &PanelContext<'_>) -> Vec<Fact> {
    let (theme, zone) = (&context.appearance.theme, &context.state.preferences.zone);
    let room = width.saturating_sub(14);
    let count = |value: Option<u64>| value.map_or_else(|| String::from(ABSENT), |value| Count(value).to_string());
    let id = |value: &Option<crate::model::Text>| {
        value.as_deref().map_or_else(|| String::from(ABSENT), |id| shortened(id, room))
    };
    // 0 means "no limit", which only such tokens may have.
    let is_limited = |limit: Option<Amount>| token.self_mint != Some(true) || limit != Some(Amount::from_atoms(0));
    let minted = fitting(token.minted_supply, room / 2);
    let supply = if is_limited(token.max_supply) {
        format!("{minted} of {}", fitting(token.max_supply, room / 2))
    } else {
        format!("{minted} · no max supply")
    };
    let mint = match (token.self_mint, token.mint_limit) {
        (Some(true), limit) if !is_limited(limit) => String::from("no limit (deployer only)"),
        (Some(true), limit) => format!("{} (deployer only)", fitting(limit, 40)),
        (_, Some(limit)) => fitting(Some(limit), 40),
        (_, None) => String::from("unknown"),
    };
    let deployed = match (token.deployed_at, token.block_height) {
        (Some(at), Some(height)) => format!("{} · block {}", facts::moment(at, zone), Count(height)),
        (Some(at), None) => facts::moment(at, zone),
        (None, Some(height)) => format!("block {}", Count(height)),
        (None, None) => String::from(ABSENT),
    };
    // In one line, since there are no more rows.
    let number = token.inscription_number.map(|number| with_separators(&number.to_string()));
    let number = number.map(|number| format!("  #{number}")).unwrap_or_default();
    let inscription = match token.inscription_id.as_deref() {
        Some(inscription) => shortened(inscription, room.saturating_sub(text::width(&number))),
        None => String::from(ABSENT),
    };
    let (price, style) = prices::lines(context.prices.of_token(token), room, context);
    let counts = [("", token.holders), ("events ", token.tx_count), ("decimals ", token.decimals.map(u64::from))];
    let counts = counts.map(|(label, value)| format!("{label}{}", count(value)));
    vec![
        Fact::new("price", price, style),
        Fact::new("supply", supply, theme.text),
        Fact::new("holders", facts::items(&counts, "  ", room), theme.text),
        Fact::new("mint limit", mint, theme.text),
        Fact::new("deployed", deployed, theme.text),
        Fact::new("by", id(&token.deployer), theme.text),
        Fact::new("inscription", format!("{inscription}{number}"), theme.text),
    ]
}

//! Runs the commands of the open dialog.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::overlay::{Overlay, currencies, layout, reader};
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::keymap::Command;
use crate::keymap::help;
use crate::model::{Link, Text};

use super::toast::toast;
use super::{
    address, alerts, columns, compare, currency, filter, indexer, lot, mentions, note, palette, refresh, selection,
    sources,
};

pub(super) fn run(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    if matches!(state.overlay, Some(Overlay::Compare)) && command != Command::Refresh {
        return compare::run(state, command);
    }
    let is_columns = matches!(state.overlay, Some(Overlay::Columns { .. }));
    let is_alerts = matches!(state.overlay, Some(Overlay::Alerts(_)));
    match command {
        Command::Up => step(state, -1),
        Command::Down => step(state, 1),
        Command::PageUp => step(state, -10),
        Command::PageDown => step(state, 10),
        Command::First => step(state, isize::MIN / 2),
        Command::Last => step(state, isize::MAX / 2),
        Command::Refresh => refresh::run(state, effects),
        _ if is_columns => columns::run(state, command),
        _ if is_alerts => alerts::run(state, command, effects),
        Command::Back | Command::Close | Command::Sources if matches!(state.overlay, Some(Overlay::Sources { .. })) => {
            sources::close(state, effects);
        }
        Command::Back | Command::Close if matches!(state.overlay, Some(Overlay::Palette(..))) => palette::close(state),
        Command::Complete if matches!(state.overlay, Some(Overlay::Lot { .. })) => lot::complete(state),
        Command::Complete => palette::complete(state),
        Command::Back | Command::Close => state.overlay = None,
        Command::ShowImage => state.overlay = None,
        Command::Help if matches!(state.overlay, Some(Overlay::Help { .. })) => state.overlay = None,
        Command::Open if !matches!(state.overlay, Some(Overlay::Sources { .. })) => choose(state, effects),
        _ if matches!(state.overlay, Some(Overlay::Sources { .. })) => sources::run(state, command, effects),
        Command::Links if matches!(state.overlay, Some(Overlay::Post { .. })) => open_links(state),
        Command::OpenMentioned => mentions::open_mentioned(state),
        _ => {}
    }
}

/// Moves the selection of the dialog, or scrolls it.
pub(super) fn step(state: &mut State, by: isize) {
    if matches!(state.overlay, Some(Overlay::Sources { .. })) {
        return sources::step(state, by);
    }
    if matches!(state.overlay, Some(Overlay::Compare)) {
        return compare::step(state, by);
    }
    let most = max_scroll(state);
    match &mut state.overlay {
        // Limit the position before the step too, since the screen may have grown in the meantime.
        Some(Overlay::Help { scroll } | Overlay::Post { scroll, .. }) => {
            *scroll = (*scroll).min(most).saturating_add_signed(by).min(most);
        }
        Some(Overlay::Links { links, selected, .. }) => {
            *selected = selected.saturating_add_signed(by).min(links.len().saturating_sub(1));
        }
        Some(Overlay::Currency { input, selected }) => {
            *selected = selected.saturating_add_signed(by).min(currencies(input.value()).len().saturating_sub(1));
        }
        Some(Overlay::Palette(palette, _)) => {
            palette.selected = palette.selected.saturating_add_signed(by).min(palette.items.len().saturating_sub(1));
        }
        Some(Overlay::Lot { .. }) => lot::step(state, by),
        Some(Overlay::Alerts(_)) => alerts::step(state, by),
        Some(Overlay::Columns { .. }) => columns::step(state, by),
        Some(Overlay::Filter { .. }) => {}
        Some(
            Overlay::Compare
            | Overlay::Image { .. }
            | Overlay::Sources { .. }
            | Overlay::AddressNotice { .. }
            | Overlay::Address { .. }
            | Overlay::Note { .. },
        )
        | None => {}
    }
}

/// Maximum scroll position of the dialog: the last line is then at the bottom.
fn max_scroll(state: &State) -> usize {
    match &state.overlay {
        Some(Overlay::Help { .. }) => {
            let columns = help::columns(state.keys(), state.screen(), layout::max_columns(state.size.0));
            let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
            let rows = layout::rows(state.size, (help::COLUMN, u16::try_from(lines).unwrap_or(u16::MAX)));
            lines.saturating_sub(usize::from(rows))
        }
        Some(Overlay::Post { id, .. }) => {
            selection::post(state, id).map_or(0, |post| reader::max_scroll(post, state.size))
        }
        _ => 0,
    }
}

fn choose(state: &mut State, effects: &mut Vec<Effect>) {
    match state.overlay.take() {
        Some(Overlay::Links { links, selected, .. }) => {
            if let Some(link) = links.into_iter().nth(selected) {
                effects.push(Effect::OpenLink(link.url.into()));
            }
        }
        Some(Overlay::Currency { input, selected }) => match currencies(input.value()).into_iter().nth(selected) {
            Some(currency) if currency != state.convert => {
                let before = currency::change(state, currency);
                // After two changes in a row, the currency to go back to is the last one known to work.
                state.convert_before.get_or_insert(before);
            }
            Some(_) => {}
            None => toast(state, format!("Invalid currency code: {}", input.value()), true),
        },
        Some(Overlay::Filter { input, tag }) => filter::apply(state, input, tag),
        Some(Overlay::AddressNotice { address }) => indexer::confirm_address(state, address, effects),
        Some(Overlay::Address { input, edited }) => address::apply(state, input, edited, effects),
        Some(Overlay::Note { input, before }) => note::apply(state, input, before, effects),
        Some(Overlay::Lot { input, selected, edited }) => lot::apply(state, input, selected, edited, effects),
        Some(
            Overlay::Compare
            | Overlay::Post { .. }
            | Overlay::Image { .. }
            | Overlay::Help { .. }
            | Overlay::Sources { .. }
            | Overlay::Palette(..)
            | Overlay::Alerts(_)
            | Overlay::Columns { .. },
        )
        | None => {}
    }
}

/// Opens the currency dialog.
pub(super) fn open_currencies(state: &mut State) {
    let selected = currencies("").iter().position(|c| *c == state.convert).unwrap_or(0);
    state.overlay = Some(Overlay::Currency { input: Input::default(), selected });
}

/// Opens the links of the open or selected post, or of the coin.
pub(super) fn open_links(state: &mut State) {
    let reading = match &state.overlay {
        Some(Overlay::Post { id, .. }) => Some(id.clone()),
        _ => state.token.as_ref().filter(|t| t.focus == Panel::Posts).and_then(|t| t.selected_post().cloned()),
    };
    let (title, links) = match reading.as_ref().and_then(|id| selection::post(state, id)) {
        Some(post) => (String::from("Links of this post"), links_of_post(post)),
        None => match state.open_screen().coin(state) {
            Some(coin) => (format!("Links of {}", coin.name), coin.links.to_vec()),
            None => return,
        },
    };
    if links.is_empty() {
        toast(state, String::from("No links here"), false);
    } else {
        state.overlay = Some(Overlay::Links { title, links, selected: 0 });
    }
}

fn links_of_post(post: &crate::model::Post) -> Vec<Link> {
    let own = post.url.iter().map(|url| Link { kind: Text::const_new("post"), url: url.into() });
    let trimmed = |word: &str| word.trim_end_matches(['.', ',', ')', ']', '!', '?', ';', ':', '"', '\'']).to_owned();
    let written = post
        .text
        .split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | '['))
        .filter(|word| word.starts_with("https://") || word.starts_with("http://"))
        .map(|word| Link { kind: Text::const_new("in the text"), url: trimmed(word).into() })
        .filter(|link| can_be_opened(&link.url));
    own.chain(written).collect()
}

/// Whether all programs parse the link the same way: some read `\\` as `/` and some don't, so that the host shown could
/// differ from the host opened.
fn can_be_opened(link: &str) -> bool {
    !link.contains(['\\', '"', '<', '>', '`', '^', '|']) && url::Url::parse(link).is_ok_and(|url| url.has_host())
}

//! Facts about a sat or an inscription, as labelled lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::panel_context::PanelContext;
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::scroll::Scroll;
use crate::client::Request;
use crate::format::{ABSENT, Bytes, Clock, Count, Day, with_separators};
use crate::model::{Inscription, Sat, UtcTime, Zone};
use crate::theme::Theme;
use crate::view::chrome::health;
use crate::view::widgets::{PanelTitle, text};

/// Rows of a sat's facts, with the title and an empty row.
pub(super) const ROWS: u16 = 15;

/// Maximum bytes of text that is shown among the facts; a BRC-20 event has about 70.
const SHORT: usize = 160;

/// Minimum width of a panel with an inscription's text next to its facts.
const TWO_COLUMNS: u16 = 140;

/// Columns of the facts in that layout: an id of 66 characters fits on one line.
const FACTS_COLUMNS: u16 = 82;

/// Columns of the labels.
pub(super) const LABEL: u16 = 13;

/// A labelled text.
pub(super) struct Fact {
    label: &'static str,
    words: String,
    style: Style,
}

impl Fact {
    pub(super) fn new(label: &'static str, words: String, style: Style) -> Fact {
        Fact { label, words, style }
    }
}

/// Paints labelled lines, wrapped and scrolled.
pub(super) fn lines(buf: &mut Buffer, area: Rect, facts: &[Fact], scroll: Scroll, theme: &Theme) {
    let area = text::shifted(area, 1);
    let room = area.width.saturating_sub(LABEL);
    let all: Vec<(&str, &str, Style)> = facts
        .iter()
        .flat_map(|fact| {
            text::wrap(&fact.words, room)
                .enumerate()
                .map(move |(line, words)| (if line == 0 { fact.label } else { "" }, words, fact.style))
        })
        .collect();
    let skip = scroll.first(all.len(), usize::from(area.height));
    for (row, (label, words, style)) in (0..area.height).zip(all.into_iter().skip(skip)) {
        let line = text::line(area, row);
        text::put(buf, Rect { width: line.width.min(LABEL - 1), ..line }, label, theme.dim);
        text::put(buf, text::shifted(line, LABEL), words, style);
    }
}

/// Joins labelled values with a gap, in lines of at most `room` columns, so that no label is apart from its value.
pub(super) fn items(all: &[String], gap: &str, room: u16) -> String {
    let mut words = String::new();
    let mut used = 0;
    for item in all {
        let with_gap = used + text::width(gap) + text::width(item);
        if used > 0 && with_gap <= room {
            words += gap;
            used = with_gap;
        } else {
            words += if used > 0 { "\n" } else { "" };
            used = text::width(item);
        }
        words += item;
    }
    words
}

/// Formats a time with its year: `3 Mar 2026 06:22`.
pub(super) fn moment(time: UtcTime, zone: &Zone) -> String {
    let local = zone.at(time);
    format!("{} {} {}", Day(local), local.year(), Clock(local))
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let PanelContext { state, screen, appearance, .. } = context;
    let theme = &appearance.theme;
    let (Some(request), Some(subject)) = (screen.facts_request(), screen.subject()) else { return };
    let any = state.responses.get(&request);
    let name = match &subject {
        Subject::Sat(number) => format!("Sat {}", Count(number.get())),
        Subject::Inscription(_) => String::from("Inscription"),
        _ => String::from("Facts"),
    };
    let health = context.explained.health(any, state);
    let focused = context.is_focused(Panel::Facts);
    let title = PanelTitle::new(&name).focused(focused).theme(theme);
    let place = health::title_with_health(buf, area, title, &health, any.value.is_some(), theme);

    let facts = match &subject {
        // Most facts follow from ordinal theory and need no indexer.
        Subject::Sat(number) => {
            let computed = Sat::computed(*number);
            let remote = state.responses.sat(&request);
            let newest = state.responses.chain_state(&Request::ChainState).value.map(|chain| chain.height);
            let mut facts = sat_facts(remote.value.map_or(&computed, |sat| sat), newest, theme);
            if let (None, Some(failure)) = (remote.value, remote.failure()) {
                // At the top, so that it is visible in a small panel.
                let why = health::sentence(failure, remote.is_loading(), state.now);
                facts.insert(0, Fact::new("indexer", why, theme.warn));
            }
            Some(facts)
        }
        _ => state
            .responses
            .inscription(&request)
            .value
            .map(|inscription| inscription_facts(inscription, &state.preferences.zone, theme)),
    };
    let content = content(context);
    match facts {
        // Next to the facts if there is room for both.
        Some(facts) if content.is_some() && place.width >= TWO_COLUMNS => {
            let left = Rect { width: FACTS_COLUMNS, ..place };
            lines(buf, left, &facts, screen.scroll, theme);
            let right = text::shifted(place, left.width + 2);
            lines(buf, right, &content.into_iter().collect::<Vec<_>>(), screen.scroll, theme);
        }
        Some(mut facts) => {
            // A short text after number, id and type; a longer one must not push the facts out of view.
            let is_short = |fact: &Fact| fact.words.len() <= SHORT && fact.words.lines().count() <= 4;
            let at = if content.as_ref().is_some_and(is_short) { 3.min(facts.len()) } else { facts.len() };
            facts.splice(at..at, content);
            lines(buf, place, &facts, screen.scroll, theme);
        }
        None => context.missing(buf, place, any, "the inscription"),
    }
    if any.is_stale(state.now) {
        health::fade(buf, place);
    }
}

/// The text of the inscription, if it is a short text.
fn content(context: &PanelContext<'_>) -> Option<Fact> {
    let PanelContext { state, screen, appearance, .. } = context;
    let theme = &appearance.theme;
    let remote = state.responses.content(&screen.shown_content(&state.responses)?);
    Some(match (remote.value, remote.failure()) {
        (Some(content), _) if content.text.is_empty() => Fact::new("text", String::from("No readable text"), theme.dim),
        (Some(content), _) => Fact::new("text", content.text.clone(), theme.text),
        (None, Some(failure)) => {
            Fact::new("text", health::sentence(failure, remote.is_loading(), state.now), theme.warn)
        }
        (None, None) => Fact::new("text", String::from("Loading…"), theme.dim),
    })
}

/// The facts about a sat. `newest` is the height of the newest block, if it is known.
fn sat_facts(sat: &Sat, newest: Option<u64>, theme: &Theme) -> Vec<Fact> {
    let is_future = newest.is_some_and(|newest| sat.block_height > newest);
    let future = if is_future { " (not mined)" } else { "" };
    let mut facts = vec![
        Fact::new("name", sat.name.to_string(), theme.strong),
        Fact::new("rarity", sat.rarity.to_string(), if sat.rarity == "common" { theme.text } else { theme.accent }),
        // The only fact that doesn't follow from ordinal theory, so near the top.
        Fact::new("inscription", text_or_absent(sat.inscription_id.as_deref()), theme.text),
        Fact::new("charms", list(&sat.charms), theme.text),
        Fact::new("decimal", sat.decimal.to_string(), theme.text),
        Fact::new("degree", sat.degree.to_string(), theme.text),
        Fact::new("percentile", sat.percentile.to_string(), theme.text),
        Fact::new("block", format!("{}{future}   offset {}", Count(sat.block_height), Count(sat.offset)), theme.text),
        Fact::new("cycle", format!("{}   epoch {}   period {}", sat.cycle, sat.epoch, Count(sat.period)), theme.text),
    ];
    for disagreement in &sat.disagreements {
        let words = format!(
            "{}: indexer {}, ordinal theory {}",
            disagreement.field, disagreement.indexer, disagreement.computed
        );
        facts.push(Fact::new("differs", words, theme.warn));
    }
    facts
}

fn inscription_facts(inscription: &Inscription, zone: &Zone, theme: &Theme) -> Vec<Fact> {
    let count = |value: Option<u64>| value.map_or_else(|| String::from(ABSENT), |value| Count(value).to_string());
    let moment = |value: Option<UtcTime>| {
        value.map_or_else(|| String::from(ABSENT), |time| self::moment(time, zone) + " " + &zone.abbreviation(time))
    };
    let number = inscription.number.map_or_else(|| String::from(ABSENT), |number| with_separators(&number.to_string()));
    let cursed = match (&inscription.curse_type, inscription.number) {
        (Some(kind), _) => format!("   cursed ({kind})"),
        (None, Some(..0)) => String::from("   cursed"),
        _ => String::new(),
    };
    let length = inscription.content_length.map_or_else(|| String::from(ABSENT), |length| Bytes(length).to_string());
    let sat = inscription.sat.map_or_else(|| String::from(ABSENT), |sat| Count(sat.get()).to_string());
    let recursive = if inscription.recursive == Some(true) { "   recursive" } else { "" };
    let fee = format!("{} sats", count(inscription.genesis_fee));
    let genesis = format!("block {}   {}", count(inscription.genesis_block_height), moment(inscription.genesis_time));
    let place = format!("{}   offset {}", text_or_absent(inscription.output.as_deref()), count(inscription.offset));
    vec![
        Fact::new("number", format!("{number}{cursed}"), theme.strong),
        Fact::new("id", inscription.id.to_string(), theme.text),
        Fact::new(
            "content",
            format!("{}   {length}{recursive}", text_or_absent(inscription.content_type.as_deref())),
            theme.text,
        ),
        Fact::new("sat", format!("{sat}   {}", text_or_absent(inscription.rarity.as_deref())), theme.text),
        Fact::new("charms", list(&inscription.charms), theme.text),
        Fact::new("address", text_or_absent(inscription.address.as_deref()), theme.text),
        Fact::new("output", place, theme.text),
        Fact::new("value", format!("{} sats", count(inscription.value)), theme.text),
        Fact::new("held since", moment(inscription.time), theme.text),
        Fact::new("genesis", genesis, theme.text),
        Fact::new("inscribed by", text_or_absent(inscription.genesis_address.as_deref()), theme.text),
        Fact::new("fee", fee, theme.text),
        Fact::new("parents", list(&inscription.parents), theme.text),
    ]
}

fn list(words: &[crate::model::Text]) -> String {
    match words {
        [] => String::from(ABSENT),
        words => words.join(" · "),
    }
}

fn text_or_absent(text: Option<&str>) -> String {
    text.unwrap_or(ABSENT).to_owned()
}

//! The comparison of coins.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::frame::frame;
use crate::app::State;
use crate::app::compare::{Comparison, NoLine};
use crate::keymap::{Command, Tab};
use crate::model::Period;
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health::{self, Health};
use crate::view::widgets::chart::comparison::{self, Line};
use crate::view::widgets::chart::readout;
use crate::view::widgets::{PanelTitle, Placeholder, text};

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    let theme = &appearance.theme;
    let compared = &state.comparison;
    let inner = frame(buf, area, u16::MAX, u16::MAX, "Compare", appearance);
    let Some(request) = compared.request(&state.convert) else { return };
    let remote = state.store.market(&request);
    let series = remote.value.map(|answer| compared.series(answer));

    let names = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == compared.period());
    let title = PanelTitle::new("From 0%").choices(&names, chosen).focused(true).theme(theme);
    let health = Health::of(remote, state);
    let cursor = compared.cursor.filter(|_| series.is_some());
    let zone = &state.preferences.zone;
    let points = series.iter().flatten().flatten().map(|series| series.points.as_slice()).max_by_key(|it| it.len());
    let when = cursor.map(|time| readout::moment(points.unwrap_or(&[]), time, zone));
    let title = match (&when, health.is_bad && remote.value.is_some()) {
        (_, true) => title.right(&health.text, theme.warn),
        (Some(when), _) => title.right(when, theme.text),
        (None, _) => title,
    };
    title.render(inner, buf);
    let rest = below(inner, 1);

    let Some(series) = series else {
        return health::missing(buf, rest, remote, "the comparison", state, theme);
    };
    let notes: Vec<String> = compared
        .coins()
        .iter()
        .zip(&series)
        .filter_map(|(coin, series)| match series {
            Ok(_) => None,
            Err(NoLine::Missing) => Some(format!("No {} prices for {}", compared.period().as_str(), coin.symbol)),
            Err(NoLine::Ambiguous(several)) => Some(format!("{several} coins use {}", coin.symbol)),
        })
        .collect();
    let alone = (compared.coins().len() == 1).then(|| alone(state, appearance)).flatten();
    let note = notes.into_iter().chain(alone).collect::<Vec<_>>().join(" · ");
    let noted = u16::from(!note.is_empty());
    let plot = Rect { height: rest.height.saturating_sub(noted), ..rest };
    text::put(buf, text::line(below(rest, plot.height), 0), &note, theme.dim);
    if series.iter().all(Result::is_err) {
        let sentence = format!("No prices for {}", compared.period().as_str());
        return Placeholder::empty(&sentence).theme(theme).render(plot, buf);
    }
    let period = compared.period();
    let styles = theme.lines.iter().cycle();
    let coins = compared.coins().iter().zip(&series).zip(styles).enumerate();
    let lines: Vec<Line<'_>> = coins
        .map(|(index, ((coin, series), style))| Line {
            letter: Comparison::letter(index),
            name: &coin.symbol,
            points: series.map_or(&[], |series| period.of(&series.points)),
            listed: series.ok().and_then(|series| state.listed_change(coin, period, &series.convert)),
            style: *style,
            is_selected: index == compared.selected,
        })
        .collect();
    comparison::Comparison::new(&lines).cursor(cursor).zone(zone).theme(theme).render(plot, buf);
    if remote.is_stale(state.now) {
        health::fade(buf, rest);
    }
}

/// How to add other coins, as long as there is only one.
fn alone(state: &State, appearance: &Appearance) -> Option<String> {
    state.keys().key(Command::Mark, state.tab.context())?;
    let key = state.keys().name(Command::Mark, Context::List, appearance.glyphs)?;
    Some(format!("{key} in a list adds a coin"))
}

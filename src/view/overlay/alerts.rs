//! The Alerts dialog: a line for a new rule, the alerts with their values, and recent firings.

mod line;
mod past;
mod rows;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;

use super::frame::{Frame, scrollbar};
use crate::alerts::text as words;
use crate::app::alerts::past::PastAlert;
use crate::app::overlay::AlertsDialog;
use crate::app::overlay::layout::{self, BORDER_COLUMNS};
use crate::app::{ClickTarget, State};
use crate::format::words::capitalised;
use crate::format::{Count, Span, TimeRange};
use crate::keymap::{Command, Context};
use crate::user_data::Alert;
use crate::view::appearance::Appearance;
use crate::view::area::{below, clear};
use crate::view::chrome::prompt;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::table::Row;
use crate::view::widgets::{Table, text};

/// Maximum columns of the content.
const COLUMNS: u16 = 108;

/// Minimum rows of the content, if there is room.
const ROWS: u16 = 10;

/// Up to this height, the alerts need all the room: no titles, explanations and blank rows.
const SMALL: u16 = 10;

/// Paints the dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    dialog: &AlertsDialog,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let title = title(state, dialog);
    let columns = COLUMNS.min(area.width.saturating_sub(BORDER_COLUMNS));
    let failure = command_failure(state).map_or(0, |sentence| text::wrap(&sentence, columns).count());
    // The firings have a row above them, which is also needed for an explanation of two rows.
    let past = past::rows(&state.past_alerts()).max(1) + 1;
    let listed = state.alerts.tracked.len() + 1 + usize::from(past) + failure;
    let typed = if dialog.line.is_some() { line::rows(state, dialog) } else { 0 };
    let rows = u16::try_from(listed.max(typed)).unwrap_or(u16::MAX).max(ROWS);
    let inner = Frame::new(&title, COLUMNS, rows).paint(buf, area, appearance, view_state);
    match &dialog.line {
        Some(_) => line::paint(buf, inner, context, dialog, view_state),
        None => {
            paint_list(buf, inner, context, dialog, view_state);
            if dialog.is_filtering {
                let has_border = layout::has_border(layout::outer((area.width, area.height), (COLUMNS, rows)));
                paint_filter(buf, inner, has_border, dialog, appearance, view_state);
            }
        }
    }
}

/// The title: the filter with the number of alerts that match it, then how many are on.
fn title(state: &State, dialog: &AlertsDialog) -> String {
    let all = state.alerts.tracked.len();
    if all == 0 {
        return String::from("Alerts");
    }
    let matching = Count(dialog.listed(&state.alerts.tracked).len() as u64);
    let filter = match (dialog.is_filtering, dialog.is_filtered()) {
        (true, _) => {
            // The text is painted over the blanks.
            let blanks = usize::from(filter_columns(dialog));
            format!("{FILTER}{:blanks$} · {matching} of {}", "", Count(all as u64))
        }
        (false, true) => {
            let (whole, begin) = (dialog.filter.value(), text::fit(dialog.filter.value(), MAX_FILTER));
            let cut = if begin.len() < whole.len() { "…" } else { "" };
            format!("{FILTER}{begin}{cut} · {matching} of {}", Count(all as u64))
        }
        (false, false) => String::from("Alerts"),
    };
    let on = state.alerts.tracked.iter().filter(|tracked| tracked.alert.on).count();
    match state.alerts.checked_elsewhere() {
        0 => format!("{filter} · {on} on"),
        all if all == on => format!("{filter} · {on} on · checked by another process"),
        some => format!("{filter} · {on} on · {some} checked by another process"),
    }
}

/// The title before the filter.
const FILTER: &str = "Alerts · /";

/// Maximum columns of the filter in the title.
const MAX_FILTER: u16 = 20;

/// The columns of the typed filter with its cursor.
fn filter_columns(dialog: &AlertsDialog) -> u16 {
    text::width(dialog.filter.value()).saturating_add(1).min(MAX_FILTER)
}

/// Paints the typed filter into the title; without a border, into the first row.
fn paint_filter(
    buf: &mut Buffer,
    inner: Rect,
    has_border: bool,
    dialog: &AlertsDialog,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let style = appearance.theme.title_focused;
    let place = if has_border {
        // The title starts after the corner, a line and a blank.
        let title = Rect { y: inner.y.saturating_sub(1), height: 1, ..text::shifted(inner, 1) };
        text::shifted(title, text::width(FILTER))
    } else {
        let row = text::line(inner, 0);
        clear(buf, row);
        text::shifted(row, text::put(buf, row, "/", style))
    };
    prompt::paint(
        buf,
        Rect { width: place.width.min(filter_columns(dialog)), ..place },
        &dialog.filter,
        style,
        view_state,
    );
}

/// Paints the alerts and the last firings.
fn paint_list(
    buf: &mut Buffer,
    inner: Rect,
    context: PaintContext<'_>,
    dialog: &AlertsDialog,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let (theme, alerts) = (&appearance.theme, &state.alerts.tracked);
    let listed = dialog.listed(alerts);
    if alerts.is_empty() {
        let key = state.keys().name(Command::AddAlert, Context::Alerts, appearance.glyphs).unwrap_or_default();
        text::paragraph(buf, inner, &format!("No alerts · press {key} to add one"), theme.dim);
        return;
    }
    let inner = paint_command_failure(buf, inner, state, appearance);
    let past = state.listed_past_alerts(dialog);
    let selected = dialog.selected.and_then(|id| listed.row_of(id)).unwrap_or(0);
    let shown = Some(selected).filter(|_| dialog.past.is_none());
    let explanation = shown
        .and_then(|row| listed.get(row))
        .filter(|tracked| tracked.alert.on)
        .map(|tracked| explanation(&tracked.alert, inner.width, state, appearance));
    let parts = Parts::new(inner, listed.len(), &past, dialog.past.is_some(), explanation.as_ref());
    let table = Rect { height: (parts.head + parts.alerts).min(inner.height), ..inner };
    let place = below(table, parts.head);
    let mut table_state = view_state.table(TableScreen::Overlay, None, listed.len(), shown, place.height);
    let visible = table_state.visible(listed.len(), usize::from(place.height));
    let shared = rows::SharedSymbols::of(alerts);
    let paint = |index: usize, row: &mut Row<'_>| {
        if let Some(tracked) = listed.get(index) {
            rows::paint(row, tracked, &shared, state, appearance);
        }
    };
    let mut columns = rows::columns(state, (listed, &visible), &shared, inner.width, appearance);
    view_state.keep_alert_columns(&mut columns, inner.width);
    let layout = rows::layout(&columns, inner.width);
    let painted = Table::new(&columns, listed.len(), paint).layout(&layout).head(parts.head > 0);
    painted.selection(theme.selection).theme(theme).render(table, buf, &mut table_state);
    scrollbar(buf, place, table_state.offset, listed.len(), appearance);
    if listed.is_empty() {
        text::put(buf, text::line(place, 0), "No alerts match", theme.dim);
    }
    for (row, index) in (0..).zip(visible) {
        view_state.target(text::line(place, row), ClickTarget::Choice(index));
    }
    let rest = below(inner, table.height);
    if let Some(Explanation { sentence, style, .. }) = &explanation {
        text::paragraph(buf, Rect { height: parts.explanation.min(rest.height), ..rest }, sentence, *style);
    }
    past::paint(buf, below(rest, parts.explanation), context, dialog, &past, view_state);
}

/// The rows of the parts of the list.
struct Parts {
    head: u16,
    alerts: u16,
    /// The explanation of the selected alert, or a separator between alerts and firings.
    explanation: u16,
}

impl Parts {
    /// Divides the area: alerts come first, firings get the rest, but at least a row, or half of the area while one
    /// of them is selected.
    fn new(
        area: Rect,
        alerts: usize,
        past: &[PastAlert],
        is_past_selected: bool,
        explanation: Option<&Explanation>,
    ) -> Parts {
        let (height, alerts) = (area.height, u16::try_from(alerts).unwrap_or(u16::MAX));
        let wrapped = explanation.map_or(0, |it| it.rows(area.width)).min(MAX_EXPLANATION);
        // Firings have a blank row above them.
        let past_rows = past::rows(past).saturating_sub(1);
        let spare = wrapped.max(u16::from(past_rows > 0));
        let has_room = alerts.saturating_add(1 + spare).saturating_add(past_rows) <= height;
        let is_small = height <= SMALL && !has_room;
        let head = u16::from(!is_small && height > 1);
        let explanation = match explanation {
            Some(it) if it.is_problem || !is_small => wrapped,
            _ if is_small => 0,
            _ => spare,
        };
        let explanation = explanation.min(height.saturating_sub(head + 1));
        let least = if is_past_selected || !is_small { height / 2 } else { 1 };
        let rest = height.saturating_sub(head + explanation);
        let alerts = alerts.min(rest.saturating_sub(past_rows.min(least))).max(1).min(rest.max(1));
        Parts { head, alerts, explanation }
    }
}

/// Maximum rows of an explanation.
const MAX_EXPLANATION: u16 = 2;

/// The explanation of the selected alert.
struct Explanation {
    sentence: String,
    style: Style,
    /// Whether it can't be checked.
    is_problem: bool,
}

impl Explanation {
    fn rows(&self, columns: u16) -> u16 {
        u16::try_from(text::wrap(&self.sentence, columns).count()).unwrap_or(u16::MAX)
    }
}

/// Why an alert is not checked; or when it fired and how often it is checked, if that fits in one row.
fn explanation(alert: &Alert, columns: u16, state: &State, appearance: &Appearance) -> Explanation {
    let (theme, title) = (&appearance.theme, state.alert_title(&alert.rule));
    if let Some(reason) = state.alerts.problem(alert.id) {
        return Explanation { sentence: format!("{title} not checked: {reason}"), style: theme.warn, is_problem: true };
    }
    let outlier = alert.state.outlier.filter(|_| alert.on && !rows::hides_value(&alert.rule, state));
    let checked = match outlier {
        Some(value) => format!("{} waits to be confirmed by the next check", words::value(&alert.rule, value)),
        None if state.follows_live_price(alert) => String::from("checked with live prices"),
        None => format!("checked at least every {}", Span(state.alert_interval(&alert.rule))),
    };
    // A narrow table has no column for the state.
    let (words, style) = rows::state_words(alert, state, appearance);
    let (forms, style) = if alert.firing().is_some() {
        ([format!("{title}: {words} · {checked}"), format!("{title}: {words}")], style)
    } else if columns < rows::WITH_STATE {
        ([format!("{title}: {words}"), capitalised(&words)], style)
    } else {
        ([format!("{title}: {checked}"), capitalised(&checked)], theme.dim)
    };
    let without = rows::without(&alert.rule, state);
    let [long, short] = forms.map(|form| form + &without);
    let sentence = if text::width(&long) <= columns { long } else { short };
    Explanation { sentence, style, is_problem: false }
}

/// When and why the user's command failed, if it did.
fn command_failure(state: &State) -> Option<String> {
    let (at, sentence) = state.alerts.command_failure.as_ref()?;
    let zone = &state.preferences.zone;
    let at = TimeRange { from: None, until: zone.at(*at), now: zone.at(state.now) };
    Some(format!("{at}  {sentence}"))
}

/// Paints the failure of the user's command, if there is one, into the last rows. Returns the area above.
fn paint_command_failure(buf: &mut Buffer, inner: Rect, state: &State, appearance: &Appearance) -> Rect {
    let Some(whole) = command_failure(state) else { return inner };
    let rows = u16::try_from(text::wrap(&whole, inner.width).count()).unwrap_or(u16::MAX);
    let height = inner.height.saturating_sub(rows.min(inner.height / 3).max(1));
    text::paragraph(buf, below(inner, height), &whole, appearance.theme.warn);
    Rect { height, ..inner }
}

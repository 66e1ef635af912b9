//! The common parts of this tab's lists: the title with the number of rows, the visible rows, and why rows are missing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::panel_context::PanelContext;
use crate::app::ClickTarget;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::format::Count;
use crate::model::Identity;
use crate::theme::Theme;
use crate::view::chrome::health::{self, Health, Part};
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::table::{self, Column, Layout, Row, SortMark, TableState};
use crate::view::widgets::{PanelTitle, Placeholder, Table, text};

/// Columns reserved for the age beside the title: it takes precedence over notes.
const AGE: u16 = 12;

/// The warning about a list whose pages come from several providers, until all come from the first page's.
const MIXED: &str = "rows from several providers";

/// One of the lists.
pub(super) struct Listing<'a, T> {
    /// The panel.
    pub(super) panel: Panel,
    /// The name in the title.
    pub(super) name: &'a str,
    /// The number of items according to another response, if known.
    pub(super) actual: Option<u64>,
    /// Notes about the list for the title, as many as fit.
    pub(super) notes: &'a [String],
    /// The name of its items in messages.
    pub(super) items: &'a str,
    /// The message for an empty list.
    pub(super) none: &'a str,
    /// The loaded rows.
    pub(super) list: PagedList<'a, T>,
    /// The selected row.
    pub(super) selected: Option<usize>,
    /// The columns.
    pub(super) columns: &'a [Column],
    /// The sort column, if the list can be sorted.
    pub(super) sort: Option<SortMark>,
    /// The columns whose headings sort the list, in the order of its sort columns.
    pub(super) headings: &'a [usize],
}

impl<T: Identity> Listing<'_, T> {
    /// Paints the list; `paint` gets each visible row with its item.
    pub(super) fn paint(
        &self,
        buf: &mut Buffer,
        area: Rect,
        context: &PanelContext<'_>,
        view_state: &mut ViewState,
        mut paint: impl FnMut(&mut Row<'_>, &T),
    ) {
        let Listing { panel, name, actual, notes, items, none, list, selected, columns, sort, headings } = self;
        let (theme, now) = (&context.appearance.theme, context.state.now);
        let bad = list
            .is_loaded()
            .then(|| context.explained.health(list.first, context.state))
            .filter(|health| health.is_bad);
        let mixed = || list.is_mixed().then(|| Health::problem([Part::note(MIXED)]));
        let bad = bad.or_else(mixed);
        let listed = Count(list.total().unwrap_or(0).max(list.len() as u64));
        let (count, beside) = match (list.is_loaded(), list.total()) {
            // The message below says that the list is empty.
            (true, _) if list.is_empty() => (String::new(), String::new()),
            (true, total)
                if actual.is_some_and(|actual| actual != listed.0) && (total.is_some() || !list.has_more()) =>
            {
                (format!("  {}", Count(actual.unwrap_or(0))), format!(" ({listed} listed)"))
            }
            (true, Some(_)) => (format!("  {listed}"), String::new()),
            (true, None) => (format!("  {listed}{}", if list.has_more() { "+" } else { "" }), String::new()),
            (false, _) => (String::new(), String::new()),
        };
        let focused = context.is_focused(*panel);
        // Notes take precedence over the number of listed items.
        let room = area.width.saturating_sub(if bad.is_some() { AGE } else { 0 });
        let whole = format!("{name}{count}{beside}{}", notes.concat());
        let has_beside = notes.is_empty() || text::width(&whole) <= room;
        let mut name = if has_beside { format!("{name}{count}{beside}") } else { format!("{name}{count}") };
        for note in *notes {
            if text::width(&name) + text::width(note) <= room {
                name.push_str(note);
            }
        }
        let title = PanelTitle::new(&name).focused(focused).theme(theme);
        let source = health::source(list.first, now).unwrap_or_default();
        let place = health::title(buf, area, title.source(&source), bad.as_ref(), theme);
        if !list.is_loaded() {
            return context.missing(buf, place, list.first, items);
        }
        if list.is_empty() {
            return Placeholder::empty(none).theme(theme).render(place, buf);
        }
        let bar = if focused { theme.selection } else { theme.selection_idle };
        let table = Table::new(columns, list.len(), |index, row| {
            if let Some(item) = list.get(index) {
                paint(row, item);
            }
        });
        // The age of an event doesn't identify it.
        let fixed = if *panel == Panel::Activity { 2 } else { 1 };
        let position = context.state.panel_scroll.position(*panel);
        let has = |index: usize| columns.get(index).is_some_and(|column| column.width > 0);
        let layout = Layout::scrolled(columns, place.width, (fixed, position), has);
        view_state.scroll_limit(*panel, &layout);
        let table = table.layout(&layout).sort(*sort).selection(bar).theme(theme);
        let rows = table.rows(place);
        let mut state = view_state.table(TableScreen::Indexer, Some(*panel), list.len(), *selected, rows.height);
        table.render(place, buf, &mut state);
        if *panel == Panel::Tokens && !focused {
            mark_selected(buf, rows, &state, theme);
        }
        for (row, index) in (0..).zip(state.visible(list.len(), usize::from(rows.height))) {
            view_state.row(text::line(rows, row), (Some(*panel), index), list.get(index));
            if list.page_of(index).is_some_and(|page| page.is_stale(now)) {
                health::fade(buf, text::line(rows, row));
            }
        }
        for (by, column) in headings.iter().enumerate() {
            if let Some(cell) = layout.cell(text::line(place, 0), *column) {
                view_state.target(cell, ClickTarget::Heading(Some(*panel), by));
            }
        }
        self.more(buf, rows, state.offset, context);
        table::scrollbar(buf, rows, state.offset, list.len(), theme);
    }

    /// Below the last row, paints that more rows are loading, or why not.
    fn more(&self, buf: &mut Buffer, rows: Rect, offset: usize, context: &PanelContext<'_>) {
        let theme = &context.appearance.theme;
        let shown = u16::try_from(self.list.len() - offset.min(self.list.len())).unwrap_or(u16::MAX);
        if shown >= rows.height || self.list.last.value.is_some() {
            return;
        }
        let line = text::shifted(text::line(rows, shown), 1);
        match self.list.last.failure() {
            Some(failure) => {
                let why = health::sentence_parts(failure, self.list.last.is_loading(), context.state.now);
                let health = Health::problem(why).after(Part::note("Can't load more"));
                text::put(buf, line, &health.fitted(line.width), theme.warn);
            }
            None => {
                text::put(buf, line, "Loading more…", theme.dim);
            }
        }
    }
}

/// Marks the selected row in the column before it, since the other panels show its details even when they have the
/// focus.
fn mark_selected(buf: &mut Buffer, rows: Rect, state: &TableState, theme: &Theme) {
    let row = state.selected.and_then(|selected| u16::try_from(selected.checked_sub(state.offset)?).ok());
    if let Some(row) = row.filter(|row| *row < rows.height) {
        text::put(buf, Rect { width: rows.width.min(1), ..text::line(rows, row) }, "›", theme.accent);
    }
}

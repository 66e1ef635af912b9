//! What the view remembers between frames.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use ratatui::layout::{Position, Rect};

use super::widgets::table::{Column, Layout, TableState};
use super::widgets::{PanelTitle, text};
use crate::app::pages::RowOrder;
use crate::app::panel::Panel;
use crate::app::panel_scroll::ScrollLimits;
use crate::app::{Click, ClickTarget, ScreenId, State};
use crate::client::Request;
use crate::model::{Identity, Period, Tag, Text, UtcTime};

/// Scroll offsets; and, from the last frame, the clickable areas, the scroll limits of tables and the position of the
/// cursor.
#[derive(Debug, Default)]
pub struct ViewState {
    targets: Vec<Clickable>,
    /// The screen of the last frame.
    painted: Option<ScreenId>,
    /// The area of the open dialog.
    dialog: Option<Rect>,
    cursor: Option<(u16, u16)>,
    /// The image of the dialog.
    #[cfg(feature = "images")]
    pub(super) picture: Option<super::picture::Encoded>,
    offsets: HashMap<(TableScreen, Option<Panel>), usize>,
    scroll_limits: ScrollLimits,
    /// Whether the header of this frame shows the fee rate.
    pub(super) has_fees: bool,
    alert_columns: KeptWidths,
    amounts: HashMap<(Panel, usize), KeptAmounts>,
}

/// A clickable area.
#[derive(Debug)]
struct Clickable {
    area: Rect,
    target: ClickTarget,
    /// The identity of its row; `None` if it has none.
    key: Option<Text>,
}

/// The columns needed for the amounts of a list.
#[derive(Debug, Default)]
struct KeptAmounts {
    /// The request of its first page.
    list: Option<Request>,
    /// The loaded rows.
    order: Weak<RowOrder>,
    needed: AmountColumns,
}

/// The columns needed for some amounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AmountColumns {
    /// For the digits of each, rounded to whole units if necessary.
    pub digits: u16,
    /// For the longest whole part.
    pub whole: u16,
    /// For the most decimals.
    pub decimals: u16,
}

impl AmountColumns {
    /// The columns needed for these amounts and others.
    #[must_use]
    pub fn and(self, others: AmountColumns) -> AmountColumns {
        AmountColumns {
            digits: self.digits.max(others.digits),
            whole: self.whole.max(others.whole),
            decimals: self.decimals.max(others.decimals),
        }
    }

    /// Whether all digits of all amounts fit into a width if their decimal points are aligned.
    pub fn fit_aligned(self, width: u16) -> bool {
        self.decimals > 0 && self.whole.saturating_add(1 + self.decimals) <= width
    }
}

/// The widths of a table's columns while its dialog is open, so that they don't change as it is scrolled.
#[derive(Debug, Default)]
struct KeptWidths {
    /// The columns of the area.
    room: u16,
    /// The minimum and maximum width of each column.
    widths: Vec<(u16, u16)>,
    /// Whether the last frame showed the table.
    is_shown: bool,
}

/// The screen of a table, for the scroll offset that is remembered between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableScreen {
    /// The list of a tag.
    List(Tag),
    /// The wallet tab.
    Wallet,
    /// The indexer tab.
    Indexer,
    /// A token's view.
    Token,
    /// A dialog.
    Overlay,
}

impl ViewState {
    /// Starts a frame: forgets the clickable areas of the last one.
    pub(super) fn begin(&mut self, state: &State) {
        self.cover();
        self.painted = Some(state.screen_id());
        self.scroll_limits.clear();
        if !std::mem::take(&mut self.alert_columns.is_shown) {
            self.alert_columns = KeptWidths::default();
        }
    }

    /// Makes the columns of the alerts at least as wide as they have been in an area of this width since the dialog was
    /// opened.
    pub(super) fn keep_alert_columns(&mut self, columns: &mut [Column], room: u16) {
        let KeptWidths { room: known, widths, is_shown } = &mut self.alert_columns;
        *is_shown = true;
        if std::mem::replace(known, room) == room {
            for (column, (width, max_width)) in columns.iter_mut().zip(&*widths) {
                column.width = column.width.max(*width);
                column.max_width = column.max_width.max(*max_width);
            }
        }
        *widths = columns.iter().map(|column| (column.width, column.max_width)).collect();
    }

    /// The columns that the amounts in a column of a panel's table need, but at least as many as before: the table
    /// doesn't change as more rows of the same list are loaded. `list`: the request of its first page, and its rows,
    /// which are read only if they have changed.
    pub(super) fn keep_amounts(
        &mut self,
        place: (Panel, usize),
        (list, order): (Option<Request>, &Arc<RowOrder>),
        needed: impl FnOnce() -> AmountColumns,
    ) -> AmountColumns {
        let known = self.amounts.entry(place).or_default();
        if known.list != list {
            *known = KeptAmounts { list, ..KeptAmounts::default() };
        }
        if known.order.as_ptr() != Arc::as_ptr(order) {
            (known.order, known.needed) = (Arc::downgrade(order), known.needed.and(needed()));
        }
        known.needed
    }

    /// Records how far a panel's table can be scrolled sideways.
    pub(super) fn scroll_limit(&mut self, panel: Panel, layout: &Layout) {
        self.scroll_limits.insert(panel, layout.limit());
    }

    /// How far the tables of the last frame can be scrolled sideways.
    pub fn scroll_limits(&self) -> &ScrollLimits {
        &self.scroll_limits
    }

    /// Drops the encoded image, when its dialog is closed or the terminal may have lost it.
    pub fn forget_picture(&mut self) {
        #[cfg(feature = "images")]
        {
            self.picture = None;
        }
    }

    /// Ends a frame: records what the rows of the dialog and the items of the menu are.
    pub(super) fn end(&mut self, state: &State) {
        let choice_key = state.choice_keys();
        for clickable in &mut self.targets {
            if let Some(key) = choice_key(clickable.target) {
                clickable.key = Some(key);
            }
        }
    }

    /// Makes `area` clickable. Later areas cover earlier ones.
    pub fn target(&mut self, area: Rect, target: ClickTarget) {
        self.targets.push(Clickable { area, target, key: None });
    }

    /// Makes a row of a list or panel clickable, with its item, unless that is not loaded.
    pub fn row(&mut self, area: Rect, (panel, row): (Option<Panel>, usize), item: Option<&impl Identity>) {
        let key = item.and_then(|item| item.key());
        self.targets.push(Clickable { area, target: ClickTarget::Row(panel, row), key });
    }

    /// Makes the periods in a title clickable, each with the column before it, so that there are no gaps between them.
    pub fn periods(&mut self, line: Rect, title: &PanelTitle<'_>, periods: &[Period]) {
        self.choices(line, title, periods, ClickTarget::Period);
    }

    /// Makes the choices in a title clickable like [`ViewState::periods`]. `target`: what a click on a choice hits.
    pub fn choices<T: Copy>(
        &mut self,
        line: Rect,
        title: &PanelTitle<'_>,
        choices: &[T],
        target: impl Fn(T) -> ClickTarget,
    ) {
        for (index, x, width) in title.places(line.width) {
            if let Some(&choice) = choices.get(index) {
                let place = text::shifted(line, x.saturating_sub(1));
                self.target(Rect { width: width + 1, ..place }, target(choice));
            }
        }
    }

    /// Makes the candles of a chart's plot clickable. `candle`: the time of the last point of the candle in a column.
    pub fn candles(&mut self, plot: Rect, candle: impl Fn(u16) -> Option<UtcTime>) {
        for column in 0..plot.width {
            if let Some(time) = candle(column) {
                let cell = Rect { x: plot.x + column, width: 1, ..plot };
                self.target(cell, ClickTarget::Candle(time));
            }
        }
    }

    /// Makes the columns of a chart's plot clickable.
    pub fn chart_columns(&mut self, plot: Rect) {
        for column in 0..plot.width {
            let cell = Rect { x: plot.x + column, width: 1, ..plot };
            self.target(cell, ClickTarget::ChartColumn(column, plot.width));
        }
    }

    /// Removes all clickable areas and the cursor, since a dialog covers them.
    pub fn cover(&mut self) {
        self.targets.clear();
        self.dialog = None;
        self.cursor = None;
    }

    /// Records the area of the open dialog. Clicks outside of it close it.
    pub(super) fn dialog(&mut self, area: Rect) {
        self.dialog = Some(area);
    }

    /// Records the cursor position in a text field: column and row.
    pub fn edit_at(&mut self, column: u16, row: u16) {
        self.cursor = Some((column, row));
    }

    /// The position of the terminal's cursor; `None` if no text is being edited.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        self.cursor
    }

    /// The target at a cell.
    pub fn hit(&self, column: u16, row: u16) -> Option<ClickTarget> {
        self.click(column, row).map(|click| click.target)
    }

    /// A click on a cell, for [`State::clicked`].
    pub fn click(&self, column: u16, row: u16) -> Option<Click<'_>> {
        let (at, screen) = (Position { x: column, y: row }, self.painted.as_ref()?);
        let clicked = self.targets.iter().rev().find(|clickable| clickable.area.contains(at));
        let click = clicked.map(|Clickable { target, key, .. }| Click { target: *target, key: key.as_ref(), screen });
        let is_outside = || self.dialog.is_some_and(|dialog| !dialog.contains(at));
        click.or_else(|| is_outside().then_some(Click { target: ClickTarget::Outside, key: None, screen }))
    }

    /// The panel at a cell; `None` where there is none, or if a dialog covers it.
    pub fn panel(&self, column: u16, row: u16) -> Option<Panel> {
        let at = Position { x: column, y: row };
        let mut below = self.targets.iter().rev().filter(|clickable| clickable.area.contains(at));
        below.find_map(|clickable| clickable.target.panel())
    }

    /// The first visible row of a list, which stays stable between frames.
    pub fn offset(&mut self, screen: TableScreen, panel: Option<Panel>) -> &mut usize {
        self.offsets.entry((screen, panel)).or_default()
    }

    /// The scroll position of a list with `len` rows in an area with `height` rows, scrolled as little as the selection
    /// allows.
    pub fn table(
        &mut self,
        screen: TableScreen,
        panel: Option<Panel>,
        len: usize,
        selected: Option<usize>,
        height: u16,
    ) -> TableState {
        let offset = self.offset(screen, panel);
        let mut state = TableState { offset: *offset, selected };
        state.scroll(len, usize::from(height));
        *offset = state.offset;
        state
    }
}

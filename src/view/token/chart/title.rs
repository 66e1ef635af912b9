//! The title of the chart panel, and the prices below it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::heading::{FittedHeading, Heading, room};
use super::labels::{average_names, joined};
use super::received::Change;
use crate::model::{MovingAverage, Period};
use crate::theme::Theme;
use crate::view::chrome::health::{self, Health};
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::Readout;
use crate::view::widgets::chart::period_prices::PeriodPrices;
use crate::view::widgets::{PanelTitle, text};

/// What the title may show.
pub(super) struct Title<'a> {
    /// The title with all periods.
    pub(super) panel: PanelTitle<'a>,
    /// Columns of the panel.
    pub(super) width: u16,
    /// The chosen period.
    pub(super) period: Period,
    /// The provider of the chart and its age.
    pub(super) provider: String,
    pub(super) problem: Option<Health>,
    pub(super) change: Option<Change>,
    /// The prices of the whole period.
    pub(super) prices: Option<PeriodPrices<'a>>,
    pub(super) theme: &'a Theme,
}

/// What the title says about the drawn chart.
pub(super) struct Drawn<'a> {
    /// How it is drawn; see [`super::labels::style_labels`].
    pub(super) labels: &'a [String; 7],
    /// The point or candle at the cursor.
    pub(super) readout: Option<Readout>,
    /// The drawn moving averages.
    pub(super) averages: &'a [MovingAverage],
    /// Whether lines below the title have the prices.
    pub(super) has_lines: bool,
}

impl Title<'_> {
    /// The lines of prices below the title. The prices of the whole period with their times are in the title if they fit
    /// beside the label of the style, or else in one or two lines below it: the chart itself marks them, but not all with
    /// a time. A cursor or problem doesn't move the chart.
    pub(super) fn lines_below(&self, label: impl FnOnce() -> String) -> Vec<String> {
        let Some(prices) = self.prices else { return Vec::new() };
        let whole = prices.ohlc().join("  ");
        let is_in_title = text::width(&whole) <= self.free(&joined(&[&label(), &self.provider]));
        if is_in_title { Vec::new() } else { prices.lines(self.width) }
    }

    /// Paints the title in the first line of `area`, and makes its periods clickable. Returns the rest of the area.
    pub(super) fn paint(&self, buf: &mut Buffer, area: Rect, drawn: &Drawn<'_>, view_state: &mut ViewState) -> Rect {
        let &Drawn { labels, readout, averages, has_lines } = drawn;
        let (theme, problem) = (self.theme, self.problem.as_ref());
        let problem_text = problem.map(Health::text);
        let heading = Heading {
            title: self.panel,
            width: self.width,
            labels,
            readout,
            has_lines,
            problem: problem_text.as_deref(),
            change: self.change_width(),
        };
        let FittedHeading { title, has_all_periods, label, readout: words } = heading.fitted();
        let source = joined(&[label, &self.provider]);
        let prices = self.prices.filter(|_| words.is_none() && problem.is_none() && !has_lines);
        let prices = prices.and_then(|prices| prices.line(self.free(&source)));
        let source = joined(&[&source, prices.as_deref().unwrap_or_default()]);
        let title = match (&words, &self.change) {
            (Some(words), _) => title.right(words, theme.text),
            (None, Some(change)) if problem.is_none() => title.right(&change.words, change.style),
            _ => title,
        };
        let periods = if has_all_periods { &Period::ALL[..] } else { std::slice::from_ref(&self.period) };
        view_state.periods(text::line(area, 0), &title, periods);
        // The averages have the colours of their lines.
        let (kind, names) = average_names(averages);
        let legend: Vec<_> = names.into_iter().zip(theme.averages()).collect();
        let title = title.legend(kind, &legend);
        health::title(buf, area, title.source(&source), problem, theme)
    }

    fn change_width(&self) -> u16 {
        self.change.as_ref().map_or(0, |change| text::width(&change.words))
    }

    /// The columns of the title for prices after this source.
    fn free(&self, source: &str) -> u16 {
        room(&self.panel, self.width, self.change_width()).saturating_sub(text::width(source) + 4)
    }
}

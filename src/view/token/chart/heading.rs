//! What the title of the chart panel has room for.

use crate::view::widgets::chart::Readout;
use crate::view::widgets::{PanelTitle, text};

/// What the title may show. The chart's style, the readout and a problem take precedence over the other periods.
pub(super) struct Heading<'a> {
    /// The title with all periods.
    pub(super) title: PanelTitle<'a>,
    /// Columns of the panel.
    pub(super) width: u16,
    /// How the chart is drawn; see [`super::labels::style_labels`].
    pub(super) labels: &'a [String; 7],
    /// The point or candle at the cursor.
    pub(super) readout: Option<Readout>,
    /// Whether lines below the title have the prices.
    pub(super) has_lines: bool,
    /// The text of a problem.
    pub(super) problem: Option<&'a str>,
    /// Columns of the change, shown without readout and problem.
    pub(super) change: u16,
}

/// What the title shows.
pub(super) struct FittedHeading<'a> {
    /// The title with all periods, or only with the chosen one.
    pub(super) title: PanelTitle<'a>,
    pub(super) has_all_periods: bool,
    /// How the chart is drawn.
    pub(super) label: &'a str,
    /// The point or candle at the cursor.
    pub(super) readout: Option<String>,
}

impl<'a> Heading<'a> {
    /// The longest forms that fit.
    pub(super) fn fitted(&self) -> FittedHeading<'a> {
        let &Heading { title, width, labels, readout, has_lines, problem, change } = self;
        let [named @ .., unnamed_label] = labels;
        let [.., short_label, _, shortest_label] = named;
        let chosen_only = title.chosen_only();
        // The day at the cursor takes precedence over the style and over being zoomed.
        let least_label = readout.map_or(shortest_label.as_str(), |readout| {
            let needed = readout.least(!has_lines);
            let has_room = |label: &&str| room(&chosen_only, width, text::width(label)) >= needed;
            [shortest_label.as_str(), unnamed_label.as_str(), ""].into_iter().find(has_room).unwrap_or_default()
        });
        let readout = readout.map(|readout| {
            let columns = room(&chosen_only, width, text::width(least_label));
            if has_lines { readout.without_prices(columns) } else { readout.fitted(columns) }
        });
        let (taken, least) = match readout.as_deref().or(problem) {
            Some(words) => (text::width(words), least_label),
            None => (change, short_label.as_str()),
        };
        let has_all_periods = taken <= title.room(width) && text::width(least) <= room(&title, width, taken);
        let title = if has_all_periods { title } else { chosen_only };
        let fits = |label: &&String| text::width(label) <= room(&title, width, taken);
        let label = named.iter().find(fits).map_or(least_label, String::as_str);
        FittedHeading { title, has_all_periods, label, readout }
    }
}

/// The columns of a title for its source, if it also has text of `taken` columns on the right.
pub(super) fn room(title: &PanelTitle<'_>, width: u16, taken: u16) -> u16 {
    title.room(width).saturating_sub(if taken == 0 { 0 } else { taken + 2 })
}

//! The areas of a chart's parts.

use ratatui::layout::Rect;

use super::{macd, rsi, volume};

/// The areas of a chart's parts.
pub(super) struct Parts {
    /// The labels of the prices, with the axis in the last column; empty if there is no room.
    pub(super) left: Rect,
    /// The line.
    pub(super) plot: Rect,
    /// The tags of the last values; empty if there is no room.
    pub(super) right: Rect,
    /// The volume; empty if there is none.
    pub(super) volume: Rect,
    /// The RSI, below the volume; empty if there is none.
    pub(super) rsi: Rect,
    /// The MACD, below the RSI; empty if there is none.
    pub(super) macd: Rect,
    /// The labels of the times, below them; empty if there is no room.
    pub(super) bottom: Rect,
}

/// The wanted panes below the volume.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Panes {
    /// The length of the RSI.
    pub(super) rsi: Option<usize>,
    pub(super) has_macd: bool,
}

/// Minimum height of a chart with one pane, and with two.
const MIN_PANE_ROWS: [u16; 2] = [14, 17];

impl Parts {
    /// Divides an area: columns for the labels of the prices and the tag of the last price, and rows for the volume
    /// if its largest value is given, and for the panes. A low area has only the RSI or no pane, and a lower one no volume
    /// either.
    pub(super) fn of(area: Rect, labels: u16, tag: u16, volume: Option<f64>, panes: Panes) -> Parts {
        let wide = area.width >= 24 && area.height >= 4;
        let [one, two] = MIN_PANE_ROWS;
        let rsi = panes.rsi.filter(|_| wide && area.height >= one);
        let has_macd = panes.has_macd && wide && area.height >= if rsi.is_some() { two } else { one };
        let labels = labels.max(rsi.map_or(0, rsi::axis_width)).max(if has_macd { macd::AXIS } else { 0 });
        let tag = tag.max(rsi.map_or(0, |_| rsi::TAG + 1)).max(if has_macd { macd::TAG } else { 0 });
        let labels = labels.max(volume.filter(|_| area.height >= 12).map_or(0, volume::axis_width));
        let left = if wide { labels + 1 } else { 0 };
        let right = if area.width >= 40 && area.height >= 4 { tag } else { 0 };
        let bottom = u16::from(wide);
        let volume = match area.height {
            ..12 => 0,
            12..24 => 2,
            24..36 => 3,
            _ => 4,
        } * u16::from(volume.is_some() && wide);
        // With an even number, the levels of 70 and 30 would be in neighbouring rows.
        let pane = if area.height < 36 { 3 } else { 5 };
        let (rsi, macd) = (if rsi.is_some() { pane } else { 0 }, if has_macd { pane } else { 0 });
        let below = volume + rsi + macd;
        let plot = Rect {
            x: area.x.saturating_add(left),
            width: area.width.saturating_sub(left + right),
            height: area.height.saturating_sub(bottom + below),
            ..area
        };
        Parts {
            left: Rect { width: left, height: plot.height + below, ..area },
            plot,
            right: Rect { x: plot.right(), width: right, ..plot },
            volume: Rect { y: plot.bottom(), height: volume, ..plot },
            rsi: Rect { y: plot.bottom().saturating_add(volume), height: rsi, ..plot },
            macd: Rect { y: plot.bottom().saturating_add(volume + rsi), height: macd, ..plot },
            bottom: Rect { y: plot.bottom().saturating_add(below), height: bottom, ..plot },
        }
    }

    /// The parts with a plot of at most `width` columns; those at its right follow it.
    pub(super) fn narrowed(self, width: u16) -> Parts {
        let narrow = |area: Rect| Rect { width: area.width.min(width), ..area };
        let plot = narrow(self.plot);
        Parts {
            plot,
            right: Rect { x: plot.right(), ..self.right },
            volume: narrow(self.volume),
            rsi: narrow(self.rsi),
            macd: narrow(self.macd),
            bottom: narrow(self.bottom),
            ..self
        }
    }
}

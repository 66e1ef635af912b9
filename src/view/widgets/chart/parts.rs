//! The areas of a chart's parts.

use ratatui::layout::Rect;

use super::{rsi, volume};

/// The areas of a chart's parts.
pub(super) struct Parts {
    /// The labels of the prices, with the axis in the last column; empty if there is no room.
    pub(super) left: Rect,
    /// The line.
    pub(super) plot: Rect,
    /// The tags of the last price and the last RSI; empty if there is no room.
    pub(super) right: Rect,
    /// The volume; empty if there is none.
    pub(super) volume: Rect,
    /// The RSI, below the volume; empty if there is none.
    pub(super) rsi: Rect,
    /// The labels of the times, below them; empty if there is no room.
    pub(super) bottom: Rect,
}

/// Minimum height of a chart with RSI.
const MIN_RSI_ROWS: u16 = 14;

impl Parts {
    /// Divides an area: columns for the labels of the prices and the tag of the last price, and rows for the volume
    /// if its largest value is given, and for the RSI if its length is given. A low area has no RSI, and a lower one no
    /// volume either.
    pub(super) fn of(area: Rect, labels: u16, tag: u16, volume: Option<f64>, rsi: Option<usize>) -> Parts {
        let wide = area.width >= 24 && area.height >= 4;
        let rsi = rsi.filter(|_| wide && area.height >= MIN_RSI_ROWS);
        let labels = labels.max(rsi.map_or(0, rsi::axis_width));
        let tag = tag.max(rsi.map_or(0, |_| rsi::TAG + 1));
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
        let rsi = match area.height {
            _ if rsi.is_none() => 0,
            // With an even number, the levels of 70 and 30 would be in neighbouring rows.
            ..36 => 3,
            _ => 5,
        };
        let plot = Rect {
            x: area.x.saturating_add(left),
            width: area.width.saturating_sub(left + right),
            height: area.height.saturating_sub(bottom + volume + rsi),
            ..area
        };
        Parts {
            left: Rect { width: left, height: plot.height + volume + rsi, ..area },
            plot,
            right: Rect { x: plot.right(), width: right, ..plot },
            volume: Rect { y: plot.bottom(), height: volume, ..plot },
            rsi: Rect { y: plot.bottom().saturating_add(volume), height: rsi, ..plot },
            bottom: Rect { y: plot.bottom().saturating_add(volume + rsi), height: bottom, ..plot },
        }
    }

    /// The same parts with a narrower plot; the tags move to its edge.
    pub(super) fn with_plot_width(self, width: u16) -> Parts {
        let narrowed = |part: Rect| Rect { width, ..part };
        let plot = narrowed(self.plot);
        Parts {
            left: self.left,
            plot,
            right: Rect { x: plot.right(), ..self.right },
            volume: narrowed(self.volume),
            rsi: narrowed(self.rsi),
            bottom: narrowed(self.bottom),
        }
    }
}

//! The areas of a chart's parts.

use ratatui::layout::Rect;

use super::volume;

/// The areas of a chart's parts.
pub(super) struct Parts {
    /// The labels of the prices, with the axis in the last column; empty if there is no room.
    pub(super) left: Rect,
    /// The line.
    pub(super) plot: Rect,
    /// The tag of the last price; empty if there is no room.
    pub(super) right: Rect,
    /// The volume; empty if there is none.
    pub(super) volume: Rect,
    /// The labels of the times, below the plot; empty if there is no room.
    pub(super) bottom: Rect,
}

impl Parts {
    /// Divides an area: columns for the labels of the prices and the tag of the last price, and rows for the volume
    /// if its largest value is given.
    pub(super) fn of(area: Rect, labels: u16, tag: u16, volume: Option<f64>) -> Parts {
        let wide = area.width >= 24 && area.height >= 4;
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
        let plot = Rect {
            x: area.x.saturating_add(left),
            width: area.width.saturating_sub(left + right),
            height: area.height.saturating_sub(bottom + volume),
            ..area
        };
        Parts {
            left: Rect { width: left, height: plot.height + volume, ..area },
            plot,
            right: Rect { x: plot.right(), width: right, ..plot },
            volume: Rect { y: plot.bottom(), height: volume, ..plot },
            bottom: Rect { y: plot.bottom().saturating_add(volume), height: bottom, ..plot },
        }
    }
}

//! The key that helps if an indicator has too few candles.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::view::widgets::text;

/// What gives a chart more candles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoreCandles {
    /// A key and what it does: `{: narrower`.
    pub words: String,
    /// The resulting number of candles.
    pub candles: usize,
}

/// Says how many candles an indicator needs, and which key gives the chart that many:
/// `BB needs 20 candles ({: narrower)`.
pub fn needed_candles(name: &str, length: usize, more: Option<&MoreCandles>) -> String {
    with_remedy(format!("{name} needs {length} candles"), length, more)
}

/// Appends the key that gives the chart `length` candles, if there is one.
pub fn with_remedy(words: String, length: usize, more: Option<&MoreCandles>) -> String {
    match more.filter(|more| more.candles >= length) {
        Some(more) => format!("{words} ({})", more.words),
        None => words,
    }
}

/// Says in the middle of a line why an indicator has no value, as long as it fits.
pub(super) fn paint_needed_candles(
    buf: &mut Buffer,
    line: Rect,
    name: &str,
    length: usize,
    more: Option<&MoreCandles>,
    style: Style,
) {
    let [long, short] = [more, None].map(|more| needed_candles(name, length, more));
    let words = if text::width(&long) <= line.width { long } else { short };
    text::put_centred(buf, line, &words, style);
}

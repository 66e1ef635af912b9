//! The lines of a CSV file.

/// Finds the lines of records.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// A byte offset, and its line number.
    offset: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    /// The lines of a file, starting at line number `line`.
    pub(super) fn new(bytes: &'a [u8], line: u64) -> Lines<'a> {
        Lines { bytes, offset: 0, line }
    }

    /// The line of the record that starts after `position`. Line ends and empty lines may come before it.
    pub(super) fn of_record(&mut self, position: &csv::Position) -> u64 {
        let before = usize::try_from(position.byte()).unwrap_or(usize::MAX);
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        while let Some(byte) = self.bytes.get(self.offset).filter(|byte| self.offset < before || is_end(byte)) {
            let is_last = *byte == b'\n' || *byte == b'\r' && self.bytes.get(self.offset + 1) != Some(&b'\n');
            self.line += u64::from(is_last);
            self.offset += 1;
        }
        self.line
    }

    /// Whether the record that starts at the last place and ends at `end` has a quote that opens a cell and is not closed:
    /// over several lines, or up to the end of the file. In other lines, a quote may be part of the text.
    pub(super) fn has_open_quote(&self, end: &csv::Position) -> bool {
        let end = usize::try_from(end.byte()).unwrap_or(usize::MAX).min(self.bytes.len());
        let record = self.bytes.get(self.offset..end).unwrap_or_default().trim_ascii_end();
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let is_odd = record.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        is_odd && (record.iter().any(is_end) || end == self.bytes.len() && has_open_cell(record))
    }
}

/// Whether the last quote that opens a cell is not closed.
fn has_open_cell(record: &[u8]) -> bool {
    let opens = |at: usize| at == 0 || matches!(record.get(at - 1), Some(b',' | b';' | b'\t'));
    let mut is_open = false;
    for at in (0..record.len()).filter(|at| record.get(*at) == Some(&b'"')) {
        // In an open cell, the next quote closes it or is the first of an escaped pair.
        is_open = !is_open && (opens(at) || record.get(at.wrapping_sub(1)) == Some(&b'"'));
    }
    is_open
}

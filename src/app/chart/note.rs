//! The note at the cursor of a token's chart.

use crate::model::{Candle, CandleData, ChartStyle, Text, UtcTime, chart};
use crate::user_data::Note;

use crate::app::state::State;

/// The notes at the cursor.
#[derive(Debug)]
pub(in crate::app) struct NotesAtCursor {
    /// At least one, oldest first.
    pub(in crate::app) notes: Vec<Note>,
    /// The index of the one that is closest to the cursor.
    pub(in crate::app) nearest: usize,
}

impl NotesAtCursor {
    fn one(note: Note) -> NotesAtCursor {
        NotesAtCursor { notes: vec![note], nearest: 0 }
    }
}

impl State {
    /// The notes at the cursor of the open token's chart, or at its latest point if there is no cursor: those in the same
    /// candle or within a column of it, or else a new one without text. Before the chart is loaded, the note is about now.
    ///
    /// # Errors
    ///
    /// A sentence for the user if there can't be a note.
    pub(in crate::app) fn notes_at_cursor(&self) -> Result<NotesAtCursor, &'static str> {
        let token = self.token.as_ref().ok_or("No coin is open")?;
        let reason = if token.has_only_symbol() {
            "Can't add note (coin not loaded yet)"
        } else {
            "Can't add note (coin has no slug)"
        };
        let slug = token.slug.as_ref().ok_or(reason)?;
        let up_to_now = self.points_up_to_now();
        let chart = token.chart_up_to_now(&self.responses, &self.convert, up_to_now.as_deref());
        let data = chart.map_or_else(CandleData::default, |chart| chart.data(self.chart.style));
        let points = data.points();
        let Some((first, last)) = points.first().zip(points.last()) else {
            return Ok(NotesAtCursor::one(Note { slug: slug.clone(), time: self.now, text: Text::default() }));
        };
        let cursor = token.chart_cursor.and_then(|time| points.get(chart::nearest(points, time)?));
        let time = cursor.unwrap_or(last).time;
        let columns = token.chart_columns(self.size, data);
        let column = last.time.since(first.time) / u32::from(columns.max(1));
        let candle = self.chart.candle(token.period, columns, data);
        let distance = |other: UtcTime| other.since(time).max(time.since(other));
        let is_here = |note: &&Note| match self.chart.style {
            ChartStyle::Candles => candle.number(note.time) == candle.number(time),
            _ => distance(note.time) < column || note.time == time,
        };
        let user = self.user.current();
        let here = user.notes.iter().filter(|note| note.slug == *slug).filter(is_here);
        let mut notes: Vec<Note> = here.cloned().collect();
        notes.sort_by_key(|note| note.time);
        let nearest = (0..notes.len()).min_by_key(|&index| notes.get(index).map(|note| distance(note.time)));
        Ok(match nearest {
            Some(nearest) => NotesAtCursor { notes, nearest },
            None => {
                // The cursor shows the start of its candle, if the candle has a price.
                let is_on_candle = cursor.is_some()
                    && self.chart.style == ChartStyle::Candles
                    && (data.exchange().is_some() || Candle::at(data, time, candle).is_some());
                // A note before the first point would be outside of a line.
                let earliest = data.all().points().first().map_or(first.time, |point| point.time);
                let start = candle.start(candle.number(time)).max(earliest);
                let time = if is_on_candle { start } else { time };
                NotesAtCursor::one(Note { slug: slug.clone(), time, text: Text::default() })
            }
        })
    }
}

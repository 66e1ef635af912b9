//! Columns of rows without field names: named by a header, or found by their values.

use std::borrow::Cow;

use super::field::{self, Field};
use super::raw::Raw;
use super::time_key::is_time;
use crate::client::decode::field_name::same_name;
use crate::client::decode::names::Names;
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::text;

/// Maximum columns of a table.
const MAX_COLUMNS: usize = 32;

/// Rows to search for the column of times.
const SAMPLE: usize = 64;

/// Minimum ratio of a volume to the price, and of a market cap to the price, in columns without names: a coin with a
/// smaller one is hardly traded, and columns of prices in other currencies have a smaller one.
const MIN_VOLUME_RATIO: f64 = 100.0;
const MIN_CAP_RATIO: f64 = 1_000.0;

/// A volume in an unnamed column above this multiple of the market cap is probably the market cap itself, which some
/// services send first. Stablecoins and coins with wash trades have volumes somewhat above their market cap.
const MAX_VOLUME_TO_CAP: f64 = 20.0;

/// Minimum share of such volumes among the points with both values, in percent.
const MIN_SWAPPED: usize = 90;

/// Times that points may have, in seconds: 2009 to 2100.
pub(super) const TIMES: std::ops::Range<i64> = 1_230_768_000..4_102_444_800;

/// The places of values in the rows of a series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// Named by a header.
    pub(super) header: Option<Header>,
    /// The first row is the header.
    pub(super) begins_with_header: bool,
    /// Times are in the last column, although values in the first one might be times, too.
    pub(super) time_is_last: bool,
}

/// The columns named by a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// `None` if the time is the key of a row.
    pub(super) time: Option<usize>,
    /// Price, volume and market cap.
    pub(super) figures: [Option<usize>; 3],
    /// The name of the price implies dollars.
    pub(super) is_in_dollars: bool,
    /// The volume covers one candle.
    pub(super) has_candle_volume: bool,
    /// The volume of a candle may be in the coin.
    pub(super) has_plain_volume: bool,
}

impl Layout {
    /// The layout of rows in a list. Their header, if any, is their first row.
    pub(super) fn of_rows(rows: Value<'_>, tape: &mut Tape) -> Result<Layout, ErrorKind> {
        let Some(first) = rows.items().next() else { return Ok(Layout::default()) };
        let Ok(first) = tape.expand(first) else { return Ok(Layout::default()) };
        let is_name = |cell: Value<'_>| cell.str().is_some_and(|cell| cell.starts_with(char::is_alphabetic));
        if first.is_array() && first.items().nth(1).is_some() && first.items().all(is_name) {
            let header = Some(Header::of(first)?);
            return Ok(Layout { header, begins_with_header: true, time_is_last: false });
        }
        Ok(Layout { time_is_last: time_is_last(rows, first.items().count(), tape), ..Layout::default() })
    }

    /// The layout of rows below or beside a header. Rows with field names need none.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] if the header doesn't fit the rows, or if it lacks the price or time.
    pub(super) fn of_table(rows: Value<'_>, header: Value<'_>, tape: &mut Tape) -> Result<Layout, ErrorKind> {
        let has_keys = rows.is_object();
        let first = if has_keys { rows.fields().next().map(|(_, row)| row) } else { rows.items().next() };
        let width = first.and_then(|row| tape.expand(row).ok()).filter(Value::is_array).map(|row| row.items().count());
        let Some(width) = width else { return Layout::of_rows(rows, tape) };
        let mut names = Tape::default();
        let names = names.expand(header).unwrap_or(header);
        let mut columns = Header::of(names)?;
        let count = names_in(names).count();
        match columns.time {
            None if has_keys && width == count => {}
            // The time is before the named columns.
            None if !has_keys && width == count + 1 => {
                columns.time = Some(0);
                columns.figures = columns.figures.map(|place| place.map(|place| place + 1));
            }
            Some(_) if !has_keys && width == count => {}
            _ => return Err(ErrorKind::Unrecognised(format!("{count} column names for {width} columns"))),
        }
        Ok(Layout { header: Some(columns), ..Layout::default() })
    }
}

impl Header {
    /// # Errors
    /// [`ErrorKind::Unrecognised`] if no column is a price.
    fn of(names: Value<'_>) -> Result<Header, ErrorKind> {
        let mut best: [Option<(usize, usize)>; 4] = [None; 4];
        let mut is_in_dollars = false;
        let (mut has_open, mut has_close, mut is_24h_volume, mut is_plain_volume) = (false, false, false, false);
        let mut list = String::new();
        for (place, name) in names_in(names).take(MAX_COLUMNS).enumerate() {
            let Some(name) = name_of(name) else { continue };
            list = if list.is_empty() { name.to_string() } else { format!("{list}, {name}") };
            has_open |= field::is_open(&name);
            let Some((column, rank, has_dollars)) = column(&name) else { continue };
            let Some(known) = best.get_mut(column) else { continue };
            if known.is_none_or(|(best, _)| rank < best) {
                *known = Some((rank, place));
                is_in_dollars |= column == 1 && has_dollars;
                match column {
                    1 => has_close = field::is_close(&name),
                    2 => {
                        is_24h_volume = field::is_24h_volume(&name);
                        is_plain_volume = field::is_plain_volume(&name);
                    }
                    _ => {}
                }
            }
        }
        let [time, price, volume, cap] = best.map(|found| found.map(|(_, place)| place));
        if price.is_none() {
            let list = text::cut(text::clean(&list), 60).into_owned();
            return Err(ErrorKind::Unrecognised(format!("columns without a price ({list})")));
        }
        let is_candle = has_open && has_close;
        let has_candle_volume = is_candle && !is_24h_volume;
        let has_plain_volume = is_candle && is_plain_volume && cap.is_none();
        Ok(Header { time, figures: [price, volume, cap], is_in_dollars, has_candle_volume, has_plain_volume })
    }

    /// The time, price, volume and market cap of a row.
    pub(super) fn cells<'a>(&self, row: Value<'a>) -> (Option<Value<'a>>, [Option<Value<'a>>; 3]) {
        let at = |place: Option<usize>| row.items().nth(place?).filter(|cell| !cell.is_null());
        (at(self.time), self.figures.map(at))
    }
}

/// The names of columns: the items of a list, or the field names of an object.
fn names_in<'a>(names: Value<'a>) -> impl Iterator<Item = Value<'a>> {
    names.items().chain(names.fields().map(|(key, _)| key))
}

/// Whether these are certainly the names of the columns: as many as the rows have, with the time where the rows have
/// it, and with a price or only known names.
pub(super) fn is_header_of(header: Value<'_>, rows: Value<'_>) -> bool {
    let (mut names, mut row) = (Tape::default(), Tape::default());
    let Ok(names) = names.expand(header) else { return false };
    let Some(Ok(first)) = rows.items().next().map(|first| row.expand(first)) else { return false };
    if !first.is_array() || first.items().count() != names_in(names).count() {
        return false;
    }
    let (mut has_time, mut has_price, mut has_figure, mut all_known) = (false, false, false, true);
    for (name, cell) in names_in(names).zip(first.items()) {
        match name_of(name).and_then(|name| column(&name)) {
            Some((0, ..)) => has_time |= may_be_time(cell),
            Some((1, ..)) => has_price = true,
            Some(_) => has_figure = true,
            None => all_known = false,
        }
    }
    has_time && (has_price || has_figure && all_known)
}

/// The name of a column, which may be in an object.
fn name_of<'a>(name: Value<'a>) -> Option<Cow<'a, str>> {
    if name.is_object() { name.any(&["name", "id", "field", "key"])?.str() } else { name.str() }
}

/// The column of a name: 0 for the time, 1 to 3 for the figures, its rank among the names of that column, and whether it
/// implies dollars.
fn column(name: &str) -> Option<(usize, usize, bool)> {
    if let Some(rank) = ["date", "datetime", "ts", "open_time"].iter().position(|known| same_name(known, name)) {
        return Some((0, 100 + rank, false));
    }
    Field::ALL.iter().find_map(|(field, names)| {
        let rank = names.iter().position(|known| same_name(known, name))?;
        Some(match field {
            Field::Time => (0, rank, false),
            Field::Price => (1, rank, false),
            Field::PriceUsd => (1, 50, true),
            Field::C => (1, 60, false),
            Field::Volume => (2, rank, false),
            Field::V => (2, 60, false),
            Field::MarketCap => (3, rank, false),
            _ => return None,
        })
    })
}

/// The place of the time in a row of this many cells, if it is not the first one (CoinMarketCap's k-line).
fn last_time(cells: usize) -> Option<usize> {
    match cells {
        2 => Some(1),
        3 => Some(2),
        6.. => Some(5),
        _ => None,
    }
}

/// Whether a cell may be a time from 2009 to 2100, in any unit.
pub(super) fn may_be_time(cell: Value<'_>) -> bool {
    match (cell.number(), cell.str()) {
        (Some(digits), _) => digits.parse::<f64>().is_ok_and(is_plausible),
        (None, Some(words)) => is_time(&words),
        _ => false,
    }
}

fn is_plausible(number: f64) -> bool {
    let is_within = |unit: f64| number >= TIMES.start as f64 * unit && number < TIMES.end as f64 * unit;
    // Dates of 12, 14 and 17 digits, and .NET ticks.
    let is_digits = |unit: f64| number >= 2.009e11 * unit && number < 2.101e11 * unit;
    [1.0, 1e3, 1e6, 1e9].into_iter().any(is_within)
        || [1.0, 1e2, 1e5].into_iter().any(is_digits)
        || (6.33e17..6.63e17).contains(&number)
}

/// Whether the times are in the last column, if values in the first one might be times, too: prices in a weak currency
/// may be as large, but they don't rise (or fall) all the time, or only in larger steps.
fn time_is_last(rows: Value<'_>, cells: usize, tape: &mut Tape) -> bool {
    let Some(last) = last_time(cells) else { return false };
    let (mut first_order, mut last_order) = (Order::default(), Order::default());
    for row in rows.items().take(SAMPLE) {
        let Ok(row) = tape.expand(row) else { continue };
        let at = |place| row.items().nth(place).filter(|cell: &Value<'_>| may_be_time(*cell));
        let (Some(first), Some(last)) = (at(0), at(last)) else { return false };
        first_order.add(first);
        last_order.add(last);
    }
    match (first_order.is_sorted(), last_order.is_sorted()) {
        (true, true) => last_order.span() < first_order.span(),
        (is_first, is_last) => is_last && !is_first,
    }
}

/// Whether numbers rise or fall all the time.
#[derive(Debug, Default)]
struct Order {
    first: Option<f64>,
    before: Option<f64>,
    rises: bool,
    falls: bool,
    repeats: bool,
}

impl Order {
    fn add(&mut self, cell: Value<'_>) {
        let Some(number) = cell.number().and_then(|digits| digits.parse::<f64>().ok()) else { return };
        self.first.get_or_insert(number);
        if let Some(before) = self.before.replace(number) {
            self.rises |= number > before;
            self.falls |= number < before;
            self.repeats |= number == before;
        }
    }

    /// The distance from the first to the last number, in relation to the first.
    fn span(&self) -> f64 {
        self.first.zip(self.before).map_or(0.0, |(first, last)| (last - first).abs() / first)
    }

    fn is_sorted(&self) -> bool {
        !(self.repeats || self.rises && self.falls)
    }
}

/// Removes the volumes and market caps from columns without names if they are too small to be what they seem: some
/// services send prices in several currencies (CoinStats: time, dollars, bitcoin, ether). It also removes them if
/// nearly all volumes are far above the market caps, since some services send the market cap first.
pub(super) fn check_unnamed(context: &mut Context<'_>, raws: &mut [Raw]) {
    let (mut high, mut low) = (0_usize, 0_usize);
    let (mut pairs, mut swapped) = (0_usize, 0_usize);
    for Raw { figures: [price, volume, cap], .. } in raws.iter().filter(|raw| raw.is_unnamed) {
        if let (Some(volume), Some(cap)) = (volume, cap.filter(|cap| *cap > 0.0)) {
            pairs += 1;
            swapped += usize::from(*volume > cap * MAX_VOLUME_TO_CAP);
        }
        let Some(price) = price.filter(|price| *price > 0.0) else { continue };
        let is_high =
            |figure: &Option<f64>, ratio: f64| figure.is_none_or(|figure| figure == 0.0 || figure >= price * ratio);
        if is_high(volume, MIN_VOLUME_RATIO) && is_high(cap, MIN_CAP_RATIO) {
            high += 1;
        } else {
            low += 1;
        }
    }
    let reason = if low > high {
        "too small for volume and market cap"
    } else if pairs > 0 && swapped * 100 >= pairs * MIN_SWAPPED {
        "the volume is far above the market cap"
    } else {
        return;
    };
    for Raw { figures: [_, volume, cap], .. } in raws.iter_mut().filter(|raw| raw.is_unnamed) {
        (*volume, *cap) = (None, None);
    }
    context.warn(|| format!("ignored unnamed columns: {reason}"));
}

/// The rows of a list, or of a map with their keys.
pub(super) fn entries(rows: Value<'_>) -> impl Iterator<Item = (Option<Value<'_>>, Value<'_>)> {
    rows.items().map(|row| (None, row)).chain(rows.fields().map(|(key, row)| (Some(key), row)))
}

/// Joins a column of `[time, value]` rows to the points by time, as their volume (1) or market cap (2). A time between two
/// points belongs to the nearest one, if it is at most half a step away. Warns if most rows belong to none: a few are
/// often newer than the prices.
pub(super) fn join(
    context: &mut Context<'_>,
    tape: &mut Tape,
    (names, columns): (&[&str], Value<'_>),
    raws: &mut [Raw],
    place: usize,
) {
    let Some((name, rows)) = names.iter().find_map(|name| Some((name, columns.get(name)?))) else { return };
    let mut half_step = None;
    let (mut near, mut far) = (0_usize, 0_usize);
    for (key, row) in entries(rows) {
        let Ok(opened) = tape.expand(row) else { continue };
        let (time, figure) = cells(key, opened, place);
        if time.is_none() {
            context.unreadable(row, "a value with a time");
            continue;
        }
        let (Some(time), figure) = (context.time(time), context.f64(figure)) else { continue };
        let (at, is_exact) = match raws.binary_search_by_key(&time, |raw| raw.time) {
            Ok(at) => (at, true),
            Err(after) => {
                let distance = |at: usize| raws.get(at).map(|raw| (raw.time.millis().abs_diff(time.millis()), at));
                let nearest = [after.checked_sub(1).and_then(distance), distance(after)].into_iter().flatten().min();
                let Some((distance, at)) = nearest else { continue };
                if distance > *half_step.get_or_insert_with(|| half_step_of(raws)) {
                    far += 1;
                    continue;
                }
                (at, false)
            }
        };
        near += 1;
        if let Some(raw) = raws.get_mut(at)
            && let Some(cell) = raw.figures.get_mut(place)
            && (is_exact || cell.is_none())
        {
            *cell = figure;
            // These volumes are over 24 hours, also beside candles.
            raw.has_candle_volume &= place != 1;
        }
    }
    if far > near {
        context.warn(|| format!("ignored {far} of {} {name}: times don't match the prices", near + far));
    }
}

/// The time and the figure of a row: `[time, figure]` in any order, an object, or a figure under its time.
fn cells<'a>(key: Option<Value<'a>>, row: Value<'a>, place: usize) -> (Option<Value<'a>>, Option<Value<'a>>) {
    let (first, second) = (row.items().next(), row.items().nth(1));
    let is_swapped = || second.is_some_and(may_be_time) && !first.is_some_and(may_be_time);
    let own = if place == 1 { Field::Volume } else { Field::MarketCap };
    match key {
        Some(key) if !row.is_array() && !row.is_object() => (Some(key), Some(row)),
        _ if row.is_object() => {
            let figure = row.get("value").or_else(|| row.any(field::names(own)));
            (key.or_else(|| row.any(field::names(Field::Time))), figure)
        }
        _ if is_swapped() => (second, first),
        _ => (first, second),
    }
}

/// Half of the median time between points in milliseconds, at least half a second.
fn half_step_of(raws: &[Raw]) -> u64 {
    let mut steps: Vec<u64> = raws
        .windows(2)
        .filter_map(|pair| Some(pair.last()?.time.millis().abs_diff(pair.first()?.time.millis())))
        .collect();
    let middle = steps.len() / 2;
    let median = if steps.is_empty() { 0 } else { *steps.select_nth_unstable(middle).1 };
    median.max(1_000) / 2
}

//! The wallet tab: the watched coins with a small chart each, from one request for all of them.

use std::collections::{HashMap, HashSet};

use crate::app::cursor::Cursor;
use crate::app::store::Store;
use crate::app::watch::{Folded, Watched};
use crate::client::Request;
use crate::model::{Currency, MarketSeries, Text, interval};

/// The intervals that `+` and `-` walk through, as `/market/data` spells them, beside the configured one.
pub const INTERVALS: [&str; 8] = ["5m", "15m", "30m", "1h", "4h", "12h", "1d", "7d"];

/// Points of each small chart.
pub const POINTS: u32 = 120;

/// One line of the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletRow {
    /// What is watched.
    pub watched: Watched,
    /// Which series of the answer is it; `None` where none came.
    pub series: Option<usize>,
    /// How many coins of the answer share the symbol, where the watched one cannot be told among them.
    pub ambiguous: Option<usize>,
}

/// The wallet tab.
#[derive(Debug)]
pub struct WalletScreen {
    /// The selected line: the watched symbol with its slug, and the series' slug or id.
    pub cursor: Cursor<(Text, Option<Text>)>,
    intervals: Vec<Text>,
    interval: usize,
    rows: Vec<WalletRow>,
}

impl WalletScreen {
    /// An empty wallet whose charts have that interval, which takes its place among [`INTERVALS`] where it is none of
    /// them; what is no interval at all counts as one hour.
    pub fn new(interval: &str) -> WalletScreen {
        let mut intervals: Vec<Text> = INTERVALS.map(Text::const_new).to_vec();
        if !INTERVALS.contains(&interval)
            && let Some(own) = interval::length(interval)
        {
            let place = intervals.iter().position(|i| interval::length(i).is_some_and(|length| length > own));
            intervals.insert(place.unwrap_or(intervals.len()), Text::from(interval));
        }
        let chosen = |wanted: &str| intervals.iter().position(|i| i == wanted);
        let interval = chosen(interval).or_else(|| chosen("1h")).unwrap_or(0);
        WalletScreen { cursor: Cursor::default(), intervals, interval, rows: Vec::new() }
    }

    /// The intervals that `+` and `-` walk through, from the shortest.
    pub fn intervals(&self) -> &[Text] {
        &self.intervals
    }

    /// The interval of the charts.
    pub fn interval(&self) -> &str {
        self.intervals.get(self.interval).map_or("1h", |interval| interval)
    }

    /// A longer (or shorter) interval, stopping at the ends.
    pub fn change_interval(&mut self, by: isize) {
        self.interval = self.interval.saturating_add_signed(by).min(self.intervals.len().saturating_sub(1));
    }

    /// The lines.
    pub fn rows(&self) -> &[WalletRow] {
        &self.rows
    }

    /// The one request for all; `None` where nothing is watched.
    pub fn request(&self, watched: &[Watched], convert: &Currency) -> Option<Request> {
        let mut known = HashSet::new();
        let symbols = watched.iter().map(|coin| &coin.symbol).filter(|symbol| !symbol.contains(','));
        let symbols: Vec<Text> = symbols.filter(|symbol| known.insert(Folded(symbol))).cloned().collect();
        let interval = Text::from(self.interval());
        (!symbols.is_empty()).then(|| Request::MarketData {
            symbols,
            convert: convert.clone(),
            count: POINTS,
            interval,
        })
    }

    /// Takes in what is watched and what the store has.
    pub fn sync(&mut self, store: &Store, watched: &[Watched], convert: &Currency) {
        let request = self.request(watched, convert);
        let series = request.as_ref().and_then(|request| store.market(request).value).map_or(&[][..], Vec::as_slice);
        let mut by_symbol: HashMap<Folded<'_>, Vec<usize>> = HashMap::new();
        for (place, series) in series.iter().enumerate() {
            by_symbol.entry(Folded(&series.symbol)).or_default().push(place);
        }
        self.rows.clear();
        for coin in watched {
            let sharing = by_symbol.get(&Folded(&coin.symbol)).map_or(&[][..], Vec::as_slice);
            self.rows.extend(lines(coin, series, sharing));
        }
        let rows = &self.rows;
        self.cursor.settle(rows.len(), |row| rows.get(row).map(|r| key(r, series)));
    }

    /// Moves the selection.
    pub fn step(&mut self, by: isize, series: &[MarketSeries]) {
        let rows = &self.rows;
        self.cursor.step(by, rows.len(), |row| rows.get(row).map(|r| key(r, series)));
    }

    /// The selected line.
    pub fn selected(&self) -> Option<&WalletRow> {
        self.rows.get(self.cursor.index())
    }
}

fn key(row: &WalletRow, series: &[MarketSeries]) -> (Text, Option<Text>) {
    let own = row.series.and_then(|i| series.get(i)).and_then(|s| s.slug.clone().or_else(|| s.id.clone()));
    (row.watched.symbol.clone(), own.or_else(|| row.watched.slug.clone()))
}

/// The lines of one watched coin: the series that is it; or, where only the symbol is known and several coins share
/// it, one line each, marked as ambiguous. `sharing` are the places of the series that have its symbol.
fn lines(coin: &Watched, series: &[MarketSeries], sharing: &[usize]) -> Vec<WalletRow> {
    let row = |series, ambiguous| WalletRow { watched: coin.clone(), series, ambiguous };
    let is_it = |i: &&usize| series.get(**i).is_some_and(|s| coin.is_surely(&Watched::series(s)));
    if let Some(&known) = sharing.iter().find(is_it) {
        return vec![row(Some(known), None)];
    }
    match sharing {
        [] => vec![row(None, None)],
        // A single coin with the symbol is it, unless both say who they are and differ.
        [only] => {
            let named = series
                .get(*only)
                .is_some_and(|s| (s.slug.is_some() && coin.slug.is_some()) || (s.id.is_some() && coin.id.is_some()));
            vec![row((!named).then_some(*only), None)]
        }
        several => several.iter().map(|&i| row(Some(i), Some(several.len()))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_of_ones_own_stands_among_the_others_by_its_length() {
        let place = |interval: &str| {
            let wallet = WalletScreen::new(interval);
            (wallet.interval().to_owned(), wallet.intervals().iter().position(|known| known == interval))
        };
        for (interval, at) in [
            ("30s", 0),
            ("10m", 1),
            ("2h", 4),
            ("daily", 7),
            ("3d", 7),
            ("weekly", 8),
            ("2w", 8),
            ("1M", 8),
            ("yearly", 8),
        ] {
            assert_eq!(place(interval), (interval.to_owned(), Some(at)), "{interval}");
        }
        assert_eq!(place("often"), ("1h".to_owned(), None));
    }

    #[test]
    fn a_single_series_of_the_symbol_is_the_coin_unless_both_say_who_they_are() {
        let series = |slug: Option<&str>, id: Option<&str>| MarketSeries {
            id: id.map(Text::from),
            name: None,
            symbol: "CAT".into(),
            slug: slug.map(Text::from),
            convert: Currency::usd(),
            interval: Some("1h".into()),
            points: Vec::new(),
        };
        let cat = |slug: Option<&str>, id: Option<&str>| Watched {
            symbol: "CAT".into(),
            slug: slug.map(Text::from),
            id: id.map(Text::from),
        };
        for (watched, found, taken) in [
            (cat(None, None), series(Some("cat"), Some("1")), true),
            (cat(Some("cat"), None), series(Some("cat"), None), true),
            (cat(Some("cat"), None), series(Some("tac"), None), false),
            (cat(Some("cat"), None), series(None, Some("1")), true),
            (cat(None, Some("1")), series(None, Some("1")), true),
            (cat(None, Some("1")), series(None, Some("2")), false),
            (cat(None, Some("1")), series(Some("cat"), None), true),
        ] {
            let rows = lines(&watched, std::slice::from_ref(&found), &[0]);
            assert_eq!((rows[0].series.is_some(), rows.len()), (taken, 1), "{watched:?} {found:?}");
        }
        // Of several the one with the id is it.
        let several = [series(Some("tac"), Some("2")), series(Some("cat"), Some("1"))];
        let rows = lines(&cat(None, Some("1")), &several, &[0, 1]);
        assert_eq!((rows.len(), rows[0].series, rows[0].ambiguous), (1, Some(1), None));
    }
}

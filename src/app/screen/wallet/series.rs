//! The watched coins of the wallet: the requests for their series, and their rows.

use std::collections::{HashMap, HashSet};

use crate::app::responses::{Remote, Responses};
use crate::client::{Request, endpoint};
use crate::model::{Currency, MarketSeries, Text};
use crate::user_data::watchlist::{IgnoreCase, Watched};

use super::{WalletRow, WalletScreen};

impl WalletScreen {
    /// The requests for the prices of the holdings over time, shared with the watched coins' requests.
    pub fn history_requests(&self, convert: &Currency) -> Vec<Request> {
        let shared = self.shared_batches.iter().filter_map(|batch| self.request(*batch, convert));
        shared.chain(self.held_batches.iter().map(|symbols| self.series_request(symbols, convert))).collect()
    }

    /// Divides the symbols of the holdings among the requests.
    pub(super) fn batch_held(&mut self) {
        let batches = self.batches.iter().enumerate();
        let known: HashMap<IgnoreCase<'_>, usize> =
            batches.flat_map(|(batch, own)| own.iter().map(move |symbol| (IgnoreCase(symbol), batch))).collect();
        let mut done = HashSet::new();
        let (mut shared, mut others) = (Vec::new(), Vec::new());
        let symbols = self.holdings.costed().charted.iter().map(|held| &held.coin.symbol);
        for symbol in symbols.filter(|symbol| !symbol.contains(',') && done.insert(IgnoreCase(symbol))) {
            match known.get(&IgnoreCase(symbol)) {
                Some(batch) if shared.contains(batch) => {}
                Some(batch) => shared.push(*batch),
                None => others.push(symbol.clone()),
            }
        }
        (self.shared_batches, self.held_batches) = (shared, endpoint::symbol_batches(others, endpoint::MAX_SYMBOLS));
    }

    /// Whether no coin is watched, so that there is nothing to request.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// The requests for rows within `margin` of the selected one, its own first. There is one for all symbols, unless
    /// they exceed the maximum of a request.
    pub fn requests(&self, margin: usize, convert: &Currency) -> Vec<Request> {
        self.near_batches(margin).into_iter().filter_map(|batch| self.request(batch, convert)).collect()
    }

    /// The batches of [`WalletScreen::requests`] that have a response or failed, each with its rows.
    pub(in crate::app) fn answered_rows(
        &self,
        margin: usize,
        responses: &Responses,
        convert: &Currency,
    ) -> impl Iterator<Item = impl Iterator<Item = &WalletRow>> {
        let is_answered = |batch: &usize| {
            let remote = self.request(*batch, convert).map(|request| responses.market(&request));
            remote.is_some_and(|remote| remote.value.is_some() || remote.failure().is_some())
        };
        let batches: Vec<usize> = self.near_batches(margin).into_iter().filter(is_answered).collect();
        batches.into_iter().map(|batch| self.rows.iter().filter(move |row| row.batch == batch))
    }

    /// The batches of the rows within `margin` of the selected one, its own first.
    fn near_batches(&self, margin: usize) -> Vec<usize> {
        let here = self.cursor.index().saturating_sub(self.held_lines()).min(self.rows.len().saturating_sub(1));
        let from = here.saturating_sub(margin);
        let near = self.rows.iter().skip(from).take(here - from + margin + 1);
        let mut batches: Vec<usize> = Vec::new();
        for row in self.rows.get(here).into_iter().chain(near) {
            if !batches.contains(&row.batch) {
                batches.push(row.batch);
            }
        }
        batches
    }

    /// The resource that contains a row's series; `None` if no coin is watched.
    pub fn remote<'a>(
        &self,
        row: Option<&WalletRow>,
        responses: &'a Responses,
        convert: &Currency,
    ) -> Option<Remote<'a, Vec<MarketSeries>>> {
        let request = self.request(row.map_or(0, |row| row.batch), convert)?;
        Some(responses.market(&request))
    }

    /// The series of a row.
    pub fn series<'a>(
        &self,
        row: &WalletRow,
        responses: &'a Responses,
        convert: &Currency,
    ) -> Option<&'a MarketSeries> {
        self.remote(Some(row), responses, convert)?.value?.get(row.series?)
    }

    /// All loaded series, in any order.
    pub fn all_series<'a>(
        &self,
        responses: &'a Responses,
        convert: &Currency,
    ) -> impl Iterator<Item = &'a MarketSeries> {
        let requests = (0..self.batches.len()).filter_map(|batch| self.request(batch, convert));
        requests.filter_map(|request| responses.market(&request).value).flatten()
    }

    fn request(&self, batch: usize, convert: &Currency) -> Option<Request> {
        Some(self.series_request(self.batches.get(batch)?, convert))
    }

    fn series_request(&self, symbols: &[Text], convert: &Currency) -> Request {
        let (symbols, count) = (symbols.to_vec(), self.period.points());
        let interval = Text::const_new(self.period.interval());
        Request::MarketData { symbols, convert: convert.clone(), count, interval }
    }

    /// Sets the current symbols of the watched coins; [`WalletScreen::sync`] shows them. Returns whether any is new.
    pub fn set_symbols(&mut self, symbols: Vec<Text>) -> bool {
        if symbols == self.symbols {
            return false;
        }
        let mut known = HashSet::new();
        let usable = symbols.iter().filter(|symbol| !symbol.contains(','));
        let distinct = usable.filter(|symbol| known.insert(IgnoreCase(symbol))).cloned();
        self.batches = endpoint::symbol_batches(distinct, endpoint::MAX_SYMBOLS);
        let batches = self.batches.iter().enumerate();
        let places: HashMap<IgnoreCase<'_>, usize> = batches
            .flat_map(|(batch, symbols)| symbols.iter().map(move |symbol| (IgnoreCase(symbol), batch)))
            .collect();
        self.batch_of = symbols.iter().map(|symbol| places.get(&IgnoreCase(symbol)).copied().unwrap_or(0)).collect();
        self.symbols = symbols;
        self.batch_held();
        true
    }

    /// Updates the rows from the watched coins and the responses. [`WalletScreen::set_symbols`] must have been called
    /// with the symbols of the same coins.
    pub fn sync(&mut self, responses: &Responses, watched: &[Watched], convert: &Currency) {
        let known: Vec<&[MarketSeries]> = (0..self.batches.len())
            .map(|batch| {
                let request = self.request(batch, convert);
                request.and_then(|request| responses.market(&request).value).map_or(&[][..], Vec::as_slice)
            })
            .collect();
        let mut by_symbol: HashMap<(usize, IgnoreCase<'_>), Vec<usize>> = HashMap::new();
        for (batch, series) in known.iter().enumerate() {
            for (place, series) in series.iter().enumerate() {
                by_symbol.entry((batch, IgnoreCase(&series.symbol))).or_default().push(place);
            }
        }
        self.rows.clear();
        for (watched_index, ((coin, &batch), symbol)) in
            watched.iter().zip(&self.batch_of).zip(&self.symbols).enumerate()
        {
            let renamed = Some(symbol).filter(|symbol| !symbol.eq_ignore_ascii_case(&coin.symbol));
            let sharing = by_symbol.get(&(batch, IgnoreCase(symbol))).map_or(&[][..], Vec::as_slice);
            let series = known.get(batch).copied().unwrap_or(&[]);
            for (own, ambiguous) in choices(coin, series, sharing) {
                let named = own.and_then(|own| series.get(own)).and_then(|own| own.slug.clone().or(own.id.clone()));
                let name = named.or_else(|| coin.slug.clone());
                let (watched, renamed) = (coin.clone(), renamed.cloned());
                self.rows.push(WalletRow { watched, renamed, watched_index, series: own, ambiguous, batch, name });
            }
        }
        self.relist();
    }
}

/// The rows of one watched coin, as series and [`WalletRow::ambiguous`]: its series; or, if only the symbol is known
/// and several coins share it, the series of each. `sharing` are the indices of the series with its symbol.
pub(crate) fn choices(
    coin: &Watched,
    series: &[MarketSeries],
    sharing: &[usize],
) -> Vec<(Option<usize>, Option<usize>)> {
    let is_it = |i: &&usize| series.get(**i).is_some_and(|s| coin.has_same_id(&Watched::from_series(s)));
    if let Some(&known) = sharing.iter().find(is_it) {
        return vec![(Some(known), None)];
    }
    match sharing {
        [] => vec![(None, None)],
        // A single coin with the symbol is the watched one, unless their slugs or ids differ.
        [only] => {
            let named = series
                .get(*only)
                .is_some_and(|s| (s.slug.is_some() && coin.slug.is_some()) || (s.id.is_some() && coin.id.is_some()));
            vec![((!named).then_some(*only), None)]
        }
        several => several.iter().map(|&i| (Some(i), Some(several.len()))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::VolumeSpan;

    #[test]
    fn single_series_with_the_symbol_is_the_watched_coin_unless_ids_differ() {
        let series = |slug: Option<&str>, id: Option<&str>| MarketSeries {
            id: id.map(Text::from),
            name: None,
            symbol: "CAT".into(),
            slug: slug.map(Text::from),
            convert: Currency::usd(),
            interval: Some("1h".into()),
            points: Vec::new(),
            volume_span: VolumeSpan::Day,
            candles: None,
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
            let rows = choices(&watched, std::slice::from_ref(&found), &[0]);
            assert_eq!(rows, [(taken.then_some(0), None)], "{watched:?} {found:?}");
        }
        // Of several series, the one with the id is the watched coin.
        let several = [series(Some("tac"), Some("2")), series(Some("cat"), Some("1"))];
        assert_eq!(choices(&cat(None, Some("1")), &several, &[0, 1]), [(Some(1), None)]);
    }
}

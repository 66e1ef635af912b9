//! The line that adds or edits a lot, parsed, with its possible coins.

use std::sync::Arc;

use crate::client::{Request, ResponseData};
use crate::model::Text;
use crate::portfolio::entry::{self, Entry};
use crate::portfolio::{self, HistoricalRates, Oversold};
use crate::user_data::{Edit, Lot, LotPrice, WalletAddress, Watched};

use crate::app::coins::named_coin::NamedCoin;
use crate::app::state::State;
use crate::app::wallet::typed_lot::TypedLot;

/// Maximum coins to choose from.
pub(in crate::app) const MAX_COINS: usize = 8;

/// Maximum coins that are suggested for a name that matches none.
const MAX_SIMILAR: usize = 3;

/// Minimum length of the common prefix, in bytes.
const MIN_SIMILAR: usize = 3;

impl State {
    /// Reads the line.
    pub(in crate::app) fn read_lot(&self, line: &str) -> TypedLot {
        let entry = entry::parse(line, self.preferences.zone.at(self.now).date(), &self.user.current().addresses);
        let coins = entry.as_ref().map(|entry| self.coins_named(&entry.coin)).unwrap_or_default();
        let unknown = match &entry {
            Ok(entry) if coins.is_empty() => Some(self.unknown_coin(&entry.coin)),
            _ => None,
        };
        TypedLot { line: line.to_owned(), entry, coins, unknown }
    }

    /// The coins with a slug or symbol: one with the slug first, then by rank.
    pub(in crate::app) fn coins_named(&self, name: &str) -> Vec<NamedCoin> {
        let is_named = |symbol: &str, slug: Option<&str>, _: &str| {
            symbol.eq_ignore_ascii_case(name) || slug.is_some_and(|slug| slug.eq_ignore_ascii_case(name))
        };
        let mut found = self.coins_where(is_named);
        let has_slug = |coin: &NamedCoin| coin.coin.slug.as_ref().is_some_and(|slug| slug.eq_ignore_ascii_case(name));
        found.sort_by_key(|coin| (!has_slug(coin), coin.order()));
        found.truncate(MAX_COINS);
        found
    }

    /// The coins with a symbol, by rank.
    pub(in crate::app) fn coins_with_symbol(&self, wanted: &str) -> Vec<NamedCoin> {
        let mut found = self.coins_where(|symbol, _, _| symbol.eq_ignore_ascii_case(wanted));
        found.sort_by_key(NamedCoin::order);
        found
    }

    /// The line with the slug of its coin: of the chosen one, or of the largest whose symbol, slug or name starts with
    /// the typed text. `None` if no coin matches.
    pub(in crate::app) fn complete_lot(&self, line: &str, chosen: usize) -> Option<String> {
        let TypedLot { entry, coins, .. } = self.read_lot(line);
        let typed = entry.ok()?.coin;
        let lower = typed.to_lowercase();
        let starts = |text: &str| text.to_lowercase().starts_with(lower.as_str());
        let coin = match coins.into_iter().nth(chosen) {
            Some(coin) => coin,
            None => {
                let found =
                    self.coins_where(|symbol, slug, name| starts(symbol) || slug.is_some_and(starts) || starts(name));
                found.into_iter().min_by_key(NamedCoin::order)?
            }
        };
        let place = word_at(line, &typed)?;
        Some(format!("{}{}{}", line.get(..place)?, name_of(&coin.coin), line.get(place + typed.len()..)?))
    }

    /// The names of a few coins with a symbol, slug or name similar to a string that matches no coin.
    pub(in crate::app) fn similar_coins(&self, typed: &str) -> Vec<Text> {
        let lower = typed.to_lowercase();
        for end in (MIN_SIMILAR..=lower.len()).rev().filter(|end| lower.is_char_boundary(*end)) {
            let start = lower.get(..end).unwrap_or_default();
            let starts = |text: &str| text.to_lowercase().starts_with(start);
            let is_similar = |symbol: &str, slug: Option<&str>, name: &str| {
                starts(symbol) || slug.is_some_and(starts) || starts(name)
            };
            let mut found = self.coins_where(is_similar);
            if !found.is_empty() {
                found.sort_by_key(NamedCoin::order);
                return found.iter().take(MAX_SIMILAR).map(|coin| name_of(&coin.coin).clone()).collect();
            }
        }
        Vec::new()
    }

    /// The known coins that `is_wanted` by symbol, slug and name.
    fn coins_where(&self, is_wanted: impl Fn(&str, Option<&str>, &str) -> bool) -> Vec<NamedCoin> {
        let mut found: Vec<NamedCoin> = Vec::new();
        let mut add = |coin: NamedCoin| {
            if !found.iter().any(|known| known.coin.has_same_id(&coin.coin)) {
                found.push(coin);
            }
        };
        for coin in self.known_coins().filter(|coin| is_wanted(&coin.symbol, coin.slug.as_deref(), &coin.name)) {
            add(NamedCoin::from(coin));
        }
        if let Some(ResponseData::CoinNames(names)) = self.responses.response(&Request::CoinNames).map(AsRef::as_ref) {
            let all = names.iter().map(|name| &name.coin);
            for coin in all.filter(|coin| is_wanted(&coin.symbol, Some(&coin.slug), &coin.name)) {
                add(NamedCoin::from(coin));
            }
        }
        found
    }

    /// Whether the lot of a line sells or sends more than is held.
    pub fn oversold(&self, line: &TypedLot, chosen: usize, edited: Option<&Edit<Lot>>) -> Option<Oversold> {
        let mut lot = self.lot_of(line.clone(), chosen, edited.map(|edit| &edit.after))?;
        let user = self.user.current();
        // Another process may have removed it.
        let known = edited.and_then(|edit| user.lots.iter().find(|known| known.id == edit.after.id));
        if let Some((opened, known)) = edited.zip(known) {
            // Another process may have changed other parts.
            lot = Edit { before: opened.before.clone(), after: lot }.applied_to(known);
        }
        portfolio::oversold(&user.lots, &lot, known.map(|known| known.id))
    }

    /// Whether the lot of a line is dated today, but has a cost that is far from the day's range, so that the change over
    /// 24 hours counts it as held for all of them.
    pub fn has_far_cost(&self, line: &TypedLot, chosen: usize, edited: Option<&Edit<Lot>>) -> bool {
        let Some(lot) = self.lot_of(line.clone(), chosen, edited.map(|edit| &edit.after)) else { return false };
        // Each frame asks, and other lots need no search for their coin.
        if lot.price.is_none() || lot.date < self.preferences.zone.at(self.now).date() {
            return false;
        }
        let rates = HistoricalRates::new(&self.convert, self.responses.historical_rates_of_all());
        let rate = |currency: &_, date| rates.rate(currency, date);
        let held = portfolio::holdings(std::slice::from_ref(&lot), self.preferences.cost, &rate);
        let held: Vec<_> = held.into_iter().map(Arc::new).collect();
        let valuation = self.valuation_of(&held, |holding| self.held_coin(&holding.coin));
        valuation.holdings.iter().any(|held| !held.lots_at_other_prices.is_empty())
    }

    /// The lot of a line with the chosen coin, which replaces the one `before`; the defaults are the displayed currency
    /// and today. `None` if the line is invalid or its coin is unknown.
    pub(in crate::app) fn lot_of(&self, line: TypedLot, chosen: usize, before: Option<&Lot>) -> Option<Lot> {
        let TypedLot { entry, mut coins, .. } = line;
        let Entry { kind, amount, coin: name, price, currency, fee, date, note, address } = entry.ok()?;
        // A coin whose name was not edited stays the same, even if other coins have that name.
        let same = before.map(|lot| &lot.coin).filter(|coin| chosen == 0 && *name_of(coin) == name);
        let coin = match same {
            Some(coin) => coin.clone(),
            None => (chosen < coins.len()).then(|| coins.swap_remove(chosen))?.coin,
        };
        // The line of a lot without a price or a fee has no currency, so that it stays the same.
        let has_money = price.is_some() || fee.is_some();
        let kept = before.filter(|_| !has_money).map(|lot| lot.currency.clone());
        Some(Lot {
            id: before.map(|lot| lot.id).unwrap_or_default(),
            kind: kind.unwrap_or_default(),
            // An edited lot keeps the known identity of its coin.
            coin: before.map(|lot| &lot.coin).filter(|known| known.has_same_id(&coin)).cloned().unwrap_or(coin),
            amount,
            price,
            fee,
            currency: currency.or(kept).unwrap_or_else(|| self.convert.clone()),
            date: date.unwrap_or_else(|| self.preferences.zone.at(self.now).date()),
            note,
            address,
        })
    }
}

/// Where a whole word starts in a line.
fn word_at(line: &str, word: &str) -> Option<usize> {
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || c == '@');
    let is_whole = |at: usize| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|rest| rest.chars().next());
        is_end(before) && is_end(after)
    };
    line.match_indices(word).map(|(at, _)| at).find(|at| is_whole(*at))
}

/// ` · similar: …` with the names of similar coins; empty without any.
pub fn suggestion(similar: &[Text]) -> String {
    let names: Vec<&str> = similar.iter().map(Text::as_str).collect();
    if names.is_empty() { String::new() } else { format!(" · similar: {}", names.join(", ")) }
}

/// The name of a lot's coin in its line.
pub fn name_of(coin: &Watched) -> &Text {
    coin.slug.as_ref().unwrap_or(&coin.symbol)
}

/// A lot as the line that would add it, with a currency if there is a price or a fee. Its address is written as its label
/// in `addresses`, if it has one.
pub fn line_of(lot: &Lot, addresses: &[WalletAddress]) -> String {
    let Lot { kind, coin, amount, price, fee, currency, date, note, address, .. } = lot;
    let price = match price {
        Some(LotPrice::Unit(unit)) => format!(" @ {unit}"),
        Some(LotPrice::Total(total)) => format!(" @@ {total}"),
        None => String::new(),
    };
    let has_money = !price.is_empty() || fee.is_some();
    let currency = if has_money { format!(" {currency}") } else { String::new() };
    let fee = fee.as_ref().map(|fee| format!(" fee {fee}")).unwrap_or_default();
    let note = note.as_ref().map(|note| format!(" \"{note}\"")).unwrap_or_default();
    let address = address.as_ref().map(|address| format!(" {}", entry::address_text(address, addresses)));
    let (name, address) = (name_of(coin), address.unwrap_or_default());
    format!("{} {amount} {name}{price}{currency}{fee} {date}{address}{note}", kind.as_str())
}

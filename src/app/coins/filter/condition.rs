//! The conditions of filters.

use std::cmp::Ordering;

use super::tags::tag_contains;
use crate::format::direction;
use crate::model::{Coin, Tag};
use crate::user_data::watchlist::ResolvedCoins;

/// A condition that a coin satisfies or not; unknown if a value is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Compares a number.
    Compare(Field, Comparison, f64),
    /// Rose over a day; a change that is shown as 0.0% doesn't count.
    Gainers,
    /// Fell over a day, with the same exception.
    Losers,
    /// Has a tag whose name, as one word, contains this text.
    Tag(String),
    /// Has a BRC-20 ticker.
    Brc20,
    /// Is certainly on the watchlist.
    Watched,
    /// Both must match.
    And(Box<Filter>, Box<Filter>),
    /// At least one.
    Or(Box<Filter>, Box<Filter>),
    /// The opposite.
    Not(Box<Filter>),
}

/// Defines [`Field`] from one table, in the order of the dialog. Each field has one or more names in filters, of one or
/// more words; the first is shown. Alerts accept the same names.
macro_rules! fields {
    ($($(#[$doc:meta])* $Field:ident = $($name:literal),+;)*) => {
        /// A number of a coin.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $($(#[$doc])* $Field,)*
        }

        impl Field {
            const ALL: [(Field, &'static [&'static str]); [$(stringify!($Field)),*].len()] =
                [$((Field::$Field, &[$($name),+])),*];
        }
    };
}

fields! {
    /// Price in the displayed currency.
    Price = "price";
    /// Change over an hour in percent.
    Change1h = "1h";
    /// Change over a day in percent.
    Change24h = "24h", "1d", "change";
    /// Change over seven days in percent.
    Change7d = "7d";
    /// Volume over a day.
    Volume = "volume", "vol";
    /// Market capitalisation.
    Cap = "cap", "mcap", "market cap";
    /// Rank by market capitalisation.
    Rank = "rank", "#";
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
    /// Equal.
    Equal,
    /// Not equal.
    Differs,
}

impl Filter {
    /// Whether a coin satisfies the filter. A coin with a missing value doesn't, unless other values decide.
    pub fn accepts(&self, coin: &Coin, watched: &ResolvedCoins) -> bool {
        self.evaluate(coin, watched) == Some(true)
    }

    /// Whether it depends on the watchlist.
    pub fn uses_watchlist(&self) -> bool {
        match self {
            Filter::Watched => true,
            Filter::And(a, b) | Filter::Or(a, b) => a.uses_watchlist() || b.uses_watchlist(),
            Filter::Not(inner) => inner.uses_watchlist(),
            Filter::Compare(..) | Filter::Gainers | Filter::Losers | Filter::Tag(_) | Filter::Brc20 => false,
        }
    }

    /// Whether it accepts only watched coins.
    pub fn accepts_only_watched(&self) -> bool {
        match self {
            Filter::Watched => true,
            Filter::And(a, b) => a.accepts_only_watched() || b.accepts_only_watched(),
            Filter::Or(a, b) => a.accepts_only_watched() && b.accepts_only_watched(),
            _ => false,
        }
    }

    /// `None` if it is unknown.
    fn evaluate(&self, coin: &Coin, watched: &ResolvedCoins) -> Option<bool> {
        match self {
            Filter::Compare(field, comparison, limit) => Some(comparison.holds(field.of(coin)?, *limit)),
            Filter::Gainers => Some(direction(coin.change_24h_pct?)? == Ordering::Greater),
            Filter::Losers => Some(direction(coin.change_24h_pct?)? == Ordering::Less),
            Filter::Tag(name) => Some(coin.tags.iter().any(|tag| tag_contains(tag, name))),
            Filter::Brc20 => {
                let is_tagged = coin.tags.iter().any(|tag| tag.eq_ignore_ascii_case(Tag::Brc20.as_str()));
                Some(coin.brc20_ticker.is_some() || is_tagged)
            }
            Filter::Watched => Some(watched.contains(coin)),
            Filter::And(a, b) => match (a.evaluate(coin, watched), b.evaluate(coin, watched)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Filter::Or(a, b) => match (a.evaluate(coin, watched), b.evaluate(coin, watched)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Filter::Not(inner) => inner.evaluate(coin, watched).map(|holds| !holds),
        }
    }
}

impl Field {
    /// The field named by the first of these words, and how many words its name has.
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<(Field, usize)> {
        let starts_with = |name: &str| {
            let mut words = words.clone();
            name.split(' ').all(|part| words.next().is_some_and(|word| word.eq_ignore_ascii_case(part)))
        };
        Field::ALL.into_iter().find_map(|(field, names)| {
            let name = names.iter().find(|name| starts_with(name))?;
            Some((field, name.split(' ').count()))
        })
    }

    /// The shown names of all fields that `is_shown` selects, in the order of the dialog.
    fn names_of(is_shown: impl Fn(Field) -> bool) -> Vec<&'static str> {
        let shown = Field::ALL.into_iter().filter(|(field, _)| is_shown(*field));
        shown.filter_map(|(_, names)| names.first().copied()).collect()
    }

    /// The shown names of all fields, in the order of the dialog.
    pub fn names() -> Vec<&'static str> {
        Field::names_of(|_| true)
    }

    /// The shown names of the fields that are amounts in the displayed currency.
    pub(super) fn money_names() -> Vec<&'static str> {
        Field::names_of(Field::is_money)
    }

    /// Whether it is an amount in the displayed currency.
    pub(super) fn is_money(self) -> bool {
        matches!(self, Field::Price | Field::Volume | Field::Cap)
    }

    /// A number to compare it with.
    pub(super) fn example(self) -> &'static str {
        match self {
            Field::Price => "0.5",
            Field::Change1h | Field::Change24h | Field::Change7d => "5",
            Field::Volume | Field::Cap => "10m",
            Field::Rank => "50",
        }
    }

    fn of(self, coin: &Coin) -> Option<f64> {
        match self {
            Field::Price => coin.price,
            Field::Change1h => coin.change_1h_pct,
            Field::Change24h => coin.change_24h_pct,
            Field::Change7d => coin.change_7d_pct,
            Field::Volume => coin.volume_24h,
            Field::Cap => coin.market_cap,
            Field::Rank => coin.rank.map(f64::from),
        }
    }
}

impl Comparison {
    fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Comparison::Less => value < limit,
            Comparison::AtMost => value <= limit,
            Comparison::Greater => value > limit,
            Comparison::AtLeast => value >= limit,
            Comparison::Equal => value == limit,
            Comparison::Differs => value != limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::user_data::alert::{Measure, Owner};

    #[test]
    fn filters_and_alerts_accept_the_same_names() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        let of_filters = Field::ALL.map(|(_, names)| sorted(names.to_vec()));
        let measures = Measure::<()>::all().into_iter().filter(|measure| measure.owner() == Owner::Coin);
        let of_alerts: Vec<_> = measures.map(|measure| sorted(measure.names().collect())).collect();
        assert_eq!(of_alerts, of_filters);
    }
}

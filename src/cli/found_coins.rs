//! Coins found by slugs or symbols, and which of them a name refers to.

use std::borrow::Cow;

use super::aliases::Aliases;
use super::failure::{Failure, MAX_QUOTED};
use crate::format::words::join_words;
use crate::model::{Coin, Text, text};

/// The advice for an unknown slug: the command that prints all slugs that are searched.
pub(super) const ADVICE: &str = "list slugs: satscope coins --limit 5000 --format csv";

/// Minimum common prefix of an unknown name and its suggestion, in characters.
pub(super) const MIN_ALIKE: usize = 3;

/// Maximum suggested coins.
const MAX_SUGGESTED: usize = 3;

/// Coins with their slugs at providers.
#[derive(Debug, Default)]
pub(super) struct FoundCoins {
    pub(super) coins: Vec<Coin>,
    aliases: Aliases,
}

impl FoundCoins {
    /// Coins, and the slugs at providers of all coins.
    pub(super) fn new(coins: Vec<Coin>, aliases: Aliases) -> FoundCoins {
        FoundCoins { coins, aliases }
    }

    /// The coin with exactly this slug, the only one with this symbol, or the one with the slug in another case or at a
    /// provider. A provider's slug that is also the symbol of another coin is ambiguous.
    pub(super) fn coin_of(&self, name: &Text) -> Result<&Coin, Failure> {
        if let Some(coin) = self.coins.iter().find(|coin| coin.slug.as_ref() == Some(name)) {
            return Ok(coin);
        }
        let aliased = self.aliases.id_of(name);
        let by_alias = self.coins.iter().find(|coin| aliased == Some(&coin.id.0));
        let mut of_symbol = self.coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
        match (of_symbol.next(), of_symbol.next()) {
            (Some(only), None) if by_alias.is_none_or(|coin| coin.id == only.id) => Ok(only),
            (None, _) => {
                let by_slug = self.coins.iter().find(|coin| has_own_slug(coin, name));
                by_slug.or(by_alias).ok_or_else(|| self.unknown_slug(name))
            }
            (Some(_), _) => Err(self.ambiguous_symbol(name)),
        }
    }

    /// Whether any of the coins has this slug or symbol.
    pub(super) fn is_listed(&self, name: &Text) -> bool {
        let aliased = self.aliases.id_of(name);
        let is_named = |coin: &Coin| coin.symbol.eq_ignore_ascii_case(name) || has_own_slug(coin, name);
        self.coins.iter().any(|coin| is_named(coin) || aliased == Some(&coin.id.0))
    }

    /// Whether a coin has this slug, in any case, or at a provider.
    pub(super) fn has_slug(&self, coin: &Coin, slug: &Text) -> bool {
        has_own_slug(coin, slug) || self.aliases.is_of(slug, coin)
    }

    /// Whether any of the coins has this symbol.
    pub(super) fn has_symbol(&self, name: &Text) -> bool {
        self.coins.iter().any(|coin| coin.symbol.eq_ignore_ascii_case(name))
    }

    /// The error for an unknown slug; common mistakes are a symbol or only the first letters.
    pub(super) fn unknown_slug(&self, slug: &Text) -> Failure {
        let slugs = |is_wanted: &dyn Fn(&Coin) -> bool| -> Vec<&str> {
            self.coins
                .iter()
                .filter(|coin| is_wanted(coin))
                .filter_map(|coin| coin.slug.as_deref())
                .take(MAX_SUGGESTED)
                .collect()
        };
        let of_symbol = slugs(&|coin| coin.symbol.eq_ignore_ascii_case(slug));
        // No known name is similar to a longer one.
        let lower = slug.to_lowercase().chars().take(MAX_QUOTED).collect::<String>();
        let slug = quoted(slug);
        let starts = (MIN_ALIKE..=lower.len()).rev().filter_map(|end| lower.get(..end)).map(|start| {
            let starts = |text: &str| text.to_lowercase().starts_with(start);
            slugs(&|coin| starts(&coin.symbol) || coin.slug.as_deref().is_some_and(starts))
        });
        let is_typo =
            |text: &str| lower.len() >= MIN_ALIKE && strsim::damerau_levenshtein(&text.to_lowercase(), &lower) <= 1;
        let with_typo = slugs(&|coin| is_typo(&coin.symbol) || coin.slug.as_deref().is_some_and(is_typo));
        let similar = [of_symbol, with_typo].into_iter().chain(starts).find(|found| !found.is_empty());
        Failure::Operation(match similar {
            None => format!("unknown coin {slug} ({ADVICE})"),
            Some(slugs) => format!("unknown coin {slug} (similar: {})", slugs.join(", ")),
        })
    }

    /// The error for a symbol that several coins use, or that is another coin's slug at a provider.
    fn ambiguous_symbol(&self, symbol: &Text) -> Failure {
        let aliased = self.aliases.id_of(symbol);
        let is_named = |coin: &&Coin| coin.symbol.eq_ignore_ascii_case(symbol) || aliased == Some(&coin.id.0);
        let of_symbol = self.coins.iter().filter(is_named);
        let slugs: Vec<&str> = of_symbol.filter_map(|coin| coin.slug.as_deref()).take(MAX_SUGGESTED).collect();
        Failure::Operation(format!("several coins use {} (use the slug: {})", quoted(symbol), join_words(&slugs, "or")))
    }
}

/// A name as quoted in errors.
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    text::cut(Cow::Borrowed(name), MAX_QUOTED)
}

/// Whether a coin has this slug, in any case.
fn has_own_slug(coin: &Coin, slug: &Text) -> bool {
    coin.slug.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(slug))
}

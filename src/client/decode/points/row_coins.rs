//! The coins that rows name, so that rows of several coins are not mixed.

use std::borrow::Cow;

use super::raw::Raw;
use crate::client::decode::envelope::text_of;
use crate::client::decode::identity;
use crate::client::decode::money;
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::client::decode::requested_coin::RequestedCoin;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::format::words::counted;
use crate::model::{Currency, text};

/// Maximum coins of a list; further ones count as one.
const MAX_COINS: usize = 250;

/// The names of the coin in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowNames<'a> {
    pub(super) slug: Option<Value<'a>>,
    pub(super) coin: Option<Value<'a>>,
    pub(super) asset: Option<Value<'a>>,
    pub(super) symbol: Option<Value<'a>>,
    pub(super) pair: Option<Value<'a>>,
    pub(super) id: Option<Value<'a>>,
}

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Slug,
    Id,
    /// A symbol, a slug or a name.
    Asset,
    Symbol,
    Pair,
    /// `id`, which may be the row's.
    RowId,
}

#[derive(Debug)]
struct RowCoin {
    name: String,
    kind: Kind,
    is_requested: bool,
}

/// The coins of the rows of a series.
#[derive(Debug, Default)]
pub(super) struct RowCoins {
    coins: Vec<RowCoin>,
    /// Index of the coin in the last row.
    last: usize,
}

impl<'a> RowNames<'a> {
    /// The currency that a pair or symbol states. A symbol that may be a coin's is the currency only if it was requested.
    pub(super) fn currency(&self, coin: RequestedCoin<'_>, requested: &Currency) -> Option<Currency> {
        let texts = || [self.pair, self.symbol].into_iter().flatten().filter_map(|name| name.str());
        let quote_in = |name: &str| pair_name::currency(pair_name::split_of(name, coin.name().unwrap_or_default())?.1);
        texts().find_map(|name| quote_in(&name)).or_else(|| {
            let symbol = self.symbol?;
            let currency = money::code(symbol.raw())?;
            let is_dollar = pair_name::is_dollar_coin(currency.as_str());
            let is_money = currency.exists() && !currency.is_coin() && !currency.is_quote_coin() && !currency.is_sats();
            let is_currency = (currency == *requested || is_money || is_dollar) && !coin.is_named(&symbol.str()?);
            is_currency.then(|| if is_dollar && currency != *requested { Currency::usd() } else { currency })
        })
    }

    /// The name that distinguishes the coin from others best.
    fn best(&self, has_currency: bool) -> Option<(Kind, Cow<'a, str>)> {
        let is_symbol =
            |name: &Value<'_>| !has_currency || name.str().is_some_and(|name| pair_name::split(&name).is_some());
        let names = [
            (Kind::Slug, self.slug),
            (Kind::Id, self.coin),
            (Kind::Asset, self.asset),
            (Kind::Symbol, self.symbol.filter(is_symbol)),
            (Kind::Pair, self.pair),
            (Kind::RowId, self.id),
        ];
        names.into_iter().find_map(|(kind, name)| Some((kind, name_of(name?)?)))
    }

    fn all(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        [self.slug, self.coin, self.asset, self.symbol, self.pair, self.id].into_iter().flatten().filter_map(name_of)
    }
}

fn name_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    let name = if value.is_object() { value.any(&["slug", "symbol", "id"])? } else { value };
    text_of(name).filter(|name| !name.trim().is_empty())
}

impl RowCoins {
    /// Forgets the coins of the series before.
    pub(super) fn clear(&mut self) {
        self.coins.clear();
        self.last = 0;
    }

    /// The number of a row's coin, for [`Raw::coin`].
    pub(super) fn number_of(&mut self, names: &RowNames<'_>, has_currency: bool, coin: RequestedCoin<'_>) -> u8 {
        let Some((kind, name)) = names.best(has_currency) else { return 0 };
        // The ids of rows.
        if kind == Kind::RowId && self.coins.len() > MAX_COINS {
            return 0;
        }
        let is_it = |known: &RowCoin| known.kind == kind && known.name == *name;
        if !self.coins.get(self.last).is_some_and(is_it) {
            self.last = self.coins.iter().position(is_it).unwrap_or_else(|| {
                if self.coins.len() <= MAX_COINS {
                    let is_last = self.coins.len() == MAX_COINS;
                    let is_requested = !is_last && names.all().any(|name| coin.is_named(&name));
                    self.coins.push(RowCoin { name: name.into_owned(), kind, is_requested });
                }
                self.coins.len() - 1
            });
        }
        self.last as u8 + 1
    }

    /// Keeps only points of the requested coin, with a warning.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if all are certainly of another coin; [`ErrorKind::Unrecognised`] if they are of several
    /// coins, and none is known to be the requested one.
    pub(super) fn separate(
        &self,
        context: &mut Context<'_>,
        raws: &mut Vec<Raw>,
        coin: RequestedCoin<'_>,
    ) -> Result<(), ErrorKind> {
        let has_requested = self.coins.iter().any(|coin| coin.is_requested);
        // Every row may have an id of its own.
        let is_by_row = self.coins.iter().all(|coin| coin.kind == Kind::RowId)
            && (self.coins.len() * 2 > raws.len() || self.coins.len() > MAX_COINS);
        if self.coins.is_empty() || !has_requested && is_by_row {
            return Ok(());
        }
        let name = |coin: &RowCoin| text::cut(text::clean(&coin.name), 60).into_owned();
        if let ([only], Some(requested)) = (self.coins.as_slice(), coin.name()) {
            let is_other = match only.kind {
                Kind::Slug => coin.is_other_slug(&only.name),
                Kind::Id => coin.is_other_id(&only.name),
                Kind::Asset => coin.is_other_asset(&only.name),
                Kind::Symbol => coin.is_other_symbol(&only.name),
                Kind::Pair => coin.is_other_pair(&only.name),
                Kind::RowId => coin.is_other_well_known(&only.name),
            };
            return if is_other && !only.is_requested {
                Err(identity::another(&[&only.name], requested))
            } else {
                Ok(())
            };
        }
        if self.coins.len() == 1 {
            return Ok(());
        }
        if !has_requested {
            let names: Vec<String> = self.coins.iter().take(2).map(name).collect();
            return Err(ErrorKind::Unrecognised(format!("points of several coins ({})", names.join(", "))));
        }
        let is_requested =
            |raw: &Raw| self.coins.get(usize::from(raw.coin).wrapping_sub(1)).is_some_and(|coin| coin.is_requested);
        let before = raws.len();
        raws.retain(is_requested);
        let skipped = before - raws.len();
        if skipped > 0 {
            let other = self.coins.iter().find(|coin| !coin.is_requested).map(name).unwrap_or_default();
            context.warn(|| format!("skipped {} of other coins, such as {other}", counted(skipped, "point")));
        }
        Ok(())
    }
}

//! Leaves out market pairs whose price isn't the coin's: pairs of other coins, and pairs quoted in the coin, such as
//! `BTC/USDT` in the list of Tether.

use serde::Deserialize;

use super::lenient::{self, RawRow};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::warnings::Warnings;

/// The two coins of a market pair.
#[derive(Deserialize)]
struct Sides {
    /// The provider's id of the base.
    #[serde(default, rename = "coin_id", alias = "base_currency_id", deserialize_with = "lenient::message")]
    base_id: Option<String>,
    /// The symbol of the base.
    #[serde(default, deserialize_with = "lenient::message")]
    base: Option<String>,
    /// The provider's id of the quote.
    #[serde(default, rename = "target_coin_id", alias = "quote_currency_id", deserialize_with = "lenient::message")]
    quote_id: Option<String>,
    /// The symbol of the quote.
    #[serde(default, rename = "target", deserialize_with = "lenient::message")]
    quote: Option<String>,
    /// Base and quote: `ORDI/USDT`.
    #[serde(default, deserialize_with = "lenient::message")]
    pair: Option<String>,
}

/// The role of a coin in a market pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Base,
    Quote,
    None,
}

impl Sides {
    fn role_of(&self, id: &str, symbol: &str) -> Role {
        let (base, quote) = self.pair.as_deref().and_then(|pair| pair.split_once('/')).unzip();
        if is_coin((self.base_id.as_deref(), id), (self.base.as_deref().or(base), symbol)) {
            Role::Base
        } else if is_coin((self.quote_id.as_deref(), id), (self.quote.as_deref().or(quote), symbol)) {
            Role::Quote
        } else {
            Role::None
        }
    }
}

/// Whether one side of a pair is the coin: by its id, or by its symbol if it has no id.
fn is_coin((side_id, id): (Option<&str>, &str), (side, symbol): (Option<&str>, &str)) -> bool {
    match side_id.map(str::trim).filter(|side_id| !side_id.is_empty()) {
        Some(side_id) => side_id == id,
        None => side.is_some_and(|side| side.trim().eq_ignore_ascii_case(symbol)),
    }
}

/// The pairs whose base is the coin with this id and symbol at the provider. Pairs of other coins are skipped with a
/// warning. Unreadable rows stay: the decoder reports them.
///
/// # Errors
/// There are rows, but none has the coin as its base.
pub(super) fn own_pairs<'a>(
    rows: &'a [RawRow],
    id: &str,
    symbol: &str,
    warnings: &Warnings,
) -> SourceResult<Vec<&'a RawRow>> {
    let role =
        |row: &RawRow| serde_json::from_str::<Sides>(row.get()).map_or(Role::Base, |sides| sides.role_of(id, symbol));
    let roles: Vec<Role> = rows.iter().map(role).collect();
    let count = |role| roles.iter().filter(|own| **own == role).count();
    match count(Role::None) {
        0 => {}
        1 => warnings.note(String::from("Skipped 1 market pair of another coin")),
        others => warnings.note(format!("Skipped {others} market pairs of other coins")),
    }
    if count(Role::Base) == 0 && !rows.is_empty() {
        let reason = match count(Role::Quote) {
            0 => String::from("All market pairs belong to other coins"),
            _ => format!("{symbol} is only the quote currency of these pairs"),
        };
        return Err(SourceError::new(ErrorClass::Empty, reason));
    }
    Ok(rows.iter().zip(roles).filter(|(_, role)| *role == Role::Base).map(|(row, _)| row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&str]) -> Vec<RawRow> {
        serde_json::from_str(&format!("[{}]", rows.join(","))).unwrap()
    }

    #[test]
    fn pair_belongs_to_the_coin_by_id_or_else_by_symbol() {
        for (row, role) in [
            (r#"{"coin_id":"ordinals","base":"X","target":"ORDI"}"#, Role::Base),
            (r#"{"coin_id":"pepe","base":"ORDI"}"#, Role::None),
            (r#"{"base":"ordi","target":"USDT"}"#, Role::Base),
            (r#"{"coin_id":"","base":"ORDI"}"#, Role::Base),
            (r#"{"coin_id":null,"base":"USDT","target":"ORDI"}"#, Role::Quote),
            (r#"{"coin_id":"wrapped-ordi","base":"WORDI","target":"X","target_coin_id":"ordinals"}"#, Role::Quote),
            (r#"{"coin_id":"pepe","base":"PEPE","target":"ORDI","target_coin_id":"ordi-fake"}"#, Role::None),
            (r#"{"base_currency_id":"ordinals","pair":"USDT/ORDI"}"#, Role::Base),
            (r#"{"base_currency_id":"usdt-tether","pair":"ORDI/USDT"}"#, Role::None),
            (r#"{"base_currency_id":"usdt-tether","quote_currency_id":"ordinals","pair":"USDT/X"}"#, Role::Quote),
            (r#"{"pair":"ORDI/USDT"}"#, Role::Base),
            (r#"{"pair":"USDT/ORDI"}"#, Role::Quote),
            (r#"{"price":8.41}"#, Role::None),
            ("null", Role::Base),
        ] {
            let (rows, warnings) = (rows(&[r#"{"pair":"ORDI/EUR"}"#, row]), Warnings::default());
            let own = own_pairs(&rows, "ordinals", "ORDI", &warnings).unwrap();
            assert_eq!(
                (own.len() == 2, warnings.sentence().is_some()),
                (role == Role::Base, role == Role::None),
                "{row}"
            );
        }
    }

    #[test]
    fn list_without_pairs_of_the_coin_is_an_error() {
        let warnings = Warnings::default();
        let reason = |rows: &[RawRow]| own_pairs(rows, "tether", "USDT", &warnings).map(|own| own.len());
        assert_eq!(reason(&[]), Ok(0));
        let error = reason(&rows(&[r#"{"pair":"BTC/USDT"}"#, r#"{"pair":"ORDI/USDT"}"#])).unwrap_err();
        assert_eq!(
            (error.class, error.reason.as_str()),
            (ErrorClass::Empty, "USDT is only the quote currency of these pairs")
        );
        assert_eq!(warnings.sentence(), None);
        let error = reason(&rows(&[r#"{"pair":"BTC/EUR"}"#])).unwrap_err();
        assert_eq!(error.reason, "All market pairs belong to other coins");
    }
}

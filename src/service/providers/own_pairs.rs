//! Leaves out market pairs of other coins, whose prices would be mistaken for the coin's.

use serde::Deserialize;

use super::lenient::{self, RawRow};
use crate::service::upstream::warnings::Warnings;

/// The base of a market pair.
#[derive(Deserialize)]
struct Base {
    /// The provider's id of the coin.
    #[serde(default, rename = "coin_id", alias = "base_currency_id", deserialize_with = "lenient::message")]
    id: Option<String>,
    /// Its symbol.
    #[serde(default, rename = "base", deserialize_with = "lenient::message")]
    symbol: Option<String>,
    /// Base and quote: `ORDI/USDT`.
    #[serde(default, deserialize_with = "lenient::message")]
    pair: Option<String>,
}

impl Base {
    /// Whether it is the coin: by its id, or by its symbol if the pair has no id.
    fn is(&self, id: &str, symbol: &str) -> bool {
        if let Some(own) = self.id.as_deref().map(str::trim).filter(|own| !own.is_empty()) {
            return own == id;
        }
        let of_pair = || self.pair.as_deref()?.split('/').next();
        self.symbol.as_deref().or_else(of_pair).is_some_and(|own| own.trim().eq_ignore_ascii_case(symbol))
    }
}

/// The pairs whose base is the coin with this id and symbol at the provider. The others count as a warning. Unreadable
/// rows are left in: the decoder reports them.
pub(super) fn own_pairs<'a>(rows: &'a [RawRow], id: &str, symbol: &str, warnings: &Warnings) -> Vec<&'a RawRow> {
    let is_own = |row: &&RawRow| serde_json::from_str::<Base>(row.get()).map_or(true, |base| base.is(id, symbol));
    let own: Vec<&RawRow> = rows.iter().filter(is_own).collect();
    match rows.len() - own.len() {
        0 => {}
        1 => warnings.note(String::from("Skipped 1 market pair of another coin")),
        others => warnings.note(format!("Skipped {others} market pairs of other coins")),
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pair_belongs_to_the_coin_by_id_or_else_by_symbol() {
        for (row, is_own) in [
            (r#"{"coin_id":"ordinals","base":"X","target":"ORDI"}"#, true),
            (r#"{"coin_id":"pepe","base":"ORDI"}"#, false),
            (r#"{"base":"ordi","target":"USDT"}"#, true),
            (r#"{"coin_id":"","base":"ORDI"}"#, true),
            (r#"{"coin_id":null,"base":"USDT","target":"ORDI"}"#, false),
            (r#"{"base_currency_id":"ordinals","pair":"USDT/ORDI"}"#, true),
            (r#"{"base_currency_id":"usdt-tether","pair":"ORDI/USDT"}"#, false),
            (r#"{"pair":"ORDI/USDT"}"#, true),
            (r#"{"pair":"USDT/ORDI"}"#, false),
            (r#"{"price":8.41}"#, false),
            ("null", true),
        ] {
            let rows: Vec<RawRow> = serde_json::from_str(&format!("[{row}]")).unwrap();
            let warnings = Warnings::default();
            assert_eq!(own_pairs(&rows, "ordinals", "ORDI", &warnings).len() == 1, is_own, "{row}");
            assert_eq!(warnings.sentence().is_none(), is_own, "{row}");
        }
    }
}

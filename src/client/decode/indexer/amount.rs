//! Token amounts.

use super::digits::digits;
use super::unit::Unit;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Amount;
use crate::model::amount::AmountError;

/// Reads an exact amount: decimal text or a JSON number, even with an exponent (`2.1e7`), parsed by its digits and
/// never as a float. Absent, `null` and empty values are silent; other unreadable values are warnings, and so are whole
/// numbers whose unit is unclear.
pub(super) fn amount(context: &mut Context<'_>, value: Option<Value<'_>>, unit: Unit) -> Option<Amount> {
    let value = value?;
    let words = digits(value)?;
    let amount = words.parse::<Amount>();
    if let Some(formatted) = value.str() {
        if amount == Err(AmountError::NotDecimal) {
            context.note_decimal_comma(&formatted);
        } else if context.has_unclear_point(&formatted) {
            context.unreadable(value, "an amount with an unambiguous decimal point");
            return None;
        }
    }
    let is_whole = amount.is_ok_and(|amount| amount == Amount::ZERO) || words.contains('.');
    match unit.of_number(words.trim_start_matches('0').len()) {
        // A decimal point means whole tokens in any case.
        Unit::Atoms if !is_whole => {
            if let Ok(atoms) = words.parse() {
                return Some(Amount::from_atoms(atoms));
            }
        }
        Unit::Unclear if !is_whole && amount != Err(AmountError::NotDecimal) => {
            context.unreadable(value, "an amount of whole tokens (this one may be in smallest units)");
            return None;
        }
        _ => {}
    }
    if let Err(error) = &amount {
        context.unreadable(value, &format!("an amount ({error})"));
    }
    amount.ok()
}

/// Computes the missing one of available, transferable and overall balance.
pub(super) fn complete(
    available: Option<Amount>,
    transferable: Option<Amount>,
    overall: Option<Amount>,
) -> (Option<Amount>, Option<Amount>, Option<Amount>) {
    let rest = |part: Option<Amount>| overall?.checked_sub(part?);
    let sum = || available?.checked_add(transferable?);
    (available.or_else(|| rest(transferable)), transferable.or_else(|| rest(available)), overall.or_else(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::decode::tape::Document;

    #[test]
    fn missing_amounts_are_silent() {
        let document =
            Document::parse(r#"{"a":null,"b":"","c":" - ","d":"21","e":2.1e1,"f":"x","g":{},"h":true}"#, 8).unwrap();
        let mut context = Context::new(&document);
        let read: Vec<_> =
            document.root().fields().map(|(_, value)| amount(&mut context, Some(value), Unit::Whole)).collect();
        let some = Some(Amount::from_units(21));
        assert_eq!(read, [None, None, None, some, some, None, None, None]);
        let about: Vec<_> = context.into_warnings().iter().map(|warning| warning.sentence[..3].to_owned()).collect();
        assert_eq!(about, ["$.f", "$.g", "$.h"]);
    }
}

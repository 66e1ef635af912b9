//! Amounts as indexers write them.

use super::digits::digits;
use super::unit::Unit;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Amount;
use crate::model::amount::AmountError;

/// An exact amount: decimal text, or a JSON number, also one with an exponent (`2.1e7`), read by its digits and never
/// through a float. Absent, `null` and empty are silent; anything else that is no amount is a warning, and so is a whole
/// number in an answer of which it is unclear what it counts.
pub(super) fn amount(context: &mut Context<'_>, value: Option<Value<'_>>, unit: Unit) -> Option<Amount> {
    let value = value?;
    let words = digits(value)?;
    let amount = words.parse::<Amount>();
    let is_whole = amount.is_ok_and(|amount| amount == Amount::ZERO) || words.contains('.');
    match unit {
        // A point makes it one of whole tokens all the same.
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

/// Available, transferable and both, of which any one follows from the other two.
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
    fn what_stands_for_no_amount_is_silent() {
        let document =
            Document::parse(r#"{"a":null,"b":"","c":" - ","d":"21","e":2.1e1,"f":"x","g":{},"h":true}"#, 8).unwrap();
        let mut context = Context::new(&document);
        let read: Vec<_> =
            document.root().fields().map(|(_, value)| amount(&mut context, Some(value), Unit::Whole)).collect();
        let some = Some(Amount::from_units(21));
        assert_eq!(read, [None, None, None, some, some, None, None, None]);
        let about: Vec<_> = context.into_warnings().iter().map(|warning| warning[..3].to_owned()).collect();
        assert_eq!(about, ["$.f", "$.g", "$.h"]);
    }
}

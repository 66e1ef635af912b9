//! Values of alerts as JSON.

use crate::user_data::alert::{Measure, Rule, Value};

/// A BRC-20 amount is exact text, a count an integer, any other value a number.
pub(super) fn json(rule: &Rule, value: Value) -> serde_json::Value {
    match (value, &rule.measure) {
        (Value::Amount(amount), _) => amount.to_string().into(),
        (Value::Number(count), Measure::Holders | Measure::Rank) => (count as i64).into(),
        (Value::Number(number), _) => number.into(),
    }
}

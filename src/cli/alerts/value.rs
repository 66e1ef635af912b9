//! Values of alerts as JSON.

use crate::user_data::alert::{Rule, Value};

/// A BRC-20 amount is exact text, a count an integer, any other value a number.
pub(super) fn json(rule: &Rule, value: Value) -> serde_json::Value {
    match value {
        Value::Amount(amount) => amount.to_string().into(),
        Value::Number(count) if rule.measure.is_count() => (count as i64).into(),
        Value::Number(number) => number.into(),
    }
}

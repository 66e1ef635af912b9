//! The state of the providers, as our own service sends it.

use serde_json::Value;

use crate::client::error::ErrorKind;
use crate::client::request::Warning;
use crate::model::{Source, Text, text};

/// Reads the providers. Those that can't be read, such as ones with a newer service's state, are skipped with a
/// warning.
///
/// # Errors
/// The body is not a list.
pub(super) fn decode(body: &str) -> Result<(Vec<Source>, Vec<Warning>), ErrorKind> {
    let values: Vec<Value> = serde_json::from_str(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => ErrorKind::Incomplete,
        serde_json::error::Category::Data => ErrorKind::Unrecognised(String::from("not a list of providers")),
        _ => ErrorKind::NotJson(String::from("other data")),
    })?;
    let (mut sources, mut warnings) = (Vec::new(), Vec::new());
    for (index, value) in values.into_iter().enumerate() {
        match serde_json::from_value::<Source>(value) {
            Ok(source) => sources.push(cleaned(source)),
            Err(_) => warnings.push(format!("$[{index}]: not a provider")),
        }
    }
    Ok((sources, warnings))
}

/// The provider without control characters.
fn cleaned(source: Source) -> Source {
    let clean = |words: Text| Text::from(text::clean(&words));
    Source {
        name: clean(source.name),
        serves: source.serves.into_iter().map(clean).collect(),
        missing: source.missing.map(clean),
        missing_code: source.missing_code.map(clean),
        attribution: source.attribution.map(clean),
        ..source
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BudgetPeriod, SourceBudget, SourceState};

    #[test]
    fn unreadable_provider_is_skipped_with_a_warning() {
        let body = r#"[{"name":"coin\u001bgecko","key":"keyless","serves":["coins"],"state":"ready","latency_ms":12,
            "budget":null,"next_try_at":null,"missing":null},{"name":"new","state":"asleep"}]"#;
        let (sources, warnings) = decode(body).unwrap();
        assert_eq!((sources.len(), warnings.len()), (1, 1));
        assert_eq!((sources[0].name.as_str(), sources[0].state), ("coingecko", SourceState::Ready));
    }

    #[test]
    fn unknown_period_of_a_limit_is_no_limit() {
        let budget = |period: &str| {
            let body = format!(
                r#"[{{"name":"coingecko","key":"keyless","serves":[],"state":"ready","latency_ms":null,
                "budget":{{"limit":10,"period":"{period}","used":1}},"next_try_at":null,"missing":null}}]"#
            );
            let (sources, warnings) = decode(&body).unwrap();
            assert_eq!((sources.len(), warnings.len()), (1, 0), "{period}");
            sources[0].budget.clone()
        };
        assert_eq!(budget("month"), Some(SourceBudget { limit: 10, period: BudgetPeriod::Month, used: Some(1) }));
        assert_eq!(budget("fortnight"), None);
    }

    #[test]
    fn other_documents_are_rejected() {
        assert!(matches!(decode("{}"), Err(ErrorKind::Unrecognised(_))));
        assert!(matches!(decode("<html>"), Err(ErrorKind::NotJson(_))));
        assert!(matches!(decode("[{"), Err(ErrorKind::Incomplete)));
    }
}

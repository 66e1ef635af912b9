//! The credits of an API key.

use serde::Deserialize;

use crate::model::UtcTime;
use crate::service::providers::lenient;
use crate::service::upstream::Response;
use crate::service::upstream::reported_usage::ReportedUsage;

/// How many credits the key has used this month; costs none.
pub(super) const KEY_INFO: &str = "/v1/key/info";

/// The credits that a response cost, and the month's credits in a response to [`KEY_INFO`].
pub(super) fn reported_usage(response: &Response, _now: UtcTime) -> ReportedUsage {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body {
        #[serde(deserialize_with = "lenient::or_none")]
        data: Option<KeyInfo>,
        #[serde(deserialize_with = "lenient::or_none")]
        status: Option<Credits>,
    }
    #[derive(Deserialize)]
    struct KeyInfo {
        usage: Usage,
    }
    #[derive(Deserialize)]
    struct Usage {
        current_month: Month,
    }
    #[derive(Deserialize)]
    struct Month {
        #[serde(deserialize_with = "lenient::count")]
        credits_used: u64,
    }
    #[derive(Deserialize)]
    struct Credits {
        #[serde(deserialize_with = "lenient::count")]
        credit_count: u64,
    }
    let Body { data, status } = response.json().unwrap_or_default();
    let used = data.map(|key| key.usage.current_month.credits_used);
    ReportedUsage { wait: None, cost: status.map(|status| status.credit_count), used }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_are_read_where_they_are() {
        let reported = |body: &str| reported_usage(&Response::of(200, &[], body), UtcTime::from_secs(0));
        let info = r#"{"data":{"plan":{"credit_limit_monthly":15000},"usage":{"current_minute":{"requests_made":1},
            "current_month":{"credits_used":1234,"credits_left":13766}}},"status":{"error_code":0,"credit_count":0}}"#;
        assert_eq!(reported(info), ReportedUsage { wait: None, cost: Some(0), used: Some(1_234) });
        let history = r#"{"data":{"1":{"quotes":[]}},"status":{"error_code":"0","credit_count":"3"}}"#;
        assert_eq!(reported(history), ReportedUsage { wait: None, cost: Some(3), used: None });
        for other in [
            "",
            "[]",
            "<html>",
            r#"{"data":[],"status":null}"#,
            r#"{"data":{"usage":{"current_month":{"credits_used":-1}}}}"#,
        ] {
            assert_eq!(reported(other), ReportedUsage::default(), "{other}");
        }
    }
}

//! CoinMarketCap's error codes.

use std::time::Duration;

use serde::Deserialize;

use crate::service::providers::lenient;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, SourceError};

#[derive(Deserialize)]
struct ErrorBody {
    status: Option<Status>,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default, deserialize_with = "lenient::code")]
    error_code: Option<i64>,
    #[serde(default, deserialize_with = "lenient::message")]
    error_message: Option<String>,
}

/// The error code overrides the HTTP status: some errors come with status 200.
pub(super) fn api_error(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let Status { error_code, error_message } = serde_json::from_slice::<ErrorBody>(response.body()).ok()?.status?;
    let code = error_code.filter(|code| *code != 0)?;
    let class = match code {
        1001 | 1003 | 1004 | 1007 => ErrorClass::InvalidKey,
        // A key or a higher plan is required.
        1002 | 1005 | 1006 => ErrorClass::Forbidden,
        1008 => ErrorClass::RateLimited(Some(response.retry_after().unwrap_or(Duration::from_secs(60)))),
        1009 => ErrorClass::DailyQuota,
        1010 | 1015 => ErrorClass::MonthlyQuota,
        1011..=1099 => ErrorClass::RateLimited(response.retry_after()),
        4001 | 4002 => ErrorClass::Rejected,
        // Errors without their own code have the HTTP status.
        400..500 => {
            let status = u16::try_from(code).unwrap_or(400);
            SourceError::by_status(status, None, response.retry_after(), false).class
        }
        500.. => ErrorClass::Failing,
        _ => ErrorClass::UnexpectedFormat,
    };
    let message = error_message.filter(|message| !message.trim().is_empty());
    Some(SourceError::new(class, message.map_or_else(|| format!("error {code}"), |m| format!("error {code}: {m}"))))
}

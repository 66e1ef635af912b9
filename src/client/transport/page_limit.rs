//! The maximum rows of a page that a service accepts, read from its refusals.

use crate::client::endpoint;
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::model::page::PAGE_LIMIT_UNIT;

/// Words of a refusal about a limit.
const WORDS: [&str; 5] = ["limit", "less than", "at most", "maximum", "page size"];

/// Minimum page limit that is accepted from a message.
const MIN: u32 = 10;

/// Page limits for a service that doesn't name its own: every service accepts these.
const COINS: u32 = 100;
const ROWS: u32 = 20;

/// The request with as many rows as the service accepts, according to its refusal of this one. Pages of coins have a
/// multiple of [`PAGE_LIMIT_UNIT`] rows: another length would look like the end of a list without a total. `None` if the
/// service accepts fewer coins than that; its refusal says so.
pub(super) fn accepted(request: &Request, refusal: &ErrorKind) -> Option<Request> {
    let ErrorKind::Status { status: 400 | 422, message: Some(message), .. } = refusal else { return None };
    let requested = endpoint::limit(request)?;
    let message = message.to_lowercase();
    if !WORDS.iter().any(|word| message.contains(word)) {
        return None;
    }
    let is_exclusive = message.contains("less than") && !message.contains("equal");
    let numbers = message.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.parse::<u32>().ok());
    let named = numbers.map(|number| number - u32::from(is_exclusive && number > 0));
    let named = named.filter(|limit| (MIN..requested).contains(limit)).max();
    let limit = match request {
        Request::Coins { .. } => named.unwrap_or(COINS) / PAGE_LIMIT_UNIT * PAGE_LIMIT_UNIT,
        _ => named.unwrap_or(ROWS),
    };
    endpoint::with_limit(request, limit).filter(|_| limit > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Currency, Tag};

    #[test]
    fn limit_is_read_from_the_message_of_a_refusal() {
        let request = Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: Currency::usd() };
        let limit = |status: u16, message: &str| {
            let refusal = ErrorKind::Status { status, message: Some(message.to_owned()), retry_after: None };
            accepted(&request, &refusal).and_then(|request| endpoint::limit(&request))
        };
        for (message, expected) in [
            ("limit must be <= 50", Some(50)),
            ("ensure this value is less than or equal to 50", Some(50)),
            ("limit must be between 1 and 150", Some(150)),
            ("limit must be less than 101", Some(100)),
            ("limit must be less than 100", Some(50)),
            ("limit must be at most 25", None),
            ("limit too large", Some(100)),
            ("limit must be >= 500", Some(100)),
            ("unknown tag", None),
            ("invalid start 50", None),
        ] {
            assert_eq!(limit(400, message), expected, "{message}");
        }
        assert_eq!((limit(422, "limit: at most 50"), limit(404, "limit: at most 50")), (Some(50), None));
        let holders = Request::Brc20Holders { ticker: "ordi".into(), offset: 0, limit: 60 };
        let message = Some(String::from("limit must be at most 25"));
        let shorter = accepted(&holders, &ErrorKind::Status { status: 400, message, retry_after: None });
        assert_eq!(shorter.and_then(|request| endpoint::limit(&request)), Some(25));
    }
}

//! Query parameters: unknown ones are ignored, lists are repeated keys, and errors have the wording of a JSON schema
//! validator.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use utoipa::IntoParams;

use super::reply::ErrorReply;
use crate::client::endpoint::MAX_INDEXER_PAGE;
use crate::service::backend::indexer::PageQuery;
use crate::service::params::{is_decimal, pairs};

/// The percent-decoded query of a request.
#[derive(Debug)]
pub(super) struct Query(Vec<(String, String)>);

/// The page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters; the query is read by `Query::page`")]
pub(super) struct PageParams {
    /// Items to skip.
    #[param(minimum = 0, default = 0)]
    offset: Option<u64>,
    /// Maximum items on the page.
    #[param(minimum = 1, maximum = 60, default = 20)]
    limit: Option<u64>,
}

/// Maximum page size, which our own client requests.
const MAX_PAGE_SIZE: usize = MAX_INDEXER_PAGE as usize;

/// Default page size.
const DEFAULT_PAGE_SIZE: usize = 20;

impl Query {
    /// All values of a repeated key.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.clone()).collect()
    }

    /// All values of a repeated key, which must be among `words`.
    pub(super) fn words(&self, name: &str, words: &[&str]) -> Result<Vec<String>, ErrorReply> {
        self.items(name, "must be equal to one of the allowed values", |value| {
            words.contains(&value).then(|| value.to_owned())
        })
    }

    /// All values of a repeated key, parsed by `read`.
    pub(super) fn items<T>(
        &self,
        name: &str,
        must: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ErrorReply> {
        let items = self.all(name).into_iter().enumerate();
        items.map(|(at, value)| read(&value).ok_or_else(|| invalid(&format!("{name}/{at}"), must))).collect()
    }

    /// The single value of a key, parsed by `read`.
    pub(super) fn one<T>(
        &self,
        name: &str,
        must: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ErrorReply> {
        match self.all(name).as_slice() {
            [] => Ok(None),
            [value] => read(value).map(Some).ok_or_else(|| invalid(name, must)),
            _ => Err(invalid(name, must)),
        }
    }

    /// A boolean.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ErrorReply> {
        self.one(name, "must be boolean", |value| value.parse().ok())
    }

    /// An integer of digits only.
    pub(super) fn digits(&self, name: &str) -> Result<Option<u64>, ErrorReply> {
        self.one(name, "must match pattern \"^[0-9]+$\"", |value| {
            let all_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            // A height too large for 64 bits is past the tip like the largest one.
            all_digits.then(|| value.parse().unwrap_or(u64::MAX))
        })
    }

    /// An integer of digits only; 0 counts as absent.
    pub(super) fn height(&self, name: &str) -> Result<Option<u64>, ErrorReply> {
        Ok(self.digits(name)?.filter(|&height| height > 0))
    }

    /// An integer.
    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>, ErrorReply> {
        self.one(name, "must be integer", whole)
    }

    /// `offset` and `limit`.
    pub(super) fn page(&self) -> Result<PageQuery, ErrorReply> {
        let offset = self.integer("offset")?.unwrap_or(0);
        let offset = u64::try_from(offset).map_err(|_| invalid("offset", "must be >= 0"))?;
        // A number that is too large is still a number.
        let limit = self.one("limit", "must be integer", |text| whole(text).or(is_large(text).then_some(i64::MAX)))?;
        let limit = match limit {
            None => DEFAULT_PAGE_SIZE,
            Some(..1) => return Err(invalid("limit", "must be >= 1")),
            Some(limit) => usize::try_from(limit)
                .ok()
                .filter(|&limit| limit <= MAX_PAGE_SIZE)
                .ok_or_else(|| invalid("limit", &format!("must be <= {MAX_PAGE_SIZE}")))?,
        };
        Ok(PageQuery { offset, limit })
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Query(pairs(parts)))
    }
}

/// Parses a whole number in decimal digits, with a sign only if it is negative.
pub(super) fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    Some(text).filter(|_| is_decimal(digits)).and_then(|text| text.parse().ok())
}

/// Whether a string is a whole number beyond 64 bits.
fn is_large(text: &str) -> bool {
    is_decimal(text) && text.parse::<i64>().is_err()
}

/// Whether a string is valid percent-encoded UTF-8.
pub(super) fn is_decodable(path: &str) -> bool {
    let escapes = path.split('%').skip(1);
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    escapes.map(str::as_bytes).all(|escape| is_hex(escape.first()) && is_hex(escape.get(1)))
        && percent_decode_str(path).decode_utf8().is_ok()
}

fn invalid(name: &str, must: &str) -> ErrorReply {
    ErrorReply::Invalid(format!("querystring/{name} {must}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_whole_numbers_are_read() {
        for (text, number) in [("20", 20), ("0", 0), ("-1", -1), ("-9223372036854775808", i64::MIN)] {
            assert_eq!(whole(text), Some(number));
        }
        for text in [
            "",
            "-",
            "+1",
            "01",
            "-01",
            " 1",
            "1\n",
            "2e1",
            "20.0",
            "2.5",
            "x",
            "9223372036854775808",
            "-9223372036854775809",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
        assert!(is_large("9223372036854775808") && !is_large("9223372036854775807") && !is_large("1e300"));
    }

    #[test]
    fn escapes_are_checked() {
        for path in ["/a", "/%F0%9F%94%A5", "/a%2fb", "/%25"] {
            assert!(is_decodable(path), "{path}");
        }
        for path in ["/%ZZ", "/%", "/%4", "/%FF", "/%F0%9F"] {
            assert!(!is_decodable(path), "{path}");
        }
    }
}

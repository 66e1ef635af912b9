//! Query parameters: unknown ones are ignored, a bad one is a 400 that names it, the first of several equal ones
//! counts.

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::errors::Failure;

/// The query of a request, percent-decoded.
#[derive(Debug, Default)]
pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads `a=1&b=2`.
    pub(super) fn parse(query: &str) -> Params {
        Params(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// The value of a parameter; an empty one counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The value of a parameter that must be there.
    pub(super) fn required(&self, name: &str, must: &str) -> Result<&str, Failure> {
        self.get(name).ok_or_else(|| Failure::parameter(name, must))
    }

    /// A whole number within `range`, or `default` where it is absent.
    pub(super) fn integer(&self, name: &str, range: RangeInclusive<u32>, default: u32) -> Result<u32, Failure> {
        let Some(text) = self.get(name) else { return Ok(default) };
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            Failure::parameter(name, &format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Params::parse(parts.uri.query().unwrap_or_default()))
    }
}

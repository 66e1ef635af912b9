//! Query parameters. Unknown parameters are ignored, and an invalid or repeated one is a 400 that names it.

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::errors::Failure;
use crate::model::Currency;

/// The percent-decoded query of a request.
#[derive(Debug, Default)]
pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Returns the value of a parameter; an empty value counts as absent.
    ///
    /// # Errors
    /// It is repeated.
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, Failure> {
        Ok(self.exact(name)?.filter(|value| !value.is_empty()))
    }

    fn exact(&self, name: &str) -> Result<Option<&str>, Failure> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Failure::repeated(name)),
        }
    }

    /// Returns the value of a required parameter.
    ///
    /// # Errors
    /// The parameter is absent, blank or repeated; `must` describes the expected value.
    pub(super) fn required(&self, name: &str, must: &str) -> Result<&str, Failure> {
        let value = self.get(name)?.ok_or_else(|| Failure::missing(name, must))?;
        if value.trim().is_empty() { Err(Failure::parameter(name, must)) } else { Ok(value) }
    }

    /// Returns the items of a list separated by commas, without spaces around them. Blank items are left out, but count
    /// if they follow another one.
    ///
    /// # Errors
    /// The parameter is absent, or has no items or more than `max`.
    pub(super) fn list(&self, name: &str, max: usize, what: &str) -> Result<Vec<&str>, Failure> {
        let value = self.get(name)?.ok_or_else(|| Failure::missing(name, &list_rule(max, what)))?;
        let items = value.split(',').map(str::trim);
        let items: Vec<&str> = items.skip_while(|item| item.is_empty()).take(max + 1).collect();
        if !(1..=max).contains(&items.len()) {
            return Err(Failure::parameter(name, &list_rule(max, what)));
        }
        Ok(items.into_iter().filter(|item| !item.is_empty()).collect())
    }

    /// Returns a currency, or the US dollar if the parameter is absent.
    ///
    /// # Errors
    /// The value is not a currency code.
    pub(super) fn currency(&self, name: &str) -> Result<Currency, Failure> {
        let Some(code) = self.get(name)? else { return Ok(Currency::usd()) };
        // Typed codes may have spaces around them, parameters may not.
        let exact = Some(code).filter(|code| code.trim() == *code);
        exact.and_then(Currency::parse).ok_or_else(|| Failure::parameter(name, "a currency code, such as USD"))
    }

    /// Returns a whole number within `range`, or `default` if the parameter is absent.
    ///
    /// # Errors
    /// The value is empty, not a number, or out of range.
    pub(super) fn integer(&self, name: &str, range: RangeInclusive<u32>, default: u32) -> Result<u32, Failure> {
        let Some(text) = self.exact(name)? else { return Ok(default) };
        Some(text)
            .filter(|text| is_decimal(text))
            .and_then(|digits| digits.parse().ok())
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                Failure::parameter(name, &format!("a whole number from {} to {}", range.start(), range.end()))
            })
    }
}

/// The end of the sentence about an invalid list.
pub(super) fn list_rule(max: usize, what: &str) -> String {
    format!("1 to {max} {what}, separated by commas")
}

/// Whether a string is a whole number in decimal digits, without a sign or leading zeros. Rust's `parse` accepts more.
pub(super) fn is_decimal(text: &str) -> bool {
    text == "0" || !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The percent-decoded keys and values of a request's query.
pub(super) fn pairs(parts: &Parts) -> Vec<(String, String)> {
    let query = parts.uri.query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Params(pairs(parts)))
    }
}

//! The result of a backend: a response with its age and provider, or an error.

use std::time::Duration;

use crate::client::NoticeCode;
use crate::client::notice::SEPARATOR;
use crate::format::words::in_sentence;
use crate::model::provider;
use crate::model::{Page, ProviderName, RateOrigin, UtcTime};

/// The response of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderResponse<T> {
    /// The data.
    pub data: T,
    /// When the data was fetched.
    pub at: UtcTime,
    /// Age of the data.
    pub age: Duration,
    /// How much longer the data is fresh.
    pub fresh_for: Duration,
    /// The real provider that returned it.
    pub provider: Option<ProviderName>,
    /// The providers of other parts of the data.
    pub others: Vec<ProviderName>,
    /// The origin of the exchange rate, if amounts were converted from dollars.
    pub rate: Option<RateOrigin>,
    /// A notice for the user about the data, as a sentence without a full stop.
    pub notice: Option<String>,
    /// The subject of the notice, if clients react to it.
    pub notice_code: Option<NoticeCode>,
    /// Why there is no newer data, if the data is no longer fresh, as a sentence without a full stop.
    pub refresh_error: Option<String>,
    /// Why a manual refresh did not bring newer data, although the data is not too old, as a sentence without a full
    /// stop.
    pub not_refreshed: Option<String>,
}

impl<T> ProviderResponse<T> {
    /// New data of no real provider.
    pub fn new(data: T, at: UtcTime, fresh_for: Duration) -> ProviderResponse<T> {
        ProviderResponse {
            data,
            at,
            age: Duration::ZERO,
            fresh_for,
            provider: None,
            others: Vec::new(),
            rate: None,
            notice: None,
            notice_code: None,
            refresh_error: None,
            not_refreshed: None,
        }
    }

    /// Replaces the data of the response.
    pub fn map<U>(self, data: impl FnOnce(T) -> U) -> ProviderResponse<U> {
        let ProviderResponse { data: old, at, age, fresh_for, provider, others, rate, notice, notice_code, .. } = self;
        ProviderResponse {
            data: data(old),
            at,
            age,
            fresh_for,
            provider,
            others,
            rate,
            notice,
            notice_code,
            refresh_error: self.refresh_error,
            not_refreshed: self.not_refreshed,
        }
    }

    /// Marks the response as converted at a rate of this origin.
    pub fn converted(self, rate: Option<RateOrigin>) -> ProviderResponse<T> {
        ProviderResponse { rate, ..self }
    }

    /// Adds providers of parts of the response.
    pub fn with_others(mut self, names: impl IntoIterator<Item = ProviderName>) -> ProviderResponse<T> {
        self.add_others(names);
        self
    }

    /// Adds the providers of parts of the data.
    pub fn add_others(&mut self, names: impl IntoIterator<Item = ProviderName>) {
        for name in names {
            if self.provider != Some(name) && !self.others.contains(&name) {
                self.others.push(name);
            }
        }
    }

    /// The names of all its providers: `coinmarketcap, coingecko`.
    pub fn provider_names(&self) -> Option<String> {
        self.provider.map(|first| provider::join(std::iter::once(first).chain(self.others.iter().copied())))
    }
}

impl<T> ProviderResponse<Page<T>> {
    /// A page joined with the next one, as old as the older and as fresh as the staler of them.
    #[must_use]
    pub fn followed_by(self, next: ProviderResponse<Page<T>>) -> ProviderResponse<Page<T>> {
        let mut items = self.data.items;
        items.extend(next.data.items);
        let data = Page { items, total: next.data.total.or(self.data.total) };
        ProviderResponse {
            data,
            at: self.at.min(next.at),
            age: self.age.max(next.age),
            fresh_for: self.fresh_for.min(next.fresh_for),
            provider: self.provider,
            others: self.others,
            rate: self.rate.or(next.rate),
            notice: joined_notices(self.notice, next.notice),
            notice_code: NoticeCode::joined(self.notice_code, next.notice_code),
            refresh_error: joined_notices(self.refresh_error, next.refresh_error),
            not_refreshed: joined_notices(self.not_refreshed, next.not_refreshed),
        }
        .with_others(next.provider.into_iter().chain(next.others))
    }
}

/// Both notices, unless they are the same.
pub(super) fn joined_notices(first: Option<String>, next: Option<String>) -> Option<String> {
    match (first, next) {
        (Some(first), Some(next)) if first != next => Some([first, next].join(SEPARATOR)),
        (first, next) => first.or(next),
    }
}

/// The notice that only a part of the rows or coins (`items`) was loaded, and why.
pub(super) fn partial_notice(loaded: usize, of: usize, items: &str, reason: &str) -> String {
    format!("Only {loaded} of {of} {items} loaded: {}", in_sentence(reason))
}

/// Why a provider has no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// There is no such coin, token, sat or inscription.
    #[error("{0}")]
    NotFound(String),
    /// The coin is known, but no provider has this data about it; with a sentence for the user.
    #[error("{0}")]
    NoData(String),
    /// A parameter has an unknown value.
    #[error("parameter \"{name}\" must be {must}")]
    Parameter {
        /// The name in the interface.
        name: &'static str,
        /// The accepted values.
        must: String,
    },
    /// No provider serves the operation; the sentence names an alternative.
    #[error("{0}")]
    Unsupported(String),
    /// All providers currently fail.
    #[error("{reason}")]
    Unavailable {
        /// The reason.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
        /// Whether a manual refresh queries no provider until then.
        must_wait: bool,
    },
}

impl ProviderError {
    /// Limits the time until the retry.
    pub(super) fn retry_within(self, max: Duration) -> ProviderError {
        match self {
            ProviderError::Unavailable { reason, retry_after, must_wait } => {
                let retry_after = Some(retry_after.map_or(max, |wait| wait.min(max)));
                ProviderError::Unavailable { reason, retry_after, must_wait }
            }
            other => other,
        }
    }
}

impl ProviderError {
    /// The provider does not serve the operation.
    pub fn unsupported() -> ProviderError {
        ProviderError::Unsupported(String::from("No provider for this operation"))
    }
}

/// The result of one operation.
pub type ProviderResult<T> = Result<ProviderResponse<T>, ProviderError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_pages_keep_the_providers_and_notices_of_both() {
        use ProviderName::{Hiro, Maestro, Ord, UniSat};
        let page = |provider, other, notice: &str| ProviderResponse {
            data: Page { items: vec![provider], total: Some(2) },
            at: UtcTime::from_secs(0),
            age: Duration::ZERO,
            fresh_for: Duration::ZERO,
            provider: Some(provider),
            others: vec![other],
            rate: None,
            notice: Some(notice.to_owned()),
            notice_code: Some(NoticeCode::NoPrices { symbols: vec![notice.into()], failed: Vec::new() }),
            refresh_error: (other == Maestro).then(|| String::from("old")),
            not_refreshed: None,
        };
        let joined = page(Hiro, Maestro, "cut").followed_by(page(UniSat, Ord, "unreadable"));
        assert_eq!(joined.data.items, [Hiro, UniSat]);
        assert_eq!(joined.provider_names().as_deref(), Some("hiro, maestro, unisat, ord"));
        assert_eq!((joined.notice.as_deref(), joined.refresh_error.as_deref()), (Some("cut; unreadable"), Some("old")));
        let symbols = vec!["cut".into(), "unreadable".into()];
        assert_eq!(joined.notice_code, Some(NoticeCode::NoPrices { symbols, failed: Vec::new() }));
        assert_eq!(page(Hiro, Ord, "cut").followed_by(page(Hiro, Ord, "cut")).notice.as_deref(), Some("cut"));
    }
}

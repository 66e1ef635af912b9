//! Redirects.

use reqwest::redirect;

/// Why a redirect was not followed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct RedirectRefused(String);

/// Description of a redirect to another scheme, such as `file:` or `mailto:`.
pub(super) const NOT_HTTP: &str = " to a non-HTTP address";

/// Follows redirects to the same scheme, host and port only, since headers may contain an API key.
pub(super) fn same_origin(max: usize) -> redirect::Policy {
    redirect::Policy::custom(move |attempt| {
        let origin = |url: &reqwest::Url| url.origin();
        let from = attempt.previous().last().map(origin);
        let to = origin(attempt.url());
        if from.as_ref() != Some(&to) {
            let origin = to.is_tuple().then(|| format!("to {}", to.ascii_serialization()));
            let origin = origin.as_deref().unwrap_or(NOT_HTTP.trim_start());
            return attempt.error(RedirectRefused(origin.to_owned()));
        }
        if attempt.previous().len() > max {
            return attempt.error(RedirectRefused(format!("more than {max} redirects")));
        }
        attempt.follow()
    })
}

//! Short reasons of failed requests.

use std::fmt;

use super::config::MAX_IMAGE_BYTES;
use super::error::{Error, ErrorKind};
use crate::format::Count;

impl Error {
    /// The reason in a few words, with the host if it matters: `Can't reach 127.0.0.1:8080 (connection refused)`,
    /// `Server error (500)`. The service's message follows, if there is one. One line without a full stop.
    pub fn reason(&self) -> String {
        self.kind.reason(self.host())
    }

    /// Shorter forms of [`Error::reason`] without the host, the longest first. Empty if the reason has no such form.
    pub fn short_reasons(&self) -> Vec<String> {
        let forms: &[&str] = match &self.kind {
            ErrorKind::Resolve => &["can't resolve host", "DNS error"],
            ErrorKind::Refused => &["connection refused", "refused"],
            ErrorKind::Connect(_) => &["can't connect"],
            ErrorKind::Tunnel { .. } | ErrorKind::Proxy { .. } | ErrorKind::BadProxy { .. } => &["proxy error"],
            ErrorKind::Tls(_) => &["TLS error"],
            ErrorKind::TimeoutFirstByte(_) => &["timed out"],
            ErrorKind::TimeoutTotal(_) => &["response incomplete", "timed out"],
            ErrorKind::Incomplete => &["ended early"],
            ErrorKind::UnsupportedEncoding(_) => &["unsupported encoding", "encoding error"],
            ErrorKind::RateLimited { .. } => &["Rate-limited (429)", "rate-limited", "error 429"],
            ErrorKind::Status { status, .. } => return vec![summary(*status), format!("error {status}")],
            _ => &[],
        };
        forms.iter().map(|form| String::from(*form)).collect()
    }

    /// Host and port of the service.
    pub(super) fn host(&self) -> &str {
        self.origin.split_once("://").map_or(self.origin.as_str(), |(_, host)| host)
    }

    /// The HTTP status of the failed response, if known.
    pub fn status(&self) -> Option<u16> {
        match &self.kind {
            ErrorKind::RateLimited { .. } => Some(429),
            ErrorKind::NotFound { .. } => Some(404),
            ErrorKind::Status { status, .. } | ErrorKind::Explained { status, .. } => Some(*status),
            _ => None,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason("the service"))
    }
}

impl ErrorKind {
    /// See [`Error::reason`].
    fn reason(&self, host: &str) -> String {
        match self {
            ErrorKind::BadUrl(why) => format!("Invalid URL ({why})"),
            ErrorKind::BadHeader(header) => format!("Invalid header “{header}” in the configuration"),
            ErrorKind::InvalidRequest(why) => format!("Invalid request ({why})"),
            ErrorKind::Resolve => format!("Can't resolve {host}"),
            ErrorKind::Refused => format!("Can't reach {host} (connection refused)"),
            ErrorKind::Connect(why) => format!("Can't reach {host} ({why})"),
            ErrorKind::BadProxy { variable, why } => format!("Invalid proxy in {variable} ({why})"),
            ErrorKind::Tunnel { origin } => format!("Can't reach {host} through the proxy {origin}"),
            ErrorKind::Proxy { origin, fault } => format!("Proxy {origin}: {fault}"),
            ErrorKind::Tls(why) => format!("TLS error from {host} ({why})"),
            ErrorKind::TimeoutFirstByte(after) => format!("No response from {host} within {} s", after.as_secs_f32()),
            ErrorKind::TimeoutTotal(after) => format!("Response incomplete after {} s", after.as_secs_f32()),
            ErrorKind::Incomplete => String::from("Response ended early"),
            ErrorKind::Corrupt(why) => format!("Corrupt response ({why})"),
            ErrorKind::UnsupportedEncoding(coding) => format!("Unsupported content encoding ({coding})"),
            ErrorKind::Redirect(why) => format!("Redirect not followed ({why})"),
            ErrorKind::RateLimited { message, .. } => {
                // Our own service's message repeats it, and the wait.
                let is_specific = |m: &&String| !m.starts_with("rate-limited; retry after ");
                format!("Rate-limited (429){}", colon(&message.as_ref().filter(is_specific).cloned()))
            }
            ErrorKind::Status { status, message, .. } => format!("{}{}", summary(*status), colon(message)),
            ErrorKind::Explained { message, .. } => message.clone(),
            ErrorKind::InBody { code: Some(code), message } => format!("Service error {code}{}", colon(message)),
            ErrorKind::InBody { code: None, message } => format!("Service error{}", colon(message)),
            // Texts and images of inscriptions have lower limits than the one in the configuration.
            ErrorKind::TooLarge(max) if *max > MAX_IMAGE_BYTES && *max < u64::from(u32::MAX) => {
                format!("Response larger than {} (limits.max_body_mib)", bytes(*max))
            }
            ErrorKind::TooLarge(max) => format!("Response larger than {}", bytes(*max)),
            ErrorKind::TooDeep(levels) => format!("Response nested deeper than {levels} levels"),
            ErrorKind::TooMany(values) => format!("Response contains more than {values} values"),
            ErrorKind::Empty => String::from("Empty response"),
            ErrorKind::NoRows => String::from("Empty response, keeping old data"),
            ErrorKind::NoPrices => String::from("No prices returned, keeping old data"),
            ErrorKind::TooFewCoins { found, known } => {
                format!("Only {} of {} coins returned, keeping old data", Count(*found as u64), Count(*known as u64))
            }
            ErrorKind::NotJson(found) => format!("Expected JSON, got {found} (check the URL)"),
            ErrorKind::Unrecognised(found) => format!("Unknown response format: {found} (check the URL)"),
            ErrorKind::NotFound { message } => {
                let is_specific = |m: &&String| !m.trim_end_matches('.').eq_ignore_ascii_case("not found");
                format!("Not found (404){}", colon(&message.as_ref().filter(is_specific).cloned()))
            }
            ErrorKind::Mismatch { found, requested } => format!("Response is about {found}, not {requested}"),
            ErrorKind::Image(why) => why.clone(),
            ErrorKind::Internal(what) => format!("Internal error ({what})"),
        }
    }
}

/// The reason without the service's message: `Server error (500)`.
fn summary(status: u16) -> String {
    let what = match status {
        401..=403 => "Access denied",
        408 => "Request timeout",
        500..=599 => "Server error",
        _ => "Request failed",
    };
    format!("{what} ({status})")
}

/// Formats a number of bytes in the largest binary unit that divides it.
fn bytes(count: u64) -> String {
    match count {
        _ if count > 0 && count.is_multiple_of(1 << 20) => format!("{} MiB", count >> 20),
        _ if count > 0 && count.is_multiple_of(1 << 10) => format!("{} KiB", count >> 10),
        _ => format!("{count} bytes"),
    }
}

fn colon(message: &Option<String>) -> String {
    message.as_ref().map(|message| format!(": {message}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn reasons_are_short_and_name_the_host() {
        let message = |text: &str| Some(String::from(text));
        for (kind, reason) in [
            (ErrorKind::Refused, "Can't reach api.example:8080 (connection refused)"),
            (ErrorKind::TooLarge(32 << 20), "Response larger than 32 MiB (limits.max_body_mib)"),
            (ErrorKind::TooLarge(2_048), "Response larger than 2 KiB"),
            (ErrorKind::TooLarge(1_500), "Response larger than 1500 bytes"),
            (ErrorKind::Tls(String::from("expired")), "TLS error from api.example:8080 (expired)"),
            (ErrorKind::NoRows, "Empty response, keeping old data"),
            (ErrorKind::NoPrices, "No prices returned, keeping old data"),
            (ErrorKind::TooFewCoins { found: 40, known: 1_200 }, "Only 40 of 1,200 coins returned, keeping old data"),
            (ErrorKind::Resolve, "Can't resolve api.example:8080"),
            (
                ErrorKind::TimeoutFirstByte(Duration::from_millis(1500)),
                "No response from api.example:8080 within 1.5 s",
            ),
            (ErrorKind::RateLimited { message: None, retry_after: None }, "Rate-limited (429)"),
            (
                ErrorKind::RateLimited { message: message("rate-limited; retry after 1 s"), retry_after: None },
                "Rate-limited (429)",
            ),
            (
                ErrorKind::RateLimited { message: message("slow down"), retry_after: None },
                "Rate-limited (429): slow down",
            ),
            (ErrorKind::Status { status: 500, message: None, retry_after: None }, "Server error (500)"),
            (
                ErrorKind::Status { status: 503, message: message("maintenance"), retry_after: None },
                "Server error (503): maintenance",
            ),
            (ErrorKind::Status { status: 401, message: None, retry_after: None }, "Access denied (401)"),
            (ErrorKind::NotFound { message: message("Not found.") }, "Not found (404)"),
            (ErrorKind::NotFound { message: message("no such coin") }, "Not found (404): no such coin"),
            (ErrorKind::NotJson(String::from("HTML")), "Expected JSON, got HTML (check the URL)"),
            (ErrorKind::InBody { code: Some(1008), message: message("slow down") }, "Service error 1008: slow down"),
        ] {
            let error = Error { what: String::new(), origin: String::from("https://api.example:8080"), kind };
            assert_eq!(error.reason(), reason);
        }
    }

    #[test]
    fn short_reasons_leave_out_host_and_message() {
        for (kind, forms) in [
            (ErrorKind::Refused, &["connection refused", "refused"][..]),
            (ErrorKind::Resolve, &["can't resolve host", "DNS error"]),
            (
                ErrorKind::Status { status: 503, message: Some(String::from("maintenance")), retry_after: None },
                &["Server error (503)", "error 503"],
            ),
            (
                ErrorKind::RateLimited { message: Some(String::from("slow down")), retry_after: None },
                &["Rate-limited (429)", "rate-limited", "error 429"],
            ),
        ] {
            let error = Error { what: String::new(), origin: String::from("https://api.example:8080"), kind };
            assert_eq!(error.short_reasons(), forms);
        }
    }
}

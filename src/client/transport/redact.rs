//! Keeps secrets out of what a service says: some repeat the key that they refuse.

use std::collections::HashSet;

use crate::client::config::Secret;
use crate::client::endpoint::Base;
use crate::client::{ErrorKind, Warning};

/// Bytes of a secret that give it away: error messages are cut, and some services repeat only a part of a key.
const PART: usize = 8;

/// A shorter value is no secret, and its letters stand in many words.
const SHORTEST: usize = 4;

/// What stands for a secret.
const REDACTED: &str = "(redacted)";

/// Headers whose values are no secrets, and may well stand in a message.
const PUBLIC: [&str; 8] =
    ["accept", "accept-language", "cache-control", "content-type", "origin", "pragma", "referer", "user-agent"];

/// The secrets of one service, in lower case.
pub(super) struct Secrets {
    /// Every run of [`PART`] bytes in any of them.
    parts: HashSet<[u8; PART]>,
    /// Those that are shorter than that.
    short: Vec<Vec<u8>>,
}

impl Secrets {
    /// The values of the configured headers, and the password in the URL.
    pub(super) fn new(headers: &[(String, Secret)], base: &Base) -> Secrets {
        let mut secrets = Secrets { parts: HashSet::new(), short: Vec::new() };
        for (name, Secret(value)) in headers {
            if PUBLIC.iter().any(|public| name.trim().eq_ignore_ascii_case(public)) {
                continue;
            }
            let mut words = value.split_whitespace().peekable();
            let scheme = words.next().filter(|_| words.peek().is_some());
            match scheme {
                // `Bearer KEY`
                Some(_) => words.for_each(|word| secrets.add(word)),
                None => secrets.add(value.trim()),
            }
        }
        if let Some(password) = base.user().and_then(|(_, password)| password) {
            secrets.add(password);
        }
        secrets
    }

    fn add(&mut self, secret: &str) {
        let secret = secret.to_ascii_lowercase().into_bytes();
        match secret.len() {
            0..SHORTEST => {}
            SHORTEST..PART => self.short.push(secret),
            _ => self.parts.extend(secret.windows(PART).filter_map(|part| <[u8; PART]>::try_from(part).ok())),
        }
    }

    /// The text with every secret replaced, also where only a part of it is left.
    pub(super) fn redact(&self, text: String) -> String {
        if self.parts.is_empty() && self.short.is_empty() {
            return text;
        }
        let lower = text.to_ascii_lowercase();
        let is_part = |window: &[u8]| <[u8; PART]>::try_from(window).is_ok_and(|window| self.parts.contains(&window));
        let of_parts = lower.as_bytes().windows(PART).enumerate().filter(|(_, window)| is_part(window));
        let mut found: Vec<(usize, usize)> = of_parts.map(|(at, _)| (at, at + PART)).collect();
        for secret in &self.short {
            let windows = lower.as_bytes().windows(secret.len()).enumerate();
            found.extend(windows.filter(|(_, window)| window == secret).map(|(at, _)| (at, at + secret.len())));
        }
        found.sort_unstable();
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in found {
            let (start, end) = (text.floor_char_boundary(start), text.ceil_char_boundary(end));
            if start > done || out.is_empty() {
                out.push_str(text.get(done..start).unwrap_or_default());
                out.push_str(REDACTED);
            }
            done = done.max(end);
        }
        out.push_str(text.get(done..).unwrap_or_default());
        out
    }

    /// The same for all words of an error that may be the service's.
    pub(super) fn redact_error(&self, kind: ErrorKind) -> ErrorKind {
        let words = |words: String| self.redact(words);
        let message = |message: Option<String>| message.map(|message| self.redact(message));
        match kind {
            ErrorKind::Connect(why) => ErrorKind::Connect(words(why)),
            ErrorKind::Proxy { place, fault } => ErrorKind::Proxy { place, fault: words(fault) },
            ErrorKind::Tls(why) => ErrorKind::Tls(words(why)),
            ErrorKind::Damaged(why) => ErrorKind::Damaged(words(why)),
            ErrorKind::Packed(codings) => ErrorKind::Packed(words(codings)),
            ErrorKind::Redirect(why) => ErrorKind::Redirect(words(why)),
            ErrorKind::RateLimited { message: said, retry_after } => {
                ErrorKind::RateLimited { message: message(said), retry_after }
            }
            ErrorKind::Status { status, message: said, retry_after } => {
                ErrorKind::Status { status, message: message(said), retry_after }
            }
            ErrorKind::InBody { code, message: said } => ErrorKind::InBody { code, message: message(said) },
            ErrorKind::NotFound { message: said } => ErrorKind::NotFound { message: message(said) },
            ErrorKind::NotJson(what) => ErrorKind::NotJson(words(what)),
            ErrorKind::Unrecognised(what) => ErrorKind::Unrecognised(words(what)),
            kind => kind,
        }
    }

    /// The same for warnings, which quote what could not be read.
    pub(super) fn redact_warnings(&self, warnings: &mut [Warning]) {
        for warning in warnings {
            *warning = self.redact(std::mem::take(warning));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(headers: &[(&str, &str)], url: &str) -> Secrets {
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (String::from(*name), Secret(String::from(*value)))).collect();
        Secrets::new(&headers, &Base::parse(url).unwrap())
    }

    #[test]
    fn a_secret_is_replaced_whole_cut_and_in_any_case() {
        let headers = [("X-Key", "hunter2-hunter3-hunter4"), ("Authorization", "Bearer short1"), ("X-Version", "2")];
        let secrets = secrets(&headers, "https://user:p%C3%A4ssw%C3%B6rd1@example.org");
        for (said, shown) in [
            ("the key hunter2-hunter3-hunter4 is wrong", "the key (redacted) is wrong"),
            ("HUNTER2-HUNTER3-HUNTER4", "(redacted)"),
            ("a long message, then hunter2-hunt…", "a long message, then (redacted)…"),
            ("ends with -hunter4", "ends with (redacted)"),
            ("hunter2-hunter3-hunter4hunter2-hunter3-hunter4", "(redacted)"),
            ("Bearer short1, version 2", "Bearer (redacted), version 2"),
            ("é hunter2-hunter3 é pässwörd1", "é (redacted) é (redacted)"),
            ("hunter and Bearer stay", "hunter and Bearer stay"),
            ("", ""),
        ] {
            assert_eq!(secrets.redact(String::from(said)), shown);
        }
    }

    #[test]
    fn public_headers_are_no_secrets() {
        let secrets =
            secrets(&[("Accept", "application/json"), (" user-agent ", "satscope-of-mine")], "http://a.example");
        let said = "send application/json, satscope-of-mine";
        assert_eq!(secrets.redact(String::from(said)), said);
    }
}

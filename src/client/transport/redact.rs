//! Redacts secrets in messages of a service: some echo a rejected API key.

mod unescape;

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use self::unescape::View;
use crate::client::base::Base;
use crate::client::config::Secret;
use crate::client::error::ErrorKind;
use crate::client::request::Warning;

/// Length of a partial secret that is redacted: messages may be truncated, and some services echo only a part of a key.
const PARTIAL_LEN: usize = 8;

/// Minimum length of a secret: shorter values occur in many words.
const MIN_LEN: usize = 4;

/// Replacement of a secret.
const REDACTED: &str = "(redacted)";

/// How many levels of escapes are removed.
const UNESCAPE_LEVELS: usize = 2;

/// Headers whose values are not secret and may occur in messages.
const PUBLIC: [&str; 8] =
    ["accept", "accept-language", "cache-control", "content-type", "origin", "pragma", "referer", "user-agent"];

/// The secrets of one service, in lower case.
pub(super) struct Secrets {
    /// All substrings of [`PARTIAL_LEN`] bytes.
    parts: HashSet<[u8; PARTIAL_LEN]>,
    /// Secrets shorter than that.
    short: Vec<Vec<u8>>,
}

impl Secrets {
    /// The values of the configured headers, and the user data in the URL.
    pub(super) fn new(headers: &[(String, Secret)], base: &Base) -> Secrets {
        let mut secrets = Secrets { parts: HashSet::new(), short: Vec::new() };
        for (name, Secret(value)) in headers {
            if !PUBLIC.iter().any(|public| name.trim().eq_ignore_ascii_case(public)) {
                secrets.add_header(value);
            }
        }
        if let Some((name, password)) = base.user() {
            secrets.add_user(name, password.unwrap_or_default());
        }
        secrets
    }

    /// `KEY`, `Bearer KEY`, `Basic BASE64`, `name=KEY; other=KEY`.
    fn add_header(&mut self, value: &str) {
        let is_scheme = |word: &str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let mut words: Vec<&str> = value.split([' ', '\t', ';', ',']).filter(|word| !word.is_empty()).collect();
        if words.len() > 1 && words.first().is_some_and(|word| is_scheme(word)) {
            let scheme = words.remove(0);
            let user = words.first().filter(|_| scheme.eq_ignore_ascii_case("basic"));
            let user = user.and_then(|user| STANDARD_NO_PAD.decode(user.trim_end_matches('=')).ok());
            if let Some((name, password)) = user.as_deref().and_then(|user| str::from_utf8(user).ok()?.split_once(':'))
            {
                self.add_user(name, password);
            }
        }
        words.into_iter().for_each(|word| self.add(word));
    }

    /// User name and password of Basic authentication. Some services use the API key as user name.
    fn add_user(&mut self, name: &str, password: &str) {
        self.add(password);
        if password.len() < MIN_LEN {
            self.add(name);
        }
        // Not its start, which may be a public user name, and not its end, which depends on what follows.
        let pair = format!("{name}:{password}");
        for encoded in [STANDARD_NO_PAD.encode(&pair), URL_SAFE_NO_PAD.encode(&pair)] {
            let public = if password.len() < MIN_LEN { 0 } else { (name.len() + 1) / 3 * 4 };
            self.add(encoded.get(public..).unwrap_or_default());
        }
    }

    fn add(&mut self, secret: &str) {
        let secret = secret.to_ascii_lowercase().into_bytes();
        match secret.len() {
            0..MIN_LEN => {}
            MIN_LEN..PARTIAL_LEN => self.short.push(secret),
            _ => self
                .parts
                .extend(secret.windows(PARTIAL_LEN).filter_map(|part| <[u8; PARTIAL_LEN]>::try_from(part).ok())),
        }
    }

    /// Replaces all secrets, whole or partial, plain or escaped (URL, JSON, HTML).
    pub(super) fn redact(&self, text: String) -> String {
        if self.parts.is_empty() && self.short.is_empty() {
            return text;
        }
        let mut view = View::of(&text);
        let mut found = self.find(&view);
        for _ in 0..UNESCAPE_LEVELS {
            let Some(unescaped) = view.unescaped() else { break };
            view = unescaped;
            found.extend(self.find(&view));
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

    /// Finds secrets and parts of them.
    fn find(&self, view: &View) -> Vec<(usize, usize)> {
        let bytes = view.lowercase();
        let is_part =
            |window: &[u8]| <[u8; PARTIAL_LEN]>::try_from(window).is_ok_and(|window| self.parts.contains(&window));
        let of_parts = bytes.windows(PARTIAL_LEN).enumerate().filter(|(_, window)| is_part(window));
        let mut found: Vec<(usize, usize)> = of_parts.map(|(at, _)| (at, at + PARTIAL_LEN)).collect();
        for secret in &self.short {
            let windows = bytes.windows(secret.len()).enumerate();
            found.extend(windows.filter(|(_, window)| window == secret).map(|(at, _)| (at, at + secret.len())));
        }
        found.into_iter().filter_map(|(start, end)| view.place(start, end)).collect()
    }

    /// Redacts all strings of an error that may come from the service.
    pub(super) fn redact_error(&self, kind: ErrorKind) -> ErrorKind {
        let words = |words: String| self.redact(words);
        let message = |message: Option<String>| message.map(|message| self.redact(message));
        match kind {
            ErrorKind::Connect(why) => ErrorKind::Connect(words(why)),
            ErrorKind::Proxy { origin, fault } => ErrorKind::Proxy { origin, fault: words(fault) },
            ErrorKind::Tls(why) => ErrorKind::Tls(words(why)),
            ErrorKind::Corrupt(why) => ErrorKind::Corrupt(words(why)),
            ErrorKind::UnsupportedEncoding(codings) => ErrorKind::UnsupportedEncoding(words(codings)),
            ErrorKind::Redirect(why) => ErrorKind::Redirect(words(why)),
            ErrorKind::RateLimited { message: text, retry_after } => {
                ErrorKind::RateLimited { message: message(text), retry_after }
            }
            ErrorKind::Status { status, message: text, retry_after } => {
                ErrorKind::Status { status, message: message(text), retry_after }
            }
            ErrorKind::InBody { code, message: text } => ErrorKind::InBody { code, message: message(text) },
            ErrorKind::NotFound { message: text } => ErrorKind::NotFound { message: message(text) },
            ErrorKind::Mismatch { found, requested } => {
                ErrorKind::Mismatch { found: words(found), requested: words(requested) }
            }
            ErrorKind::NotJson(what) => ErrorKind::NotJson(words(what)),
            ErrorKind::Unrecognised(what) => ErrorKind::Unrecognised(words(what)),
            kind => kind,
        }
    }

    /// Redacts warnings, which quote unreadable values.
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
    fn secret_is_replaced_whole_truncated_and_in_any_case() {
        let headers = [("X-Key", "hunter2-hunter3-hunter4"), ("Authorization", "Bearer short1"), ("X-Version", "2")];
        let secrets = secrets(&headers, "https://user:p%C3%A4ssw%C3%B6rd1@example.org");
        for (input, shown) in [
            ("the key hunter2-hunter3-hunter4 is wrong", "the key (redacted) is wrong"),
            ("HUNTER2-HUNTER3-HUNTER4", "(redacted)"),
            ("a long message, then hunter2-hunt…", "a long message, then (redacted)…"),
            ("ends with -hunter4", "ends with (redacted)"),
            ("hunter2-hunter3-hunter4hunter2-hunter3-hunter4", "(redacted)"),
            ("Bearer short1, version 2", "Bearer (redacted), version 2"),
            ("é hunter2-hunter3 é pässwörd1", "é (redacted) é (redacted)"),
            ("https://user:p%c3%a4ssw%C3%B6rd1@example.org", "https://user:(redacted)@example.org"),
            ("hunter and Bearer stay", "hunter and Bearer stay"),
            ("", ""),
        ] {
            assert_eq!(secrets.redact(String::from(input)), shown);
        }
    }

    #[test]
    fn escaped_secret_is_replaced() {
        let secrets = secrets(&[("X-Key", "aé/b+c=d\"e&f")], "https://example.org");
        for input in [
            "aé/b+c=d\"e&f",
            "a%C3%A9%2Fb%2Bc%3Dd%22e%26f",
            "a%c3%a9/b%2bc%3dd%22e&f",
            "a%25C3%25A9%252Fb%252Bc%253Dd%2522e%2526f",
            r#"aé\/b+c=d\"e&f"#,
            r"a\u00e9\/b\u002bc\u003dd\u0022e\u0026f",
            "aé/b+c=d&quot;e&amp;f",
            "a&#233;&#x2F;b+c&#61;d&#34;e&#38;f",
        ] {
            assert_eq!(secrets.redact(format!("key {input} is 100% wrong")), "key (redacted) is 100% wrong", "{input}");
        }
    }

    #[test]
    fn basic_authentication_is_replaced() {
        // The base64 of `me:hunter2-hunter3`.
        for (headers, url) in [
            (&[][..], "https://me:hunter2-hunter3@example.org"),
            (&[("Authorization", "Basic bWU6aHVudGVyMi1odW50ZXIz")], "https://example.org"),
        ] {
            let secrets = secrets(headers, url);
            for (input, shown) in [
                ("Authorization: Basic bWU6aHVudGVyMi1odW50ZXIz", "Authorization: Basic (redacted)"),
                ("got aHVudGVyMi1odW50", "got (redacted)"),
                ("me:hunter2-hunter3 is wrong", "me:(redacted) is wrong"),
            ] {
                let redacted = secrets.redact(String::from(input)).replace("bWU6(", "(");
                assert_eq!(redacted, shown, "{headers:?} {url}");
            }
        }
    }

    #[test]
    fn key_as_user_name_is_replaced() {
        for url in ["https://k3y-k3y-k3y@example.org", "https://k3y-k3y-k3y:x@example.org"] {
            let secrets = secrets(&[], url);
            assert_eq!(secrets.redact(String::from("no plan for k3y-k3y-k3y")), "no plan for (redacted)", "{url}");
            let encoded = STANDARD_NO_PAD.encode("k3y-k3y-k3y:");
            let encoded = encoded.get(..12).unwrap();
            assert_eq!(secrets.redact(format!("Basic {encoded}")), "Basic (redacted)", "{url}");
        }
        let secrets = secrets(&[], "https://some-user:hunter2@example.org");
        assert_eq!(secrets.redact(String::from("some-user: no")), "some-user: no", "with a password it is a name");
    }

    #[test]
    fn cookies_are_replaced() {
        let secrets = secrets(&[("Cookie", "session=hunter2-hunter3; id=abcd1234efgh")], "https://example.org");
        let redacted = secrets.redact(String::from("hunter2-hunter3 and abcd1234efgh"));
        assert_eq!(redacted, "(redacted) and (redacted)");
    }

    #[test]
    fn public_headers_are_not_secret() {
        let secrets =
            secrets(&[("Accept", "application/json"), (" user-agent ", "satscope-of-mine")], "http://a.example");
        let input = "send application/json, satscope-of-mine";
        assert_eq!(secrets.redact(String::from(input)), input);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_harmless(text in "([a-z%\\\\&#;u0-9é]|%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|&#[0-9]{1,4};){0,30}") {
            let secrets = secrets(&[("X-Key", "aé/b+c=d\"e&f")], "https://example.org");
            let _ = secrets.redact(text);
        }
    }
}

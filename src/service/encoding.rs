//! Encodings of a response: which one a client prefers, and compressing.

use std::io::{self, Write as _};

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::caching::has_type;
use super::errors::Failure;

/// Smaller bodies are not compressed.
const MIN_COMPRESSED: u64 = 1024;

/// The level for cached responses, which makes them smaller than gzip does. Each is compressed once.
pub(super) const ZSTD_LEVEL: i32 = 9;

/// The level for responses that are sent once.
pub(super) const FAST_ZSTD_LEVEL: i32 = 3;

/// Maximum codings of `Accept-Encoding`, or media types of `Accept`, that are read. Browsers send about five.
pub(super) const MAX_LISTED: usize = 32;

/// An encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Encoding {
    /// The name in headers.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip",
            Encoding::Zstd => "zstd",
        }
    }

    /// Compresses a body; gzip ignores the level.
    pub(super) fn compress(self, plain: &[u8], zstd_level: i32) -> io::Result<Bytes> {
        let compressed = match self {
            Encoding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
                encoder.write_all(plain)?;
                encoder.finish()?
            }
            Encoding::Zstd => zstd::bulk::compress(plain, zstd_level)?,
        };
        // The rest of the capacity would be kept with the cached response.
        Ok(Bytes::from(compressed.into_boxed_slice()))
    }
}

/// The encoding that the client prefers in `Accept-Encoding` (RFC 9110, 12.5.3), zstd if it has no preference. `None`
/// if it prefers none. Later codings than [`MAX_LISTED`] are ignored, since reading them delays other clients.
pub(super) fn best(request: &HeaderMap) -> Option<Encoding> {
    let mut best = None;
    let mut identity = 0.0;
    let lines = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    for coding in lines.flat_map(|line| line.split(',')).take(MAX_LISTED) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let encoding = match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => Encoding::Gzip,
            name if name.eq_ignore_ascii_case("zstd") => Encoding::Zstd,
            name if name.eq_ignore_ascii_case("identity") => {
                identity = quality(parameters);
                continue;
            }
            _ => continue,
        };
        let rank = (quality(parameters), encoding == Encoding::Zstd);
        if rank.0 > 0.0 && best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, encoding));
        }
    }
    best.filter(|((quality, _), _)| *quality >= identity).map(|(_, encoding)| encoding)
}

/// The quality in the parameters of a coding or media type: 1 without one, 0 if it can't be read.
pub(super) fn quality(parameters: &str) -> f32 {
    let mut parameters = parameters.split(';').take(MAX_LISTED).filter_map(|parameter| parameter.split_once('='));
    let quality = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    quality.map_or(1.0, |(_, quality)| quality.trim().parse().unwrap_or(0.0))
}

/// Whether compression makes a body of this type and size smaller. Images are already compressed.
pub(super) fn is_worthwhile(headers: &HeaderMap, size: u64) -> bool {
    size >= MIN_COMPRESSED && (has_type(headers, "application/json") || has_type(headers, "text/"))
}

/// Middleware that compresses responses. It does so on the computing threads, since compression while sending would
/// delay all other clients of that thread.
pub(super) async fn compress(mut request: Request, next: Next) -> Response {
    let encoding = best(request.headers());
    if *request.method() == Method::HEAD {
        // The same headers as for GET. hyper omits the body.
        *request.method_mut() = Method::GET;
    }
    let mut response = next.run(request).await;
    let is_encoded = response.headers().contains_key(header::CONTENT_ENCODING);
    // Streams have no size.
    let size = response.body().size_hint().exact();
    if is_encoded || !size.is_some_and(|size| is_worthwhile(response.headers(), size)) {
        return response;
    }
    // Also for the plain one: a cache must not return it to clients that accept another.
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let Some(encoding) = encoding else { return response };
    let (mut parts, body) = response.into_parts();
    let plain = match axum::body::to_bytes(body, usize::MAX).await {
        Ok(plain) => plain,
        Err(error) => return Failure::internal(format!("can't read the response: {error}")).into_response(),
    };
    let Ok(compressed) = encoding.compress(&plain, FAST_ZSTD_LEVEL) else {
        return Response::from_parts(parts, Body::from(plain));
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.as_str()));
    Response::from_parts(parts, Body::from(compressed))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn preferred_encoding_is_chosen() {
        for (accepted, expected) in [
            ("gzip", Some(Encoding::Gzip)),
            ("gzip, deflate, br, zstd", Some(Encoding::Zstd)),
            ("zstd;q=0.5, GZIP", Some(Encoding::Gzip)),
            ("zstd;q=0, gzip; q=0.1", Some(Encoding::Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=x", None),
            ("gzip;Q=0", None),
            ("gzip;foo=1;q=0", None),
            ("zstd;foo=1;q=0.1, gzip; Q = 0.2", Some(Encoding::Gzip)),
            ("identity, *", None),
            ("identity, gzip", Some(Encoding::Gzip)),
            ("identity, gzip;q=0.5", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(best(&headers), expected, "{accepted}");
        }
    }

    #[test]
    fn only_the_first_codings_are_read() {
        let accepting = |count: usize| {
            let line = "br, ".repeat(count - 1) + "gzip";
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::try_from(line).unwrap())])
        };
        assert_eq!(best(&accepting(MAX_LISTED)), Some(Encoding::Gzip));
        assert_eq!(best(&accepting(MAX_LISTED + 1)), None);
        assert!((quality(&format!("{}q=0.5", "a=1;".repeat(MAX_LISTED - 1))) - 0.5).abs() < f32::EPSILON);
        assert!((quality(&format!("{}q=0.5", "a=1;".repeat(MAX_LISTED))) - 1.0).abs() < f32::EPSILON);
    }
}

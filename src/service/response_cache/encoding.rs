//! Encodings of a response: which one a client prefers, and compressing.

use std::io::{self, Write as _};

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A level at which responses become smaller than with gzip. Each is compressed once.
const ZSTD_LEVEL: i32 = 9;

/// An encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Encoding {
    /// Its name in headers.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip",
            Encoding::Zstd => "zstd",
        }
    }

    /// Compresses a body.
    pub(super) fn compress(self, plain: &[u8]) -> io::Result<Bytes> {
        let compressed = match self {
            Encoding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
                encoder.write_all(plain)?;
                encoder.finish()?
            }
            Encoding::Zstd => zstd::bulk::compress(plain, ZSTD_LEVEL)?,
        };
        // The rest of the capacity would be kept with the cached response.
        Ok(Bytes::from(compressed.into_boxed_slice()))
    }
}

/// The encoding that the client prefers in `Accept-Encoding` (RFC 9110, 12.5.3), zstd if it has no preference.
pub(super) fn best(request: &HeaderMap) -> Option<Encoding> {
    let mut best = None;
    let lines = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    for coding in lines.flat_map(|line| line.split(',')) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let encoding = match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => Encoding::Gzip,
            name if name.eq_ignore_ascii_case("zstd") => Encoding::Zstd,
            _ => continue,
        };
        let quality = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |quality| quality.trim().parse().ok());
        let rank = (quality.unwrap_or(0.0_f32), encoding == Encoding::Zstd);
        if rank.0 > 0.0 && best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, encoding));
        }
    }
    best.map(|(_, encoding)| encoding)
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
            ("identity, *", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(best(&headers), expected, "{accepted}");
        }
    }
}

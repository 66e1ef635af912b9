//! Reads response bodies, with limits on time and on the size before and after decompression.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use tokio::time::{Instant, timeout_at};

use super::fault;
use crate::client::config::Limits;
use crate::client::error::ErrorKind;
use crate::model::text;

/// The requested encoding. Every server that compresses supports it.
pub(super) const ENCODING: &str = "gzip";

/// The start of gzip data: the magic number and the only method (RFC 1952).
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// Reads the whole body.
///
/// # Errors
/// The body is too large, too slow, incomplete or damaged.
pub(super) async fn read(mut response: Response, limits: &Limits, deadline: Instant) -> Result<Vec<u8>, ErrorKind> {
    let too_large = || ErrorKind::TooLarge(limits.body_bytes);
    if response.content_length().is_some_and(|length| length > limits.body_bytes) {
        return Err(too_large());
    }
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(),
        _ => ErrorKind::Corrupt(format!("decompression failed: {error}")),
    };
    let mut body = Body::new(response.headers(), limits.body_bytes);
    loop {
        match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(chunk))) => body.push(&chunk).map_err(failed)?,
            Ok(Ok(None)) => return body.finish().map_err(failed),
            Ok(Err(error)) => return Err(fault::kind(&error)),
            Err(_) => return Err(ErrorKind::TimeoutTotal(limits.total)),
        }
    }
}

/// Reads at most `max` bytes, fewer after an error or at the deadline.
pub(super) async fn read_start(mut response: Response, max: usize, deadline: Instant) -> Vec<u8> {
    let mut body = Body::new(response.headers(), max as u64);
    while let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await
        && body.push(&chunk).is_ok()
    {}
    body.into_bytes()
}

/// Returns the value of `Content-Encoding`, cleaned and cut, if it is not supported.
pub(super) fn unsupported_encoding(headers: &HeaderMap) -> Option<String> {
    let encodings = encodings(headers);
    let is_supported = encodings.is_empty() || is_gzip(&encodings);
    (!is_supported).then(|| text::cut(text::clean(&encodings), 60).into_owned())
}

/// Returns the content encodings in lower case, separated by commas, without `identity` (RFC 9110, section 8.4).
fn encodings(headers: &HeaderMap) -> String {
    let lines = headers.get_all(CONTENT_ENCODING).into_iter().map(|line| String::from_utf8_lossy(line.as_bytes()));
    let names = lines.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "identity")).collect();
    names.join(", ")
}

fn is_gzip(encodings: &str) -> bool {
    matches!(encodings, "gzip" | "x-gzip")
}

/// A body of limited size. An unsupported encoding is left as it is.
enum Body {
    Plain(Limited),
    /// A gzip decoder for all members (RFC 1952, section 2.2), and the number of compressed bytes.
    Gzip(Box<MultiGzDecoder<Limited>>, u64),
}

impl Body {
    fn new(headers: &HeaderMap, max: u64) -> Body {
        if is_gzip(&encodings(headers)) { Body::gzip(max) } else { Body::Plain(Limited { bytes: Vec::new(), max }) }
    }

    fn gzip(max: u64) -> Body {
        Body::Gzip(Box::new(MultiGzDecoder::new(Limited { bytes: Vec::new(), max })), 0)
    }

    fn push(&mut self, chunk: &[u8]) -> io::Result<()> {
        // Some servers send compressed files without their encoding.
        if let Body::Plain(limited) = self
            && limited.bytes.is_empty()
            && chunk.starts_with(GZIP)
        {
            let max = limited.max;
            *self = Body::gzip(max);
        }
        match self {
            Body::Plain(limited) => limited.write_all(chunk),
            Body::Gzip(decoder, compressed) => {
                // Empty members have no decompressed size.
                *compressed = compressed.saturating_add(chunk.len() as u64);
                if *compressed > decoder.get_ref().max {
                    return Err(io::ErrorKind::FileTooLarge.into());
                }
                decoder.write_all(chunk)
            }
        }
    }

    fn finish(mut self) -> io::Result<Vec<u8>> {
        // An empty body is not a gzip file.
        if let Body::Gzip(decoder, 1..) = &mut self {
            decoder.try_finish()?;
        }
        Ok(self.into_bytes())
    }

    fn into_bytes(mut self) -> Vec<u8> {
        match &mut self {
            Body::Plain(limited) => std::mem::take(&mut limited.bytes),
            Body::Gzip(decoder, _) => {
                // Decompresses the rest after an error, too.
                let _ = decoder.try_finish();
                std::mem::take(&mut decoder.get_mut().bytes)
            }
        }
    }
}

/// Bytes of limited length.
struct Limited {
    bytes: Vec<u8>,
    max: u64,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = usize::try_from(self.max).unwrap_or(usize::MAX).saturating_sub(self.bytes.len());
        let fitting = bytes.get(..room).unwrap_or(bytes);
        if fitting.is_empty() && !bytes.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(fitting);
        Ok(fitting.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use reqwest::header::HeaderValue;

    use super::*;

    fn headers(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| (CONTENT_ENCODING, HeaderValue::from_str(line).unwrap())).collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Reads a body that arrives in pieces of this size.
    fn read(encodings: &[&str], sent: &[u8], piece: usize) -> io::Result<Vec<u8>> {
        let mut body = Body::new(&headers(encodings), 100_000);
        sent.chunks(piece).try_for_each(|piece| body.push(piece))?;
        body.finish()
    }

    #[test]
    fn gzip_is_recognised_in_any_case_and_without_identity() {
        for lines in [&["gzip"][..], &["GZip"], &["x-gzip"], &["gzip, identity"], &["identity", "", " gzip ,"]] {
            assert_eq!(read(lines, &gzip(b"text"), 5).unwrap(), b"text", "{lines:?}");
            assert_eq!(unsupported_encoding(&headers(lines)), None, "{lines:?}");
        }
        for lines in [&[][..], &["identity"]] {
            assert_eq!(read(lines, b"text", 5).unwrap(), b"text", "{lines:?}");
            assert_eq!(unsupported_encoding(&headers(lines)), None, "{lines:?}");
        }
        for (line, name) in
            [("br", "br"), ("deflate", "deflate"), ("gzip, gzip", "gzip, gzip"), ("Gzip, br", "gzip, br")]
        {
            assert_eq!(unsupported_encoding(&headers(&[line])).as_deref(), Some(name));
            assert_eq!(read(&[line], b"text", 5).unwrap(), b"text", "left as it is");
        }
    }

    #[test]
    fn gzip_without_its_encoding_is_decompressed() {
        assert_eq!(read(&[], &gzip(b"text"), 9).unwrap(), b"text");
        assert_eq!(read(&["identity"], &gzip(b"text"), 100).unwrap(), b"text");
        assert_eq!(read(&[], b"\x1f\x8b\x01", 100).unwrap(), b"\x1f\x8b\x01", "another method");
    }

    #[test]
    fn truncated_gzip_is_an_error() {
        let members = [gzip(b"one "), gzip(b""), gzip(b"two")];
        for cut in 1..members[2].len() {
            let sent = [&members[0][..], &members[1], &members[2][..cut]].concat();
            assert!(read(&["gzip"], &sent, 7).is_err(), "{cut} bytes");
        }
        assert!(read(&["gzip"], &[&members[0][..], b"and more, not compressed"].concat(), 7).is_err());
    }

    proptest! {
        #[test]
        fn all_members_are_decompressed(
            members in prop::collection::vec(prop::collection::vec(0_u8..4, 0..300), 1..6),
            piece in 1_usize..200,
        ) {
            let sent: Vec<u8> = members.iter().flat_map(|member| gzip(member)).collect();
            prop_assert_eq!(read(&["gzip"], &sent, piece).unwrap(), members.concat());
        }

        #[test]
        fn any_bytes_are_accepted(bytes in prop::collection::vec(any::<u8>(), 0..200), piece in 1_usize..50) {
            let _ = read(&["gzip"], &bytes, piece);
            let _ = read(&["gzip"], &[&gzip(b"")[..12], &bytes].concat(), piece);
        }
    }
}

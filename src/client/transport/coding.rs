//! What an answer is packed in: its `Content-Encoding` (RFC 9110, section 8.4).

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use crate::model::text;

/// What we ask for. Whatever packs at all can do this one.
pub(super) const ACCEPTED: &str = "gzip";

/// Unpacks what is written to it, and writes it on.
pub(super) enum Unpacker<W: Write> {
    /// As it is.
    Plain(W),
    /// All members of a gzip file (RFC 1952, section 2.2).
    Gzip(MultiGzDecoder<W>),
    /// HTTP's `deflate`, which is zlib's format (RFC 1950).
    Zlib(ZlibDecoder<W>),
}

impl<W: Write> Unpacker<W> {
    /// One for an answer with these headers. What nobody asked for it leaves as it is; see [`unasked`].
    pub(super) fn new(headers: &HeaderMap, into: W) -> Unpacker<W> {
        match codings(headers).as_str() {
            "gzip" | "x-gzip" => Unpacker::Gzip(MultiGzDecoder::new(into)),
            "deflate" => Unpacker::Zlib(ZlibDecoder::new(into)),
            _ => Unpacker::Plain(into),
        }
    }

    /// Nothing more comes.
    ///
    /// # Errors
    /// What came is not whole, or cannot be written on.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self {
            Unpacker::Plain(into) => into.flush(),
            Unpacker::Gzip(decoder) => decoder.try_finish(),
            Unpacker::Zlib(decoder) => decoder.try_finish(),
        }
    }

    /// What it writes to, and has written so far.
    pub(super) fn get_mut(&mut self) -> &mut W {
        match self {
            Unpacker::Plain(into) => into,
            Unpacker::Gzip(decoder) => decoder.get_mut(),
            Unpacker::Zlib(decoder) => decoder.get_mut(),
        }
    }
}

impl<W: Write> Write for Unpacker<W> {
    fn write(&mut self, packed: &[u8]) -> io::Result<usize> {
        match self {
            Unpacker::Plain(into) => into.write(packed),
            Unpacker::Gzip(decoder) => decoder.write(packed),
            Unpacker::Zlib(decoder) => decoder.write(packed),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.get_mut().flush()
    }
}

/// The codings of an answer that is packed in another way, or twice, if it is what it says.
pub(super) fn unasked(headers: &HeaderMap) -> Option<String> {
    let codings = codings(headers);
    let is_unasked = !matches!(codings.as_str(), "" | "gzip" | "x-gzip" | "deflate");
    is_unasked.then(|| text::cut(text::clean(&codings), 60).into_owned())
}

/// The names of the codings, which have no case, without those that change nothing.
fn codings(headers: &HeaderMap) -> String {
    let lines = headers.get_all(CONTENT_ENCODING).into_iter().map(|line| String::from_utf8_lossy(line.as_bytes()));
    let names = lines.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "identity")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
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

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Unpacks what comes in pieces of this length.
    fn unpacked(lines: &[&str], packed: &[u8], piece: usize) -> io::Result<Vec<u8>> {
        let mut unpacker = Unpacker::new(&headers(lines), Vec::new());
        packed.chunks(piece).try_for_each(|piece| unpacker.write_all(piece))?;
        unpacker.finish()?;
        Ok(std::mem::take(unpacker.get_mut()))
    }

    #[test]
    fn codings_go_by_their_names_in_any_case() {
        for (lines, packed) in [
            (&["gzip"][..], gzip(b"text")),
            (&["GZip"], gzip(b"text")),
            (&["x-gzip"], gzip(b"text")),
            (&["gzip, identity"], gzip(b"text")),
            (&["identity", "", " gzip ,"], gzip(b"text")),
            (&["Deflate"], zlib(b"text")),
            (&["identity"], b"text".to_vec()),
            (&[], b"text".to_vec()),
        ] {
            assert_eq!(unpacked(lines, &packed, 5).unwrap(), b"text", "{lines:?}");
            assert_eq!(unasked(&headers(lines)), None, "{lines:?}");
        }
        for (lines, named) in
            [(&["br"][..], "br"), (&["zstd"], "zstd"), (&["gzip", "gzip"], "gzip, gzip"), (&["Gzip, br"], "gzip, br")]
        {
            assert_eq!(unasked(&headers(lines)).as_deref(), Some(named));
            assert_eq!(unpacked(lines, b"as it is", 5).unwrap(), b"as it is");
        }
    }

    #[test]
    fn what_is_cut_or_followed_by_something_else_is_not_whole() {
        let members = [gzip(b"one "), gzip(b""), gzip(b"two")];
        for cut in 1..members[2].len() {
            let packed = [&members[0][..], &members[1], &members[2][..cut]].concat();
            assert!(unpacked(&["gzip"], &packed, 7).is_err(), "{cut} bytes");
        }
        assert!(unpacked(&["gzip"], &[&members[0][..], b"and more, that is not packed"].concat(), 7).is_err());
    }

    proptest! {
        #[test]
        fn all_members_are_read_however_they_come(
            members in prop::collection::vec(prop::collection::vec(0_u8..4, 0..300), 1..6),
            piece in 1_usize..200,
        ) {
            let packed: Vec<u8> = members.iter().flat_map(|member| gzip(member)).collect();
            prop_assert_eq!(unpacked(&["gzip"], &packed, piece).unwrap(), members.concat());
        }

        #[test]
        fn any_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..200), piece in 1_usize..50) {
            let _ = unpacked(&["gzip"], &bytes, piece);
            let _ = unpacked(&["deflate"], &bytes, piece);
            let _ = unpacked(&["gzip"], &[&gzip(b"")[..12], &bytes].concat(), piece);
        }
    }
}

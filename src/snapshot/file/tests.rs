use proptest::prelude::*;

use super::super::arbitrary::{Arbitrary, Rng};
use super::*;
use crate::client::Request;

const SOURCE: &str = "market http://coins.example\nindexer demo\n";

/// Returns random responses, the same for the same seed.
fn responses(seed: u64, count: usize) -> Vec<Kept> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| Kept::arbitrary(&mut rng)).collect()
}

fn encoded(kept: &[Kept]) -> Vec<u8> {
    encode(SOURCE, kept, 64 << 20).0.to_vec()
}

fn decode(file: &[u8], source: &str) -> Result<Vec<Kept>, Invalid> {
    super::decode(file, source, |_| true)
}

#[test]
fn encoding_matches_its_version() {
    // If this fails, an encoding has changed: increment VERSION and update the checksum here.
    let sum = crc32fast::hash(&encoded(&responses(1, 500)));
    assert_eq!((VERSION, format!("{sum:08x}").as_str()), (4, "57441953"));
}

#[test]
fn file_without_responses_is_valid() {
    assert_eq!(decode(&encoded(&[]), SOURCE), Ok(Vec::new()));
}

#[test]
fn responses_that_do_not_fit_are_left_out() {
    let kept = responses(7, 50);
    let whole = encoded(&kept).len();
    let (file, count) = encode(SOURCE, &kept, whole / 2);
    assert!(file.len() <= whole / 2);
    let read = decode(&file, SOURCE).unwrap();
    assert_eq!(read.len(), count);
    assert!(read.len() < 50 && read.len() > 10, "{}", read.len());
    assert_eq!(read[0], kept[0], "the most recently used response is first");
}

#[test]
fn other_source_is_an_error() {
    assert_eq!(decode(&encoded(&responses(3, 2)), "market demo\nindexer demo\n"), Err(Invalid::OtherSource));
}

#[test]
fn other_version_is_an_error_with_its_number() {
    let mut file = encoded(&responses(3, 2));
    file[8] = 0xff;
    let error = decode(&file, SOURCE).unwrap_err();
    assert_eq!(error, Invalid::Version(255));
    assert!(error.to_string().contains("255"));
}

#[test]
fn other_file_format_is_an_error() {
    for other in [&b""[..], b"{}", b"satscop", b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0"] {
        assert_eq!(decode(other, SOURCE), Err(Invalid::NotASnapshot), "{other:?}");
    }
}

#[test]
fn any_flipped_bit_is_detected() {
    let mut file = encoded(&responses(11, 3));
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            assert!(decode(&file, SOURCE).is_err(), "bit {bit} of byte {at}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(decode(&file, SOURCE).is_ok());
}

#[test]
fn truncated_file_is_detected() {
    let file = encoded(&responses(11, 3));
    for end in 0..file.len() {
        assert!(decode(&file[..end], SOURCE).is_err(), "{end} of {} bytes", file.len());
    }
}

#[test]
fn wrong_length_allocates_little() {
    // A list of coins whose length equals the number of remaining bytes.
    let mut file = Vec::new();
    put_text(SOURCE, &mut file);
    let request = Kept::arbitrary(&mut Rng::new(1)).request;
    request.put(&mut file);
    file.push(0);
    (1_u64 << 20).put(&mut file);
    file.resize(file.len() + (1 << 20), 0xff);
    assert_eq!(decode_content(Bytes(&file), SOURCE, |_| true), Err(Invalid::Damaged));
}

#[test]
fn control_characters_in_texts_are_removed() {
    let mut kept = responses(2, 1);
    let evil = "\u{1b}]52;c;AAAA\u{7}\u{202e}evil\n";
    kept[0].request = Request::Brc20Token { ticker: evil.into() };
    kept[0].receipt.url = evil.to_owned();
    let read = decode(&encoded(&kept), SOURCE).unwrap();
    assert_eq!(read[0].request, Request::Brc20Token { ticker: "]52;c;AAAAevil".into() });
    assert_eq!(read[0].receipt.url, "]52;c;AAAAevil");
}

proptest! {
    #[test]
    fn any_response_is_decoded_as_it_was_encoded(seed: u64) {
        let kept = responses(seed, 3);
        prop_assert_eq!(decode(&encoded(&kept), SOURCE), Ok(kept));
    }

    #[test]
    fn any_bytes_are_decoded_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = decode(&bytes, SOURCE);
        let mut prefixed = Vec::new();
        put_text(SOURCE, &mut prefixed);
        prefixed.extend(bytes);
        let _ = decode_content(Bytes(&prefixed), SOURCE, |_| true);
    }

    /// With a checksum that matches by accident, decoded values must still be valid, so that they can be encoded again.
    #[test]
    fn undetected_damage_gives_valid_values(seed: u64, changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        let mut file = encoded(&responses(seed, 2)).split_off(HEADER);
        for (at, byte) in changes {
            let at = at % file.len();
            file[at] = byte;
        }
        if let Ok(kept) = decode_content(Bytes(&file), SOURCE, |_| true) {
            let again = decode(&encoded(&kept), SOURCE);
            // Compared as text, since a changed float may be NaN.
            prop_assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, Invalid>(kept)));
        }
    }
}

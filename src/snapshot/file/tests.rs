use proptest::prelude::*;

use super::super::any::{Any, Dice};
use super::*;
use crate::client::Request;

const SOURCE: &str = "market http://coins.example\nindexer demo\n";

/// Any answers of any kind, the same for the same seed.
fn some(seed: u64, count: usize) -> Vec<Kept> {
    let mut dice = Dice::new(seed);
    (0..count).map(|_| Kept::any(&mut dice)).collect()
}

fn sealed(kept: &[Kept]) -> Vec<u8> {
    seal(SOURCE, kept, 64 << 20).0.to_vec()
}

fn open(file: &[u8], source: &str) -> Result<Vec<Kept>, Unusable> {
    super::open(file, source, |_| true)
}

#[test]
fn the_form_is_that_of_its_version() {
    // Where this fails, a form has changed: count VERSION up, and note the new checksum beside it.
    let sum = crc32fast::hash(&sealed(&some(1, 500)));
    assert_eq!((VERSION, format!("{sum:08x}").as_str()), (1, "9d7a453b"));
}

#[test]
fn nothing_kept_is_a_file_too() {
    assert_eq!(open(&sealed(&[]), SOURCE), Ok(Vec::new()));
}

#[test]
fn what_does_not_fit_is_left_out() {
    let kept = some(7, 50);
    let whole = sealed(&kept).len();
    let (file, count) = seal(SOURCE, &kept, whole / 2);
    assert!(file.len() <= whole / 2);
    let read = open(&file, SOURCE).unwrap();
    assert_eq!(read.len(), count);
    assert!(read.len() < 50 && read.len() > 10, "{}", read.len());
    assert_eq!(read[0], kept[0], "the first is what was wanted last");
}

#[test]
fn another_source_is_foreign() {
    assert_eq!(open(&sealed(&some(3, 2)), "market demo\nindexer demo\n"), Err(Unusable::Foreign));
}

#[test]
fn another_version_is_named() {
    let mut file = sealed(&some(3, 2));
    file[8] = 0xff;
    let error = open(&file, SOURCE).unwrap_err();
    assert_eq!(error, Unusable::Version(255));
    assert!(error.to_string().contains("255"));
}

#[test]
fn something_else_is_not_ours() {
    for other in [&b""[..], b"{}", b"satscop", b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0"] {
        assert_eq!(open(other, SOURCE), Err(Unusable::NotOurs), "{other:?}");
    }
}

#[test]
fn a_flipped_bit_anywhere_is_seen() {
    let mut file = sealed(&some(11, 3));
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            assert!(open(&file, SOURCE).is_err(), "bit {bit} of byte {at}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(open(&file, SOURCE).is_ok());
}

#[test]
fn a_part_of_a_file_is_seen() {
    let file = sealed(&some(11, 3));
    for end in 0..file.len() {
        assert!(open(&file[..end], SOURCE).is_err(), "{end} of {} bytes", file.len());
    }
}

#[test]
fn a_length_alone_takes_no_memory() {
    // A list of coins that claims as many items as there are bytes.
    let mut file = Vec::new();
    put_text(SOURCE, &mut file);
    let request = Kept::any(&mut Dice::new(1)).request;
    request.put(&mut file);
    file.push(0);
    (1_u64 << 20).put(&mut file);
    file.resize(file.len() + (1 << 20), 0xff);
    assert_eq!(content(Bytes(&file), SOURCE, |_| true), Err(Unusable::Damaged));
}

#[test]
fn text_in_a_file_is_made_harmless() {
    let mut kept = some(2, 1);
    let evil = "\u{1b}]52;c;AAAA\u{7}\u{202e}evil\n";
    kept[0].request = Request::Brc20Token { ticker: evil.into() };
    kept[0].receipt.url = evil.to_owned();
    let read = open(&sealed(&kept), SOURCE).unwrap();
    assert_eq!(read[0].request, Request::Brc20Token { ticker: "]52;c;AAAAevil".into() });
    assert_eq!(read[0].receipt.url, "]52;c;AAAAevil");
}

proptest! {
    #[test]
    fn every_answer_comes_back_as_it_was(seed: u64) {
        let kept = some(seed, 3);
        prop_assert_eq!(open(&sealed(&kept), SOURCE), Ok(kept));
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = open(&bytes, SOURCE);
        let mut content_too = Vec::new();
        put_text(SOURCE, &mut content_too);
        content_too.extend(bytes);
        let _ = content(Bytes(&content_too), SOURCE, |_| true);
    }

    /// As if the checksum were right by accident: what is read then is still allowed by the model, for it can be kept.
    #[test]
    fn damage_that_no_checksum_sees_is_survived(seed: u64, changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        let mut file = sealed(&some(seed, 2)).split_off(HEAD);
        for (at, byte) in changes {
            let at = at % file.len();
            file[at] = byte;
        }
        if let Ok(kept) = content(Bytes(&file), SOURCE, |_| true) {
            let again = open(&sealed(&kept), SOURCE);
            // Compared as text, for a changed float may be no number.
            prop_assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, Unusable>(kept)));
        }
    }
}

//! Mistyped addresses and inscription IDs beside recent ones.

use satscope::app::find::lookup::Subject;
use satscope::keymap::Context;
use satscope::user_data::{Change, UserData, WalletAddress};

use super::palette::loaded;
use crate::support::screen::{START, Screen};

const ADDRESS: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

const LEGACY: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// The dashboard after both addresses and an inscription were looked up.
fn with_recent(inscription: &str) -> Screen {
    let mut screen = loaded(120, 35);
    for subject in [ADDRESS, LEGACY, inscription] {
        screen.keys(&format!("5g{subject}<enter>"));
        assert!(screen.state.indexer.subject().is_some(), "{subject}");
        screen.keys("1");
    }
    screen
}

#[test]
fn mistyped_address_does_not_open_a_similar_one() {
    let id = format!("{}i0", "b61b0172".repeat(8));
    let checksum = "Not a Bitcoin address: invalid checksum";
    let other = format!("{}9", &ADDRESS[..ADDRESS.len() - 1]);
    let long = format!("{}9i0", &id[..64]);
    for (typed, reason) in [
        (other.as_str(), checksum),
        (&format!("address {other}"), checksum),
        (&format!("bitcoin:{other}"), checksum),
        (&LEGACY.to_lowercase(), checksum),
        (&LEGACY.replace("eP5", "eP6"), checksum),
        ("bc1qd2mzs0p8", "Incomplete Bitcoin address"),
        // The case of older addresses matters.
        ("1a1zp1ep", "No matches"),
        ("1A1zP1fP5", "No matches"),
        ("adress 1A1zP1fP5", "No matches"),
        (&long, "Not an inscription ID (64 hex digits, i, index)"),
        (&format!("inscription {long}"), "Not an inscription ID (64 hex digits, i, index)"),
        (&format!("{}00", &id[..40]), "Incomplete inscription ID"),
    ] {
        for open in ["5g", ":"] {
            let mut screen = with_recent(&id);
            screen.keys(&format!("{open}{typed}"));
            let text = screen.text();
            assert!(text.contains(reason), "{open}{typed}: {text}");
            screen.keys("<enter>");
            assert_eq!(screen.state.context(), Context::Palette, "{open}{typed}");
        }
    }
}

#[test]
fn beginning_of_a_recent_address_opens_it() {
    let mut screen = with_recent("#7");
    for (typed, address) in [
        (&ADDRESS[..12], ADDRESS),
        (&ADDRESS[..40], ADDRESS),
        (&LEGACY[..30], LEGACY),
        (&ADDRESS[..20].to_uppercase(), ADDRESS),
        ("x268cg8", ADDRESS),
        ("SLmv7Div", LEGACY),
        ("adress bc1qd2mzs0p9rh", ADDRESS),
        ("adress 1A1zP1eP5", LEGACY),
    ] {
        screen.keys(&format!("5g{typed}<enter>"));
        assert_eq!(screen.state.indexer.subject(), Some(Subject::Address(address.into())), "{typed}");
        screen.keys("1");
    }
}

/// The dashboard with an address in the wallet.
fn with_label(label: &str) -> Screen {
    let mut screen = loaded(120, 35);
    let entry = WalletAddress { address: ADDRESS.into(), label: Some(label.into()), added_at: START };
    let mut data = UserData::default();
    data.apply(&Change::PutAddress(entry));
    screen.send(satscope::app::Message::Loaded(Box::new(data)));
    screen
}

#[test]
fn mistyped_address_does_not_open_one_of_the_wallet() {
    let other = format!("{}9", &ADDRESS[..ADDRESS.len() - 1]);
    for typed in [other.clone(), format!("address {other}")] {
        for open in ["5g", ":"] {
            let mut screen = with_label("cold");
            screen.keys(&format!("{open}{typed}<enter>"));
            assert!(screen.text().contains("invalid checksum"), "{}", screen.text());
            assert_eq!(screen.state.context(), Context::Palette);
        }
    }
}

#[test]
fn typo_beside_an_address_is_forgiven() {
    for (label, typed) in [
        ("savings", "savinsg"),
        ("savings", "adress savings"),
        ("savings", "adress savinsg"),
        ("cold storage", "storagr cold"),
        ("savings", "savinsg bc1qd2mzs0p9"),
    ] {
        for open in ["5g", ":"] {
            let mut screen = with_label(label);
            screen.keys(&format!("{open}{typed}"));
            let text = screen.text();
            assert!(text.contains(&format!("“{label}”")), "{open}{typed}: {text}");
        }
    }
}

#[test]
fn typo_before_a_label_opens_its_address() {
    // `cold` is nearly the beginning of `holders`, and `adress` has the length of a ticker.
    for (label, typed) in [("cold", "adress cold"), ("cold storage", "adress cold"), ("cold", "cold adress")] {
        for open in ["5g", ":"] {
            let mut screen = with_label(label);
            screen.keys(&format!("{open}{typed}<enter>"));
            assert_eq!(screen.state.indexer.subject(), Some(Subject::Address(ADDRESS.into())), "{open}{typed}");
        }
    }
}

#[test]
fn label_after_the_word_address_opens_its_address() {
    for typed in ["address cold", "addr Cold", "address COLD"] {
        for open in ["5g", ":"] {
            let mut screen = with_label("cold");
            screen.keys(&format!("{open}{typed}<enter>"));
            assert_eq!(screen.state.indexer.subject(), Some(Subject::Address(ADDRESS.into())), "{open}{typed}");
        }
    }
}

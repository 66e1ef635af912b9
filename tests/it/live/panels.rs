//! The indexer tab over each provider: keys and what the screen shows.

use rustix::process::Signal;
use satscope::client::{Client, ClientConfig, Request, ResponseData};
use satscope::model::ProviderName::{self, Hiro, Maestro, Ord, Ordinals, UniSat};

use super::indexer_fakes::{self as fakes, HOLDER, SAT, id};
use super::matrix::shell;
use crate::support::session::Session;

/// What is looked up.
struct Items {
    ticker: String,
    address: String,
    block: u64,
    sat: u64,
    inscription: String,
}

/// The content of each panel: data, or the sentence about what would provide them.
struct Expected<'a> {
    /// The list of tokens.
    list: &'a [&'a str],
    /// Details, holders and activity.
    ticker: &'a [&'a str],
    /// The question before an address is sent to a provider.
    question: Option<&'a str>,
    /// Balances and inscriptions.
    address: &'a [&'a str],
    /// Activity at the height.
    block: &'a [&'a str],
    sat: &'a [&'a str],
    inscription: &'a [&'a str],
}

/// What the fakes have.
fn fake_items() -> Items {
    Items {
        ticker: String::from("ordi"),
        address: String::from(HOLDER),
        block: fakes::TIP - 1,
        sat: SAT,
        inscription: id(7),
    }
}

/// Opens all panels over a provider, each of them after the text of the previous one has appeared.
fn walk(name: ProviderName, url: &str, key: Option<&str>, items: &Items, expected: &Expected<'_>) {
    let shell = shell(name, url, key);
    let mut session = Session::dashboard_in(shell.home.path(), (160, 45), &["--live"]);
    session.until_text("Indexer");
    let Items { ticker, address, block, sat, inscription } = items;
    let steps = [
        (String::from("5"), expected.list),
        (format!("g{ticker}\r"), expected.ticker),
        (format!("g{address}\r"), expected.question.as_slice()),
        (String::from(if expected.question.is_some() { "\r" } else { "" }), expected.address),
        (format!("g{block}\r"), expected.block),
        (format!("gsat {sat}\r"), expected.sat),
        (format!("g{inscription}\r"), expected.inscription),
    ];
    for (keys, texts) in steps {
        session.press(&keys);
        for text in texts {
            session.until(&format!("{name} {keys}: {text}"), |screen| screen.contents().contains(text));
        }
    }
    session.signal(Signal::TERM);
    session.wait();
}

const NO_BRC20: &str = "BRC-20 needs an indexer";

#[test]
fn unisat_fills_all_panels_with_and_without_a_key() {
    for key in [None, Some("unisat-key")] {
        let unisat = fakes::UniSat { key, ..fakes::UniSat::default() }.start();
        let expected = Expected {
            // With the details, the holders and the activity of the most active token.
            list: &["ordi", "sats", "412,233", "21,000,000", "130", "129", "25.5"],
            ticker: &["ordi", "130", "25.5"],
            question: Some("are sent to UniSat"),
            address: &["pizza", "36,893,488,147,419,103,230"],
            block: &["923,104", "25.5"],
            sat: &["common"],
            inscription: &["number       7", "text/plain", "bc1qowner", "546 sats"],
        };
        walk(UniSat, &unisat.url, key, &fake_items(), &expected);
    }
}

#[test]
fn maestro_fills_details_and_balances() {
    let maestro = fakes::maestro();
    let expected = Expected {
        list: &[NO_BRC20],
        ticker: &["23,411", "20,999,999", NO_BRC20],
        question: Some("are sent to Maestro"),
        address: &["sats", "312,000", "311,999.877"],
        block: &[NO_BRC20],
        sat: &["common"],
        inscription: &["Inscriptions need an indexer"],
    };
    walk(Maestro, &maestro.url, Some("maestro-key"), &fake_items(), &expected);
}

#[test]
fn ord_servers_fill_sats_and_inscriptions() {
    for (name, has_json) in [(Ordinals, false), (Ord, true)] {
        let ord = fakes::ord(has_json, true);
        let expected = Expected {
            list: &[NO_BRC20],
            ticker: &[NO_BRC20],
            question: None,
            address: &[NO_BRC20],
            block: &[NO_BRC20],
            sat: &["230"],
            inscription: &["number       993", "cursed", "bc1p5cyx", "546 sats"],
        };
        walk(name, &ord.url, None, &fake_items(), &expected);
    }
}

#[test]
fn hiro_compatible_server_fills_all_panels() {
    let hiro = super::indexer::hiro(false);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = Client::new(ClientConfig::at(&hiro.url())).unwrap();
    let get = |request: Request| runtime.block_on(client.get(&request, None)).unwrap().response.unwrap();
    let ResponseData::Holders(holders) = get(Request::Brc20Holders { ticker: "ordi".into(), offset: 0, limit: 1 })
    else {
        panic!("no holders")
    };
    let address = holders.items[0].address.clone().unwrap();
    let ResponseData::Inscriptions(inscriptions) = get(Request::Inscriptions { address: None, offset: 0, limit: 1 })
    else {
        panic!("no inscriptions")
    };
    let newest = &inscriptions.items[0];
    let activity = Request::Brc20Activity { ticker: Some("ordi".into()), block_height: None, offset: 0, limit: 1 };
    let ResponseData::Activity(events) = get(activity) else { panic!("no activity") };
    let items = Items {
        ticker: String::from("ordi"),
        address: address.to_string(),
        block: events.items[0].block_height.unwrap(),
        sat: newest.sat.unwrap().get(),
        inscription: newest.id.to_string(),
    };
    let content_type = newest.content_type.clone().unwrap();
    let kind = content_type.split(';').next().unwrap();
    let expected = Expected {
        list: &["rats", "ordi", "21,000,000"],
        ticker: &["ordi", "21,000,000", &address[..8]],
        // It is the user's own.
        question: None,
        address: &["BRC-20 balances", "ordi", "Inscriptions at this address"],
        block: &["ordi"],
        sat: &[kind],
        inscription: &[kind],
    };
    walk(Hiro, &hiro.url(), None, &items, &expected);
}

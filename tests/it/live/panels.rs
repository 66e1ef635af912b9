//! The indexer tab over each provider: keys and what the screen shows.

use rustix::process::Signal;
use satscope::model::ProviderName::{self, Maestro, Ord, Ordinals, UniSat};

use super::indexer_fakes::{self as fakes, HOLDER, SAT, id};
use super::matrix::shell;
use crate::support::session::Session;

/// Presses keys in the indexer tab, each of them after the texts of the step before have appeared.
fn walk(name: ProviderName, url: &str, key: Option<&str>, steps: &[(String, &[&str])]) {
    let shell = shell(name, url, key);
    let mut session = Session::dashboard_in(shell.home.path(), (160, 45), &["--live"]);
    session.until_text("Indexer");
    session.press("5");
    for (keys, texts) in steps {
        session.press(keys);
        for text in *texts {
            session.until(&format!("{name}: {text}"), |screen| screen.contents().contains(text));
        }
    }
    session.signal(Signal::TERM);
    session.wait();
}

fn look_up(what: impl std::fmt::Display) -> String {
    format!("g{what}\r")
}

#[test]
fn unisat_fills_all_panels_with_and_without_a_key() {
    for key in [None, Some("unisat-key")] {
        let unisat = fakes::UniSat { key, ..fakes::UniSat::default() }.start();
        let steps: [(String, &[&str]); 4] = [
            // The list, the details, the holders and the activity of the most active token.
            (String::new(), &["ordi", "sats", "412,233", "21,000,000", "130", "129", "25.5"]),
            (look_up(HOLDER), &["are sent to UniSat"]),
            (String::from("\r"), &["pizza", "36,893,488,147,419,103,230"]),
            (look_up(id(7)), &["number       7", "text/plain", "bc1qowner", "546 sats"]),
        ];
        walk(UniSat, &unisat.url, key, &steps);
    }
}

#[test]
fn maestro_fills_details_and_balances() {
    let maestro = fakes::maestro();
    let steps: [(String, &[&str]); 3] = [
        (look_up("ordi"), &["23,411", "20,999,999"]),
        (look_up(HOLDER), &["are sent to Maestro"]),
        (String::from("\r"), &["sats", "312,000", "311,999.877"]),
    ];
    walk(Maestro, &maestro.url, Some("maestro-key"), &steps);
}

#[test]
fn ord_servers_fill_sats_and_inscriptions() {
    for (name, has_json) in [(Ordinals, false), (Ord, true)] {
        let ord = fakes::ord(has_json, true);
        let steps: [(String, &[&str]); 2] =
            [(look_up(SAT), &["230"]), (look_up(id(7)), &["number       993", "cursed", "bc1powner", "546 sats"])];
        walk(name, &ord.url, None, &steps);
    }
}

//! Every command of the indexer over each provider: gateway, HTTP, client and output.

use satscope::model::ProviderName::{self, Hiro, Maestro, Ord, Ordinals, UniSat};
use satscope::service::gateway::LiveSettings;
use satscope::service::operation::Operation;
use serde_json::{Value, json};

use super::indexer_fakes::{self as fakes, HOLDER, OWNER, SAT, id};
use crate::cli::server::Shell;

/// What a command prints: a value at a path of the JSON, or the end of its sentence.
enum Expected {
    Data(&'static str, Value),
    Fails(&'static str),
}

use Expected::{Data, Fails};

/// The commands, in the order of the expectations of [`check`].
fn commands() -> [String; 11] {
    [
        String::from("brc20 tokens --limit 2"),
        String::from("brc20 token ordi"),
        String::from("brc20 holders ordi --limit 2"),
        format!("brc20 balances {HOLDER}"),
        String::from("brc20 activity --ticker ordi --limit 2"),
        String::from("brc20 activity --ticker ordi --block-height 923104"),
        format!("sat {SAT}"),
        format!("sat inscriptions {SAT} --limit 2"),
        format!("inscription {}", id(7)),
        format!("inscriptions --address {OWNER}"),
        String::from("inscription-stats"),
    ]
}

/// The program with this provider only, and its key.
pub(super) fn shell(name: ProviderName, url: &str, key: Option<&str>) -> Shell {
    let shell = Shell::new();
    let list = |operation| if LiveSettings::can_serve(name, operation) { format!("\"{name}\"") } else { String::new() };
    let (brc20, inscriptions) = (list(Operation::Brc20), list(Operation::Inscriptions));
    let mut text = format!("[live]\nbrc20 = [{brc20}]\ninscriptions = [{inscriptions}]\nblock = []\n");
    for other in ProviderName::ALL {
        text.push_str(&if other == name {
            format!("[providers.{name}]\nbase_url = \"{url}\"\nmin_gap_ms = 0\n")
        } else {
            format!("[providers.{other}]\nenabled = false\n")
        });
        if let Some(key) = key.filter(|_| other == name) {
            text.push_str(&format!("api_key = \"{key}\"\n"));
        }
    }
    let file = shell.home.path().join(".config/satscope/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
    shell
}

/// Runs all commands over a provider. Each prints its data and the provider's name, or one sentence.
fn check(name: ProviderName, url: &str, key: Option<&str>, expected: [Expected; 11]) {
    let shell = shell(name, url, key);
    for (command, expected) in commands().into_iter().zip(expected) {
        let run = shell.run(&format!("--live {command} --format json"));
        let shown = format!("{name} {command}: {}{}", run.stdout, run.stderr);
        match expected {
            Data(path, value) => {
                assert_eq!(run.status, 0, "{shown}");
                let whole = run.json();
                assert_eq!(
                    (&whole["provider"], &whole["simulated"]),
                    (&json!(name.as_str()), &json!(false)),
                    "{shown}"
                );
                assert_eq!(whole["data"].pointer(path), Some(&value), "{shown}");
            }
            Fails(sentence) => {
                assert_eq!(run.status, 1, "{shown}");
                assert!(run.stderr.ends_with(&format!("{sentence}\n")), "{shown}");
                assert_eq!(run.stderr.lines().count(), 1, "{shown}");
                // A sat is computed without a provider.
                assert_eq!(run.stdout.is_empty(), !command.starts_with("sat 1"), "{shown}");
            }
        }
    }
}

const NO_BRC20: &str = "BRC-20 needs an indexer: set indexer_url or a free UniSat key";
const NO_INSCRIPTIONS: &str = "Inscriptions need an indexer: set indexer_url, or add ordinals to live.inscriptions";
const NO_LISTS: &str = "Lists of inscriptions need your own indexer: set indexer_url";
const NO_STATISTICS: &str = "Inscription statistics need your own indexer: set indexer_url";

#[test]
fn unisat_serves_brc20_and_inscriptions_with_and_without_a_key() {
    for key in [None, Some("unisat-key")] {
        let unisat = fakes::UniSat { key, ..fakes::UniSat::default() }.start();
        let expected = [
            Data("/1/ticker", json!("sats")),
            Data("/holders", json!(130)),
            Data("/1/balance", json!("129")),
            Data("/0/overall", json!("25.500000000000000001")),
            Data("/0/amount", json!("1000")),
            Data("/0/block_height", json!(923_104)),
            Fails(NO_INSCRIPTIONS),
            Fails(NO_INSCRIPTIONS),
            Data("/number", json!(7)),
            Data("/2/number", json!(2)),
            Fails(NO_STATISTICS),
        ];
        check(UniSat, &unisat.url, key, expected);
        let sent: Vec<_> = unisat.requests().iter().map(|it| it.headers.contains_key("authorization")).collect();
        assert!(sent.iter().all(|sent| *sent == key.is_some()), "{sent:?}");
    }
}

#[test]
fn maestro_serves_details_and_balances() {
    let maestro = fakes::maestro();
    let expected = [
        Fails(NO_BRC20),
        Data("/minted_supply", json!("20999999.000000000000000001")),
        Fails(NO_BRC20),
        Data("/1/transferable", json!("311999.877")),
        Fails(NO_BRC20),
        Fails(NO_BRC20),
        Fails(NO_INSCRIPTIONS),
        Fails(NO_INSCRIPTIONS),
        Fails(NO_INSCRIPTIONS),
        Fails(NO_INSCRIPTIONS),
        Fails(NO_STATISTICS),
    ];
    check(Maestro, &maestro.url, Some("maestro-key"), expected);
}

#[test]
fn ord_servers_serve_inscriptions_and_their_own_lists() {
    for (name, has_json) in [(Ordinals, false), (Ord, true)] {
        let ord = fakes::ord(has_json, true);
        let expected = [
            Fails(NO_BRC20),
            Fails(NO_BRC20),
            Fails(NO_BRC20),
            Fails(NO_BRC20),
            Fails(NO_BRC20),
            Fails(NO_BRC20),
            Data("/inscription_id", json!(id(230))),
            Data("/0/id", json!(id(230))),
            Data("/number", json!(993)),
            if has_json { Data("/1/id", json!(id(5))) } else { Fails(NO_LISTS) },
            Fails(NO_STATISTICS),
        ];
        check(name, &ord.url, None, expected);
    }
}

#[test]
fn hiro_compatible_server_serves_everything() {
    let hiro = super::indexer::hiro(false);
    let expected = [
        Data("/0/ticker", json!("rats")),
        Data("/max_supply", json!("21000000")),
        Data("/1/balance", json!("675000")),
        Data("", json!([])),
        Data("/0/ticker", json!("ordi")),
        Data("", json!([])),
        Data("/inscription_id", Value::Null),
        Data("", json!([])),
        Fails("Not found (404): not on the Hiro-compatible indexer; check the spelling"),
        Data("", json!([])),
        Data("/1/block_height", json!(976_126)),
    ];
    check(Hiro, &hiro.url(), None, expected);
}

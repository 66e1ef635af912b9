//! `satscope sources`.

use std::process::Child;

use satscope::model::ProviderName;

use super::server::{Server, Shell};

#[test]
fn sources_name_state_budget_and_what_is_missing() {
    let shell = Shell::new();
    let whole = shell.run("sources").ok().json();
    assert_eq!((&whole["simulated"], &whole["source"]), (&false.into(), &serde_json::Value::Null));
    let sources = whole["data"].as_array().unwrap();
    let of = |name: &str| sources.iter().find(|source| source["name"] == name).unwrap();
    for source in sources {
        let keys: Vec<&str> = source.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = [
            "name",
            "key",
            "serves",
            "state",
            "latency_ms",
            "budget",
            "next_try_at",
            "attribution",
            "missing",
            "missing_code",
        ];
        assert_eq!(keys.len(), expected.len());
        assert!(expected.iter().all(|key| keys.contains(key)), "{keys:?}");
    }
    assert_eq!(of("coingecko")["budget"], serde_json::json!({"limit": 10, "period": "minute", "used": 0}));
    assert_eq!((&of("maestro")["key"], &of("maestro")["state"]), (&"missing".into(), &"unused".into()));
    assert!(of("ord")["missing"].as_str().unwrap().contains("providers.ord.base_url"));
    for (name, code) in [("maestro", "no_key"), ("ord", "no_url"), ("coingecko", "key_recommended")] {
        assert_eq!(of(name)["missing_code"], code);
    }
    assert!(of("mempool")["missing_code"].is_null(), "{:?}", of("mempool"));

    let table = shell.run("sources --format table").ok().stdout;
    assert!(table.contains("0 of 10 per minute") && table.contains("coins, tagged, pairs, chart"), "{table}");
    assert!(table.contains("0 of 20,000 per month"), "{table}");
    let advice = "coingecko: A free Demo key raises the request limit (set providers.coingecko.api_key)\n";
    assert!(table.contains(&format!("\n{advice}")) && !table.contains("Missing"), "{table}");
    let csv = shell.run("sources --format csv").ok().stdout;
    assert!(
        csv.starts_with(
            "name,key,serves,state,latency_ms,budget,next_try_at,attribution,missing,missing_code\ncoinmarketcap,"
        ),
        "{csv}"
    );
    let coingecko = csv.lines().find(|line| line.starts_with("coingecko,")).unwrap();
    assert!(coingecko.contains(",10;minute;0,"), "{coingecko}");
}

#[test]
fn sources_follow_the_configuration_and_hide_keys() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    let config = "[live]\nbrc20 = [\"maestro\"]\n[providers.coingecko]\nenabled = false\n[providers.maestro]\napi_key = \"env:KEY\"\n";
    std::fs::write(&file, config).unwrap();
    let shell = Shell::new().with("KEY", "hidden-key");
    let run = shell.run(&format!("--config {} sources", file.display())).ok();
    assert!(!run.stdout.contains("hidden-key") && !run.stderr.contains("hidden-key"));
    let whole = run.json();
    let of =
        |name: &str| whole["data"].as_array().unwrap().iter().find(|source| source["name"] == name).cloned().unwrap();
    assert_eq!((&of("coingecko")["state"], &of("unisat")["state"]), (&"unused".into(), &"unused".into()));
    assert_eq!(
        (&of("maestro")["key"], &of("maestro")["serves"]),
        (&"configured".into(), &serde_json::json!(["brc20"]))
    );
}

#[test]
fn probe_reports_the_result_of_each_check() {
    let server = Server::start(|target| match target {
        "/blocks/tip/height" => (200, String::from("923105")),
        target if target.starts_with("/api/v3/ticker/price") => (200, String::from(r#"{"symbol":"SATSUSDT"}"#)),
        target if target.starts_with("/addresses/") => {
            (200, String::from(r#"{"data":{"ordi":{"total":"1.5","available":"1.0"}}}"#))
        }
        "/coins/ordi-ordi" => (404, String::from(r#"{"error":"id not found"}"#)),
        "/v2/rates?base=USD" => (200, String::from(r#"{"rates":{}}"#)),
        _ => (503, String::new()),
    });
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    let names = ["coinmarketcap", "coingecko", "defillama", "ecb", "bluesky", "mastodon"];
    let more = ["unisat", "ordinals", "okx"];
    let mut config = String::new();
    for name in names.into_iter().chain(more) {
        config += &format!("[providers.{name}]\nenabled = false\n");
    }
    for name in ["binance", "coinpaprika", "frankfurter", "mempool"] {
        config += &format!("[providers.{name}]\nbase_url = \"{}\"\n", server.url);
    }
    config += &format!("[providers.maestro]\nbase_url = \"{}\"\napi_key = \"key\"\n", server.url);
    std::fs::write(&file, config).unwrap();
    let run = Shell::new().run(&format!("--config {} sources --probe", file.display()));
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("mempool.space: passed: block height is plain text"), "{}", run.stderr);
    let balances = "Maestro: passed: balances of an address have a total and an available amount";
    assert!(run.stderr.contains(balances), "{}", run.stderr);
    let whole = run.json();
    let failed = [
        "CoinPaprika: failed: ORDI has the ID ordi-ordi",
        "Binance: failed: SATS is listed as 1000SATSUSDT",
        "Frankfurter: failed: USD rates are available",
    ];
    assert_eq!(whole["warnings"], serde_json::json!(failed));
    let of =
        |name: &str| whole["data"].as_array().unwrap().iter().find(|source| source["name"] == name).cloned().unwrap();
    assert!(of("mempool")["latency_ms"].is_number() && of("mempool")["state"] == "ready");
    assert_eq!(server.targets().len(), 5, "one request each");
}

#[test]
fn probe_that_checked_nothing_fails() {
    let server = Server::start(|_| (503, String::new()));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    let others =
        ProviderName::ALL.into_iter().filter(|name| !matches!(name, ProviderName::Demo | ProviderName::Mempool));
    let mut config = others.map(|name| format!("[providers.{name}]\nenabled = false\n")).collect::<String>();
    config += &format!("[providers.mempool]\nbase_url = \"{}\"\n", server.url);
    std::fs::write(&file, config).unwrap();
    let run = Shell::new().run(&format!("--config {} sources --probe", file.display()));
    assert_eq!((run.status, run.json()["warnings"].as_array().unwrap().len()), (1, 1), "{}", run.stderr);
    assert_eq!(run.stderr, "satscope: no provider could be checked (see the warnings)\n");
}

fn names(run: &super::server::Run) -> Vec<String> {
    let rows = run.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn choices_are_kept_and_config_show_names_their_origin() {
    let shell = Shell::new();
    let disabled = shell.run("sources disable coingecko defillama").ok();
    assert_eq!(names(&disabled), ["coingecko", "defillama"]);
    assert_eq!(disabled.json()["data"][0]["state"], "unused");
    assert_eq!(disabled.json()["data"][0]["missing_code"], "disabled");
    let ordered = shell.run("sources order coins coinpaprika").ok();
    assert_eq!(names(&ordered), ["coinpaprika", "coinmarketcap", "coingecko"]);
    let rows = shell.run("config show").ok().json()["data"].as_array().unwrap().clone();
    let row = |key: &str| {
        let row = rows.iter().find(|row| row["key"] == key).unwrap();
        (row["value"].as_str().unwrap().to_owned(), row["origin"].as_str().unwrap().to_owned())
    };
    let chosen = String::from("chosen in Providers");
    assert_eq!(row("providers.coingecko.enabled"), (String::from("false"), chosen.clone()));
    assert_eq!(row("live.coins"), (String::from("coinpaprika, coinmarketcap, coingecko"), chosen));
    assert_eq!(row("live.pairs").1, "default");

    shell.run("sources enable coingecko").ok();
    let whole = shell.run("sources list").ok();
    let state = |name: &str| {
        let rows = whole.json()["data"].as_array().unwrap().clone();
        rows.iter().find(|row| row["name"] == name).unwrap()["state"].clone()
    };
    assert_eq!((state("coingecko"), state("defillama")), ("ready".into(), "unused".into()));
    shell.run("sources reset").ok();
    let origins = shell.run("config show --format csv").ok().stdout;
    assert!(!origins.contains("chosen in Providers"), "{origins}");
}

#[test]
fn choice_overrides_the_file_without_adding_providers() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    std::fs::write(&file, "[providers.okx]\nenabled = false\n[live]\nchart = [\"okx\", \"coingecko\"]\n").unwrap();
    let shell = Shell::new();
    let run = |command: &str| shell.run(&format!("--config {} {command}", file.display()));
    assert_eq!(run("sources enable okx").ok().json()["data"][0]["state"], "ready");
    let refused = run("sources order chart binance");
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.contains("binance is not in live.chart (okx, coingecko)"), "{}", refused.stderr);
    run("sources order chart frankfurter").fails(2, "satscope: frankfurter doesn't serve chart\n");
    assert_eq!(names(&run("sources order chart coingecko").ok()), ["coingecko", "okx"]);
    let unknown = run("sources disable coinbase");
    unknown.fails(2, "invalid value 'coinbase'");
    assert!(run("sources disable --help").ok().stdout.contains("coingecko"), "the help lists the names");
}

#[test]
fn test_sends_one_request_and_fails_with_the_provider() {
    let server = Server::start(|target| match target {
        "/blocks/tip/height" => (200, String::from("923105")),
        _ => (503, String::new()),
    });
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    let config = ["mempool", "binance"].map(|name| format!("[providers.{name}]\nbase_url = \"{}\"\n", server.url));
    std::fs::write(&file, config.concat()).unwrap();
    let shell = Shell::new();
    let run = |command: &str| shell.run(&format!("--config {} {command}", file.display()));
    let passed = run("sources test mempool").ok();
    assert_eq!(passed.json()["data"][0]["passed"], true);
    assert!(passed.json()["data"][0]["latency_ms"].is_number());
    assert_eq!(server.targets(), ["/blocks/tip/height"]);
    let failed = run("sources test binance maestro");
    assert_eq!(failed.status, 1);
    assert!(failed.stderr.contains("test failed: binance, maestro"), "{}", failed.stderr);
    let rows = failed.json()["data"].as_array().unwrap().clone();
    assert!(rows[0]["reason"].as_str().unwrap().contains("503"), "{rows:?}");
    assert_eq!(rows[1]["reason"], "Set providers.maestro.api_key");
    assert_eq!(server.targets().len(), 2, "a provider without its key gets no request");
}

#[test]
fn commands_that_create_the_database_at_the_same_time_read_the_choices() {
    for _ in 0..5 {
        let shell = Shell::new();
        let children: Vec<Child> = (0..6).map(|_| shell.command("sources").spawn().unwrap()).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
        }
    }
}

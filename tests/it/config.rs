//! Configuration: precedence, origins, and errors that name their place.

mod keys;

use std::path::PathBuf;
use std::time::Duration;

use satscope::app::Session;
use satscope::app::screen::list::CoinColumn;
use satscope::client::config::Secret;
use satscope::client::{Client, Group, Paths};
use satscope::config::{self, Ascii, Dirs, Environment, Error, Flags, Settings, TEMPLATE};
use satscope::model::{Period, ProviderName, Text};
use tempfile::TempDir;

/// A directory with a configuration file in it.
struct Home(TempDir);

impl Home {
    fn with(text: &str) -> Home {
        let home = Home::empty();
        std::fs::create_dir_all(home.file().parent().unwrap()).unwrap();
        std::fs::write(home.file(), text).unwrap();
        home
    }

    fn empty() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("satscope/config.toml")
    }

    fn environment(&self, more: &[(&str, &str)]) -> Environment {
        let home = self.0.path().to_str().unwrap();
        [("HOME", "/nonexistent"), ("XDG_CONFIG_HOME", home)].iter().chain(more).copied().collect()
    }

    fn load(&self, flags: &Flags, variables: &[(&str, &str)]) -> Result<Settings, Error> {
        config::load(flags, &self.environment(variables))
    }
}

fn read(text: &str) -> Result<Settings, Error> {
    Home::with(text).load(&Flags::default(), &[])
}

/// The error message after the file's path.
fn wrong(text: &str) -> String {
    let home = Home::with(text);
    let sentence = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    sentence.strip_prefix(home.file().to_str().unwrap()).expect(&sentence).to_owned()
}

#[test]
fn defaults_are_complete() {
    let settings = Home::empty().load(&Flags::default(), &[]).unwrap();
    assert_eq!(settings.file, None);
    assert_eq!((settings.url(Group::Market), settings.url(Group::Indexer)), (None, None));
    assert!(settings.needs_service());
    assert_eq!(settings.display.convert.as_str(), "USD");
    assert_eq!(settings.display.page_size, 200);
    assert_eq!(settings.limits.total, Duration::from_secs(15));
    assert!(settings.rows().iter().all(|(_, _, origin)| origin.to_string() == "default"));
}

#[test]
fn choice_in_the_dashboard_overrides_only_the_file() {
    let chosen = |live: bool| [(String::from("live"), live.to_string())].into();
    let (plain, file) = (Home::empty(), Home::with("[source]\nlive = true\n"));
    let demo = Flags { demo: true, ..Flags::default() };
    let flag = Flags { live: true, ..Flags::default() };
    for (home, flags, choice, live, origin) in [
        (&plain, Flags::default(), true, true, "chosen in the dashboard"),
        (&file, Flags::default(), false, false, "chosen in the dashboard"),
        (&plain, demo, true, false, "--demo"),
        (&plain, flag, false, true, "--live"),
    ] {
        let mut settings = home.load(&flags, &[]).unwrap();
        settings.apply_session(&chosen(choice));
        assert_eq!((settings.source.live, settings.origin("source.live").to_string().as_str()), (live, origin));
        assert!(!settings.preferences().offers_live, "somebody has chosen: {origin}");
    }
    let mut untouched = plain.load(&Flags::default(), &[]).unwrap();
    untouched.apply_session(&Default::default());
    assert!(untouched.preferences().offers_live);
    // Hiding the offer of live data chooses nothing.
    let mut hidden = file.load(&Flags::default(), &[]).unwrap();
    hidden.apply_session(&Session { hides_live_offer: Some(true), ..Session::default() }.entries());
    assert_eq!(hidden.preferences().live, Some(true));
    assert_eq!(hidden.origin("source.live").to_string(), format!("{}:2", file.file().display()));
}

#[test]
fn flags_override_variables_which_override_the_file() {
    let home =
        Home::with("[source]\nbase_url = 'http://file'\nindexer_url = 'http://file'\n\n[display]\nconvert = 'eur'\n");
    let variables = [("SATSCOPE_BASE_URL", "http://variable"), ("SATSCOPE_INDEXER_URL", "")];
    let settings = home.load(&Flags::default(), &variables).unwrap();
    assert_eq!(settings.url(Group::Market), Some("http://variable"));
    assert_eq!(settings.url(Group::Indexer), Some("http://file"), "an empty variable counts as unset");
    assert_eq!(settings.origin("source.base_url").to_string(), "SATSCOPE_BASE_URL");
    assert_eq!(settings.origin("source.indexer_url").to_string(), format!("{}:3", home.file().display()));
    assert_eq!(settings.origin("display.convert").to_string(), format!("{}:6", home.file().display()));
    assert_eq!(settings.display.convert.as_str(), "EUR");

    let flags = Flags {
        base_url: Some("http://flag".into()),
        convert: Some("btc".into()),
        timeout: Some(2.5),
        ..Flags::default()
    };
    let settings = home.load(&flags, &variables).unwrap();
    assert_eq!(settings.url(Group::Market), Some("http://flag"));
    assert_eq!(settings.origin("source.base_url").to_string(), "--base-url");
    assert_eq!(settings.display.convert.as_str(), "BTC");
    assert_eq!(settings.limits.total, Duration::from_millis(2500));
    assert_eq!(settings.limits.first_byte, settings.limits.total, "follows the timeout unless set");
    assert!(!settings.needs_service());
}

#[test]
fn demo_overrides_configuration_and_conflicts_with_url() {
    let home = Home::with("[source]\nbase_url = 'http://file'\n");
    let demo = Flags { demo: true, ..Flags::default() };
    let settings = home.load(&demo, &[("SATSCOPE_INDEXER_URL", "http://variable")]).unwrap();
    assert_eq!((settings.url(Group::Market), settings.url(Group::Indexer)), (None, None));
    assert_eq!(settings.origin("source.base_url").to_string(), "--demo");
    let both = Flags { indexer_url: Some("http://flag".into()), ..demo };
    let error = home.load(&both, &[]).unwrap_err().to_string();
    assert!(error.starts_with("--demo can't be used with --indexer-url"), "{error}");
}

#[test]
fn template_sets_nothing_and_shows_defaults() {
    let settings = read(TEMPLATE).unwrap();
    assert!(settings.rows().iter().all(|(_, _, origin)| origin.to_string() == "default"));

    // The template lists every key, and with the comment marks removed it equals the defaults.
    let defaults = Home::empty().load(&Flags::default(), &[]).unwrap();
    let is_example = |line: &str| {
        let examples = ["base_url = \"https://market.", "indexer_url", "X-API-KEY", "Authorization", "file", "api_key"];
        let own = ["base_url = \"http://127.0.0.1"];
        examples.iter().chain(&own).any(|key| line.starts_with(key))
    };
    let has_no_default = |key: &str| matches!(key, "source.base_url" | "source.indexer_url" | "log.file");
    let uncommented: String = TEMPLATE
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ") && !is_example(line)).unwrap_or(line))
        .map(|line| format!("{line}\n"))
        .collect();
    let settings = read(&uncommented).unwrap();
    for ((key, value, origin), (_, default, _)) in settings.rows().into_iter().zip(defaults.rows()) {
        if has_no_default(&key) {
            assert!(TEMPLATE.contains(key.rsplit('.').next().unwrap()), "{key}");
            continue;
        }
        assert_ne!(origin.to_string(), "default", "{key} is missing in the template");
        if !key.starts_with("freshness.") {
            assert_eq!(value, default, "{key}");
        }
    }
}

#[test]
fn template_names_every_column() {
    let names: Vec<&str> = CoinColumn::optional().map(CoinColumn::as_str).collect();
    let comments: Vec<&str> = TEMPLATE.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let sentence = format!("Columns of the lists in their order: {}.", names.join(", "));
    assert!(comments.join(" ").contains(&sentence), "{sentence}");
}

#[test]
fn wrong_colours_are_reported() {
    let error = wrong("[theme]\nbackground = \"grey\"\ngain = \"bleu\"\nloss = 300\naccent = true\ngian = 1\n");
    for part in [
        ":2: theme.background: not one of auto, dark, light",
        ":3: theme.gain: expected a colour such as \"green\"",
        ":4: theme.loss: expected a colour such as",
        ":5: theme.accent: expected a colour such as",
        ":6: unknown key \"theme.gian\"",
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

#[test]
fn every_configuration_key_can_be_set() {
    let settings = read(
        r#"
[source]
base_url = "https://market.example/api/"
indexer_url = "http://[::1]:3000"
first_index = 0
market_headers = { X-API-KEY = "hunter2" }
[source.paths]
coins = "/v3/listings"
brc20_token = "/token?tick={ticker}"
[limits]
max_body_mib = 1
timeout = 20
first_byte_timeout = 2.5
redirects = 0
depth = 16
background_per_minute = 3
[display]
period = "3m"
page_size = 50
ascii = true
[list]
columns = ["from-ath", "price"]
[wallet]
symbols = ["BTC", "$OG$", "BTC"]
[freshness]
coins = 10
indexer = 90.5
[log]
file = "a.log"
filter = "satscope::fetch=debug,warn"
"#,
    )
    .unwrap();
    assert_eq!(settings.url(Group::Market), Some("https://market.example/api"));
    assert_eq!(settings.url(Group::Indexer), Some("http://[::1]:3000"));
    assert_eq!(settings.limits.body_bytes, 1024 * 1024);
    assert_eq!(settings.limits.total, Duration::from_secs(20));
    assert_eq!(settings.limits.first_byte, Duration::from_millis(2500));
    assert_eq!((settings.limits.redirects, settings.limits.depth), (0, 16));
    assert_eq!((settings.fetch_settings().background_per_minute, settings.preferences().background_per_minute), (3, 3));
    assert_eq!(settings.display.period, Period::Quarter);
    assert_eq!(settings.display.ascii, Ascii::Always);
    assert_eq!(settings.preferences().columns, [CoinColumn::FromAllTimeHigh, CoinColumn::Price]);
    assert_eq!(settings.wallet.symbols, ["BTC", "$OG$"]);
    assert_eq!(settings.freshness.coins, Some(Duration::from_secs(10)));
    assert_eq!(settings.freshness.posts, None);
    assert_eq!(settings.log.file, Some(PathBuf::from("a.log")));

    let client = settings.client_config("http://127.0.0.1:1");
    assert_eq!(client.first_index, 0);
    assert_eq!(client.paths.coins, "/v3/listings");
    assert_eq!(client.paths.brc20_token, "/token?tick={ticker}");
    assert!(client.market_headers[0].1 == Secret("hunter2".into()));
    assert!(!format!("{settings:?}").contains("hunter2"));
    assert!(Client::new(client).is_ok());
}

#[test]
fn embedded_service_uses_default_paths_and_gets_no_secrets() {
    let settings = read(
        "[source]\nfirst_index = 0\nindexer_url = 'http://indexer'\nmarket_headers = { a = 'market' }\n\
         indexer_headers = { b = 'indexer' }\npaths.coins = '/x'\npaths.sat = '/y/{ordinal}'\n",
    )
    .unwrap();
    let client = settings.client_config("http://127.0.0.1:1");
    assert_eq!((client.base_url.as_str(), client.indexer_url.as_str()), ("http://127.0.0.1:1", "http://indexer"));
    assert_eq!((client.market_headers.len(), client.indexer_headers.len()), (0, 1));
    assert_eq!(client.first_index, 1);
    assert_eq!(client.paths.coins, Paths::default().coins);
    assert_eq!(client.paths.sat, "/y/{ordinal}");
}

#[test]
fn headers_from_environment_are_never_shown() {
    let home = Home::with("[source.market_headers]\nX-Key = 'env:MARKET_KEY'\nX-Other = 'hunter2'\n");
    let settings = home.load(&Flags::default(), &[("MARKET_KEY", "correct horse")]).unwrap();
    let headers = &settings.source.market_headers;
    assert!(headers.iter().any(|(name, value)| name == "x-key" && value.0 == "correct horse"));
    let shown = format!("{:?} {settings:?}", settings.rows());
    assert!(!shown.contains("hunter2") && !shown.contains("correct horse"), "{shown}");
    assert!(shown.contains("source.market_headers.x-key"), "{shown}");

    let error = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    assert!(
        error.contains(":2: source.market_headers.X-Key: environment variable \"MARKET_KEY\" is not set"),
        "{error}"
    );
    for bad in ["'a b' = 'x'", "X = 5", "X = \"hunter2\\u0007\""] {
        let error = wrong(&format!("[source.market_headers]\n{bad}\n"));
        assert!(error.starts_with(":2: ") && !error.contains("hunter2"), "{error}");
    }
}

#[test]
fn unknown_keys_have_line_and_suggestion() {
    for (text, sentence) in [
        ("\n[source]\nbase_ulr = 'x'", ":3: unknown key \"source.base_ulr\" (similar: \"source.base_url\")"),
        ("base_url = 'x'", ":1: unknown key \"base_url\" (similar: \"source.base_url\")"),
        ("[display]\nqwxyz = 'x'", ":2: unknown key \"display.qwxyz\" (list keys: satscope config default)"),
        ("[source.paths]\ncoin = '/x'", ":2: unknown key \"source.paths.coin\" (similar: \"source.paths.coins\")"),
        ("[sources]\n", ":1: unknown key \"sources\" (similar: [source])"),
        ("[sorce]\nqwxyz = 1", ":2: unknown key \"sorce.qwxyz\" (similar: [source])"),
        ("[qwxyz]\na = 1", ":2: unknown key \"qwxyz.a\" (list keys: satscope config default)"),
        ("[wallet]\nsymbols.a = 1", ":2: unknown key \"wallet.symbols.a\" (similar: \"wallet.symbols\")"),
        ("[providers.foo]\napi_key = 'x'", ":2: unknown provider \"foo\" (list providers: satscope config default)"),
        ("[providers.foo]", ":1: unknown provider \"foo\" (list providers: satscope config default)"),
        ("[providers.coingeko]\nenabled = false", ":2: unknown provider \"coingeko\" (similar: \"coingecko\")"),
        (
            "[providers.coingecko]\nkey = 'x'",
            ":2: unknown key \"providers.coingecko.key\" (list keys: satscope config default)",
        ),
        (
            "[providers.coingecko]\nenable = false",
            ":2: unknown key \"providers.coingecko.enable\" (similar: \"providers.coingecko.enabled\")",
        ),
        ("[live]\nfoo = []", ":2: unknown key \"live.foo\" (list keys: satscope config default)"),
        ("[live]\nchat = []", ":2: unknown key \"live.chat\" (similar: \"live.chart\")"),
        ("[live]\ncoins = ['coingeko']", ":2: live.coins: unknown provider \"coingeko\" (similar: \"coingecko\")"),
        ("source = 5", ":1: source: expected a table, found a number"),
    ] {
        assert_eq!(wrong(text), sentence);
    }
}

#[test]
fn invalid_values_are_rejected_with_their_line() {
    for (text, part) in [
        ("[source]\nbase_url = 5", "expected a string, found a number"),
        ("[source]\nbase_url = 'localhost:8787'", "use http or https"),
        ("[source]\nbase_url = 'example'", "not a complete URL"),
        ("[source]\nbase_url = ''", "not a complete URL"),
        ("[source]\nfirst_index = 2", "2 is not between 0 and 1"),
        ("[source]\nfirst_index = 99999999999999999999", "found a number larger than 64 bits"),
        ("[source]\npaths.sat = '/sat'", "must contain {ordinal} exactly once"),
        ("[source]\npaths.coins = '/{ticker}'", "no placeholder allowed"),
        ("[limits]\ntimeout = 0", "0 is not between"),
        ("[limits]\ntimeout = nan", "NaN is not between"),
        ("[limits]\ntimeout = inf", "inf is not between"),
        ("[limits]\ntimeout = '15'", "expected seconds"),
        ("[limits]\nmax_body_mib = -1", "-1 is not between"),
        ("[display]\nconvert = 'US Dollar'", "\"US Dollar\" is not a currency code"),
        ("[display]\nconvert = 'ABC'", ":2: display.convert: \"ABC\" is not a currency code (examples: USD, EUR, BTC)"),
        ("[display]\nperiod = '2Y'", "not one of 1D, 7D, 1M, 3M, 1Y, All"),
        ("[display]\nascii = 'yes'", "not one of true, false"),
        ("[wallet]\nsymbols = 'BTC,ORDI'", "expected a list"),
        ("[live]\ncoins = ['coingecko', 'bluesky']", ":2: live.coins: bluesky doesn't serve coins"),
        ("[alerts]\ncommand = ['', 'text']", ":2: alerts.command: expected a program as the first string"),
        ("[log]\nfilter = 'deubg'", ":2: log.filter: invalid log filter (\"deubg\" is not one of error, warn,"),
        ("[wallet]\nsymbols = ['BTC,ORDI']", "without commas"),
        ("[wallet]\nsymbols = ['BTC', '']", "a symbol must not be empty"),
        ("[list]\ncolumns = 'price'", "expected a list such as [\"price\", \"24h\"], found a string"),
        ("[list]\ncolumns = []", "list at least one column"),
        (
            "[list]\ncolumns = ['price', 'price', 5]",
            "\"price\" is listed twice; expected the name of a column, found a",
        ),
        ("[list]\ncolumns = ['name']", "\"name\" is always shown; leave it out"),
        (
            "[list]\ncolumns = ['beauty', 'size']",
            ":2: list.columns: unknown columns \"beauty\", \"size\" (list columns: satscope config default)",
        ),
        ("[list]\ncolumns = ['beauty']", "unknown column \"beauty\" (list columns: satscope config default)"),
        ("[list]\ncolumns = ['volumes', 'name']", "leave it out; unknown column \"volumes\" (similar: \"volume\")"),
        ("[freshness]\ncoins = 1", "1 is not between 2 and 86400"),
        ("[log]\nfilter = 'a=b=c'", "invalid log filter"),
        ("[log]\nfile = 2026-11-19", "found a time"),
        ("[display]\nconvert = 'EUR'\nconvert = 'USD'", "display.convert is already set in line 2"),
        ("[display]\nconvert = EUR", "display.convert: text needs quotes, as in \"EUR\""),
        ("[source]\nbase_url = ", "not valid TOML"),
    ] {
        let sentence = wrong(text);
        let line = if part == "not valid TOML" || part.contains("already set") { text.lines().count() } else { 2 };
        assert!(sentence.starts_with(&format!(":{line}: ")) && sentence.contains(part), "{text}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
}

#[test]
fn syntax_errors_do_not_hide_other_errors() {
    let home = Home::with(
        "[source]
base_url = 'localhost
live = 5
[display
convert = 'ABC'
period '7D'
page_size = 0
[list]
columns = [
  'price',
  'beauty'
[keys]
opne = 'o'
zoom = z
copy = 'ctrl-c'
[display]
averages = [7, 7]
",
    );
    let error = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    let found: Vec<&str> =
        error.lines().map(|line| line.strip_prefix(home.file().to_str().unwrap()).unwrap()).collect();
    let begins = [
        ":2: not valid TOML (invalid literal string, expected `'`)",
        ":3: source.live: ",
        ":4: not valid TOML (unclosed table, expected `]`)",
        ":5: display.convert: \"",
        ":6: not valid TOML (key with no value, expected `=`)",
        ":7: display.page_size: ",
        ":9: not valid TOML (",
        ":13: keys.opne: unknown command",
        ":14: keys.zoom: text needs quotes",
        ":15: keys.copy: \"ctrl-c\" always quits",
        ":16: not valid TOML (duplicate key)",
        ":17: display.averages: ",
    ];
    assert_eq!(found.len(), begins.len(), "{found:#?}");
    found.iter().zip(begins).for_each(|(line, begin)| assert!(line.starts_with(begin), "{begin}: {line}"));
}

#[test]
fn secrets_in_a_url_are_rejected_and_not_repeated() {
    for url in ["https://me:hunter2@example.org", "https://example.org?key=hunter2"] {
        let flags = Flags { base_url: Some(url.into()), ..Flags::default() };
        let error = Home::empty().load(&flags, &[]).unwrap_err().to_string();
        assert!(error.starts_with("--base-url: ") && !error.contains("hunter2"), "{error}");
    }
    let error = Home::empty().load(&Flags::default(), &[("SATSCOPE_INDEXER_URL", "nowhere")]).unwrap_err().to_string();
    assert!(error.starts_with("SATSCOPE_INDEXER_URL: source.indexer_url: not a complete URL"), "{error}");
}

/// Opening a pipe without a writer would block forever.
#[cfg(unix)]
#[test]
fn pipe_as_configuration_file_does_not_hang() {
    let home = Home::with("");
    std::fs::remove_file(home.file()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(home.file()).status().unwrap().success());
    // Opening it succeeds and reads nothing.
    let file = home.file();
    let writer = std::thread::spawn(move || drop(std::fs::OpenOptions::new().write(true).open(file)));
    let error = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    assert!(error.ends_with("config.toml: a named pipe, not a regular file"), "{error}");
    drop(std::fs::File::open(home.file()));
    writer.join().unwrap();
    let named = Flags { config: Some("/dev/null".into()), ..Flags::default() };
    assert!(home.load(&named, &[]).is_ok(), "a file named by --config is read");
}

#[test]
fn named_configuration_file_must_exist_and_be_text() {
    let home = Home::empty();
    let named = |name: &str| Flags { config: Some(home.0.path().join(name)), ..Flags::default() };
    let error = home.load(&named("missing.toml"), &[]).unwrap_err().to_string();
    assert!(error.contains("missing.toml: can't read the configuration"), "{error}");
    std::fs::write(home.0.path().join("bytes.toml"), [0xff, 0xfe]).unwrap();
    let error = home.load(&named("bytes.toml"), &[]).unwrap_err().to_string();
    assert!(error.ends_with("bytes.toml:1: not UTF-8 text (save the file as UTF-8)"), "{error}");
    std::fs::write(home.0.path().join("latin.toml"), b"[display]\n# Z\xc3\xbcrich\nconvert = 'EUR' # Z\xfcrich\n")
        .unwrap();
    let error = home.load(&named("latin.toml"), &[]).unwrap_err().to_string();
    assert!(error.ends_with("latin.toml:3: not UTF-8 text (save the file as UTF-8)"), "{error}");
    assert!(home.load(&named("."), &[]).is_err());
    std::fs::write(home.0.path().join("bom.toml"), "\u{feff}[display]\r\nconvert = 'EUR'\r\n").unwrap();
    let settings = home.load(&named("bom.toml"), &[]).unwrap();
    assert_eq!(settings.display.convert.as_str(), "EUR");
    assert!(settings.origin("display.convert").to_string().ends_with("bom.toml:2"));
}

#[test]
fn directories_follow_xdg() {
    let find = |pairs: &[(&str, &str)]| Dirs::find(&pairs.iter().copied().collect());
    let dirs =
        find(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "relative"), ("XDG_STATE_HOME", "/s"), ("XDG_CACHE_HOME", "")]);
    assert_eq!(dirs.config, Some(PathBuf::from("/h/.config/satscope")));
    assert_eq!(dirs.state, Some(PathBuf::from("/s/satscope")));
    assert_eq!(dirs.cache, Some(PathBuf::from("/h/.cache/satscope")));
}

#[test]
fn headers_set_by_http_are_rejected() {
    for name in [
        "Content-Length",
        "HOST",
        "range",
        "If-None-Match",
        "If-Modified-Since",
        "Transfer-Encoding",
        "Connection",
        "TE",
        "Upgrade",
        "Accept-Encoding",
        "Proxy-Authorization",
        "Expect",
        "Keep-Alive",
        "Trailer",
    ] {
        for table in ["market_headers", "indexer_headers"] {
            let error = wrong(&format!("[source.{table}]\n{name} = 'x'\n"));
            assert_eq!(error, format!(":2: source.{table}.{name}: this header is set automatically; remove it"));
        }
    }
    assert!(read("[source.market_headers]\nAccept = 'application/json'\nX-Range = '1'\nCookie = 'a=b'\n").is_ok());
}

#[test]
fn long_names_are_shortened_in_errors() {
    let long = "k".repeat(1_000_000);
    for text in [
        format!("{long} = 1\n"),
        format!("[{long}]\na = 1\n"),
        format!("[source]\n{long} = 1\n"),
        format!("[source.market_headers]\n{long} = 1\n"),
        format!("[source.market_headers]\nX-Key = 'env:{long}'\n"),
        format!("[log]\nfilter = '{long}={long}'\n"),
        format!("[source]\nbase_url = '{long}://a.example'\n"),
        format!("[{long}"),
        format!("{long} = 1\n{long} = 2\n"),
    ]
    .iter()
    .map(|text| &text[..text.len().min(1_000_000)])
    {
        let error = wrong(text);
        assert!(error.len() < 600, "{} bytes for {:.40}", error.len(), text);
    }
}

#[test]
fn coins_are_corrected_by_slug() {
    let settings = read(
        "[coins.sats-ordinals]\ncoinmarketcap = 28\ncoingecko = ''\nbinance = '1000SATSUSDT'\nbinance_factor = 1000\n\
         hashtags = ['#sats', 'brc20']\n[coins.'a.b']\nbrc20 = 'AB'\n",
    )
    .unwrap();
    let sats = &settings.live.corrections["sats-ordinals"];
    let id = |provider| sats.ids.get(provider).map(Text::as_str);
    let ids = [ProviderName::CoinMarketCap, ProviderName::CoinGecko, ProviderName::CoinPaprika].map(id);
    assert_eq!(ids, [Some("28"), Some(""), None]);
    assert_eq!(sats.listings.get(ProviderName::Binance).and_then(|listing| listing.factor), Some(1000.0));
    let rows = settings.rows();
    let shown = |key: &str| rows.iter().find(|(known, ..)| known == key).map(|(_, value, _)| value.as_str());
    assert_eq!(shown("coins.sats-ordinals.hashtags"), Some("sats, brc20"));
    assert_eq!(shown("coins.a.b.brc20"), Some("ab"));
    for (text, sentence) in [
        ("[coins.ordi]\ncoingeko = 'x'", ":2: coins.ordi.coingeko: unknown key (similar: \"coingecko\")"),
        ("[coins.ordi]\ncolour = 'x'", ":2: coins.ordi.colour: unknown key (list keys: satscope config default)"),
        (
            "[coins.ordi]\ncoinmarketcap = 'ordi'",
            ":2: coins.ordi.coinmarketcap: CoinMarketCap IDs are numbers, such as \"25028\"",
        ),
        ("[coins.ordi]\nokx_factor = 0", ":2: coins.ordi.okx_factor: 0 is not between 1 and 1000000000"),
        ("[coins.Ordi]\nbrc20 = 'ordi'", ":2: coins.Ordi.brc20: \"Ordi\" is not a slug such as \"sats-ordinals\""),
        (
            "[coins.ordi]\nhashtags = 'x'",
            ":2: coins.ordi.hashtags: expected a list such as [\"ordi\", \"brc20\"], found a string",
        ),
        ("coins = 5", ":1: coins: expected a table, found a number"),
    ] {
        assert_eq!(wrong(text), sentence);
    }
}

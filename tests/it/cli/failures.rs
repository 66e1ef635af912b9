//! Failing commands: usage errors, failing services, closed or full outputs.

use std::io::Read as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::server::{Run, Server, Shell};
use super::{many_coins, world};

#[test]
fn unknown_option_has_no_misleading_tip() {
    let run = Shell::new().run("pairs ordi --offset 3");
    run.fails(2, "unexpected argument '--offset' found");
    assert!(!run.stderr.contains("tip:"), "{}", run.stderr);
}

#[test]
fn unknown_option_for_a_url_names_the_right_ones() {
    for option in ["--service", "--server", "--url"] {
        for line in [format!("{option} http://a.example coins"), format!("coins {option}=http://a.example")] {
            let run = Shell::new().run(&line);
            run.fails(2, &format!("unexpected argument '{option}' found"));
            let tip = "  tip: to set a URL, use '--base-url' (market data) or '--indexer-url' (indexer)\n";
            assert!(run.stderr.contains(tip) && !run.stderr.contains("--reverse"), "{line}: {}", run.stderr);
        }
        let run = Shell::new().run(&format!("serve {option} http://a.example"));
        assert!(!run.stderr.contains("--base-url"), "serve has no such option: {}", run.stderr);
    }
}

#[test]
fn commands_that_change_something_say_that_they_have_not() {
    let shell = Shell::new().with("SATSCOPE_BASE_URL", "http://127.0.0.1:1");
    for (command, last, outcome) in [
        ("wallet add 5 ordi @", "3", "lot not added: "),
        ("watchlist add", "ordi", "nothing added: "),
        ("alerts add", "ordi > 10", "alert not added: "),
        ("notes add ordi", "text", "note not added: "),
    ] {
        let run = Run::of(command, shell.command(command).arg(last).output().unwrap());
        run.fails(1, &format!("satscope: {outcome}"));
    }
}

#[test]
fn commands_with_an_unknown_coin_say_that_they_have_changed_nothing() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    for (command, last, outcome) in [
        ("wallet add 5 nocoin @", "3", "lot not added: unknown coin nocoin"),
        ("watchlist add", "nocoin", "nothing added: unknown coin nocoin"),
        ("alerts add", "nocoin > 10", "alert not added: unknown coin nocoin"),
        ("notes add nocoin", "text", "note not added: unknown coin nocoin"),
    ] {
        let run = Run::of(command, shell.command(command).arg(last).output().unwrap());
        run.fails(1, &format!("satscope: {outcome}"));
    }
}

#[test]
fn invalid_command_line_exits_with_2_without_requests() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server).with("EMPTY", " ").with("SPACED", "a b");
    let long = "x".repeat(300);
    for (command, part) in [
        ("stars", "unrecognized subcommand"),
        ("alerts watch --for -1", "not between 1s and 365d"),
        ("alerts watch --for 366d", "not between 1s and 365d"),
        ("alerts watch --for 1w", "not a duration such as 90 (seconds), 30m or 1h"),
        ("alerts watch --for 0", "not between 1s and"),
        ("alerts watch --for 1e19", "not between 1s and"),
        ("alerts watch --for nan", "not between 1s and"),
        ("coins extra", "unexpected argument"),
        ("coins --tag nft", "possible values: all, brc-20, bitcoin-ecosystem"),
        ("sources enable nope", "possible values: coinmarketcap, coingecko, "),
        ("sources test nope", "possible values: coinmarketcap, coingecko, "),
        ("sources order coins nope", "possible values: coinmarketcap, coingecko, "),
        ("sources order nope coingecko", "possible values: coins, tagged, "),
        ("config backup -", "a backup can't be written to standard output; name a file"),
        ("market BTC --count 0", "not a whole number from 1 to 10,000"),
        ("coins --limit 0", "not a whole number from 1"),
        ("coins --limit 4294967296", "not a whole number from 1 to 4,294,967,295"),
        ("coins --limit -1", "not a whole number from 1"),
        ("posts ORDI --limit 0", "not a whole number from 1"),
        ("pairs ORDI --limit x", "not a whole number from 1"),
        ("stats --limit -1", "not a whole number from 1"),
        ("coins --start 0", "not a whole number from 1 to 2,147,483,647"),
        ("coins --start 2147483648", "not a whole number from 1 to 2,147,483,647"),
        ("coins --format xml", "invalid value 'xml'"),
        ("coins --convert US$", "--convert: \"US$\" is not a currency code"),
        ("coins --timeout 0", "--timeout: 0 is not between"),
        ("coins --timeout -1", "-1 is not between"),
        ("coins --timeout inf", "inf is not between"),
        ("coins --timeout soon", "invalid value 'soon'"),
        ("coins --base-url localhost:1", "--base-url: unsupported scheme localhost"),
        ("coins --base-url http://a:b@localhost", "--base-url: a URL can't contain a user name"),
        ("coins --demo --base-url http://localhost", "--demo can't be used with --base-url"),
        ("coins --config missing.toml", "missing.toml: can't read the configuration"),
        ("posts", "required"),
        ("posts ORDI,BTC", "can't contain a comma"),
        ("posts ORDI --type best", "possible values: top, latest"),
        ("pairs", "required"),
        ("chart", "required"),
        ("chart ordi --period 2Y", "possible values: 1D, 7D, 1M, 3M, 1Y, All"),
        ("market", "required"),
        ("market BTC,ORDI", "can't contain a comma"),
        (
            "serve --listen 0.0.0.0:0",
            "refusing to listen on 0.0.0.0:0 without a token: pass --token-env NAME, or --no-token",
        ),
        ("serve --token-env SATSCOPE_NO_TOKEN", "environment variable SATSCOPE_NO_TOKEN is not set (--token-env"),
        ("serve --token-env=", "must not be empty"),
        ("serve --token-env EMPTY", "environment variable EMPTY is empty"),
        (
            "serve --shared http://a:secret@b",
            "invalid value for '--shared <URL>': not a URL such as redis://localhost:6379",
        ),
        ("serve --token-env SPACED", "the token in SPACED must be printable ASCII without spaces"),
        ("market BTC --count 0", "not a whole number from 1"),
        ("market BTC --interval 5&x=1", "not an interval"),
        ("stats --tag x", "possible values"),
        ("brc20", "'satscope brc20' requires a subcommand but one was not provided\n  [subcommands: tokens, "),
        ("brc20 token", "required"),
        (&format!("brc20 token {long}"), "longer than 256 bytes"),
        ("coins --timeout x", "not a number of seconds"),
        ("serve --listen nonsense", "not an address with a port"),
        ("serve --max-age x", "not a whole number from 0 to 31,536,000"),
        ("serve --max-age -1", "not a whole number from 0 to 31,536,000"),
        ("serve --max-age 31536001", "not a whole number from 0 to 31,536,000"),
        ("serve --seed -1", "not a whole number of at least 0"),
        ("serve --live --seed 3", "--seed works only with simulated data"),
        ("serve --no-token --token-env TOKEN", "cannot be used with"),
        ("line {ordi} --format json", "--format doesn't apply to line"),
        ("config path --format csv", "--format doesn't apply to config path"),
        ("config default --format csv", "--format doesn't apply to config default"),
        ("man --format json", "--format doesn't apply to man"),
        ("wallet export --format table", "--format table doesn't apply to wallet export (use csv or json)\n"),
        ("wallet export --cost fifo", "--cost doesn't apply to wallet export"),
        ("serve --delay-ms x", "not a whole number from 0 to 3,600,000"),
        ("serve --delay-ms -1", "not a whole number from 0 to 3,600,000"),
        ("serve --delay-ms 3600001", "not a whole number from 0 to 3,600,000"),
        ("serve --rate-limit-every x", "not a whole number from 1 to 4,294,967,295"),
        ("serve --rate-limit-every 0", "not a whole number from 1 to 4,294,967,295"),
        ("serve --requests-per-minute 0", "not a whole number from 1 to 4,294,967,295"),
        ("serve --requests-per-minute -1", "not a whole number from 1 to 4,294,967,295"),
        ("serve --requests-per-minute 4294967296", "not a whole number from 1 to 4,294,967,295"),
        ("serve --error-rate nan", "not between 0 and 1"),
        ("serve --error-rate -1", "not between 0 and 1"),
        ("inscription-stats --from-block x", "not a whole number of at least 0"),
        ("inscription-stats --to-block -5", "not a whole number of at least 0"),
        ("brc20 holders ordi --offset -1", "not a whole number from 0 to 2,147,483,647"),
        ("brc20 holders ordi --offset 2147483648", "not a whole number from 0 to 2,147,483,647"),
        ("inscriptions --offset 18446744073709551615", "not a whole number from 0 to 2,147,483,647"),
        ("sat inscriptions 5 --offset 18446744073709551616", "not a whole number from 0 to 2,147,483,647"),
        ("brc20 activity --block-height 0", "not a whole number of at least 1"),
        ("brc20 activity --block-height x", "invalid value"),
        ("brc20 activity ordi --ticker sats", "two tickers given: ordi and --ticker sats\n"),
        ("brc20 balances", "required"),
        ("sat", "required"),
        ("sat -5", "\"-5\" is not a sat number, decimal, degree, percentile or name\n"),
        ("sat 2099999997690000", "is not a sat"),
        ("sat nvtdijuwxlpa", "is not a sat"),
        ("sat 1.5000000000", "is not a sat"),
        ("sat inscriptions", "required"),
        ("sat inscriptions x1", "is not a sat"),
        ("sat 5 inscriptions 5", "use either"),
        ("inscription", "required"),
        ("inscription i0", "is not an inscription"),
        ("inscription 1.5", "is not an inscription"),
        ("inscription-stats --from-block 9 --to-block 8", "must not exceed"),
        ("serve --listen 8787", "invalid value '8787'"),
        ("serve --error-rate 2", "not between 0 and 1"),
        ("completions tcsh", "invalid value 'tcsh'"),
        ("config", "requires a subcommand"),
    ] {
        shell.run(command).fails(2, part);
    }
    assert_eq!(server.targets(), Vec::<String>::new());
}

#[test]
fn long_arguments_are_shortened_in_errors() {
    let long = "x".repeat(5_000);
    for (command, status) in [
        ("brc20 token", 2),
        ("chart", 2),
        ("sat", 2),
        ("inscription", 2),
        ("", 2),
        ("coins --tag", 2),
        ("coins", 2),
        ("alerts add", 2),
        ("alerts add ordi >", 2),
        ("wallet add", 2),
        ("wallet add 1 ordi", 2),
        ("--demo wallet add 1", 1),
        ("serve --token-env", 2),
    ] {
        let run = Shell::new().run(&format!("{command} {long}"));
        assert_eq!(run.status, status, "{command}");
        assert!(run.stderr.len() < 600 && run.stderr.contains("xxxx"), "{command}: {}", run.stderr);
    }
    let run = Shell::new().run(&format!("coins --base-url http://a.example/{long}"));
    run.fails(2, "--base-url: the URL is longer than 2048 bytes\n");
}

#[test]
fn usage_errors_name_valid_values() {
    let shell = Shell::new();
    shell.run("coins --limit -5").fails(2, "not a whole number from 1");
    shell.run("brc20 tokens --offset -1").fails(2, "not a whole number from 0 to 2,147,483,647");
    shell.run("--timeout 0 coins").fails(2, "--timeout");
    for (command, part) in [
        ("sources enable coingeko", "tip: a similar value exists: 'coingecko'"),
        ("sources order chat okx", "tip: a similar value exists: 'chart'"),
        ("sources test zz", "invalid value 'zz' for '[NAME]...'\n  [possible values: coinmarketcap, coingecko, "),
    ] {
        let run = shell.run(command);
        assert!(run.stderr.contains(part) && run.stderr.lines().all(|line| line.len() <= 80), "{}", run.stderr);
        run.fails(2, "try '--help'");
    }
    for (command, lines) in [
        ("sources order", "  <OPERATION>\n  [possible values: coins, tagged, "),
        ("sources order", "  <NAME>...\n  [possible values: coinmarketcap, coingecko, "),
        ("sources enable", "  <NAME>...\n  [possible values: coinmarketcap, coingecko, "),
        ("completions", "  <SHELL>\n  [possible values: bash, "),
        ("chart", "  <COIN>\n\n"),
    ] {
        let run = shell.run(command);
        assert!(run.stderr.contains(lines) && run.stderr.lines().all(|line| line.len() <= 80), "{}", run.stderr);
        run.fails(2, "try '--help'");
    }
    shell.run("posts bitcion").fails(1, "unknown coin bitcion (similar: bitcoin)\n");
    shell.run("watchlist add oordi").fails(1, "nothing added: unknown coin oordi (similar: ordi)\n");
    shell.run("chart nope").fails(1, "unknown coin nope (list slugs: satscope coins --limit 5000 --format csv)\n");
    shell
        .run("brc20 token nope")
        .fails(1, "BRC-20 token nope from the embedded service: Not found (404); check the spelling\n");
    for (ticker, shown) in [(" ", "\" \""), ("abc ", "\"abc \"")] {
        let run = Run::of(ticker, shell.command("brc20 token").arg(ticker).output().unwrap());
        run.fails(1, &format!("BRC-20 token {shown} from the embedded service: "));
    }
    shell
        .run("inscription -5")
        .fails(1, "Inscription -5 from the embedded service: Not found (404); check the number\n");
    for command in ["coins", "chart bitcoin", "wallet"] {
        let sentence = "unsupported currency AED (try USD, EUR or BTC)";
        if command == "wallet" {
            shell.run("wallet add 5 ordi --demo").ok();
        }
        let run = shell.run(&format!("{command} --convert AED"));
        assert!(run.stderr.contains(sentence) && !run.stderr.contains("slug"), "{command}: {}", run.stderr);
    }
    shell.run("coins --convert sats").fails(1, "unsupported currency SATS (SAT is the currency, SATS a token)");
    let empty = shell.run("coins --demo --start 9000 --format table");
    assert_eq!((empty.status, empty.stderr.as_str()), (0, "satscope: no coins\n"));
    assert!(shell.run("coins --help").ok().stdout.contains("all, brc-20 or bitcoin-ecosystem"));
}

#[test]
fn failures_exit_with_1_and_one_sentence() {
    for (status, body, part) in [
        (404, r#"{"error":"Not found"}"#, "Not found (404)"),
        (429, "{}", "Rate-limited (429)"),
        (401, r#"{"status":{"error_code":1001,"error_message":"bad key\u001b[2J"}}"#, "check the API key"),
        (200, r#"{"status":{"error_code":1002,"error_message":"key missing"}}"#, "key missing"),
        (200, "<html>", "Expected JSON"),
        (200, "", "Empty response"),
        (200, r#"{"hello":"world"}"#, "Unknown response format"),
    ] {
        let server = Server::start(move |_| (status, body.to_owned()));
        let run = Shell::on(&server).run("coins");
        run.fails(1, part);
        assert!(
            run.stderr.contains(server.url.trim_start_matches("http://")) && !run.stderr.contains('\x1b'),
            "{}",
            run.stderr
        );
    }
    let server = Server::start(|_| (200, String::from(r#"{"ticker":"sats","max":"21000000"}"#)));
    let run = Shell::on(&server).run("brc20 token ordi");
    run.fails(1, "Response is about sats, not ordi; check the spelling\n");
    assert!(!run.stderr.contains("404"), "{}", run.stderr);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    Shell::new().run(&format!("coins --base-url http://{closed}")).fails(1, "connection refused");
}

#[test]
fn rate_limited_pages_are_requested_again_after_the_wait() {
    for (command, wait, status) in [
        ("coins --limit 80", "Retry-After: 1\r\n", 0),
        ("coins --limit 80 --timeout 0.5", "Retry-After: 1\r\n", 1),
        ("coins --limit 80", "Retry-After: 60\r\n", 1),
        ("coins --limit 80", "", 1),
    ] {
        let requests = AtomicU32::new(0);
        let limited = move |target: &str| match requests.fetch_add(1, Ordering::Relaxed) {
            1 => (429, String::from(r#"{"error":"rate-limited; retry after 1 s"}"#)),
            _ => many_coins(target),
        };
        let server = Server::with_headers(wait, limited);
        let run = Shell::on(&server).run(command);
        assert_eq!(run.status, status, "{command} {wait}: {}", run.stderr);
        if status == 0 {
            assert_eq!(run.ok().json()["data"].as_array().unwrap().len(), 80);
            assert_eq!(server.targets().len(), 3);
            continue;
        }
        assert_eq!(server.targets().len(), 2);
        let end = match wait {
            "" => "Rate-limited (429)\n",
            "Retry-After: 1\r\n" => "Rate-limited (429); try again in 1 s\n",
            _ => "Rate-limited (429); try again in 60 s\n",
        };
        assert!(run.stderr.ends_with(end), "{}", run.stderr);
    }
}

#[test]
fn missing_response_ends_at_the_timeout() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    Shell::new().run(&format!("coins --timeout 0.2 --base-url http://{address}")).fails(1, "within 0.2 s");
}

#[test]
fn endless_coins_list_ends_at_the_limit() {
    let server = Server::start(|target| {
        let start: u64 = target.split("start=").nth(1).unwrap().split('&').next().unwrap().parse().unwrap();
        let filler = "x".repeat(30_000);
        let coin =
            |id| format!(r#"{{"id":{id},"name":"C","symbol":"C{id}","slug":"c{id}","price":1,"filler":"{filler}"}}"#);
        (200, format!(r#"{{"data":[{}]}}"#, (start..start + 10).map(coin).collect::<Vec<_>>().join(",")))
    });
    let shell = Shell::on(&server);
    let config = shell.home.path().join("config.toml");
    std::fs::write(&config, "[limits]\nmax_body_mib = 1\n").unwrap();
    let run = shell.run(&format!("coins --limit 4294967295 --config {}", config.display())).ok();
    assert_eq!(run.json()["data"].as_array().unwrap().len(), 40);
    assert_eq!(
        run.json()["warnings"],
        serde_json::json!(["list truncated after 40 rows (1 MiB); continue with --start 41"])
    );
}

/// A limit on the file size acts like a full disk.
#[test]
#[cfg(target_os = "linux")]
fn failed_config_init_does_not_leave_a_file() {
    let shell = Shell::new();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" config init", env!("CARGO_BIN_EXE_satscope")]);
    let output = command.env_clear().env("HOME", shell.home.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("(file too large") && !said.contains("permission"), "{said}");
    let folder = shell.home.path().join(".config/satscope");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    // Of a process that was killed, and of one that is writing now.
    let (abandoned, current) = (folder.join(".satscope-config-AbCdEf"), folder.join(".satscope-config-GhIjKl"));
    std::fs::write(&current, "").unwrap();
    // Vim's, with a configuration that the user has not saved yet.
    let swap = folder.join(".config.toml.swp");
    for old in [&abandoned, &swap] {
        let file = std::fs::File::create(old).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_hours(1)).unwrap();
    }
    let path = folder.join("config.toml");
    assert_eq!(shell.run("config init").ok().stdout, format!("{}\n", path.display()));
    assert_eq!((abandoned.exists(), current.exists(), swap.exists()), (false, true, true));
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_fails_command() {
    let server = Server::start(world::response);
    for command in ["coins --format json", "coins --format csv", "coins --format table", "config path", "man", "--help"]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Shell::on(&server).command(command).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(said, "satscope: can't write to standard output (disk full)\n", "{command}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn config_init_that_cannot_print_the_path_says_that_the_file_was_created() {
    let shell = Shell::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = shell.command("config init").stdout(full).output().unwrap();
    let path = shell.home.path().join(".config/satscope/config.toml");
    let sentence = format!("can't write to standard output (disk full); {} was created", path.display());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("satscope: {sentence}\n"));
    assert!(path.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_after_a_change_says_that_it_was_saved() {
    let shell = Shell::new();
    for (command, is_saved) in [
        ("wallet add 1 ordi @ 1", true),
        ("wallet edit 1 --note x", true),
        ("wallet", false),
        ("wallet export", false),
        ("wallet remove 1", true),
        ("wallet address add bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", true),
        ("alerts add ordi > 1000", true),
        ("alerts off 1", true),
        ("alerts off 1", false),
        ("alerts remove 1", true),
        ("notes add ordi text", true),
        ("notes remove ordi --all", true),
        ("watchlist add ordi", true),
        ("watchlist remove ordi", true),
        ("sources disable okx", true),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = shell.command(&format!("--demo {command}")).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        let end = if is_saved { "; the change was saved" } else { "" };
        // How to add removed lots again is said, too.
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("; to undo: ")).collect();
        assert_eq!(said, [format!("satscope: can't write to standard output (disk full){end}")], "{command}");
    }
    assert_eq!(shell.run("wallet export --format csv").ok().stdout.lines().count(), 1);
}

#[test]
fn closed_pipe_is_silent() {
    let server = Server::start(many_coins);
    for command in
        ["coins", "coins --format csv", "coins --format table", "man", "completions bash", "--help", "config show"]
    {
        let mut child = Shell::on(&server).command(command).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{command}");
    }
}

/// Some services repeat a rejected key in their error.
#[test]
fn echoed_api_key_is_redacted_on_stderr_and_in_log() {
    let key = "3f9a-SECRET/abcdef+0123456789==";
    let echo = |body: &str| body.replace("KEY", &key.replace('/', "\\/")).replace("CUT", &key[..20]);
    for (status, body) in [
        (401, r#"{"status":{"error_code":1001,"error_message":"the key KEY is not known"}}"#),
        (403, "denied: KEY"),
        (404, r#"{"error":"nothing for KEY"}"#),
        (429, r#"{"error":"KEY: slow down"}"#),
        (500, r#"{"error":"CUT… is the beginning of it"}"#),
        (200, r#"{"status":{"error_code":1002,"error_message":"KEY is missing"}}"#),
        (200, "<html><title>KEY</title>"),
        (200, r#"{"KEY":"KEY","detail":"KEY"}"#),
        (200, r#"{"data":[{"id":1,"name":"A","symbol":"A","price":"KEY"}]}"#),
    ] {
        let said = echo(body);
        let server = Server::start(move |_| (status, said.clone()));
        let shell = Shell::on(&server).with("SATSCOPE_LOG", "trace").with("KEY", key);
        let (config, log) = (shell.home.path().join("config.toml"), shell.home.path().join("log"));
        std::fs::write(&config, "[source.market_headers]\nX-API-KEY = 'env:KEY'\nAuthorization = 'Bearer KEY2KEY2'\n")
            .unwrap();
        let run = shell.run(&format!("coins --format table --config {} --log {}", config.display(), log.display()));
        let output = format!("{}{}{}", run.stdout, run.stderr, std::fs::read_to_string(&log).unwrap());
        assert!(!output.contains(&key[..12]) && !output.contains(&key[12..]), "{status} {body}: {output}");
        assert!(run.stderr.contains("(redacted)"), "{status} {body}: {}", run.stderr);
    }
}

#[test]
fn all_configuration_errors_are_reported() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    let config = shell.home.path().join("config.toml");
    std::fs::write(&config, "[display]\nperiod = '2Y'\n[keys]\nopne = 'o'\ncopy = 'ctrl-i'\n").unwrap();
    let run = shell.run(&format!("coins --config {}", config.display()));
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        format!(
            "satscope: {}:\n  line 2: display.period: not one of 1D, 7D, 1M, 3M, 1Y, All\n  \
             line 4: keys.opne: unknown command \"opne\" (similar: \"open\")\n  \
             line 5: keys.copy: terminals send \"ctrl-i\" as \"tab\"; use \"tab\"\n",
            config.display()
        )
    );
}

#[test]
fn limits_of_price_history_are_checked_before_the_request() {
    let shell = Shell::new();
    for (command, part) in [
        ("market BTC --count 0", "invalid value '0' for '--count <N>': not a whole number from 1 to 10,000\n"),
        ("market BTC --count 99999", "invalid value '99999' for '--count <N>': not a whole number from 1 to 10,000\n"),
        ("market BTC --interval 2m", "--interval 2m must be one of 5m, 10m, "),
        ("--live market BTC --interval 30s", "--interval 30s is too short for live data (minimum 1m)"),
    ] {
        shell.run(command).fails(2, part);
    }
}

#[test]
fn other_services_have_their_own_limits_of_price_history() {
    let server = Server::start(|_| (404, String::from("{}")));
    let shell = Shell::on(&server);
    shell.run("market BTC --count 20000 --interval 2m").fails(1, "");
    assert!(server.targets().iter().any(|target| target.contains("count=20000") && target.contains("interval=2m")));
}

#[test]
fn missing_folder_of_a_backup_is_named() {
    let shell = Shell::new();
    shell.run("--demo wallet add 2 ordi @ 5").ok();
    let folder = shell.home.path().join("no/such");
    let file = folder.join("copy.db");
    let reason = format!("can't back up the user data: {} (no such directory)", folder.display());
    shell.run(&format!("config backup {}", file.display())).fails(1, &reason);
}

#[test]
fn errors_show_only_the_beginning_of_an_extended_key() {
    let shell = Shell::new();
    let key = format!("xprv9s21Z{}", "rQH143K2".repeat(13));
    for (command, status) in [
        (format!("wallet add 5 ordi {key}"), 2),
        (format!("wallet add {key}"), 2),
        (format!("wallet add 5 {key}"), 1),
        (format!("wallet add 5 ordi @ {key}"), 2),
        (format!("wallet add 5 ordi --address bitcoin:{key}"), 2),
        (format!("wallet address add {key}"), 2),
        (format!("alerts add btc {key} > 1"), 2),
        (format!("inscription {key}"), 2),
        (format!("brc20 token {key}"), 2),
        (format!("notes add {key} x"), 2),
        (format!("sat {key}"), 2),
        (format!("coins --limit {key}"), 2),
        (format!("{key} coins"), 2),
    ] {
        let run = shell.run(&format!("--demo {command}"));
        let shown = run.stderr.to_lowercase();
        assert_eq!(run.status, status, "{command}: {}", run.stderr);
        assert!(shown.contains("xprv9s21…") && !shown.contains(&key[..9].to_lowercase()), "{command}: {}", run.stderr);
    }
    let refused = shell.run(&format!("--demo wallet add 5 ordi {key}"));
    assert!(refused.stderr.contains("xprv9s21… is an extended key, not an address"), "{}", refused.stderr);
}

#[test]
fn an_extended_key_is_never_sent_to_a_service() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    let key = format!("xprv9s21Z{}", "rQH143K2".repeat(13));
    for command in [
        "posts KEY",
        "pairs KEY",
        "chart KEY",
        "market BTC KEY",
        "brc20 token KEY",
        "brc20 holders KEY",
        "brc20 tokens --ticker KEY",
        "brc20 activity KEY",
        "brc20 balances KEY",
        "inscriptions --address KEY",
        "inscription KEY",
        "sat KEY",
        "watchlist add KEY",
        "notes add KEY x",
        "line {KEY}",
        "wallet add 5 KEY",
        "alerts add KEY > 1",
        "coins --filter KEY",
    ] {
        let run = shell.run(&command.replace("KEY", &key));
        assert_eq!(run.status == 0, command == "line {KEY}", "{command}: {}", run.stdout);
        let targets = server.targets();
        assert!(!targets.iter().any(|target| target.contains(&key[..16])), "{command}: {targets:?}");
    }
    let posts = shell.run(&format!("posts {key}"));
    assert!(
        posts.stderr.contains("xprv9s21…") && posts.stderr.contains("an extended key, which is never sent"),
        "{}",
        posts.stderr
    );
}

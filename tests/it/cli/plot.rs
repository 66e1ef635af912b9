//! `--format plot`: charts on a terminal and in a pipe.

use unicode_width::UnicodeWidthStr as _;

use super::output::on_terminal;
use super::server::{Server, Shell};
use super::world;

/// The commands with a chart, and words that their chart has.
const PLOTS: [(&str, &str); 3] = [
    ("chart ordi --period 1d", "ordi · 1D  8.50 USD  ▲ 1.2%"),
    ("market ORDI --count 2 --interval 1h", "ORDI · 2 points over 1 h  8.50 USD  ▲ 1.2%"),
    ("inscription-stats", "Inscriptions per block"),
];

/// The service of [`world`], with the statistics of three blocks.
fn response(target: &str) -> (u16, String) {
    if !target.starts_with("/ordinals/stats/inscriptions") {
        return world::response(target);
    }
    let block = |height: u64, count: u64| {
        format!(
            r#"{{"block_height":"{height}","block_hash":"00","inscription_count":"{count}",
            "inscription_count_accum":"118509321","timestamp":{}}}"#,
            1_795_075_200_000 + (height - 921_300) * 600_000
        )
    };
    // Newest first, as the indexer responds.
    let blocks = [block(921_302, 12), block(921_301, 1_250), block(921_300, 4)].join(",");
    (200, format!(r#"{{"results":[{blocks}]}}"#))
}

#[test]
fn plot_in_a_pipe_is_text_of_80_columns() {
    let server = Server::start(response);
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    for (command, words) in PLOTS {
        let plot = shell.run(&format!("{command} --format plot")).ok().stdout;
        assert!(plot.contains(words) && plot.contains('└') && !plot.contains('\x1b'), "{command}: {plot}");
        let widest = plot.lines().map(|line| line.width()).max();
        assert!(widest.is_some_and(|widest| (60..=80).contains(&widest)), "{command}: {plot}");
        assert!(plot.lines().all(|line| line == line.trim_end()), "{command}");
        // A pipe still gets JSON unless a plot is requested.
        shell.run(command).ok().json();
    }
    let stats = shell.run("inscription-stats --format plot").ok().stdout;
    for words in ["1,266 in 3 blocks · 118,509,321 in total", "1,250┤", "block 921,300", "█"] {
        assert!(stats.contains(words), "{words}: {stats}");
    }
    let chart = shell.run("chart ordi --format plot").ok().stdout;
    for words in
        ["O 8.40 19 Nov 08:00 · H 8.50 19 Nov 08:05 · L 8.40 19 Nov 08:00", "8.50 USD  ▲ 1.2%  19 Nov 08:", "◀ 8.50"]
    {
        assert!(chart.contains(words), "{words}: {chart}");
    }
}

#[test]
fn terminal_gets_plots_by_default_in_its_width() {
    let server = Server::start(response);
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    for (command, words) in PLOTS {
        let plain = on_terminal(&shell, 80, command, true);
        assert!(plain.contains(words) && !plain.contains('\x1b'), "{command}: {plain}");
        assert!(plain.lines().count() < 24, "{command}: {plain}");
        for columns in [20, 40, 120, 200] {
            let plot = on_terminal(&shell, columns, command, true);
            assert!(plot.lines().all(|line| line.width() <= usize::from(columns)), "{command} at {columns}: {plot}");
        }
        if command.starts_with("chart") {
            let narrow = on_terminal(&shell, 40, command, true);
            assert!(narrow.contains("O 8.40 · H 8.50 · L 8.40"), "prices without times: {narrow}");
        }
        let wide = on_terminal(&shell, 120, command, false);
        assert!(wide.contains('\x1b'), "{command}: {wide}");
        let table = on_terminal(&shell, 80, &format!("{command} --format table"), true);
        assert!(!table.contains('└') && table.lines().count() >= 2, "{command}: {table}");
    }
    let ascii = Shell::on(&server).with("LC_ALL", "C");
    for (command, _) in PLOTS {
        let plot = on_terminal(&ascii, 80, command, true);
        assert!(plot.is_ascii() && plot.contains('+'), "{command}: {plot}");
    }
}

#[test]
fn several_coins_are_compared_and_many_drawn_apart() {
    let shell = Shell::new().with("LC_ALL", "C.UTF-8");
    let compared = shell.run("market BTC ORDI SATS --demo --format plot").ok().stdout;
    let mut lines = compared.lines();
    for name in ["A BTC   ", "B ORDI  ", "C SATS  "] {
        // The last price with change and time; below it open, high and low with their times.
        let is_last = |line: &str| line.starts_with(name) && line.contains(" USD  ") && line.contains("% in ");
        assert!(lines.next().is_some_and(is_last), "{compared}");
        let others = lines.next().unwrap_or_default();
        assert!(["  O ", "  H ", "  L "].iter().all(|name| others.contains(name)), "{compared}");
    }
    assert!(compared.contains(" 0%┤"), "{compared}");

    let run = shell.run("market BTC ORDI SATS RATS PEPE SOL ETH --count 5 --demo --format plot");
    let apart = run.stdout;
    assert!(run.stderr.contains("several coins use PEPE: pepe, pepebrc"), "{}", run.stderr);
    for name in ["BTC", "ORDI", "SATS", "RATS", "PEPE (pepe)", "PEPE (pepebrc)", "SOL", "ETH"] {
        assert!(apart.contains(&format!("{name} · 5 points over ")), "{name}: {apart}");
    }
}

#[test]
fn chart_can_be_a_line_or_candles() {
    let shell = Shell::new().with("LC_ALL", "C.UTF-8");
    let run = |command: &str| shell.run(&format!("chart bitcoin --demo {command}")).ok().stdout;
    let area = run("--format plot");
    // The simulated prices may change between two runs.
    let is_same = (0..5).any(|_| run("--style area") == run("--format plot"));
    assert!(is_same, "a style implies a plot: {area}");
    let line = run("--style LINE --format plot");
    assert!(line != area && !line.contains('┃'), "{line}");
    // Evenly spaced in 59 columns.
    for (period, width) in [("1D", "30m"), ("7D", "4h"), ("1M", "2d"), ("3M", "2d"), ("1Y", "1w")] {
        let candles = run(&format!("--period {period} --style candles"));
        // Without colours, falling candles are filled.
        assert!(candles.contains('┃') && candles.contains(['█', '▄', '▀']), "{candles}");
        let head = candles.lines().next().unwrap_or_default();
        assert!(head.starts_with(&format!("bitcoin · {period} · {width} candles (sampled)  ")), "{head}");
        assert!(candles.lines().all(|line| line.width() <= 80), "{candles}");
    }
    let all = run("--period all --style candles");
    assert!(all.starts_with("bitcoin · All since 13 Jul 2010 · "), "{all}");
    assert!(all.lines().all(|line| line.width() <= 80), "{all}");
    let [narrow, narrower] =
        [52, 42].map(|columns| on_terminal(&shell, columns, "chart bitcoin --demo --style candles", true));
    assert!(narrow.contains(" sampled  "), "{narrow}");
    assert!(narrower.contains("bitcoin · 7D · ~"), "{narrower}");
    for format in ["json", "csv", "table"] {
        let command = format!("chart bitcoin --demo --style line --format {format}");
        shell.run(&command).fails(2, "--style works only with --format plot");
    }
    shell.run("chart bitcoin --demo --style bars").fails(2, "invalid value 'bars' for '--style <STYLE>'");
}

#[test]
fn candles_of_an_exchange_are_named() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/chart" => {
            let hour = |n: u64| 1_795_075_200 + n * 3_600;
            let points: Vec<String> =
                (1..=168).map(|n| format!(r#""{}":{{"v":[{},1000,2000]}}"#, hour(n), 8.0 + n as f64 / 100.0)).collect();
            let candle = |n: u64| {
                let open = 8.0 + n as f64 / 100.0;
                format!(
                    r#"{{"timestamp":"{}","open":{open},"high":{},"low":{},"close":{},"volume":5}}"#,
                    jiff::Timestamp::from_second(hour(n) as i64).unwrap(),
                    open + 0.5,
                    open - 0.5,
                    open + 0.01
                )
            };
            let candles: Vec<String> = (0..168).map(candle).collect();
            let candles =
                format!(r#"{{"exchange":"binance","interval":"1h","convert":"USD","items":[{}]}}"#, candles.join(","));
            (200, format!(r#"{{"data":{{"points":{{{}}},"candles":{candles}}}}}"#, points.join(",")))
        }
        _ => (404, String::new()),
    });
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    let plot = shell.run("chart ordi --style candles").ok().stdout;
    let help = shell.run("chart --help").ok().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("implies --format plot, even in a pipe"), "{help}");
    assert!(plot.contains(" Binance candles  9.68 USD  "), "{plot}");
    assert!(plot.contains("H 10.1") && plot.contains("L 7.50"), "{plot}");
    let area = shell.run("chart ordi --style area").ok().stdout;
    assert!(!area.contains("Binance") && area.contains("H 9.68"), "{area}");
}

#[test]
fn volumes_of_candles_are_labelled_with_their_interval() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/chart" => {
            let row = |n: u64| {
                let (time, open) = (1_795_075_200_000 + n * 3_600_000, 8.0 + n as f64 / 100.0);
                let (high, low, close) = (open + 0.5, open - 0.5, open + 0.01);
                format!(r#"[{time},"{open}","{high}","{low}","{close}","100.5",0,"850.5",7,"50.1","400.1","0"]"#)
            };
            let rows: Vec<String> = (0..168).map(row).collect();
            (200, format!("[{}]", rows.join(",")))
        }
        _ => (404, String::new()),
    });
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    for (style, label) in [("area", "vol 1h"), ("candles", "vol 4h")] {
        let plot = shell.run(&format!("chart ordi --style {style}")).ok().stdout;
        assert!(plot.contains(label) && !plot.contains("vol 24h"), "{style}: {plot}");
    }
}

#[test]
fn change_in_a_plot_starts_at_the_first_price() {
    // From 21 August 08:07: the first price is before the first whole interval of 12 hours.
    let server = Server::start(|_| {
        let start = 1_787_299_620;
        let point = |n: u64| format!(r#""{}":{{"v":[{}]}}"#, start + n * 3_600, if n == 0 { 9.0 } else { 8.0 });
        let points: Vec<String> = (0..=90 * 24).map(point).collect();
        (200, format!(r#"{{"data":{{"points":{{{}}}}}}}"#, points.join(",")))
    });
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8").with("TZ", "UTC");
    let plot = shell.run("chart ordi --period 3m --format plot").ok().stdout;
    assert!(plot.contains("ordi · 3M  8.00 USD  ▼ 11.1%") && plot.contains("O 9.00 21 Aug 08:07"), "{plot}");
    let csv = shell.run("chart ordi --period 3m --format csv").ok().stdout;
    assert!(csv.contains("2026-08-21T08:07:00Z,9.0,"), "{csv}");
}

#[test]
fn coin_without_data_fails_beside_the_plot() {
    let server = Server::start(response);
    let run = Shell::on(&server).with("LC_ALL", "C.UTF-8").run("market ORDI NOPE --format plot");
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("ORDI · 2 points over "), "{}", run.stdout);
    assert_eq!(run.stderr, "satscope: no data for NOPE (check the symbol)\n");
}

#[test]
fn words_of_a_notice_are_not_coins_without_prices() {
    const NOTICE: &str = "x-satscope-notice: No prices for RATS and MEME\r\n\
        x-satscope-notice-code: no-prices; symbols=RATS,MEME\r\n";
    let server = Server::with_headers(NOTICE, response);
    for (name, sentence) in [("MEME", "no prices for MEME"), ("AND", "no data for AND (check the symbol)")] {
        let run = Shell::on(&server).run(&format!("market ORDI {name} --format plot"));
        assert!(run.stderr.contains(sentence), "{}", run.stderr);
    }
}

#[test]
fn coin_without_prices_is_named_once() {
    const ALONE: &str = "x-satscope-notice: Prices of RATS and 1 more are missing\r\n\
        x-satscope-notice-code: no-prices; symbols=RATS,MEME\r\n";
    const WITH_ANOTHER: &str = "x-satscope-notice: No prices for RATS and MEME; Rates are old\r\n\
        x-satscope-notice-code: no-prices; symbols=RATS,MEME\r\n";
    for (headers, expected) in [
        (ALONE, vec!["no prices for MEME"]),
        (WITH_ANOTHER, vec!["No prices for RATS and MEME; Rates are old", "no prices for MEME"]),
    ] {
        let server = Server::with_headers(headers, response);
        let run = Shell::on(&server).run("market ORDI MEME --format json");
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(json["warnings"], serde_json::json!(expected));
    }
}

#[test]
fn coin_that_could_not_be_looked_up_is_not_one_without_prices() {
    const HEADERS: &str = "x-satscope-notice: Can't look up MEME (CoinGecko: rate-limited (429)); try again in 20 s\r\n\
        x-satscope-notice-code: no-prices; symbols=; failed=MEME\r\n";
    let server = Server::with_headers(HEADERS, response);
    let run = Shell::on(&server).run("market ORDI MEME --format table");
    assert_eq!(run.status, 1);
    let expected = "satscope: warning: Can't look up MEME (CoinGecko: rate-limited (429)); try again in 20 s\n\
        satscope: no prices loaded for MEME\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn responses_without_values_print_a_message() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/chart" => (200, String::from(r#"{"data":{"points":{}}}"#)),
        "/market/data" => (200, String::from(r#"{"data":{}}"#)),
        _ => (200, String::from(r#"{"results":[]}"#)),
    });
    let shell = Shell::on(&server);
    for (command, sentence) in [
        ("chart ordi", "no 7D prices for ordi"),
        ("chart ordi --period 1m", "no 1M prices for ordi"),
        ("inscription-stats", "no inscription statistics"),
    ] {
        let run = shell.run(&format!("{command} --format plot"));
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{command}: {}", run.stderr);
        assert!(run.stderr.starts_with(&format!("satscope: {sentence}\n")), "{command}: {}", run.stderr);
    }
    shell.run("market ORDI --format plot").fails(1, "no data for ORDI (check the symbol)");
}

#[test]
fn commands_without_a_chart_reject_plot() {
    let server = Server::start(response);
    let shell = Shell::on(&server);
    for command in ["coins", "posts ORDI", "brc20 tokens", "sat 5", "wallet", "alerts", "sources", "config show", "man"]
    {
        shell
            .run(&format!("{command} --format plot"))
            .fails(2, "--format plot works only with chart, market and inscription-stats");
    }
    assert_eq!(server.targets(), [""; 0]);
}

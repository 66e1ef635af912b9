//! Times in the user's time zone: dashboard and tables are local, JSON and CSV are UTC.

use std::time::Duration;

use portable_pty::CommandBuilder;
use satscope::app::Preferences;
use satscope::client::{Request, ResponseData};
use satscope::model::{Chart, Currency, Period, Point, UtcTime, VolumeSpan, Zone};

use crate::cli::server::{Server, Shell};
use crate::support::screen::{Screen, fixture};
use crate::support::session::Session;

/// The rules of most of Europe: tests must not depend on the machine's time zones.
const EUROPE: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

fn europe() -> Zone {
    Zone::from_posix(EUROPE).unwrap()
}

fn screen_in(zone: Zone, columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::with(Preferences { zone, ..Preferences::default() }, columns, rows);
    screen.serve(fixture::response);
    screen
}

fn time(text: &str) -> UtcTime {
    UtcTime::parse_rfc3339(text).unwrap()
}

#[test]
fn dashboard_shows_local_times_with_their_zone() {
    let mut screen = screen_in(europe(), 160, 45);
    assert!(screen.text().lines().next().unwrap().ends_with("15:03 CET"), "{}", screen.text());
    screen.keys("6");
    assert!(screen.text().contains(&format!("time zone {EUROPE}")), "{}", screen.text());
    // The same clock in the dialog of a post, two hours old.
    screen.keys("1<enter>");
    screen.serve(fixture::response);
    screen.keys("<tab><tab><enter>");
    let text = screen.text();
    assert!(text.contains(" CET") && text.contains("Fri 20 Nov"), "{text}");
}

#[test]
fn status_reports_an_unknown_time_zone() {
    let mut screen = screen_in(Zone::missing("Middle/Earth"), 120, 35);
    screen.keys("6");
    assert!(screen.text().contains("time zone UTC (Middle/Earth not found)"), "{}", screen.text());
}

#[test]
fn clock_jumps_with_summer_time_and_ages_do_not() {
    let mut screen = screen_in(europe(), 160, 45);
    // A minute before summer time ends, the list is loaded; an hour later, the clock shows the same time again.
    screen.send_at(satscope::app::Message::Tick, time("2026-10-25T00:59:00Z"));
    assert!(screen.text().lines().next().unwrap().ends_with("02:59 CEST"), "{}", screen.text());
    screen.wait(Duration::from_mins(60));
    assert!(screen.text().lines().next().unwrap().ends_with("02:59 CET"), "{}", screen.text());
    screen.wait(Duration::from_mins(1));
    assert!(screen.text().lines().next().unwrap().ends_with("03:00 CET"), "{}", screen.text());
}

#[test]
fn chart_axis_and_cursor_are_local_across_summer_time() {
    let chart = |request: &Request| match request {
        Request::Chart { slug, .. } => {
            let point = |hour: u64| Point {
                time: time("2026-10-24T22:00:00Z").plus(Duration::from_hours(hour)),
                price: Some(8.0 + hour as f64 / 10.0),
                volume: None,
                market_cap: None,
            };
            let points = (0..=24).map(point).collect();
            let chart = Chart {
                slug: slug.clone(),
                period: Period::Day,
                convert: Currency::usd(),
                points,
                volume_span: VolumeSpan::Day,
                candles: None,
            };
            Some(ResponseData::Chart(chart))
        }
        request => fixture::response(request),
    };
    let mut screen =
        Screen::with(Preferences { zone: europe(), period: Period::Day, ..Preferences::default() }, 160, 45);
    screen.serve(chart);
    screen.keys("<enter>");
    screen.serve(chart);
    let text = screen.text();
    // The day has 25 hours and starts at 22:00 UTC.
    let axis = text.lines().find(|line| line.contains("└")).unwrap();
    assert!(axis.contains("25 Oct") && !axis.contains("26 Oct") && axis.contains("12:00"), "{text}");
    screen.keys("<left>");
    let text = screen.text();
    assert!(text.contains("Sun 25 Oct 23:00 ·"), "24 hours after midnight: {text}");
}

#[test]
fn tables_are_local_and_json_and_csv_are_utc() {
    let server = Server::start(crate::cli::world::response);
    let shell = Shell::on(&server).with("TZ", EUROPE);
    let inscription = |format| shell.run(&format!("inscription -7 --format {format}")).ok().stdout;
    assert!(inscription("table").contains("Inscribed      2023-03-02 05:59 CET"), "{}", inscription("table"));
    for format in ["json", "csv"] {
        assert!(inscription(format).contains("2023-03-02T04:59:30Z"), "{}", inscription(format));
    }
    let points = shell.run("chart ordi --period 1d --format table").ok().stdout;
    let plain = Shell::on(&server).run("chart ordi --period 1d --format table").ok().stdout;
    assert_ne!(points, plain, "TZ=UTC");
    // The configuration overrides TZ.
    let config = shell.home.path().join("utc.toml");
    std::fs::write(&config, "[display]\ntime_zone = 'UTC'\n").unwrap();
    let line = format!("chart ordi --period 1d --format table --config {}", config.display());
    assert_eq!(shell.run(&line).ok().stdout, plain);
}

#[test]
fn unknown_zone_of_the_system_is_utc_with_a_warning() {
    let server = Server::start(crate::cli::world::response);
    let shell = Shell::on(&server).with("TZ", "Middle/Earth");
    let run = shell.run("inscription -7 --format table");
    assert!(run.stdout.contains("2023-03-02 04:59 UTC"), "{}", run.stdout);
    assert!(run.stderr.contains("warning: time zone Middle/Earth not found; times are in UTC"), "{}", run.stderr);
    // Nothing there has a time.
    assert_eq!(shell.run("coins --format table").ok().stderr, "");
}

#[test]
fn unknown_zone_of_the_configuration_is_an_error_with_its_line_and_a_suggestion() {
    let shell = Shell::new();
    let zones = shell.home.path().join("zones");
    std::fs::create_dir_all(zones.join("Europe")).unwrap();
    std::fs::write(zones.join("Europe/Berlin"), "").unwrap();
    let shell = shell.with("TZDIR", zones.to_str().unwrap());
    let config = shell.home.path().join("zone.toml");
    std::fs::write(&config, "[display]\ntime_zone = 'Europe/Berln'\n").unwrap();
    let error = "zone.toml:2: display.time_zone: unknown time zone (similar: \"Europe/Berlin\")";
    shell.run(&format!("coins --config {}", config.display())).fails(2, error);
    std::fs::write(&config, "[display]\ntime_zone = 1\n").unwrap();
    shell
        .run(&format!("coins --config {}", config.display()))
        .fails(2, "zone.toml:2: display.time_zone: expected a string");
}

#[test]
fn dashboard_honours_tz() {
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.arg("--demo");
    let mut session = Session::start_in(home.path(), (160, 40), command, &[("TZ", Some("<+0545>-5:45"))]);
    session.until_text("+0545");
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

//! `satscope notes`.

use jiff::ToSpan as _;
use serde_json::{Value, json};

use super::server::{Run, Server, Shell};

fn rows(whole: &Value) -> Vec<[&str; 3]> {
    let notes = whole["data"].as_array().unwrap().iter();
    notes.map(|note| ["slug", "time", "text"].map(|field| note[field].as_str().unwrap())).collect()
}

#[test]
fn notes_are_added_listed_and_removed() {
    let shell = Shell::new();
    assert_eq!(shell.run("notes").ok().json()["data"], json!([]));
    for (command, sentence) in [("notes", "no notes"), ("alerts", "no alerts ("), ("wallet", "no lots (")] {
        let none = shell.run(&format!("--demo {command} --format table"));
        assert_eq!((none.status, none.stdout.as_str()), (0, ""), "{command}: no headings without rows");
        assert!(none.stderr.starts_with(&format!("satscope: {sentence}")), "{}", none.stderr);
    }
    // Whether a coin exists doesn't depend on the notes.
    shell.run("--demo notes list nope").fails(1, "satscope: can't list notes: unknown coin nope");
    let none = shell.run("--demo notes list ordi");
    assert_eq!((none.status, none.stderr.as_str()), (0, "satscope: no notes about ordi\n"));
    shell.run("notes remove nope --all").fails(1, "no note about nope (list notes: satscope notes)");
    let added = shell.run("--demo notes add BTC the first --at 2025-11-20T14:00:00Z").ok().json();
    assert_eq!(rows(&added), [["bitcoin", "2025-11-20T14:00:00Z", "the first"]]);
    shell.run("--demo notes add ordi unlock --at 2025-11-21").ok();
    shell.run("--demo notes add ordi later --at 2025-11-22T08:30").ok();
    let all = shell.run("notes list").ok().json();
    assert_eq!(
        rows(&all),
        [
            ["bitcoin", "2025-11-20T14:00:00Z", "the first"],
            ["ordi", "2025-11-21T00:00:00Z", "unlock"],
            ["ordi", "2025-11-22T08:30:00Z", "later"],
        ]
    );
    // A second note at the same time replaces the first.
    for replaced in ["satscope: replaced the note \"the first\"\n", ""] {
        let run = shell.run("--demo notes add bitcoin edited --at 2025-11-20T14:00:00Z");
        assert_eq!((run.status, run.stderr.as_str()), (0, replaced));
    }
    assert_eq!(rows(&shell.run("notes list Bitcoin").ok().json()), [["bitcoin", "2025-11-20T14:00:00Z", "edited"]]);

    let csv = shell.run("notes --format csv").ok().stdout;
    assert!(csv.starts_with("slug,time,text\nbitcoin,2025-11-20T14:00:00Z,edited\n"), "{csv}");
    let table = shell.run("notes --format table").ok().stdout;
    assert!(table.contains("Note") && table.contains("2025-11-21 00:00") && table.contains("unlock"), "{table}");

    let removed = shell.run("notes remove ordi --at 2025-11-21").ok().json();
    assert_eq!(rows(&removed), [["ordi", "2025-11-21T00:00:00Z", "unlock"]]);
    shell.run("notes remove ordi --at 2025-11-21").fails(1, "no note about ordi at 2025-11-21T00:00:00Z");
    assert_eq!(rows(&shell.run("notes remove ordi --all").ok().json()).len(), 1);
    assert_eq!(rows(&shell.run("notes").ok().json()).len(), 1);
}

#[test]
fn note_is_removed_by_the_minute_that_the_table_shows() {
    let shell = Shell::new();
    let add = |at: &str| _ = shell.run(&format!("--demo notes add ordi text --at {at}")).ok();
    let remove = |at: &str| shell.run(&format!("notes remove ordi --at {at}"));
    add("2025-11-20T14:00:11.500Z");
    add("2025-11-20T14:01:00Z");
    add("2025-11-20T14:01:30Z");
    let table = shell.run("notes --format table").ok().stdout;
    assert!(table.contains("2025-11-20 14:00"), "{table}");
    let removed = remove("2025-11-20T14:00").ok().json();
    assert_eq!(rows(&removed), [["ordi", "2025-11-20T14:00:11.500Z", "text"]]);
    // An exact time means only that note.
    assert_eq!(rows(&remove("2025-11-20T14:01").ok().json()), [["ordi", "2025-11-20T14:01:00Z", "text"]]);
    add("2025-11-20T14:01:40Z");
    let several = "satscope: no note removed: 2 notes about ordi in that minute \
                   (exact times: satscope notes --format json)\n";
    remove("2025-11-20T14:01").fails(1, several);
    remove("2025-11-20T14:01:10Z").fails(1, "no note about ordi at 2025-11-20T14:01:10Z");
    assert_eq!(rows(&shell.run("notes").ok().json()).len(), 2);
}

#[test]
fn note_may_be_added_now() {
    let shell = Shell::new();
    let time = |added: Run| rows(&added.ok().json())[0][1].parse::<jiff::Timestamp>().unwrap();
    let [first, named] = ["", " --at now"].map(|at| time(shell.run(&format!("--demo notes add ordi text{at}"))));
    assert!(first <= named && named <= jiff::Timestamp::now());
}

/// The same words and formats as in the date of a lot.
#[test]
fn note_accepts_lot_dates() {
    let shell = Shell::new();
    let start = |days: i64| {
        let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        format!("{}T00:00:00Z", today.checked_sub(days.days()).unwrap())
    };
    for (word, days) in [("today", 0), ("Yesterday", 1)] {
        let before = start(days);
        let added = shell.run(&format!("--demo notes add ordi {word} --at {word}")).ok().json();
        let time = rows(&added)[0][1];
        assert!([before, start(days)].contains(&time.to_owned()), "{word}: {time}");
    }
    let added = shell.run("--demo notes add ordi text --at 20.11.2025").ok().json();
    assert_eq!(rows(&added), [["ordi", "2025-11-20T00:00:00Z", "text"]]);
    assert_eq!(rows(&shell.run("notes remove ordi --at 2025/11/20").ok().json()), rows(&added));
    let ambiguous = "ambiguous date 3/2/2025 (expected 2025-03-02 or 2025-02-03)";
    shell.run("--demo notes add ordi text --at 3/2/2025").fails(2, ambiguous);
}

#[test]
fn note_may_begin_with_a_negative_percentage() {
    let shell = Shell::new();
    for words in [&["-8%", "in an hour"][..], &["-8% in an hour"]] {
        let mut command = shell.command("--demo notes add ordi --at 2025-11-20");
        let added = Run::of("add", command.args(words).output().unwrap()).ok().json();
        assert_eq!(rows(&added), [["ordi", "2025-11-20T00:00:00Z", "-8% in an hour"]]);
    }
}

#[test]
fn time_that_summer_time_skips_is_refused() {
    let shell = Shell::new().with("TZ", "CET-1CEST,M3.5.0,M10.5.0/3");
    let add = |at: &str| {
        let mut command = shell.command("--demo notes add ordi text --at");
        Run::of(at, command.arg(at).output().unwrap())
    };
    let skipped = "--at 2026-03-29 02:30: no such time in CET-1CEST,M3.5.0,M10.5.0/3 (skipped by daylight saving time)";
    add("2026-03-29 02:30").fails(2, skipped);
    assert_eq!(shell.run("notes").ok().json()["data"], json!([]));
    for (at, time) in [
        ("2026-03-29 03:30", "2026-03-29T01:30:00Z"),
        ("2026-03-29", "2026-03-28T23:00:00Z"),
        ("2026-03-29T02:30:00+02:00", "2026-03-29T00:30:00Z"),
    ] {
        assert_eq!(rows(&add(at).ok().json())[0][1], time, "{at}");
    }
}

#[test]
fn first_day_of_notes_starts_in_the_zone() {
    for (zone, start) in [("<+14>-14", "2009-01-02T10:00:00Z"), ("<-12>12", "2009-01-03T12:00:00Z")] {
        let shell = Shell::new().with("TZ", zone);
        let added = shell.run("--demo notes add ordi text --at 2009-01-03").ok().json();
        assert_eq!(rows(&added), [["ordi", start, "text"]], "{zone}");
    }
}

#[test]
fn invalid_notes_are_refused() {
    let shell = Shell::new();
    shell.run("--demo notes add no-such-coin text").fails(1, "unknown coin no-such-coin");
    shell
        .run("--demo notes add ordi text --at soon")
        .fails(2, "--at soon: expected a day (2026-11-20, today), 2026-11-20 14:00 or RFC 3339");
    shell
        .run("--demo notes add ordi text --at=")
        .fails(2, "--at \"\": expected a day (2026-11-20, today), 2026-11-20 14:00 or RFC 3339");
    for zone in ["UTC", "<+14>-14", "<-12>12"] {
        let shell = Shell::new().with("TZ", zone);
        for at in ["2999-01-01", "2999-01-01T00:00:00Z", "9999-12-31", "9999-12-31T23:00"] {
            shell.run(&format!("--demo notes add ordi text --at {at}")).fails(2, &format!("{at} is in the future"));
        }
        for at in ["2009-01-02", "2009-01-02T23:59", "-000001-01-01", "-009999-01-01", "-000001-01-01T00:00:00Z"] {
            let early = format!("{at} is before the first block (2009-01-03)");
            shell.run(&format!("--demo notes add ordi text --at={at}")).fails(2, &early);
        }
    }
    for at in [
        "2026-01-02T10:00:00[Europe/Berlin]",
        "2026-01-02[Europe/Berlin]",
        "2026-01-02T10:00:00Z[Europe/Berlin]",
        "2026-01-02T10:00:00+05:00[Europe/Berlin]",
    ] {
        let reason = format!("--at {at}: time zones in brackets are not supported (use an offset such as +01:00)");
        shell.run(&format!("--demo notes add ordi text --at {at}")).fails(2, &reason);
    }
    let long = "x".repeat(201);
    shell.run(&format!("--demo notes add ordi {long}")).fails(2, "note too long: 201 characters (at most 200)");
    shell.run("notes remove ordi").fails(2, "<--at <TIME>|--all>");
    shell.run("notes remove ordi --all --at 2025-11-21").fails(2, "cannot be used with");
    shell.run("notes remove ordi --all").fails(1, "no note about ordi (list notes: satscope notes)");
    let server = Server::start(|_| (503, String::new()));
    Shell::on(&server).run("notes add ordi text").fails(1, "503");
    assert_eq!(shell.run("notes").ok().json()["data"], json!([]));
}

#[test]
fn notes_are_found_by_symbol() {
    let shell = Shell::new();
    shell.run("--demo notes add BTC hello --at 2025-11-20").ok();
    shell.run("--demo notes add SATS there --at 2025-11-20").ok();
    let unreachable = "--base-url http://127.0.0.1:1";
    // The slug needs no request, nor does the symbol of a coin in the user data.
    shell.run("--demo watchlist add bitcoin").ok();
    for name in ["bitcoin", "BTC", "btc"] {
        let found = shell.run(&format!("{unreachable} notes list {name}")).ok();
        assert_eq!(rows(&found.json()), [["bitcoin", "2025-11-20T00:00:00Z", "hello"]], "{name}");
    }
    assert_eq!(rows(&shell.run("--demo notes list SATS").ok().json()).len(), 1);
    shell.run("--demo notes list nope").fails(1, "satscope: can't list notes: unknown coin nope");
    let none = shell.run("--demo notes list ordi");
    assert_eq!((none.status, none.stderr.as_str()), (0, "satscope: no notes about ordi\n"));
    // It may be the symbol of a coin with notes.
    shell.run(&format!("{unreachable} notes list nope")).fails(1, "can't list notes: ");
    shell.run(&format!("{unreachable} notes remove nope --all")).fails(1, "no note removed: ");
    shell.run("--demo notes remove nope --all").fails(1, "no note about nope: unknown coin nope");
    assert_eq!(rows(&shell.run(&format!("{unreachable} notes remove BTC --all")).ok().json()).len(), 1);
    assert_eq!(rows(&shell.run("--demo notes remove SATS --all").ok().json()).len(), 1);
}

//! Commands while no provider of live data can be reached.

use std::time::Duration;

use satscope::app::{Effect, Message, Preferences, Session};
use satscope::client::Request;
use satscope::config::Settings;
use satscope::fetch::Receipt;
use satscope::model::{ProviderName, Text, UtcTime};
use satscope::snapshot::{Contents, Snapshot};
use satscope::store::Database;
use satscope::user_data::Change;

use super::server::Shell;
use crate::support::screen::{Screen, fixture};

/// An environment with live data whose providers refuse connections, and the option with its configuration.
fn offline() -> (Shell, String) {
    let shell = Shell::new();
    let real = ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Demo);
    let sections = real.map(|name| format!("[providers.{name}]\nbase_url = \"http://127.0.0.1:1\"\n"));
    let file = shell.home.path().join("offline.toml");
    std::fs::write(&file, sections.collect::<String>()).unwrap();
    let option = format!("--live --config {}", file.display());
    (shell, option)
}

/// Saves what a dashboard shows that fetched its first list two hours ago.
fn save_first_list(shell: &Shell) {
    let mut screen = Screen::new(160, 45);
    let wanted = screen.wanted();
    let request = wanted.iter().find(|request| matches!(request, Request::Coins { .. })).unwrap();
    screen.answer_as(request, fixture::response(request).unwrap(), |receipt| Receipt {
        fetched_at: UtcTime::now().minus(Duration::from_hours(2)),
        provider: Some(Text::const_new("coinmarketcap")),
        ..receipt
    });
    let mut settings = Settings::default();
    settings.source.live = true;
    settings.dirs.cache = Some(shell.home.path().join(".cache/satscope"));
    Snapshot::new(&settings).save(Contents::from_state(&screen.state), UtcTime::now()).unwrap();
}

#[test]
fn offline_command_prints_what_the_dashboard_saw_last_and_why() {
    let (shell, options) = offline();
    shell.run(&format!("{options} coins --limit 2")).fails(1, "connection refused");
    save_first_list(&shell);
    let seen = shell.run(&format!("{options} coins --limit 2 --format json"));
    assert_eq!(seen.status, 1, "{}", seen.stderr);
    assert!(seen.stderr.contains("connection refused"), "{}", seen.stderr);
    let whole = seen.json();
    assert_eq!((whole["data"].as_array().unwrap().len(), &whole["provider"]), (2, &"coinmarketcap".into()));
    let warning = whole["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("cached 2 h ago by the dashboard: ") && warning.contains("refused"), "{warning}");
    let table = shell.run(&format!("{options} coins --limit 2 --format table"));
    assert_eq!((table.status, table.stdout.lines().count()), (1, 3), "{}", table.stdout);
    assert!(table.stderr.contains("cached 2 h ago") && table.stderr.contains("refused"), "{}", table.stderr);
    // Nothing else was seen.
    shell.run(&format!("{options} coins --tag brc-20")).fails(1, "refused");
    shell.run(&format!("{options} --convert EUR coins")).fails(1, "refused");
}

#[test]
fn failed_command_names_the_remembered_choice_of_live_data() {
    let (shell, options) = offline();
    let choice = "; live data was chosen in the dashboard (pass --demo for simulated data)";
    let by_flag = shell.run(&format!("{options} coins --limit 2"));
    assert!(by_flag.stderr.contains("refused") && !by_flag.stderr.contains("chosen"), "{}", by_flag.stderr);
    let session = Session { live: Some(true), ..Session::default() };
    let directory = shell.home.path().join(".local/state/satscope");
    Database::open(&directory).unwrap().save(&[Change::Session(session.entries())]).unwrap();
    let options = options.replace("--live ", "");
    for command in ["coins --limit 2", "pairs ORDI", "chart ordi", "brc20 tokens"] {
        shell.run(&format!("{options} {command}")).fails(1, choice);
    }
    shell.run(&format!("{options} --demo coins --limit 2")).ok();
}

#[test]
fn hidden_offer_of_live_data_leaves_the_choice_to_the_configuration() {
    let (shell, options) = offline();
    let options = options.replace("--live ", "");
    let mut screen = Screen::with(Preferences { offers_live: true, ..Preferences::default() }, 80, 24);
    screen.send(Message::Loaded(Box::default()));
    screen.serve(fixture::response);
    screen.keys("<esc>");
    assert!(!screen.text().contains("Simulated data"), "{}", screen.text());
    let saved = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Save(_, change @ Change::Session(_)) => Some(change.clone()),
        _ => None,
    });
    let directory = shell.home.path().join(".local/state/satscope");
    Database::open(&directory).unwrap().save(&[saved.unwrap()]).unwrap();
    let shown = shell.run(&format!("{options} config show --format csv")).ok().stdout;
    assert!(shown.lines().any(|line| line == "source.live,false,default"), "{shown}");

    let file = shell.home.path().join("offline.toml");
    let providers = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("[source]\nlive = true\n{providers}")).unwrap();
    let shown = shell.run(&format!("{options} config show --format csv")).ok().stdout;
    let expected = format!("source.live,true,{}:2", file.display());
    assert!(shown.lines().any(|line| line == expected), "{shown}");
    let failed = shell.run(&format!("{options} coins --limit 2"));
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    assert!(failed.stderr.contains("refused") && !failed.stderr.contains("chosen"), "{}", failed.stderr);
}

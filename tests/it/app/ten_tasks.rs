//! Ten everyday tasks with the keys that they take.

use satscope::app::screen::list::SortColumn;
use satscope::app::{Effect, Overlay, Panel, Preferences, Tab};
use satscope::client::{Request, ResponseData};
use satscope::model::{Coin, Contract, Period, Tag};

use crate::support::indexer;
use crate::support::screen::Screen;

/// The responses of a service whose coins have a contract.
fn response(request: &Request) -> Option<ResponseData> {
    let mut response = indexer::response(request)?;
    if let ResponseData::Coins(page) = &mut response {
        let contract = Contract { platform: None, address: "cc4e8f40i0".into() };
        page.items.iter_mut().for_each(|coin| coin.contracts = vec![contract.clone()]);
    }
    Some(response)
}

/// The dashboard with loaded coins.
fn loaded() -> Screen {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, 120, 35);
    screen.serve(response);
    screen.effects.clear();
    screen
}

fn open_symbol(screen: &Screen) -> Option<&str> {
    screen.state.token.as_ref().map(|token| token.symbol.as_str())
}

fn change(coin: &Coin) -> f64 {
    coin.change_24h_pct.unwrap_or(f64::MIN)
}

/// The number of key presses.
fn count(keys: &str) -> usize {
    let named = keys.matches('<').count();
    let inside: usize = keys.split('<').skip(1).map(|key| key.find('>').unwrap() + 2).sum();
    named + keys.chars().count() - inside
}

/// A task.
struct Task {
    what: &'static str,
    /// The keys that lead to where it starts; they don't count.
    from: &'static str,
    keys: &'static str,
    /// How many of the keys are the letters of a name or a value.
    letters: usize,
    /// The maximum number of the other keys.
    most: usize,
    is_done: fn(&mut Screen) -> bool,
}

const TASKS: [Task; 10] = [
    Task {
        what: "open a coin far down the list",
        from: "",
        keys: ":rats<enter>",
        letters: 4,
        most: 4,
        is_done: |screen| open_symbol(screen) == Some("RATS"),
    },
    Task {
        what: "open the top gainer",
        from: "",
        keys: "sd<enter>",
        letters: 0,
        most: 3,
        is_done: |screen| {
            let list = screen.state.list(Tag::All);
            let best = list.coins().max_by(|a, b| change(a).total_cmp(&change(b))).unwrap();
            list.chosen_sort() == Some(SortColumn::Change24h) && open_symbol(screen) == Some(best.symbol.as_str())
        },
    },
    Task {
        what: "compare the first two coins",
        from: "",
        keys: "mjmv",
        letters: 0,
        most: 4,
        is_done: |screen| {
            let symbols: Vec<&str> = screen.state.comparison.coins().iter().map(|coin| coin.symbol.as_str()).collect();
            matches!(screen.state.overlay, Some(Overlay::Compare)) && symbols == ["BTC", "ETH"]
        },
    },
    Task {
        what: "copy the contract of a coin",
        from: "jj<enter>",
        keys: "yc",
        letters: 0,
        most: 2,
        is_done: |screen| screen.effects == [Effect::Copy(String::from("cc4e8f40i0"))],
    },
    Task {
        what: "see a coin's chart over three months",
        from: "",
        keys: "<enter>]]",
        letters: 0,
        most: 3,
        is_done: |screen| screen.state.token.as_ref().is_some_and(|token| token.period == Period::Quarter),
    },
    Task {
        what: "show prices in euros",
        from: "",
        keys: "ceur<enter>",
        letters: 3,
        most: 2,
        is_done: |screen| screen.state.convert.as_str() == "EUR",
    },
    Task {
        what: "show only gainers",
        from: "",
        keys: "Fg",
        letters: 0,
        most: 2,
        is_done: |screen| screen.text().contains("filter gainers"),
    },
    Task {
        what: "see the holders of a token",
        from: "",
        keys: ":rats holders<enter>",
        letters: 12,
        most: 2,
        is_done: |screen| screen.state.tab == Tab::Indexer && screen.state.indexer.focus == Panel::Holders,
    },
    Task {
        what: "be alerted when a coin has risen by a twentieth",
        from: "jj",
        keys: "!<enter>",
        letters: 0,
        most: 2,
        is_done: |screen| screen.state.alerts.tracked.len() == 1,
    },
    Task {
        what: "watch a coin and see it in the wallet",
        from: "j",
        keys: "f4",
        letters: 0,
        most: 2,
        is_done: |screen| screen.state.tab == Tab::Wallet && screen.text().contains("ETH"),
    },
];

#[test]
fn ten_tasks_take_few_keys() {
    for Task { what, from, keys, letters, most, is_done } in TASKS {
        let mut screen = loaded();
        screen.keys(from);
        screen.serve(response);
        screen.effects.clear();
        assert!(!is_done(&mut screen), "{what}: done already");
        screen.keys(keys);
        assert!(is_done(&mut screen), "{what}: {keys}\n{}", screen.text());
        assert!(count(keys) - letters <= most, "{what}: {} keys", count(keys) - letters);
        let mut screen = screen_before_last(from, keys);
        assert!(!is_done(&mut screen), "{what}: the last key of {keys} is not needed");
    }
}

/// The screen before the last key.
fn screen_before_last(from: &str, keys: &str) -> Screen {
    let mut screen = loaded();
    screen.keys(from);
    screen.serve(response);
    screen.effects.clear();
    let start = if keys.ends_with('>') { keys.rfind('<') } else { keys.char_indices().next_back().map(|(at, _)| at) };
    screen.keys(&keys[..start.unwrap()]);
    screen
}

#[test]
fn keys_are_counted() {
    assert_eq!([count("sd<enter>"), count("yc"), count("<c-p>ab<enter>"), count("")], [3, 2, 4, 0]);
}

//! Sorting and searching 5,000 coins, including restoring the selection and computing the demand.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use satscope::app::Message;
use satscope::app::find::palette::index::{Index, Source};
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::client::{Request, ResponseData};
use satscope::model::coin_name::search_key;
use satscope::model::{CoinName, IndexedName, Tag};

use crate::report::{Amount, Goal, heading, line};
use crate::timing::{medians, time};
use crate::world::World;

const SAMPLES: usize = 100;

pub(crate) fn run() {
    heading("Lists of 5,000 coins (CPU time, medians)");
    let mut world = World::new(5_000);
    let list = world.state.list_mut(Tag::All);
    let figures: Vec<f64> = list.coins().filter_map(|coin| coin.price).collect();
    let names: Vec<String> = list.coins().map(|coin| format!("{} {}", coin.symbol, coin.name).to_lowercase()).collect();
    let mut bare_sort = || {
        let mut keyed: Vec<(f64, u32)> = figures.iter().copied().zip(0..).collect();
        time(|| keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b)))
    };
    let [baseline, ours] = medians(SAMPLES, [&mut bare_sort, &mut || sorted(list, SortColumn::Price)]);
    line("sort by price; baseline: (key, index) pairs", Amount::Time(ours), Some(Amount::Time(baseline)), at_most(200));
    let [ours] = medians(SAMPLES, [&mut || sorted(list, SortColumn::Name)]);
    line("sort by name; baseline: the same", Amount::Time(ours), Some(Amount::Time(baseline)), Goal::None);
    for query in ["ber 49", "c4", "cn494", "cn9"] {
        let mut bare = || time(|| assert_ne!(names.iter().filter(|name| name.contains(query)).count(), 1));
        let mut search = || {
            list.search = tui_input::Input::new(String::from(query));
            time(|| list.apply_search())
        };
        let [baseline, ours] = medians(SAMPLES, [&mut bare, &mut search]);
        let what = format!("search for “{query}”; baseline: contains");
        line(&what, Amount::Time(ours), Some(Amount::Time(baseline)), at_most(100));
    }
}

/// A key in the palette over 15,000 names.
pub(crate) fn palette() {
    heading("Palette over 15,000 names (CPU time, medians)");
    let kinds = ["Bitcoin", "Ordinals", "Meta", "Alpha", "Cash"];
    let mut index = Index::default();
    for number in 0..15_000_usize {
        let name = format!("{} coin {number}", kinds.get(number % kinds.len()).expect("a kind"));
        let key = search_key(&format!("C{number}"), &name);
        index.push(key, u32::try_from(number).ok(), Source::Name(number));
    }
    for query in ["b", "bi", "bit", "bitcion", "o9", "cash 1"] {
        let mut key = || {
            let mut typed = index.clone();
            let before = query.get(..query.len() - 1).expect("ASCII");
            typed.search(before, |_| false);
            time(|| drop(typed.search(query, |_| false)))
        };
        let [ours] = medians(SAMPLES, [&mut key]);
        line(&format!("last key of “{query}” over 15,000 names"), Amount::Time(ours), None, at_most(2_000));
    }
    let names: Vec<IndexedName> = (0..15_000_u32).map(|number| indexed_name(number, &kinds)).collect();
    for query in ["o9", "ord 3m", "meta 3m candles", "cash posts chart 3m", "compare meta 12 cash 7"] {
        // The whole key: the coins of all readings of the words, places and commands.
        let mut key = || {
            let mut world = World::new(200);
            world.answer_to(Request::CoinNames, ResponseData::CoinNames(names.clone()));
            let mut last = Duration::ZERO;
            for char in std::iter::once(':').chain(query.chars()) {
                let pressed = Message::Key(KeyEvent::from(KeyCode::Char(char)));
                last = time(|| world.send(pressed));
            }
            last
        };
        let [ours] = medians(SAMPLES / 10, [&mut key]);
        line(&format!("last key of “{query}” in the palette"), Amount::Time(ours), None, at_most(2_000));
    }
}

fn indexed_name(number: u32, kinds: &[&str]) -> IndexedName {
    let kind = kinds.get(number as usize % kinds.len()).expect("a kind");
    let (id, slug, symbol, name) =
        (format!("n{number}"), format!("c-{number}"), format!("C{number}"), format!("{kind} coin {number}"));
    let (id, slug, symbol, name) = (id.into(), slug.into(), symbol.into(), name.into());
    IndexedName::from(CoinName { id, slug, symbol, name, rank: Some(number) })
}

fn at_most(micros: u64) -> Goal {
    Goal::AtMost(Amount::Time(Duration::from_micros(micros)))
}

fn sorted(list: &mut satscope::app::screen::ListScreen, column: SortColumn) -> Duration {
    list.sort_by(Sort { column: SortColumn::Rank, descending: false });
    time(|| list.sort_by(Sort { column, descending: true }))
}

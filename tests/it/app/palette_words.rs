//! The palette: words with several meanings, lines that it refuses, and words without the name of a coin.

use satscope::app::Panel;
use satscope::app::screen::list::Column;
use satscope::client::{Request, ResponseData};
use satscope::model::{CoinName, IndexedName, Tag};

use super::palette::{lines, loaded};
use crate::support::screen::Screen;

/// The dashboard with loaded coins and the names of all coins.
fn named(coins: &[(&str, &str)]) -> Screen {
    let name = |(number, (symbol, name)): (usize, &(&str, &str))| CoinName {
        id: format!("98{number:03}").into(),
        slug: name.to_lowercase().replace(' ', "-").into(),
        symbol: (*symbol).into(),
        name: (*name).into(),
        rank: Some(9_000),
    };
    let names = coins.iter().enumerate().map(name).map(IndexedName::from).collect();
    let mut screen = loaded(120, 35);
    screen.keys(":");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    screen.keys("<esc>");
    screen
}

#[test]
fn command_with_the_typed_words_comes_before_abbreviated_panels() {
    let mut screen = named(&[("CAP", "Cap"), ("CAPR", "Canopy Protocol")]);
    screen.keys(":market cap");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("sort by market cap"), "{shown:?}");
    assert!(shown.iter().any(|line| line.contains("CAP") && line.contains("open markets")), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!(screen.state.list(Tag::All).sort.column, Column::MarketCap);
    screen.keys(":mark capr");
    assert!(lines(&mut screen)[0].contains("Canopy Protocol"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.focus), ("CAPR", Panel::Markets));
}

#[test]
fn part_of_a_hidden_name_matches_no_command_beside_coins() {
    let mut screen = named(&[("ORDX", "Ordex")]);
    for place in ["", "<enter>"] {
        screen.keys(place);
        screen.keys(":ord");
        let shown = lines(&mut screen);
        assert!(shown.iter().any(|line| line.contains("Ordex")), "{shown:?}");
        assert!(shown.iter().all(|line| !line.contains("latest posts")), "{place}: {shown:?}");
        screen.keys("er");
        assert!(screen.text().contains("top / latest posts"), "the whole word does: {}", screen.text());
        screen.keys("<esc>");
    }
}

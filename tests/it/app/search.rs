//! The search of a list.

use satscope::client::ResponseData;
use satscope::model::Tag;

use crate::support::indexer;
use crate::support::screen::Screen;

/// A list of these coins.
fn with_coins(coins: &[(&str, &str)]) -> Screen {
    let mut screen = Screen::new(120, 35);
    screen.serve(|request| match indexer::answer(request)? {
        ResponseData::Coins(mut page) => {
            for (coin, (symbol, name)) in page.items.iter_mut().zip(coins) {
                (coin.symbol, coin.name) = ((*symbol).into(), (*name).into());
            }
            page.items.truncate(coins.len());
            page.total = Some(coins.len() as u64);
            Some(ResponseData::Coins(page))
        }
        other => Some(other),
    });
    screen
}

/// The names of the rows.
fn names(screen: &Screen) -> Vec<String> {
    let list = screen.state.list(Tag::All);
    (0..list.len()).filter_map(|row| Some(list.get(row)?.name.to_string())).collect()
}

#[test]
fn search_of_a_list_forgives_one_typo_as_the_palette_does() {
    let mut screen =
        with_coins(&[("BTC", "Bitcoin"), ("WBTC", "Wrapped Bitcoin"), ("FIZZ", "Fizz"), ("X", "Bit action")]);
    screen.keys("/bitcion<enter>");
    assert_eq!(names(&screen), ["Bitcoin", "Wrapped Bitcoin", "Bit action"], "typos, then scattered letters");
    screen.keys("<esc>/bitc<enter>");
    assert_eq!(names(&screen), ["Bitcoin", "Wrapped Bitcoin"], "literal matches alone");
    screen.keys("<esc>/zzzz<enter>");
    assert_eq!(names(&screen), [""; 0], "letters are not counted in symbol and name together");
    assert!(screen.text().contains("zzzz"), "{}", screen.text());
}

#[test]
fn search_of_a_list_finds_words_in_any_order_in_symbol_and_name() {
    let mut screen = with_coins(&[("BTC", "Bitcoin"), ("BCH", "Bitcoin Cash"), ("ETH", "Ethereum")]);
    screen.keys("/cash bitcoin<enter>");
    assert_eq!(names(&screen), ["Bitcoin Cash"]);
    screen.keys("<esc>/eth ethereum<enter>");
    assert_eq!(names(&screen), ["Ethereum"]);
}

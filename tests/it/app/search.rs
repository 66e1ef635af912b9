//! The search of a list.

use satscope::client::ResponseData;
use satscope::model::Tag;

use crate::support::indexer;
use crate::support::screen::Screen;

/// A list of these coins.
fn with_coins(coins: &[(&str, &str)]) -> Screen {
    let mut screen = Screen::new(120, 35);
    screen.serve(|request| match indexer::response(request)? {
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
fn search_of_a_list_finds_slugs() {
    let mut screen = Screen::new(120, 35);
    screen.serve(indexer::response);
    screen.keys("/sats-(ord");
    assert_eq!(names(&screen).first().map(String::as_str), Some("Sats (Ordinals)"));
    screen.keys("<c-u>ordinal-r");
    assert_eq!(names(&screen).first().map(String::as_str), Some("Ordinal Rats"));
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

/// The name of the selected coin.
fn selected(screen: &Screen) -> String {
    screen.state.list(Tag::All).selected().map(|coin| coin.name.to_string()).unwrap_or_default()
}

#[test]
fn cancelled_search_restores_the_selection() {
    let coins = [("A", "Alpha"), ("B", "Beta"), ("C", "Gamma"), ("D", "Delta"), ("E", "Epsilon"), ("F", "Zeta")];
    for sort in ["", "sn"] {
        for typed in ["", "e", "zzz", "eta<down>", "gam<backspace><backspace><backspace>"] {
            let mut screen = with_coins(&coins);
            screen.keys(sort);
            screen.keys("jjj");
            let before = selected(&screen);
            screen.keys("/");
            screen.keys(typed);
            screen.keys("<esc>");
            assert_eq!((names(&screen).len(), selected(&screen)), (6, before), "{sort} {typed}");
        }
    }
    // A kept search that is cancelled later keeps the selected result, as Esc in the list does.
    for keys in ["/<esc>", "<esc>"] {
        let mut screen = with_coins(&coins);
        screen.keys("/eta<enter>j");
        assert_eq!(selected(&screen), "Zeta");
        screen.keys(keys);
        assert_eq!((names(&screen).len(), selected(&screen).as_str()), (6, "Zeta"), "{keys}");
    }
}

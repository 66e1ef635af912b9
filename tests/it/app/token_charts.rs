//! The price chart beside a token's details in the indexer tab.

use satscope::app::Tab;
use satscope::client::{Request, ResponseData};
use satscope::model::Period;

use crate::support::indexer;
use crate::support::screen::Screen;

/// Responses in which the coin ORDI is certainly the token ordi, and no other coin is a token.
fn response(request: &Request) -> Option<ResponseData> {
    match indexer::response(request)? {
        ResponseData::Coins(mut page) => {
            for coin in &mut page.items {
                coin.contracts.clear();
                coin.brc20_ticker = (coin.symbol == "ORDI").then(|| "ordi".into());
            }
            Some(ResponseData::Coins(page))
        }
        other => Some(other),
    }
}

fn opened(columns: u16) -> Screen {
    opened_at(columns, 45)
}

fn opened_at(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen.keys("5");
    screen.serve(response);
    screen
}

/// The charts that the screen needs.
fn charts(screen: &Screen) -> Vec<String> {
    let charts = screen.wanted().into_iter().filter_map(|request| match request {
        Request::Chart { slug, period: Period::Week, .. } => Some(slug.to_string()),
        _ => None,
    });
    charts.collect()
}

#[test]
fn certain_token_has_a_chart_beside_its_details() {
    let mut screen = opened(160);
    assert_eq!(screen.state.indexer.token().as_deref(), Some("ordi"));
    assert_eq!(charts(&screen), ["ordi"]);
    let text = screen.text();
    let chart = text.lines().find(|line| line.contains(" 7D  ")).unwrap_or_default();
    assert!(chart.contains("▲") || chart.contains("▼"), "{text}");
    assert!(text.contains("deployed"), "the facts stay: {text}");
    screen.keys("j");
    screen.wait(satscope::app::screen::indexer::DEBOUNCE);
    assert_eq!(charts(&screen), Vec::<String>::new(), "which coin is sats is not certain");
    assert!(!screen.text().contains("7D  "), "{}", screen.text());
}

#[test]
fn chart_in_another_currency_names_it() {
    let mut screen = opened(160);
    screen.keys("1ceur<enter>5");
    let text = screen.text();
    assert!(text.contains("EUR") && text.contains("in USD"), "{text}");
    screen.serve(response);
    assert!(!screen.text().contains("in USD"), "{}", screen.text());
}

#[test]
fn failed_chart_shows_the_reason() {
    let mut screen = opened(160);
    let request = screen.wanted().into_iter().find(|request| matches!(request, Request::Chart { .. })).unwrap();
    screen.fail(&request, satscope::client::ErrorKind::Refused);
    assert!(screen.text().contains("Can't reach"), "{}", screen.text());
}

#[test]
fn chart_waits_for_the_selection_to_stop() {
    let mut screen = opened(160);
    screen.keys("jk");
    assert_eq!(charts(&screen), Vec::<String>::new());
    screen.wait(satscope::app::screen::indexer::DEBOUNCE);
    assert_eq!(charts(&screen), ["ordi"]);
}

#[test]
fn narrow_screen_puts_chart_below_details() {
    for (columns, rows, keys) in [(120, 35, ""), (100, 45, ""), (80, 24, "<tab>z")] {
        let mut screen = opened_at(columns, rows);
        screen.keys(keys);
        screen.serve(response);
        assert_eq!(charts(&screen), ["ordi"], "{columns}x{rows}");
        let text = screen.text();
        let row = |words: &str| text.lines().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{text}"));
        assert!(row("deployed") < row("7D  ") && row("7D  ") < row("└"), "{text}");
        assert!(keys == "<tab>z" || row("└") < row("Holders"), "{text}");
    }
}

#[test]
fn small_screens_open_the_coin_instead() {
    let mut screen = opened_at(80, 24);
    assert_eq!(charts(&screen), Vec::<String>::new());
    screen.keys("p");
    assert_eq!(screen.state.token.as_ref().unwrap().symbol, "ORDI");
    screen.keys("<esc>");
    assert_eq!((screen.state.tab, screen.state.token.is_none()), (Tab::Indexer, true));
    screen.keys("jp");
    assert!(screen.text().contains("Can't tell which coin sats is"), "{}", screen.text());
}

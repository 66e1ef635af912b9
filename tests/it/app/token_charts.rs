//! The price chart beside a token's details in the indexer tab.

use satscope::app::Tab;
use satscope::client::{Answer, Request};
use satscope::model::Period;

use crate::support::indexer;
use crate::support::screen::Screen;

/// Responses in which the coin ORDI is certainly the token ordi, and no other coin is a token.
fn answer(request: &Request) -> Option<Answer> {
    match indexer::answer(request)? {
        Answer::Coins(mut page) => {
            for coin in &mut page.items {
                coin.contracts.clear();
                coin.brc20_ticker = (coin.symbol == "ORDI").then(|| "ordi".into());
            }
            Some(Answer::Coins(page))
        }
        other => Some(other),
    }
}

fn opened(columns: u16) -> Screen {
    let mut screen = Screen::new(columns, 45);
    screen.serve(answer);
    screen.keys("5");
    screen.serve(answer);
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
    assert!(text.contains("7D  ▲") || text.contains("7D  ▼"), "{text}");
    assert!(text.contains("deployed"), "the facts stay: {text}");
    screen.keys("j");
    screen.wait(satscope::app::screen::indexer::DEBOUNCE);
    assert_eq!(charts(&screen), Vec::<String>::new(), "which coin is sats is not certain");
    assert!(!screen.text().contains("7D  "), "{}", screen.text());
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
fn narrow_screens_open_the_coin_instead() {
    let mut screen = opened(100);
    assert_eq!(charts(&screen), Vec::<String>::new());
    screen.keys("p");
    assert_eq!(screen.state.token.as_ref().unwrap().symbol, "ORDI");
    screen.keys("<esc>");
    assert_eq!((screen.state.tab, screen.state.token.is_none()), (Tab::Indexer, true));
    screen.keys("jp");
    assert!(screen.text().contains("No coin is certainly the token sats"), "{}", screen.text());
}

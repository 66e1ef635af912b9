//! Filters of the lists of coins.

use satscope::app::screen::ListScreen;
use satscope::app::{Overlay, Tab};
use satscope::client::{ErrorKind, ResponseData};
use satscope::keymap::Context;
use satscope::model::Tag;

use super::fixtures::{coin, page};
use crate::support::indexer;
use crate::support::screen::Screen;

fn loaded(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(indexer::response);
    screen
}

fn list(screen: &Screen) -> &ListScreen {
    screen.state.list(Tag::All)
}

/// The 24-hour changes of the rows.
fn changes(screen: &Screen) -> Vec<f64> {
    let list = list(screen);
    (0..list.len()).filter_map(|row| list.get(row)?.change_24h_pct).collect()
}

#[test]
fn gainers_and_losers_are_two_keys_away() {
    let mut screen = loaded(120, 35);
    screen.keys("Fg");
    screen.serve(indexer::response);
    assert!(!changes(&screen).is_empty() && changes(&screen).iter().all(|change| *change > 0.0));
    let shown = list(&screen).len();
    let head = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(head.contains("filter gainers") && head.contains(&format!("{shown} of ")), "{head}");
    screen.keys("Fl");
    assert!(changes(&screen).iter().all(|change| *change < 0.0));
    screen.keys("<esc>");
    assert_eq!(list(&screen).len(), list(&screen).loaded(), "Esc shows all coins");
    screen.keys("FgFa");
    assert_eq!(list(&screen).len(), list(&screen).loaded());
}

#[test]
fn filter_examples_are_aligned() {
    let mut screen = loaded(80, 24);
    screen.keys("Fe");
    let text = screen.text();
    let column = |words: &str| text.lines().find_map(|line| line.find(words).map(|at| line[..at].chars().count()));
    let columns = ["24h change of", "coins on your watchlist", "`and` is applied before `or`"].map(column);
    assert!(columns[0].is_some() && columns.iter().all(|column| *column == columns[0]), "{columns:?} {text}");
}

#[test]
fn filter_is_shown_while_the_list_fails() {
    let mut screen = Screen::new(120, 35);
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("Fg");
    let head = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(head.contains("filter gainers"), "{head}");
}

#[test]
fn further_condition_keeps_the_applied_filter() {
    for (before, letter, line) in [
        ("", 'c', "cap < "),
        ("gainers", 'c', "gainers and cap < "),
        ("24h > 0 or 7d > 0", 'v', "(24h > 0 or 7d > 0) and volume > "),
        ("gainers", 't', "gainers and tag "),
        ("cap < 1b", 'c', "cap < "),
        ("cap < 1b", 'e', "cap < 1b "),
    ] {
        let mut screen = loaded(120, 35);
        screen.keys(&format!("Fe{before}<enter>F{letter}"));
        let Some(Overlay::Filter { input, .. }) = &screen.state.overlay else { panic!("{before}") };
        assert_eq!(input.value(), line, "{before}");
        let prefilled = screen.text().contains("Ctrl-u clear");
        assert_eq!(prefilled, line.contains(before) && !before.is_empty(), "{line}: {}", screen.text());
    }
    let mut screen = loaded(120, 35);
    screen.keys("FgFc1b<enter>");
    assert_eq!(list(&screen).applied_filter().map(|applied| applied.text.as_str()), Some("gainers and cap < 1b"));
    screen.keys("FaFgFe24h > 5<enter>");
    let head = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(head.contains("filter gainers and 24h > 5"), "{head}");
}

#[test]
fn coins_whose_change_is_shown_as_zero_are_neither_gainers_nor_losers() {
    let mut screen = Screen::new(120, 35);
    let changes = [0.04, 0.05, 2.0, -0.04, -0.06, 0.0];
    let coins = (1..).zip(changes).map(|(rank, change)| {
        let mut coin = coin(rank, &format!("coin-{rank}"), &format!("C{rank}"), Some(1.0));
        coin.change_24h_pct = Some(change);
        coin
    });
    let request = screen.wanted().remove(0);
    screen.answer(&request, page(coins.collect(), Some(6)));
    let head = |screen: &mut Screen| screen.text().lines().nth(1).unwrap().to_owned();
    assert!(head(&mut screen).contains("▲ 2  ▼ 1"), "{}", head(&mut screen));
    for (keys, count) in [("Fg", 2), ("Fl", 1)] {
        screen.keys(keys);
        assert!(head(&mut screen).contains(&format!("{count} of 6 coins")), "{}", head(&mut screen));
        let text = screen.text();
        assert!(!text.contains("0.0%"), "{text}");
    }
}

#[test]
fn unknown_changes_are_not_counted() {
    for (known, expected) in [(None, None), (Some(0.0), Some("▲ 0  ▼ 0"))] {
        let mut screen = Screen::new(120, 35);
        let coins = (1..4).map(|rank| {
            let mut coin = coin(rank, &format!("coin-{rank}"), &format!("C{rank}"), Some(1.0));
            coin.change_24h_pct = known.filter(|_| rank == 1);
            coin
        });
        let request = screen.wanted().remove(0);
        screen.answer(&request, page(coins.collect(), Some(6)));
        let head = screen.text().lines().nth(1).unwrap().to_owned();
        assert_eq!(head.contains('▲'), expected.is_some(), "{head}");
        assert!(head.contains("6 coins") && head.contains(expected.unwrap_or_default()), "{head}");
    }
}

#[test]
fn filter_is_counted_at_every_size() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let mut screen = loaded(columns, rows);
        screen.keys("Fg");
        let head = screen.text().lines().nth(1).unwrap().to_owned();
        assert!(head.contains(&format!("{} of ", list(&screen).len())), "{columns}x{rows}: {head}");
    }
}

#[test]
fn sort_menu_is_whole_in_a_small_terminal() {
    let mut screen = loaded(40, 12);
    screen.keys("s");
    let text = screen.text();
    for words in ["# rank", "t trend", "reverses"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn selected_row_stays_visible_above_a_menu() {
    let mut screen = loaded(40, 12);
    screen.keys("jjjjjj");
    let selected: String = list(&screen).selected().unwrap().name.chars().take(6).collect();
    screen.paint();
    for key in ["F", "s", "y"] {
        screen.keys(key);
        assert!(screen.state.menu.is_some());
        assert!(screen.text().contains(&selected), "{key} {selected}: {}", screen.text());
        screen.keys("<esc>");
        assert!(screen.text().contains(&selected), "{}", screen.text());
    }
}

#[test]
fn expression_is_applied_and_its_errors_have_a_position() {
    let mut screen = loaded(120, 35);
    screen.keys("Fe24h > five<enter>");
    assert_eq!(screen.state.context(), Context::Choice, "it stays editable");
    assert!(screen.text().contains("Expected a number at character 7, found `five`"), "{}", screen.text());
    screen.keys("<bs><bs><bs><bs>1,5");
    for (columns, rows) in [(120, 35), (40, 12)] {
        screen.resize(columns, rows);
        assert!(screen.text().contains("`1,5` is not a number (use 1.5)"), "{}", screen.text());
    }
    screen.resize(120, 35);
    screen.keys("<bs><bs> and rank <lt> 100<enter>".replace("<lt>", "<").as_str());
    screen.serve(indexer::response);
    assert_eq!(screen.state.context(), Context::List);
    assert!(changes(&screen).iter().all(|change| *change > 1.0), "{:?}", changes(&screen));
    screen.keys("Fe");
    assert!(screen.text().contains("› 24h > 1 and rank"), "the filter can be edited: {}", screen.text());
}

#[test]
fn filter_is_shown_beside_a_search() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = loaded(columns, rows);
        screen.keys("/c<enter>Fg");
        let head = screen.text().lines().nth(1).unwrap().to_owned();
        assert!(head.contains("/c") && head.contains("gainers"), "{columns}x{rows}: {head}");
        assert!(head.contains(&list(&screen).len().to_string()), "{columns}x{rows}: {head}");
    }
    let mut screen = loaded(120, 35);
    screen.keys("/bitcoin<enter>Fe24h > 999<enter>");
    let text = screen.text();
    assert!(text.contains("No matches for “bitcoin” with filter “24h > 999” in"), "{text}");
}

#[test]
fn long_search_or_filter_without_matches_is_cut() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut screen = loaded(columns, rows);
        screen.keys(&format!("/{}<enter>", "z".repeat(150)));
        let text = screen.text();
        let mut lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with("“zzz"));
        assert!(lines.next().is_some_and(|line| line.ends_with("z…”")), "{text}");
        assert!(lines.next().is_some_and(|line| line.starts_with("in ") && line.contains("coins")), "{text}");

        let mut screen = loaded(columns, rows);
        screen.keys(&format!("Fe{}<enter>", ["24h > 999"; 12].join(" and ")));
        let text = screen.text();
        assert!(text.contains("“24h > 999 and") && text.contains("…”"), "{text}");
    }
}

#[test]
fn letter_of_no_choice_begins_an_expression() {
    let mut screen = loaded(120, 35);
    screen.keys("Fprice > 5");
    assert!(screen.text().contains("› price > 5"), "{}", screen.text());
    screen.keys("<enter>");
    assert!(list(&screen).applied_filter().is_some(), "{}", screen.text());
}

#[test]
fn filter_error_is_never_truncated() {
    for columns in 40..=90 {
        for rows in [12, 24] {
            let mut screen = loaded(columns, rows);
            for (typed, error) in [
                ("24h > 5 and volumes > 10m", "volume or cap at character 13, found `volumes`"),
                ("24h > 5 and cap < 1b something", "Expected `and` or `or` at character 22, found `something`"),
                ("price > €1000000000", "`€1000000000` is not in USD, the currency of the list"),
                ("rank < $100000", "A currency is valid only for price, volume and cap"),
            ] {
                screen.keys(&format!("Fe<c-u>{typed}"));
                let text = dialog(&screen.text());
                assert!(text.contains(error), "{columns}x{rows}: {text}");
                screen.keys("<esc><esc>");
            }
        }
    }
}

/// The words inside of the border of a dialog.
pub(super) fn dialog(text: &str) -> String {
    let inside = text.lines().filter_map(|line| line.split_once('│')?.1.split_once('│'));
    inside.map(|(line, _)| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn amount_in_another_currency_is_refused() {
    let mut screen = loaded(120, 35);
    let all = list(&screen).len();
    screen.keys("Feprice > €5<enter>");
    assert_eq!(screen.state.context(), Context::Choice, "it stays editable");
    assert!(screen.text().contains("`€5` is not in USD, the currency of the list"), "{}", screen.text());
    screen.keys("<bs><bs>$5<enter>");
    assert!(list(&screen).applied_filter().is_some() && list(&screen).len() < all, "{}", screen.text());
    // In another currency, it would compare with another amount.
    screen.keys("ceur<enter>");
    screen.serve(indexer::response);
    assert!(list(&screen).applied_filter().is_none(), "{}", screen.text());
    assert!(
        screen.text().contains("Filter removed: `$5` is not in EUR, the currency of the list"),
        "{}",
        screen.text()
    );
    screen.keys("Feprice > €5<enter>cusd<enter>Feprice > 5<enter>cgbp<enter>");
    assert!(list(&screen).applied_filter().is_some(), "an amount without a currency is in that of the list");
    // The yen and the yuan have the same sign.
    screen.keys("cjpy<enter>");
    screen.serve(indexer::response);
    screen.keys("Fe<c-u>price > ¥1<enter>");
    assert!(list(&screen).applied_filter().is_some(), "{}", screen.text());
    screen.keys("ccny<enter>");
    assert!(list(&screen).applied_filter().is_none(), "{}", screen.text());
    assert!(screen.text().contains("Filter removed: ¥ meant JPY"), "{}", screen.text());
}

#[test]
fn expression_that_begins_with_a_digit_needs_no_letter() {
    let mut screen = loaded(120, 35);
    screen.keys("F24h > 1<enter>");
    screen.serve(indexer::response);
    assert!(!changes(&screen).is_empty() && changes(&screen).iter().all(|change| *change > 1.0));
}

#[test]
fn first_match_is_selected_if_the_selected_coin_is_filtered_out() {
    let mut screen = loaded(120, 35);
    screen.keys("jjj");
    let keys = if list(&screen).selected().unwrap().change_24h_pct.unwrap() > 0.0 { "Fl" } else { "Fg" };
    screen.keys(keys);
    assert_eq!(list(&screen).selected().unwrap().id, list(&screen).get(0).unwrap().id);
}

#[test]
fn filter_keeps_the_selected_coin() {
    let mut screen = loaded(120, 35);
    screen.keys("jjj");
    let coin = list(&screen).selected().unwrap().clone();
    let keys = if coin.change_24h_pct.unwrap() > 0.0 { "Fg" } else { "Fl" };
    screen.keys(keys);
    assert_eq!(list(&screen).selected().unwrap().id, coin.id);
    screen.keys("<esc>");
    assert_eq!(list(&screen).selected().unwrap().id, coin.id);
}

#[test]
fn search_finds_only_filtered_coins() {
    let mut screen = loaded(120, 35);
    screen.keys("Fg/o<enter>");
    screen.serve(indexer::response);
    assert!(changes(&screen).iter().all(|change| *change > 0.0));
    screen.keys("<esc>");
    assert!(list(&screen).applied_filter().is_some(), "the search ends first");
    screen.keys("2");
    assert_eq!(screen.state.tab, Tab::List(Tag::Brc20));
    assert!(screen.state.list(Tag::Brc20).applied_filter().is_none(), "each list has its own filter");
}

#[test]
fn filter_without_matches_shows_a_message() {
    let mut screen = loaded(80, 24);
    screen.keys("Feprice <= 0<enter>");
    screen.serve(indexer::response);
    assert!(screen.text().contains("No coins match “price <= 0”"), "{}", screen.text());
}

#[test]
fn footer_while_typing_shows_only_working_keys() {
    let mut screen = loaded(120, 35);
    let footer = |screen: &mut Screen, keys: &str| {
        screen.keys(keys);
        screen.text().lines().last().unwrap_or_default().to_owned()
    };
    let filter = footer(&mut screen, "Fe");
    assert!(filter.contains("↵ apply") && !filter.contains("select"), "{filter}");
    let currency = footer(&mut screen, "<esc>c");
    assert!(currency.contains("↑↓ select"), "{currency}");
}

#[test]
fn unfinished_filter_shows_what_can_follow() {
    let mut screen = loaded(80, 24);
    screen.keys("Fv");
    let text = screen.text();
    assert!(text.contains("Expected a number such as 10m"), "{text}");
    screen.keys("x");
    assert!(screen.text().contains("Expected a number at character 10, found `x`"), "{}", screen.text());
    screen.keys("<c-u>gainers and");
    assert!(screen.text().contains("Expected a column such as 24h, volume or cap"), "{}", screen.text());
}

#[test]
fn tag_filter_lists_the_tags() {
    let mut screen = Screen::new(80, 24);
    screen.serve(|request| match indexer::response(request)? {
        ResponseData::Coins(mut page) => {
            for (coin, tags) in page.items.iter_mut().zip([&["Layer 1", "pow"][..], &["Layer 1"], &["memes"]]) {
                coin.tags = tags.iter().map(|tag| (*tag).into()).collect();
            }
            page.items.iter_mut().skip(3).for_each(|coin| coin.tags = std::iter::empty().collect());
            Some(ResponseData::Coins(page))
        }
        other => Some(other),
    });
    screen.keys("Ft");
    let text = screen.text();
    let line = |tag: &str| text.lines().find(|line| line.contains(tag)).unwrap_or_else(|| panic!("{tag}: {text}"));
    assert!(line("layer-1").contains("2 coins") && line("pow").contains("1 coin"), "{text}");
    assert!(!text.contains("expected"), "{text}");
    assert!(text.contains("select"), "the footer says that one can be selected: {text}");
    // The number stays whole on a narrow screen.
    screen.resize(40, 12);
    assert!(screen.text().contains("2 coins"), "{}", screen.text());
    screen.resize(80, 24);
    // The arrows write it into the line.
    screen.keys("<down>");
    assert!(screen.text().contains("› tag layer-1"), "{}", screen.text());
    screen.keys("<down><down><down>");
    assert!(screen.text().contains("› tag pow"), "{}", screen.text());
    screen.keys("<up><enter>");
    assert_eq!(
        (list(&screen).applied_filter().map(|filter| filter.text.as_str()), list(&screen).len()),
        (Some("tag memes"), 1)
    );
    // What is typed narrows them.
    screen.keys("FaFtlay");
    let text = screen.text();
    assert!(text.contains("layer-1") && !text.contains("memes"), "{text}");
    screen.keys("<down> and rank = 1<enter>");
    assert_eq!(list(&screen).len(), 1, "{}", screen.text());
}

#[test]
fn condition_typed_after_the_current_filter_narrows_it() {
    let mut screen = loaded(120, 35);
    screen.keys("FgFerank < 20<enter>");
    screen.serve(indexer::response);
    assert!(screen.text().contains("filter gainers and rank < 20"), "{}", screen.text());
    let ranks: Vec<u32> = (0..list(&screen).len()).filter_map(|row| list(&screen).get(row)?.rank).collect();
    assert!(!ranks.is_empty() && ranks.iter().all(|rank| *rank < 20), "{ranks:?}");
    assert!(changes(&screen).iter().all(|change| *change > 0.0));
}

#[test]
fn text_after_the_current_filter_does_not_join_its_last_word() {
    let mut screen = loaded(120, 35);
    screen.keys("FlFeand rank < 100<enter>");
    assert_eq!(list(&screen).applied_filter().map(|filter| filter.text.as_str()), Some("losers and rank < 100"));
}

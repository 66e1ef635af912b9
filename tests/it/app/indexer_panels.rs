//! Keys of the indexer's panels: open, copy, go back.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::Panel;
use satscope::app::find::lookup::Subject;
use satscope::app::scroll::Scroll;
use satscope::app::{ClickTarget, Effect, Message, Overlay, Tab, demand};
use satscope::client::{InscriptionRef, Request, ResponseData};
use satscope::format::Count;
use satscope::model::{Amount, ChainState, Holder, Inscription, Page, SatNumber};

use super::fixtures::App;
use crate::support::indexer;
use crate::support::screen::Screen;

/// The indexer tab with all its data.
fn indexer_tab() -> App {
    let mut app = App::new();
    app.keys("5");
    app.feed();
    app
}

impl App {
    /// Responds to all demanded requests, and to those that follow from the responses.
    fn feed(&mut self) {
        self.wait(Duration::from_millis(200));
        for _ in 0..9 {
            let wanted = demand(&self.state).visible;
            for request in &wanted {
                if self.state.responses.response(request).is_none() {
                    self.answer(request, indexer::response(request).expect("a response"));
                }
            }
        }
    }

    fn look_up(&mut self, text: &str) {
        self.keys(":");
        self.send(Message::Paste(text.to_owned()));
        self.key(KeyCode::Enter);
        self.feed();
    }

    fn subject(&self) -> String {
        self.state.indexer.subject().map(|subject| subject.describe()).unwrap_or_default()
    }

    /// What `y` and a letter of its menu copy.
    fn copied(&mut self, letter: &str) -> Option<String> {
        let at_once = self.keys("y");
        let chosen = if self.state.menu.is_some() { self.keys(letter) } else { Vec::new() };
        if self.state.menu.is_some() {
            self.key(KeyCode::Esc);
        }
        at_once.into_iter().chain(chosen).find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        })
    }

    fn goes_to(&mut self, panel: Panel) {
        self.send(Message::Click(ClickTarget::Panel(panel)));
        assert_eq!(self.state.indexer.focus, panel);
    }

    /// Index of the selected row in the focused list.
    fn row(&self) -> usize {
        self.state.indexer.list(self.state.indexer.focus).map_or(usize::MAX, |list| list.cursor.index())
    }
}

#[test]
fn tab_cycles_panels_of_each_subject() {
    let mut app = indexer_tab();
    let round = |app: &mut App, code| -> Vec<Panel> {
        let step = |app: &mut App| {
            app.key(code);
            app.state.indexer.focus
        };
        let mut seen = vec![step(app)];
        while seen[0] != app.state.indexer.focus || seen.len() == 1 {
            let next = step(app);
            if next == seen[0] {
                break;
            }
            seen.push(next);
        }
        seen
    };
    let forward = [Panel::Details, Panel::Holders, Panel::Activity, Panel::Tokens];
    assert_eq!(round(&mut app, KeyCode::Tab), forward);
    app.goes_to(Panel::Tokens);
    assert_eq!(round(&mut app, KeyCode::Right), forward);
    app.goes_to(Panel::Tokens);
    let backward = [Panel::Activity, Panel::Holders, Panel::Details, Panel::Tokens];
    assert_eq!(round(&mut app, KeyCode::BackTab), backward);
    app.goes_to(Panel::Tokens);
    assert_eq!(round(&mut app, KeyCode::Left), backward);
    for (text, panels) in [
        (indexer::HOLDER, vec![Panel::Balances, Panel::Inscriptions]),
        ("sat 0", vec![Panel::Facts, Panel::Inscriptions]),
        ("block 840000", vec![Panel::Activity]),
        ("inscription 5", vec![Panel::Facts]),
    ] {
        app.look_up(text);
        app.goes_to(Panel::Tokens);
        let mut seen = round(&mut app, KeyCode::Tab);
        assert_eq!(seen.pop(), Some(Panel::Tokens), "{text}");
        assert_eq!(seen, panels, "{text}");
    }
}

#[test]
fn enter_follows_selection_and_y_copies_it() {
    let mut app = indexer_tab();
    let page = |app: &App, make: Option<Request>| app.state.responses.response(&make.unwrap()).unwrap().clone();
    app.key(KeyCode::Down);
    app.feed();
    assert_eq!((app.subject().as_str(), app.copied("t").as_deref()), ("token sats", Some("sats")));

    app.goes_to(Panel::Holders);
    app.key(KeyCode::Down);
    let ResponseData::Holders(holders) = &*page(&app, app.state.indexer.holders_request().map(|make| make(0))) else {
        panic!()
    };
    let address = holders.items[1].address.clone().unwrap();
    assert_eq!(app.copied("a").as_deref(), Some(address.as_str()));

    app.goes_to(Panel::Activity);
    app.key(KeyCode::End);
    app.feed();
    let ResponseData::Activity(events) = &*page(&app, app.state.indexer.activity_request().map(|make| make(0))) else {
        panic!()
    };
    assert_eq!(app.copied("i"), events.items[app.row()].inscription_id.as_ref().map(ToString::to_string));

    app.goes_to(Panel::Details);
    let deploy = app.copied("i").expect("the deploy's inscription");
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!(app.subject(), format!("inscription {deploy}"));
    assert_eq!(app.state.indexer.focus, Panel::Facts);
    let ResponseData::Inscription(inscription) = &*page(&app, app.state.indexer.facts_request()) else { panic!() };
    let number = inscription.sat.unwrap();
    assert_eq!(app.copied("s"), Some(number.to_string()));
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!(app.subject(), format!("sat {}", Count(number.get())));
    assert_eq!(app.copied("i"), None, "no inscription is on it");

    app.key(KeyCode::Esc);
    app.key(KeyCode::Esc);
    assert_eq!(app.state.indexer.focus, Panel::Details);
    app.goes_to(Panel::Holders);
    app.feed();
    assert_eq!(app.row(), 1, "as before");
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!((app.subject(), app.state.indexer.focus), (format!("address {address}"), Panel::Balances));
    app.key(KeyCode::Down);
    assert_eq!(app.copied("t").as_deref(), Some("sats"));
    app.goes_to(Panel::Inscriptions);
    app.key(KeyCode::Down);
    let ResponseData::Inscriptions(own) = &*page(&app, app.state.indexer.inscriptions_request().map(|make| make(0)))
    else {
        panic!()
    };
    assert_eq!(app.copied("i"), Some(own.items[1].id.to_string()));
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!(app.subject(), format!("inscription {}", own.items[1].id));

    app.look_up("sat 0");
    let ResponseData::Sat(sat) = &*page(&app, app.state.indexer.facts_request()) else { panic!() };
    assert_eq!(app.copied("i"), sat.inscription_id.as_ref().map(ToString::to_string));
    app.keys("b");
    app.feed();
    assert_eq!(app.subject(), "inscriptions per block");
    assert!(app.copied("r").is_some_and(|rows| rows.starts_with("840000\t")));
    app.look_up("inscription -7");
    assert_eq!(app.state.indexer.subject(), Some(Subject::Inscription(InscriptionRef::Number(-7))));
}

#[test]
fn address_lookup_requests_inscriptions() {
    let mut app = indexer_tab();
    app.look_up(indexer::HOLDER);
    let is_inscriptions = |request: &Request| matches!(request, Request::Inscriptions { address: Some(address), .. } if address == indexer::HOLDER);
    assert!(demand(&app.state).visible.iter().any(is_inscriptions), "{:?}", app.wanted());
    app.look_up("token ordi");
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("ordi".into())));
    for (text, subject) in [
        ("ticker SATS", Subject::Token("sats".into())),
        ("brc-20 rats", Subject::Token("rats".into())),
        ("height 7", Subject::Block(7)),
        ("addr x", Subject::Address("x".into())),
        ("sat 7", Subject::Sat(SatNumber::new(7).unwrap())),
    ] {
        assert_eq!(satscope::app::find::lookup::interpret(text), [subject], "{text}");
    }
}

#[test]
fn each_list_has_its_own_selection() {
    let mut app = indexer_tab();
    for panel in [Panel::Holders, Panel::Activity] {
        app.goes_to(panel);
        app.key(KeyCode::Down);
        app.key(KeyCode::Down);
        assert_eq!(app.row(), 2, "{panel:?}");
    }
    app.goes_to(Panel::Tokens);
    assert_eq!(app.row(), 0);
    app.goes_to(Panel::Holders);
    assert_eq!(app.row(), 2);
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Activity), 5)));
    assert_eq!((app.state.indexer.focus, app.row()), (Panel::Activity, 5));
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Activity), 3)));
    assert_eq!(app.row(), 3);
    // The lists of another token start at their first rows.
    app.goes_to(Panel::Tokens);
    app.key(KeyCode::Down);
    app.feed();
    for panel in [Panel::Holders, Panel::Activity] {
        app.goes_to(panel);
        assert_eq!(app.row(), 0, "{panel:?}");
    }
    app.look_up(indexer::HOLDER);
    for panel in [Panel::Balances, Panel::Inscriptions] {
        app.goes_to(panel);
        app.key(KeyCode::Down);
        assert_eq!(app.row(), 1, "{panel:?}");
    }
}

#[test]
fn indexer_lists_load_near_the_end_without_duplicates() {
    let mut app = indexer_tab();
    for (panel, count) in [(Panel::Holders, 80), (Panel::Activity, 70)] {
        app.goes_to(panel);
        app.key(KeyCode::End);
        app.feed();
        app.key(KeyCode::End);
        assert_eq!(app.row(), count - 1, "{panel:?}");
    }
    // An item that moved from the first page to the second is listed once.
    let make = app.state.indexer.holders_request().unwrap();
    let ResponseData::Holders(mut second) = indexer::response(&make(60)).unwrap() else { panic!() };
    let Some(ResponseData::Holders(first)) = indexer::response(&make(0)) else { panic!() };
    second.items[0] = Holder { address: first.items[59].address.clone(), ..second.items[0].clone() };
    app.answer(&make(60), ResponseData::Holders(second));
    assert_eq!(app.state.indexer.holder_list(&app.state.responses).unwrap().len(), 79);
    let make = app.state.indexer.activity_request().unwrap();
    let (Some(ResponseData::Activity(first)), Some(ResponseData::Activity(mut second))) =
        (indexer::response(&make(0)), indexer::response(&make(60)))
    else {
        panic!()
    };
    second.items[3] = first.items[7].clone();
    app.answer(&make(60), ResponseData::Activity(second));
    assert_eq!(app.state.indexer.activity_list(&app.state.responses).unwrap().len(), 69);

    app.look_up(indexer::HOLDER);
    let balances = app.state.indexer.balances_request().unwrap();
    let inscriptions = app.state.indexer.inscriptions_request().unwrap();
    let tokens = |request: &Request| match indexer::response(request) {
        Some(ResponseData::Balances(page)) => page.items,
        _ => panic!(),
    };
    let numbered = |from: usize, count: usize| -> Vec<_> {
        let one = tokens(&balances(0)).remove(0);
        let named = |n| satscope::model::Balance { ticker: Some(format!("t{n:03}").into()), ..one.clone() };
        (from..from + count).map(named).collect()
    };
    let ids = |from: usize, count: usize| -> Vec<Inscription> {
        let Some(ResponseData::Inscriptions(page)) = indexer::response(&inscriptions(0)) else { panic!() };
        (from..from + count).map(|n| Inscription { id: format!("id{n}").into(), ..page.items[0].clone() }).collect()
    };
    let total = Some(90);
    app.answer(&balances(0), ResponseData::Balances(Page { items: numbered(0, 60), total }));
    app.answer(&inscriptions(0), ResponseData::Inscriptions(Page { items: ids(0, 60), total }));
    for panel in [Panel::Balances, Panel::Inscriptions] {
        app.goes_to(panel);
        app.key(KeyCode::End);
    }
    app.answer(&balances(60), ResponseData::Balances(Page { items: numbered(58, 30), total }));
    app.answer(&inscriptions(60), ResponseData::Inscriptions(Page { items: ids(58, 30), total }));
    assert_eq!(app.state.indexer.balance_list(&app.state.responses).unwrap().len(), 88);
    assert_eq!(app.state.indexer.inscription_list(&app.state.responses).unwrap().len(), 88);
}

#[test]
fn esc_returns_to_the_panel_and_row_before_each_lookup() {
    let mut app = indexer_tab();
    app.key(KeyCode::Tab);
    app.key(KeyCode::Tab);
    app.feed();
    app.keys("jj");
    app.key(KeyCode::Enter);
    app.feed();
    let address = app.subject();
    assert!(address.starts_with("address "), "{address}");
    app.keys("j");
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("token sats", Panel::Details));
    app.key(KeyCode::Esc);
    assert_eq!((app.subject(), app.state.indexer.focus, app.row()), (address, Panel::Balances, 1));
    app.key(KeyCode::Esc);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus, app.row()), ("token ordi", Panel::Holders, 2));
    // The lists of another token start at their first rows.
    app.key(KeyCode::Enter);
    app.feed();
    app.goes_to(Panel::Tokens);
    app.keys("j");
    app.feed();
    app.key(KeyCode::Esc);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("token sats", Panel::Tokens));
    app.goes_to(Panel::Holders);
    assert_eq!(app.row(), 0);
}

#[test]
fn esc_leaves_zoom_subjects_focus_and_filter() {
    let mut app = indexer_tab();
    app.keys("/or");
    app.key(KeyCode::Enter);
    app.feed();
    assert_eq!((app.state.indexer.filter.value(), app.state.indexer.filtering), ("or", false));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.indexer.focus, Panel::Details);
    app.look_up("block 5");
    app.look_up("block 6");
    app.keys("z");
    assert!(app.state.indexer.zoom);
    app.keys("zz");
    assert!(app.state.indexer.zoom);
    app.key(KeyCode::Esc);
    assert_eq!((app.state.indexer.zoom, app.subject().as_str()), (false, "block 6"));
    app.key(KeyCode::Esc);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("block 5", Panel::Activity));
    app.key(KeyCode::Esc);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("token ordi", Panel::Details));
    app.key(KeyCode::Tab);
    app.key(KeyCode::Esc);
    assert_eq!((app.state.indexer.focus, app.state.indexer.filter.value()), (Panel::Tokens, "or"));
    app.key(KeyCode::Esc);
    assert_eq!(app.state.indexer.filter.value(), "");
    assert_eq!(app.wanted()[0], "BRC-20 tokens 1–60");
    app.keys("/sa");
    app.key(KeyCode::Esc);
    assert_eq!(
        (app.state.indexer.filter.value(), app.state.indexer.filtering),
        ("", false),
        "Esc forgets what was typed"
    );
}

#[test]
fn enter_on_token_closes_lookup_and_shows_token() {
    let mut app = indexer_tab();
    app.look_up("block 5");
    app.key(KeyCode::Down);
    app.goes_to(Panel::Tokens);
    app.key(KeyCode::Down);
    assert_eq!(app.subject(), "block 5", "moving through the tokens keeps the looked-up subject");
    assert!(app.state.indexer.debounce_until.is_none());
    app.key(KeyCode::Enter);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("token sats", Panel::Details));
    assert!(app.wanted().contains(&"BRC-20 token sats".to_owned()), "at once: {:?}", app.wanted());
    app.goes_to(Panel::Tokens);
    app.key(KeyCode::Down);
    assert!(!app.wanted().contains(&"BRC-20 token rats".to_owned()), "only after the debounce");
    app.wait(Duration::from_millis(149));
    assert!(!app.wanted().contains(&"BRC-20 token rats".to_owned()));
    app.wait(Duration::from_millis(1));
    assert!(app.wanted().contains(&"BRC-20 token rats".to_owned()));
}

#[test]
fn facts_scroll_within_their_maximum_length() {
    let mut app = indexer_tab();
    app.look_up("inscription 5");
    let down = |app: &mut App| {
        for _ in 0..200 {
            app.key(KeyCode::Down);
        }
        app.state.indexer.scroll
    };
    // At most 60 lines, and 6 for the parent.
    assert_eq!(down(&mut app), Scroll::FromTop(66));
    app.look_up("sat 0");
    assert_eq!(app.state.indexer.scroll, Scroll::FromTop(0));
    assert_eq!(down(&mut app), Scroll::FromTop(60));
}

#[test]
fn narrow_indexer_requests_only_visible_panels() {
    let mut app = indexer_tab();
    for (size, panels) in [
        ((147, 12), vec![Panel::Tokens, Panel::Details, Panel::Holders, Panel::Activity]),
        ((146, 12), vec![Panel::Tokens, Panel::Details, Panel::Holders]),
        ((70, 12), vec![Panel::Tokens, Panel::Details, Panel::Holders]),
        ((69, 40), vec![Panel::Tokens]),
        ((160, 11), vec![Panel::Tokens]),
    ] {
        let all = [Panel::Tokens, Panel::Details, Panel::Holders, Panel::Activity];
        let shown: Vec<_> = all.into_iter().filter(|panel| app.state.indexer.shows(*panel, size)).collect();
        assert_eq!(shown, panels, "{size:?}");
    }
    app.send(Message::Resize(60, 40));
    app.goes_to(Panel::Holders);
    // The second page is for the share of the top 100.
    let holders = ["BRC-20 tokens 1–60", "Holders of ordi (1–60)", "Holders of ordi (61–120)", "BRC-20 coins 1–200"];
    assert_eq!(app.wanted(), holders, "no selection without tokens");
    app.look_up("block 5");
    assert_eq!(app.wanted(), ["BRC-20 activity in block 5 (1–60)"]);
    app.goes_to(Panel::Tokens);
    assert_eq!(app.wanted(), ["BRC-20 tokens 1–60", "BRC-20 coins 1–200"]);
}

/// The selected item of the palette.
fn selected(app: &App) -> usize {
    let Some(Overlay::Palette(palette, _)) = &app.state.overlay else { panic!() };
    palette.selected
}

#[test]
fn sat_of_a_future_block_is_marked() {
    for (sat, is_marked) in [("satoshi", true), ("923106.0", true), ("923105.0", false), ("0", false)] {
        let mut app = indexer_tab();
        let newest = ChainState { height: 923_105, hash: None, fees: None };
        app.answer(&Request::ChainState, ResponseData::ChainState(newest));
        app.look_up(&format!("sat {sat}"));
        let text = app.screen((160, 45));
        assert!(text.contains("offset"), "{text}");
        for size in [(160, 45), (80, 24), (40, 12)] {
            let text = app.screen(size);
            assert_eq!(text.contains(" (not mined)"), is_marked, "{sat}: {text}");
        }
    }
}

#[test]
fn unrecognised_lookup_stays_editable() {
    let mut app = indexer_tab();
    app.keys(":?!");
    app.key(KeyCode::Enter);
    let Some(Overlay::Palette(palette, _)) = &app.state.overlay else { panic!() };
    let input = &palette.input;
    assert_eq!(input.value(), "?!");
    assert!(app.screen((120, 35)).contains("No matches") && app.state.toast.is_none());
    app.key(KeyCode::Esc);
    app.keys(":840000");
    app.key(KeyCode::Down);
    assert_eq!(selected(&app), 1);
    app.keys("0");
    assert_eq!(selected(&app), 0, "another text, another meaning");
    assert_eq!(app.state.tab, Tab::Indexer);
}

#[test]
fn new_event_keeps_selected_event() {
    let mut app = indexer_tab();
    app.goes_to(Panel::Activity);
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    let request = app.state.indexer.activity_request().unwrap()(0);
    let Some(ResponseData::Activity(mut page)) = indexer::response(&request) else { panic!() };
    let mut new = page.items[0].clone();
    new.inscription_id = Some("new".into());
    page.items.insert(0, new);
    app.answer(&request, ResponseData::Activity(page));
    assert_eq!(app.row(), 3);
}

#[test]
fn holders_show_the_shares_of_the_largest() {
    let mut screen = crate::support::screen::Screen::new(160, 45);
    screen.keys("5");
    screen.serve(crate::support::indexer::response);
    screen.wait(std::time::Duration::from_millis(200));
    screen.serve(crate::support::indexer::response);
    screen.keys("<tab><tab>z");
    screen.serve(crate::support::indexer::response);
    let text = screen.text();
    assert!(text.contains("· top 10 "), "{text}");
    assert!(text.contains("· all 80 "), "only 80 holders are listed: {text}");
}

/// The title of the holders of the first token, of whom the indexer lists `count`.
fn title_of_holders(size: (u16, u16), keys: &str, count: u64) -> String {
    let text = holders_panel(size, keys, count, Some(count), 20_000);
    text.lines().find(|line| line.contains("Holders")).unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// The indexer tab with `count` holders of the first token. `total` is the number that the indexer states, and `most` the
/// largest balance.
fn holders_panel(size: (u16, u16), keys: &str, count: u64, total: Option<u64>, most: u64) -> String {
    let response = move |request: &Request| match request {
        Request::Brc20Holders { offset, limit, .. } => {
            let holder = |n: u64| Holder {
                address: Some(format!("bc1q{n:0>38}").into()),
                balance: Some(indexer::units(most - n)),
            };
            let items = (0..count).skip(*offset as usize).take(*limit as usize).map(holder).collect();
            Some(ResponseData::Holders(Page { items, total }))
        }
        other => indexer::response(other),
    };
    let mut screen = Screen::new(size.0, size.1);
    screen.keys("5");
    screen.serve(response);
    screen.wait(Duration::from_millis(200));
    screen.serve(response);
    screen.keys(keys);
    screen.serve(response);
    screen.text()
}

#[test]
fn concentration_is_of_as_many_holders_as_are_loaded() {
    let title = title_of_holders((160, 45), "", 500);
    assert!(title.contains("· top 10 1.0% · top 60 5.7%"), "{title}");
    // The focused list loads enough for the largest hundred.
    let title = title_of_holders((160, 45), "<tab><tab>", 500);
    assert!(title.contains("· top 10 1.0% · top 100 9.5%"), "{title}");
    let title = title_of_holders((160, 45), "", 40);
    assert!(title.contains("· top 10 1.0% · all 40 3.8%"), "{title}");
    let title = title_of_holders((160, 45), "", 7);
    assert!(title.contains("· all 7 0.7%") && !title.contains("top"), "{title}");
    // They have the whole supply.
    let text = holders_panel((160, 45), "", 2, Some(2), 10_500_000);
    let title = text.lines().find(|line| line.contains("Holders")).unwrap();
    assert!(!title.contains("all 2") && !text.contains("exceed"), "{text}");
}

#[test]
fn loaded_holders_are_not_called_all_if_there_are_more() {
    for total in [Some(23_411), None] {
        let text = holders_panel((160, 45), "<tab><tab>", 20, total, 20_000);
        let title = text.lines().find(|line| line.contains("Holders  ")).unwrap_or_else(|| panic!("{text}"));
        assert!(title.contains("· top 10 1.0% · top 20 1.9%"), "{title}");
        assert!(title.contains("Holders  15,312"), "{title}");
    }
}

#[test]
fn holders_of_more_than_the_supply_have_no_shares() {
    // Of 21 million.
    let text = holders_panel((160, 45), "", 3, Some(3), 15_000_000);
    let title = text.lines().find(|line| line.contains("Holders  ")).unwrap_or_else(|| panic!("{text}"));
    assert!(title.contains("· balances exceed supply"), "{title}");
    assert!(!text.contains("71.4%"), "{text}");
}

#[test]
fn value_of_holders_is_visible_at_160_columns() {
    let mut screen = Screen::new(160, 45);
    screen.keys("5");
    screen.serve(indexer::response);
    screen.wait(Duration::from_millis(200));
    screen.serve(indexer::response);
    let text = screen.text();
    let headings = text.lines().find(|line| line.contains("Address") && line.contains("Balance"));
    assert!(headings.is_some_and(|line| line.contains("Share") && line.contains("Value")), "{text}");
}

#[test]
fn cancelled_filter_restores_the_selection() {
    for typed in ["", "sa", "zzzz"] {
        let mut app = indexer_tab();
        app.keys("jj");
        app.feed();
        let (selected, row) = (app.subject(), app.state.indexer.tokens.cursor.index());
        assert_eq!(row, 2);
        app.keys("/");
        app.keys(typed);
        app.feed();
        app.key(KeyCode::Esc);
        app.feed();
        let cursor = app.state.indexer.tokens.cursor.index();
        assert_eq!((app.state.indexer.filter.value(), app.subject(), cursor), ("", selected, row), "{typed}");
    }
}

#[test]
fn token_selected_by_filtering_or_cancelling_shows_its_lists_from_the_top() {
    // The same addresses hold all tokens, with other ranks.
    let response = |request: &Request| {
        let mut response = indexer::response(request)?;
        if let (Request::Brc20Holders { ticker, .. }, ResponseData::Holders(page)) = (request, &mut response)
            && ticker.starts_with("sa")
        {
            page.items.reverse();
        }
        Some(response)
    };
    let load = |screen: &mut Screen| {
        screen.serve(response);
        screen.wait(Duration::from_millis(200));
        screen.serve(response);
    };
    let shown = |screen: &Screen| {
        let indexer = &screen.state.indexer;
        (indexer.subject(), indexer.holders.cursor.index(), indexer.activity.cursor.index())
    };
    let mut screen = Screen::new(160, 45);
    screen.keys("5");
    load(&mut screen);
    let (first, ..) = shown(&screen);
    screen.keys("<tab><tab>jj<tab>jj<tab>");
    assert_eq!(shown(&screen), (first.clone(), 2, 2));
    screen.keys("/sa");
    load(&mut screen);
    assert_eq!(shown(&screen), (Some(Subject::Token("sats".into())), 0, 0));
    screen.keys("<esc>");
    load(&mut screen);
    assert_eq!(shown(&screen), (first, 0, 0));
    // A filter that leaves the token selected changes nothing.
    screen.keys("<tab><tab>jj<tab>jj<tab>/or");
    load(&mut screen);
    screen.keys("<enter>");
    assert_eq!(shown(&screen), (Some(Subject::Token("ordi".into())), 2, 2));
}

#[test]
fn cancelled_filter_keeps_the_lookup() {
    let mut app = indexer_tab();
    app.look_up("block 5");
    app.key(KeyCode::Down);
    app.key(KeyCode::Tab);
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("block 5", Panel::Tokens));
    app.keys("/sa");
    app.feed();
    assert_ne!(app.subject(), "block 5");
    app.key(KeyCode::Esc);
    app.feed();
    assert_eq!((app.subject().as_str(), app.state.indexer.focus), ("block 5", Panel::Tokens));
    assert_eq!(app.state.indexer.activity.cursor.index(), 1);
}

#[test]
fn cleared_filter_keeps_the_selected_token() {
    for keys in ["/", ""] {
        let mut app = indexer_tab();
        app.keys("/sa");
        app.feed();
        app.key(KeyCode::Enter);
        let selected = app.subject();
        app.keys(keys);
        app.key(KeyCode::Esc);
        app.feed();
        assert_eq!((app.state.indexer.filter.value(), app.subject()), ("", selected), "{keys}");
        assert_ne!(app.state.indexer.tokens.cursor.index(), 0, "{keys}");
    }
}

#[test]
fn amounts_of_a_column_are_all_short_or_all_in_digits() {
    let amount = |n: usize| match n {
        0 => indexer::units(83_227_000_000_000),
        1 => Amount::from_atoms(75_400_000_000_000 * Amount::UNIT.atoms() + 1),
        _ => indexer::units(310_000_000_000),
    };
    let service = |request: &Request| {
        let mut found = indexer::response(request)?;
        match &mut found {
            ResponseData::Holders(page) => {
                page.items.iter_mut().enumerate().for_each(|(n, holder)| holder.balance = Some(amount(n)));
            }
            ResponseData::Activity(page) => {
                page.items.iter_mut().enumerate().for_each(|(n, event)| event.amount = Some(amount(n)));
            }
            _ => {}
        }
        Some(found)
    };
    let digits = ["83,227,000,000,000", "≈75,400,000,000,000", "310,000,000,000"];
    let short = ["83.227T", "≈75.40T", "310B"];
    let opened = |columns| {
        let mut screen = Screen::new(columns, 45);
        screen.serve(service);
        screen.keys("5");
        screen.serve(service);
        screen
    };
    for (columns, shown, hidden) in [(200, digits, short), (80, short, digits)] {
        for panel in [Panel::Holders, Panel::Activity] {
            let mut screen = opened(columns);
            screen.send(Message::Click(ClickTarget::Panel(panel)));
            screen.serve(service);
            let text = screen.text();
            let has_room = panel == Panel::Activity && columns == 80;
            let (shown, hidden) = if has_room { (digits, short) } else { (shown, hidden) };
            assert!(shown.iter().all(|amount| text.contains(amount)), "{columns} {panel:?}\n{text}");
            assert!(!hidden.iter().any(|amount| text.contains(amount)), "{columns} {panel:?}\n{text}");
        }
    }
    // Other events move no column.
    let mut screen = opened(200);
    let head = |screen: &mut Screen| screen.text().lines().find(|line| line.contains("Amount")).unwrap().to_owned();
    let before = head(&mut screen);
    let events = |request: &Request| matches!(request, Request::Brc20Activity { .. });
    let request = screen.wanted().into_iter().find(events).unwrap();
    screen.answer(&request, indexer::response(&request).unwrap());
    assert_eq!(head(&mut screen), before);
}

//! The notice before the first address is sent to a public provider.

use satscope::app::find::lookup::Subject;
use satscope::app::{Effect, Message, Overlay, Preferences};
use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::{Maestro, Mempool, UniSat};
use satscope::model::{Holder, Page};
use satscope::user_data::{Change, Notice, SourceChange, UserData};

use crate::support::indexer;
use crate::support::screen::Screen;

const ADDRESS: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

/// The indexer tab with live data.
fn live(columns: u16, rows: u16) -> Screen {
    let preferences =
        Preferences { live: Some(true), address_receivers: vec![UniSat, Maestro], ..Preferences::default() };
    let mut screen = Screen::with(preferences, columns, rows);
    screen.serve(indexer::response);
    screen.keys("5");
    screen.serve(indexer::response);
    screen
}

/// Whether a request with an address is demanded.
fn sends_address(screen: &Screen) -> bool {
    let has_address = |request: &Request| {
        matches!(request, Request::Brc20Balances { .. } | Request::Inscriptions { address: Some(_), .. })
    };
    screen.wanted().iter().any(has_address)
}

fn look_up(screen: &mut Screen) {
    screen.keys(":");
    screen.send(Message::Paste(String::from(ADDRESS)));
    screen.keys("<enter>");
}

#[test]
fn first_address_is_sent_only_after_it_is_confirmed() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = live(columns, rows);
        look_up(&mut screen);
        let text = screen.text();
        let words = text.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["Addresses that you look up are sent to UniSat or Maestro.", "set source.indexer_url."] {
            assert!(words.contains(part), "{part} at {columns}x{rows}:\n{text}");
        }
        assert!(words.contains("look up") && words.contains("cancel"), "{text}");
        assert!(!sends_address(&screen) && screen.effects.is_empty(), "{:?}", screen.wanted());
        screen.keys("<enter>");
        assert!(sends_address(&screen), "{:?}", screen.wanted());
        assert!(matches!(screen.effects.first(), Some(Effect::Save(_, Change::Shown(Notice::AddressLookup)))));
        look_up(&mut screen);
        assert!(screen.state.overlay.is_none(), "confirmed only once");
    }
}

#[test]
fn notice_names_three_providers_as_a_list() {
    // The dialog covers whole lines, so that nothing is between those of the sentence.
    let mut screen = live(40, 12);
    screen.state.preferences.balance_receivers = vec![Mempool];
    look_up(&mut screen);
    let words = screen.text().replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("are sent to UniSat, Maestro or mempool.space."), "{words}");
}

#[test]
fn cancelled_address_is_not_sent_and_asks_again() {
    for cancel in ["<esc>", "q"] {
        let mut screen = live(80, 24);
        look_up(&mut screen);
        screen.keys(cancel);
        assert!(screen.state.overlay.is_none() && !sends_address(&screen) && screen.effects.is_empty());
        assert!(screen.state.indexer.trail.is_empty());
        look_up(&mut screen);
        assert!(matches!(screen.state.overlay, Some(Overlay::AddressNotice { .. })));
    }
}

#[test]
fn address_of_a_holder_is_confirmed_too() {
    let mut screen = live(160, 45);
    let holders = screen.wanted().into_iter().find(|request| matches!(request, Request::Brc20Holders { .. }));
    let holder = Holder { address: Some(ADDRESS.into()), balance: "1".parse().ok() };
    if let Some(request) = holders {
        screen.answer(&request, ResponseData::Holders(Page { items: vec![holder], total: Some(1) }));
    }
    screen.keys("<tab><tab><enter>");
    assert!(matches!(screen.state.overlay, Some(Overlay::AddressNotice { .. })), "{}", screen.text());
    assert!(!sends_address(&screen));
}

#[test]
fn confirmation_of_an_earlier_run_is_remembered() {
    let mut screen = live(80, 24);
    let mut data = UserData::default();
    data.apply(&Change::Shown(Notice::AddressLookup));
    screen.send(Message::Loaded(Box::new(data)));
    look_up(&mut screen);
    assert!(screen.state.overlay.is_none() && sends_address(&screen));
}

#[test]
fn own_server_and_simulated_data_need_no_confirmation() {
    let mut screen = Screen::new(80, 24);
    screen.serve(indexer::response);
    look_up_in_indexer(&mut screen);
    assert!(screen.state.overlay.is_none() && sends_address(&screen));
}

fn look_up_in_indexer(screen: &mut Screen) {
    screen.keys("5");
    look_up(screen);
}

#[test]
fn provider_that_is_enabled_later_gets_no_unconfirmed_address() {
    let mut screen = live(80, 24);
    for name in [UniSat, Maestro] {
        let mut data = UserData::default();
        data.apply(&Change::Source(SourceChange::Enable(UniSat, false)));
        data.apply(&Change::Source(SourceChange::Enable(Maestro, name != Maestro)));
        screen.send(Message::Loaded(Box::new(data)));
    }
    look_up(&mut screen);
    let trail: Vec<&Subject> = screen.state.indexer.trail.iter().map(|visit| &visit.subject).collect();
    assert_eq!(trail, [&Subject::Address(ADDRESS.into())]);
    assert!(screen.state.overlay.is_none() && sends_address(&screen), "nobody receives it");
    let mut data = UserData::default();
    data.apply(&Change::Source(SourceChange::Enable(Maestro, false)));
    screen.send(Message::Loaded(Box::new(data)));
    assert!(!sends_address(&screen), "UniSat is enabled again");
}

#[test]
fn late_confirmation_closes_the_question() {
    let mut screen = live(80, 24);
    look_up(&mut screen);
    assert!(matches!(screen.state.overlay, Some(Overlay::AddressNotice { .. })));
    let notices = [Notice::AddressLookup].into();
    screen.send(Message::Loaded(Box::new(UserData { notices, ..UserData::default() })));
    assert!(screen.state.overlay.is_none() && sends_address(&screen), "{}", screen.text());
}

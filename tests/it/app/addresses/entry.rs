//! Adding, labelling and confirming addresses.

use super::*;

#[test]
fn address_is_sent_to_another_provider_only_after_another_confirmation() {
    let preferences = Preferences {
        watched: Vec::new(),
        live: Some(true),
        address_receivers: vec![ProviderName::UniSat],
        balance_receivers: vec![ProviderName::Mempool],
        ..Preferences::default()
    };
    let mut app = App::with(preferences);
    // Confirmed before bitcoin balances were looked up.
    let entry = WalletAddress { address: COLD.into(), label: None, added_at: START };
    let notices = [Notice::AddressLookup].into();
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], notices, ..UserData::default() })));
    app.keys("4");
    let sent = |app: &App| {
        let visible = demand(&app.state).visible;
        (visible.contains(&balances()), visible.contains(&bitcoin()))
    };
    assert_eq!(sent(&app), (true, false));
    app.key(KeyCode::Enter);
    let screen = app.screen((80, 24));
    assert!(screen.contains("sent to mempool.space") && !screen.contains("UniSat"), "{screen}");
    let effects = app.key(KeyCode::Enter);
    let notices = [Notice::AddressLookup, Notice::BalanceLookup];
    assert!(notices.iter().all(|notice| {
        effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::Shown(shown)) if shown == notice))
    }));
    app.key(KeyCode::Esc);
    assert_eq!((app.state.tab, sent(&app)), (Tab::Wallet, (true, true)));
}

#[test]
fn invalid_address_stays_in_the_line_with_the_reason() {
    let mut app = wallet();
    for (line, reason) in [
        ("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg9", "checksum"),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "testnet address"),
        ("ordi", "unknown format"),
    ] {
        assert_eq!(add(&mut app, line), []);
        assert_eq!(app.state.toast, None, "the dialog says it");
        assert!(matches!(app.state.overlay, Some(Overlay::Address { .. })));
        for size in [(120, 35), (80, 24), (40, 12)] {
            let words = app.screen(size).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(reason), "{words}");
        }
        app.key(KeyCode::Esc);
    }
    assert_eq!(add(&mut app, ""), [], "an empty line closes the dialog");
    assert!(app.state.overlay.is_none());
}

#[test]
fn label_is_edited_and_address_removed_and_restored() {
    let mut app = wallet();
    add(&mut app, COLD);
    app.keys("e");
    let Some(Overlay::Address { input, edited: Some(edited) }) = &app.state.overlay else { panic!("no dialog") };
    assert_eq!((input.value(), edited.address.as_str()), ("", COLD));
    app.keys("cold store");
    app.key(KeyCode::Enter);
    assert!(app.screen((80, 24)).contains("cold store bc1qd2mz…8cg8"), "{}", app.screen((80, 24)));
    app.keys("d");
    assert!(app.state.wallet.lines().is_empty() && demand(&app.state).visible.is_empty());
    let label = |app: &App| app.state.user.current().addresses.first().map(|entry| entry.label.clone());
    for expected in [Some(Some("cold store".into())), Some(None), None] {
        app.keys("u");
        assert_eq!(label(&app), expected);
    }
}

#[test]
fn unchanged_label_keeps_what_a_command_has_changed_since_it_opened() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    let entry = app.state.user.current().addresses[0].clone();
    let changed = WalletAddress { label: Some("vault".into()), ..entry };
    app.keys("e");
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![changed.clone()], ..UserData::default() })));
    assert_eq!(app.key(KeyCode::Enter), []);
    assert_eq!(app.state.user.current().addresses, [changed]);
    app.keys("e");
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    let toast = app.state.toast.as_ref().unwrap().text.clone();
    assert_eq!(toast, "Can't save: another process removed this address (Enter: add again)");
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(effects.first(), Some(Effect::Save(_, Change::PutAddress(entry))) if entry.address == COLD));
}

#[test]
fn label_of_another_address_is_refused() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    assert_eq!(add(&mut app, "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj Cold"), []);
    let screen = app.screen((110, 24));
    assert!(screen.contains(&format!("{COLD} already has the label Cold")), "{screen}");
    assert!(app.state.overlay.is_some() && app.state.user.current().addresses.len() == 1);
}

#[test]
fn line_of_a_lot_names_its_address_or_its_label() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold store"));
    let lot = |app: &App| {
        let user = app.state.user.current();
        let lot = user.lots.last().unwrap();
        (lot.amount.to_string(), lot.address.clone())
    };
    app.keys(&format!("a5 ordi @ 3 2026-11-01 {COLD}"));
    let screen = app.screen((120, 35));
    assert!(screen.contains("2026-11-01, at cold store bc1qd2mz…8cg8"), "{screen}");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("5"), Some(COLD.into())));
    app.keys("u");
    app.keys("a6 ordi Cold Store @ 3");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), Some(COLD.into())));

    // The edited line shows it, so that it stays, or goes if it is deleted.
    let edit = |app: &mut App| {
        app.key(KeyCode::Home);
        for _ in 0..5 {
            app.keys("e");
            match &app.state.overlay {
                Some(Overlay::Lot { input, .. }) => return input.value().to_owned(),
                _ => drop(app.key(KeyCode::Esc)),
            }
            app.key(KeyCode::Down);
        }
        panic!("no lot:\n{}", app.screen((120, 35)));
    };
    assert_eq!(edit(&mut app), "buy 6 ordi @ 3 USD 2026-11-19 cold store");
    app.keys(" \"x\"");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), Some(COLD.into())));
    assert_eq!(edit(&mut app), "buy 6 ordi @ 3 USD 2026-11-19 cold store \"x\"");
    (0..("cold store \"x\"".len())).for_each(|_| drop(app.key(KeyCode::Backspace)));
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), None));
}

/// The wallet with live data and a new address, which was not sent to a provider yet.
fn live_wallet_with_new_address() -> App {
    let preferences = Preferences {
        watched: Vec::new(),
        live: Some(true),
        address_receivers: vec![ProviderName::UniSat],
        ..Preferences::default()
    };
    let mut app = App::with(preferences);
    app.keys("4");
    add(&mut app, COLD);
    app
}

#[test]
fn first_address_is_sent_to_a_public_provider_only_after_a_confirmation() {
    let mut app = live_wallet_with_new_address();
    assert!(app.screen((80, 24)).contains("sent to UniSat"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Esc);
    assert!(!demand(&app.state).visible.contains(&balances()));
    assert!(app.screen((80, 24)).contains("to look up"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Enter);
    assert!(
        matches!(&app.state.overlay, Some(Overlay::AddressNotice { address: Some(address) }) if **address == *COLD)
    );
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::Shown(Notice::AddressLookup))]), "{effects:?}");
    assert!(app.state.overlay.is_none());
    assert_eq!(app.state.indexer.subject(), Some(Subject::Address(COLD.into())), "opened at once");
    app.key(KeyCode::Esc);
    assert!(app.state.tab == Tab::Wallet && demand(&app.state).visible.contains(&balances()));
}

#[test]
fn confirmation_for_a_new_address_stays_in_the_wallet() {
    let mut app = live_wallet_with_new_address();
    app.key(KeyCode::Enter);
    assert!(app.state.tab == Tab::Wallet && app.state.overlay.is_none());
    assert!(demand(&app.state).visible.contains(&balances()));
}

#[test]
fn address_typed_as_a_lot_is_explained() {
    let mut app = wallet();
    app.keys("a");
    app.send(Message::Paste(COLD.into()));
    let screen = app.screen((80, 24));
    assert!(screen.contains("not an address") && screen.contains("press A"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("a");
    app.keys("5 ordy");
    let screen = app.screen((80, 24));
    assert!(screen.contains("Looking up ordy… · loading coins"), "{screen}");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
    let screen = app.screen((80, 24));
    assert!(screen.contains("No coin matches ordy · similar: ordi"), "{screen}");
}

/// A wallet with an address whose edited label, `cold store`, is not saved yet; the number of that change.
fn with_unsaved_label() -> (App, u64) {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    app.send(Message::Saved(1, Ok(())));
    app.keys("e");
    app.keys(" store");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(number, Change::LabelAddress(entry))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(entry.label.as_deref(), Some("cold store"));
    (app, *number)
}

#[test]
fn line_opens_again_if_the_address_was_removed_before_its_label_was_saved() {
    let (mut app, number) = with_unsaved_label();
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed address cold store")));
    app.send(Message::Loaded(Box::default()));
    let toast = app.state.toast.as_ref().unwrap().text.clone();
    assert_eq!(toast, "Can't save: another process removed this address (Enter: add again)");
    let Some(Overlay::Address { input, edited: None }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(input.value(), format!("{COLD} cold store"));
    assert!(app.state.user.current().addresses.is_empty());
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(effects.first(), Some(Effect::Save(_, Change::PutAddress(_)))), "{effects:?}");
}

#[test]
fn line_does_not_open_again_after_the_user_has_left_the_wallet() {
    let (mut app, number) = with_unsaved_label();
    app.keys("1");
    let sentence = "Can't save: another process removed address cold store";
    app.send(Message::NotEdited(number, String::from(sentence)));
    assert_eq!(app.state.toast.as_ref().map(|toast| toast.text.as_str()), Some(sentence));
    assert!(app.state.overlay.is_none() && app.state.user.is_empty());
}

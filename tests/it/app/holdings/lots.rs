//! Adding, editing and removing lots.

use super::*;

/// Opens the line of one of several lots of the only holding.
fn open_line(app: &mut App, id: LotId) {
    app.key(KeyCode::Right);
    for _ in 0..3 {
        app.key(KeyCode::Down);
        app.keys("e");
        if matches!(&app.state.overlay, Some(Overlay::Lot { edited: Some(edit), .. }) if edit.after.id == id) {
            return;
        }
        app.key(KeyCode::Esc);
    }
    panic!("no lot:\n{}", app.screen((120, 35)));
}

#[test]
fn typed_lot_is_saved_and_valued() {
    let mut app = wallet();
    let effects = add(&mut app, "2.5 ordi @ 8 2026-11-01");
    let Change::AddLot(lot) = saved(&effects) else { panic!("{effects:?}") };
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    assert_eq!((lot.id, lot.kind, &lot.coin), (LotId(-1), LotKind::Buy, &ordi));
    assert_eq!((lot.amount.to_string().as_str(), &lot.currency), ("2.5", &Currency::usd()));
    assert_eq!(lot.price, Some(LotPrice::Unit("8".parse().unwrap())));
    assert_eq!(value(&app), "25");
    let screen = app.screen((120, 35));
    assert!(screen.contains("$25.00") && screen.contains("(+$5.00)") && screen.contains("▲25.0%"), "{screen}");
}

#[test]
fn invalid_lot_stays_open_with_one_reason() {
    let mut app = wallet();
    for (line, reason) in [
        ("ordi 500", "expected an amount before ordi, such as 500 ordi"),
        ("500 nothing", "No coin matches nothing"),
        ("1,500 ordi", "ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("1 ordi 2999-01-01", "2999-01-01 is in the future"),
    ] {
        assert_eq!(add(&mut app, line), []);
        assert!(matches!(app.state.overlay, Some(Overlay::Lot { .. })));
        if demand(&app.state).visible.contains(&Request::CoinNames) {
            app.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
        }
        for size in [(160, 45), (80, 24), (40, 12)] {
            let screen = app.screen(size).to_lowercase();
            let words = screen.split_whitespace().collect::<Vec<_>>().join(" ").replace(" │ │ ", " ");
            assert_eq!(words.matches(&reason.to_lowercase()).count(), 1, "{screen}");
        }
        app.key(KeyCode::Esc);
    }
    assert_eq!(add(&mut app, ""), [], "an empty line closes the dialog");
    assert!(app.state.overlay.is_none());
}

#[test]
fn prices_of_lots_in_other_currencies_are_aligned() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 12.5 2026-11-01");
    add(&mut app, "2 ordi @ 14.10 eur 2026-11-02");
    app.key(KeyCode::Home);
    app.key(KeyCode::Right);
    for size in [(160, 45), (120, 35)] {
        let screen = app.screen(size);
        let point = |price: &str| {
            let line = screen.lines().find(|line| line.contains(price) && line.contains("buy "));
            let line = line.unwrap_or_else(|| panic!("{price}\n{screen}"));
            line[..line.find(price).unwrap()].chars().count() + price.chars().count()
        };
        assert_eq!(point("12.50"), point("€14.10"), "{screen}");
    }
}

#[test]
fn footer_of_the_lot_dialog_shows_what_enter_does() {
    let mut app = wallet();
    app.keys("a");
    app.keys("2 ordi");
    let screen = app.screen((120, 35));
    assert!(screen.contains("↵ add") && !screen.contains("↑↓ select"), "{screen}");
    app.key(KeyCode::Enter);
    app.keys("e");
    assert!(app.screen((120, 35)).contains("↵ save"), "{}", app.screen((120, 35)));
}

#[test]
fn preview_of_a_lot_shows_cents() {
    let mut app = wallet();
    for (line, meaning) in [
        ("5 ordi @ 14.1 eur fee 0.5", "Buy 5 ORDI at 14.10 EUR each (70.50 EUR), fee 0.50 EUR"),
        ("5 ordi @ 14.125", "Buy 5 ORDI at 14.125 USD each (70.625 USD)"),
        ("5 ordi @@ 70", "Buy 5 ORDI for 70 USD"),
        ("5 ordi @ 0.1 btc", "Buy 5 ORDI at 0.1 BTC each (0.5 BTC)"),
    ] {
        app.keys("a");
        app.keys(line);
        let screen = app.screen((120, 35));
        assert!(screen.contains(meaning), "{screen}");
        app.key(KeyCode::Esc);
    }
}

#[test]
fn shared_symbol_asks_which_coin() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    app.keys("4a");
    app.keys("3 cat");
    let screen = app.screen((80, 24));
    assert!(screen.contains("cat-one") && screen.contains("cat-two"), "{screen}");
    assert!(screen.contains("Buy 3 CAT (cat-one), "), "{screen}");
    app.key(KeyCode::Down);
    assert!(app.screen((80, 24)).contains("Buy 3 CAT (cat-two), "), "{}", app.screen((80, 24)));
    app.key(KeyCode::Enter);
    assert_eq!(value(&app), "6", "the second coin costs 2");
    assert_eq!(toast(&app), "Added CAT (cat-two) lot");
}

#[test]
fn chosen_coin_of_a_lot_stays_chosen_when_a_larger_one_becomes_known() {
    for (is_second, slug) in [(false, "cat-two"), (true, "cat-three")] {
        let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        let coins = || {
            let coin = |rank, slug| coin(rank, slug, "CAT", Some(1.0));
            [coin(1, "cat-one"), coin(2, "cat-two"), coin(3, "cat-three")]
        };
        app.answer(&all(1), page(coins()[1..].to_vec(), Some(2)));
        app.keys("4a");
        app.keys("3 cat");
        if is_second {
            app.key(KeyCode::Down);
        }
        app.answer(&all(1), page(coins().to_vec(), Some(3)));
        let effects = app.key(KeyCode::Enter);
        let Change::AddLot(lot) = saved(&effects) else { panic!("{effects:?}") };
        assert_eq!(lot.coin.slug.as_deref(), Some(slug));
    }
}

#[test]
fn edited_lot_shows_a_currency_only_with_a_price_or_a_fee() {
    for (typed, line) in [
        ("receive 3 ordi 2026-11-01", "receive 3 ordi 2026-11-01"),
        ("receive 3 ordi eur 2026-11-01", "receive 3 ordi 2026-11-01"),
        ("receive 3 ordi fee 1 eur 2026-11-01", "receive 3 ordi EUR fee 1 2026-11-01"),
    ] {
        let mut app = wallet();
        add(&mut app, typed);
        app.keys("e");
        let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
        assert_eq!(input.value(), line);
        let effects = app.key(KeyCode::Enter);
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Save(..))), "nothing was edited: {effects:?}");
    }
}

#[test]
fn lot_is_edited_removed_and_restored() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01 \"sell above 25\"");
    app.keys("e");
    let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(input.value(), "buy 2 ordi @ 8 USD 2026-11-01 \"sell above 25\"");
    app.key(KeyCode::Home);
    for _ in "buy 2".chars() {
        app.key(KeyCode::Delete);
    }
    app.keys("buy 4");
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after.id == LotId(-1)), "{effects:?}");
    assert_eq!(value(&app), "40");
    let effects = app.keys("d");
    assert!(matches!(saved(&effects), Change::RemoveLot(lot) if lot.id == LotId(-1)), "{effects:?}");
    assert!(app.state.wallet.lines().is_empty());
    for (restored, words) in [("40", "Restored ORDI lot"), ("20", "Restored"), ("0", "Removed ORDI lot")] {
        app.keys("u");
        assert_eq!(value(&app), restored);
        assert!(toast(&app).starts_with(words), "{}", toast(&app));
    }
    assert_eq!(app.keys("u"), []);
    assert_eq!(toast(&app), "Nothing to undo");
}

#[test]
fn neighbour_of_a_removed_lot_and_then_the_restored_lot_are_selected() {
    let mut app = App::with(Preferences { watched: vec![Watched::by_symbol("BTC")], ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    for line in ["1 bitcoin", "2 ordi", "3 ordi"] {
        add(&mut app, line);
    }
    let selected = |app: &App| {
        let held = app.state.wallet.selected_holding().map(|held| held.holding.coin.symbol.to_string());
        (held.unwrap_or_default(), app.state.wallet.selected_lot().map(|lot| lot.0))
    };
    app.keys("0j");
    app.key(KeyCode::Right);
    app.keys("jj");
    assert_eq!(selected(&app), ("ORDI".into(), Some(-3)));
    app.keys("d");
    assert_eq!(selected(&app), ("ORDI".into(), Some(-2)), "the other lot");
    app.keys("d");
    assert_eq!(selected(&app).0, "BTC", "no watched coin");
    app.keys("u");
    assert_eq!(selected(&app), ("ORDI".into(), Some(-2)));
    app.keys("u");
    assert_eq!(selected(&app), ("ORDI".into(), Some(-3)));
    // A watched coin that is watched again.
    app.keys("Gf0u");
    assert_eq!(app.state.wallet.selected().map(|row| row.watched.symbol.as_str()), Some("BTC"));
}

#[test]
fn added_lot_is_selected() {
    let mut app = wallet();
    for (line, symbol) in [("1 bitcoin", "BTC"), ("2 ordi", "ORDI"), ("3 bitcoin", "BTC")] {
        add(&mut app, line);
        let selected = app.state.wallet.selected_holding().unwrap();
        assert_eq!(selected.holding.coin.symbol, symbol, "{line}");
    }
    app.key(KeyCode::Right);
    add(&mut app, "4 bitcoin");
    assert_eq!(app.state.wallet.selected_lot(), Some(LotId(-4)), "among the shown lots");
}

#[test]
fn row_of_a_lot_is_copied() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 fee 1 2026-11-01 \"cheap\"");
    app.key(KeyCode::Right);
    app.key(KeyCode::Down);
    let row = "2026-11-01\tbuy\t2\tORDI\t@ 8 USD\tfee 1 USD\tcheap";
    assert_eq!(app.keys("yr"), [Effect::Copy(row.into())]);
    app.keys("H");
    let row = "2026-11-01\tbuy\t•••\tORDI\t@ 8 USD\tfee ••• USD\tcheap";
    assert_eq!(app.keys("yr"), [Effect::Copy(row.into())]);
}

#[test]
fn amounts_are_hidden_from_every_screen_but_not_while_editing() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("1H");
    assert_eq!((toast(&app), app.state.wallet.hides_amounts), ("Amounts hidden", true));
    app.key(KeyCode::Enter);
    app.keys("H");
    assert_eq!((toast(&app), app.state.wallet.hides_amounts), ("Amounts shown", false));
    app.keys("H4");
    app.key(KeyCode::Right);
    app.key(KeyCode::Down);
    app.keys("e");
    let screen = app.screen((80, 24));
    assert!(screen.contains("amounts are shown here") && screen.contains("2 ordi"), "{screen}");
}

#[test]
fn palette_opens_the_line_of_a_lot() {
    let mut app = wallet();
    app.keys("1");
    app.key(KeyCode::Enter);
    app.keys(":add 5 ordi @ 14.10");
    app.key(KeyCode::Enter);
    // A cancelled line leads back.
    assert!(matches!(app.state.overlay, Some(Overlay::Lot { .. })), "{:?}", app.state.overlay);
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none() && app.state.token.is_some(), "{:?}", app.state.overlay);
    app.keys(":add 5 ordi @ 14.10");
    app.key(KeyCode::Enter);
    let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(input.value(), "5 ordi @ 14.10");
    app.key(KeyCode::Enter);
    assert_eq!((value(&app).as_str(), app.state.tab), ("50", satscope::app::Tab::Wallet));
}

#[test]
fn palette_accepts_lots_that_begin_with_their_kind() {
    for line in ["buy 5 ordi @ 14.10", "Sell 2 ordi @ 9", "receive 3 ordi", "send 1 ordi"] {
        let mut app = wallet();
        app.keys(&format!("1:{line}"));
        app.key(KeyCode::Enter);
        let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{line}: {:?}", app.state.overlay) };
        assert_eq!(input.value(), line);
    }
    let mut app = wallet();
    app.keys(":sell 2 ordi @");
    let screen = app.screen((120, 35));
    assert!(screen.contains("Expected a price after @"), "{screen}");
}

#[test]
fn undo_finds_the_lot_under_the_number_that_the_store_gave_it() {
    let mut app = wallet();
    let effects = add(&mut app, "2 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    // Another instance took ID 1 first.
    let other = Lot { amount: "7".parse().unwrap(), ..(*own).clone() };
    let stored = Lot { id: LotId(2), ..(*own).clone() };
    app.send(Message::Saved(1, Ok(())));
    app.assign_id(saved(&effects), 2);
    app.send(Message::Loaded(Box::new(UserData { lots: vec![other, stored], ..UserData::default() })));
    assert_eq!(value(&app), "90");
    app.keys("u");
    assert_eq!(value(&app), "70", "the other instance's lot stays");
}

#[test]
fn undo_of_an_edit_keeps_later_changes_of_another_process() {
    let mut app = wallet();
    let effects = add(&mut app, "13 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    let stored = Lot { id: LotId(1), ..(*own).clone() };
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![stored.clone()], ..UserData::default() })));
    app.keys("e");
    app.key(KeyCode::Home);
    for _ in 0..60 {
        app.key(KeyCode::Delete);
    }
    app.keys("20 ordi");
    app.key(KeyCode::Enter);
    assert_eq!(value(&app), "200");
    app.send(Message::Saved(2, Ok(())));
    let edited = Lot { amount: "33".parse().unwrap(), note: Some("mine".into()), ..stored };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![edited], ..UserData::default() })));
    assert_eq!(app.keys("u"), []);
    assert_eq!((toast(&app), value(&app).as_str()), ("Can't undo: the ORDI lot has changed since then", "330"));
}

#[test]
fn unwatching_can_be_undone() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let symbols = |app: &App| app.state.watched.coins().iter().map(|coin| coin.symbol.to_string()).collect::<Vec<_>>();
    app.keys("f");
    assert_eq!(symbols(&app), ["ORDI", "SATS", "RATS"]);
    app.keys("u");
    assert_eq!(symbols(&app), ["BTC", "ORDI", "SATS", "RATS"]);
}

#[test]
fn edit_of_a_lot_that_was_removed_elsewhere_is_reported() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("e");
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    assert_eq!(toast(&app), "Can't save: another process removed this lot (Enter: add again)");
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::AddLot(_)), "{effects:?}");
}

#[test]
fn lot_loses_its_price_if_it_is_deleted_from_the_line() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("e");
    app.key(KeyCode::Home);
    (0.."buy 2 ordi ".len()).for_each(|_| drop(app.key(KeyCode::Right)));
    (0.."@ 8 ".len()).for_each(|_| drop(app.key(KeyCode::Delete)));
    app.key(KeyCode::Enter);
    let lot = &app.state.user.current().lots[0];
    assert_eq!((&lot.price, lot.date), (&None, date(2026, 11, 1)), "{}", toast(&app));
}

#[test]
fn edited_line_keeps_what_a_command_has_changed_since_it_opened() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    let lot = |app: &App| app.state.user.current().lots[0].clone();
    let changed = Lot { note: Some("from cli".into()), fee: "2".parse().ok(), ..lot(&app) };
    app.keys("e");
    app.send(Message::Saved(1, Ok(())));
    let data = UserData { lots: vec![changed.clone()], ..UserData::default() };
    app.send(Message::Loaded(Box::new(data.clone())));
    assert_eq!(app.key(KeyCode::Enter), [], "the line was not edited");
    app.send(Message::Loaded(Box::new(UserData {
        lots: vec![Lot { note: None, fee: None, ..changed.clone() }],
        ..data
    })));
    app.keys("e");
    app.send(Message::Loaded(Box::new(UserData { lots: vec![changed.clone()], ..UserData::default() })));
    app.key(KeyCode::Home);
    (0.."buy 2".len()).for_each(|_| drop(app.key(KeyCode::Delete)));
    app.keys("buy 4");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), Lot { amount: "4".parse().unwrap(), ..changed.clone() });
    app.keys("u");
    assert_eq!(lot(&app), changed);
}

#[test]
fn removal_names_the_undo_key() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("d");
    assert_eq!(toast(&app), "Removed ORDI lot (u: undo)");
}

#[test]
fn tab_completes_the_coin() {
    let mut app = wallet();
    app.keys("a");
    app.keys("2 bitc @ 8");
    app.key(KeyCode::Tab);
    let typed = |app: &App| match &app.state.overlay {
        Some(Overlay::Lot { input, .. }) => input.value().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(typed(&app), "2 bitcoin @ 8");
    app.key(KeyCode::Tab);
    assert_eq!(typed(&app), "2 bitcoin @ 8");
    assert!(matches!(saved(&app.key(KeyCode::Enter)), Change::AddLot(lot) if lot.coin.symbol == "BTC"));
}

#[test]
fn typed_sale_of_more_than_held_shows_a_warning() {
    let mut app = wallet();
    add(&mut app, "3 ordi @ 8 2026-11-01");
    app.keys("a");
    app.keys("sell 5 ordi @ 9 2026-11-02");
    let screen = app.screen((80, 24));
    assert!(screen.contains("Your lots hold 3 ORDI on 2026-11-02; this sells 5"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("Hasell 5 ordi @ 9 2026-11-02");
    let screen = app.screen((80, 24));
    assert!(screen.contains("This sells more ORDI than your lots hold") && !screen.contains("hold 3"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("H");
    add(&mut app, "sell 5 ordi @ 9 2026-11-02");
    assert_eq!(toast(&app), "Added ORDI lot: more sold than held");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("sold more than held: ORDI") && !screen.contains("!0"), "{screen}");
    }
    assert!(app.screen((80, 24)).contains("not held"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Right);
    let sale =
        |app: &mut App, size| app.screen(size).lines().find(|row| row.contains("sell 2026-11-02")).map(str::to_owned);
    // Beside each other, both would look like amounts.
    let narrow = sale(&mut app, (80, 24)).unwrap();
    assert!(narrow.contains(" 2 of 5 not held "), "{narrow}");
    let wide = sale(&mut app, (160, 45)).unwrap();
    assert!(wide.contains(" 2 not held ") && wide.contains(" 5 "), "{wide}");
    // Bought on the day before, they are held.
    add(&mut app, "2 ordi @ 7 2026-11-01");
    assert_eq!(toast(&app), "Added ORDI lot");
    assert!(!app.screen((160, 45)).contains("held:"), "{}", app.screen((160, 45)));
}

#[test]
fn open_line_follows_a_lot_that_gets_its_number() {
    let mut app = wallet();
    let effects = add(&mut app, "2 ordi @ 8 2026-11-01");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    app.keys("e");
    app.keys(" fee 1");
    app.send(Message::Saved(1, Ok(())));
    app.assign_id(saved(&effects), 2);
    // Another process has added equal lots, and edited this one.
    let [first, stored, last] = [1, 2, 3].map(|id| Lot { id: LotId(id), ..(*own).clone() });
    let stored = Lot { note: Some("from cli".into()), ..stored };
    let lots = vec![first.clone(), stored.clone(), last.clone()];
    app.send(Message::Loaded(Box::new(UserData { lots, ..UserData::default() })));
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after.id == LotId(2)), "{effects:?}");
    assert_eq!(app.state.user.current().lots, [first, Lot { fee: "1".parse().ok(), ..stored }, last]);
}

#[test]
fn warning_about_an_edited_sale_counts_what_a_command_has_changed() {
    let mut app = wallet();
    add(&mut app, "3 ordi @ 8 2026-11-01");
    add(&mut app, "sell 2 ordi @ 9 2026-11-02");
    let lots: Vec<Lot> =
        (1..).zip(app.state.user.current().lots.iter()).map(|(id, lot)| Lot { id: LotId(id), ..lot.clone() }).collect();
    [1, 2].into_iter().for_each(|number| drop(app.send(Message::Saved(number, Ok(())))));
    app.send(Message::Loaded(Box::new(UserData { lots: lots.clone(), ..UserData::default() })));
    open_line(&mut app, LotId(2));
    app.keys(" \"x\"");
    let more = Lot { amount: "5".parse().unwrap(), ..lots[1].clone() };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lots[0].clone(), more], ..UserData::default() })));
    assert!(
        app.screen((80, 24)).contains("Your lots hold 3 ORDI on 2026-11-02; this sells 5"),
        "{}",
        app.screen((80, 24))
    );
    app.key(KeyCode::Enter);
    assert_eq!(toast(&app), "Updated ORDI lot: more sold than held");
}

#[test]
fn line_opens_again_if_the_lot_was_removed_before_its_edit_was_saved() {
    let mut app = wallet();
    let effects = add(&mut app, "2 ordi @ 8 2026-11-01");
    let Change::AddLot(own) = saved(&effects) else { panic!("{effects:?}") };
    let lots = vec![Lot { id: LotId(1), ..(**own).clone() }];
    let mut app = wallet();
    app.send(Message::Loaded(Box::new(UserData { lots, ..UserData::default() })));
    app.keys("e");
    app.keys(" \"x\"");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(number, Change::EditLot(edit))] = effects.as_slice() else { panic!("{effects:?}") };
    let sentence = String::from("Can't save: another process removed the ORDI lot");
    app.send(Message::NotEdited(*number, sentence.clone()));
    assert_eq!(toast(&app), "Can't save: another process removed this lot (Enter: add again)");
    assert!(app.state.user.is_empty() && app.state.user.current().lots.is_empty());
    let effects = app.key(KeyCode::Enter);
    let Change::AddLot(lot) = saved(&effects) else { panic!("{effects:?}") };
    assert_eq!(**lot, Lot { id: LotId(-1), ..edit.after.clone() });
    // Only the new lot can be undone.
    app.keys("u");
    assert!(app.state.user.current().lots.is_empty());
    app.keys("u");
    assert_eq!(toast(&app), "Nothing to undo");
    // Another line stays open.
    app.send(Message::Loaded(Box::new(UserData { lots: vec![edit.after.clone()], ..UserData::default() })));
    app.keys("e");
    app.keys(" fee 1");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(number, _)] = effects.as_slice() else { panic!("{effects:?}") };
    app.keys("a");
    app.keys("5 ordi");
    app.send(Message::NotEdited(*number, sentence.clone()));
    assert_eq!(toast(&app), sentence);
    let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(input.value(), "5 ordi");
}

/// The wallet with lot 1, whose note is edited, and the number of the unsaved change.
fn with_unsaved_edit(coin: Watched) -> (App, u64, Lot) {
    let mut app = wallet();
    let effects = add(&mut app, "2 ordi @ 8 2026-11-01");
    let Change::AddLot(own) = saved(&effects) else { panic!("{effects:?}") };
    let lot = Lot { id: LotId(1), coin, ..(**own).clone() };
    let mut app = wallet();
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot.clone()], ..UserData::default() })));
    app.keys("e");
    app.keys(" \"x\"");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(number, Change::EditLot(_))] = effects.as_slice() else { panic!("{effects:?}") };
    (app, *number, lot)
}

fn ordi() -> Watched {
    Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) }
}

#[test]
fn line_does_not_open_again_after_the_user_has_left_the_wallet() {
    let sentence = "Can't save: another process removed the ORDI lot";
    for keys in ["1", "s", "?"] {
        let (mut app, number, _) = with_unsaved_edit(ordi());
        app.keys(keys);
        let is_free = app.state.overlay.is_none();
        app.send(Message::NotEdited(number, String::from(sentence)));
        assert_eq!((toast(&app), app.state.overlay.is_none()), (sentence, is_free), "{keys}");
        assert!(app.state.user.current().lots.is_empty());
        let effects = app.key(KeyCode::Enter);
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::AddLot(_)))), "{effects:?}");
    }
    // Above the wallet.
    let (mut app, number, _) = with_unsaved_edit(ordi());
    app.keys("1");
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_some());
    app.state.tab = satscope::app::Tab::Wallet;
    app.send(Message::NotEdited(number, String::from(sentence)));
    assert_eq!((toast(&app), app.state.overlay.is_none()), (sentence, true));
}

#[test]
fn line_of_a_removed_lot_has_all_unsaved_edits() {
    let (mut app, first, lot) = with_unsaved_edit(ordi());
    app.keys("e");
    app.keys(" fee 1");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(last, Change::EditLot(_))] = effects.as_slice() else { panic!("{effects:?}") };
    for number in [first, *last] {
        app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
        app.send(Message::Saved(number, Ok(())));
        app.send(Message::Loaded(Box::default()));
    }
    assert_eq!(toast(&app), "Can't save: another process removed this lot (Enter: add again)");
    let effects = app.key(KeyCode::Enter);
    let Change::AddLot(added) = saved(&effects) else { panic!("{effects:?}") };
    assert_eq!(**added, Lot { id: LotId(-1), note: Some("x".into()), fee: "1".parse().ok(), ..lot });
    // Only the new lot can be undone.
    app.keys("u");
    app.keys("u");
    assert_eq!(toast(&app), "Nothing to undo");
}

#[test]
fn removed_lot_that_is_added_again_keeps_its_coin() {
    let other = Watched { symbol: "ORDI".into(), slug: None, id: Some("id-other".into()) };
    let (mut app, number, _) = with_unsaved_edit(other.clone());
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
    assert!(app.screen((120, 35)).contains("Add lot"), "{}", app.screen((120, 35)));
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::AddLot(lot) if lot.coin == other), "{effects:?}");
    // Removed while its line was open.
    let (mut app, number, _) = with_unsaved_edit(other.clone());
    app.keys("e");
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::AddLot(lot) if lot.coin == other), "{effects:?}");
}

#[test]
fn open_line_follows_a_new_lot_with_an_unsaved_edit_to_its_number() {
    let mut app = wallet();
    let effects = add(&mut app, "1 ordi @ 5 usd");
    let added = saved(&effects).clone();
    let Change::AddLot(own) = &added else { panic!("{effects:?}") };
    app.keys("e");
    app.key(KeyCode::Home);
    (0.."buy 1".len()).for_each(|_| drop(app.key(KeyCode::Delete)));
    app.keys("buy 2");
    app.key(KeyCode::Enter);
    app.keys("e");
    let stored = |amount: &str| Lot { id: LotId(2), amount: amount.parse().unwrap(), ..(**own).clone() };
    for (number, amount) in [(1, "1"), (2, "2")] {
        app.send(Message::Saved(number, Ok(())));
        app.assign_id(&added, 2);
        app.send(Message::Loaded(Box::new(UserData { lots: vec![stored(amount)], ..UserData::default() })));
        assert_eq!(app.state.user.current().lots, [stored("2")]);
    }
    app.keys(" \"n\"");
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after.id == LotId(2)), "{effects:?}");
    assert_eq!(app.state.user.current().lots, [Lot { note: Some("n".into()), ..stored("2") }]);
    for amount in ["2", "1"] {
        app.keys("u");
        assert_eq!(app.state.user.current().lots, [stored(amount)]);
    }
}

#[test]
fn selection_follows_a_new_lot_to_its_number() {
    let mut app = wallet();
    let effects = add(&mut app, "1 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    let [first, other] = [1, 4].map(|id| Lot { id: LotId(id), ..(*own).clone() });
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![first.clone()], ..UserData::default() })));
    let effects = add(&mut app, "2 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    app.key(KeyCode::Home);
    app.key(KeyCode::Right);
    // It comes after the other lot of its day.
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert_eq!(app.state.wallet.selected_lot(), Some(LotId(-1)));
    // Another process has added a lot, too.
    app.send(Message::Saved(2, Ok(())));
    app.assign_id(saved(&effects), 5);
    let stored = Lot { id: LotId(5), ..*own };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![first, other, stored], ..UserData::default() })));
    assert_eq!(app.state.wallet.selected_lot(), Some(LotId(5)));
    let effects = app.keys("d");
    assert!(matches!(saved(&effects), Change::RemoveLot(lot) if lot.id == LotId(5)), "{effects:?}");
}

#[test]
fn removed_lot_that_is_back_leaves_the_message_about_unsaved_changes() {
    let (mut app, number, lot) = with_unsaved_edit(ordi());
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::default()));
    app.send(Message::Saved(number + 1, Err(String::from("disk full").into())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..UserData::default() })));
    assert_eq!(toast(&app), "disk full");
}

#[test]
fn removed_lot_that_is_back_leaves_other_messages() {
    let (mut app, number, lot) = with_unsaved_edit(ordi());
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::default()));
    app.state.toast.as_mut().unwrap().text = String::from("Copied");
    app.state.toast.as_mut().unwrap().ends_with = None;
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..UserData::default() })));
    assert_eq!(toast(&app), "Copied");
}

#[test]
fn line_opened_before_an_edit_is_rejected_saves_that_edit_if_the_lot_is_back() {
    let (mut app, number, lot) = with_unsaved_edit(ordi());
    app.keys("e");
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    // The other process has undone that.
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot.clone()], ..UserData::default() })));
    let effects = app.key(KeyCode::Enter);
    let noted = Lot { note: Some("x".into()), ..lot };
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after == noted), "{effects:?}");
    assert_eq!(app.state.user.current().lots, [noted]);
}

#[test]
fn removed_lot_that_is_back_is_edited_instead_of_added_again() {
    let (mut app, number, lot) = with_unsaved_edit(ordi());
    let loaded = |lot: &Lot| Message::Loaded(Box::new(UserData { lots: vec![lot.clone()], ..UserData::default() }));
    let title = |app: &mut App| app.screen((120, 35)).contains("Add lot");
    app.send(Message::NotEdited(number, String::from("Can't save: another process removed the ORDI lot")));
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::default()));
    assert!(title(&mut app), "{}", app.screen((120, 35)));
    // The other process has undone that.
    app.send(loaded(&lot));
    assert!(!title(&mut app) && toast(&app).is_empty(), "{}", app.screen((120, 35)));
    let effects = app.key(KeyCode::Enter);
    let noted = Lot { note: Some("x".into()), ..lot };
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after == noted), "{effects:?}");
    assert_eq!(app.state.user.current().lots, std::slice::from_ref(&noted));
    // Removed while its line was open.
    app.send(Message::Saved(2, Ok(())));
    app.keys("e");
    app.keys(" fee 1");
    app.send(Message::Loaded(Box::default()));
    assert_eq!((app.key(KeyCode::Enter), title(&mut app)), (Vec::new(), true));
    app.send(loaded(&noted));
    assert!(!title(&mut app));
    let effects = app.key(KeyCode::Enter);
    let edited = Lot { fee: "1".parse().ok(), ..noted };
    assert!(matches!(saved(&effects), Change::EditLot(edit) if edit.after == edited), "{effects:?}");
    assert_eq!(app.state.user.current().lots, [edited]);
}

//! Rules about the wallet.

use super::*;

#[test]
fn wallet_rule_fires_when_the_wallet_is_not_on_the_screen() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let by_id = demand(&app.state).background.into_iter().map(|need| need.request);
    let by_id = by_id.into_iter().find(|request| matches!(request, Request::CoinsById { .. })).unwrap();
    let held = |ordi: Option<f64>, change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (ordi, Some(change));
        (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(0.0));
        ResponseData::Coins(Page { items: coins, total: None })
    };
    assert!(fired(&arrive(&mut app, &by_id, held(Some(10.0), 0.0))).is_empty());
    // Without the price of a coin, the change of the rest is not compared with that of the wallet before.
    assert!(fired(&arrive(&mut app, &by_id, held(None, -20.0))).is_empty());
    let effects = arrive(&mut app, &by_id, held(Some(8.0), -20.0));
    assert_eq!(fired(&effects), ["Wallet value changed −10.0% in 24h (limit < −5%)"]);
}

/// The request for the prices of [`wallet_data`], and its response with bitcoin's change; ORDI has this price.
fn wallet_prices(ordi: Option<f64>, bitcoin_change: f64) -> (Request, ResponseData) {
    let ids = vec![CoinId("id-bitcoin".into()), CoinId("id-ordi".into())];
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(bitcoin_change));
    (coins[1].price, coins[1].change_24h_pct) = (ordi, Some(0.0));
    (Request::CoinsById { ids, convert: Currency::usd() }, page(coins, None))
}

#[test]
fn wallet_rule_leaves_out_coins_without_a_price() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let (request, response) = wallet_prices(None, -1.0);
    arrive(&mut app, &request, response);
    let seen = |app: &App| app.state.alerts.tracked[0].alert.state.last;
    assert!(matches!(seen(&app), Some(Value::Number(change)) if (change + 1.0).abs() < 1e-9), "{:?}", seen(&app));
    app.keys("!");
    for size in [(160, 45), (80, 24)] {
        assert!(app.screen(size).contains("· without ORDI"), "{}", app.screen(size));
    }
    app.key(KeyCode::Esc);
    // The list, which might have the price, is as old.
    arrive(&mut app, &all(1), page(three(), Some(3)));
    let (request, response) = wallet_prices(None, -6.0);
    assert_eq!(fired(&arrive(&mut app, &request, response)), ["Wallet value changed −6.0% in 24h (limit < −5%)"]);
}

/// A command has no rates for lots in other currencies.
#[test]
fn wallet_rule_ignores_the_cost_of_lots_of_today_in_other_currencies() {
    let (date, eur) = (jiff::civil::date(2026, 11, 19), Currency::parse("EUR").unwrap());
    for (currency, percent) in [(Currency::usd(), 0.0), (eur.clone(), -11.0)] {
        let mut app = app();
        let mut data = wallet_data();
        let price = Some(LotPrice::Unit("10".parse().unwrap()));
        data.lots[0] = Lot { price, date, currency: currency.clone(), ..data.lots[0].clone() };
        app.send(Message::Loaded(Box::new(data)));
        add(&mut app, "wallet 24h < -50%");
        app.keys("4");
        let (from, to) = (eur.clone(), Currency::usd());
        let rates = Request::HistoricalRates { days: vec![date], from: vec![from.clone()], to: to.clone() };
        let rate = HistoricalRate { date, from, to, rate: "1".parse().unwrap(), fraction: None, day: date };
        app.answer(&rates, ResponseData::HistoricalRates(vec![rate]));
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        coins[0].change_24h_pct = Some(0.0);
        (coins[1].price, coins[1].change_24h_pct) = (Some(10.0), Some(-20.0));
        (coins[1].low_24h, coins[1].high_24h) = (Some(9.5), Some(13.0));
        let (by_id, _) = wallet_prices(None, 0.0);
        arrive(&mut app, &by_id, page(coins, None));
        let shown = app.state.wallet.holdings().valuation().day_change_pct.clone();
        assert_eq!(shown.map(|change| change.to_f64().round()), Some(0.0), "{currency}");
        let seen = app.state.alerts.tracked[0].alert.state.last;
        assert!(matches!(seen, Some(Value::Number(change)) if (change - percent).abs() < 0.5), "{currency}: {seen:?}");
    }
}

#[test]
fn wallet_rule_waits_for_coins_that_are_not_loaded() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.checks_alerts(true);
    app.keys("5");
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    let (request, response) = wallet_prices(None, -1.0);
    arrive(&mut app, &request, response);
    let checked = |app: &App| app.state.alerts.tracked[0].alert.state.checked_at.is_some();
    assert!(!checked(&app), "the list may have the price");
    app.fail(&all(1));
    assert!(!checked(&app));
    // The price is nowhere.
    arrive(&mut app, &all(1), page(vec![coin(9, "other", "OTHER", Some(1.0))], Some(1)));
    assert!(checked(&app));
}

#[test]
fn wallet_rule_fires_in_a_pause_and_the_shown_values_stay() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("4");
    let by_id = Request::CoinsById {
        ids: vec![CoinId("id-bitcoin".into()), CoinId("id-ordi".into())],
        convert: Currency::usd(),
    };
    let held = |ordi: f64, change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (Some(ordi), Some(change));
        coins[0].change_24h_pct = Some(0.0);
        page(coins, None)
    };
    assert!(fired(&arrive(&mut app, &by_id, held(11.0, 0.0))).is_empty());
    app.keys("P");
    let shown = |app: &App| (app.state.wallet.holdings().valuation().clone(), app.state.wallet.lines().to_vec());
    let before = shown(&app);
    // In the new order, bitcoin comes first.
    assert_eq!(
        fired(&arrive(&mut app, &by_id, held(8.0, -20.0))),
        ["Wallet value changed −10.0% in 24h (limit < −5%)"]
    );
    assert_eq!(shown(&app), before);
    app.keys("P");
    assert_ne!(shown(&app), before);
}

/// A wallet with lots, an address and a rule about it, while another tab is shown; and the address.
fn wallet_rule_with_address(rule: &str) -> (App, satscope::model::Text) {
    let mut app = app();
    let address = satscope::model::Text::const_new("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq");
    let entry = WalletAddress { address: address.clone(), label: None, added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..wallet_data() })));
    add(&mut app, rule);
    app.keys("5");
    (app, address)
}

/// The background request of a kind.
fn wanted(app: &App, is_it: fn(&Request) -> bool) -> Request {
    demand(&app.state).background.into_iter().map(|need| need.request).find(is_it).unwrap()
}

#[test]
fn wallet_rule_waits_for_the_bitcoin_of_addresses() {
    let (mut app, address) = wallet_rule_with_address("wallet 24h < -5%");
    let balances = wanted(&app, |request| matches!(request, Request::Brc20Balances { .. }));
    let by_id = wanted(&app, |request| matches!(request, Request::CoinsById { .. }));
    let bitcoin = wanted(&app, |request| matches!(request, Request::BitcoinBalance { .. }));
    let held = |change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (Some(8.0), Some(change));
        (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(0.0));
        ResponseData::Coins(Page { items: coins, total: None })
    };
    let mut effects = arrive(&mut app, &balances, ResponseData::Balances(Page { items: Vec::new(), total: Some(0) }));
    effects.extend(arrive(&mut app, &by_id, held(0.0)));
    effects.extend(arrive(&mut app, &by_id, held(-20.0)));
    assert!(app.state.wallet.holdings().valuation().day_change_pct.is_some(), "the change of the rest is known");
    let balance = BitcoinBalance { address, confirmed: 100_000_000, unconfirmed: 0 };
    effects.extend(arrive(&mut app, &bitcoin, ResponseData::BitcoinBalance(balance)));
    effects.extend(arrive(&mut app, &by_id, held(-20.0)));
    assert!(fired(&effects).is_empty(), "with its bitcoin, the wallet has hardly changed: {:?}", fired(&effects));
}

#[test]
fn wallet_rule_waits_for_the_details_of_tokens() {
    let (mut app, address) = wallet_rule_with_address("wallet 24h < -5%");
    let list = app.state.list(satscope::model::Tag::Brc20).first_request(&Currency::usd());
    let balances = Request::Brc20Balances { address: address.clone(), offset: 0, limit: 500 };
    app.fail_with(&Request::BitcoinBalance { address }, ErrorKind::NotFound { message: None });
    let by_id = wanted(&app, |request| matches!(request, Request::CoinsById { .. }));
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    coins.iter_mut().for_each(|coin| coin.change_24h_pct = Some(0.0));
    arrive(&mut app, &by_id, page(coins, None));
    let deploy = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
    let mut rats = coin(9, "rats", "RATS", Some(2.0));
    rats.contracts = vec![satscope::model::Contract { platform: None, address: deploy.into() }];
    rats.change_24h_pct = Some(0.0);
    arrive(&mut app, &list, page(vec![rats], Some(1)));
    let overall = Some(crate::support::indexer::units(5));
    let held = satscope::model::Balance { ticker: Some("rats".into()), overall, available: None, transferable: None };
    arrive(&mut app, &balances, ResponseData::Balances(Page { items: vec![held], total: Some(1) }));
    let checked = |app: &App| app.state.alerts.tracked[0].alert.state.checked_at.is_some();
    assert!(!checked(&app), "the change of the rest is not that of the wallet");
    let details = wanted(&app, |request| matches!(request, Request::Brc20Token { .. }));
    let token = Brc20Token { inscription_id: Some(deploy.into()), ..Brc20Token::new("rats".into()) };
    arrive(&mut app, &details, ResponseData::Brc20Token(Box::new(token)));
    assert!(checked(&app));
}

#[test]
fn wallet_rule_requests_the_balances_of_addresses() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".into();
    let entry = WalletAddress { address, label: None, added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..wallet_data() })));
    app.keys("5");
    let requests_balances = |app: &App| background(app).iter().any(|name| name.starts_with("BRC-20 balances of bc1q"));
    assert!(!requests_balances(&app));
    add(&mut app, "wallet 24h < -5%");
    app.send(Message::Tick);
    assert!(requests_balances(&app), "{:?}", background(&app));
}

#[test]
fn wallet_with_old_prices_is_reported_as_unchecked() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let by_id = demand(&app.state).background.into_iter().map(|need| need.request);
    let by_id = by_id.into_iter().find(|request| matches!(request, Request::CoinsById { .. })).unwrap();
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    coins.iter_mut().for_each(|coin| (coin.price, coin.change_24h_pct) = (Some(10.0), Some(0.0)));
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: coins, total: None }));
    let checked = app.state.alerts.tracked[0].alert.state.checked_at;
    assert!(checked.is_some());
    for _ in 0..60 {
        let height = ChainState { height: 900_000, hash: None, fees: None };
        arrive(&mut app, &Request::ChainState, ResponseData::ChainState(height));
    }
    assert_eq!(app.state.alerts.tracked[0].alert.state.checked_at, checked);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
}

/// The last value of the first alert.
fn last_number(app: &App) -> Option<f64> {
    match app.state.alerts.tracked[0].alert.state.last? {
        Value::Number(number) => Some(number),
        Value::Amount(_) => None,
    }
}

#[test]
fn value_rule_fires_when_the_value_of_the_wallet_crosses_the_limit() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet > 15000");
    app.keys("5");
    let mut arrives = |ordi| {
        let (request, response) = wallet_prices(ordi, 0.0);
        let fired = fired(&arrive(&mut app, &request, response));
        (fired, last_number(&app))
    };
    assert_eq!(arrives(Some(10.0)), (Vec::new(), Some(12_000.0)));
    let (fired, value) = arrives(Some(15.5));
    assert_eq!((fired.join(" "), value), ("Wallet value is 15,300.00 USD (limit > 15,000)".to_owned(), Some(15_300.0)));
}

#[test]
fn value_rule_needs_no_changes_and_waits_for_lost_prices() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet < 8000");
    app.keys("5");
    let (request, _) = wallet_prices(None, 0.0);
    let response = |ordi| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        coins.iter_mut().for_each(|coin| coin.change_24h_pct = None);
        (coins[0].price, coins[1].price) = (Some(60_000.0), ordi);
        page(coins, None)
    };
    arrive(&mut app, &request, response(Some(10.0)));
    assert_eq!(last_number(&app), Some(12_000.0));
    // The list doesn't have the price, either.
    arrive(&mut app, &all(1), response(None));
    let effects = arrive(&mut app, &request, response(None));
    assert!(fired(&effects).is_empty(), "the rest is not the wallet: {:?}", fired(&effects));
    assert_eq!(last_number(&app), Some(12_000.0));
    app.keys("!");
    assert!(app.screen((160, 45)).contains("not checked: no price for ORDI"), "{}", app.screen((160, 45)));
    app.key(KeyCode::Esc);
    // A fall by a third may be a wrong price, so it is confirmed.
    assert!(fired(&arrive(&mut app, &request, response(Some(3.0)))).is_empty());
    let effects = arrive(&mut app, &request, response(Some(3.0)));
    assert_eq!(fired(&effects), ["Wallet value is 7,800.00 USD (limit < 8,000)"]);
}

#[test]
fn value_rule_waits_for_balances() {
    let (mut app, address) = wallet_rule_with_address("wallet < 13000");
    let balances = wanted(&app, |request| matches!(request, Request::Brc20Balances { .. }));
    let bitcoin = wanted(&app, |request| matches!(request, Request::BitcoinBalance { .. }));
    let (by_id, response) = wallet_prices(Some(10.0), 0.0);
    arrive(&mut app, &by_id, response);
    assert_eq!(last_number(&app), None, "no balance is known");
    arrive(&mut app, &balances, ResponseData::Balances(Page { items: Vec::new(), total: Some(0) }));
    assert_eq!(last_number(&app), None, "the bitcoin is not known");
    let balance = BitcoinBalance { address, confirmed: 100_000_000, unconfirmed: 0 };
    arrive(&mut app, &bitcoin, ResponseData::BitcoinBalance(balance));
    assert_eq!(last_number(&app), Some(72_000.0));
}

#[test]
fn value_rule_in_another_currency_uses_the_prices_of_that_currency() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet < 8000 eur");
    app.keys("5");
    let in_dollars = |app: &mut App, ordi| {
        let (request, response) = wallet_prices(Some(ordi), 0.0);
        fired(&arrive(app, &request, response))
    };
    let in_euros = |app: &mut App, ordi| {
        let is_wanted =
            |request: &Request| matches!(request, Request::CoinsById { convert, .. } if *convert != Currency::usd());
        let request = wanted(app, is_wanted);
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        coins.iter_mut().for_each(|coin| coin.convert = Currency::parse("EUR").unwrap());
        (coins[0].price, coins[1].price) = (Some(54_000.0), Some(ordi));
        fired(&arrive(app, &request, page(coins, None)))
    };
    assert!(in_dollars(&mut app, 10.0).is_empty());
    assert_eq!(last_number(&app), None, "no price in EUR is known");
    assert!(in_euros(&mut app, 9.0).is_empty());
    assert_eq!(last_number(&app), Some(10_800.0));
    assert!(in_dollars(&mut app, 5.0).is_empty());
    assert_eq!(in_euros(&mut app, 4.0), ["Wallet value is 7,800.00 EUR (limit < 8,000)"]);
}

#[test]
fn value_of_the_wallet_is_hidden_with_its_amounts() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet > 15321");
    app.keys("5");
    let (request, response) = wallet_prices(Some(10.0), 0.0);
    arrive(&mut app, &request, response);
    app.keys("!");
    let shown = app.screen((160, 45));
    assert!(shown.contains("15,321") && shown.contains("12,000"), "{shown}");
    app.key(KeyCode::Esc);
    app.keys("4H5!");
    let hidden = app.screen((160, 45));
    assert!(!hidden.contains("15,321") && !hidden.contains("12,000"), "{hidden}");
    let (request, response) = wallet_prices(Some(20.0), 0.0);
    let effects = arrive(&mut app, &request, response);
    assert_eq!(fired(&effects), ["Wallet value is 18,000.00 USD (limit > 15,321)"], "the store has the amount");
    let effects = after_saving(&mut app, &effects);
    let texts: Vec<&str> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Notify { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["Wallet value is •••"]);
    let hidden = app.screen((160, 45));
    assert!(hidden.contains("Wallet value is •••"), "{hidden}");
    assert!(!hidden.contains("15,321") && !hidden.contains("18,000"), "{hidden}");
}

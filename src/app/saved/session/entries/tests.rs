use super::*;
use crate::app::find::lookup::Subject;
use crate::app::screen::wallet::order::Order;

fn read(entries: &[(&str, &str)]) -> Session {
    Session::from_entries(&entries.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
}

#[test]
fn session_entries_round_trip() {
    let sort = |column, descending| Some(Sort { column, descending });
    for tab in Tab::ALL {
        for column in SortColumn::ALL {
            let session = Session {
                tab: Some(tab),
                sorts: [sort(column, true), None, sort(column, false)],
                columns: [
                    Some(vec![CoinColumn::Price, CoinColumn::FromAllTimeHigh]),
                    None,
                    Some(vec![CoinColumn::Low]),
                ],
                market_sort: Some(MarketSort { column: MarketColumn::Depth, descending: false }),
                token_sort: Some(TokenSort { column: TokenColumn::Ticker, descending: true }),
                balance_sort: Some(BalanceSort { column: BalanceColumn::Value, descending: false }),
                selected_ticker: Some("ordi".into()),
                coins: [None, Some(CoinId("21".into())), Some(CoinId("a.b".into()))],
                wallet_row: Some("holding bitcoin".into()),
                period: Some(Period::Quarter),
                chart: Some(ChartView {
                    style: ChartStyle::Candles,
                    axis: ChartAxis::Log,
                    has_averages: true,
                    has_bands: true,
                    has_rsi: true,
                    has_macd: true,
                    candles: CandleWidth::parse("4h").map(|width| (Period::Week, width)).into_iter().collect(),
                }),
                convert: Currency::parse("EUR"),
                zoom: Some(Panel::Markets),
                live: Some(true),
                hides_live_offer: Some(true),
                live_prices: Some(false),
                hides_amounts: Some(true),
                order: Some(HoldingSort { by: Order::Price, is_reversed: true, has_manual_watchlist: true }),
                manual_order: vec!["holding ordi".into(), "holding bitcoin".into()],
                recent: vec![Recent::Subject(Subject::Stats), Recent::Subject(Subject::Token("ordi".into()))],
                seen: None,
            };
            assert_eq!(Session::from_entries(&session.entries()), session);
        }
    }
    assert_eq!(Session::default().entries(), SessionEntries::new());
}

#[test]
fn wallet_rows_of_earlier_sessions_are_read() {
    let session = read(&[("wallet-row", "watched BTC"), ("wallet-by-hand", "holding 25028\nholding ordi")]);
    assert_eq!(session.wallet_row.as_deref(), Some("watched $BTC"));
    assert_eq!(session.manual_order, ["holding #25028", "holding ordi"].map(Text::from));
}

#[test]
fn sort_orders_of_earlier_sessions_are_read() {
    for (value, column) in [("-change-24h", SortColumn::Change24h), ("-market-cap", SortColumn::MarketCap)] {
        let sorts = read(&[("sort.all", value)]).sorts;
        assert_eq!(sorts[0], Some(Sort { column, descending: true }), "{value}");
    }
    let sort = TokenSort { column: TokenColumn::Change24h, descending: true };
    assert_eq!(read(&[("sort-tokens", "-24h change")]).token_sort, Some(sort));
}

/// A new title in a menu must not change these names.
#[test]
fn sort_columns_have_names_of_their_own() {
    let markets = MarketColumn::ALL.map(MarketColumn::as_str);
    assert_eq!(markets, ["exchange", "pair", "price", "volume", "share", "depth"]);
    let tokens = TokenColumn::ALL.map(TokenColumn::as_str);
    assert_eq!(tokens, ["events", "ticker", "price", "24h", "minted", "supply", "deployed"]);
    let balances = BalanceColumn::ALL.map(BalanceColumn::as_str);
    assert_eq!(balances, ["ticker", "balance", "value", "available", "transferable"]);
    for name in balances {
        assert!(read(&[("sort-balances", name)]).balance_sort.is_some(), "{name}");
    }
    for name in markets {
        assert!(read(&[("sort-markets", name)]).market_sort.is_some(), "{name}");
    }
    for name in tokens {
        assert!(read(&[("sort-tokens", name)]).token_sort.is_some(), "{name}");
    }
}

#[test]
fn earlier_names_of_entries_are_read() {
    assert_eq!(read(&[("live_prices", "false")]).live_prices, Some(false));
    assert_eq!(read(&[("live_prices", "false"), ("live-prices", "true")]).live_prices, Some(true));
    let columns = Some(vec![CoinColumn::Price]);
    let place = Tag::ALL.iter().position(|tag| *tag == Tag::Brc20).unwrap();
    let name = format!("list-columns.{}", Tag::Brc20.as_str());
    let mixed = read(&[("list-columns", "price"), (name.as_str(), "low")]);
    for (list, shown) in mixed.columns.into_iter().enumerate() {
        assert_eq!(shown, if list == place { Some(vec![CoinColumn::Low]) } else { columns.clone() });
    }
}

#[test]
fn names_of_entries_are_lowercase_words_with_hyphens() {
    let names = ENTRIES.iter().map(|entry| entry.name).chain(LIST_ENTRIES.iter().map(|entry| entry.name));
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-') && seen.insert(name), "{name}");
    }
}

#[test]
fn unknown_session_values_are_skipped() {
    let entries = [
        ("tab", "calendar"),
        ("sort.all", "-beauty"),
        ("sort.nft", "rank"),
        ("list-columns", "beauty"),
        ("recent", "galaxy 7"),
        ("period", "5Y"),
        ("chart-style", "bars"),
        ("candles-1D", "7m"),
        ("rsi", "14"),
        ("convert", "no currency"),
        ("zoom", "maybe"),
        ("live", "sometimes"),
        ("hide-live-offer", "sometimes"),
        ("hide-amounts", "some"),
        ("theme", "dark"),
    ];
    assert_eq!(read(&entries), Session::default());
    assert_eq!(read(&[("coin.all", "a\u{1b}[2Jb")]).coins[0], Some(CoinId(Text::from(text::clean("a\u{1b}[2Jb")))));
}

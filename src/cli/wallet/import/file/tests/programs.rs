//! Files of other programs.

use super::*;

#[test]
fn cointracking_trades_become_lots() {
    let file = "\u{feff}\"Type\",\"Buy\",\"Cur.\",\"Sell\",\"Cur.\",\"Fee\",\"Cur.\",\"Exchange\",\"Group\",\"Comment\",\"Date\",\"Tx-ID\"\n\
        \"Trade\",\"500\",\"ORDI\",\"7050,00\",\"EUR\",\"2\",\"EUR\",\"X\",\"\",\"\",\"02.03.2025 14:30:00\",\"\"\n\
        \"Trade\",\"0.5\",\"BTC\",\"10\",\"ORDI\",\"\",\"\",\"X\",\"\",\"\",\"2025-03-03 10:00:00\",\"\"\n\
        \"Deposit\",\"5000\",\"EUR\",\"\",\"\",\"\",\"\",\"X\",\"\",\"\",\"2025-03-01 10:00:00\",\"\"\n\
        \"Withdrawal\",\"\",\"\",\"1\",\"ORDI\",\"\",\"\",\"X\",\"\",\"\",\"2025/03/04 10:00:00\",\"\"\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 500 ORDI @@ 7050 EUR 2025-03-02",
            "3: sell 10 ORDI @@ 0.5 BTC 2025-03-03",
            "3: buy 0.5 BTC @ 1 BTC 2025-03-03",
            "5: send 1 ORDI 2025-03-04",
        ]
    );
    assert_eq!(skipped(file), [(4, SkipReason::NoCoin)]);
}

#[test]
fn cointracking_dash_is_an_empty_cell() {
    let file = "\"Type\",\"Buy\",\"Cur.\",\"Sell\",\"Cur.\",\"Fee\",\"Cur.\",\"Exchange\",\"Group\",\"Comment\",\"Date\"\n\
        \"Deposit\",\"0.02000000\",\"ETH\",\"-\",\"\",\"\",\"\",\"ETH Transaction\",\"\",\"\",\"20.09.2019 02:01:10\"\n\
        \"Withdrawal\",\"-\",\"-\",\"0.001367\",\"ETH\",\"-\",\"-\",\"X\",\"\",\"-\",\"20.09.2019 13:00:00\"\n\
        \"Trade\",\"0.05\",\"ETH\",\"10.99\",\"EUR\",\"-\",\"\",\"X\",\"-\",\"-\",\"24.08.2019 23:01:59\"\n\
        \"Other\",\"-\",\"\",\"-\",\"\",\"-\",\"\",\"X\",\"\",\"\",\"24.08.2019 23:01:59\"\n";
    assert_eq!(
        understood(file),
        [
            "2: receive 0.02 ETH 2019-09-20",
            "3: send 0.001367 ETH 2019-09-20",
            "4: buy 0.05 ETH @@ 10.99 EUR 2019-08-24",
            "5! no amount",
        ]
    );
    assert!(read(file.as_bytes(), TODAY).unwrap().drafts.iter().all(|draft| draft.note.is_none()));
    assert_eq!(understood("symbol,amount\n-,1\n"), ["2: buy 1 -"], "a coin of one's own file may have this symbol");
}

#[test]
fn cointracking_fee_in_a_third_currency_is_named() {
    let file = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date\n\
        Trade,1,ORDI,0.01,ETH,2,EUR,X,,,02.03.2025\nTrade,1,ORDI,10,EUR,2,EUR,X,,,02.03.2025\n\
        Trade,1,ORDI,10,EUR,0.1,ORDI,X,,,02.03.2025\nTrade,1,ORDI,10,EUR,0,BNB,X,,,02.03.2025\n\
        Withdrawal,,,1,ORDI,2,BNB,X,,,02.03.2025\nTrade,1,ORDI,10,EUR,-,,X,,,02.03.2025\n";
    assert_eq!(read(file.as_bytes(), TODAY).unwrap().other_fees, [2, 6]);
    let template =
        "Type,Buy,Buy Currency,Sell,Sell Currency,Fee,Fee Currency,Date\nTrade,1,ORDI,1,EUR,2,USD,2025-03-02\n";
    assert_eq!(read(template.as_bytes(), TODAY).unwrap().other_fees, [2]);
}

#[test]
fn template_of_cointracking_is_recognised() {
    let file = "Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,Trade-Group,Comment,Date\n\
        Trade,\"0,5\",BTC,30000.00000000,USD,12.5,USD,Kraken,,first,2025-03-01 14:02:11\n\
        Staking,1.5,ORDI,,,,,,,,2025-04-01 00:00:00\n";
    assert_eq!(understood(file), ["2: buy 0.5 BTC @@ 30000 USD 2025-03-01", "3: receive 1.5 ORDI 2025-04-01"]);
    let other_order =
        "Date,Type,Buy Currency,Buy Amount,Sell Currency,Sell Amount,Fee\n2025-03-01,Trade,BTC,2,USD,60000,\n";
    assert_eq!(understood(other_order), ["2: buy 2 BTC @@ 60000 USD 2025-03-01"]);
}

#[test]
fn koinly_fees_are_part_of_the_lot_or_sent() {
    let file = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n\
        2025-03-02 10:00:00 UTC,100,USD,7,ORDI,0.5,USD,,,,,\n\
        2025-03-03T10:00:00Z,0.1,BTC,,,0.0001,BTC,,,,cold storage,\n\
        2025-03-04,,,5,SATS,,,,,airdrop,,\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 7 ORDI @@ 100 USD fee 0.5 2025-03-02",
            "3: send 0.1 BTC 2025-03-03",
            "3: send 0.0001 BTC 2025-03-03",
            "4: receive 5 SATS 2025-03-04",
        ]
    );
}

#[test]
fn income_costs_its_value_and_a_deposit_has_no_cost() {
    let koinly = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n";
    for (line, lot) in [
        (",,5,ORDI,,,70.5,USD,reward", "receive 5 ORDI @@ 70.5 USD"),
        (",,5,ORDI,,,70.5,USD,lending_interest", "receive 5 ORDI @@ 70.5 USD"),
        (",,5,ORDI,,,70.5,USD,Airdrop", "receive 5 ORDI @@ 70.5 USD"),
        (",,5,ORDI,,,70.5,USD,", "receive 5 ORDI"),
        (",,5,ORDI,,,70.5,USD,gift", "receive 5 ORDI"),
        (",,5,ORDI,,,,,reward", "receive 5 ORDI"),
        (",,5,ORDI,,,3,BTC,reward", "receive 5 ORDI"),
        (",,5,ORDI,0.5,USD,70.5,USD,reward", "receive 5 ORDI @@ 70.5 USD fee 0.5"),
    ] {
        assert_eq!(understood(&format!("{koinly}2025-03-02,{line},,\n")), [format!("2: {lot} 2025-03-02")], "{line}");
    }
    let other_fee = understood(&format!("{koinly}2025-03-02,,,5,ORDI,1,EUR,70.5,USD,reward,,\n"));
    assert!(other_fee[0].starts_with("2! ") && other_fee[0].contains("EUR"), "{other_fee:?}");
    let cointracking = "Type,Buy,Cur.,Buy value in EUR,Sell,Cur.,Sell value in EUR,Fee,Cur.,Comment,Date\n";
    let income = [
        "Reward / Bonus",
        "LP Rewards",
        "Dividends Income",
        "Airdrop (non taxable)",
        "Mining (commercial)",
        "Belohnung / Bonus",
        "Mining (kommerziell)",
        "Dividenden Einnahme",
        "Airdrop (steuerfrei)",
        "Einnahme (steuerfrei)",
    ];
    let income = income.map(|kind| (kind, "receive 5 ORDI @@ 65 EUR"));
    for (kind, lot) in income.into_iter().chain([("Deposit", "receive 5 ORDI")]) {
        let file = format!("{cointracking}{kind},5,ORDI,65,-,,-,,,,02.03.2025 14:30\n");
        assert_eq!(understood(&file), [format!("2: {lot} 2025-03-02")], "{kind}");
    }
}

#[test]
fn trade_of_two_coins_has_the_price_in_the_file() {
    let header = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n";
    for (line, lots) in [
        (
            "141,USDT,10,ORDI,0.01,BNB,140.9,USD",
            vec!["sell 141 USDT @@ 140.9 USD", "buy 10 ORDI @@ 140.9 USD", "send 0.01 BNB"],
        ),
        ("0.01,BTC,10,ORDI,,,600,USD", vec!["sell 0.01 BTC @@ 600 USD", "buy 10 ORDI @@ 600 USD"]),
        ("0.01,ETH,10,ORDI,,,,", vec!["buy 10 ORDI @@ 0.01 ETH", "sell 0.01 ETH @ 1 ETH"]),
        (
            "0.01,ETH,10,ORDI,0.001,ETH,,",
            vec!["buy 10 ORDI @@ 0.01 ETH fee 0.001", "sell 0.01 ETH @ 1 ETH", "sell 0.001 ETH @ 1 ETH"],
        ),
        (
            "10,ORDI,0.002,BTC,0.0001,BTC,,",
            vec!["sell 10 ORDI @@ 0.002 BTC fee 0.0001", "buy 0.002 BTC @ 1 BTC", "sell 0.0001 BTC @ 1 BTC"],
        ),
        ("10,ORDI,150,DAI,0.01,DAI,,", vec!["sell 10 ORDI", "receive 150 DAI", "send 0.01 DAI"]),
        (
            "10,ORDI,150,USDC,0.01,USDC,,",
            vec!["sell 10 ORDI @@ 150 USDC fee 0.01", "buy 150 USDC @ 1 USDC", "sell 0.01 USDC @ 1 USDC"],
        ),
        ("141,USDT,10,ORDI,,,3,ORDI", vec!["buy 10 ORDI @@ 141 USDT", "sell 141 USDT @ 1 USDT"]),
        ("141,DAI,10,ORDI,1,EUR,140,USD", vec!["sell 141 DAI EUR fee 1", "receive 10 ORDI"]),
        ("141,USDT,10,ORDI,1,USD,140,USD", vec!["sell 141 USDT @@ 140 USD fee 1", "buy 10 ORDI @@ 140 USD"]),
    ] {
        let lots: Vec<String> = lots.into_iter().map(|lot| format!("2: {lot} 2025-03-02")).collect();
        assert_eq!(understood(&format!("{header}2025-03-02 10:00 UTC,{line},,,\n")), lots, "{line}");
    }
    let file = "Type,Buy,Cur.,Buy value in EUR,Sell,Cur.,Sell value in EUR,Fee,Cur.,Comment,Date\n\
        Trade,10,ORDI,\"130,5\",141,USDT,\"131,25\",,,,02.03.2025 14:30\n";
    assert_eq!(
        understood(file),
        ["2: sell 141 USDT @@ 131.25 EUR 2025-03-02", "2: buy 10 ORDI @@ 130.5 EUR 2025-03-02"]
    );
}

#[test]
fn koinly_history_with_its_newer_columns_becomes_lots() {
    let file = "Transaction history\n\n\
        ID,Parent ID (Koinly),Date (UTC),Type,Tag,From Wallet (read-only),From Wallet ID,From Amount,From Currency,To Wallet (read-only),To Wallet ID,To Amount,To Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Deleted,Description,TxHash\n\
        a1,,2025-03-02 10:00:00,buy,,Bank,1,100,USD;1,Exchange,2,7,ORDI;4321,0.5,USD;1,99.5,USD,false,,\n\
        a2,,2025-03-03 10:00:00,crypto_withdrawal,,Ledger,3,0.1,BTC;3,,,,,0.0001,BTC;3,,,false,rent,\n\
        a3,,2025-03-04 10:00:00,transfer,,Exchange,2,5,ORDI;4321,Ledger,3,4.9,ORDI;4321,,,,,false,,\n\
        a4,,2025-03-05 10:00:00,transfer,,Exchange,2,1,ORDI;4321,Ledger,3,1,ORDI;4321,0.00002,BTC;3,,,false,,\n\
        a5,,2025-03-06 10:00:00,crypto_deposit,airdrop,,,,,Ledger,3,9,SATS;77,,,,,true,,\n\
        a6,,2025-03-07 10:00:00,transfer,,Exchange,2,1,ORDI;4321,Ledger,3,1,ORDI;4321,,,,,false,,\n\
        a7,,2025-03-08 10:00:00,fiat_deposit,,,,,,Bank,1,100,USD;1,,,,,false,,\n";
    assert_eq!(
        understood(file),
        [
            "4: buy 7 ORDI @@ 100 USD fee 0.5 2025-03-02",
            "5: send 0.1 BTC 2025-03-03",
            "5: send 0.0001 BTC 2025-03-03",
            "6: send 0.1 ORDI 2025-03-04",
            "7: send 0.00002 BTC 2025-03-05",
        ]
    );
    assert_eq!(skipped(file), [(8, SkipReason::Deleted), (9, SkipReason::OwnTransfer), (10, SkipReason::NoCoin)]);
}

#[test]
fn koinly_history_with_value_columns_becomes_lots() {
    let header = "ID (read-only),Parent ID (read-only),Date (UTC),Type,Tag,From Wallet (read-only),From Wallet ID,From Amount,From Currency,To Wallet (read-only),To Wallet ID,To Amount,To Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Net Value (read-only),Fee Value (read-only),Value Currency (read-only),Deleted,Description,TxHash\n";
    let file = format!(
        "{header}a1,,2025-03-02 10:00:00,crypto_deposit,reward,,,,,Ledger,3,5,ORDI;4321,,,,,70.5,0,GBP;1,false,,\n\
         a2,,2025-03-03 10:00:00,exchange,,Ledger,3,0.01,ETH;2,Ledger,3,5,ORDI;4321,,,,,20,0,GBP;1,false,,\n\
         a3,,2025-03-04 10:00:00,crypto_deposit,reward,,,,,Ledger,3,5,ORDI;4321,,,60,USD;2,70.5,0,GBP;1,false,,\n"
    );
    assert_eq!(
        understood(&file),
        [
            "2: receive 5 ORDI @@ 70.5 GBP 2025-03-02",
            "3: sell 0.01 ETH @@ 20 GBP 2025-03-03",
            "3: buy 5 ORDI @@ 20 GBP 2025-03-03",
            "4: receive 5 ORDI @@ 60 USD 2025-03-04",
        ]
    );
}

#[test]
fn german_file_of_cointracking_becomes_lots() {
    let file = "\"Typ\",\"Kauf\",\"Cur.\",\"Verkauf\",\"Cur.\",\"Gebühr\",\"Cur.\",\"Börse\",\"Gruppe\",\"Kommentar\",\"Datum\"\n\
        \"Trade\",\"500\",\"ORDI\",\"7050,00\",\"EUR\",\"2\",\"EUR\",\"X\",\"\",\"\",\"02.03.2025 14:30:00\"\n\
        \"Einzahlung\",\"5000\",\"EUR\",\"\",\"\",\"\",\"\",\"X\",\"\",\"\",\"01.03.2025 10:00:00\"\n";
    assert_eq!(understood(file), ["2: buy 500 ORDI @@ 7050 EUR 2025-03-02"]);
}

#[test]
fn loss_of_a_koinly_transfer_counts_once() {
    let header =
        "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Description\n";
    for (line, lots) in [
        // Koinly adds what did not arrive to the fee.
        ("5,ORDI,4.9,ORDI,0.1,ORDI,", vec![("send 0.1 ORDI", "fee")]),
        ("5,ORDI,4.9,ORDI,0.12,ORDI,", vec![("send 0.12 ORDI", "fee")]),
        ("5,ORDI,4.9,ORDI,0.02,ORDI,moved", vec![("send 0.1 ORDI", "fee")]),
        ("5,ORDI,4.9,ORDI,,,", vec![("send 0.1 ORDI", "fee")]),
        ("5,ORDI,5,ORDI,0.1,ORDI,", vec![("send 0.1 ORDI", "fee")]),
        ("5,ORDI,4.9,ORDI,0.0001,BTC,", vec![("send 0.1 ORDI", "fee"), ("send 0.0001 BTC", "fee")]),
        ("5,ORDI,4.9,ORDI,2,EUR,", vec![("send 0.1 ORDI EUR fee 2", "fee")]),
        ("5,ORDI,,,0.1,ORDI,rent", vec![("send 5 ORDI", "rent"), ("send 0.1 ORDI", "fee")]),
    ] {
        let file = format!("{header}2025-03-02 10:00 UTC,{line}\n");
        let notes = read(file.as_bytes(), TODAY).unwrap().drafts;
        let notes = notes.iter().map(|draft| draft.note.as_deref().unwrap_or_default());
        let found: Vec<(String, &str)> = understood(&file).into_iter().zip(notes).collect();
        let expected: Vec<(String, &str)> =
            lots.iter().map(|(lot, note)| (format!("2: {lot} 2025-03-02"), *note)).collect();
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn templates_of_koinly_are_recognised() {
    let universal = "Koinly Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n\
        2025-03-02 14:25 UTC,100,USD,7,ORDI,0.5,USD,,,,,\n";
    assert_eq!(understood(universal), ["2: buy 7 ORDI @@ 100 USD fee 0.5 2025-03-02"]);
    for simple in ["Koinly Date,Amount,Currency,Label,TxHash", "Date,Amount,Currency,Tag,TxHash"] {
        let file = format!(
            "{simple}\n2025-03-02 14:25 UTC,20,ORDI,mining,\n2025-03-03 14:25 UTC,-0.5,BTC,,\n\
             2025-03-04 14:25 UTC,-10,USD,,\n2025-03-05 14:25 UTC,--1,BTC,,\n"
        );
        assert_eq!(
            understood(&file),
            [
                "2: receive 20 ORDI 2025-03-02",
                "3: send 0.5 BTC 2025-03-03",
                "5! an amount can't be negative: -1 (to reduce a holding, use sell or send)",
            ]
        );
        assert_eq!(skipped(&file), [(4, SkipReason::NoCoin)]);
    }
    let file = "Koinly Date,Label,Currency,Amount,Fee Currency,Fee,TxHash\n2026-02-01 10:00:00,Deposit,BTC,3,BTC,0.005,0x02\n\
        2026-02-01 11:00:00,Withdrawal,BTC,-1,EUR,2,0xe1\n2026-02-01 12:00:00,,BTC,1,,0,\n2026-02-01 12:00:00,,BTC,1,,2,\n";
    assert_eq!(
        understood(file),
        [
            "2: receive 3 BTC 2026-02-01",
            "2: send 0.005 BTC 2026-02-01",
            "3: send 1 BTC EUR fee 2 2026-02-01",
            "4: receive 1 BTC 2026-02-01",
            "5! the fee has no currency",
        ]
    );
    let trades = "Koinly Date,Pair,Side,Amount,Total,Fee Amount,Fee Currency,Order ID,Trade ID\n\
        2025-03-02 14:25 UTC,BTC-USD,Buy,1,1000,5,USD,,\n2025-03-03 14:45 UTC,BTC/USD,SELL,1,900,3,USD,,\n\
        2025-03-04 14:45 UTC,BTCUSD,Sell,1,900,3,USD,,\n2025-03-05 14:45 UTC,BTC-USD,swap,1,900,3,USD,,\n";
    assert_eq!(
        understood(trades),
        [
            "2: buy 1 BTC @@ 1000 USD fee 5 2025-03-02",
            "3: sell 1 BTC @@ 900 USD fee 3 2025-03-03",
            "4! BTCUSD is not a pair such as BTC-USD",
            "5! swap is not one of buy, sell",
        ]
    );
}

#[test]
fn line_of_another_program_has_a_date() {
    let file = "Koinly Date,Amount,Currency,Label\n,20,ORDI,mining\n";
    assert_eq!(understood(file), ["2! no date"]);
    assert_eq!(understood("symbol,amount,date\nordi,1,\n"), ["2: buy 1 ordi"]);
}

#[test]
fn cointracking_is_recognised_in_any_language() {
    let file = "\"Tipo\",\"Compra\",\"Mon.\",\"Venta\",\"Mon.\",\"Comisión\",\"Mon.\",\"Exchange\",\"Grupo\",\"Comentario\",\"Fecha\",\"Tx-ID\"\n\
        \"Operación\",\"500\",\"ORDI\",\"7.050,50\",\"EUR\",\"2,00\",\"EUR\",\"X\",\"\",\"nota\",\"02.03.2025 14:30:00\",\"\"\n";
    assert_eq!(understood(file), ["2: buy 500 ORDI @@ 7050.5 EUR 2025-03-02"]);
    assert_eq!(read(file.as_bytes(), TODAY).unwrap().drafts[0].note.as_deref(), Some("nota"));
}

#[test]
fn report_of_koinly_has_the_values_of_trades() {
    let file = "Transaction report 2025\n\n\
        Date,Type,Label,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,Receiving Wallet,Received Amount,Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (EUR),Net Value (EUR),Fee Value (EUR),TxSrc,TxDest,TxHash,Description\n\
        2025-03-02 11:00:00 UTC,buy,,Kraken,\"7,050.50\",EUR,,Kraken,500,ORDI,\"7,053.00\",2.5,EUR,0,\"7,050.50\",2.5,,,,\n\
        2025-03-03 11:00:00 UTC,exchange,,Binance,250,ORDI,\"3,526.50\",Binance,0.05,ETH,\"3,500\",,,-26.5,\"3,500\",,,,,\n";
    assert_eq!(
        understood(file),
        [
            "4: buy 500 ORDI @@ 7050.5 EUR fee 2.5 2025-03-02",
            "5: sell 250 ORDI @@ 3500 EUR 2025-03-03",
            "5: buy 0.05 ETH @@ 3500 EUR 2025-03-03",
        ]
    );
}

#[test]
fn coinbase_history_becomes_lots() {
    let file = "\r\nTransactions\r\nUser,Ann,5f1c\r\nID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes\r\n\
        a,2025-03-01 12:00:00 UTC,Buy,BTC,0.01,USD,\"$62,000.00\",$620.00,$629.00,$9.00,Bought 0.01 BTC for 629 USD\r\n\
        b,2025-03-02 12:00:00 UTC,Advanced Trade Sell,ETH,-0.5,EUR,€2000.00,\"€1,000.00\",€994.00,€6.00,Sold 0.5 ETH for 994 EUR on ETH-EUR at 2000 EUR/ETH\r\n\
        c,2025-03-03 12:00:00 UTC,Send,BTC,-0.2,USD,$1.00,-$1.00,-$1.00,$0.00,Sent 0.2 BTC to bc1q\r\n\
        d,2025-03-04 12:00:00 UTC,Receive,SOL,2,USD,$150.00,$300.00,$300.00,$0.00,Received 2 SOL\r\n\
        e,2025-03-05 12:00:00 UTC,Convert,BTC,-0.01,USD,$1.00,$610.00,$616.00,$6.00,Converted 0.01 BTC to 0.2 ETH\r\n\
        f,2025-03-06 12:00:00 UTC,Staking Income,SOL,0.05,USD,$150.00,$7.50,$7.50,$0.00,\r\n\
        g,2025-03-07 12:00:00 UTC,Advanced Trade Buy,SOL,2,USD,$150.00,$300.00,$301.80,$1.80,Bought 2 SOL for 301.8 USDC on SOL-USDC at 150 USDC/SOL\r\n\
        h,2025-03-08 12:00:00 UTC,Deposit,USD,500,USD,$1.00,$500.00,$500.00,$0.00,\r\n\
        i,2025-03-09 12:00:00 UTC,Pro Deposit,BTC,1,USD,$1.00,$1.00,$1.00,$0.00,\r\n\
        j,2025-03-10 12:00:00 UTC,Futures Fee,USD,1,USD,$1.00,$1.00,$1.00,$0.00,\r\n\
        k,2025-03-11 12:00:00 UTC,Convert,BTC,-1,USD,$1.00,$1.00,$1.00,$0.00,\r\n";
    assert_eq!(
        understood(file),
        [
            "5: buy 0.01 BTC @@ 620 USD fee 9 2025-03-01",
            "6: sell 0.5 ETH @@ 1000 EUR fee 6 2025-03-02",
            "7: send 0.2 BTC 2025-03-03",
            "8: receive 2 SOL 2025-03-04",
            "9: sell 0.01 BTC @@ 610 USD fee 6 2025-03-05",
            "9: buy 0.2 ETH @@ 610 USD 2025-03-05",
            "10: receive 0.05 SOL @@ 7.5 USD 2025-03-06",
            "11: sell 301.8 USDC @@ 301.8 USD 2025-03-07",
            "11: buy 2 SOL @@ 301.8 USD 2025-03-07",
            "14! unknown transaction type Futures Fee",
            "15! the note of a conversion must begin with Converted AMOUNT COIN to AMOUNT COIN",
        ]
    );
    assert_eq!(skipped(file), [(12, SkipReason::NoCoin), (13, SkipReason::OwnTransfer)]);
    let older = "Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees),Fees,Notes\n\
        2022-01-02T12:34:56Z,Sell,BTC,0.5,EUR,30000,15000,14900,100,x\n";
    assert_eq!(understood(older), ["2: sell 0.5 BTC @@ 15000 EUR fee 100 2022-01-02"]);
}

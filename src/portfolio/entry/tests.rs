use proptest::prelude::*;

use super::*;

const TODAY: Date = Date::constant(2026, 11, 22);

const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
const HOT: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";

fn addresses() -> Vec<WalletAddress> {
    let labels = [(COLD, "cold"), (HOT, "cold storage"), (HOT, "EUR"), (COLD, "Twin"), (HOT, "twin"), (COLD, "a@b")];
    let address = |(address, label): (&str, &str)| WalletAddress {
        address: address.into(),
        label: Some(label.into()),
        added_at: Default::default(),
    };
    labels.map(address).to_vec()
}

/// The line as it was understood.
fn understood(line: &str) -> String {
    match parse(line, TODAY, &addresses()) {
        Ok(Entry { kind, amount, coin, price, currency, fee, date, note, address }) => {
            let price = match price {
                Some(LotPrice::Unit(unit)) => format!(" @ {unit}"),
                Some(LotPrice::Total(total)) => format!(" @@ {total}"),
                None => String::new(),
            };
            let currency = currency.map(|currency| format!(" {currency}")).unwrap_or_default();
            let fee = fee.map(|fee| format!(" fee {fee}")).unwrap_or_default();
            let date = date.map(|date| format!(" {date}")).unwrap_or_default();
            let note = note.map(|note| format!(" {note:?}")).unwrap_or_default();
            let address = address.map(|address| format!(" {address}")).unwrap_or_default();
            format!("{} {amount} {coin}{price}{currency}{fee}{date}{address}{note}", kind.unwrap_or_default().as_str())
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn line_is_a_lot() {
    for (line, lot) in [
        ("500 ordi @ 14.10 eur 2025-03-02", "buy 500 ordi @ 14.1 EUR 2025-03-02"),
        ("500 ordi@14.10", "buy 500 ordi @ 14.1"),
        ("2*0.25 btc @@ 30k usd", "buy 0.5 btc @@ 30000 USD"),
        ("sell 10 ORDI @ 20 fee 1.5 yesterday", "sell 10 ORDI @ 20 fee 1.5 2026-11-21"),
        ("receive 15.3t sats", "receive 15300000000000 sats"),
        ("SEND 0,5 btc today", "send 0.5 btc 2026-11-22"),
        ("1 ordi 2025-03-02 usd @ 3 \"sell above 25\"", "buy 1 ordi @ 3 USD 2025-03-02 \"sell above 25\""),
        ("0.000000000000000001 nals", "buy 0.000000000000000001 nals"),
        ("1e-8 btc @ 8.8e-8usd fee 1E-3", "buy 0.00000001 btc @ 0.000000088 USD fee 0.001"),
        ("5eth", "buy 5 eth"),
        ("5c98 @ 3", "buy 5 c98 @ 3"),
        ("500ordi @ €14.10 2025/03/02", "buy 500 ordi @ 14.1 EUR 2025-03-02"),
        ("2*0.25btc at 14.10eur 02.03.2025", "buy 0.5 btc @ 14.1 EUR 2025-03-02"),
        ("1.5k ordi @@ 30kusd fee $2", "buy 1500 ordi @@ 30000 USD fee 2"),
        ("1 ordi @ 14.10€ eur", "buy 1 ordi @ 14.1 EUR"),
        ("1000-10-20-30 ordi", "buy 940 ordi"),
        ("2 * 0.25 ordi @ 7 / 2 eur fee 1 + 0.5", "buy 0.5 ordi @ 3.5 EUR fee 1.5"),
        ("1 ordi @ 3 \"sell above 25\" 2025-03-02 usd", "buy 1 ordi @ 3 USD 2025-03-02 \"sell above 25\""),
        ("1 ordi \"say \"hi\" to @me\" @ 3", "buy 1 ordi @ 3 \"say \\\"hi\\\" to @me\""),
        ("1 ordi @ 3 \"sell abo", "buy 1 ordi @ 3 \"sell abo\""),
        ("1.500 ordi @ 14.10 02.03.2025 \"1,5 each\"", "buy 1.5 ordi @ 14.1 2025-03-02 \"1,5 each\""),
    ] {
        assert_eq!(understood(line), lot, "{line}");
    }
}

#[test]
fn errors_name_the_expected_format() {
    for (line, error) in [
        ("", "expected an amount and a coin, such as 500 ordi @ 14.10 eur 2025-03-02"),
        ("500", "expected a coin after the amount, such as ordi"),
        ("500 @ 3", "expected a coin after the amount, such as ordi"),
        ("ordi 500", "expected an amount before ordi, such as 500 ordi"),
        ("sell ordi @ 3", "expected an amount before ordi, such as 500 ordi"),
        ("ordi 500 @ 14.10", "expected an amount before ordi, such as 500 ordi"),
        ("ordi 500 at 14.10", "expected an amount before ordi, such as 500 ordi"),
        ("ordi 500 eur", "expected an amount before ordi, such as 500 ordi"),
        ("swap 5 ordi", "swap is not one of buy, sell, receive, send"),
        ("0x10 ordi", "not a number: 0x10 (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("5x10 ordi", "not a number: 5x10 (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("1e3k ordi", "not a number: 1e3k (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("5c98 coldd", "unexpected `coldd` (expected a currency, date, address or quoted note)"),
        ("5!6 ordi", "not a number: 5!6 (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("2026-13-45 ordi", "2026-13-45 looks like a date, not a number"),
        ("01/02/2024 ordi", "01/02/2024 looks like a date, not a number"),
        ("02.03.2025 5 ordi", "02.03.2025 looks like a date, not a number"),
        ("5 ordi @ 2026-11-20", "2026-11-20 looks like a date, not a number"),
        ("5 ordi fee 01/02/2024", "01/02/2024 looks like a date, not a number"),
        ("5 ordi 31/13/2025", "31/13/2025 is not a valid date"),
        ("5 ordi @ market", "type the price that was paid, such as @ 14.10, instead of market"),
        ("$100 ordi", "expected an amount of the coin, not $100 (to give what it cost: 5 ordi @@ $100)"),
        ("buy 1.5k€ ordi", "expected an amount of the coin, not 1.5k€ (to give what it cost: 5 ordi @@ 1.5k€)"),
        ("1 ordi @", "expected a price after @, such as @ 14.10"),
        ("1 ordi @ -3", "a price or fee can't be negative: -3"),
        ("-5 ordi", "an amount can't be negative: -5 (to reduce a holding, use sell or send)"),
        ("0 ordi", "invalid amount 0 (must be above 0, with at most 18 decimals)"),
        (
            "0.0000000000000000001 ordi",
            "invalid amount 0.0000000000000000001 (must be above 0, with at most 18 decimals)",
        ),
        ("1e99 btc", "not a number: 1e99 (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("1e-99 btc", "not a number: 1e-99 (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("900000000t ordi", "amount too large: 900000000000000000000 (must be below 340 quintillion)"),
        ("5 ordi @ 300 sats", "unexpected `sats` (the currency is SAT; SATS is a token)"),
        ("1 ordi 2026-11-23", "2026-11-23 is in the future"),
        ("1 ordi 2025-13-01", "2025-13-01 is not a valid date"),
        ("500 ordi 14.10", "expected @ before the price, such as @ 14.10"),
        ("1 ordi @ 3 yesterdy", "unexpected `yesterdy` (expected a currency, date, address or quoted note)"),
        ("10 ordi @ 14 @@ 150", "price given twice"),
        ("10 ordi @@ 150 @ 14", "price given twice"),
        ("10 ordi fee 1 fee 2", "fee given twice"),
        ("10 ordi today yesterday", "date given twice"),
        ("10 ordi @ 1 eur usd", "currency given twice"),
        ("10 ordi @ €1 fee $1", "currency given twice"),
        ("1 ordi @ ¥500", "¥ is ambiguous (use 500 JPY or 500 CNY)"),
        ("1 ordi @@ 1.5k¥ fee 3", "¥ is ambiguous (use 1.5k JPY or 1.5k CNY)"),
        ("1 ordi @ 3 fee ¥2", "¥ is ambiguous (use 2 JPY or 2 CNY)"),
        ("1 ordi @ 3 ¥", "¥ is ambiguous (use JPY or CNY)"),
        ("1 ordi @ 3 3/2/2025", "ambiguous date 3/2/2025 (expected 2025-03-02 or 2025-02-03)"),
        ("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", "expected an amount and a coin, not an address"),
        ("1 500 ordi @ 2", "unexpected `ordi` (no spaces in numbers: 1500)"),
        ("1 ordi @ 3 5 days ago", "unexpected `5` (expected a currency, date, address or quoted note)"),
        ("1 ordi @ 3 \"a\" b", "unexpected `b` (expected a currency, date, address or quoted note)"),
        ("1 ordi @ 1,500", "ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("1.500 ordi @ 14,10 eur 02.03.2025", "ambiguous number 1.500 (expected 1500 or 1.5)"),
        ("1.500 ordi @ 14 fee 1.250,00", "ambiguous number 1.500 (expected 1500 or 1.5)"),
    ] {
        assert_eq!(understood(line), error, "{line}");
    }
}

#[test]
fn lot_names_its_address_or_a_label() {
    for (line, lot) in [
        (format!("5 ordi @ 3 {COLD}"), format!("buy 5 ordi @ 3 {COLD}")),
        (format!("5 ordi {} @ 3 usd", HOT.to_uppercase()), format!("buy 5 ordi @ 3 USD {HOT}")),
        (String::from("5 ordi @ 3 COLD \"x\""), format!("buy 5 ordi @ 3 {COLD} \"x\"")),
        (String::from("5 ordi cold storage @ 3 today"), format!("buy 5 ordi @ 3 2026-11-22 {HOT}")),
        (String::from("5 cold @ 3"), String::from("buy 5 cold @ 3")),
        (String::from("2 * 0.25 cold @ 3"), String::from("buy 0.5 cold @ 3")),
        (String::from("sell 3 - 1 + 2/4 ordi @ 3"), String::from("sell 2.5 ordi @ 3")),
        (String::from("5 ordi @ 3 eur"), String::from("buy 5 ordi @ 3 EUR")),
    ] {
        assert_eq!(understood(&line), lot, "{line}");
    }
    for (line, error) in [
        (String::from("5 ordi twin"), "2 addresses have the label twin (use the address)"),
        (format!("5 ordi cold {HOT}"), "address given twice"),
        (
            format!("5 ordi {}x", COLD),
            "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8x is not a Bitcoin address: invalid checksum (mistyped or cut off)",
        ),
    ] {
        assert_eq!(understood(&line), error, "{line}");
    }
}

#[test]
fn label_that_reads_as_something_else_is_refused() {
    for (label, part) in [
        (COLD, "an address"),
        ("eur", "a currency code"),
        ("BTC", "a currency code"),
        ("2026-11-20", "a date"),
        ("3/2/2025", "a date"),
        ("Today", "a date"),
        ("fee", "the word fee"),
    ] {
        assert_eq!(label_text(label, None).unwrap_err().to_string(), format!("label can't be {part}: {label}"));
    }
    for label in ["cold", "EUR savings", "fees", "ledger 2", "a@b"] {
        assert_eq!(label_text(label, None), Ok(Some(label.into())), "{label}");
    }
    assert_eq!(label_text(" ", None), Ok(None));
    // An address may have had it before.
    let current = Text::from("eur");
    assert_eq!(label_text(" eur", Some(&current)), Ok(Some(current.clone())));
    assert!(label_text("usd", Some(&current)).is_err());
}

#[test]
fn address_is_written_as_its_label_if_that_reads_back() {
    for (label, text) in [("cold", "cold"), ("cold storage", "cold storage"), ("EUR", HOT), ("a@b", HOT), ("fee", HOT)]
    {
        let known = WalletAddress { address: HOT.into(), label: Some(label.into()), added_at: Default::default() };
        let address = Text::from(HOT);
        assert_eq!(address_text(&address, &[known]), text);
        assert_eq!(address_text(&address, &[]), HOT);
    }
    assert_eq!(address_text(&HOT.into(), &addresses()), "cold storage");
}

proptest! {
    #[test]
    fn any_line_is_parsed_without_a_panic(line in "\\PC{0,60}") {
        let _ = parse(&line, TODAY, &addresses());
    }
}

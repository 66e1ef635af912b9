//! Holdings that cointop and ticker print.

use super::*;

#[test]
fn holdings_of_cointop_and_ticker_are_lots_without_a_date() {
    let cointop =
        "name,symbol,price,holdings,balance,24h%,%holdings\nBitcoin,BTC,11833.16,10.25,118331.6,-1.02,74.16\n";
    assert_eq!(understood(cointop), ["2: receive 10.25 BTC"]);
    let ticker = "name,symbol,price,value,cost,quantity,weight\nBitcoin,BTC-USD,1,2,3000.50,0.1,100\nB,SATS,1,1,0,1.5 M,1\n\
        C,ORDI.X,1,1,5,2,1\nD,ethereum.CG,1,1,5,2,1\nE,BRK.B,1,1,5,2,1\n";
    assert_eq!(
        understood(ticker),
        [
            "2: buy 0.1 BTC @@ 3000.5 USD",
            "3: receive 1500000 SATS",
            "4: buy 2 ORDI @@ 5 USD",
            "5: buy 2 ethereum @@ 5 USD",
            "6: buy 2 BRK.B @@ 5"
        ]
    );
}

#[test]
fn holdings_of_cointop_may_be_zero_and_have_thousands_separators() {
    let file = "name,symbol,price,holdings,balance,24h%,%holdings\n\
        ORDI,ORDI,$8.41,\"1,500\",\"$12,615\",-1.02%,24.16%\n\
        SATS,SATS,$0,\"15,300,000.125\",$3,1.00%,0.01%\n\n\
        Bitcoin,BTC,\"$61,234.1\",0.125,\"$7,654.26\",0.50%,75.83%\n\
        Ethereum,ETH,\"$3,000\",0,$0,0.50%,0.00%\n";
    assert_eq!(understood(file), ["2: receive 1500 ORDI", "3: receive 15300000.125 SATS", "5: receive 0.125 BTC"]);
    assert_eq!(skipped(file), [(6, SkipReason::NoHoldings)]);
    assert_eq!(understood("name,symbol,price,holdings,balance\nA,ORDI,1,\"10,25\",1\n"), ["2: receive 10.25 ORDI"]);
}

#[test]
fn cost_of_a_cointop_holding_is_its_price() {
    let header = "name,symbol,price,holdings,balance,24h%,%holdings,cost_price,cost,pnl,pnl_percent\n";
    let file = format!(
        "{header}Bitcoin,BTC,61234.1,0.125,7654.2625,0.50,75.83,EUR 30000,4012.5,3641.7,90.7\n\
         ORDI,ORDI,8.41,1500,12615,-1.02,24.16,,,,\n\
         Ether,ETH,\"$3,000\",2,\"$6,000\",0.50%,1.00%,\"USD 1,250.5\",\"$2,501\",,\n\
         SATS,SATS,1,5,5,1,1,USD 0,,,\nRATS,RATS,1,5,5,1,1,30000,,,\nPEPE,PEPE,1,5,5,1,1,USD x,,,\n\
         Bitcoin,BTC,1,1,1,1,1,EUR 30.000,,,\nBitcoin,BTC,1,1,1,1,1,EUR 30.125,,,\n"
    );
    assert_eq!(
        understood(&file),
        [
            "2: buy 0.125 BTC @ 30000 EUR",
            "3: receive 1500 ORDI",
            "4: buy 2 ETH @ 1250.5 USD",
            "5: receive 5 SATS",
            "9: buy 1 BTC @ 30.125 EUR",
            "6! 30000 is not a currency code such as EUR",
            "7! not a number: x (examples: 500, 0.25, 1.5k)",
            "8! ambiguous number 30.000 (expected 30000 or 30)",
        ]
    );
}

#[test]
fn cost_of_a_ticker_holding_is_in_the_currency_of_its_symbol() {
    let file = "name,symbol,price,value,cost,quantity,weight\nBitcoin EUR,BTC-EUR,60000.00,6000.00,3000.50,0.1000,100.00\n\
        Bitcoin,BTC-GBP.CB,1,1,5,2,1\nBitcoin,BTC.CB,1,1,5,2,1\nBitcoin,BTC,1,1,5,2,1\nSolana,solana.CC,1,1,5,2,1\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 0.1 BTC @@ 3000.5 EUR",
            "3: buy 2 BTC @@ 5 GBP",
            "4: buy 2 BTC @@ 5 USD",
            "5: buy 2 BTC @@ 5",
            "6: buy 2 solana @@ 5 USD",
        ]
    );
}

#[test]
fn holdings_in_the_configuration_of_cointop_become_lots() {
    let file = r#"
currency = "USD"
[favorites]
  names = ["Bitcoin"]
[portfolio]
  columns = ["rank", "name"]
  compact_table = false
  holdings = [["Bitcoin", "0.5", "30000.5", "EUR"], ["SATS", "15300000"], ["Ethereum", "0"],
    ["Solana", "2", "0", ""], ["ORDI", "x"], ["Pepe", "1", "2", "JUNKK"], ["Bitcoin", "0.5", "30000"],
    ["Bitcoin", "0.25", "30000", ""], ["Bitcoin", "0.125", "0"]]
  "Dogecoin" = 100.5
"#;
    assert_eq!(
        understood(file),
        [
            "1: buy 0.5 Bitcoin @ 30000.5 EUR",
            "2: receive 15300000 SATS",
            "4: receive 2 Solana",
            "9: receive 0.125 Bitcoin",
            "10: receive 100.5 Dogecoin",
            "5! not a number: x (examples: 500, 0.25, 1.5k)",
            "6! JUNKK is not a currency code such as EUR",
            "7! the price has no currency",
            "8! the price has no currency",
        ]
    );
    assert_eq!(skipped(file), [(3, SkipReason::NoHoldings)]);
}

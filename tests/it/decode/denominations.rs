//! Fields that may state either a currency or a scale.

use super::{coins, coins_in};

#[test]
fn currency_ids_are_not_scales() {
    for (field, expected) in [
        (r#""price_currency":2798"#, "KRW"),
        (r#""quote_currency":"2790""#, "EUR"),
        (r#""fiat":2790"#, "EUR"),
        (r#""denomination":2790"#, "EUR"),
        (r#""price_currency":1"#, "BTC"),
        (r#""price_unit":1"#, "USD"),
        (r#""denomination":"1""#, "USD"),
        (r#""denomination":100000000"#, "USD"),
    ] {
        let body = format!(r#"{{"data":[{{"id":2,"name":"Ordi","symbol":"ORDI","slug":"ordi","price":12,{field}}}]}}"#);
        assert_eq!(coins(&coins_in("USD"), &body).0.items[0].convert.as_str(), expected, "{field}");
    }
}

#[test]
fn denomination_of_a_quote_is_its_currency() {
    for (denomination, expected) in
        [("euro", "EUR"), ("EUR", "EUR"), ("whole", "USD"), ("1", "USD"), ("cents", "CENTS")]
    {
        let body = format!(
            r#"{{"data":[{{"id":2,"name":"Ordi","symbol":"ORDI","quote":{{"price":7.7,"denomination":"{denomination}"}}}}]}}"#
        );
        assert_eq!(coins(&coins_in("USD"), &body).0.items[0].convert.as_str(), expected, "{denomination}");
    }
    let body = r#"[{"id":2,"name":"Ordi","symbol":"ORDI","price":840,"denomination":"cents"}]"#;
    let (page, warnings) = coins(&coins_in("USD"), body);
    assert_eq!((page.items[0].price, warnings.len()), (None, 1), "{warnings:?}");
}

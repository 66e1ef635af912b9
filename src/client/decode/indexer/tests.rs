use proptest::prelude::*;

use crate::client::config::Limits;
use crate::client::decode::decode;
use crate::client::request::Request;
use crate::model::InscriptionRef;
use crate::model::{SatNumber, Text};

/// Every operation of the group.
fn operations() -> Vec<Request> {
    let text = || Text::from("ordi");
    let number = SatNumber::new(7).unwrap();
    vec![
        Request::Brc20Tokens { ticker: None, offset: 0, limit: 20 },
        Request::Brc20Token { ticker: text() },
        Request::Brc20Holders { ticker: text(), offset: 60, limit: 20 },
        Request::Brc20Balances { address: text(), offset: 0, limit: 20 },
        Request::Brc20Activity { ticker: Some(text()), block_height: None, offset: 0, limit: 20 },
        Request::Sat { number },
        Request::SatInscriptions { number, offset: 0, limit: 20 },
        Request::Inscription { inscription: InscriptionRef::Number(-7) },
        Request::Inscriptions { address: None, offset: 0, limit: 20 },
        Request::InscriptionStats { from_block: None, to_block: None },
    ]
}

/// JSON made of the field names of the group's responses and arbitrary values.
fn json() -> impl Strategy<Value = String> {
    let names = prop_oneof![
        Just("results"),
        Just("total"),
        Just("data"),
        Just("token"),
        Just("supply"),
        Just("ticker"),
        Just("id"),
        Just("number"),
        Just("address"),
        Just("max_supply"),
        Just("overall_balance"),
        Just("operation"),
        Just("transfer_send"),
        Just("amount"),
        Just("decimal"),
        Just("degree"),
        Just("inscriptions"),
        Just("sat_ordinal"),
        Just("parents"),
        Just("timestamp"),
        Just("block_height"),
        Just("percentile"),
    ];
    let leaf = prop_oneof![
        Just(String::from("null")),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| format!("{n:e}")),
        "[0-9]{1,40}(\\.[0-9]{0,30})?".prop_map(|n| format!("\"{n}\"")),
        "\\PC{0,20}".prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just(String::from("\"\\ud800\\u202e\"")),
        Just(String::from("1e999999999999")),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(",")));
        let field = (names.clone(), inner).prop_map(|(name, value)| format!("\"{name}\":{value}"));
        let object = prop::collection::vec(field, 0..6).prop_map(|fields| format!("{{{}}}", fields.join(",")));
        prop_oneof![list, object]
    })
}

proptest! {
    #[test]
    fn decoder_accepts_any_json(json in json()) {
        for request in operations() {
            let _ = decode(&request, json.as_bytes(), None, &Limits::default());
        }
    }

    #[test]
    fn decoder_accepts_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for request in operations() {
            let _ = decode(&request, &bytes, None, &Limits::default());
        }
    }

    #[test]
    fn decoder_accepts_truncated_responses(json in json(), at in any::<prop::sample::Index>()) {
        let cut = at.index(json.len() + 1);
        for request in operations() {
            let _ = decode(&request, &json.as_bytes()[..cut], None, &Limits::default());
        }
    }
}

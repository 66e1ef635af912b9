//! `/x/address/{address}`: the bitcoin balance of an address.

use super::envelope::unrecognised;
use super::read::Context;
use super::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::bitcoin_balance::MAX_SATS;
use crate::model::{BitcoinBalance, Text};

/// Decodes the balance of this address.
///
/// # Errors
/// [`ErrorKind::Unrecognised`] without a possible balance, or with that of another address.
pub(super) fn decode(root: Value<'_>, address: &Text, context: &mut Context<'_>) -> Result<BitcoinBalance, ErrorKind> {
    let own = context.text(root.get("address")).filter(|own| own == address);
    let confirmed = context.u64(root.get("confirmed")).filter(|sats| *sats <= MAX_SATS);
    let unconfirmed = context.i64(root.get("unconfirmed")).filter(|sats| sats.unsigned_abs() <= MAX_SATS);
    let (Some(address), Some(confirmed), Some(unconfirmed)) = (own, confirmed, unconfirmed) else {
        return Err(unrecognised(root));
    };
    Ok(BitcoinBalance { address, confirmed, unconfirmed })
}

#[cfg(test)]
mod tests {
    use crate::client::decode::decode;
    use crate::client::{ErrorKind, Limits, Request, ResponseData};
    use crate::model::BitcoinBalance;

    fn read(body: &str) -> Result<ResponseData, ErrorKind> {
        let request = Request::BitcoinBalance { address: "bc1q".into() };
        decode(&request, body.as_bytes(), None, &Limits::default()).map(|(response, _)| response)
    }

    #[test]
    fn only_a_possible_balance_of_the_same_address_is_accepted() {
        let balance = BitcoinBalance { address: "bc1q".into(), confirmed: 7, unconfirmed: -5 };
        let body = r#"{"address":"bc1q","confirmed":7,"unconfirmed":-5}"#;
        assert_eq!(read(body), Ok(ResponseData::BitcoinBalance(balance)));
        for body in [
            r#"{"address":"bc1p","confirmed":7,"unconfirmed":0}"#,
            r#"{"address":"bc1q","confirmed":-7,"unconfirmed":0}"#,
            r#"{"address":"bc1q","confirmed":2100000000000001,"unconfirmed":0}"#,
            r#"{"address":"bc1q","confirmed":7}"#,
            r#"{"confirmed":7,"unconfirmed":0}"#,
            "[]",
        ] {
            assert!(matches!(read(body), Err(ErrorKind::Unrecognised(_))), "{body}");
        }
    }
}

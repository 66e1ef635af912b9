//! `/x/chain`: the newest block and fee rates.

use super::envelope::unrecognised;
use super::read::Context;
use super::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::{ChainState, Fees};

/// Decodes the newest block.
///
/// # Errors
/// [`ErrorKind::Unrecognised`] without a block height.
pub(super) fn decode(root: Value<'_>, context: &mut Context<'_>) -> Result<ChainState, ErrorKind> {
    let height = context.u64(root.get("height")).ok_or_else(|| unrecognised(root))?;
    let hash = context.text(root.get("hash"));
    let fees = root.get("fees").filter(|fees| fees.get("fastest").is_some());
    let fees = fees.map(|fees| {
        let mut rate = |name| {
            let mut rate = context.f64(fees.get(name));
            context.not_negative(fees, &mut rate, "a fee rate");
            rate
        };
        Fees { fastest: rate("fastest"), half_hour: rate("half_hour"), hour: rate("hour") }
    });
    Ok(ChainState { height, hash, fees })
}

#[cfg(test)]
mod tests {
    use crate::client::decode::decode;
    use crate::client::{ErrorKind, Limits, Request, ResponseData};
    use crate::model::{ChainState, Fees};

    fn read(body: &str) -> Result<ResponseData, ErrorKind> {
        decode(&Request::ChainState, body.as_bytes(), None, &Limits::default()).map(|(response, _)| response)
    }

    #[test]
    fn newest_block_is_read_with_and_without_fees() {
        let hash = Some("00ab".into());
        let fees = Some(Fees { fastest: Some(4.0), half_hour: None, hour: Some(1.5) });
        for (body, state) in [
            (r#"{"height":923105}"#, ChainState { height: 923_105, hash: None, fees: None }),
            (r#"{"height":923105,"hash":null,"fees":null}"#, ChainState { height: 923_105, hash: None, fees: None }),
            (
                r#"{"height":923105,"hash":"00ab","fees":{"fastest":4,"half_hour":-1,"hour":1.5}}"#,
                ChainState { height: 923_105, hash, fees },
            ),
        ] {
            assert_eq!(read(body), Ok(ResponseData::ChainState(state)), "{body}");
        }
        for body in [r#"{"data":[]}"#, r#"{"height":-1}"#, "[]"] {
            assert!(matches!(read(body), Err(ErrorKind::Unrecognised(_))), "{body}");
        }
    }
}

//! Decodes a response as one kind of response.

/// Decodes a response as the response to a request of this kind. A response of another kind is an error.
macro_rules! decode {
    ($response:expr, $request:expr, $Kind:ident) => {
        match $response.decode_data(&$request)? {
            crate::client::ResponseData::$Kind(data) => Ok(data),
            _ => Err(crate::service::upstream::error::SourceError::unexpected_format("wrong response type")),
        }
    };
}

/// Decodes like [`decode!`], with the number of rows in the body, skipped and unreadable ones included.
macro_rules! decode_with_rows {
    ($response:expr, $request:expr, $Kind:ident) => {
        match $response.decode_with_rows(&$request)? {
            (crate::client::ResponseData::$Kind(data), rows) => Ok((data, rows)),
            _ => Err(crate::service::upstream::error::SourceError::unexpected_format("wrong response type")),
        }
    };
}

pub(super) use {decode, decode_with_rows};

#[cfg(test)]
mod tests {
    use crate::client::Request;
    use crate::model::{Currency, MarketPair, Page, Tag};
    use crate::service::upstream::Response;
    use crate::service::upstream::error::{ErrorClass, SourceResult};

    #[test]
    fn response_of_another_kind_is_an_error() {
        let pairs = |response: &Response| -> SourceResult<Page<MarketPair>> {
            let coins = Request::Coins { tag: Tag::All, start: 1, limit: 10, convert: Currency::usd() };
            decode!(response, coins, MarketPairs)
        };
        let coins = r#"[{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":8.41}]"#;
        let error = pairs(&Response::of(200, &[], coins)).unwrap_err();
        assert_eq!(error.class, ErrorClass::UnexpectedFormat);
        assert_eq!(error.to_string(), "Unknown response format: wrong response type");
    }
}

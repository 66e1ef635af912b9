//! The client of the interface: typed requests, one HTTP client, tolerant decoding into the model.
//!
//! It is independent of the UI. [`Request`] is an operation with its parameters, and also the cache key of its
//! response; [`Client::get`] sends it.

mod base;
pub mod config;
pub mod decode;
pub mod endpoint;
pub mod error;
pub mod header;
pub mod notice;
mod reason;
pub mod request;
mod response_data;
pub mod transport;

pub use crate::model::InscriptionRef;
pub use config::{ClientConfig, Limits, MAX_CONTENT_BYTES, MAX_IMAGE_BYTES, Paths, TextForm};
pub use error::{Error, ErrorKind};
pub use header::{
    DATA_TIME, EXPLAINED, MUST_WAIT, NO_RATE, NOT_REFRESHED, NOTICE, NOTICE_CODE, PROVIDER, RATE_PROVIDER, RATE_TIME,
    REFRESH_ERROR, SIMULATED,
};
pub use notice::{Notice, NoticeCode};
pub use request::{Group, Request, Warning};
pub use response_data::ResponseData;
pub use transport::{Client, PriceEvents, Reply, Validator};

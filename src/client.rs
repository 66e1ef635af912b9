//! The client of the interface: typed requests, one HTTP client, tolerant decoding into the model.
//!
//! It knows nothing of screens. [`Request`] names an operation with its parameters and is also the key under which
//! its answer is kept; [`Client::get`] performs it.

mod base;
pub mod config;
pub mod decode;
pub mod endpoint;
pub mod error;
pub mod header;
mod reason;
pub mod request;
pub mod transport;

pub use crate::model::InscriptionRef;
pub use config::{CONTENT_BYTES, ClientConfig, Limits, Paths, TextForm};
pub use error::{Error, ErrorKind};
pub use header::{NOTICE, PROVIDER, SIMULATED};
pub use request::{Answer, Group, Request, Warning};
pub use transport::{Client, Reply, Validator};

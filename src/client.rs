//! The client of the interface: typed requests, one HTTP client, tolerant decoding into the model.
//!
//! It knows nothing of screens. [`Request`] names an operation with its parameters and is also the key under which
//! its answer is kept; [`Client::get`] performs it.

pub mod config;
pub mod decode;
pub mod endpoint;
pub mod error;
mod reason;
pub mod request;
pub mod transport;

pub use crate::model::InscriptionRef;
pub use config::{CONTENT_BYTES, ClientConfig, Limits, Paths, TextForm};
pub use error::{Error, ErrorKind};
pub use request::{Answer, Group, Request};
pub use transport::{Client, Reply, Validator};

/// Header of every response of our own service with simulated data; its value is `true`.
pub const SIMULATED: &str = "x-satscope-simulated";

/// Header of a response of our own service that names the provider of its data.
pub const PROVIDER: &str = "x-satscope-provider";

/// Something in an answer that could not be read, in a sentence with its JSON path.
pub type Warning = String;

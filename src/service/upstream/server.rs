//! Sends the requests of an upstream.

use async_trait::async_trait;

use super::response::Response;
use crate::client::transport::RawClient;
use crate::client::{ErrorKind, decode};

/// Sends requests. Tests replace it.
#[async_trait]
pub trait Server: Send + Sync {
    /// Sends a GET request for a path and query below the base URL.
    ///
    /// # Errors
    /// There is no complete response.
    async fn get(&self, path_and_query: &str) -> Result<Response, ErrorKind>;

    /// Removes the key from a message of the server, which may repeat it.
    fn redact(&self, message: &str) -> String {
        message.to_owned()
    }
}

#[async_trait]
impl Server for RawClient {
    async fn get(&self, path_and_query: &str) -> Result<Response, ErrorKind> {
        let raw = RawClient::get(self, path_and_query).await?;
        let message = (!(200..300).contains(&raw.status)).then(|| decode::error_message(&raw.body)).flatten();
        let message = message.map(|message| self.redact(&message));
        Ok(Response::new(raw, message))
    }

    fn redact(&self, message: &str) -> String {
        RawClient::redact(self, message)
    }
}

//! Where data comes from.

use std::future::Future;

use crate::client::{Client, Error, Group, Reply, Request, Validator};

/// The source of data: the [`Client`], or a test.
pub trait Source: Send + Sync + 'static {
    /// Sends a request; a conditional one if there is a validator. Dropping the future cancels it.
    fn get(
        &self,
        request: &Request,
        validator: Option<&Validator>,
    ) -> impl Future<Output = Result<Reply, Error>> + Send;

    /// Bypasses all caches, for the latest data; otherwise like [`Source::get`].
    fn refresh(
        &self,
        request: &Request,
        validator: Option<&Validator>,
    ) -> impl Future<Output = Result<Reply, Error>> + Send {
        self.get(request, validator)
    }

    /// The host of a group. Groups with the same host share its limits.
    fn origin(&self, group: Group) -> String;
}

impl Source for Client {
    async fn get(&self, request: &Request, validator: Option<&Validator>) -> Result<Reply, Error> {
        Client::get(self, request, validator).await
    }

    async fn refresh(&self, request: &Request, validator: Option<&Validator>) -> Result<Reply, Error> {
        Client::refresh(self, request, validator).await
    }

    fn origin(&self, group: Group) -> String {
        Client::origin(self, group).to_owned()
    }
}

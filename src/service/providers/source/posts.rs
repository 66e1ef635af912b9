//! Posts about coins.

use async_trait::async_trait;

use crate::model::{Post, PostOrder};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::providers::post_topic::PostTopic;
use crate::service::upstream::error::{SourceError, SourceResult};

/// [`Operation::Posts`].
#[async_trait]
pub trait PostSource: Send + Sync {
    /// Posts about a coin, top or latest first. Each contains the cashtag or the coin's name as a word.
    async fn posts(&self, _topic: &PostTopic, _order: PostOrder) -> SourceResult<Vec<Post>> {
        Err(SourceError::unsupported())
    }

    /// Whether it distinguishes coins with the same name. Other providers need a distinct topic.
    fn distinguishes_coins(&self) -> bool {
        false
    }
}

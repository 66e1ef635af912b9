//! Posts.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{Post, UtcTime};

/// Posts.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Posts<'a> {
    list: Vec<PostJson<'a>>,
}

impl<'a> From<&'a Vec<Post>> for Posts<'a> {
    fn from(posts: &'a Vec<Post>) -> Posts<'a> {
        Posts { list: posts.iter().map(PostJson::from).collect() }
    }
}

/// A post.
#[derive(Serialize, ToSchema)]
#[schema(as = Post)]
struct PostJson<'a> {
    /// Id.
    post_id: &'a str,
    owner: Owner<'a>,
    /// Network, such as `Bluesky`.
    #[schema(required)]
    network: Option<&'a str>,
    /// Text with line breaks.
    text_content: &'a str,
    #[schema(required)]
    like_count: Option<u64>,
    #[schema(required)]
    comment_count: Option<u64>,
    #[schema(required)]
    repost_count: Option<u64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    post_time: Option<UtcTime>,
    /// URL of the post.
    #[schema(required)]
    url: Option<&'a str>,
    /// Mentioned coins.
    currencies: Vec<Mention<'a>>,
    /// ISO 639-1 code.
    #[schema(required)]
    language_code: Option<&'a str>,
    /// Whether the author or the network marked it as sensitive.
    #[schema(required)]
    sensitive: Option<bool>,
}

/// The author of a post.
#[derive(Serialize, ToSchema)]
struct Owner<'a> {
    #[schema(required)]
    nickname: Option<&'a str>,
}

/// A mentioned coin.
#[derive(Serialize, ToSchema)]
struct Mention<'a> {
    symbol: &'a str,
}

impl<'a> From<&'a Post> for PostJson<'a> {
    fn from(post: &'a Post) -> PostJson<'a> {
        PostJson {
            post_id: &post.id,
            owner: Owner { nickname: post.author.as_deref() },
            network: post.network.as_deref(),
            text_content: &post.text,
            like_count: post.likes,
            comment_count: post.comments,
            repost_count: post.reposts,
            post_time: post.posted_at,
            url: post.url.as_deref(),
            currencies: post.symbols.iter().map(|symbol| Mention { symbol }).collect(),
            language_code: post.language.as_deref(),
            sensitive: post.sensitive,
        }
    }
}

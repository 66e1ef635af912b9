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
    /// Identity.
    post_id: &'a str,
    owner: Owner<'a>,
    /// Where it was posted, such as `Bluesky`.
    #[schema(required)]
    network: Option<&'a str>,
    /// With its line breaks.
    text_content: &'a str,
    #[schema(required)]
    like_count: Option<u64>,
    #[schema(required)]
    comment_count: Option<u64>,
    #[schema(required)]
    repost_count: Option<u64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    post_time: Option<UtcTime>,
    /// Where it can be read.
    #[schema(required)]
    url: Option<&'a str>,
    /// The coins that it mentions.
    currencies: Vec<Mention<'a>>,
    /// Two letters of ISO 639-1.
    #[schema(required)]
    language_code: Option<&'a str>,
    /// Its author, or the network, asks to hide it until somebody wants to see it.
    #[schema(required)]
    sensitive: Option<bool>,
}

/// Who wrote a post.
#[derive(Serialize, ToSchema)]
struct Owner<'a> {
    #[schema(required)]
    nickname: Option<&'a str>,
}

/// A coin that a post mentions.
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

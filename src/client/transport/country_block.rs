//! Refusals of a whole country, which last, unlike a firewall's refusals with the same status.

/// How the pages of content delivery networks say that they refuse a country: CloudFront and Cloudflare.
const PHRASES: [&str; 2] = ["from your country", "banned the country or region"];

/// Whether the body of a response with status 403 says that the whole country is refused.
pub(crate) fn is_country_block(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    PHRASES.iter().any(|phrase| text.contains(phrase))
}

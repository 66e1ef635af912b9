//! The URL of a request.

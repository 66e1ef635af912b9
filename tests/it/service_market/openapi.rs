//! The description matches what is served.

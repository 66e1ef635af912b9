//! Response headers of our own service.

/// Header of every response of our own service with simulated data; its value is `true`.
pub const SIMULATED: &str = "x-satscope-simulated";

/// Header of a response of our own service that names the provider of its data.
pub const PROVIDER: &str = "x-satscope-provider";

/// Header of a response of our own service that says why its data are older than they should be, percent-encoded.
pub const NOTICE: &str = "x-satscope-notice";

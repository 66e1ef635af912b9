//! Why Redis fails, as shown to the user.

use std::fmt;

use redis::ErrorKind;

/// Why Redis failed, without addresses and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It can't be reached.
    Unreachable(&'static str),
    /// It was reached, but can't be used.
    Unusable(&'static str),
    /// It can be read, but not written.
    RefusesWrites(&'static str),
}

impl Reason {
    pub(super) const TIMED_OUT: Reason = Reason::Unreachable("timed out");
    pub(super) const UNTRUSTED: Reason = Reason::Unusable("certificate can't be verified");

    /// Whether the user should learn of it, although an earlier reason was reported: after Redis was unreachable, it may
    /// need a password or refuse writes. The first attempts may take too long to notice a certificate.
    pub(super) fn supersedes(self, before: Reason) -> bool {
        let rank = |reason| match reason {
            Reason::Unreachable(_) => 0,
            Reason::Unusable(_) if reason == Reason::UNTRUSTED => 2,
            Reason::Unusable(_) => 1,
            Reason::RefusesWrites(_) => 3,
        };
        rank(self) > rank(before)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unreachable(cause) => write!(f, "Can't reach Redis ({cause})"),
            Reason::Unusable(cause) => write!(f, "Can't use Redis ({cause})"),
            Reason::RefusesWrites(cause) => write!(f, "Can't write to Redis ({cause})"),
        }
    }
}

/// The reason of an error.
pub(super) trait FailureReason {
    /// Why Redis failed.
    fn reason(&self) -> Reason;
}

impl FailureReason for redis::RedisError {
    fn reason(&self) -> Reason {
        use Reason::{RefusesWrites, Unreachable, Unusable};
        let is = |part: &str| self.to_string().contains(part);
        if is("invalid peer certificate") {
            Reason::UNTRUSTED
        } else if self.is_connection_refusal() {
            Unreachable("connection refused")
        } else if self.is_timeout() {
            Reason::TIMED_OUT
        } else if self.is_connection_dropped() {
            Unreachable("connection lost")
        } else if is("failed to lookup address") || is("No address found") {
            Unreachable("can't resolve the host")
        } else if self.is_io_error() {
            Unreachable("can't connect to the host")
        } else if self.code() == Some("READONLY") || is("READONLY") {
            // Older servers put the code of a script's command into its message.
            RefusesWrites("read-only replica")
        } else if self.code() == Some("OOM") || is("OOM ") {
            RefusesWrites("out of memory")
        } else if self.code() == Some("MISCONF") || is("MISCONF") {
            RefusesWrites("can't save its data to disk")
        } else if self.code() == Some("NOREPLICAS") || is("NOREPLICAS") {
            RefusesWrites("not enough replicas")
        } else if self.code() == Some("NOAUTH") {
            Unusable("password required")
        } else if self.kind() == ErrorKind::AuthenticationFailed || self.code() == Some("WRONGPASS") {
            Unusable("wrong user or password")
        } else if self.code() == Some("NOPERM") {
            Unusable("command not permitted")
        } else if self.detail().is_some_and(|detail| detail.contains("DB index")) {
            Unusable("no such database")
        } else if matches!(self.kind(), ErrorKind::Parse | ErrorKind::UnexpectedReturnType) {
            Unusable("unexpected reply")
        } else {
            Unusable("Redis error")
        }
    }
}

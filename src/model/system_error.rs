//! The reason of an operating system error.

use std::fmt::Display;

/// The reason in lower case, without the system's number and without paths that a library adds: `no such file or
/// directory`.
pub fn reason(error: &impl Display) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    let reason: String = letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
    // SQLite's word for it.
    if reason == "no space left on device" { String::from("disk full") } else { reason }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn system_error_reason_has_no_number_or_path() {
        let missing = Path::new("/no/such/file").metadata().unwrap_err();
        assert_eq!(reason(&missing), "no such file or directory");
        assert_eq!(reason(&"No space left on device (os error 28)"), "disk full");
        let temporary = tempfile::Builder::new().tempfile_in("/no/such/directory").unwrap_err();
        assert_eq!(reason(&temporary), "no such file or directory");
    }
}

//! `--format json`: one object on one line.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value and a line feed.
pub(super) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    // An error of serde_json is the writer's: the model has nothing that JSON cannot say.
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

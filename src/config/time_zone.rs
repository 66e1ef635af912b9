//! The time zone of the configuration or the system, from the system's compiled time zone files.
//!
//! Only the zone's own file is read, unlike by jiff's time zone database, which lists all zones of the system before it
//! reads one: that would delay the first frame.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::value_error::ValueError;
use crate::model::Zone;

/// The setting.
#[derive(Clone, Debug, Default)]
pub enum TimeZone {
    /// The zone in `TZ`, else the system's zone.
    #[default]
    Local,
    /// A named zone.
    Named(Zone),
}

/// The hint for a name that is similar to no zone.
const EXAMPLES: &str = " (expected a name such as \"Europe/Berlin\", \"UTC\" or \"local\")";

/// The file with the name of the system's zone.
const LOCAL_TIME: &str = "/etc/localtime";

/// Where systems keep their time zone files, unless `TZDIR` is set.
const DIRECTORIES: [&str; 3] = ["/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"];

/// Maximum length of a time zone file in bytes; the largest ones have 4 kB.
const MAX_BYTES: u64 = 64 * 1024;

/// Folders with the same zones under other names.
const COPIES: [&str; 2] = ["posix", "right"];

impl TimeZone {
    /// Parses `local`, `UTC` or an IANA name such as `Europe/Berlin`.
    ///
    /// # Errors
    /// The system has time zones, but none of this name.
    pub(super) fn parse(name: &str) -> Result<TimeZone, ValueError> {
        if name.eq_ignore_ascii_case("local") {
            return Ok(TimeZone::Local);
        }
        let directory = directory(std::env::var_os("TZDIR").map(PathBuf::from));
        named(name, directory.as_deref()).map(TimeZone::Named)
    }

    /// The zone. Reads it from the system if it is the local one.
    pub fn zone(&self) -> Zone {
        match self {
            TimeZone::Named(zone) => zone.clone(),
            TimeZone::Local => {
                let variable = |name: &str| std::env::var_os(name);
                let directory = directory(variable("TZDIR").map(PathBuf::from));
                let wanted = variable("TZ").map(|name| name.to_string_lossy().into_owned());
                local(wanted.as_deref(), directory.as_deref(), Path::new(LOCAL_TIME))
            }
        }
    }

    /// The setting as text.
    pub(super) fn name(&self) -> String {
        match self {
            TimeZone::Local => String::from("local"),
            TimeZone::Named(zone) => zone.wanted().unwrap_or(zone.name()).to_owned(),
        }
    }
}

/// The directory of time zone files.
fn directory(wanted: Option<PathBuf>) -> Option<PathBuf> {
    let known = DIRECTORIES.into_iter().map(PathBuf::from);
    wanted.into_iter().chain(known).find(|directory| directory.is_dir())
}

/// The zone with an IANA name; UTC if the system has no time zones.
fn named(name: &str, directory: Option<&Path>) -> Result<Zone, ValueError> {
    if is_utc(name) {
        return Ok(Zone::UTC);
    }
    let Some(directory) = directory else { return Ok(Zone::missing(name)) };
    let zone = is_name(name).then(|| read(name, &directory.join(name))).flatten();
    zone.ok_or_else(|| ValueError::TimeZone(nearest(name, directory)))
}

/// The zone that `TZ` names, else the zone of `local_time`, which is a link to a time zone file. A system without that
/// file uses UTC (POSIX).
fn local(wanted: Option<&str>, directory: Option<&Path>, local_time: &Path) -> Zone {
    let Some(wanted) = wanted else {
        let target = fs::read_link(local_time).ok();
        let target = target.as_deref().and_then(Path::to_str).and_then(|path| path.rsplit_once("zoneinfo/"));
        let name = target.map_or("local", |(_, name)| name);
        return if is_utc(name) { Zone::UTC } else { read(name, local_time).unwrap_or(Zone::UTC) };
    };
    let name = wanted.strip_prefix(':').unwrap_or(wanted);
    if name.is_empty() || is_utc(name) {
        return Zone::UTC;
    }
    let path = Path::new(name);
    let file = if path.is_absolute() {
        read(name.rsplit_once("zoneinfo/").map_or(name, |(_, name)| name), path)
    } else if is_name(name) {
        directory.and_then(|directory| read(name, &directory.join(name)))
    } else {
        None
    };
    file.or_else(|| Zone::from_posix(name)).unwrap_or_else(|| Zone::missing(name))
}

fn is_utc(name: &str) -> bool {
    ["UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"]
        .iter()
        .any(|utc| utc.eq_ignore_ascii_case(name))
}

/// Whether a name stays within the directory.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte)) && !part.is_empty()
    };
    name.split('/').all(is_part)
}

fn read(name: &str, path: &Path) -> Option<Zone> {
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    file.ok().and_then(|_| Zone::from_tzif(name, &bytes))
}

/// ` (similar: …)` with the most similar zone of the directory, or examples.
fn nearest(name: &str, directory: &Path) -> String {
    let mut names = Vec::new();
    list(directory, "", &mut names);
    let wanted = name.to_lowercase();
    let score = |known: &str| {
        let known = known.to_lowercase();
        let city = known.rsplit('/').next().unwrap_or(&known);
        strsim::normalized_damerau_levenshtein(&wanted, &known)
            .max(strsim::normalized_damerau_levenshtein(&wanted, city))
    };
    let best = names.iter().map(|known| (score(known), known)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
    match best {
        Some((score, known)) if score > 0.6 => format!(" (similar: {known:?})"),
        _ => String::from(EXAMPLES),
    }
}

/// Adds the names of all files in a directory that may be zones.
fn list(directory: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_zone = name.starts_with(|first: char| first.is_ascii_uppercase()) && is_name(&name);
        let name = format!("{prefix}{name}");
        // Names have at most three parts.
        if entry.path().is_dir() {
            if name.matches('/').count() < 2 && !COPIES.contains(&name.as_str()) {
                list(&entry.path(), &format!("{name}/"), names);
            }
        } else if is_zone {
            names.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;

    /// A time zone file (RFC 9636, version 2) without transitions whose footer has POSIX rules.
    fn tzif(rules: &str) -> Vec<u8> {
        let block = |version: u8| {
            let mut block = b"TZif".to_vec();
            block.push(version);
            block.extend([0; 15]);
            // The counts of UT indicators, standard indicators, leap seconds, transitions, types, and characters.
            for count in [0_u32, 0, 0, 0, 1, 4] {
                block.extend(count.to_be_bytes());
            }
            block.extend(3_600_i32.to_be_bytes());
            block.extend([0, 0]);
            block.extend(b"CET\0");
            block
        };
        let mut file = block(b'2');
        file.extend(block(b'2'));
        file.extend(format!("\n{rules}\n").as_bytes());
        file
    }

    fn system() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let zoneinfo = directory.path().join("zoneinfo");
        fs::create_dir_all(zoneinfo.join("Europe")).unwrap();
        fs::create_dir_all(zoneinfo.join("America/Argentina")).unwrap();
        fs::write(zoneinfo.join("Europe/Berlin"), tzif("CET-1CEST,M3.5.0,M10.5.0/3")).unwrap();
        fs::write(zoneinfo.join("America/Argentina/Salta"), tzif("<-03>3")).unwrap();
        fs::write(zoneinfo.join("tzdata.zi"), "# not a zone").unwrap();
        fs::write(directory.path().join("secret"), "nothing").unwrap();
        std::os::unix::fs::symlink(zoneinfo.join("Europe/Berlin"), directory.path().join("localtime")).unwrap();
        directory
    }

    /// The name and the abbreviation in November.
    fn shown(zone: &Zone) -> (String, String) {
        let november = UtcTime::parse_rfc3339("2026-11-19T12:00:00Z").unwrap();
        (zone.name().to_owned(), zone.abbreviation(november).to_string())
    }

    fn names(name: &str, short: &str) -> (String, String) {
        (name.to_owned(), short.to_owned())
    }

    #[test]
    fn named_zone_is_read_from_its_file() {
        let system = system();
        let zoneinfo = system.path().join("zoneinfo");
        let zone = |name| named(name, Some(&zoneinfo)).map(|zone| shown(&zone));
        assert_eq!(zone("Europe/Berlin"), Ok(names("Europe/Berlin", "CET")));
        assert_eq!(zone("America/Argentina/Salta"), Ok(names("America/Argentina/Salta", "-03")));
        assert_eq!(zone("UTC"), Ok(names("UTC", "UTC")));
        for (wrong, suggestion) in [
            ("Europe/Berln", " (similar: \"Europe/Berlin\")"),
            ("berlin", " (similar: \"Europe/Berlin\")"),
            ("salta", " (similar: \"America/Argentina/Salta\")"),
            ("Middle-earth", EXAMPLES),
            ("../secret", EXAMPLES),
            ("tzdata.zi", EXAMPLES),
            ("", EXAMPLES),
        ] {
            assert_eq!(zone(wrong), Err(ValueError::TimeZone(suggestion.to_owned())), "{wrong}");
        }
    }

    #[test]
    fn system_without_time_zones_uses_utc_with_a_message() {
        let zone = named("Europe/Berlin", None).unwrap();
        assert_eq!((zone.name(), zone.wanted()), ("UTC", Some("Europe/Berlin")));
        assert_eq!(TimeZone::Named(zone).name(), "Europe/Berlin");
    }

    #[test]
    fn tz_variable_overrides_the_system_time_zone() {
        let system = system();
        let (zoneinfo, local_time) = (system.path().join("zoneinfo"), system.path().join("localtime"));
        let zone = |wanted| local(wanted, Some(&zoneinfo), &local_time);
        assert_eq!(shown(&zone(None)), names("Europe/Berlin", "CET"));
        let path = format!(":{}", zoneinfo.join("Europe/Berlin").display());
        for (wanted, name, short) in [
            ("America/Argentina/Salta", "America/Argentina/Salta", "-03"),
            (":America/Argentina/Salta", "America/Argentina/Salta", "-03"),
            (path.as_str(), "Europe/Berlin", "CET"),
            ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", "EST"),
            ("", "UTC", "UTC"),
            ("UTC", "UTC", "UTC"),
            ("Nowhere/Else", "UTC", "UTC"),
            ("../secret", "UTC", "UTC"),
            ("/dev/null", "UTC", "UTC"),
        ] {
            assert_eq!(shown(&zone(Some(wanted))), names(name, short), "{wanted}");
        }
        assert_eq!(zone(Some("Nowhere/Else")).wanted(), Some("Nowhere/Else"));
        // A system without the file uses UTC.
        let without = local(None, None, &system.path().join("absent"));
        assert_eq!((without.name(), without.wanted()), ("UTC", None));
    }

    #[test]
    fn endless_file_is_not_read_to_its_end() {
        assert!(read("zero", Path::new("/dev/zero")).is_none());
    }
}

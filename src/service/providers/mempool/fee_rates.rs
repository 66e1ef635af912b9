//! The fee rates of a server, from the most precise path that it has.

use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Deserializer};
use tokio::time::Instant;

use crate::model::Fees;
use crate::service::providers::lenient::{self, RawRow};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::{Response, Upstream};

/// A path with fee rates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    /// With decimals. Older mempool servers lack it.
    Precise,
    /// In whole sat/vB, at least 1.
    Recommended,
    /// A server with only the Esplora API.
    Estimates,
}

/// The paths, in the order in which they are tried.
const PATHS: [Path; 3] = [Path::Precise, Path::Recommended, Path::Estimates];

/// Time before a better path that the server lacks is tried again.
const RETRY_AFTER: Duration = Duration::from_hours(24);

/// Fetches fee rates.
#[derive(Default)]
pub(super) struct FeeRates {
    /// The path that the server has, and when the better ones were tried.
    known: Mutex<Option<(Path, Instant)>>,
}

impl FeeRates {
    /// Fetches the fee rates.
    pub(super) async fn fetch(&self, upstream: &Upstream) -> SourceResult<Fees> {
        let known = self.known().filter(|(_, tried)| tried.elapsed() < RETRY_AFTER).map(|(path, _)| path);
        let mut missing = SourceError::not_found("No fee rates");
        for path in PATHS.into_iter().skip_while(|path| known.is_some_and(|known| known != *path)) {
            match upstream.get(path.as_str()).await.and_then(|response| path.read(&response, upstream)) {
                Ok(fees) => {
                    if known != Some(path) {
                        self.set_known(Some((path, Instant::now())));
                    }
                    return Ok(fees);
                }
                Err(error) if path.is_missing(&error) => missing = error,
                Err(error) => return Err(error),
            }
        }
        self.set_known(None);
        Err(missing)
    }

    fn known(&self) -> Option<(Path, Instant)> {
        *self.known.lock()
    }

    fn set_known(&self, known: Option<(Path, Instant)>) {
        *self.known.lock() = known;
    }
}

impl Path {
    fn as_str(self) -> &'static str {
        match self {
            Path::Precise => "/v1/fees/precise",
            Path::Recommended => "/v1/fees/recommended",
            Path::Estimates => "/fee-estimates",
        }
    }

    /// Whether an error means that the server lacks this path. A proxy may refuse or redirect one that it doesn't know, or
    /// answer with something else.
    fn is_missing(self, error: &SourceError) -> bool {
        use ErrorClass::{Empty, Forbidden, NotFound, Rejected, UnexpectedFormat};

        error.class == NotFound
            || self == Path::Precise && matches!(error.class, Empty | Forbidden | Rejected | UnexpectedFormat)
    }

    fn read(self, response: &Response, upstream: &Upstream) -> SourceResult<Fees> {
        let fees = match self {
            Path::Precise | Path::Recommended => {
                let Recommended { fastest_fee, half_hour_fee, hour_fee } = response.json()?;
                [fastest_fee, half_hour_fee, hour_fee]
            }
            Path::Estimates => {
                let Estimates { one, three, six } = response.json()?;
                [one, three, six]
            }
        };
        let fees = fees.map(|fee| fee.filter(|fee| *fee >= 0.0));
        match fees.iter().filter(|fee| fee.is_none()).count() {
            0 => {}
            missing if missing == fees.len() => {
                return Err(SourceError::new(ErrorClass::Empty, "No readable fee rates"));
            }
            missing => upstream.warnings().record(missing, "fee rate", None),
        }
        let [fastest, half_hour, hour] = fees;
        Ok(Fees { fastest, half_hour, hour })
    }
}

/// A finite number, which may be text; `None` for anything else.
fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let raw = RawRow::deserialize(deserializer)?;
    Ok(lenient::optional_number(&*raw).ok().flatten())
}

/// Fee rates of the next blocks in sat/vB.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recommended {
    #[serde(default, deserialize_with = "rate")]
    fastest_fee: Option<f64>,
    #[serde(default, deserialize_with = "rate")]
    half_hour_fee: Option<f64>,
    #[serde(default, deserialize_with = "rate")]
    hour_fee: Option<f64>,
}

/// Fee rates of Esplora by confirmation target in blocks.
#[derive(Deserialize)]
struct Estimates {
    #[serde(rename = "1", default, deserialize_with = "rate")]
    one: Option<f64>,
    #[serde(rename = "3", default, deserialize_with = "rate")]
    three: Option<f64>,
    #[serde(rename = "6", default, deserialize_with = "rate")]
    six: Option<f64>,
}

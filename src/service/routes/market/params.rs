//! The parameters of the market group, as the OpenAPI document describes them. The routes read them from
//! [`Params`](crate::service::params::Params); the cache leaves out those that have their default values.

#![expect(dead_code, reason = "describes the parameters")]

use utoipa::IntoParams;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CoinsParams {
    /// A category of coins.
    #[param(pattern = "^(all|brc-20|bitcoin-ecosystem)?$", default = "all", example = "brc-20")]
    tag: Option<String>,
    /// Position of the first coin, from 1.
    #[param(minimum = 1, maximum = 2147483647, default = 1, example = 1)]
    start: Option<u32>,
    /// Maximum coins.
    #[param(minimum = 1, maximum = 5000, default = 100, example = 20)]
    limit: Option<u32>,
    /// Only the coins with these ids, separated by commas, at most 200, repeated ones included. Unknown ids are left out; `tag`, `start` and
    /// `limit` have no effect, but must be valid.
    #[param(pattern = r"^$|^[,\s]*[^,\s][^,]*(,[^,]*){0,199}$", example = "1,25028")]
    ids: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CoinsStatsParams {
    /// A category of coins.
    #[param(pattern = "^(all|brc-20|bitcoin-ecosystem)?$", default = "brc-20", example = "brc-20")]
    tag: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ContentParams {
    /// `top`: the most liked of the last few days; `latest`: the newest.
    #[param(pattern = "^(top|latest)?$", default = "top", example = "latest")]
    post_type: Option<String>,
    /// Symbol (case-insensitive).
    #[param(pattern = r"\S", example = "ORDI")]
    symbol: String,
    /// Only about the coin with this slug.
    #[param(example = "ordi")]
    slug: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ExchangesParams {
    /// Symbol (case-insensitive).
    #[param(pattern = r"\S", example = "ORDI")]
    symbol: String,
    /// Only the coin with this slug.
    #[param(example = "ordi")]
    slug: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ChartParams {
    /// The coin's slug.
    #[param(pattern = r"\S", example = "ordi")]
    slug: String,
    /// `1D` (one point per 5 minutes), `7D` (15 minutes), `1M` or `3M` (1 hour).
    #[param(pattern = "^(1D|7D|1M|3M)?$", default = "1D", example = "7D")]
    period: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SeriesParams {
    /// 1 to 200 symbols, separated by commas (case-insensitive). The number of symbols times `count` must not exceed
    /// 25,000.
    #[param(pattern = r"^[,\s]*[^,\s][^,]*(,[^,]*){0,199}$", example = "BTC,ORDI")]
    symbol: String,
    /// Currency of prices. Which ones are known depends on the providers.
    #[param(pattern = "^([A-Za-z0-9]{2,10})?$", default = "USD", example = "EUR")]
    convert: Option<String>,
    /// Points per coin; fewer for newer coins.
    #[param(minimum = 1, maximum = 10000, default = 10, example = 24)]
    count: Option<u32>,
    /// Interval between points: 5m to 45m, 1h to 24h, 1d to 365d, hourly to yearly.
    #[param(
        pattern = "^((5|10|15|30|45)m|(1|2|3|4|6|12|24)h|(1|2|3|7|14|15|30|60|90|365)d|hourly|daily|weekly|monthly|yearly)?$",
        default = "5m",
        example = "1h"
    )]
    interval: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::service::routes) struct ConvertParams {
    /// Currency of prices. Which ones are known depends on the providers.
    #[param(pattern = "^([A-Za-z0-9]{2,10})?$", default = "USD", example = "EUR")]
    convert: Option<String>,
}

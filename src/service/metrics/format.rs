//! The two text formats of metrics: OpenMetrics 1.0, which Prometheus requests, and Prometheus' own 0.0.4 for all other
//! clients.

use std::collections::HashSet;

use axum::http::{HeaderMap, header};

use crate::service::encoding::{MAX_LISTED, quality};

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    OpenMetrics,
    Prometheus,
}

impl Format {
    /// The format that a client prefers in `Accept`.
    pub(super) fn accepted(request: &HeaderMap) -> Format {
        let lines = request.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
        let (mut open_metrics, mut text) = (0.0_f32, 0.0_f32);
        for range in lines.flat_map(|line| line.split(',')).take(MAX_LISTED) {
            let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
            let best = match name.trim() {
                name if name.eq_ignore_ascii_case("application/openmetrics-text") => &mut open_metrics,
                name if name.eq_ignore_ascii_case("text/plain") => &mut text,
                _ => continue,
            };
            *best = best.max(quality(parameters));
        }
        if open_metrics > 0.0 && open_metrics >= text { Format::OpenMetrics } else { Format::Prometheus }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// OpenMetrics in this format.
    pub(super) fn write(self, open_metrics: String) -> String {
        match self {
            Format::OpenMetrics => open_metrics,
            Format::Prometheus => prometheus(&open_metrics),
        }
    }
}

/// Prometheus' format names a counter as its samples, and has neither units nor an end mark.
fn prometheus(open_metrics: &str) -> String {
    let typed =
        |line: &'_ str| line.strip_prefix("# TYPE ").and_then(|line| line.strip_suffix(" counter")).map(str::to_owned);
    let counters: HashSet<String> = open_metrics.lines().filter_map(typed).collect();
    let mut text = String::with_capacity(open_metrics.len());
    for line in open_metrics.lines() {
        let mut words = line.splitn(4, ' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some("EOF" | "UNIT"), ..) => continue,
            (Some("#"), Some(keyword), Some(name), Some(rest)) if counters.contains(name) => {
                text.extend(["# ", keyword, " ", name, "_total ", rest]);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn preferred_format_is_chosen() {
        let newest = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
                      application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,\
                      text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
        for (accepted, expected) in [
            (newest, Format::OpenMetrics),
            ("application/openmetrics-text", Format::OpenMetrics),
            ("application/openmetrics-text; q=0, */*", Format::Prometheus),
            ("text/plain, application/openmetrics-text; q=0.5", Format::Prometheus),
            ("*/*", Format::Prometheus),
            ("text/html", Format::Prometheus),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accepted))]);
            assert_eq!(Format::accepted(&headers), expected, "{accepted}");
        }
        assert_eq!(Format::accepted(&HeaderMap::new()), Format::Prometheus);
    }

    #[test]
    fn counters_have_the_names_of_their_samples() {
        let open_metrics = "# HELP a_responses Responses by status.\n# TYPE a_responses counter\n\
                            a_responses_total{status=\"200\"} 1\n# HELP a_time_seconds Time.\n\
                            # TYPE a_time_seconds histogram\n# UNIT a_time_seconds seconds\n\
                            a_time_seconds_sum 0.5\n# EOF\n";
        assert_eq!(
            prometheus(open_metrics),
            "# HELP a_responses_total Responses by status.\n# TYPE a_responses_total counter\n\
             a_responses_total{status=\"200\"} 1\n# HELP a_time_seconds Time.\n\
             # TYPE a_time_seconds histogram\na_time_seconds_sum 0.5\n"
        );
    }
}

//! Metrics in OpenMetrics or Prometheus' text format.

mod format;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use self::format::Format;
use super::backend::extensions::ExtensionProvider;
use super::counters::Counters;
use super::shared::SharedState;

/// Upper bounds of the latency histogram in seconds.
const BUCKETS: [f64; 12] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The metrics of a service.
pub(super) struct Metrics {
    registry: Registry,
    /// Only of an instance with Redis.
    shared_registry: Registry,
    responses: Family<ResponseLabels, Counter>,
    durations: Family<CacheLabels, Histogram>,
    connections: Gauge,
    busy: Gauge,
    upstream_requests: Family<ProviderLabels, Counter<u64, AtomicU64>>,
    shared_up: Gauge,
    instances: Gauge,
    budget_used: Family<BudgetLabels, Gauge>,
    budget_remaining: Family<BudgetLabels, Gauge>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ResponseLabels {
    status: u16,
    cache: Cache,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CacheLabels {
    cache: Cache,
}

/// Whether a response came from the cache.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EncodeLabelValue)]
#[expect(non_camel_case_types, reason = "the names are the label values")]
pub(super) enum Cache {
    /// Found ready.
    hit,
    /// Computed, compressed, or taken from another instance.
    miss,
    /// Answered before the cache: health, metrics, and refused requests.
    none,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ProviderLabels {
    provider: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct BudgetLabels {
    provider: String,
    period: String,
}

impl Metrics {
    pub(super) fn new() -> Metrics {
        let metrics = Metrics {
            registry: Registry::with_prefix("satscope"),
            shared_registry: Registry::with_prefix("satscope"),
            responses: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            connections: Gauge::default(),
            busy: Gauge::default(),
            upstream_requests: Family::default(),
            shared_up: Gauge::default(),
            instances: Gauge::default(),
            budget_used: Family::default(),
            budget_remaining: Family::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Metrics {
        let registry = &mut self.registry;
        registry.register("responses", "Responses by status and cache result", self.responses.clone());
        registry.register_with_unit(
            "response_duration",
            "Time from request headers to response headers",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register("connections", "Open connections", self.connections.clone());
        let busy = "Connections with a request in progress or buffers in use";
        registry.register("busy_connections", busy, self.busy.clone());
        registry.register("upstream_requests", "Requests sent to a provider", self.upstream_requests.clone());
        registry.register("instances", "Instances that share the budgets", self.instances.clone());
        registry.register("budget_used", "Requests counted against a provider's limit", self.budget_used.clone());
        registry.register(
            "budget_remaining",
            "Requests remaining within a provider's limit",
            self.budget_remaining.clone(),
        );
        let shared = &mut self.shared_registry;
        shared.register("shared_up", "1 if Redis is usable, otherwise 0", self.shared_up.clone());
        self
    }

    /// Counts a response.
    pub(super) fn count(&self, status: StatusCode, cache: Cache, duration: Duration) {
        self.responses.get_or_create(&ResponseLabels { status: status.as_u16(), cache }).inc();
        self.durations.get_or_create(&CacheLabels { cache }).observe(duration.as_secs_f64());
    }

    /// `GET /metrics`.
    pub(super) async fn response(
        &self,
        request: &HeaderMap,
        counters: &Counters,
        provider: &dyn ExtensionProvider,
        shared: Option<&SharedState>,
    ) -> Response {
        // Each heartbeat updates it.
        self.shared_up.set(i64::from(shared.is_some_and(|shared| !shared.is_down())));
        self.instances.set(i64::from(shared.map_or(1, SharedState::instances)));
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.connections.set(number(counters.connections.now() as u64));
        self.busy.set(number(counters.busy.now() as u64));
        for (provider, requests) in provider.upstream_requests() {
            let labels = ProviderLabels { provider: provider.to_string() };
            self.upstream_requests.get_or_create(&labels).inner().store(requests, Ordering::Relaxed);
        }
        for source in provider.sources().await {
            let Some(budget) = source.budget else { continue };
            let labels = BudgetLabels { provider: source.name.to_string(), period: budget.period.as_str().to_owned() };
            // An unknown count has no sample: 0 would look like an unused limit.
            let Some(used) = budget.used else {
                self.budget_used.remove(&labels);
                self.budget_remaining.remove(&labels);
                continue;
            };
            self.budget_used.get_or_create(&labels).set(number(used));
            self.budget_remaining.get_or_create(&labels).set(number(budget.limit.saturating_sub(used)));
        }
        let format = Format::accepted(request);
        let mut text = String::new();
        let registries = [Some(&self.registry), shared.map(|_| &self.shared_registry)];
        let written = registries.into_iter().flatten().try_for_each(|registry| encode_registry(&mut text, registry));
        let mut response = match written.and_then(|()| encode_eof(&mut text)) {
            Ok(()) => Response::new(Body::from(format.write(text))),
            Err(error) => {
                tracing::error!(%error, "can't write the metrics");
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                response
            }
        };
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

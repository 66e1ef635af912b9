//! Live data: the gateway over fake providers, through HTTP, the client and the screen.

mod blocks;
mod by_id;
mod charts;
mod commands;
mod errors;
mod fake;
mod historical_rates;
mod identity;
#[cfg(feature = "images")]
mod images;
mod indexer;
mod indexer_fakes;
mod later_pages;
mod listings;
mod market;
mod market_errors;
mod market_mutations;
mod matrix;
mod mislabelled;
mod money;
mod mutations;
mod names;
mod other_service;
mod panels;
mod posts;
mod program;
mod robust;
mod shared;
mod slugs;
mod streams;
mod turns;
mod unusable;
mod world;

use std::path::Path;
use std::time::Duration;

use fake::Fake;
use satscope::client::{Client, ClientConfig, Error, PROVIDER, Reply, Request, ResponseData};
use satscope::model::ProviderName;
use satscope::model::{Coin, Currency, Page, Tag, UtcTime};
use satscope::service::Providers;
use satscope::service::gateway::{Gateway, LiveSettings, ProviderSettings};
use satscope::service::{self, Options, Running, TimeSource};

/// A service over fake providers, with a client.
struct Live {
    running: Running,
    client: Client,
}

impl Live {
    /// Uses these providers only, without gaps between requests.
    fn over(fakes: &[(ProviderName, &Fake)]) -> Live {
        Live::with_cache(fakes, None)
    }

    /// The same with a cache directory.
    fn with_cache(fakes: &[(ProviderName, &Fake)], cache: Option<&Path>) -> Live {
        let cache = cache.map(Path::to_owned);
        let mut settings = LiveSettings { start_gap: Duration::ZERO, cache, ..LiveSettings::default() };
        for name in ProviderName::ALL {
            let fake = fakes.iter().find(|(known, _)| *known == name).map(|(_, fake)| fake.url.clone());
            let provider = ProviderSettings {
                enabled: Some(fake.is_some()),
                base_url: fake,
                min_gap: Some(Duration::ZERO),
                ..ProviderSettings::default()
            };
            settings.providers.insert(name, provider);
        }
        Live::with(settings)
    }

    fn with(settings: LiveSettings) -> Live {
        let time = TimeSource::fixed(UtcTime::from_secs(world::NOW));
        let providers = Providers::live(&Gateway::new(settings, time.clone()));
        let options = Options { providers: Some(providers), time, ..Options::default() };
        let running = service::start(options).unwrap();
        let client = Client::new(ClientConfig { is_own_market: true, ..ClientConfig::at(&running.url()) }).unwrap();
        Live { running, client }
    }

    async fn get(&self, request: &Request) -> Result<Reply, Error> {
        self.client.get(request, None).await
    }

    /// The status, the provider's name and the body of a path of the service.
    async fn raw(&self, path: &str) -> (u16, String, serde_json::Value) {
        // Another test may have chosen the provider already; it is the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client.get(format!("{}{path}", self.running.url())).send().await.unwrap();
        let provider = response.headers().get(PROVIDER).map(|name| name.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        let body = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        (status, provider.unwrap_or_default(), body)
    }

    async fn coins(&self, tag: Tag, start: u32, limit: u32) -> (Page<Coin>, Reply) {
        let request = Request::Coins { tag, start, limit, convert: Currency::usd() };
        let reply = self.get(&request).await.unwrap();
        match reply.response.clone() {
            Some(ResponseData::Coins(page)) => (page, reply),
            other => panic!("{other:?}"),
        }
    }
}

/// A configuration file for the program, with these providers only.
fn configure(home: &Path, fakes: &[(&str, &Fake)]) {
    let mut text = String::new();
    for name in ProviderName::ALL {
        let fake = fakes.iter().find(|(known, _)| *known == name.as_str());
        text.push_str(&match fake {
            Some((_, fake)) => format!("[providers.{name}]\nbase_url = \"{}\"\nmin_gap_ms = 0\n", fake.url),
            None => format!("[providers.{name}]\nenabled = false\n"),
        });
    }
    let file = home.join(".config/satscope/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

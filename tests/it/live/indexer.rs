//! The indexer group over UniSat, Maestro, ord servers and servers with Hiro's API.

mod maestro;
mod ord;
mod unisat;
mod unisat_events;
mod unisat_pages;

use std::collections::BTreeMap;
use std::time::Duration;

use satscope::client::{ErrorKind, InscriptionRef, Request, ResponseData};
use satscope::model::ProviderName::{self, Hiro, Maestro, Mempool, Ord, Ordinals, Service, UniSat};
use satscope::model::{Activity, Amount, Balance, Brc20Token, Holder, Inscription, Page, SatNumber, Text, UtcTime};
use satscope::service::Providers;
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use satscope::service::operation::Operation;
use satscope::service::{self, Options, TimeSource};

use super::fake::{Fake, FakeResponse, html, json};
use super::indexer_fakes::{self as fakes, SAT, TIP, id, tx};
use super::{Live, world};

/// Settings for these providers only, with keys, and in this order for each operation that one of them serves.
pub(super) fn settings(providers: &[(ProviderName, &str, Option<&str>)]) -> LiveSettings {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let known = providers.iter().find(|(known, ..)| *known == name);
        let provider = ProviderSettings {
            enabled: Some(known.is_some()),
            base_url: known.map(|(_, url, _)| String::from(*url)),
            api_key: known.and_then(|(_, _, key)| *key).map(|key| satscope::client::config::Secret(key.to_owned())),
            min_gap: Some(Duration::ZERO),
            ..ProviderSettings::default()
        };
        settings.providers.insert(name, provider);
    }
    let order: Vec<ProviderName> = providers.iter().map(|(name, ..)| *name).collect();
    settings.order = Operation::ALL.into_iter().map(|operation| (operation, order.clone())).collect::<BTreeMap<_, _>>();
    settings
}

impl Live {
    /// Uses these providers in this order, without keys.
    pub(super) fn in_order(providers: &[(ProviderName, &Fake)]) -> Live {
        let providers: Vec<_> = providers.iter().map(|(name, fake)| (*name, fake.url.as_str(), None)).collect();
        Live::with(settings(&providers))
    }

    pub(super) async fn answer(&self, request: Request) -> ResponseData {
        self.get(&request).await.unwrap_or_else(|error| panic!("{request:?}: {error}")).response.unwrap()
    }

    async fn tokens(&self, prefix: Option<&str>, offset: u64, limit: u32) -> Page<Brc20Token> {
        match self.answer(Request::Brc20Tokens { ticker: prefix.map(Text::from), offset, limit }).await {
            ResponseData::Brc20Tokens(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn token(&self, ticker: &str) -> Brc20Token {
        match self.answer(Request::Brc20Token { ticker: ticker.into() }).await {
            ResponseData::Brc20Token(token) => *token,
            other => panic!("{other:?}"),
        }
    }

    async fn holders(&self, ticker: &str, offset: u64, limit: u32) -> Page<Holder> {
        match self.answer(Request::Brc20Holders { ticker: ticker.into(), offset, limit }).await {
            ResponseData::Holders(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn balances(&self, address: &str) -> Page<Balance> {
        match self.answer(Request::Brc20Balances { address: address.into(), offset: 0, limit: 20 }).await {
            ResponseData::Balances(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn activity(&self, ticker: &str, block_height: Option<u64>) -> Page<Activity> {
        let request = Request::Brc20Activity { ticker: Some(ticker.into()), block_height, offset: 0, limit: 20 };
        match self.answer(request).await {
            ResponseData::Activity(page) => page,
            other => panic!("{other:?}"),
        }
    }

    pub(super) async fn on_sat(&self, number: u64, offset: u64, limit: u32) -> Page<Inscription> {
        let number = SatNumber::new(number).unwrap();
        match self.answer(Request::SatInscriptions { number, offset, limit }).await {
            ResponseData::Inscriptions(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn inscription(&self, inscription: InscriptionRef) -> Inscription {
        match self.answer(Request::Inscription { inscription }).await {
            ResponseData::Inscription(found) => *found,
            other => panic!("{other:?}"),
        }
    }

    /// The message of an error with status 501.
    async fn not_served(&self, request: Request) -> String {
        match self.get(&request).await {
            Err(error) => match error.kind {
                ErrorKind::Explained { status: 501, message, .. } => message,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
}

fn amount(text: &str) -> Option<Amount> {
    Some(text.parse().unwrap())
}

#[tokio::test]
async fn live_responses_can_be_cached_until_the_next_block_and_compared() {
    let unisat = fakes::UniSat::default().start();
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(UniSat, &unisat), (Ordinals, &ordinals)]);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for path in ["/ordinals/brc-20/tokens/ordi".to_owned(), format!("/ordinals/sats/{SAT}/inscriptions")] {
        let url = format!("{}{path}", live.running.url());
        let first = client.get(&url).send().await.unwrap();
        assert_eq!(first.status(), 200, "{path}");
        let control = "public, max-age=10, s-maxage=10, stale-while-revalidate=10, stale-if-error=3600";
        assert_eq!(first.headers()["cache-control"], control, "{path}");
        let tag = &first.headers()["etag"];
        for control in ["max-age=60", "no-cache"] {
            let again = client.get(&url).header("if-none-match", tag).header("cache-control", control);
            let again = again.send().await.unwrap();
            assert_eq!((again.status(), &again.headers()["etag"]), (reqwest::StatusCode::NOT_MODIFIED, tag), "{path}");
            assert!(again.bytes().await.unwrap().is_empty());
        }
    }
}

#[tokio::test]
async fn html_page_of_cdn_is_an_error() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    unisat.respond_with(html(403));
    let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err().to_string();
    assert!(error.contains("access denied (403)"), "{error}");
}

/// A server with Hiro's API: our own with demo data, optionally marked as simulated.
pub(super) fn hiro(simulated: bool) -> service::Running {
    let time = TimeSource::fixed(UtcTime::from_secs(world::NOW));
    let providers = Providers { simulated, ..Providers::demo(7, time.clone()) };
    service::start(Options { providers: Some(providers), time, ..Options::default() }).unwrap()
}

#[tokio::test]
async fn requests_to_hiro_api_and_own_service_are_forwarded_unchanged() {
    let server = hiro(false);
    let direct = satscope::client::Client::new(satscope::client::ClientConfig::at(&server.url())).unwrap();
    let root = server.url();
    for (name, url) in [(Hiro, root.clone()), (Hiro, format!("{root}/ordinals")), (Service, root.clone())] {
        if name == Service && url != root {
            continue;
        }
        let live = Live::with(settings(&[(name, &url, None)]));
        let tokens = live.tokens(None, 0, 60).await;
        let ticker = tokens.items[0].ticker.clone();
        let holder = live.holders(&ticker, 0, 1).await.items[0].address.clone().unwrap();
        let activity = live.activity(&ticker, None).await;
        let block_height = activity.items[0].block_height;
        let number = SatNumber::new(1_111_111_111_111_111).unwrap();
        let list = live.answer(Request::Inscriptions { address: None, offset: 0, limit: 20 }).await;
        let ResponseData::Inscriptions(list) = list else { panic!("{list:?}") };
        let requests = [
            Request::Brc20Tokens { ticker: None, offset: 20, limit: 20 },
            Request::Brc20Tokens { ticker: Some("or".into()), offset: 0, limit: 20 },
            Request::Brc20Token { ticker: ticker.clone() },
            Request::Brc20Holders { ticker: ticker.clone(), offset: 0, limit: 60 },
            Request::Brc20Balances { address: holder, offset: 0, limit: 20 },
            Request::Brc20Activity { ticker: Some(ticker.clone()), block_height, offset: 0, limit: 20 },
            Request::Sat { number },
            Request::SatInscriptions { number, offset: 0, limit: 20 },
            Request::Inscription { inscription: InscriptionRef::Id(list.items[0].id.clone()) },
            Request::Inscription { inscription: InscriptionRef::Number(list.items[1].number.unwrap()) },
            Request::InscriptionStats { from_block: None, to_block: None },
        ];
        for request in requests {
            let own = direct.get(&request, None).await.unwrap();
            let passed = live.get(&request).await.unwrap_or_else(|error| panic!("{request:?}: {error}"));
            assert_eq!(passed.response, own.response, "{name} {request:?}");
            assert_eq!((passed.provider.as_deref(), passed.simulated), (Some(name.as_str()), false));
        }
    }
}

#[tokio::test]
async fn simulated_data_is_rejected() {
    let server = hiro(true);
    for name in [Hiro, Service] {
        let live = Live::with(settings(&[(name, &server.url(), None)]));
        let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err().to_string();
        assert!(error.contains("this service serves simulated data"), "{error}");
    }
}

#[tokio::test]
async fn gone_server_gets_one_request() {
    let gone = Fake::start(|_| json(410, r#"{"error":"Gone","message":"The Ordinals API is deprecated"}"#));
    let live = Live::in_order(&[(Hiro, &gone)]);
    for ticker in ["ordi", "sats"] {
        let error = live.get(&Request::Brc20Token { ticker: ticker.into() }).await.unwrap_err().to_string();
        let expected =
            "Hiro-compatible indexer: service no longer exists at this address (410): set providers.hiro.base_url";
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(gone.requests().len(), 1);
}

//! The client against real servers on loopback: requests on the wire, and the handling of responses.

mod contradictions;
mod faults;
mod list_ends;
mod lists;
mod requests;
mod responses;
pub(crate) mod server;
mod symbols;
mod times;

use std::io::Write as _;

use satscope::client::{Client, ClientConfig, Error, ErrorKind, Limits, Reply, Request};
use satscope::model::SatNumber;
use server::Server;

const SAT: &str = r#"{"coinbase_height":0,"cycle":0,"epoch":0,"period":0,"offset":7,"decimal":"0.7",
    "degree":"0°0′0″7‴","name":"nvtdijuwxli","percentile":"0.0000000000003333333337%","rarity":"common"}"#;

fn limited(url: &str, change: impl FnOnce(&mut Limits)) -> Client {
    let mut config = ClientConfig::at(url);
    change(&mut config.limits);
    Client::new(config).unwrap()
}

fn client(url: &str) -> Client {
    limited(url, |_| {})
}

fn sat() -> Request {
    Request::Sat { number: SatNumber::new(7).unwrap() }
}

async fn get(server: &Server) -> Result<Reply, Error> {
    client(&server.url).get(&sat(), None).await
}

async fn fails(server: &Server) -> ErrorKind {
    get(server).await.unwrap_err().kind
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

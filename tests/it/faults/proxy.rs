//! Proxies: a failure on the way is not blamed on the service, and what the proxy brings is read as ever.

use std::net::TcpListener;

use super::world;
use crate::cli::server::{Server, Shell};

/// A service that only a proxy could reach.
const SERVICES: [&str; 2] = ["http://coins.invalid", "https://coins.invalid:8443"];

fn shell(service: &str, variable: &'static str, proxy: &str) -> Shell {
    let shell = Shell::new().with("SATSCOPE_BASE_URL", service).with("SATSCOPE_INDEXER_URL", service);
    shell.with(variable, proxy)
}

/// An address at which nobody listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

#[test]
fn a_proxy_that_is_not_there_is_named_in_place_of_the_service() {
    for service in SERVICES {
        for (variable, scheme) in [("ALL_PROXY", "http://"), ("all_proxy", ""), ("https_proxy", "http://user:pass@")] {
            if variable == "https_proxy" && service.starts_with("http:") {
                continue;
            }
            let address = nobody();
            let run = shell(service, variable, &format!("{scheme}{address}")).run("brc20 tokens");
            let says = format!(
                "brc20 tokens 1–20 from {service}: the proxy http://{address} does not answer (connection refused); check \
                 HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY"
            );
            run.fails(1, &says);
            assert!(!run.stderr.contains("pass"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_proxy_without_an_address_is_named() {
    for service in SERVICES {
        let run = shell(service, "ALL_PROXY", "http://proxy.invalid:3128").run("coins --limit 1");
        run.fails(1, "the proxy http://proxy.invalid:3128 cannot be found: its name has no address");
    }
}

#[test]
fn a_proxy_that_refuses_is_named() {
    for (status, tunnel, plain) in [
        (
            407,
            "gives no connection (tunnel error: proxy authorization required)",
            Some("asks for a name and a password (407)"),
        ),
        // Of a plain request nobody can tell whether the proxy or the service answered.
        (403, "gives no connection (tunnel error: unsuccessful)", None),
    ] {
        let proxy = Server::start(move |_| (status, String::from("{}")));
        let by = |says: &str| format!("the proxy {} {says}; check HTTP_PROXY", proxy.url);
        shell("https://coins.invalid", "HTTPS_PROXY", &proxy.url).run("coins").fails(1, &by(tunnel));
        let run = shell("http://coins.invalid", "HTTP_PROXY", &proxy.url).run("coins");
        run.fails(1, &plain.map_or(String::from("the service answered 403"), by));
    }
}

#[test]
fn a_proxy_that_is_silent_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}", listener.local_addr().unwrap());
    for service in SERVICES {
        let run = shell(service, "ALL_PROXY", &place).run("coins --timeout 0.2");
        run.fails(1, &format!("the proxy {place} brought no answer within 0.2 s"));
    }
}

#[test]
fn what_a_proxy_brings_is_read_and_services_here_need_none() {
    let proxy = Server::start(|target| (200, world::body(target.trim_start_matches("http://coins.invalid"), 1)));
    shell("http://coins.invalid", "HTTP_PROXY", &proxy.url).run("brc20 tokens").ok();
    assert_eq!(proxy.targets().len(), 1);
    assert!(proxy.targets()[0].starts_with("http://coins.invalid/ordinals/brc-20/tokens"), "{:?}", proxy.targets());

    let service = Server::start(|target| (200, world::body(target, 1)));
    Shell::on(&service).with("ALL_PROXY", &format!("http://{}", nobody())).run("brc20 tokens").ok();
    let except = shell("http://coins.invalid", "ALL_PROXY", &nobody()).with("NO_PROXY", "coins.invalid");
    except.run("coins").fails(1, "the host name cannot be resolved");
}

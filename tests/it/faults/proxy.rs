//! Proxies: a failure of the proxy is not reported as a failure of the service, and responses through a proxy are read
//! as usual.

use std::net::TcpListener;

use super::responses;
use crate::cli::server::{Server, Shell};

/// A service that is reachable only through a proxy.
const SERVICES: [&str; 2] = ["http://coins.invalid", "https://coins.invalid:8443"];

fn shell(service: &str, variable: &'static str, proxy: &str) -> Shell {
    let shell = Shell::new().with("SATSCOPE_BASE_URL", service).with("SATSCOPE_INDEXER_URL", service);
    shell.with(variable, proxy)
}

/// An address without a listener.
fn unused_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

#[test]
fn unreachable_proxy_is_named_in_error() {
    for service in SERVICES {
        for (variable, scheme) in [("ALL_PROXY", "http://"), ("all_proxy", ""), ("https_proxy", "http://user:pass@")] {
            if variable == "https_proxy" && service.starts_with("http:") {
                continue;
            }
            let address = unused_address();
            let run = shell(service, variable, &format!("{scheme}{address}")).run("brc20 tokens");
            let host = service.split_once("://").unwrap().1;
            let says = format!(
                "BRC-20 tokens 1–20 from {host}: Proxy http://{address}: connection refused; check HTTP_PROXY, \
                 HTTPS_PROXY, ALL_PROXY and NO_PROXY"
            );
            run.fails(1, &says);
            assert!(!run.stderr.contains("pass"), "{}", run.stderr);
        }
    }
}

#[test]
fn unresolved_proxy_is_named_in_error() {
    for service in SERVICES {
        let run = shell(service, "ALL_PROXY", "http://proxy.invalid:3128").run("coins --limit 1");
        run.fails(1, "Proxy http://proxy.invalid:3128: can't resolve host");
    }
}

#[test]
fn rejecting_proxy_is_named_in_error() {
    let proxy = Server::start(|_| (407, String::from("{}")));
    let says = format!("Proxy {}: authentication required (407); check HTTP_PROXY", proxy.url);
    for (service, variable) in [("https://coins.invalid", "HTTPS_PROXY"), ("http://coins.invalid", "HTTP_PROXY")] {
        shell(service, variable, &proxy.url).run("coins").fails(1, &says);
    }
    // For a plain HTTP request, it is unknown whether the proxy or the service responded.
    let proxy = Server::start(|_| (403, String::from("{}")));
    shell("http://coins.invalid", "HTTP_PROXY", &proxy.url).run("coins").fails(1, "Access denied (403)");
}

#[test]
fn silent_proxy_is_named_in_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}", listener.local_addr().unwrap());
    for service in SERVICES {
        let run = shell(service, "ALL_PROXY", &place).run("coins --timeout 0.2");
        run.fails(1, &format!("Proxy {place}: no response within 0.2 s"));
    }
}

#[test]
fn proxy_responses_are_read_and_loopback_bypasses_proxy() {
    let proxy = Server::start(|target| (200, responses::body(target.trim_start_matches("http://coins.invalid"), 1)));
    shell("http://coins.invalid", "HTTP_PROXY", &proxy.url).run("brc20 tokens").ok();
    assert_eq!(proxy.targets().len(), 1);
    assert!(proxy.targets()[0].starts_with("http://coins.invalid/ordinals/brc-20/tokens"), "{:?}", proxy.targets());

    let service = Server::start(|target| (200, responses::body(target, 1)));
    Shell::on(&service).with("ALL_PROXY", &format!("http://{}", unused_address())).run("brc20 tokens").ok();
    let except = shell("http://coins.invalid", "ALL_PROXY", &unused_address()).with("NO_PROXY", "coins.invalid");
    except.run("coins").fails(1, "Can't resolve coins.invalid");
}

/// A direct connection would expose traffic that was meant for the proxy.
#[test]
fn malformed_proxy_is_an_error_and_never_bypassed() {
    let malformed = [
        "http://",
        "http:/127.0.0.1",
        "http://127.0.0.1:99999",
        "ftp://127.0.0.1",
        "http://pass word@host",
        "socks6://127.0.0.1:1080",
    ];
    for service in SERVICES {
        for value in malformed {
            for variable in ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "http_proxy"] {
                if variable.starts_with("HTTPS") != service.starts_with("https")
                    && !variable.to_lowercase().starts_with("all")
                {
                    continue;
                }
                let run = shell(service, variable, value).run("coins");
                run.fails(1, &format!("Invalid proxy in {variable} ("));
                assert!(!run.stderr.contains("pass word"), "{}", run.stderr);
            }
        }
        // The variable is for other services, or disabled.
        let other = if service.starts_with("https") { "HTTP_PROXY" } else { "HTTPS_PROXY" };
        shell(service, other, "http://").run("coins").fails(1, "Can't resolve coins.invalid");
        let except = shell(service, "ALL_PROXY", "http://").with("NO_PROXY", "coins.invalid");
        except.run("coins").fails(1, "Can't resolve coins.invalid");
        shell(service, "ALL_PROXY", "").run("coins").fails(1, "Can't resolve coins.invalid");
    }
    let service = Server::start(|target| (200, responses::body(target, 1)));
    Shell::on(&service).with("ALL_PROXY", "http://").run("brc20 tokens").ok();
}

#[test]
fn rejected_proxy_tunnel_may_mean_service_is_down() {
    for status in [403, 502, 503, 504] {
        let proxy = Server::start(move |_| (status, String::from("{}")));
        let says = format!("Coin list 1–200: Can't reach coins.invalid through the proxy {}", proxy.url);
        shell("https://coins.invalid", "HTTPS_PROXY", &proxy.url).run("coins").fails(1, &says);
    }
}

//! SOCKS proxies such as Tor: the proxy resolves the service's name and connects to it.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::responses;
use crate::cli::server::{Server, Shell};

/// The reply code for success.
const SUCCEEDED: u8 = 0;

/// The reply code for an unreachable host.
const HOST_UNREACHABLE: u8 = 4;

/// A SOCKS5 proxy (RFC 1928) that forwards every connection to one address, or refuses it.
struct Socks {
    address: String,
    /// The hosts and ports requested by clients.
    targets: Receiver<String>,
}

fn socks(target: String, reply: u8) -> Socks {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (send, targets) = channel();
    thread::spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            let (send, target) = (send.clone(), target.clone());
            thread::spawn(move || serve(client, &target, reply, |targets| drop(send.send(targets))));
        }
    });
    Socks { address, targets }
}

fn read(client: &mut TcpStream, count: u8) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::from(count)];
    client.read_exact(&mut bytes).map(|()| bytes)
}

fn serve(mut client: TcpStream, target: &str, reply: u8, targets: impl Fn(String)) -> io::Result<()> {
    let methods = read(&mut client, 2)?[1];
    read(&mut client, methods)?;
    client.write_all(&[5, 0])?;
    let request = read(&mut client, 4)?;
    assert_eq!(request[..2], [5, 1], "version 5, connect");
    let host = match request[3] {
        3 => {
            let length = read(&mut client, 1)?[0];
            String::from_utf8(read(&mut client, length)?).unwrap()
        }
        kind => format!("address of kind {kind}"),
    };
    let port = read(&mut client, 2)?;
    targets(format!("{host}:{}", u16::from_be_bytes([port[0], port[1]])));
    client.write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0])?;
    if reply != SUCCEEDED {
        return Ok(());
    }
    let service = TcpStream::connect(target)?;
    let (mut from, mut to) = (service.try_clone()?, client.try_clone()?);
    thread::spawn(move || io::copy(&mut from, &mut to));
    io::copy(&mut client, &mut &service).map(drop)
}

fn shell(proxy: &str) -> Shell {
    let service = "http://coins.invalid";
    let shell = Shell::new().with("SATSCOPE_BASE_URL", service).with("SATSCOPE_INDEXER_URL", service);
    shell.with("ALL_PROXY", proxy)
}

#[test]
fn socks_proxy_resolves_the_host() {
    let service = Server::start(|target| (200, responses::body(target, 1)));
    let proxy = socks(service.url.trim_start_matches("http://").to_owned(), SUCCEEDED);
    shell(&format!("socks5h://{}", proxy.address)).run("brc20 tokens").ok();
    assert_eq!(proxy.targets.recv().unwrap(), "coins.invalid:80");
    assert!(service.targets()[0].starts_with("/ordinals/brc-20/tokens"), "{:?}", service.targets());
}

#[test]
fn failing_socks_proxy_is_named_in_error() {
    let proxy = socks(String::new(), HOST_UNREACHABLE);
    let url = format!("socks5h://{}", proxy.address);
    shell(&url).run("coins").fails(1, &format!("Proxy {url}: can't connect (SOCKS error: host unreachable)"));
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("socks5h://{unused}");
    shell(&url).run("coins").fails(1, &format!("Proxy {url}: can't connect; check HTTP_PROXY"));
}

#[test]
fn socks_proxy_that_needs_a_password_is_named_in_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("socks5h://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        while let Ok((mut client, _)) = listener.accept() {
            // It accepts none of the offered methods.
            let _ = read(&mut client, 3).and_then(|_| client.write_all(&[5, 0xff]));
        }
    });
    shell(&url).run("coins").fails(1, &format!("Proxy {url}: authentication required or not supported; check"));
}

#[test]
fn service_that_is_not_found_for_a_socks_proxy_is_not_mistaken_for_the_proxy() {
    let proxy = socks(String::new(), SUCCEEDED);
    for (scheme, alternative) in [("socks4", "socks4a"), ("socks5", "socks5h")] {
        let url = format!("{scheme}://{}", proxy.address);
        let says = format!("Proxy {url}: can't resolve the service locally (use {alternative}://)");
        shell(&url).run("coins").fails(1, &says);
    }
}

//! A TLS server with a self-signed certificate, created for every test.

use std::sync::Arc;

use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A TLS server; its URL and its task.
pub(crate) async fn self_signed() -> (String, JoinHandle<()>) {
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    let certificate = certificate(&Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivatePkcs8KeyDer::from(pkcs8.as_ref().to_vec()).into())
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = acceptor.accept(stream).await;
        }
    });
    (url, task)
}

const SEQUENCE: u8 = 0x30;
const ED25519: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70];

/// An X.509 certificate for 127.0.0.1, signed by its own key (RFC 5280, RFC 8410).
fn certificate(key: &Ed25519KeyPair) -> CertificateDer<'static> {
    let algorithm = der(SEQUENCE, &[&ED25519]);
    let common_name = der(SEQUENCE, &[&[0x06, 0x03, 0x55, 0x04, 0x03], &der(0x0c, &[b"localhost"])]);
    let name = der(SEQUENCE, &[&der(0x31, &[&common_name])]);
    let validity = der(SEQUENCE, &[&der(0x17, &[b"200101000000Z"]), &der(0x17, &[b"491231235959Z"])]);
    let public = der(SEQUENCE, &[&algorithm, &der(0x03, &[&[0], key.public_key().as_ref()])]);
    let address = der(SEQUENCE, &[&der(0x87, &[&[127, 0, 0, 1]])]);
    let alternative = der(SEQUENCE, &[&[0x06, 0x03, 0x55, 0x1d, 0x11], &der(0x04, &[&address])]);
    let extensions = der(0xa3, &[&der(SEQUENCE, &[&alternative])]);
    let version = der(0xa0, &[&[0x02, 0x01, 0x02]]);
    let serial: &[u8] = &[0x02, 0x01, 0x01];
    let body = der(SEQUENCE, &[&version, serial, &algorithm, &name, &validity, &name, &public, &extensions]);
    let signature = der(0x03, &[&[0], key.sign(&body).as_ref()]);
    CertificateDer::from(der(SEQUENCE, &[&body, &algorithm, &signature]))
}

/// A value of ASN.1 in its distinguished encoding: tag, length, contents.
fn der(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    let mut value = vec![tag];
    match contents.len() {
        length @ 0..0x80 => value.push(length as u8),
        length @ 0x80..0x100 => value.extend([0x81, length as u8]),
        length => value.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    value.extend(contents);
    value
}

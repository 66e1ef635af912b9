//! The real program in a terminal: typing works while a service never finishes a response.

use std::sync::mpsc::{Receiver, channel};

use crate::client::server::{Server, Step};
use crate::support::session::{Session, TEST_TIMEOUT};

/// Behaviour of a server for every request.
type Script = fn() -> Vec<Step>;

/// A server with this behaviour, on its own thread until the test process ends: its URL, and a message for every
/// request.
fn serve(script: Script) -> (String, Receiver<()>) {
    let (send, url) = channel();
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = move |_: &str, _| {
                let _ = sender.send(());
                script()
            };
            let server = Server::start(response).await;
            send.send(server.url.clone()).unwrap();
            std::future::pending::<()>().await;
        });
    });
    (url.recv().unwrap(), requests)
}

#[test]
fn typing_works_while_service_hangs() {
    let faults: [(&str, Script); 4] = [
        ("no first byte", || vec![Step::Hang]),
        ("slow headers", || vec![Step::Send(b"HTTP/1.1 200 OK\r\nX: ".to_vec()), Step::Drip(b"x".to_vec())]),
        ("a slow body", || {
            vec![Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n[".to_vec()), Step::Drip(b" ".to_vec())]
        }),
        ("an endless body", || {
            let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            vec![Step::Send(head.to_vec()), Step::Repeat(format!("1000\r\n{}\r\n", "[".repeat(0x1000)).into_bytes())]
        }),
    ];
    for (fault, script) in faults {
        let (url, requests) = serve(script);
        let mut session = Session::dashboard((80, 24), &["--base-url", &url, "--indexer-url", &url]);
        requests.recv_timeout(TEST_TIMEOUT).expect("a request");
        session.press("?");
        session.until(fault, |screen| screen.contents().contains("search this list"));
        session.press("\x1b");
        session.until(fault, |screen| !screen.contents().contains("search this list"));
        session.press("/typed");
        session.until_text("typed");
        session.press("\x1b");
        session.until(fault, |screen| !screen.contents().contains("typed"));
        session.press("5");
        session.until_text("Tokens");
        session.press("q");
        assert_eq!(session.wait().0, 0, "{fault}");
    }
}

//! Other programs that tests use, if they are installed.

use std::net::{SocketAddr, TcpListener as StdListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::server::TEST_TIMEOUT;

/// A program that ends with the test.
pub(crate) struct Program(Child);

impl Program {
    /// Stops the program, as if it hung.
    pub(crate) fn suspend(&self) {
        self.signal(rustix::process::Signal::STOP);
    }

    /// Lets a suspended program continue.
    pub(crate) fn resume(&self) {
        self.signal(rustix::process::Signal::CONT);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(process, signal).unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Killed, nginx would leave its workers behind.
        let process = rustix::process::Pid::from_child(&self.0);
        for signal in [rustix::process::Signal::TERM, rustix::process::Signal::CONT] {
            let _ = rustix::process::kill_process(process, signal);
        }
        let deadline = Instant::now() + Duration::from_secs(5);
        while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::yield_now();
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address where nothing listens.
pub(crate) fn free_address() -> SocketAddr {
    StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Starts a program that will listen on an address; `None` if it is not installed.
#[expect(clippy::print_stderr, reason = "says that a test is skipped")]
pub(crate) async fn run(mut command: Command, address: SocketAddr) -> Option<Program> {
    let Ok(child) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        eprintln!("skipped: {} is not installed", command.get_program().display());
        return None;
    };
    let program = Program(child);
    let listening = async {
        while TcpStream::connect(address).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(TEST_TIMEOUT, listening).await.expect("the program listens");
    Some(program)
}

/// A Redis server and its URL; `None` if it is not installed.
pub(crate) async fn redis() -> Option<(Program, String)> {
    let address = free_address();
    let mut command = Command::new("redis-server");
    command.args(["--port", &address.port().to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    Some((run(command, address).await?, format!("redis://{address}")))
}

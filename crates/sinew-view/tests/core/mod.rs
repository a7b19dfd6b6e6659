//! Tests of document, state and session: nothing here draws.

mod clock;

use sinew_view::{Command, Session};

/// A session that has shown its first frame, paused.
fn paused() -> Session {
    let mut session = Session::default();
    session.run(&Command::Pause);
    session.advance(0.0);
    session
}

/// What the state must always be.
#[track_caller]
fn check(session: &Session) {
    if let Err(problem) = session.state().check(session.document()) {
        panic!("{problem}");
    }
}

/// Waits for what is done on the side; fails when that takes too long.
#[track_caller]
fn settle(session: &mut Session) {
    for _ in 0..6000 {
        session.advance(0.0);
        if !session.is_busy() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("still busy after a minute");
}

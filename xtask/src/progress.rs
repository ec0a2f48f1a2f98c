//! What a long chore does at present, and for how long.

use core::time::Duration;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;

/// Time between two signs of life.
const PATIENCE: Duration = Duration::from_secs(20);

/// Does a part of a chore; says what before it, that it goes on from time to time, and how long it took.
pub(crate) fn told<T>(what: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    println!("{what} …");
    let began = Instant::now();
    let (done, waits) = channel::<()>();
    let result = thread::scope(|scope| {
        scope.spawn(move || {
            while waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("{what}: since {} s", began.elapsed().as_secs());
            }
        });
        let result = work();
        drop(done);
        result
    });
    println!("{what}: {:.1} s", began.elapsed().as_secs_f32());
    result
}

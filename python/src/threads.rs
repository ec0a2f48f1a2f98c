//! Pools of threads, each made once for a process and a number of threads: a forked child has none of its parent's threads, and
//! would wait for them for ever.

use std::collections::BTreeMap;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pools by process and number of threads. A parent's pool stays here in its child: nothing waits for it.
static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// Environment variable with the number of threads.
const VARIABLE: &str = "JOUNCE_THREADS";

/// Number of threads: the caller's, otherwise that of the environment, otherwise as many as this process may use.
pub(crate) fn count(asked: Option<usize>) -> PyResult<usize> {
    let all = || thread::available_parallelism().map_or(1, usize::from);
    let count = match (asked, std::env::var(VARIABLE)) {
        (Some(count), _) => count,
        (None, Ok(text)) => text.parse().map_err(|_| {
            PyValueError::new_err(format!(
                "{VARIABLE} = {text:?}: must be a whole number >= 1"
            ))
        })?,
        (None, Err(_)) => all(),
    };
    if count == 0 {
        return Err(PyValueError::new_err("threads = 0: must be >= 1"));
    }
    Ok(count)
}

/// Runs `work` in this process's pool of so many threads.
pub(crate) fn run<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    Ok(pool(threads)?.install(work))
}

fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(pool);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}

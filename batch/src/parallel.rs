//! Work on several threads.

/// Runs `work` for every job: on the threads of the current pool with feature `rayon`, otherwise in turn. One job alone stays on its
/// thread.
pub(crate) fn each<T: Send>(jobs: Vec<T>, work: impl Fn(T) + Sync + Send) {
    #[cfg(feature = "rayon")]
    if jobs.len() > 1 {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        return jobs.into_par_iter().for_each(work);
    }
    jobs.into_iter().for_each(work);
}

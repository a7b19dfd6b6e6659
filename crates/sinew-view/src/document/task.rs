//! Background work: on a thread, or some steps per frame on targets without threads.

use sinew::steps::step;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
pub(crate) use worker::Movable;

/// Progress and cancellation of a task.
#[derive(Debug, Default)]
pub struct Progress {
    is_cancelled: AtomicBool,
    stage: Mutex<Stage>,
}

/// Current step of a task.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Stage {
    /// Name of the step, such as "reading".
    pub name: &'static str,
    /// Completed fraction of the step, in [0, 1]. `None` if unknown.
    pub fraction: Option<f32>,
}

impl Progress {
    /// Sets the current step.
    pub fn set(&self, name: &'static str, fraction: Option<f32>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Stage { name, fraction };
    }

    /// Current step.
    pub fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the result is no longer needed.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
pub(crate) enum Outcome<T> {
    Working,
    Done(T),
    /// The work panicked, or its thread could not start.
    #[cfg_attr(target_family = "wasm", expect(dead_code))]
    Lost,
}

/// Running task. Dropping the task cancels it after its current step.
#[derive(Debug)]
pub(crate) struct Task<T> {
    progress: Arc<Progress>,
    worker: worker::Worker<T>,
    partial: Partial<T>,
}

/// Result of a part of the work, until it is taken.
#[derive(Debug)]
pub(crate) struct Partial<T>(Arc<Mutex<Option<T>>>);

impl<T> Partial<T> {
    /// Replaces the partial result.
    pub fn set(&self, partial: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(partial);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T: Movable + 'static> Task<T> {
    /// Starts a task. It calls `steps` until `steps` returns a result.
    pub fn start(mut steps: impl FnMut(&Progress) -> Option<T> + Movable + 'static) -> Self {
        Self::showing(move |progress, _| steps(progress))
    }

    /// Starts a task that may set partial results.
    pub fn showing(
        mut steps: impl FnMut(&Progress, &Partial<T>) -> Option<T> + Movable + 'static,
    ) -> Self {
        let progress = Arc::new(Progress::default());
        let kept = Arc::default();
        let partial = Partial(Arc::clone(&kept));
        let worker = worker::Worker::start(progress.clone(), move |p| steps(p, &partial));
        Self {
            progress,
            worker,
            partial: Partial(kept),
        }
    }

    /// Starts a task that runs work in [steps](sinew::steps).
    pub fn work<F>(work: impl FnOnce(Arc<Progress>) -> F) -> Self
    where
        F: Future<Output = T> + Movable + 'static,
    {
        let progress = Arc::new(Progress::default());
        let mut work = Box::pin(work(progress.clone()));
        let worker = worker::Worker::start(progress.clone(), move |_| step(work.as_mut()));
        Self {
            progress,
            worker,
            partial: Partial(Arc::default()),
        }
    }

    /// State of the task. Does not wait. Without threads, it runs steps until they have taken [`worker::FRAME_SHARE`].
    pub fn poll(&mut self) -> Outcome<T> {
        self.worker.poll(&self.progress)
    }

    /// Current step.
    pub fn stage(&self) -> Stage {
        self.progress.stage()
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.progress.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// State of a result that is computed in the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Work<'a, T> {
    /// Not requested, or waiting to start.
    Waiting,
    /// In progress.
    Working(Stage),
    /// Result.
    Done(&'a T),
    /// Reason of a failure.
    Refused(&'a str),
}

/// Results that are computed in the background, one at a time, and kept while they are needed.
#[derive(Debug)]
pub(crate) struct Results<K, T> {
    under_way: Option<(K, Task<Result<T, String>>)>,
    /// Last partial result of the work under way.
    partial: Option<T>,
    done: Vec<(K, Result<T, String>)>,
}

impl<K, T> Default for Results<K, T> {
    fn default() -> Self {
        Self {
            under_way: None,
            partial: None,
            done: Vec::new(),
        }
    }
}

const MAX_KEPT: usize = 32;

impl<K: Copy + PartialEq, T: Movable + 'static> Results<K, T> {
    /// Stores results, cancels unneeded work, and starts new work. True if there is a new result.
    pub fn want(
        &mut self,
        wanted: &[K],
        mut start: impl FnMut(K) -> Option<Task<Result<T, String>>>,
    ) -> bool {
        let is_wanted = |(key, _): &(K, _)| wanted.contains(key);
        self.under_way = self.under_way.take().filter(is_wanted);
        let mut is_new = false;
        if let Some((key, mut task)) = self.under_way.take() {
            match task.poll() {
                Outcome::Working => {
                    let partial = task.partial.take().and_then(Result::ok);
                    self.partial = partial.or(self.partial.take());
                    self.under_way = Some((key, task));
                }
                Outcome::Done(result) => self.done.push((key, result)),
                Outcome::Lost => {
                    let why = "it failed because of a bug in this program";
                    self.done.push((key, Err(why.to_owned())));
                }
            }
            is_new = self.under_way.is_none();
        }
        let excess = self.done.len().saturating_sub(MAX_KEPT);
        self.done.drain(..excess);
        if self.under_way.is_none() {
            self.partial = None;
            let is_missing = |key: &&K| self.done.iter().all(|(known, _)| known != *key);
            let next = wanted.iter().find(is_missing).copied();
            self.under_way = next.and_then(|key| Some((key, start(key)?)));
        }
        is_new
    }

    /// Drops the results for which `is_kept` is false.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        self.done.retain(|(key, _)| is_kept(key));
    }

    pub fn is_busy(&self) -> bool {
        self.under_way.is_some()
    }

    /// Partial result of work under way.
    pub fn so_far(&self, wanted: K) -> Option<&T> {
        let (key, _) = self.under_way.as_ref()?;
        self.partial.as_ref().filter(|_| *key == wanted)
    }

    pub fn get(&self, wanted: K) -> Work<'_, T> {
        let done = self.done.iter().find(|(key, _)| *key == wanted);
        match (done, &self.under_way) {
            (Some((_, Ok(result))), _) => Work::Done(result),
            (Some((_, Err(why))), _) => Work::Refused(why),
            (None, Some((key, task))) if *key == wanted => Work::Working(task.stage()),
            (None, _) => Work::Waiting,
        }
    }
}

#[cfg(not(target_family = "wasm"))]
mod worker {
    use super::{Outcome, Progress};
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, TryRecvError, channel};

    /// Can be moved to the thread of a task.
    pub(crate) trait Movable: Send {}
    impl<T: Send> Movable for T {}

    #[derive(Debug)]
    pub struct Worker<T> {
        result: Receiver<T>,
    }

    impl<T: Send + 'static> Worker<T> {
        pub fn start(
            progress: Arc<Progress>,
            mut steps: impl FnMut(&Progress) -> Option<T> + Send + 'static,
        ) -> Self {
            let (sender, result) = channel();
            let work = move || {
                while !progress.is_cancelled() {
                    if let Some(done) = steps(&progress) {
                        // The receiver may be gone.
                        let _ = sender.send(done);
                        return;
                    }
                }
            };
            // If the thread cannot start, the channel closes, and `poll` returns `Lost`.
            let _ = std::thread::Builder::new().spawn(work);
            Self { result }
        }

        pub fn poll(&mut self, _progress: &Progress) -> Outcome<T> {
            match self.result.try_recv() {
                Ok(done) => Outcome::Done(done),
                Err(TryRecvError::Empty) => Outcome::Working,
                Err(TryRecvError::Disconnected) => Outcome::Lost,
            }
        }
    }
}

#[cfg(target_family = "wasm")]
mod worker {
    use super::{Outcome, Progress};
    use std::fmt;
    use std::sync::Arc;
    use std::time::Duration;
    use web_time::Instant;

    /// Time in a frame after which no further step of a task begins.
    pub const FRAME_SHARE: Duration = Duration::from_millis(40);

    /// Anything: there is one thread.
    pub(crate) trait Movable {}
    impl<T> Movable for T {}

    pub struct Worker<T> {
        steps: Box<dyn FnMut(&Progress) -> Option<T>>,
    }

    impl<T> fmt::Debug for Worker<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Worker")
        }
    }

    impl<T> Worker<T> {
        pub fn start(
            _progress: Arc<Progress>,
            steps: impl FnMut(&Progress) -> Option<T> + 'static,
        ) -> Self {
            let steps = Box::new(steps);
            Self { steps }
        }

        pub fn poll(&mut self, progress: &Progress) -> Outcome<T> {
            let begun = Instant::now();
            loop {
                if let Some(done) = (self.steps)(progress) {
                    return Outcome::Done(done);
                }
                if begun.elapsed() >= FRAME_SHARE {
                    return Outcome::Working;
                }
            }
        }
    }
}

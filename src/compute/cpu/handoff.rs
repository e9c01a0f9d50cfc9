//! Running a frame's work on a thread of the pool. From there, parallel passes start without delay; a thread outside
//! the pool would wait in each pass until a worker wakes up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use super::Cpu;

/// Whether the pool runs a frame's work.
#[derive(Default)]
pub(super) struct Handoff(AtomicBool);

/// Marks the pool as free again when dropped.
struct Release<'a>(&'a AtomicBool);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Cpu {
    /// Runs `work` on a thread of the pool and blocks until it is done. Each call of its callback causes one call of
    /// `go_on` on the caller's thread, and returns the result of the previous call, so that `work` does not wait.
    /// Panics of `work` and of `go_on` reach the caller.
    ///
    /// If the pool runs another frame's work, or has no threads, `work` runs on the caller's thread: a pool thread that
    /// waits for a part of its work could otherwise start the whole work of the other frame, and be delayed by it.
    pub fn run_on_pool<R: Send>(
        &self,
        go_on: &mut dyn FnMut() -> bool,
        work: impl FnOnce(&mut dyn FnMut() -> bool) -> R + Send,
    ) -> R {
        let Some(pool) = self.pool.inner().filter(|_| !self.handoff.0.swap(true, Ordering::Acquire)) else {
            return work(go_on);
        };
        let _release = Release(&self.handoff.0);
        let (ask, asked) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        let (done, made) = mpsc::channel();
        pool.in_place_scope(move |scope| {
            scope.spawn(move |_| {
                let mut asked = false;
                let mut go_on = || {
                    let goes_on = !asked || answered.recv().unwrap_or(false);
                    asked = ask.send(()).is_ok();
                    goes_on && asked
                };
                // The receiver waits until the scope ends.
                drop(done.send(work(&mut go_on)));
            });
            // When `work` ends, the sender is dropped, which ends this loop.
            for () in asked {
                if answer.send(go_on()).is_err() {
                    break;
                }
            }
        });
        made.recv().unwrap_or_else(|_| unreachable!("work without a result panicked, and so did the scope"))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;

    #[test]
    fn questions_are_answered_on_the_callers_thread_and_work_is_done_on_another() {
        for threads in [1, 2, 5] {
            let (cpu, caller) = (Cpu::new(threads), thread::current().id());
            let mut left = 3;
            let mut go_on = || {
                assert_eq!(thread::current().id(), caller);
                left -= 1;
                left > 0
            };
            let (asked, worker) = cpu.run_on_pool(&mut go_on, |go_on| {
                let mut asked = 1;
                while go_on() {
                    asked += 1;
                    assert_eq!(cpu.each((0..100).collect(), |piece: u64| piece).iter().sum::<u64>(), 4950);
                }
                (asked, thread::current().id())
            });
            // On the pool, each answer is that to the question before.
            assert_eq!((asked, worker == caller), if threads == 1 { (3, true) } else { (4, false) });
        }
    }

    #[test]
    fn nested_work_stays_on_its_callers_thread() {
        let cpu = Cpu::new(2);
        let caller = thread::current().id();
        let inner = cpu.run_on_pool(&mut || true, |_| {
            let outer = thread::current().id();
            assert_ne!(outer, caller);
            cpu.run_on_pool(&mut || true, |_| thread::current().id()) == outer
        });
        assert!(inner, "on its own caller's thread");
        assert_ne!(cpu.run_on_pool(&mut || true, |_| thread::current().id()), caller, "the pool is free again");
    }

    #[test]
    fn a_panic_on_either_side_reaches_the_caller_and_leaves_the_pool_free() {
        let cpu = Cpu::new(2);
        let work = || cpu.run_on_pool(&mut || true, |_| -> i32 { panic!("work") });
        let asked = || cpu.run_on_pool(&mut || panic!("question"), |go_on| i32::from(go_on()));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert!(catch_unwind(AssertUnwindSafe(asked)).is_err());
        let caller = thread::current().id();
        assert_ne!(cpu.run_on_pool(&mut || true, |_| thread::current().id()), caller);
    }
}

//! A frame's work among the device's own threads: what follows what there costs next to nothing, where a caller from outside
//! waits for a thread to wake up each time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use super::Cpu;

/// Whether somebody's work is inside.
#[derive(Default)]
pub(super) struct Door(AtomicBool);

/// Opens the door again.
struct Leaving<'a>(&'a AtomicBool);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Cpu {
    /// Does `work` on one of the device's threads, and asks `go_on` on the caller's as often as it asks. It is told the answer to
    /// the question before, so that nobody waits for one. Blocks; a panic of either is the caller's. Where another's work is
    /// inside, or there are no threads, works on the caller's: a thread that waits for a part of its own work may take up
    /// another's as a whole, and would go on only after that.
    pub fn run_on_pool<R: Send>(
        &self,
        go_on: &mut dyn FnMut() -> bool,
        work: impl FnOnce(&mut dyn FnMut() -> bool) -> R + Send,
    ) -> R {
        let Some(pool) = self.pool.inner().filter(|_| !self.door.0.swap(true, Ordering::Acquire)) else {
            return work(go_on);
        };
        let _leaving = Leaving(&self.door.0);
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
                // Somebody waits for it.
                drop(done.send(work(&mut go_on)));
            });
            // Until the work is over, which drops the other end.
            for () in asked {
                if answer.send(go_on()).is_err() {
                    break;
                }
            }
        });
        made.recv().unwrap_or_else(|_| unreachable!("work that does not end panics, and so did the scope"))
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
            // Inside, each answer is a question late.
            assert_eq!((asked, worker == caller), if threads == 1 { (3, true) } else { (4, false) });
        }
    }

    #[test]
    fn who_finds_another_inside_works_outside() {
        let cpu = Cpu::new(2);
        let caller = thread::current().id();
        let inner = cpu.run_on_pool(&mut || true, |_| {
            let outer = thread::current().id();
            assert_ne!(outer, caller);
            cpu.run_on_pool(&mut || true, |_| thread::current().id()) == outer
        });
        assert!(inner, "on its own caller's thread");
        assert_ne!(cpu.run_on_pool(&mut || true, |_| thread::current().id()), caller, "the door is open again");
    }

    #[test]
    fn a_panic_on_either_side_is_the_callers_and_leaves_the_door_open() {
        let cpu = Cpu::new(2);
        let work = || cpu.run_on_pool(&mut || true, |_| -> i32 { panic!("work") });
        let asked = || cpu.run_on_pool(&mut || panic!("question"), |go_on| i32::from(go_on()));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert!(catch_unwind(AssertUnwindSafe(asked)).is_err());
        let caller = thread::current().id();
        assert_ne!(cpu.run_on_pool(&mut || true, |_| thread::current().id()), caller);
    }
}

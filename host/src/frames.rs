//! Ranges of frames, their order, and the threads that render them.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use flow_openfx as ofx;

use crate::frame::Frame;
use crate::profile::Brackets;
use crate::render::{Request, bracket};
use crate::{Error, Node, Result, memory};

/// The order in which frames are rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As listed.
    #[default]
    Forward,
    /// The last one first.
    Reverse,
    /// Shuffled, the same way for the same seed.
    Random(u64),
}

impl std::str::FromStr for Order {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong =
            || Error::usage(format!("unknown order '{text}': expected forward, reverse, random or random:SEED"));
        Ok(match text {
            "forward" => Self::Forward,
            "reverse" => Self::Reverse,
            "random" => Self::Random(0),
            other => {
                let seed = other.strip_prefix("random:").ok_or_else(wrong)?;
                Self::Random(seed.parse().map_err(|_| wrong())?)
            }
        })
    }
}

impl Order {
    /// The frames in this order.
    #[must_use]
    pub fn arrange(self, frames: &[f64]) -> Vec<f64> {
        let mut frames = frames.to_vec();
        match self {
            Self::Forward => {}
            Self::Reverse => frames.reverse(),
            Self::Random(seed) => shuffle(&mut frames, seed),
        }
        frames
    }
}

/// Fisher and Yates with a splitmix64 generator.
fn shuffle(frames: &mut [f64], seed: u64) {
    let mut state = seed;
    for i in (1..frames.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = state;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        frames.swap(i, ((x ^ (x >> 31)) % (i as u64 + 1)) as usize);
    }
}

/// The limit of frames in one range.
const MOST_FRAMES: f64 = 1e6;

/// Parses `1-100`, `1-100x2`, `7,3,50` and mixtures; frames may be negative and a
/// single one may be between whole numbers.
///
/// # Errors
/// A usage error that names the fault of the text.
pub fn parse_frames(text: &str) -> Result<Vec<f64>> {
    let mut frames = Vec::new();
    for part in text.split(',').map(str::trim) {
        let wrong = |why: &str| Error::usage(format!("frames '{part}': {why}; expected e.g. 1-100, 1-100x2 or 7,3,50"));
        if part.is_empty() {
            return Err(wrong("nothing between commas"));
        }
        let number = |text: &str| -> Result<f64> {
            let value: f64 = text.parse().map_err(|_| wrong(&format!("'{text}' is no number")))?;
            if value.is_finite() && value.abs() < 1e9 { Ok(value) } else { Err(wrong("out of range")) }
        };
        // A minus at the start belongs to the first number.
        let Some(dash) = part.char_indices().skip(1).find(|(_, c)| *c == '-').map(|(at, _)| at) else {
            if part.contains('x') {
                return Err(wrong("a step without a range"));
            }
            frames.push(number(part)?);
            continue;
        };
        let (first, rest) = (&part[..dash], &part[dash + 1..]);
        let (last, step) = rest.split_once('x').unwrap_or((rest, "1"));
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        if [first, last, step].iter().any(|v| v.fract() != 0.0) {
            return Err(wrong("ranges go by whole frames"));
        }
        if step < 1.0 {
            return Err(wrong("the step must be at least 1"));
        }
        if last < first {
            return Err(wrong("the last frame comes before the first; use --order reverse"));
        }
        let count = ((last - first) / step).floor();
        if count > MOST_FRAMES {
            return Err(wrong("too many frames"));
        }
        frames.extend((0..=count as u32).map(|i| first + f64::from(i) * step));
    }
    Ok(frames)
}

impl Node {
    /// Renders many frames and passes each to `done` when it is finished, on the thread
    /// that rendered it, concurrently with other threads. `threads` threads take the next frame of
    /// the order whenever they are free. The first error stops the rest.
    ///
    /// # Errors
    /// The first error of a render or of `done`.
    pub fn render_frames(
        &self,
        frames: &[f64],
        order: Order,
        threads: usize,
        request: &Request,
        done: impl Fn(Frame) -> Result<()> + Sync,
    ) -> Result<()> {
        let queue = order.arrange(frames);
        let whole = self.core.profile().brackets == Brackets::Sequence && !self.core.per_frame();
        let range = {
            let first = frames.iter().copied().fold(f64::INFINITY, f64::min);
            let last = frames.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let step = match frames {
                [a, b, ..] if b > a => b - a,
                _ => 1.0,
            };
            (first, last, step)
        };
        if queue.is_empty() {
            return Ok(());
        }
        let around = |name| -> Result<()> {
            if whole {
                self.core.preferences()?;
                let messages = bracket(&*self.core.main()?, name, range, request)?;
                self.core.add_messages(messages);
            }
            Ok(())
        };
        around(ofx::Action::BeginSequenceRender.as_str())?;
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let first_error = Mutex::new(Ok(()));
        let work = || {
            while !failed.load(Ordering::Relaxed) {
                let Some(time) = queue.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let mut request = request.clone();
                request.time = *time;
                request.bracketed = whole;
                let outcome = memory::attempt(|| self.render(&request).and_then(&done));
                if outcome.is_err() && !failed.swap(true, Ordering::Relaxed) {
                    *first_error.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
                }
            }
        };
        let threads = threads.clamp(1, queue.len());
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                (0..threads).for_each(|_| {
                    scope.spawn(work);
                });
            });
        }
        let outcome = first_error.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = around(ofx::Action::EndSequenceRender.as_str());
        outcome.and(ended)
    }

    /// Renders many frames and returns them in the order of `frames`.
    ///
    /// # Errors
    /// As [`Node::render_frames`].
    pub fn collect_frames(
        &self,
        frames: &[f64],
        order: Order,
        threads: usize,
        request: &Request,
    ) -> Result<Vec<Frame>> {
        let collected = Mutex::new(Vec::new());
        self.render_frames(frames, order, threads, request, |frame| {
            collected.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
            Ok(())
        })?;
        let mut collected: Vec<Frame> = collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        let place = |frame: &Frame| frames.iter().position(|time| *time == frame.time);
        collected.sort_by_key(place);
        Ok(collected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_ranges_lists_and_steps_are_parsed() {
        assert_eq!(parse_frames("1-4").expect("range"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(parse_frames("1-8x3").expect("step"), [1.0, 4.0, 7.0]);
        assert_eq!(parse_frames("7,3,50").expect("list"), [7.0, 3.0, 50.0]);
        assert_eq!(parse_frames("-3--1,2.5").expect("negative"), [-3.0, -2.0, -1.0, 2.5]);
    }

    #[test]
    fn errors_of_bad_ranges_name_the_cause() {
        for (text, why) in [
            ("", "nothing"),
            ("5-1", "before the first"),
            ("1-9x0", "at least 1"),
            ("a", "'a' is no number"),
            ("1.5-3", "whole frames"),
            ("3x2", "without a range"),
            ("0-99999999", "too many"),
        ] {
            let error = parse_frames(text).expect_err(text);
            assert!(error.to_string().contains(why), "{text}: {error}");
            assert_eq!(error.exit_code(), 2);
        }
    }

    #[test]
    fn orders_sort_the_frames_and_a_shuffle_depends_on_its_seed_alone() {
        let frames: Vec<f64> = (0..50).map(f64::from).collect();
        assert_eq!(Order::Forward.arrange(&[1.0, 5.0]), [1.0, 5.0]);
        assert_eq!(Order::Reverse.arrange(&[1.0, 5.0]), [5.0, 1.0]);
        let one = Order::Random(1).arrange(&frames);
        assert_eq!(one, Order::Random(1).arrange(&frames));
        assert_ne!(one, Order::Random(2).arrange(&frames));
        let mut sorted = one.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, frames);
        assert_ne!(one, frames);
    }
}

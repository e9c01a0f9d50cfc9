//! The births of an emitter: N(t), the number of births up to a time, is piecewise linear in eighths of a frame.
//!
//! Particle n is born at the time t with N(t) = n. The particles born in a frame are those with N(start) ≤ n < N(end).

use std::ops::Range;

use crate::sim::fingerprint::fingerprinted;

/// Number of equal parts of a frame (eighths) with a constant rate of births each.
pub const PIECES: usize = 8;

fingerprinted! {
    /// The births of one frame.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Births {
        /// Births before the frame, N at its start.
        pub before: f64,
        /// Births in each eighth of the frame, each at least 0.
        pub pieces: [f64; PIECES],
    }
}

impl Births {
    /// N at the end of an eighth, 0 for the start of the frame.
    fn at_piece(&self, piece: usize) -> f64 {
        self.pieces[..piece].iter().fold(self.before, |sum, births| sum + births)
    }

    /// N at the end of the frame.
    pub fn after(&self) -> f64 {
        self.at_piece(PIECES)
    }

    /// N at a share of the frame, 0 to 1.
    pub fn at(&self, share: f64) -> f64 {
        let piece = ((share * PIECES as f64) as usize).min(PIECES);
        match self.pieces.get(piece) {
            Some(births) => self.at_piece(piece) + births * (share * PIECES as f64 - piece as f64),
            None => self.after(),
        }
    }

    /// Numbers of the particles that are born up to a share of the frame.
    pub fn numbers(&self, share: f64) -> Range<u64> {
        first_from(self.before)..first_from(self.at(share))
    }

    /// Time of a birth, 0 to 1 across the frame. The number is one of the frame's.
    pub fn time(&self, n: u64) -> f64 {
        let n = n as f64;
        let mut sum = self.before;
        let mut piece = [0.0, sum, 0.0];
        for (place, births) in self.pieces.into_iter().enumerate() {
            if sum <= n {
                piece = [place as f64, sum, births];
            }
            sum += births;
        }
        let [place, sum, births] = piece;
        let within = if births > 0.0 { ((n - sum) / births).clamp(0.0, 1.0) } else { 0.0 };
        (place + within) / PIECES as f64
    }
}

/// The least number that is not born before N has a value.
pub fn first_from(count: f64) -> u64 {
    libm::ceil(count) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frame by frame, at rates of `rate(frame, eighth)` per frame: all births with their times.
    fn all(frames: u64, rate: impl Fn(u64, usize) -> f64, mut each: impl FnMut(u64, f64)) -> f64 {
        let mut before = 0.0;
        for frame in 0..frames {
            let births = Births { before, pieces: std::array::from_fn(|piece| rate(frame, piece) / 8.0) };
            births.numbers(1.0).for_each(|n| each(n, frame as f64 + births.time(n)));
            before = births.after();
        }
        before
    }

    #[test]
    fn ten_million_births_are_in_order_without_gap_or_double() {
        let rates: [fn(u64, usize) -> f64; 4] = [
            |_, _| 10_000.0,
            |frame, piece| 20_000.0 * ((frame * 8 + piece as u64) % 97) as f64 / 97.0,
            |frame, piece| if (frame * 8 + piece as u64).is_multiple_of(5) { 49_999.37 } else { 0.0 },
            |frame, _| 1e-3 * frame as f64 + if frame == 700 { 1e7 } else { 0.0 },
        ];
        for rate in rates {
            let (mut count, mut last) = (0, 0.0);
            let total = all(1000, rate, |n, time| {
                assert!(n == count && time >= last, "{n} at {time} after {count} at {last}");
                (count, last) = (n + 1, time);
            });
            assert_eq!(count, total.ceil() as u64);
            assert!(last <= 1000.0);
        }
    }

    #[test]
    fn a_constant_rate_is_even_in_time() {
        all(100, |_, _| 3.0, |n, time| assert!((time - n as f64 / 3.0).abs() < 1e-9, "{n} at {time}"));
    }

    #[test]
    fn a_part_of_a_frame_has_the_births_up_to_its_end() {
        let births = Births { before: 12.25, pieces: [0.0, 3.0, 0.5, 0.0, 7.25, 1.0, 0.0, 2.0] };
        for step in 0..=64 {
            let share = f64::from(step) / 64.0;
            for n in births.numbers(1.0) {
                assert_eq!(births.numbers(share).contains(&n), births.time(n) < share, "{n} at {share}");
            }
        }
    }
}

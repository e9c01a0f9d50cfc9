//! Medians and ratios of times.

use std::time::Duration;

/// The median; zero of an empty list.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The minimum; zero of an empty list.
pub fn least(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

/// The ratio of `part` to `whole`.
pub fn ratio(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let times = [9, 1, 5].map(Duration::from_millis).to_vec();
        assert_eq!((median(times.clone()), least(&times)), (Duration::from_millis(5), Duration::from_millis(1)));
        assert_eq!((median(Vec::new()), least(&[])), (Duration::ZERO, Duration::ZERO));
    }
}

//! Steal time: processor time of a virtual machine that went to others. Where it is large, results are low, and
//! measurements that were not taken in turn are not comparable.

/// Smallest reported fraction.
const TOLD: f64 = 0.02;

/// Processor time since the system's start, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    busy: u64,
    steal: u64,
}

impl Ticks {
    /// The time until now, on Linux.
    pub fn now() -> Option<Self> {
        std::fs::read_to_string("/proc/stat").ok().and_then(|text| Self::parse(&text))
    }

    /// The line of all processors: user, nice, system, idle, waiting, interrupts, soft interrupts, steal.
    fn parse(text: &str) -> Option<Self> {
        let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<u64> = line.split_whitespace().map_while(|ticks| ticks.parse().ok()).collect();
        let &[user, nice, system, _idle, _waiting, interrupts, soft, steal, ..] = &ticks[..] else { return None };
        Some(Self { busy: user + nice + system + interrupts + soft, steal })
    }

    /// A line for a Markdown list, if the fraction taken by others since `before` is large enough.
    pub fn report_since(self, before: Self) -> Option<String> {
        let (busy, steal) = (self.busy.saturating_sub(before.busy), self.steal.saturating_sub(before.steal));
        let share = steal as f64 / (busy + steal).max(1) as f64;
        (share >= TOLD).then(|| {
            format!(
                "- processor time taken by other machines during the run: {:.0} %. Figures are low, and only those measured \
                 in turns can be compared\n",
                share * 100.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn much_stolen_time_is_reported() {
        let ticks = |text| Ticks::parse(text).expect("ticks");
        let before = ticks("cpu  100 0 50 900 1 2 3 40 0 0\ncpu0 1 1 1 1 1 1 1 1\n");
        assert_eq!(before, Ticks { busy: 155, steal: 40 });
        let after = ticks("cpu  170 0 55 990 1 2 3 65 0 0\n");
        let report = after.report_since(before).expect("report");
        assert!(report.contains("25 %"), "{report}");
        assert_eq!(ticks("cpu  1170 0 55 990 1 2 3 41 0 0").report_since(before), None);
        assert_eq!(before.report_since(after), None);
        assert_eq!(Ticks::parse("cpu  1 2 3"), None);
    }
}

//! Counts of passed and failed tests, read from the output of test programs.

/// Sums over the summaries of test programs.
#[derive(Debug, Default)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    /// Names of failed tests.
    pub named: Vec<String>,
    /// Whether a summary was counted.
    pub ended: bool,
    /// Number of tests that the program announced, until its summary is read. The output
    /// of a failed test may contain another program's summary, which has fewer tests.
    running: Option<usize>,
}

impl Counts {
    /// Parses a line of a program's output.
    pub fn read(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            self.named.push(name.to_owned());
        }
        if let Some(number) = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test")?.0.parse().ok()) {
            self.running.get_or_insert(number);
        }
        if let Some([passed, failed, ignored, measured]) = summary(line)
            && self.running == Some(passed + failed + ignored + measured)
        {
            self.passed += passed;
            self.failed += failed;
            self.running = None;
            self.ended = true;
        }
    }
}

/// Passed, failed, ignored and measured of a line such as `test result: ok. 3 passed; 0 failed; …`.
fn summary(line: &str) -> Option<[usize; 4]> {
    let mut fields = line.strip_prefix("test result: ")?.split_once(". ")?.1.split("; ");
    let mut count = |unit: &str| fields.next()?.strip_suffix(unit)?.trim().parse().ok();
    Some([count("passed")?, count("failed")?, count("ignored")?, count("measured")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted_except_inside_a_failures_output() {
        let mut counts = Counts::default();
        for line in [
            "running 16 tests",
            "test some ... FAILED",
            "running 1 test",
            "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 15 filtered out; finished in 2.51s",
            "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.52s",
            "running 1 test",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            counts.read(line);
        }
        assert_eq!((counts.passed, counts.failed), (13, 3));
        assert_eq!(counts.named, ["some"]);
        assert!(counts.ended);
        let mut dies = Counts::default();
        dies.read("running 16 tests");
        assert!(!dies.ended);
    }
}

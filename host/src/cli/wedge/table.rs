//! The times of a wedge as a table.

use super::processes::Outcome;
use super::{Combination, Wedge};

/// Headings after those of the values.
const HEADINGS: [&str; 5] = ["result", "frames", "simulated", "seconds", "seconds a frame"];

/// A row: the values, then the cells under [`HEADINGS`].
pub(super) fn rows(wedge: &Wedge, outcomes: &[Outcome]) -> Vec<Vec<String>> {
    wedge.combinations.iter().zip(outcomes).map(|(combination, outcome)| row(combination, outcome)).collect()
}

fn row(combination: &Combination, outcome: &Outcome) -> Vec<String> {
    let cells = match outcome {
        Ok(Some(times)) => [
            "complete".to_owned(),
            times.frames.to_string(),
            times.simulated.to_string(),
            format!("{:.3}", times.seconds),
            format!("{:.4}", times.per_frame()),
        ],
        Ok(None) => ["complete", "", "", "", ""].map(str::to_owned),
        Err(_) => ["failed", "", "", "", ""].map(str::to_owned),
    };
    combination.values.iter().cloned().chain(cells).collect()
}

fn headings(wedge: &Wedge) -> Vec<&str> {
    wedge.axes.iter().map(|axis| &*axis.label).chain(HEADINGS).collect()
}

/// The table as CSV (RFC 4180).
pub(super) fn csv(wedge: &Wedge, rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| cells.into_iter().map(field).collect::<Vec<_>>().join(",") + "\r\n";
    let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect());
    std::iter::once(headings(wedge)).chain(rows).map(line).collect()
}

fn field(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The table as Markdown.
pub(super) fn markdown(wedge: &Wedge, rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| {
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let headings = headings(wedge);
    let rule = vec!["---"; headings.len()];
    let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect());
    [headings, rule].into_iter().chain(rows).map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        assert_eq!(field("1,2"), "\"1,2\"");
        assert_eq!(field("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(field("River"), "River");
    }
}

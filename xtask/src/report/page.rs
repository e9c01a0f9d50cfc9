//! The page: chapters with their numbers, plots and pictures.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};

use super::chapters::{ALL, Chapter};
use super::chart;
use super::records::{Image, Record, Row};
use crate::bench::machine::Machine;
use crate::picture::Picture;

/// The page; its plots and pictures go into `images`.
///
/// # Errors
/// A gate has no chapter, or a file cannot be written.
pub fn write(records: &[Record], machine: &Machine, images: &Path) -> Result<String> {
    if let Some(lost) = records.iter().find(|record| !ALL.iter().any(|part| part.gates.contains(&&*record.gate))) {
        bail!("the gate {} has no chapter in xtask/src/report/chapters.rs", lost.gate);
    }
    let mut page = String::from(
        "<!-- Written by `cargo xtask report`; edit its chapters in xtask/src/report/chapters.rs, not this file. -->\n\n# Validation\n\nThe gates of the numerics: their bounds and the values found. Each number is a test's (`cargo xtask test`); `cargo xtask report` runs those tests, and a few that take longer, and writes this page with its plots. The settings of each row are those of the test; rows with the node's defaults say so. A number without a bound is for comparison. A row whose bound is missed gives the reason, and the bound that the test checks instead. Measured on:\n\n",
    );
    page.push_str(&machine.markdown());
    for chapter in &ALL {
        write!(page, "\n## {}\n\n{}\n\n", chapter.title, chapter.text)?;
        chapter.table(records, &mut page)?;
        for gate in chapter.gates {
            figures(gate, records, images, &mut page)?;
        }
    }
    Ok(page)
}

impl Chapter {
    fn table(&self, records: &[Record], page: &mut String) -> Result<()> {
        let of = |device: &'static str| {
            self.gates.iter().flat_map(move |gate| {
                records.iter().filter(move |record| record.gate == *gate && record.device == device)
            })
        };
        let rows = |device| of(device).flat_map(|record| &record.rows).collect::<Vec<_>>();
        let (cpu, gpu) = (rows("CPU"), rows("GPU"));
        let mut settings = Legend::default();
        page.push_str("| quantity | settings | bound | CPU | graphics device |\n|---|---|---:|---:|---:|\n");
        let alone = gpu.iter().filter(|row| !cpu.iter().any(|other| other.what == row.what));
        for what in cpu.iter().chain(alone).map(|row| &row.what) {
            let [cpu, gpu] = [&cpu, &gpu].map(|rows| rows.iter().find(|row| row.what == *what));
            let both = || [cpu, gpu].into_iter().flatten();
            // A bound that one device misses appears in that device's row.
            let bound = both().find(|row| row.bound.contains("missed")).or(both().next()).map_or("", |row| &row.bound);
            let letters = settings.letters(both().map(|row| &*row.settings));
            let [cpu, gpu] = [cpu, gpu].map(|row| row.map_or(String::new(), |row| row.shown()));
            writeln!(page, "| {what} | {letters} | {bound} | {cpu} | {gpu} |")?;
        }
        settings.write(page)?;
        Ok(())
    }
}

impl Row {
    /// The result as text, with a note if it misses its bound.
    fn shown(&self) -> String {
        let found = number(self.found);
        if self.met { found } else { format!("{found} **missed**") }
    }
}

/// Settings of a table's rows, with a letter for each.
#[derive(Default)]
struct Legend<'a> {
    texts: Vec<&'a str>,
}

impl<'a> Legend<'a> {
    /// The letters of a row's settings, by device; one if the devices' are the same.
    fn letters(&mut self, texts: impl Iterator<Item = &'a str>) -> String {
        let mut letters: Vec<String> = Vec::new();
        for text in texts.filter(|text| !text.is_empty()) {
            let at = self.texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                self.texts.push(text);
                self.texts.len() - 1
            });
            let letter = letter(at);
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        }
        letters.join(", ")
    }

    /// The list below the table.
    fn write(&self, page: &mut String) -> std::fmt::Result {
        if self.texts.is_empty() {
            return Ok(());
        }
        page.push_str("\nSettings:\n\n");
        self.texts.iter().enumerate().try_for_each(|(at, text)| writeln!(page, "- **{}**: {text}", letter(at)))
    }
}

/// a to z, then a1 to z1 and so on.
fn letter(at: usize) -> String {
    let letter = char::from(b'a' + (at % 26) as u8);
    if at < 26 { letter.to_string() } else { format!("{letter}{}", at / 26) }
}

/// Gates of the page without a record.
pub fn absent(records: &[Record]) -> Vec<&'static str> {
    let gates = ALL.iter().flat_map(|chapter| chapter.gates).copied();
    gates.filter(|gate| !records.iter().any(|record| record.gate == *gate)).collect()
}

/// The plots and pictures of a gate: the CPU's, else the graphics device's.
fn figures(gate: &str, records: &[Record], images: &Path, page: &mut String) -> Result<()> {
    let of = |device: &str| records.iter().find(|record| record.gate == gate && record.device == device);
    let Some(record) = of("CPU").or_else(|| of("GPU")) else { return Ok(()) };
    for (place, plot) in record.plots.iter().enumerate() {
        let name = format!("{gate}-{place}.svg");
        chart::write(plot, &images.join(&name))?;
        write!(page, "\n![{}](images/validation/{name})\n", plot.name)?;
    }
    if !record.images.is_empty() {
        let name = format!("{gate}.png");
        side_by_side(&record.images).write_opaque_png(&images.join(&name))?;
        let names: Vec<_> = record.images.iter().map(|image| &*image.name).collect();
        write!(page, "\n![{0}](images/validation/{name})\n\n*From left to right: {0}.*\n", names.join(", "))?;
    }
    Ok(())
}

/// Pictures in a row, each pixel enlarged to four.
fn side_by_side(images: &[Image]) -> Picture {
    const GAP: usize = 8;
    let size = |image: &Image| (2 * image.width, 2 * (image.values.len() / image.width));
    let width = images.iter().map(|image| size(image).0 + GAP).sum::<usize>() - GAP;
    let height = images.iter().map(|image| size(image).1).max().unwrap_or(0);
    let mut all = Picture::from_fn(width, height, |_, _| [1.0; 4]);
    let mut x = 0;
    for image in images {
        let (w, h) = size(image);
        let grey = |column: usize, row: usize| {
            let value = f32::from(image.values[(h / 2 - 1 - row / 2) * image.width + column / 2]) / 255.0;
            [value, value, value, 1.0]
        };
        all.paste(&Picture::from_fn(w, h, grey), x, 0);
        x += w + GAP;
    }
    all
}

/// A number with its significant digits.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 100.0 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_with_few_digits() {
        let shown = [0.0, 10.0, 0.333_333, -0.210_9, 3.4e-7, 123.4].map(number);
        assert_eq!(shown, ["0", "10", "0.3333", "-0.2109", "3.4e-7", "123"]);
    }

    #[test]
    fn a_row_lists_its_settings() {
        let mut legend = Legend::default();
        let letters = [&["x"][..], &["y", "y"], &["x", "y"], &["", "x"], &[""]];
        let letters = letters.map(|texts| legend.letters(texts.iter().copied()));
        assert_eq!(letters, ["a", "b", "a, b", "a", ""]);
        let mut page = String::new();
        legend.write(&mut page).expect("text");
        assert_eq!(page, "\nSettings:\n\n- **a**: x\n- **b**: y\n");
        assert_eq!([0, 25, 26, 53].map(letter), ["a", "z", "a1", "b2"]);
    }

    #[test]
    fn no_gate_is_in_two_chapters() {
        let mut gates: Vec<_> = ALL.iter().flat_map(|chapter| chapter.gates).collect();
        gates.sort();
        assert!(gates.windows(2).all(|pair| pair[0] != pair[1]), "{gates:?}");
    }
}

//! The gallery page: each preset of each node with its line and, where there are any, its animated picture, its large
//! frame, and its largest sudden change.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::{NODES, slug};
use crate::{command, project};

const PAGE: &str = "docs/gallery.md";

const HEAD: &str = "<!-- Written by `cargo xtask presets --docs` from the plug-in itself. -->

# Gallery

The presets at their defaults with nothing connected, frames 1 to 100 of 960×540, every third one. `flow-host presets` prints this list;
[the guide](guide.md#presets) says what to connect and what to adjust. Under a picture stands the largest share of its pixels that change by
more than 0.25 (of 1, sRGB) from one frame of 960×540 to the next.
";

/// Begins the line of sudden changes under a picture.
const CHANGES: &str = "Sudden changes: ";

/// The line of sudden changes: the largest share of pixels, and its frame.
pub fn changes((share, frame): (f64, usize)) -> String {
    match share {
        0.0 => format!("{CHANGES}none."),
        _ => format!("{CHANGES}{:.2} % of the pixels, in frame {frame}.", share * 100.0),
    }
}

/// Writes the page from the bundle's presets and the pictures in docs/images. `new` has the lines of sudden changes of
/// presets that were rendered now, by the names of their files; those of the others are kept.
pub fn write(host: &Path, bundle: &Path, new: BTreeMap<String, String>) -> Result<()> {
    let listed = command::output(command::graphic(host).arg("presets").arg(bundle), "listing the presets")?;
    let images = project::root().join("docs/images");
    let path = project::root().join(PAGE);
    let mut lines = old_changes(&std::fs::read_to_string(&path).unwrap_or_default());
    lines.extend(new);
    let text = page(&listed, |file| images.join(file).is_file(), &lines);
    command::write_file(&path, text.as_bytes())?;
    println!("wrote {}", project::short(&path));
    Ok(())
}

/// The lines of sudden changes on a page, by the names of the pictures before them.
fn old_changes(page: &str) -> BTreeMap<String, String> {
    let mut lines = BTreeMap::new();
    let mut name = None;
    for line in page.lines() {
        if let Some((_, file)) = line.strip_prefix("![").and_then(|rest| rest.split_once("](images/")) {
            name = file.strip_suffix(".webp)");
        } else if let Some(name) = name
            && line.starts_with(CHANGES)
        {
            let line = line.split_once(" [").map_or(line, |(line, _)| line);
            lines.insert(name.to_owned(), line.to_owned());
        }
    }
    lines
}

/// The page from lines of node, preset and description with tabs between them, and lines of sudden changes by the names
/// of files. Pictures are shown where they exist.
fn page(listed: &str, exists: impl Fn(&str) -> bool, changes: &BTreeMap<String, String>) -> String {
    let mut text = HEAD.to_owned();
    for node in &NODES {
        text += &format!("\n## {}\n", node.name);
        for line in listed.lines() {
            let mut parts = line.split('\t');
            let (Some(of), Some(preset), Some(about)) = (parts.next(), parts.next(), parts.next()) else { continue };
            if of != node.name {
                continue;
            }
            text += &format!("\n**{preset}**: {about}\n");
            let name = slug(node, preset);
            if exists(&format!("{name}.webp")) {
                text += &format!("\n![{preset}](images/{name}.webp)\n");
            }
            let large = format!("large/{name}.jpg");
            let large = exists(&large).then(|| format!("[A frame of 1920×1080](images/{large})."));
            let notes: Vec<&str> = changes.get(&name).into_iter().chain(&large).map(String::as_str).collect();
            if !notes.is_empty() {
                text += &format!("\n{}\n", notes.join(" "));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_stand_under_their_nodes_with_the_pictures_that_exist() {
        let listed = "FlowSmoke\tInk\ttwo drops.\nFlow\tPond in rain\tsteady rain.\n";
        let exists = ["flow-pond-in-rain.webp", "large/flow-pond-in-rain.jpg"];
        let lines = BTreeMap::from([("flow-pond-in-rain".to_owned(), changes((0.012, 7)))]);
        let text = page(listed, |file| exists.contains(&file), &lines);
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}"));
        assert!(
            at("## Flow\n")
                < at("**Pond in rain**: steady rain.\n\n![Pond in rain](images/flow-pond-in-rain.webp)\n\n\
                      Sudden changes: 1.20 % of the pixels, in frame 7. \
                      [A frame of 1920×1080](images/large/flow-pond-in-rain.jpg).\n")
        );
        assert!(at("images/flow-pond-in-rain.webp") < at("## FlowSmoke\n") && at("**Ink**") > at("## FlowSmoke"));
        assert!(!text.contains("flowsmoke-ink.webp"));
        assert_eq!(old_changes(&text), lines);
    }
}

//! The gallery page: each preset of each node with its line and, where there is one, its animated picture.

use std::path::Path;

use anyhow::Result;

use super::{NODES, slug};
use crate::{command, project};

const PAGE: &str = "docs/gallery.md";

const HEAD: &str = "<!-- Written by `cargo xtask presets --docs` from the plug-in itself. -->

# Gallery

The presets at their defaults with nothing connected, frames 1 to 100 of 960×540, every third one. `flow-host presets` prints this list;
[the guide](guide.md#presets) says what to connect and what to adjust.
";

/// Writes the page from the bundle's presets and the pictures in docs/images.
pub fn write(host: &Path, bundle: &Path) -> Result<()> {
    let listed = command::output(command::graphic(host).arg("presets").arg(bundle), "listing the presets")?;
    let images = project::root().join("docs/images");
    let text = page(&listed, |file| images.join(file).is_file());
    let path = project::root().join(PAGE);
    command::write_file(&path, text.as_bytes())?;
    println!("wrote {}", project::short(&path));
    Ok(())
}

/// The page from lines of node, preset and description with tabs between them. Pictures are shown where they exist.
fn page(listed: &str, exists: impl Fn(&str) -> bool) -> String {
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
            let file = format!("{}.webp", slug(node, preset));
            if exists(&file) {
                text += &format!("\n![{preset}](images/{file})\n");
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
        let text = page(listed, |file| file == "flow-pond-in-rain.webp");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}"));
        assert!(
            at("## Flow\n") < at("**Pond in rain**: steady rain.\n\n![Pond in rain](images/flow-pond-in-rain.webp)")
        );
        assert!(at("images/flow-pond-in-rain.webp") < at("## FlowSmoke\n") && at("**Ink**") > at("## FlowSmoke"));
        assert!(!text.contains("flowsmoke-ink.webp"));
    }
}

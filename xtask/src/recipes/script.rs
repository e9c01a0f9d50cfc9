//! The recipes as scripts for Nuke: their plates, their nodes with all values of the job, and their comp.
//!
//! Nuke applies no preset when it reads a script, so a preset's values are written out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};

use super::SIZE;
use super::jobs::{Job, Node, shown, stem};
use super::reference::{self, Reference};

/// The folder of the script, as an expression of Nuke.
const FOLDER: &str = r"\[file dirname \[value root.name]]";

/// The script of a job. `plates` are those of the comp alone. `tail` is the comp: nodes that find plates and layers
/// under `$N` and their names.
pub fn text(title: &str, job: &Job, plates: &[&str], tail: &str) -> Result<String> {
    let last = job.last()?;
    let mut text = format!(
        "# Written by `cargo xtask recipes --docs` from {title}.toml. Open it in the folder that `cargo xtask recipes {title}` makes.\n\
         version 13.0 v1\nRoot {{\n first_frame 1\n last_frame {last}\n format \"{} {} 0 0 {} {} 1 recipe\"\n}}\n",
        SIZE.0, SIZE.1, SIZE.0, SIZE.1
    );
    let wired = job.nodes.iter().flat_map(|node| node.clips.values()).filter(|what| !what.starts_with("node:"));
    let mut files: Vec<String> = wired.cloned().collect();
    files.extend(plates.iter().map(|name| match name.strip_suffix("####") {
        Some(name) => format!("plates/{name}####.exr"),
        None => format!("plates/{name}.exr"),
    }));
    files.sort();
    files.dedup();
    for (place, file) in files.iter().enumerate() {
        let name = stem(file);
        let _ = write!(
            text,
            "Read {{\n inputs 0\n file_type exr\n file \"{FOLDER}/{file}\"\n last {last}\n \
             raw true\n name Plate_{name}\n xpos {}\n ypos 0\n}}\nset N{name} [stack 0]\n",
            110 * place
        );
    }
    // Nodes that others use come first, and each node is written once for each of its outputs.
    let mut written: Vec<&str> = Vec::new();
    for node in &job.nodes {
        for used in node.clips.values().filter_map(|what| what.strip_prefix("node:")) {
            let used = job.nodes.iter().find(|other| other.name == used).context("a clip of no node")?;
            fluid(&mut text, used, &used.name, &BTreeMap::new(), written.len())?;
            written.push(&used.name);
        }
    }
    for render in &job.renders {
        let layer = stem(&render.output);
        let edits = render.edit.iter().flat_map(|edit| &edit.set);
        let edits = edits.map(|(name, value)| (name.clone(), shown(value))).collect();
        fluid(&mut text, job.node(render)?, layer, &edits, written.len())?;
        written.push(layer);
    }
    text += tail.trim_start();
    Ok(text)
}

/// A Flow node with its inputs and all values that differ from the defaults.
fn fluid(text: &mut String, node: &Node, layer: &str, edits: &BTreeMap<String, String>, place: usize) -> Result<()> {
    let reference = reference::of(&node.plugin)?;
    for clip in reference.clips.iter().rev() {
        match node.clips.get(clip) {
            // The first input is the last node that was pushed.
            Some(what) => {
                let _ = writeln!(text, "push $N{}", stem(what.trim_start_matches("node:")));
            }
            None => text.push_str("push 0\n"),
        }
    }
    let class = format!("OFX{}_v1", node.plugin.to_lowercase());
    let _ = write!(text, "{class} {{\n inputs {}\n", reference.clips.len());
    for (name, keys) in &node.keys {
        anyhow::ensure!(reference.params.contains_key(name), "{}: no parameter {name}", node.plugin);
        let _ = writeln!(text, " {name} {{{{{}}}}}", curve(keys)?);
    }
    for (name, value) in values(&reference, node, edits)?.into_iter().filter(|(name, _)| !node.keys.contains_key(name))
    {
        let _ = writeln!(text, " {name} {}", knob(&reference.params[&name].kind, &value));
    }
    let _ = write!(text, " name Flow_{layer}\n xpos {}\n ypos 160\n}}\nset N{layer} [stack 0]\n", 160 * place);
    Ok(())
}

/// The values of a node: those of its preset, then its own, then those of an edit.
fn values(reference: &Reference, node: &Node, edits: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    let mut values = match node.set.get("preset").and_then(toml::Value::as_str) {
        Some(preset) => reference.preset(preset, SIZE)?,
        None => BTreeMap::new(),
    };
    values.extend(
        node.set.iter().filter(|(name, _)| *name != "preset").map(|(name, value)| (name.clone(), shown(value))),
    );
    values.extend(edits.clone());
    for name in values.keys() {
        anyhow::ensure!(reference.params.contains_key(name), "{}: no parameter {name}", node.plugin);
    }
    Ok(values)
}

/// Keys as a curve that is linear between them.
fn curve(keys: &BTreeMap<String, toml::Value>) -> Result<String> {
    let frame = |text: &str| text.parse::<i64>().with_context(|| format!("'{text}' is no frame"));
    let mut keys: Vec<(i64, String)> =
        keys.iter().map(|(text, value)| Ok((frame(text)?, shown(value)))).collect::<Result<_>>()?;
    keys.sort();
    Ok(keys.iter().fold("curve L".to_owned(), |curve, (frame, value)| format!("{curve} x{frame} {value}")))
}

/// A value as Nuke's script has it. Files of the recipe are in the script's folder.
fn knob(kind: &str, value: &str) -> String {
    match kind {
        "string" if value.starts_with("plates/") => format!("\"{FOLDER}/{value}\""),
        "double2D" | "double3D" | "RGB" => format!("{{{value}}}"),
        _ if value.contains(' ') || value.is_empty() => format!("\"{value}\""),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_values_of_a_job_are_in_the_script() {
        let job = Job::parse(
            "frames = \"1-9\"\n[[node]]\nname = \"a\"\nplugin = \"org.flowofx.FlowSmoke\"\n\
             clips = { Obstacles = \"plates/m.####.exr\" }\nset = { preset = \"Ink\", jet1Centre = [1, 2.5] }\n\
             keys = { noise = { 12 = 0.5, 8 = 0 } }\n\
             [[render]]\noutput = \"frames/x.####.exr\"\nedit = [{ set = { output = \"Motion vectors\" } }]\n",
        )
        .unwrap();
        let text = text("t", &job, &["street"], "\nViewer {\n}\n").unwrap();
        assert!(
            text.contains(
                "push 0\npush 0\npush $Nm\npush 0\npush 0\npush 0\nOFXorg.flowofx.flowsmoke_v1 {\n inputs 6\n"
            )
        );
        assert!(text.contains(" jet1Centre {1 2.5}\n") && text.contains(" output \"Motion vectors\"\n"), "{text}");
        assert!(text.contains(" jet1Radius 32\n") && !text.contains(" preset "), "{text}");
        assert!(text.contains(" noise {{curve L x8 0 x12 0.5}}\n") && text.matches(" noise ").count() == 1, "{text}");
        assert_eq!(knob("string", "plates/a.chan"), "\"\\[file dirname \\[value root.name]]/plates/a.chan\"");
        assert!(text.contains("/plates/street.exr\"") && text.ends_with("set Nx [stack 0]\nViewer {\n}\n"));
    }
}

//! The toolset for Nuke: several Flow nodes that share one water, as layers of one stream.
//!
//! Its contents follow the node's description, so that it links a new parameter too. `cargo xtask docs` writes it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::bundle::Bundle;
use crate::{command, project};

/// Nuke's class of a plug-in: its identifier in lower case, with its major version.
const CLASS: &str = "OFXorg.flowofx.flow_v1";

/// The node with the parameters.
const FIRST: &str = "Flow_water";

/// A layer: its name, the output with its values, and its channels with those of the output.
type Layer = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The layers, as Nuke names those of Flow's EXR files: Nuke uses full names for R, G, B and A of any layer.
const LAYERS: [Layer; 8] = [
    ("cross", "Cross", &COLOUR),
    ("diagonal", "Diagonal", &COLOUR),
    ("surface", "Height", &[("surface.surface", "green"), ("surface.terrain", "blue"), ("surface.wet", "alpha")]),
    ("velocity", "Velocity", &[("velocity.x", "red"), ("velocity.y", "green")]),
    ("normal", "Normals", &[("normal.x", "red"), ("normal.y", "green"), ("normal.z", "blue")]),
    ("foam", "Foam", &[("foam.foam", "red")]),
    ("wetness", "Wetness", &[("wetness.wetness", "red")]),
    (
        "motion",
        "Motion vectors",
        &[("forward.u", "red"), ("forward.v", "green"), ("backward.u", "blue"), ("backward.v", "alpha")],
    ),
];

/// All four channels, under the layer's own name.
const COLOUR: [(&str, &str); 4] = [("", "red"), ("", "green"), ("", "blue"), ("", "alpha")];

#[derive(Deserialize)]
struct Description {
    clips: Vec<Clip>,
    params: Vec<Param>,
}

#[derive(Deserialize)]
struct Clip {
    name: String,
}

#[derive(Deserialize)]
struct Param {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

/// Path of the toolset.
pub fn path() -> PathBuf {
    project::root().join("bundle/nuke/ToolSets/Flow layers.nk")
}

/// The toolset's text, for the plug-in's description.
pub fn text(host: &Path, bundle: &Bundle) -> Result<String> {
    let mut describe = command::graphic(host);
    describe.arg("describe").arg(&bundle.folder).args(["--plugin", project::FLOW, "--json", "--host", "nuke"]);
    let described = command::output(&mut describe, "describing the plug-in")?;
    let described = serde_json::from_str(&described).context("the plug-in's description is no JSON")?;
    Ok(script(&described))
}

fn script(node: &Description) -> String {
    let mut text = String::from(
        "# Written by `cargo xtask docs` from the plug-in itself.\n\
         # One water as layers: Flow_water has the parameters, the others follow it by expressions and show other outputs.\n\
         set cut_paste_input [stack 0]\nversion 13.0 v1\n",
    );
    for (layer, _, channels) in &LAYERS {
        for (name, channels) in by_layer(layer, channels) {
            let _ = writeln!(text, "add_layer {{{name} {}}}", channels.join(" "));
        }
    }
    let inputs = node.clips.iter().filter(|clip| clip.name != "Output").count();
    flow(&mut text, inputs, &first_knobs());
    let _ = writeln!(text, "set Nstream [stack 0]");
    let links = links(node);
    for (row, (layer, output, channels)) in LAYERS.iter().enumerate() {
        let place = format!(" xpos 160\n ypos {}\n", 60 + 80 * row);
        flow(&mut text, inputs, &format!(" name Flow_{layer}\n{links} output {}\n{place}", quoted(output)));
        let _ = writeln!(text, "push $Nstream\nCopy {{\n inputs 2");
        for (at, (to, from)) in channels.iter().enumerate() {
            let to = if to.is_empty() { format!("{layer}.{from}") } else { (*to).to_owned() };
            let _ = writeln!(text, " from{at} rgba.{from}\n to{at} {to}");
        }
        let _ = writeln!(text, " name Copy_{layer}\n xpos 0\n ypos {}\n}}\nset Nstream [stack 0]", 60 + 80 * row);
    }
    text
}

/// The layers of a list of channels, each with its channels.
fn by_layer(layer: &str, channels: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let mut layers: Vec<(String, Vec<String>)> = Vec::new();
    for (to, from) in channels {
        let to = if to.is_empty() { format!("{layer}.{from}") } else { (*to).to_owned() };
        let name = to.split('.').next().unwrap_or_default().to_owned();
        match layers.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.push(to),
            None => layers.push((name, vec![to])),
        }
    }
    layers
}

/// A Flow node whose Source is the selected node.
fn flow(text: &mut String, inputs: usize, knobs: &str) {
    // The first input is the last node that was pushed.
    let _ = writeln!(text, "{}push $cut_paste_input", "push 0\n".repeat(inputs - 1));
    let _ = writeln!(text, "{CLASS} {{\n inputs {inputs}\n{knobs}}}");
}

fn first_knobs() -> String {
    let wire = "node = nuke.thisNode()\\nfor other in node.dependent(nuke.EXPRESSIONS):\\n    \
                for i in range(node.maxInputs()):\\n        other.setInput(i, node.input(i))";
    format!(
        " name {FIRST}\n addUserKnob {{20 layers l Layers}}\n addUserKnob {{22 wireLayers l \"Wire the layers\" t \"Gives \
         the nodes that follow this one the same inputs.\" T \"{wire}\"}}\n"
    )
}

/// Links every parameter with a value of the artist or of the node itself to the first node's. The digest is one:
/// it tells Nuke that the water has changed at another frame.
fn links(node: &Description) -> String {
    let own = ["output", "preset", "info", "cacheId", "positionsSet"];
    let mut text = String::new();
    for Param { name, kind } in node.params.iter().filter(|param| !own.contains(&param.name.as_str())) {
        let link = |count: usize| vec![format!("{{{FIRST}.{name}}}"); count].join(" ");
        let _ = match kind.as_str() {
            "double2D" => writeln!(text, " {name} {{{}}}", link(2)),
            "RGB" => writeln!(text, " {name} {{{}}}", link(3)),
            "string" => writeln!(text, " {name} \"\\[value {FIRST}.{name}]\""),
            "group" | "page" | "button" => Ok(()),
            _ => writeln!(text, " {name} {{{}}}", link(1)),
        };
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains(' ') { format!("\"{text}\"") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_linked_and_every_layer_has_its_channels() {
        let param = |name: &str, kind: &str| Param { name: name.into(), kind: kind.into() };
        let clips = ["Source", "Mask", "Output"].map(|name| Clip { name: name.into() }).into();
        let params = vec![param("speed", "double"), param("at", "double2D"), param("bake", "button")];
        let text = script(&Description { clips, params });
        assert_eq!(text.matches(CLASS).count(), 1 + LAYERS.len());
        assert_eq!(text.matches(" speed {{Flow_water.speed}}").count(), LAYERS.len());
        assert_eq!(text.matches(" at {{Flow_water.at} {Flow_water.at}}").count(), LAYERS.len());
        assert!(!text.contains("bake") && text.contains("inputs 2\n"));
        assert!(text.contains("add_layer {cross cross.red cross.green cross.blue cross.alpha}"));
        assert!(text.contains("add_layer {backward backward.u backward.v}"));
    }
}

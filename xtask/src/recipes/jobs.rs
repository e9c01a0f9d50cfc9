//! The job files of the recipes, as far as their Nuke scripts and their tests need them.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use toml::Value;

/// A job.
#[derive(Deserialize)]
pub struct Job {
    /// A range of frames from 1 on.
    pub frames: String,
    #[serde(rename = "node")]
    pub nodes: Vec<Node>,
    #[serde(rename = "render")]
    pub renders: Vec<Render>,
}

/// A node of a job.
#[derive(Deserialize)]
pub struct Node {
    pub name: String,
    pub plugin: String,
    #[serde(default)]
    pub clips: BTreeMap<String, String>,
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// Keys of parameters with one dimension: values by frame.
    #[serde(default)]
    pub keys: BTreeMap<String, BTreeMap<String, Value>>,
}

/// A render of a job.
#[derive(Deserialize)]
pub struct Render {
    /// The node, where there are several.
    pub node: Option<String>,
    pub output: String,
    #[serde(default)]
    pub edit: Vec<Edit>,
}

/// An edit before a render.
#[derive(Deserialize)]
pub struct Edit {
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
}

impl Job {
    /// Reads a job.
    pub fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).context("reading the job file")
    }

    /// The last frame.
    pub fn last(&self) -> Result<usize> {
        let last = self.frames.split('-').next_back().and_then(|last| last.parse().ok());
        last.with_context(|| format!("frames {}: expected a range from 1 on", self.frames))
    }

    /// The node of a render.
    pub fn node(&self, render: &Render) -> Result<&Node> {
        let found = match &render.node {
            Some(name) => self.nodes.iter().find(|node| node.name == *name),
            None => self.nodes.first(),
        };
        found.context("a render of no node")
    }
}

/// A value as text, with spaces between numbers.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(" "),
        Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// The name of a picture in a job: that of its file up to the first dot.
pub fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

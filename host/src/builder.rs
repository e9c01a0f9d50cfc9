//! Construction of a node.

use std::sync::Arc;

use crate::Context;
use crate::node::{Node, NodeCore, Wanted};
use crate::plugin::PluginCore;
use crate::{Camera, Components, Depth, Project, Result, Source, Value};

/// Collects the initial state of a node. Values and connections are there before the
/// plug-in's instance is made, as when a host opens a saved project.
#[must_use]
pub struct NodeBuilder {
    pub(crate) plugin: Arc<PluginCore>,
    pub(crate) context: Context,
    pub(crate) name: String,
    pub(crate) project: Project,
    pub(crate) wanted: Wanted,
    values: Vec<(String, Value)>,
    keys: Vec<(String, f64, Value)>,
    clips: Vec<(String, Source)>,
    camera: Option<Camera>,
}

impl NodeBuilder {
    pub(crate) fn new(plugin: &Arc<PluginCore>, context: Context) -> Self {
        let name = plugin.id.rsplit('.').next().unwrap_or(&plugin.id).to_owned();
        Self {
            plugin: Arc::clone(plugin),
            context,
            name,
            project: Project::new(640, 360),
            wanted: Wanted::default(),
            values: Vec::new(),
            keys: Vec::new(),
            clips: Vec::new(),
            camera: None,
        }
    }

    /// Sets the name for messages and records; the default is the last part of the identifier.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the node's project; the default is 640×360.
    pub fn project(mut self, project: Project) -> Self {
        self.project = project;
        self
    }

    /// Sets the depth of the images; the default is the deepest of the inputs, or float.
    pub fn depth(mut self, depth: Depth) -> Self {
        self.wanted.depth = Some(depth);
        self
    }

    /// Sets the components of the output; the default is that of the first input, or RGBA.
    pub fn components(mut self, components: Components) -> Self {
        self.wanted.components = Some(components);
        self
    }

    /// Sets a parameter's value: numbers, text, or a choice by label or index.
    pub fn set(mut self, param: impl Into<String>, value: impl Into<Value>) -> Self {
        self.values.push((param.into(), value.into()));
        self
    }

    /// Sets a parameter's value at a time.
    pub fn key(mut self, param: impl Into<String>, time: f64, value: impl Into<Value>) -> Self {
        self.keys.push((param.into(), time, value.into()));
        self
    }

    /// Connects a clip.
    pub fn clip(mut self, clip: impl Into<String>, source: Source) -> Self {
        self.clips.push((clip.into(), source));
        self
    }

    /// Connects a camera to the first camera input.
    pub fn camera(mut self, camera: Camera) -> Self {
        self.camera = Some(camera);
        self
    }

    /// Creates the node and its instance.
    ///
    /// # Errors
    /// Wrong usage: an unknown parameter, clip, option or context, a value out of
    /// range, a bad project; or the plug-in's refusal.
    pub fn create(self) -> Result<Node> {
        self.project.check()?;
        let descriptor = self.plugin.in_context(self.context)?;
        let core = NodeCore::assemble(&self, descriptor);
        for (name, value) in &self.values {
            core.apply(name, None, value)?;
        }
        for (name, time, value) in &self.keys {
            core.apply(name, Some(*time), value)?;
        }
        for (name, source) in self.clips {
            core.clip(&name)?.set_source(Some(Arc::new(source)));
        }
        if let Some(camera) = self.camera {
            core.camera_input()?.connect(Some(camera));
        }
        core.create_main()?;
        Ok(Node::new(core))
    }
}

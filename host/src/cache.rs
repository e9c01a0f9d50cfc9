//! The picture cache of hosts that know the current frame only, and the hashes behind it.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use flow_openfx as ofx;

use crate::frame::Frame;
use crate::node::NodeCore;
use crate::params::Value;
use crate::render::Request;
use crate::source::{Kind, Source};

/// Bytes of pictures that a node keeps.
const BUDGET: usize = 256 << 20;

/// Finished frames of one node, the latest last.
#[derive(Default)]
pub(crate) struct PictureCache {
    kept: Mutex<VecDeque<(u64, Frame)>>,
}

impl PictureCache {
    pub(crate) fn get(&self, key: u64) -> Option<Frame> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(k, _)| *k == key).map(|(_, frame)| frame.clone())
    }

    pub(crate) fn keep(&self, key: u64, frame: &Frame) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(k, _)| *k != key);
        kept.push_back((key, frame.clone()));
        let size =
            |kept: &VecDeque<(u64, Frame)>| -> usize { kept.iter().map(|(_, frame)| frame.image.data().len()).sum() };
        while size(&kept) > BUDGET {
            kept.pop_front();
        }
    }

    pub(crate) fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Hash of a frame's dependencies that such a host knows: the values and the
/// inputs at this very frame, and the settings of the render.
pub(crate) fn frame_hash(core: &NodeCore, request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Request {
        time,
        scale,
        window,
        whole,
        wanted,
        rows,
        draft,
        thumbnail,
        abort: _,
        interactive: _,
        bands: _,
        bracketed: _,
        claims,
        planes,
        withheld,
    } = request;
    hasher.write_u64(time.to_bits());
    hasher.write_u64(scale.0.to_bits());
    hasher.write_u64(scale.1.to_bits());
    (window, whole, wanted.depth, wanted.components, rows, draft, thumbnail).hash(&mut hasher);
    (planes, withheld).hash(&mut hasher);
    format!("{claims:?}").hash(&mut hasher);
    hash_node(core, *time, &mut hasher);
    hasher.finish()
}

fn hash_node(core: &NodeCore, time: f64, hasher: &mut DefaultHasher) {
    core.plugin.id.hash(hasher);
    core.name.hash(hasher);
    // Parameters that the plug-in declares to be without effect on the picture are not hashed.
    for param in core.params.iter().filter(|param| param.props.int(ofx::kOfxParamPropEvaluateOnChange) != Some(0)) {
        match param.at(time) {
            Value::Ints(values) => values.hash(hasher),
            Value::Doubles(values) => values.iter().for_each(|v| hasher.write_u64(v.to_bits())),
            Value::Text(text) => text.hash(hasher),
        }
    }
    for clip in core.clips.iter().filter(|clip| !clip.is_output) {
        clip.name.hash(hasher);
        hasher.write_u64(source_hash(clip.source().as_deref(), time, &core.name));
    }
    for input in &core.cameras {
        if let Some(camera) = input.camera() {
            format!("{camera:?}").hash(hasher);
        }
    }
}

/// A hash of a clip's input at a time.
pub(crate) fn source_hash(source: Option<&Source>, time: f64, node: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    if let Some(source) = source {
        match &source.kind {
            Kind::Constant(rgba) => rgba.map(f32::to_bits).hash(&mut hasher),
            Kind::Pictures { .. } => (source.serial, time.to_bits()).hash(&mut hasher),
            Kind::Files(sequence) => sequence.file_at(time).hash(&mut hasher),
            Kind::Node(node) => hash_node(&node.core, time, &mut hasher),
        }
    }
    hasher.finish()
}

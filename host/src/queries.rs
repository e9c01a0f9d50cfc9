//! The actions before a render.

use std::sync::Arc;

use flow_openfx as ofx;

use crate::instance::Instance;
use crate::names::of_clip;
use crate::plugin::Call;
use crate::profile::Planes;
use crate::props::PropSet;
use crate::{Plane, RectD, RectI, Result, Status};

/// Ranges of times, first and last, by clip.
pub type Ranges = Vec<(String, Vec<(f64, f64)>)>;

fn prepared(instance: &Instance, name: &'static str, time: f64, scale: (f64, f64)) -> Call {
    let mut call = instance.action(name, Some(time));
    call.action.scale = scale;
    call
}

/// The region of definition in canonical coordinates: the plug-in's, or the default
/// for its context. It is never unbounded.
pub(crate) fn region_of_definition(instance: &Instance, time: f64, scale: (f64, f64)) -> Result<RectD> {
    let node = &instance.node;
    let area = node.project.canonical();
    let mut default = RectD::default();
    for clip in node.clips.iter().filter(|clip| !clip.is_output) {
        if clip.props.int(ofx::kOfxImageClipPropOptional) != Some(1)
            && let Some(source) = clip.source()
            && let Some(region) = source.region_at(time, &node.project)
        {
            default = default.union(&region);
        }
    }
    if default.is_empty() {
        default = area;
    }
    let inputs = PropSet::new("GetRegionOfDefinition arguments");
    inputs.doubles(ofx::kOfxPropTime, &[time]).doubles(ofx::kOfxImageEffectPropRenderScale, &[scale.0, scale.1]).seal();
    let outputs = PropSet::new("GetRegionOfDefinition results");
    outputs.doubles(ofx::kOfxImageEffectPropRegionOfDefinition, &default.to_array());
    let call = prepared(instance, ofx::Action::GetRegionOfDefinition.as_str(), time, scale);
    let (status, action) = node.plugin.call(call, Some(&inputs), Some(&outputs));
    node.plugin.check(ofx::Action::GetRegionOfDefinition.as_str(), status, &action)?;
    let region = match outputs.get_doubles(ofx::kOfxImageEffectPropRegionOfDefinition)[..] {
        [x1, y1, x2, y2] if status == Status::OK => RectD { x1, y1, x2, y2 },
        _ => default,
    };
    Ok(region.bounded_by(&area))
}

/// The clip and time whose image replaces this frame; `None` if the frame has to be rendered.
pub(crate) fn identity(
    instance: &Instance,
    time: f64,
    scale: (f64, f64),
    window: RectI,
    field: &str,
) -> Result<Option<(String, f64)>> {
    let node = &instance.node;
    let inputs = PropSet::new("IsIdentity arguments");
    inputs
        .doubles(ofx::kOfxPropTime, &[time])
        .text(ofx::kOfxImageEffectPropFieldToRender, field)
        .ints(ofx::kOfxImageEffectPropRenderWindow, &window.to_array())
        .doubles(ofx::kOfxImageEffectPropRenderScale, &[scale.0, scale.1])
        .seal();
    let outputs = PropSet::new("IsIdentity results");
    outputs.text(ofx::kOfxPropName, "").doubles(ofx::kOfxPropTime, &[time]);
    let call = prepared(instance, ofx::Action::IsIdentity.as_str(), time, scale);
    let (status, action) = node.plugin.call(call, Some(&inputs), Some(&outputs));
    node.plugin.check(ofx::Action::IsIdentity.as_str(), status, &action)?;
    if status != Status::OK {
        return Ok(None);
    }
    let clip = outputs.get_text(ofx::kOfxPropName).unwrap_or_default();
    let at = outputs.get_doubles(ofx::kOfxPropTime).first().copied().unwrap_or(time);
    if clip.is_empty() {
        return Ok(None);
    }
    if !node.clips.iter().any(|c| c.name == clip) {
        action.record.violation(format!("{}: identity names no clip: '{clip}'", node.name));
        return Ok(None);
    }
    Ok(Some((clip, at)))
}

/// The frames that the plug-in declares to need of each clip.
pub(crate) fn frames_needed(instance: &Instance, time: f64) -> Result<Ranges> {
    let node = &instance.node;
    let inputs = PropSet::new("GetFramesNeeded arguments");
    inputs.doubles(ofx::kOfxPropTime, &[time]).seal();
    let outputs = PropSet::new("GetFramesNeeded results");
    let clips: Vec<_> = node.clips.iter().filter(|clip| !clip.is_output).collect();
    for clip in &clips {
        outputs.any_doubles(&of_clip(ofx::CLIP_FRAME_RANGES, &clip.name), &[time, time]);
    }
    let call = prepared(instance, ofx::Action::GetFramesNeeded.as_str(), time, (1.0, 1.0));
    let (status, action) = node.plugin.call(call, Some(&inputs), Some(&outputs));
    node.plugin.check(ofx::Action::GetFramesNeeded.as_str(), status, &action)?;
    let mut ranges = Ranges::new();
    for clip in clips {
        let values = outputs.get_doubles(&of_clip(ofx::CLIP_FRAME_RANGES, &clip.name));
        if !values.len().is_multiple_of(2) {
            action.record.violation(format!("{}: half a frame range for {}", node.name, clip.name));
        }
        let pairs = values.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        ranges.push((clip.name.clone(), pairs));
    }
    Ok(ranges)
}

/// The planes that the plug-in renders: those that it names, or those of the agreed components.
pub(crate) fn planes(instance: &Instance, time: f64) -> Result<Vec<Plane>> {
    let node = &instance.node;
    if !node.descriptor.multi_planar() {
        return Ok(vec![Plane::colour()]);
    }
    match node.profile().planes {
        Planes::None => return Ok(vec![Plane::colour()]),
        Planes::Motion if node.agree(instance)?.motion => {
            return Ok(vec![Plane::colour(), Plane::forward(), Plane::backward()]);
        }
        Planes::Motion => return Ok(vec![Plane::colour()]),
        Planes::Any => {}
    }
    let inputs = PropSet::new("GetClipComponents arguments");
    inputs.doubles(ofx::kOfxPropTime, &[time]).seal();
    let outputs = PropSet::new("GetClipComponents results");
    outputs
        .text(ofx::kFnOfxImageEffectPropPassThroughClip, "")
        .doubles(ofx::kFnOfxImageEffectPropPassThroughTime, &[time])
        .ints(ofx::kFnOfxImageEffectPropPassThroughView, &[0]);
    for clip in &node.clips {
        outputs.texts(&of_clip(ofx::kFnOfxImageEffectActionGetClipComponentsPropString, &clip.name), &[]);
    }
    let call = prepared(instance, ofx::Action::GetClipComponents.as_str(), time, (1.0, 1.0));
    let (status, action) = node.plugin.call(call, Some(&inputs), Some(&outputs));
    node.plugin.check(ofx::Action::GetClipComponents.as_str(), status, &action)?;
    let mut made = Vec::new();
    for clip in &node.clips {
        for name in outputs.get_texts(&of_clip(ofx::kFnOfxImageEffectActionGetClipComponentsPropString, &clip.name)) {
            match Plane::parse(&name) {
                None => {
                    action.record.violation(format!("{}: '{name}' is no plane of {}", node.name, clip.name));
                }
                Some(plane) if clip.is_output => made.push(plane),
                Some(_) => {}
            }
        }
    }
    Ok(made)
}

/// Calls GetRegionsOfInterest: the regions that the plug-in needs of each clip.
pub(crate) fn regions_of_interest(
    instance: &Instance,
    time: f64,
    scale: (f64, f64),
    wanted: RectD,
) -> Result<Vec<(String, RectD)>> {
    let node = &instance.node;
    let inputs = PropSet::new("GetRegionsOfInterest arguments");
    inputs
        .doubles(ofx::kOfxPropTime, &[time])
        .doubles(ofx::kOfxImageEffectPropRenderScale, &[scale.0, scale.1])
        .doubles(ofx::kOfxImageEffectPropRegionOfInterest, &wanted.to_array())
        .seal();
    let outputs = PropSet::new("GetRegionsOfInterest results");
    for clip in node.clips.iter().filter(|clip| !clip.is_output) {
        outputs.doubles(&of_clip(ofx::CLIP_REGION_OF_INTEREST, &clip.name), &wanted.to_array());
    }
    let call = prepared(instance, ofx::Action::GetRegionsOfInterest.as_str(), time, scale);
    let (status, action) = node.plugin.call(call, Some(&inputs), Some(&outputs));
    node.plugin.check(ofx::Action::GetRegionsOfInterest.as_str(), status, &action)?;
    let requested = |name: &str| match outputs.get_doubles(&of_clip(ofx::CLIP_REGION_OF_INTEREST, name))[..] {
        [x1, y1, x2, y2] => RectD { x1, y1, x2, y2 },
        _ => wanted,
    };
    Ok(node
        .clips
        .iter()
        .filter(|clip| !clip.is_output)
        .map(|clip| (clip.name.clone(), requested(&clip.name)))
        .collect())
}

/// The times at which the plug-in has a picture, if the plug-in declares them.
pub(crate) fn time_domain(instance: &Arc<Instance>) -> Result<Option<(f64, f64)>> {
    let node = &instance.node;
    let outputs = PropSet::new("GetTimeDomain results");
    outputs.doubles(ofx::kOfxImageEffectPropFrameRange, &[node.project.frames.0, node.project.frames.1]);
    let call = instance.action(ofx::Action::GetTimeDomain.as_str(), None);
    let (status, action) = node.plugin.call(call, None, Some(&outputs));
    node.plugin.check(ofx::Action::GetTimeDomain.as_str(), status, &action)?;
    Ok(match outputs.get_doubles(ofx::kOfxImageEffectPropFrameRange)[..] {
        [first, last] if status == Status::OK => Some((first, last)),
        _ => None,
    })
}

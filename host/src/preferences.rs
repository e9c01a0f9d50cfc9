//! The agreement of host and plug-in on formats, before any render.

use std::sync::Arc;

use flow_openfx as ofx;

use crate::instance::Instance;
use crate::names::Named as _;
use crate::names::of_clip;
use crate::node::NodeCore;
use crate::profile::Planes;
use crate::props::PropSet;
use crate::record::short_action;
use crate::{Components, Depth, Error, Premultiplication, Result, Status};

/// The format of a node's output.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// Storage format of a channel.
    pub depth: Depth,
    /// Channels of a pixel.
    pub components: Components,
    /// Relation of the colour to the alpha.
    pub premultiplication: Premultiplication,
    /// Width over height of a pixel.
    pub pixel_aspect: f64,
    /// Frames differ even if nothing is animated.
    pub frame_varying: bool,
    /// The output carries motion vectors beside its components.
    pub motion: bool,
}

/// Format and pixel aspect ratio of a source before any conversion.
type Native = ((Depth, Components, Premultiplication), f64);

impl NodeCore {
    /// The agreement; negotiated with the plug-in if it is unknown.
    pub(crate) fn preferences(self: &Arc<Self>) -> Result<Arc<Preferences>> {
        match self.cached_preferences() {
            Some(preferences) => Ok(preferences),
            None => self.with_query_instance(|instance| self.agree(instance)),
        }
    }

    /// The agreement; negotiated with this instance if it is unknown.
    pub(crate) fn agree(self: &Arc<Self>, instance: &Instance) -> Result<Arc<Preferences>> {
        // Instances that live for one frame negotiate each time.
        if let Some(preferences) = self.cached_preferences().filter(|_| !self.per_frame()) {
            return Ok(preferences);
        }
        let preferences = Arc::new(self.negotiate(instance)?);
        self.keep_preferences(&preferences);
        Ok(preferences)
    }

    fn negotiate(&self, instance: &Instance) -> Result<Preferences> {
        let profile = self.profile();
        let depths = self.descriptor.depths();
        let wanted = self.wanted();
        let Some(deepest) = depths.iter().copied().max_by_key(|depth| rank(*depth)) else {
            return Err(Error::usage(format!(
                "{} has no pixel depth that the host '{}' handles",
                self.plugin.id, profile.label
            )));
        };
        if let Some(depth) = wanted.depth
            && !depths.contains(&depth)
        {
            return Err(Error::usage(format!(
                "{} does not do {depth:?} here; its depths are {depths:?}",
                self.plugin.id
            )));
        }
        let mut natives = Vec::new();
        for clip in &self.clips {
            let native = match clip.source() {
                Some(source) if !clip.is_output => Some((source.native(&self.project)?, source.par(&self.project))),
                _ => None,
            };
            natives.push(native);
        }
        let inputs = natives.iter().flatten().map(|((depth, ..), _)| *depth);
        let from_inputs = inputs.max_by_key(|depth| rank(*depth)).unwrap_or(Depth::Float);
        let project_depth =
            wanted.depth.unwrap_or_else(|| if depths.contains(&from_inputs) { from_inputs } else { deepest });
        let per_clip = profile.multiple_depths
            && wanted.depth.is_none()
            && self.descriptor.props.int(ofx::kOfxImageEffectPropSupportsMultipleClipDepths) == Some(1);
        let outputs = PropSet::new("GetClipPreferences results");
        outputs
            .doubles(ofx::kOfxImageEffectPropFrameRate, &[self.project.fps])
            .ints(ofx::kOfxImageEffectFrameVarying, &[0])
            .ints(ofx::kOfxImageClipPropContinuousSamples, &[0])
            .text(ofx::kOfxImageClipPropFieldOrder, ofx::Field::None.as_str());
        let first_par = natives.iter().flatten().map(|(_, par)| *par).next();
        let mut premultiplication = Premultiplication::Premultiplied;
        let mut first = None;
        for (clip, native) in self.clips.iter().zip(&natives) {
            let (depth, components, par) = match native {
                Some(((depth, components, premultiplied), par)) => {
                    if first.is_none() {
                        premultiplication = *premultiplied;
                    }
                    let depth = if per_clip && depths.contains(depth) { *depth } else { project_depth };
                    let chosen = nearest(*components, &clip.supported);
                    first = first.or(Some(*components));
                    (depth, chosen, *par)
                }
                None => {
                    let like = wanted.components.filter(|_| clip.is_output);
                    let like = like.or(first.filter(|_| clip.is_output)).unwrap_or(Components::Rgba);
                    let par = first_par.filter(|_| clip.is_output).unwrap_or(self.project.par);
                    (project_depth, nearest(like, &clip.supported), par)
                }
            };
            let name = &clip.name;
            outputs
                .texts(&of_clip(ofx::CLIP_COMPONENTS, name), &[components.as_str()])
                .text(&of_clip(ofx::CLIP_DEPTH, name), depth.as_str())
                .doubles(&of_clip(ofx::CLIP_PIXEL_ASPECT, name), &[par]);
        }
        if let Some(claimed) = profile.premultiplication {
            premultiplication = claimed;
        }
        outputs.text(ofx::kOfxImageEffectPropPreMultiplication, premultiplication.as_str());
        // The output's own components take precedence over those of clips.
        let output_components = self.clips.iter().zip(&natives).position(|(clip, _)| clip.is_output);
        if let Some(at) = output_components {
            let clip = &self.clips[at];
            let like = wanted.components.or(first).unwrap_or(Components::Rgba);
            let name = of_clip(ofx::CLIP_COMPONENTS, &clip.name);
            outputs.texts(&name, &[nearest(like, &clip.supported).as_str()]);
        }
        self.publish(&outputs, &natives, premultiplication)?;
        let call = instance.action(ofx::Action::GetClipPreferences.as_str(), None);
        let (status, action) = self.plugin.call(call, None, Some(&outputs));
        self.plugin.check(ofx::Action::GetClipPreferences.as_str(), status, &action)?;
        if status != Status::OK && status != Status::REPLY_DEFAULT {
            action.record.violation(format!(
                "{} answered {status} to {}",
                self.plugin.id,
                short_action(ofx::Action::GetClipPreferences.as_str())
            ));
        }
        self.publish(&outputs, &natives, premultiplication)
    }

    /// Reads the agreement and writes it to the clips' properties.
    fn publish(
        &self,
        agreed: &PropSet,
        natives: &[Option<Native>],
        fallback: Premultiplication,
    ) -> Result<Preferences> {
        let premultiplication = agreed
            .get_text(ofx::kOfxImageEffectPropPreMultiplication)
            .and_then(|name| Premultiplication::parse(&name))
            .unwrap_or(fallback);
        let mut output = None;
        for (clip, native) in self.clips.iter().zip(natives) {
            let name = &clip.name;
            let text = |prefix: &str| agreed.get_text(&format!("{prefix}{name}")).unwrap_or_default();
            let depth = Depth::parse(&text(ofx::text(ofx::CLIP_DEPTH.to_bytes_with_nul())));
            let components = Components::parse(&text(ofx::text(ofx::CLIP_COMPONENTS.to_bytes_with_nul())));
            let (Some(depth), Some(components)) = (depth, components) else {
                return Err(Error::usage(format!(
                    "{} asks for {} {} on {name}, which this host does not do",
                    self.plugin.id,
                    text(ofx::text(ofx::CLIP_COMPONENTS.to_bytes_with_nul())),
                    text(ofx::text(ofx::CLIP_DEPTH.to_bytes_with_nul()))
                )));
            };
            let par = agreed.get_doubles(&of_clip(ofx::CLIP_PIXEL_ASPECT, name)).first().copied().unwrap_or(1.0);
            let connected = native.is_some() || clip.is_output;
            let format = connected.then_some((depth, components));
            let own = match native {
                Some(((.., premultiplied), _)) => *premultiplied,
                None => premultiplication,
            };
            let unmapped = native.map_or(format, |((depth, components, _), _)| Some((depth, components)));
            clip.publish(self, format, unmapped, own.as_str(), par);
            if clip.is_output {
                output = Some((depth, components, par));
            }
        }
        let (depth, components, pixel_aspect) = output.ok_or_else(|| {
            Error::usage(format!("{} defines no Output clip in context {}", self.plugin.id, self.context.name()))
        })?;
        Ok(Preferences {
            depth,
            components,
            premultiplication,
            pixel_aspect,
            frame_varying: agreed.int(ofx::kOfxImageEffectFrameVarying) == Some(1),
            motion: self.profile().planes == Planes::Motion
                && agreed
                    .get_texts(&of_clip(ofx::CLIP_COMPONENTS, ofx::text(ofx::kOfxImageEffectOutputClipName)))
                    .iter()
                    .any(|components| {
                        components == ofx::text(ofx::kFnOfxImageComponentMotionVectors.to_bytes_with_nul())
                    }),
        })
    }
}

/// Order of depths by range and precision.
fn rank(depth: Depth) -> usize {
    Depth::ALL.iter().position(|d| *d == depth).unwrap_or(0)
}

/// The supported components nearest to those of the input.
fn nearest(components: Components, supported: &[Components]) -> Components {
    if supported.is_empty() || supported.contains(&components) {
        return components;
    }
    [Components::Rgba, Components::Rgb, Components::Alpha]
        .into_iter()
        .find(|c| supported.contains(c))
        .unwrap_or(components)
}

//! Arguments and results of actions.

use std::ffi::{CStr, CString};

use flow_openfx::{self as sys, Name};

use super::{
    ChangeReason, Components, Field, Premultiplication,
    error::{Error, Result},
    geometry::{RangeD, RectD, RectI},
    plane::Plane,
    property::{PropertySet, PropertyValue},
};

/// The outcome of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action was handled.
    Done,
    /// The action was not handled: the host takes the default of the specification.
    Default,
}

/// The arguments of a render.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderArgs {
    /// The frame; may be fractional and negative.
    pub time: f64,
    /// The field; values other than upper and lower count as progressive.
    pub field: Field,
    /// The pixels to write, in the output image's coordinates.
    pub window: RectI,
    /// Pixels per full-resolution pixel, in x and y. The output's bounds take precedence.
    pub scale: [f64; 2],
    /// Whether speed matters more than quality.
    pub draft: bool,
    /// Whether the image is a thumbnail.
    pub thumbnail: bool,
    /// The output planes to render, by the host's names; empty in a host without planes.
    pub planes: Vec<String>,
}

/// An input that is identical to the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    /// The name of the input.
    pub clip: &'static CStr,
    /// The frame of the input.
    pub time: f64,
}

/// A frame at a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameArgs {
    /// The frame.
    pub time: f64,
    /// Pixels per full-resolution pixel, in x and y.
    pub scale: [f64; 2],
}

/// The arguments at the end of a sequence of renders. Natron and MLT announce every frame as a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequenceArgs {
    /// Whether the host runs with a user interface.
    pub interactive: bool,
}

/// The type of a changed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedKind {
    /// A parameter.
    Param,
    /// A clip: its connection or its input.
    Clip,
    /// Any other object.
    Other,
}

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedArgs {
    /// The type of the changed object.
    pub kind: ChangedKind,
    /// The name of the changed object.
    pub name: String,
    /// The cause; a user edit if the host names none.
    pub reason: ChangeReason,
    /// The frame that the user sees; 0 if the host names none.
    pub time: f64,
}

/// The property set of an action that needs one.
fn required<'a, 'p>(args: Option<&'a PropertySet<'p>>) -> Result<&'a PropertySet<'p>> {
    args.ok_or(Error::BadHandle("arguments"))
}

pub(super) fn time(args: &PropertySet<'_>) -> Result<f64> {
    let time = args.get_double(sys::kOfxPropTime, 0)?;
    if time.is_finite() { Ok(time) } else { Err(Error::message(format!("The host asked for frame {time}."))) }
}

/// The render scale; 1 if it is missing or not positive.
fn scale(args: &PropertySet<'_>) -> [f64; 2] {
    let usable = |scale: &[f64; 2]| scale.iter().all(|scale| scale.is_finite() && *scale > 0.0);
    args.doubles(sys::kOfxImageEffectPropRenderScale).ok().filter(usable).unwrap_or([1.0, 1.0])
}

impl RenderArgs {
    /// `planes` tells whether the host has planes.
    pub(super) fn read(args: Option<&PropertySet<'_>>, planes: bool) -> Result<Self> {
        let args = required(args)?;
        let time = time(args)?;
        let [x1, y1, x2, y2] = args.ints(sys::kOfxImageEffectPropRenderWindow)?;
        Ok(Self {
            time,
            field: args.parsed(sys::kOfxImageEffectPropFieldToRender, Field::parse).unwrap_or(Field::None),
            window: RectI { x1, y1, x2, y2 },
            scale: scale(args),
            draft: args.flag(sys::kOfxImageEffectPropRenderQualityDraft),
            thumbnail: args.flag(sys::kOfxImageEffectPropThumbnailRender),
            planes: if planes { args.strings(sys::kOfxImageEffectPropRenderPlanes) } else { Vec::new() },
        })
    }
}

impl Identity {
    pub(super) fn write(&self, out: Option<&PropertySet<'_>>) -> Result<()> {
        let out = required(out)?;
        out.set(sys::kOfxPropName, 0, self.clip)?;
        out.set(sys::kOfxPropTime, 0, self.time)
    }
}

impl FrameArgs {
    pub(super) fn read(args: Option<&PropertySet<'_>>) -> Result<Self> {
        let args = required(args)?;
        Ok(Self { time: time(args)?, scale: scale(args) })
    }
}

impl SequenceArgs {
    pub(super) fn read(args: Option<&PropertySet<'_>>) -> Result<Self> {
        Ok(Self { interactive: required(args)?.flag(sys::kOfxPropIsInteractive) })
    }
}

/// The cause of a change. Undo and reset count as user edits, as does a missing cause.
pub(super) fn change_reason(args: Option<&PropertySet<'_>>) -> ChangeReason {
    let reason = args.and_then(|args| args.parsed(sys::kOfxPropChangeReason, ChangeReason::parse));
    reason.unwrap_or(ChangeReason::UserEdited)
}

impl ChangedArgs {
    pub(super) fn read(args: Option<&PropertySet<'_>>) -> Result<Self> {
        let reason = change_reason(args);
        let args = required(args)?;
        let kind = args.get_string(sys::kOfxPropType, 0).unwrap_or_default();
        Ok(Self {
            kind: if kind == sys::text(sys::kOfxTypeParameter) {
                ChangedKind::Param
            } else if kind == sys::text(sys::kOfxTypeClip) {
                ChangedKind::Clip
            } else {
                ChangedKind::Other
            },
            name: args.get_string(sys::kOfxPropName, 0).unwrap_or_default(),
            reason,
            time: time(args).unwrap_or(0.0),
        })
    }
}

/// The name of a property of one clip: `prefix` followed by the clip's name.
fn of_clip(prefix: &CStr, clip: &CStr) -> CString {
    CString::new([prefix.to_bytes(), clip.to_bytes()].concat()).unwrap_or_default()
}

fn set_all<V: PropertyValue>(
    out: &PropertySet<'_>,
    name: &(impl Name + ?Sized),
    values: impl IntoIterator<Item = V>,
) -> Result<()> {
    values.into_iter().enumerate().try_for_each(|(index, value)| out.set(name, index, value))
}

fn edges(rect: RectD) -> [f64; 4] {
    [rect.x1, rect.y1, rect.x2, rect.y2]
}

/// Writes the result of the action GetRegionOfDefinition.
pub(super) fn write_region_of_definition(out: Option<&PropertySet<'_>>, region: RectD) -> Result<()> {
    set_all(required(out)?, sys::kOfxImageEffectPropRegionOfDefinition, edges(region))
}

/// The result of the action GetRegionsOfInterest: the regions of the inputs that a render needs.
#[derive(Debug)]
pub struct RegionsOfInterest<'a> {
    /// The frame of the output.
    pub time: f64,
    out: &'a PropertySet<'a>,
}

/// The result of the action GetFramesNeeded: the frames of the inputs that a frame of the output needs. A pure function
/// of the parameters and the time, because hosts keep the result.
#[derive(Debug)]
pub struct FramesNeeded<'a> {
    /// The frame of the output.
    pub time: f64,
    out: &'a PropertySet<'a>,
}

/// The result of the action GetClipComponents: the planes of the output, and the planes needed of the inputs.
#[derive(Debug)]
pub struct ClipPlanes<'a> {
    /// The frame of the output.
    pub time: f64,
    out: &'a PropertySet<'a>,
}

macro_rules! read_time_and_out {
    ($($type:ident)*) => {
        $(impl<'a> $type<'a> {
            pub(super) fn read(args: Option<&PropertySet<'_>>, out: Option<&'a PropertySet<'a>>) -> Result<Self> {
                Ok(Self { time: time(required(args)?)?, out: required(out)? })
            }
        })*
    };
}

read_time_and_out!(RegionsOfInterest FramesNeeded ClipPlanes);

impl RegionsOfInterest<'_> {
    /// Requests `region` of the input `clip`, in canonical coordinates.
    ///
    /// # Errors
    ///
    /// The host has no such clip.
    pub fn set(&mut self, clip: &CStr, region: RectD) -> Result<()> {
        set_all(self.out, &of_clip(sys::CLIP_REGION_OF_INTEREST, clip), edges(region))
    }
}

impl FramesNeeded<'_> {
    /// Requests `ranges` of the input `clip`.
    ///
    /// # Errors
    ///
    /// The host has no such clip.
    pub fn set(&mut self, clip: &CStr, ranges: &[RangeD]) -> Result<()> {
        let times = ranges.iter().flat_map(|range| [range.min, range.max]);
        set_all(self.out, &of_clip(sys::CLIP_FRAME_RANGES, clip), times)
    }
}

impl ClipPlanes<'_> {
    /// Sets the planes of `clip`: rendered for the output, needed for an input.
    ///
    /// # Errors
    ///
    /// The host has no such clip.
    pub fn set(&mut self, clip: &CStr, planes: impl IntoIterator<Item = Plane>) -> Result<()> {
        let names = planes.into_iter().map(Plane::as_cstr);
        set_all(self.out, &of_clip(sys::kFnOfxImageEffectActionGetClipComponentsPropString, clip), names)
    }
}

/// The result of the action GetClipPreferences: the formats of the clips. A format that is not set stays as the host
/// proposes it; a refusal by the host is logged.
#[derive(Debug)]
pub struct ClipPreferences<'a> {
    out: &'a PropertySet<'a>,
}

impl<'a> ClipPreferences<'a> {
    pub(super) fn read(out: Option<&'a PropertySet<'a>>) -> Result<Self> {
        Ok(Self { out: required(out)? })
    }

    /// The components of `clip`.
    pub fn components(&mut self, clip: &CStr, components: Components) -> &mut Self {
        self.set_components(clip, 0, components.as_cstr())
    }

    /// Adds motion vectors to the components of `clip`, in hosts that agree on planes by components.
    pub fn motion_planes(&mut self, clip: &CStr) -> &mut Self {
        self.set_components(clip, 1, sys::kFnOfxImageComponentMotionVectors)
    }

    fn set_components(&mut self, clip: &CStr, index: usize, components: &'static CStr) -> &mut Self {
        self.out.try_set_at(&of_clip(sys::CLIP_COMPONENTS, clip), index, components);
        self
    }

    /// The relation of the output's colour to its alpha.
    pub fn premultiplication(&mut self, premultiplication: Premultiplication) -> &mut Self {
        self.out.try_set(sys::kOfxImageEffectPropPreMultiplication, [premultiplication.as_cstr()]);
        self
    }

    /// Whether frames of the output differ while no parameter does.
    pub fn frame_varying(&mut self, varying: bool) -> &mut Self {
        self.out.try_set(sys::kOfxImageEffectFrameVarying, [varying]);
        self
    }

    /// Whether there are images between whole frames.
    pub fn continuous_samples(&mut self, continuous: bool) -> &mut Self {
        self.out.try_set(sys::kOfxImageClipPropContinuousSamples, [continuous]);
        self
    }
}

//! What actions are told, and what they answer.

use std::ffi::{CStr, CString};

use super::{
    ffi::extra,
    format::{ChangeReason, Components, Depth, Field, Premultiplication},
    geometry::{RangeD, RectD, RectI},
    handle::parse,
    names,
    plane::Plane,
    property::PropertySet,
    status::{Error, Result},
};

/// How an action was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was handled.
    Done,
    /// It was not: the host does what the specification says is the default.
    Default,
}

/// What to render.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderArgs {
    /// The frame; may be fractional and negative.
    pub time: f64,
    /// The field; treat everything but upper and lower as progressive.
    pub field: Field,
    /// The pixels to write, in the output image's coordinates.
    pub window: RectI,
    /// Pixels rendered per full-resolution pixel, in x and y. Where the output's bounds disagree, they are right.
    pub scale: [f64; 2],
    /// Whether the host claims to render in order. Hosts claim it of random order too.
    pub sequential: bool,
    /// Whether the user is waiting for the picture.
    pub interactive: bool,
    /// Whether speed matters more than quality.
    pub draft: bool,
    /// Whether the picture is a thumbnail.
    pub thumbnail: bool,
    /// The planes of the output that are wanted, by the names that the host gives them; none where it doesn't say.
    pub planes: Vec<String>,
}

/// Which picture may be an input unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdentityArgs {
    /// The frame.
    pub time: f64,
    /// The field.
    pub field: Field,
    /// The pixels that would be written.
    pub window: RectI,
    /// Pixels rendered per full-resolution pixel, in x and y.
    pub scale: [f64; 2],
}

/// An input that is the output, unchanged.
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
    /// Pixels rendered per full-resolution pixel, in x and y.
    pub scale: [f64; 2],
}

/// A sequence that will be, or was, rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequenceArgs {
    /// First and last frame. Natron and MLT announce every frame as a sequence of its own.
    pub range: RangeD,
    /// From one frame to the next.
    pub step: f64,
    /// Pixels rendered per full-resolution pixel, in x and y.
    pub scale: [f64; 2],
    /// Whether the host runs with a user interface.
    pub interactive: bool,
    /// Whether the host claims to render in order.
    pub sequential: bool,
}

/// What kind of thing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedKind {
    /// A parameter.
    Param,
    /// A clip: what is wired to it.
    Clip,
    /// Something else.
    Other,
}

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedArgs {
    /// What kind of thing changed.
    pub kind: ChangedKind,
    /// Its name.
    pub name: String,
    /// Why; user edits where the host doesn't say.
    pub reason: ChangeReason,
    /// The frame that the user sees; 0 where the host doesn't say.
    pub time: f64,
    /// The scale that the user sees.
    pub scale: [f64; 2],
}

/// The arguments of an action that cannot go without them.
fn required<'a, 'p>(args: Option<&'a PropertySet<'p>>) -> Result<&'a PropertySet<'p>> {
    args.ok_or(Error::BadHandle("arguments"))
}

pub(super) fn time(args: &PropertySet<'_>) -> Result<f64> {
    let time = args.get_double(names::TIME, 0)?;
    if time.is_finite() { Ok(time) } else { Err(Error::message(format!("The host asked for frame {time}."))) }
}

/// A scale that is missing or senseless is 1.
fn scale(args: &PropertySet<'_>) -> [f64; 2] {
    let usable = |scale: &[f64; 2]| scale.iter().all(|scale| scale.is_finite() && *scale > 0.0);
    args.doubles(names::RENDER_SCALE).ok().filter(usable).unwrap_or([1.0, 1.0])
}

fn window(args: &PropertySet<'_>) -> Result<RectI> {
    let [x1, y1, x2, y2] = args.ints(names::RENDER_WINDOW)?;
    Ok(RectI { x1, y1, x2, y2 })
}

fn field(args: &PropertySet<'_>) -> Field {
    parse(args, names::FIELD_TO_RENDER, Field::parse).unwrap_or(Field::None)
}

impl RenderArgs {
    /// `planes` says whether the host has planes to name.
    pub(super) fn read(args: Option<&PropertySet<'_>>, planes: bool) -> Result<Self> {
        let args = required(args)?;
        Ok(Self {
            time: time(args)?,
            field: field(args),
            window: window(args)?,
            scale: scale(args),
            sequential: args.flag(names::SEQUENTIAL_RENDER_STATUS),
            interactive: args.flag(names::INTERACTIVE_RENDER_STATUS),
            draft: args.flag(names::RENDER_QUALITY_DRAFT),
            thumbnail: args.flag(extra::kOfxImageEffectPropThumbnailRender),
            planes: if planes { args.strings(extra::kOfxImageEffectPropRenderPlanes) } else { Vec::new() },
        })
    }
}

impl IdentityArgs {
    pub(super) fn read(args: Option<&PropertySet<'_>>) -> Result<Self> {
        let args = required(args)?;
        Ok(Self { time: time(args)?, field: field(args), window: window(args)?, scale: scale(args) })
    }
}

impl Identity {
    pub(super) fn write(&self, out: Option<&PropertySet<'_>>) -> Result<()> {
        let out = required(out)?;
        out.set_string(names::NAME, 0, self.clip)?;
        out.set_double(names::TIME, 0, self.time)
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
        let args = required(args)?;
        let [min, max] = args.doubles(names::FRAME_RANGE)?;
        Ok(Self {
            range: RangeD { min, max },
            step: args.get_double(names::FRAME_STEP, 0).unwrap_or(1.0),
            scale: scale(args),
            interactive: args.flag(names::IS_INTERACTIVE),
            sequential: args.flag(names::SEQUENTIAL_RENDER_STATUS),
        })
    }
}

/// The reason of a change; undo and reset count as user edits, and so does a host that doesn't say.
pub(super) fn change_reason(args: Option<&PropertySet<'_>>) -> ChangeReason {
    args.and_then(|args| parse(args, names::CHANGE_REASON, ChangeReason::parse)).unwrap_or(ChangeReason::UserEdited)
}

impl ChangedArgs {
    pub(super) fn read(args: Option<&PropertySet<'_>>) -> Result<Self> {
        let reason = change_reason(args);
        let args = required(args)?;
        let kind = args.get_string(names::TYPE, 0).unwrap_or_default();
        let is = |name: &CStr| kind.as_bytes() == name.to_bytes();
        Ok(Self {
            kind: if is(names::TYPE_PARAMETER) {
                ChangedKind::Param
            } else if is(names::TYPE_CLIP) {
                ChangedKind::Clip
            } else {
                ChangedKind::Other
            },
            name: args.get_string(names::NAME, 0).unwrap_or_default(),
            reason,
            time: args.get_double(names::TIME, 0).ok().filter(|time| time.is_finite()).unwrap_or(0.0),
            scale: scale(args),
        })
    }
}

/// `prefix` and a clip's name, as the names of per-clip answers are made.
fn clip_property(prefix: &CStr, clip: &CStr) -> CString {
    let bytes = [prefix.to_bytes(), clip.to_bytes()].concat();
    CString::new(bytes).unwrap_or_default()
}

/// The answer to the action `region_of_definition`.
pub(super) fn write_region_of_definition(out: Option<&PropertySet<'_>>, region: RectD) -> Result<()> {
    let out = required(out)?;
    write_rect(out, names::REGION_OF_DEFINITION, region)
}

fn write_rect(out: &PropertySet<'_>, name: &CStr, rect: RectD) -> Result<()> {
    for (index, edge) in [rect.x1, rect.y1, rect.x2, rect.y2].into_iter().enumerate() {
        out.set_double(name, index, edge)?;
    }
    Ok(())
}

/// The answer to the action `time_domain`.
pub(super) fn write_time_domain(out: Option<&PropertySet<'_>>, range: RangeD) -> Result<()> {
    let out = required(out)?;
    out.set_double(names::FRAME_RANGE, 0, range.min)?;
    out.set_double(names::FRAME_RANGE, 1, range.max)
}

/// The regions of the inputs that a region of the output needs.
#[derive(Debug)]
pub struct RegionsOfInterest<'a> {
    /// The frame.
    pub time: f64,
    /// Pixels rendered per full-resolution pixel, in x and y.
    pub scale: [f64; 2],
    /// The region of the output, in canonical coordinates.
    pub region: RectD,
    out: &'a PropertySet<'a>,
}

impl<'a> RegionsOfInterest<'a> {
    pub(super) fn read(args: Option<&PropertySet<'_>>, out: Option<&'a PropertySet<'a>>) -> Result<Self> {
        let args = required(args)?;
        let [x1, y1, x2, y2] = args.doubles(names::REGION_OF_INTEREST)?;
        Ok(Self { time: time(args)?, scale: scale(args), region: RectD { x1, y1, x2, y2 }, out: required(out)? })
    }

    /// Asks for `region` of the input `clip`, in canonical coordinates.
    ///
    /// # Errors
    ///
    /// The host knows no such clip.
    pub fn set(&mut self, clip: &CStr, region: RectD) -> Result<()> {
        write_rect(self.out, &clip_property(c"OfxImageClipPropRoI_", clip), region)
    }
}

/// The frames of the inputs that a frame of the output needs. A pure function of the parameters and the time: hosts keep
/// the answer.
#[derive(Debug)]
pub struct FramesNeeded<'a> {
    /// The frame of the output.
    pub time: f64,
    out: &'a PropertySet<'a>,
}

impl<'a> FramesNeeded<'a> {
    pub(super) fn read(args: Option<&PropertySet<'_>>, out: Option<&'a PropertySet<'a>>) -> Result<Self> {
        Ok(Self { time: time(required(args)?)?, out: required(out)? })
    }

    /// Asks for `ranges` of the input `clip`.
    ///
    /// # Errors
    ///
    /// The host knows no such clip.
    pub fn set(&mut self, clip: &CStr, ranges: &[RangeD]) -> Result<()> {
        let name = clip_property(c"OfxImageClipPropFrameRange_", clip);
        for (index, time) in ranges.iter().flat_map(|range| [range.min, range.max]).enumerate() {
            self.out.set_double(&name, index, time)?;
        }
        Ok(())
    }
}

/// The planes that the output has, and those that are needed of the inputs.
#[derive(Debug)]
pub struct ClipPlanes<'a> {
    /// The frame of the output.
    pub time: f64,
    out: &'a PropertySet<'a>,
}

impl<'a> ClipPlanes<'a> {
    pub(super) fn read(args: Option<&PropertySet<'_>>, out: Option<&'a PropertySet<'a>>) -> Result<Self> {
        Ok(Self { time: time(required(args)?)?, out: required(out)? })
    }

    /// The planes of `clip`: made, of the output, or needed.
    ///
    /// # Errors
    ///
    /// The host knows no such clip.
    pub fn set(&mut self, clip: &CStr, planes: impl IntoIterator<Item = Plane>) -> Result<()> {
        let name = clip_property(extra::kFnOfxImageEffectActionGetClipComponentsPropString, clip);
        for (index, plane) in planes.into_iter().enumerate() {
            self.out.set_string(&name, index, plane.as_cstr())?;
        }
        Ok(())
    }
}

/// The formats of the clips. What is not set stays as the host proposes; a host that refuses one is told of in the log.
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
        self.out.try_set_string(&clip_property(c"OfxImageClipPropComponents_", clip), 0, components.as_cstr());
        self
    }

    /// Has the output carry motion vectors beside its components, in hosts whose planes are agreed on in this way.
    pub fn motion_planes(&mut self, clip: &CStr) -> &mut Self {
        let name = clip_property(c"OfxImageClipPropComponents_", clip);
        self.out.try_set_string(&name, 1, extra::kFnOfxImageComponentMotionVectors);
        self
    }

    /// The depth of `clip`: only where the host supports several depths per effect.
    pub fn depth(&mut self, clip: &CStr, depth: Depth) -> &mut Self {
        self.out.try_set_string(&clip_property(c"OfxImageClipPropDepth_", clip), 0, depth.as_cstr());
        self
    }

    /// The pixel aspect ratio of `clip`: only where the host supports several ratios per effect.
    pub fn pixel_aspect(&mut self, clip: &CStr, ratio: f64) -> &mut Self {
        self.out.try_set_double(&clip_property(c"OfxImageClipPropPAR_", clip), 0, ratio);
        self
    }

    /// How the output's colour relates to its alpha.
    pub fn premultiplication(&mut self, premultiplication: Premultiplication) -> &mut Self {
        self.out.try_set_string(names::PRE_MULTIPLICATION, 0, premultiplication.as_cstr());
        self
    }

    /// Whether the output differs from frame to frame though no parameter does.
    pub fn frame_varying(&mut self, varying: bool) -> &mut Self {
        self.out.try_set_int(names::FRAME_VARYING, 0, varying.into());
        self
    }

    /// Whether images exist between whole frames.
    pub fn continuous_samples(&mut self, continuous: bool) -> &mut Self {
        self.out.try_set_int(names::CLIP_CONTINUOUS_SAMPLES, 0, continuous.into());
        self
    }

    /// The output's frame rate: only where the host lets effects set it.
    pub fn frame_rate(&mut self, rate: f64) -> &mut Self {
        self.out.try_set_double(names::FRAME_RATE, 0, rate);
        self
    }
}

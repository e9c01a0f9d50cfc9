//! One frame: the queries before the render, the render, and its result.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use flow_openfx as ofx;

use crate::action::{Abort, AbortCheck, Action, inherited_abort};
use crate::frame::Frame;
use crate::instance::Instance;
use crate::misuse::Claim;
use crate::node::{NodeCore, Wanted};
use crate::plane::COLOUR;
use crate::preferences::Preferences;
use crate::profile::{Brackets, Planes};
use crate::props::PropSet;
use crate::queries::{self, Ranges};
use crate::{Components, Depth, Error, Image, Plane, RectD, RectI, Result, RowLayout, memory};

/// The description of a render.
#[derive(Clone)]
pub struct Request {
    pub(crate) time: f64,
    pub(crate) scale: (f64, f64),
    pub(crate) window: Option<RectI>,
    pub(crate) whole: bool,
    pub(crate) wanted: Wanted,
    pub(crate) rows: Option<RowLayout>,
    pub(crate) abort: Option<AbortCheck>,
    pub(crate) interactive: bool,
    pub(crate) draft: bool,
    pub(crate) thumbnail: bool,
    pub(crate) bands: usize,
    pub(crate) bracketed: bool,
    pub(crate) claims: Vec<Claim>,
    pub(crate) planes: Option<Vec<Plane>>,
    pub(crate) withheld: Vec<Plane>,
}

impl Request {
    /// The whole project at a time, which may be between frames, at full scale.
    #[must_use]
    pub fn at(time: f64) -> Self {
        Self {
            time,
            scale: (1.0, 1.0),
            window: None,
            whole: false,
            wanted: Wanted::default(),
            rows: None,
            abort: None,
            interactive: false,
            draft: false,
            thumbnail: false,
            bands: 1,
            bracketed: false,
            claims: Vec::new(),
            planes: None,
            withheld: Vec::new(),
        }
    }

    /// With these planes, see [`Node::planes`](crate::Node::planes); colour is rendered only if it is among them. The
    /// default is colour alone.
    #[must_use]
    pub fn planes(mut self, planes: &[Plane]) -> Self {
        self.planes = Some(planes.to_vec());
        self
    }

    /// At another scale: ½ has half as many columns and rows.
    #[must_use]
    pub fn scale(mut self, x: f64, y: f64) -> Self {
        self.scale = (x, y);
        self
    }

    /// Only these pixels, at the request's scale.
    #[must_use]
    pub fn window(mut self, window: RectI) -> Self {
        self.window = Some(window);
        self
    }

    /// The whole region of definition, beyond the project too.
    #[must_use]
    pub fn whole_region(mut self) -> Self {
        self.whole = true;
        self
    }

    /// In this depth. Changes the format of the node, inputs included.
    #[must_use]
    pub fn depth(mut self, depth: Depth) -> Self {
        self.wanted.depth = Some(depth);
        self
    }

    /// With these components. Changes the format of the node.
    #[must_use]
    pub fn components(mut self, components: Components) -> Self {
        self.wanted.components = Some(components);
        self
    }

    /// With this row layout of all images, inputs and output.
    #[must_use]
    pub fn rows(mut self, rows: RowLayout) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Stops when `check` returns true at a poll; it is given the number of polls so
    /// far and runs on the threads that render.
    #[must_use]
    pub fn abort(mut self, check: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        self.abort = Some(Arc::new(check));
        self
    }

    /// As for a viewer in use.
    #[must_use]
    pub fn interactive(mut self) -> Self {
        self.interactive = true;
        self
    }

    /// In draft quality.
    #[must_use]
    pub fn draft(mut self) -> Self {
        self.draft = true;
        self
    }

    /// For a thumbnail.
    #[must_use]
    pub fn thumbnail(mut self) -> Self {
        self.thumbnail = true;
        self
    }

    /// In this number of render windows, one above the other, if plug-in and host support tiles.
    #[must_use]
    pub fn bands(mut self, bands: usize) -> Self {
        self.bands = bands.max(1);
        self
    }
}

/// The region of definition of a node at a time, in canonical coordinates.
pub(crate) fn region(core: &Arc<NodeCore>, time: f64, scale: (f64, f64)) -> Result<RectD> {
    core.with_query_instance(|instance| {
        core.agree(instance)?;
        queries::region_of_definition(instance, time, scale)
    })
}

/// Holds the locks that the plug-in's thread safety requires.
struct Serialised<'a> {
    core: &'a NodeCore,
    by_plugin: bool,
    by_node: bool,
}

impl<'a> Serialised<'a> {
    fn enter(core: &'a NodeCore) -> Self {
        let forced = core.host().force_lock.load(std::sync::atomic::Ordering::Relaxed);
        let by_plugin = forced || core.declares(ofx::ThreadSafety::Unsafe.as_str());
        let by_node = !core.declares(ofx::ThreadSafety::FullySafe.as_str());
        if by_plugin {
            core.plugin.render_lock.lock(true);
        }
        if by_node {
            core.render_lock.lock(true);
        }
        Self { core, by_plugin, by_node }
    }
}

impl Drop for Serialised<'_> {
    fn drop(&mut self) {
        if self.by_node {
            self.core.render_lock.unlock();
        }
        if self.by_plugin {
            self.core.plugin.render_lock.unlock();
        }
    }
}

/// Renders a frame on this thread.
pub(crate) fn render(core: &Arc<NodeCore>, request: &Request) -> Result<Frame> {
    let started = Instant::now();
    check(core, request)?;
    let mut request = request.clone();
    if !core.profile().render_scale {
        request.scale = (1.0, 1.0);
    }
    let kept = core.wanted();
    core.want(Wanted {
        depth: request.wanted.depth.or(kept.depth),
        components: request.wanted.components.or(kept.components),
    });
    let key = core.profile().picture_cache.then(|| crate::cache::frame_hash(core, &request));
    if let Some(mut frame) = key.and_then(|key| core.pictures.get(key)) {
        frame.cached = true;
        frame.wall = started.elapsed();
        return Ok(frame);
    }
    let abort = match &request.abort {
        Some(check) => Arc::new(Abort::new(Some(Arc::clone(check)))),
        None => inherited_abort().unwrap_or_default(),
    };
    let job = |instance: &Arc<Instance>| Job { core, instance, request: &request, abort: &abort }.run();
    let mut frame = core.with_instance(|instance| memory::attempt(|| job(instance)))?;
    frame.wall = started.elapsed();
    if let Some(key) = key.filter(|_| !frame.aborted) {
        core.pictures.keep(key, &frame);
    }
    Ok(frame)
}

fn check(core: &NodeCore, request: &Request) -> Result<()> {
    let (x, y) = request.scale;
    let good = |v: f64| v.is_finite() && v > 0.0 && v <= 16.0;
    if !(good(x) && good(y)) {
        return Err(Error::usage(format!("render scale {x} by {y}: must be above 0, at most 16")));
    }
    if !request.time.is_finite() {
        return Err(Error::usage(format!("frame {} is not a number", request.time)));
    }
    if core.profile().persistent_message_blocks && core.blocked() {
        return Err(Error::MessageStands {
            plugin: core.plugin.id.clone(),
            message: core.persistent().map(|(_, text)| text).unwrap_or_default(),
        });
    }
    Ok(())
}

struct Job<'a> {
    core: &'a Arc<NodeCore>,
    instance: &'a Arc<Instance>,
    request: &'a Request,
    abort: &'a Arc<Abort>,
}

impl Job<'_> {
    fn run(&self) -> Result<Frame> {
        let Self { core, instance, request, .. } = *self;
        let (time, scale) = (request.time, request.scale);
        let profile = core.profile();
        let preferences = core.agree(instance)?;
        let par = preferences.pixel_aspect;
        let project_window = core.project.canonical().pixels(scale, par);
        let window = request.window.unwrap_or(project_window);
        if profile.queries_before_render
            && let Some((clip, at)) = queries::identity(instance, time, scale, window, profile.field)?
            && let Some(frame) = self.pass_through(&clip, at, window, &preferences)?
        {
            return Ok(frame);
        }
        let region = queries::region_of_definition(instance, time, scale)?.pixels(scale, par);
        let window = if request.whole { region } else { window };
        let temporal =
            profile.temporal_access && core.descriptor.props.int(ofx::kOfxImageEffectPropTemporalClipAccess) == Some(1);
        let declared = if profile.queries_before_render && temporal {
            Some(queries::frames_needed(instance, time)?)
        } else {
            None
        };
        let bounds = if profile.multi_resolution { window.intersect(&region) } else { project_window };
        queries::regions_of_interest(instance, time, scale, bounds.canonical(scale, par))?;
        let image = Image::new(RectI::default(), preferences.depth, preferences.components);
        let frame = Frame::new(time, window, image);
        if bounds.is_empty() {
            return Ok(frame);
        }
        let rows = request.rows.unwrap_or(profile.rows);
        let mut output = Image::with_rows(bounds, preferences.depth, preferences.components, rows)
            .premultiplied(preferences.premultiplication)
            .pixel_aspect(par);
        output.touch();
        if bounds.width() * preferences.depth.bytes() * 4 > i32::MAX as usize {
            return Err(Error::usage("rows of more than two gigabytes"));
        }
        let own_brackets = match profile.brackets {
            Brackets::None => false,
            Brackets::Frame => true,
            Brackets::Sequence => !request.bracketed,
        };
        let around =
            |name| if own_brackets { bracket(instance, name, (time, time, 1.0), request) } else { Ok(Vec::new()) };
        let mut before = around(ofx::Action::BeginSequenceRender.as_str())?;
        let layers = request.planes.iter().flatten().filter(|plane| plane.name != COLOUR);
        let mut planes: Vec<(Plane, Image)> = layers
            .map(|plane| {
                let components = plane.components_where(core.has_two_channels());
                let image = Image::with_rows(bounds, preferences.depth, components, rows).pixel_aspect(par);
                (plane.clone(), image)
            })
            .collect();
        let outcome = self.windows(&mut output, &mut planes, declared, frame);
        let after = around(ofx::Action::EndSequenceRender.as_str())?;
        let mut frame = outcome?;
        before.append(&mut frame.messages);
        frame.messages = before;
        frame.messages.extend(after);
        if output.padding_was_written() || planes.iter().any(|(_, image)| image.padding_was_written()) {
            core.host().record.violation(format!("{}: wrote between the rows", core.name));
        }
        frame.image = Arc::new(output);
        frame.planes = planes.into_iter().map(|(plane, image)| (plane, Arc::new(image))).collect();
        Ok(frame)
    }

    /// The Render action, once per window.
    fn windows(
        &self,
        output: &mut Image,
        planes: &mut Vec<(Plane, Image)>,
        declared: Option<Ranges>,
        mut frame: Frame,
    ) -> Result<Frame> {
        let wanted = planes.len();
        let Self { core, instance, request, abort } = *self;
        let profile = core.profile();
        let tiles = profile.forces_tiles
            || (profile.tiles && instance.props.int(ofx::kOfxImageEffectPropSupportsTiles) == Some(1));
        let bands = if tiles { request.bands } else { 1 };
        for window in cut(output.bounds(), bands) {
            let mut call = instance.action(ofx::Action::Render.as_str(), Some(request.time));
            let action = &mut call.action;
            action.scale = request.scale;
            action.rows = request.rows;
            action.claims = request.claims.clone();
            action.window = Some(window);
            action.declared = declared.clone();
            action.abort = Arc::clone(abort);
            let blank = Image::new(RectI::default(), output.depth(), output.components());
            let picture = std::mem::replace(output, blank);
            action.output = std::sync::Mutex::new(Some(picture));
            action.planes = std::sync::Mutex::new(std::mem::take(planes));
            action.withheld = request.withheld.clone();
            let inputs = self.render_arguments(window);
            let serialised = Serialised::enter(core);
            let started = Instant::now();
            let (status, action) = core.plugin.call(call, Some(&inputs), None);
            frame.action += started.elapsed();
            drop(serialised);
            if let Some(picture) = take_output(&action) {
                *output = picture;
            }
            *planes = std::mem::take(&mut *action.planes.lock().unwrap_or_else(PoisonError::into_inner));
            // Images of unrequested planes are discarded.
            planes.truncate(wanted);
            frame.polls = abort.polls();
            frame.aborted = abort.aborted();
            if frame.aborted {
                return Ok(frame);
            }
            core.plugin.check(ofx::Action::Render.as_str(), status, &action)?;
            action.gather(|gathered| {
                frame.stats.append(&mut gathered.stats);
                frame.fetched.append(&mut gathered.fetched);
                frame.messages.append(&mut gathered.messages);
            });
            if let Some(error) = action.gather(|gathered| gathered.source_error.take()) {
                return Err(error);
            }
        }
        let error_stands =
            core.persistent().is_some_and(|(kind, _)| kind != "OfxMessageMessage" && kind != "OfxMessageLog");
        if core.profile().persistent_message_blocks && error_stands {
            core.block();
        }
        Ok(frame)
    }

    fn render_arguments(&self, window: RectI) -> Arc<PropSet> {
        let request = self.request;
        let profile = self.core.profile();
        let inputs = PropSet::new("Render arguments");
        inputs
            .doubles(ofx::kOfxPropTime, &[request.time])
            .text(ofx::kOfxImageEffectPropFieldToRender, profile.field)
            .ints(ofx::kOfxImageEffectPropRenderWindow, &window.to_array())
            .doubles(ofx::kOfxImageEffectPropRenderScale, &[request.scale.0, request.scale.1])
            .ints(ofx::kOfxImageEffectPropSequentialRenderStatus, &[profile.sequential_status])
            .ints(ofx::kOfxImageEffectPropInteractiveRenderStatus, &[i32::from(request.interactive)])
            .ints(ofx::kOfxImageEffectPropRenderQualityDraft, &[i32::from(request.draft)])
            .ints(ofx::kOfxImageEffectPropThumbnailRender, &[i32::from(request.thumbnail)]);
        if profile.planes == Planes::Any && self.core.descriptor.multi_planar() {
            let colour = [Plane::colour()];
            let requested = request.planes.as_deref().unwrap_or(&colour).iter().chain(&request.withheld);
            inputs.texts(
                ofx::kOfxImageEffectPropRenderPlanes,
                &requested.map(|plane| plane.ofx.as_str()).collect::<Vec<_>>(),
            );
        }
        inputs.seal();
        inputs
    }

    /// The image that replaces this frame, in the output's format.
    fn pass_through(&self, clip: &str, at: f64, window: RectI, preferences: &Preferences) -> Result<Option<Frame>> {
        let Self { core, request, .. } = *self;
        if clip == ofx::text(ofx::kOfxImageEffectOutputClipName) {
            if at == request.time {
                core.host().record.violation(format!("{}: identical to itself", core.name));
                return Ok(None);
            }
            let mut frame = render(core, &Request { time: at, ..request.clone() })?;
            frame.time = request.time;
            frame.identity = Some((clip.into(), at));
            return Ok(Some(frame));
        }
        let image = match core.clip(clip)?.source() {
            Some(source) => source.image(at, request.scale, &core.project)?,
            None => None,
        };
        let (depth, components) = (preferences.depth, preferences.components);
        let rows = request.rows.unwrap_or(core.profile().rows);
        let image = match image {
            Some(image) => {
                let bounds = if request.whole { image.bounds() } else { image.bounds().intersect(&window) };
                image.converted(bounds, depth, components, rows)
            }
            None => Image::new(RectI::default(), depth, components),
        };
        Ok(Some(Frame {
            aborted: self.abort.aborted(),
            polls: self.abort.polls(),
            identity: Some((clip.into(), at)),
            ..Frame::new(request.time, if request.whole { image.bounds() } else { window }, image)
        }))
    }
}

fn take_output(action: &Action) -> Option<Image> {
    action.output.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Horizontal bands of nearly equal height.
fn cut(window: RectI, bands: usize) -> Vec<RectI> {
    let bands = bands.min(window.height()).max(1);
    let edge = |i: usize| window.y1 + (window.height() * i / bands) as i32;
    (0..bands).map(|i| RectI { y1: edge(i), y2: edge(i + 1), ..window }).collect()
}

/// BeginSequenceRender or EndSequenceRender. Returns the messages that the plug-in showed.
pub(crate) fn bracket(
    instance: &Instance,
    name: &'static str,
    (first, last, step): (f64, f64, f64),
    request: &Request,
) -> Result<Vec<String>> {
    let node = &instance.node;
    let inputs = PropSet::new("sequence render arguments");
    inputs
        .doubles(ofx::kOfxImageEffectPropFrameRange, &[first, last])
        .doubles(ofx::kOfxImageEffectPropFrameStep, &[step])
        .ints(ofx::kOfxPropIsInteractive, &[i32::from(request.interactive)])
        .doubles(ofx::kOfxImageEffectPropRenderScale, &[request.scale.0, request.scale.1])
        .ints(ofx::kOfxImageEffectPropSequentialRenderStatus, &[node.profile().sequential_status])
        .ints(ofx::kOfxImageEffectPropInteractiveRenderStatus, &[i32::from(request.interactive)])
        .seal();
    let mut call = instance.action(name, Some(first));
    call.action.scale = request.scale;
    let (status, action) = node.plugin.call(call, Some(&inputs), None);
    node.plugin.check(name, status, &action)?;
    Ok(action.gather(|gathered| std::mem::take(&mut gathered.messages)))
}

//! A node: an effect in a project with its parameters and connections.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use flow_openfx as ofx;

use crate::Context;
use crate::builder::NodeBuilder;
use crate::cache::PictureCache;
use crate::camera::CameraInput;
use crate::clip::Clip;
use crate::descriptor::Descriptor;
use crate::edit::Block;
use crate::ffi::handles::{HandleId, Object};
use crate::ffi::multithread::PluginMutex;
use crate::frame::Frame;
use crate::host::HostCore;
use crate::instance::{Instance, Origin};
use crate::names::Named as _;
use crate::params::{self, Curve, Param};
use crate::plugin::PluginCore;
use crate::preferences::Preferences;
use crate::profile::{Instances, Planes, Profile};
use crate::props::PropSet;
use crate::queries::Ranges;
use crate::render::{self, Request};
use crate::undo::History;
use crate::{Components, Depth, Error, Plane, Project, RectD, Result, Value};

/// A node. Cheap to clone; the instance is destroyed with the last clone or by
/// [`Node::destroy`]. Renders may run on several threads, concurrently with edits,
/// as the standard allows.
#[derive(Clone)]
pub struct Node {
    pub(crate) core: Arc<NodeCore>,
    _owner: Arc<Owner>,
}

/// Destroys the instances when the last owner of a node is dropped; the core itself lives
/// as long as any reference.
struct Owner(Arc<NodeCore>);

impl Drop for Owner {
    fn drop(&mut self) {
        // A refusal cannot be reported here; the record has it.
        drop(self.0.destroy());
    }
}

/// The user's choice of depth and components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub depth: Option<Depth>,
    pub components: Option<Components>,
}

pub(crate) struct NodeCore {
    pub name: String,
    pub plugin: Arc<PluginCore>,
    pub descriptor: Arc<Descriptor>,
    pub context: Context,
    pub project: Project,
    pub params: Vec<Arc<Param>>,
    pub param_set: HandleId,
    pub param_set_props: Arc<PropSet>,
    pub clips: Vec<Arc<Clip>>,
    pub cameras: Vec<Arc<CameraInput>>,
    /// Held around renders of plug-ins that are safe by instance.
    pub render_lock: PluginMutex,
    pub pictures: PictureCache,
    /// Snapshots of all parameters, the oldest edit first.
    pub undo: Mutex<Vec<Vec<Arc<Curve>>>>,
    pub block: Mutex<Block>,
    /// The undo history, in hosts whose history is a list of commands.
    pub history: History,
    state: Mutex<State>,
    blocked: AtomicBool,
}

#[derive(Default)]
struct State {
    alive: bool,
    main: Option<Arc<Instance>>,
    /// Idle render clones.
    clones: Vec<Arc<Instance>>,
    /// Counts edits; clones from before an edit are destroyed when their render ends.
    edits: u64,
    preferences: Option<Arc<Preferences>>,
    wanted: Wanted,
    persistent: Option<(String, String)>,
    timeline: Option<f64>,
    /// Progress at which the user cancels long work.
    cancel_progress: Option<f64>,
    /// Messages from the start or end of a sequence, outside of any frame.
    sequence_messages: Vec<String>,
}

impl NodeCore {
    /// A node with the builder's contents, without instances.
    pub(crate) fn assemble(builder: &NodeBuilder, descriptor: Arc<Descriptor>) -> Arc<Self> {
        let param_set_props = descriptor.param_set_props.copy("parameter set");
        Arc::new_cyclic(|weak: &Weak<Self>| Self {
            name: builder.name.clone(),
            plugin: Arc::clone(&builder.plugin),
            context: builder.context,
            project: builder.project.clone(),
            params: descriptor
                .params()
                .iter()
                .map(|described| {
                    let initial = params::default_value(described, &builder.project);
                    Param::new(described, initial, weak.clone())
                })
                .collect(),
            param_set: HandleId::new(Object::Params(weak.clone())),
            param_set_props,
            clips: descriptor
                .clips()
                .iter()
                .map(|(name, props)| Clip::new(name, props, &descriptor, None, weak.clone()))
                .collect(),
            cameras: descriptor.cameras().iter().map(|(name, props)| CameraInput::new(name, props)).collect(),
            descriptor,
            render_lock: PluginMutex::default(),
            pictures: PictureCache::default(),
            undo: Mutex::default(),
            block: Mutex::default(),
            history: History::default(),
            state: Mutex::new(State { wanted: builder.wanted, ..State::default() }),
            blocked: AtomicBool::new(false),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn host(&self) -> &Arc<HostCore> {
        &self.plugin.host
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.plugin.host.profile
    }

    pub(crate) fn param(&self, name: &str) -> Result<&Arc<Param>> {
        self.params
            .iter()
            .find(|param| param.name == name)
            .ok_or_else(|| params::unknown(name, &self.plugin.id, &self.params))
    }

    pub(crate) fn clip(&self, name: &str) -> Result<&Arc<Clip>> {
        self.clips.iter().find(|clip| clip.name == name && !clip.is_output).ok_or_else(|| {
            let names = self.clips.iter().filter(|c| !c.is_output).map(|c| &c.name);
            Error::usage(format!(
                "{} has no clip '{name}' in context {}; it has {}",
                self.plugin.id,
                self.context.name(),
                crate::error::listing(names)
            ))
        })
    }

    /// The first camera input.
    pub(crate) fn camera_input(&self) -> Result<&Arc<CameraInput>> {
        let (id, context) = (&self.plugin.id, self.context.name());
        let none = || Error::usage(format!("{id} has no camera input in context {context}: take --host nuke"));
        self.cameras.first().ok_or_else(none)
    }

    /// Whether each frame is rendered by a new instance.
    pub(crate) fn per_frame(&self) -> bool {
        self.profile().instances == Instances::PerFrame && !self.declares(ofx::ThreadSafety::Unsafe.as_str())
    }

    /// Whether the plug-in declares this thread safety.
    pub(crate) fn declares(&self, safety: &str) -> bool {
        self.descriptor.props.get_text(ofx::kOfxImageEffectPluginRenderThreadSafety).as_deref() == Some(safety)
    }

    /// Whether planes of two channels have images of two channels: in Natron only if the Output clip offers them.
    pub(crate) fn has_two_channels(&self) -> bool {
        let profile = self.profile();
        profile.planes != Planes::Any
            || !profile.closest_planes
                && self.clips.iter().filter(|clip| clip.is_output).any(|clip| {
                    clip.props
                        .get_texts(ofx::kOfxImageEffectPropSupportedComponents)
                        .iter()
                        .any(|name| name == ofx::text(ofx::kNatronOfxImageComponentXY.to_bytes_with_nul()))
                })
    }

    /// The instance that the user edits.
    pub(crate) fn main(&self) -> Result<Arc<Instance>> {
        self.state().main.clone().ok_or_else(|| self.destroyed_error())
    }

    fn destroyed_error(&self) -> Error {
        Error::usage(format!("{}: the node was destroyed", self.name))
    }

    pub(crate) fn create_main(self: &Arc<Self>) -> Result<()> {
        self.state().alive = true;
        if self.per_frame() {
            return Ok(());
        }
        match Instance::create(self, &Origin::User) {
            Ok(instance) => self.state().main = Some(instance),
            Err(error) => {
                self.state().alive = false;
                return Err(error);
            }
        }
        if self.profile().probes_half_scale {
            // Only the query matters, not its result.
            drop(render::region(self, self.project.frames.0, (0.5, 0.5)));
        }
        Ok(())
    }

    /// Runs `body` with the instance that answers queries: the user's, or a temporary one
    /// if instances live for a frame.
    pub(crate) fn with_query_instance<R>(
        self: &Arc<Self>,
        body: impl FnOnce(&Arc<Instance>) -> Result<R>,
    ) -> Result<R> {
        if self.per_frame() { self.with_frame_instance(body) } else { body(&self.main()?) }
    }

    /// Runs `body` with an instance that may render now.
    pub(crate) fn with_instance<R>(self: &Arc<Self>, body: impl FnOnce(&Arc<Instance>) -> Result<R>) -> Result<R> {
        if self.per_frame() {
            return self.with_frame_instance(body);
        }
        let copies =
            self.profile().instances == Instances::Clones && self.declares(ofx::ThreadSafety::InstanceSafe.as_str());
        if !copies {
            return body(&self.main()?);
        }
        let (idle, edits) = {
            let mut state = self.state();
            (state.clones.pop(), state.edits)
        };
        let clone = match idle {
            Some(clone) => clone,
            None => Instance::create(self, &Origin::CloneOf(&*self.main()?))?,
        };
        let outcome = body(&clone);
        let stale = {
            let mut state = self.state();
            let stale = state.edits != edits || state.main.is_none();
            if !stale {
                state.clones.push(Arc::clone(&clone));
            }
            stale
        };
        if stale {
            clone.destroy()?;
        }
        outcome
    }

    /// Load, Describe, DescribeInContext, CreateInstance, `body`, DestroyInstance.
    fn with_frame_instance<R>(self: &Arc<Self>, body: impl FnOnce(&Arc<Instance>) -> Result<R>) -> Result<R> {
        if !self.state().alive {
            return Err(self.destroyed_error());
        }
        self.plugin.load_action()?;
        let base = self.plugin.describe_action()?;
        let descriptor = self.plugin.describe_in_context(&base, self.context)?;
        let shared = self.profile().shared_handle.then(|| descriptor.number());
        let instance = Instance::create(self, &Origin::Frame(shared))?;
        let outcome = body(&instance);
        instance.destroy()?;
        outcome
    }

    /// Records an edit: formats are negotiated again, and render copies are dropped.
    pub(crate) fn edited(&self, preferences: bool) -> Result<()> {
        let clones = {
            let mut state = self.state();
            state.edits += 1;
            if preferences {
                state.preferences = None;
            }
            std::mem::take(&mut state.clones)
        };
        clones.iter().try_for_each(|clone| clone.destroy())
    }

    pub(crate) fn cached_preferences(&self) -> Option<Arc<Preferences>> {
        self.state().preferences.clone()
    }

    pub(crate) fn keep_preferences(&self, preferences: &Arc<Preferences>) {
        self.state().preferences = Some(Arc::clone(preferences));
    }

    pub(crate) fn wanted(&self) -> Wanted {
        self.state().wanted
    }

    pub(crate) fn want(&self, wanted: Wanted) {
        let mut state = self.state();
        if state.wanted != wanted {
            state.wanted = wanted;
            state.preferences = None;
        }
    }

    pub(crate) fn persistent(&self) -> Option<(String, String)> {
        self.state().persistent.clone()
    }

    pub(crate) fn set_persistent(&self, message: Option<(String, String)>) {
        if message.is_none() {
            self.blocked.store(false, Ordering::Relaxed);
        }
        self.state().persistent = message;
    }

    /// Whether renders are refused because of a persistent message that a good render left.
    pub(crate) fn blocked(&self) -> bool {
        self.blocked.load(Ordering::Relaxed)
    }

    pub(crate) fn block(&self) {
        self.blocked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn timeline(&self) -> f64 {
        self.state().timeline.unwrap_or(self.project.frames.0)
    }

    /// Stores messages that belong to no frame.
    pub(crate) fn add_messages(&self, messages: Vec<String>) {
        self.state().sequence_messages.extend(messages);
    }

    /// Whether the user cancels long work at this progress.
    pub(crate) fn cancels_at(&self, progress: f64) -> bool {
        self.state().cancel_progress.is_some_and(|share| progress >= share)
    }

    pub(crate) fn set_timeline(&self, time: f64) {
        self.state().timeline = Some(time);
    }

    pub(crate) fn destroy(&self) -> Result<()> {
        let (main, clones) = {
            let mut state = self.state();
            state.preferences = None;
            state.alive = false;
            (state.main.take(), std::mem::take(&mut state.clones))
        };
        clones.iter().chain(&main).try_for_each(|instance| instance.destroy())?;
        // Upstream nodes may be dropped now.
        self.clips.iter().for_each(|clip| clip.set_source(None));
        Ok(())
    }
}

impl Node {
    pub(crate) fn new(core: Arc<NodeCore>) -> Self {
        Self { _owner: Arc::new(Owner(Arc::clone(&core))), core }
    }

    /// The name given at construction.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// The node's project.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.core.project
    }

    /// Renders one frame on this thread, including all nodes upstream.
    ///
    /// # Errors
    /// The plug-in's failure with its message, an input file's, or wrong usage.
    pub fn render(&self, request: &Request) -> Result<Frame> {
        render::render(&self.core, request)
    }

    /// Renders the whole project at a time.
    ///
    /// # Errors
    /// As [`Node::render`].
    pub fn frame(&self, time: f64) -> Result<Frame> {
        self.render(&Request::at(time))
    }

    /// The region of definition at a time and scale, in canonical coordinates.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn region(&self, time: f64, scale: (f64, f64)) -> Result<RectD> {
        render::region(&self.core, time, scale)
    }

    /// The ranges of frames that the plug-in declares to need, by clip.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn frames_needed(&self, time: f64) -> Result<Ranges> {
        self.core.with_query_instance(|instance| crate::queries::frames_needed(instance, time))
    }

    /// The planes that the plug-in renders at a time, colour among them.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn planes(&self, time: f64) -> Result<Vec<Plane>> {
        self.core.with_query_instance(|instance| crate::queries::planes(instance, time))
    }

    /// The times at which the plug-in has a picture (general context only), if the plug-in declares them.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn time_domain(&self) -> Result<Option<(f64, f64)>> {
        self.core.with_query_instance(crate::queries::time_domain)
    }

    /// A parameter's value at a time.
    ///
    /// # Errors
    /// A usage error for an unknown name.
    pub fn value(&self, param: &str, time: f64) -> Result<Value> {
        Ok(self.core.param(param)?.at(time))
    }

    /// A parameter's value over time.
    ///
    /// # Errors
    /// A usage error for an unknown name.
    pub fn curve(&self, param: &str) -> Result<Arc<Curve>> {
        Ok(self.core.param(param)?.curve())
    }

    /// The parameters' names, in the order of their description.
    #[must_use]
    pub fn params(&self) -> Vec<String> {
        self.core.params.iter().map(|param| param.name.clone()).collect()
    }

    /// An integer property of a parameter, such as `OfxParamPropSecret`.
    ///
    /// # Errors
    /// A usage error for an unknown name.
    pub fn param_flag(&self, param: &str, property: &str) -> Result<Option<i32>> {
        Ok(self.core.param(param)?.props.int(property))
    }

    /// The persistent message of the plug-in: its type and text.
    #[must_use]
    pub fn persistent_message(&self) -> Option<(String, String)> {
        self.core.persistent()
    }

    /// Result of GetClipPreferences.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn preferences(&self) -> Result<Arc<Preferences>> {
        self.core.preferences()
    }

    /// The messages that the plug-in showed at the start or end of a sequence, each once.
    #[must_use]
    pub fn take_messages(&self) -> Vec<String> {
        std::mem::take(&mut self.core.state().sequence_messages)
    }

    /// Sets the progress at which the user cancels long work (a button's, not a render's);
    /// `None` for never.
    pub fn cancel_at(&self, share: Option<f64>) {
        self.core.state().cancel_progress = share;
    }

    /// Moves the timeline, without telling the plug-in.
    pub fn set_timeline(&self, time: f64) {
        self.core.set_timeline(time);
    }

    /// Destroys the instances; every later use is an error.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn destroy(&self) -> Result<()> {
        self.core.destroy()
    }
}

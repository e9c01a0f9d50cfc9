//! A plug-in of an open library: loading, description, calls of actions.
#![expect(unsafe_code, reason = "a plug-in is called through its C entry point")]

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::os::raw::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flow_openfx as ofx;

use crate::action::{self, Action};
use crate::descriptor::Descriptor;
use crate::error::listing;
use crate::ffi::handles;
use crate::ffi::multithread::PluginMutex;
use crate::host::{HostCore, HostTable};
use crate::library::{Library, LibraryFile};
use crate::names::{Named as _, is_success};
use crate::props::PropSet;
use crate::record::{Event, short_action};
use crate::{Context, Error, NodeBuilder, Profile, Result, Status};

/// An open bundle.
#[derive(Clone)]
pub struct Bundle {
    host: Arc<HostCore>,
    library: Arc<Library>,
    entries: Vec<Listed>,
}

/// A plug-in in the list of its library.
#[derive(Clone)]
struct Listed {
    id: String,
    version: (u32, u32),
    api: (String, i32),
    functions: Functions,
}

/// The functions of a plug-in, copied from its struct: some plug-ins free the struct
/// when they are unloaded. They point into the library and stay valid while it is open.
#[derive(Clone, Copy)]
struct Functions {
    set_host: Option<unsafe extern "C" fn(*mut ofx::OfxHost)>,
    entry: ofx::OfxPluginEntryPoint,
}

/// An entry point for actions.
#[derive(Clone, Copy)]
pub(crate) struct Entry(ofx::OfxPluginEntryPoint);

impl Entry {
    /// The entry point in a plug-in's property; `None` for NULL.
    pub(crate) fn at(address: usize) -> Option<Self> {
        let address = std::ptr::with_exposed_provenance::<c_void>(address);
        // SAFETY: the standard has a plug-in put an entry point into the property, or NULL, which is no entry point.
        let entry = unsafe { std::mem::transmute::<*const c_void, ofx::OfxPluginEntryPoint>(address) };
        entry.map(|entry| Self(Some(entry)))
    }
}

impl Bundle {
    /// Opens a library. A host that scans first describes all its plug-ins, unloads
    /// them, and opens the library again.
    pub(crate) fn open(host: &Arc<HostCore>, file: &LibraryFile) -> Result<Self> {
        let bundle = Self::open_once(host, file)?;
        if !host.profile.scans_first {
            return Ok(bundle);
        }
        for entry in &bundle.entries {
            // A plug-in that fails now fails again with a message when it is used.
            drop(PluginCore::new(host, &bundle.library, entry).scan());
        }
        drop(bundle);
        Self::open_once(host, file)
    }

    fn open_once(host: &Arc<HostCore>, file: &LibraryFile) -> Result<Self> {
        let library = file.open()?;
        let HostTable(table) = host.table;
        let mut entries = Vec::new();
        for raw in library.plugins(table, host.profile.sets_host_of_library)? {
            // SAFETY: the library returned this struct and is open.
            let plugin = unsafe { &*raw };
            entries.push(Listed {
                id: c_text(plugin.pluginIdentifier),
                version: (plugin.pluginVersionMajor, plugin.pluginVersionMinor),
                api: (c_text(plugin.pluginApi), plugin.apiVersion),
                functions: Functions { set_host: plugin.setHost, entry: plugin.mainEntry },
            });
        }
        if entries.is_empty() {
            return Err(Error::bundle(&library.path, "holds no plug-in"));
        }
        Ok(Self { host: Arc::clone(host), library: Arc::new(library), entries })
    }

    /// The bundle or library file that was opened.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        &self.library.path
    }

    /// Identifiers and versions of its plug-ins.
    #[must_use]
    pub fn plugins(&self) -> Vec<(String, (u32, u32))> {
        self.entries.iter().map(|entry| (entry.id.clone(), entry.version)).collect()
    }

    /// Graphics devices that the library reports, as JSON. `None` for a library without the symbol
    /// `FlowDevices`.
    #[must_use]
    pub fn devices(&self) -> Option<String> {
        self.library.devices()
    }

    /// Whether the library returns a plug-in for an index, which may be out of range.
    #[must_use]
    pub fn has_plugin_at(&self, index: i32) -> bool {
        self.library.has_plugin_at(index)
    }

    /// Loads and describes a plug-in, its newest version if there are several.
    ///
    /// # Errors
    /// A usage error that lists the plug-ins, or the plug-in's refusal.
    pub fn plugin(&self, id: &str) -> Result<Plugin> {
        let newest = self.entries.iter().filter(|e| e.id == id).max_by_key(|e| e.version);
        let Some(entry) = newest else {
            return Err(Error::usage(format!(
                "{} has no plug-in '{id}'; it has {}",
                self.library.path.display(),
                listing(self.entries.iter().map(|entry| &entry.id))
            )));
        };
        if entry.api.0 != ofx::text(ofx::kOfxImageEffectPluginApi) {
            return Err(Error::bundle(
                &self.library.path,
                format!("{id} is not an image effect but a {} {}", entry.api.0, entry.api.1),
            ));
        }
        Plugin::load(&self.host, &self.library, entry)
    }
}

fn c_text(text: *const std::os::raw::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the standard requires NUL-terminated strings in the plug-in's struct.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A loaded plug-in. Cheap to clone; unloaded with the last clone and node.
#[derive(Clone)]
pub struct Plugin {
    pub(crate) core: Arc<PluginCore>,
}

pub(crate) struct PluginCore {
    pub host: Arc<HostCore>,
    pub id: String,
    pub version: (u32, u32),
    functions: Functions,
    /// Held around all renders of plug-ins that declare them unsafe.
    pub render_lock: PluginMutex,
    state: Mutex<State>,
    library: Arc<Library>,
}

#[derive(Default)]
struct State {
    loaded: bool,
    described: Option<Arc<Descriptor>>,
    contexts: HashMap<Context, Arc<Descriptor>>,
}

/// Target of an action call, beside its arguments.
pub(crate) struct Call {
    pub name: &'static str,
    pub effect: usize,
    pub action: Action,
    pub label: String,
}

impl Plugin {
    fn load(host: &Arc<HostCore>, library: &Arc<Library>, entry: &Listed) -> Result<Self> {
        let core = Arc::new(PluginCore::new(host, library, entry));
        core.set_host();
        core.load_action()?;
        let base = core.describe_action()?;
        core.state().described = Some(base);
        Ok(Self { core })
    }

    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.core.id
    }

    /// Major and minor version.
    #[must_use]
    pub fn version(&self) -> (u32, u32) {
        self.core.version
    }

    /// The label in menus.
    #[must_use]
    pub fn label(&self) -> String {
        self.core.base().props.get_text(ofx::kOfxPropLabel).unwrap_or_default()
    }

    /// The contexts that both the plug-in and this host support.
    #[must_use]
    pub fn contexts(&self) -> Vec<Context> {
        let mut contexts = self.core.base().contexts();
        contexts.retain(|context| self.core.host.profile.contexts.contains(context));
        contexts
    }

    /// The default context: the first of general, filter and generator
    /// that the plug-in has.
    ///
    /// # Errors
    /// The plug-in supports no context of this host.
    pub fn default_context(&self) -> Result<Context> {
        let contexts = self.contexts();
        [Context::General, Context::Filter, Context::Generator, Context::Transition]
            .into_iter()
            .find(|context| contexts.contains(context))
            .or_else(|| contexts.first().copied())
            .ok_or_else(|| self.core.no_context(None))
    }

    /// Starts a node of this plug-in.
    pub fn node(&self, context: Context) -> NodeBuilder {
        NodeBuilder::new(&self.core, context)
    }

    /// Description of the plug-in in a context.
    ///
    /// # Errors
    /// A usage error for an unsupported context; the plug-in's own refusal.
    pub fn describe(&self, context: Context) -> Result<crate::Description> {
        let descriptor = self.core.in_context(context)?;
        Ok(crate::description::describe(self, context, &descriptor))
    }

    /// Calls Load once more, as hosts do that never unload.
    ///
    /// # Errors
    /// The plug-in's refusal.
    pub fn load_again(&self) -> Result<()> {
        self.core.load_action()
    }

    /// Calls Unload, Load and Describe. No node of this plug-in may be alive.
    ///
    /// # Errors
    /// The plug-in's refusal.
    pub fn reload(&self) -> Result<()> {
        self.core.unload_action();
        self.core.set_host();
        self.core.load_action()?;
        let base = self.core.describe_action()?;
        self.core.state().described = Some(base);
        Ok(())
    }
}

impl PluginCore {
    fn new(host: &Arc<HostCore>, library: &Arc<Library>, entry: &Listed) -> Self {
        Self {
            host: Arc::clone(host),
            id: entry.id.clone(),
            version: entry.version,
            functions: entry.functions,
            render_lock: PluginMutex::default(),
            state: Mutex::default(),
            library: Arc::clone(library),
        }
    }

    /// Load, Describe and DescribeInContext; Unload follows when this value is dropped.
    fn scan(&self) -> Result<()> {
        self.set_host();
        self.load_action()?;
        let base = self.describe_action()?;
        base.contexts()
            .into_iter()
            .filter(|context| self.profile().contexts.contains(context))
            .try_for_each(|context| self.describe_in_context(&base, context).map(drop))
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.host.profile
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn base(&self) -> Arc<Descriptor> {
        let described = self.state().described.clone();
        described.unwrap_or_else(|| Descriptor::new(&self.id, "", self.profile()))
    }

    fn no_context(&self, requested: Option<Context>) -> Error {
        let declared = self.base().props.get_texts(ofx::kOfxImageEffectPropSupportedContexts);
        let declared =
            declared.iter().map(|name| Context::parse(name).map_or(name.clone(), |context| context.name().to_owned()));
        let requested = requested.map_or_else(String::new, |context| format!(" '{}'", context.name()));
        Error::usage(format!(
            "{} has no context{requested} that the host '{}' plays; the plug-in has {}, the host {}",
            self.id,
            self.profile().label,
            listing(declared),
            listing(self.profile().contexts.iter().map(|context| context.name()))
        ))
    }

    /// The descriptor in a context, described by the plug-in at the first use.
    pub(crate) fn in_context(&self, context: Context) -> Result<Arc<Descriptor>> {
        let known = self.profile().contexts.contains(&context);
        let base = self.base();
        if !known || !base.contexts().contains(&context) {
            return Err(self.no_context(Some(context)));
        }
        if let Some(descriptor) = self.state().contexts.get(&context) {
            return Ok(Arc::clone(descriptor));
        }
        let descriptor = self.describe_in_context(&base, context)?;
        Ok(Arc::clone(self.state().contexts.entry(context).or_insert(descriptor)))
    }

    /// An action without a node.
    pub(crate) fn plain(&self, name: &'static str, effect: usize) -> Call {
        Call { name, effect, action: Action::new(name, &self.host, effect), label: self.id.clone() }
    }

    fn set_host(&self) {
        if let Some(set_host) = self.functions.set_host {
            let HostTable(table) = self.host.table;
            // SAFETY: the table is never freed; the plug-in only reads it.
            unsafe { set_host(std::ptr::from_ref(table).cast_mut()) };
        }
    }

    pub(crate) fn load_action(&self) -> Result<()> {
        let (status, action) = self.call(self.plain(ofx::Action::Load.as_str(), 0), None, None);
        self.check(ofx::Action::Load.as_str(), status, &action)?;
        self.state().loaded = true;
        Ok(())
    }

    fn unload_action(&self) {
        self.call(self.plain(ofx::Action::Unload.as_str(), 0), None, None);
        let mut state = self.state();
        state.loaded = false;
        state.contexts.clear();
    }

    pub(crate) fn describe_action(&self) -> Result<Arc<Descriptor>> {
        let path = self.library.path.to_string_lossy();
        let descriptor = Descriptor::new(&self.id, &path, self.profile());
        let call = self.plain(ofx::Action::Describe.as_str(), descriptor.number());
        let (status, action) = self.call(call, None, None);
        self.check(ofx::Action::Describe.as_str(), status, &action)?;
        Ok(descriptor)
    }

    pub(crate) fn describe_in_context(&self, base: &Descriptor, context: Context) -> Result<Arc<Descriptor>> {
        let descriptor = base.in_context(context);
        let arguments = PropSet::new("DescribeInContext arguments");
        arguments.text(ofx::kOfxImageEffectPropContext, context.as_str()).seal();
        let call = self.plain(ofx::Action::DescribeInContext.as_str(), descriptor.number());
        let (status, action) = self.call(call, Some(&arguments), None);
        self.check(ofx::Action::DescribeInContext.as_str(), status, &action)?;
        Ok(descriptor)
    }

    /// Turns a failure status into an error with the plug-in's message.
    pub(crate) fn check(&self, name: &str, status: Status, action: &Action) -> Result<()> {
        if is_success(status) {
            return Ok(());
        }
        if let Some(error) = action.gather(|gathered| gathered.source_error.take()) {
            return Err(error);
        }
        let shown = action.gather(|gathered| gathered.messages.last().cloned());
        let persistent = action.node.as_ref().and_then(|node| node.persistent()).map(|(_, text)| text);
        Err(Error::Plugin {
            plugin: self.id.clone(),
            action: short_action(name),
            status,
            message: shown.or(persistent).unwrap_or_default(),
        })
    }

    /// Calls an action on this thread. Images that the plug-in leaves unreleased are
    /// reported and reclaimed.
    pub(crate) fn call(
        &self,
        call: Call,
        inputs: Option<&PropSet>,
        outputs: Option<&PropSet>,
    ) -> (Status, Arc<Action>) {
        self.call_at(Entry(self.functions.entry), call, inputs, outputs)
    }

    /// As [`call`](Self::call), at another of the plug-in's entry points.
    pub(crate) fn call_at(
        &self,
        Entry(entry): Entry,
        call: Call,
        inputs: Option<&PropSet>,
        outputs: Option<&PropSet>,
    ) -> (Status, Arc<Action>) {
        let Call { name, effect, action, label } = call;
        let action = Arc::new(action);
        let time = action.time;
        let text = CString::new(name).unwrap_or_default();
        let handle: *const c_void = std::ptr::without_provenance(effect);
        let set = |props: Option<&PropSet>| props.map_or(std::ptr::null_mut(), PropSet::handle);
        let entered = action::enter(Arc::clone(&action));
        let status = match entry {
            // SAFETY: the arguments are those that the standard gives this action, and
            // all handles stay valid for the call.
            Some(entry) => unsafe { entry(text.as_ptr(), handle, set(inputs), set(outputs)) },
            None => Status::ERR_FATAL.0,
        };
        drop(entered);
        if let Some(node) = action.node.as_ref().filter(|node| node.has_commands()) {
            node.history.end_block();
        }
        let status = Status(status);
        let record = &self.host.record;
        record.count_call(name);
        record.push(Event::Action { node: label.clone(), action: name, time, status });
        for (image, description) in action.gather(|gathered| std::mem::take(&mut gathered.images)) {
            drop(handles::remove(image));
            record.leak(format!("{label} did not release the image {description} in {}", short_action(name)));
        }
        (status, action)
    }
}

impl Drop for PluginCore {
    fn drop(&mut self) {
        if self.state().loaded {
            self.unload_action();
        }
    }
}

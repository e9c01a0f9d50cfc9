//! Edits of a node by a user, and the actions that report them to the plug-in.

use std::sync::{Arc, PoisonError};

use flow_openfx::{self as ofx, ChangeReason};

use crate::Kind;
use crate::action;
use crate::instance::Instance;
use crate::names::Named as _;
use crate::node::{Node, NodeCore};
use crate::params::KindValues as _;
use crate::params::{Curve, Param};
use crate::props::PropSet;
use crate::undo::Direction;
use crate::{Camera, Error, Result, Source, Value};

/// Number of edits that can be undone.
const UNDO: usize = 100;

/// An edit that a plug-in has begun and not ended.
#[derive(Default)]
pub(crate) struct Block {
    depth: u32,
    /// All parameters before the edit, unless it is part of a user's edit.
    before: Option<Vec<Arc<Curve>>>,
}

/// Whether the plug-in acts for the user in a viewer, outside of another edit.
pub(crate) fn in_viewer() -> bool {
    action::current().is_some_and(|action| action.follows_the_pen())
}

impl NodeCore {
    /// The plug-in begins an edit that is undone as one.
    pub(crate) fn begin_block(&self) {
        if self.has_commands() {
            return self.history.begin_block();
        }
        let before = in_viewer().then(|| self.snapshot());
        let mut block = self.block.lock().unwrap_or_else(PoisonError::into_inner);
        block.depth += 1;
        if block.depth == 1 {
            block.before = before;
        }
    }

    /// The plug-in ends its edit; false without a begun edit.
    pub(crate) fn end_block(&self) -> bool {
        if self.has_commands() {
            self.history.end_block();
            return true;
        }
        let before = {
            let mut block = self.block.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(depth) = block.depth.checked_sub(1) else { return false };
            block.depth = depth;
            if depth == 0 { block.before.take() } else { None }
        };
        if let Some(before) = before {
            self.remember(before);
        }
        true
    }

    /// Values that the plug-in sets from a viewer outside such an edit are undone one by one.
    pub(crate) fn before_plugin_edit(&self, param: &Arc<Param>) {
        if self.has_commands() {
            return self.history.before_plugin(param);
        }
        let undone = param.props.int(ofx::kOfxParamPropCanUndo) != Some(0);
        let open = self.block.lock().unwrap_or_else(PoisonError::into_inner).depth > 0;
        if undone && !open && in_viewer() {
            self.remember(self.snapshot());
        }
    }

    /// Stores the state before an edit, for undo.
    fn remember(&self, before: Vec<Arc<Curve>>) {
        let mut undo = self.undo.lock().unwrap_or_else(PoisonError::into_inner);
        if undo.len() == UNDO {
            undo.remove(0);
        }
        undo.push(before);
    }

    /// Changes a value or a key without a report.
    pub(crate) fn apply(&self, name: &str, time: Option<f64>, value: &Value) -> Result<()> {
        let param = self.param(name)?;
        if !param.kind.holds_value() {
            let kind = param.kind.name();
            return Err(Error::usage(format!("{name} is a {kind} and holds no value")));
        }
        let value = param.accept(value)?;
        match time {
            None => param.change(|curve| curve.set_constant(value)),
            Some(time) if !time.is_finite() => {
                return Err(Error::usage(format!("{name}: a key at frame {time}")));
            }
            Some(_) if !param.animates() => {
                return Err(Error::usage(format!("{name} does not animate")));
            }
            Some(time) => param.change(|curve| curve.set_key(time, value)),
        }
        Ok(())
    }

    pub(crate) fn snapshot(&self) -> Vec<Arc<Curve>> {
        self.params.iter().map(|param| param.curve()).collect()
    }

    /// Reports a change that the plug-in made to a parameter itself: once, without the changes
    /// that the plug-in makes in answer to the report.
    pub(crate) fn plugin_edited(self: &Arc<Self>, param: &Param) {
        let Some(action) = action::current() else { return };
        let reported = action.follows_the_pen()
            || action.name == ofx::Action::InstanceChanged.as_str()
                && action.reason != Some(ChangeReason::PluginEdited);
        if !reported || !self.profile().reports_changes {
            return;
        }
        if let Ok(main) = self.main() {
            // The surrounding edit reports failures; this report's failure is dropped.
            drop(changed(&main, Change::Param(&param.name), ChangeReason::PluginEdited));
        }
    }
}

/// The object of a reported change.
#[derive(Clone, Copy)]
pub(crate) enum Change<'a> {
    Param(&'a str),
    Clip(&'a str),
}

fn begin_or_end(instance: &Instance, name: &'static str, reason: ChangeReason) -> Result<()> {
    let node = &instance.node;
    let inputs = PropSet::new("instance changed arguments");
    inputs.text(ofx::kOfxPropChangeReason, reason.as_str()).seal();
    let (status, action) = node.plugin.call(instance.action(name, None), Some(&inputs), None);
    node.plugin.check(name, status, &action)
}

fn changed(instance: &Instance, what: Change<'_>, reason: ChangeReason) -> Result<()> {
    let node = &instance.node;
    let (kind, name) = match what {
        Change::Param(name) => (ofx::text(ofx::kOfxTypeParameter), name),
        Change::Clip(name) => (ofx::text(ofx::kOfxTypeClip), name),
    };
    let time = node.timeline();
    let inputs = PropSet::new("InstanceChanged arguments");
    inputs
        .text(ofx::kOfxPropType, kind)
        .text(ofx::kOfxPropName, name)
        .text(ofx::kOfxPropChangeReason, reason.as_str())
        .doubles(ofx::kOfxPropTime, &[time])
        .doubles(ofx::kOfxImageEffectPropRenderScale, &[1.0, 1.0])
        .seal();
    let mut call = instance.action(ofx::Action::InstanceChanged.as_str(), Some(time));
    call.action.reason = Some(reason);
    let (status, action) = node.plugin.call(call, Some(&inputs), None);
    node.plugin.check(ofx::Action::InstanceChanged.as_str(), status, &action)
}

impl Node {
    /// Runs an edit and reports it to the plug-in as this host does.
    pub(crate) fn report_changes(&self, changes: &[Change<'_>], reason: ChangeReason, preferences: bool) -> Result<()> {
        let core = &self.core;
        core.edited(preferences)?;
        if !core.profile().reports_changes {
            return Ok(());
        }
        let main = core.main()?;
        let brackets = core.profile().change_brackets;
        if brackets {
            begin_or_end(&main, ofx::Action::BeginInstanceChanged.as_str(), reason)?;
        }
        for change in changes {
            let times = match change {
                Change::Param(name) if core.profile().change_per_component => {
                    core.param(name)?.kind.dimensions().max(1)
                }
                _ => 1,
            };
            for _ in 0..times {
                changed(&main, *change, reason)?;
            }
        }
        if brackets {
            begin_or_end(&main, ofx::Action::EndInstanceChanged.as_str(), reason)?;
        }
        Ok(())
    }

    fn edit(&self, param: &str, change: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.core.has_commands() {
            self.core.history.before_user(self.core.param(param)?);
            change().inspect_err(|_| self.core.history.forget_last())?;
        } else {
            let before = self.core.snapshot();
            change()?;
            self.core.remember(before);
        }
        let slave = self.core.descriptor.props.get_texts(ofx::kOfxImageEffectPropClipPreferencesSlaveParam);
        let preferences = slave.iter().any(|name| name == param);
        self.report_changes(&[Change::Param(param)], ChangeReason::UserEdited, preferences)
    }

    /// The user gives a parameter one value for all times.
    ///
    /// # Errors
    /// Wrong usage, or the plug-in's failure at the report.
    pub fn set(&self, param: &str, value: impl Into<Value>) -> Result<()> {
        let value = value.into();
        self.edit(param, || self.core.apply(param, None, &value))
    }

    /// The user sets a key.
    ///
    /// # Errors
    /// As [`Node::set`].
    pub fn set_key(&self, param: &str, time: f64, value: impl Into<Value>) -> Result<()> {
        let value = value.into();
        self.edit(param, || self.core.apply(param, Some(time), &value))
    }

    /// Drives a parameter by a function of time, as an expression or a link to another node does. The plug-in is not
    /// told, neither now nor when the function's values change, and the function has no keys.
    ///
    /// # Errors
    /// Wrong usage: no such parameter.
    pub fn express(&self, param: &str, value: impl Fn(f64) -> Value + Send + Sync + 'static) -> Result<()> {
        self.core.param(param)?.express(Arc::new(value));
        Ok(())
    }

    /// The user deletes a key.
    ///
    /// # Errors
    /// As [`Node::set`]; wrong usage where there is no such key.
    pub fn delete_key(&self, param: &str, time: f64) -> Result<()> {
        self.edit(param, || {
            let found = self.core.param(param)?;
            let mut there = false;
            found.change(|curve| there = curve.delete_key(time));
            if there {
                return Ok(());
            }
            let curve = found.curve();
            let keys = curve.keys().iter().map(|(time, _)| time.to_string());
            Err(Error::usage(format!("{param} has no key at {time}; its keys are at {}", crate::error::listing(keys))))
        })
    }

    /// The user removes all keys; the value at `time` stays.
    ///
    /// # Errors
    /// As [`Node::set`].
    pub fn delete_keys(&self, param: &str, time: f64) -> Result<()> {
        self.edit(param, || {
            self.core.param(param)?.change(|curve| curve.delete_all(time));
            Ok(())
        })
    }

    /// Undoes the last edit, together with the changes that the plug-in made because of it.
    /// Returns whether there was one.
    ///
    /// # Errors
    /// The plug-in's failure at the report.
    pub fn undo(&self) -> Result<bool> {
        if self.core.has_commands() {
            return self.step(Direction::Undo);
        }
        let last = self.core.undo.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(curves) = last else { return Ok(false) };
        let mut changed = Vec::new();
        for (param, curve) in self.core.params.iter().zip(curves) {
            if *param.curve() != *curve {
                param.set_curve(curve);
                changed.push(Change::Param(&param.name));
            }
        }
        self.report_changes(&changed, ChangeReason::UserEdited, true)?;
        Ok(true)
    }

    /// The user presses a button.
    ///
    /// # Errors
    /// Wrong usage if the parameter is no button; the plug-in's failure.
    pub fn push(&self, button: &str) -> Result<()> {
        if self.core.param(button)?.kind != Kind::PushButton {
            let kind = self.core.param(button)?.kind.name();
            return Err(Error::usage(format!("{button} is no button but a {kind}")));
        }
        // A user who can press a button sees the node connected, and with negotiated formats.
        self.core.preferences()?;
        self.report_changes(&[Change::Param(button)], ChangeReason::UserEdited, false)
    }

    /// The user connects a clip to something else, or to nothing.
    ///
    /// # Errors
    /// Wrong usage: no such clip, or a loop of nodes; the plug-in's failure.
    pub fn connect(&self, clip: &str, source: Option<Source>) -> Result<()> {
        if let Some(upstream) = source.as_ref().and_then(Source::upstream)
            && reaches(upstream, self)
        {
            return Err(Error::usage(format!(
                "connecting {} to {clip} of {} makes a loop",
                upstream.name(),
                self.name()
            )));
        }
        self.core.clip(clip)?.set_source(source.map(Arc::new));
        self.report_changes(&[Change::Clip(clip)], ChangeReason::UserEdited, true)
    }

    /// The user connects another camera to the first camera input, or none. The plug-in is not told.
    ///
    /// # Errors
    /// Wrong usage: no camera input; the plug-in's failure.
    pub fn connect_camera(&self, camera: Option<Camera>) -> Result<()> {
        self.core.camera_input()?.connect(camera);
        self.core.edited(false)
    }

    /// Reports a change upstream of a clip whose connection stays.
    ///
    /// # Errors
    /// Wrong usage: no such clip; the plug-in's failure.
    pub fn input_changed(&self, clip: &str) -> Result<()> {
        self.core.clip(clip)?;
        self.report_changes(&[Change::Clip(clip)], ChangeReason::UserEdited, true)
    }

    /// The user moves the timeline; the plug-in gets a notification for every animated parameter.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn move_timeline(&self, time: f64) -> Result<()> {
        self.core.set_timeline(time);
        let animated: Vec<Change<'_>> = self
            .core
            .params
            .iter()
            .filter(|param| !param.curve().keys().is_empty())
            .map(|param| Change::Param(&param.name))
            .collect();
        self.report_changes(&animated, ChangeReason::Time, false)
    }

    /// Sends PurgeCaches and drops the host's own pictures.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn purge(&self) -> Result<()> {
        self.core.pictures.clear();
        if self.core.profile().reports_changes {
            self.core.main()?.simple(ofx::Action::PurgeCaches.as_str())
        } else {
            Ok(())
        }
    }

    /// Sends SyncPrivateData, as before a save.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn sync(&self) -> Result<()> {
        if self.core.profile().reports_changes {
            self.core.main()?.simple(ofx::Action::SyncPrivateData.as_str())
        } else {
            Ok(())
        }
    }
}

/// Whether `to` is upstream of `from`, or is the same node.
fn reaches(from: &Node, to: &Node) -> bool {
    Arc::ptr_eq(&from.core, &to.core)
        || from.core.clips.iter().any(|clip| {
            clip.source().is_some_and(|source| source.upstream().is_some_and(|upstream| reaches(upstream, to)))
        })
}

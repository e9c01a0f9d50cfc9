//! The undo history of Natron, by observation and by its source.
//!
//! A user's edit is one command. Values that a plug-in sets during the report of a change are in no command, unless it
//! has begun an edit block. Any action, a nested one too, ends an open block: only the first parameter of a preset is
//! in its command. A value that a plug-in sets from the viewer outside a block is a separate command; consecutive
//! commands of one parameter in one drag are merged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flow_openfx as ofx;

use flow_openfx::ChangeReason;

use crate::Result;
use crate::edit::{Change, in_viewer};
use crate::node::{Node, NodeCore};
use crate::params::{Curve, Param};
use crate::profile::UndoModel;

/// Maximum number of commands in the history.
const MOST: usize = 100;

/// Parameters with their values before, or after, an edit.
struct Command {
    params: Vec<(Arc<Param>, Arc<Curve>)>,
    /// The drag that the command belongs to.
    drag: Option<u64>,
}

/// An edit block of the plug-in's.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Block {
    #[default]
    Closed,
    /// Begun, and still empty.
    Begun,
    /// The block's first parameter is in the last command.
    Open,
}

#[derive(Default)]
struct Stack {
    done: Vec<Command>,
    undone: Vec<Command>,
    block: Block,
    drags: u64,
}

impl Stack {
    fn push(&mut self, command: Command) {
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.done.push(command);
        self.undone.clear();
    }
}

/// A node's history; empty in hosts without commands.
#[derive(Default)]
pub(crate) struct History(Mutex<Stack>);

impl History {
    fn lock(&self) -> MutexGuard<'_, Stack> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The user is about to edit a parameter.
    pub(crate) fn before_user(&self, param: &Arc<Param>) {
        self.lock().push(Command { params: vec![(Arc::clone(param), param.curve())], drag: None });
    }

    /// Reverts the last edit, which failed.
    pub(crate) fn forget_last(&self) {
        self.lock().done.pop();
    }

    /// The plug-in is about to set a parameter.
    pub(crate) fn before_plugin(&self, param: &Arc<Param>) {
        if param.props.int(ofx::kOfxParamPropCanUndo) == Some(0) {
            return;
        }
        let viewer = in_viewer();
        let mut stack = self.lock();
        let entry = (Arc::clone(param), param.curve());
        let drag = viewer.then_some(stack.drags);
        match stack.block {
            Block::Begun => {
                stack.push(Command { params: vec![entry], drag: None });
                stack.block = Block::Open;
            }
            Block::Open => {
                if let Some(command) = stack.done.last_mut()
                    && !command.params.iter().any(|(known, _)| Arc::ptr_eq(known, param))
                {
                    command.params.push(entry);
                }
            }
            Block::Closed if viewer => {
                let merges = stack.done.last().is_some_and(|last| {
                    last.drag == drag && last.params.len() == 1 && Arc::ptr_eq(&last.params[0].0, param)
                });
                if !merges {
                    stack.push(Command { params: vec![entry], drag });
                }
            }
            Block::Closed => {}
        }
    }

    pub(crate) fn begin_block(&self) {
        self.lock().block = Block::Begun;
    }

    /// An action of the plug-in has ended, or the plug-in ends its block.
    pub(crate) fn end_block(&self) {
        self.lock().block = Block::Closed;
    }

    /// The pen goes down: the drag that follows is not merged with an earlier one.
    pub(crate) fn begin_drag(&self) {
        self.lock().drags += 1;
    }
}

impl NodeCore {
    /// Whether the user's history consists of commands.
    pub(crate) fn has_commands(&self) -> bool {
        self.profile().undo == UndoModel::Commands
    }
}

/// A direction in the history of edits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Undo,
    Redo,
}

impl Node {
    /// Undoes or redoes one command; false if there is none.
    pub(crate) fn step(&self, direction: Direction) -> Result<bool> {
        let command = {
            let mut stack = self.core.history.lock();
            if direction == Direction::Undo { stack.done.pop() } else { stack.undone.pop() }
        };
        let Some(Command { params, drag }) = command else { return Ok(false) };
        let mut changes = Vec::new();
        let mut reverse = Vec::new();
        for (param, curve) in &params {
            reverse.push((Arc::clone(param), param.curve()));
            if *param.curve() != **curve {
                param.set_curve(Arc::clone(curve));
                changes.push(Change::Param(&param.name));
            }
        }
        {
            let mut stack = self.core.history.lock();
            let reverse = Command { params: reverse, drag };
            if direction == Direction::Undo { stack.undone.push(reverse) } else { stack.done.push(reverse) }
        }
        self.report_changes(&changes, ChangeReason::UserEdited, true)?;
        Ok(true)
    }

    /// Redoes the last undone edit. Returns whether there was one; hosts with a history of
    /// snapshots have none here.
    ///
    /// # Errors
    /// The plug-in's failure when it is changes.
    pub fn redo(&self) -> Result<bool> {
        if self.core.has_commands() { self.step(Direction::Redo) } else { Ok(false) }
    }
}

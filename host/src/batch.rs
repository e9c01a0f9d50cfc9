//! Values given together: each is an edit by the user, and none is lost to the plug-in's reaction to another.

use std::sync::Arc;

use flow_openfx::ChangeReason;

use crate::edit::Change;
use crate::node::Node;
use crate::params::Curve;
use crate::{Result, Value};

/// Parameters and the values given to them.
type GivenValues<'a> = Vec<(&'a str, Arc<Curve>)>;

impl Node {
    /// The user sets several parameters. If the plug-in answers one edit by changing other parameters, as a preset
    /// does, the values given here take precedence, in any order.
    ///
    /// # Errors
    /// As [`Node::set`].
    pub fn set_together<'a>(&self, values: impl IntoIterator<Item = (&'a str, Value)>) -> Result<()> {
        let mut given: GivenValues<'_> = Vec::new();
        for (param, value) in values {
            self.set(param, value)?;
            self.restore(&given)?;
            given.push((param, self.core.param(param)?.curve()));
        }
        Ok(())
    }

    /// Reports the values that parameters were given since the node was made, as if the user had just set them:
    /// a preset then sets its parameters. `params` were given values, `animated` keys; these take precedence over
    /// the plug-in's. A host that reports no edits reports none here.
    ///
    /// # Errors
    /// An unknown parameter, or the plug-in's failure.
    pub fn follow<'a>(&self, params: &[&'a str], animated: &[&'a str]) -> Result<()> {
        if !self.core.profile().reports_changes || params.is_empty() {
            return Ok(());
        }
        // A user who sets values sees the node connected, and with negotiated formats.
        self.core.preferences()?;
        let named = params.iter().chain(animated);
        let given: GivenValues<'_> =
            named.map(|name| Ok((*name, self.core.param(name)?.curve()))).collect::<Result<_>>()?;
        for param in params {
            self.report_changes(&[Change::Param(param)], ChangeReason::UserEdited, true)?;
            self.restore(&given)?;
        }
        Ok(())
    }

    /// Restores given values that the plug-in has changed, and reports them.
    fn restore(&self, given: &GivenValues<'_>) -> Result<()> {
        let mut changed = Vec::new();
        for (name, curve) in given {
            let param = self.core.param(name)?;
            if *param.curve() != **curve {
                param.set_curve(Arc::clone(curve));
                changed.push(Change::Param(name));
            }
        }
        if changed.is_empty() { Ok(()) } else { self.report_changes(&changed, ChangeReason::UserEdited, true) }
    }
}

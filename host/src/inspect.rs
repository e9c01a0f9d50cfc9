//! Single properties, by the standard's names: for tests, and for inspection of a plug-in.

use std::sync::Arc;

use crate::Context;
use crate::error::listing;
use crate::instance::Instance;
use crate::props::{PropSet, Values};
use crate::queries;
use crate::{Error, Node, Plugin, RectD, Result};

/// The object whose property is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The effect itself.
    Effect,
    /// One of its clips.
    Clip(&'a str),
    /// One of its parameters.
    Param(&'a str),
}

/// A property's values as text; empty without such a property.
fn texts(props: &PropSet, name: &str) -> Vec<String> {
    match props.values(name) {
        None => Vec::new(),
        Some(Values::Int(values)) => values.iter().map(i32::to_string).collect(),
        Some(Values::Double(values)) => values.iter().map(f64::to_string).collect(),
        Some(Values::Text(values)) => values.iter().map(|text| text.to_string_lossy().into_owned()).collect(),
        Some(Values::Pointer(values)) => values.iter().map(|pointer| format!("{pointer:#x}")).collect(),
    }
}

impl Plugin {
    /// The values of a property as the plug-in described it in a context; empty without such a property.
    ///
    /// # Errors
    /// A usage error for an unknown context, clip or parameter; the plug-in's own refusal.
    pub fn property(&self, context: Context, part: Part<'_>, name: &str) -> Result<Vec<String>> {
        let descriptor = self.core.in_context(context)?;
        let unknown = |kind: &str, wanted: &str, known: Vec<String>| {
            Error::usage(format!("{} has no {kind} '{wanted}'; it has {}", self.core.id, listing(known)))
        };
        match part {
            Part::Effect => Ok(texts(&descriptor.props, name)),
            Part::Clip(wanted) => {
                let clips = descriptor.clips();
                let found = clips.iter().find(|(clip, _)| clip == wanted).map(|(_, props)| texts(props, name));
                found.ok_or_else(|| unknown("clip", wanted, clips.into_iter().map(|(clip, _)| clip).collect()))
            }
            Part::Param(wanted) => {
                let params = descriptor.params();
                let found = params.iter().find(|param| param.name == wanted).map(|param| texts(&param.props, name));
                found.ok_or_else(|| unknown("parameter", wanted, params.into_iter().map(|param| param.name).collect()))
            }
        }
    }
}

impl Node {
    /// The values of a property of the instance that the user edits; empty without such a property.
    ///
    /// # Errors
    /// The plug-in's failure to create an instance.
    pub fn property(&self, name: &str) -> Result<Vec<String>> {
        self.core.with_instance(|instance: &Arc<Instance>| Ok(texts(&instance.props, name)))
    }

    /// Regions of the clips that the plug-in needs for a region of its output, in canonical coordinates.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn regions_of_interest(&self, time: f64, scale: (f64, f64), wanted: RectD) -> Result<Vec<(String, RectD)>> {
        self.core.with_instance(|instance| {
            self.core.agree(instance)?;
            queries::regions_of_interest(instance, time, scale, wanted)
        })
    }
}

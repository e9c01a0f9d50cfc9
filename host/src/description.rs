//! Description of a plug-in, as text and JSON.

use serde::Serialize;
use std::fmt::Write as _;

use flow_openfx as ofx;

use crate::Context;
use crate::descriptor::Descriptor;
use crate::names::Named as _;
use crate::params::{Class, Described, KindValues as _};
use crate::{Kind, Plugin};

/// A plug-in in one context.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// The identifier.
    pub id: String,
    /// Major and minor version.
    pub version: (u32, u32),
    /// The label in menus.
    pub label: String,
    /// The menu.
    pub group: String,
    /// The plug-in's own description.
    pub description: String,
    /// The context described.
    pub context: String,
    /// All contexts that this host supports.
    pub contexts: Vec<String>,
    /// Depths that it declares and the host handles.
    pub depths: Vec<String>,
    /// Declared safety of concurrent renders.
    pub thread_safety: String,
    /// Whether it takes partial render windows.
    pub tiles: bool,
    /// Whether it reads other times.
    pub temporal: bool,
    /// The clips, Output included.
    pub clips: Vec<ClipDescription>,
    /// The camera inputs, in hosts that have some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<String>,
    /// The parameters, groups and pages included, in the order of definition.
    pub params: Vec<ParamDescription>,
}

/// A clip.
#[derive(Clone, Debug, Serialize)]
pub struct ClipDescription {
    /// The script name.
    pub name: String,
    /// The label.
    pub label: String,
    /// Components that it takes.
    pub components: Vec<String>,
    /// Whether it may stay unconnected.
    pub optional: bool,
    /// Whether it is a mask.
    pub mask: bool,
    /// Whether it is read at other times.
    pub temporal: bool,
}

/// A parameter.
#[derive(Clone, Debug, Serialize)]
pub struct ParamDescription {
    /// The script name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The label.
    pub label: String,
    /// The hint.
    pub hint: String,
    /// The group's script name; empty at the top.
    pub group: String,
    /// The default, as it would be written.
    pub default: String,
    /// Lowest and highest value, if there are any.
    pub range: Option<(f64, f64)>,
    /// Lowest and highest value of the slider.
    pub display_range: Option<(f64, f64)>,
    /// Options of a choice.
    pub options: Vec<String>,
    /// Whether it can have keys.
    pub animates: bool,
    /// Whether it is hidden.
    pub secret: bool,
}

pub(crate) fn describe(plugin: &Plugin, context: Context, descriptor: &Descriptor) -> Description {
    let props = &descriptor.props;
    let text = |name: &[u8]| props.get_text(name).unwrap_or_default();
    let short = |name: &str| name.trim_start_matches("OfxBitDepth").to_lowercase();
    Description {
        id: plugin.id().to_owned(),
        version: plugin.version(),
        label: text(ofx::kOfxPropLabel),
        group: text(ofx::kOfxImageEffectPluginPropGrouping),
        description: text(ofx::kOfxPropPluginDescription),
        context: context.name().to_owned(),
        contexts: plugin.contexts().iter().map(|c| c.name().to_owned()).collect(),
        depths: descriptor.depths().iter().map(|d| short(d.as_str())).collect(),
        thread_safety: text(ofx::kOfxImageEffectPluginRenderThreadSafety)
            .trim_start_matches("OfxImageEffectRender")
            .to_owned(),
        tiles: props.int(ofx::kOfxImageEffectPropSupportsTiles) == Some(1),
        temporal: props.int(ofx::kOfxImageEffectPropTemporalClipAccess) == Some(1),
        clips: descriptor
            .clips()
            .iter()
            .map(|(name, clip)| ClipDescription {
                name: name.clone(),
                label: clip.get_text(ofx::kOfxPropLabel).unwrap_or_default(),
                components: clip
                    .get_texts(ofx::kOfxImageEffectPropSupportedComponents)
                    .iter()
                    .map(|c| c.trim_start_matches("OfxImageComponent").to_owned())
                    .collect(),
                optional: clip.int(ofx::kOfxImageClipPropOptional) == Some(1),
                mask: clip.int(ofx::kOfxImageClipPropIsMask) == Some(1),
                temporal: clip.int(ofx::kOfxImageEffectPropTemporalClipAccess) == Some(1),
            })
            .collect(),
        cameras: descriptor.cameras().into_iter().map(|(name, _)| name).collect(),
        params: descriptor.params().iter().map(param).collect(),
    }
}

fn param(described: &Described) -> ParamDescription {
    let Described { name, kind, props, .. } = described;
    let text = |name: &[u8]| props.get_text(name).unwrap_or_default();
    let options = props.get_texts(ofx::kOfxParamPropChoiceOption);
    let numbers = |name: &[u8]| -> Vec<f64> {
        match kind.class() {
            Class::Ints => props.get_ints(name).into_iter().map(f64::from).collect(),
            _ => props.get_doubles(name),
        }
    };
    let range = |low: &[u8], high: &[u8]| {
        let (low, high) = (numbers(low).first().copied()?, numbers(high).first().copied()?);
        let bounded = |v: f64| v.abs() < 2_147_483_647.0;
        (bounded(low) || bounded(high)).then_some((low, high))
    };
    let default = match kind.class() {
        Class::Nothing => String::new(),
        Class::Text => text(ofx::kOfxParamPropDefault),
        _ => {
            let values = numbers(ofx::kOfxParamPropDefault);
            match kind {
                Kind::Choice => {
                    let at = values.first().map_or(0, |v| *v as usize);
                    options.get(at).cloned().unwrap_or_default()
                }
                Kind::Boolean => (values.first() == Some(&1.0)).to_string(),
                _ => values.iter().map(f64::to_string).collect::<Vec<_>>().join(","),
            }
        }
    };
    ParamDescription {
        name: name.clone(),
        kind: kind.name().to_owned(),
        label: text(ofx::kOfxPropLabel),
        hint: text(ofx::kOfxParamPropHint),
        group: text(ofx::kOfxParamPropParent),
        default,
        range: range(ofx::kOfxParamPropMin, ofx::kOfxParamPropMax),
        display_range: range(ofx::kOfxParamPropDisplayMin, ofx::kOfxParamPropDisplayMax),
        options,
        animates: props.int(ofx::kOfxParamPropAnimates) == Some(1),
        secret: props.int(ofx::kOfxParamPropSecret) == Some(1),
    }
}

impl Description {
    /// The description as a Markdown document.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut out = String::new();
        let (major, minor) = self.version;
        let mut line = |text: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{text}");
        };
        line(format!("# {}\n", self.label));
        line(format!("`{}` {major}.{minor}, context {}\n", self.id, self.context));
        if !self.description.is_empty() {
            line(format!("{}\n", self.description));
        }
        line("## Clips\n\n| clip | label | components | |\n|---|---|---|---|".into());
        for clip in &self.clips {
            let marks = [(clip.optional, "optional"), (clip.mask, "mask")];
            let marks: Vec<&str> = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
            let components = clip.components.join(", ");
            line(format!("| `{}` | {} | {components} | {} |", clip.name, clip.label, marks.join(", ")));
        }
        if !self.cameras.is_empty() {
            line(format!("\nCamera inputs: `{}`", self.cameras.join("`, `")));
        }
        line("\n## Parameters\n".into());
        let groups = self.params.iter().filter(|p| p.kind == "group").map(|p| p.name.clone());
        for group in std::iter::once(String::new()).chain(groups) {
            let inside: Vec<&ParamDescription> = self
                .params
                .iter()
                .filter(|p| p.group == group && p.kind != "group" && p.kind != "page" && !p.secret)
                .collect();
            if inside.is_empty() {
                continue;
            }
            if let Some(label) = self.params.iter().find(|p| p.name == group).map(|p| &p.label) {
                line(format!("### {label}\n"));
            }
            line("| parameter | label | type | default | range | meaning |\n|---|---|---|---|---|---|".into());
            for p in inside {
                let range = match (&p.range, p.options.is_empty()) {
                    (_, false) => p.options.join(", "),
                    (Some((low, high)), _) => format!("{} to {}", limit(*low), limit(*high)),
                    _ => String::new(),
                };
                let still = if p.animates || p.kind == "button" { "" } else { " (not animated)" };
                let hint = p.hint.replace('\n', " ").replace('|', "\\|");
                line(format!("| `{}` | {} | {}{still} | {} | {range} | {hint} |", p.name, p.label, p.kind, p.default));
            }
            line(String::new());
        }
        out
    }
}

fn limit(value: f64) -> String {
    if value.abs() < 2_147_483_647.0 { value.to_string() } else { "any".into() }
}

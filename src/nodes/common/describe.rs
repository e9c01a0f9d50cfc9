//! The description of a node: properties, clips and parameters. The action does no other work: scanners load every
//! plug-in and quit.

use std::ffi::CStr;

use super::controls::{Control, Controls, Invalidates, Kind};
use super::node::{Input, Node};
use super::overlay;
use super::planes;
use super::shared::Shared;
use crate::nodes::quirks;
use crate::ofx::{
    Bounds, CacheInvalidation, Components, Context, Coordinates, Depth, DoubleType, EffectDescriptor, Host,
    ParamDescriptor, Result, StringMode,
};

/// Largest coordinate of a position, in full-resolution pixels.
const FAR: f64 = 1e6;

/// Value of SequentialRender: rendering in order is preferred; any order is correct.
pub const IN_ORDER_PREFERRED: i32 = 2;

/// Contexts of a node with inputs.
const ALL: &[Context] = &[Context::General, Context::Filter, Context::Generator];
/// Contexts of a node without inputs: a filter has a Source.
const GENERATOR: &[Context] = &[Context::General, Context::Generator];

/// Properties of the effect.
pub fn effect<N: Node>(host: &Host, descriptor: &mut EffectDescriptor<'_>) {
    descriptor
        .label(N::ABOUT.label)
        .grouping(c"Flow")
        .description(N::ABOUT.description)
        .icon(N::ABOUT.icon[0], N::ABOUT.icon[1])
        .contexts(if N::INPUTS.is_empty() { GENERATOR } else { ALL })
        .depths(&[Depth::Float, Depth::Half, Depth::Short, Depth::Byte])
        .thread_safety(quirks::thread_safety(host))
        .host_frame_threading(false)
        .single_instance(false)
        .sequential_render(IN_ORDER_PREFERRED)
        .temporal_clip_access(true)
        .supports_multi_resolution(true)
        .supports_tiles(false)
        .supports_multiple_clip_depths(false)
        .supports_multiple_clip_pars(false);
    if planes::shown_by::<N::Id>().is_some() {
        descriptor.clip_preferences_follow(SHOWN);
    }
    if planes::offered::<N>(host).next().is_some() {
        descriptor.multi_planar(true);
    }
}

/// The parameter that chooses the view, on which the premultiplication depends.
pub const SHOWN: &CStr = c"output";

/// The output clip.
pub const OUTPUT: &CStr = c"Output";

/// The inputs of a context.
fn inputs<N: Node>(context: Context) -> &'static [Input] {
    match context {
        Context::General => N::INPUTS,
        Context::Filter => N::INPUTS.get(..1).unwrap_or_default(),
        _ => &[],
    }
}

/// Clips and parameters.
///
/// # Errors
/// The host refuses a clip or a parameter.
pub fn context<N: Node>(host: &Host, descriptor: &EffectDescriptor<'_>, context: Context) -> Result<()> {
    const COLOUR: &[Components] = &[Components::Rgba, Components::Rgb, Components::Alpha];
    const MATTE: &[Components] = &[Components::Alpha, Components::Rgba, Components::Rgb];
    for Input { name, matte, invalidates: _ } in inputs::<N>(context) {
        let _ = descriptor
            .clip(name)?
            .label(name)
            .components(if *matte { MATTE } else { COLOUR })
            // Hosts connect a filter's only input when the node is created.
            .optional(context != Context::Filter)
            .mask(*matte)
            .temporal_access(true)
            .supports_tiles(false);
    }
    // The only input of a filter is its Source.
    if context != Context::Filter
        && let Some(name) = N::CAMERA
        && let Err(error) = descriptor.camera(name)
    {
        tracing::debug!("this host has no camera input: {error}");
    }
    let output = descriptor.clip(OUTPUT)?.components(COLOUR).temporal_access(true).supports_tiles(false);
    if planes::come_by_components::<N>(host) {
        let _ = output.motion_components(COLOUR.len());
    } else if quirks::has_two_channels(host) && planes::offered::<N>(host).next().is_some() {
        let _ = output.two_channels(COLOUR.len());
    }
    for group in &N::Id::table().groups {
        let described = descriptor.group(group.name, group.open)?.label(group.label);
        if let Some(parent) = group.parent {
            let _ = described.parent(parent);
        }
    }
    for control in N::Id::controls() {
        // The host draws a handle where the node draws none.
        let hosts_handle = !host.draws_overlays() || !overlay::moves::<N>(control.id);
        parameter(host, descriptor, control, hosts_handle)?;
    }
    let names: Vec<&'static CStr> = N::Id::controls().iter().map(|control| control.name).collect();
    if let Err(error) = descriptor.page(c"Controls", &names) {
        tracing::debug!("this host has no pages: {error}");
    }
    Ok(())
}

fn parameter<Id: Controls>(
    host: &Host,
    descriptor: &EffectDescriptor<'_>,
    control: &Control<Id>,
    hosts_handle: bool,
) -> Result<()> {
    let name = control.name;
    let described = match control.kind {
        Kind::Choice { options, default } => descriptor.choice(name, default, options)?,
        Kind::Int { default, range: [low, high], display: [from, to] } => {
            descriptor.int(name, default, Bounds::new(low, high).display(from, to))?
        }
        Kind::Double { default, range: [low, high], display: [from, to] } => {
            let digits = if to <= 1.0 { 4 } else { 2 };
            let described = descriptor.double(name, default, Bounds::new(low, high).display(from, to))?;
            described.digits(digits).increment((to - from) / 100.0).double_type(DoubleType::Plain)
        }
        Kind::Bool { default } => descriptor.boolean(name, default)?,
        Kind::Position { default } => {
            let default = if quirks::normalises_positions(host) { default } else { [0.0; 2] };
            let bounds = Bounds::new(-FAR, FAR).display(-FAR, FAR);
            let described = descriptor.double_2d(name, default, bounds)?.double_type(DoubleType::XyAbsolute);
            let coordinates =
                if quirks::normalises_positions(host) { Coordinates::Normalised } else { Coordinates::Canonical };
            described.default_coordinates(coordinates).host_overlay(hosts_handle)
        }
        Kind::Vector { default, range: [low, high], display: [from, to] } => {
            let bounds = Bounds::new(low, high).display(from, to);
            descriptor.double_2d(name, [default; 2], bounds)?.digits(4).double_type(DoubleType::Plain)
        }
        Kind::Triple { default, range: [low, high], display: [from, to] } => {
            let bounds = Bounds::new(low, high).display(from, to);
            descriptor.double_3d(name, default, bounds)?.digits(4).double_type(DoubleType::Plain)
        }
        Kind::Colour { default } => descriptor.rgb(name, default, Bounds::new(0.0, 65_536.0).display(0.0, 1.0))?,
        Kind::File => descriptor.string(name, c"", StringMode::FilePath)?.file_exists(true),
        Kind::Folder => descriptor.string(name, c"", StringMode::DirectoryPath)?.file_exists(false),
        Kind::Text => descriptor.string(name, c"", StringMode::SingleLine)?,
        Kind::Button => match descriptor.push_button(name) {
            Ok(described) => described,
            Err(error) => {
                tracing::debug!("this host has no buttons: {error}");
                return Ok(());
            }
        },
        Kind::Notice => {
            let described = descriptor.string(name, c"Nothing rendered yet.", StringMode::MultiLine)?;
            described.enabled(false).evaluate_on_change(false).persistent(false).can_undo(false)
        }
        // A change of the simulation digest makes hosts render again. Projects store it.
        Kind::Hidden => descriptor.string(name, c"", StringMode::SingleLine)?.secret(true).can_undo(false),
        Kind::Memo => {
            let described = descriptor.string(name, c"", StringMode::SingleLine)?.secret(true).can_undo(false);
            described.evaluate_on_change(false)
        }
    };
    finish(described.hint(control.hint), control);
    Ok(())
}

fn finish<Id: Controls>(described: ParamDescriptor<'_>, control: &Control<Id>) {
    let mut described = described.label(control.label).script_name(control.name).parent(control.group);
    let holds_value = !matches!(control.kind, Kind::Button | Kind::Notice | Kind::Hidden | Kind::Memo);
    if holds_value {
        described = described.animates(control.animates);
    }
    if control.invalidates == Invalidates::Simulation {
        described = described.cache_invalidation(CacheInvalidation::All);
    }
    // This one decides which input frames are needed, and hosts ask again only if its change counts as one of the node.
    let declares = control.id == Id::shared(Shared::DeclareFrames);
    if control.invalidates == Invalidates::Nothing && holds_value && !declares {
        described = described.evaluate_on_change(false);
    }
    let _ = described;
}

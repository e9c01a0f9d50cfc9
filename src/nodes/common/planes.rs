//! The planes of a node other than colour: several pictures of one state in one render.
//!
//! A layer is the view of an option of the parameter `output`, or some channels of it, with the same name as in the
//! node's files. In hosts without planes it is available through the option only.

use std::ffi::CStr;
use std::sync::atomic::Ordering;

use super::camera_input::Connected;
use super::controls::{Controls, Kind};
use super::describe::SHOWN;
use super::instance::Instance;
use super::node::Node;
use super::presets::Value;
use super::values::Values;
use crate::compute::cpu::Cpu;
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, Host, MessageType, OutputImage, Plane, RectI, RenderArgs, Result};
use crate::picture::{Canvas, Channel, Format};
use crate::sim::request;

/// A layer of a node.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// Its name and channels.
    pub plane: Plane,
    /// The option of `output` that shows it.
    output: &'static CStr,
    /// The channels of that picture, in the layer's order.
    channels: &'static [usize],
}

impl Layer {
    /// The layer of some channels of the view of an option of `output`.
    pub const fn new(plane: Plane, output: &'static CStr, channels: &'static [usize]) -> Self {
        Self { plane, output, channels }
    }

    /// Index of its option.
    fn option<Id: Controls>(&self) -> Option<i32> {
        let Kind::Choice { options, .. } = shown_by::<Id>()?.control().kind else { return None };
        i32::try_from(options.iter().position(|option| *option == self.output)?).ok()
    }
}

/// The parameter that chooses the view, where a node has one.
pub fn shown_by<Id: Controls>() -> Option<Id> {
    Id::controls().iter().find(|control| control.name == SHOWN).map(|control| control.id)
}

/// The layers of a node that a host offers.
pub fn offered<N: Node>(host: &Host) -> impl Iterator<Item = &'static Layer> {
    let named = quirks::names_planes(host);
    let known = move |layer: &&Layer| named == matches!(layer.plane, Plane::Layer(_));
    N::LAYERS.iter().filter(known).filter(|_| host.has_planes())
}

/// Whether the planes of a node are declared to a host as additional components of the output.
pub fn come_by_components<N: Node>(host: &Host) -> bool {
    quirks::agrees_on_planes_by_components(host) && offered::<N>(host).next().is_some()
}

/// Values with another choice of the view.
pub struct Showing<'v, V, Id> {
    values: &'v V,
    instead: Option<(Id, i32)>,
}

impl<'v, V: Values<Id>, Id: Controls> Showing<'v, V, Id> {
    /// The values for the view of a layer, or unchanged ones without a layer.
    pub fn new(values: &'v V, layer: Option<&Layer>) -> Self {
        let instead = layer.and_then(|layer| Some((shown_by()?, layer.option::<Id>()?)));
        Self { values, instead }
    }

    /// The values for files for other programs: those of the first option of `output`, which has all of the picture,
    /// whichever option is shown.
    pub fn for_files(values: &'v V) -> Self {
        Self { values, instead: shown_by().map(|shown| (shown, 0)) }
    }
}

impl<V: Values<Id>, Id: Controls> Values<Id> for Showing<'_, V, Id> {
    fn value(&self, id: Id, time: f64) -> Result<Value> {
        match self.instead {
            Some((shown, option)) if shown == id => Ok(Value::Choice(option)),
            _ => self.values.value(id, time),
        }
    }

    fn text(&self, id: Id, time: f64) -> String {
        self.values.text(id, time)
    }

    fn camera(&self, time: f64) -> Result<Option<Connected>> {
        self.values.camera(time)
    }
}

/// An image to be painted.
pub struct Target<'e> {
    /// The image.
    pub image: OutputImage<'e>,
    /// The layer; `None` for colour.
    pub layer: Option<&'static Layer>,
}

/// Fetches the output images of a render. A requested layer without a usable image is skipped, with a message once per
/// node. In an image with another number of channels, only the channels that it has are painted.
///
/// # Errors
/// There is no image at all.
pub fn targets<'e, N: Node>(
    instance: &Instance<N>,
    effect: &'e EffectHandle<'_>,
    args: &RenderArgs,
) -> Result<Vec<Target<'e>>> {
    let host = effect.host();
    let mut targets = Vec::new();
    let asked = |plane: Plane| args.planes.iter().any(|name| plane.is_called(name));
    // Colour is the default. It is always fetched in hosts without planes: Nuke repeats the render of a frame whose
    // output was not fetched.
    let colour = args.planes.is_empty() || asked(Plane::Colour) || !host.has_planes();
    if colour {
        let image = instance.output.output_image(effect, args.time)?;
        let image = image.ok_or_else(|| Error::message("The host gave no image to render into."))?;
        targets.push(Target { image, layer: None });
    }
    let by_components = args.planes.is_empty() && come_by_components::<N>(host);
    let wanted: Vec<&'static Layer> = if by_components {
        offered::<N>(host).collect()
    } else {
        // Projects of earlier versions request Natron's built-in planes of motion.
        N::LAYERS.iter().filter(|layer| host.has_planes() && asked(layer.plane)).collect()
    };
    let mut missing = Vec::new();
    for layer in wanted {
        match instance.output.output_plane(effect, args.time, layer.plane.as_cstr()) {
            Ok(Some(image)) => {
                let (count, channels) = (image.components().count(), layer.channels.len());
                if count != channels {
                    tracing::debug!("{} has {channels} channels and gets {count}", layer.plane.title());
                }
                targets.push(Target { image, layer: Some(layer) });
            }
            Ok(None) => missing.push((layer, None)),
            Err(error) => missing.push((layer, Some(error))),
        }
    }
    if !by_components {
        post_missing(instance, effect, &missing);
    }
    if targets.is_empty() {
        return Err(Error::Message(format!(
            "{} asked for layers that this node does not have, or gave no images for them. Render its colour, and choose \
             what it shows by Output.",
            host.label()
        )));
    }
    Ok(targets)
}

/// Posts, once per node, the layers that stay black, with the reason.
fn post_missing<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    missing: &[(&'static Layer, Option<Error>)],
) {
    // After an abort, hosts give no images.
    if missing.is_empty() || effect.abort() {
        return;
    }
    let names: Vec<String> = missing.iter().map(|(layer, _)| layer.plane.title().into_owned()).collect();
    let why =
        missing.iter().find_map(|(_, error)| error.as_ref()).map(|error| format!(": {error}")).unwrap_or_default();
    let text = format!(
        "{} gave no image for the layer {}, which stays black{why}. Choose what the colour shows by Output instead.",
        effect.host().label(),
        names.join(", ")
    );
    tracing::warn!("{text}");
    if !instance.posted_planes.swap(true, Ordering::Relaxed) {
        effect.post(MessageType::Warning, &text);
    }
}

/// The channels of pixels with `count` channels: the layer's, then 0, and 1 for an alpha.
fn filled(own: &[usize], count: usize) -> Vec<Channel> {
    const ALPHA: usize = 3;
    let place =
        |at: usize| own.get(at).map_or(Channel::Is(if at == ALPHA { 1.0 } else { 0.0 }), |own| Channel::Of(*own));
    (0..count).map(place).collect()
}

/// The pixels of a view over a window, for all layers of that view.
pub struct Painted<V> {
    view: V,
    window: RectI,
    pixels: Vec<[f32; 4]>,
}

/// Paints the channels of a layer over a window of its image, whose pixels have `count` channels. `paint` computes the
/// pixels of the view, unless an earlier layer of the same view has computed them.
///
/// # Errors
/// As `paint`.
pub fn paint_channels<V: PartialEq, E>(
    cpu: &Cpu,
    (layer, count): (&Layer, usize),
    window: RectI,
    view: V,
    before: &mut Option<Painted<V>>,
    canvas: Canvas<'_>,
    paint: impl FnOnce(&V, Canvas<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let Canvas { placement, format, rows } = canvas;
    let width = placement.x.count;
    if before.as_ref().is_none_or(|painted| painted.view != view || painted.window != window) {
        let mut pixels = request::zeros::<[f32; 4]>(width * placement.y.count);
        let lines = pixels.chunks_mut(width.max(1)).map(bytemuck::cast_slice_mut).collect();
        paint(&view, Canvas { placement, format: Format::PLAIN, rows: lines })?;
        *before = Some(Painted { view, window, pixels });
    }
    if let Some(Painted { pixels, .. }) = before {
        let lines: Vec<_> = pixels.chunks(width.max(1)).zip(rows).collect();
        let channels = filled(layer.channels, count);
        cpu.each(lines, |(pixels, row)| format.depth.encode_channels(pixels, &channels, row));
    }
    Ok(())
}

impl Layer {
    /// Whether the layer has all channels of its view, in their order.
    pub fn is_whole(&self) -> bool {
        self.channels == [0, 1, 2, 3]
    }
}

/// Checks a node's layers: each has an option and as many channels as its name.
#[cfg(test)]
pub fn check<N: Node>() {
    for (place, layer) in N::LAYERS.iter().enumerate() {
        assert!(layer.option::<N::Id>().is_some(), "{layer:?}");
        let named = layer.plane.layer().map_or(2, |(_, channels)| channels.len());
        assert_eq!(layer.channels.len(), named, "{layer:?}");
        assert!(layer.channels.iter().all(|channel| *channel < 4), "{layer:?}");
        assert!(N::LAYERS[..place].iter().all(|other| other.plane != layer.plane), "{layer:?}");
    }
    assert_eq!(filled(&[2, 3], 2), [Channel::Of(2), Channel::Of(3)]);
    assert_eq!(filled(&[0, 1], 4), [Channel::Of(0), Channel::Of(1), Channel::Is(0.0), Channel::Is(1.0)]);
    assert_eq!(filled(&[0, 1], 1), [Channel::Of(0)]);
}

/// Checks that a node's files have its layers with the same names: `files` are the channels' names, layer by layer.
#[cfg(test)]
pub fn check_names<N: Node>(files: &[Vec<String>]) {
    let named: Vec<Vec<String>> = N::LAYERS
        .iter()
        .filter_map(|layer| layer.plane.layer())
        .map(|(name, channels)| channels.iter().map(|channel| format!("{name}.{channel}")).collect())
        .collect();
    let layers = files.iter().filter(|layer| layer[0].contains('.') && !layer[0].starts_with("forward."));
    for layer in layers {
        assert!(named.contains(layer), "{layer:?} is in no plane of {named:?}");
    }
}

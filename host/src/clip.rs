//! A clip of a node: its input, and the images that the plug-in holds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use flow_openfx as ofx;

use crate::action::{self, Action, Fetch};
use crate::descriptor::Descriptor;
use crate::ffi::handles::{self, HandleId, Object};
use crate::node::NodeCore;
use crate::profile::{ImageIds, Planes, Unconnected, Undeclared};
use crate::props::{PropSet, Values, c_string};
use crate::record::Event;
use crate::{Components, Depth, Image, Plane, Premultiplication, RectD, Source, misuse};

/// A clip of a node.
pub(crate) struct Clip {
    pub name: String,
    pub props: Arc<PropSet>,
    pub node: Weak<NodeCore>,
    pub supported: Vec<Components>,
    pub is_output: bool,
    id: HandleId,
    source: RwLock<Option<Arc<Source>>>,
}

/// An image that the plug-in holds.
pub(crate) struct ClipImage {
    pub props: Arc<PropSet>,
    pub action: Arc<Action>,
    /// Owns an input's pixels while the plug-in reads them.
    _pixels: Option<Arc<Image>>,
}

impl Clip {
    pub(crate) fn new(
        name: &str,
        described: &PropSet,
        descriptor: &Descriptor,
        source: Option<Source>,
        node: Weak<NodeCore>,
    ) -> Arc<Self> {
        let props = described.copy(format!("clip {name}"));
        props
            .text(ofx::kOfxImageEffectPropPixelDepth, "OfxBitDepthNone")
            .text(ofx::kOfxImageEffectPropComponents, "OfxImageComponentNone")
            .text(ofx::kOfxImageClipPropUnmappedPixelDepth, "OfxBitDepthNone")
            .text(ofx::kOfxImageClipPropUnmappedComponents, "OfxImageComponentNone")
            .text(ofx::kOfxImageEffectPropPreMultiplication, "OfxImageAlphaPremultiplied")
            .doubles(ofx::kOfxImagePropPixelAspectRatio, &[1.0])
            .doubles(ofx::kOfxImageEffectPropFrameRate, &[24.0])
            .doubles(ofx::kOfxImageEffectPropUnmappedFrameRate, &[24.0])
            .doubles(ofx::kOfxImageEffectPropFrameRange, &[0.0, 0.0])
            .doubles(ofx::kOfxImageEffectPropUnmappedFrameRange, &[0.0, 0.0])
            .text(ofx::kOfxImageClipPropFieldOrder, ofx::Field::None.as_str())
            .ints(ofx::kOfxImageClipPropConnected, &[0])
            .ints(ofx::kOfxImageClipPropContinuousSamples, &[0])
            .seal();
        Arc::new_cyclic(|weak| Self {
            name: name.to_owned(),
            supported: descriptor.components(described),
            is_output: name == ofx::text(ofx::kOfxImageEffectOutputClipName),
            props,
            node,
            id: HandleId::new(Object::Clip(weak.clone())),
            source: RwLock::new(source.map(Arc::new)),
        })
    }

    pub(crate) fn handle<T>(&self) -> *mut T {
        self.id.pointer()
    }

    pub(crate) fn source(&self) -> Option<Arc<Source>> {
        self.source.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_source(&self, source: Option<Arc<Source>>) {
        *self.source.write().unwrap_or_else(PoisonError::into_inner) = source;
    }

    /// The agreed depth and components.
    pub(crate) fn format(&self) -> Option<(Depth, Components)> {
        let depth = Depth::parse(&self.props.get_text(ofx::kOfxImageEffectPropPixelDepth)?)?;
        let components = Components::parse(&self.props.get_text(ofx::kOfxImageEffectPropComponents)?)?;
        Some((depth, components))
    }

    /// Whether the plug-in declared that it reads this clip at other times.
    fn temporal(&self, node: &NodeCore) -> bool {
        self.props.int(ofx::kOfxImageEffectPropTemporalClipAccess) == Some(1)
            || node.descriptor.props.int(ofx::kOfxImageEffectPropTemporalClipAccess) == Some(1)
    }

    /// The region of definition at a time; `None` for a clip without one.
    pub(crate) fn region(&self, time: f64) -> Option<RectD> {
        let node = self.node.upgrade()?;
        let action = action::current_of(&node);
        let frame = action.as_ref().and_then(|action| action.time).unwrap_or(time);
        let time = if node.profile().ignores_time { frame } else { time };
        if self.is_output {
            let scale = action.as_ref().map_or((1.0, 1.0), |action| action.scale);
            if action.as_ref().is_some_and(|action| action.name == ofx::Action::GetRegionOfDefinition.as_str()) {
                return Some(node.project.canonical());
            }
            return crate::render::region(&node, time, scale).ok();
        }
        match self.source() {
            Some(source) => source.region_at(time, &node.project),
            None => match node.profile().unconnected {
                Unconnected::Nothing => None,
                Unconnected::EmptyImage => Some(RectD::default()),
                Unconnected::Region | Unconnected::BlackImage => Some(node.project.canonical()),
            },
        }
    }

    /// Gives an image to the plug-in; returns its handle, or `None` without an image.
    pub(crate) fn fetch(&self, time: f64) -> Option<usize> {
        let node = self.node.upgrade()?;
        let Some(action) = action::current_of(&node) else {
            if let Some(action) = action::current() {
                action.record.violation(format!("{}: image fetched in another node's action", self.name));
            }
            node.host()
                .record
                .violation(format!("{}: image of {} fetched from a thread that runs no action", node.name, self.name));
            return None;
        };
        if self.is_output {
            return self.give_output(&node, &action);
        }
        let found = if action.abort.aborted() { None } else { self.input(&node, &action, time) };
        let fetch = Fetch { clip: self.name.clone(), time, found: found.is_some() };
        action.record.push(Event::Fetch {
            node: node.name.clone(),
            clip: fetch.clip.clone(),
            time,
            found: fetch.found,
        });
        action.gather(|gathered| gathered.fetched.push(fetch));
        let image = found?;
        let props = self.image_props(&node, &image, &action, time);
        let address = image.data().as_ptr().wrapping_add(image.origin_offset());
        props.pointer(ofx::kOfxImagePropData, address.expose_provenance());
        misuse::apply(&action.claims, &self.name, &props);
        props.seal();
        Some(self.give_image(&action, props, Some(image), time))
    }

    /// Gives an image of a plane to the plug-in.
    pub(crate) fn fetch_plane(&self, time: f64, plane: &Plane) -> Option<usize> {
        if plane.name == crate::plane::COLOUR {
            return self.fetch(time);
        }
        let node = self.node.upgrade()?;
        let action = action::current_of(&node)?;
        if !self.is_output || action.name != ofx::Action::Render.as_str() {
            return None;
        }
        if action.withheld.iter().any(|withheld| withheld.is(plane)) {
            return None;
        }
        let like = {
            let output = action.output.lock().unwrap_or_else(PoisonError::into_inner);
            let image = output.as_ref()?;
            let components = plane.components_where(node.has_two_channels());
            Image::with_rows(image.bounds(), image.depth(), components, image.rows())
                .premultiplied(Premultiplication::Opaque)
                .pixel_aspect(image.pixel_aspect)
        };
        let mut planes = action.planes.lock().unwrap_or_else(PoisonError::into_inner);
        // As in Natron for an unrequested plane: the plug-in gets an image that is then discarded.
        if !planes.iter().any(|(known, _)| known.is(plane)) {
            if node.profile().planes != Planes::Any {
                return None;
            }
            planes.push((plane.clone(), like));
        }
        let (plane, image) = planes.iter_mut().find(|(known, _)| known.is(plane))?;
        let time = action.time.unwrap_or(time);
        let props = self.image_props(&node, image, &action, time);
        let closest = image.components() != plane.components();
        let components = if closest { image.components().as_str() } else { plane.components_name() };
        props.put(ofx::kOfxImageEffectPropComponents, Values::Text(vec![c_string(components)]));
        let offset = image.origin_offset();
        let address = image.data_mut().as_mut_ptr().wrapping_add(offset);
        props.pointer(ofx::kOfxImagePropData, address.expose_provenance());
        misuse::apply(&action.claims, &format!("{}.{}", self.name, plane.name), &props);
        props.seal();
        drop(planes);
        Some(self.give_image(&action, props, None, time))
    }

    fn give_image(&self, action: &Arc<Action>, props: Arc<PropSet>, pixels: Option<Arc<Image>>, time: f64) -> usize {
        let image = ClipImage { props, action: Arc::clone(action), _pixels: pixels };
        let id = handles::insert(Object::Image(Arc::new(image)));
        action.gather(|gathered| gathered.images.push((id, format!("{} at {time}", self.name))));
        id
    }

    fn give_output(&self, node: &Arc<NodeCore>, action: &Arc<Action>) -> Option<usize> {
        if action.name != ofx::Action::Render.as_str() {
            action.record.violation(format!("{}: Output fetched in {}", node.name, action.name));
            return None;
        }
        let time = action.time.unwrap_or(0.0);
        let mut output = action.output.lock().unwrap_or_else(PoisonError::into_inner);
        let image = output.as_mut()?;
        let props = self.image_props(node, image, action, time);
        let offset = image.origin_offset();
        let address = image.data_mut().as_mut_ptr().wrapping_add(offset);
        props.pointer(ofx::kOfxImagePropData, address.expose_provenance());
        misuse::apply(&action.claims, &self.name, &props);
        props.seal();
        drop(output);
        Some(self.give_image(action, props, None, time))
    }

    fn input(&self, node: &Arc<NodeCore>, action: &Arc<Action>, time: f64) -> Option<Arc<Image>> {
        let profile = node.profile();
        let Some(source) = self.source() else {
            let bounds = match profile.unconnected {
                Unconnected::Nothing | Unconnected::Region => return None,
                Unconnected::EmptyImage => crate::RectI::default(),
                Unconnected::BlackImage => node.project.canonical().pixels(action.scale, node.project.par),
            };
            let (depth, components) = self.format().unwrap_or((Depth::Float, Components::Rgba));
            return Some(Arc::new(Image::new(bounds, depth, components)));
        };
        let frame = action.time.unwrap_or(time);
        let mut at = if profile.ignores_time { frame } else { time };
        if !at.is_finite() {
            action.record.violation(format!("{}: image of {} at {at}", node.name, self.name));
            return None;
        }
        if time != frame && !profile.ignores_time && !self.temporal(node) {
            action.record.violation(format!(
                "{}: image of {} at another time without declaring temporal access",
                node.name, self.name
            ));
        }
        let declared = action.declared.as_ref().and_then(|declared| {
            let (_, ranges) = declared.iter().find(|(clip, _)| *clip == self.name)?;
            Some(ranges.iter().any(|(from, to)| at >= *from && at <= *to))
        });
        if declared == Some(false) {
            match profile.undeclared {
                Undeclared::Serve => {}
                Undeclared::Nothing => return None,
                Undeclared::Current => at = frame,
            }
        }
        let image = match source.image(at, action.scale, &node.project) {
            Ok(image) => image?,
            Err(error) => {
                action.gather(|gathered| gathered.source_error.get_or_insert(error.of_input(&self.name)).clone());
                return None;
            }
        };
        if source.unconverted() {
            return Some(image);
        }
        let (depth, components) = self.format().unwrap_or((image.depth(), image.components()));
        let rows = action.rows.unwrap_or(profile.rows);
        let bounds = if profile.multi_resolution {
            image.bounds()
        } else {
            node.project.canonical().pixels(action.scale, node.project.par)
        };
        let same = bounds == image.bounds()
            && depth == image.depth()
            && components == image.components()
            && rows == image.rows();
        Some(if same { image } else { Arc::new(image.converted(bounds, depth, components, rows)) })
    }

    fn image_props(&self, node: &NodeCore, image: &Image, action: &Action, time: f64) -> Arc<PropSet> {
        let profile = node.profile();
        let props = PropSet::new(format!("image {} at {time}", self.name));
        let [depth, components, own] = image.ofx_names();
        let premultiplication = profile.premultiplication.map_or(own, |p| p.as_str());
        props
            .text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeImage))
            .text(ofx::kOfxImageEffectPropPixelDepth, depth)
            .text(ofx::kOfxImageEffectPropComponents, components)
            .text(ofx::kOfxImageEffectPropPreMultiplication, premultiplication)
            .doubles(ofx::kOfxImageEffectPropRenderScale, &[action.scale.0, action.scale.1])
            .doubles(ofx::kOfxImagePropPixelAspectRatio, &[image.pixel_aspect])
            .ints(ofx::kOfxImagePropBounds, &image.bounds().to_array())
            .ints(ofx::kOfxImagePropRegionOfDefinition, &image.bounds().to_array())
            .ints(ofx::kOfxImagePropRowBytes, &[i32::try_from(image.row_bytes()).unwrap_or(0)])
            .text(ofx::kOfxImagePropField, profile.field);
        match profile.image_ids {
            ImageIds::Absent => {}
            ImageIds::AllOnes => {
                props.text(ofx::kOfxImagePropUniqueIdentifier, "ffffffffffffffff");
            }
            ImageIds::Random => {
                props.text(ofx::kOfxImagePropUniqueIdentifier, &random_id());
            }
            ImageIds::Hash => {
                props.text(ofx::kOfxImagePropUniqueIdentifier, &self.source_id(node, time));
            }
        }
        props
    }

    /// An identifier that names the connection and, where it varies, the time.
    fn source_id(&self, node: &NodeCore, time: f64) -> String {
        let hash = crate::cache::source_hash(self.source().as_deref(), time, &node.name);
        format!("{hash:016x}")
    }

    /// Writes the agreed format and the description of the input to the clip's properties.
    pub(crate) fn publish(
        &self,
        node: &NodeCore,
        format: Option<(Depth, Components)>,
        native: Option<(Depth, Components)>,
        premultiplication: &str,
        par: f64,
    ) {
        let text = |value: &str| Values::Text(vec![c_string(value)]);
        let depth = |d: Option<Depth>| d.map_or("OfxBitDepthNone", Depth::as_str);
        let comps = |c: Option<Components>| c.map_or("OfxImageComponentNone", Components::as_str);
        let profile = node.profile();
        let project = &node.project;
        let put = |name: &[u8], values| self.props.put(name, values);
        put(ofx::kOfxImageEffectPropPixelDepth, text(depth(format.map(|f| f.0))));
        put(ofx::kOfxImageEffectPropComponents, text(comps(format.map(|f| f.1))));
        put(ofx::kOfxImageClipPropUnmappedPixelDepth, text(depth(native.map(|f| f.0))));
        put(ofx::kOfxImageClipPropUnmappedComponents, text(comps(native.map(|f| f.1))));
        let claimed = profile.premultiplication.map_or(premultiplication, |p| p.as_str());
        put(ofx::kOfxImageEffectPropPreMultiplication, text(claimed));
        put(ofx::kOfxImagePropPixelAspectRatio, Values::Double(vec![par]));
        put(ofx::kOfxImageEffectPropFrameRate, Values::Double(vec![project.fps]));
        put(ofx::kOfxImageEffectPropUnmappedFrameRate, Values::Double(vec![project.fps]));
        let range = vec![project.frames.0, project.frames.1];
        put(ofx::kOfxImageEffectPropFrameRange, Values::Double(range.clone()));
        put(ofx::kOfxImageEffectPropUnmappedFrameRange, Values::Double(range));
        put(ofx::kOfxImageClipPropFieldOrder, text(profile.field));
        let connected = self.is_output || profile.all_connected || self.source().is_some();
        put(ofx::kOfxImageClipPropConnected, Values::Int(vec![i32::from(connected)]));
    }
}

fn random_id() -> String {
    static STATE: AtomicU64 = AtomicU64::new(0x9E37_79B9_7F4A_7C15);
    let mut x = STATE.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    format!("{:016x}", x ^ (x >> 31))
}

//! A viewer without a screen: a plug-in's overlay is drawn as lines, and a pen drags it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use flow_openfx as ofx;

use crate::ffi::handles::{self, HandleId, Object};
use crate::instance::Instance;
use crate::node::Node;
use crate::plugin::Entry;
use crate::profile::Overlays;
use crate::props::{PropSet, Values};
use crate::{Error, Image, Result, Status};

/// The view of a node in a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The shown frame.
    pub time: f64,
    /// The size of a screen's pixel in canonical coordinates.
    pub pixel: (f64, f64),
    /// The render scale of the shown picture.
    pub scale: (f64, f64),
}

impl Viewer {
    /// A viewer that shows a frame at full size.
    #[must_use]
    pub fn at(time: f64) -> Self {
        Self { time, pixel: (1.0, 1.0), scale: (1.0, 1.0) }
    }

    /// A viewer with a pixel of this size.
    #[must_use]
    pub fn pixel(mut self, x: f64, y: f64) -> Self {
        self.pixel = (x, y);
        self
    }
}

/// Lines that a plug-in drew in one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Red, green, blue and alpha.
    pub colour: [f32; 4],
    /// Width in pixels of the screen.
    pub width: f32,
    /// Points in canonical coordinates.
    pub points: Vec<[f64; 2]>,
    /// The last point is joined to the first.
    pub closed: bool,
}

/// Lines drawn so far, and the style of the next line.
pub(crate) struct Drawing {
    pub colour: [f32; 4],
    pub width: f32,
    lines: Vec<Line>,
}

/// Target of an `OfxDrawContextHandle`.
pub(crate) struct DrawContext(Mutex<Drawing>);

impl DrawContext {
    fn new() -> Self {
        Self(Mutex::new(Drawing { colour: [1.0; 4], width: 1.0, lines: Vec::new() }))
    }

    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut Drawing) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Draws the outline of a primitive of the standard.
    pub(crate) fn draw(&self, primitive: u32, points: Vec<[f64; 2]>) -> Result<(), String> {
        if points.iter().flatten().any(|v| !v.is_finite()) {
            return Err("a point that is nowhere".to_owned());
        }
        self.with(|drawn| {
            let Drawing { colour, width, .. } = *drawn;
            let mut add = |points: Vec<[f64; 2]>, closed| drawn.lines.push(Line { colour, width, points, closed });
            match primitive {
                ofx::OfxDrawPrimitive_kOfxDrawPrimitiveLines => {
                    points.chunks_exact(2).for_each(|pair| add(pair.to_vec(), false));
                }
                ofx::OfxDrawPrimitive_kOfxDrawPrimitiveLineStrip => add(points, false),
                ofx::OfxDrawPrimitive_kOfxDrawPrimitiveLineLoop | ofx::OfxDrawPrimitive_kOfxDrawPrimitivePolygon => {
                    add(points, true);
                }
                ofx::OfxDrawPrimitive_kOfxDrawPrimitiveRectangle => {
                    let [[x1, y1], [x2, y2]] = bounding_box(&points)?;
                    add(vec![[x1, y1], [x2, y1], [x2, y2], [x1, y2]], true);
                }
                ofx::OfxDrawPrimitive_kOfxDrawPrimitiveEllipse => {
                    let [[x1, y1], [x2, y2]] = bounding_box(&points)?;
                    let point = |side: u32| {
                        let (sin, cos) = (f64::from(side) / 32.0 * std::f64::consts::PI).sin_cos();
                        [(x1 + x2 + (x2 - x1) * cos) / 2.0, (y1 + y2 + (y2 - y1) * sin) / 2.0]
                    };
                    add((0..64).map(point).collect(), true);
                }
                other => return Err(format!("no primitive {other}")),
            }
            Ok(())
        })
    }
}

fn bounding_box(points: &[[f64; 2]]) -> Result<[[f64; 2]; 2], String> {
    <[[f64; 2]; 2]>::try_from(points).map_err(|_| format!("{} points, where two corners do", points.len()))
}

/// Target of an `OfxInteractHandle`.
pub(crate) struct Interact {
    pub props: Arc<PropSet>,
    pub redraws: AtomicU64,
    id: HandleId,
}

/// A plug-in's overlay in a viewer; destroyed when dropped.
pub struct Overlay {
    node: Node,
    instance: Arc<Instance>,
    interact: Arc<Interact>,
    entry: Entry,
    by_suite: bool,
}

impl Node {
    /// Opens the plug-in's overlay in a viewer; `None` if the plug-in or this host has none.
    ///
    /// # Errors
    /// The plug-in's refusal.
    pub fn overlay(&self) -> Result<Option<Overlay>> {
        let by_suite = match self.core.profile().overlays {
            Overlays::None => return Ok(None),
            Overlays::OpenGl => false,
            Overlays::Suite => true,
        };
        let property = if by_suite {
            ofx::text(ofx::kOfxImageEffectPluginPropOverlayInteractV2)
        } else {
            ofx::text(ofx::kOfxImageEffectPluginPropOverlayInteractV1)
        };
        let Some(Values::Pointer(address)) = self.core.descriptor.props.values(property) else { return Ok(None) };
        let Some(entry) = address.first().and_then(|address| Entry::at(*address)) else { return Ok(None) };
        let instance = self.core.main()?;
        let props = PropSet::new(format!("overlay of {}", self.name()));
        props
            .pointer(ofx::kOfxPropEffectInstance, instance.id.number())
            .doubles(ofx::kOfxInteractPropPixelScale, &[1.0, 1.0])
            .doubles(ofx::kOfxInteractPropBackgroundColour, &[0.0; 3])
            .doubles(ofx::kOfxInteractPropSuggestedColour, &[1.0, 1.0, 1.0])
            .ints(ofx::kOfxInteractPropBitDepth, &[8])
            .ints(ofx::kOfxInteractPropHasAlpha, &[1])
            .seal();
        props.pointer(ofx::kOfxPropInstanceData, 0).texts(ofx::kOfxInteractPropSlaveToParam, &[]);
        let interact = Arc::new_cyclic(|weak| Interact {
            props,
            redraws: AtomicU64::new(0),
            id: HandleId::new(Object::Interact(weak.clone())),
        });
        let overlay = Overlay { node: self.clone(), instance, interact, entry, by_suite };
        overlay.act(ofx::Action::Describe.as_str(), None, None)?;
        overlay.act(ofx::Action::CreateInstance.as_str(), None, None)?;
        Ok(Some(overlay))
    }
}

impl Overlay {
    /// Calls an action.
    fn act(&self, name: &'static str, time: Option<f64>, inputs: Option<&PropSet>) -> Result<Status> {
        let core = &self.node.core;
        let mut call = self.instance.action(name, time);
        // Actions other than Draw count as the instance's; the handle is the overlay's.
        call.effect = self.interact.id.number();
        let (status, action) = core.plugin.call_at(self.entry, call, inputs, None);
        core.plugin.check(name, status, &action)?;
        Ok(status)
    }

    fn arguments(&self, viewer: &Viewer) -> Arc<PropSet> {
        let Viewer { time, pixel, scale } = *viewer;
        // A user who sees the node sees it connected and with negotiated formats; a destroyed one has none.
        drop(self.node.core.preferences());
        self.interact.props.put(ofx::kOfxInteractPropPixelScale, Values::Double(vec![pixel.0, pixel.1]));
        let inputs = PropSet::new("overlay arguments");
        inputs
            .pointer(ofx::kOfxPropEffectInstance, self.instance.id.number())
            .doubles(ofx::kOfxInteractPropPixelScale, &[pixel.0, pixel.1])
            .doubles(ofx::kOfxInteractPropBackgroundColour, &[0.0; 3])
            .doubles(ofx::kOfxPropTime, &[time])
            .doubles(ofx::kOfxImageEffectPropRenderScale, &[scale.0, scale.1]);
        inputs
    }

    /// Draws the overlay, and returns the lines: none if it was drawn with OpenGL.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn draw(&self, viewer: &Viewer) -> Result<Vec<Line>> {
        let inputs = self.arguments(viewer);
        let sheet = Arc::new(DrawContext::new());
        let handle = self.by_suite.then(|| handles::insert(Object::DrawContext(Arc::clone(&sheet))));
        if let Some(handle) = handle {
            inputs.pointer(ofx::kOfxInteractPropDrawContext, handle);
        }
        inputs.seal();
        let outcome = self.act(ofx::Action::Draw.as_str(), Some(viewer.time), Some(&inputs));
        if let Some(handle) = handle {
            drop(handles::remove(handle));
        }
        outcome?;
        Ok(sheet.with(|drawn| std::mem::take(&mut drawn.lines)))
    }

    /// Draws the overlay over a picture.
    ///
    /// # Errors
    /// The plug-in's failure; wrong usage if this host draws with OpenGL.
    pub fn paint(&self, viewer: &Viewer, image: &mut Image) -> Result<()> {
        if !self.by_suite {
            let host = &self.node.core.profile().label;
            return Err(Error::usage(format!(
                "{host} draws overlays with OpenGL, and flow-host has no screen: use generic"
            )));
        }
        for line in self.draw(viewer)? {
            crate::raster::line(image, &line, viewer, self.node.project().par);
        }
        Ok(())
    }

    fn pen(&self, name: &'static str, viewer: &Viewer, position: (f64, f64), pressure: f64) -> Result<bool> {
        let inputs = self.arguments(viewer);
        let screen = [position.0 / viewer.pixel.0, position.1 / viewer.pixel.1].map(|v| v.round() as i32);
        inputs
            .doubles(ofx::kOfxInteractPropPenPosition, &[position.0, position.1])
            .ints(ofx::kOfxInteractPropPenViewportPosition, &screen)
            .doubles(ofx::kOfxInteractPropPenPressure, &[pressure])
            .seal();
        let status = self.act(name, Some(viewer.time), Some(&inputs))?;
        // The plug-in may have changed the inputs of renders and formats.
        self.node.core.edited(true)?;
        Ok(status == Status::OK)
    }

    /// The user presses the pen at a canonical position. Returns whether the overlay takes the pen.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn press(&self, viewer: &Viewer, x: f64, y: f64) -> Result<bool> {
        self.node.core.history.begin_drag();
        self.pen(ofx::Action::PenDown.as_str(), viewer, (x, y), 1.0)
    }

    /// The user moves the pen to a canonical position. Returns whether the overlay takes the pen.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn move_to(&self, viewer: &Viewer, x: f64, y: f64) -> Result<bool> {
        self.pen(ofx::Action::PenMotion.as_str(), viewer, (x, y), 1.0)
    }

    /// The user releases the pen at a canonical position. Returns whether the overlay takes the pen.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn release(&self, viewer: &Viewer, x: f64, y: f64) -> Result<bool> {
        self.pen(ofx::Action::PenUp.as_str(), viewer, (x, y), 0.0)
    }

    /// The user drags from one canonical position to another in some steps. Returns whether the overlay took the pen.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn drag(&self, viewer: &Viewer, from: [f64; 2], to: [f64; 2]) -> Result<bool> {
        const STEPS: u32 = 4;
        let taken = self.press(viewer, from[0], from[1])?;
        for step in 1..=STEPS {
            let at = |axis: usize| from[axis] + (to[axis] - from[axis]) * f64::from(step) / f64::from(STEPS);
            self.move_to(viewer, at(0), at(1))?;
        }
        self.release(viewer, to[0], to[1])?;
        Ok(taken)
    }

    /// The viewer shows another node.
    ///
    /// # Errors
    /// The plug-in's failure.
    pub fn lose_focus(&self, viewer: &Viewer) -> Result<()> {
        let inputs = self.arguments(viewer);
        inputs.seal();
        self.act(ofx::Action::LoseFocus.as_str(), Some(viewer.time), Some(&inputs)).map(drop)
    }

    /// Number of redraws that the plug-in has requested.
    #[must_use]
    pub fn redraws(&self) -> u64 {
        self.interact.redraws.load(Ordering::Relaxed)
    }

    /// Parameters whose changes require a redraw of the overlay.
    #[must_use]
    pub fn follows(&self) -> Vec<String> {
        self.interact.props.get_texts(ofx::kOfxInteractPropSlaveToParam)
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        // A refusal cannot be reported here; the record has it.
        drop(self.act(ofx::Action::DestroyInstance.as_str(), None, None));
    }
}

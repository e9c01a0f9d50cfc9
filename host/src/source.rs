//! Connections of clips.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::io::Sequence;
use crate::render::{self, Request};
use crate::{Components, Depth, Image, Node, Premultiplication, Project, RectD, Result};

/// A function from time to picture, in full-resolution pixels; `None` for a time without a picture.
pub type Pictures = Arc<dyn Fn(f64) -> Option<Image> + Send + Sync>;

/// The input of a clip.
#[derive(Clone)]
pub struct Source {
    pub(crate) kind: Kind,
    /// A unique number of the connection, for the picture cache.
    pub(crate) serial: u64,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Constant([f32; 4]),
    Pictures { get: Pictures, as_is: bool, region: Option<RectD>, premultiplication: Premultiplication },
    Files(Arc<Sequence>),
    Node(Node),
}

impl Source {
    fn new(kind: Kind) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { kind, serial: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// One colour over the whole project: premultiplied red, green, blue, alpha.
    #[must_use]
    pub fn constant(rgba: [f32; 4]) -> Self {
        Self::new(Kind::Constant(rgba))
    }

    /// A function from time to picture, called on the rendering threads at every fetch
    /// of the plug-in.
    pub fn pictures(get: impl Fn(f64) -> Option<Image> + Send + Sync + 'static) -> Self {
        Self::new(Kind::Pictures {
            get: Arc::new(get),
            as_is: false,
            region: None,
            premultiplication: Premultiplication::Premultiplied,
        })
    }

    /// One picture at all times.
    #[must_use]
    pub fn still(image: Image) -> Self {
        let premultiplication = image.premultiplication;
        let region = image.bounds().canonical((1.0, 1.0), image.pixel_aspect);
        Self::pictures(move |_| Some(image.clone())).premultiplied(premultiplication).region(region)
    }

    /// Image files.
    #[must_use]
    pub fn files(sequence: Sequence) -> Self {
        Self::new(Kind::Files(Arc::new(sequence)))
    }

    /// The output of another node of any plug-in, rendered on demand on the
    /// requesting thread.
    #[must_use]
    pub fn node(node: &Node) -> Self {
        Self::new(Kind::Node(node.clone()))
    }

    /// Passes pictures on as the function makes them: depth, components and
    /// rows unconverted, whatever formats were negotiated.
    #[must_use]
    pub fn as_is(mut self) -> Self {
        if let Kind::Pictures { as_is, .. } = &mut self.kind {
            *as_is = true;
        }
        self
    }

    /// Declares the region of definition, in canonical coordinates, instead of that
    /// of the pictures.
    #[must_use]
    pub fn region(mut self, rect: RectD) -> Self {
        if let Kind::Pictures { region, .. } = &mut self.kind {
            *region = Some(rect);
        }
        self
    }

    /// Declares the relation of colour to alpha in a function's pictures.
    #[must_use]
    pub fn premultiplied(mut self, premultiplied: Premultiplication) -> Self {
        if let Kind::Pictures { premultiplication, .. } = &mut self.kind {
            *premultiplication = premultiplied;
        }
        self
    }

    /// The nodes directly upstream.
    pub(crate) fn upstream(&self) -> Option<&Node> {
        match &self.kind {
            Kind::Node(node) => Some(node),
            _ => None,
        }
    }

    /// Whether the source's pictures skip conversion.
    pub(crate) fn unconverted(&self) -> bool {
        matches!(self.kind, Kind::Pictures { as_is: true, .. })
    }

    /// Depth, components and premultiplication before any conversion.
    pub(crate) fn native(&self, project: &Project) -> Result<(Depth, Components, Premultiplication)> {
        Ok(match &self.kind {
            Kind::Constant([.., alpha]) => {
                let premultiplication =
                    if *alpha == 1.0 { Premultiplication::Opaque } else { Premultiplication::Premultiplied };
                (Depth::Float, Components::Rgba, premultiplication)
            }
            Kind::Pictures { get, premultiplication, .. } => match get(project.frames.0) {
                Some(image) => (image.depth(), image.components(), *premultiplication),
                None => (Depth::Float, Components::Rgba, *premultiplication),
            },
            Kind::Files(sequence) => sequence.native(project.frames.0),
            Kind::Node(node) => {
                let format = node.core.preferences()?;
                (format.depth, format.components, format.premultiplication)
            }
        })
    }

    /// The picture at a time and scale, in the source's own layout.
    pub(crate) fn image(&self, time: f64, scale: (f64, f64), project: &Project) -> Result<Option<Arc<Image>>> {
        Ok(match &self.kind {
            Kind::Constant(rgba) => {
                let bounds = project.canonical().pixels(scale, project.par);
                Some(Arc::new(Image::from_fn(bounds, |_, _| *rgba)))
            }
            Kind::Pictures { get, .. } => {
                let full_size = scale == (1.0, 1.0);
                get(time).map(|image| Arc::new(if full_size { image } else { image.scaled(scale) }))
            }
            Kind::Files(sequence) => sequence.image(time, scale)?,
            Kind::Node(node) => {
                let request = Request::at(time).scale(scale.0, scale.1).whole_region();
                Some(render::render(&node.core, &request)?.image)
            }
        })
    }

    /// The region of definition at a time, in canonical coordinates.
    pub(crate) fn region_at(&self, time: f64, project: &Project) -> Option<RectD> {
        match &self.kind {
            Kind::Constant(_) => Some(project.canonical()),
            Kind::Pictures { region: Some(region), .. } => Some(*region),
            Kind::Pictures { get, .. } => {
                let image = get(time)?;
                Some(image.bounds().canonical((1.0, 1.0), image.pixel_aspect))
            }
            Kind::Files(sequence) => {
                let image = sequence.image(time, (1.0, 1.0)).ok().flatten()?;
                Some(image.bounds().canonical((1.0, 1.0), image.pixel_aspect))
            }
            Kind::Node(node) => render::region(&node.core, time, (1.0, 1.0)).ok(),
        }
    }

    /// Pixel aspect ratio, frame range.
    pub(crate) fn par(&self, project: &Project) -> f64 {
        match &self.kind {
            Kind::Node(node) => node.core.project.par,
            Kind::Constant(_) | Kind::Files(_) => project.par,
            Kind::Pictures { get, .. } => get(project.frames.0).map_or(project.par, |image| image.pixel_aspect),
        }
    }
}

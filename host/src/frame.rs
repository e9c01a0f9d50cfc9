//! A rendered frame with its statistics.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::action::Fetch;
use crate::{Image, Plane, RectI};

/// A rendered frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The requested time.
    pub time: f64,
    /// The pixels; they may cover less than `window`, the rest is transparent.
    pub image: Arc<Image>,
    /// The requested planes other than colour, in that order.
    pub planes: Vec<(Plane, Arc<Image>)>,
    /// The requested pixels.
    pub window: RectI,
    /// Whether the abort check stopped the render; the pixels are then undefined.
    pub aborted: bool,
    /// Number of polls for an abort, by the plug-in and all nodes upstream.
    pub polls: u64,
    /// The clip and time whose image replaces this frame, if the plug-in named one.
    pub identity: Option<(String, f64)>,
    /// Whether the frame came from the host's picture cache.
    pub cached: bool,
    /// Duration, including the host's work.
    pub wall: Duration,
    /// Duration of the plug-in's Render action, including the images that it fetched.
    pub action: Duration,
    /// Statistics that the plug-in reported through the statistics suite.
    pub stats: Map<String, Value>,
    /// Images that the plug-in requested in render, in order.
    pub fetched: Vec<Fetch>,
    /// Messages from render, in order.
    pub messages: Vec<String>,
}

impl Frame {
    /// A frame without planes, messages and statistics.
    pub(crate) fn new(time: f64, window: RectI, image: Image) -> Self {
        Self {
            time,
            image: Arc::new(image),
            planes: Vec::new(),
            window,
            aborted: false,
            polls: 0,
            identity: None,
            cached: false,
            wall: Duration::ZERO,
            action: Duration::ZERO,
            stats: Map::new(),
            fetched: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// All pixels of the window, bottom row first, as RGBA floats.
    #[must_use]
    pub fn rgba(&self) -> Vec<[f32; 4]> {
        self.image.to_rgba(self.window)
    }

    /// A pixel as red, green, blue, alpha.
    #[must_use]
    pub fn pixel(&self, x: i32, y: i32) -> [f32; 4] {
        self.image.pixel(x, y)
    }

    /// The picture of a plane.
    #[must_use]
    pub fn plane(&self, name: &str) -> Option<&Image> {
        self.planes.iter().find(|(plane, _)| plane.name == name).map(|(_, image)| &**image)
    }

    /// A number from the plug-in's statistics.
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<f64> {
        self.stats.get(name).and_then(Value::as_f64)
    }
}

//! Images of the host as checked rows of bytes.
//!
//! A host describes an image by a pointer, bounds and a stride, which may be negative or include padding. Some
//! descriptions are wrong: `Layout::check` compares the numbers once.

use std::{ffi::CStr, fmt, ptr::NonNull, slice};

use flow_openfx as sys;

use super::{
    Components, Depth, Premultiplication,
    error::{Error, Result, succeeded},
    geometry::RectI,
    host::Host,
    layout::Layout,
    plane,
    property::PropertySet,
};

/// An image of the host, to be read; released when dropped.
///
/// Rows can be read on any thread (`&Image` is `Send`), but the image stays on the thread of its action. Coordinates
/// are pixels at the [`render_scale`](Self::render_scale), y upwards. The [`bounds`](Self::bounds) have any origin and
/// may be smaller than the request; pixels outside are transparent.
pub struct Image<'e> {
    layout: Layout,
    /// The lower left pixel of the bounds; dangling and unused for empty bounds.
    data: NonNull<u8>,
    render_scale: [f64; 2],
    pixel_aspect: Option<f64>,
    premultiplication: Option<Premultiplication>,
    _lease: Lease<'e>,
}

// SAFETY: shared access reads fields and memory that the host does not change before the image is released
// (ofxImageEffect.h, clipGetImage). Only `drop` calls the host, and `Image` is not `Send`.
unsafe impl Sync for Image<'_> {}

/// Releases an image when dropped.
struct Lease<'e> {
    host: &'e Host,
    image: PropertySet<'e>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(release) = self.host.effect().clipReleaseImage {
            // SAFETY: ofxImageEffect.h: takes an image of clipGetImage, once.
            succeeded(unsafe { release(self.image.handle()) }, "clipReleaseImage");
        }
    }
}

impl<'e> Image<'e> {
    /// Takes ownership of an image.
    ///
    /// # Errors
    ///
    /// [`Error::Image`] with the host's name and numbers if they contradict each other. The image is then released.
    ///
    /// # Safety
    ///
    /// `image` is an image of `host` that no other code releases.
    pub(super) unsafe fn new(host: &'e Host, image: PropertySet<'e>, clip: &CStr) -> Result<Self> {
        let lease = Lease { host, image };
        let refuse = |what: String| {
            let clip = clip.to_string_lossy();
            let host = host.label();
            Error::Image(format!(
                "{host} handed over an image of '{clip}' that cannot be used: it has {what}. Convert '{clip}' to RGBA float in \
                 front of the node; if that does not help, please report it with the version of {host}."
            ))
        };
        let depth = image.get_string(sys::kOfxImageEffectPropPixelDepth, 0).unwrap_or_default();
        let depth = Depth::parse(&depth).ok_or_else(|| refuse(format!("the pixel depth '{depth}'")))?;
        let components = image.get_string(sys::kOfxImageEffectPropComponents, 0).unwrap_or_default();
        let components =
            plane::components(&components).ok_or_else(|| refuse(format!("the components '{components}'")))?;
        let [x1, y1, x2, y2] = image.ints(sys::kOfxImagePropBounds).map_err(|_| refuse("no bounds".into()))?;
        let bounds = RectI { x1, y1, x2, y2 };
        let row_bytes = image.get_int(sys::kOfxImagePropRowBytes, 0).map_err(|_| refuse("no row bytes".into()))?;
        let layout = Layout::check(bounds, components, depth, row_bytes).map_err(refuse)?;
        let data = image.get_pointer(sys::kOfxImagePropData, 0).map_err(|_| refuse("no pixels".into()))?;
        let data = match NonNull::new(data.cast::<u8>()) {
            Some(data) => data,
            None if bounds.is_empty() => NonNull::dangling(),
            None => return Err(refuse("a null pointer for its pixels".into())),
        };
        Ok(Self {
            layout,
            data,
            render_scale: image.doubles(sys::kOfxImageEffectPropRenderScale).unwrap_or([1.0, 1.0]),
            pixel_aspect: image.positive(sys::kOfxImagePropPixelAspectRatio),
            premultiplication: image.parsed(sys::kOfxImageEffectPropPreMultiplication, Premultiplication::parse),
            _lease: lease,
        })
    }

    /// The pixels that exist.
    #[must_use]
    pub fn bounds(&self) -> RectI {
        self.layout.bounds
    }

    /// The samples of a pixel.
    #[must_use]
    pub fn components(&self) -> Components {
        self.layout.components
    }

    /// The type of a sample.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.layout.depth
    }

    /// Bytes per pixel.
    #[must_use]
    pub fn pixel_bytes(&self) -> usize {
        self.layout.pixel_bytes()
    }

    /// Pixels of this image per full-resolution pixel, in x and y; 1 if the host does not tell. The bounds take
    /// precedence.
    #[must_use]
    pub fn render_scale(&self) -> [f64; 2] {
        self.render_scale
    }

    /// The pixel aspect ratio; `None` if the host gives none above 0.
    #[must_use]
    pub fn pixel_aspect(&self) -> Option<f64> {
        self.pixel_aspect
    }

    /// The relation of colour to alpha; `None` if the image does not tell.
    #[must_use]
    pub fn premultiplication(&self) -> Option<Premultiplication> {
        self.premultiplication
    }

    /// The pixels of row `y` from left to right, without padding or alignment; `None` outside the bounds.
    #[must_use]
    pub fn row(&self, y: i32) -> Option<&[u8]> {
        let offset = self.layout.offset(y)?;
        // SAFETY: ofxImageEffect.h, kOfxImagePropData and kOfxImagePropRowBytes: row y of the bounds starts `offset`
        // bytes from the lower left pixel and holds a row of pixels (`Layout::check`: they fit into the row bytes, and
        // no offset overflows). The image exists until `self` releases it, and no code writes it before.
        Some(unsafe { slice::from_raw_parts(self.data.as_ptr().offset(offset), self.layout.row_bytes()) })
    }

    /// All rows with their y, bottom row first.
    pub fn rows(&self) -> impl Iterator<Item = (i32, &[u8])> {
        (self.layout.bounds.y1..self.layout.bounds.y2).filter_map(|y| Some((y, self.row(y)?)))
    }
}

impl fmt::Debug for Image<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("layout", &self.layout).field("scale", &self.render_scale).finish_non_exhaustive()
    }
}

/// An image of the host, to be written and read; released when dropped.
#[derive(Debug)]
pub struct OutputImage<'e>(Image<'e>);

impl<'e> std::ops::Deref for OutputImage<'e> {
    type Target = Image<'e>;

    fn deref(&self) -> &Image<'e> {
        &self.0
    }
}

/// One row of an [`OutputImage`]. Several threads can write different rows concurrently.
#[derive(Debug)]
pub struct RowMut<'i> {
    /// The row, in the image's pixel coordinates.
    pub y: i32,
    /// The pixels from left to right, without padding or alignment.
    pub bytes: &'i mut [u8],
}

impl<'e> OutputImage<'e> {
    pub(super) fn new(image: Image<'e>) -> Self {
        Self(image)
    }

    /// All rows, bottom row first.
    #[must_use]
    pub fn rows_mut(&mut self) -> Vec<RowMut<'_>> {
        let Layout { bounds, .. } = self.0.layout;
        let length = self.0.layout.row_bytes();
        let data = self.0.data.as_ptr();
        let rows = (bounds.y1..bounds.y2).filter_map(|y| Some((y, self.0.layout.offset(y)?)));
        // SAFETY: as in `Image::row`. The effect may write the output until it is released, and `self` is borrowed
        // exclusively. `Layout::check`: the stride is at least a row long, so no two rows share a byte.
        rows.map(|(y, offset)| RowMut { y, bytes: unsafe { slice::from_raw_parts_mut(data.offset(offset), length) } })
            .collect()
    }

    /// Sets every pixel to transparent black.
    pub fn clear(&mut self) {
        for row in self.rows_mut() {
            row.bytes.fill(0);
        }
    }
}

//! Images of the host as checked rows.
//!
//! A host describes an image by a pointer, bounds, and a stride that may be negative or padded, and sometimes describes it
//! wrongly. `Layout::check` decides once whether the numbers agree; after that there are only rows of bytes.

use std::{ffi::CStr, fmt, ptr::NonNull, slice};

use super::{
    format::{Components, Depth, Field, Premultiplication},
    geometry::RectI,
    handle::parse,
    host::Host,
    layout::Layout,
    names, plane,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// An image that the host lent, to be read; released when dropped.
///
/// Rows may be read from any thread (`&Image` is `Send`), but the image itself stays on the thread of its action.
/// Coordinates are pixels at the [`render_scale`](Self::render_scale), y upwards; the [`bounds`](Self::bounds) may start
/// anywhere and be smaller than what was asked for: what is outside is transparent.
pub struct Image<'e> {
    layout: Layout,
    /// The pixel at the lower left of the bounds; dangling, and never used, where they are empty.
    data: NonNull<u8>,
    render_scale: [f64; 2],
    pixel_aspect: Option<f64>,
    field: Field,
    premultiplication: Option<Premultiplication>,
    _lease: Lease<'e>,
}

// SAFETY: shared access reads fields and memory that the host leaves as it is until the image is released
// (ofxImageEffect.h, clipGetImage). The host is called in `drop` alone, and `Image` is not `Send`.
unsafe impl Sync for Image<'_> {}

/// The duty to give an image back.
struct Lease<'e> {
    host: &'e Host,
    image: PropertySet<'e>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(release) = self.host.effect().clipReleaseImage else {
            return;
        };
        // SAFETY: ofxImageEffect.h: takes an image that clipGetImage gave, once.
        let status = Status(unsafe { release(self.image.handle()) });
        if status != Status::OK {
            tracing::debug!("the host answered clipReleaseImage with {status}");
        }
    }
}

impl<'e> Image<'e> {
    /// Takes over an image.
    ///
    /// # Errors
    ///
    /// [`Error::Image`] with the host's name and numbers where they make no sense. The image is released then, too.
    ///
    /// # Safety
    ///
    /// `image` is an image of `host` that nothing else releases.
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
        let text = |name| image.get_string(name, 0).ok();
        let named = |name, known: Option<()>, what: &str| {
            known.ok_or_else(|| refuse(format!("{what} '{}'", text(name).unwrap_or_default())))
        };
        let depth = parse(&image, names::PIXEL_DEPTH, Depth::parse);
        named(names::PIXEL_DEPTH, depth.map(|_| ()), "the pixel depth")?;
        let components = parse(&image, names::COMPONENTS, plane::components);
        named(names::COMPONENTS, components.map(|_| ()), "the components")?;
        let (Some(depth), Some(components)) = (depth, components) else {
            return Err(refuse("no pixel format".into()));
        };

        let [x1, y1, x2, y2] = image.ints(names::IMAGE_BOUNDS).map_err(|_| refuse("no bounds".into()))?;
        let bounds = RectI { x1, y1, x2, y2 };
        let row_bytes = image.get_int(names::IMAGE_ROW_BYTES, 0).map_err(|_| refuse("no row bytes".into()))?;
        let layout = Layout::check(bounds, components, depth, row_bytes).map_err(refuse)?;
        let data = image.get_pointer(names::IMAGE_DATA, 0).map_err(|_| refuse("no pixels".into()))?;
        let data = match NonNull::new(data.cast::<u8>()) {
            Some(data) => data,
            None if bounds.is_empty() => NonNull::dangling(),
            None => return Err(refuse("a null pointer for its pixels".into())),
        };

        Ok(Self {
            layout,
            data,
            render_scale: image.doubles(names::RENDER_SCALE).unwrap_or([1.0, 1.0]),
            pixel_aspect: image
                .get_double(names::PIXEL_ASPECT_RATIO, 0)
                .ok()
                .filter(|ratio| ratio.is_finite() && *ratio > 0.0),
            field: parse(&image, names::IMAGE_FIELD, Field::parse).unwrap_or(Field::None),
            premultiplication: parse(&image, names::PRE_MULTIPLICATION, Premultiplication::parse),
            _lease: lease,
        })
    }

    /// The pixels that there are.
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

    /// Bytes of one pixel.
    #[must_use]
    pub fn pixel_bytes(&self) -> usize {
        self.layout.pixel_bytes()
    }

    /// Pixels of this image per full-resolution pixel, in x and y; 1 where the host doesn't say. Where it disagrees with
    /// the bounds, the bounds are right.
    #[must_use]
    pub fn render_scale(&self) -> [f64; 2] {
        self.render_scale
    }

    /// The pixel aspect ratio, or `None` where the host gives none above 0.
    #[must_use]
    pub fn pixel_aspect(&self) -> Option<f64> {
        self.pixel_aspect
    }

    /// The field that the image holds.
    #[must_use]
    pub fn field(&self) -> Field {
        self.field
    }

    /// How colour relates to alpha, or `None` where the host doesn't say on the image.
    #[must_use]
    pub fn premultiplication(&self) -> Option<Premultiplication> {
        self.premultiplication
    }

    /// The pixels of row `y` from left to right, without padding and aligned to nothing; `None` outside the bounds.
    #[must_use]
    pub fn row(&self, y: i32) -> Option<&[u8]> {
        let offset = self.layout.offset(y)?;
        // SAFETY: ofxImageEffect.h, kOfxImagePropData and kOfxImagePropRowBytes: row y of the bounds starts `offset` bytes
        // from the pixel at the lower left and holds a row of pixels (`Layout::check`: they fit into the row bytes, and
        // no offset overflows). The image stays until `self` releases it, and nobody writes it meanwhile.
        Some(unsafe { slice::from_raw_parts(self.data.as_ptr().offset(offset), self.layout.row_bytes()) })
    }

    /// Every row, bottom first, with its y.
    pub fn rows(&self) -> impl Iterator<Item = (i32, &[u8])> {
        (self.layout.bounds.y1..self.layout.bounds.y2).filter_map(|y| Some((y, self.row(y)?)))
    }
}

impl fmt::Debug for Image<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("layout", &self.layout).field("scale", &self.render_scale).finish_non_exhaustive()
    }
}

/// An image that the host lent, to be written; released when dropped. It can be read as well.
#[derive(Debug)]
pub struct OutputImage<'e>(Image<'e>);

impl<'e> std::ops::Deref for OutputImage<'e> {
    type Target = Image<'e>;

    fn deref(&self) -> &Image<'e> {
        &self.0
    }
}

/// One row of an [`OutputImage`]; rows can be written from several threads at once.
#[derive(Debug)]
pub struct RowMut<'i> {
    /// The row, in the image's pixel coordinates.
    pub y: i32,
    /// Its pixels from left to right, without padding and aligned to nothing.
    pub bytes: &'i mut [u8],
}

impl RowMut<'_> {}

impl<'e> OutputImage<'e> {
    pub(super) fn new(image: Image<'e>) -> Self {
        Self(image)
    }

    /// The pixels of row `y` from left to right, without padding and aligned to nothing; `None` outside the bounds.
    #[must_use]
    pub fn row_mut(&mut self, y: i32) -> Option<&mut [u8]> {
        let offset = self.0.layout.offset(y)?;
        // SAFETY: as in `Image::row`; the output is the effect's to write until it is released, and `self` is borrowed
        // exclusively.
        Some(unsafe { slice::from_raw_parts_mut(self.0.data.as_ptr().offset(offset), self.0.layout.row_bytes()) })
    }

    /// Every row, bottom first.
    #[must_use]
    pub fn rows_mut(&mut self) -> Vec<RowMut<'_>> {
        let Layout { bounds, .. } = self.0.layout;
        let length = self.0.layout.row_bytes();
        let data = self.0.data.as_ptr();
        let rows = (bounds.y1..bounds.y2).filter_map(|y| Some((y, self.0.layout.offset(y)?)));
        // SAFETY: as in `row_mut`; `Layout::check` saw that the stride is no shorter than a row, so that no two rows
        // share a byte.
        rows.map(|(y, offset)| RowMut { y, bytes: unsafe { slice::from_raw_parts_mut(data.offset(offset), length) } })
            .collect()
    }

    /// Makes every pixel transparent black.
    pub fn clear(&mut self) {
        for row in self.rows_mut() {
            row.bytes.fill(0);
        }
    }
}

//! Clips: the inputs and the output of an effect instance.

use std::{
    ffi::CStr,
    ptr::{self, NonNull},
};

use flow_openfx::{self as sys, Status};

use super::{
    Components, Depth, Premultiplication,
    error::{Error, Result, call},
    geometry::{RangeD, RectD},
    handle::EffectHandle,
    image::{Image, OutputImage},
    property::PropertySet,
};

/// An input or the output of an instance. `create_instance` fetches a clip once; every use takes the [`EffectHandle`]
/// of the current action of the same instance.
#[derive(Clone, Debug)]
pub struct Clip {
    handle: NonNull<sys::OfxImageClipStruct>,
    name: &'static CStr,
    owner: u64,
}

// SAFETY: the handle is used through an `EffectHandle` only, which stays on the thread of its action. ofxImageEffect.h:
// clip handles live as long as their instance, on all threads.
unsafe impl Send for Clip {}
// SAFETY: as above; no field changes.
unsafe impl Sync for Clip {}

impl EffectHandle<'_> {
    /// The clip `name` of this instance.
    ///
    /// # Errors
    ///
    /// The context of this instance has no clip of that name.
    pub fn clip(&self, name: &'static CStr) -> Result<Clip> {
        let (effect, no_properties, mut handle) = (self.raw(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: ofxImageEffect.h: a valid effect, a C string, space for a handle, and null for the property set.
        unsafe {
            call!(self.host().effect(), clipGetHandle(effect, name.as_ptr(), &raw mut handle, no_properties), name)
        }?;
        let handle = NonNull::new(handle).ok_or(Error::BadHandle("clip"))?;
        Ok(Clip { handle, name, owner: self.id() })
    }
}

impl Clip {
    fn raw(&self, effect: &EffectHandle<'_>) -> Result<sys::OfxImageClipHandle> {
        if effect.id() == self.owner {
            Ok(self.handle.as_ptr())
        } else {
            Err(Error::Foreign(self.name.to_string_lossy().into_owned()))
        }
    }

    /// The properties of the clip.
    ///
    /// # Errors
    ///
    /// The host gives none, or the clip belongs to another instance.
    pub fn properties<'e>(&self, effect: &'e EffectHandle<'_>) -> Result<PropertySet<'e>> {
        let (clip, suite) = (self.raw(effect)?, effect.host().effect());
        let mut properties = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: a valid clip (`raw` checks that its instance is in an action) and space for a
        // handle.
        unsafe { call!(suite, clipGetPropertySet(clip, &raw mut properties), self.name) }?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the clip.
        unsafe { PropertySet::new(effect.host(), properties, "clip properties") }
    }

    /// Whether the clip is connected, as far as the host knows. Resolve reports every clip as connected.
    #[must_use]
    pub fn connected(&self, effect: &EffectHandle<'_>) -> bool {
        self.properties(effect).is_ok_and(|properties| properties.flag(sys::kOfxImageClipPropConnected))
    }

    /// The region of definition at `time`, in canonical coordinates.
    ///
    /// # Errors
    ///
    /// The clip is not connected, or its input has no frame at that time.
    pub fn region_of_definition(&self, effect: &EffectHandle<'_>, time: f64) -> Result<RectD> {
        let (clip, suite) = (self.raw(effect)?, effect.host().effect());
        let mut bounds = sys::OfxRectD { x1: 0.0, y1: 0.0, x2: 0.0, y2: 0.0 };
        // SAFETY: ofxImageEffect.h: a valid clip, a time, and space for a rectangle.
        unsafe { call!(suite, clipGetRegionOfDefinition(clip, time, &raw mut bounds), self.name) }?;
        Ok(RectD { x1: bounds.x1, y1: bounds.y1, x2: bounds.x2, y2: bounds.y2 })
    }

    /// The relation of the clip's colour to its alpha; `None` if the host does not tell.
    #[must_use]
    pub fn premultiplication(&self, effect: &EffectHandle<'_>) -> Option<Premultiplication> {
        self.properties(effect).ok()?.parsed(sys::kOfxImageEffectPropPreMultiplication, Premultiplication::parse)
    }

    /// The components of the clip's images; `None` for an unconnected clip or if the host does not tell.
    #[must_use]
    pub fn components(&self, effect: &EffectHandle<'_>) -> Option<Components> {
        self.properties(effect).ok()?.parsed(sys::kOfxImageEffectPropComponents, Components::parse)
    }

    /// The components of the connected input, before the host converts it for the plug-in.
    #[must_use]
    pub fn unmapped_components(&self, effect: &EffectHandle<'_>) -> Option<Components> {
        self.properties(effect).ok()?.parsed(sys::kOfxImageClipPropUnmappedComponents, Components::parse)
    }

    /// The depth of the clip's images; `None` for an unconnected clip or if the host does not tell.
    #[must_use]
    pub fn depth(&self, effect: &EffectHandle<'_>) -> Option<Depth> {
        self.properties(effect).ok()?.parsed(sys::kOfxImageEffectPropPixelDepth, Depth::parse)
    }

    /// The pixel aspect ratio of the clip; `None` if the host gives none above 0.
    #[must_use]
    pub fn pixel_aspect(&self, effect: &EffectHandle<'_>) -> Option<f64> {
        self.properties(effect).ok()?.positive(sys::kOfxImagePropPixelAspectRatio)
    }

    /// The frames of the clip; `None` if the host does not tell.
    #[must_use]
    pub fn frame_range(&self, effect: &EffectHandle<'_>) -> Option<RangeD> {
        let [min, max] = self.properties(effect).ok()?.doubles(sys::kOfxImageEffectPropFrameRange).ok()?;
        (min <= max).then_some(RangeD { min, max })
    }

    /// The whole image at `time`, released when dropped: hold one image at a time. `None` if the clip is not connected,
    /// the time is out of range, or the render was interrupted.
    ///
    /// The host may render upstream nodes in this call, for any duration.
    ///
    /// # Errors
    ///
    /// The image contradicts its description, or the clip belongs to another instance.
    pub fn image<'e>(&self, effect: &'e EffectHandle<'_>, time: f64) -> Result<Option<Image<'e>>> {
        let clip = self.raw(effect)?;
        let get = effect.host().effect().clipGetImage.ok_or(Error::MissingFunction("clipGetImage"))?;
        self.fetched(effect, time, |image| {
            // SAFETY: ofxImageEffect.h: a valid clip, a time, null for the whole region, and space for a handle.
            unsafe { get(clip, time, ptr::null(), image) }
        })
    }

    /// The output image to write at `time`, released when dropped; `None` if the host has none.
    ///
    /// Every render has to fetch it, even one that stops early: Nuke renders a frame again and again whose output was
    /// not fetched. Release the inputs first: a host may render them into the same memory.
    ///
    /// # Errors
    ///
    /// The image contradicts its description, or the clip belongs to another instance.
    pub fn output_image<'e>(&self, effect: &'e EffectHandle<'_>, time: f64) -> Result<Option<OutputImage<'e>>> {
        Ok(self.image(effect, time)?.map(OutputImage::new))
    }

    /// The image to write of an output plane at `time`, by the host's name of the plane; released when dropped. `None`
    /// if the host has none, or no planes.
    ///
    /// # Errors
    ///
    /// As [`output_image`](Self::output_image).
    pub fn output_plane<'e>(
        &self,
        effect: &'e EffectHandle<'_>,
        time: f64,
        plane: &CStr,
    ) -> Result<Option<OutputImage<'e>>> {
        let clip = self.raw(effect)?;
        let Some(get) = effect.host().planes().and_then(|suite| suite.clipGetImagePlane) else { return Ok(None) };
        let image = self.fetched(effect, time, |image| {
            // SAFETY: FnOfxImageEffectPlaneSuiteV1: a valid clip, a time, a C string, null for the whole region, and
            // space for a handle.
            unsafe { get(clip, time, plane.as_ptr(), ptr::null(), image) }
        })?;
        Ok(image.map(OutputImage::new))
    }

    /// The image whose handle `fetch` writes; `fetch` is clipGetImage or clipGetImagePlane and returns the status.
    fn fetched<'e>(
        &self,
        effect: &'e EffectHandle<'_>,
        time: f64,
        fetch: impl FnOnce(*mut sys::OfxPropertySetHandle) -> i32,
    ) -> Result<Option<Image<'e>>> {
        let mut image = ptr::null_mut();
        let status = Status(fetch(&raw mut image));
        if status != Status::OK || image.is_null() {
            tracing::debug!("no image of {:?} at {time}: {status}", self.name);
            return match status {
                Status::ERR_MEMORY => Err(Error::Memory(format!(
                    "{} has no memory left for the image of '{}' at frame {time}. Lower the host's cache or the node's memory budget.",
                    effect.host().label(),
                    self.name.to_string_lossy(),
                ))),
                _ => Ok(None),
            };
        }
        // SAFETY: ofxImageEffect.h: the image is a property set that lives until it is released.
        let image = unsafe { PropertySet::new(effect.host(), image, "image") }?;
        // SAFETY: the host has just returned this image, and no other code releases it.
        unsafe { Image::new(effect.host(), image, self.name) }.map(Some)
    }
}

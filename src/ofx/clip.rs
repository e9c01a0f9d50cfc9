//! Clips: the inputs and the output of an effect instance.

use std::{
    ffi::CStr,
    ptr::{self, NonNull},
};

use super::{
    ffi::sys,
    format::{Components, Depth, Premultiplication},
    geometry::{RangeD, RectD},
    handle::{EffectHandle, parse},
    image::{Image, OutputImage},
    names,
    property::PropertySet,
    status::{Error, Result, Status},
};

/// An input or the output of an instance. Fetched once, in `create_instance`, and kept; every use takes the
/// [`EffectHandle`] of the action under way, of the same instance.
#[derive(Clone, Debug)]
pub struct Clip {
    handle: NonNull<sys::OfxImageClipStruct>,
    name: &'static CStr,
    owner: u64,
}

// SAFETY: the handle is used through an `EffectHandle` only, which stays on the thread of its action; ofxImageEffect.h has
// clip handles live as long as their instance, whichever thread an action comes on.
unsafe impl Send for Clip {}
// SAFETY: as above; nothing in here changes.
unsafe impl Sync for Clip {}

impl EffectHandle<'_> {
    /// The clip `name` of this instance.
    ///
    /// # Errors
    ///
    /// There is none of that name in this instance's context.
    pub fn clip(&self, name: &'static CStr) -> Result<Clip> {
        let get = self.host().effect().clipGetHandle.ok_or(Error::MissingFunction("clipGetHandle"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: a valid effect, a C string, a place for a handle, and no wish for the property set.
        let status = unsafe { get(self.raw(), name.as_ptr(), &raw mut handle, ptr::null_mut()) };
        Status(status).check("clipGetHandle", name)?;
        let handle = NonNull::new(handle).ok_or(Error::BadHandle("clip"))?;
        Ok(Clip { handle, name, owner: self.id() })
    }
}

impl Clip {
    /// The name that the clip was defined with.
    #[must_use]
    pub fn name(&self) -> &'static CStr {
        self.name
    }

    fn raw(&self, effect: &EffectHandle<'_>) -> Result<sys::OfxImageClipHandle> {
        if effect.id() == self.owner {
            Ok(self.handle.as_ptr())
        } else {
            Err(Error::Foreign(self.name.to_string_lossy().into_owned()))
        }
    }

    /// The clip's properties.
    ///
    /// # Errors
    ///
    /// The host gives none, or the clip is another instance's.
    pub fn properties<'e>(&self, effect: &'e EffectHandle<'_>) -> Result<PropertySet<'e>> {
        let clip = self.raw(effect)?;
        let get = effect.host().effect().clipGetPropertySet.ok_or(Error::MissingFunction("clipGetPropertySet"))?;
        let mut properties = ptr::null_mut();
        // SAFETY: ofxImageEffect.h: a valid clip (its instance is in an action, says `raw`) and a place for a handle.
        let status = unsafe { get(clip, &raw mut properties) };
        Status(status).check("clipGetPropertySet", self.name)?;
        // SAFETY: ofxImageEffect.h: the set lives as long as the clip.
        unsafe { PropertySet::new(effect.host(), properties, "clip properties") }
    }

    /// Whether something is wired to the clip, as far as the host says. Resolve says so of every clip.
    #[must_use]
    pub fn connected(&self, effect: &EffectHandle<'_>) -> bool {
        self.properties(effect).is_ok_and(|properties| properties.flag(names::CLIP_CONNECTED))
    }

    /// The region of definition at `time`, in canonical coordinates.
    ///
    /// # Errors
    ///
    /// The host has none: nothing is connected, or it has no frame at that time.
    pub fn region_of_definition(&self, effect: &EffectHandle<'_>, time: f64) -> Result<RectD> {
        let clip = self.raw(effect)?;
        let get = effect
            .host()
            .effect()
            .clipGetRegionOfDefinition
            .ok_or(Error::MissingFunction("clipGetRegionOfDefinition"))?;
        let mut bounds = sys::OfxRectD { x1: 0.0, y1: 0.0, x2: 0.0, y2: 0.0 };
        // SAFETY: ofxImageEffect.h: a valid clip, a time, and a place for a rectangle.
        let status = unsafe { get(clip, time, &raw mut bounds) };
        Status(status).check("clipGetRegionOfDefinition", self.name)?;
        Ok(RectD { x1: bounds.x1, y1: bounds.y1, x2: bounds.x2, y2: bounds.y2 })
    }

    /// How the clip's colour relates to its alpha, or `None` where the host doesn't say.
    #[must_use]
    pub fn premultiplication(&self, effect: &EffectHandle<'_>) -> Option<Premultiplication> {
        parse(&self.properties(effect).ok()?, names::PRE_MULTIPLICATION, Premultiplication::parse)
    }

    /// The components that the clip's images have, or `None` where nothing is connected or the host doesn't say.
    #[must_use]
    pub fn components(&self, effect: &EffectHandle<'_>) -> Option<Components> {
        parse(&self.properties(effect).ok()?, names::COMPONENTS, Components::parse)
    }

    /// The components of what is wired to the clip, before the host converts it for the plug-in.
    #[must_use]
    pub fn unmapped_components(&self, effect: &EffectHandle<'_>) -> Option<Components> {
        parse(&self.properties(effect).ok()?, names::UNMAPPED_COMPONENTS, Components::parse)
    }

    /// The depth that the clip's images have, or `None` where nothing is connected or the host doesn't say.
    #[must_use]
    pub fn depth(&self, effect: &EffectHandle<'_>) -> Option<Depth> {
        parse(&self.properties(effect).ok()?, names::PIXEL_DEPTH, Depth::parse)
    }

    /// The clip's pixel aspect ratio, or `None` where the host gives none above 0.
    #[must_use]
    pub fn pixel_aspect(&self, effect: &EffectHandle<'_>) -> Option<f64> {
        let ratio = self.properties(effect).ok()?.get_double(names::PIXEL_ASPECT_RATIO, 0).ok()?;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// The clip's frame rate, or `None` where the host gives none above 0.
    #[must_use]
    pub fn frame_rate(&self, effect: &EffectHandle<'_>) -> Option<f64> {
        let rate = self.properties(effect).ok()?.get_double(names::FRAME_RATE, 0).ok()?;
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// The frames that the clip has, or `None` where the host doesn't say.
    #[must_use]
    pub fn frame_range(&self, effect: &EffectHandle<'_>) -> Option<RangeD> {
        let [min, max] = self.properties(effect).ok()?.doubles(names::FRAME_RANGE).ok()?;
        (min <= max).then_some(RangeD { min, max })
    }

    /// The image at `time`, all of it; `None` where the host has none: nothing is connected, the time is out of range,
    /// or the render was interrupted. It is released when dropped: hold one at a time.
    ///
    /// The host may render upstream nodes in here, for as long as it takes.
    ///
    /// # Errors
    ///
    /// The image cannot be read as the host describes it, or the clip is another instance's.
    pub fn image<'e>(&self, effect: &'e EffectHandle<'_>, time: f64) -> Result<Option<Image<'e>>> {
        let clip = self.raw(effect)?;
        let get = effect.host().effect().clipGetImage.ok_or(Error::MissingFunction("clipGetImage"))?;
        self.taken(effect, time, |image| {
            // SAFETY: ofxImageEffect.h: a valid clip, a time, no region (so all of it), and a place for a handle.
            unsafe { get(clip, time, ptr::null(), image) }
        })
    }

    /// The image to write at `time`, for the output clip; `None` where the host has none. It is released when dropped.
    /// Fetch it in every render, even one that is cut short: Nuke asks again and again for a frame whose output was not
    /// fetched. Release the inputs before: a host may render them into the same memory.
    ///
    /// # Errors
    ///
    /// The image cannot be written as the host describes it, or the clip is another instance's.
    pub fn output_image<'e>(&self, effect: &'e EffectHandle<'_>, time: f64) -> Result<Option<OutputImage<'e>>> {
        Ok(self.image(effect, time)?.map(OutputImage::new))
    }

    /// The image to write of a plane of the output at `time`, under the name that the host knows it by; `None` where the
    /// host has none, or no planes. It is released when dropped.
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
        let clip = self.raw(effect)?.cast();
        let Some(get) = effect.host().planes().and_then(|suite| suite.clipGetImagePlane) else { return Ok(None) };
        let image = self.taken(effect, time, |image| {
            // SAFETY: openfx-headers/flow_openfx.h, FnOfxImageEffectPlaneSuiteV1: a valid clip, a time, a C string, no region
            // (so all of it), and a place for a handle. The handles' types are those of openfx-sys under other names.
            unsafe { get(clip, time, plane.as_ptr(), ptr::null(), image.cast()) }
        })?;
        Ok(image.map(OutputImage::new))
    }

    /// The image that `fetch` puts into a place and answers with a status for, as clipGetImage and clipGetImagePlane do.
    fn taken<'e>(
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
        // SAFETY: the set is an image that the host has just handed over, and that nothing else releases.
        unsafe { Image::new(effect.host(), image, self.name) }.map(Some)
    }
}

//! The device of the nodes: pictures of sprites on the graphics device of the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::passes::Pass;
use super::sprites::{Params, SpritePicture, TILE};
use crate::compute::gpu::core::Core;
use crate::compute::gpu::device::Gpu;
use crate::compute::gpu::fault::{Fallback, Fault, panic_text};
use crate::compute::gpu::fetch::fetch;
use crate::compute::gpu::graphics::Graphics;
use crate::compute::gpu::options::FaultKind;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::gpu::pool::{Lease, Use};
use crate::compute::resources::Resource;
use crate::sim::Interrupted;
use crate::sim::memory::Values;
use crate::sim::request::unless_refused;

/// Pixels of a workgroup, across and up.
const GROUP: usize = 8;

/// Largest number of columns, and of rows, of a picture: bounds of sprites have 16 bits.
const SIZE_MAX: usize = 65_535;

/// Sprites on the graphics device of the process. A failure is reported to the user, and the device is not used for a
/// while.
pub struct SpriteGpu {
    graphics: Arc<Graphics>,
    any: bool,
}

/// The compiled shader.
struct Kernels(Passes<Pass>);

impl Resource for Kernels {
    fn release(&self) -> bool {
        false
    }
}

impl Graphics {
    /// A device for sprites, opened if necessary; `None` without a working device. `any`: a software device will do.
    /// `go_on` is called while a device opens.
    ///
    /// # Errors
    /// [`Interrupted`] where `go_on` returned false.
    pub fn sprites(
        self: &Arc<Self>,
        any: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SpriteGpu>, Interrupted> {
        let gpu = self.get(any, Fallback::Redraw, go_on)?;
        Ok(gpu.map(|_| SpriteGpu { graphics: Arc::clone(self), any }))
    }
}

impl SpriteGpu {
    /// Name of the device; `None` after a failure.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.graphics.name(self.any)
    }

    /// Composites sprites, by rows of pixels, the lowest first; `None` where the CPU has to: the device failed, or the
    /// picture or its sprites are larger than a buffer.
    #[must_use]
    pub fn composite(&self, picture: &SpritePicture<'_>) -> Option<Values<[f32; 4]>> {
        let gpu = self.graphics.get(self.any, Fallback::Redraw, &mut || true).ok().flatten()?;
        if !fits(gpu.core(), picture) {
            tracing::debug!("the sprites of a picture are more than a buffer of the graphics device holds");
            return None;
        }
        let injected = self.graphics.injected_fault();
        let fault = match catch_unwind(AssertUnwindSafe(|| composite(&gpu, picture, injected))) {
            Ok(Ok(pixels)) => {
                self.graphics.count();
                return Some(pixels);
            }
            Ok(Err(fault)) => fault,
            Err(payload) => {
                let payload = unless_refused(payload);
                let fault = Fault::Panic(panic_text(&*payload));
                // The destructor of a payload may panic, too.
                std::mem::forget(payload);
                fault
            }
        };
        self.graphics.put_away(&gpu, &fault, Fallback::Redraw);
        None
    }
}

/// Whether the buffers of a picture are within the limits of the device.
fn fits(core: &Core, picture: &SpritePicture<'_>) -> bool {
    let [width, height] = picture.size;
    let texels = picture.texture.map_or(0, |texture| size_of_val(&texture.texels[..]));
    let pixels = width * height * size_of::<[f32; 4]>();
    let largest = [pixels, size_of_val(picture.sprites), size_of_val(picture.list), texels];
    width.max(height) <= SIZE_MAX && largest.iter().all(|bytes| core.pool.holds(*bytes as u64))
}

fn composite(gpu: &Gpu, picture: &SpritePicture<'_>, injected: Option<FaultKind>) -> Result<Values<[f32; 4]>, Fault> {
    let core = gpu.core();
    let kernels = gpu.resource(|core| Ok(Kernels(Passes::new(&core.device))))?;
    core.inject(injected)?;
    let [width, height] = picture.size;
    let pixels = (width * height * size_of::<[f32; 4]>()) as u64;
    let upload = |bytes: &[u8], what: Use| -> Result<Lease, Fault> {
        let lease = core.pool.take(bytes.len() as u64, what)?;
        core.queue.write_buffer(lease.buffer(), 0, bytes);
        Ok(lease)
    };
    let params = Params::new(picture);
    let (texels, levels): (&[[f32; 4]], &[[u32; 4]]) =
        picture.texture.map_or((&[], &[]), |texture| (&texture.texels[..], &texture.levels[..]));
    let inputs = [
        upload(bytemuck::bytes_of(&params), Use::Uniform)?,
        upload(bytemuck::cast_slice(picture.starts), Use::Planes)?,
        upload(bytemuck::cast_slice(picture.list), Use::Planes)?,
        upload(bytemuck::cast_slice(picture.sprites), Use::Planes)?,
        upload(bytemuck::cast_slice(picture.scene.map_or(&[][..], |(limits, _)| limits)), Use::Planes)?,
        upload(bytemuck::cast_slice(texels), Use::Planes)?,
        upload(bytemuck::cast_slice(levels), Use::Planes)?,
    ];
    let (written, down) = (core.pool.take(pixels, Use::Planes)?, core.pool.take(pixels, Use::Down)?);
    let buffers: Vec<_> = inputs.iter().chain([&written]).map(Lease::buffer).collect();
    let group = kernels.0.group(Pass::Sprites, &buffers)?;
    let mut encoder = core.encoder();
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&kernels.0.pipeline(Pass::Sprites, [0; 3]));
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(width.div_ceil(GROUP) as u32, height.div_ceil(GROUP) as u32, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(written.buffer(), 0, down.buffer(), 0, pixels);
    let submission = core.submit(encoder)?;
    let mut values = Values::uninitialised(width * height, &core.memory);
    fetch(core, &submission, vec![(down, bytemuck::cast_slice_mut(&mut values))])?;
    if injected == Some(FaultKind::Late) {
        core.lose();
    }
    core.pool.sweep();
    Ok(values)
}

const _: () = assert!(TILE.is_multiple_of(GROUP), "a workgroup has one tile");

//! Particles on a graphics device: compositing of sprites by the lists of the CPU.
//!
//! The CPU moves the particles, projects them and sorts each tile's list, so that the order of no sum depends on the
//! device. The arithmetic of a pixel is that of the CPU, but a driver may fuse, and divides and takes roots as it likes:
//! two devices agree within a tolerance.
//!
//! | file | contents |
//! |---|---|
//! | `sprites` | the sprites of a picture, as the shader reads them |
//! | `device` | the device of the nodes: pictures and failures |
//! | `passes` | the shader and its bindings |

mod device;
mod passes;
mod sprites;

pub use device::SpriteGpu;
pub use passes::SHADERS;
pub use sprites::{CLOSED, Mode, Params, Sprite, SpritePicture, TILE, Texture};

//! Pictures of a volume: smoke and fire before a camera, in light.
//!
//! The medium is built first (`medium`), then the light at its cells (`lights`); neither depends on the camera. Rays
//! are marched last (`march`). Arithmetic is in 32-bit floats in a fixed order.
//!
//! | file | contents |
//! |---|---|
//! | `look` | shading settings and lights |
//! | `medium` | extinction, and tiles with contents |
//! | `sharpening` | makes up for the softness of interpolation |
//! | `fire`, `smoothing` | emission of fire, and the filter of its gas |
//! | `shock_cells` | standing waves of temperature in a jet |
//! | `sample`, `coarse` | volumes of values, interpolated |
//! | `shadow` | optical depths between a light and the cells |
//! | `lights` | the light at the cells |
//! | `ambient`, `firelight` | light from all around, and of fire |
//! | `sources` | lights in the coordinates of the medium |
//! | `catcher`, `fire_lights` | shadow and light of fire on a surface of the scene |
//! | `phase` | scattering by direction |
//! | `rays`, `march`, `pixel` | rays of pixels, and their light |
//! | `detail` | detail finer than the cells |
//! | `motion` | velocity at positions, and the medium within a shutter's time |
//! | `picture` | layers |
//! | `slice` | a plane through the values as they are simulated |
//! | `deep` | deep pictures |
//! | `vdb` | files of volumes for other programs |
//! | `vector` | arithmetic on four channels |

mod ambient;
mod catcher;
mod coarse;
#[cfg(test)]
mod colour_tests;
mod deep;
mod detail;
#[cfg(test)]
mod detail_tests;
mod fire;
mod fire_lights;
mod firelight;
#[cfg(test)]
mod gates;
mod lights;
mod look;
mod march;
mod medium;
mod motion;
mod phase;
mod picture;
mod pixel;
mod rays;
mod sample;
mod shadow;
mod sharpening;
mod shock_cells;
mod slice;
mod smoothing;
mod sources;
#[cfg(test)]
mod tests;
mod vdb;
mod vector;

pub use deep::reader::{Deep, DeepError, DeepSample};
pub use deep::{DeepOptions, write_deep};
pub use detail::FineDetail;
pub use look::{LIGHTS, Light, LightKind, PointSource, Sky, VolumeLook};
pub use picture::{Exposure, Layer, Layers, Lit, Shot};
pub use shock_cells::ShockCells;
pub use slice::{Slice, SliceField, slice_pixels};
pub use vdb::{Transform, VdbContents, VdbError, VdbFile, VdbGrid, VdbOptions, write_vdb};

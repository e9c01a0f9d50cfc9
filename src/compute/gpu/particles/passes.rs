//! The passes of particles: their shaders and their bindings.

use crate::compute::gpu::pipeline::Binding::{self, Params, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

passes! {
    constants: &[], flags: &[];

    Sprites: "particles/sprites" [] => [Params, Read, Read, Read, Read, Read, Read, Write];
}

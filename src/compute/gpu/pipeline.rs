//! Shaders, compute pipelines and bind groups for any table of passes.

use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::Pod;

use super::fault::Fault;

/// A shader and the shared files before it.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// Name of its file below `shaders`, without the extension.
    pub name: &'static str,
    /// WGSL.
    pub source: &'static str,
}

/// A binding of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// Uniforms in a separate buffer.
    Params,
    /// Uniforms: an entry in a table, selected by a dynamic offset; the number is the size of an entry in bytes.
    Entry(u64),
    /// Storage that is read.
    Read,
    /// Storage that is written.
    Write,
}

/// A table of passes.
pub(super) trait Table: Copy + std::fmt::Debug + 'static {
    /// All passes in the order of their numbers.
    const ALL: &'static [Self];

    /// Index of the pass in [`Table::ALL`].
    fn number(self) -> usize;

    /// The shader of the pass.
    fn shader(self) -> &'static Shader;

    /// Names of the shader's pipeline constants; the first holds the flags.
    fn constants(self) -> &'static [&'static str];

    /// Names and bits of the shader's flags.
    fn flags(self) -> &'static [(&'static str, u32)];

    /// The bindings of the pass, in their order.
    fn bindings(self) -> &'static [Binding];

    /// Whether the pass reads a table of uniforms.
    fn has_entry(self) -> bool {
        self.bindings().iter().any(|binding| matches!(binding, Binding::Entry(_)))
    }
}

/// A shader from its own file and shared ones.
macro_rules! shader {
    ($file:literal as $name:literal: $($shared:literal),*) => {
        $crate::compute::gpu::pipeline::Shader {
            name: $name,
            source: concat!(
                $(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $shared, ".wgsl")), "\n",)*
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file, ".wgsl")),
            ),
        }
    };
}
pub(super) use shader;

/// A table of passes and their `SHADERS`: for each pass its name, the file of its shader, the shared files before it,
/// and its bindings. `of` names the pass in the expressions for constants and flags.
macro_rules! passes {
    (
        $(of $this:ident;)? constants: $constants:expr, flags: $flags:expr;
        $($pass:ident: $file:literal [$($shared:literal),*] => [$($binding:expr),* $(,)?];)*
    ) => {
        /// A pass over the grid.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Pass {
            $($pass,)*
        }

        /// Every shader, in the order of the passes.
        pub static SHADERS: [$crate::compute::gpu::pipeline::Shader; <Pass as Table>::ALL.len()] =
            [$($crate::compute::gpu::pipeline::shader!($file as $file: $($shared),*),)*];

        impl Table for Pass {
            const ALL: &'static [Pass] = &[$(Pass::$pass,)*];

            fn number(self) -> usize {
                self as usize
            }

            fn shader(self) -> &'static $crate::compute::gpu::pipeline::Shader {
                &SHADERS[self as usize]
            }

            fn constants(self) -> &'static [&'static str] {
                $(let $this = self;)?
                $constants
            }

            fn flags(self) -> &'static [(&'static str, u32)] {
                $(let $this = self;)?
                $flags
            }

            fn bindings(self) -> &'static [Binding] {
                match self {
                    $(Pass::$pass => &[$($binding),*],)*
                }
            }
        }
    };
}
pub(super) use passes;

/// Values of the pipeline constants, in the order of their names.
pub(super) type Constants = [u32; 3];

/// Parameters of a pass: uniforms, and compiled-in constants.
pub(super) trait Parameters: Pod {
    /// The constants of its shader, in the order of its names in [`Table::constants`].
    fn constants(&self) -> Constants;
}

/// Flags as constants, and a table of their names.
macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        $($(#[$doc])* pub const $name: u32 = $bit;)*

        /// All flags with the shaders' names.
        pub const NAMES: &[(&str, u32)] = &[$((stringify!($name), $name)),*];
    };
}
pub(super) use flags;

/// A flag, or none.
pub(super) fn on(condition: bool, flag: u32) -> u32 {
    if condition { flag } else { 0 }
}

/// Workgroups for so many values in a row.
pub(super) fn in_a_row(len: usize) -> [u32; 2] {
    const ACROSS: usize = 32768;
    let groups = len.div_ceil(256).max(1);
    [groups.min(ACROSS) as u32, groups.div_ceil(ACROSS) as u32]
}

/// A compiled shader, and its pipelines. A pipeline holds only the code for its flags: drivers then use fewer
/// registers, and those that mask lanes instead of branching do less work.
struct Made {
    layout: wgpu::BindGroupLayout,
    whole: wgpu::PipelineLayout,
    module: wgpu::ShaderModule,
    /// Flags that the shader tests.
    tested: u32,
    pipelines: Mutex<Vec<(Constants, wgpu::ComputePipeline)>>,
}

/// The passes of a device, each compiled on its first use.
pub(super) struct Passes<T> {
    device: wgpu::Device,
    made: Vec<OnceLock<Made>>,
    table: PhantomData<fn(T)>,
}

impl<T: Table> Passes<T> {
    /// No pass is compiled yet.
    pub fn new(device: &wgpu::Device) -> Passes<T> {
        let made = T::ALL.iter().map(|_| OnceLock::new()).collect();
        Passes { device: device.clone(), made, table: PhantomData }
    }

    /// Parses all shaders.
    pub fn read(&self) {
        for pass in T::ALL {
            self.made(*pass);
        }
    }

    fn made(&self, pass: T) -> &Made {
        self.made[pass.number()].get_or_init(|| make(&self.device, pass))
    }

    /// The pipeline of a pass with these constants.
    pub fn pipeline(&self, pass: T, mut constants: Constants) -> wgpu::ComputePipeline {
        let made = self.made(pass);
        constants[0] &= made.tested;
        let mut pipelines = made.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pipeline)) = pipelines.iter().find(|(with, _)| *with == constants) {
            return pipeline.clone();
        }
        let named: Vec<_> = pass.constants().iter().zip(constants).map(|(name, n)| (*name, f64::from(n))).collect();
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(pass.shader().name),
            layout: Some(&made.whole),
            module: &made.module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions { constants: &named, ..Default::default() },
            cache: None,
        });
        pipelines.push((constants, pipeline.clone()));
        pipeline
    }

    /// A bind group of a pass, with a buffer for each binding.
    ///
    /// # Errors
    /// The number of buffers is not the number of bindings.
    pub fn group(&self, pass: T, buffers: &[&wgpu::Buffer]) -> Result<wgpu::BindGroup, Fault> {
        let bindings = pass.bindings();
        if bindings.len() != buffers.len() {
            return Err(Fault::Invalid(format!("{pass:?} binds {} buffers, not {}", bindings.len(), buffers.len())));
        }
        let entries: Vec<_> = bindings
            .iter()
            .zip(buffers)
            .enumerate()
            .map(|(nth, (binding, buffer))| {
                let size = match binding {
                    Binding::Entry(size) => NonZeroU64::new(*size),
                    Binding::Params | Binding::Read | Binding::Write => None,
                };
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
                wgpu::BindGroupEntry { binding: nth as u32, resource }
            })
            .collect();
        let layout = &self.made(pass).layout;
        Ok(self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries }))
    }
}

fn make<T: Table>(device: &wgpu::Device, pass: T) -> Made {
    let (bindings, shader) = (pass.bindings(), pass.shader());
    let entry = |(nth, binding): (usize, &Binding)| {
        let ty = match binding {
            Binding::Params | Binding::Entry(_) => wgpu::BufferBindingType::Uniform,
            Binding::Read => wgpu::BufferBindingType::Storage { read_only: true },
            Binding::Write => wgpu::BufferBindingType::Storage { read_only: false },
        };
        let has_dynamic_offset = matches!(binding, Binding::Entry(_));
        wgpu::BindGroupLayoutEntry {
            binding: nth as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
            count: None,
        }
    };
    let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
    let label = Some(shader.name);
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(shader.source.into()),
    });
    let whole = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let used = pass.flags().iter().filter(|(name, _)| shader.source.contains(&format!("has({name})")));
    let tested = used.fold(0, |all, (_, flag)| all | flag);
    Made { layout, whole, module, tested, pipelines: Mutex::default() }
}

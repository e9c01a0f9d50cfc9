//! Shaders as pipelines, and buffers as what they bind: for any table of passes.

use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::fault::Fault;

/// A shader with its shared parts.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// Name of its file.
    pub name: &'static str,
    /// WGSL.
    pub source: &'static str,
}

/// What a binding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// Uniforms, a buffer of their own.
    Params,
    /// Uniforms, so many bytes of a table; an offset says which.
    Entry(u64),
    /// Planes that are read.
    Read,
    /// Planes that are written.
    Write,
}

/// A table of passes.
pub(super) trait Table: Copy + std::fmt::Debug + 'static {
    /// All passes; each is found by its number.
    const ALL: &'static [Self];

    /// Its place in the table.
    fn number(self) -> usize;

    /// Its shader.
    fn shader(self) -> &'static Shader;

    /// Names of its shader's constants that a pipeline is made with; the flags are the first.
    fn constants(self) -> &'static [&'static str];

    /// Names and bits of the flags, as its shader has them.
    fn flags(self) -> &'static [(&'static str, u32)];

    /// What it binds.
    fn bindings(self) -> &'static [Binding];

    /// Whether it is told something from a table of uniforms.
    fn has_entry(self) -> bool {
        self.bindings().iter().any(|binding| matches!(binding, Binding::Entry(_)))
    }
}

/// A shader from its own file and shared ones.
macro_rules! shader {
    ($name:literal: $($shared:literal),*) => {
        $crate::compute::gpu::pipeline::shader!($name as $name: $($shared),*)
    };
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

/// Values of the constants that a pipeline is made with, in the order of their names.
pub(super) type Constants = [u32; 3];

/// A shader that is read, and its pipelines. What a pass does not do is not in its pipeline: a driver keeps less in registers, and
/// one that masks lanes instead of branching does less.
struct Made {
    layout: wgpu::BindGroupLayout,
    whole: wgpu::PipelineLayout,
    module: wgpu::ShaderModule,
    /// Flags that the shader asks for; others make no difference.
    asks: u32,
    pipelines: Mutex<Vec<(Constants, wgpu::ComputePipeline)>>,
}

/// The passes of a device, each read and compiled when it is first wanted.
pub(super) struct Passes<T> {
    device: wgpu::Device,
    made: Vec<OnceLock<Made>>,
    table: PhantomData<fn(T)>,
}

impl<T: Table> Passes<T> {
    /// None is compiled yet.
    pub fn new(device: &wgpu::Device) -> Passes<T> {
        let made = T::ALL.iter().map(|_| OnceLock::new()).collect();
        Passes { device: device.clone(), made, table: PhantomData }
    }

    /// Reads them all.
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
        constants[0] &= made.asks;
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

    /// Buffers for a pass, in the order of its bindings.
    ///
    /// # Errors
    /// Another number of buffers than the pass has bindings.
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
    let asked = pass.flags().iter().filter(|(name, _)| shader.source.contains(&format!("has({name})")));
    let asks = asked.fold(0, |all, (_, flag)| all | flag);
    Made { layout, whole, module, asks, pipelines: Mutex::default() }
}

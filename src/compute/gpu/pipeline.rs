//! Shaders as pipelines, and buffers as what they bind: for any table of passes.

use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::sync::OnceLock;

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

struct Made {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

/// The passes of a device, each compiled when it is first wanted.
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

    /// Compiles them all.
    pub fn compile(&self) {
        for pass in T::ALL {
            self.made(*pass);
        }
    }

    fn made(&self, pass: T) -> &Made {
        self.made[pass.number()].get_or_init(|| make(&self.device, pass.bindings(), pass.shader()))
    }

    /// The pipeline of a pass.
    pub fn pipeline(&self, pass: T) -> &wgpu::ComputePipeline {
        &self.made(pass).pipeline
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

fn make(device: &wgpu::Device, bindings: &[Binding], shader: &Shader) -> Made {
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
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&whole),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    Made { layout, pipeline }
}

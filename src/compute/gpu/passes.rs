//! The passes: their shaders, and what each binds.

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
enum Binding {
    /// Uniforms of the slab, or of what is shown.
    Params,
    /// Uniforms of the step, one of a table.
    Step,
    /// Planes that are read.
    Read,
    /// Planes that are written.
    Write,
}

macro_rules! shader {
    ($name:literal: $($shared:literal),*) => {
        Shader {
            name: $name,
            source: concat!(
                $(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/shared/", $shared, ".wgsl")), "\n",)*
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $name, ".wgsl")),
            ),
        }
    };
}

/// Every shader, in the order of the passes.
pub const SHADERS: [Shader; 10] = [
    shader!("prepare": "fixed", "grid", "codes", "tally"),
    shader!("accelerate": "fixed", "grid", "codes"),
    shader!("limit": "fixed", "grid"),
    shader!("pigment": "fixed", "grid", "cut", "inflow", "tally"),
    shader!("move": "fixed", "grid", "cut", "inflow", "tally"),
    shader!("sum": "grid", "tally"),
    shader!("water": "fixed", "grid", "real", "picture"),
    shader!("height": "grid", "real", "picture"),
    shader!("cross": "grid", "real", "outflow", "picture"),
    shader!("diagonal": "grid", "real", "outflow", "picture"),
];

/// A pass over the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Prepare,
    Accelerate,
    Limit,
    Pigment,
    Move,
    Sum,
    Water,
    Height,
    Cross,
    Diagonal,
}

impl Pass {
    fn bindings(self) -> &'static [Binding] {
        use Binding::{Params, Read, Step, Write};
        match self {
            Pass::Prepare => &[Params, Read, Read, Read, Read, Write, Write, Write],
            Pass::Accelerate => &[Params, Step, Read, Read, Read, Read, Read, Write],
            Pass::Limit => &[Params, Read, Read, Write],
            Pass::Pigment => &[Params, Step, Read, Read, Read, Read, Read, Write, Write],
            Pass::Move => &[Params, Step, Read, Read, Read, Read, Write, Write, Write],
            Pass::Sum => &[Params, Read, Read, Write],
            Pass::Water | Pass::Height => &[Params, Params, Read, Read, Write],
            Pass::Cross | Pass::Diagonal => &[Params, Params, Read, Write],
        }
    }

    /// Whether the pass is told the step.
    pub fn has_step(self) -> bool {
        self.bindings().contains(&Binding::Step)
    }

    const ALL: [Pass; 10] = [
        Pass::Prepare,
        Pass::Accelerate,
        Pass::Limit,
        Pass::Pigment,
        Pass::Move,
        Pass::Sum,
        Pass::Water,
        Pass::Height,
        Pass::Cross,
        Pass::Diagonal,
    ];
}

/// Cells per workgroup, across and up.
pub(super) const GROUP: [usize; 2] = [32, 8];

struct Made {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

/// The passes of a device.
pub(super) struct Passes(Vec<Made>);

impl Passes {
    /// Compiles all passes.
    pub fn new(device: &wgpu::Device) -> Passes {
        Passes(Pass::ALL.iter().zip(&SHADERS).map(|(pass, shader)| make(device, *pass, shader)).collect())
    }

    /// The pipeline of a pass.
    pub fn pipeline(&self, pass: Pass) -> &wgpu::ComputePipeline {
        &self.0[pass as usize].pipeline
    }

    /// Buffers for a pass, in the order of its bindings.
    ///
    /// # Errors
    /// Another number of buffers than the pass has bindings.
    pub fn group(
        &self,
        device: &wgpu::Device,
        pass: Pass,
        buffers: &[&wgpu::Buffer],
    ) -> Result<wgpu::BindGroup, Fault> {
        let bindings = pass.bindings();
        if bindings.len() != buffers.len() {
            return Err(Fault::Invalid(format!("{pass:?} binds {} buffers, not {}", bindings.len(), buffers.len())));
        }
        let entries: Vec<_> = bindings
            .iter()
            .zip(buffers)
            .enumerate()
            .map(|(nth, (binding, buffer))| {
                // Of the table of steps, one entry; the offset says which.
                let size = (*binding == Binding::Step).then_some(STEP_SIZE);
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
                wgpu::BindGroupEntry { binding: nth as u32, resource }
            })
            .collect();
        let layout = &self.0[pass as usize].layout;
        Ok(device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries }))
    }
}

const STEP_SIZE: wgpu::BufferSize = match wgpu::BufferSize::new(4) {
    Some(size) => size,
    None => unreachable!(),
};

fn make(device: &wgpu::Device, pass: Pass, shader: &Shader) -> Made {
    let entry = |(nth, binding): (usize, &Binding)| {
        let ty = match binding {
            Binding::Params | Binding::Step => wgpu::BufferBindingType::Uniform,
            Binding::Read => wgpu::BufferBindingType::Storage { read_only: true },
            Binding::Write => wgpu::BufferBindingType::Storage { read_only: false },
        };
        let has_dynamic_offset = *binding == Binding::Step;
        wgpu::BindGroupLayoutEntry {
            binding: nth as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
            count: None,
        }
    };
    let entries: Vec<_> = pass.bindings().iter().enumerate().map(entry).collect();
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

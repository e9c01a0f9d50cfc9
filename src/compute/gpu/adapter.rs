//! The list of graphics devices, and the choice of one.

use std::sync::OnceLock;

use wgpu::DeviceType;

use super::fault::Fault;

/// A listed graphics device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Name from the driver.
    pub name: String,
    /// Discrete, integrated, virtual or software.
    pub kind: &'static str,
    /// Vulkan, Metal or DX12.
    pub backend: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Largest buffer that a pass can bind, bytes.
    pub largest_binding: u64,
    /// Largest buffer, bytes.
    pub largest_buffer: u64,
    /// Whether Device = GPU uses it.
    pub chosen: bool,
    /// Whether Device = Auto uses it.
    pub chosen_by_auto: bool,
}

/// The instance of the process, made on first use. It is never dropped, on purpose: dropping it unloads the drivers'
/// libraries, while their exit handlers and thread-local destructors are still registered, which has crashed hosts. The
/// plug-in's own library stays loaded too, so that a later load finds the instance again.
fn instance() -> &'static wgpu::Instance {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    INSTANCE.get_or_init(|| {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Instance::enabled_backend_features(),
            // No debug callbacks: they would be called in a library that may be unloaded.
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        })
    })
}

fn all() -> Vec<wgpu::Adapter> {
    let instance = instance();
    pollster::block_on(instance.enumerate_adapters(wgpu::Instance::enabled_backend_features()))
}

/// Rank by power; less is better.
fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

fn is_software(info: &wgpu::AdapterInfo) -> bool {
    info.device_type == DeviceType::Cpu
}

/// Chooses among devices sorted by power: the first one whose name contains `wanted` where that is given; a software
/// device only if `any` or named. Devices without the required features are not listed.
fn choose(infos: &[wgpu::AdapterInfo], wanted: Option<&str>, any: bool) -> Option<usize> {
    let named =
        |info: &wgpu::AdapterInfo| wanted.is_none_or(|part| info.name.to_lowercase().contains(&part.to_lowercase()));
    let allowed = |info: &wgpu::AdapterInfo| named(info) && (any || wanted.is_some() || !is_software(info));
    (0..infos.len()).filter(|&i| allowed(&infos[i])).min_by_key(|&i| (rank(&infos[i]), i))
}

/// Whether a device has the required features.
fn is_able(adapter: &wgpu::Adapter) -> bool {
    let compute = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    compute && adapter.limits().max_storage_buffers_per_shader_stage >= 8
}

/// The adapter to use, and whether it is software.
///
/// # Errors
/// [`Fault::None`] where no device is found.
pub(super) fn find(wanted: Option<&str>, any: bool) -> Result<(wgpu::Adapter, bool), Fault> {
    let mut adapters: Vec<_> = all().into_iter().filter(is_able).collect();
    let infos: Vec<_> = adapters.iter().map(wgpu::Adapter::get_info).collect();
    match choose(&infos, wanted, any) {
        Some(at) => Ok((adapters.swap_remove(at), is_software(&infos[at]))),
        None => Err(Fault::None(match wanted {
            Some(part) => format!("no graphics device has {part:?} in its name (FLOW_ADAPTER)"),
            None => "no graphics device was found".to_owned(),
        })),
    }
}

/// All devices, with the choice; `wanted` as in `FLOW_ADAPTER`.
pub fn list(wanted: Option<&str>) -> Vec<Listed> {
    let adapters: Vec<_> = all().into_iter().filter(is_able).collect();
    let infos: Vec<_> = adapters.iter().map(wgpu::Adapter::get_info).collect();
    let (chosen, by_auto) = (choose(&infos, wanted, true), choose(&infos, wanted, false));
    let listed = adapters.iter().zip(&infos).enumerate().map(|(nth, (adapter, info))| {
        let limits = adapter.limits();
        Listed {
            name: info.name.clone(),
            kind: ["discrete", "integrated", "virtual", "other", "software"][rank(info) as usize],
            backend: backend(info).to_owned(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            largest_binding: limits.max_storage_buffer_binding_size,
            largest_buffer: limits.max_buffer_size,
            chosen: chosen == Some(nth),
            chosen_by_auto: by_auto == Some(nth),
        }
    });
    listed.collect()
}

/// The name of a graphics interface in its makers' spelling.
pub(super) fn backend(info: &wgpu::AdapterInfo) -> &'static str {
    match info.backend {
        wgpu::Backend::Vulkan => "Vulkan",
        wgpu::Backend::Metal => "Metal",
        wgpu::Backend::Dx12 => "DX12",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, device_type: DeviceType) -> wgpu::AdapterInfo {
        wgpu::AdapterInfo { name: name.to_owned(), ..wgpu::AdapterInfo::new(device_type, wgpu::Backend::Vulkan) }
    }

    #[test]
    fn power_decides_unless_a_name_does() {
        let machine = [
            info("llvmpipe (LLVM 15)", DeviceType::Cpu),
            info("Intel Arc", DeviceType::IntegratedGpu),
            info("GeForce", DeviceType::DiscreteGpu),
            info("GeForce", DeviceType::DiscreteGpu),
        ];
        assert_eq!(choose(&machine, None, false), Some(2));
        assert_eq!(choose(&machine, Some("ARC"), false), Some(1));
        assert_eq!(choose(&machine, Some("LLVMpipe"), false), Some(0), "named, software is meant");
        assert_eq!(choose(&machine, Some("Radeon"), true), None);
        assert_eq!(choose(&machine[..1], None, false), None, "software is only used where it is asked for");
        assert_eq!(choose(&machine[..1], None, true), Some(0));
    }
}

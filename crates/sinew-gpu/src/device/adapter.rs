//! Choice of the adapter: `SINEW_ADAPTER`, or the best one, hardware before software.

use super::error::GpuError;
use wgpu::{Adapter, AdapterInfo, Backends, DeviceType, DownlevelFlags, InstanceFlags, Limits};

/// Environment variable with a part of `name (backend)` of an adapter, case-insensitive.
pub const ADAPTER_VARIABLE: &str = "SINEW_ADAPTER";

/// Chooses the adapter. OpenGL is last, because its drivers may need a window system.
pub(crate) async fn choose(requested: Option<&str>) -> Result<Adapter, GpuError> {
    let mut adapters = find(Backends::PRIMARY).await;
    if pick(&names(&adapters), requested).is_err() {
        adapters.extend(find(Backends::GL).await);
    }
    let at = pick(&names(&adapters), requested)?;
    Ok(adapters.swap_remove(at))
}

async fn find(backends: Backends) -> Vec<Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    // wgpu validates by itself, and the validation layers of drivers are rarely installed.
    descriptor.flags.remove(InstanceFlags::VALIDATION);
    // Software Vulkan before Mesa 24 reports that it is not conformant.
    let take_any = InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER;
    descriptor.flags.insert(take_any);
    descriptor.backends &= backends;
    let instance = wgpu::Instance::new(descriptor);
    let mut adapters = instance.enumerate_adapters(backends).await;
    adapters.retain(|a| {
        let flags = a.get_downlevel_capabilities().flags;
        flags.contains(DownlevelFlags::COMPUTE_SHADERS)
    });
    adapters.sort_by_key(|a| rank(&a.get_info()));
    adapters
}

fn names(adapters: &[Adapter]) -> Vec<String> {
    adapters.iter().map(|a| name(&a.get_info())).collect()
}

pub(crate) fn name(info: &AdapterInfo) -> String {
    format!("{} ({})", info.name, info.backend)
}

fn pick(names: &[String], requested: Option<&str>) -> Result<usize, GpuError> {
    let Some(requested) = requested.filter(|w| !w.is_empty()) else {
        return if names.is_empty() {
            Err(GpuError::NoAdapter)
        } else {
            Ok(0)
        };
    };
    let lower = requested.to_lowercase();
    let index = names.iter().position(|n| n.to_lowercase().contains(&lower));
    index.ok_or_else(|| GpuError::NoSuchAdapter {
        requested: requested.to_owned(),
        found: if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        },
    })
}

fn rank(info: &AdapterInfo) -> u8 {
    match info.device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

/// Limits to request: the WebGPU defaults with the max sizes that the adapter allows.
pub(crate) fn limits(adapter: &Adapter) -> Result<Limits, GpuError> {
    let allowed = adapter.limits();
    let requested = Limits {
        max_buffer_size: allowed.max_buffer_size,
        max_storage_buffer_binding_size: allowed.max_storage_buffer_binding_size,
        max_texture_dimension_2d: allowed.max_texture_dimension_2d,
        ..Limits::default()
    };
    check_limits(name(&adapter.get_info()), &requested, &allowed)?;
    Ok(requested)
}

pub(crate) fn check_limits(
    adapter: String,
    requested: &Limits,
    allowed: &Limits,
) -> Result<(), GpuError> {
    let mut missing = None;
    requested.check_limits_with_fail_fn(allowed, false, |limit, requested, allowed| {
        missing.get_or_insert((limit, requested, allowed));
    });
    match missing {
        None => Ok(()),
        Some((limit, requested, allowed)) => Err(GpuError::Limit {
            adapter,
            limit,
            requested,
            allowed,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["NVIDIA H200 (vulkan)", "llvmpipe (LLVM 15.0.6) (vulkan)"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn the_first_adapter_is_taken_unless_one_is_named() {
        assert_eq!(pick(&names(), None), Ok(0));
        assert_eq!(pick(&names(), Some("")), Ok(0));
        assert_eq!(pick(&names(), Some("LLVM")), Ok(1));
        assert_eq!(pick(&names(), Some("h200")), Ok(0));
    }

    #[test]
    fn no_adapter_says_what_to_install() {
        let error = pick(&[], None).unwrap_err();
        assert_eq!(error, GpuError::NoAdapter);
        assert!(
            error
                .to_string()
                .contains("apt install mesa-vulkan-drivers")
        );
    }

    #[test]
    fn an_unknown_adapter_is_an_error_that_lists_the_known() {
        let error = pick(&names(), Some("Voodoo")).unwrap_err().to_string();
        assert!(error.contains("SINEW_ADAPTER=Voodoo"), "{error}");
        assert!(error.contains("NVIDIA H200 (vulkan), llvmpipe"), "{error}");
        let none = pick(&[], Some("Voodoo")).unwrap_err().to_string();
        assert!(none.contains("choose one of none"), "{none}");
    }
}

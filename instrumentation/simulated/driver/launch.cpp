// Launches of kernels.
#include <utility>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/launch_attributes.h"

namespace warpwalk::simulated {
namespace {

using Extent = std::array<std::uint32_t, 3>;

Error launch_kernel(Gpu& gpu, Stream& stream, Kernel* kernel, const LaunchShape& shape, void** pointers, void** extra) {
  if (kernel == nullptr) return Error::invalid_resource_handle;
  if (pointers != nullptr && extra != nullptr) return Error::invalid_value;
  KernelLaunch launch;
  launch.kernel = kernel;
  launch.shape = shape;
  if (const Error wrong = collect_arguments(*kernel, pointers, extra, launch.arguments); wrong != Error::success)
    return wrong;
  return gpu.launch(std::move(launch), stream);
}

CUresult launch_shape(const char* name, CUfunction kernel, CUstream stream, const LaunchShape& shape, void** pointers,
                      void** extra) {
  return call_for_work(
      name, stream, [&](Gpu& gpu, Stream& found) { return launch_kernel(gpu, found, kernel, shape, pointers, extra); });
}

/// The work that an event stands for is the whole launch: a later time than a GPU's for an event that the first blocks
/// trigger, but in the same order.
Error add_event(Gpu& gpu, CUevent event, LaunchPlan& plan) {
  Event* const known = gpu.streams.find_event(event);
  if (known == nullptr) return Error::invalid_resource_handle;
  plan.events.push_back(known);
  return Error::success;
}

Error read_launch_attribute(Gpu& gpu, const CUlaunchAttribute& attribute, LaunchPlan& plan) {
  switch (attribute.id) {
    case LaunchAttributeId::cooperative: plan.shape.cooperative = attribute.value.number != 0; return Error::success;
    case LaunchAttributeId::cluster_dimension:
      plan.shape.cluster = attribute.value.cluster;
      return valid_cluster(plan.shape.cluster) ? Error::success : Error::invalid_cluster_size;
    case LaunchAttributeId::programmatic_event:
    case LaunchAttributeId::launch_completion_event: return add_event(gpu, attribute.value.event.event, plan);
    case LaunchAttributeId::device_updatable_kernel_node:
      return attribute.value.number == 0 ? Error::success : not_supported(gpu, "kernel nodes that kernels update");
    case LaunchAttributeId::ignore:
    case LaunchAttributeId::access_policy_window:
    case LaunchAttributeId::synchronization_policy:
    case LaunchAttributeId::cluster_scheduling_policy:
    case LaunchAttributeId::programmatic_stream_serialization:
    case LaunchAttributeId::priority:
    case LaunchAttributeId::mem_sync_domain_map:
    case LaunchAttributeId::mem_sync_domain:
    case LaunchAttributeId::preferred_cluster_dimension:
    case LaunchAttributeId::preferred_shared_memory_carveout:
    case LaunchAttributeId::nvlink_centric_scheduling: return Error::success;
  }
  return Error::invalid_value;
}

}  // namespace

Error read_config(Gpu& gpu, const CUlaunchConfig& config, LaunchPlan& plan) {
  if (config.attribute_count > 0 && config.attributes == nullptr) return Error::invalid_value;
  plan.shape.grid = config.grid;
  plan.shape.block = config.block;
  plan.shape.dynamic_shared_bytes = config.shared_bytes;
  for (std::uint32_t i = 0; i < config.attribute_count; ++i)
    if (const Error wrong = read_launch_attribute(gpu, config.attributes[i], plan); wrong != Error::success)
      return wrong;
  return Error::success;
}

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** pointers,
                        void** extra) {
  const LaunchShape shape{Extent{grid_x, grid_y, grid_z}, Extent{block_x, block_y, block_z}, {}, shared_bytes, false};
  return launch_shape("cuLaunchKernel", function, stream, shape, pointers, extra);
}
CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                             void** pointers, void** extra) {
  return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, per_thread(stream),
                        pointers, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** pointers) {
  const LaunchShape shape{Extent{grid_x, grid_y, grid_z}, Extent{block_x, block_y, block_z}, {}, shared_bytes, true};
  return launch_shape("cuLaunchCooperativeKernel", function, stream, shape, pointers, nullptr);
}
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                        CUstream stream, void** pointers) {
  return cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                                   per_thread(stream), pointers);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** pointers, void** extra) {
  const CUstream stream = config == nullptr ? nullptr : config->stream;
  return call_for_work("cuLaunchKernelEx", stream, [&](Gpu& gpu, Stream& found) {
    if (config == nullptr) return Error::invalid_value;
    LaunchPlan plan;
    if (const Error wrong = read_config(gpu, *config, plan); wrong != Error::success) return wrong;
    const Error error = launch_kernel(gpu, found, function, plan.shape, pointers, extra);
    if (error != Error::success) return error;
    for (Event* const event : plan.events)
      if (const Error wrong = gpu.streams.record(*event, found); wrong != Error::success) return wrong;
    return Error::success;
  });
}
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction function, void** pointers, void** extra) {
  if (config == nullptr) return Error::invalid_value;
  CUlaunchConfig own = *config;
  own.stream = per_thread(own.stream);
  return cuLaunchKernelEx(&own, function, pointers, extra);
}

}  // extern "C"
}  // namespace warpwalk::simulated

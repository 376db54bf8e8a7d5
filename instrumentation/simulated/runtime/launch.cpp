// Launches of kernels.
#include <utility>
#include <vector>

#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/launch_attributes.h"
#include "instrumentation/simulated/runtime/registry.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

/// What stands between <<< and >>>.
struct CallConfiguration {
  Dim3 grid, block;
  std::size_t shared_bytes = 0;
  const void* stream = nullptr;
};

std::vector<CallConfiguration>& call_configurations() {
  thread_local std::vector<CallConfiguration> stack;
  return stack;
}

Error launch_kernel(const char* name, const void* function, const LaunchShape& shape, void** arguments,
                    const void* stream) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      return with_stream(gpu, stream, [&](Stream& found) {
        KernelLaunch launch{&kernel, shape, {}};
        const Error wrong = collect_arguments(kernel, arguments, nullptr, launch.arguments);
        return wrong == Error::success ? gpu.launch(std::move(launch), found) : wrong;
      });
    });
  });
}

LaunchShape shape_of(Dim3 grid, Dim3 block, std::size_t shared_bytes, bool cooperative = false) {
  return {grid.extents(), block.extents(), {}, shared_bytes, cooperative};
}

/// Records an event that a launch with attributes asked for. Its kernel is the last work of the stream; the event is
/// not earlier than that kernel's end, which both kinds of events allow.
Error record_attribute_event(Gpu& gpu, const void* event, Stream& stream) {
  return with_event(gpu, event, [&](Event& found) { return gpu.streams.record(found, stream); });
}

}  // namespace

Error apply_attributes(const LaunchConfiguration& configuration, LaunchShape& shape, std::vector<const void*>& events) {
  if (configuration.attribute_count != 0 && configuration.attributes == nullptr) return Error::invalid_value;
  for (unsigned i = 0; i < configuration.attribute_count; ++i) {
    const LaunchAttributeValue& value = configuration.attributes[i].value;
    switch (configuration.attributes[i].id) {
      case LaunchAttributeId::cooperative: shape.cooperative = value.number != 0; break;
      case LaunchAttributeId::cluster:
        shape.cluster = value.cluster.extents();
        if (!valid_cluster(shape.cluster)) return Error::invalid_cluster_size;
        break;
      case LaunchAttributeId::programmatic_event:
      case LaunchAttributeId::completion_event: events.push_back(value.event.event); break;
      case LaunchAttributeId::updatable_node:
        if (value.number != 0) return Error::not_supported;
        break;
      // Hints. A kernel with programmatic serialization may start when the one before it has ended.
      case LaunchAttributeId::ignore:
      case LaunchAttributeId::access_window:
      case LaunchAttributeId::synchronization:
      case LaunchAttributeId::cluster_policy:
      case LaunchAttributeId::programmatic_serialization:
      case LaunchAttributeId::priority:
      case LaunchAttributeId::domain_map:
      case LaunchAttributeId::domain:
      case LaunchAttributeId::preferred_cluster:
      case LaunchAttributeId::carveout:
      case LaunchAttributeId::nvlink_scheduling: break;
      default: return Error::invalid_value;
    }
  }
  return Error::success;
}

extern "C" {

unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared_bytes, const void* stream) {
  call_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared_bytes, void* stream) {
  std::vector<CallConfiguration>& stack = call_configurations();
  if (stack.empty()) return remember(Error::missing_configuration);
  const CallConfiguration top = stack.back();
  stack.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<const void**>(stream) = top.stream;
  return Error::success;
}

/// nvcc's code keeps the handle for all launches of a kernel. If it cannot be loaded, the handle is the function
/// itself, so that each launch returns the error.
Error __cudaGetKernel(const void** handle, const void* function) {
  return runtime_call("__cudaGetKernel", [&](Gpu& gpu) {
    *handle = function;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      *handle = &kernel;
      return Error::success;
    });
  });
}

Error __cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                         const void* stream) {
  return launch_kernel("cudaLaunchKernel", kernel, shape_of(grid, block, shared_bytes), arguments, stream);
}

Error __cudaLaunchKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                              const void* stream) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, of_thread(stream));
}

Error cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                       const void* stream) {
  return launch_kernel("cudaLaunchKernel", function, shape_of(grid, block, shared_bytes), arguments, stream);
}

Error cudaLaunchKernel_ptsz(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                            const void* stream) {
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, of_thread(stream));
}

Error cudaLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                  std::size_t shared_bytes, const void* stream) {
  return launch_kernel("cudaLaunchCooperativeKernel", function, shape_of(grid, block, shared_bytes, true), arguments,
                       stream);
}

Error cudaLaunchCooperativeKernel_ptsz(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                       std::size_t shared_bytes, const void* stream) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, of_thread(stream));
}

Error cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* function, void** arguments) {
  return runtime_call("cudaLaunchKernelExC", [&](Gpu& gpu) {
    if (configuration == nullptr) return Error::invalid_value;
    LaunchShape shape = shape_of(configuration->grid, configuration->block, configuration->dynamic_shared_bytes);
    std::vector<const void*> events;
    Error error = apply_attributes(*configuration, shape, events);
    if (error == Error::success)
      error = launch_kernel("cudaLaunchKernelExC", function, shape, arguments, configuration->stream);
    if (error != Error::success) return error;
    return with_stream(gpu, configuration->stream, [&](Stream& stream) {
      for (const void* const event : events)
        if (const Error wrong = record_attribute_event(gpu, event, stream); wrong != Error::success) return wrong;
      return Error::success;
    });
  });
}

Error cudaLaunchKernelExC_ptsz(const LaunchConfiguration* configuration, const void* function, void** arguments) {
  if (configuration == nullptr) return cudaLaunchKernelExC(configuration, function, arguments);
  LaunchConfiguration own = *configuration;
  own.stream = of_thread(own.stream);
  return cudaLaunchKernelExC(&own, function, arguments);
}

}  // extern "C"

}  // namespace warpwalk::simulated

// A wrapper that launches a kernel, for a table of kernels with any parameters.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

namespace warpwalk {

struct LaunchShape {
  dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  cudaStream_t stream;
};

template <auto kernel, typename... Parameters, std::size_t... index>
void launch_with(void (*)(Parameters...), const LaunchShape& shape, void** arguments, std::index_sequence<index...>) {
  kernel<<<shape.grid, shape.block, shape.dynamic_shared_bytes, shape.stream>>>(
      *static_cast<Parameters*>(arguments[index])...);
}

// arguments[i] points to the value of parameter i.
template <auto kernel>
void launch_kernel(const LaunchShape& shape, void** arguments) {
  const auto parameters = []<typename... P>(void (*)(P...)) { return std::index_sequence_for<P...>(); };
  launch_with<kernel>(kernel, shape, arguments, parameters(kernel));
}

struct Launcher {
  const char* entry;
  const char* module;
  const void* kernel;
  void (*launch)(const LaunchShape& shape, void** arguments);
};

struct LauncherTable {
  const Launcher* rows;
  std::size_t size;
};

}  // namespace warpwalk

#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/launch.h"

namespace warpwalk::gpu {

/// A kernel of tests/exec/kernels and the buffers it is launched on. Each argument is a pointer to one buffer.
class TestKernel {
 public:
  /// Loads `entry` from kernels/MODULE.ptx. Fails the test if the module does not load or the entry is rejected.
  TestKernel(std::string_view module, std::string_view entry);

  template <class T>
  TestKernel& buffer(const std::vector<T>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return buffer_of(std::move(bytes));
  }
  template <class T>
  TestKernel& zeros(std::size_t count) {
    return buffer(std::vector<T>(count));
  }

  /// Simulates the kernel on an H200 with the sanitizer enabled.
  Simulation run(std::uint32_t blocks, std::uint32_t threads);

  /// The current contents of a buffer.
  template <class T>
  std::vector<T> values(std::size_t buffer) const {
    const std::vector<std::uint8_t>& bytes = launch_.buffers[buffer].bytes;
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

 private:
  TestKernel& buffer_of(std::vector<std::uint8_t> bytes);

  std::shared_ptr<const Program> program_;
  Launch launch_;
};

/// Permuted numbers from 0 to 99: (37 i + 11) mod 100.
std::vector<int> jumbled(int count);
/// The messages of the findings, one per line.
std::string findings_text(const Simulation& simulation);

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/ops/tensor/dtype.h"

namespace warpwalk::story {

/// A launch of the lab's kernel.
struct KernelSetting {
  double slope = 0.1;
  std::int64_t n = 100;  ///< elements
  ops::DType dtype = ops::DType::f32;
  std::int64_t block = 64;  ///< threads
  std::int64_t stride = 1;  ///< elements of the input from one that is read to the next
  bool checked = true;      ///< with a bounds check
  std::int64_t blocks() const { return (n + block - 1) / block; }
  std::int64_t idle() const { return blocks() * block - n; }  ///< threads without an element
};

/// The result of the simulated GPU.
struct KernelRun {
  std::string entry;
  std::vector<double> input;     ///< the n elements that are read
  std::vector<double> output;    ///< of the simulated GPU
  std::vector<double> expected;  ///< of a plain loop on the host
  std::size_t different = 0;     ///< elements that differ in a bit
  std::string finding;           ///< the simulator's first finding; empty: none
  std::uint64_t stray = 0;       ///< accesses outside of the buffers
  std::string error;             ///< why it did not run
};

/// Runs the kernel of lab_ptx() on small inputs that every type can hold.
KernelRun run_kernel(const gpu::Device& device, const KernelSetting& setting);

/// Element i of the input buffer.
double input_element(std::int64_t i);

/// The PTX of all of the lab's kernels: the text of assets/kernel_lab/leaky_relu.ptx, which the build compiles in
/// (cmake/Embed.cmake).
std::string_view lab_ptx();

}  // namespace warpwalk::story

#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/gpu/device/device_file.h"
#include "core/ops/cpu/memory.h"
#include "core/ops/library/library.h"
#include "core/run/expression/sim_backend.h"

namespace warpwalk::testing {

inline gpu::Device h200() {
  auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  if (!device) throw std::runtime_error(device.error());
  return *std::move(device);
}

/// The tensor library with the CPU and the simulated GPU, by default with the sanitizer on.
class SimLibrary {
 public:
  explicit SimLibrary(bool sanitize = true) : device_(h200()), sim_(device_, options(sanitize), nullptr) {
    register_library(dispatcher);
    register_cpu(dispatcher);
    register_gpu(dispatcher, sim_);
    dispatcher.set_memory(cpu);
    dispatcher.set_memory(sim_.memory());
  }

  ops::Tensor make(ops::DeviceKind device, ops::DType dtype, const ops::Sizes& sizes,
                   std::span<const std::uint8_t> bytes) {
    return tensor_from(dispatcher.memory(device), dtype, sizes, bytes);
  }
  run::SimBackend& sim() { return sim_; }

  ops::CpuMemory cpu;
  std::vector<std::string> entries;  ///< entry names of the kernels launched so far
  ops::Dispatcher dispatcher;

 private:
  run::SimOptions options(bool sanitize) {
    run::SimOptions options;
    options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
    options.source_folder = WARPWALK_SOURCE_DIR "/kernels";
    options.simulate.sanitize = sanitize;
    options.launched = [this](const run::SimLaunch& launch) { entries.push_back(launch.planned.entry); };
    return options;
  }

  gpu::Device device_;
  run::SimBackend sim_;
};

/// Random elements of all magnitudes and, if `special`, zeros, infinities, NaN, subnormals and extremes.
inline std::vector<std::uint8_t> random_elements(ops::DType dtype, std::int64_t count, unsigned seed, bool special) {
  std::mt19937_64 random(seed);
  const std::size_t size = bytes_of(dtype);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * size);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::uint64_t bits = random();
    const bool any_bits = special && i % 4 == 0;
    if (is_float(dtype)) {
      constexpr double specials[] = {0.0, -0.0,    1.0,  -1.0,  INFINITY, -INFINITY,
                                     NAN, 65504.0, 3e38, -3e38, 1e-40,    5e-324};
      const double uniform = std::ldexp(static_cast<double>(bits >> 11), -52) - 1;
      if (special && i % 5 == 1)
        bits = float_bits(dtype, specials[i / 5 % std::size(specials)]);
      else if (!any_bits)
        bits = float_bits(dtype, special ? 20 * uniform : uniform);
    } else if (!any_bits) {
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits % 2001) - 1000);
    }
    for (std::size_t byte = 0; byte < size; ++byte)
      bytes[i * size + byte] = static_cast<std::uint8_t>(bits >> 8 * byte);
  }
  return bytes;
}

}  // namespace warpwalk::testing

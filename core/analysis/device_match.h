#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/walk.h"
#include "core/gpu/device/device.h"

namespace warpwalk::analysis {

/// The source of a parameter that was taken from the trace and not from a description.
inline constexpr std::string_view recorded_source = "trace";

/// The model's description of the GPU that the followed work ran on.
struct DeviceMatch {
  enum class How : unsigned char {
    described,  ///< this model has a description (gpu::same_model), which then has the GPU's name in the trace
    adapted,    ///< a description of the same compute capability, with the figures that the trace records of this GPU
    unknown,    ///< the trace does not describe its GPU, or no description is similar; always of AMD's GPUs
  };
  How how = How::unknown;
  std::optional<gpu::Device> device;
  std::string recorded;  ///< the GPU's name in the trace; empty if it has none
};
/// `known`: the descriptions to choose from.
DeviceMatch device_of(const Trace& trace, const Walk& walk, std::span<const gpu::Device> known);

}  // namespace warpwalk::analysis

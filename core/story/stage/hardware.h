#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/story/stage/walk.h"

namespace warpwalk::story {

/// The device descriptions at hand.
struct Hardware {
  std::vector<gpu::Device> devices;
  const gpu::Device* find(std::string_view id) const;
};

/// Reads all descriptions of a folder (assets/devices). On failure: one line, and what could be read.
std::pair<Hardware, std::optional<std::string>> load_hardware(const std::filesystem::path& folder);

/// The GPU that the followed work ran on, as the model knows it.
struct DeviceMatch {
  enum class How : unsigned char {
    described,  ///< there is a description of this very GPU
    adapted,    ///< a description of the same compute capability, with the figures that the trace records of this GPU
    unknown,    ///< the trace does not describe its GPU, or no description comes near
  };
  How how = How::unknown;
  std::optional<gpu::Device> device;
  std::string recorded;  ///< the GPU's name in the trace; empty where it has none
};
DeviceMatch device_of(const Trace& trace, const Walk& walk, const Hardware& hardware);

}  // namespace warpwalk::story

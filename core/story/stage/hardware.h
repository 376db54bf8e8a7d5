#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/story/stage/chase.h"
#include "core/story/stage/kernel_levels.h"
#include "core/story/stage/lab_runs.h"
#include "core/story/stage/validation.h"
#include "core/story/stage/view_times.h"
#include "core/story/stage/walk.h"

namespace warpwalk::story {

/// The installed device descriptions.
struct Hardware {
  std::vector<gpu::Device> devices;
  std::vector<ValidatedLaunch> validation;  ///< of the model of the H200; empty if there is no record of it
  std::vector<ChasedBuffer> chase;          ///< on the H200; empty if there is no record of it
  std::vector<LabRun> lab_runs;             ///< of the H200 and of parts of it; empty if there is no record of them
  std::vector<CoreTimes> core_times;        ///< of the H200's machine; empty if there is no record of them
  std::vector<LevelledKernel> levelled;     ///< the Kernel lab's examples at several levels of optimisation
  std::vector<ViewTime> view_times;         ///< of the H200; empty if there is no record of them
  const gpu::Device* find(std::string_view id) const;
};

/// Reads all descriptions of a folder (assets/devices), the records in it (h200_validation.csv, h200_chase.csv,
/// h200_labs.csv, h200_cores.csv and h200_views.csv), and the compiled kernels beside it (assets/kernel_lab). On
/// failure, returns a one-line message and what could be read.
std::pair<Hardware, std::optional<std::string>> load_hardware(const std::filesystem::path& folder);

/// The source of a parameter that was taken from the trace and not from a description.
inline constexpr std::string_view recorded_source = "trace";

/// The model's description of the GPU that the followed work ran on.
struct DeviceMatch {
  enum class How : unsigned char {
    described,  ///< this GPU has a description
    adapted,    ///< a description of the same compute capability, with the figures that the trace records of this GPU
    unknown,    ///< the trace does not describe its GPU, or no description is similar
  };
  How how = How::unknown;
  std::optional<gpu::Device> device;
  std::string recorded;  ///< the GPU's name in the trace; empty if it has none
};
DeviceMatch device_of(const Trace& trace, const Walk& walk, const Hardware& hardware);

}  // namespace warpwalk::story

#pragma once

// This folder reads the descriptions and measurements of GPUs in assets as plain rows. Conclusions from them are in
// labs and facts.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/records/collective_times.h"
#include "core/records/host_device_times.h"
#include "core/records/kernel_levels.h"
#include "core/records/lab_runs.h"
#include "core/records/read_only_times.h"
#include "core/records/validation.h"
#include "core/records/view_times.h"

namespace warpwalk::run {
struct Exercise;
}  // namespace warpwalk::run

namespace warpwalk::records {

struct StreamRecord;
struct ObserverRecord;
struct TritonRecord;

/// The installed device descriptions.
struct Hardware {
  std::vector<gpu::Device> devices;
  std::vector<ValidatedLaunch> validation;      ///< of the model of the H200; empty if there is no record of it
  std::vector<ChasedBuffer> chase;              ///< on the H200; empty if there is no record of it
  ReadOnlyTimes read_only;                      ///< of the H200; empty if there is no record of it
  std::vector<LabRun> lab_runs;                 ///< of the H200 and of parts of it; empty if there is no record of them
  std::vector<CoreTimes> core_times;            ///< of the H200's machine; empty if there is no record of them
  std::vector<LevelledKernel> levelled;         ///< the Kernel lab's examples at several levels of optimisation
  std::shared_ptr<const StreamRecord> streams;  ///< null if there is no record
  std::shared_ptr<const ObserverRecord> observers;  ///< null if there is no record
  HostDeviceRecord host_device;                     ///< of the H200's machine; empty if there is no record of it
  std::shared_ptr<const TritonRecord> triton;  ///< kernels in Triton and CUDA C++ on an H200; null without recordings
  std::vector<ViewTime> view_times;            ///< of the H200; empty if there is no record of them
  std::vector<CollectiveTime> collectives;     ///< of several H100s; empty if they were not measured
  std::shared_ptr<const std::vector<run::Exercise>> exercises;  ///< in the order of the course; null: there are none
  const gpu::Device* find(std::string_view id) const;
};

/// Reads all descriptions of a folder (assets/devices), the records in it (the files *.csv), and the folders
/// beside it: compiled kernels (assets/kernel_lab), recordings of Triton (assets/triton) and exercises. On failure,
/// returns a one-line message and what could be read.
std::pair<Hardware, std::optional<std::string>> load_hardware(const std::filesystem::path& folder);

}  // namespace warpwalk::records
